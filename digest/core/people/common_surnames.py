"""How many given names stand before a family name, by their initials."""

from __future__ import annotations

# Counted in the lists of authors of 168,546 papers on arXiv (metadata: CC0) by
# `python -m benchmarks.count_names`, which writes this file: do not edit it by hand.
FAMILY_NAMES = """
abadias:ln abadie:fj abadi:a2jm4nv abad:a2ceg2j2m3v abalos:fjv abarca:ahn abarghoui:ah abari:aos abasi:ad
abassi:ai abate:a2c2m2ny abati:adg abavisani:am abayomi:amy abay:an abbadi:am abbasi:a7b2f2hm3n2opqy
abbasli:t2 abbasnejad:ei abbassi:ms abbaszadeh:m2 abbas:a6cf2gh3jk2m7nr2su2w2z abbate:fg abbes:i2
abbott:c2jmprst3v abboud:klrs abdin:amz abdi:a2hilm3ps abdou:a2k abdo:ajm2n abdul:afw abebe:a2ersw
abecassis:bdf abedini:fhks3yz abedin:ej2m3s2 abedi:afh2msz abed:bms4 abellan:cgij abella:aj abels:ac
abel:abd2g2j2klm2r2s2tu abend:os aben:efi abera:dst aberle:acd abernethy:j2ln abersold:dr abeykoon:lnv
abeysinghe:rsy abeywickrama:ds2t abe:efh5jk3m2n3os2t6y7 abgrall:cr abhishek:akmntv abhyankar:nr abichandani:hp
abidin:hz abidi:aos abid:a2f2h2im2r2sz abile:gmr abioye:ais abiri:gr abir:afm3s abi:acefjo abler:ad ablett:ct
aboagye:ep abolade:di abolghasemi:m2pv abolhasani:am2s abosabie:s2 aboudi:an abouzaid:m2 abouzeid:a2 aboy:dm
abrahamsen:bmnt abrahamsson:op abrahamyan:ad abraham:a4de3ghijlm4nopr3st2z abramenko:op abramian:ds
abramovich:ot abramov:adgir2s abramowitz:bs abramo:gr abramson:c3gm2rw abrams:aegkmn abram:gm abrar:a2msy
abreu:aceghjl2mn2r2s2z abril:ei abrishami:st abrol:sv abrudan:rt abruzzo:mv absar:as abtahi:fm2ps abyad:ds
aby:np acaldo:ln2 acarturk:ce acar:a4bcde2gmu accou:bs aceituno:fjp acero:dfm acevedo:cdej3ms aceves:hv
acey:bghj2n ace:av achard:cj acharjee:ps2t acharya:a5b3d3ehjk3m3n4p3r2s8t2v2 acharyya:a2s achar:aj2pr acha:abd
acheampong:fk achenbach:lm achenfeld:k2 acher:em achilleos:nv achille:ap achim:at achi:bfhk achowiak:gr
achura:dm ach:a3c2ejkmntw ackermann:hj2mprs ackerman:bcdosy acker:as ack:al aconescu:aer aconu:ac3jmv acon:nt
acosta:a3bcefjklm4nps2uv aco:em acs:bg acton:ms acuna:d2gj3o adachi:k4m2rs2ty adad:bjm adah:s2 adair:achj
adak:acd3s adali:st2 adamcova:bd adamczak:djr adamczewski:bk adamczyk:dj2mt adamek:j3k adamenko:ip adame:adlt
adami:abcn adamo:ag2jt adamson:dert adams:a3b4c9d3e2fg4h3j6k2lm3n3op2r2s4tv2 adamu:abijm
adam:a4b2c2efgh3i3j2klm4pr2s3tv adan:a2dns adaran:a2fm adari:dp adar:emrs ada:ik2msty3 adbba:as adcock:abijm
addanki:rsv addas:as adda:df addepalli:s2 addison:ago addo:np2 addy:cn adebanjo:ft adebayo:mos2 adebiyi:at
adeel:am adei:dpy adejumo:ade adekunle:ao adeleke:fl adeli:behrv adelmann:acjmt adelman:cr adelson:ept
adel:a2f2hjmn aden:im ader:ij adeseye:a2 adesso:gm adetiba:ej adewole:bms adewumi:ft adeyemi:m2t ade:em
adhanam:au adhikari:a5b5cdj2kl2p3r8s9t adhikary:a3djkp3rs2 adhya:as adibi:a2p adib:afrs2 adiels:cm adie:b2
adiga:a2dr adiguzel:ar adikari:dm adilazuarda:fm adilova:al adil:adfhms aditto:az aditya:adks3 adi:a4rtwy2
adkins:act adler:a3b3cd2gj7klm3np3r3s4t3 adlouni:ms adly:ao admoni:hns adnan:a2bhm4rt adnyk:ij adorni:gp
adorno:bsw adovi:mp adrians:fj adrian:dmp adt:bo advani:lmnr adve:rsv adwaj:tv adzic:av afee:blm afek:gy
afia:a2h agadakos:in agama:mt agam:g2 agapito:agl agappan:rv agard:em agarwala:ajr agarwalla:as
agarwal:a37bc3d7eg2h3i2j2k7lm10n13p12r17s45t4u3v10y2 agashe:ars aga:ajs ageev:dr age:abdfns
aggarwal:a10bcd4g3hk4l2m4n2pr7s8t3v6y aggrawal:hp aghai:aefhmnr2s aghajani:ar aghakasiri:ak aghakhani:eh2
aghapour:ans aghashahi:s2 aghazadeh:a2ep agha:a2himn aghdai:ho aghdam:aepz agic:ag agirre:aem agi:av agmon:ns
agnese:jm agnew:jw agne:cls2 agnihotri:a3kmrs3 agni:lm agnoli:s2 agno:br agostinelli:acdfstv agostinho:es
agostini:a3eln agostino:cj agosti:av agrafiotis:dip agrahar:ci agrawal:a33bcd5eg3h2jk5lm5n7p13r10s28t2u2v6y2
aguado:adfr aguayo:cfj aguda:ant agudo:a2i aguiar:a3cjm3v aguilar:a5d2e2hj5klmnr2s aguilera:aj2m2r
aguirre:a3cdfgij2klm2n2 agullo:cf aguna:mt aguro:ar2 agustin:cj2 agustsson:ersv aguzzi:cgi agu:en agyei:egj
agyemang:e2j ahad:jmns ahamed:abim3r2s4t ahammed:afst ahang:fn ahani:gz aharoni:adeor aharonov:kry
aharon:aeil2osy ahbi:ir ahidi:wy ahi:a2k2mps ahlawat:agkmy ahlberg:es ahlers:e2hj ahler:j2 ahle:mp ahlgren:gm
ahluwalia:bdhjm ahl:a2bcdfgjmp ahmadabadi:m2z ahmadian:a2kms2y ahmadi:a8b2efgh2m8n4prs8tz ahmadova:af
ahmadvand:mr ahmadzadeh:a3 ahmad:a19b4f11g2h6i4j3k3lm11n7o3pr6s19t3w5y2z4 ahmari:mr ahmedov:ab
ahmed:a34b4c3d2e3f15g2h8i7j4k9lm27n12o3qr7s38t15u3w3y2z10 ahmmed:js2 ahnert:gr
ahn:a2b3c6d6e4g5h17j35k7m6n4prs25t3w3y8 ahokas:ej ahona:jlmns ahrabian:ak ahrend:ijp ahrens:bij3l2
ahsan:a2hm5nr3w ahuja:a7bc2dgk5mn4pr4s3uv2y ahy:cdkmr aiano:jm aichele:js aichinger:ep aich:a5msu aicu:ac
aida:aht aiello:aelmv aigner:cipw aigrain:js aihara:ir aijaz:a2o aikawa:sy aiken:ace aila:bt ailly:dj ail:fp
aimar:em aimeur:es aina:klp2t aine:ems aini:ho ainslie:jm ainsworth:ls2 ain:gm2np2q2 aires:gms airey:dr
airoldi:el airs:ij aissa:isy aissi:hm aisyah:fn ais:mo aithal:ams aitken:bcm2w aiyer:ag2s aizawa:a2hk3
aizenbud:aiy aizen:ev aizpurua:bj ai:b4c6d3ef2gh5ij8kl3m4pq8r2st3w2x10y12z8 ajala:fo ajas:aj3lnv ajayi:eo3st2
ajay:asy ajiboye:ae ajith:a5mpv aji:a2v ajmal:ho ajmera:jy ajmi:ai ajwani:dr akagi:my akahori:st akaho:rs
akalin:a2n akamatsu:hkmt akama:rst akan:aeot2 akarca:ad akarsu:mo akar:ag2n akasaka:km akashi:mnr akash:akmprs
akata:ez akati:ks akat:a3bcm3ns akay:gty aka:ak akbaba:bf akbarian:bf akbari:a7b2ehm2nr2s2v akbarpour:hn
akbarzadeh:adh akbar:a3efkm2nrs3uw akbas:e2m2 akbulut:cmos akcay:kms akcicek:e2 akdemir:dk akdeniz:fg
akella:aps3 akerman:jn2 akers:c2j akey:jp ake:djm akgul:a2bhmo2 akgun:bhm2o2 akhand:ao akhavan:mnrt
akhlaghi:amsv akhmetov:y2 akhmetzhanova:a2 akhshan:afjm akhtar:am5nrsz5 akhter:km akiba:fk2mt3y akimoto:ksy
akimov:fvy akinode:dv akinola:is akinrele:at akins:ah akinyemi:aj akin:abc2eko akitaya:h2 akita:k2 akiti:cg
akiyama:ehkm2s4ty2 aki:bj akkaya:ik akkerman:fmv akker:ab akkiraju:abr akkus:a2tz akleman:e2 akley:abdij
akli:ak akl:adhjmp akman:a2kot aknine:aj akoglu:al akonikolas:ij akonos:f2 akopyan:aef akpinar:admnu
akrami:h2y akram:a2bf2jkm4nquw akremi:km akrofi:gj akrour:ry aksenov:dvy aksoy:ceks2y aksu:adefhmt aktar:fs2
aktas:beh2imrsu akter:f2h2m3nr3s7u akthar:as akturk:tu akula:ar2t akulov:dy akutsu:ht akyildiz:io akyol:e2m
akyurek:ae akyuz:eu ak:a2rs2 alai:a2kms alam:a3bef5h3i3jk3lm11n6ors13t4u2z ala:a2jlmnv alba:a2cehn2pv albu:a2
aldi:lp alei:e2 ales:az alex:abj2t aley:cej ale:cdm alfy:ry alia:ans alif:lm2s alil:sy alim:k2m2u alis:ce
ali:a42b4d4ef7g2h14i5j2k5lm36n7o2pqr12s29t5uw4y7z5 alla:a5bcefhjm4pr2s alle:gjlm allo:a3de2m3npst allu:nsu
alm:cj alon:abd2egln2ou alos:efjpr alo:lr alst:sw alto:ags alt:b3gjtw alur:r2 alvi:a2mrs2 aly:a2gksw al:hs2w
amadio:fj amadi:bclp amadori:aefp amador:k2or amado:cjlmpz amad:ah amal:ost amanatidis:gi amancio:dj
amani:am3n amann:bjms amano:msty amantis:d2i amantopoulos:nt amant:air3z aman:abehrsw amaral:a2dilm3y
amarasinghe:s2v amara:a2f2ko amareen:ks amari:a2g amaro:efkpr amar:cefj2mpsy2 amatakis:agmn amatis:co
amatopoulos:gm amato:cef2gmnr2 amatya:ps amaya:jksw amballa:ac ambati:mrs amberg:b2 ambite:ej amblard:ajpv
amboage:jm ambrose:ehk ambrosini:deip ambrosino:f2 ambrosio:fm ambros:ip ambrus:grv amdari:nps ameen:a3fms
ameer:aim amelia:lp ameli:ms amemiya:ky amendola:agl amend:am amengual:rs amenta:as ament:js ameri:afkm
amerstorfer:tu amer:a5him4nr2vw2 ames:a2m ameta:adg ameur:m3y2z amezcua:afi amft:os amian:mr amico:aejlmt
amid:ade amigo:eij2p aminbeidokhti:m2 aminian:g2m amini:a7e2hklm9np2rswz aminu:bm amin:a9def4h3jklm10nor3s4ty
amiot:bcp amirabadi:ar amiranashvili:at amirian:jm amiri:a5cdh2km6n2prs4vy amirkhani:dfs amirshahi:s2
amirzadeh:hr amir:a6ghjlm3n2o2syz amit:agimp ami:adghim2orz amjad:afh3m3o ammann:bp ammari:ahtz
ammar:ah4jm4nostw ammer:tw ammirati:cs amm:bms amodeo:fj amodio:ap amond:ahj3mn amon:an amore:pt amorim:el3r3
amorin:ar2 amoros:dm amor:abh2mr2s2 amos:b2dfgi2m amoto:at2 amoudi:e2 amoulis:dg amou:aceg amo:cefjm2ot
amparore:de ampa:m2v amponsah:ek amram:gp amrani:amny amra:st amrein:fm amri:abfhmrw amro:bls amr:m2 amsyah:ai
amundsen:hj amy:cm2 anador:jn anagnostidis:sv anagnostopoulos:ac2fgkn anaike:n2 anam:m2rs anandan:bk2
anandkumar:a2 anand:a23b3cd2eg4h2k2m6n5p4r2s6t3uv5y anania:pr ananna:st ananthakrishnan:hnrs3
ananthanarayanan:g2s anantharaman:g2kr ananthram:a2 ananth:anpsv anan:ar anaraki:af anasev:agv
anastasiou:c2dnp anastasopoulos:a3j anasyev:im anaya:dejm anazi:a2efgm ana:aefs ancea:bc ancha:s2 anche:rt
ancikova:bp ancilotto:af anciulescu:bs anciu:m2 ancona:dm2 ancuti:c2 anczak:ck2s anczyk:pt andalib:av
andart:bf andelkovic:m2 anden:jm andersen:abcd2f2ghij4l2m5nop2rst2u andersland:lm
anderson:a6b4c10d11e4f2gh3ij11k5l5m7n4op2r5s6t8w andersson:a6ceh2j3lm2nos4 anders:a2cfgkm anderton:nt ander:dm
andi:jmw andonian:ag andoni:am andonov:js ando:a2eh2k2m2nr3s3t4y3 andrades:jm andrade:a4b2cd5e2fg2j6lm3prstvx2
andra:klr andreasson:hj andreas:js andrea:al andreescu:act andreev:akps andregg:mw andrei:cir andreoni:gimr
andreon:bs andreopoulos:ay andreotti:bf andreou:abdnp andresen:h2jn andres:abcd2efjm2ns andreu:aj
andrews:a2bcd3egij4km3np2s4u andrew:gk2nstw andreychuk:ad andreyev:a3 andrey:kp andre:a3c2de2f2j2km2np2rs2y
andric:st andrienko:dgn andries:jm andrieu:fv andrist:rs andriushchenko:agmr andronic:ao andrzejewski:jl
and:a4dhjlms anees:a3s aneja:djk3ns3 anek:af2lv anelli:av anen:js anes:f2j ane:cimpr2y anford:cd angelakis:aev
angela:az angeles:am angelini:efmop angelis:a2d3e2f2gjlmn angeli:ak angelopoulos:a2nsvy angelova:ag angelov:dp
angelo:aginps angel:a2cegprs2 anger:jln ange:am anghan:dm anghellini:acl angheluta:lm anghel:adi3s angl:adpr
angoshtari:ab angovan:ak ango:kpsv2 anguita:nt angulov:d2 angulo:afgj3pr2 angus:cdms ang:a2c3dehij3km3rs2wy5
anh:d5hk2lmnt2 anic:al aniello:lt anika:a2s anikina:at anik:a2cdkms anilkumar:rsv anil:a2grv anirudh:r2
anishev:nv anish:amps anisimova:mo anisimov:av2 anisi:ad aniszewski:kmw anis:bns2 ani:a2e2fi2m2puz anjos:amrs
anjum:a2dikm2osz ankarali:mz ankevich:in ankewitz:br anke:ht ankiewicz:go ankireddy:s2 ankit:a2
ankovic:a3ijlm2nr anley:efj3km2notz anmu:h2z annable:jn annamalai:alm annapureddy:ns anna:ab anne:gpt
annibale:ap annikov:ms ann:hj anokhin:ap anova:msz anovski:ty anovsky:dgi anov:a4il anowski:ab ano:aflp
anqutil:en ansah:gs ansari:a10bef3hi2jkm5n3rs4 ansary:a2mn ansar:ae anschutz:jm ansell:ar anselmi:adfjs
antaki:fj antal:mpt3 antani:s2 antar:ay anta:a2 antensteiner:dt antenucci:ar ante:cs anthony:abdhklmqt
antic:bdst antieau:bl antier:ks antipa:n2 antipina:al antipov:g2m antis:dm antognini:dj antoine:bj2mrsx
antolin:a2egnp antol:ms antonacci:f2 antona:aj antonelli:fgl4m3ps antonello:nr antoniadis:acijk antoniak:ms
antonietti:ap antonini:afm2s antonino:p2 antoniou:acegims antonio:ak antonopoulos:c2d2 antonov:a2i2klmnv
antony:a2bjv anton:cd2e2gj2lrs3t2 antos:ad antoun:ew antunes:dl2n antwerpen:ar antypas:di anugraha:dm anugu:ns
anvari:amnz anvar:st anwal:a2cmpt anwar:a8fh4km5nor2s4t2uw anway:ej anwyck:cs anzai:t2 anza:a2 anzel:aw
anzini:fms anzione:a2 anzo:ms an:a2b13c7d9f5g4h21j40k5l9m6n6p3q5r5s26t9uw9x12y18z17 aoi:mt aoki:hjk2m2s4t7wy4
aoshima:t2 aouad:ahs aoudi:ow aoui:a2 aoyagi:st aoyama:adkmst3y ao:chj4klmrs2t2wx2y8z apan:iy apel:mst apf:bs
apps:ac aps:dj apte:a2mr2s aqeel:mu aqib:m2 aquilanti:lp aquilina:am aquino:a2dg3hl2mwy arabi:behkp
arabshahi:fp araby:ms arab:ahim2ns arace:gjl arachchige:cnps aradi:ab arad:cdi2ly arafat:aj arafa:a2
araghi:afh aragon:acfpr arahata:em arai:adh3kms2t4y2 arakawa:krty2 arakelian:sv arakelyan:e2 araki:bjmrs3
aralikatti:rv aral:a2 aramaki:et aramendi:au arana:jl2no arancibia:acf2n aranda:ajmprv arandelovic:mor
araneda:g2 arango:aijl aranguren:m2 aranha:djm arani:aekmps2z arantes:g2l aran:ado arasteh:es aras:km
araujo:a4c3d2e2f2g4hj7l3m3p2rst3v2w2 aravanis:t2 aravindan:a2 aravind:ab arav:in araya:bd2em3pv
ara:ad2kmnpr2s2 arbabi:ah arbelaz:dhj2p arbel:ajmnty arbour:dg arbuzov:am arcand:kw arcaute:e2 arce:ghl
archambault:dlps archenko:sv archer:a2cd2hk archibald:ablnt archi:ds arcidiacono:cj arck:jsv arcon:a3d2efjlmtv
arco:abfr ardakani:a2m arda:es ardebili:am ardekani:em2r ardelean:a2 ardestani:em2 ardila:acdf arditi:al
ardito:clr ardizzone:fl ardi:fh ardon:hlr ardungo:am ard:ac2d2f2glpt arean:ap2 arefeen:amry arefin:m4s
aref:ms2vw arehart:am arellano:c2fmns arenas:a2d3flm3 arendt:drw arens:em ares:np arevalo:a3fimpr are:aj
argasinski:jk argaw:dp argha:as argulles:cdj argullo:fhjkp arguta:aej argyriou:av argyros:as arham:m2
arhancet:ac arias:a3bcegj3l2mnp2rs2tvz aria:hs arib:s2 aricio:a2bcj2n arici:f2m arief:hmz ariel:fg arie:gn
arif:a2bhm3ns4tu arikan:do arikawa:hny arikioti:gz arik:m2s arima:jkn aring:am arini:kl arista:ij
aristizabal:ado aristov:no arita:cjrt2 ariyanto:am ariyarathne:mn arizmendi:dmo ari:a2cdhmnr2s5tv arjmandi:mz
arjmand:mn arjun:ak arkenburg:et arkey:amt arke:afs arkin:ej arkman:gn arkushin:dr ark:a6bc3d2efh2lmp2rst2v
arling:cjlr armah:emt armando:mn armand:emw armanini:ces armani:ar arman:gms armato:fs armbruster:lm
armenta:em2 armin:am armitage:j2pr armour:w2 armstrong:b4cd3g3j4km2pr2s2tw2 arnaboldi:lm arnab:ar arnal:bclr
arnaout:hor arnaudo:ap arnaud:elns arnau:ajx arndt:cdjkms2w arner:t2 arnett:acm arni:mrt arnob:er
arnold:a6bc2d2efghj3k2lm3np2rs6t2 arnould:dl2p arockiaraj:bj aronson:irs2 aronsson:efl aron:begmst
arora:a16cd2eg3hjk5l2m4n3p4r9s19t2u2v2y3 arosta:bs arostka:jm aros:fl arote:p2 aro:fl arponen:ho arranz:abo
arras:bklp arrazola:ij arra:sy arredondo:d2fm arregui:gi arriaga:copr arribas:cls arrieta:a4jr arrighi:blps
arrigoni:efos arriola:empv arrizabalaga:ej2 arroyave:jr arroyo:a4d3g2ij4m3s arruda:dhlnv arsalan:m2o
arshad:im3ns2tu arshid:kz arslan:ad2e2h2jm2os2t2 artan:ru artaud:ag arteaga:adgjm artemev:am artemov:a2m
arte:a7c2de2f2gj4k2l3m3nr4v arthi:jk arthurs:cn arthur:ab2cdehj3l2r2 arth:ac artiles:a2 artola:am artoni:am
artru:nr arts:cdeghjklr2 artzi:my art:a2js arulkumaran:k2 arul:ars arumugam:dkmps2v arunachalam:chmprs2
arun:a4dgk2mrsv aru:jm arvanitis:ktv arvan:em arvin:cf arx:dt aryal:jkn2p2s2u aryan:a2gkrs aryasomayajula:as
arya:abd2gklm3pr5s5v2 ary:bdh2ij2mprs3t2 arza:ae arzberger:a2f arzoumanian:dz arzt:apv asada:km2y2
asadi:a4b2ehk3m3p2s2v asadollahi:ej asad:a7bfi2km4r2s2 asahara:m2ry asai:ahk3m2nty asakawa:cs asali:my asam:ms
asanova:as asanov:ai asano:cefhkrst2y4 asante:dms asare:ajm asari:nv asar:oy asavoa:im asawa:akprt asa:ag
aschbach:ms ascher:du aschieri:fp aschwanden:gim2 asch:adn ascione:g2 ascoli:gn aseev:nv asenjo:fj asenko:asv
asenov:mp asensio:eij2 asen:ahs ase:kms asfour:abt asgari:a2emnrs asghari:hsz asghar:fhm2r ashall:c2 asha:as
ashby:m2 ashcraft:cj ashery:am asher:acdjn2ty ashesh:a2 ashfaq:a2km ashima:ry ashkar:ht ashkenazi:msy
ashkenazy:y2 ashlagi:iy ashley:bcdehjk2m ashok:a5dmprsvx ashour:hw ashrafi:aikn2s ashraf:a5fim5n2rs3ty
ashtiani:hm ashton:gkp ashur:hs ashworth:ap ash:abe2j3lnsy asif:a7h3k2m4ns5t2 asija:as asik:a2j asim:m2s
asinska:gj asinski:aj asio:amr asiri:a2 asis:ks asi:aegh2s askari:a3f2h2jmprs asker:dmy askham:ht askill:cw
askin:bdg askitopoulos:a2 ask:p2 aslam:a2b2fhij3lm3n3rs2tz aslanidis:ap aslani:rs aslan:ef2h3imnos3t
asl:adefhm2nr asmar:d2mr asnani:h2nv asogwa:cdm asokan:mr ason:al asoodeh:bs asorey:hj aso:ty aspegren:ho
assadian:fn assadi:a2sz assad:cm2 assaf:kmnr assal:ah2y assani:as asscher:ao assefa:b2mst assem:hi
assenmacher:dm assen:jm asse:or assis:afgit assi:a2cgl assmann:bcmr2u assran:m2 assumpcao:aht astaraki:m2
asta:am asthana:aprs4t asti:ah astny:jt astolfi:ag aston:jp astore:mv astorga:jn astudillo:ar2 ast:fms
asudeh:ao aswad:fs aswani:an asy:j2 aszewski:kmr as:ty atad:im atai:fmpt atalay:beu atala:ae atallah:abjw
atalla:cms ataman:bd atanasova:hp atanasov:anv atar:ajs atay:aefm ata:cfgjmnosty ateer:bm atee:ps atefi:gk
ates:acefghty ate:grs atham:jt athanasiou:adgln athar:a2s3 atherton:ejp ather:ahms athey:bkst athis:dk
athopoulos:a2s2 athreya:ajs athukorala:am ath:dghm2 atia:dgmnt atienza:dr atif:afjm2s2 ati:im2rs2 atkeson:c2
atkinson:acde2k2p2rs2 atkins:cdej2sz atlan:km atlas:sw atli:bos atluri:gs2 atoum:jy ato:bgjl atrash:ar
atreja:ds atreya:a2ps2 atri:dry attal:bk attanasio:fg attan:s2 attara:ahk attard:djm attarian:am
attar:a2bdmnry atta:aghps atteis:gn attias:imv attia:a2jkmnor atti:afs attri:a3v atwal:gkt atwany:hm
atwater:hj atwell:kt aty:am atzberger:ckp atzmon:dmy atzori:alm2 aub:cdej auld:gj aung:ajkn4s2t2 aur:cdfhms3t
aux:mt au:a2dh4jkms2t2w avci:lmp aver:aem aviv:gz avi:a4kms2 avni:gny awadallah:ao awadalla:a2h awadhi:aim
awadi:as awady:jk awad:a2d2m5n2op2swy awais:cm awaki:ht awalgaonkar:nt awal:fmr awan:a3h3m3rs awarz:jl
awasthi:a3mnps4u awatthanaphisut:ak awieh:al awwad:ah2z aw:a3k axelrod:brtv axelsson:ajmn axel:lr axer:bm
ayabe:hs ayache:jn ayad:fhm ayala:a3bc2dj2l2ov ayan:ab2ehm2o ayaz:hs aya:m2r aybar:cj aybas:dy aycock:as
aydar:cm aydemir:bg aydinoglu:a2 aydin:a3bcghijk2m4nors2tuy2 aydogdu:cm ayed:fim ayers:abdjl aygun:bes
ayhan:bfist ayik:bs aylett:mr ayobi:ns ayodele:ko ayon:nr2z2 ayoobi:hn ayoub:a3cgknor ayoughi:mn ayromlou:ms
aytan:be aytekin:a2m ayton:el ayuba:ds ayub:a3mrsu ayupov:s2 ayyad:a2 ayyagari:dr ayyalasomayajula:hr ayyar:am
ayyildiz:nt ayzenberg:al azab:a2gm2 azadani:m3 azadbakht:ht azadi:afmps3 azad:a4f2gh2m2n3p2r2s5tv azaiez:am
azami:moy azam:abghi2mns3 azaria:an azari:es azar:dfjk2m3syz aza:gl azeem:hm2 azeez:amo azevedo:c3dfglp2r2tv
azfar:ft azghadi:ms azhari:afhmn azhar:afms azimi:a4imnr2s4 azim:a4e2hm2rs azin:mt azizian:mpw
azizi:ceijklmrs3v azizpour:a2h aziz:a10e2fhi2km6n2ors5tvw azmi:a2mnp aznaveh:am azpiroz:fj azuma:dt2
azurmendi:ei azzag:h2 azzam:aj azzani:ar azzolini:am azzopardi:l2 azzouz:rs
a:a9b3c3d2egh2jk5l3m4n4op3r3s9v3y2z babadi:amn babaie:m2 babai:ah2m2ry babakhani:as babak:hs3 babar:amnr
babatunde:o2 babav:de babayan:dis babazadeh:am baba:bfh2j3km2s2y3z babbar:prv babb:j2s babcock:blms babel:fkm
babenko:ai baber:cj babic:a2ms2u babiker:ah babina:no babin:des baburaj:ab babuska:ir babu:a2ehj2kmnop2r3s5ty
baby:bms2 baca:dfjt bacca:js baccelli:ef bacchini:cf bacchi:mv bacchus:bp baccini:ae bacciu:ad bacci:cg2
bacco:cl baccus:cs bacellar:a2c bacha:as bachelor:ks bacher:gm2pv bachev:rv bachir:a2m bachler:gs
bachmann:abcgm2rt2 bachmayr:am bachrach:ry bach:a3bd2efij2km2rs2t2uwy baciak:jm bacic:bi bacigalupo:ar baci:as
backer:aop2 backes:admt backhaus:bdk backstrom:kt backus:a2 back:dj2k2mops3t bacon:dgjprs badal:ac badam:ns
badano:al badarneh:io badash:az badawi:a4dmsu badawy:a4der bada:am2s badea:a2cs badenes:cv baden:m2
bader:ac2df2j2mprs2 bade:agns badger:bcms badia:l2rs badiei:m2 badii:am badino:fl badi:adglmno bado:am
badrawy:am badrinarayanan:sv badri:op badry:kry badr:at badur:dk badu:cp badyal:as bafna:jm2n bagaria:ajsv2
bagayatkar:is bagchi:a4b2jm2ps5t bagci:dhmu bagewadi:kst bagga:gjk baghdadi:a2mrt baghel:abhjlns2v
bagheri:a2efh2im5n3rs3 bagherzadeh:amn baghestani:fk baghi:bq bagley:abdhm2r bagnato:af bagno:cd bagri:as
bagur:dj bag:as3 bahadori:mnt bahadur:ars bahar:hps baheti:ab bahiru:et bahirwani:rv bahi:ac bahk:fghs
bahloul:am bahl:ag2hmnpsy bahmani:ars2 bahnasawi:hm bahng:hm bahn:gs bahrami:aers bahram:ay bahrani:fm2
bahri:ady bahr:jlms bahuguna:pv bah:a2il baiardi:af baia:ad baidoo:fl baidya:amrs2 baid:a2gkmnrs2u
baier:chj2mprs baig:dijm2sy2 baijal:ar baiju:ar baik:dfh2js4 bailey:abc2e2j4kl2m3npqr3s6v baillie:kl
bailly:lsty bailo:fo bail:abc2jm bainbridge:mr bain:abc2ehmrw baiocchi:am bairagi:a3 baird:acgkl2m3ps2 bair:aj
bai:a5b8c10d5ef6g6h29j47k5l23m10n3op8q11r15s24t16w11x43y65z34 bajaj:a4cdgkmrs3tv3 bajcsy:ap baji:s2
bajpai:a2dm2p2s6uy bajracharya:a2ms bajraktari:af bajwa:imt2uw bakalova:a2 bakalov:ab bakal:cg bakar:a2bh2jms2
bakas:ans2 baka:nt bakermans:ij baker:a5b2c4de2fg3hj3k4l3m8n2op3r6s3t4w2z bake:m2 bakhshan:hs bakhshi:ahm
bakhtiari:ams bakht:ak bakic:lp bakircioglu:dv bakirova:dm bakis:hv baki:msw bakka:hy bakker:b4chimrs2v
bakke:el baklouti:ag bakos:gs bako:ls bakri:m2 bakry:m2 bakr:emtw bakshi:adk2ps3v2 bakst:alr baktash:hj
bakulin:a2is bakx:t2 bak:abc4d9e3fg3h5i5j18k5m3ns25uw3y balaban:en balachandran:a4brsv
balaji:a5b3jk2lp4rs4tv2y balakin:a2 balakrishnan:a5d3g2h2km3n2pr3s3v2 balamurugan:ns balam:jm balani:n2
balan:ar3v balar:an balashov:ainy balasubramaniam:abghk2ns3t balasubramanian:a8g3k3lmnpr4sv4 balas:rv2
balazinska:m2 balaz:ai bala:a3degikm3npr3 balbi:al balboni:am balcazar:j2 balcells:dlm balci:ahm baldacci:bf
baldan:fgp baldassarre:fglmt baldauf:kln baldelli:ad balderas:jln balde:fg baldini:bcefg2ilp baldi:bmp2t
baldo:fm baldridge:jt baldwin:ej4lnpst2w balen:bmq balestra:ac balestrucci:ap bales:ai bale:rs balic:in
balijepalli:ap balik:mp balint:adkm balis:bu balivada:ans bali:dkms balkenhol:lm balke:gjnt balko:lm
ballantyne:di ballan:l2 ballardini:ag ballard:bdgjs ballarin:ef ballas:ans balla:as ballesteros:acgi2jlm2nr
ballester:c2jmpv balles:cl ballet:tv balle:bcdj2 balliu:am ballot:ej ballo:lm bally:fj ball:abcdgij2klm2pr3s3t
balmer:pw baloch:ms balodi:ms balogh:a2gmpsz2 balog:ikm balraj:kp balsiger:fh balta:de balter:jms baluta:ct
balu:abns2 balvert:ms baly:mrz balzano:lq balzer:f2l balzotti:cl bal:a2b2d3ehijlmprs bamba:akuv bamberger:jpz
bamberg:fj2l bamber:j2 bambhaniya:ap bambini:gv bamdad:m3 bamford:crs2t bamler:r2 bampis:cel banach:ad
banados:em banad:my banar:bn banavar:mr banayeeanzade:am2 bana:fhjrst bandara:dehk2nrs2w bandarupalli:s2
bandaru:adn banday:bs banda:fjmrt bandini:als bandi:bchjks bandopadhyay:adst bando:ckmy bandura:kl
bandyopadhyay:a6bd3hjmpr3s11t2 bandy:jr band:dlmn banera:fm banerjee:a45b6cd13egi3jk2m3n2o2p9r6s40t8uv
banerji:cmns banescu:es banese:fg banesi:ds2 banfield:ij banfi:fmt bangash:a2m banga:adns2t bangera:my
bang:ab2c4dg4hij9k2lops7ty baniasadi:amz banic:an banik:a3b2dim2ns12tu bani:dm2 banjac:bs banka:hks bankes:sw
banks:a2h2j2rst2 bankula:ap bank:cdj banna:a2z banner:mr bannier:ep bannister:jkmps banno:hmrst bannur:cgs
banon:m2 banos:dhr banov:asv bano:a2cm2rs bansal:a12c3d3g2h3jk3lm6n2p5r3s18tv3y banse:ac bansil:am banu:ms
banzhaf:hw ban:bcdfgh2ij2l2m4prt2wx2y9z3 bao:a4b7c13d3e6f6g4h14j18k4l21m11n4p2q9r12s7t8w15x12y41z21
bapat:abjpr bapna:a2m bappy:fs bapst:jv baptista:a2dr2v baptiste:dgjk barai:ap2 barak:bilno2z
baral:ac2egnpr2s4 baran:abd3ehj2m2o baras:a2jm barat:aejm bara:a4bcfkm2nrs barba:elp barbe:fjs barbu:ac2em
barca:ag barco:dgl barde:jp bard:cv barea:lr barel:ahm baret:fl bare:gm barge:aj barik:a2eps2 bari:adgmp2rsv
barla:an barma:mt barna:irt barni:gm baron:a2c2d2fj2lnpy baro:bfjklm barra:af barre:j2prs barry:cd3ej4lm5p2rs
barr:a4be2hijrs bars:bhjm barta:djpt barth:a3cfj2klm2n barto:cl bartz:eh bart:ky barua:a2d2hjp2s4 baru:cl
bary:afhjkt barz:bimw bar:a2de2gh2ijklm2or3s2 basak:ahm2p2s5y basani:ae basaran:os basar:e2gst basavaraju:kp
basa:js basch:ks baser:mo bashar:m3 basha:m2os bashiri:mp bashir:a5efh2jm3n3s2z basic:rv basile:acd2gilpv
basil:ds basios:mv basiri:aem2 basit:ano basi:cgs baskaran:alnprsv2 baskar:jrs baskin:cdm2 basnet:dpr2s
bason:dm basri:grs bassam:de bassani:hpt bassa:ac bassett:abd3j2lrt bassey:ir bassiouny:am bassi:a2ikp
bassler:bhk basso:abdjs bastani:fhov bastas:ag bastati:an basta:cn bastianelli:eg bastianello:aln bastian:ln2p
bastidas:ejm bastien:bjpr bastola:ad bastos:afj3lmr bastug:ez bast:dh2s basuki:ar basumatary:bjn
basu:a18bcd4hjk2mnp3rs23t bas:ade2jm4np batal:is batav:v2 bata:is batchelder:jn batchelor:ahnp batchu:sv2
batelic:m2 bateman:j2r2s batenburg:kw bateni:bm2 baten:br bates:d2e2j2lm2os bate:a3d2mw bathula:ads bath:djn
batista:ac2e2gjl2mn2pr3v2 batlle:rv batmaz:ag batool:a2f2kz bato:df2jmr batra:a4cd2hjn2p3r2s4vy batsch:f2
battaglia:ce2g3mn3ps battaia:fo batten:ajt battey:hr battiloro:cf battista:egjknv battistelli:eg battistini:cl
battisti:a3fm battiston:afir battula:hs battye:jr batty:c2 batur:a2 batut:pv batyrshin:il batz:abk bat:lmsv
bauch:cg baudet:jm baude:adj baudry:bdj baughman:ar baugh:cm baumann:a3bc2d2efgij4m2n3op3rst bauman:bn
baumbach:adj baumeister:djmt baumer:bst2 baumgartner:abcdj2kl3m3prst2w2 baumgart:cdm baumler:cj bauml:bjm
baum:bcd2fk2mps2t baune:bk baurle:ablns baur:a6bc6d3e2f3h2ij9k3l5m6np3r2s6tuvw2z bausch:bj bause:fm2ors
bautista:cdj3mpy bauwens:jmt bau:dgp bavandpour:am baweja:ah baxendale:amp baxi:pr baxter:cd2ej4mps bayar:abe
bayashi:in bayati:ms bayat:f2mnrs bayaydh:jw baydin:a2 bayen:ah bayer:acd2ef2j5lmrst bayes:egj bayev:a2
bayindir:ch baykal:cg baykara:cz bayless:as bayley:ij bayle:jr bayliss:dmsw bayne:ej bayona:ce bayoumi:mn
bayraktar:aehors bayrak:acmost bayram:e2hou baysal:bo2 bay:blms bazargani:mr bazarov:ai baza:ai bazeille:st
bazhenov:aegmn bazinet:lm bazin:gjt baziotis:is bazzani:lm bazzi:am2sz baz:a2cdghjm3pr2v
ba:a3c3d4e2g3h12i4j39k7m6n2s26t2vw5y9z bbagh:amz bbah:m3t bbelman:gm bbe:adeijs2y bbi:as bdeir:a2 beach:m2
beak:ps beale:gnr beall:cj beal:fj2 beane:am bean:a2bcdr2 beardsley:aj beard:djr bear:dehj beasley:m2
beaton:akr beattie:c3j3 beauchamp:dnrtw beauchemin:cdlp beaudoin:cp beaudry:aj beaulieu:afj2lp beaumont:kor
beauregard:cm beau:djm2nst beavan:dw beavers:jm beaver:dil becattini:fg becchetti:lm becerra:adi2r2y bechaz:mp
becher:ch2kstv bechet:f2 beche:ar bechtol:ek beckage:n2 beckers:aelstw becker:a4b3c3d5eg2hij7k4l2m9p2r2s9t2vw
beckett:am beckmann:bdfmnpr2 beckman:j2p2 becktepe:j2 beck:a6c4d3e3f2ghj6km7pr3st3z bec:hj2 bedard:as beda:cn
beddow:lw bedej:jt bedell:ms bedev:a2mosv2y bedford:dp bedi:a3ns bedmutha:m2t bednar:jm bedoya:ano bed:rv
beebe:nw beeck:hj beed:mr beek:fmrvw beelen:ap beeler:bt beeli:as beers:fjlnt beerwerth:jr beer:a2lm2o2st
beeson:pr2 beetar:cj beetz:m3 bee:bc2jk beggs:adep begum:msz beg:ahm2n behan:bc behar:ejm behbahani:afm
behera:a4bghklnor2s3 beheshti:a3bmrs behjati:am2 behler:j2 behl:d2hm behnam:ae behnia:frt behnke:glms
behrad:af behravan:am behrendt:m2s behrend:adj behrens:e2j2mt behrooz:am behr:am2p behzad:kms beh:ce
beidat:m2r beid:do beierle:cf beier:s2 beigi:ghm2 beigl:am beirami:as2 beiranvand:az beirne:ct bei:b2fjls2xy3
bejani:m2 bejar:abm bekar:bu bekkers:aejl bekker:hjmp bekkum:m2 bektas:co bek:dm belagiannis:v2 belal:amy
beland:ls belanger:dg belardinelli:acf belas:ej belavadi:mv belay:amt belbahri:mr belen:lr bele:a2djp
belfiore:af belgacem:ei belghith:am belharbi:s2 belic:ai belikov:ar belinsky:lm belitsky:am beliy:nr belkin:mr
bellaiche:lm bellamy:gr bellani:cs bellazzini:mr bella:a3cde3l2m2 bellec:glmp2ty bellettini:cg2 belle:ag2j2pv
bellido:j2m bellinger:ce bellini:ae2fm bellis:am bellitto:gt belli:adels bellomo:ns2 bellone:cm belloni:a2dfmv
bellot:alp bellows:bc bello:af3g2hij3lmr bellucci:ag bellur:a2s bell:a4bcde3g2hj7l2m5nop2s4t3 belmonte:gj2
belmont:rt beloborodov:ad belokurov:v2 belonenko:am belotti:efg belousov:bdry belova:a2m belov:a2d2mp belo:fj
beltita:di belton:nr beltrame:adgl beltran:a2c3de3j2lm4rsv belwal:ck belyav:a2em belz:a2y bel:a3c2jklrt
benac:lp bena:ir benda:fjm benes:bk benke:jkp benko:bh benny:jp benn:c2j bento:abjm2p bentz:mw bent:abr
benzi:mr benz:cnp ben:abdhjn2pqs3x beohar:eh beppu:ft berai:a3 beranek:fjs berardo:cj berard:abdh
bera:a8cdfgm2nr2s4v2 bercea:cg berck:jp bercovich:a2i berczi:gk berden:gs berdi:aer berdyugina:ds bereau:st
berend:gj berengur:m2 berenstein:ad berens:bcp2r beresford:a2 beretta:adg berezin:gps bergamaschi:aelt
bergamini:dlp bergamin:klnp bergamo:am bergaria:df bergemann:dm bergen:b2j2l bergeron:ab2deflmnpw
berger:a7b4c5de3f2gj8klm5nr2s3t5uvz berges:jmv berge:dejl2prsv berggren:km2 berghaus:djk berghe:bgkl berghi:dr
berghoff:cm bergh:m2p bergin:acem berglind:af bergmann:abj2klr2s2t2u2 bergman:acd2gjkos bergner:bgjt
bergsland:aj bergsma:sw bergstrom:ac3dh bergs:lt berg:a6c5d3e5fghij5k3l4m3np2rs3tv berhauser:hj beria:fl
bering:ae berio:djp berisha:auv beri:em berjon:dr berkane:st berkani:km berkel:kln berker:ar berke:lmr
berkovich:ajp berkowitz:ae2 berk:bkmr berle:jm berlin:ajkt berloff:gn berman:a2d3e2gj3mn2r2s2tvwy2 bermejo:b2p
bermudez:a3cdgj3s bernabeu:ejm bernabe:m2p bernacchia:ad bernal:a3cfijm3ns2 bernardez:ag bernardini:aem2s
bernardino:a2gm bernardin:fs bernardi:a4e2g2m3r2 bernardos:ac bernardo:a2bdfghj2mprv bernardy:al
bernard:ac3d2f2gij2l3op2rs5y2 bernasconi:aegmpv bernas:rt bernath:mp bernat:aj berndorfer:f2 berndt:adhst
bernd:am berner:jknr berney:dj berne:ao bernhardt:abd bernhard:cejkms bernieri:fg bernier:aefj berning:ak
bernstein:a3dg2j2l2mprw bernuzzi:sv beroi:dgjstv berrada:gil berre:im berrios:bjr berri:rs berrocal:ej
berryman:c2 berry:c2d2g2klmr2st bersini:hj berski:bd berst:js bers:adf2ghjp2w bertaglia:gt bertaina:gm
berta:cdepsv bertelsen:mn bertels:jl berthelier:gj berthelot:cdlmy berthet:jpq berthe:mv berthier:aemr
berthold:jmp berthoud:fm berthouze:ln bertini:bde2fgilmsw bertin:befgkpt3v berti:ace2g2kms3 bertoglio:dr
bertolami:mo bertolazzi:el bertola:em bertoldi:afk bertolini:adefglm bertolino:gm bertoli:bn bertolotti:fm
bertone:fgv bertoni:cfglm berton:bglm bertozzi:am berto:fglmp2s bertram:cdefjt3 bertrand:a2fjlmn2prs2tx
bertran:agm bertschinger:en bertsch:afn berts:ms bertucci:bc bertuzzo:em bert:a5b5c4d3ej2kl3m4np2rsv berube:cs
berzins:aj ber:bc3d4eg2hij5lm5pr7s besancon:lmr besa:cj besic:kn beskow:dj beslic:in besnard:as besnier:tv
besold:ft bespalov:ai2 besrour:ik bessa:aimprvw besser:afk besse:cfj bessonov:ar besson:djmn bessy:rs
best:a2ghjnw bes:bcj betala:sv betancor:js betancourt:aeijl3m betancur:am betcke:mt bethi:my bethune:lw
beth:a2cer betley:aj betsch:ps bettencourt:j2lm bettini:clm betti:aflmr bettles:jr betts:bj betz:ac2gjm2t
bet:acfgm2s beutel:ad bevec:mp beveridge:dm bever:cjl bevilacqua:abf2gmv3 bewley:at2 beyan:co beyene:efl
beyers:cl beyer:adjl2m2nt2v beygi:lps bey:a14fh2k2m4np4r4s12tv4 bezawada:bhn bezerianos:a2 bezerra:cdjlmrt
bez:ajn bg:sv bhadani:pr2 bhadauria:dk bhade:pr bhadra:a2ds bhaduri:abp2rs2 bhagat:a2dkr2s3 bhagavathula:ar
bhagavatula:sv bhake:ay bhalerao:ap2sv bhalla:a4bjk2u bhamidipati:cnps bhamidipaty:al bhandare:a2
bhandari:a4bd2ghjk2lmnp3rs7uvy bhandarkar:aks bhanderi:ad bhanja:bm bhansali:rs bhan:jlm
bharadwaj:a6bdkm2s14v2 bharath:akv bharati:apr bhardwaj:a13d4ehik5m6n2pr2s5v3y bhargava:bhmn2p2r3s3v2
bhargavi:cd bhargav:ajps bharti:akps5tv bhasin:ahn bhaskaran:hkmp bhaskara:av bhaskar:a6bd2mprsu2y bhasker:b2n
bhate:s2 bhatia:a3dg2h3k5mnp4r7s5t2uv4 bhati:hms2v bhatnagar:a3bghmnpr3s7v
bhattacharjee:a15b2d6hi2k2m2np5r5s14t2u bhattacharjya:dr bhattacharya:a19b2cd4gi4jk3m5np5r7s30tu3
bhattacharyya:a8b2cd3j2k3mp3r5s11t bhattacherjee:bd bhattad:apr bhattarai:a2b2km2p2s4y bhatta:abls3 bhatter:ap
bhatti:a2h3k2ns bhatt:a7bc2d2g3h3j2k2lm4n3op4r4s9tu2v2z bhat:a9bc2g2h2ijk5mn2p4r5s14tuv5z bhaumik:d2ps2z
bhave:acs bhavsar:a2sv2 bhend:jv bhide:as bhoite:mo bhojwani:ns bhola:is bhole:a2g bhosale:a3ms2 bhouri:ns
bhowmick:a5bd3jknps2u bhowmik:a5b2d3nprs3t bhuiyan:a5fm6nr2s3 bhuiya:afn bhunia:a3ps4 bhupatiraju:rs bhure:as
bhusal:bdg2jn2 bhushan:bcoprs2 bhutada:av bhutani:gmns bhuyan:aghjkmnz biagini:df biagioni:adp biagi:fms
bialas:acmp bialek:ajt2w bialy:fs biancalana:fv biancalani:et bianchini:bc2defgmr
bianchi:a2bcde4f2g4l3m4nos2t2v bianco:a2f3lm3nprs biano:ar bian:c6f3gh7j12k3l8m2n2r4s11t3vw6x8y21z13 biard:ls
biasetton:mp biase:af biazzo:ik bia:jv bibby:bc bibi:afmnot bib:amrs bica:ei bicer:ty bichler:jmo bich:hp
bickel:b2psv bick:a3de bidan:cr bidari:s2 biddle:js biddulph:cj biderman:ds bidgoli:a2b2 bidokhti:ns
bieber:demt biecki:ft biedermann:bgj bieder:f2u biedz:d2 bied:gm2 biehl:em2 bielecki:aj bielik:ps bielsa:df
biel:m2 bienvenu:lmp bienzeisler:jl bien:jlm2st bieri:cdefil2m2nor2sv biermann:jkl biero:dm2p2v bier:be2ijm2sy
biesdorf:ac biesiada:bm bietti:as bie:abf2ghqr2t2xy2z2 biffi:cv bigdeli:a2fs bigeard:as bigelow:emn biggio:bl
biggs:abfj2ms bignell:dr bigot:aj bihan:de bihlo:a2e bijoy:bm biju:st bikel:d2 bilal:a2ehim2t bilas:ar
bilbao:js bilenko:im bilen:ch bileschi:s2 bilgic:bem bilgin:aem bilic:ai bilik:is bilionis:i2 billah:fhm4s2
billard:ajl billa:ajmns biller:bv billeter:sy bille:ap billings:gs2t billing:et billot:bnr bilodeau:acg
bilotti:fm bilski:bm bilt:cde bilyk:ds bimbo:aj binda:fj biner:bs bing:l2q2sxy2z2 binh:hn3 binin:iv
bini:a2d2eflms bino:l2m binz:cjmt bin:a2b2cd3fh3j2k3lm2n2oprswx3y5z2 biod:hl biol:am biondini:gs biondi:a2ben
biparva:dm biquard:ms biradar:ms birchfield:as birch:ahkp birdal:mt bird:bc2gij5krs3t birhane:am biri:ajs
birkel:af birke:cr birkin:jm birkner:cm birk:ajmpsw birmingham:es birnbaum:jst biroli:ag biro:jp2t birr:jt
bir:aer bischoff:bcelm2 bischof:bchlr bishnoi:bhs bishop:a5c2dgj4l2m4n2st2vw bishoyi:ps bisht:dhjkmnpr2s
bishwas:amp bisi:mo biskup:dt bismut:jm bispo:er bist:mr biswal:ab2or2s2 biswas:a23b3d6ghijk3m3p7r6s38t2u
bitar:egr bitonto:fl biton:d3s bito:hm bittencourt:el bitterman:dy bittner:e2jkm2nrsw bitton:jrsy2 bitzer:fjs
biwer:cg biyabani:a2 biyani:imp2 biyik:e2h bizer:ck bize:ps bizon:c2p bizzaro:dlp bizzarro:em bizzi:a2
bi:b2c7d4gh10j15k2l3m2n2q2r2s10t4w4x12y17z11 bjelonic:fm bjorklund:js bjorkman:bmz bjork:bcjk bjorner:jn
bjornsson:hmp2 bjorn:aj blackburn:dj2ls blackman:et blackmore:jk blackwell:a2klr black:a4bde2fj4k3m3p2sw
blaga:c2ep blagojevic:fr blain:afsw blair:a2cghjrwz blais:ae blakely:djt blake:a3c4gij3npst2vz
blanchard:a2ce2fgj2lnp2t blanchar:m2 blanchette:cj blanchet:cjl2 blanch:moy blanck:or
blanco:a3c3d3e2fg2j3lnp2r3s blanc:ab3c4d3f2g3hjm2nrs blandino:as bland:behmtw blankenship:ej blanken:ag
blankevoort:lt blanke:am blank:ci2nr blanton:jmst2 blaschke:dfjkpv blasco:ej2 blaser:cemn blasio:bg blasi:ps2
blass:a2e blaszczyk:lop blas:ad2lp blatt:a3lmr blauw:dm blau:amsty blazek:j2p blazquz:ejp blecher:lt bleher:hj
bleier:an blei:dy blessing:ad bless:am blevins:ajrt ble:ju blind:ns blinov:dnp blin:ls bliss:dn blixt:de
blocher:hl bloch:a3dg2i3j3l2m2oy blocker:cjt block:a4jkmpw blohm:gm blois:jlp blok:dep blomquist:ejs
blom:bmp3ty blondel:a2m blondin:cms blond:hrt bloniarz:ab bloomfield:l2mr bloom:j5pr blot:alm blouin:as
blumberg:a2s blumel:fl blumenschein:lm blumenthal:adem blumer:hn blume:a2dhjst blum:a2bc2def2hjkm3nprtvwy
blundell:cjk blunt:mns blythe:jr blyth:mrt bmann:dm bnath:a4b2d2hjnr4s5tu bnov:st boada:aj boag:a2s boakye:gk
boal:jm boamah:jmr boardman:nr boas:bem2 boateng:adeg2nps boato:g2 bobade:ps bobadilla:gjl2sw bobbili:as
bobed:cj bobe:cf bobkov:ds boccaletti:ae boccara:ac boccardi:bf boccardo:gnp bocchieri:a2 bocchino:ft
bocchi:dl boche:hs bochkov:dei boch:at bockelmann:hkn bocker:ajm bockmann:bk bock:a2c2fj4k3m3pstw bocqut:lms
bodagala:bj bodaghi:am bodala:ir bodapati:ps2 bodas:a2 boddeker:ct boddepalli:sv boddeti:av bodduluri:ck
bodduna:kr boddy:ks bodemer:ds bodenheimer:mo boden:bhl bode:abcejlm3 bodin:fgkt bodi:a2 bodla:kn bodnar:acst
body:st bofill:jm bogachev:lv bogarts:b2j bogart:cj2mt bogar:fp bogatyrev:ae bogdanova:alv bogdanovic:dmt
bogdanov:adeimorsv bogdan:a5bc2kmp2rs bogenberger:bk bogert:kw boge:ef bognar:ag bogner:jl bogomolov:aep
bogunovic:hi boguslawski:bk bogusz:bk bohacek:em2 bohara:gpsv boher:y2 bohi:as bohlen:lm2 bohler:jq bohle:fmt
bohlin:jmr bohmer:cfnw bohme:cl2mr2t bohm:ac3j2kl2m2p2s2t bohne:jt bohn:cej2nrt bohra:a3h bohringer:hrs
bohte:rs boiko:dio boisnard:fp boissier:fj boissin:ct boisson:jp boisvert:jlm bois:ab2defj2kl2m3rty2 boito:dm
boix:aex bojko:am bojovic:bm boken:pt boker:ajmntu bokor:ijy bok:j2stz boland:c2dj3km3 bolanos:cdfkm2 bolan:cp
boldachev:a2 boldi:amr boldrini:clp boldt:bfj bolduc:cv boldyrev:ns bolelli:fl boley:akm bole:fmn bolhuis:jp
bolin:bd bolivar:empr bollati:fm bolla:ei bollen:j2k bolliger:dl bollig:b2 bollmann:dms boll:abhlmrs2
bolognani:cs bologna:fgmo bolognesi:ms bolognini:dm bolotnikov:av bols:am bolten:j2m bolte:bfj2
bolton:a2bcdjlost bolt:aj2o bol:ad boman:jms bombieri:mn bomer:fmt bommarito:ejm bommireddy:hr bonab:hm
bonaccorso:f2 bonafos:gt bonagiri:av bonaldi:fh bonamy:cdm bonanno:acg bonardi:af bonassi:fl bonas:gv
bonati:cils bonato:a2jlmv bonatti:cr bonatto:cdm bonaventura:cln bonavita:imn bona:cjlmw bonchi:f2
bondarenko:i3nosy bondarev:en bondar:dgr bondi:lms bondurant:bw bondu:as bond:abcd2fhijm bonechi:fs boneh:de
bonella:as bonelli:eg bonetti:ajmp2st bonet:bcej bonev:b2t bone:am2 bonfanti:c2ms bonfils:nx bongard:j2
bongiorno:as bongo:lr bong:hjs bonichon:nr bonifacio:ajlpr bonilha:ly bonilla:ace2j2nprs bonini:m2 bonino:gr
bonin:acgl bonito:ar boni:eflop bonke:ft bonk:fm bonneau:gs bonnefoy:af bonner:bms bonnet:adeg2ptv
bonneville:cr bonne:jlmr bonnin:am bonnot:el bonny:dt bonn:djs bonomi:as bonomo:gmt bonotto:em bono:bc2g2jmw
bonta:e2 bontempelli:at bontempi:dg bontempo:gp bontemps:hps2 bonte:dfgmt bonthu:ms2 bonvicini:gv bonvini:m2
bonvin:cp bon:e2jlmnrs boogard:l2 boominathan:pv boom:bdlw boone:acejkmsv boonstra:afm boon:msw boos:djmw
boote:bc boothe:dt booth:a3bg2j2klm3r2stvz boozer:ad boo:cgh bopardikar:rs boppana:r2s boquien:m2
borah:a2d2jmnp3r3 boral:ap borazjani:ik bora:a2cd3ejmprs2uz borca:c2 borcea:cl borchani:hs borchardt:j2
bordag:ls border:bs bordes:flm2 borde:aehs bordignon:fv bordini:bs bordoloi:pr2 boreiko:fv borenstein:in
boren:mn bore:a2nt borges:b2e4fh2jm3n2p2st borghesi:ag borghini:ens borghi:ag2n borgi:as borgne:dh
borgohain:as borgwardt:ks2 borg:cde2j2m2ns borhani:afy boria:vy borillo:fj boril:fp borin:ejv borisevich:a2
borisova:eg2 borisov:a2dgmnv borissova:j2 boris:ag boritchev:am borja:cr borjesson:hs borji:a2 borkar:a2djrv
borkowski:am2p bork:dl bormann:jm borman:gjp borm:kls borner:kr2 borne:afkv bornot:aj bornoz:jmp bornstein:m2
born:fjlm borodin:akmp boros:bei2t boroujeni:a2ms2 boroumand:a2 borovicka:aj2 borovik:a2ij borowa:ak
borowitz:jm boro:el borras:jm borra:ar borrelli:fnsw borroto:m2 borsani:gt borsato:nr borse:cs2 borsi:em
borsma:cp borsos:wz2 borst:rsv bors:a2n borthakur:ads bortolini:eg bortoli:mv bortolotti:cps bortot:dl
bortsova:ag bortz:ms boruah:b2 borunda:im borycki:adp borysov:os borys:cmnp borza:dp bor:abc2d3flmnp2st2v
bosak:a2 bosa:a2d3f3g3h2ij5l3m3prs3v2 bosbach:dnw boschetti:gr boschin:fw boschi:lntv
bosch:ac2f2gj2l2m2n2p2rs2v2 bosco:bd boscq:rt boselli:a3v bosen:jm bose:a7b3d2jk3lmp2r4s15v boskabadi:am
boskov:n2 bosman:ajps bosma:ajls bossens:cd bosse:jlnst2 bossi:ac bosso:mp boss:l2m2y bostan:ailrv
bostelmann:hj bostock:cj boston:aemt bostrom:hkmn bostwick:ad2 bost:fx bos:a2gj4m2npr2tw botchev:m2 botea:ag
botelho:acfgl botella:cf botev:sv2z botha:aciv bothe:cds bothmann:el both:agj2 botsch:m2 bottacini:eg
bottaro:s2 bottazzi:est botta:agm bottcher:befijlmpw botteghi:en bottger:rt bottinger:ak bottino:af
botti:afglmnv bottner:bn bott:a2fgkms bot:cdefjr bouanani:afo bouaziz:as2w boucaud:ap bouchard:bdfhkm2s2v
bouchaud:jp boucher:ac2g2jt bouchet:df2p bouche:fn boudaoud:ak boudema:afn boudiaf:am boudier:jlt boudin:ft
bouget:ds boughorbel:fs bougie:djn bouguttaya:a2 bouissou:io bouka:ms boukhari:ad boukhayma:a2 boukhobza:jt
boukouvalas:az boulanger:a2dfjmp boulch:aq boulet:bc boule:acj boulle:mn boullier:jx bouman:ackt boumaza:ah
bouma:b2cls bounias:dg bountis:a2 bouqut:vy bouras:ads boura:ci bourdais:mt bourdillon:ps bourdin:hmpsy
bourel:afm bouret:jp bourgeois:flos bourget:ap bourgoin:am bourguignon:jm bourhis:lp bourigault:ep bouri:m2rs
bourne:cjmp bourqu:am bour:aj bousqut:a2nopt boussaid:fh boussard:jmt bousseau:ap bousse:am2 bousso:mr bous:m2
boutaleb:af boutet:aqs boutilier:cj boutin:brv bout:bjnr bouvier:jl3mv bouwmeester:ar bouyer:mp2 bouy:ahst
bouziane:ms bouzidi:hm bouzid:a2kn bou:agmpx bovay:js bova:mpv boven:chk bovet:ag bove:gp bovik:av bovill:mr
bovsky:as bovy:ej bov:a2ipvy bowden:d2hjknrw bowen:acdehj3l3mrtwxy bowering:nr bowers:a2bcj2ms bower:g2m
bowler:abm2r2 bowles:acm bowling:agm bowman:abd2hj2m2nprsw bowyer:ak bow:hw boxall:ak boxer:el boyack:jr
boyadzhiev:it boya:rv boyce:ahkvw boyd:a4b2delnor2st boyer:bc2def2k3m3ost boyle:a2dj2lmpr boytsov:il boy:kmr
bozanis:dp boza:eklp bozic:av bozkurt:ab3m2s bozorgnia:fn bozorgzadeh:e2 bozorg:m2 bozza:rv boz:jn
bo:abcd3gh3j4kl3mrs3tw2x4y5z8 brabec:cjm bracale:mu bracci:cf bracco:acg brace:ax bracha:av bracher:jnt
brachet:m2 brack:fm bradac:cdm brada:pr bradbury:jkr bradfield:fh bradford:celm2r bradic:aj
bradley:a6bc2d5egj2l3r3st2 bradovic:djlm bradshaw:a2bdjlpst brady:a3cd2ej4m2n2pr2s2tz bragagnolo:aln
braga:abcdgj2lmnopv bragg:dj braghin:fs braglia:gm brahim:abitz brahman:adf brahma:abd2kmnps3t brahmi:mz
brain:dm braithwaite:lw brajovic:dm brakel:mp brak:fy bral:rst bramantyo:hl brambilla:m3n brammer:g2 branca:gl
branch:al branco:adjnprv brandao:a2empr brandenberger:lr brandenburg:abcfjls brandi:gj brandle:afs brandli:jmv
brandl:bst brandner:kpsw brandolini:bl brandon:achlrw brando:ag brandstatter:fs brandstetter:jm
brandt:a2bceghj4l2mo2ps3tvw brand:acef2j4l2m3p2t branham:js brannstrom:af branquinho:ah branson:k2z
brantley:ks brantner:gl bran:ac brasch:nv brasil:cs brask:j2 brassard:agp brasser:fr bras:acfgm2rs brattain:el
brat:fglm2p braude:a2 brauner:mpt braunstein:acls braun:a2bc4d6f2h2ij3m4n2r3s4t2w braur:dko brautigam:kv
brau:f2 braverman:alm2v bravo:c2d2e2g2him4nr2tv bray:a2fhirs2 brazier:af braz:jn breaux:ct brecher:ch
brecht:abc2d2ij3m2ps3t breda:aij breen:bcjk2mps2w bree:ipr bregeon:gj bregman:j2 bregon:dj brehmer:jkm
breidenbach:jm breiding:p2 breimer:eg breithaupt:rt breitkopf:mt breitman:ad breivik:kms brei:af breja:abm
bremers:ah bremer:bj2m2ps bremond:fr brenchley:am brendel:afj3rw brenes:ajm brenig:jl brennan:aj4klmnpr2s2t2v
brennecke:js2 brenneman:el brenner:bc3e2glm5opr3s3w brenton:js bresch:dj bresciani:fl brescia:mr bresler:gny2
bressan:a2ms bresson:arx bress:as bres:cgr breton:adgj2m2t brett:cijm2nr bretzner:lm bret:a3djr breugel:bf
breuil:a2c breur:ajkpst2 breu:er brewer:beij3w brewster:dgs breysse:ep breza:em bre:aclm2r2 briand:el brian:rw
briaud:jpv briceno:gjr2y brice:clp bricht:dhs brich:amps bricken:pt bricout:ac brida:ps bride:a2h2jlm2st
bridgeman:jlm bridges:ac2dgnprt2 bridge:cdjo bridgman:tw brient:er brienza:dm2 brien:ac4d4eghj5k2m2rst3
briet:hp briggs:gjkm2tw bright:acd2j2rz briglia:gm brignac:de briguglio:jw bringmann:kort brinker:st brinke:jk
brinkmann:ef3jlrt brinks:der brink:cijns3tw brinton:cjm briola:ad brisco:btw briski:ku brisson:c2 brita:cn
brito:a5bc2de2f2ij3lm2opr4tv britton:mot2 britto:acr brivio:fi brkic:m2 brkljac:bm broadbent:ag broadhurst:et2
broad:at brocal:ag brockman:gm brockschmidt:m2 brockway:ar brock:abc2gj2klopw broda:gks broderick:a2bgt
brodeur:cp brodie:ejs brodnik:an brodsky:dy brodtkorb:a2 brody:ajs brogan:cj brogi:aem broguira:t2 brokman:aj
broman:de bromberg:co bromley:bdes2t brommer:cd brom:pr bronars:am bronder:ks broniatowski:ad bronkhorst:cp
bronner:cmv bronstein:ams bron:e2f2ms brookes:mops brooke:ms brooks:a3c3d2fij4m3nr3st3 brook:c2dej2ops broo:ad
brophy:emt brorsen:aj brorsson:em brosch:a2ct brossard:em bross:ab bros:mv brotherton:dm broucke:bfjs
broughton:a2gs brouille:jn brousseau:dfm brouwer:adel2pw brovsky:im brower:cgt browne:c2deghjkrtw2
browning:cenpw brownstein:cj2 brown:a14b7c9d9e8f3g6h2j11k6l8m10n4op6r8s10t6vw3z browski:aj2klm2 brow:lm
broy:fms broz:fm brubaker:dm bruce:abcj3r2 bruch:as brucker:ms bruckmann:fm bruckner:b2dfgpsw bruck:abct
bruder:cdgr bruggemann:dn bruggen:gm brugger:lm2s bruhl:st bruijne:jm bruijn:bfhn bruinsma:rw bruin:knt
brull:ab brummer:afr brum:ab bruna:jmt brundage:dm bruneau:rv brunelli:dlm brunello:agn brunel:ajmn bruner:jr
brunetti:gms brunet:a2ejmp brune:bcm bruning:fh bruni:deg2lmrs brunken:cn brunker:fs brunner:cd2e2jlms2
brunn:acs bruno:a4bfg2jlm4no2pr2s3 bruns:abcdlsw brunton:bs brun:a3bcefgkm3np2rty2 bruschi:fp brusco:apr
bruse:fjm brush:lmpr brusilovsky:ip brussee:ars brustle:aj2t bruun:js bruyne:cl bruza:p2 bruzzone:fl
bryant:acd2ej3lnpr2 bryan:c2egjk2lm2nops bryden:gj bryk:rt brysbart:m2 bryson:jk2ms bry:am2nstx brzoska:ak
bski:jmw2 buades:aj bubeck:ns bucciarelli:ad buchanan:ab2dfjk2lmr2sw buchan:ijm buchel:sy buchert:rt
bucher:a2b2l2mst buchholz:a2fjm3st buchi:st buchler:adh buchman:s2 buchmuller:jor buchner:abj2mst buch:dhksv
bucker:ae buckingham:cr buckley:acd2j2lm2nst2 buckner:as buck:a2b2cdeij2m2t bucur:acdi budak:cgnuz buda:aj
budde:c2klmt buddhacharya:rs buddharaju:bs buddhiraju:ks budd:c2es budhathoki:kr budhiraja:a2r budhraja:akp
budman:hs budu:jp buffat:dx buffa:apv bugatti:m2 buhler:bhm3prt buhlmann:km2p buhmann:jls buhrman:hr buhr:at
buitrago:dfp2 bui:a2b2cd4h6k3lm4n6p3q3rt10v2 bukhari:hms bukkapatnam:as2 bukovsky:il bulatov:a2dk
bulbul:a2e2m2 buldu:ajk bulgarelli:af bulla:lm buller:mr bullinger:lms bulling:ap bullock:d2jls2 bullo:fm
bull:cd2jlpr bulovic:iv bulter:ap bulte:bc bultmann:dhms bulusu:s4v bulut:ben3r bumpus:bg bundele:mv bundy:aks
bund:jm bunea:a2 bungert:lt bunin:dg bunker:ar2 bunnell:amt bunn:ej buno:a2ij3oprs buonanno:a2dg buonassisi:rt
buongiorno:ds buonocore:lt buono:mnpv buqurqu:acdgil2m2rs buragohain:mp burai:ap burbano:jl burchard:cpr
burchell:lt burchfield:ar burch:cfjm burda:am burden:acij burdett:er burde:dv burdick:j2t bures:mt burgard:cw
burgdorfer:jn burgert:rt burger:acdef2g2j2m2np2r2s2 burgess:ac2dgjmnps burget:lpr burge:ls burghardt:i2jkmt
burgos:fjnp burgoyne:cj2 burgstaller:b2j burg:a3gj2rsy burigana:ac burillo:s2 burkert:ac
burke:a2bcdej4k3lm4op3r burkhardt:ad2f3kmyz burkhart:b2k burks:nt burk:jlt burlak:gm burmann:am burman:bej2svy
burmeister:jl burmistrov:il burnap:ap2 burnell:fr burnett:gijlm burnham:er burnsky:hj
burns:a3bc2d2efj2kl2mpr3st2 buron:cm burov:as burrello:ams burrell:a2s burridge:jr burrows:ekm burrow:aj
burr:acg burstein:dj2mp burton:b2c2dj3mpsz burtscher:alm burtsev:m2 burt:bcegj buru:rt bury:adjt buschek:cd
buscher:admt buschmann:mt busch:ac2df3j2lm4nt busetto:nr buse:hl bush:acj2rt2z busing:cl buskirk:gt
buskulic:dn busoni:bgl bussche:bj bussmann:bhm2 bussola:nr buss:a2cdels bustamante:bc2jm2rs bustos:apr
busto:adms bus:acgjlmn butala:ay2 butler:a2bc2d2ehj3k3l2m3nortuv buttazzo:dg2 butterfield:bcn butters:br
butterworth:j2 buttery:jp buttigieg:sv buttner:afkmrs butts:ac2 butt:a3f2hjlm2n4s3tu2 butz:abm2 but:jz
buuren:js buxton:eo buys:jp buy:bc buzzard:gk buzzi:ls buzzoni:em bu:abc3d5ef4gh3j10l5mnpq3rs3t6w4x4y11z2
bychkov:degim byeon:dghj3kmswy byers:ajn bye:ct bykov:a2d2ikv byrd:d2gm2nt byrnes:ct byrne:a2bcdeh2jlm2n2pr2sx
byron:al byun:c2d4eg2h3j6kms3w2y2 bzin:kv b:a8bcegh2k2lm3nrs8v2w cabacungan:np cabaleiro:ej
caballero:a2d2f2j2mp2 cabanas:ahjr cabanes:gi cabannes:lv cabarcos:ep cabello:a2cdgs cabezas:bceijm cabeza:cy
cabe:bc2jlm2tw cabon:sy cabot:agjp cabral:a3be2fj2kmr4 cabrera:ac4e2gh2j2l2mpr2st cabre:ax cacace:ps
caccianiga:aglm cacciapuoti:al2 caccia:lm caceres:a3cdej2r cadavid:lp cadeddu:am cadenas:j2 cadena:cjp
cadilhac:lm cadoux:cf caduff:ai cady:ae cafaro:cl caferri:gn cafferty:cl2 caffrey:djlp caginalp:cg
caglar:e2lstu2 caglayan:ao cagliero:al cahill:aej2kv cahn:djp cahoon:j3 cahyani:ap caiazzo:ai caicedo:j2sx
caide:de caillec:jk caille:gj caillon:ap caines:ap cain:cd2hj3mo2 cairang:hs cairns:hij2ps
cai:a5b12c30d17e4f7g12h32ij65k17l32m30n2p10q20r14s40t17w32x48y118z75 cakar:be cakir:abdfmo2su cakmak:bhm2
calabrese:ac2de2gjmp calabro:ag calandra:hr calatayud:jr calatrava:ah calatroni:ls cala:adj2nprt calcagni:ag
calcagno:gs caldas:fhilmrs caldeira:e2jmv calderone:bd2gv calderon:ac2dfjl2mnptv calder:cj calde:a2j
caldwell:abd3ejmnrs2w caleb:jm caleffi:mv calero:ajms calhoun:bdjpv califano:f2 calikli:g2 calinescu:ar
calio:ai caliskan:a2hmsu calisto:f2m calixto:il cali:cdem callaghan:amrs callahan:dm2r callebaut:gn
callegari:acfn callegaro:afg callejas:msv calleja:ejpt calles:js calle:admno callingham:jt calli:be calloni:ae
callot:lv callum:ajkl3m2ps2 call:chjm calmon:af calogero:g2 calo:jv caltagirone:jm calura:bf caluya:kn calu:mt
calvert:adks calver:ad calvet:eln calvez:mp calvin:ab calvi:agmr calvo:a2defhi2j2m3r2 calzavara:ms
calzolari:dg cal:kmpr camacho:acdefh2ijlnps camara:bdl2opsx camarena:adm camargo:acdfhj3m2noprsv2 camassa:cr
cambria:em camci:ce cameo:js cameron:a2eg2jkp2rt camier:j2 camilleri:ahjklm2or2 camilli:fmr camilloni:af
caminal:ah caminha:cg camino:ar cami:aj2 cammarota:cr cammi:ar cammon:dj campagna:g2s campagne:aejs
campagnolo:ct campana:dfrs2t campanella:fgpr campanelli:bkm campa:ad campbell:a6b3c4d4e2fg2hj5k2m3nopr3s6tw2y
campello:rv campelo:cfm campillo:ms campion:bfrt2 campi:cflr campolo:cd campos:a2c4d3e2f2ghj3l2mpr3s2t2v2
campo:a3cdi2jl2mnpr2sv camps:a2gj2opr camp:j2mot2 camuffo:ae camus:blmr cam:bjr canada:fk canady:rt
canales:acs canali:c2l canal:cg2p canas:acglp cana:fjm canbay:ar cancino:jm candal:am candan:bk candela:ajp
candeloro:dl candido:a2djo candon:fk candra:aks canedo:adrv canela:fv canelo:ac canepa:lp canessa:a2e
canete:cs canfora:afg cang:jqsy2z canh:hnt canilang:ms canizales:jr cani:jm cannady:jn cannata:dg canning:jr
cannistraci:ci cannizzaro:er cannizzo:cj cannon:j2krw cann:a2bgj4kmr canon:jl canova:mn cano:a3b2cde3fj4lnps
cansever:ad cantara:jlm2r cantiello:m2 cantini:cfr cantin:gr cantoni:e2m canton:agjst cantor:eh canto:bj2
cantu:a2e2fs cantwell:gk canu:fms can:a3bcd2e2ghlmosty2
cao:a6b20c32d27e3f11g14h54j78k18l36m19n5p9q16r18s59t28vw27x57y119z76 capasso:amr capdevila:bm capela:dm
capelli:cfl capello:es capelo:hp capel:fp capitanio:af capitani:jm capizzi:ag caplan:em capobianco:ir
capodieci:an capogna:lm capone:a2cl2 caporali:im cappellaro:ep cappelleri:dj cappelletti:dgs cappelli:alr
cappiello:cl capponi:as capra:hlr capriles:jv caprio:fm2 capuano:fmr capua:fl caputi:kl caputo:a2blnr2 cap:mq
caraballo:cd caraffa:al caraffini:df caragea:cd caramete:al caraz:bcs carbajal:dg2jm carbajo:aru
carballo:a2cekv carbonell:fj2 carbone:cdef2jm2p carbo:ag carcamo:m2 cardei:m2 cardellini:mv cardello:gm
cardenas:a3c2d2gijmp2r2v2 carden:jk cardiel:ajn cardiff:ab cardillo:af cardinal:fj2p cardin:aj
cardona:a2bcd2egjprs cardone:agmpv cardon:dgr cardoso:a4cfg2hij3klm2npr3sv2w cardozo:cn cardwell:dr card:dn
carella:ft carena:as carey:acm2ors4 carfi:ag cargile:mp carignan:cd carilli:c2 carini:a2jmr carin:al carius:jr
carlberg:ajkr2 carlen:ej carleo:ag carleton:t2 carletti:m2t carlevaro:cn carley:beks carle:gmt carlier:alpt
carlile:cs carlini:ejln carlin:ac2ej2s carli:almnr2s carlone:lr carloni:glmsy carlon:em carlos:cdjl
carlotti:gn carlo:a2d2fgj2lms carlsen:rt carlson:c3d2ej7kl2m4np2r carlsson:eghjlm carlstrom:js carlton:ij
carlyle:m2 carl:m3nr carman:bmrs carmeli:bns carmichal:dimostz carminati:lmr carmona:aj4prv carmon:jy
carmo:dfjp carnall:aj carneiro:a4c2eg3hj2ms2 carney:dj2mps carnovale:bg carns:mp carolis:bj caroli:cl
carollo:df carones:am carone:blmt caron:abfgmnp2s2 caros:lm caro:a5bcg2j2ls carpenter:abcj3k2m2pstv4
carpentieri:bm2 carpentier:adjms carpintero:dl carranza:aj carrara:f2ns carraro:f2gr carrascosa:aehjm
carrasco:ae2fij3m3r carras:ap carreira:c2jlms carreno:it carreon:aj carreras:bi carrera:cd2ei2j2lr2x
carrero:a2jz carretero:ij3 carre:dm carriere:jmt carriero:av carrier:j2 carrillo:a3fj3lpr carrington:dpr
carrino:cgjm carrion:cdhjk2rs carroll:abc2defij2lm3prt2 carron:agj carro:lm2 carr:abc3d3e2j2l2mn2prs
carson:aeprsz carstensen:acjt2 cartagena:adjv carta:almt carter:a5b3c4d2e2f2ij3k2ns5 carthy:a4c3dfij2m2npr2stw
cartier:mr carton:st cartwright:cmr2 carty:cj2lmrs3 cart:aj caruana:jmr caruso:bc2dfjmnrvx carvajal:gj3m2r
carvalho:a7bc3deg6hj6lm7op3r4t3v2w3 carver:bcej cary:j3mrst car:arz casacuberta:fs casademunt:ah casadio:cr
casado:cmy casagrande:fln casale:g3km casali:dgm casals:bmr casamento:j2 casanova:acd2e2m2v casares:eip
casarin:js casar:hjlm casasola:av casas:ad2fj2lps2 casati:fm casa:ac2dgl cascante:cj cascarano:gp cascio:cem
caselitz:as casella:a3fp caselli:ln2pt casetti:cl casewell:s2 casey:a2bc2ejlm2qr case:acdj2rt cashman:dfstw
cashmore:mt cash:dp casini:deglr casino:fg casiraghi:ceg caskey:aj casola:fs caso:fjpr caspary:ij casper:hjst
caspi:a2t cassano:beflv cassella:ac cassel:dj cassese:gm casse:fns cassidy:adjm cassini:st casson:af
castagna:af3g castaldo:am castaneda:a2fhj3lmno2rsw castanheira:cj castanon:dg castano:a3djm castedo:cl
castellani:adtu castellanos:as castellano:acg2ijms castelletti:gn castelli:aceimv2 castello:als castelo:ars
castera:cr castiblanco:alm castiglione:gl castiglioni:gim castignani:g2 castilla:afr
castillo:a5c2de3f2ghi2j4l2mprs5v2yz castin:my castonguay:ps2 castorina:ep castrillon:cgj castrillo:arv
castronovo:am castro:a12c4d3ef3g4h2i2j4l3m3n3p4r3s2tv2wy caswell:ij catalani:ag catalano:cegim2np catalan:cn
catala:mr cataldi:degmp cataldo:gm2 catal:moy cataneo:fm catanese:a2 catania:cm catano:acefg catanzaro:bm
catelli:amn cate:bv catheline:gs catherine:fp cathomen:rt cattaneo:a2dl2m cattan:ao cattell:er cattoni:aj
cat:cp cauchy:bp cauley:adejpst caulfield:a2t caux:cj cau:fr cavaglia:am cavagna:ah cavalcante:cglrw
cavalcanti:ad2gjnw cavaletto:ls cavaliere:fg cavallaro:agjl2p cavalli:abl cavallo:a2elm cavazos:jr cava:ajlrsw
cavdar:cs cavero:jnv cave:lr cavicchioli:mr cavinato:lm cavusoglu:eh cavus:hm cayir:ad cazacu:ac cazares:jms
cazar:dj2 cazes:ap cazorla:cfm cazzaniga:alms cazzola:lmw ccardi:em cca:ar cchipinti:dl cci:adlm cco:aiw
cea:in ceballos:h2kmr cebeci:et cebrian:a2m ceccarelli:acel cecchini:cg cecconi:bm cech:jo ceci:cgm cecotti:hm
cedelli:go ceder:gk cedillo:df cedo:fk cedric:bl ceja:acm cejo:ab cekic:ms cela:es celebi:hory celestino:a2
celikbas:eo celikkanat:ah celik:a3cdkmos2ty2 celine:k2 celi:ael cella:c2g celle:aj celli:acfp celona:ls
celoria:dm celos:er celo:ac2hjp cely:cj cemgil:at cenas:de cencini:m2 cenedese:ac cengiz:amz ceng:lq cenikj:gn
cenko:ab centeno:cdv center:e2t centorrino:ps cenzo:adf cen:c2eh2j10k3l3mr3s5y7z6 cercel:dm cerda:abfjrt
cerdeira:jp cereda:eg cerezo:a2dos cerfon:am cerf:jns ceriani:am cerisara:cn cermak:mv cerna:d2ims
cerny:acj2km2ptw ceron:jt cerquira:aemrsv cerri:s2 cerruti:mt cerutti:bfm cervantes:a3bdgjkm2 cervera:cdm
cervino:jm cervone:ag cesare:cdgv cesar:gmp2r cescon:km cespedes:mos2w cetinkaya:abei cetintas:ao
cetin:abcei2km2rs2 cevher:dv cevic:bm cevik:am ceylan:dghim cey:cdkm2r cezar:gpt chaban:ar chaben:mz
chabot:cfgm chabran:j2 chab:aj chacko:gjnsz chacon:c2fh2i2jl chadalavada:r2 chada:anr chadha:a5ghkmpr2
chadwick:m2s chafai:dy chaffer:ct chagas:av chagnon:jm chahal:jk chahed:it chahid:ay chahine:adlmr chaib:an
chaichana:ty chairani:mp chaitanya:k2ms chai:b4c3defgh10j14k5l4m6pqr5s10t4w4x5y17z9 chaker:a2isy chaki:ns2
chakladar:ads chakma:a2 chakrabarti:a5bcd3ik2lprs9 chakrabartty:as chakrabarty:a4d3ghkrs7t chakraborti:ams2t
chakrabortty:a2jrt chakraborty:a23b2c2d13gh2i3j5k4m9n3op9r10s49t6v chakravarthi:b2 chakravarthula:ps
chakravarthy:a2s2 chakravarti:kpr chakravarty:a3jps2 chakravorty:djmst chakroborti:ad chakroborty:as2
chalabi:hk chalamalasetti:ks chalasani:p2s chala:m2 chalendar:gi chalhoub:am chalkiadakis:gi chalk:jr
challagundla:bdjs challa:a3jpr challier:cl chalmers:acd chalumeau:aft chal:a2 chamarthi:apr chamberlain:abjkr
chamberland:jm chambers:bc2e2jk2lt chambon:lps chami:fm2 chamon:cl chamorro:ams chamoun:en champagne:cdj2
champenois:be champion:bdkp champ:cv chamseddine:a2m cham:mt chana:as chance:cgjp chanchal:ar
chandak:ackn2ps2vy chandan:kr chandarana:hy chandar:rs3 chanda:a3dkp3rs2t chandio:ns chandiramani:ak
chandler:ac3ej2s chandna:bnp chandola:vy chandorkar:a2 chandraker:am chandramohan:d2 chandramouli:rs2v
chandran:abjkm2nps5y chandrasekaran:abdghk2m2nr2s5v2 chandrasekar:ag2hkps2 chandrasekhar:a3brsv2
chandrashekar:pv chandrashekhar:bs chandra:a8b2d2ehj2k2lm3n3pr8s11v3w chandwani:aj chand:ghj2k2prs2t
chang:a14b12c22d16e8f6g4h44i3j52k12l16m16n3o2p12q9r11s38t14v3w15x23y34z20 chanlatte:m2 chanona:aem
chan:a17b3c12d9e7f3g3h11ij17k13l5m9n5p4r6s12t6vw6y8z chaouch:am chao:ab2c3df4gh4j7k3l3m3n2p3q2rt4vw3x2y7z6
chapados:n2 chapagain:dsy chaparro:dgjo chapin:abces chaplain:gm chaplin:kmw chaplot:dn
chapman:a5b2cdeg2hjlm2rsw2z chappell:j2mw chappidi:ms2 chappuis:cl chapuis:der2 charalambous:c2p2ty
charalampopoulos:a2 charan:hk charbonneau:bdempt charbonnier:mt chard:kr charest:afm charette:fr charisi:mv
chari:a2gklsv2 charlebois:dem charlesworth:hit charles:ae2fgjl2m2p2z charlot:bnst charlton:cj2ps charme:apr
charney:ajnr charpentier:abcls chartier:jp chartsias:a2 chary:almpr char:d2himp chase:gh2j2not2z chas:m2
chateau:lnt chatelain:a2cjly chattaraj:as chatterjee:a21bc3d8g2ij3k4m2n5op9r6s32t2u2 chatterji:ns
chatterley:aj chattha:gm chattopadhyay:a14d3ikmnp3s10t2 chaturvedi:a4h2ijkmnopr3s6t chatzichristos:ac
chatzigiannakis:di chatziioannou:k2 chatzis:dein2sv chatzi:ei chatzopoulos:ads chat:am chaubey:ags2
chaudhari:a2hjkmnp4rs4tv2 chaudhary:a6d2hij3km5n3pr3s10tuv4y2 chaudhry:a2bf2gj2lmr2s2z
chaudhuri:a9bcd5kmp2rs11y chaudhury:a2b2dk2s2 chaud:jl chaugule:apv chauhan:a10d3eghj3k2m4n3pr5s8tv
chaumette:ef chaurasia:a3gkps4 chaurasiya:akr chauvet:gjn chauvin:gmpt chaux:cm chau:ac2d2fh2k3l2m3p2qs2t2v2
chavan:ajk2p2rs3tv2 chavarria:j2m chavas:d2 chava:s3 chavda:amnv chaves:dfhijlr2 chavez:a4c3fg4jlm4nov
chavis:z2 chavoshi:am chawla:a6c2dfgk3n3ps4y chazot:np cha:ab3cd3e2g3h11i2j24k3l2m10prs21t2w2y8 chbrunner:ms
cheah:c2emtw cheang:c2i chebbi:amy chebolu:iy chebrolu:kn2 chechik:gm cheema:a2gms chee:ghkmsy2 chegini:afm2
chehab:a2gjo chehade:ams chehreghani:m2 cheikh:fk chekroun:hmory2 chelikavada:ak chellappa:rs chelombitko:ei
chemin:aglw chemla:e2j chenes:am chenevert:ae chenevier:fg cheney:djln2 chene:adg chenguang:lw chengyu:js
cheng:a15b21c30d24e8f11g13h54i2j85k23l39m23n7p17q18r26s66t23w27x65y98z75 chenna:dr chennupati:gs chenu:dm
chenyu:rz chen:a52b111c145d116e17f57g100h245ij396k107l182m151n28o2p60q100r116s269t113v7w140x300y481z372
cheok:gj cheong:abdhijklm3nops6w3y2 cheon:eghj3ms3ty3 cheraghi:dr chereddy:s2 cherednichenko:kos cherepanov:ev
chergui:hm cherian:adj2 cheriet:fhm cherifi:ahkm cherif:aeims cherkaoui:ahors chernikov:am chernodub:am
chernova:sv chernov:ai2v chernyshov:im chern:a2begks2ty cheron:gn cherrier:bns cherry:acj chertkov:aem
cherubini:am cherubin:gl cherukuri:a2ik2mrtv cheruvu:ar cher:cd2npr cheshmi:ls chesi:cgm chesneau:cn
chesne:bs2t chetia:dv chetouani:am chettiar:mr chetty:dkm cheung:a5b4c6d2e2g2h4j7k6l2m7nprs5t2v3w4y2
chevalier:afnprsy chevallier:cl chevrier:jv chev:akm chew:acd2ehjk2lorxy
che:a2bc3e2f4g3h10j2l5mopqs4t3w2x9y9z7 chhabra:a4m2rs3tv2 chhajer:kr chhatkuli:ad chhatre:ks
chhetri:a2bgkmnpr3stv chhibber:n2 chhikara:gp chhipa:ap chiaberge:m2 chiai:ahmt2y2 chianese:am
chiang:ab2c8def2h6j5k2l3m4p2rs4t3w2y4 chiani:lm chiappetta:am chiappini:cmv chiara:fg chiarenza:ms chiarini:cg
chiari:gm chiavassa:ap chia:a3bckmn3x2yz chibane:hj chiba:dh2mnrst3w chiche:hs chick:ej chicoine:n2
chidambaram:aknsv chieng:mp chien:a4c6efh2jkmrs5t5wy2 chiesa:a2degm chigurupati:cs chihara:h2kmn chiheb:or
chih:ky chik:cv chilcote:jm childers:rt childress:fg childs:a2l child:cd chillara:hsv chilla:st chilukuri:mpr
chimol:jp chinara:cs chinchmalatpure:ps ching:acjk2mpty chini:jm3npr2 chintada:t2 chintalapati:bms2
chintalapudi:ks chinthala:lt chin:ac2dij2k4l3m3prs4tvw2z2 chiofalo:m2 chiosi:ce chiou:aehjmny chippendale:ap
chiri:mz chirkov:gnv chirra:s2 chirvasitu:a2 chisari:jn chisholm:jr chishti:mz chistiakov:dv chistyakov:iv
chitale:mp2r chitalia:vy chitan:af chita:gp chiti:a2f chitnis:pr2tv chitra:rt chitsaz:ks chitta:ks
chittenden:hjt chiumento:af chiu:a4bc6dgh4ij6k3m3np4s4t3w3y3z2 chivukula:a2 chizhov:ap
chi:abc10d3eg4h15j13k2l2m11p4qr2s2t6v2w6x8y15z6 chlan:bg2jr2s chlebus:gm chler:a2lm chli:m2 chmann:bjmst3
chman:bdmsy chmiel:bl chner:acefgj3m3pst2 chng:cejsy choa:a2ceg2ijkmo chockalingam:a2mn chockler:gh
choi:a7b15c17d28e19g10h61i7j114k22l2m29n3pr2s78t3uw18y64 chojecki:ap2 choksi:bmos chok:ky cholakkal:h2
chollet:efgm2s choma:et chong:ab2c5d3e2fhij4k2lm2npqr2st2w4y3z3 chonni:rs chon:gks chooi:j2 choong:dejrtw
choo:cd3e2h3j4k3osxy2 chopard:bd chopin:bn choppa:ct chopra:a8bg2hklmnprs5 choubey:ps chouchane:ar
choudhari:jv choudhary:a6bd2g2hk3m3np2r3s11tv3y2 choudhry:as2 choudhuri:a3rs
choudhury:a11d2f2h2k2m8n6op2r3s17t2vz chougule:anpv chouhan:a2ks chouinard:fj chouiri:et chourasia:ks
chou:ab2c7d2e3fg2h4ij5k4lp2rs3t3wy7z chowdary:dlp chowdhary:a2gp2s2v chowdhuri:ps2
chowdhury:a25b2cd4ef3hij3k3m13n6o2p5r13s31t8uz chowdury:akm chowski:mr chow:a2ce2ij7k3mps2vw2yz choy:c2kps2tz
cho:a4b9c8d16e10g11h53i5j49k14m17n5p3s51t2uw11y38 chraibi:ms chraiti:mo chrif:im chrisnanto:jy christakis:amn
christensen:a2bc4d2eh3j7k2l3m4nos2 christen:fpsv christiansen:a3hj2lm2o2rst christianson:hnt christian:abj2kw
christie:bfkmst christlieb:an christmann:adgp christodoulidis:ps christodoulou:a2degms2t christofferson:ks
christoforidis:gv christopher:cejmp2 christophe:bcf christoph:cd christopoulos:adgs christopoulou:fp
christou:adi christov:ai christy:ck christ:bj2mnrs chrysos:gn chrzanowski:mp chs:cdimprs3 chtourou:c2 chuah:m2
chuai:qy chuangsuwanich:et chuang:bc3h2i2j3k2mp4s2ty6 chuan:hry chua:a2bc4d2e2gj5k2mprs3twxyz chubb:hk
chudnovsky:ajm chudoba:jm chudy:fr chudziak:j2 chughtai:a2b chugh:akr2st chugunov:i2k chuh:ac chui:a2cjmptwy
chulkov:ad chuluunbatar:ao chum:lo chundru:j2 chung:a6c11d6e5f3g2h26i3j25k6l4m6n4op4r2s22t8uv2w6y14
chun:abc4deh4i2j6k2lm5ps8wy4z churchill:cegh church:adjk2rs chute:c2d
chu:a9b4c17d5e2f6g8h20j19k4l7m11n2p3q5r6s16t11v2w10x15y20z18 chy:aj ciabattoni:a2 ciaccio:cg ciapetti:ac
ciaramella:ag ciardi:bd ciavarella:am ciccarelli:or cicchetti:dg ciccone:cm cicco:ad2mn cicek:osv cichon:mrt
cichosz:ap cicone:cf cid:c2dh cielo:ms ciernik:il ciesielski:sv cieslak:ad ciesla:lm cifka:dmo ciftci:suy
cifuntes:cjls2 cignoni:gm cikota:as cik:gt cillis:s2 cimatti:a2l cima:afl2 cimini:bglm cinar:a3b2deyz
cina:agjls cinelli:lm cintas:ch cintio:ap cinti:ef cin:gl2 ciobanu:cgilm ciocarlie:gm cioffi:dfgjm cioni:alm
ciorba:df cipolla:rsv cipriani:af cipriano:lm ciprini:ms ciravegna:fg ciric:am cirillo:aflmps cirkovic:m2
cirone:aen ciro:dgj cirstea:cf cisneros:cdghjs2 cisse:cm cisternas:cjn cisterna:ar cis:au citraro:es citron:j2
citro:acr ciuca:ir civelli:s2 civera:j2 civitarese:dg ci:ehly2 ckard:ct2 ckdale:co ckel:dn ckens:c3jl cken:d2
ckerson:cgjs ckert:fz cker:befghj4km3p2r3s6v ckey:cej2km cke:ls2 ckham:ms ckhart:degjkrv ckie:c2dgj ckinger:kp
ckinson:adhlms2 cki:bhj ckl:abr ckmann:jm ckman:fj2mz ckner:ckm2r ckson:abcdgm2 ckton:ac ckwood:ems clain:rst
clair:acdfjpr clancy:ijnpr clapp:jlmrw clare:a2kl clarke:abc4dej7l4mnprs3t2 clarkson:cmw
clark:a2b2c8d3e2fg4hj12k4l3m5np3qr7s6t4wz classens:bc classen:c2dj2knpt clas:dp claudel:cn claude:cfj
claudio:ce clausen:cjmp claus:d2r clavel:cm claverie:jm claver:cj clays:elt clayton:a3g2hmrs claytor:rz
clay:a2dehinprs2t2v cleary:afj2k cleaveland:mr clegg:aklr cleland:jkt clelland:j2r clellan:fks clemens:ajm2
clemente:af2glmr clements:ad3jw clement:abcdefj2m3n clemons:jm clercq:acef2hl clerc:acegmn2s clere:hv
clerico:et clerkin:be clery:ns cleuren:bs cleveland:acmr clevenger:ct cleve:as cle:lmo clifford:ghm cliff:dem
clifton:djl2st climent:jr cline:bj3pz clintock:psw clinton:j2 cloninger:a2 clontz:cs cloos:mn cloots:ar
close:egl closkey:abs clos:adgjmpt clote:jr clough:djk clouston:mrs cloutier:cfr clowes:r2 clune:j2
clure:jklmpr cluse:ar cluskey:afj coalson:rtz coates:aejlmnr coats:ct coban:es coba:cl cobb:ajrw cobeli:cs
cober:fg cobos:aemr cobo:agjlm coburn:bl2 cocchi:df coccia:em cocco:ms cocer:jm cochet:gn cochrane:jlr
cochran:begnrtvw cocke:bw cockrum:jr cocks:ds cock:djkm coco:a2m coda:ev codella:cn codreanu:aem codron:fi
cody:bct coffee:mr coffey:jsw coffman:ap cofre:gl cogan:djkst cogdell:ar cogo:fl cohan:aj
cohen:a20b2c2d6e10f2g4hi9j8k5l8m8n8opr9s11t8uvwy4 cohn:acehj3mt2 cohrs:km coil:ac coimbra:jkm cojocaru:acdr
colak:acem colaneri:ak colangelo:mp colas:cdfjt colazzo:di colbert:ij colburn:ams colby:ac colella:et
coleman:ab3c2e2gj3km2ost3 coleri:is coler:mr coles:acejprw coletta:a2e coletti:cops coley:ac
cole:a3b2c3d2e2f2gij5m4n2p2rsw colgan:js colho:abcdf2gj3l3m2p2r3stwy colina:al colin:adeghijkpt coli:cds
colleoni:efm collett:pt collet:ms colley:jmn colle:dv collier:ce2j3mnor collina:mn colling:apr
collins:a4b3c2de3f3g2j7kl3m4n2prs3t4z collin:a2egmst2 collison:hr collister:ac collis:ps colli:ap collot:crs
collo:cr collum:ct coll:delv colman:ahrt colmenarejo:ls colmenares:dlm colombino:m2 colombi:as
colombo:acdefg2l2mn2p colomer:amp colonna:m2ns colonnese:ns colpart:ap coltekin:ac colton:abs colucci:el
colussi:msv colwell:dl colzi:gl col:g2 comaniciu:cd coman:a2d2z comas:adj2 combes:afjpx combe:lorvy combi:lm
combrink:ah combs:abjks comby:fp comb:ac comeau:dj comerford:j2m comeron:fs comer:bg comin:ac comis:jm
comi:gmr community:st como:bg compagnoni:aeg compagno:de company:movx comparat:dj compton:mtw comsa:i2
comte:cgjr2sv conachie:di conaghan:p2 conan:dj conaway:hm concannon:st concas:afs conca:ae conceicao:mrs
concepcion:jv concha:cp conci:anr conde:acdjm4op2s condon:ajrs conejero:j2 cone:ar2v conforti:gm2r congedo:gl
congiu:e2 cong:b2cd4f2g3h3j4k2l6m2p5q2r3st3w3x5y9z4 coniglio:ms coninck:bsw conklin:hj conley:cjk conlon:cjm
conmy:al connelly:cej3mr connell:bcd2hj2mnrs2t2w conner:aim2 connolly:abjlr connors:ag2jknrt
connor:a2bc2ej3k2l2m3np2rs3t conradie:jw conrad:cfj3ps4t2 conrath:af conroy:cjn consoli:is constable:cw
constantinescu:acd2e constantinides:acgmnt constantinou:a2cnps constantin:a4bfl2s constant:acfm2n consugra:lm
contaldo:af content:cr conte:afg3j2lmr2t2z contini:ejmt conti:a2c2e2fg2ijl2m4p2rs2z contractor:dg
contreras:a4b2c2h2i2j4klm2rs2 contributors:l2os cont:a2r conway:a2dej2m3prsw con:cijlmprs coogan:aprs
cooke:bcgij2lr2 cookson:bs cook:a3b3c3d6eg2j6k2m2n3opr2s3t3w2 coolen:ab cools:kr coombes:jm cooney:acdemn
cooperman:gs cooper:a4c4de5fg3h3j5k4l2m3n4opr4s2v cooray:alns copeland:cet cope:bdnrt2 copin:hy coppens:bdp
coppi:ap coppola:acg2mnr coquand:ot corallo:fgls coram:m2 corbacho:fp corbetta:aemv corbett:abj2mt corbin:eg
corcoles:ar corcoran:bcjlmp2 corcura:bjr corda:fs cordeiro:fgjlmpsv cordell:ar2 cordero:aemy cordes:cj3lm
cordier:blmp cordoba:bceijp cordoni:fg cordova:ac3hij3kl cord:bcm corey:dr coria:dj corley:c2is corlies:lp
cormack:j3lr cormac:jo corman:ejlms cormick:jk3pt cormier:akm cornacchia:aeg2 cornejo:bej cornelissen:bcrs2
cornelis:ab2jl cornell:aes2w cornette:pr cornet:cf cornish:nst cornujols:ag cornu:cdf coronado:aefst
corona:aem2rsv corongiu:ad coro:af corporal:ah corradini:bps corradi:afrv corrado:cg2n corrales:al
corral:a2c3ejp correa:a4c3d3fij4l2m2n2op2rsuw corredor:ags correia:a6c2fg2ij2l2mp correll:mn correnti:mr
corro:cdl corsini:eg corsi:am corso:afjr corter:ajlm cortese:lr cortesi:a2fu cortes:a2bc4d2e2gj4lmpu
cortez:aegj2 corte:adjl cortinovis:as corti:cfg2 corvalan:aj corvi:er cory:ort2 coscia:ad2mp cosentino:cgr3s
coser:amo cosgrove:jr cosgun:a2 cosker:ad coskun:abeh2ms cosma:ag cosme:cej cosmo:lr cossio:f2jmp cossu:al
costabile:al costache:a2dm costantini:acegms costanzi:im costanzo:afglmv costas:bhr
costa:a8bc6d4e3f7g5h3ij6kl5m13n5p5r6s2t3uv3w costello:bc2efkls2t2z coster:acdr coste:acfgklst costin:ao
cos:cdi cota:ej cote:ablm3npz coto:er cotroneo:dv cotta:l2 cotter:acdj2 cotti:gl cotton:a2cdmpsw cottrell:g2
cott:c2n cotugno:el couairon:gp couat:bj couchot:fj couch:sw couderc:f2pr coudert:fz coughlin:em2 coulaud:gl
coulibaly:b2n coulon:ajr coulson:ijmnrs coulter:d2jl couraud:b2l courjolly:dj coursey:ac course:hk cours:as
courtland:lm courtney:jk2 court:befkm2nprt courvoisier:abf cour:cjmrs2t cousineau:dem cousins:abcm couso:aj
coutinho:bcefgi2jrs couto:g2jm couture:dgh couturier:abcj covaci:al covas:ev cova:et covey:jkp coviello:cl
covington:mp covino:rs cowan:b3d2g2jkmn2pst cowell:jr cowen:al cowie:alr cowley:a2bm
cox:a4b3cd4e2g3i4j3k2lm3np2s4t2 coyle:bd2e coyne:rs coy:d2kl2s cozzi:f2m coz:c2dp co:cd2hk2m2pr2 cqua:f2p
craciun:acgmv cracken:aghr craft:dks craggs:bd craigie:m2 craig:a2c2djk2lp2w crain:rs cramer:b2ej3m3ps2wz
crandall:djkp crane:cegjkm2p cranmer:kms cranney:js craven:cs crawford:ac2de2f2jlmrs2 crawshaw:im craw:a2
cray:aos creager:ek creech:js2 creery:cz creighton:fjt cremaschi:at cremers:acdt cremona:jm2 cremonesi:mp
crepaldi:lm crepeau:cl crescenzi:ap crescenzo:a2d cresci:gs crespin:abm crespi:acmnpv crespo:adejlm2p2
cretu:am crevecour:gj crews:cm crew:ejls cre:bw crilly:aw crimi:ag crippa:ag cripps:es crisan:ad crisci:ls
crisostomi:dem crispino:ln crisp:adt cristani:m2 cristescu:ghis cristiani:es cristiano:al cristian:pr
cristia:amr cristobal:fm cristofari:ap cristofaro:adefm criswell:ajk critelli:bs crites:ae crivellaro:a2c
crivelli:fp croart:fm croce:adfv crocker:r2 croft:adr2svw croitoru:c3fim croix:ab2cdf2lm5ns2tvw crone:lp
cronin:lst crooks:egnp croon:dg cropper:ams crory:mrs crosby:beg crosnier:al crosse:bt crossley:rs
cross:a2e2hj2lmn cros:blnv croton:dl crotti:ar crouch:dn crouse:d2m crowder:dk crowell:c2r crowe:b2st
crowley:d2ej2klm3p crowson:km crowther:jkmpr crow:bd croze:do crozier:cjp cruciani:ae cruciata:gl
cruickshank:in crum:ci crupi:gr cruz:ac3d4e3f4g3h3ij8kl2m3n3opr5s3tu2wy cryan:jm crystal:dm csaba:bz csaji:bg
csaki:cz cseh:ab cseke:ab cserey:g2 csiba:bp csillag:dl csizmadia:det cuadrado:ef cuadra:djm cuadron:a2
cuartero:aj cuba:fij cucala:dl cuceu:ait cucinotta:ft cucu:ah cuffaro:gm cuff:ls cugmas:bm
cui:a3b13c24d8e4f6g11h35j57k9l23m12n2p5q12r12s32t11vw26x45y62z55 cukierman:a2 cula:go culbertson:hj2p
cullar:ajm2prt cullen:ac3df culligan:jp cullinan:ijr culliton:cp culloch:acei2j2m cullough:j2s2t cullo:mn
cullum:alm cully:ac cull:gl cummer:ps cummings:a3hj2r2t cumming:ar cummins:acfjln cumplido:im cunca:cejps
cundiff:cs2 cuneo:an cunha:a7bc2e2f3i2k2lpr2stw2 cunnane:d2s cunningham:bc2de3h2ij2k3nr2t2w2 cun:bwx2y
cuomo:fg2sv cuong:dn2p cupani:ag curatolo:am curcio:dev curci:ag curdy:kr3w cure:jm curiel:alo curien:np
curik:rv curley:cs curran:d2k2rsw curreli:c2 currey:aj currie:djlm2t curry:acjm2pst curtin:adlr
curtis:a2bdefjlos3tw curti:fim curto:cg2mr curvo:ep2s cury:gj cushman:jr cusick:ajt cusimano:m2 custa:cis
custodio:ep cusumano:dg cus:br cutcheon:ar cuteri:ab cuthbertson:el cutkosky:ams cutler:drs2t cuto:ep
cutter:bp cutting:cl cuvas:a2f2gm2rw cuva:ace cuyer:ampt cu:jpx cvetkovic:adm2nz cyriac:j2 cyr:b2et
czachorowski:mp czajka:a2m czako:gp czak:em czarnecki:ckms czech:de2gw czyk:dl czyzewski:a2
c:a2bdfgj3k2lm2op4r2s4v3y daba:mn dada:amsw dade:ns dadi:klo dado:do dadu:nv daga:bem dag:ahm dahl:a2d2em2psv
dahm:jmsz daid:aeks dai:a9b13c23d15e3f10g11h29ij47k5l31m16n3p6q16r11s34t16w25x36y70z46 dale:a2d2ej2rs dali:a2
daly:a3c4dejmrs dal:dmpst dama:amn dami:ay damm:ehlstw damo:gl dams:gjr2w dam:eh3klm3pqrs2t3 dana:c2dgjkls3v
dang:a2b4c7d5f2gh7j8k3l2m4n5p5q6r3s8t16uv4w2x7y9z10 dani:aps2v2 dann:cj dan:a3bc2dg2hj2kmnoprs2t2w2xy4z
daou:km dao:a3bc2d3gh4j3klm4pq4t13vy dare:ko dari:bens dar:a2dgh2los3y2 dash:a7c2d2np4rs14t2 dass:jnprs2
dasu:astv das:a58b13c2d28e2g8h4i4j7k6l3m11n11op15r23s91t9u4w data:dt date:a2h dat:dnp3tz daud:a2his daul:cm
daum:ef daus:g2 dau:afht dave:a7b3dhikm2np2rs3tv2y davy:amrs dawn:ap daws:jm daw:a2cejn dax:im
day:a2bc4fjlmpr3sw daza:dlrw da:c3hj2lpqs2wx dcruz:aj2 ddario:al ddart:bd dden:rt ddha:ams2 ddi:de ddou:ac
ddo:agp ddu:ksv2 dean:ej5orstv dea:acei debi:jt deb:ad4k2mn3oprs6t2v deck:l2 dede:cej deeb:aho deen:hm
deep:jsy2 dees:blm dege:t2 deh:km dei:dn deja:djkr dejo:be deka:bd2k2mnp2s2t dek:eg2jpt dela:mt dele:ej
dell:bhjmns delp:es del:cdkm3 deme:be demo:ln dem:bt
deng:a11b11c29d15ef9g9h46ij76k18l31m21n6op5q20r20s40t10w31x51y106z70 denk:dt dent:abcej2r den:cfjlnsy2 deol:is
deo:a4dilnrsvy dera:dt derr:at der:a3b4c5df3g2h3j5k3l2m2n2prs3t des:ag det:ajmy devi:akmpsv dev:a2bcghk3s4
dewi:ads dey:a12b7cd9egi3j2k6l2m3n4p8r12s29t6u4v deza:a2g de:a10bdjk4lnr3s9tu dge:fjm dhaini:m2
dhakal:a4hk2m2nprs3 dhaka:a3mrv dhake:dns dhaliwal:j2kmrs dhall:ars dhal:ads dhamija:et dhami:dhr dhande:es
dhane:at dhanuka:dguv dhan:j2 dhara:atv dharmasiri:ads dhar:a8d2gj2kmn4p2r4s4tv dhawan:akn2r2s dha:acdhis2
dhekane:es2 dhia:abky dhich:an dhillon:bdgh3i2j2mps dhiman:a2cjnpv dhingra:abdhmn dhir:acmnr dhi:am
dholakia:ajkmrs dhondt:cfj dhooge:ajl dhrubo:as dhulipala:hls dhungana:hp2 dhurandhar:as dhuri:dps diab:ahkmnr
dian:gr diao:bc2egh3j5kl4m3q2rs2w4x6y8z3 dias:a4b2c2defg3hj2k2mnopr6s diaw:ac
diaz:a4b2c3d3e2f2g3ij9k2l3m11nopr4s4t2vxy3 dia:bdmos dibb:gm dib:a2hjns dich:mnp dick:gjks2t2 diem:pt
diep:ahkmn2pt2 dier:alprx dieu:af diez:a3bcgj2lm4st die:fgs dig:cdj dijk:bd3gj2lmnrt dik:j2ms dill:adjmn
dima:a2ceg dinc:enu ding:a7b14c28d20e2f9g17h35ij60k17l21m17n7op7q9r17s36t13uw26x47y86z68
dinh:abc3d7gh3jkl4m4n3pq2st13v2 dini:adlpu dino:fij dinu:acgi2l din:a3fhilm4s2vy2z2 dion:abgt diop:em2s dio:ef
dip:s2 dirr:gj dis:ir divi:sv dix:acem diz:am di:abc4dfh2j3k2l2n2prs7tx4y11z6 dkhah:cm2 dlamini:st dlani:ap
dley:cfj3r2 dman:js dmitrenko:a2 dmitrienko:a2 dmitrieva:em dmitriev:adesv dmitry:dk dner:at
doan:a4b2d2ghk2lm2n3s2t5w dobbe:jr dobbins:mn2 dobbs:mp dobias:cj dobie:ad dobler:dgk dobreva:an dobre:mop
dobrich:bo dobrin:as dobrowolski:jt dobson:jlmr2sw docherty:gr dockhorn:at dodampegama:hp doddi:hp
dodds:jlmpt2 dodd:ej2s dodge:j2 dodhia:rs dodson:abnr dodwell:et dogangun:af dogan:bdfghim2ns5uy2z dogar:fm
dognin:cp dogra:a2dln2prst2 dogru:agm doherty:abegjkmptw dohmann:ij dohmen:mt dohner:hk doh:h2msy doire:cs
doiron:ab doi:eijk3m2t2y doja:fk dokania:ps3t dokuchav:mn dokun:ej doku:fr dolado:j2 dolan:bjm2s
dolatabadi:aehm dold:d2 doleman:st dolfi:ams2 dolgov:is dolinsky:ay doliya:fj dolkar:ag dollar:pr doll:gkmns
dolman:ad dolphin:ar dolson:de dolz:j2mr dol:fpt domanski:amz dombrowski:amn domenech:egjr domeniconi:cgl
domenico:an domine:cl domingos:efjlp domingo:e2imp domingus:mo dominguz:a4cdf2j4mor3s2uv2w domingu:b3
dominiak:ap dominici:ef2g domini:df domke:gj domokos:gl donadello:is donagh:as donahu:cj2k2ms donaire:am
donaldson:a3mt donald:a5bc4d2e3g2ij6kl3m4n3pr2s4t4vw donatelli:jlms donati:dejl2ms donato:f2ms dona:d2mp
donegan:ds doner:bs dones:el doneva:dm done:cfls dongare:a2s2 donga:rt donghia:eg donglin:mw
dong:a6b15c20d16e3f12g16h43j65k8l25m20n8op12q21r18s48t12v2w27x66y91z64 donini:afm2 donley:jpr donlon:kt
donmez:a2eop donnan:cfl2 donnarumma:fi donnat:ac donnay:kl donnelly:cgjrs donnell:b3cehj2k2lm2pr2s2t3
donner:c2rt donnet:bfs donne:es donofrio:il2msv donoghu:abd2 donoho:d2 donohu:ejs donoso:ce2fil donough:bekw
donovan:bjt donvito:ag don:ad2s dooley:dms doolittle:jl dooms:at dooren:pw doorn:jk doostmohammadi:ae doo:fjy
doppa:j2 dorado:ai doraiswamy:hs doran:dms dorazio:a2dfr dora:bmrs dordevic:dgim2st doreen:ns dore:admov
dorfer:mtv dorfler:afmr dorfman:klrs doria:as dorigo:mt doring:c2ln dorison:ns doris:am dorjee:pt dorksen:hk
dornan:pv dorner:d2fkrs dorn:bc2djlmnrsy dorofeev:ks doronin:ar doro:mps dorpinghaus:jm dorr:a2b3cdjlm2npstw
dorsch:acgjm dorsey:jkrt dorta:a2d dory:mt dor:g2hlmny dosen:rs doser:jm dose:tv doshi:a2d2fj2k2mn3p4st2v2
dosi:adms dossa:fr doss:cm2rst dost:fr dos:n2t dotan:ae dotson:jl dotti:fmp dotto:af doty:bd doucette:dj
doucet:a2 dougall:chirst dougherty:cm2q doughty:ch douglass:ekps douglas:a2dejk2mnprs2t dougut:dn douin:ky
doukhan:dp doula:am doumanoglou:a2 dousis:cv doutre:fs doux:c2hjv dou:ab2c2d2f2g2h10j9kl4m5q4rs6tw7x4y14z10
dover:rty dove:mt dov:eo dowd:m3p dowell:cj dowerah:su dower:prst dowling:abdejk downen:ps downer:gm
downes:aj2 downing:lms dow:a2pr doya:kp doyen:ef doyle:aceghjl3p3r2 doyon:br dozat:t2 dozier:bh
do:a3b3c3d6e2gh10ij5kl4m2n5op2q5rs2t19v3wxy2 draganov:ab dragan:acf drager:fs dragicevic:op dragoi:mv
dragomir:a2dgr dragovic:av2 drago:aim3nr drake:a2bcj2lst2 dralos:mr draper:bclst dras:a3m drath:rs dravid:av
draxler:f2 dra:jms drechsler:bkm2nr dredge:jz dred:cdmn drees:ad2l dreher:ct dreier:ejmn drescher:alpt
dressler:afo drewes:af2m drews:f2mps drew:ajos drexel:df drexler:dm dreyer:cfm3o dre:ajmt drich:cj2 dridge:ij
dridi:rz driessche:gpw driessen:lm drif:am drimalla:hj driscoll:j2lprt driss:bhm driver:dst2 droge:fh
drogutt:bes drokin:iy drori:iy dror:jrt drosou:a2 droste:bjn drost:bf drouin:adm drovandi:c2 drozdova:am
drozdov:a2gns drozdz:k2ms drozd:ay drucker:dnst drukker:kln drummond:aclt drury:im drut:aj dsa:j2 dschadler:lv
dson:bn dsouza:a5cd2gijk2lm2n4r4s2v dte:ar duan:ab10c17d7e2f6g4h31ij33k6l15m7nop5q12r9s22t7w15x28y52z31
dua:dkrs dube:abjlmnprtuv duca:gp duc:a2bc2d2ghk2m2np4t3 duda:dj3lm duff:dijkmst duh:hk duin:aj duke:j2s
dula:am dull:cj dung:dhl2n2t dunn:a2j2k2l2mot dun:cxz duo:bjlsz duqu:a2def2j2p duro:egnr durr:adf2no dur:tw
duta:cmn dutt:a4n2r2s2t duy:fp2t3v du:a9b15c32d12e3f10g12h35j63k19l24m24n4p11q18r12s44t13w20x50y97z46
dvorakova:em dvorak:cdjmrtvwz dvorkin:cvy dvorkovich:a2 dvornik:amn dwaraknath:ar dwarampudi:jk dweik:a2l
dwich:gm dwivedi:a6c2gikn3pr4s6v3 dwornik:am dwyer:c2d2gj2mnt2 dyakonov:kv dyckerhoff:rt dyck:bcklos dydak:ju
dyer:ace2jm2rstw dye:dhst dyka:az dykes:ej2 dyke:jms dyk:dps dylla:m2 dym:ghn dyson:cs dy:a2fjk dziak:kl
dziarmaga:jt dzinski:a2m dziri:an dziuba:bm d:a6cd2ejm2p2qrs3v eachern:js earley:cn earle:as earl:an
earnshaw:bh earp:bs2 eason:lt easson:dl eastman:kp eastwood:cjm2s east:ajn eaton:c2ejkps ebadian:ah ebadi:akrs
ebadulla:df ebbinghaus:bp ebeid:ei ebeling:lmrw ebel:hpt eberhardt:abej2lrst eberhard:aeop2st eberhart:acz
eberle:osvw eberl:am ebersold:ms eberstein:m2 ebert:ac2d3fj2lmnsv eber:ab ebihara:aksty ebinger:bp
ebner:a2bd2jlm2s2t ebold:afpu ebrahimi:a6ef2m5n3r2s6tz2 ebrahimzadeh:adem echevarria:jmp echeverria:achjm2s
echeverri:cd echina:an echterhoff:js ech:bjrz eckardt:adfm eckart:alms eckel:dj eckert:c3d2ij2k2ry
ecker:acfmrv ecke:cg eckhardt:b2j eckhoff:jm eckmann:jkpt eckstein:e2k2lm5s eck:abcd2hmsuz economou:efst
edalat:a2 eda:g2lt eddine:ac eddy:drtw edek:cn edelmann:jr edelman:a2e2hn edelstein:efjm eden:adjl ederichs:bf
eder:cjklst edetti:bdefgmrv edetto:cfl2m2 edet:cmo ede:bjlm edgar:jm2 edge:at edictis:e2s edict:glmrs2
edikter:bn edikt:m2o edinger:jmo edin:abj edison:ah edittis:ad edkins:gisv edler:ds edman:lmr edmondson:dkw
edmonds:a2 edouard:gl edo:cj2m5nr2sty edri:hy eds:dg eduardo:bgm edwards:a2b3c2d3e2gj6kl4m3noprs2tv edward:asz
eeden:jt eeds:am eed:aj eekelen:lm eelbode:dt eele:bghijlnr2 eel:bm2 eenhok:b2 eenkiste:pst een:abcm2op2twz
eer:ads eester:ept efanek:bg efanelli:pru efanescu:ir efaniak:bjm efanidis:ak efani:eflt efanou:ai efanovic:cd
efanov:ak2npt efano:a2cfg2jlm2os2 efanski:gr efansson:bghi efan:adgi effek:ft effendi:jm effen:ab2ejm2
efimov:dpt efitorov:a2 efraimidis:ip efremova:dn efremov:a2ijm efron:ny efros:a2 efstathiou:agm efstratiou:ad
eftekhari:aeh2lst eftekhar:aps eftheriadis:tv efthymiou:acnv egami:e3ns egan:abj egashira:kr2 egas:f2j2s
egea:adej egeman:lmr egert:dm eger:a2c2jms2 ege:am eggenberger:pt eggert:dgjs egger:a2bhjmr egg:ak eghbali:nr
egiazarian:kv egin:af egle:ft egli:ap egmaier:jp egner:bs egorova:aei egorov:aekmosv ego:dgjl egret:de
egre:e2fjlmpt eguchi:km3s eguz:m2 egyed:az ehab:amn ehara:hy ehinger:bk ehlers:js ehlert:st ehle:dm
ehl:abcejlm3psw ehmann:fh ehmke:cd ehm:cv ehouwer:cl2 ehrenhofer:a2 ehret:at ehrhardt:ejms ehrlich:ac2kmrs2y
ehrmann:ms ehr:mnp ehsani:ekmr2sv ehsan:a2lms2t3uz eiband:mt eiben:em eichel:aj eicher:j2 eichhorn:ah
eichinger:bdt eichler:alp eichmann:bc eichner:cm eichstadt:gj eich:afjmsy eickhoff:cs eidel:bc eidex:z2
eidi:m2 eidl:gs eidt:ab eid:a2lms eier:aj eifler:rt eigen:cd eigerwald:hp eiger:adjknor2s2 eigner:lo eijk:l2
eijnden:ej eikenberry:ks2 eilers:aks eilertsen:bgj eimer:a2jt eimle:j2t einacker:hl einasto:jm einbach:beimp
einbaur:fr einberger:elm2 einberg:a3bdefjl2ry einbrecher:gip eindl:as einecke:ns einert:mr2s
einer:a4bde2fi2jm3r3tu einfeld:ajk eingrimsson:js eingruber:al einhardt:cjnp einhart:cm einhauser:cdm
einhoff:js einig:lr eininger:dp einke:cmn einmann:djp einmetz:cgm2r2t ein:a7bc3df2g2ij3k2l4m3n3orst2v
eiras:afj eisape:os eisele:afs eisemann:em eisenbarth:mt eisenberger:lm eisenberg:ad2ejmor2t eisenhardt:dp
eisenhaur:ef eisenmann:lmt eisenstein:dj eisert:lp eisfeld:a2 eisinger:jm eisner:abj3t eissa:krs eitel:af
eito:am ejaz:a2mns ekanayaka:av ekanayake:acijmpt ekberg:djn ekbote:cv eker:stz eke:c2mv ekholm:t2 ekhov:am
ekici:beo ekin:sty ekiz:de eklund:aegmp2 ekmann:jl ekman:cr ekpo:dp eksandrov:aimn ekseenko:agj ekseev:a3iov2y
ekseyev:am eksi:erz ekstrand:jm ekstrom:cfks2 ek:ac elad:mn elal:a2 elar:cp ela:aw elea:ci eley:rs ele:bs
elia:adejnp eli:bt ella:f3hl2mrsv elle:af elli:am ell:bt else:dt elst:a2lw ely:jt elze:mt el:bg emadi:ns
emad:rwy emami:an2p2ry emam:aehkmsy emani:kmnp emans:adiw emanul:ds eman:a2b3ci2s emara:mosy emayehu:hn
embacher:cf emde:c2 emelianenko:dm emelyanov:ay emerick:ab emerson:dgnt emery:d2gjkvx emer:blm emezu:cghn
emig:k2t emile:em eming:km emi:abfm emmanouilidis:cm emmanouilidou:ad emmanul:adist emmerich:kp emmer:agsu
emohammad:hs emonet:rv emon:jm2t emper:bm empey:ap emput:iks emran:a2 emre:st emrich:jst emura:nr emuru:gr
emu:am enan:ans ena:l2sv enbaum:gj2p enberg:ekpr enboim:gl enborg:eg enby:j2 encar:jlpr enciso:ag endano:acdr
enders:bg2l ender:fm ende:df endi:m2 endorf:alm endo:a2dk2m2ns2t4y2 endres:cjmr ener:el enezi:am ene:c2etv
engelberg:ej engelbrecht:hj engelen:a3kmqs engelhardt:a3bmn2rs engelhard:gm engelmann:a2fhjrs engels:cdj2t
engel:a2cd4e2j3klm2prsty enger:dijmr engesser:m2 enghi:ac england:djm englert:ab2cm engle:a2 english:dj3lmwz
engl:fp engquist:b2 engstrom:cjlmo2 eng:a2c2dlt enhaus:hm enholtz:en enius:di eni:dp enkhbayar:at ennis:acd
enoch:ls enock:fmn enomoto:h2ms2y enright:ac enriquz:bdeij2lr enstrom:pv ens:blm entaffer:r2 entesari:kt
entezari:ar entiev:dy ent:bs enya:gk enzel:fgr enzi:blw eom:cdh3st eotti:fj eo:js epak:a2 epanova:ek
epanov:a2de2gino epan:gp epelbaum:es epeveen:dw ephanov:gm ephan:a3be2fij2mo2p2st ephenson:cj2km2
ephens:abdgij4m2prs ephen:a3j epien:jm eponon:a2 eppa:ac eppel:fs epping:bj epps:j2r epp:kt
epstein:abde2ilmnsz epure:em equi:m2 eracleous:m2 eraqi:ah eraydin:ey era:aj erbach:jl erba:acvw erbentz:dm
erben:af erbukh:iv erb:bd3w ercan:fgios ercolani:ln ercole:al erdal:bes erdelyi:gort erdemir:e2gv
erdem:ace2no2r erden:cfm2 erdil:de erdmann:gjk2mn erdogan:ce3fghklm2z erdogmus:dp erdos:jlp erdur:ac erell:os
erel:hy eremeeva:m2 eremeev:adg eremenko:ai eren:e3l2mos erer:cs erezai:aj erez:al2mnt erfanian:am erfani:ers
ergard:jms ergiou:a2 ergun:egirs erhardt:st erhoff:j2 eria:g2 erickson:ab2cej2kl3np2s3z eric:dl
eriksen:bcdejmr eriksson:a2d2k2m2or2t erisken:ds erkal:bd erkan:es erkent:o2 erking:jm erkoc:tz erk:bk
erlanson:an erlebach:ht erler:anp erling:a2bgpt ermakov:ai2v ermann:fhj2ls erman:abgs2 ermis:abs erna:aj
ernberg:adt erner:ei erne:jps2 ernst:acdeij2km2nopr2 ern:a6b2c2d3egj3m4r4s4w erofeev:em eroglu:dfuy
erol:a2e2fm2t erp:bdgm erradi:am errahim:am errahmane:ns errico:bcl ershov:eg ersoy:a2cgimo2 ers:bceksv
ertan:hm ertas:gm ertel:js ertl:ao erturk:aehikm2s2 ert:jmrvw erwald:el erwin:pt eryani:fy eryigit:dg
eryilmaz:ab ery:aj2kpr erz:ah er:acgmos2tx2y esani:ps esanu:gl escalante:a2ghjz escala:ai escalona:fp
escamilla:a2jl2w escarcega:dm escher:c2s esch:dt escobar:cdefgij3lm3s escobedo:cfgr escoffier:bs2 escolano:cms
escribano:bcj2 escudero:cdfghjm3r escude:gj eser:cijm2u esfahani:ae2hm2pr esfandiari:h2my eshaghi:am
eshchenko:amy eshed:in eshel:ry eshragh:am eskandarian:as eskandari:am2s2 eskandar:dgm eskin:ce2v
eslami:a2hm3s2 esmaili:a3bem2ps2 esmailpour:am2s esmailzadeh:ehmz esmail:aw esmer:g2 espana:cs esparza:afjms
espejo:fi2 esper:ac espindola:ce espinosa:adfhjm4prs2 espinoza:a2b3cdfhjmnsw esponda:rt
esposito:a7cdef4g2m6ns2v2 esposti:msv esqunazi:ek essandretti:al essandrini:dgms essandro:abefmnptv essa:adi
essen:abcdr esser:a2cdfjn2p2s essi:cefrs essl:fm esteban:acdf2ijnoprs estelles:ah estes:jl esteves:bc2eijpr
estevez:d2jps esteve:lpy estornell:a2 estrada:efij3mnrs2 estrella:ghpr eswaraiah:ch eswaran:a3 etemadi:km
eter:cins etesami:jo ete:gijo etheridge:bh etherton:km ethier:dj2s etienne:a2z etinger:di etingof:pw
etisyan:a3 etl:jw eto:my etras:n2 etrich:ab2cdefhj2mnops2t etrio:l2 etsenko:di etter:bdps2 ettinger:agjs
etti:afg2m2 ettler:am ettori:ds ettorre:g2 etzel:cst etze:rsv etzioni:or etzion:et etzler:ns etz:bcd2efjl2ops
eudonne:ty eugene:et eugenio:bj eugster:ps eulig:es eum:hjs3 eun:bhj2ps2 eur:ch euwen:cdeim3pt euw:cmn
evain:ns evangelidis:av evangelista:adefsy evanovic:dv evans:a5b5c5d3e3fg2j7k2l4m2n5op3r4t3wz evan:djr
evenson:acdjklmoprs3t evens:abcdg2ij2lm5rs2t2w even:cemv everett:dhjm2r2s everitt:bhjrt everson:er2
evers:bcl2m evert:bj evianko:an evkoski:b2 evoy:an evrard:aj evron:adiy evtushenko:ap evyagin:am ewald:aefjp
eward:gw ewart:a5bc5d2e2g2i2j4k2m2r4s3twz ewen:abej3np ewert:cfs2 ewing:br exander:a2b3c3d2e2fg2k3m4npr3s3twy
exandre:bdfjlms exandropoulos:gs exandrov:a2bos exandru:ab exa:ce exeeva:mt exeev:dny exel:mr exey:pt exe:bcv
exiou:acim exis:a2k2mr exley:kmt exopoulos:agn exov:ae exposito:es eyal:imo eyer:a2flrs eyn:mrwz eyre:dr
eyring:lv eytan:glo ezard:ft ezawa:mt eze:ac2 ezhov:iv ezi:ei ezqurro:af ezra:de2gr ezuma:im ezure:ns
ezzeddine:afr e:a2dehj3lmops2tw3y fabbri:a2cdfln fabbro:g2ms faber:fhj4k2msw2 fabiani:fs fabiano:fgn
fabian:acdijm2o2stz fabien:bg fabozzi:f2 fabrega:aj2s fabre:bdefgjlmpr2 fabricius:cm fabris:a2fjlm2
fabritiis:cg fabritius:mp fabrizio:cmv facchinetti:cg facchini:a2ps2 faccio:dfg fackler:ajp factor:ms
fadai:ns2 fada:abm fadden:gjlmrs2 faddoul:em fadeeva:a2e fadeev:eip fadel:eim2 faden:a2 fadhel:am fadili:h2jm
fadillah:an fadnavis:is fagan:bj2pw fage:rv faggioli:gl faggi:ls faghih:fk faghri:f2 fagnoni:nt fahad:himn2
faheem:mn fahey:a2r fahim:a2m3r fahmy:as2y fahs:a2bj faili:h2 failla:gmr fainman:ey fainstein:fm fairbairn:bcm
fairchild:ps fairlamb:ij fairley:a2m fairstein:ry faisal:af3h2m3tw faizullah:s2 faiz:aim2 fajardo:dj2ns
fakharian:mv fakhari:am fakhry:ams fakih:am faktor:ab falahati:as falaki:ajm falcao:a3gjr falchi:f2 falck:dft
falconer:dk falcone:ajpry falconi:lm falcon:aej2 falco:ceijlmp2v falcucci:ab falkena:s2w falkenberg:mr
falk:bdjkmnst fallahi:af fallah:a3dfhkos2y falletta:ms fallon:cmp fall:amt faltings:bf fal:bm famay:bj
fambri:fl famili:mr fanelli:acdlnp fane:ce fang:a6b17c31d6ef10g14h34i2j55k9l28m13n4op6q17r13s37t19w22x42y73z64
fani:aer fankhauser:fl fanning:ck fano:acdeg fante:af fanti:agp
fan:a6b17c40d27e4f12g13h43j77k11l40m20n5p7q18r19s47t11w26x66y85z77 farabi:as farago:afo farag:aeh2mrty
farahani:bfhkm2rs3 farahat:a4 farahbakhsh:emr farahi:ab farahmand:afm2ns farahzad:ms farah:ahijwy
faraji:a2fmrs2 faraj:ms farano:a2g faran:it farazi:hm2 faraz:akt farber:cfgmrt farcy:bm fardin:mt
fard:afk2m5noprs fares:am2rs2 farge:fm2 farhadi:a3fhm3z farhad:afms farhang:a2 farhan:am2nw farhat:abcdfhik
farha:iy farhi:dmns farias:acdefgjk2lm2nrtv2 faria:acd2fgj2lm2rs faric:an farid:a2df2h2kms2y farimani:amoz
farina:a3de2fg3jlm2 farinelli:ar farinha:acm farin:bm fariselli:lp faris:mos farkash:eh farkas:a2ikmr2
farland:abc2djs farlane:fp2r farley:hkt farman:jvy farmer:dj2m2pr farnan:aot farnham:st farnoosh:ar farnoud:af
farnsworth:adns farokhi:fs farooqui:fs2 farooqu:akm farooq:a5bh2jk2m4os3u farouk:amy faro:c2efi2j2mpr
farquhar:gjs farrahi:kv farrar:gs farra:m2ns farrelly:gw farrell:a2c2egkm2prs3tw farrens:as farren:ag
farre:mrx farrington:acm farris:abcd farrugia:cgln farrukh:amn2y farr:abdew farsangi:az farshad:am farsi:bfm
faruk:am2t faruqui:msz faruqu:mor farzaneh:ahm2s farzan:as farzi:ns far:a2bimr fasano:a3dfgs fasel:ju
fasha:em2 fasoli:a2 fassbender:ah fassler:bk fassnacht:cf fass:aj fast:dn fatahi:mtz fatah:knt fata:ak
fatehi:a2mn fateh:af2m fatema:k2 fatemi:ab2fm3s fathima:ns fathi:am3n2p fathy:hm fatima:a4him3ns3tuz2 fatmi:ak
fatouros:g2 fattahi:adhjs fattah:am3prs4z faucher:af faulkner:amr2 faulstich:fs faure:g2jos faustmann:gm
faust:ad2ekpr favalli:lm favaro:jmps fava:dem favero:agln favier:abmv favre:bcjy fawaz:ahkm fawcett:hj2rvw
fawzi:a2fhm fawzy:a2m fayad:ijz fayed:am2 fayet:mp fayez:m2r faye:abce2g2 fayolle:jps faysse:m2 fayyaz:mtz
fay:abdklm2nt faza:gn fazekas:bg2m fazeli:akmns fazel:afm2pz fazenda:ab fazio:adfgjm2pr fazlali:m2 fazla:a2
fazli:m3p fazly:am fazzari:e2 fazzini:dfm faz:fs fa:cdgz fearn:sw feather:jm febvre:cdf2gmp2qs2t2v fechner:mw
fedele:defgl federici:lm2 federico:g2lm2s federmann:cl federman:a2s federrath:ch feder:a2emr fedorenko:aer
fedorova:m2nv fedorov:a4degi2rv3y fedoseev:a2eg2m fedotova:mp fedushko:s2 fee:ab fefferman:ab2c feger:mr
feghali:c2 feghhi:em fegley:b2 feher:adgk2t fehrentz:m2 fehr:afj2m feier:ac feifei:gz feifel:pr feigenbaum:aj
feigin:bem2 feiglin:ej feijoo:adfp feiler:cm feinberg:dflmv feinstein:acj3z fein:cdw feist:acj2 feitosa:ds
feit:ae feizi:aems feiz:hjs fei:ab3c3ef2g2h10j8k2l3n2q4r2s6t5w5x8y14z13 fekete:acjm2rst feki:hkm fekri:fmp
fek:e3hj2 felde:ims feldmann:a3cdim2r feldman:a2de3fh2j4kl2m2no2p2s4tvy3 feldt:hkmrw feld:ac felice:acgm
feliciano:egjl2 felicia:gm felicioni:gn felici:fgr felipe:acgjl2r2 felix:bcdfjkl2nst feller:a2cp fellner:adm
fell:il felsner:ls felten:bfs felton:rs fel:dmt fenati:afl fenaux:el fender:r2
feng:a10b20c33d25e2f15g19h53j69k20l39m27n5p12q30r25s48t12w32x70y124z74 fenton:ns fenu:fgns fen:gmx feola:af
feo:af2lr feraco:fp ferdousi:mt ferdous:jm2s ferenczi:lv ferenczy:as fereydooni:am ferey:en
ferguson:a4bh2j2npst2v fergus:pr ferhat:mr ferko:cr ferland:efg ferman:bd fermin:dj fermuller:c2
fernandes:a6b2c5d4e2f3g5h3j3l4m4n4p3r5t fernandez:a10bc2d5e7f3g5hi2j9l6m9n3p5r6s8tv6xy
fernando:a2bcijklm3n3pstz ferner:aj ferniqu:pt fern:ax feron:ej ferov:mr feroz:f3s ferrada:hs ferraioli:dg
ferrandez:aj ferrandis:j2 ferrandiz:bls ferrando:acfgjr ferrand:e2hjr ferrante:ace2fglm2s2 ferranti:il2
ferrao:j2l ferrara:a4ce2fm ferrarese:ls ferrario:amp ferrari:a4ce2f5g3l2m4npr3stuv2 ferrarotti:cfl
ferraro:a2df3glmnprs ferras:dm ferrato:am ferrazzi:gp ferraz:flm2opt
ferreira:a11bc3d3ef3gh2j5kl5m4np2r5s2t5v2w ferreiro:i2p ferrentino:ep ferrera:g2hjm ferrero:cg2i
ferrer:acde3g2j2l3m2p2r3sv ferres:jl2 ferretti:aefs ferret:jo ferre:dgm2n ferriere:a2kl ferrigno:bc ferris:crt
ferri:acfj ferroni:fgr ferro:fjl2nors ferrucci:df fer:d3glmn fesenko:ov feshchenko:bi fessler:aj fes:aj
fetanat:m2 fetherolf:jt fetzer:ct feuillet:dl feurer:mt feuvre:hlpr feuvrier:lv fever:eqr2 fevre:agl2st
fey:cdgmn ffayet:cr ffen:ow ffers:aj ffer:cd ffler:ac2dfj2k2m4rt ffner:ps3 ffy:a2cgk4lmp2s fiala:dgj fialho:lm
fiannaca:a2 fiaz:lmu ficarra:eg2 ficek:a2f fichera:els fichtel:cl fichter:cw fichtinger:ag fick:dr
fidalgo:egnp fidan:bm fidler:cms fiebig:pt fiedler:bcdgj3ms fieguth:ap fielder:acs fielding:bdk fields:b2c2jr
field:a2behj3kr2st fieremans:et fierro:cfr figini:lm figliolia:mt figuiras:as figuira:adj2mopr2
figuiredo:a2c2def2ghlmp3r2v figuras:abp figuredo:egl figuroa:a3c4dej2lm4n2ps filali:am filatova:ev filatov:dos
filatrella:dg filho:a4de4fgh2ij5l2m4pst2uv2 filice:frsv filimonov:dps filion:ce filiot:ae filipe:jlv
filipova:k2 filipovic:djms filippatos:ag filippenko:al filippini:fj filippi:egmps filippone:gm2 filippova:adk
filippov:a2f filippo:abfmos filipp:af filip:m2ps2t filos:aj filtser:ao fimov:im fina:ai finch:bjsw
findeisen:kr fine:a2j2p finger:cfmr fini:ae finkbeiner:bdjm finkelberg:mr finkelshtein:abe finkelstein:ajm2ns
finkel:ahmr finke:aj2l finkler:ju fink:ad2eg3hjlm3orsy finlayson:bgm2s finlay:cjo finley:a3bcj2 finner:ks
finn:cert finocchiaro:ac fino:gjm fin:gs fioravanti:adef2s fiorellino:es fiorentino:agm3 fiorenza:ad
fioresi:jr fioretto:dfn fiore:acfgm4s2w fiorillo:cdl fiorini:acefmps3 fiorio:l2 fiori:cfgm2 fiorucci:am
firat:ceo firestone:np firman:mt firoozi:ae firooz:hs firouzi:ef firoz:aj firsov:am first:u2 firth:cdjz
fiscella:s2 fischbacher:cjst fischbach:jl fischer:a5b2c2d4e2f2g2j9k4l3m10n2o3p2r2s4t6uv4w2y fisch:a2cn
fiser:d2m fishbein:gjn fishell:gw fishelson:mr fisher:a5bdgij3k4lm4np3r2s2twz2 fishman:adejlmosz fish:be2jkrs
fitch:gr fite:fk fithian:ew fitzgerald:bej2m2nprt fitzmaurice:gs fitzpatrick:adgjlmr fitzsimmons:a2mz2
fiumara:jv fix:aj fkimmiatis:s2 flach:bps flad:dm flagg:l2 flaherty:bdegkm2pr flaminio:rt flammini:afm
flanagan:de2gm2p2sw2 flanders:ams flandoli:fi flanigan:bjk flannery:bh flatt:ehj fleche:ej fleckenstein:fj
fleck:npt fleet:del fleig:elt flein:cs fleischer:djklmrs fleischmann:mnpr fleming:bc3ej2ms3w flemisch:bf
flemming:cj flerbach:b3 flesch:ejst fletcher:a2cg4j2kl3mprst3 fleury:lm3pr fleur:m2t flierl:am flight:cj
flint:ac2g2s flippo:km fliss:jt floch:bkmpr flock:fm flogel:d2 flohr:f2 flood:gi flora:jm florea:a4i
florence:mp florentin:dl florescu:adm flores:a4b4c2e4fg2hi2j7k2l2m5np2r3s3z florez:jl florian:fhlm3rt
floria:lp florido:aem florin:djl florio:acrv floris:ad floros:a2g2 floss:jt flotho:mp floyd:bm fluckiger:elo
fluhmann:ct flynn:bc4d3efj3lm3npr2v fner:hl fodor:afpvz fofadiya:dp fogarty:ck2t fogel:aef fokina:de
fokin:demo fokkema:hm fokou:ae fok:dhprw foland:al foley:acj2km4nprs folgado:dm folkerts:jl folkesson:jp
folk:js folter:cjnr foltyn:am foltz:aj folz:j2 fomenko:amv fomin:befs fompeyrine:dj fond:cfms
fong:bc2eh2jk2mpr2s5w3x fonoll:jv fono:an fonseca:a4bc3d2e4ghj3lpr3st3v2 fonsi:afl fonso:aefijst
fontaine:cdklm4n2sx fontanari:aej fontana:a3cfjm4nprsw fontanella:fg fontanelli:do fontecha:dm fontes:c2fh
fonte:crsv fontugne:jr font:a2fjsuw fooladgar:fm2 foong:acs foort:bm foote:ah2jm2rt foot:c2t2 foo:acdej3l3nsw
forbes:a3c2d2fg3j2mr forbus:k2t forde:djs ford:abc4d2e2j6m2nrs4tw foreman:bm2s3 forero:js foresti:ag
forest:c2f2r forey:ag forget:fst forge:a2bdr forghani:fkr forhad:ms forkel:bj formaggio:jl formanek:acjmp
formica:df formisano:aem fornasier:ams forner:fl forni:bfo forno:fgjs foroughi:nv foroushani:a2 foroutan:n2y
forrer:ajl forrester:cnp forrest:bc2jmos forsberg:dhpr2 forsch:cs forster:a2c2df2gh2j3k3lm2prst2 forstner:kr
forsyth:cdprs fortes:a2v forte:abcdflmrs fortier:adegt fortino:gw fortin:cj2mn fortunato:fjs fortuna:acnr
fortune:js fort:bg2j2nsv for:bj foschini:l2m fosdick:blr2 fossataro:cf fossati:elm2s fosse:a2nqtx foss:adekm
foster:a5bc3d3hij7lm2npst2w fostier:jl fotiadis:adfs foti:ns fotouhi:aj fouad:is fouche:ejs fouda:a2m3
foulon:bfp foumani:amnz fouqu:jpt fourie:cw fourney:ae fournier:a2cdfghl2mp2q four:abc2gmn2prt foutter:m2
fowler:ac2j3m2prst2z fowley:f2 fowlie:am fox:a6bc4d3e3g2ij9km2n2o2pr3stw fraccaro:mp frade:fr fraga:dejl
frahm:jkn fraile:fjlm franca:abcf3gj2lm2puv francesca:g2 franceschelli:gm franceschetti:lm2 franceschini:ms
franceschi:gjlprv francesconi:abo francesco:cjps france:fjk2l franchini:acfg2ns franchi:agmv franch:aeglx
francik:j2 francisco:adl francis:a2b2dgj3l2m2n2s franci:abl francke:hs franck:ejm2s francois:cj2l3m2npst3
francos:ij francour:m2sv franco:a6c3fg2j4lm5rs2tvz franczyk:bs franc:jv frandsen:am frangi:a2bj2 frangos:jp
frankel:a2e2ns2w franken:cpv franke:ab2cgj2kl2m2s3u franklin:abdij3m2t frankl:kn franko:ku franks:bc
frank:a3b2c2e2f2ghj6kl2m5nop2r5s4t2u franovic:ci fransen:cs franson:ak franzen:dhjt franzese:g2v
franz:a2dlm4nps frasca:ef2mps fraser:a4c2egh2jk3m3n2pr2sw fraternali:f4p frate:fj frati:fl fratta:g2
fraunholz:dt fraun:cd frazao:fl frazer:dejlmp frazier:dj2ps frech:fm freddi:df frederick:bce frederiksen:mtv
fred:ars freedman:dgjm2r2w freed:d2mr freeman:a2b2c2dehj3km2npr3stw freer:cjp frees:ds freiberger:bm
freiberg:rt freihat:a2 freire:a3cfijlmp2s2x freitag:dfjkm3nr freitas:a3bcd2e2f2ghj2lm3nop2tv frei:dfjms
frej:jm fremont:dv french:adeg2mnr3t frenett:ap frenkel:cdehi2 frere:drt fresne:elms freund:ajmnp freyberg:jm
freymann:ag freytag:aj frey:abc2d2e3fgj4klm5np2r2s5 frezza:fo frez:c2 fre:ep frias:defmo2 fribourg:lr
fricke:fm2 frick:fjntv fridberg:m2 fridman:adlnt friebe:em friederich:np frieder:os friede:dt friedlander:mn
friedland:go friedli:ls friedl:k3s2 friedmann:besy friedman:a3bc2d4egij3lm2nprs2y3 friedrichs:klm
friedrich:a2b3c3efgh2jlm2noprt fried:deijoryz friel:ejr frieman:j2 friend:cr friesen:aer2 friese:tv fries:jlt
frigerio:jmnr frikha:st frimpong:nst frisch:abjsuy frisk:aes frison:gpr fritsche:cemru fritsch:ast
fritzsche:bm3s fritz:acd3jl2mnrst2v frobrich:dj froch:jt frohlich:a3cdj3lm2rtv froidevaux:ac frolov:aes2t
froment:cj fromm:c2jms fronczak:ap froning:ch frosch:ms frose:rv frosst:mn2 frostig:dr2t frost:acdhmt
fruchter:ae fruh:mw fruin:mn frumkin:nrv frutos:jl frydman:ag fryer:c2dr frye:bjklm fry:a2c2enrv fsson:g2s2
fstrom:ht fter:ip ftin:ars ftus:ajt fuad:kmnt fua:hp fucci:d2 fuchs:a2bc3def3ghj7m4pr2st2w fuhrer:a2mt
fuhrmann:ijl fuhrman:ct fuhr:n2 fuh:cj fujii:dh3jk4m3r2st4y4 fujikawa:mns fujimoto:adghjk5nr2s3ty7
fujimura:hkty fujino:a2ht2 fujioka:ist2y fujisawa:ik2m2ny fujita:a3fh2k8m3nrs7t2y5 fujiwara:h3k4m2rst3y
fujiyama:ks fukada:hst fukami:st2 fukatsu:ht fukayama:ms fukaya:hnt fukazawa:ky fuksman:di fukuda:h2k6s3t
fukuhara:st2y fukui:ahk2ty fukumoto:y3 fukumura:k2 fukunaga:ar fukushima:hk3s fukuyama:hjmt fukuzawa:kt2
fulda:np fulek:kmr2 fullerton:a2 fuller:a4b2cde2g3jkl2s fulle:em fulop:t2z fulton:bkmn fumagalli:abf2gjm3
fumero:gm funakoshi:kn fung:a4bc2fgh2j2k3lmp2s3tvw2xy funke:fijmst funkhouser:rt2 funk:bcejm3nprs funmayor:dn
funtes:a3cd2fij2l2m2 funte:a4e2fjlmnpt fuoli:dm furfaro:f2r furieri:lt furlanetto:cs furman:adgko2r furniss:ad
furrer:cefr furst:abdefj2 furtado:ajlm furtak:lm furtes:cd furuhashi:mt furuhata:agt furukawa:jmrt2y3
furusawa:ahjst2 furutani:kmy furuta:hrty2 furuya:hk2rst2 fusco:af2gntv fushimi:kt fuss:hj futami:fh
futamura:rs futterer:jt fu:a12b14c37d20e3f12g17h47j54k15l29m19op12q14r17s46t22w20x58y99z65 fyodorov:y2 f:mps
gabai:bd gabay:adeil gaba:a2j2mp2su gabbard:jr gabbay:moy gabdullin:bmn gabelmann:jm gabel:gm2s gaber:j2m
gabler:j2mtv gabor:fhnt gabriele:fns gabrielli:a2df gabrielyan:ay gabriel:a2de2f3ijmp3s gabrys:br gabr:km
gaburro:er gachev:sv gac:e2p gadbail:gs gaddam:ahp gadde:adhmrs gadd:ms gadelha:ilm2 gader:pt gade:acrsy
gadgil:s2 gadillo:il gadiraju:su gadir:at gado:a7cdefhj6k2m3op2r2t gadre:av gadtke:jm gad:aes gaffney:cejkn
gafni:egoty gage:kps gagliano:a2 gagliardi:ag2l2n gagne:ac2djos gagnier:hs gagnon:fg2jp2s2 gago:aj2lp
gahlawat:ah gaihre:s2 gaikwad:a2dhmnp2sv gaillard:ep gail:abm gaines:abm gainutdinov:ar gain:a2bm gaire:ps
gaisbaur:fs gaiser:st gaitan:adm2s gaitonde:dj gai:ghj3k3lm2ns2wx3y4 gajare:ns gajewska:ek gajewski:adjmpr
gajic:r2 gajjar:jkpv gajo:jp gakhar:hi galal:akm galambos:ps galanis:adm2n galanopoulos:dp galanti:eglmt
galan:a2cerw galarza:cj2r galassi:afmv galasso:fj galati:fg2 galatolo:ag galaz:gz gala:abdhjmn2r2v2
galbraith:eis galdino:gjlm galdi:am galeano:dfls galeazzi:ar galea:mp galelli:cs galeone:cp galeotti:j2
gales:cm galetzka:a2 gale:abjlm2sw galib:am galic:i2v galimberti:eg galindo:cdgj2 galinski:m2 galizzi:gv
galkin:amo gallacher:nr gallagher:a2bcdfi2j5k3lm3n2p2rs2 galland:c2l gallardo:acdipr gallard:aj gallart:cj
gallegos:dijp gallego:bcd2efg2j3nos2v gallerani:ls galletti:gm gallet:bm galley:jm galle:mr galliani:ps
gallicchio:ce galligan:es galli:ad2fgm2ps gallon:dr gallout:t2 gallo:aefilm2oprsx galluzzi:v2 gall:acfhj2lpqy
galoul:bknw galstyan:at galtier:ms galus:dk galvan:a2d2gjp galvao:adw galvez:abe2lmps2 galvin:ct
gal:a2eghij2kmor4s3vxy gamage:abgilops2tuy gamal:a2kmz gama:f2jk gambardella:a2cglpr gamba:efimpr gambella:cm
gambetta:fj gambhir:amps2 gambini:jl gambino:nps gambin:av gambi:ace gamble:jpr gamboa:a2cdfj2l gameiro:br
gamez:jv gammal:a3j gammell:j2 gammon:er gamper:hj ganai:mn ganapathi:aiv ganapathy:achn2rs5 ganapavarapu:gv
ganathan:nsv2 ganatra:ds2 gandal:mn gander:am gandhe:a2s gandhi:a6bcd6ij2k2m6np4r2s7tv4 gandikota:krv
gandini:jm gandolfi:dglv gandomi:ai ganesan:a4bg2hkmp2ruv ganeshan:ars ganesh:a6b2gkm2n2ps4tv3 ganesyan:gv
ganev:gi gangadharan:kr gangal:dv2 gangemi:afr gangidi:a2 gangi:lm2 gangl:hp gangopadhyaya:a2
gangopadhyay:a4dkms2 gangrade:a2p ganguli:adkprs ganguly:a5d3k2np2rs12u gangwani:bit gangwar:amn
gang:abc2dh2p2rsty3 gani:a4g2hm2tv ganji:hm2s2 gannon:jst gannot:os gann:dk ganor:aos ganov:a2 ganti:am
ganz:adfjm2r gan:a3b3c13d3e2fg4h5i2j22k4l11m4nq5r9s9t3w15x4y17z20 gaona:am gaonkar:a3bnrsv
gao:a10b22c42d24e5f11g20h64i2j87k21l47m43n9p22q28r38s68t25vw38x83y144z106 garai:as2 garakani:am garanina:en
garapati:jv garate:mp garatti:as garat:ad garay:dfgl gara:sw garba:ip garber:abd garbe:fu garbin:es garbuz:at
garces:ehy garcia:a18b4c9d7e8f5g8h2i6j12k2l9m17n10o5p5r8s9t2v7wx2 garcke:hj garda:jo gardella:em garde:ghi
gardiner:elrs2 gardi:egh gardner:abc3d2h2ij7mrs3t garduno:e2l gard:bj garegnani:g2 garello:klr gare:gl
garfinkel:bt gargantini:a2 gargate:im gargiulo:a2fg gargouri:ir garg:a29bcd3h2i2jk10lm6n4op6r14s30u2v9y
garibay:io gariboldi:cf garifullin:ak garikipati:ak garimella:ak2r garimidi:ap garin:afj garipov:rt gari:a2s
garland:dehij2n garlapati:bs garmon:de garner:aknpr2 garnica:gjkr garnier:a2j2mnp garofalo:a2dmn garousi:mv
garov:gk garratt:dm garreau:deg2j garrel:cms garrett:cgj4mps2tz garrido:a2cd2efg2j3lm3np2qrsv2 garriga:a2jt
garrigos:g2 garrison:jl garrod:or garrote:el garry:gs gartner:gmt garufi:af garvin:ae gary:cdk2t
garza:a2dj2lmopr2 garzon:alm2s gar:a2emp gasawara:ers gascon:a2cj gashkov:am gashti:ms gasic:am gaspard:cp
gasparian:a2k gasparini:as gaspari:fim gasparotto:fps gasparrini:dm gasparri:ad gaspar:dgl gasperin:ef
gaspers:js gasper:ac gassen:be gassert:jr gasser:or gasse:br gassner:cg gastaldi:jlm gaston:cdk gast:cmn
gasulla:dim gas:dkmp gata:ahjkty gates:acd2ejkz gate:gm gatica:cg gatin:iv gato:j2 gatsis:kn gatta:tv
gatti:abcm2n gatto:bj2l gatz:em gat:aci2v gaucher:eprsv gauch:jrs gauci:jm gaudel:br gaudet:b2ms gaudin:ept2
gaudio:afj2ls gaudry:ap gaud:n2 gauger:en gaughan:lm gault:abl gaul:acgk gaunt:jrt gaurav:a2gkns gauri:ab
gaur:abcghm3rs4vy gaussier:eh gauss:jt gaus:jlry gautam:a10bdg2km2n2or2s14vy gauthier:a2b2c2d2e2gj2lms4t2vy
gautier:gjn gauvin:lr gau:ce gavaldon:am gavas:es gavin:apt gaviria:dj gavish:ln gavranovic:bs gavrilov:dnp
gavves:es gawade:gp2 gawa:acehkmnrs3t6y2 gawde:as gawel:a2p gawlik:erw gawron:gp gayari:gv gaya:jm gaynor:dm
gay:agijmnp2s2 gazda:ej2m gazdik:pz gazeau:ijm gazit:hlst gazi:az gazzola:ms ga:sz gbonna:ij gburek:t2 gbu:dh
gden:jrst gdeviren:ou geard:bn geary:jsu geatti:l2 gebaur:ds gebbe:cm gebbie:gst gebert:jm gebhardt:c2hkmr
gebhard:aop gebhart:st gebral:nt gebremedhin:kt gebru:it gedawy:or geddes:hj2m gedeon:mt gedik:eghn
geerarts:dg geers:gm geerts:fjm geer:cens geest:dr geeter:fn gee:a2cgj2kl2m2p2s2t2w gefen:dsy geffen:egs
gegenfurtner:jk gehlert:jt gehlot:bps3 gehrig:dm gehring:cdjl gehrke:bjm2ns gehrlein:j2 gehrmann:cst geh:rs
geib:mn geier:jms2 geifman:ay geiger:a4bdefjlnr geiges:hj geipel:aj geiser:acjt geisler:d2j2mns3w geisse:ks
geissler:a2d2fkn geiss:cfm2r geist:a2clm geis:es gekhtman:im gelardi:fv gelbukh:ai gelder:dem gelfand:aj
geller:abdjm3s gelli:nv gello:gl gelly:gj gelman:abhs gelmini:gs gelpi:jr gel:blsy gemann:hp gemeren:clr
gemert:j2 gemma:pr gencturk:imy genc:e2fhmosy gendler:an gendre:afx gendron:bg2q gendy:ah genest:bf
genevieve:ks gene:ijms gengenbach:tu geng:ab2c6d4ef4g4h11j19kl8m4pq2r3s11t4w5x11y23z18 genin:afkm
gennaro:acfg2jkmnv genoud:ls genova:gkv genovese:c2fl gensel:bj genstein:ilrs gens:dm gentile:a2bc2f3mnpy
gentilini:lr gentili:eg2 gentry:dhr gent:adfi genzel:dmr gen:fi2jprsy geoffre:t2 geoffroy:ty georgakopoulos:an
georgantas:cn georgescu:a2bgimrs2t georges:amrt george:a11c2d3e2f2gij7k3l2m2n3r5s6t2y georgiades:mp
georgiadis:alv georgiev:bdfgik2nprt georgiou:a6c4e2g3jkmnop2s2t3 georgio:rt georgoulis:ems georg:cdn
geraci:ag2m geradts:j2z geraldo:ep gerald:ajt gerami:af gerard:abj3l2np2s2uv gerasimenko:mn gerasimov:girv
gera:adh2p2rsv gerber:abcdfgips3t gerdes:dklmr gerdts:fm gerek:o2 gerhardt:ims2 gerhard:op gerhold:m2 gerin:bm
geris:ns geri:cst gerken:afj2m2 gerke:ms gerlach:c2dl2rs2t gerlek:ms gerling:kr gerli:am germain:fp
germani:cdefs2 germann:cijt2 german:de2fg gerner:aj gerosa:df2m gero:stz gerrard:ai2w gerrits:bjkt2
gersbach:hk gershman:ads gershon:gt gerstner:csw gerum:cpr gerven:lm ger:a3bc2defhk2orstv gesbert:dn
gesmundo:af gessler:nt gessner:amosu gestin:lm gesualdi:dm gesu:gl ges:acdjt getachew:nty geti:js getman:fy
gettings:ck geurts:ar geus:dt gevart:co geva:amt gevers:it geyer:fhlmprtw geza:gos gezerlis:av gezer:ein
ge:ab3c17d4e2f4g3h13ij37k2l14m13n2pq4r9s23t5w13x21y46z23 gfeller:bk ggal:cms ghadar:sy ghaddar:abk
ghaderi:efjp2rs ghader:hm ghadiri:fhn2 ghadi:fr ghafari:amps ghaffari:ahm3nrsz ghaffar:hkm2su ghafoor:a2m3sz
ghafourian:am ghafouri:amsv ghahramani:hm2z ghahremani:fms ghai:abgmu ghaleb:et ghali:a2fm ghaly:hmp
ghamdi:ae3f2hlm2r3s3z ghami:hms ghammam:al gham:cdgj3rs ghanatian:ah ghanbari:a3 ghandour:ar ghanem:a3b2klm2r
ghani:a2bhm2ors3 ghanmi:ai ghannam:afs ghantasala:al ghanta:s3 ghany:km ghaoui:lm gharat:hs gharbi:mor
gharghabi:as2 gharibian:ds gharibi:ms gharib:am5s ghari:ps ghasemi:a3fh3km4nprs2 ghasemzadeh:h2kms
ghassemi:bfm3p2 ghatak:agk ghattas:bo ghat:m2 ghazai:eg ghazaleh:amn ghazal:anz ghazanfari:a2mns ghazaryan:ag
ghazizadeh:amn ghazi:a2bekmn gheisari:msy gheorghe:as gheraba:im gherardini:lst gherardi:bg ghezzi:c2p ghe:ay
ghiani:d2gl ghiasi:aegnsz ghiasvand:s2 ghias:a2 ghidini:cv ghigh:rs ghilardi:dls ghimire:a4bd2gmp2rs4y
ghinea:d2 ghini:dv ghiringhelli:lp ghisi:ms ghitany:mn2 ghita:a2bd ghiya:r2s ghi:ad ghmani:nr ghobadi:kms
ghodrati:hm ghodsi:a3 ghods:knr ghofrani:ap ghojogh:ab gholami:a3bm2p2s2z gholipour:aj gholizadeh:ms ghomi:m2r
ghonim:m2 ghorani:by ghorashi:s2 ghorbani:a3emn2s4 ghorbanpour:a2fs ghorbel:aeh ghori:ds ghosal:a3bd2gkmpr3s4t
ghose:a3dps7 ghoshal:abd2ghks4 ghosh:a43b3d15ghi3jk6m8n4op11r17s90t7u2 ghosn:wy ghouse:hn gho:bs ghrayeb:al
ghton:es ghuman:hkp ghyselen:a2 giacalone:gjs giacchi:eg2 giaccone:pt giachino:eg giacobbe:fl giacomelli:ps
giacomini:em giacomi:ems giacomo:adeg2p giahi:mr giakoumoglou:np giammarino:lv giang:bklmn giani:fl2
giannakakis:gnp giannakis:dg giannakopoulos:cpty giannelli:ce giannetti:fg giannini:acef2g2t giannino:fg
giannone:dg giannoni:aj giannopoulos:agi giannotti:cfm giaquinto:gn giarda:g2 giardini:d2 giardino:gps
giarrusso:fp gia:bpqt gibaud:alt gibberd:a2 gibbons:c2dkp2s gibbon:dpr2 gibbs:a2cehijklmt2 gibb:ek giberti:af
gibert:dlmo giblin:bj gibson:abc3de3g3hj4kmns3tv gicqul:am gidey:gh giebisch:dr giela:mp giel:ms gienger:fm
gierke:jw gier:cj2r giesecke:ak giese:ae2hm giesl:jp gies:cd giffin:ajp gifford:hw gigante:ns giganti:af
giger:am gigi:nry giglio:fmr gigli:ln gigure:c2p gihara:am2t2 gilabert:jt gilad:ao gilardi:fg gilat:mt gila:am
gilbert:a2ce2fh2j3k3lm2n2opst gilboa:bgns gilch:al gilda:s2 giles:abdm3n gilg:jo giliberti:em2v gillani:ins
gillard:jmw gillen:es gillespie:ajkmrt gilles:cmrt gillette:j2 gillet:lns gille:gp gilliam:a2 gillick:dj
gillis:cntz gillivray:bgt gillman:aens gilly:cl gill:a5c2deg2j2k3m3np3qr3s8w gilman:ademr gilmore:acegjr
gilpin:alw gilroy:js gilson:a3m2s gil:a2d4g3hij5lm2np2r2s3ty2 gimenes:np gimenez:a2ej2m2op gimeno:bfj
gim:ghij3m ginder:ce gindi:a2 ginel:am gines:bl gingras:my ginige:jny ginis:pv gini:fm ginnis:dj ginn:bm
ginot:fg ginoux:jn ginova:eoy gino:ay ginsberg:mnz2 ginsburg:abj ginter:fp ginty:bh ginzburg:d2opsv2 gin:abckr
gioia:dflms giordani:jm giordano:ac2d3f2gl3m2rs2 giorgetti:al giorgini:lp giorgi:afjpst giouroukis:dp
giovanis:dg giovannetti:ae giovannini:ag2lmsu giovanni:aem2r gio:s2y gipson:bp giraldi:gjl giraldo:a2bhj4ly
girardi:l2m2 girardot:at girard:a6bgij4mn3rtv giraud:afprs giray:gl girdhar:arsy gireesh:en girgin:hs2
girgis:a2hr giribet:gj giridharan:an girish:amps2u giri:a2d2fgjm2p2rs6u girma:abe girmenci:as giroire:bf
girolami:dim giron:a2dj girouard:a2 giroux:m2 girshick:ar gisbert:ms gisler:il gitau:as2 gitman:div
giudice:dgn giudici:am2p giuliani:a2dlx giuliano:bmpv giunchiglia:e2fv giunchi:cdef giuntini:lr giuseppe:gm
giustina:dm giusti:a2c2l2 giusto:acp gjergji:ai gjoreski:hm gjorgjieva:js gladders:m2 gladman:bh gladstone:ac
gladyshev:ev glandon:ar glandorf:dp glaser:c2dfj3nps2ty glase:am glasner:cy glasser:a2jm2r glass:bjklmst
glavan:cd glavas:g2t glazer:a2dik2nt glazkov:dn gleason:cj2s gleeson:fj2o glehn:it gleicher:mz gleissner:cj
gleize:mp glenn:jp glen:ejr gler:jlt glickman:mo glick:bdjo glidden:ad gligoric:km gligorijevic:dj glikman:ej
glinka:my glinsky:gm glio:jmp gli:bcfr gloagun:prt glocker:bkm glock:cj glover:a3fkrst glowacki:bdgjm2
gluck:adj2mt glukhikh:di glynn:c2dp gnanasambandam:ar gnanasekaran:ar gnan:aj gnecco:gn gnedin:n2ow gner:r2s
gne:aj gnino:agi gnum:fv goad:m2 goan:eh goa:cpx gobat:cr gobbert:jm gobbi:am gobel:cgkmprsu gobl:rw gocen:em
gockel:dj godaliyadda:dr godard:abe goda:hk2mt godbole:a4mnsv godbout:jm goddard:bc3jlrw godden:e2t gode:hils
godfrey:ab2p godinez:jw godinho:jl godin:cgmy godoy:chj2mnr2w godrich:hr godse:aory godwin:dop goffinet:ej
goff:m2 gogate:mv goggins:ms gogineni:ty gogoi:cdp3rs gohad:dm gohari:amps goharshady:ae gohary:an gohar:ghiu
gohda:my gohel:ch gohil:a2cdmrv2 gohring:adj goh:abcd2e2gh5j2k3mrs3t2vwy2 goikotxea:j2 goisman:z2 gois:ajt
gojayev:st gokay:du gokcen:dm gokce:ao gokhale:a3hlmpst gokirmak:as gokmen:abcdmt goksu:dmo goktas:dp gokul:av
gok:a2 golab:lw golani:gmv golan:abi2ns3t gola:s2 golchin:ams goldberg:a5bcd5ehijk2lnpy goldenberg:a3cdemr
goldenstein:ci golden:adej2ks golder:a2 goldfarb:aber goldfeder:js goldfinger:ds goldgof:dg goldie:a2
goldin:agijr goldman:a3d2ghij2m2nors4w goldner:kr goldrick:am goldring:sw goldschmidt:cr2 goldshtein:abs2y
goldsmith:adhmprt goldstein:a4bcde2gh2ijlm3r2s4t goldwasser:djs goldwater:ds gold:bcd3gij2klns golestanian:mr
golestani:m2n2 golestan:ks gole:mrs golikov:ep golik:p2 golizadeh:mn goli:aflp gollakota:aps2 gollapudi:st
goller:ejs golnari:ap golob:al golovaty:dy golovin:dgk golpayegani:dz golshan:mr golubchik:lm golubev:aknsy2
golub:am3 golz:lp gol:a16cd4efg2h3ijk5m6np6r5s12v4y gomarsino:ms goma:a2w2 gombolevskiy:v2
gomes:a9b2c3d2fg5h2j4l5m3np3r3st3v2 gomez:a16c8d4e4f6g2h4i3j7kl10m8n3p6r4s4tv4y2 gomis:jmp gomi:ek gomulka:aj
goncalves:a4bcd6f2ghi2j2klm2np2r4t4v2w goncharov:a2bfm2nos2 gonda:rt gondkar:ak gond:pr gonella:gs gonen:hr
gonera:cj gongora:ajs gong:a2b17c19d7e3fg7h26j42k7l17m11n4p8q6r9s30t8w18x42y48z51 gonka:ams2 gonon:alt
gonsalves:mrt gonthier:jmn gontier:dn gonzales:ce2jkmorsv gonzalez:a19bc9d5e8f5g9h2i6j14l7m12n4op4r4s5v2xy
gonzalo:ac2dj3r3 gonzalvo:jx gon:im goodall:alrt goodarzi:a2hmp goodell:adg2 goode:bds gooding:ds
goodman:abd2e2gj3nr2s2t goodrich:km goodson:ks goodwin:a2jmrs good:bdjm2r2z gool:ls goossens:js goos:jm
goo:ej3s gopakumar:mv gopalakrishnan:ag2k2rs3v2 gopalan:abd2knpsv gopalswamy:kn gopal:abmpr2s5tv2 gope:ns
gopinathan:amrsv gopinath:a3d2kmrs goppert:aj gopstein:d2 gopu:bv gorai:ps gorantla:as gora:cep gorbachev:dmr
gorbunov:demrs gorce:ajmx gordeev:adl gordillo:gp gordon:a4b3c4d2e2g2ij4k2lm4o2rtwyz gorecki:jtw gorelik:en
gorenstein:m2 goren:adgns gore:a2jmr2 gorgen:ck gorges:dt goring:ms gorin:av gori:amp gorji:ahm gorke:c2
gorla:a2d gorman:bdgj2mnpr gormley:im gorny:bw gorodetsky:a2io gorriz:jm gorshkov:aim gorski:fm4n gorsky:am
gorthi:dnr gorti:a2u gortler:ms gortz:fi gorur:bd gorzalek:am gosain:ds gosai:a2 gosal:go gosavi:as gosch:lt
gosgens:jm gospodinov:eg gosselin:abcp2 gosset:ds gossling:an goss:jq gostino:dgm2r
goswami:a7d6j2k2lm5n2p4r5s10uv2 gos:ac2jm2np gote:ac gothals:abs gothe:ds gotoh:my goto:a2ch4k4m4rst3y2
gottesman:d2oz gotte:m2t gotting:jn gotti:f2m gottlieb:ejlos2y gottl:qs gottschalk:bchs gottumukkala:r2
gottwald:gst gotze:cfks gotz:ce2fgk2l2m4np2s3t got:em goubran:mr goudakis:kp goudarzi:m3s gouda:am goudet:o2
goude:ay gough:ajt gouic:nt goujard:eg gouk:dh goulao:m2 goulart:mpv goulding:ajrs gould:a3dghjkm2nors2tv
goulet:mnt goupil:a2d gourdeau:fp gourdon:bt gourevitch:bds gournay:af gour:ns goustidis:af gouveia:jl
gou:bc5d2f2gh3j5l4mq3rs2w2x4y8z5 govc:dw govern:hjr govil:aims2 govindan:rs3 govindarajan:cd2hn2ps4v2
govindarajulu:ny govindaraju:brv govindaraj:nv govindasamy:dst govind:mnry govoni:fm govorov:a2 gowan:djs
gowda:dh2ikm3nps2t2 gower:a2mr goyal:a16bcdgh3i2k3m5n6p10r3s20tuv6y goyanes:m2 goya:ku goy:acdv
go:a3bcde2g3h3j5k2m2s4y3 graber:djmv grabner:hjop grabovski:f2 grabowski:bfhij2k2p graca:m3 grace:ek3m2v
gracia:eij gracie:r2 graczyk:dp gradel:ej grady:acekprt grafe:a2jr graff:acm2
graf:ab2cd2e4fhj3l2m7n2opr2st2uvw2 graham:a2b2c4d4ejlm4prs5w2y graichen:kn grainge:ko grama:a2l grambow:mn
granada:adr granados:a2d2eg granado:dp granata:afgrv2 granato:g2 granberg:ft granda:cp grandean:mv
grande:abce2glmr grandhi:rs grandis:ds grandi:dnpu grando:lr grand:a2e2fglmnpr2 granelli:afr granell:ac2
granese:fn granger:bceln grange:a2c2efm2prs grangier:dp granot:ejn grant:a3bc5d2e2gj2lmprs4z gran:adfmu
graser:cm grassa:ar grasser:alm grasse:lo grasshoff:gu grassi:djmprt grassl:ip grasso:df2jm3v grass:dehjrw
gras:adu grater:fj grath:bc2degj2ms3t2z grattan:ak gratton:rs3 gratzer:ds graur:dkmo grau:beisv gravel:cd
graves:a2c2de2iksw grave:ejkmrt gravina:adm gravish:n2 graw:im grayling:m2 grayson:dfjs3
gray:a6bc4deghj2kl2m2r3sz graziani:c2fl2m2 graziano:fm grazian:ac grazia:cl2 graziosi:fp gra:adn grbic:djrs
greathouse:at greaves:dl grebe:aj grech:jm2 greco:a3c3e2f2gijkls2 greenbaum:a2s greenberg:cdij4mnoyz
greenblatt:mr greene:bc3d2j5k2mst2z greenspan:hm greenstein:dj greenwald:a2 greenwood:lm2nr
green:a7b3c4d4e2g3hj5k4l2m5op3r3s3t4w2y greer:abhj2kmrst gree:aj2 grefenstette:be gregg:bc3dr gregio:ai
gregorio:agjlps gregori:dg2l gregory:acdj3k2mp2rt gregor:cgij2k2m3p2st gregson:ft greiff:msv greif:cgjkrz
greig:br greil:gh greiner:a3jmpr2st grekov:an grelier:ens grell:gn grenier:aist gren:alp greschner:ls
gressel:go gretarsson:ae gretton:ac greven:as greve:agh2t grewal:abdgjr grewe:bdj grew:bek grice:cjt
griebel:most grier:cd2 griesbach:cmt griese:fm griesser:jm griesshaber:dn grieve:hjks
griffin:a4b3cfhj5lop2rst2 griffiths:c3deh2jn2r2st griffith:adehj2sv griggs:tw grignard:an grigorescu:eis
grigorev:adgnr grigore:dei grigoriadis:akp grigorieva:iv grigoriev:drv grigori:dl grigoropoulos:di
grigoryan:g2l grillo:acmns grill:j3mr grilo:a2fv grimaldi:acdegl2ms grima:ar grimes:d2mpr grimmer:grt
grimme:bc grimminger:afj grimm:c2dgjklpruv grimson:mr grinberg:acd2jlmnpv2y grindle:dr grindrod:jp grini:els
grinsztajn:ln grinten:am grishchenko:i2 grishina:aet grishin:a2ek grissom:aw griswold:gm gris:ls grober:rs
groce:a2 groff:mt grogan:efpt groger:fs grohn:ot grohs:mp groh:fgjm grolleau:fw groll:alt gromada:dj
gromadzki:m2 gromova:ae gromov:a2dkn grondin:frs groner:jl groneveld:dmw gronewegen:jmpr grone:jn gronlund:a2c
gron:jmpr groom:l2ms groote:j2msw groot:dhjm2npst groppe:js gropp:jw grosdidier:sy grosjean:gjmt grosman:jr
grosser:cm grosset:p2 grosse:ghj2klnr grossi:adefjm2r grosskopf:em grossmann:bdegirs grossman:adjlmnor3t3y
grosso:l2mnp gross:ab4c2d2e2fhj4l2m5npr5s2t2w2 grosu:acr gros:acdjqs2t grote:gh groth:c2fops grotto:ag
grover:a2cgh2j5k3m2p3rs4tuv groves:bikw grove:st groza:ab gro:di grubert:gj gruber:a2cd2ijk2l2mnpstv grube:bs
grudic:m2 gruiro:im grujic:mn grundel:lm grundler:gx grundmann:m2ps grundy:j3r grunert:dr gruner:d2mt
grunewald:er grunhagen:ds gruninger:cf gruning:ads grunwald:d2mprt grun:adj gruson:af gruszecki:ay gruszka:dm
grutter:j2p grzegrzolka:jp grzeszczuk:mpr grzybowski:blp gtson:jls gtsson:efkl2mo guachalla:b2 guadarrama:ajs
guaita:lt guajardo:ajl gualtieri:bl guangyan:cz guang:cj2lmqs3z
guan:a3b6c9d8ef6gh22i2j29k7l8m4n3p4q11r5s13t8vw18x24y40z29 guardia:or2 guardi:cg guardo:ag guarino:fg2v
guarnera:dfghl guarnieri:am guay:aej2ms gua:jw2 gubanov:fm gubarev:ev guba:ov guccione:gj2 guchi:cdh3jks
guclu:oy guda:bv gudes:ae2gm gude:amv2 gudi:astv2 gudla:gv gudmundsson:bej2 gud:bv guffey:ac guggisberg:mt
guglielmi:aemn guglielmo:g2 guhan:mp guhathakurta:kmps guha:a5deklnp2rs8t guia:cm guichard:alo guida:clm2v
guidi:bf2g2mt guidolin:am guidone:g2 guidotti:pr guido:ijr guigu:tv guijarro:cl guillaume:bcs2 guillaumin:ajm
guillemin:fjt guillem:mr guillen:a4cj2m2npr guillet:afst2v guillon:l2 guillory:dt guilloteau:cs guillot:abjt
guilloux:af guillou:bl5 guimaras:efhmnpr2s guinard:a2bs guine:ckmo2 guinness:dhjkm guinot:aj guin:aosu
guire:bejklm3s guizani:m2 gui:a2bc5d2fg4h5j6k2l9m2npqr3s4t5w2x8y10z7 gujar:ds3 gujral:ag gulati:a8imprs2
guldemir:ny guler:b2i2r gulhane:ar gulhan:afm guliani:dk gulino:cg gullapalli:abk gulluk:hi gull:aegmst
gulmez:eg gultekin:fkoy gulwani:ds gulzar:hkm2uy gul:abh2ms3y2 guman:ej2 gummadi:ksv gump:aj gumus:a2ikm2o
gunaratna:ak gunaratne:ct gunasekaran:ks gunasekara:cknrs2 gunasekera:ck gunas:e2m gunatilake:ah
gunawan:a2de2gijp gunawardena:jnp gunay:bm guna:a2cim2s gunda:csv gundecha:pv gundelman:e2s gundersen:bg
gunderson:ns gundlach:hr gundogan:cm gundogdu:ae2 gunduz:dy gunel:bs gunes:befhpu guneysu:bm gungor:go3
guni:km gunjal:asv gunji:sty gunnarsson:f2o gunnec:ad gunn:abelm2s2t gunter:bcdgnstv gunther:bcf3j2m5npsu
gunzel:mt gun:d2js guorguieva:ae guo:a12b28c60d36e8f21g27h89ij149k26l52m40n7p25q44r37s89t35w54x103y177z145
gupin:cf gupta:a110b5c7d21e4g10h9i8j7k29l4m27n19o2p34r36s91t9u3v23 gupte:kmn2sv guragain:as gurard:gm2
gurau:cr gura:fm gurbuz:acfmsty gurcan:mo2 gurel:bmn gurevich:densy gurgul:hv gurini:lm gurin:ac3def2jkstw
guri:dhm3y2 gurjar:amnopry gurkan:cfgh gurney:an gurram:bp gurraoui:cr gurra:a4c2defl4m2or2sv gurreiro:abjns2t
gurrero:a4c3degj3m5n2p2r2 gurreschi:gp gurrieri:ag2l gurriero:e2m gurrier:mrs gurrini:ers gurrin:cl gurrola:an
gurses:msy gursoy:cdem2orsu gurtler:ln gurumurthy:ksv gurunathan:rt gurunath:np gurung:a3bdgikmrt
guruprasad:npr gururajan:ag guru:am gurvich:aiv gur:sy gusak:a2dj gusdorf:aj gusev:inrvy gushchin:a2n guslu:an
gusmao:fkp2 gussoum:az gustafson:jlp2s2 gustafsson:dfhlmnt2 gustavsson:aejk gustine:bjkm gustin:cdijm2r2
gust:bcdej2ort2 guta:abjs gutekunst:ks gutermuth:lr2 gutfreund:dp guthier:bc guthikonda:sv guthrie:bdj2m
guth:af2lp gutierrez:a6bc5d3e3f2g3hij5l2m6np2r3s4vy3 gutin:dgrs gutkin:ab gutmann:agm gutman:dy gutow:bg
guttal:pv gutta:d2nr guttenberg:nr guttmann:jk gutu:bn gutzeit:jl gut:abjs2 guvara:a3cjlmn3prvy guvenc:bil
guven:a2cegis guyader:ac guyard:ft guyer:djrs guye:as guyon:ijo guyot:cs2 guy:eg2hijlrswy guzel:am guzik:amw
guzman:a5d2e5fgij7km6nosv2z guztuzun:co guzzetti:fs guz:ab2cehimnosyz
gu:a7b12c26d10e6f6g6h35j56k8l21m18n9p7q20r11s32t21w24x49y77z48 gwak:cdj2km2 gwe:bc gwilliam:mo gwon:dh2jm2y4
gyamfi:klmy gyanchandani:bn gyawali:np2s gyimesi:m2 gyongy:ik gyori:abe g:a3bcd2fg4hkm2n2r2stvy habashi:ay
habashy:ak habchi:sy habeeb:hmr habel:a2knu haberland:mr haberle:m3 haberl:fj habermann:emt haber:a2ein2s2
habibian:a2s habibi:aghjm3nrs2 habibollahi:fm habibullah:ah habib:a7beg3jkm3n2rs4u habi:hs habler:ei hacek:dr
hacene:gk hachem:eps hackel:lt hacker:cpr hackett:adfm hacke:lp hacking:pr hackl:acjklv hackmon:al
hackstein:jm hack:cjr hacohen:egsuy hadadi:bm2y hadad:beg2no2v hadar:cgops hadatty:j2 hada:kr2s haddadan:fs
haddadi:fhs haddad:ad2f2ghjk2lmny2z haddou:m2rsy haddow:bl hadfield:eghms2 hadhoud:ms hadidi:nt hadid:a2lo
hadikhani:p2 hadizadeh:hz hadi:a2h2ilm2s2 hadler:djn hadley:ad hado:a2bcdf2gi2j3kl4m3np5r4stw hadri:ak
hadwiger:ms hady:akm2 hadzic:a2i had:m2py hafeez:ahm2 hafezi:mr hafez:fim2w haffar:gm haffner:cm hafid:as
hafiz:af2 hafner:adfgr2s hafsi:ah hagan:ab haga:at hagele:ams hagemann:a2fjkn2w hageman:jt hagen:ab2cejlmst
hager:acg2j2p2s2tw hage:kt haggag:ko haggard:bd haggstrom:c2eij hagg:acl haghani:km2p2z haghifam:m2
haghighat:ab2gm2s haghighi:a2bf2hmnpsty haghi:abh haghparast:a2m hagiwara:ack2mty3 haglund:ejl hagmann:mp
hagos:demy hagstrom:ls hagu:c2dem hag:a2cdfjmrs hahm:dhjsy hahner:jm hahne:fj hahn:a3bc4de2fghj4l4m3nos7t2uv
hah:hjl haibo:wy haidar:ah2ms3 haider:a5bcgi2jm4ns3t2u2z3 haig:ae haija:bhs hailey:ace hailu:dhj haimes:jpr
haime:def haimovich:a2dh haim:e2hkmprsz hainaut:cdo haines:c2m2r haine:lps hainline:ak hain:ejrst hairer:em
haitjema:js hait:ads hai:b2dfj2l2m2np2rtwy2z hajdu:agl hajek:mp hajiabadi:m2 hajiaghayi:m2 hajian:gkr
hajira:as hajizadeh:hms haji:afn hajjar:einr2 hajji:ehmr hajj:ior hajnal:j2 hajri:ahim haj:jlm hakami:hv
hakimi:a2fhins2 hakim:a2ghklmr2s2z hakkinen:jt hak:hlnr haland:bs2 halasz:gp halawani:hs halawa:hm hala:en
haldar:acdjnr2s halder:a5b2cdgik2l2p2s8t2uy haldimann:dj hald:dn haleem:hy hales:a2c halevi:aet halevy:am
haley:c2 hale:bcdgij3ms2 halford:am halilaj:el halimeh:jm halimi:a3 halim:a3efijmnos3y halina:mp hallac:ir
hallal:a2 hallam:j2m haller:aeg2lmp2s halley:km halle:as halliday:ij hallinan:dgs hallin:am halloran:j2
hall:a5b2c4d2e3g3j3k2lm8no2p2rtvxz halperin:bdeit halpern:abdjmpy halterman:ar halter:m2 halverson:js2
halvorsen:p3 halvorson:st hal:a2b2cjlp2rs4v hamadache:cr hamada:ah2kmnrs3y2 hamadi:amr2 hamadouche:am
hamad:bd2hklm4n hamaguchi:k2ty2 hamalainen:jm2prt hamandi:hm hamann:f2h2jt2w hamano:ms haman:gm hamasaki:mn
hamazaki:rt hama:kr2ty2 hambarde:kp hambleton:is hambly:fn hamdan:efhmsw hamdi:a2dfgil2mrsty hamedani:ak
hamed:a3ehikm3s hameed:a2fim4s2z hamelin:bjp hamel:ac2nst hamerly:gr hamer:jmps hames:hp hamidi:ahm6s
hamidouche:kmw hamid:adhij2km3n4or2 hamieh:hi hamill:kr hamilton:a2bc2ehjk4l2m3rstw hamlin:dnst hammadi:a2m
hammad:aim4oz hammami:h2 hamman:afj hamma:mr hammel:hj hammerschmidt:mt hammer:ab2c2fh3jm2npr hamme:dht
hammond:agj3k2lm3r2t hammouda:cimnt hammoud:abhimnr hammou:dey hamm:abjkl2m2t hamon:fg hamouddou:ms hamoud:adk
hamou:be hampe:jn hampshire:ar hamzaoui:ir hamza:a5ijm4stwy hamzehpour:ah hamzeh:a3bh ham:b2cd2gh2jm2ps4y2
hanada:gmt2 hanafi:im hanafy:rw hanai:mrst hanaka:ot hanania:en hanany:als hana:bcjnrtw hancock:a2ehj2m2prs
handa:adgknstu handel:mp handler:j2r handley:j2m2w handschutter:lp hands:al handy:st hand:ceps haneda:k2
hanel:apr haney:c2s hane:cjm hang:c2f2h2kl2mpqrs4t2wxy4z hanif:a2ims hanika:jt hanisch:mp hani:bcdms2
hankache:rs hankemeier:mv hanke:bfmstvw hankins:kmr hanks:bet hanley:bcdhmt hanlon:akl2w hanly:as2 hannah:gl
hannan:adek2mst hanna:a4c2de2j2km2nos3 hanning:cg hannon:bcs hannoun:ck hanoglu:lo hansch:arw hansel:cdmw
hansen:a5b3c8d2f3h2j6k2l3m6n2op4s3t6w hanson:a3bcde2ghjlm3nprs hanssen:bn hansson:ako hans:adkmps hanus:jm2rv
hanyu:ht3 han:a10b26c41d39e6f15g19h47i7j116k29l31m29n10p20q17r33s104t30w36x71y109z68 haonan:tz
hao:a6b6c22d5ef7g8h21j32k6l14m3n4op7q12r10s16t8w10x25y65z28 hapuarachchi:kpt haqu:a4ef3h2ikm11n4r3s6t
haq:ab2efh2i4m2ost harada:a2ck7m5n3r2s2t4y haraguchi:dhlt harake:es haramaty:ey harandi:am harang:fr2
haran:amos harari:dg3y harary:ms harati:am hara:acj3k3nr3s2t3y harbi:a2fhm3no2r2s3ty harbola:cm harborne:dk
harb:aejmrs2 harchaoui:sz hardan:os harder:delpt2 harding:acej2ms hardin:cdjst2 hardi:jl hardt:dfm2
hardwick:bj hardy:acde2ilm3nr2t3w hard:ap harel:dilry2 haren:hj harer:ejls hare:bcfj2k2nsw hargis:ajs
hargreaves:bcejr haridasu:bs hariharan:a4bkms2v harikumar:h2mp harik:gr haring:e2ik2m hariprasad:hsy
hariri:aem2sy2 harish:a2ps2 haris:amt harit:ag hari:k2ms4v harlander:jr harland:dj harla:ps harlev:ai
harley:a2jm2t harle:ar harman:j2mz harmon:dj2ms2 harmsen:bw harms:jkmns2 haroon:a3hmsu haro:acgj5m2ps2
harper:a3degjlm3r3s harrak:ak harrell:afjl harren:bf harries:jmrs harrington:abdhj3k2lp2
harrison:a4bc3d3e2fij4m2nor2s3tvw harris:a3b2c7d2egi2j4k4l2m4n3p3r3s5t2w harry:git harsha:gp3s harshitha:ck
harsh:ar hartanto:ahj hartel:acjmpu harter:jt harte:a2nt hartford:aj2 harthi:dfmn2r2 hartig:fho
hartley:adjmr2wz hartle:hj hartl:a2bjo hartmann:a2bc2d2ef2g2ijlm5p2rs2t3v hartman:ade4hjklm2rsvz
hartnett:adgps hartung:kmnr hartvigsen:t2 hartwig:fj2moprt hartz:jm hart:a2bd2e2ghj3l2m2orsw haruna:acity
haruta:cs harutyunyan:a2h2n harvey:acd3e3fgj4km2np2r4st3vwz harwell:jm harwood:a2 hary:os har:dlmp
hasanbeig:hm hasani:hm2rs hasanov:e3f hasanzadeh:fkn hasan:a10b3cf2gi2jk7m18no2r8s11t3yz hascall:dp hasebe:kmn
hasegawa:h2km2r3s5t4y3 haseli:m2 hasenburg:aj haseyama:my hase:c2dfgjpt hashemi:a6bcde2fh3m5n4prs6vz
hashemzadeh:fm hashem:frt hashiguchi:ht hashimi:is hashimoto:adefhjk8m3nrs6t6wy6 hashim:a2hjm2psz hashish:am
hashizume:hst hashi:ad2hmn2t4y2 hashmi:a4jkm2rs hasib:a2m haskell:bs haskins:mr hasler:bcs3 haslinger:fp
hasnain:astz hasnat:am hassaine:mr hassanein:ah hassani:abe2fh4km4sv hassanpour:jmn2s hassanzadeh:ah2mopsz
hassan:a16b3cdef7ghi3jk3lm15n6opr2s12t10u2wy2z hassell:aj hassel:es hassen:ams hassine:aghjm hassler:bdfjstuv
hasson:achmruy hassoun:as hass:a2e hastings:ah2j2s2 haswell:ch has:a2c2fhj5lm2np2r2s3 hatakeyama:a2k
hatami:abm hatanaka:dmt hatano:kmnsty hata:h2jm3rs hatch:dkn hatefi:as hatfield:lp hathaway:bdgj hathi:hn
hatsuda:mry hatsukade:bi hattab:gj hatta:my hatton:ghlr hattori:k4ms3t hatt:cm hatui:ns hatzel:hm haubner:kt
haubold:hj hauck:cs haufe:cs hauff:ce haugen:iot haug:efm2ntv hauke:dfps haunstein:jm hauptmann:a3e2h2
haupt:aj2 hauri:my haurum:cj hauschild:at hausenblas:ep hauser:ef2h2j2klmt hausler:as hausmann:dm hausser:af
haussler:bc haussmann:am haustein:js hauswirth:am hautamaki:rv haut:bmnt2 hauzenberger:ln hau:cj havens:alst
haviv:ad havlik:jv hav:dgo2 hawes:nt hawkes:deg2j hawkins:bc2dghj3k3l2mn4r3w hawlader:fs hawley:gms
haworth:bej2kst hawthorne:acdj hawthorn:fj hayakawa:ahmnr2st2y hayama:et hayamizu:mty hayase:jty hayashida:ek
hayashi:ah2k7mr2s7t8vy3 hayati:es hayatnagarkar:ah hayat:ahkm2tu hayden:hkmo hayek:a2ejr
hayes:ab2c3deg2ijklmpr2s2t2w haye:jm3npt haynes:hmpr hayon:bd2grs2y hays:ehj2s hayward:cjl hay:ad2j2
hazan:ehily hazard:fh hazarika:a2b3dprs hazimeh:ah hazlett:ar hazmi:eh2m2 hazra:a2djnr2s4tu
ha:abd3egh11i2j14l2m4np2qr2s11t7vwxy2 hba:ht hbi:sy headley:afw head:dls heagerty:jp heald:g2 healy:aegj2klmpr
heap:atw heard:djn2 hearn:pw heath:adeflnr heaton:acg heatwole:st hebbar:adpsv hebert:c2fm2 heber:bdmu2
hechtman:bd hecht:ab2l heckel:r2 hecker:dps hecke:bm heckler:kl heckmann:mn heckman:c2jt heck:ekl3m2r
hedayat:ams hedderich:dm hedegard:be hedges:cjst hedge:ae hedman:hkmp hedstrom:alt heeger:dk heeren:b2
heer:j2t heesen:pv heeswijk:rw hees:aj hee:cm hefetz:do heffernan:acknt heffner:cj hegazy:aekmot
hegde:a4b2c3d3ghk2mn3p3r2s7v hegedus:a2mp2v hegemann:klp hegeman:hr heger:am hehir:jt hehn:jmt heibges:jt
heick:ht heidari:a2h3m3ops heidecke:fj heidemann:j2 heidenreich:ahms heider:ad2kmn heide:f2mors heidrich:jmw
heid:de heier:gs heigl:ms heijden:fjkprt heijster:fp heikkila:jmpt2 heiland:djs heilbron:fm heiliger:ct
heilles:gs heil:dmpr2 heimann:ot heiman:as heimerl:fk heimer:mp heim:dlm2n2p2s heinecke:ajst heinemann:acfst
heinen:js heine:hl heinig:kmp heinimann:ho heinisch:jp heinlein:ab heinonen:amor heinrich:ac2eghlm5rs2t2
heintz:fkt heinzel:gj heinze:ags2t heinzler:cr heinz:bjlm2stu hein:abdj2klm2opy heisenberg:gl heisler:hm2
heiss:dfjt heiter:eu heitmann:k2 heitsch:fj heitz:c2hjm heit:bj heizmann:m2 hei:hlnox2y2 hejazi:bdkmn2
hejna:aj helal:as helbert:ce helbich:mt helbig:dn helbling:ac2es helcl:j2 held:acdj2l4mpw helenius:ai
helfrich:ms helias:am hellard:pt hellbourg:g2 hellendoorn:hv hellert:ct heller:dejl3m3n2rstu helle:do
hellings:cjp hellmann:fgs hellman:fs hellsten:hjks hellstrom:elm hellwig:anpr hell:anp helman:dm helmer:lm
helms:pv helmy:a2 helm:dhjkp2 helou:abegmr helsing:fj helson:kpv hemachandra:ak hemani:am hemaspandra:el
hemberger:kp hemingway:d2 hemmati:hmnsv hemmatyar:amos hemmat:ar hempel:bkmnp hemrajani:pr henao:jry henawy:jm
hench:cv hendawy:an henda:m2 hendel:ry henderson:b3de2fgjklm2p2rst2v hende:fs hendler:j2 hendricks:a2lmp
hendrickx:ijkr hendriksen:m2 hendriks:d2fklr hendrikx:hi hendrix:hjnrt hendy:aen heneghan:c2
heng:aegij2k2lpsvw2y6z2 henkel:c3efjov henke:bs henley:ac2 henneking:cs hennequin:cr hennessy:bfj2ms
henney:cdw hennig:cel2p2 henningsen:dgs henning:djpstv hennrich:fm henrichsen:jm henrich:a2djmns
henriksen:aeim henriksson:aes henriqus:a2jmp2r3 henriquz:efh henri:lp henry:a7c2def2ghij2k4lm3nr2s2t2wy
henschel:lr hensel:cs henshaw:cgj2 henson:cmr henter:g2 hentnik:mr hentschel:ajm henze:jn henzinger:mt
hen:ilnp heo:bc3d4eg2h6ij15k4m3rs3ty4 hepburn:ac hepworth:jr heras:cdeij herath:a2cd3hksvw herau:fq hera:aem
herbert:bcdefjmpsv herbold:ms herbsleb:j2 herbst:abdefgijklmrtv herb:m2 herczeg:g2 herda:m2t herder:j2
herd:bms heredia:a2cgijmr herey:kr herfort:bw heritier:cgm herlihy:acm2 hermanns:h2m hermann:acdehj2kl2norst
hermansson:bk hermans:abtw herman:b2dg2hjm2prt hermes:mrs hermon:jm
hernandez:a11b3c5d9e4f6g2h4i4j13l3m13n3o2r6s7ty hernando:fgjr herold:ac3fjl heron:ens herranz:cgjlm
herraz:ad2m herremans:ds herrera:a4bcd2ef2g4j3kl3m3pr2 herreros:pq herrero:a5ce2j3mpr2s2 herre:jm
herring:abins herrmannova:d2 herrmann:a2bc3df2hj3kl2m3n3prst2v herrold:a2 herron:e2fk herr:jkn2tw hershey:js
hertel:amst herten:ar2 hertling:ps hertog:jt hertzberg:bcjmnv herur:ap hervet:eo herve:cmnpv herwig:ef
herzig:aijrt herzog:cdfhij3lmnr3s herz:as her:bh2j3l3mr2 hesham:rs2 heshmati:sz heslinga:fr heslop:dp
hessel:jkm hesse:ghjklmr2y hess:a3bc3f2gj2k2mo2p2st hester:d2j2ms hetherington:j2l hetrich:m2
hettiarachchi:chr hetzel:l2m hetz:g2 heule:ms heumuller:rt heung:ks heurtier:ls heur:fhln heuser:blrt
heuvel:ehj3twz hevia:aj hewavitharana:ds hewett:adpr2 hewitt:acgj2lr hew:jz heydari:abhm2ps3 heyden:a2bjm
heyen:fl heyer:gjlmnw heyes:eg heylen:jk heyl:j2m2 heymann:bdlr heyman:bg2 heyward:j2 heywood:di hey:dt2
hezaveh:a2h2ry he:a17b33c55d33e4f14g30h85ij155k32l58m41n9p19q50r38s76t29w48x106y186z143 hfink:a2 hghanian:mz
hghani:a2m3nsz hghan:a2em2s hiatt:al hia:jps hibbard:j2ms hibberd:am hib:ar hiche:a2b hickel:st hickey:bcjkr
hickok:at hicks:bc3e3ijmrstwy hidaka:h2kmsy hidalgo:cd3e2g2j2m4p2r hidayatullah:ap hidayat:afnz hida:cfgm5t
hidding:bm hidri:am hieber:dfj hien:dhl hiep:dhn hietala:h2jkt hietanen:a2 hieu:lnp2 higashiyama:ms
higashi:hny higa:rs higdon:dj higginson:cjt higgins:a2cd2e2g2jmnoprt2 higgs:ci higham:adfhn higo:ky
higuchi:a2krt3y2 higuras:an higura:cjnp hijani:bm hijazi:is hilaire:bcp hilal:my hilbert:elmt hilburn:jk
hildebrandt:cfhkrst2 hildebrand:ds hilel:am hilgert:ln hili:gn hilke:mo hillebrandt:hs hillemann:m2
hillenbrand:lru hiller:gm3 hilliard:ej hillier:a2g hillman:ry hills:adjmt hill:a3b4c3d3e2fg3h2i2j3lm6pr5s3t2v2
hilton:a3cdj4m himes:m2 himmel:amt hinderer:st hinder:fo hindustani:ds hines:a2j2kmt hine:de2n hingle:am
hinkel:jn hinkle:hj2 hinojosa:c2jmo hinostroza:c2 hino:rty hinrichsen:ehv hinrichs:abnrtu hinterreiter:as
hinton:gijs hintze:al hinze:cm hinz:jop2t hin:djmt hioki:lt hio:ny hippel:gmt hirahara:s2 hiraiwa:nt
hirai:rsty2 hirakawa:kty hiramatsu:dk hirano:h2km3ns4t2y2 hiraoka:nt3y2 hirao:nty2 hirasawa:kmt
hirata:ack2lm2n2rsy hiratsuka:nt hirayama:rt hira:m3r hirche:cs hireddy:as hiremath:a2hnp2rs5 hiri:a3dj2rs4
hirmer:kp hirn:djm hiroi:ty hironaka:st hirose:afh2m3nos4t2y4 hiroshima:kn hiroshi:fm hirota:atwy2
hirschler:lt hirschmann:m2 hirschowitz:aet hirsch:ad2e3fj4m2op2rs hirshberg:bdi hirst:a3e2 hirth:aj hirtz:m2t
hiruma:dhn hirvonen:j2 hiry:a3 hisada:rs hisano:dr hisham:am hishi:y2 hiss:gh hitaj:abd hitchcock:gk
hitschfeld:bn hivert:fm hiya:a2hklr2 hjorth:ajp hjuler:mn hkar:gh hkawa:rt2 hki:dht2 hkordi:am2v hkuma:kt
hladek:dl hladky:j2 hlavacek:mpw hlawi:ab hlen:pu hler:fhlrs hle:ah2kn hlgren:is hlinger:ap hlin:ijmn hlke:drs
hlmann:jps hlou:a2s hlqvist:cf hlsson:fh hlstrom:js hmani:fhnsy hmann:a2b3cd2e2f3h2j2klmnpr2stv
hman:bc2degj3k2lmns hma:ks hmen:amrsuw hme:cf2 hmori:k2 hmukh:a8gj2km3op2r4s13 hmuller:lt hmura:jty hnaka:hk
hnemus:jl hnerer:fs hnert:c2km2r hner:bcef2jln2rtw2z hne:ahj hnishi:fkm2ty hno:hk2mpy hoadley:k2 hoag:a2
hoai:mn hoang:abc5d6egh3j2k2l5mn6p4q2st15v3 hoarau:ac hoa:pt hobbs:b2c2dgj3mnrst hobel:kl hobert:am hobor:al
hobson:m2pr hochberg:ilm hoche:jsv hochman:es hoch:jkr hocine:cim hocke:ms hock:a2 hocqut:ag hoda:pr
hodges:aelm2t hodge:adjrv hodgins:jt hodgkin:aps hodgson:aejlmz hodson:jn hodt:kp hod:ns hofbaur:dm
hofer:acdflm6pst hoffer:ew hoffmann:a5bdef2gh3j6k2l2m12n2r4s3t2uw hoffman:a2be2gj7km2n2ops2y hoffmeister:bl
hoff:abdjmps2v hofler:dt hofling:fs hofmann:a2bc3d3ef4hj3k3lm2nps3t4uv hofman:jmop2 hofmeister:cs hofstad:jr
hofstatter:fhjs hofstetter:ajrw hoft:hm hof:bjl3p hogan:c3fgj2kmnptw hogg:ac2djnt hogner:lm hogsgard:m2
hogu:a2bjt hog:ajs hohenegger:cs hohlfeld:jo hohl:ad hohmann:jm2nsv hohman:ft hohn:gmt hoi:bgks hojjatinia:s3z
hojjati:a2hm hokman:am hokstra:chj hok:agj2l holanda:ajpr holbrook:elmz holcomb:dr holden:adejl2m2ns
holder:bcegj2p holgado:ag holguin:cj hollands:lm holland:b3c2d2gj3lm2nrst2 hollanti:cr holla:ky hollenbach:dr
hollenstein:jn holler:bdmt holleville:cd holliday:emw hollinger:gm hollmann:ahn holloway:c2ip2
holmberg:adejm2o holmes:ac3d2e2ghj2lmpr3st2w holmstrom:mv holm:cdefh2ijstw holohan:cn holscher:ackz
holstein:jk2 holste:gk holst:ab2cfijmv holter:cps holton:ce holtzman:agjr holtz:de holt:c2ghilmsx holub:op
holynski:am holyoak:dk holzel:m3 holzer:j2n holzle:fg holzl:fjmrs holzmann:dm2 holzschuh:bj holz:cdrt homai:m2
homann:ehk homan:cdp homayouni:hny homma:fhknt2 hommel:d2j hom:hj2 honari:hs honarmand:m2 honavar:pv
honda:ahjk4m2s3t3uy hone:aeks hongo:km hong:a3b6c20d19e6f5g7h24i4j68k14l14m18n4p10q8r10s70t7v2w20x13y55z32
honicke:fj honig:e2flpsw honjo:ty honke:gn honna:ps honore:ab honorio:jt honor:rs honzik:jr hon:acjkm2sw
hood:cfj2ksw hoof:bipw hoogendoorn:ms hoogeveen:dj hoogland:dj hoog:fi hooker:dgjs hook:aijl hooper:cd2emrs2
hoopes:ac hoorn:dj hoory:ar hooshyar:dhm hooten:m2 hoover:a2b2cj2m2r2w hope:cdgj3t2 hopf:bc
hopkins:a2bdhj2m4pst3 hopman:bjlm hopper:st hoppe:aef4h2mrt hoppner:s2 hopp:cmu hoqu:a3ce2gk2m4ors3t hoq:am2
horak:adkmt hora:abjk horel:et horenko:i2 horesh:alnr hore:a2p horgan:djklp horibe:hkt horie:st horiguchi:st
horii:hmty horikawa:k2y horiuchi:ks2t3 hori:chkm2rt4 horl:ls horner:ejk horne:abjk horng:dst hornig:abg
horning:gm2 hornung:fmor horn:abdgjm3p2rtu horowitz:abdghm2r horsch:acm horstmann:bkst horstmeyer:lr
horst:a2d2efj2klnpru horta:dn horter:jnt horton:acejm3nr hort:jm horvath:a3b3c2deg2i2jm2p2stz horvat:en
horvitz:ez horwitz:emr hosain:m2 hosaka:at hosch:mr hoseini:fs hosen:m2 hose:hk hoshan:mw hoshina:gh
hoshino:kmst2y4 hoshi:afhit3y hosking:bdjst hoskins:j2 hosny:a2 hosn:fr hosoda:ky hosokawa:hnst2 hosono:ghk
hossain:a9e4f2ghi2j3k4m12n3qr5s17t5z hossan:mr hosseinabadi:fs hosseininejad:pr
hosseini:a7b2de2fh4jk2m6n2p4r3s11y hosseinpour:hs hosseiny:bem hosseinzadeh:gm4r hossein:s2 hossen:m2rs
hoss:jn hostens:em hostert:mp hoste:jv host:am hotaling:an hota:a3s2 hoteit:hi hoth:gm hoti:apr hotta:dk3s
hotz:gipr hot:f2 houck:abk2r houde:jmqs houdre:cn houd:aj hougen:cd houghton:bcrz hough:j2r houhou:ir
houliston:hs houl:ln2 houmi:ao householder:am house:abl2t houshmand:m2 housley:mw houston:a2mps hout:kmt2
hou:a5b13c16d9f5g5h17ij53k7l18m10n2p7q14r13s27t15w15x38y65z36 hovda:jt hovden:gr hoven:dehjm hove:j2l2mp
hovhannisyan:cdv hovsepyan:ns hovy:de2 howard:a2d3eghj2m3n2prs4t howcroft:aj howell:aj3klm2nos2t howes:agr2w
howe:a2b2ej3nost2 howie:rs howison:js howlader:bhkp howroyd:dt how:j2 hoxha:bgik hox:bv hoyer:elnps hoye:jrt
hoyos:acfj hoyt:ac2grt hoy:acej2m hoz:efj ho:a3b2c18d8e4g2h2ij6k11l7m8n4p7q3r3s8t10vw2xy4z
hpande:a9bcdg2h2ikn2op3r3s8tv3y hrach:awy hrafnkelsson:ab hredzak:ab hrem:cs hribar:jrs hridoy:a2w hristova:eh
hristov:bkpsv2y hri:hmt hrmann:am hryniewicz:ku hsain:ah hsaki:hm hsawa:hmrt hse:cdmo hshima:rs
hsiao:abc6gh3j3mrst5vw2y3 hsia:als2 hsieh:bc8ef2gh4j6k2lm4p4s3t5vwy6z hsin:epw hsiung:l2 hsuh:chn
hsu:a2b3c16d2e2f3g2h10j11k2l4m4o2p5s9t6w5y10 hta:abh2jk2mnrs htet:ahsy htinen:fj2k2mo htola:sv htonen:el
htsuki:ty huai:bjmst2yz3 huaman:ejw huangfu:bcjsy4z
huang:a30b64c97d52e11f23g54h145i3j235k61l100m60n16o3p43q56r71s146t57v2w78x154y277z234 huan:bc3ghj2l2mr2vwxy2z3
huard:am hua:a3b3c9d4e2fg3h11ij9k4l9m3n2p4q4r5s5t7w6x9y20z15 hubacek:cp hubbard:adjk hubel:gn huberman:bs
hubers:cfj hubert:afmt huber:a4b2c2d2efghj3kl2m12n2op4rs5t3wz hubig:cn hubin:an hubler:cfs hubl:al
hubner:clm2nrw hubotter:j2 hubsch:ct huby:es huca:cm huch:amr hucke:dv huck:akm hudak:dm huda:imrs2
hudson:bcdefjmn2r2st4 hudspeth:mq huffman:j2 huff:emr hugel:ln huger:af huggins:jkw
hughes:a4bc4d2e4hi2j5k3l3m5npr2s5t3w hugle:jm hugo:bmt hugut:bm hug:dfgls huhn:flw huh:cd2eghj10km2st2wy
huisman:hm2s hui:b3c7def2h5j2k3l7m5p3qr2s3t2vwx3y6z5 hulle:ms hull:g2jm2t hulst:jr humayun:a2m humbert:eo
humeniuk:ad humer:ac3j hume:dj2st2 hummel:cf3h2j2most humphreys:ekprsw humphrey:d2np humphries:am hum:h2qsy
hunag:y2 hundertmark:am hund:al hung:a3bc4d3efgh4j3k4lmnqr2s4t4wy3 hunsberger:b2 hunter:a4bd3ij2l2m2rtz
hunt:b2c2de2gj4kl5m2nrsw2x huot:flms huo:b3c3d7f3g3h5j13l5m4np3q3r2s4t2w2x8y23z7 hupe:co huq:fk2ms2t huraib:ht
hurault:as huri:akm2 hurley:cj2mn3pr hurst:acj3mstw hurtado:acgj7l2mor2s hurtas:bj hurta:acehijlsv
hur:abdh2j3k2psy2z husaini:my husain:fh2km3rsw husa:ds huser:jr huseynov:ij husic:be husmann:ds
hussaini:aim2s2 hussain:a13bc2df3ghi5jk3m10n2r6s11t4wyz4 husseini:km2s hussein:a8befg2him2nos2 hussey:dei
hussien:fm hussin:sw huss:rs huston:j2m hutchcroft:tw hutchings:admp hutchinson:b3dj2mrs2 hutchins:djln
hutchison:cdf2jt huth:ac hutson:dj2 hutten:m2n hutter:a2efghj3m2rt hutton:bc hutzler:ns hut:abdjrs huu:d2hlpt2
huxford:pr huyan:hjn huybrechts:dg huyghe:fr huynh:ab2c4d4eh2jk4l2m2n6op2q4rst10v4x huy:bhlpst3
hu:a14b36c74d29e10f12g36h100ij173k28l50m53n11p28q59r45s91t38vw49x117y201z126 hwangbo:ghjr
hwang:a2b2c7d9e4fg10h18i8j35k7m8npr2s27t8u3vw5y13 hwa:djrt hwu:tw hyama:swy hyatt:m2 hyde:drt hyeon:cj2s2
hyland:dls hyman:bs hynes:nr hyodo:st2y hyrynsalmi:s2 hyung:jsz hyun:bc2dj4lms2 hyyppa:ejm hy:rt hzangi:ai
h:a6cghimp2s2 iaboni:ac iacobacci:ci iacobelli:fm iacob:afi2 iacono:cdfj iacovacci:fj iacovelli:fg iaco:rs
iaga:cdjr iakovidis:dgi iamini:gp iana:ajr iancu:acd iani:ce2 iannaccone:gs iannejadi:mp ianni:a2cgj
iannone:fg2 ianov:ad ian:am2p iasson:bo2 ias:a3bce2f3g2j3l2m2o2ps iatov:bi iav:enr iaz:akl ibanez:a2djlm3os
ibarra:a2cfhi2s2 ibart:fo ibar:e2 iba:os iber:cjm2t ibe:bgm ibfried:dt ibiapina:ai ibikunle:gio ibitoye:ao
ibol:ko ibo:js ibragimov:ab ibraheem:rw ibrahimov:iry ibrahim:a14b2cf2g2h6ijlm12n4o3s5t3wy2z ibsen:am
ican:f2or icard:bt ica:a2cgim2p2rs icek:jv icella:amt iche:hi ichihara:ky ichikawa:jkmty2 ichiki:aks
ichimura:krt2 ichinose:gt ichnowski:j2 ichter:bi ich:blsvw ici:gs ickovic:ef ick:cp ico:av idan:eg2los ida:a2s
ideguchi:st idei:ah ides:gjm ide:acij2k3lsy2 idi:art idlaw:cdf idoko:ejst idousti:rz idova:et idov:dv
idowu:agj idrees:is idrissi:bfhimn idris:aimnt iehl:at iejewski:afm2rw iel:mr2wy ierle:jm ierstorfer:kq
ier:ajnps ieva:afs iev:a2mt iezer:n2os ifi:a3hm2ns ifter:kn iftikhar:fmr ify:am igami:my igarashi:a2hmrt2y
igau:ty igel:chm ige:ot igh:cgjns iglazov:av iglesias:a2c2d2efgj3lnrv iglesia:i2m igle:acdm ignacio:mp
ignatenko:tv ignatiev:a2 ignatov:adf ignatyev:ms ignat:clo ignesti:ag igo:cz igual:fl iguchi:ad igwe:ck
ihara:ak2 ihlamur:y2 ihn:ty ihsani:km iida:fhkt2y2 iinuma:my iizawa:ty iizuka:h2k2ns2t ijani:fs ijaz:am2ns
ijima:hy ijn:jm ikai:ty ikan:bkp ikawa:akty ika:gm ikebe:my ikechukwu:in ikeda:df2hk6m3nr2s4t5wy5 ikegami:ty
ikehata:rs ikemoto:j2s ikemura:k2 ikeuchi:hkt ike:joy ikhani:hm2s2 ikhanov:aj ikoma:hn ikonomidis:imy
ikonomou:a2efkp2tv ikov:ns ikram:a5fmz ikuta:hik ilami:is ilani:am ilan:ly ila:a2bcfghjkm2p3r2s2tuv ildiz:em
ileri:ac iles:a2ce2lm3rs iley:adr ilez:mp ile:bfr2 ilgo:aj ilg:ew ilharco:cg ilia:dep ilic:a3d2hm2s3tv
iliescu:dt ilieva:mt ilievski:efim iliev:i2kopr ilie:ac ilin:a3ijkv2 iliopoulou:ms iller:bcdjp ille:bdm2t
illiano:dg illien:pv illingworth:cg illing:rs illi:ae illman:m3 illwell:b2d ill:js ilroy:r2 ilyas:a3m2st
ilyin:iv ilyushin:es imaizumi:k2ms imai:ah3k2m2nst2y3 imamura:k3rt3y imam:kmrs2 imanishi:km2 imani:a3efhm4svz
imbach:r2 imbert:bf imbrogno:m2 imelech:kr imel:nz imer:fgm imgrund:ey imhof:ce imkuhler:bt immel:fks immer:kl
imone:adr imoto:ky imov:ls imperial:j2 improta:cr imran:a6bh3m5qs imtiaz:h2jm2rst im:bce3gh5j7k2m3s9wy2
inaba:km2t2 inacio:gm2ps inamdar:mrt inami:hkm inam:pr inan:ah2m inard:al inash:gk ina:a2dijr2s incardona:fp
incasa:ns ince:kmory inchauspe:hp inc:clmx indahl:bu inden:at indoria:am indrakanti:ps indyk:ips inerney:ij2
iner:elt ine:aefhiklps2tz infante:acgj2kl infantino:gv ingale:mrs ingalls:cj ingebretsen:cgo inger:any
ingle:a2pr2sy ingolfsson:ht ingo:fl ingram:ab2ejm ing:ab2cegjm2 inigo:ab iniguz:gj initiative:at ini:flm2rsz
inkpen:dk inman:cdns innan:an innes:ab2clm inomata:ak inonen:jm inouye:ds inou:a2dgh4ik7m3n4pr2s5t2y3
ino:agjkpt insley:js inson:cdef insua:ds ins:jn interdonato:gr intini:ag intosh:abcd2lps2 intriligator:jk
intyre:ab2cdm2 inui:kst in:bs2y ioana:ac ioannidis:a2dkps2vy ioannou:a3np2svy iodice:e2g ionescu:abc2rtv
iooss:bn iordache:bip iorio:agjlm iorumbur:a2 iosifidis:agv iosif:ar iotti:es iott:df iovino:a2jm ipek:es2
ipenburg:jw ipina:ei ipour:e2hm3s3z ippel:cl ippoliti:cr ippolitov:mv ippolito:dem ipsen:a2 ip:acdhjmrt
iqbal:a4ef2h3k2m5n5r3s8t4uwz3 iram:s2 irandoust:s2 irani:fhm iranmanesh:amrs irawan:ap ira:am ircan:cm
irci:aegmosy ird:a2cjl ireland:a2gm irel:b2degi ire:bdjn irfanoglu:hy irfan:a2m3rs iribarren:ps irie:agjk4r
irigoyen:aj2 irimia:ac irion:jk iri:am irling:aj2 irons:dj iroz:ab irshad:a2hmsz irtas:imns2 irvine:adjsv
irving:dg irvin:aj irwin:bcdj3klmp isacson:hjms isacs:j2k isac:a2mprtw isakov:ams isaksen:djm isaksson:mo
isak:an isav:mr isaza:cp isa:a4m isbell:j2 iscen:a2 iseau:gj2prt iseev:a2is isele:de isella:ag isenberg:jp2t
isen:fj ise:mt ishahi:a3 ishaq:amn ishay:abes isha:ghy isher:iq ishfaq:abhn ishibashi:a2k4st2wy
ishida:eh4km2nrs2t4y ishigaki:mrst ishiguro:hm ishihara:h2ks3y2 ishii:a2degh2ikm4r2s5ty2
ishikawa:a3fh3ik8m2nr2s4t7y4 ishikura:hs2t ishimoto:r2y ishimwe:ab ishiyama:frt ishizaki:afkt ishizawa:t2
ishizuka:h2k ishi:cdh2jk2mnr2s3t2y ishmam:amz ishram:mrs ish:b2cims isic:iov isidio:n2 isik:a2bdhilsyz
isio:ag2r isi:acm2rs iskandar:a2ny iskander:ns iskender:eo islambouli:bgr
islam:a13b3c3f4hi3j2k8lm25n7or8s22t10wyz3 isla:ct isler:iv ismagilov:nt ismailov:aev ismail:a9bdhklm7n2s2u
isman:kl ismayilov:mr2 ismayilzada:ejm isobe:nt2y isola:bp isono:hrsy ison:a2ij iso:dhjs ispas:ajrs israli:ab
isralsen:bn isralsson:au isral:deghn2 israr:hs2 issac:bn issa:eij2m2p isse:my issie:bmw issi:esz iss:gmt
ister:dn istner:t2 istrate:gr istratov:ms isty:dm ist:ty itai:kt itakura:hk itani:hm itan:am itao:cjp
itasaka:t2 ita:aeghjrsy itch:aejt itenberger:af2 ites:c2 itez:cegijm2nprv ite:a2bcg2ij5klprtw itgeb:cr
itherer:cs ith:cdr itkin:abir itner:a2ghj2m2ps itoh:hjkm2rst3y3 itow:ly ito:a4cd2egh7j3k5lm8n2pr5s5t9y4
its:lr2 itt:mt2 itzhak:giy itz:c3rt iudice:ef iudin:a2 iurchenko:av iuzzolino:mv ivanova:a4d3e2iklmo
ivanovic:bp ivanovska:m2 ivanov:a4d4eg2i4kl2m7n2pr2s2v7y ivan:ajklmrs2z2 iva:flm ivenvoorden:a2s iverson:dgj
iverti:em iver:adj ives:bd2sz ivey:jlrst ivezic:vz ivison:hr ivkovic:dms ivo:mv ivry:ad iwabuchi:ak
iwahashi:mn iwai:dk2mr iwakami:rw iwaki:fr iwal:a2dh iwami:kt iwamoto:flmnrsty2 iwasaki:a2ckm2 iwasawa:jkmy
iwasa:y2 iwase:hns iwashita:sty3 iwata:a3dghk3mns3t3y3 iwazaki:as iyengar:a5gimps5v2
iyer:a13bg2hjk7l2mnpr9s10t2v6 iyeva:dkz iyigun:az iyu:ilmsy izadeh:a2h3jkm10prst izadi:am2s2 izalde:be
izawa:hty iza:fij izerovich:em izhar:ahm izides:py izidoro:as izmailov:ipr izondo:dm izotov:iy izou:mn
izquierdo:a3c2de2jkmrs izralevitz:j2 izumi:k3m2nst2 izzard:mr izzo:adelpr2z i:pt2 jabal:am2 jabari:fms3
jabbari:ms2 jabbarvand:r2 jabbar:a3hm jabbour:jms2 jabeen:fm jaberi:fs jaber:abej2kos jablonka:klp
jablonski:jksz jabr:ab jaccard:jn jackel:ajk jackl:bq jackson:a2b4c5d4eghij5k5lm3np4rs5tvw jack:rvw jacobi:mr
jacobo:m2 jacobsen:a2c3hj2kmr jacobson:a2bdfilmn2qr jacobsson:chps jacobs:ab2c2d3g2hij4l2m3nr4s3t jacoby:gns
jacob:a3b3cd4ef2j7m5op2r4stuz jacome:ckr jacovella:mu jacovi:am jacquin:cl jacqumin:adm jacquot:bmpt
jacqus:bdj2lnsv jacqut:am2s jadav:dhm jadbabaie:a2 jade:st jadhav:a6km2nop2r2s6vy2 jadidi:myz jadon:as
jafarian:my jafari:a6df4hjkm7n3opr4s3y2z2 jafarkhani:hm jafarpour:fs jafarzadeh:bhm jafarzade:ks
jafar:afm2rsw2 jaffe:acdegmnoswy jafri:hmrs jagadeesan:gjm jagadeesh:a2gikmn jagadish:as jaganathan:k2r
jagannathan:kprs jagannath:a2jv jager:ab3cg4j2k2lm3np2rs3t2w2 jaggi:m2s jagtap:a3p jahagirdar:as2
jahanbakhsh:ef jahangiri:aef2s jahangir:akrtz jahani:ejr jahanshahi:a2h jahan:a3efi2n3rs5t jahedi:as jahin:am
jahnke:fkmt jahn:cefjnu jahromi:a4ms jaimes:ac2ejl jaini:ap
jain:a48b3c4d11g2h8i3j2k11l4m8n19op25r19s53t3u5v18y2 jaiswal:a8bcdhm3n3pr3s8v2 jaitly:an jajoo:agmpy jakab:amt
jakel:fhu jakhar:gr jaki:st jakkola:krt jakobi:adn jakobsen:gjlpt jakobsson:a2p jakob:cfjrw jakola:at
jakubczyk:kp jakubowski:am jalali:a2lmrs2z jalal:a2hm4w jalan:kp2s jalayer:mrs jala:rt jalbout:es jaleel:il
jalili:a2jmnrs jalil:afhs jalloul:ln jalota:ds jamali:am2n3svz jamaluddin:a2f3m jamal:a2efimqst jaman:hs
jameel:fs jamei:bm jameson:akm james:a3bc3d3eghj7lm3npr2s3tvw jamieson:djk2 jamil:fh3mn2s2uw jamini:dy
jamin:abej2m2nrs2ty jamison:aks jamrozy:jm jamshed:dms jamshidi:a2bf2mps janakiraman:ams janardhanan:hr
janardhan:kr janarthanan:s2 janas:a2m janati:ahy jana:a7dip5rs11 janda:mt janes:aes jangam:as jangid:dkmn
jangir:apr2y jangra:aks jang:a2b5c3d10e3g6h35i7j41k5l2m14os24t2u3w12y25 janiak:dj janicki:afjmr janik:kor
jani:bhkmrsvy janke:jnw jankovic:mr jankowiak:am jankowska:ij jankowski:dejkm2oprs janko:ms janmohamed:hn
jannat:st janovic:bsv janov:rs janowski:alm2w jansen:a2b2cdfg2jk3lm3n3p2rstvwy janse:ek janson:alm2
janssens:bd2gkmrs2w janssen:a2be2g3jm4opr5t jansson:jmnp jantsch:alsw janulewicz:ep janusz:ms janvier:m2n
jany:b2gjr janzen:adgjls janzer:bl janz:adt jan:a4behj2m3s3y jaoun:vy jao:cw jaquier:an jaqus:ns jaradat:agis2
jaradeh:kmy jarad:efm jaramillo:a2cdfgj2mv jara:cij2mr jardim:gm2 jardine:mp2 jardins:abgm jardin:cgjmt
jareno:af jariwala:d2 jarolim:ar jaroszynski:djm jarosz:psw jaros:jm jarrah:ao2 jarrell:m2 jarrett:bdst2
jarsveld:rw jarvenpa:em2 jarvinen:jr jarvis:ejm2nos3w jarv:lo jarzyna:m2 jaskowski:msw jasperson:bh
jaspers:jtw jasper:djmr jassim:as jasti:ks jastrzebski:hkmw jaswal:agp jaubert:lo jauhar:ms jauhiainen:j2
jauhri:as jaumann:cf jaume:gs jauregui:br jauslin:ir javadian:fm javadi:a2bfmor2 javadpour:a2 javad:ab
javaheri:at javaid:ahm2u javaloyes:jm javanmardi:aems javanmard:asy javan:mn2 javazm:fm java:aj
javed:a3fhkm3os4twz2 javidan:kr javidi:bt javidnia:hn javid:fms javier:bp javurek:et jawad:a3fh2m3t2
jawaid:am2 jawarneh:is jawhar:ms jaworski:aj jayabalan:jp jayachandran:p2 jayadevan:sv jayakody:ad3s
jayakumar:abknps2t jayalath:cd2 jayanti:lrs jayaprakash:br2s jayaraman:a3b3dps2uv jayaram:krv2
jayasekara:bchmps jayasena:as jayasinghe:nst jayasumana:as jayasundara:dkv jayasuriya:ds jayavelu:ks
jayawardana:sv jayawardhana:bmr jayaweera:cps jayawickrama:dn jaye:ab jay:ck2nw jazari:f2n jaziri:am
jean:chmn2ps2y jebbar:ho jebellat:ei jebelli:hm jeblick:km jecmen:jm jeda:acd2fi2jr2t jeddi:abn
jedrzejewski:ab jeelani:h2n jeevan:ap jee:acm2o jeffery:jks jeffrey:amn2 jegou:fhs jehle:dj jehl:ltvx
jekel:cdh jelinek:ajm jella:ahs jena:adgp2r2s6 jendoubi:ist jenkins:a3c2dehj3kl2m3op2rs2w jenkin:mr jenner:ae
jennings:c2dejlm2npr2tw jenny:bdp jensen:a2bc3d3e2gh2ij5k2l2m4n2op2rs2t4 jentsch:ac jen:akr
jeong:a4b4c7d16e7g6h24i3j33k5lm18nop2r2s45t6u3w13y16 jeon:ab7c6d4e4gh26i3j23k6m18ps22t2uw5y17 jepsen:nst
jepson:aw jeraj:ar jerez:ajr jermann:ip jernigan:g2 jerome:jos jerry:dm jerzak:ce jeschke:s2 jespersen:bcms
jessen:cmp jesse:ks jess:dt jesus:gj4lmtv jes:mp jeune:e2gp jeung:hjw jewell:acj2ns jewett:gj jeyaraj:jrs
jezek:ko jezequl:ajy jeziorski:bn je:dgjs jhala:ary jhamb:bn jhang:jkm jhaveri:apsv jhawar:jkm
jha:a19b5d5k4m2n6op6r10s23tuv4 jhee:hj jhong:js jhunjhunwala:a2dp jhun:gp jiahao:gw jiahui:nz jiamin:co
jiang:a11b33c63d42e5f18g32h92ij126k27l70m38n8op29q23r37s83t35w52x100y171z142 jianhua:yz jianu:drt
jian:ab3c4dfh4j3l4m5p2r5s5tw4x9y9z3 jiao:ab3c6d3ef3gh10j23k3l6m3n2p6q5r4s12t2w8x11y33z11 jiarui:gy jiawei:dsz
jia:a5b16c25d9e3f14g7h32j39k8l19m23n6p12q16r13s43t15w17x40y65z52 jibril:lt jie:a2bfg3hj2l4p2qr3s2tw2x3y4z2
jimenez:a5c3d4e2f3g2i3j8l2m6n2p2r2s2tv jindal:a7cdgijmnprs3v jindong:lz jingjing:hl jingsong:ly jingyi:ly
jingyu:glw jing:b8c11d2ef2g2h10j10k3l19m7n3p4q3r6s9t6w6x6y21z7
jin:a9b15c35d20e5f9g10h63i3j52k16l34m15n5p9q16r28s40t16vw29x49y101z65 jirik:mr jirousek:mv jiu:dmz2
ji:a6b15c19d12ef4g7h32j34k19l12m19np8q9r9s36t10w13x35y57z42 jkman:dr jkovic:jmnt jkstra:afhjkt jnef:mn
jniczak:km jnic:muv jnik:kl joao:els joarder:as2 jobin:ac jobst:jm2 job:hmns jockel:cl joffe:biy jofre:aep2s
joglekar:a2mn2os jog:csv johani:aem johannesen:ru johannesson:a2gs johannes:dhs johannsen:ajlno
johansen:a2cdeh2jkt johansson:a3bcdfjk2m2nop4r3st2 johan:nr johnen:cm johno:hy johnsen:aceklt
johnson:a7b11c12d7e5f3g2i2j20k8l3m9n8o2p6r5s11t5vw3z johnsson:a2m johnstone:d2gm
johnston:ab2c3d2egh2ijk5lm2nprs johns:ce2hj2lm2os2 john:a5bc3d2egi2j6k2l3m5nr2s4t3uv2w johri:ans3 joie:gps
jojic:amn jokinen:hj jolly:abegj2km2sv joly:a2c2h jonas:jrs2 jonathan:nw joncas:dg
jones:a6b7c12d10e8g7h2i2j11kl4m9n4o3p2r10s13t8wz jone:ei jongblod:gk jonge:es jong:ae2i3j2km4r3suw2 jonkers:jk
jonker:c2hjprt jonnalagadda:cjsv jonnalagedda:ps jonsson:abdghmp2s jon:dehj joon:hly joosen:aw joosten:j2
joos:sv joo:a2ceh6j3k3m3s6wy2 jopling:j2 jordans:cr jordan:a2b2cd2h2j3m5np2rt jordao:at jorda:lmrsv jordi:cr
jorgensen:ade2fj4km5no2p2rs2t3 jorge:a2j2p jorissen:lm jornet:djm josephson:ct
joseph:a6bc2d3g3j7k2lm3nopr7s3t3v jose:a5cdehj9p2r2stw joshi:a27b5c2d9g3h5i2j4k6m5n10p11r12s33t3uv5y2
joshua:jko joshy:a2 josse:jtv jost:a2defjl2mn2sv joudaki:as joulin:ag joung:bcegj2swy jourdan:fgl2m jourlin:mp
jou:abcdms jovanovic:ab2d2ikm2n3pt jow:dr joyce:cd3emrt joy:dj2mr2stuv jozashoori:as jozsa:fg jozwiak:abc
jo:a2b3c2d3e4g6h15j10k4lm5nos14t2uw5y17 jradi:mt jr:jpw juan:a2dgj4l2orw2xyz juarez:a4cdegi2jm2v jubair:ms
jubran:im jude:av judge:abcpt jud:ac jue:ej jug:fgj juhasz:a2iklz juhl:ks jui:s2 jukic:aj jules:mt juliani:am
julian:kmr julia:chr julienne:dpv julien:cs julier:as julio:dm julius:aw jullien:m2n juluru:kn jumea:ad
junayed:jm jundi:rz juneau:js juneja:a2gikps2v junejo:in junger:dmp junge:hkm jungmann:f2 jungo:am
jung:a4b3c14d15e7g6h38i5j43k10l3m23n2op3r3s40t6w14y27 junhao:w2 junior:a3ce3fj2opw junker:bms junkin:jst
junquira:go juntunen:pt jun:bce3gh6j5kl4mqrs5w2xy6z jurado:cfj juraschek:df jurgenson:ct jurgens:adlm juric:mt
justel:cd justice:dm juston:am justo:dm just:afg2hrs jutte:ac juttner:aej juttu:ns jutzi:bm juvekar:ack
juvela:lm juyal:r2 juzek:t2 ju:b5c9d2f3g4h11j7l5m8np3qr5s10t2w5x12y12z7 jwa:ahs jyothi:kps j:a3jkmn2ps2tvw
kabadayi:ab kabalan:aw kabat:cd kaba:ms kabbani:amw kabbara:aj kabe:k2nsy kabiraj:al kabir:a4dfh2i2m4rs2tu
kabi:no kabongo:bl kabore:aj kabra:adkrs kacar:mu kacem:afl kachhadiya:ab kachu:ms kacker:rs kacprzak:gkt
kaczmarczyk:a2r kaczmarek:aegj3psz kac:gv kadakia:ar kadali:as kadambi:a2p2s2 kadam:hmps4 kadar:am
kada:dh2ik2m5n2s4tvy2 kaddar:aby kadekodi:rs kadem:lm kader:a2fhjkmyz kades:kl kadhem:fs kadimisetty:ak
kadir:adhkmpsy kadiyala:rv kadi:gho kadoch:dl kadowaki:t2 kado:mrt kadri:a2m kadu:ag kady:ahi kadziolka:km
kafar:dm2 kafer:nst2 kaff:a2 kafi:am kafle:dkrs2 kaftan:pt kagan:abmns kagaya:ty kageyama:ty kahana:jt
kahane:mps kahani:mn kahan:ab kahfi:im kahler:afhm2ru kahle:jlm kahlon:nv kahl:bfgk2mt kahng:am
kahn:a2bd2j5ls3y kahraman:ae kahrs:bj kahya:bes kailas:ak kaila:asv kainulainen:j2 kainz:bm kain:is
kaiser:a4b2c3d2e3fghj3klm5nopr3t4 kai:b2c2dgh2j2l2ps3wxy2 kaja:as kajikawa:ak kajima:kt kajita:h2
kajiwara:ikt2 kaji:s2t kakade:as kakarla:as3 kakati:amn kakde:ds kakimoto:ty kakkad:dhv kakkar:is2v kaku:at
kak:a2 kalahroodi:ms kalaitzidis:tv kalaitzis:ag kalai:agy kalambay:mp kalamkar:adp2s kalantari:a2bjklnsz
kalantzis:gmv kalari:kv kalashnikov:dv kalayci:ay kala:dirstv kalbarczyk:ktz kalda:jt kaldor:jm kaledin:m2
kaler:ft kaleta:jk kale:a3bdgklmnrs4tv kalfaoglu:em kalhan:ds kalhor:ag kalia:cs2 kalinin:ak2ns
kalinowski:km2pt kalinsky:ao kalin:gv kalisz:amv kalita:a2bgh2j2ps4 kali:bd kalkman:dv kalkunte:am
kallakuri:puv kallas:ko kalla:aj2 kallel:afms kallem:pv kallen:rw kalliokoski:jk kallman:et kalluri:krst
kallus:jn kalman:gmt kalmykov:ansy kalogeras:a2 kalogerias:d2 kalogeropoulos:mn kalogiannis:ks kalogirou:a2
kalra:adj2m2np2s4u kalsi:k2m kaltenbacher:bs kaltenbach:hs kaltenbrunner:als kaltenpoth:ds kalugin:apv kalu:ck
kalva:hs kalvoda:pt kalweit:gm kalyani:mrs kalyanpur:at kalyan:akpsv kamada:ak2s kamagata:ak kamalinejad:ef
kamali:adfh2k2v kamalov:af kamal:a6cfjkm7os3z kamana:ls kamann:cs kamarthi:hs kamata:hs kamath:a6dg4hknops5v
kamat:a2gjv kamau:fgs kambhamettu:ch kambham:ns2 kambhatla:ags kamble:ajkps3v kamboj:a2nps kamdar:ijy
kameda:es kamei:ksy kamel:abhikr2z kamensky:dm kamen:a2y kameoka:ht kamgarpour:m2 kamide:hk kamijo:st
kamila:kn kamimura:amt kaminer:i2 kaminska:as kaminski:b2lmrt3 kaminsky:ay kamiyama:nt kamiya:ks2y kamlah:ar
kammar:ao kammerer:gjl2 kammer:df kammoun:aes kamoto:hjk3m2s2t4uy3 kampa:abr kampen:el kamper:dh kampf:kp
kamphuis:jm2py kampmann:al kamps:motu kamp:ijmnpsw kamrani:f2 kamran:afm3nrs kamra:cn kamsali:an kamuda:am
kamura:akrs kam:ahjm2prs2t kanada:ak kanade:amrv kanagawa:h2km kanai:mrs2t4y kanak:jr kanamarlapudi:nv
kanamori:hikty2 kanani:m2p kanan:ac kanayama:h2rt kanazawa:a2nrsty kana:rt kancharla:pv kanchi:a2rs
kandala:a2hr kandari:ap kandasamy:kn2u kanda:mn3rt3y2 kandel:ns kandemir:m2z kando:ns kandula:ghp2 kaneda:hkty
kanekar:an kaneko:a2dhik6m3n2t4 kanellopoulos:akp kanellopoulou:ad kanellos:gi kanerva:j2
kane:ab2c3de2jm3ops3t kangaslahti:as kangavari:m2
kang:a4b20c18d30e9f5g11h52i7j74k14l15m32n6p3q8r8s52t11uw19x26y55z33 kanhal:lm kanhere:os kania:akt kanik:fs
kanishka:ap kani:bn kanjilal:r2 kanji:jt kanjo:ew kankaria:a2 kannad:a2 kannan:a8djkmn2r3s3v3 kannappan:as
kanneganti:a2d kannen:mn kanniainen:hj kanno:h2ks kann:bcmpt kanodia:bs kanoulas:de kanovic:dmps kano:fhkrs2ty
kanrar:s2 kansal:psvy kanso:eh kantarci:abm kantareddy:s2 kanter:dgi kante:st kantor:bgjpy kantz:bh
kant:dek2ny kanumala:p2 kanwal:a3mn kanwar:gjkmnp2 kan:a4b3c4e2ghj3k2m3no2ps3wx2y2z9
kao:bc7d2h7j6klmop2rs5twxyz kapadia:agmrs3 kapasi:su kapa:dr kapdi:mr kapila:rs kapil:adv kapinski:jn
kaplan:a4b2c2d2e2fghij3kl3nry2 kapl:fm kapoor:a6dghk4n2p2r4s5tv3 kapoutsis:ap kapov:nu kappeler:mp kappel:dkm2
kappes:abm2 kappe:kt kappler:djks2 kapse:s2t kaptur:bd kapur:arst kapusta:aj2m karabati:ey karabulut:betu
karacan:bl karaca:i2kmos karachalios:in karadag:oty karafyllis:in karagiannis:dgk karagoz:ab2hnp karaguzel:ct
karakasis:cpt karakas:ams2v karakaya:dev karakus:co karak:bn karamanis:gr karaman:bkrs2 karamchandani:n2
karami:a2eklm4 karam:a2lr karanam:a2hms3v karanasos:k2 karancsi:bz karande:cs karandikar:as karani:jr
karanjai:r2 karantaidis:g2 karan:a2kmrv karaoglu:ams karapetyan:adn karasik:ms karatas:hn karatzas:de karat:bn
kara:ade4hklm3o2s4wz karbasi:a2kr karbowski:dj karch:aj kardos:jm kareem:a2dfios2 kargard:ei kargar:fr2
karger:d2elo kargin:t2 kargl:fm karg:bcm karhunen:ae karia:rv karimian:a2b2hn karimi:a5bde2f2h4im2npr3s6
karimov:aehmst karimzadeh:fmr karim:a9fh2km4nr3s2t2w kariniotakis:g2 kariya:mn kari:a2lm karjalainen:aj2v
karkare:ak karkaria:v2 karki:a2b2dhkmns2 karlas:ab karlekar:js karle:av karliner:dm karlin:aik karlovich:amy
karlsen:ak karlsson:a2be2j3km4s3 karl:fh2m2 karmakar:ap4r4s8t2 karmaker:s3 karmann:cm karmanov:a2i karmi:ls
karnam:ds karnati:csy karna:at karner:acdmv karnik:nrs karn:abeu karoly:aj karol:dk karoui:ny karpas:eu
karpenko:ai karpinski:ben karpovich:ak karpov:a2d2i2mn3ps karpowicz:bfm karpukhin:is karp:djm2rs karras:cjopt
karray:f2 karra:a2 karrer:bt karri:dr2s2v karr:j2 karsai:gm karsch:kl karstensen:als karstens:ab kartal:bghm2y
kartashev:no kartha:amy kartheek:km karthikeyan:a2dhkn2r2s karthik:a3ekprs2v kartikey:k2 kartik:ad2mn2v
karttunen:aj karumuri:cm karunakaran:a2s karunarathna:hp karunaratne:m2 karuppasamy:dm karuturi:bst
karvonen:ast karvounis:km karwal:stv karwa:sv karwowski:j2 karzanov:ad kar:a13d3hik3m3nop2r4s10t3vz
kasahara:ksy kasai:h2jkmrs4y kasarla:pt kasat:ak kasa:gs2 kasbekar:gs kasen:ad kaser:dst kase:ry
kashani:af2hinps kashav:nr kashefi:ae kashem:s2 kashif:ams kashima:hk kashiri:an kashiwagi:ry kashiwa:sy
kashi:a2e kashyap:a4bcg2jkm4n2op2r2s2uv kasireddy:hs kasiviswanathan:s2 kaski:ks kasliwal:am kasmi:ag
kasneci:eg kaspar:fmsz kasper:jm2 kaspi:sv2y kassab:chkmr2 kassahun:hy kassani:ps kassel:fjl kassem:a3
kassir:ms kassis:mst kass:dmrs kasten:ey kastner:a2cj3kl3m2r kastrati:a2z kasturi:a2t kasuga:at kasundra:dj
kasuya:nrs kasu:ps kas:a2eikmrs katagiri:adst2 katakam:ar katan:ar kataoka:h3ijkmsty kataria:abgm2s4t2
katariya:mvy katayama:ahrs2t2 kate:akm kather:jv kathiriya:vy kathuria:kst kath:ns katifori:ae katircioglu:ik
katiyar:a2p2rs2 katkov:im katona:gz katos:dgv kato:a2cdgh2jk4m4n4rs10t9y10 katragadda:ms katre:an katrutsa:a2
katsaros:de katsavounidis:ei katsevich:a2 katsis:gsvy katsoulis:eg katsumata:a2ks2 katsumi:mr katsura:hks
kats:de2mo katti:hps katumba:ar katuwal:gkr katyal:ackp katzir:cor katz:a3b4d2g4h2j3m4no2rs2uwy kaufeld:km
kauffmann:bgj2p2 kauffman:els2 kaufhold:ms kaufmann:abdefjklm5nprst2w kaufman:a3dgij2mrt kauf:ch kaul:abcips5
kauppi:jt kaur:a8bd3eg5h3j4k3m5n5pr8s5tu2 kausar:hrz kaushal:a6bgnr2v2y kaushik:a6c2d2gklm2np4r4s7v kausik:cr
kautsar:im kautz:hjmw kavak:ehu kavanagh:bckp kavanaugh:des kavan:lm kava:dj kaviani:gpr kavitha:mt2v kavi:kn
kavner:aj kavuri:av kavuru:ht kav:by kawabata:ak2nt kawabe:rst kawachi:ahy2 kawada:mnrst
kawaguchi:eh2jk4m3nrst2y2 kawahara:dh2jm2r2t3y2 kawai:ah4kmnsty2 kawakami:ahnrstwy3 kawakatsu:nt2 kawamata:iy
kawamoto:acek3st2y2 kawamura:a2h2k4m2rst2y kawamuro:kt kawanaka:jn kawana:ky kawano:hmrs3ty2 kawarazaki:hn
kawasaki:ah2jm2rst2y2z kawase:h2krty kawashima:hkt2y kawata:adknrs kawazo:a2y kawa:hmps2y kawulok:jm kawy:ah
kayal:aeps kayani:fs kayano:ky kayan:chk kaya:abe3hk2m3o2s2t kayembe:jn kaygorodov:ip kayi:ae
kay:b4cd3ehj5k2l2m2nprs5v kazaki:anr2s3t2 kazakov:admv kazanskii:am kazantsev:dgv kazaz:nt kaza:kls
kazemi:a4efh3m5nrs3z kazempour:ajs kazemzadeh:hs kazerooni:aep kazerouni:a2 kazhdan:dm kazim:es kazi:afmnors2
kazmi:hms ka:ceks2 kc:dps keane:a2j2mp2r kean:ks kearney:afgkm2s kearns:dlmrw keating:abgjlmnw kebede:t2y
kebir:ah kececi:ce kechadi:mt kechris:ak keckstein:js keck:jt kecman:bm kedem:blrs kedia:adhknp2 keefe:acdgis
keeffe:km keegan:bjk2 keeling:gjr keel:bsw keeman:am keenan:hkr2t keen:adhkls keeton:ac kee:a2cfhjk2mrt
kefala:km kegaonkar:sv kegl:bm kehagias:a2 kehat:gj kehl:cf keho:epr kehrer:bjkt keidar:mstz2 keijzer:brt
keiler:ek keil:dfstv keim:dj2lm2 keinan:gi keita:mt keitel:cd keith:b3dj2km keizer:ns kejriwal:msv keland:bg
kela:lp kelbert:am kelber:fj kelderman:eh keles:a2behim3o kelkar:aikns kellar:is kelleher:jm3
kellermann:ahjkrw kellerman:a2r keller:a4b5c3d3f2gj6k2l2m6nop3rs4t2uwy kelley:ab2j2klm2prs kellis:ms
kellman:mp2 kellner:am kellogg:km kells:ak kelly:a2b3c3d7e2ij6klm4op3rs5t4u kell:achms kelner:j2 keloth:jv
kelsey:adl kelso:ck kelz:r2 kel:a6eort kembhavi:a2 kementsietsidis:at kemmler:js kempen:aew kemper:a2bfnp
kempe:dj kempf:ade2jms2v kempski:ap kempton:et kemp:abcd2e3gijrs kendall:aemt2w kendrick:c2ijk kengne:bw
kennan:ac kenna:c2hnrt kennedy:ab4c4defgh2ij3klm4pr2s2t2v kenneweg:pst kenney:j2lst kennington:cj kenny:ep
kent:a2bcd2gj2kp kenworthy:mn kenyon:jrs kenzie:a2d2gi2jm2pr2s2t3 ken:abeklmst keogh:jr keon:ms keough:k2p
keown:dgjkm kephart:jt kepley:as keppens:jr keppler:fh kerber:lm kerbl:bt kerce:cj kercher:ar kerdraon:dm
keren:adgjklst kerkhof:e2 kerley:cd kermani:ahmnr kernan:bcj kernbach:aj kernerman:ai kerner:d2hlr
kern:abcdj2kmnr2t kerrigan:ej kerr:a2d2gj2kmr4t kersten:dt kersting:dgjkn kertesz:gj kert:mt kervadec:ch
kervazo:cm kerzel:msu ker:a2b2c2d2j4klm3rs2w kesari:a2hk kesarwani:a2m keser:adm keshavan:jr keshavarzi:a3m
keshava:sv keshav:ds2 keshet:jlnu kesidis:ag keskar:amn keskin:bcgkms kesper:al kesselheim:st kesseli:ap
kessel:mt kessentini:my kessler:cd3gijln2r2s3 keswani:mr2sv kes:a3dfj2npst2 ketabi:rs kettemann:ms keum:drs3
keung:jp keuper:jm keuschnigg:mp kevrekidis:ipy kew:st keya:fk keyes:acdot keyser:aj2uw keys:pr
key:ad3fj4klmors2tw2 ke:a2b2c7dfg4h3j11k5l5mnp3q4r5s5t3w7x12y14z15 khabbaz:mr khabibullin:bi khabiri:ek
khac:np khademi:a2m2s3w khadem:bfms khadidos:a2 khadivi:ps khadka:bknp2r2s4 khadke:an khadraoui:im khadra:a2dr
khairi:a2 khairnar:a2s khairy:s2 khair:al khaitan:adhps khajavi:ks khaki:s2 khalaf:ajm2r khaled:a4fi2lm2qt2z
khaleghi:bm2n khale:js khalid:a4b2h4ij2m4ors5tw2yz khalifah:kst khalifa:a2fhm4rs3y2 khalifeh:a2 khalifi:ho
khalilian:ms khalili:abh3mnr2sz khalilov:eim khalil:a6b2cdhi3k2lm5nrstwy3 khaliqu:az khaliq:a3m khalvati:fh
khal:ms khamissi:bm khamis:a3hm2rs khanal:a3b3kn2rs5 khanam:rs2t2 khandaker:im2 khanda:ar khandekar:acns
khandelwal:a10dehkn5prs4tv2 khande:dms2v khanghah:km khang:mnv khanh:bh2lnpt4 khani:almpt khanmohammadi:mr
khanna:a4d3ghkmnp4r4s8vy khanuja:hms khan:a53b3cd5e2f14g3h11i8j8k7l3m36n17o3q3r18s68t11u6v2w4y3z9 kharazmi:ep
kharbanda:is kharb:ps kharchenko:aj kharel:a2b2pr khare:a5cikn2rs2tv kharin:mv kharitonov:ae2v kharlamova:ad
kharrat:dft kharrazi:hs khasanova:er khasawneh:fhk khatami:as2 khatana:s2v khateeb:a2bs khater:cmo
khatibi:enst khatib:aefhk3lm4or2sy2 khatiri:ms2 khatiwada:a2bjmps khatri:a2b2cdi2jmn2pr2s3v khattab:most
khattak:dkms khattar:asv khatun:a2m2t khatwani:ds khawaja:ahw2 khayati:m2 khayat:m2y khazai:h2m2 kha:h2mq
khdari:ak kheddar:ah khedkar:ms kheir:my khelifa:fs khelifi:cf khellaf:ahls khemani:k2sv khemka:s2 khemlani:sy
kheradmand:a2ps kher:ks khetan:adrs2 khetarpal:kp khetrapal:ps khidir:ak khilar:ps khim:d2h khine:ae khisa:as
khizbullin:dr khoa:htv khoche:as khodabandeh:abgm2 khodabandelou:ag khodadadian:as khodadadi:ar khodai:amz
khodakarami:sw khodaparast:gm khoder:aw khoini:as khojasteh:hm2 khokhar:ap khokhriakov:ds kholodov:ry
khomenko:ae khona:km khondaker:jmr khonji:mn khoo:abcdesxyz khoperskov:as khoram:a2es khorasani:aks3
khordar:em khormali:as khorrambakht:er khorrami:fmp khorram:as khorshidi:hms2 khor:bhjky khosla:m2s3
khosravi:a5bf2h2m2n3p2rsz khotia:k2v khotnikov:an khot:alt khouja:ahj khouri:it khoury:abc3ej5klmprs
khowaja:rs kho:ajm khramova:ae khrapov:ais khromov:dn khullar:dgmsv khuong:dtv khuraijam:s2
khurana:a3g2m4prstuv khurram:a2 khurshid:anrs2 khwaja:bem kianfar:a2d kiang:mnw kiani:adkms2 kian:m2
kiarostami:m2 kibe:st kibria:ghm kica:mps kici:ekr kic:adikmn2pv kidambi:rs kida:am kidd:ef kidney:be
kido:dfhm kieda:d2 kiefer:a2b3l2ps4 kieffer:m2s kiehn:kmo kienitz:dp kienzle:djw kien:dn kieras:ktw kier:m2
kiesel:abj2n kiessling:abjmst kietzmann:mpt kiet:hn kieu:dl3nqt2 kiewicz:fm kihara:dkt kikkawa:a2m
kikuchi:ahkm3s3t2y2 kikuta:dks kilany:ar kildal:jw kildsen:m2 kilian:mpt kilic:a2bcdkm4o3t kilinc:io
killeen:bkrt killestein:t2 killian:et kilmer:em kilpatrick:bcklprz kil:j2 kimani:bv kimball:adj2t kimbell:gj
kimhi:ms kimmel:gpr2s kimmig:cl kimm:st kimura:afg2hjk6lm6ns2t7y3
kim:a23b68c57d128e42fg49h225i16j302k98l5m99n31o3p11r4s274t64u2vw33y147z2 kinakh:rv kinay:bo kindermann:kps
kindi:rs2 kindler:gt kindt:be kind:dejm2 kinghorn:dp kingma:af kingsbury:bj kingston:apz
king:a3b4c4d2e2g3hij9klm3op3r4s5t4vw2 kini:a2jnpv2y2 kinjo:hkt kinlay:d2j kinley:k2mrst kinney:abjklnrsw
kinnon:adikmn kinnunen:jt kinoshita:gh2kmy3 kino:m2 kinsella:bs kinstry:aj kins:ak2m kintosh:at kinugawa:t3
kinyanjui:nt kinyon:em kin:bc2degkm2tv kipf:at kipnis:a2 kipper:mr kiraly:aft kiran:a3gk2m kirby:abde2gjr2w
kirchdorfer:lt kircher:mt kirchhoff:cky kirchner:defj2km4pst kirch:cjn kireev:ik kirichenko:apv kirillov:aiov
kirincich:ab kiritsis:de kirkby:d2m kirkeby:am kirkham:cds kirkpatrick:acjrt kirkwood:h2 kirk:acfh2jm3n2pr
kirmani:fs kirsanova:ms kirschen:ad kirschner:fjmnr kirsch:achj2lmns kirshner:nsz kirstein:bf kirsten:efklm
kirste:dt kirubakaran:a2 kirwan:fgp kiselev:a2gin kiser:bk kishimoto:cdmrty kishino:fr kishi:kmt kishk:am
kishore:a2bgs2v2 kish:al kisielewicz:ak kisil:av kislov:ad kiss:a2eg2i2klm2op kis:adgkms kitagawa:h3jm3y
kitahara:hit kitamoto:as kitamura:adfkmny2 kitano:krst kitayama:dt kitazawa:akn2s2 kita:dkt3y kitchen:mr
kite:cet kittler:fhj kitzler:hs kit:cjls2 kiu:hy kivimaki:jt kiya:h2 kiyokawa:kt kiyono:st kizhuprakkat:n2
kizilkaya:bf kizito:m2 ki:dhk2mstwy kjargard:mn kjar:akm kjellberg:dv kkala:ns kkaraju:h2k2r kkas:al
kker:hprst kkis:io klaiber:cm klamt:st2 klar:bgmn klassen:am2pt2 klas:c2m klauck:hm klaus:im klebanov:bi2l
kleger:at kleijn:bg kleiman:aj2ry kleinberg:bjr kleiner:a2bdehjk2mnr kleine:km kleinmann:m2 kleinman:ams
kleinschmidt:aks klein:a10b3c5d3e3f2i2j9k3l4m5n5opr4s5t4v kleiss:jm kleist:hl klement:dfmr klemen:m2
klemmer:dk klemm:afv klenk:bjm3s kleppe:at kletz:ds kleven:jk kley:bcej klimaszewski:km klimek:pr klimov:deimp
kline:adj3pt klingebiel:bf klingenberg:c2 klinger:e2jlmr2y klinge:jx klinghoffer:dt klingner:jt kling:aflmpst
klin:bm klipfel:a2 klitzing:cw kliuchnikov:ev klockner:abhp kloft:acm klopotek:m2 klopp:jo klose:ajp kloss:abc
kloster:mo klos:fj3kvw klotz:adj2 kluger:d2ry kluge:lm2st klug:kmv klupar:mp2 kluter:js klute:fm kluth:ty
klymenko:am kmann:ln kman:io kmec:aj knabel:ks knapp:delm2pstv knap:mt knaur:kmrs knaus:jp knechtel:j2
knecht:almuw kneib:jmt kneissl:cr knepper:mr kner:ms knezevic:a2m kniazev:aer knierim:cfhm kniesel:gh
knights:ej knight:bc2d3ei2j3m4n2r2stv2 knill:eko knippenberg:bs knobel:cl knoblauch:ajmst knobloch:gjkmr
knoche:hm knofel:f2 knolle:fjp knoll:acdfgkp knoop:ejmsv knopp:mprt knop:adfr knorr:a2bm2s knothe:dr knoth:cp
knott:bk knowles:a2dhjkpst knox:fjlo knudsen:b2gk2s knutsen:ceh knutson:ae koay:hkt kobak:adk kobashi:ksy
kobayashi:a4cefg2h7j2k11m10n3r4s5t7y5 kober:gj2mt kobe:st kobialka:jp kobler:aejrs kobourov:s2 kobulnicky:ch
kobus:ackst kobylinski:lp kobyzev:di kobzar:ov kocadag:eh kocak:a2gosty kocaman:mv kocer:be kochanek:ct
kochanski:ag kochar:ad kocher:cjlm kochetkov:d2fy kochetov:mv kochi:my koch:a3b3c4e3fg2h3j6k2l4m3op4r5s2t4w3
kocijan:jv kock:ac2fjkrv kocour:ms kocsis:bjmp koc:acjmov kodagoda:ns kodaira:ak kodali:lpr kodama:r2st2y
koda:dj2ksty4 kodera:nrs kodialam:mr kodi:cd kodukula:ns koffi:kr kofler:a2dfjm kofman:i2sv kogan:adlmt
koga:k2s2y3 kogias:elm kogler:lm2x kogut:abd kohandel:m2 kohavi:gn kohlberger:bt kohlbrenner:cd
kohler:a3bd2ef3gj4kmopr2s5t2 kohli:a2b2ghjm2npsu kohl:aj2knst kohmura:sty kohnen:cj kohne:fjt kohno:hkmstw
kohn:acfkpr2s kohout:er kohut:jnz koh:a2b5c3d7e3gh5ij11k3lmp3s6vw2y3z koide:kst2y koifman:esy koike:ach2rt4y
koirala:ab2dpr koivisto:hnt koizumi:h2jkmy kojic:mt kojima:afh3k4m2r3s4t7y kojouharov:jv2 kokane:os kokate:pt
kokkinos:fi koksal:a2t kokubo:hm kok:bcjmnpsy kolade:bos kolagar:sz kolanowski:jm kolari:aps kolar:ij2mprs
kolay:s2 kolbeinsson:ab kolb:ac2dej4lmo kolekar:s2 kolesnikova:l2o kolesnikov:aiov2 kolesnik:ab kolesov:am
kolev:bnpt2v koley:amprs kole:mp kolganov:afn kolhe:ns kolic:bm kolios:mp koli:os kolker:as kolkin:n2
kollar:amt kolla:ahmr2 koller:acdm3op kolle:m2st kollias:dgks kolli:agis kollmann:kmp kollmeier:bj kolluri:agm
kolluru:prsv kolmanovsky:im kolokolnikov:gt kolomeisky:ae koloskova:a2 kolos:a2ms kolur:kl kol:gr komacek:t2
komarova:lot komarov:aim komar:agjk komatsu:en2s2t4y komech:ae komeili:m2 komiyama:jy komiya:my komninos:ny
komori:fk komorowski:mp kompanowski:hr kompella:krs komura:kst konar:ps konda:r2v kondoh:hm kondor:dr
kondo:aik3m5r3s3t2y4 kondrashov:kl kondratenko:a2 kondrateva:eo kondratiev:nvy konecny:jm2 koneru:ars
koner:adr konev:abs kone:ce kong:a5b5c14d29e2f24g2h12i4j23k7l38m10n2q13r5s9t4w16x33y26z10 koniaris:bm
konidaris:gn konigorski:su konigsberg:ag konig:a2b3c2efgh2l3m2n2rs3tu koning:cjmnpw konishi:acf2hk2m2ty
konkwo:cu konno:ahknt konomi:bm kononov:ep konovalenko:ao2 konovalov:dv konrad:bcpz konstantinidis:fgkn
konstantinidou:de konstantinou:akm kons:lstz kontar:erw kontos:ch konuk:et konushin:av kon:efm2ps koohy:bs
kooij:jps kooi:jst kook:h2js koolen:jt koopmann:pr koopmans:dl koopman:b3prt koop:gio koos:ck kooten:es
koo:b2c3d2egh6ij18km3ns2t2wy4 kopanas:g2 kopczynska:js kopecka:eh kopec:d2kw kopelowitz:et koper:hm
kopf:a2bfjlm koplik:gj koponen:lv koposov:ds kopparapu:krs koppel:am3 koppen:vw koppe:agjpt koppisetti:prs
koppl:ht koppula:hs2 kopp:cdgjmnrs2 kopriva:dij kopru:bs kopsell:ks koran:ae korbak:t2 korba:a2 korber:cdn
korchagin:asv kordek:kr2 kordik:pt kordi:ayz kordt:ah koren:ab2mn2rst korevar:hs kore:a2sv korfhage:ns
korfiatis:p2 korgaonkar:ks korhonen:ahjmt koribalski:b2 korich:ak korie:cou kori:adh korkmaz:ac2e2fmsy2
kormann:kln korman:cm kormushev:np kornblith:als korner:cfjklmp korngut:p2 kornilova:a2 kornilov:dm2
korn:bdfmr2 korobkin:dm koroglu:m2y korolev:disvy korolkov:sv2 korol:agrv koroteev:mp korotkova:oy
korotkov:a2i korovko:a2 kortekas:rt korte:ac2ik korzeniowski:fp korzh:bd kosaraju:knv kosar:at koschny:dt
kosch:hot kosec:gp koseki:s2 kosel:cm kosenkov:do kosenko:op koser:kns kose:abekns3u2 koshelev:aik koshiba:at
koshida:s2 koshi:ky kosicki:m2 kosik:amv kosinski:lm kosir:at koska:il koskela:ajp koskinen:jmt kosmala:a2
kosmider:jo koss:em3t kostakos:pv kostal:kp kostas:kr kosta:ls kostelac:mp koster:aef3gj2ruy kostic:bd2mpvz
kostikova:a2 kostina:av kostin:a2j kostiuk:jy kostova:bt kostov:ikrv2 kostrzewa:dm kost:jo kosuge:kn kosugi:st
kosut:or kos:a2dgj3lmpst kotak:jr kotani:kt kota:bjkmrs kotecha:d2gmn2pstv kotek:hstv kothapalli:suv
kothari:achkmn3r3s4v kotha:ansv kothe:csu kothiyal:am kotian:sv kotilainen:jp kotla:hvy kotler:jn kotova:ado
kotov:aeir kotsev:av kotter:ef kotte:ai2sv kottke:mr kottur:as kotulla:cr kotze:ap kotz:ad kot:acp kouba:afl
kouketsu:sy koumy:gm koundal:dp koundinyan:s2 kouno:amt kourtellis:an kourtis:gkv kour:gs kousar:hm koushik:g2
koutras:ck koutsopoulos:hi koutsoukos:ex koutsourelakis:ps kouwenhoven:kt kouzayha:ns
kou:bdefg3h2jk2l2mnq2r2s4twx2y7z7 kovacevic:a2mn2s kovach:aiky kovacic:gnz kovacs:a6be4g3ilmor2s2t2vz
kovac:fgjm5sv kovalchuk:rsv2y kovalenko:a3dilm2s kovaleva:dm kovalev:a3deglmpv3y koval:akr kovanlikaya:ai
kovarik:lv kovar:dm kova:aelo kovec:jl kovich:mn kovi:ak kovski:im kov:adipv3 kowalczyk:a2dkm2p2rw
kowalewski:ajst2 kowalik:lm kowalski:acdj4km3p2s kowal:gjkm kowol:kp kowsari:ek kowski:jkm3t koyamada:ks
koyama:a2ck2m2rs5t2y2 koyejo:os koyuncu:ae2 koyuturk:cm kozachok:a2e kozai:km kozaki:ehk kozak:a2jm2tv
kozhevnikov:aeg koziol:ghk kozlova:ademov kozlovskiy:v2 kozlov:ad2gim2tvy kozlowski:adjkmstw kozma:ar
kozyrev:as ko:a2b11c5d5e4g2h14ij18k3m5p2r2s15t4w5y14 kp:as krabbe:a2 krafczyk:am krafft:cg kraft:a4bdj2klm2rst
krahmer:fu krah:anp kraijeveld:bj krajewski:j2prtw krajnik:tz krakaur:dj krak:it kraljic:adkt kralj:cjmn
kral:dkps kramberger:ajm kramer:ab3cd2ef3g2h2ijk5lm4nop3s4tw kram:glm kranabetter:l2 kranich:cp krantz:aej
kranz:jm2 krasheninnikov:ds krasnikov:ds krasnopolsky:br krasnov:kms krasowski:ahn kratky:mv kratochwil:bc
kratzer:gp krause:a7bc3de2fhjkmors2u krauss:df2hijnps2 kraus:a2f2j2m8nop2s2tw2 krauth:jklmw kravchenko:a3iopv
kravets:ao kravtsov:aipsv krawczyk:abc2ejmn krawiec:km krebs:af2j3mnr2s2w kreidieh:a2 kreiman:gt kreiss:egj
kreis:bcklm krejtz:ik krell:js kremer:gk2lmp2s kremser:bjm krenn:ams krentsel:a2 kreps:ds kresin:av kresse:fg
kretschmar:km kretschmer:mpw kretz:ty kreuter:afu kreutzer:hjm kreutz:c2dt kreuzer:acem kreyssig:bf kribs:cdg
krichmar:j2 krieger:a2jlm2or kriegler:ac krieg:df2 krier:js2 krings:ks krisciunas:ek krishnakumar:a2ghk2l
krishnamachari:br krishnamoorthy:abgm2p2rsv krishnamurthy:a3b2hkmp2rs3v4
krishnan:a13bc3d2g4h2j4m2n3p5r10s10tv3 krishnasamy:gv krishnaswami:gn krishnaswamy:adhns3
krishna:a10b2cdg3k3lm3or3s9t2v2 krish:r2s kristan:jm kristensen:a2egjklmnps3 kristiansen:bgh kristoffersen:amo
kris:jl kriuk:bf krivov:ae krizek:fp kriz:ar kroger:bklmnpt krogh:ade krohn:ar2 krolikowska:km krolik:j2
kroll:cefjmp krol:m2r kromer:kmos kroncke:bt kroner:ah krongold:by kroon:afjp kropholler:pr krop:ek kroth:bn
krotov:ad kroupa:npt krstic:m2 krstulovic:gs krugel:ac kruger:a2cd2f2ghj9k2lm2n4p2r5s4tvz kruglov:iov2
krug:a2jrtv krukowski:ps kruk:j2ms2 krull:ac krumholz:hm krumm:jl krupar:rv krupa:a2jop krupinski:ek
krupka:cdem krupke:dr krupp:l2n kruse:agiklm3nort kruszewski:ag krutul:dm krut:ks kruusma:km krylov:a2dikv2
kryukov:a2 kryven:m2 krzakala:fp krzeminski:dm krzyzanowski:gr kr:bkr ksanen:lmt ksen:dh kshetri:ns
kshirsagar:ajmr2sv kshit:os2 kshmanan:bklp kshman:av kshminarayanan:bm kshminarayan:ac kshmi:sv ksonen:jm
ksuz:aik ks:gp ktar:ky ktay:ko ktem:afo ktionov:rs kuai:cmrs2txz3
kuang:bc4d3ef2gh12j11k3l4m2n2p3qrs4tw3x8y9z14 kuan:c2gkmst2wy2 kuball:mp kubatova:bm kubel:djm kuberski:s2w
kube:dh kubiak:gjkm kubica:dj kubik:ajt kubinova:km kubis:bmtw kubler:ens2 kubota:a2h2kmnsy3
kubo:afh2j2k3m2n3rt4vy3 kubrak:dk kucera:afjps kucerova:a2 kucharski:ampr kuchar:j2 kucherenko:at
kuchibhotla:ah kuchi:ck kuchler:jltu kuchner:mu kuchta:km kucia:fx kucuk:aes kuczynski:alt kudale:ds kuda:hkmt
kudlicka:jp kudo:ak4mnpty kudryashov:bny kuffner:kt kuger:l2 kugi:at kugler:dk kuhle:ajo kuhlmann:fklm3rs
kuhl:bcehjnu2v kuhnel:cfw kuhnert:jt kuhne:chjmnpt kuhnle:a2 kuhn:a2b2c4defj5kl3m5nop2r2s3t3 kuhr:mst
kuijken:k2 kuijper:am kuipers:b2ft kuiper:dglrt kui:twxz2 kujawa:abj kukkala:rsv kuklenko:ds kuklinski:p2
kukreja:d2ln2ps kukushkin:am kulakov:ims kularathna:is kularathne:hi kula:dmrs kuleshov:iv kulesza:au
kulhandian:hm kulicki:mp kulikov:dikv2 kulik:ahl kulkarni:a32c3d2gh2j2k6m7n5o2p6r8s15t4v5y3 kulmer:d2j kulp:gm
kulshammer:bj kulshreshtha:a2dp kulshrestha:a2djms kumada:cn kumagai:ahimsy2 kumakura:ht kumano:st
kumaran:dgk2stvy kumarasinghe:ciu kumaravel:bs kumaresan:ar kumari:a3bh2k3lmn4p4s8u
kumar:a71b11c6d16g11h13i3j6k11l5m24n28p34r31s92t10u5v27y7 kumawat:agms kuma:t2 kumbhakar:mp kumbhare:an
kumbhar:rs2v kume:ajt kumlin:dp kummerfeld:ej kummerle:cj kummer:flms kumoto:hy kumru:hm kumura:k3m2rst2y
kum:cds kunapuli:ps kuna:jm kuncoro:a2 kunda:m2s kunder:a2c kunde:gv kundu:a14cgjk2mpr3s15t kundys:bd
kunert:jr kung:bcdeghmp2rst kuniavsky:m2 kunihiro:mt kuniyil:hn kuniyoshi:hy kunkel:jmps2 kunnemann:mr
kunneman:fr kuno:ah2kmnrty3 kunsch:gr kunst:fjn kuntz:a2jpr kunt:mty kunwar:ikmprs kunzel:jt kunze:ah2j3k2lmrt
kunzi:hy kunzmann:ls kunz:ahj3m3ptw kun:a3efj2l2m2v kuo:abc9e2fgh5j3km3n3p2r2s3t3vw4y4 kupari:al kuperman:jm
kupers:ax kuper:akln kupfer:jt kupka:jt kupke:cor kupnik:am kupper:acjms kurakin:a2 kuramoto:hy kurapati:sv
kurata:fik2m2n kura:fksy kurbanov:jr kurban:ahm kurbatov:ao kurdi:m2ry kureshi:ir kure:ah kuriakose:s2
kurian:egkmn kuribayashi:mty kuric:am kurihara:kst kuriki:mps kurita:hst2 kuriyama:hks kurka:do kurland:do
kurnaz:mot kurniawan:dgikos kurochkin:ev kuroda:knty kurokawa:hmy kuroki:k2mrst kuroyanagi:is2 kurra:ds2
kurschner:kp kurths:j2 kurth:a2iltw kurtovic:an kurtulus:cd kurtz:acf2m2rv kurt:aeg2hm3suy kurylo:nou
kurzeja:mp kurzynski:m2 kurz:a3c2fkm2nps3t kur:egjv kusakabe:hkty2 kusaka:ak kusano:ghk2t kusa:kw kusch:jl
kushalnagar:kr kushner:ms kushnir:d2el kushwaha:a4dp2s4 kusner:mrw kusnierek:k2 kuss:el kusters:acfr2
kuster:bdfjt kusuma:cjs kusumba:an kus:ad2 kutak:kw kutasov:dj2 kutlu:my kutomi:am kutscher:d2 kutsch:lt
kutsenko:ak kuttler:hm kuttner:ms kutulakos:k2 kutum:bs kutuzov:ao kuwabara:ah kuwahara:bst2 kuyama:hky
kuzan:bt kuzin:dvy kuzmenko:dh kuzminykh:ai kuzmin:adgmnv kuznetsova:a4m kuznetsov:a5d3ei2km3n3ops2v2y2
ku:a2b3c5eh2kl3m2p2swy3 kvamme:hs kv:gk kwack:jt kwak:abcd5g2h8ij9k5m6ns9y3 kwan:b3de3hj2kmprtw2yz kwast:t2
kwek:el kweon:h2ijkm3swy kwesiga:de kwesi:aj kwiatkowska:am kwiatkowski:acjrt kwiecinski:jw
kwok:a2c2fhj4kls2t2w kwong:cm2s2t kwon:ab3c4d17e2g3h20j27k6m15no6pr3s21t10w3y28 kyaw:aek2p kye:dy kyle:k2
kyriacou:ag kyriakopoulos:dik kyriakou:adgi kyriazis:adin kyrychenko:ry kyung:ds ky:bj
k:acd2h3j3k3l2m4n2p4r2s12tv7 labi:ghsz labs:abik lab:ms lach:agjm lack:ns lacy:bm lac:ar lada:ce ladd:bj
lade:ars lad:afkm2ns laga:fhi lage:acelm lagg:am lago:a3bjmp3 lag:rt laha:nr2s3 lahi:im2tuy lahr:ag
lah:a21b2cd4f3h9i4j2km8n2op2r4s13twyz3 laib:jm lain:cg2jm2t2
lai:a4b6c21d5e3f3g5h18ij30k8l9m10op13q5r8s17t6v3w7x10y38z20 lake:bde2rtw lak:jms lala:ds2 lali:a2bimy
lall:abcs4uv lalo:ert lal:a5b3cd4giklm2n3op3r6s6uvy2z lama:a2fgm2ps2v lamb:ad3fhjklm4nrt2w lamm:bl lamp:aj
lamy:hlmp lam:a10b3c6d2e2fg2h6j4k6lm13n2p6qr2s8t5v3w6y lana:as land:jlmrst lane:acdij5k2l2n2p2r2stz
lang:a3b2c5d4e2fg3h3ij11kl4m3n4opq2r5s7t2vw2x4y2z2 lani:afm2 lano:cd lanz:almov
lan:a2b5c8d2ef3g10h12ij23k8l13m10n3p2q6r5s11t9w5x17y20z18 lao:abc2d3ghj3kl2m2nq3stwxy4z lapp:abhs laq:ad
lara:a5efhijl3m3npr2ty lard:cdlu lari:e2m lart:fpr laru:gprt lar:mrt lash:bj lass:j2mv lasy:it las:abegj3mtv
lata:am lato:bgj latz:aj lat:djst laub:dp2 lauc:dg laud:pt laur:a2cfjmst laus:fh laux:cm
lau:a6b2c5de4f2g2h2j5k4m8n2pr3s4t4vw3y4 lavi:gmry lav:flm lawi:az law:ac5d2e2j2k3m5rs2y2 lax:cl laya:mtv
lay:b3c2flnrs laza:ir lazo:jl la:acd2h2mnt5uv2 lbath:am lba:ad lc:rs ldenburg:dn ldridge:et
leal:aefgij2l3m3psw lean:ab2c2hkmr2s leao:ijk lea:a2cj lecu:af ledo:dj leeb:fw leek:ej leem:gs2 lees:ajm2t
lee:a30b43c93d97e37f2g58h207i23j283k119l15m68n21o3p11r18s262t45u4v4w44x2y122z7 legu:am leib:ghm lein:elm
leis:jv lei:a2b11c14d6ef5g5h18j23k10l15m8n3pq4r4s20t8w13x23y42z28 lek:gjy lele:nrs2 lema:gj lem:cjl lena:c2
lenc:ekl leng:b2c4d2f2h5j15l3nq2rs3t2x4y14z5 lenk:lmv lenz:a3cd2gikm2rstv len:a4b5c6d3eg2hj5k2l4m7n4pr7s6t3z
leod:a5bdjkm2s leon:a2b2cdef2g3ij7l2m2n3opsv2 leow:c2p leo:a2c2d2fhkm3psv lepe:f2s lera:fis lers:mo lert:mr
ler:abd2eijlm4rt les:aft2v leth:apu leto:ag leus:gir leu:gjmprst2 leva:em leve:f2v levi:a2cd3e3fijkm4norsy
levy:a4b2d5e2g2h3i3j3kl2m3n3o6r5s6u lev:a3bd2eno2y lew:abhj3lmtw2 lex:ce2 leye:fko leys:mr ley:acdjkm2o
le:a5b9c11d13e2g2h10ij3k7l6m8n10p2q8rs2t27uv3w2x5y5z3 lfa:aj lger:es lgower:fk lguin:af2g lhermitte:am
lheureux:aj lhuillier:ab liang:a10b16c32d21e8f12g18h57j98k23l33m21n5op16q21r22s60t25w27x69y120z83
lian:bc3d4ef2g2h5j12k2l3mnpq2r3s8t5w6x8y10z11 liao:a6b16c22d7f5g12h28ij47k12l21m21n4p7q16r9s15t12w25x37y55z40
liapis:an liaqat:ams liarokapis:fm liashchynskyi:p2 liatsis:p2 liaw:brst lia:adefm2nrvw3z liberatori:ab
libera:aln liberman:aj2msv liberte:epst liberti:il liberto:gm libert:agt liberzon:ad liboni:bc libovicky:j2
licandro:jr lichtenegger:aeht lichtenstein:af licht:chjmv licini:fn lic:abd4su lidar:dh liddle:ag lidis:ens
lidman:c2t lieberman:gm lieber:cdkmt liebeskind:cd liebling:ds liebmann:jm lieb:ae2fjk liechti:jl liechty:bt
liege:al liem:ct lienhard:vx lien:a2cdjnwy lier:fis liesenfeld:ar liesen:j2 liess:m2 lieu:fos2 lievre:mt2
liew:adj3s4tz lie:abdgh2k2lmnos3txz lifschitz:adov lifshitz:ghny lightfoot:dj light:bcdejp ligiannis:mn
liguori:amp liinyk:avy likhite:rs2 lila:ae lilienthal:ad lilja:a2ot lillie:aj lillis:dr lilliu:fs
lillo:a2f3glpr lilova:kv liman:mr limat:hl limaye:n2 lima:a3bc5d2e6fg2h2i2j5l3m3op3r9t3v2y limberg:cg limon:ds
limousin:mo lim:a5b9c19d12e9f2g10h40i2j46k10l2m8nop2qr3s46t11w9y18z2 linan:m2 linardos:ap linares:cgik2mpr3v
linas:gnp lina:dn lincetto:fm lincoln:ns lindberg:cj lindblom:jl lindell:di lindemann:hkl2m lindeman:mn
lindenbaum:mo linden:acghijmns2t2w linderman:rs linder:efmn2rt2 linde:afj2kmnop lindgren:afhmt lindley:s2
lindner:abcdfhj3m2nsv lindquist:ajm2n lindqvist:j2u lindsay:a2cdmnst lindsey:jklmr lindstrom:acjmsu
lindvall:cm lind:acj3kmps2 lines:en line:cmr lingam:mr lingelbach:km lingham:dj2 linghu:dxy lingsen:lps
lingwood:bw ling:a4bc7e2f3g4h11j7k2l6m3n3opq2r4s13t7w3x17y20z17 linhard:km linh:dnt linial:mn linke:adjls
links:aj link:bdgm2s linna:det linn:mr lino:fmp linsky:aj linssen:cj2 lins:cem linte:cn linton:ap lintz:mn
linze:cz linz:hs lin:a17b37c74d25e17f42g35h97ij170k33l54m51n10p24q35r33s98t33v2w57x93y164z157 liotta:ag
liott:a2bc3d2hj3km2p2rt2w liot:afm2n liou:jkm2yz lio:gm2p3 lipa:jm lipinski:am lipka:emn lipkin:b2 lipman:dky
lipori:gj lipparini:fp lippert:c2gmrt lippe:jp lippincott:t2 lippi:m2 lippmann:mp lipp:jlmnpv2 lipski:ar
lipson:hlm lips:et liptak:hlmz lipton:ajmrz lip:gr lira:ahkpvw lisanti:gm lisboa:aps liscio:ae lise:aj
lisiecki:kl liska:m2n lisle:cjlt lison:a3d2gj3ps2t2 lisowski:gj lisson:c2 liss:j2 lister:dejlrt list:fj2m2
lis:a3bc4d5e3g2ij4k3lm5rs3tz litjens:gr litman:der2y litos:m2 littlefield:cz little:abd3hj2kms3tz littman:mr
litt:de litvak:ai litvinenko:ev litvinov:ms2 litwin:jmw litz:ks liua:sy liufu:mwy
liu:a51b105c194d138e20f86g100h277i4j375k80l164m139n27o5p58q114r109s279t91v2w127x324y490z376 livan:cg
livares:cfhjkmpv2 livas:aej liva:a4cefg3j3l2m2prv liveira:a4b2c3d8e8f8g5h5i2j10l5m7n2p2r5s4t3v2w3 liveras:ajp
livera:cijv liveros:djl liver:bc2dghj3lm2npr2stw2 livescu:dkv lives:jl livetti:de2 live:dj2km livieri:cdefgmp
liviers:go livier:a3fgps2 livingstone:es livingston:cdjm2 livi:l2r livo:ev livshits:b2de liwen:wz liwicki:fms
liyanage:acgkm3pv liyanarachchi:s2 lizarraga:aj2 lizcano:dp
li:a71b158c278d162e21f97g129h316i5j445k110l195m205n34o2p100q150r154s337t123v5w175x375y593z507 ljungqvist:mo
lkar:as lker:et lkes:aj lkin:rz llahinejad:gy llahi:a2bfh3m2 llahzadeh:am llambay:ap llanos:dfp llan:bc2
lla:a3jln2rs2 llberg:cj lledo:fjm llement:mr llen:lp llerena:jm llerud:gn ller:cde2m2s llette:chnrs2 llet:m2
llewellyn:alm lle:cimpr2s2v llila:em llin:fh llion:de llis:fgp2 llitrault:jp llivier:emy lli:fms
llmann:bchj2krs llman:js llonio:ln llon:bd3j2o llop:jmp llorca:ij llorente:j2mo lloret:aefj llouch:els
lloyd:acdhjlstvw llo:af lly:ajmpw lmaghani:mt lmaleki:amr lmann:abdeijs lman:ac2dej2kpt lmedo:cfnr
lmendinger:frs lmer:fg lmi:lmrs lmos:abfjlp lmo:adg2r lmschenk:g2 lmsted:lp lntosh:bs loa:ac2eg2j2mnr
lobo:c2de2fij3npr lob:a2 lock:ade2j loc:n2 lodi:amr loff:ajn loho:gk lohr:a3d2ht loh:a2c2dh2ijk2l2p2sw3z
loi:ad2fim2 loke:glsw lok:dt lom:jm lone:ghmsz long:a5b6c11d6e2f5g5h9j28k10l9m8n4op4q10r5s15t7w7x17y34z18
loni:a2m lon:gjs looi:ms2t loon:j2s loop:cjs loos:jps loo:a2b2c4gj3klm3nrtv lops:am lora:aj2m lord:cgs2
loro:alp lor:jm2w losa:ag los:a2bdjm loth:aj lott:ac2mnp lotz:aj3m lot:jr loud:aj loup:cu louw:rw
lou:ab5c6d2e2fh13j15klm4pq4rs8t2vw4x11y28z11 lova:el love:bdj3opr2st2 lov:no lowe:abc2dim2rs4tw
low:a3b2c3dgj5klm6nps3t2w3y2z loya:kr loyd:ab loye:jx loy:c2enr loza:agr lo:a3bc5d4e2fgh2j8k4l4m2p2rs3t3wy6
lrahmani:mo lred:cj lrich:aef2hjklmpst lsak:m2 lsen:a4c3ehjk3lm3n2prst lshanskii:am lshevsky:av lsiz:df
lsman:nr lson:abc2de2gj3kl2mrs4tw2 lsson:acefh2jlprst2 lstad:af lsworth:sw lszewski:ejmp lteanu:ad lthof:km
lthuis:sw lting:al ltz:dg2m luaces:mp luan:b3c2d2f2gh5j5kl2np2q3rs4t2w3x5y3z3 lua:gk lubbers:cn lubeck:f2
luber:jn lubin:bjlp lubke:djms lubow:s2 lubrano:fks lucassen:ejrt lucas:a3bc2defghj3k2lm5no2p2r2t4
luca:a6c2f3gilm2sv2 lucca:agm lucchesi:dr lucchini:alms lucchi:a2egm luccioni:as lucena:djmno lucente:dg2m2
lucero:dfj2 lucey:jmps luchinat:ce luchsinger:af luciani:bmw luciano:gl lucia:a2bcgm3sw lucic:adm lucini:bm
lucio:blm lucka:fm lucke:jk luck:a2hkm2nw lucy:al luc:acp luddecke:lt luders:cm ludescher:j2 ludewig:m2
ludlam:mr ludlow:a3j ludtke:cds ludwig:a4bc2f2h2kmn2s2t2 luft:bl luger:aest lugli:fv lugones:gr lugo:adi
luhmann:acn luhrs:js luijten:bgj luisier:fmr luis:abcj3s luiten:aj luiz:aj lui:ag2hjklmrs4ty lujan:aem2n2
lukacs:ag lukasczyk:hs lukashchuk:am lukasik:jnsw lukassen:fs lukas:a2f2nsu luken:ak luke:bgk lukic:mz
lukina:as lukin:ms lukoianov:a2 lukovic:im lukowski:mt lukoya:fo luksch:ck luks:btw lukyanov:s2 luk:cepsw2
lulla:jr lum:cgk3lptv lunardi:gjr2w2 luna:a4c3eg3j3klmnr lundberg:ce2ms lundell:abej lundgard:as lundgren:a2bk
lundin:aj2 lundquist:kmu lundqvist:lp lundstrom:cej lundy:et lund:abcgjkm2 lunghi:a2d lungo:iv lungren:m2
lungu:v2 lung:cmprt lun:ktxy2z luoma:ksv luongo:cemo luong:ac3d3h3jk2m2n3p2qt3v2
luo:a11b11c38d23e3f12g24h68j94k22l41m28n4op15q22r26s55t31vw48x85y149z91 lupascu:acm lupini:am lupi:a2es
lupo:ajl lupton:gr lupu:ade2r lup:fv luqman:ahm luqu:ac2j2lps luria:mo luri:lsvx lurs:bj luscher:a2js
luskin:ms lusk:djkm lustig:bm2 lustosa:af lust:dn luszczak:mw luther:ajkn luthfi:dm luthra:a2m2p luth:c2st
lutjens:b2 luttner:fl lutzow:ln lutz:b2cd2jm3n2pr2t luukkonen:rs luu:acdh3jk3m4n3q2rst5v lux:klmoz luyten:kmv
luzio:gjls luzzi:cl luz:de2gj2mps lu:a17b22c51d32e4f13g24h95ij135k27l37m39n5o2p25q37r29s73t31v2w51x95y167z104
lva:py lvera:ajv lver:ns lvi:a2bf lvov:gv lv:a2b3c26d4f8g5h24j33k13l11m9n3p6q9r7s9t15w14x28y32z31 lwani:dghv
lwein:cf lwin:kmn lworth:ejrs lyakh:dy lyakov:as lya:gh lye:ack lykou:f2 lykov:ad lyman:jr lymperopoulos:pt
lynar:t2 lynch:abc4d2ej4k2m2np2rs4 lynn:c2djmot2vw lyons:adhj2k4t2 lyon:adghj3krst lysenko:iv lyskova:n2
lysyi:am lys:ej lyu:a3b12c14d7f5g5h26ij32k5l12m12n3p8q9r3s24t8w14x21y39z26 ly:a2d2hk4lm2n3o2q2rsv lzle:m2
l:ablm2np2sw maben:ls mabrouk:ars macau:ef macek:bdps mace:cegmq macha:st machi:ims mach:dfklptw maci:st
macko:adpt mack:c2d2hj4kl2mt2w macri:lt mac:kt madabushi:hsv madadi:m2 madad:as madani:a3bkm2nos5
madan:a2cdjk2ln2pr2sv madarkar:ms madarov:gi madasu:a2 madathil:abdksv mada:a2cf2g2jk5mr2s4t4y5 maddali:gs
madden:bejl2mnps2 maddock:cs maddox:kn madduri:krs maddu:ps madeddu:cm2 madeira:adhm madejski:g2 madella:gm
maden:cw mader:mp madge:ce madhavan:am2s2 madhav:km madhuri:av madhusudan:as madhusudhan:n2s madhu:hnps
madhwal:dy madhyastha:hmp madigan:ajm madiraju:pv madi:an2ot madkour:fn madler:ct madrid:aj3r madrigal:cdfg
madsen:a2dj3k2lps2t madson:bg madurowicz:a2 madushanka:st mady:km maffei:abm mafi:af magalhas:a2bc2degjrstv
magana:a2jm magar:a2kn2t magaud:cf magay:av magdaleno:ar magdy:mn2rsw mageed:mw magee:amrt magen:jr magerko:ab
mager:fjkm maggini:m2 maggioni:lm3rv maggiore:lmn maggio:dlsv maggi:dflmp2 maggs:jk magg:cs maghraoui:ak
maghsoudi:m2 maghsudi:ms magid:ms magill:bd magister:cl magistri:fs magi:am maglione:gj magli:eg magnani:flm2p
magnan:fjm magne:blt magnier:bev magniez:af magni:ag magno:m3 magnuson:am magnusson:agijm2st2 mago:gv
magrabi:af magrill:bj magrini:gl magrin:d2 magro:alm2pr maguire:gkmp2rwy mag:fk mahabal:ac mahadevan:ans4v
mahadik:hkp mahajan:a7bd4ghij2k5mn3p3rs4y mahalanobis:a2 mahala:gns mahale:a2 mahalingam:d2es mahamood:ms
mahani:ahkm mahanta:cdgr mahanti:a2 mahan:b2dst mahapatra:a3cd2ijnp4r2s5 maharaj:a2dks2t maharana:aps2
maharani:vw mahara:ahrt maharjan:ajpr2s2 mahar:ms2 mahata:adns mahatha:kn mahato:dhms mahboob:mz mahbub:aikmrt
mahdavi:ahm2n2s3z mahdian:m2 mahdieh:m2 mahdizadeh:as mahdi:a2im3s mahdy:am2y mahendran:ad mahendra:kor
maher:bgmnos maheshwari:a5cgh2m5p2rs5v mahesh:a2gkmnr3u maheswaran:m2 mahe:eky mahfoudhi:mo mahfouz:am
mahfuz:mrst mahida:ay mahim:m2s mahini:hr mahi:abfijm4u mahjoub:ahmo2 mahla:an mahler:gj mahmoodi:lmt
mahmood:a14def2h3km4nr3s4t3uwyz2 mahmoudian:bn mahmoudi:bin3s3z mahmoudpour:ms mahmoud:a3behjkm9oqs4ty2
mahmud:a2ghj2km3nrs7t4wy mahoney:c2m mahony:cefr mahon:abdei2j3lmnps mahowald:jk mahran:amy mahri:ms mahto:ads
mahyar:ahn mah:bdk maia:c3d2ef3hj3mw maiboroda:dr maida:adm maier:a4b2c3d2g3j3klm4pr3s2t2 maignan:as
maillard:gjklov maimon:a2g mainardi:fl mainar:ap maina:chjsz mainetti:gl2 maini:op2sv mainkar:mn main:jr
maiolino:pr maione:afg maiorca:dv maio:acflrsu maire:bejmpv mairittha:t2 mair:bgjlmpsy maisch:nr maish:ah
maisto:ad mais:flps maiti:a6dgpr3s9 maitra:a2bc2knrs3w maitre:aj2mos maity:a6b2d3kmr4s9t maiya:a2s2
mai:a6b2c4dfg3h9j10k2l3m4n2p5qrs4t9v2w4x6y4z9 majchrzak:mt majd:akms2 majeed:a2kswy majee:a3s3 majer:fhl2
majewski:ks2 majhi:abrs4v majic:ikm majidi:cf3m2s majid:fhm2orsz maji:a2bd2hm2p3rs5 majmudar:jn major:b2djs
majumdar:a12c2d2jklp4r3s9 majumder:a5b2dkmnop2r2s12t2 majzoubi:fm maj:ipr makadia:art makam:rv makarenko:amn
makarova:a2lo makarov:d3ein2r2sv3y makawa:js2t2 maka:ps makela:emp2s makhlouf:a2mr makienko:ip makihara:ek
makinde:ao makinen:ail makino:hj2kst2wy makin:tv makishima:kn makis:a3np makitalo:hn maki:a2djmnt2 makkar:an
makki:bm2 makky:ai makmur:ah makni:bm2 makopoulos:dy makowski:aglm makridis:cgm makris:ad2n2 makri:e2
maksimenko:av maksimovic:m2 maksimov:dy maksymiuk:ajy makwana:jkm mak:bc2h4jlm3orst malacarne:lr malach:et
malagon:as malakhov:a2 malandrino:fpr malan:akls malaquias:rs malaspina:df malaviya:csv malavolta:gi malbet:af
malca:ao maldonado:a2cdf2gjkors malegaonkar:jy maleh:ay malej:nw maleki:a4bf2h2m2ns4z malekzadeh:m3
malek:ahijkm2s3 maletic:js male:cej2mt malfa:eg malgas:ck malheiro:ab malherbe:ej
malhotra:a5c2dg3k2lm3n3pr7s4v maliakkal:fr malick:ajs malic:dg maliha:jm malihi:km
malik:a10b2cdf2g3h3i2j2k3m7n2or5s10t2v2z malinen:es malinovsky:gv malinsky:dm malin:b2m2 mali:a2dpsvy
malkan:bkm malkin:adnrz malki:afo malkov:kmoy malladi:lmrsv mallah:jmr3y mallak:abn mallapragada:ds mallat:js
mallavarapu:a2 malla:ms3 malleson:n2 mallett:ir mallet:ac2r malley:d2m mallick:a6b2dk2pr2s4t4 mallidi:hr
mallik:a3knps2 mallon:cde mallo:m2 mallya:agm2s mall:ksu malmi:el maloney:agjks malone:cfjt maloni:ms
malossi:cn malouf:acg malo:jl2pr malpani:n2 malpas:ac maltby:d2 maltoni:dfm maltsev:de malu:d2 malvezzi:dm
malviya:p3sv malygin:ev malykh:ev malyshev:adkv maly:j2p malz:a2 mal:ak mamaghani:abem mamalakis:am mamani:gm
maman:be mamari:kn mamav:imp mama:ekm mambrini:my mamedov:isty mamidala:ars maminta:ce mamitsuka:hl
mammadov:a2mtu mammarella:dm2 mammo:dz mamon:agm mamo:bkory mamun:am2n2ost manabe:kt manai:ai manamperi:lw
manandhar:ps2u manas:jkmo manaut:bs mancas:cdm manca:cgj manchado:a2 manchanda:gnrs2 manchester:cirtz
manchon:acdp2 mancinelli:fm mancini:a2cefkl3m5rs manco:i2 mancuso:amrv mandalapu:cj mandalika:as
mandal:a17b6cd6g2hi2j2k2m4n3p5r3s17v mandarakas:n2 mandarapu:dm manda:bp mandelbaum:jry mandelli:ls2
mandell:am mandel:a2i3j2klm2pst2 mande:dn mandic:dmv mandi:jr mandl:cklmp2s mandt:ks manduca:a2 manduchi:lr
mand:afj manea:acf manela:bj manem:cv manenti:a2 manesh:fms manet:fhm manevich:ay mane:a3hjm2n manfredi:gmp
mangal:a2prs manganelli:bl mangan:ajm mangat:cj manghi:mr mangin:js mangla:a2bps mangold:abgkm2p
mang:a2cfhj3k2n2qsy2 manhardt:ft manhart:am manhas:mp manh:bk maniar:au manias:es maniatis:ap manicka:as
manikandan:s2 manikantan:ak manik:d2jm2rs manini:dl manis:jm2 manivannan:ams2 maniyar:acms mani:a4bfkm2np2rs3
manjunath:gm2n2p2s3 mankodiya:hk mankoff:bj mankovich:cn mankowski:ct mannan:afmps2 manna:a4c2fg2lmpr3s7y
mannel:ho manne:a2s2u mannheim:kp mannila:hl mannings:ai manning:ab2cj3ls mannion:aop mannix:ber manni:cegm
mannocci:ael manno:agm mannucci:afm mann:a9bcdgi2jk2l3m2npr2s4t2y2z manocha:ad manoharan:a4msv manohar:ak2ls2v
manoj:agp manolache:agl manolescu:ci2 manole:at manor:ahns manos:dem mano:nt2v manrai:ap manriqu:aelnor
manser:jn mansfield:egm2p2 mansha:ai mansilla:ilr mansi:egst manski:ci manson:rs mansoori:am3s2t
mansoor:a3dh2n2u2w mansouri:abefms2tvz mansoury:ms mansour:a4eh2ijm4nor2s2y2z manso:al mansur:glmr mansutti:af
mans:bl mantegna:fm manteuffel:adt2 mantha:abk manthey:fk mantiuk:fr manton:jt mantovani:lprs mantripragada:ip
mantri:dkns manul:acdlmpz manurung:hi manus:jm2 manu:op manya:dfp manzanares:a2j manzano:ac2fl2s manzari:co
manzini:ag2t manzi:gi2 manzoni:afglm2p manzoor:a3eimsu manzo:cg2m
man:a6b6c4d2e2f2gh5j5k3l2m7np4r3s5t6v2wx3y4z6 maor:em maoz:dnouy
mao:a5b7c14d5f4g3h21j39k10l12m4n4p7q14r14s33t8w18x34y65z30 maple:cj maqbool:djm maqsood:a2hmr maquignaz:gi
maquiling:ev marafioti:at marais:akp maram:ds marandi:alm marangola:jm maranhao:aj marani:by marano:dips
marasco:a2ci marasinghe:dp marathe:a2m2rsv maraval:aj marazula:i2 mara:amt marcano:jm marcati:cp marcato:aj
marca:aj marcelino:acgn marcelli:am marcelo:jr marcel:psv marchal:aln2oprs marchand:dfm3p marchant:fnrt2
marchenko:ai marchese:dfm marchesini:degk marchesi:aclm2s2 marchetti:fglmn2 marche:cj marchisio:ak marchi:afgl
march:akmr marciniak:hm marcinkowski:klp marcolongo:ap marconcini:acm marcone:a2 marconi:aegj2lm2s marcon:jlm3
marcos:bde2jl marcotte:cekt marcoux:fl2 marco:a4b2fg2ij2lm2noprsv2 marcucci:gmrst marculescu:dr
marcus:a4d2e3ghj4lnpr2s2v marcuzzi:fr marcuzzo:em marcu:a2l marcy:gp marczewski:ap mardani:m2 mard:ms
marek:a2bdm2y marella:cdv2 marelli:adms marel:nr maren:ace mares:dl mare:er marfo:g2 marfurt:ag margalit:bdoy2
margapuri:sv margaryan:hjs margolin:dr margolis:adgh margraf:av mariani:a3fg2lmsv mariano:bdfhkt marian:am3tv
marias:km maria:acdefg2lm2prs2ty marica:ag marichal:hj maric:adfnst marie:abgn marik:as2 marina:hm2
marinelli:acgmpr marinello:ln marinescu:dgir2 marinho:aegm2n marini:ceilmnst marinkovic:mn marinoni:acm
marinov:admpz marino:a4bceg2jklm2nr2s marinucci:adlm marin:a2bcd2f2g3hij4l3m5opr2s2t2vy marion:dfjps
mariotti:ael2o mario:gtv maris:ei maritan:a2 marius:dlt mari:bdf2g2hm2r2yz marjanovic:os markaj:eg marka:asz
markert:jk2lm markey:m2n markgraf:ch markham:a2cejm2o markhasin:el markiewicz:cmpt2 markkula:gj marklund:ah
markl:bmrv markoff:h2s markopoulos:ck markovic:dijklm3opsuv markov:ai2mnptv2 markowitz:adej marko:go
marks:egjlm2os2t markus:bdy markwardt:cl mark:abdkmptw marla:lr marlet:jr marley:jm marlin:b2cet marmol:ms
marocco:df marom:lno marone:cm maron:bghny maroto:af marotta:acemv marot:am marouani:as maroufi:dk marouf:ai
maroun:gr marova:eg marpaung:dl marpu:ar marquardt:fk marquard:cjp marquis:l3pst marqur:ey
marqus:a3c2dfg2j2l3m5no2prs2t4 marqut:acp marquz:a2bfhij3lmrs marqu:cd marrakchi:ag marras:ar marra:c2g2lpv
marrero:nw marrewijk:bj marre:afgop2 marri:ns3 marrocco:cm marrone:d2 marron:aeim marroquin:afjr marro:ms
marr:bclrs marsala:c2m marsal:cr marschall:bkos marsden:a2cdgs marsella:gs marshall:ac2d4hij6klm2nops2wz
marsh:bdegs marsicano:jl marsico:mv marsili:dlm2 marsland:rs marszalek:mp mars:afj2m2r marteau:bcjpu
martella:ag martelli:f2 martell:jms martel:ahm2p2s martensen:jl martensson:gjpt martens:cd2ej3kmp2r2s2w
marten:ajr marth:ah martic:gm martikainen:hj martina:rs martineau:ackrv martinek:jlpv martinelli:efg2j2m4rs
martinetti:dp martinet:j2psx martinez:a12b3c8d7e6f5g5hij16kl5m11no3p2r3s8t4v3xy3z martinho:hm
martini:a3cd2e2g2hj2l2m2n2ps martinovic:imz martino:a3de2g2ijlm2s2v2 martinson:ae2s
martins:a6b2c2de2f3g2hj7l3m6npr4s4t2v martin:a25b8c13d7e10f5g9h4i3j15k2l8m10n3o4p11r8s12tv2w2z martirosyan:asv
martis:nw marti:a3befg3jl2m2rx martone:g3m2 marton:agsz martorella:nt martorell:ansx martos:cgim marto:jp
marturi:kn martynenko:an marty:bmps maruf:ah2m marulli:fm2 maruno:ry marusic:ai marusov:av maruyama:bns3t2y2
marvil:j2 marwah:mrt2 marwell:n2 marwitz:ft marx:cd4e3lm maryam:hs2 mary:np marzari:ln marzouk:o2y marzo:fgj
marz:at mar:a3cegj3k2m2nr2s2tuvy2 masaki:a2 masala:em masa:pt mascarenhas:a2ejs mascaro:aems maschhoff:kp
maschmann:dm masch:jk mascia:cs mascioli:ac masci:afjp mascle:cs mascolo:cl masegosa:aj masek:jmr masella:g2m
maselli:a2g2 masetti:gn mase:jm2s mashal:my mashayekhi:am2 mashhadi:amps mashrur:af2 masias:jm masia:bl
masiero:abj masih:sz masina:eg masini:fr masio:ac masip:ms masi:a2fg2im3nz masjedi:am2 maskey:msu maslej:mn
maslekar:st maslennikov:deg maslov:aem2sv2 maslowski:j2 masmoudi:amn masnadi:ps masoliver:jm
mason:a2bc3d2e2fhj8k2l3m4prstz3 masood:amrt2z masoro:dl masoudian:ms masoudi:am3s masoud:a3fmnrs masqulier:at
masri:aej2ly masrur:as masry:akmz massant:j2 massari:dg massaroli:hs massaro:efm massa:df2jlp massen:ns
massey:ckmprs masse:a2 massi:fm masson:a2bc2de2fjs massot:jmp massoud:mw masso:ejmn2 massri:ck mass:akm2p2rwy
mastandrea:rs masterjohn:j2 masterson:gm masters:cdklmpr master:a2ej mastorakis:s2 mastrangelo:cej
mastrapas:g2 mastrati:jl mastre:fij mastrogiovanni:efs mastrogiuseppe:fm mastrolia:pt mastromichalakis:os
mastroni:lm mastropietro:af mastro:ei mast:ad masubuchi:hs masuda:a2hkm2n2s4ty masud:a3mns2uz masui:k2s2t
masumi:am masum:hm3r masuyama:ny mas:a4b3c3d2e3f2g3hi2j4k2lm5p3r3s2tv2wz matak:jm2p matar:abnors3 matas:ij
mata:ac2e2gjnr3v mateescu:ar matei:a3b2dipstv matejka:jp mateos:dgjm mateo:adm matera:am materia:ds
mateus:abdp mateu:acj2m mate:abs mathai:a2jtv matharu:jn mathar:r2 mathema:lr matheny:blm mather:jkm
matheson:mt matheu:rs mathewson:k2 mathews:ad2eghij2nrsw mathew:a5b2cdj4m2npr2s3t2 mathe:jlp mathias:ajl
mathiesen:fs mathieu:aefop2rstv mathioudakis:m2 mathis:a2bms2 mathuis:cmo mathur:a9dklm2n4p5rs8uvy mathys:gjlm
matias:bcl2mp2vy matienzo:gm matijevic:ls matilla:jr matin:a2mst matoba:kt matos:abcd3egi2jst2v mato:cfgjmqs
matricon:rt matson:jr matsoukas:acs matsubara:hkst2y2 matsubayashi:aky matsuda:afg2h2k7mn3r2t3y3
matsui:ah3ks2t7y2 matsuki:h2t matsumi:cw matsumoto:a2d2hk8m4n3r3s4t4y2 matsumura:a2hkst2 matsunaga:dhn
matsuno:kmnrst2y2 matsuoka:adfkm3r2st2y2 matsuo:ah2kst4y4 matsushima:emt2 matsushita:k2msty5 matsutani:hks
matsuura:km3rst2y matsuyama:ry matsuzaki:afh2ks3ty matsuzawa:ty2 mattas:k2 matta:acgns2v matteis:elt
mattei:anp matteo:aop2stv mattern:dmt matteson:do matteucci:fjm matthes:d2fs matthews:a3b4cd3e2g2j3l3m3np2s2t2
matthew:cjy matthiesen:bs matthies:bcdght mattia:ag mattila:jkrs mattingly:aj mattioli:dgm matton:akn
mattos:bdlv mattson:cps mattsson:cijlnpt matt:ac3g2ps matula:jp maturana:fg matusik:hw matuszek:cd
matuszewski:m2 matute:gi matveev:adimrs matyas:jlv matzke:drs matzner:chm mauceri:dr maucher:fj mauch:cl
maudet:efn mauger:cmo maulik:adru maul:mt maureira:jm maurel:af maurer:abcfjlm4rtuw maurice:cv maurin:dgr
mauri:acm2 mauro:a2df3jl2m2n maurya:a9bcgjklnr2s3uy maury:abfo maus:mnty maute:ko mau:a2mrs3tv mavi:jv
mavridis:mp mavrogiannis:ac mavromatis:cis mavroudi:e2 mawas:kn mawatari:k2y mawet:ds maximenko:ae maxime:ms
maximo:cm maxson:jl maxwell:abdnpt2w max:acnt mayani:rs maya:ajr mayekar:op mayers:nrz
mayer:a4b2c2d2e3fij5kl2moprs3t2vw mayet:ft mayfield:j2 mayhew:cs maynard:bcde mayne:h2nr mayol:gr mayorga:ilms
mayorov:a2n mayor:afjw mayotte:es mayo:jmr mayrhofer:abr mayrhuber:el mayr:acdejm5p2rs mays:e2k mayya:dsv
may:a4cd3eij2m6prs4tv mazaheri:abkp mazare:lp mazawa:ah maza:ms2 mazel:aj mazhar:a2h2o mazieres:ad mazloumi:py
mazomenos:e2 mazor:mns mazouz:ary mazoyer:ajt mazo:bcrs mazroui:hs mazumdar:a4eirs2 mazumder:a6bd3km2np2r2s2
mazurek:hjm2s mazurenko:as2 mazurowski:lm mazur:ahk2m2p mazza:a2dlmrt mazzeo:gnp mazzieri:il mazzitelli:fg
mazzi:al mazzocco:km mazzola:cg2mrs mazzoleni:cd mazzoli:fm mazzone:dlmv mazzotta:gmp mazzucchelli:acgm
mazzucco:cs maz:mop ma:a18b28c72d25e10f16g26h74ij124k21l68m53n11o3p12q40r43s93t39v2w59x123y177z105
mbardi:a5efg4hj2lm4ps3 mbardo:efg2hjl2mnpu mbard:a3bc mbart:ehm mbaye:cds mba:ehknp2 mbengu:nt mberg:klmrv
mberti:afl2pw mberts:at mbert:a2bcdg2j3k3lm2n3p2st2vwy mbgen:fl mbiase:ags mblin:jmp mbo:atv mbrava:s2 mbra:ip
mbrechts:gj mbrecht:cgjlw mbre:jk mbri:no mbrosio:drw mby:jp mcra:ar meadows:jlv mead:hjlr meagher:bk
meakin:j2w meara:cjm mea:pv mecocci:ap medarametla:ns medard:gm meda:abrs2 medeiros:cdefh3ijlmnprv medhat:by
medhekar:ns medhi:bm medic:dt medina:a3bc2d2e2fgj4m4noprty meding:kw medini:at medrano:a2bcjlpr medri:ij
meduri:a2s medvedev:ai2m2npsv meegan:nr meehan:aekmst meeker:cdw meeks:ak meel:krs meem:msz
meena:a5b3chk2m2prsy meent:jm meertens:nr meert:mw meer:adef2hij2lmv mees:osw meftah:eh megahed:fsy meger:de
megias:adeg megreen:bd mehak:gm mehboob:afs mehdipour:mns mehdiyev:nr mehdizadeh:a2 mehdi:afn2 mehendale:ms
mehenni:gh meher:drs mehla:aj mehler:ad mehl:fjlm mehmood:a2efh2i2m2s2tu2y mehnert:jw mehraban:s2z
mehrabi:amn2s mehrab:ak mehralian:fp mehrani:ajp mehran:knr mehra:a3dkrs2 mehri:fs3t mehrnia:ms
mehrotra:a5dm2n3p2s5t mehr:afknr mehta:a23b2d10gh7i2j6k7m8n5p10r7s12t2uv8y2z
meida:a10bc2d2efg4hi2j5l3m4p2r4t2v3 meier:a2c2d4f3j4k2m3nqr2st2w meijer:cfg2hij2mswy meinel:cs meinert:as
meinhardt:gt meinke:ad meira:insw meireles:or meirelles:jp meiri:cy meir:ehnr2s2yz meisner:a2f meissner:achp
meister:acd2efms2 meitei:ai meixner:a2jm2 mei:a7b3c4d2fg3h10j18k4l9m4q6r7s15t3w6x11y26z10 mejia:a2cd2fgj
mekala:adkr meka:anr mekhlafi:ae mekki:ah2i mekuria:rt melamed:do2r melbourne:aj melcer:de melchiori:lm
melchior:amps melchor:do melendez:dj3mor2 melero:mn mele:a2cf melgarejo:dgjv melhem:mr meliani:ah meling:ht
melin:ejv melis:a2cdfglm2n2 meli:a2dglmno mellado:benp mella:a2cv mellema:cg mellor:ab mellos:ms
mello:fghjkrstv mell:dps melnichenko:dmotv melnikova:am melnikov:a5dgik melnik:anory melnychuk:i2v2 melnyk:dmp
melodia:lt meloni:cs melo:a3c4de2fg3hi2jl2m2p2r3tv melton:c2ghsw meltzer:a2ps melville:aj mel:ab2gjnsty
memarian:fm memarzadeh:lms memar:a2bf member:s2y memmesheimer:r2 memon:a2fhim3ns3z2 menard:bcd2fjmps
menassa:cd mena:ce2f2j2lm2o2prs mencattini:it mendelsohn:dez mendelson:adgns2t mendel:ijrst2 menders:ac
mendes:a5bcde2hj2lm2nopr2st2 mendez:a3d3efgij2lm5nopr3svy mendieta:dimr mendillo:cm mendiratta:cmtv
mendonca:a3dhj4l2m3nr mendoza:a2de2fi3j3kl2m2prst2 meneely:a2 menegatti:es meneghello:fj meneghetti:am
meneghini:ij2 menendez:a2h meneses:ehjlr menet:gnqv menezes:abde2gijlm3r2t2 menga:n2 menges:aj mengistu:ps
mengoni:mrt meng:ab5c23d15e2f27g9h20j19k8l38m9n2p4q27r13s22t5w14x45y38z33 menini:cs menke:ahj2m2 menner:m2
menn:djy menon:a9bdghkm4n3p3r3s10tv6 menotti:dl mensah:dejm2ps2 mensink:mt mens:djt mentasti:gs menta:stv
menten:km mentus:cs mentzer:fhk2 menu:jrtw menzel:ams menzies:mnt men:ac2dhj3lmqr2twxy3z meola:km
meo:acd2fmprtw meral:at merand:aj mercader:aj mercade:jl mercado:adfp2r2y mercat:aj mercer:mr2s
merchant:a3hmn3r2sz2 merchan:ejns mercier:ad3jostw mercurio:a2 meredith:cdjp merello:ams mergen:gs merhav:hn
merino:a2bcefjl2mnprt2x merin:a2b merkel:bmn merker:jl2 merkle:ac2d2 merkt:fw merler:m2 merle:mt2
merlin:aeg2lt merlis:nt merlo:a2e2fjlp merluzzi:mp mermoud:ad merola:acg meroni:acm merrett:dg merrick:ls
merrifield:ms merrill:gmn2rsw2 merritt:abdt mersch:bt mers:fm mertens:def2jl2m4s3t2w mertz:lr mert:cgz
merugu:rs merwe:jmpr merx:cr mery:ac2dfnt merzougui:dm merz:cg2jm mer:a2d2gm3n2rs2v mesaros:am mesa:a2cdl2
mesbahi:am mesbah:a2z mesegur:afjp meshchaninov:fv meshko:am meshram:cgp2rv meslem:kn mesle:qv mesquita:dr
messaoudi:a2ns messaoud:hk messenger:c2 messerschmidt:m2n messias:hy messick:cj messina:a2cdflnp2s messineo:gs
messinger:bd messing:afrs messmer:bmp messner:ac2ej mester:dr mestre:aj2kmr2 meszaros:abk3ls mes:cjmnp
metaxakis:dn metaxas:dik metcalfe:gjp metcalf:abkst metere:agr mete:aem2 metha:ab metivier:dt metov:ak
metsch:bt metwally:aos metzger:a2bc2jkmn2s metzler:cd2ghim2rz metzner:c3 metz:acfjlrty met:bdlp meucci:rs
meulemans:aw meulen:dfr meuli:gm meunier:dej2lv meurer:mtz meur:ijmpv meuwly:cm mewes:fv meyerhoff:cj
meyers:ab3cj2lpq meyer:a5b6c5d4e3f5g3h7ij12k2l4m13n2p3r4s9t4y meyn:ms mey:oprs meza:adgij5lm3 mezcua:am
mezei:bj2mt mezghani:ai meziani:y2 mezini:am mezouar:my mezrag:cl mezzacapo:af mezzina:cm mgard:ap mgren:am
mhalla:lm mhamdi:ade mhaskar:ahr mhatre:cs mheich:az miah:a2m miandoab:ek miani:acef2m miano:amr mianroodi:aj
mian:a2bcdhm2r2xz miao:ab4c14d9f7g3h6ij20k3l5m4nop2q7r7s17t2w7x9y32z17 miazga:em mia:ajlm3s4 micali:g2
micallef:knz micarelli:ap micela:g2 miceli:ajm michailidis:dg2hk michail:adjo michalak:aeft michala:aj
michalek:gm michalides:am michalis:aj2l michali:hlt michalkiewicz:mt michalopoulos:ag michalowski:am
michalska:mw michalski:dm3t michals:aejktz michaly:ae michal:ac2deghj2lm2np2s3t michaud:eijo micheletti:acd
michele:b2w michelini:fjp michelin:rs micheli:a4glm3 michelotto:df michelsen:am michelson:dp michels:defl
michel:a2b2c3efg3h2ij2klno2p2stvw michhane:b2js2 michieletto:dg michiels:ln2w michie:acm michon:cj micic:m2
micka:os mickel:ej micke:p2 miclea:pr mico:af2g2l2m2s2 mic:efs middelberg:jw middleton:abhjlm4prs midgley:lps
midi:ps midolo:al midvar:ah mid:jry miehling:dej miele:ar2v mielke:a3js mielniczuk:ajw mien:ak miernik:ar
mietchen:dm mieux:csv migdal:ajm miger:jk migkas:k2 miglani:prsv migliarini:mp migliorati:dgp migliorelli:cl
migliorini:gms migliozzi:mp miglio:am mignone:ar mignon:al2 migulez:jp migul:abij2kmoy miguz:jmr
mihailescu:adeirv mihailov:as mihai:a2cd mihajlovic:di2m mihalache:d2s mihalcea:ablr mihalik:jm
mihaljevic:ahjm mihaylova:blt mihaylov:dmt mijangos:jv mijares:j2l mijatovic:an mikaili:am mikalsen:km
mikal:ft mikami:hky mikhailova:an mikhailov:a2dr2v mikhail:djm mikhalchuk:im mikhalkova:em mikhal:ps
mikhaylov:akv miki:adt2 mikkelsen:kmn mikkola:akp mikolajczyk:kmp mikriukov:dg miksik:mo mikula:jklm
mikulik:v2 milana:ce milanese:agr milanesio:fm milani:a2fkm2os2 milanova:an milano:be2fg2n milan:adjks
milazzo:agp milenkovic:mot milesi:ad miles:ab2de2ij2k2l2mr2 milewicz:br miley:gj milford:jm milicevic:dem
milillo:ep milios:ae milisavljevic:df milivojevic:su mili:a2hl millane:a2 millan:a2bc2dij3klm2prst
millard:ac2d millar:dfj2kn miller:a12b10c10d9e11f2g2h4i2j20k7l8m13n4op2qr9s8t4vwz2 millet:fjo mille:fs
millian:e2 milligan:aej milliken:al millin:cp milli:js millon:em millstone:ms mills:cd2e2hijk2lm2or3t2
mill:aclr milman:em milner:achkr2vw milne:b2 milone:ad milosevic:n2vz milos:ep2 milo:ty milstein:ajl2
milton:jks milutinovic:nv mil:ag mimouni:nz mimran:dy mimura:hmr mim:aflms minai:am minamikawa:as
minami:knst2y minano:bs minasyan:abegm minato:st mina:agmst minchev:ik minder:j2 minelli:gp minervini:gp
minetto:ar minet:aj mineyev:ir mine:abekt minguzzi:ae minguz:ap mingyang:lm2 ming:ac4d2fh6j2kl4pqr5s2twx7y8z8
minhas:a3fks minh:cd4h3ln2qt5y minian:en mininni:cp minin:ae minixhofer:bc minkin:f2 minko:bm mink:jmrs
minniti:djm minn:chsw minor:adk2q minsky:gy minton:s2 mintz:abrt2y minucci:fm
min:a2b7c10d7e2fg2h11j23k9l2m4n2qr4s10t3vw4x4y16z6 miolane:ln miotello:af miotto:m2r miqul:mr miraglia:gjr
mirajkar:ns miralles:a2glp miranda:a3b2ce4fh2ij4l4m4op2tv2w mirashi:a2 miras:jk mira:ar mircea:m2
mirchandani:js mirchi:h2 mireshghallah:nr miret:rs mire:dgju mirheidari:bs mirhosseini:a2n mirian:amn
miriyala:sv miri:as mirjalili:ar2s2v mirkin:ms mirocha:j2 mironov:aeimsv miron:adfmpry mirov:be miro:ac2j2
mirrokni:av mirsky:rsy mirtaheri:mp mirylenka:dk mirzaie:m2 mirzai:a3eghm2ns3 mirzazadeh:am
mirza:a3bfijkm3ops2 mirzoyan:rs mir:a11b3cdeg2hi3jm4or2s4t2 misaki:km misawa:k2t mishchenko:ak mishima:ks2
mishra:a37b5c5d10g4h4ijk2m5n5o2p19r14s49t2u3v7y3 mishuris:gr misic:jmtv misiunas:kt miskovic:dv
misra:a7d3gij2k2op2r3s6v3 missaoui:bi mistica:m2 mistry:ad4m2ns2 misu:kmt mis:dr mitani:mr mita:ms
mitchell:a6c2d2e2ghj8kl5m4n3pr4s2t2w2 miteva:mr mithal:al mithila:m2st mithun:nt mitic:bs mitrakakis:ac
mitrakos:nt mitran:a2 mitrascu:bo mitra:a14bcd5e2hijk5m3n3op8r4s20t5uv mitrescu:adegst2 mitrevski:ab
mitriadis:ad2gnt mitriou:a2n mitriu:ai mitri:agios mitrofanov:ms mitropoulos:dx mitrova:i2r2tvz
mitrovic:aj2ms2 mitrovski:ij mitrov:ad2ghrv2 mitru:a2mr3 mitsch:js mitsis:ks mitsou:v2 mitsuda:k2
mitsuhashi:irt mitsuishi:im mitsui:kmty mittal:a14bcd2g3h3k4m5np4r4s17t4v3y mitterer:jt mitu:s2 mitxelena:ij
mityagin:bs miura:dejk2mty2 miwa:s2 miyachi:a2t2 miyagawa:dt miyaguchi:am miyahara:fhklmn miyajima:rst
miyaji:mnt miyake:dfh2kt miyamoto:a2dhjk4lmrs3t2y miyanishi:kty miyano:er miyao:ty miyashita:dht miyatake:hy
miyatani:ty miyata:k3rsty2 miyato:kt miyauchi:grs miyawaki:kst miyazaki:afhjk3m2s2t3y miyazato:ir
miyazawa:cfst miya:fhrsy miyoshi:h2ry mizelle:d2 mizera:mps mizoguchi:mst mizrahi:ad2mnu mizuki:st
mizukoshi:ks mizumoto:m2t2 mizuno:kmst3y4 mizutani:adnry mizuta:k2 mi:bcd2f2h5j6kl8m2qs2t3w3x5y11z6
mke:acdghn2rt mkrtchyan:agkmor2t mladenov:bm mlambo:br mley:j2m mle:a2ms2 mma:es mmel:jrs mmen:st
mmers:c2jkptu mmer:abhs2u mme:ms mnev:np mnih:av moafi:ad moakhar:ab moallemi:ce moawad:ay moayeri:m2
moazen:hm mobasher:b2 mobeen:m2 mobilia:lm mobius:abew mocanu:adis mochizuki:bikr mockl:fl mock:a2m2
modak:acr2s2t modaran:bmsv modarressi:am modei:en model:cd modesto:dl modgil:ms modica:al
modi:a4c2h2jk2mnp2rs5tv2y modolo:dj modrzejewski:m2 mody:hpst modzelewski:ahmr moffat:adghjk mofrad:am
mogale:ht mogensen:ks moges:htw moghadami:ms moghadam:a2m7p4s moghadasi:am moghaddam:a4befhm5p2rs2vz
moghimi:a2dms mog:go mohaghegh:af mohaimeed:s2 mohaisen:ad mohajerani:dmsy mohamadi:as mohamad:fh2km2y
mohamed:a9bde4f4h2i2km8n2o2rs9y2z2 mohammadian:a2ms2 mohammadipour:p2 mohammadi:a14b2ef3gh2j2km14nr2s8yz
mohammadkhani:m2s mohammadnejad:nt mohammadpour:am2y mohammadzadeh:aef2h2s mohammad:a3b2f2him6n3s3
mohammed:a10def2h6i2m5n7o4r3s7tuw2yz mohamud:js mohandas:rs mohanna:ah mohanta:ar mohanty:a4d2gijm2p3r2s15v2
mohan:a10b2c2d3eghj3k4lmn4pr3s13tuv4 mohapatra:a5bcdmp3rs4v moharana:ar2s2 moharir:a2mrs mohaya:rt
mohebbi:abh2m mohit:am mohiuddin:agimt mohl:cjv mohri:c2ms mohrmann:gl mohr:abd3fij2kmpr2s
mohseni:a4h2km4nops2 mohsen:afm mohsin:a4dfm3 mohtar:ms mohta:ak moia:dv moilanen:jk moine:dhjmntw
moini:a2nrs2 moin:a2mp moiola:ac moio:ru moiseev:afs moitra:a2s mojahed:mn mojsilovic:as mojtahedi:hm
mojumder:rs mokari:an mokeddem:br mokhtarimousavi:as mokhtari:a2fhm2s mokhtar:mrs3 mokh:no mok:acgj2l2m2r2t
molai:am2s molavi:mr mola:ajn molchanova:an molchanov:pv moldovan:aent molero:emp molfetta:gl
molinari:cefg2ijlmrsv molinaro:adglmnr molina:a3b2c3de2f2j6m6nprsv moliner:eo molinier:nr molino:djnp
molitor:cdl molkenthin:cn mollah:am2s mollai:amp molla:adm4n mollenhoff:kt moller:a4bc2fh2j4k3m3nrs5t3w
mollick:ejl molloy:cdijt moll:ab2gjm2p molnar:d2i2jkl3ms2tvz molodtsov:gv moloney:c2 molter:hnu mol:lnr
momeni:a2dels momen:a2os momin:ms2 momo:aj monaca:f2 monacelli:bl monaci:gm monaco:dfjlpv monahan:acr
monakhov:ds moncrieff:gj mondal:a10bc3d3hi2j2k3m2n2p3r4s24t4 mondelli:m2 mondo:glm mondragon:elmor mond:dh2mp2
monea:gs monegaglia:fl mones:blm monet:dm monfared:kmsvz monfort:mt monga:hkmv monge:ajm mongia:as mongiovi:dm
monica:dr moniem:am monika:jw moniz:hjnps moni:mrs monjur:mo monk:chkp2 monnet:j2n monnier:fj2t monno:ty
monod:an monon:jm monreal:cp monroy:bcl2r2 monro:cmtw monsalve:rs2 monsivais:dl monson:aej monsur:as
mons:abdgjk2mn2 montagna:afs montagne:mpr montagud:am montagu:kp montalban:aj montalvo:crs montanari:a5cdm
montana:acg2s montandon:jlt montanez:cgjv montani:gs montano:fgj2ls montazeri:am2sz monteagudo:chm
montecinos:cgj monteiro:acd2e2hij2m3prs2v montejo:fm montelius:em montella:cls montenegro:ade2jlrs
montero:def2ij2lm4or montesano:lrs montesinos:lmv montes:a2cdefj3m2rt2v monte:bef2lr2s montgomery:acehj2kl2rs2
monticelli:dfo montiel:aej2ms montier:lm montine:mt monti:a2cdf2jlm2pr3s2v montoro:ahm montoya:a2cd2e2fgij4m2o
montreuil:bfy mont:a4bcegjlm2rswy mon:ac2ehjklost moodley:dk3p moody:adg2j2n moomi:bk moonen:lms mooney:jlr2s
moon:a3b3c5d5efg2h17i2j28k2m2nrs32t2w2y moore:a7b3c2d4efhi2j11k4l3m2r4s6t5w2 moorhead:ap moortgat:jm
moorthy:r2s2 moor:adjkm2 moosai:hm moosavi:mns2 moosa:aimr moosmann:fj moos:rt mopoulos:a2gks morabia:nt
morabito:lr moradi:a3cef2gh4m8np3rs5 moradkhani:bk morad:ghmns morafah:m2 moraffah:br morag:en
morais:aeg3jl2mr morales:a13c3de2f2g2i2j5l3m8pr3stvwx moral:fj2mps morandi:agp morand:gkv
moran:b2de2g2jk3mn2p2rs4w moras:abcdhijl2m2p2 morato:imnp morat:br moravec:ej morawetz:jk morawiec:jk
mora:a3d3f2hj2k2m3orstx morbidelli:ad morcillo:aj mordecki:eg moreau:a2gjln2p2stv morehouse:ek
moreira:a3b3cdeg2hij4l2np2r3w moreland:ek2 morelli:df2l3mv morello:gl morel:gj2lmp2rsv
moreno:a7cd4e3f3gh2i4j5l2m5np6r5s3v2y moreschi:bo moretti:a3cf2glmstv morey:js more:a2cdfkm2oprs4ty morf:lt
morgado:a3e2jmps morganti:rt morgan:a5c5d5e4g3h3j2k3l3m2n3r2 morgenroth:et morgenstern:ijlstw morgulis:ag
moriarty:j2 morigi:gm moriguchi:s2 morii:ky morikawa:k2m2osy morilla:ip morimoto:jkmt2y morinaga:kt morina:eg
morinelli:jv morini:dfm morin:b2c2egj2l4mn2p2rsv morio:gj morisaki:st morisawa:my morisetty:rv morishima:as
morishita:gm2t3 morison:ar morissette:cg morisset:c2 moris:eg morita:a2hk3nrst2 moritz:dhmnpr moriwaki:dk
moriyama:hkst2 moriya:st5 mori:a2degh3ij2k6l3m4prs4t4wy4 mork:ds morley:cejms2 morlier:j2 morman:aj
morningstar:acw moroianu:st moroi:st moroni:adglps morooka:ekm moroshko:er moros:ms morota:gt morotti:el
morovati:bm morozova:ady morozov:a3d2ik2lms3v3y moroz:adgs moro:ae3gklmr morra:j2l morreale:fl morrell:ejn
morrill:dg morrison:a2b2c2dgj3k2lm2n2ors3t morrissey:gjkt morris:a6b2c4d6e2g3i2j7k4m6nr2s4t2w2 morrone:gj
morse:cij4km morshed:m4n morsy:hm mortazavi:ab2m2r mortensen:adjn morte:dm mortier:a2fry mortimer:jp
mortlock:dt morton:b2cd2hj3pw morvan:df2gm mor:lmnsy mosallanezhad:a2d mosbach:m2s mosca:aemr moschella:alm
moschopoulos:rv mosconi:dfms moscoso:lm moseley:ab2ems moser:abfg2jpr moses:ad2j2km3opwy2 moshe:dmsz
moshiri:a2bmp moshkovitz:gm moshkov:in moshtaghi:m2 mosig:ac moskalenko:ai2 moskal:ps moskovitch:ry
moskovitz:n2 mosleh:am2 mosqura:amr2 mosseri:i2 mosser:bs mossner:bkr moss:ad2fhj3lmpr2sv mostafapour:sv
mostafavi:ams mostafa:a2fh2m3or2s3y2 mostaghimi:ap mostofi:ay mostovoy:js mostow:jo most:abej mos:adfgjmn2prt
motahari:ms motaleb:hi motamedi:aes motamed:ams mota:dehjm2pr3 mote:hmpr motger:jq mothe:jm motlagh:ansy
motohashi:eh motomura:mt motta:ae2gm2p2stv motte:fh mottola:jl mott:dj2lm2r motwani:kmpst motyka:bd mouawad:ac
moubayed:an mouche:ag moudi:as mougeot:gm moulas:ct mould:djm moulin:abefhlv moulton:jrv mounier:efln mount:cd
mourad:a3bs2 mourao:a2 moura:dgij2lm2nprstuv2 mouret:fj moureux:ae moure:ip mouri:s2z mours:bc mourya:br
mour:ajt mousavian:am mousavi:a5ghm3p4s7 mousa:a2mr moussaoui:m2rsy moussa:a2hijmor moustafa:a2ehkmnwz
moustakas:ajkl moustakidis:nt moutard:dt mouton:cp mou:ac4d2fg3j2l7ms2twx6y6z4 movahedi:fps movahed:fry
movchan:an movva:prs mov:ai mowbray:dj mowlavi:s2 mowla:al mowry:et moxon:js moyal:aep moya:abcfw moyer:djt
moylan:s2 moynihan:mn moys:hl moy:lrt mozafari:bhjm mozaffari:aem2s2 mozayani:n2 mozer:mr mozumdar:mp
mozumder:m2 mozzi:ms mo:ac8d3ef5g4h9j16k7l8m4npq2r2s10tw8x13y17z15 mpala:s2 mpert:cjst mpe:a2bcl2mpt mpinen:am
mpis:am mpo:bt mprecht:ij mpropoulos:lp mprou:eil mp:ps mquist:mz mrad:ad mrani:hm mran:a2gm mridul:km
mri:amsy mroczkowski:mt mron:ej mrozek:m2 mroz:aemp msaf:ak ms:sv mualem:al mualla:fm muaz:mru mubarak:a3hk
mubayi:ad mucha:pw muchemi:cl muck:agm2 mudalige:np mudgal:adps mudgil:ap mudiyanselage:ku mudrik:l2n
mudunuri:as mudur:ns muga:in mugel:s2 mughal:an mugisha:ans mugnai:lm muhamad:s2w
muhammad:a7f3ghj2k3m3n2ors5t2u2y2 muhammed:ad2i muhlberg:gj muhlleitner:m2 muhsin:ahm muhtadi:am muhunthan:sv
muhuri:ps muino:ep muirhead:jp muir:c2djmr mujahid:asz mujtaba:adghi mukaida:km mukai:h2k mukamel:ds mukasa:hy
mukerjee:s2 mukerji:at mukhanov:ovz mukherjee:a23b4d12gij2k7lm7p6r11s51t5uv mukherji:aks2 mukhin:ei
mukhopadhyaya:bk mukhopadhyay:a5b3d2jm2p4r2s13 mukhtar:m3s mukkamala:mr2 mukundan:rsv mukund:ans mulas:gor
mulay:as2t mula:sw mulcahy:jw mulders:gms2 mulder:bdjsw muley:a2dm mulhem:ps mulholland:aj mullally:fs
mullaney:jk mullane:sw mullapudi:rs mulla:ns2 mullen:a2j2pst2z
muller:a15b7c6d6e8f4g3h8ij13k9l8m14n5op7r8s7t4uv2w2 mullick:ak mulligan:dkmv mullins:bdgmnr2st mullin:elv
mulrey:k2 mulzer:lw mumford:ds muminovic:a2 mumin:is mumm:aj mumtaz:fhrs2u munagala:a2k munakata:hks
munari:acekm munawar:a2m muna:rsu2 munch:a2def2mpq mundada:gnp munday:j2 mundo:cj mundra:dp2 mundt:am
mundy:jkl muneeb:mnu muneer:a2m2 munera:dm mungall:cf mungekar:cm munger:kn munier:an munim:amsz munir:a4hm2s4
munive:ij muniz:bcdj2m munjal:p2 munk:a2mp munnangi:jmr munn:hjm munos:fr munoz:a7c4e2f2g2j5l4m5opr5s5tv
munro:epsy munshi:fjs munson:cdm munster:bn muntaka:ms munteanu:av muntean:c2pv munura:cj munyaka:ij munz:cmtu
mun:a2c2d2hj7ms3twy2 muolo:ar muppidi:a2 muqeet:a2 murad:mnos2t murai:fk2s4y murakami:adghjk5m2n2st6y5
muraki:hky2 muraleedharan:as muralidharan:ab2chkors4v muralidhara:gs2 muralidhar:nps muralikrishnan:ps2v
murali:a5gk3lp2s5v5 muralt:jp muramatsu:acmnt muraoka:jksy murari:dks murase:hkty2 murata:ehjkm2n2s2t2
muratore:flm2p muratov:ac murat:ek murayama:kt2 mura:adm5rs murchikova:el murch:kr murcia:afv murdoch:bns2
murdock:cv muresan:cs murgai:s2 murgia:cgm2r murillo:a3efij3npy muroya:ks muro:kmv murphey:t2 murphree:dj
murphy:a2b2c3d4e4fghj3k5l2m3np2r4s4t4w murray:a5b2c3e2g2j3k2l2m4n4pr3s5t4wz murrell:mt murshed:mo murtagh:j2m
murtaza:gms2 murta:bl2 murthy:a4chj2kp4r4s5y murua:a2 murugan:agjmp murugesan:ab2gksv2 musacchio:eps
musarrat:hm musat:cft musav:aer musa:adm2ru muscolo:gs musco:c2i mushtaq:aeim2r2y musial:a2k2s musil:djltv
musin:mo musleh:a2my muslimani:ci muslu:gy musolino:mp mussabayev:r2 mussard:brs mussa:f2or musser:abj
mussot:av musso:cdmr mustafa:a6bdgh2jkm3nos3twy mustakim:ms mustapha:ak musta:et musto:lr musumeci:aef
musuvathi:m2 muszynski:jm mus:acgj2m mutairi:a2fmo muta:ao muthiah:bds muthukrishnan:gr2 muthukumaran:dm
muthusamy:orv muthu:djsv muthyala:ars muth:j2 mutisya:fh muti:av mutlu:ab2o2s mutzel:ps mutze:at mutz:fr
muzahid:as muzammil:ms muzio:am muzy:aj mu:ab8c5d2ef2g3h6j10l8m2n3pq2r3s11t9w10x17y17z5 mv:kpv mwangi:cj
mwesigwa:dh myasnikov:ev myeong:gh myerscough:km myers:a5bc2degj3km3n3pqr3s2t2v myles:cgj2k mylonas:agms
myrzakul:st mysore:nrs myung:cg2hj3ny m:a10b3d3e2f3g4h4j3k3m5n4op4r3s6v7z nabai:sv nabavi:s2 nabeel:m2
nabende:jp nabila:jtu nabil:ahmrt nabipour:mn nabizadeh:ae2mz nabi:mr2s nabulsi:rz naby:achm nab:jlt naceur:aj
nachmani:eg nachman:bl nadai:lm nadakuditi:mr nadalini:dn nadal:gims nadarajah:rs nadarajan:ap nadar:am
nada:a2my naddeo:adk nadeem:a2dm4n2qs3t2u nadel:ap naderi:abefh4k2mn2s nader:jmn2r nadgir:an nadig:rv2
nadimi:ef nadimpalli:s2 nadir:nz nadi:ks nadkarni:gnrv nadler:de nafar:am nafea:my nafis:afmn2t nafi:ak
naf:fjm nagai:d2h2km2rsty4 nagakura:hk nagamine:gkt nagami:k2 nagamori:ay nagano:k3lmt2 naganuma:hks
nagaoka:kt nagao:m2st2 nagappan:mn2 nagarajan:a4bghp2r2tuv nagaraja:gnsv2 nagaraju:ds nagaraj:dgjkmns
nagarkar:cp nagar:a4eghikm2ns2t nagasawa:hm2s nagase:rt nagashima:ckmst3y2 nagatani:kt nagata:jkm2nrs2t2wy
nagatsuka:km nagav:a2 nagayama:mrt2 nagda:m2 nagdy:h2 nagele:cjm2 nagels:dg nagel:dijlm2suy nagendra:sv
nagesh:lnp nage:p2 naggar:ny naghizadeh:amp naghsh:mn nagi:ajrt nagler:bjlpz nagori:as nagpal:a4cjkp2r2s2v
nagura:kr nagy:b5d2g2j3klm3n2prst2z2 nag:aklnprs8tu nahar:anrs nahas:hr nahavandi:rs naha:ekr nahhal:hi
nahian:m2 nahid:mr nahmias:jm nahon:lm nahum:co2 nah:dgs naida:bn naidoo:dkmr naidu:ghknpr2s3 naieni:mn
naik:a6c2d2ghkl2m2np2r2s7t2v2w nail:fg naiman:ij naima:bm naimi:as naim:a3ijmosz nainani:aj naini:a4mprs4
nain:jpr nair:a15bcdg5h3ij5k3l2m3n8p9r4s13uv6y naito:ah2s4ty naiya:ms nai:mrsy najafabadi:m2 najafian:bk2
najafi:a2e2hjm3s2 najarro:ef najar:ae najem:as najera:aj naji:a2 najjar:a2fgh2ikmnp najman:fl najt:el
nakada:hsy nakagawa:aeh2k3m2rs2t6y nakahara:ky nakai:ekmnsty2 nakajima:dh2k5m2nrs3t3y5 nakamori:ft
nakamoto:knrs nakamura:a6e2fh4i3jk12m6n2r2s7t11wy10 nakanishi:ahjk4nrt nakano:deh2k3mnst2wy3 nakao:hkm3ty
nakarmi:au2 nakashima:jk2mrst2y3 nakash:it nakatani:ac2mrsty nakata:h2k2mswy4 nakato:sy
nakayama:a2h2k5lms2t2y3 nakayashiki:ak nakazawa:k2ty nakazono:ln naka:kt3 naker:nt nakhkash:m2 nakka:ak2vy
nakkiran:ap nakoon:hr nakshbandi:dm nak:dk nalawade:is naldi:gm nalepa:gj nale:as nalla:hs nally:c2d3m2sw
nal:chku naman:a2mpz namara:ab2c3dghkmnqs namazifard:ds namazov:a2m nama:bnrv namba:hr nambiar:a3hknv3
nambi:am namboodiri:adv2 namburi:admpsv namee:bdp2 namekata:k2 namgung:m2 namikawa:ty namiki:akmy namin:ab
nami:am namjoo:fm namjoshi:kr namkoong:h2 namuduri:rs nam:a5bc3d5fg7h10j19k7m7n2p2r2s12t3uvwy9 nanaumi:kt
nanavati:mprs nanayakkara:iprst2 nandakumar:gk2r2s nandal:d2 nanda:adjk2n3p2rs2v2 nandi:a7cd3gmnp4rs9t2u
nandula:a2 nanduri:abj nandy:a3d2ejmp2r2s4 nangia:anv nani:m2s2y nannen:lv nannini:ln nanni:aefgl2mru nanri:at
nant:acejp nan:abcde2f3g3hj7kl2m2nps3tx6y8z6 naokawa:fk naor:mo naous:rt nao:hl napel:s2 naphade:amo napier:k2
napolitano:djl2nr napoli:a2emor naqvi:rs2y narahari:hp narain:gjkrs narang:a3bk2mp3rs2vy naranjo:bfjmv2w
naran:es narasimhan:bhk2lnp2r2s3v narasimha:ds narayanan:a9b3cd2gh3klp2r2s14v5 narayanasamy:kmp
narayanaswami:cs narayanaswamy:abmv narayana:lms2v narayan:a6bgij2kmr3s8uv3 narda:p2 nardelli:enp nardini:ceij
nardin:a3m nardis:adej nardi:a2de2f4gj3l2m2pr2s3 nardone:em2 nardon:m2 nardo:ae3g narduzzi:sv
nard:ab2cdejk3mnor2s3t2w narendra:a2bcmn2 nargund:an narimani:hm2sz narisetty:nps narita:k2ty2 nari:elmn
narkar:s2 narozniak:gm naro:afg narra:bk narts:st nart:acej2 narula:a2gm naruse:ahkm narvaz:a2d2knop
narvekar:s2 nar:ly nasab:am2 nasar:m2 nascimento:a2cd2e2f2g3ij2m3npv naseeb:ac naseem:fikmtu naseer:afkm2u
naseri:hm3s naser:am nashawaty:m2 nashed:sy nashi:ks nash:a2dj2k2m nasif:ak nasim:im2s nasiopoulos:dp
nasipak:z2 nasiriany:s2 nasiri:hs nasir:a4eh2j2m4ost3 naskar:a4s2w nason:gp naso:dl nasrabadi:afn
nasrallah:ae2ghi nasrin:afs nasri:admrs nasr:a4m6ns nassar:a5h2ijklm2s nasseri:em2 nasser:a4fjlm2or2wy3z
nassif:ar nass:sv nastase:hv nasution:ab nas:jmpr nataf:dfr natale:acefgjlmrs natali:cf2mrt natan:a2fost
natarajan:a3bhik3lmn2p4r2s4v7 nataraj:an2 nateghi:fhs nathani:bdj nathanson:ms nathan:a2ersv3
nath:a2b3cd4jk2m2op4r4s14uv2 nati:fm natour:kms natraj:sv nattino:fg nat:aejv naudts:jl naufal:ar
naughton:f2lnt naujoks:bdj naumann:a2dflmp2rtu nauman:efm3 naumenko:in naumov:gmp nau:dkm navabi:dm
navakoti:rs naval:p2 navaratna:crs navarrete:bcgj navarro:a8bc4def3g2hi2j7klm7np2r2sy navasardyan:sz
navas:a2ef2ln nava:a2cde3gij2lmsx naveau:mp naveed:h3k2mw navet:be navon:ai nawaz:a3fms4uw nawrocki:jt
nawrot:np nayak:a14b2c2d5g3hj2k5mn3op7r5s17t2v nayal:ln nayan:m2 nayar:ghnps nayebi:amr nayeem:m2 nayem:am
nayeri:az naylor:abjp2t nayyar:a2nr nayyeri:ahm nazarenko:rs nazarenus:ej nazaret:ab nazarieh:fm
nazari:a4efhm2p3s2yz nazarova:ad nazarov:afiprs nazar:dn3s nazemi:ams nazeri:a3km2 nazer:mn nazir:adm4s2u
naznin:mn nazzari:ac naz:amrsz na:ab2c2d2eg2h8i3j7klqr2s6twx3y10z nbar:a3d2e2 nby:jlt ncan:a3c2j5k2w
ncaric:fis ncaster:ejlp nca:elm ncelot:fr ncewicki:t2 nce:abgjs nchelli:ai ncheva:ty nchev:pv ncien:cgj
ncon:ae ndadi:bm ndais:at ndar:ajsu ndau:adghlrsvy nda:b2ej2knp2rsy ndeghem:hj ndegwa:km ndekar:r2t
nders:bnr2v nder:ac2fgs ndes:a2pt nde:a2deij2m2rs2tv ndgraf:clstz ndiaye:aems ndini:fg ndin:fmsv ndis:cm
ndi:cefg2irsy ndl:fm ndman:abjm ndolfi:gn ndolsi:em ndono:dj2l ndon:a2cej2lm ndorf:cg ndowska:a2 ndo:g2t2
ndrea:ac2efmrsw ndry:fglm2s ndsberg:j2l ndsgesell:jr ndsman:adk ndua:bm ndubuisi:cj ndu:ms ndwehr:nt neacsu:av
neale:cd neal:cd2hj2lnpr2tz neata:de neau:mst nea:i3n nebot:em nechav:dn nechita:im necker:fmw necula:gi
neda:dfm2rstvz nedelcu:deo nedelec:ft nedic:mop nedkova:kp nedungadi:asv2 needham:jt neely:blmt2 neel:gst
neema:nv neen:aj neergard:kt nee:m2p neff:cmpt negash:dl negishi:ty negi:a6gprs2v neglia:gr negrete:co
negri:aejm2pv negron:cd negro:afglm2s negrut:ad nehar:am neher:cdpr nehra:mrs2 neh:hsz neidhardt:jm
neill:a2b2c4d4gj2klm2nos2t2 neilsen:ej neil:acgjl2m2rs2z neiman:at neira:afl neis:ln neitz:a2 nejad:ahm3ps3
nejati:m2s nejat:gm neji:nr neke:b2 neklyudov:km nekrasov:anr nek:b2 nelander:as nelli:kmot nell:in
nelson:a4b7c4d2efg3j5k4l2m5nop4r2s3t3wz nel:behlt nemade:jm nemati:abm2n2s2 nematzadeh:a2 nema:aop nemecek:aj
nemec:dnp2 nemer:az nemeth:c2glprz nemkova:ap nemoto:s2t nemtsev:gn nenadic:gil nenchev:bv nenholtz:gm
nenkova:av nenko:ny nen:jklmt neogi:adnp2s2 neophytou:an neo:cdkns nepal:an2s3 nepomuceno:ekmt nequin:de
nerea:ms nerella:cks nergan:ajk nerini:fm neri:a4fgim3npr ners:dm nert:jv nery:l2mp ner:d3egj3kopr2s2t2vz
nesbitt:k2s nese:adel neshkhah:a2 neshmand:ef neshvar:hs nesh:achmr2s nesic:cd2f neskovic:gps nespoli:el
nespoulous:bj ness:cgijmrt nesterova:emt nesterov:a2pvy nestmann:ju nestor:bj nes:a3c4de2ghj5l4m5n2p2rs4tw
netanyahu:an netherton:at neth:bs neti:ast neto:a7bcde4f2g2ij4lm3nop2r2suv netti:am2p netto:m2
nett:a6bc4d2e2ghi3j5k3l2m2nop2rs2tw2y netzer:ahot netz:lr net:bklprv neubaur:fmpst neuberger:aju neubert:mpr
neufang:ms neufeld:acdrv neugebaur:m2np neuhauser:cdt2 neuhaus:f2lmpy neukirch:nt neumaier:adps
neumann:a4c2d5e2f3g3h2j2k2l2m5nost2u2 neumayer:mns2 neumeier:m2p neumeyer:jn neumuller:dm neupane:a2bhps3
neuville:ab neuwirth:ms neu:bce2gjnv neva:ajk neven:fh neves:a2bdj3lmnp2rv neveu:jmt neve:cosw neville:gjs
nevo:egoz nev:d2 newaz:a2k newberg:ah newbury:ar newcombe:ar newcomb:jkm newell:a2jm newhouse:ad newlin:kn
newman:abc2d2eij2k3m2ps6 newsome:jms2 newton:a2dehkmn new:aw neylon:cj ney:abcd3e3hijlps2 nezami:fz
nezhad:aehm2ns nezza:em nfield:djm nforth:c2s ngai:egh ngan:cehik3n ngari:gr nga:adem2y2 ngbein:bw
ngelo:cfgj2lo ngel:afk ngendorf:rs ngen:bkt ngerak:akt ngerich:b2 nger:a2cfghjkm4n3ps5t2v ngevin:alm
nge:a3b4c3d2f3gj5k3l3m4pr2s2t3 ngford:acj2z nghiem:h2lnt nghi:bps ngiewicz:fj ngis:dk ngi:adps2z nglais:ap2
ngler:j2ns2y nglet:c2 ngley:abejlpt ngle:kt nglois:delmnt ngmann:ae ngman:br ngner:j2ms ngoc:bdh3kmn2st2
ngom:am2 ngo:a10b2c3d4e2fg4h7k3l3m4n2pq2r2s2t8v5 ngrani:d2 ngrock:cv ngston:hv ngui:dij
nguyen:a11b9c16d20e5fg3h26ij10k19l13m11n14p14q5r3s6t50uv9w2x2 ngu:acnw ngwell:cs ngyel:abimp
ng:a4b5c10d5e4fg2h5ij6k16l5m6n2p3r2s8t11vw9xy8z nham:e2hjrs nhan:bnt nhardt:jy nhard:dht nhart:benw nhat:h2
nhu:ad2kt niak:a2d nial:j2z niang:ais nian:bgj3sty2 niazi:m2rst nia:bfmnrsv nibaur:j2 nicaise:s2 nicastro:af
nica:a4beo nice:dkm nichani:ae nicholas:ceps nicholls:bf nicholl:mt nicholson:a2bc2ghj3mrt
nichols:defghj2km2n3rst nichol:ar nich:bgo nickel:bcm3rsu nickerson:js nick:aj nicolai:bg2 nicolaou:gmnsz
nicolas:abf2gj2lp2s2w nicolau:ahn nicolay:ps nicola:a2bdf2lnr2s nicolescu:m2 nicole:lm nicolis:dms nicoli:am
nicoll:ks nicolosi:gmv nicolussi:nr nicosia:g2mv nicula:av niculescu:acm nic:bv niedermaier:m2s niedermayer:ju
niedermeier:dr niedzielski:ab niehaus:ls niehorster:df niehus:gij2nt niekerk:bcdjl niele:ac2m nieli:fsv
nielou:jt nielsen:a2b2c2de3fhij6kl4m4nops2t2 nielson:dp niels:a2c2jmn3ors2z niel:a4b3cde2f2gij2k4l4m3npr2s4t3w
niemann:ajmnops niemela:m2p niemeyer:ahjm2 niemiec:ajmp nieminen:hmt niemi:al nien:lw nier:cdj2mnt niesen:jr
niessen:nw niessner:cm nies:acr nieto:af2jlm3o2tvx nieves:jn niewiadomski:hp
nie:a3b2c8d5ef4g2h6j23k2l9m5n2p2q3r2s16t3w10x10y31z15 nigam:a3dhjlnpr2s4v nigatu:h2w nigmatullin:r2
nihalani:ac nihal:anr niilidis:ak niimi:dj niinuma:k2 niiyama:rt nijkamp:ej nika:ajz nikbakht:bh nikhila:p2
nikita:e2kl nikitin:a2i2mn2osv nikkhah:ah niklasson:ae niklaus:cjs niknejad:an nikolaidis:c2mn2s nikolaidou:fk
nikolakakis:ev nikolakopoulos:a2g nikolaou:kn nikolaus:mt nikolav:abdim2nprv nikolic:b4ikmvz nikolopoulos:dg
nikolov:ain2psty nikoui:m2 nikou:ac2 nikulin:a2sy nikzad:ms nik:adghkms niles:kp nilov:akv niloy:fn nilsen:dl
nilsson:a3bd2e2ghk2m4np2tuv nil:jm nimmagadda:s2 nimmo:jk ninan:jm nina:mo ninger:ahnt ningrum:ap
ning:a5b6c8de2g4h5j11k6l7m8n2op2q2r3s4t2w6x7y18z13 ninh:hkv ninno:ag ninomiya:st2 ninou:ho nino:j3l2 nin:agns
nipoti:bc nipu:am niranjan:cm niraula:pt nirob:s2 niroula:bps nirschl:j2 nir:bosy nisar:bhmz nisa:m3 nishad:ps
nishat:ns nishchenko:a2i nishida:k3n2r2s3t3y3 nishigaki:m2 nishiguchi:hjy nishihara:hk nishii:ry
nishikawa:ghkn2rs nishimoto:ks2ty nishimura:a2dh2jk4m2n2s2t2y6 nishino:dfhkm2n nishioka:dn nishio:em3t
nishiwaki:k3st nishiyama:gkty nishizawa:ahk nishi:ah3jk3mrty2 nishtala:ar2 nish:kms nison:ce2mt nisov:a2deps
nissenbaum:hl nissen:jls2w nissim:kmr nistor:sv nis:b4d2fh2ijlm2pst2x nitin:sv nitsche:cm nitschke:ir
nitsch:a2 nitta:akmn2t nittka:mr nitzan:ay nitz:am2 niu:a2b7c12d4ef6g4h12j19k6l13m8n3p9q8r6s9t8vw9x30y36z21
niven:aj niv:a2dy niwa:ak2r nixon:acj2kmns nix:adj niyato:d2 niya:dj niyogi:ds niyonkuru:acv nizamani:as2u
nizam:mn niz:ac2def2g2hjnop3r ni:ab7c9d4e2f4gh14j35k4l7m6n2p3q7r9s9t10w9x11y25z28 njko:v2 nkar:ft nka:abms2t
nkel:ah2o nkenyereye:l2 nken:a2c nkers:fv nker:acdly nkin:lr nkler:dm nkley:j2 nkowski:m2 nko:av nlap:dl
nlop:chjm2 nman:adns nnan:a2bejl nna:fgs nnert:fk nner:ac2fjnprs nnett:acks nne:ac3dfgjops2 nnig:fs nninger:lm
nning:a2c2jkp2 nnison:der nnis:a3blm3s nni:ct nnon:cdj nnox:ab nnstrom:ad nny:cjp noack:b2m2p nobari:a2
nobar:am nobile:fm nobili:afnr nobles:jz noble:a4bgij2lmptw nobre:ci nobukawa:kmr nocentini:fos nocera:ae
noce:aim noda:ahik2s2t2y nodera:mt nofi:hl nofre:ae nofrio:dr nogales:agm nogami:dt nogar:s2 noga:hm
noghabi:hs noguchi:chm3ns2t2y noguira:abcf3gijkprstw nogura:em2 nogur:fs nogus:ev nohara:dsy
noh:bc2deh9j9k4m4s6t2y4 noia:mt noirot:g2 noir:jms noi:s2t nojiri:ms nok:lpv nolan:abcgjlm2ot nolasco:ai2l
nolden:gm noller:jmy nolle:df noll:adjkm nolte:afghjlr nol:a3dmnpv2 noman:a3mnrs noma:hy nomikos:cgn
nomoto:k2s nomura:dhk4m2st2y7 nonaka:a2hkn nongpiur:mr nong:gjlnqrs2wxy nonino:m2 non:dg noonan:aj3 noon:jk
nooraiepour:am noorani:es3 noord:nr noori:a3lm4sy noormohammadpour:m2 noor:a2fhjm4n2ru nooten:cj norato:j2ms
nora:dp norden:jm nordin:jr nordio:ac nordling:alt nordlund:acdk nordstrom:dj3k2mt2 noreen:mt noren:cm
nori:a3f2h normand:emo normann:cd norman:c2d2jk2m2n2t2y noronha:beijs noroozi:m3v norouzi:emns norris:abejmprw
norrlof:m2 north:cmp nortje:al norton:a2cejlmt nosaka:t2 nosakhare:e2 noseda:fm nose:ct2 noshin:jk noskov:rs
nosrati:ahm2 notarnicola:is nothnagel:jm notsu:ahsy nottage:de nottingham:kl nott:cd not:fm noumi:mt
nourbakhsh:a3egi nourian:jo nouri:a5bcdm2ps noury:es nour:acmr nousias:as2 nou:akm2y novais:abp novakovic:blmv
novak:a3defgj2kl2m3np3v3 novara:cm novas:cm novati:gsv nova:bej novelli:cl2mpv novello:mnt nover:ad novick:er
novikova:ej novikov:a2bd2gim novoa:arsu novosad:jmv2 novoselov:ek novotna:jt novotny:dkopv novo:jmo
nov:a3di2kor nowack:kpt nowaczyk:ps nowakowski:ak nowak:a4bdefij2km5pr2stw2 nowicki:fkpr nowik:it noyes:ch
noy:a2dgns2 nozad:s2 nozaki:aks2t2 nozari:kp nozawa:eh2kt2y2 no:a2fjkmprs2y3 nsdale:cn nser:as nsky:ad
nsley:mr nsmore:hj nson:djop nso:a7c3d2eghij4lm7n3op2r2u nstan:cp nsu:lm ns:ms ntan:aj ntas:a2c2dgmps2
ntini:af ntis:aip ntiveros:jr nti:ejmn ntner:gs ntonio:gis2 nton:ace3imprs2t ntujoul:cs ntu:krs
ntz:be2j2lm2t2z nucci:d2m nugent:a2cjpr nugraha:amst nugroho:dhsy nugus:lp nuha:hu nuijten:w2 nukala:ahs
nulty:adstwz numan:an numa:k2 nunes:a2bc2d4efhi3j2l2m4npr2s3u2 nunez:a4c3d2e2fgjl3m3np2r nunley:js nunnari:af
nuno:e2n nunzio:ag nurdin:hj nuriddinov:ao nuriyev:am nurminen:jm nurmi:jpst nurnberger:abkps nurnberg:lrt
nurse:cj nur:eisy2 nuske:fm nusrat:hosw nussbaumer:n2 nussbaum:cmrt nusser:a2 nutanong:s2 nuthakki:s2
nuthalapati:ns nuti:afp nuttall:lr nutt:tw nuvo:jp nuzzo:ps nve:jp nvin:av nwankwo:celmt nweller:ah nyame:ei
nyango:dn nyarko:ej nyberg:e2j2mo nygard:ajmrv nygren:dms nyholm:jlt nyman:agmrt nyshchenko:os nystrom:am2
nzani:gl nza:ag2m3 nzetti:gn2 nziger:mp nzillotta:fg nzinger:fm2t nzing:hm nzini:fg nzi:a2egp2 nzler:a2j
n:a4bdg2hklm3n3p2r2s4u2v oan:cr oba:dhkmsty2 obi:ikt2 ock:acfgj4klm2pr2stw oda:hijk2mny odu:ko ogi:ht ohe:ku
ohi:am ohl:flm ohr:cdefm2n oh:a4b5c11d8e3g7h22i2j37k7m17n3r2s38t3w7xy20 oit:a2dhjm3w oi:dgm2nrv oja:hk oji:ar
ojo:aejo oka:am2rst2 oke:ajmnt oki:bmt2 oku:rty ok:cfhjks3 oli:a2inps oll:cdhmos2t olo:dg olz:abdgrv omi:kmn2t
oms:a2 one:a6c3de2fg3h2j2km7n3prs2t4vw2z ong:a4b4c8d8e3f2gh9j5k6l5m11n4op4q2r3s7t9v3w4xy4z3 oni:egjlm4p2rsy
onn:ms ono:ch3j2k2m3ns6t4y4 on:a2cjklrst ooi:b2c3gmrswy oop:lmr oo:nsty opp:cf ora:jp ord:a2cs ori:al ork:dj2w
orm:acjnt orr:bd2ijklm3nt ory:lmp or:abd2elty2 osa:rt ose:bjmnt osi:dl ota:ah2jk3m2n3s3twy3 oto:ay
ott:bc3def2j8lm3rt oud:a3gim3y ouf:dm3 oum:ps ou:a2b5c8dfgh3j15kl4m6n2pq3r3s3t3w8x7y21z9 ova:adn ovi:jmr
owe:kl oya:isty oye:aefj oza:a3bn2u oze:gi oz:bm2yz o:ad2f2hij pablos:abd pablo:dm pabon:jl pabst:f2 pacaud:fp
pacelli:rv pace:a2cf2g2jms2 pachauri:kr pacheco:a3cd2efhij4m2nprt pachon:lr pach:ms2 pacifici:ace pacini:gm
paci:mw packard:a2n packer:chm packham:c2 pack:ac2s padakandla:as padala:mv2 padalkar:mp padgett:jm2 padhan:rs
padhi:ais4t padhy:ars2 padia:a2 padilla:ad2ejl2m3norvw padin:ds padmakumar:av padmanaban:agm
padmanabhan:a3bdgn2prs4v2 padmanabha:am padovani:acfgimo pado:dsu padte:as paduraru:c3m paganelli:fs
paganini:cflm pagani:a3d2lms pagano:acdgilm2 pages:gq page:abd2e2g3ij2klmnrs3ty pagliara:lr pagliari:dv
pagliaroli:gn pagliuca:dp pahari:ms pahi:kt pahl:acjm pahuja:av2 pahwa:aekr2 paic:em paige:abj paik:gh2ij3psy
paine:jst2 painter:c2jkm pain:cm pais:ght2v2 paithankar:ak paiva:a3cefj2lsvw2 paixao:fmt pai:a6d2jkm2rs4tv2y
pajak:ade pakhomov:defrs pakniat:an pakray:ap pak:a2bd4efg2hjk2m2np2s2ty palacios:a3dj2lmr2s2 palacio:a2dj2s
paladini:cr paladino:fr paladugu:as palafox:ef palande:s2 palaniappan:bk2r2s palanisamy:bps palani:my
palan:am2 palat:rv palau:ac2 palazulos:cp palazzo:as pala:amps2tz palencia:jlp2 palenik:jk palermo:a2fg3m2v
palffy:a2c palikhe:as palit:b2s3tv paliwal:a2bks2 pali:gm palko:gj palladino:av pallavoor:ar palla:ag2kms
pallickara:s2 pallis:cg pall:rs palma:a2cd3f2g6hij2mnrst palmero:clm2 palmer:abcd3efj2kl3mprst palmese:af
palmgren:ef palmieri:efgjl2 palmigiano:a2 palmkvist:jv palm:ce2t palod:sv palomares:aj palomba:ac2fmrs
palombo:fm palomo:bep palou:fx palo:fnp palsson:es paluch:m2w palumbo:e2fgmp
pal:a19b5c2d6i2j4k6m5n2op3r7s36t3u pama:apw pamede:t2 pamnani:km pamuk:ams panagiotakis:cy panagiotis:ck
panagiotopoulos:ac panagiotou:aceo panagopoulos:a2cdgn panahandeh:mp panahi:a2m2s panah:abdm panambur:at
panariello:am panasenko:s2y panasyuk:a2 panayiotou:ct panchal:jkm3s2uv panchavati:su panchenko:ae pancholi:dkv
panday:amns panda:a9bcd5gkmnp3r4s21 pandey:a29b4cd2eg2h5ij2k8lm7n4p14r8s26tv9 pande:a3kmnps3v2y pandhare:sv
pandhi:a2 pandian:jv pandita:d2pr pandit:ab2gkoprs5t2vy pandiyan:kn pandya:a4djk3mn2pr4s2v4y panebianco:gk
panek:dev panella:dgm paneru:b2u panet:ip panev:s2 panfilov:ae
pang:a7b5c13d2ef3g6h9ij23k7l11m5nop3q3r8s10t6w11x13y29z13 panichella:as panicker:ap panigrahi:a2dikps4t
panigrahy:drs panin:giv pani:a2jp panja:am panjwani:nr pankajakshan:ar pankov:hsv pankratov:ks panova:ago
panov:admptv panse:fns pantano:fm pantazis:dko pantazopoulos:cg2 panta:aelms pantelic:dv pantelidis:it
pantelidou:cn panteli:ae panter:js panth:ap2 pantic:m3 pantin:ej pantsios:at pant:a4dhjkp2s2tuvy panuganti:rs
panwar:admn3rs4vy panyam:as panzeri:dsw pan:a8b17c29d14e6f9g11h48j75k16l33m28n3p9q17r16s42t22vw16x43y79z60
paola:agsv paoletti:glnr paolillo:amr paolini:cegim paolis:fl paoli:bfs paolone:mv paolo:cg paoluzzi:al
pao:dh2 papadakis:deg2imn papadimitriou:ac2ik papadopoulos:a9d2fgikn2p4s3ty papadopoulou:acefos
papageorgiou:a2dekm2vy papagiannis:g2 papaioannou:a2cgi2jks2t papais:fks papakonstantinou:a2iky papakostas:lm
papanastasiou:fgp papangelis:ak papanicolaou:agv papanikolaou:a2gn2ty papantoniou:fk papapetrou:eop
paparella:fv papathanasiou:dg papatheodorou:ais papavassiliou:gs papay:js2 papazafeiropoulos:akt
papazoglou:dm2 papa:a3egj2l2m2s papenbrock:mt papenmeier:al pape:acd2l papini:gmp papitto:ag papi:amps
papogu:dr papon:cm papoudakis:ag papoutsoglou:gm papo:dr pappalardo:c2dflo pappas:bg2k2not pappa:agm papp:deps
paqus:am paqutte:fnp paqut:emt parab:as2 paracha:es parada:cip paradisi:np paradiso:aj parag:apt parajuli:agkl
parakhin:mv parakh:am parambath:as parameswaran:a2 paramonov:ak parand:fk paranjape:a3bchijs parasa:ns
parascandolo:fg paraschiv:mn paraschos:g2 parashar:a3jm2nr2s3tv paraskevas:es paraskevopoulos:g2 parayil:an
para:cw parco:fm pardeshi:v2 pardi:fhp pardos:cz pardo:a3bc2de3fj3klm2p2r2s pardu:mt paredes:bcd3hj2lm2prst
pareek:anprs pareja:ag parekh:a2gj3op2s5tv4 parente:lm2r parent:em pareschi:fglr pareti:ps parhi:kr paria:su
parida:abkrst pariente:jmy parigi:gm parihar:dr2s3 parikh:a5cd4gh2km3n3sv parimbelli:eg parimi:s2v2 parin:di
parish:em parisini:et parisi:a2fmrs parisotto:es parisot:os paris:a2clpqs paritosh:p2 pari:ejl parkar:dr
parkash:os parker:a3c2d4g3j5k2l4m4n2pqr2s2t parkes:ad parkhi:no parkinson:cdgms parkin:ams parks:cgms
park:a8b21c51d26e14fg19h74i9j185k45lm29n7op3r2s157t12uw21y63 parla:sy parmar:a5c2gj3m4npsv2 parmentier:agpv
parmiggiani:n2 parmigiani:ag parnell:atw parnica:ls parodi:bfn parovic:am parraga:mo parra:c2d2e2fgijmopv2
parrinello:km parrish:ams parris:d2w parry:acjlt parr:ers parsan:an parsa:a3jmnpr parsi:ab2h
parsons:a2cdghjklprst parthasarathy:a4d2hnpr3s4tv2 partington:ej partmann:ck partnership:st parton:jm
partridge:bhk paruchuri:ap2s2 parulekar:a2 paruthi:av parvaresh:af parvatham:ms parvathaneni:ps parvatikar:km2
parvez:m2nt parviainen:hp parvin:ls parvizi:fjm parzych:dg par:cfs pasad:ak pasandi:hv pasand:am pasani:fg
pasari:dn2 pascale:adelm3rsz pascal:b2cgl paschalidis:g2i pascher:mn paschke:aj paschos:gv pasch:s2 pasco:cj
pascual:adjmrs2 pascucci:finv pasek:m2 pasha:aim2s pashkevich:as pasichnyk:i2 pasini:dgjm2st pasi:g2p
pasquale:a2fgm3 pasqualin:dl pasquali:a3jlst pasqual:av pasqua:ejm pasquier:gptv pasquini:abcdl pasricha:aps
passarella:adk passaro:lr passerini:amt passi:as passos:a2dp pass:bemr pasten:eh pasternak:gios pasterski:js
pasti:ci pastorelli:eg pastorello:ad pastore:cefmv2 pastorino:mv pastor:a3de2ij2lm2op3sv pasula:ms
pasumarthi:rs pasupalak:s2 pasupuleti:hmv pas:akl2my pataki:az patane:ag patankar:asv pata:lm
patel:a25b3c3d26efg2h16ij12k21l4m20n15o2p18r17s35t6u5v12y3z patera:av paternain:dgs paternostro:mv
paterson:a2cjk2m3 pater:ir patey:eo pate:nrs pathak:a9d5eg3h2j2k3l2m3n3p5r2s12tu2v3 pathania:ap pathan:akn
pathare:ds pather:kns pathirana:dpt pathmanathan:p2t patil:a13bcd4gh3ij4k3m5n5o2p8r6s18t4v8y patina:en
patino:acdj2n patin:aeij pati:ad2gj2ps4tv patkar:gn patkin:v3 patki:pr2s patlak:cr patle:gks patnaik:a3bkps2
paton:an pato:cm patras:fip patravali:aj patra:a8b4d4gjk2lmn2p3r2s10t patricio:acs patrick:bfg2l2p
patrignani:m2 patrizi:af patro:bgjs2 patruno:ac pattabiraman:ksv pattanaik:mnpv pattanayak:ad2kr
pattanshetty:v2 patten:j2nt patterson:ad2egj2l2m2n2oprs3t2vz2 pattichis:acmr pattinson:ds pattison:c2jk
patti:arv pattnaik:p2r patton:abdegjkmr2 patty:jl patt:jp patwardhan:a2mst patwari:m2nr patwary:fm3
patwa:afkpst patzold:bjmps paudel:a3b2dfjknp2r2s6u paudyal:ar paula:a2bdfm2p2r2st paulino:hl pauli:ady
paull:jln paulos:jn paulo:dfgis paulsen:belnrv paulson:aeklmns pauls:jw paulus:ad3gjkmty pauly:c2djm2t
paul:a18b6cd9egh2i2j3k3l3m5op9r5s34t5uw paun:bm2rs pauwels:e2j2r pauw:dgktv pau:adeg pavan:abjmt pavao:al
pavel:a2lm2 pavic:mn pavithran:in pavlakos:g2 pavlenko:akv pavlichenko:dn pavlick:ce pavlidis:egn2 pavlidou:tv
pavlik:pv pavlova:em3v pavlovic:ad2ijkm3tv pavlov:abcdg2i3kmnosv pavone:efm pavon:j4m pavuluri:ajr
pawar:a4bg2jkmnp2s8u2v2 pawlak:mt pawlik:cmtw pawlowski:abjkm3n pawlus:bjr paxton:ck2 payan:fj payer:cmt
payette:jk payne:a2cej2km2npr2st2w pay:dfnqt pazos:bc pazo:cdm paz:a4c2d2ghjmn2w pchelintsev:aes pchelnikov:a2
peach:jr peacock:djst peake:et peak:bgn pearce:a3dfhjlmort3w pearl:adjmn pearman:be pearse:aj
pearson:ab2cdefj5km2ns2tw2 pech:m3v peck:abjks pecora:f2 pedapati:et peddinti:ns2 peddireddy:ds peddi:rs
pedersen:b2cdeij3k2l2m7nrs2t3u pedone:cf pedram:ahms pedreira:iop pedretti:egk pedrini:a2gh pedrocchi:an
pedroni:mp pedrosa:afj2lsw pedrotti:ad pedroza:ei pedro:af2j2 peebles:jw peek:dj peel:lm2t peeperkorn:jm
peeples:jm peery:js peer:ad2him2pt peeters:cdegr peet:abp pegoraro:am peh:el2 peikert:c2 peimbert:ajs
peirani:s2 peiris:h2p peirone:as peiros:el peissig:jp peitz:s2 peixoto:mrtv
pei:bc2d3ef3g4h13j18k2l6m4pq3r6s11tw3x9y18z13 pekcan:ad pelat:ag pelaz:aj2m pelc:an peleato:es peled:s3
peleg:a2dlmosu pelekis:cn peleska:j2 peletier:mr pelican:ae pelikan:hr pellegrini:abcdf3gl2stv2
pellegrino:a2cd2e2n pellegrin:egmt pelleriti:gn pelletier:cfg2os pelliccia:d2 pellicer:al pell:aen peloquin:bd
pelosi:dg2 pelo:dm pelster:am pels:ai peltonen:ej3ls peltzer:op pelusi:ad peluso:ag2 pel:ah2jn2rs
penaloza:ac2der penas:asu pena:a5c2d4e2g2j3lm3no2p4rs2tw pence:jt penchev:iv penco:glr pender:js pendharkar:am
pendlebury:fs pendleton:bjmy pendse:cps pendyala:dimv penev:ks pengfei:wz
peng:a6b26c40d18ef9g11h39i2j73k24l32m14n5p7q29r16s40t20vw20x60y100z75 penna:aglmpv pennec:gy penner:adehr
pennington:cj2 penning:ab pennino:df pennisi:m2 penny:clm penn:egjos pentassuglia:lm penta:g2m penttinen:ah
pentus:am pentyala:rs2 penula:ajr penzeller:jr penzkofer:af penz:dm pen:lsuy2 peper:j2m pepe:a2fim2v pepin:cm
pepper:kn peracha:ho perakis:gn perales:dfj perali:ap peralta:a2gijl2mrsv peral:jmp perance:ny peran:il
perarnau:gs2 pera:acfgm perdrix:ps perea:j2 perego:a3mpr pereira:a7bc5d3e2f3g4hi2j9k2l6m12p3r5s5t5v
perelli:aglm perelman:ag perel:os perepechkin:i2 perera:a5bcd4fh2ijlm3np3r4s6w peres:dfl2sy perets:ho
peretti:e2 peretz:r2 pereyra:l2m perez:a16b2c7d9e5f5g10hi4j13k2l8m9n5op5qr4s7t3v3xy peric:di2j perillo:am
perini:cfgkl perin:c2g3jk peris:a2cjps perivolaropoulos:cl peri:a2d2gnrs2 perkins:a3dhj3lmst3 perla:ns
perley:dr perlin:ks perlman:ehjm2s perlmutter:ms perlo:dj perl:gy2 perminov:is pernas:fs perna:dg4mr pernet:c2
pernice:fw2 pernici:bf perone:cm peron:dgmrt perotti:a2gj perot:fnv peroux:cm perovic:nv pero:js perrakis:dgk
perrault:anp perret:cdj perre:al perrier:ev perrin:acg2him2ns2 perri:ams2v perrone:ad2g2jlmp perron:bmy
perrotin:op perrotta:fgs perrot:km perry:ac3d2g2j2klmn2rs3 persaud:a2d pershin:im persia:cl persio:cgl
persson:a3bc2d2gk2p2st persyn:s2 pers:abcjm pertsch:kt pert:chj3mr perugia:gi perumal:akps2 peruzzi:an
peruzzo:def pervaiz:ahn pervez:am perz:bd per:egj2lm3ny pesavento:m2 pesa:dg pesce:adfl pesch:dm2 pessa:ai
pessi:pt pessoa:alr pestana:glt pes:a4bc4d2ef3h2i2jl3m4np3r2svy petcu:ar petel:sy peterka:t2 peterlin:jm
petermann:de petersen:a4bc2def2h2ij6k4lm5nopr2s2tv peterson:a2bc4de5ij5k2l2m2np2s3tvy petersson:achjl2s
peters:a4b3c3d2e2fg2h2ij10kl2m2n2ors5t2uwy peter:ae3gjk2mo2p2qrs5y pete:dg petitjean:cp
petit:a2c2defgj3m2nptv2 petkova:m2 petkovic:ajm2 petkov:ae peto:mt petralia:a3iy petras:hi petra:ns
petrenko:a2imsv petre:fr petric:aft2z petridis:cfs2y petrie:aj petrik:mv petrillo:adef petrini:bdflr
petri:bdg2hv petropoulos:ft petrosyan:a2np petrou:acf petrova:cd2e2m2nt petrovich:cm petrovic:b2dfgilmn2ops2v
petrovski:ik petrov:a9d2fgi3lmn2p4r2s3v4 petrucci:clmpv petrus:ms petry:ds pettersen:fk2l pettersson:ars
petter:aj pettinari:ls pettine:mw pettit:jr petty:js petzold:fl pevtsov:a2 peyemi:a2 peyrard:m2 peyre:bgj
peysakhovich:a2 peyser:ac peyton:ac pezeshki:am pezzelle:ms pezze:dm pezzi:eo pezzoli:gm pezzuto:s2
pez:a18b2c8d4e6f6g5hi2j10k2l6m12n5o3p6r9s8tv3 pfaff:dnt pfau:d2j2t pfefferle:ads pfeffer:cj3m2
pfeifer:bcdhj3mn2qt pfeiffer:dfhj2kl2m2np2s2 pfender:jn pfenning:af pfeuffer:ajm pfisterer:fsu
pfister:fgh2jlnotvz pflaum:bm pfluger:djm pfrommer:bcdj phadke:aks pham:a3b5c5d11eg2h10k4l7m2n12p4q5s2t25v6wx
phang:jls phanse:ar phan:a2bcd6h5k4lm2n4p2qrst11uv2x phatak:admr phee:cdj2ms phelan:abc phelps:dgj
pherson:dlmrs2 philippe:aht philippou:ae philippov:ai philipp:lt philips:mw philip:gij2m2r phillipson:fk
phillips:a3bc7d3efg2hij3l4m3n2r3s4t2w2 phipps:kr phi:h2t phogat:ak phong:dhv pho:jt phuc:dln phukan:a2kopr
phukon:bkp phung:acd2h2km3pq2st3vwx phuoc:dkt phuong:dmn2t phu:nq piah:or pial:st piana:gm2o piano:acdl2s
pianzola:af piao:c3dgh2j2lm2rs5t2wxy8z piarulli:lm piasecki:klm piater:jt piatti:a2 piat:mrw piau:jm
piazza:abcdf2lmpt piaz:ft pia:anv picardi:cg picard:acdfgkqr3 picarelli:ad picavet:gt piccardi:lm picca:dr
piccialli:afv piccinini:dfglm piccinno:af piccioli:fm piccione:fp piccirilli:m2p piccirillo:l2 piccoli:begm2r
piccolo:celms picco:em picek:ls pichat:mp picheny:mv pichler:a2eh2m2r pichon:acfgp pich:jw pickard:ct
pickens:ej pickering:amw pickhardt:pr pick:gl picone:adm picon:a2g pico:ems pic:bm pid:aenr piedade:pv
piel:mn2s pieper:jks pieraccini:rs pierce:abcijl2 piergentili:ap pierini:lm pieris:ad2 pieri:mps pierleoni:cp
pierno:al pierobon:eglm pieroni:mr pierotti:df pierpaoli:ep pierre:abc2g2km4p2s3t pierron:ft pierro:a2v
pierson:ae2m pieterse:cdp pieters:br pietri:mrs pietrosanti:go pietrow:a2cl pietro:acd2gkr pietrzak:dp
pietrzyk:kp pietschmann:fj pietsch:nr piette:be piga:ad pignata:ag pignat:ej pike:dej2qs pikovski:ai
pikuliak:m2 pilarski:ops piles:gm pilet:jp pilgram:ln pilgrim:cr pilipczuk:m2 pillai:a4bghln2ps4t2v pillay:ar
pilla:st pillet:c2j2v pilli:s2 pilz:ar pimenta:fglm2r pimentel:a2cghjlmt pinamonti:am2 pina:dpv pinchover:cy
pinckney:hn pincon:aj pineau:dfj2 pineda:a2ef2g2j2lm2psx pinedo:gh pineiro:d2 pinel:dep pinero:eg pine:adkps2t
pingali:ks pingel:n2 ping:a2bc2fh4j2k2p2qrswy5z pinheiro:a2bd2fgjlnr pinho:a2dept pinilla:jp pini:afms
pinjari:aj pinna:afgm3 pinochet:jn pinotti:cf pino:abefgj3lm2r2 pinsky:em pinson:hp pinter:abgnsy pintore:fm2
pinto:a8c3defg3i3j4lm7p3r6s3w pin:agjmnrt piorkowski:dms pioro:m2 piotrowska:jm3 piotrowski:dgj3ltz piot:b2p
pio:ci piperno:ad piper:a2l2 pipe:jt pippi:mv piquras:egm pirani:ms pirashvili:mt piras:adg pires:abijmr4s
piri:ms pirkl:cj pirk:hs2 pirogov:av pirovano:adl piro:al2 pirrone:a2 pirro:m2pr pirttikangas:s2 pirvu:mrt
pirzkal:n2 pisana:as pisanello:fm pisani:al pisano:cfgpr pisanti:do pisarski:r2 piscitelli:am piskorski:jk
pisla:ad pisoni:frs pistilli:fg pistone:gp pisupati:ns pitaval:rs piterman:kn pitsch:hw pitta:de pittiglio:ag
pittman:cd2jm2 pittner:jm pitts:adgjm pitt:kno pitzalis:cm pitz:jmt pit:mpsw piva:ah pizarroso:cp
pizarro:acm2ot pizurica:an pizzati:ef pizzella:a2 pizzi:agk pizzo:a2dv pi:b3h2ij4lmnoqrs3xy4 placa:r2 place:ef
plachouras:cv placidi:gl2 plaksin:a2 plamondon:pr planas:a2j plana:lm plancher:be planche:bv planes:gj
planeta:ar plank:bglm plante:aps plantinga:p2 plant:cjk plan:py plass:cm plas:jlmt plataniotis:k2 platen:ep
platonov:gov platt:dj2mnrs platzer:as plat:a2dv plaza:afls pla:jopsv2 plebaum:adls pleby:kprs pleimling:mx
plein:dls pleiss:gjl plesa:amt plesch:cm plesser:hm plessis:ajr pletenev:as plociennik:cm ploger:ep plog:cj
ploner:m2 plotkin:glr plotnikov:djms plou:cf plumley:ar plummer:a2bcs plum:af plunkett:acds png:ck poch:lo
poddar:adhln2r2s6t poder:s2 podgorski:ksw podolsky:adjs poduval:bp2 poggensee:km poggio:aet poggi:fgmnp2
poghosyan:ah pogny:ac pogorelov:kn pogosyan:dr pohle:cm pohlmann:glm pohl:a2dhk2lmst poh:fmsw2yz poidevin:f2
pointe:jl point:ft poirier:ns poisson:a2 poitras:ce pokharel:a3b2gprs2 pokhrel:a4nr2s2 pokorny:adf2jp
pokrywka:jm poku:adg polak:abdm2p2s polanco:cdjl poland:d2 polania:fl polanski:a2 polansky:alm polat:achios
polavaram:ahs pola:a2m pold:gjpu polese:gm poleski:r2 poletti:d2kps poliakov:dm polini:ce polin:adm
polisetty:s2 politis:ad politi:acmpr polito:g2rv poli:jm2nv pollabaur:ct pollack:acmr pollak:a2cks
pollard:cdhjnst polletta:dm polley:kmnr pollinger:al pollock:c3djl2ms2t pollok:fk pollom:es pollo:agj
polman:jmw polok:a2ms polonen:hi polovnikov:bv polowczyk:a2 polo:ef2j3m2p polson:n2 polsterer:k2 pols:oy
polverino:op polyakov:a2ms polyak:am polychronakis:am polyzos:gik polyzou:a2 polzin:am pol:adghlmnr
pombo:agjns pomerleau:fo pomeroy:ajr pommeranz:mr pompa:fr pompei:eg pompili:ad pomponi:jv ponampalam:kp
poncelet:pr ponce:adfj3mo2prs ponciano:j3l pond:gs pongetti:ft pong:bltv ponkshe:kn ponnada:hs ponnapalli:rs
ponnusamy:aps2t ponomarenko:aimpsv ponomareva:aemn ponomarev:ade pons:gij3l2m2op pontes:ces ponte:hlmo
pontillo:gv pontin:dm ponti:aegjm2n pont:abcegjmps3 poojary:ahty poole:a4b2djk pool:djt poon:c3ehj2klmptw2y
poortinga:a2w poor:ajmv popa:a3c2dlm2rst popescu:a3bd2im2or2v pope:a3bdln2q popolo:a2g popoola:dg popova:m2o
popovici:ad2r popovic:b2dj2klm4n2 popovski:mp popovych:or popov:a4fi2lm2ps3tv2y popowski:jl poppel:adjs
popper:cj poppe:b2o poppi:st popp:aimnp pop:adefgimns porada:ai porat:delno2 pora:jn porcaro:cl porcelli:lm
porcher:fr2 porco:a2j poreba:m2r pore:mn porfirio:dp poria:s3 porikli:fsv pori:bflm porras:a2dej2t porro:fgh
porsche:nt portales:l2 portal:jmt porta:c2dhlv portela:d2j2t porter:a3b3c2fkl2m2rst portes:a2jp
porte:c2dejmnpx porth:bl2o portier:fp portillo:ade portmann:cj porto:a2fgjlr2y2z portugal:ipr port:agmr
porwal:as2u por:em posada:dhj2p posa:dm poschl:at posch:as poskitt:c2 posner:cdeijn pospelov:am pospisil:jmst
possenti:ad posta:ap postma:m2 postnikov:a2e post:ac2ejm2s potamianos:ag potapov:a3gip2s potdar:adms2
pothukuchi:rs potluri:dhsv potnis:a2 potteiger:jn potter:acdhmnp2sy pottier:cn pottie:gs potts:cdj pott:aj
pot:ej poudel:ab2djk2l2np4s5t poudyal:kp2 poulain:ms poulett:w2 poulet:kot poulin:mv poulos:a2j2mnps
poulsen:hj2n pouly:am pound:am2 poupart:py pouplin:at poupon:ac pourcel:gj pouria:af pourreza:ahmr
pour:a2behm3vy poutre:ac pouw:cw poux:er pouy:jp poveda:a2 povey:d2 powell:abc2d3g4hj6klm3rst3w
powers:a2dj2m2rs4v power:bc3hj3s2t poyatos:adj poznanski:dj pozo:bcijm pozza:nrs pozzetti:bl pozzi:aef2m2prs2
pozzobon:lr pozzoli:fgs pozzo:aw po:cjlmpry ppanen:jltv ppa:ef ppelt:am ppel:fhj2 ppenheimer:bm ppenheim:ij
ppen:s2 pperman:cj ppert:gj pper:m3 ppe:acjnst ppisch:ft ppi:ot prabakaran:av prabhakaran:bdgsv4
prabhakara:asv prabhakar:a2bckmn2p2r2 prabhudesai:a2mr prabhune:st prabhu:a4cd2gk2mn2o2prs5uv5y2 prabowo:ay
pradalier:cg prada:cdf2r pradeep:a2bmp2rsv prade:dh pradhan:a9b2cd3ghlmn3p5rs6 pradolini:gs prados:af
prado:a2bd2fm2rs2 prahallad:lp2 praharaj:ais prahlad:dh prajapati:ah4knpr2s prajapat:jkm
prakash:a12c3eghj2lmn6op2r2s6t2vy pramanick:a2ps2 pramanik:a3bm2prs4v pranata:csy pranav:pt prandi:d2gm
prandoni:ip prasad:a10bcd5g4hijk3lm5n3p3r8s11uv3y prasanna:amprv prasetya:fm prasetyo:eim prashanth:ks
prashant:mp prasse:akp pratama:d3mnr pratap:arv prata:dj prateek:kns pratelli:am prathaban:km prathap:gj
prather:abm prati:am prato:cegl pratt:bcdgj2ks pratyush:s2 prat:a5eij3l2pv praveen:ksv prazak:amo pra:is
prea:adjs3 precup:dm preda:amos preechayasomboon:jp pree:acw preiss:jm prejbeanu:il premarathna:an
premkumar:a2knp prendergast:lt prepelita:ds prescott:jmst prescu:am press:bo2w presta:a2 presti:dl
preston:a2hklns2v pres:jpr prete:apr pretorius:acfp pretto:ar pretzsch:es pret:jm preucil:fl preuss:cm2o
previtali:de prevost:lr2 prez:agm pre:cehtv price:a3b2c4d4ehij2klm2ps3tw pricop:be pride:cd priebe:c3t
priestley:cf priest:bej pries:bcl prieto:ac4dej2l2mr prieur:c2p2 priez:tv prifti:ey prigozhin:gi primavera:lr
primozic:ev primo:mv primus:jp prince:b2ej3kl2m2rtvz principe:gj2r prindle:jk prinja:ar prins:mtz priore:l2
prior:c2dfhjl2m2n pritchard:hj2m2ntx pritha:aj pritom:jms prity:af privitera:lp priyadarshini:ps
priyadarshi:akps priya:ps pri:bds probst:djm2 procaccia:aei prochaska:jsx prochazka:aopt procopio:ak
procter:rt proctor:kt2 prodan:er prodromakis:t2 profumo:ls proietti:bclm3tv prokhorov:bd3gmvy prokopenko:adem
prokop:cm2 prokudin:ads proma:an prome:jr promise:en pronca:hjp pronin:dip propris:lr prosmans:mr prosperi:lm
prost:f2j2s protasov:itv2 protopapas:knp protopopov:a2 proto:dy proux:ds provenzano:afln proverbio:df
providencia:cj provost:ef2m2 pro:df prudhomme:bc prufer:kmt prusty:as2 pruthi:dt przybylek:m2 przybylo:jv
przymus:mp przytycki:jp psaltis:ad psarras:cs psey:ajmr psomas:abc pster:a2m ps:ad ptak:abm ptev:adin pto:s2t
pua:ck publa:aegr puccetti:gns pucci:d2fgmr puche:akv puchinger:js puchta:aj puch:jstw puckett:jr
pudasaini:nsu puddu:ir puder:dh pudota:an pugliese:acefgr2 puglisi:a2gl pugmire:d2 puhan:s2 puig:dlmsvx
puis:b2dej2m2nort pujara:adhj pujari:amprs pujol:adhjlov pulatov:ad pulgar:cj pulice:bc pulido:c2j3mv
puliga:am pulipaka:s2 pulkkinen:a2 pullerits:t2 pullicino:mp pulz:cd pumir:at pumpo:fm pundhir:as punia:ag
punjabi:ny punkkinen:ar puntes:ap2 punte:cmnp2 punzo:gs pun:ac3hkms2 puppala:hs puppo:eg purandare:ahks2
puranik:bru purcell:cjm puri:a3bgi2k2np2r2s2u purkayastha:akps3 purkiss:or purnell:cp purnomo:hjm
purohit:a4bh2jk2m2n2r purschke:cn pursiainen:cm purtas:dps purto:hj purucker:lm purushothaman:a2g
purushothama:ac purushottam:a2 purvis:ac purwar:ad puschmann:chm pusch:lr pushkarev:a2v pustilnik:ms
pusztai:it2 putman:am putnam:adivw putra:aghkr4v putri:abeg2nr2 puttagunta:s2v putta:aprv putterman:ei
putte:df putz:f2gkmnos puvvada:ek puyo:jlp puy:a2cgj2lt pu:b3c7df4g6h12j13kl4m4np2q3r2s7t5w2x4y18z9 pvik:a2
pyatkin:sv pyatov:pv pyeon:gm2s pye:a2j pyka:as pyles:dj pyne:as2t pyo:dej4s pyun:hj
p:a4b2dg2ij3lm5np4r4s9v2y2 qadeer:hms qader:ars qadir:ghijm2s qadri:m2nr2s qahtani:a3dfhm2ns3w qamar:aims
qaralleh:hi qaraqe:km qari:hs qarni:a2m qasem:a2r qasim:ad2kns2z qawasmeh:bd qayyum:a4 qazi:a3im2tyz
qharabagh:m2 qiang:bc2d2eh2j4l3m2nr2s2wx6y4z4 qian:a2b9c12d7ef7g5h19i2j33k13l24m6n2op7q11r8s20t9w17x25y62z38
qiao:a2b5c11d2ef5g4h12j16k6l11m7n2p5q4r5s15t5w5x13y36z20 qia:lz qidwai:au qingsong:lt qingyun:wz
qing:c6h2j2l6pqrs4t2w2xy6z4 qin:a5b11c23d9e3f8g7h35j39k8l14m13n4p9q10r9s35t12w18x30y68z55
qiu:a7b9c19d8e2f5g8h34j50k14l29m8np8q11r14s17t16w24x34y60z58 qiyuan:qz
qi:a5b5c13d8f3g8h25j35k7l19m8n2p7q11r13s15t9w9x35y52z43 quach:klnt2v quackenbush:bj quader:fns quadrelli:cm
quadri:adg2s quadros:gw quaid:st quamar:m2 quang:h2lmnpst4v quanz:bs quan:c2d2fg5h4j5k2l3mp2q3r3s6t2w4x6y7z3
quaranta:abm quarles:bj quast:gm quattrocchi:cg quattrociocchi:jw qudah:him qudsi:ry que:ch3m2nsw4x2y2z2
quick:cl quigley:ade quilez:a2p quillan:is quinn:a3bc2ej7k2m2prs3t2 quintana:a2cefgjm2 quintero:acjmn2o2
quintino:nt quintin:ej quinton:cer quinto:cdj quint:bfj quin:jmy quiring:be quirke:lp quirk:ac quiros:acij2m2s
quiroz:a2d2fij2m3prsz quispe:acn quk:bcgrt2y qumener:gy qun:acop2rt quoc:abchk2ln2 qurashi:ln qurcia:ad
qureshi:a7bdfhi2j2klm6n2qr3s3uz quro:dgjlv qusada:abj2nr qusnel:gv qusne:jn quvedo:d2fhkp quy:npt2
quzada:bcefr qu:a4b8c12d3ef4g6h19j24k7l13m6np2q6r7s9t11w10x22y39z22 q:lz rabani:ey rabbani:adfhm3ps3t
rabbat:m2 rabbi:fjms rabby:ghs rabee:kn rabelo:ad raber:lrs rabeti:hs rabe:df2jmr rabiee:ahm rabiei:lms
rabie:kmt rabinovich:ae2rz rabinowitz:dmprs rabin:ejms rabi:am3nos2 rabsah:im rabusseau:cg raby:bs
rab:ac2im2nrs rachakonda:a2lr rachamalla:nt rachan:ajm rached:jn rachman:afrt rachuri:rs racicot:it racine:bf
racin:dm raciti:pr rackauckas:c2z rackauskas:ap racke:ln rack:anp2 racz:afgil radaideh:m2r radchenko:dgp
radcliffe:jn rademacher:lr rademaker:alt radenovic:af radermacher:ahm rader:aj2m radev:ds rade:dijp radford:aj
radhakrishnan:a7k4mpr2s2uv3 radhakrishna:a2ks2uv radha:hs radivojevic:kt radi:a3fgimwy radler:ajk radoi:ae
radomski:djp radonjic:am radovanovic:ams radovic:a2f rado:ad radt:hls radul:at radu:bcdefis2v radwan:aimy
rady:ls rad:a4bh3j2l2m5nop2r2s4t rafailidis:dv rafali:os rafati:js rafa:mn rafelski:jm raffel:cm raffenetti:k2
rafferty:adk raffin:be raffler:jp raffo:ag raff:em rafiee:bps rafiei:ads rafii:fz rafiqu:hkm2 rafiq:kst
rafi:km4ns3t rafols:i2 ragab:m2 ragaglia:cm ragan:efhjosw ragavan:ds raggi:dg raghavan:a3d2gklmn2p2rs3v3
raghavendra:acmprs raghav:ans raghunathan:a5d2ks2v raghuraman:ns raghuram:sv raghuvanshi:a3dn2 raghu:a3drs2v
ragni:amsv ragone:af rago:a2 ragusa:ae2fgjr rahaman:fhkm5nr3s2uz rahamim:ag rahami:deot raham:eg rahangdale:ps
rahat:am3rt raha:a2mpr2stz raheem:a2m raheja:tv3 rahgozar:am rahhal:m2 rahimian:a3epr rahimifar:m2
rahimi:a6e2hikm6n3prs7z rahimzadeh:mpv rahim:am3nrtu rahi:mqs rahmanian:hn rahmani:abfhkm2pr2sz rahmany:imo
rahmanzadeh:mr rahman:a35bce2f5gh5i2k2lm30n5r7s25t10uyz4 rahmati:a2bdehm2pz rahm:em rahnama:ahos rahul:cg
rahwan:it raichle:lt raihan:amnr raikwar:ms raik:jk raimondi:bef raimondo:degs2 raimond:ay raimundo:mrs
raina:a3dgknp2rs2v2 rainer:a2mr rainey:k2ms rains:ae raisamy:bks raisch:fj raisi:ams raison:m2 raissi:mstz
rais:dms raithel:gl rait:ajvz raiyan:st rai:a16bdgjk5m3n5p3r2s12uv rajabi:afjm2ns2z rajabzadeh:ahp
rajagopalan:gkrs2 rajagopal:dj2kr2s4v rajai:abn rajakumar:hv rajalakshmi:r2 rajala:akt rajamani:hkrs
rajamanoharan:ps rajamohan:hs rajanala:as rajani:dhn2s rajan:a6d2hkr4s5v3 rajapakse:cdijms2 rajapaksha:nps
rajapakshe:rst rajaraman:amnrs rajaram:ags2v rajasekaran:a3bmrs2 rajasekar:as2 rajasekhar:ghp rajawat:kp
rajayogam:s2 raja:a5g2h2k2m2p2r2s5v2 rajbhandari:adprs2 rajeev:agkmns rajeh:dy rajendran:abdg2lp4r2s5v
rajesh:bk2r2s2 raje:bs rajgopal:ajkn rajib:ar rajiv:am raji:dfim2sy rajkumar:acdk2rs2 rajpal:prs2 rajpoot:gnpr
rajpurohit:krt rajput:cd2k2nps8v raju:a2b2d2g2lmn2p3r2s2t rajvanshi:as raj:a20bc2d4g3h4j2k2lm4n2p5r7s8uv3y
raka:jm3oz rakesh:v2 rakha:hmo rakheja:a2s2 rakhimov:a2r rakhlin:av rakhsha:am rakib:m2t rakis:ae rakita:dy
rakitin:dm raki:mrs rakotoarison:ah rakova:bj rakovic:aem rakshit:dgps7t rak:a5giklm3nprsy rallabandi:bsv
rallo:jr rall:dr ralph:dmnpt ral:ah2jmps ramachandran:a8d2g2k2n2p3r5s5uv3 ramachandra:agnr2v ramadan:a4eqry
ramadhani:d2 ramadhan:h3m ramage:ad ramakrishnan:a3b2g2k5n2p2r5s2v4 ramakrishna:absv ramalho:aflmp
ramalingam:mrs ramambason:hl ramamoorthi:ry ramamoorthy:a2jks3 ramamurthy:abgjk ramamurti:ar ramanan:abdkpr
ramanathan:ack2mp3rs2v2 ramanath:mr ramanayake:ar ramani:a3dhkmrv ramanujam:mnrs ramanujan:rv2
raman:a5bc2dghk3lmn2pr2s10v5 ramarao:am ramasamy:km2ps2v ramasawmy:dj ramasubramanian:bms ramaswamy:aklps6v2
ramas:ajs ramazi:pr ramberger:be rambhatla:s3 ramchandani:alpy ramchandran:ks ramchurn:rs ramella:ls
ramesh:a9beg2jk3m6np4r4s11v6y ramezanali:m2 ramezanian:rv ramezani:a3ehm8pr2z ramezanpour:kr ramiah:ad
ramidis:dek ramin:mn ramirez:a7c2d2efg2hi3j9k2l3m4p3r2s2wy ramiro:aci ramisa:ah ramisch:cl rami:my ramjee:rs
ramji:ks ramkrishnan:ks ramkumar:a2mpr2s ramler:hr rammohan:rs ramnath:krs3 ramon:a2j2mp
ramos:a8b2c3de3f3gi2j8kl3m5np4r7stv3w2xy ramo:adf rampazzo:fr rampa:rv rampersad:ns ramponi:a2g rampp:ms
ramprasad:mr ramsay:ak ramsden:np ramsey:bcjns2 ramsteiner:ms ramteke:mp ramu:bps ramya:rv ramzan:abfmnuz
ramzi:ez ram:a5degi2k2mno2pr2s6tvy ranabhat:ar2 ranade:grst2 ranaivoson:or ranaldi:fl ranasinghe:acdhk2np2tvy
ranathunga:lnst ranaweera:su rana:a11bd2h3ik2m4n2o2pr5s5tv rancon:aju ranco:dgjm randall:d2glm3s2 randberg:os
randhawa:gs2 randl:km randolph:dn rando:j2ms rand:a6d2ef4h2jklmr3s3t2w rane:ac2or2st ranftl:ls rangamani:ap
ranganathan:a2jkmn2prs2v2 ranganath:akrs rangan:nrsvy rangarajan:a2kp2v rangaswamy:km ranga:pst
rangel:cde2fgi2jr range:jnr rango:afm rangwala:h2mnr rang:ehjkmp2w ranieri:acm rani:a3dl2mn4p3r2s3v
ranjan:a8d2egk2mn3p4r9s5u2v2yz ranjbar:a2bhs2v ranjit:cj ranka:gns rankin:d2ij3ks rank:depr ranova:af rano:eis
ransom:ks rantala:alt ranta:aj rante:dmz ranu:as ranzani:lt ranzato:fm
ran:a7b3c4d4e2f4h3ij10k2l3m4nopqr2s2tvw3x4y7z5 raorane:st raoufi:bm raouf:am
rao:a24b3c6d6fg2h12ij13k3l3m7n2p8q4r12s23t2v8w3x5y12z11 rapetti:adfl raphal:cem rapisarda:agm raponi:es
rapoport:imp2 raposo:ad2v rappaport:dst rappazzo:bf rappoport:nt rapp:abm2nt raptis:gm2pt raquand:fg rario:ag
rasal:rs rasanen:eos rasa:hi rasch:acdjm rasekh:amn rasel:ae rashad:ar rashdi:amn rashed:a2ehmrs
rasheed:a3bhkm2r2stz rashidian:cn2s rashidi:ab2flmnps2t rashid:a6df2ikm9nqr2st2uz2 rashno:ae rashwan:a2hw
rasilo:hp raskar:ru raskin:ajm2 rasmussen:a3c2j3k2ns rasmy:lm rasnayaka:s2 rasooli:m2 rasool:fgi2ms
rasouli:a3ms raso:f2 rasras:m2 rassekh:ae rasshofer:ar rass:achs rastante:fg rastegari:ams rastegar:rs
rastelli:alrs rastello:fs rastgoo:ms rasti:bmp rastogi:a5cm3np2rs3t rasulov:rt rasul:a2bikmr rasyidi:hm
ras:a4cef2gm2pt ratajczak:jm2 ratcliffe:bjs ratcliff:j2lt raten:bdlsw rathbun:es rathee:agm3 rathinam:as
rathi:dhm2n2s2v4y rathjen:mt rathje:ps rathnayake:adhp2 rathod:a5ns2v2 rathore:a6cd2ghkoprs3uv3y3 rathor:s2
rath:a2bce2j2m2p4 ratikainen:ms ratliff:cdlnw ratnam:esv ratnaparkhi:ar ratnarajah:t2 ratnayake:ajky
ratner:ader ratsch:bgm ratta:gm ratti:c2lp rattray:jm ratt:d2jo ratul:as ratz:ajmn rat:acj rauber:adj raube:ns
raub:cdj3kmnr rauch:bc3lm3psw rauf:almr rauhut:h2m2 rauh:ams raunak:av raun:be raur:bh rauschenberger:lm
rauscher:ben rausch:akmrs rauss:a2deh3i2klm3nrs rautela:mr rautenberg:cfjmn rauter:gm raut:adg2hjnrsu
rau:a4cfjlm2prtu raval:ajm2rs3v ravanbakhsh:hms ravandi:abm ravanelli:mr ravan:sy ravaud:pt rava:bt
raveendran:kv ravelo:ab raventos:a2o ravenzwaij:dn ravetz:ad rave:s2w ravichandran:a5bmn2prsvz ravid:ak
ravie:kn ravikumar:adikmnp3s2 ravindranath:s2 ravindran:ab2ds2 ravindra:pv2 ravipati:dnv ravisankar:k2s
ravishankar:a3rst raviv:d2nt ravizza:fg ravi:a5d2hj2k3mn5p2r3s10tv3 ravsky:a2 ravuri:s2v rawal:a2bdik2nrs3
rawashdeh:is rawat:a4d3ehkmp2r3s5tvy rawcliffe:cm rawle:t2 rawlings:ajm rawls:ms rayasam:an raya:fg2jk
raybon:g2 raychaudhuri:bds raychaudhury:rs rayhan:an2sy raymond:a3c2j2n2rs3v raynal:ejm raynaud:fy rayner:jlm
rayson:mp rayudu:mv ray:a19b3d4fi2j5k3l2m4nop6r7s19t5uz razak:fhrt razavi:ehmnop2rs3 raza:a4h2m8n2r2s5wz
razeghi:by razek:m2n razik:jo razin:ajns3 razi:a3epq razmara:jp razmjoo:am razzaghi:p2 razzak:imt razzano:f2m
razzaqu:msz razzaq:msw razzullo:mv raz:abd2eo2rty ra:ehj4s4y rbach:dmrs rban:cd2 rba:dgs rbhakula:ms rbha:ks2
rbi:imr rbrock:aj rby:knz rcet:at rchard:gjm rchenko:im rcher:a2chlmtz rch:adejlns rck:af rco:fr rcy:emr
rdane:ghw rdeanu:cm rden:bdefk rdevic:ip rdik:mt rdonez:cd2fns2v readdy:mt reading:cn read:ac2dj4m3pt
reale:c3e reali:ag real:fjl reardon:cdgkm reau:bcfjlt rea:efns rebbapragada:su rebdawi:gm rebeiro:cj
rebello:gkn rebelo:cjpt rebholz:lm reboucas:jr reb:ij recasens:adp reca:ms recchia:gps recchi:jm rechavi:gm
recht:b2l rech:aefo recker:ak reck:gn rector:aht redalli:ae reda:a2cdefkmpsw reddi:s2v
reddy:a9b4c2deg2h3j3k4lm9n7op4r6s22t3v7y3 redeker:im redell:jn reder:ms redfern:jst redi:m2 redko:di
redlich:kmr redman:ejw redmiles:de redmond:elos3w redmon:jor redondi:al redondo:afijm2pr2v redon:ad
redo:dejmtv redshaw:cm reece:cms reeder:mpr reed:a3c2dghj4kmrs3tw reen:s2 reese:bjm2rst2v rees:aej2
reet:jlr2sw reeven:vw reeves:a3bgj3klmnrsw reeve:rs refai:dhkmr refat:ks2 reffert:s2 regalado:de reganti:a2
regan:c2d2j3l regazzoni:cf regehr:ck regev:at rege:a2 reggiani:ehlt reggiannini:mr regier:jt regin:fj regis:em
regli:bw regmi:bdkp2r2sv rego:abdft regura:nv rehan:gt2 rehberg:jw reher:j2 rehg:jp rehim:a2m
rehman:a4h2ikm6n3rs2t3wyz rehmat:ns rehms:rs rehm:glmt rehn:ad rehwald:mr reichardt:cjls reichart:dlr
reichelt:d2s reichel:lmru reichenbacher:cj reichert:bdhm2prs2t reicher:at reiche:js reichman:bds
reich:ab2c2d3j2lm2nos2 reid:a2bc2d2e3fhi3j6k2lm3rs3t reif:acejs2wy reig:ams reiher:lmt
reilly:a2c2d2ej5m2opr2t3v reimann:jm2ot reimers:f2z reimer:bhj4l reinartz:lmp reinarz:ay reina:a3cdeg2lt
reinders:ams reinecke:dkm2 reineke:bcjm2 reiners:ac reinertsen:eir reinert:gk reiner:fv reinhardt:ac2delm2os3t
reinhard:am2 reinhart:asw reinhold:jp reinkensmeyer:dl reinke:a2s reinman:ij reinoso:bj rein:cd2h reiros:jlw
reiro:a2mrtv reisert:mp reiser:cdm reisinger:c2l reissner:dlm reiss:acdfj2kps2t2 reis:abeg3ij3m4pr3tv
reiterer:ahm reiter:abefhj2km3opr2s reith:df reitsam:nt reit:alm rei:lmr rejcek:hj rejkuba:m2 rekik:air
rek:ajkmpt relan:jp relie:gj rellana:gjp rell:lm reluga:kt rel:d2p rembold:fs remedios:ls remigio:r2
rempel:m2s rempe:dms remy:bdfgis2 renard:a2b2cpx renaud:cd2fjmy renaux:cg rena:aj2lnr renc:akp renda:afm
renders:j2 render:jl renduchintala:a2k renesse:mr renganathan:asv2 rengarajan:hnv rengel:mz renisch:ds
renjith:as renner:ajs rennie:ajn reno:fmv rente:acin renzen:kms renzetti:jl renzini:a2dlms renzi:afmrt
renzoni:dg renzo:a2b2cfg3j2kl2m2op2sty renz:ab2cdhjkm4p3rst
ren:a5b13c22d12f8g13h32j57k16l21m20n3p17q22r12s36t15w22x63y98z57 repik:ij repin:os repovs:dg reran:gm reras:fj
rera:gjn2w rero:m2s rer:a3de2gjp2r resch:bcfn2s rescigno:a2fpu research:ot resende:dh reshef:ai resnick:bcds2
ressler:ams resta:gi restelli:am restivo:a2 restrepo:d3jnops restuccia:af rest:acfp res:sv retana:m2 reti:d2
reto:aegjkpv rettberg:aj rettig:al rettinger:ac rett:a3bc3de2gj5l2m2prst ret:acdgj2kmn reuben:jm reul:aq
reumaux:ap reuss:jm reuter:ac3j2k2m5p reuther:ads revankar:kps3 revelle:jm revilla:adet reville:bv revin:di
revulta:fl rex:kmt reyes:a3c2d3efgj5km3n2r5s reymond:ajm2 reynaud:hjps reyna:afm reynes:dj2
reynolds:ab2c2d2gj4m4r3st2 rey:a4bc3dfg3j3km5qrs4v rezaian:amnr rezaie:afmr rezaii:nt rezai:a6h3ik2m6n2p2s7t
rezapour:amr rezazadeh:afkns reza:a5hk3m2p2r2s2tz2 rezende:aprs2 rezk:efnt reznick:be reznik:dl
rezvani:a2ms2yz re:abc2e2fmtv rgad:hs rgahi:js rgent:jm rger:bln rge:dfmnt rgut:os rham:acdj2w rhan:gp rhea:c2
rhee:hj6mpst3w rhim:aj rhoads:dj rhodes:a2cj3klor rhode:k2 rhoven:kst rho:d2e2h2j3ks6 rhu:jm riachi:r2 riad:or
riahi:abmt rial:aj riani:ams rian:ai riasat:ns riazi:dk riaz:a3h2ijkmns2uyz ria:a2c2ejvy ribas:af2gil2rv
riba:ce ribeiro:a8b2cd4e3f2g2hj3l5m9n2pr3st3uvw ribera:ahr ribero:lm ribes:ds ribi:emn ricardo:mr ricard:dem
riccardi:f2g ricca:af2 ricchi:im ricciardi:cg riccio:dfg2pv ricci:ac3ef4gkl2m2pr3st ricco:es
rice:a2b2d2e2g2jk2m2nt2w richardson:a6b2c3e2gj5k3lm3no2s3t5 richards:a3bd4e2ghj2m3o2st2wz
richard:a4cefg3hj3kp3rsv2 richert:akr richer:hjm riche:mr richiardi:jl richings:aj richmond:adkmp2
richter:ab2c6defg2h2j4k3l2m5npr4s2t rich:ac2fj5m2nps2t2y rici:ade rickard:jlm ricken:ot rickert:lm
ricker:dfgjlm2sw ricketts:bd rickland:hjns2 rickman:ej ricks:brv rick:dms rico:a2ej2mprv ric:abnp ridao:ap
rida:afj riddell:aej ridder:f2j riddle:nrs ridel:do rider:ajn ridi:ahm ridolfi:agl ridoy:ms ridwan:mr
rieber:jr riechers:dp rieckmann:ack rieck:b2cks riedel:dekmos2tw rieder:bmsu riedler:mw riedl:acekmst
rieffel:ejm riegel:aklm rieger:cfhjnps riegler:amv riehle:df rieke:agmn riel:as riemenschneider:fh riemer:km
rientos:a2f2jlm rien:rst riera:acj2pt riere:hv riesch:mp riesen:km rieser:cpv riese:ae riess:a2chm
riesterer:km ries:c2fmp rieth:dm2 riet:at rieux:abcft rie:c2 rifat:fimnr rifa:bks rife:jv riffel:r2
rigamonti:dfg rigas:ps rigaud:gs rigau:dg riga:cfg rigby:ajmps riggins:jp righetti:l2 righi:cgmn rigoll:gp
rigoni:dr rigon:et rigo:a2djms rig:mt riha:dl riise:eh riis:ces rii:iy rijal:mnr2 rijani:ah rijhwani:ns
rijke:em riker:aejp rik:a3hv riley:a3cd2hj3klm2psx rill:er ril:su rimal:a2r2 rimer:dglp rimi:di rimmer:pv
rimon:a2e rimo:sy rim:d3j2pw rinaldi:acef3i2km2ps2t rinaldo:ag2 rina:ai rinberg:ar rincon:a4cdfj3m3s
rinehart:cj riner:bm ringel:cklm2s2 ringer:aeg ringeval:cf ringh:ae rings:st rington:als ringwald:acw
ring:bceghmprt rinides:gv rini:efm2s rinke:ap rink:bj2knty rin:ejmps2tv riolo:gms riol:ajm rionov:de
riordan:bc3jk rios:a6c2d2efg2ij5lm5pr2tw2 riou:a2 rio:a2cd2e2ghjl2m4p4r3s ripoll:jm riqulme:acfs risacher:cs
risch:jr riseley:c2 risi:degpsv risk:bw risser:klm risse:bknr risso:mn ristea:adn ristic:b2jn rist:ej
risuleo:apr ris:jmn2 rita:fm ritchie:cdfj4klmo ritschel:bt ritsch:hm ritter:a3cde2hkmo2sw rittmatter:a2
rittner:prs ritu:js ritz:a2cefs rit:sv riu:jt rivas:e2jm2npr riva:efgm3ops riveiro:em
rivera:a4bc2d2e2fgij5l2m5op2s2v riveros:c2 rivero:a3d2j riviere:ab2cdegjm2pv rivilla:ilv rivkin:a2d rivlin:eo
rivoire:ko rivo:gk rix:hlp rizi:agm rizk:a2bejnry rizos:gs rizo:a2cdn rizvi:a2dm2ns3z rizwan:h2m2ns2
rizzardo:ac rizzi:a4g2ms rizzoli:amp rizzo:ad2fg3jl2mpst rizzuti:fg ri:knr rjaibi:sw rji:dh2iv rjula:ad
rka:hmr rkin:km rks:cirs rlandi:af2gm rlando:abdg2jlr2s rlik:ajs rling:j2km2w rloff:jt rlova:asy rlov:a2dip
rmann:aej rman:aegklv2 rma:bejm rmerod:ck rme:abjmpr rmon:as rmus:abem rnad:jlt rnaiuolo:dl rnelas:at
rner:abhi2jm2n2p2s rney:io rnfeld:dp rnia:ad roach:br roald:lm roark:ab roa:ejmw robben:ado robbiano:cl
robbins:dj2kl3mqtw robb:cdj robel:ahksv roberson:cdejmw robertson:a4bc3d2hj4mn3prs5wz
roberts:a6b3c2d4egh3ij10k2l4m6no3pr4s6t3 robert:a4bc3d2hjl4mnprs3ty robichaux:c2 robicheaux:fp robie:at
robillard:jr robinson:a4bc5d3e2fgh3i2j7k3lm5n3p3r2s4t5 robins:djs2 robin:c2gprs robison:cj robles:bcegjlmrsvw
robl:bcej robol:lm robotics:ft robson:a2gl robu:bmv roby:mw rocamora:aem2 roca:a2fl2m2nr2stv rocca:bcefgj2lmrv
roccetti:gm rocchetti:eg rocchi:ln rocco:ailm2p rocha:a3c3dfg3i2j3kl4nprst3vw rochelle:eh rocher:aclm
rochette:am roche:ac3dfjklnps2 rochford:bw rochman:am roch:hlt rockwell:ch rock:a2j2tw rocqu:dh rodas:abc
rodda:cdm rodd:bn rodela:as rodemann:jt roder:dfjkmr rodewald:jw rode:as rodgers:abg2mtv rodiger:ej
rodighiero:dg2 rodig:su rodin:bis rodionov:fgrs rodney:dps2 rodola:e2 rodrigo:a2dghir
rodrigus:a5b2c4d3e2f3g3j7kl4m6n3opr2st3v3w rodriguz:a20b4c5d7e13f5g3hi4j23kl7m16n4op7qr12s11t2v4w2yz
rodriqus:s2 rodriquz:dj rod:km rofer:ac roff:cdej rofsky:dn rogalski:ad rogerson:ad
rogers:a4b2c3d2e3fghj7k3lm4nrs2t3 roger:afgjkmsw roget:cm rogez:gj rogge:mn roghair:ij rogov:ov rohanian:mo
rohaninejad:m2 rohani:bm rohan:rs rohatgi:drs rohde:acdegmtw rohe:kt2 rohilla:hjm rohit:jk rohling:kr
rohmaier:a2m rohmann:ct rohmer:dt rohm:acm rohrbach:amst rohrer:deg rohrich:ns rohrig:cr rohrmoser:mn
rohrscheidt:js rohr:adejm2tv roh:bcdehj6k3ms4tw2y2 roichman:y2 roig:afgjnpr roi:di
rojas:ac5de2fghj5k2lm2nor3s2 rojek:k2 rojo:ahj rokhlin:dv rokuss:m2 roland:b2e2m roldan:e3jot rolfes:cjr
rolf:em rolger:l2 roli:fg rolland:ce2j2lpqtv roller:rs2 rollet:gn rollig:mt rollins:jmpr rollo:ms roll:ejnru
rolnick:di rolofs:bcf rolph:as romain:fgr romana:ag romanelli:agm2 romanello:lm2r romaniello:mp romaniuk:lm
romani:l2mrs romanova:a2 romanov:a3msv romano:a2bd4fg2j2l4m4p2s4ty roman:a7b2c4efgij3m3np2st romao:jl2m
romatschke:pu roma:mnu rombach:amr romberg:j3 romdhane:ls romeijn:ms romeo:acfklmos romera:jm
romero:a9bc7d2e3f2hij11l2m5no2p2r5st2vwz romer:afj3kmnr2tu rominger:a2c romiti:ems romme:amt romo:bms
rom:abdegj2n2p2t3 ronaghi:as ronanki:ks roncal:cl ronca:ae ronchetti:fm ronchini:fs ronco:am3p rondeau:mv
rondelli:am rondon:ilmpr ronen:aekr2st rongali:s2 rongen:jm rong:ab3c4d4ef2g4h6j5k4l3m5qr4s6tvwx5y11z4
rontogiannis:ad rony:jms ronzani:m2 ron:a3d3g2hj5m2nr2swy2 roodman:ab roohi:akm2ns rooij:m3os rooney:c2ijls
roongta:ir roop:mpr roorda:aj roose:gw roosta:ft roos:cdhjlmnps2t root:bo roozenbeek:bj ropero:fl ropers:c2
roper:bfijm2tw2 ropke:afw roppa:fn roqu:a3gimpt rorbia:a2 rosado:hlmr rosakis:ap rosales:a2eghr3
rosario:ad3eijlmvz rosasco:al rosas:efopv2 rosati:adegm2p2r rosato:a2rs rosa:a6b3c2d2e2f3g6ij3kl5m8npr7s3t2v
rosbach:es rosca:adm roscher:kr rosch:acf2jkmrt rosco:jrt rosdahl:j2 roseberry:tv roselli:dgsv rosello:en
rosell:a2j rosenbacke:crv rosenbaum:adejlmrw rosenberger:hj2p rosenberg:a4cd4e3g2ij4km2nps2 rosenblatt:jls
rosenblum:d2km2s rosenbluth:ej rosendo:ad rosenfeld:aejknr rosengren:a2 rosenman:es rosenstein:dj
rosenthal:a3defj2m2ps2 rosenzweig:j3l2s rosen:a3b2cd2e4gj4mnoprs2z rosero:dj2kv roser:mpt rosewarne:cd
rose:a4b4c4d4e2gh2j5k2lm4n2op3s7t3vw roshan:am2r3su rosiers:cls rosier:cjm rosin:cgpt rosi:gm rosler:ms
rosman:bg rosner:dfgm2s roso:ceij2lnpz rossato:fs rossazza:lm rossberg:n2 rosseel:ehly rossello:adfl
rossell:dk rossem:sw rosser:dkn rossetti:fgm rossetto:lr rosset:cs rossier:jm rossignol:fl rossini:dl2m
rossiter:js rossi:a7b2c4d2e3f4g2jkl5m7pr5s4tv2 rossler:ah rossle:bd rossmanith:jpr rossmann:jt rossman:bh
rosson:dp rosso:acdm2p2rst rossum:ms ross:a6b2c5d3hjk5m3o2r2s3tz rostami:egm2np2s3 rostam:az rostel:jl
rost:cjnrt rosu:gprs roszko:dr rosz:gjt ros:a2bce2f2j3k2l2m2p4r3s3t2v2 rotaru:cm rota:a2clprs rotenberg:ben
rothberg:be rothblum:gr rothenberg:abcjls rothenhausler:ad rothermel:d2gkm2 rother:act rothe:ahjlrs3t
rothkopf:ac rothman:lmw rothschild:adjn rothstein:aj rothwell:aw roth:a4b3c2d3gh2ij7kl3m5n4opr2s5uv2
rotman:djmy rotonda:gv rotondo:mp rotstein:hn rottensteiner:adf rotter:ms rottger:fpr rottmann:mn rottmayer:jn
rottoli:fl rotzer:mp rot:acjm2nt rouche:aj roud:gr rouff:aef rougemont:jm rougier:ejn rouhani:b2ns2 rouhier:jl
rouhizadeh:hm rouhi:ak rouich:ms rouillard:a2l roulet:aj2mv roura:ae rourke:j2ms rouse:bk2p roushan:mp
rousseau:acdfghij4lm2rsv rousselot:ap roussel:gnprs roussilhe:gq roussos:aegp rousso:dr routray:aps2
rout:d2jls2 rouxel:jq roux:a3bc2defghj4k2p3qs2t2x rouzbahani:hy rou:jnp rovatsos:gm roveda:jl rovelli:cm
roverato:ac roveri:m2 rover:cy rovirosa:aj rov:dkn rowan:c2djk2m rowell:egjnt rowe:abdfj4klmns2 rowlands:ghks2
rowland:dlm2 rowley:actz rows:cf row:bjkm roxburgh:hz royce:kr2 roychoudhury:as roychowdhury:a2ds8t2v
royer:acd3fjmpr roynard:mx royon:jm royo:dpv royston:ps roy:a44b10c5d16ef2g3h3i2j11k3l3m11n16o2p16r9s75t6uv2y2
rozada:is rozanova:jo rozanov:an rozco:b2de rozenberg:ls rozendal:jt rozenfeld:sv rozen:j2ny rozier:kopy
rozner:ajlm rozova:iv rozo:ejl2 rozza:dg rozzi:cdi roz:amrs3z ro:dh2j3y5z rpa:nt rranaga:ap rrani:ns rrant:a2n
rras:an rraz:di rrego:s2 rrell:jpt2 rrer:ar rre:jlm rrison:cm rru:gmsv2y rsch:jl rselin:s2
rsen:a6b2c2e2gj2k4m3n3op2rs3w rshana:kn rshan:np2 rsini:flm rski:dm rson:a3d3e2h2jk5m3p4r2s3 rso:abdg2m2ns
rsson:de2h2jm4ouv rsted:bm rsun:fjo rtega:a6d3efg2j8lm3npr2s rtel:bdm3 rtenzi:fg rth:jt rtigosa:ar rting:js
rtin:mt rtiz:a8b2cde2f2g2h2ij10m6opr4s2w2x rti:e2fgij rtlieb:s2 rtner:cit rtolani:ms ruano:djs
ruan:a2b4c11d6f2g2h13j14k2l6m5np3q4rs10t3w7x6y15z9 ruas:tv rua:dejs2 rubbe:dl rubbia:ac rubei:er rubel:mot
rubenstein:bd2pr ruben:cm2 ruberto:acs ruber:dl rube:acjmt rubini:agrv rubinov:ip rubinstein:a4b2jms
rubin:ab2d2g2j4klm3nrs2 rubiola:ae rubio:a5d2ef2g3j2m3nr2v2y rub:f2ms rucco:cm ruch:f2pt rucinski:as
ruckdeschel:mp ruckert:cdejtu rucker:m2s rucklidge:aw ruckman:il ruckmeier:j2o ruck:acdj2l2t ruc:gv rudakov:em
rudas:dj ruda:aej3lp rudenko:a2dv ruderman:ajm ruder:ds rude:a2u rudge:jt rudie:gjk rudiger:jms rudinger:kr
rudin:cn rudi:a2 rudkin:sw rudman:m2w rudnev:mv rudnicka:ez rudnicki:dmr rudnick:gl rudolf:dkmr
rudolph:a2cegh2j2klmos rudrapatna:pv rudra:a2kmpr rud:ar ruffa:im ruffini:f2mr ruffino:acds ruffo:gs ruff:clnz
ruf:a3bjm rugamer:ad ruganti:s2v ruganty:dn ruggeri:aflmnr ruggiero:adg2mprv ruhdorfer:cm ruhe:dg ruhland:fhj
ruhle:mv ruhl:jm ruis:fl ruiter:aims ruiz:a10c2d3e6f4g3hi2j5l4m6n3prs3t2y rui:bdfghjln2prstwx5y6z3
rukhovich:ad rula:aj rule:aepw rulis:mp rulle:bm rumbelow:j2 rumia:am rumi:as rumley:ks rummel:cm2n runge:js
rungta:mpr rung:dk runwal:bk runz:cmw ruozzi:nv ruparel:mr3 rupasinghe:cr rupa:as rupert:jm rupnik:ep
ruppek:hl ruppel:ej ruppert:dlmp rupprecht:cjpstv rupp:ad2f2m2p rur:bl rusakov:aev rusak:ej ruscio:dfv
rusconi:fs rusek:fk rushdi:am rusho:jm rushworth:asw rush:ac2hknt rusiecki:ds rusinko:jm rusin:lrt ruslan:a2
rusli:a2m rusnak:afjlv russeil:de russello:gh russell:a6bc3d2ghj3lmp2rs4t russel:jpr russi:dfm
russo:a5b3c2d2ef2g4j2l4m4np2s5t russ:ejmr rustad:ae rustagi:pt rustamov:jrz rust:dlp2st rusu:acfimv
rusydiansyah:m2 rusz:ej rus:dj2rv ruta:dn rute:jp rutherford:a3dem2st ruth:cfgjlnpt rutishauser:gl
rutkowski:lm2t rutledge:ajr rutten:elm rutter:deij rutte:dn ruwaili:aw ruwalla:as ruzicka:jv ruzza:ag ruz:gj2
ru:degh4j3l2mnptvx2y4 rvasula:ns rve:em rvish:dhk rv:rs rwesh:al rwiche:an rwish:afkmo ryabinin:fm ryabov:ag
ryali:cs ryan:a2b2c6de2fg2j2l2m3nop4r3s3wy rybakov:mo rybak:imp rybalko:dsy rybicki:aj2k rybinski:m2 rybka:dg
rybkin:o2 ryder:bs ryde:nu rydlewicz:mw ryea:ar ryker:dj rymple:ak ryoo:k2msy ryou:ad ryser:a3m
ryu:abcd5e2g2h9j12k5m2n2s16tw2y3 rzazewski:kp rzechowski:gkm rzelecki:am rzepka:dr rzi:a2ef rzoska:as
r:a10b2cd4e3gh2jk5lm5n3p6r6s13v8y sabahi:km sabah:hm sabanayagam:cm saban:dmn sabatini:abgs saba:a3e2ls3
sabbaghi:mp sabbagh:rs sabbah:hm sabbata:es sabbella:ah sabel:aj saberi:a3i2m4rz saber:a2ht sabet:as
sabhahit:gn sabharwal:a2nr sabha:an sabido:ls sabino:jpr sabin:j2m sabiri:my sabir:abe2hkm2t sablatnig:ar
sablon:hr sabnis:as sabourin:a2 sabouri:am3ps sabour:a2s2 sabo:fmrs sabri:a3mns2 sabry:m2z sabu:a2s
sabzevari:imr sab:akmrst sacchi:aeg sacco:dglv sachan:ad2ms2 sachdeva:a4bcdegkmn2pr2s sachdev:s3 sachs:i2jm2
sacks:gj sack:hjk sacramento:jk sacre:cp sacristan:mv sadadi:msz sadagopan:kn sadaka:nr sadallah:ano
sadanandan:ab sadananda:as sadan:mo sadashivaiah:sv sadati:hmnsy sadatmand:dms sadat:a5m3s2 sada:ahm2t
saddik:ais sadeghian:ahs sadeghi:a8bfhjk2m10p3s3z sadeghkhani:as sadeghzadeh:a2m sadekar:ak sadek:afkmr
sader:jz sade:a2jty2 sadhukhan:adrs sadhu:a2brs3tv sadia:kmr sadigh:dg sadik:a2fjmrsw sadiqu:fm sadiq:a2bkmrs2
sadizade:em sadi:a4bdfh2ikm2n3ops4yz sadler:begjp sadok:ds sadon:ary sadoun:mr sadowski:ap sadri:ahj
sadr:a3m2n sadykov:brt sady:fy2 sad:a8b3d2f2h2jkm18n5r2s13tw2y safai:a2bdghn2ops safari:a2hm2z safarzadeh:m2r
safavi:s3 safa:a2fs safdari:m2 safdar:akm2 saffari:a2bhs saffer:ap safin:ad safi:hm2t safran:gis safronov:kpv
safta:cg safune:ds safwan:hi sagan:bdn sagar:a4d2rs sagasti:a2 sagawa:h2mnrt2 saga:ast sager:mps sage:adk
saggar:av saggese:gv saghafian:ams saghafi:ms sagheer:ds saghiri:am saghir:hz sagi:arsy saglam:bht
sagmeister:ps sagong:su sagor:ns3 sagun:lv sagur:im sagus:cf sahab:sz sahaf:hm sahai:a2rs4tuv sahami:as
sahar:h2 sahasrabuddhe:hr sahasrabudhe:jmov sahay:kp2r4s4t saha:a27b5cd5g3h2i2j4k3lm4n2op16r10s47t3u3
sahdev:adr sahili:az sahiner:by sahin:abce2fg2hi2km3no2s2t2vy sahitaj:ap sahi:ans sahlsten:jt sahni:ahm2orv
sahoo:a6bd4ghj2lmn2p5r5s14 sahota:ah2 sahrai:ms sahraoui:fhi sahu:a9c2d3gh2i2k3m2n5p7r3s15tu2v
sah:cd3kl2m3p2rs2t saiari:ah saidian:s2 saidi:ahms2ty saidy:n2 said:a6d2e2hj2k2m3nrs2t saied:amy
saifullah:aks2 saif:m2s2 saigo:hk saikia:a4dm3p3s2t sailer:amn saillenfest:alm sainio:at
saini:a4d2h3j2lm3n3pr4s4tu sainz:nor sain:a2bd2jqu saitoh:est2 saito:a3d2h3ij2k10m6n2r4s15t10y7 sait:a2s2
saiz:ej sai:a15bc3d6hj3k4m5n5p9r13s14t2uv3wy3 sajadi:ns sajedi:ahs saje:bi sajid:hjm2n saji:akn sajjadi:ams
sajjad:fhm2uwz sakaguchi:adhk2s sakai:ah3k3m2n2rs5t7y4 sakakibara:k2 sakalli:isy sakamoto:hjk4mnr2s2t2y2
sakarda:ap sakatani:ny sakata:aik2mrs sakau:hst saka:ehst2y sakemi:hy saket:abr sakhnovich:al sakib:aefkmns5t2
saki:am2rst2z sakla:sw sakota:am sakour:az sakovich:ns sako:agmost sakr:acim3z saksena:ans sakthivel:nrs
sakuma:ahij2ky2 sakunkoo:aj sakurai:a2hk3mnsty3 sakyan:a2w sak:js salahuddin:s2z salah:a2km4no salako:jk
salamanca:alp salamatian:akl salamati:am salamat:bs3 salama:ad2fk2m3npr2 salami:br salamon:ajmt
salam:bhim3qr2s salapaka:ms salaris:mns salari:aehs salas:acd2ehj3lopy salatino:am salati:pr salat:dh
salaun:acl salavati:ces salazar:a2d2e2i4j3m2ors3vw sala:cef2g2l2m2np2st salcedo:abcej2rs salcudean:s2
saldana:dlx saldanha:e2gnor saleem:afgh2mnrs2tuz salegn:ag salehian:bs salehi:a4f3hm10oprs8v salehoof:a2
saleh:a6bef2gh3k2lm5ors2t2wy salekin:ms2 salemi:afh salem:a6bch2jlm3n2opst salerno:egmsv sales:cdl2mnt
sale:acty salgado:a3cdehijpr salguiro:ary salhab:amw salih:abm salimans:rt salimi:a2bms2 salimov:ir
salim:a3dfhlm4st salinas:a2d2eikm salisbury:djs salis:aep salizzoni:fp sallami:dy sallam:go salla:gr salleh:ns
salles:ajm2ps salle:agp salloum:hmrw sallum:fs salmane:cp salmani:hm2r salman:a3dhjm3nst salmasi:bfm
salmeron:ajr salmi:p2v salmond:j2 salmon:j3ms salnikov:am salomao:mp salomone:rt salomon:a3cej salo:aglsv
salsabila:gi salter:sw saltini:hmr saluja:lr2t salunke:ad salunkhe:asy salvador:a2cfj3m2rt salvail:al
salvatierra:acmy salvatore:jmsv salvatori:gmnt salvi:acdfglmr2 salvo:bfi salvy:bn salzano:fv salzer:gj2m
salzmann:h2m salzman:jo sal:cs samaddar:a3 samadi:bhm2rs2 samadzadeh:sy samad:a2bdhm3r samaha:p2 samajdar:ar
samak:ct samal:a2dmp3rs samaniego:m2 samani:erz samanta:a5bcdghj2kr3s3t2 samantray:ps samant:asy saman:jn
samarakoon:lops2 samarasinghe:p2st samaras:acdn samart:d2 samavi:rs2 sama:m2o sambarino:am sambataro:ms
sambhu:mp sambucini:a2 samei:ez sameti:hm samet:hnr samiee:ms samiei:m2s samineni:ps2 samira:cd samir:afor
sami:a5gh4im3rs2 sammani:af samman:fg sammarco:fmr sammartino:jm sammour:dft sammut:k2p samokhin:av
samorodnitsky:as samo:gy sampaio:g3jlmpr2v sampathkumar:apv sampath:a2dh2krs2 sampedro:fj2p sample:aej
sampson:a2jm2 samsi:s2 samson:chjl2m3 samudra:ad samulson:cdfp samuls:jkz samul:a2d2ij2kops4tv samy:kms
sam:acdj2ks2t sanabria:hj sanai:a3m sanayake:jr sana:hjm2s sancak:km sance:cr
sanchez:a11b3c10d5e7f6g4h4i5j11kl6m7n4op2r5s8t2v2y2 sanchis:abh sanchiz:mn sanctis:acm3r sandadi:rv
sandakly:j2 sandberg:chlo2s sanderink:pu sanderson:j2mnr sanders:bcd2gj6km2npqr3st2 sander:a2ceij2mnopst2
sande:degjm sandford:aden sandhan:jt sandholm:t2 sandhu:abdjm2pr2sv sandino:c2 sandler:ajkm2r sandmann:cemw
sandor:ckm sandoval:a2bce2l2ms sandstede:b2m sandstrom:ekpr sands:b2is sandu:at sandve:gt sandvig:ai sand:dk
sanei:as sane:aem sanfeliu:ar sanfilippo:afg sanford:cdt sangaletti:l2 sangalli:gmv sangani:nps sangare:ahm
sanger:amt2 sanghavi:jnps sangha:sv sanghi:aou sanghvi:ahmps sanguinetti:bglms sanguino:bj sangwan:av2
sang:abcdef3h4j3kl4n2p2qr3s3tw2xy7z4 sanhuza:alp sania:hj sani:a4bdehlm3s2v sanjarinia:m2 sanjari:ns2
sanjeev:ns2 sanjuan:cm sankaralingam:kp sankaranarayanan:a2kmpr2s5v sankaran:a3kmps2v2 sankarapu:cv
sankararaman:aks sankar:a2cg2l2prs3v sanka:sv sankoh:a2h sankowski:ap sanku:hr sanna:a2dgm sanner:cs
sannigrahi:ms2 sannikov:am sannino:fgr sanni:fm sanogo:km2 sano:a2bgh2km3st2 sansone:bceg2 sanson:fj
santalla:am santamaria:gj3kmprv santambrogio:mr santana:a2bcef2h2j4lm2oprs santander:rt santanna:aj
santarelli:aelm santer:n2s santhanam:abkn2rs santhosh:g2rsv santiago:cfgj4mprv2 santibanez:fr santillana:jm
santilli:almt santini:acfg2p2s3tv santin:gmp santisteban:j2 santis:a3ce2f2m2s santi:ae2f2m2nprs2 santoni:cgs
santoro:a3def2glns santoso:abks santos:a14b2c8d6e5f7g4h4i3j9l7m19nop5r10s5t4uv4w3y santo:a2efg2hjn2sw
santra:ab3gmr2s santucci:agrsv sant:a3gnvy sanwalka:km sanyal:a7d4jp2s3 sanz:a4dgi2j4mprs4v san:ilmo saoud:a2l
sao:apv sapienza:av sapino:m2 sapiro:gr sapir:a2gjln sapkota:adgkmnprs3 sapp:b2cj sapra:gknrs saputra:adm2rvy
sap:dm saqib:ams saqr:km saqur:jr sarabia:mr2 saracco:gp saracino:as sarac:mt sarafian:er sarafraz:jm
saraf:a3cdjm2n2p4rs3y saragih:djv saraiva:a2bejp sarajlic:m2 sarangi:as4 sarantakos:mt saran:apv sarasua:ciw
saraswat:gu saratxaga:ci saravanakumar:kp saravanan:a3dkmpr saravanos:a2 sarawgi:an sara:em2r sarcevic:an
sardana:rs sardari:fs sardar:lps2 sarda:agn sardina:ils sard:jls sareen:akns saremi:aemops2 sarfraz:m2n
sargent:abkm3pr sargsyan:a2k2s sarhan:n2 saric:bdj sarid:agn sarikaya:dry sarin:nps2 saritas:e2k sariyildiz:em
sari:a3cgiklmovy sarkar:a27bcd8eghj4k5m6n4op5r9s49t7 sarker:a5bijm2n2p5s7t2y2 sarkhel:rs sarkisyan:ad sarlo:rv
sarmah:bp3 sarma:a2djm3pr2s2v sarmento:pr2t sarmiento:ej2klpr sarnaik:mt sarna:anp saroufim:cm sarowar:gm
sarracino:gj sarrafzadeh:b2m sarraj:io sarrazin:jm2 sarra:ail sarris:st sarron:fj sartaj:ah sartakov:bv
sarte:m2 sartipi:ams sarti:a3gls sartoretti:gp sartori:a2cem3ps sartor:ag2ms sart:jlm sarumi:io saruwatari:hs
sarvaiya:am sarvestani:a2s sarveswaran:k2 sarwar:m2n2st sarwat:as sary:an sar:a2ej2km2rtyz sasagawa:akt
sasaki:acdfh2jk3m5rs7t6y6 sasikumar:np2s sasi:as sasmal:amt sasser:drt sasse:kors sassi:tz sassmannshausen:ap
sasson:agv sassoon:ij sasso:ef sass:adj2l sastre:aimr sastry:ans2v2 sas:djkmw satam:aps satapathy:rs3 satar:bn
satav:ei satheesh:aps2 sathe:a2jmp sathish:r2sv sathoff:ct sathvik:m2s sathyamurthy:an sathyanarayana:rs
sathyanathan:gr sathya:apv sathyendra:ks satija:hiru satishkumar:ar2 satish:a2s2v satoh:krs2y2
sato:a5d2e2f2g3h6i4j2k14m9n2r8s9t14wy12 satpathy:a3 satpati:bs satriani:dn satriano:cj sattari:m3rz
sattarov:mt sattar:ahjmty satta:gm2 sattigeri:ps sattiraju:rs satti:s2 sattler:c2f3npt satyakam:is sauceda:dh
saucedo:jm saud:as saukkoriipi:jm saul:lm saumell:al saunders:ac2d2e2ghj2mrw saupe:df saurabh:nps saurav:jks
sauro:dh saurwald:kt saur:a2bc2d3efij2klpr2y sauser:em sauter:a3jmost saut:jm sauvage:msv saux:ab sau:bhis4
savage:ajm2r2s2tvw savaliya:dgn savant:or savard:ms savarese:ps savaria:cy savarimuthu:bt savary:abe savas:chy
savazzi:gs savchenko:a2m2os savchuk:arv savedra:ad2gj2lm2nrs savelev:ai saveliev:ey savelli:ci savenije:mt
savenkov:ov2 savery:ar save:aho savigny:dh savine:ds savini:ag savinov:ans savin:a2cd2ghin savkin:a2mps
savoie:bc savov:mn savva:fg2m savvidis:gp sawada:h2jkm2n2r2st3y2 sawafuji:hk sawai:ar sawano:ksty
sawant:a4gop3r2s3v2y sawarkar:kps sawaya:mnr sawa:akm2 sawhney:ahm2r2s sawicki:bg2ijm2 sawyer:abdehpw sawy:hm
saw:ansv saxena:a16d6hk4mn4op7r5s8u3v2y saxer:jm saxe:ajp saxton:dh sax:aceh sayadi:ah2m2t sayama:hn sayana:kr
sayar:ce3 sayed:a4dfgh2km5ns3twz2 sayeed:a2m3 sayegh:ab sayem:a2f saygin:mt sayin:bmu sayle:ag sayres:cr
sayre:de sayyad:my sayyari:mr say:bln sazanovich:mu sazonova:ev sazonov:es saz:a3begjop2
sa:a2bc2dhijlm2p2rs2vy sberg:gmp sbordone:cl sborne:ac5efjm3npst sborn:a2js sby:m2t scaccabarozzi:a2
scaglione:a2 scagnetto:ai scalas:am scala:defj scalise:er scalzo:bf scandariato:gr scanlon:ejms
scannapieco:cem scannell:ac scantamburlo:dr scaramuzza:df scaria:kn scari:fs scarlett:jl scarpa:aglr
scarsson:jr scarton:cl schab:akm schachner:a2l schachtle:tu schacht:bs2 schader:dp schade:su schad:djt
schafer:a2b6c3d2f3g3h4j4kl2m5pr4s3t4uw2 schaffert:kr schaffer:a2cde2hj2k2lm3rst schaffner:bcm schaff:fk
schaible:aj schaik:akm schalk:es schaller:lm3 schall:d2km2p schang:kt schaper:bkm schap:mw schardong:gi
scharer:cd scharf:a2cdgl2m scharre:dp schar:jmpr schatz:dlm2r schaub:fmnrst schaur:fm schechter:aejp scheck:ak
schedl:dm scheel:amos scheepers:fm schee:jlw scheffer:abclmn scheffler:cdjmp2st2 scheiber:em scheichl:br
scheidegger:cfos scheinberg:kr scheiner:bn schein:at scheirer:mw scheithaur:ns schellenberger:gjm
schellhorn:ds schell:aklo schelter:bs schenck:ce2fhk schenkel:a2 schenk:a2ors schepper:dht
scherer:c3fgj5m2prs2 scherf:mn scherrer:bnrsy scherzer:mo scherzinger:s2 scher:acght schettini:lr scheucher:m2
scheunemann:dl scheurer:ejmnp scheurmann:bfgr scheur:jmn scheutwinkel:k2 schewe:ks schiano:fp schiappacasse:el
schiavi:ag schiavone:anrt schiavon:gr schiavo:cl schicho:jp schick:bdtu schieber:bhl schied:ac schiele:bg
schiesser:lw schifanella:cr schiffer:bcm2s2 schiff:c2djy schilcher:lu schilder:fm schild:a3s schilke:fkp
schillaci:ag schiller:ae3jmns2 schillinger:dfmp schillings:bcp schilling:a3cf2hkmntv schill:kw2 schily:am
schimek:m3 schimmel:jm schimpf:my schinas:em schindler:acj2k2mp2r2 schink:bm schioler:tw schippers:es
schipper:bo schirmer:hlm3st schlachter:lpt schlager:cfm schlapbach:ajl schlatter:aj schlawin:ef
schlegel:cdk2m4nsuv schleich:dmw schleiss:jm2 schlemmer:hs schlesinger:cd2mo schlett:ck schleuning:m2
schlichting:ahm2s schlicht:ip schlimbach:fm schlosser:mp2st schloss:jk schlotterer:jo schlotter:fi schlott:mv
schluck:fg schluter:afhjlm3n2r schmalfuss:js schmalstieg:df schmaltz:amw schmalzle:pr schmatz:dm2 schmeier:st
schmerling:e2 schmidbaur:am schmidgall:s2 schmidhuber:acj schmidinger:jn
schmidt:a13b3c10d6e3f5g4h4j14k4l4m11n3p3r4s7t6v3 schmid:a3cd2efg3hj9k3l4m5nprs3tu2w schmiedekamp:ac
schmiedel:ct schmieder:amp schmiedmayer:jp schmitt:abcdefhj3m4p2r4s2t3v2 schmitz:a2cgklm2prs2t schmit:chr
schmoll:j2 schmolze:dj schmude:j2 schmurr:jp schmutz:dhm schnabel:gjrt schnake:st schneegass:cd schneeweiss:es
schneider:a9b2c6d5e2f5g6hi3j13k3l5m11n7op4r4s6t7uwx schneier:bm schnell:cgjoprs2t schnepf:af schnicke:ft
schnider:ep schnitzer:hy schnorr:ck schobel:jr schober:jk2rs schochet:ms schoche:st schockart:acs schodel:r2s
schoffel:m2 schoffler:am schofield:dhj2rs2 scholer:ft scholkopf:br scholler:jl scholl:aeghkp2t2 scholman:mr
scholten:bcoty scholtes:ijlt scholtz:fj scholze:fms scholz:a2bcdegj3lm4noprs schombert:j2 schonbachler:mr
schonbein:bw schonberger:djm schonberg:sw schonborn:ck schoneberg:en schonegger:lp schonenberger:nt schone:af
schonfeldt:ap schonfeld:em2n schonherr:lm2 schonholz:fs schoning:j2 schonlau:dm schonwald:ak
schon:abcde2horst2 schoonbeek:rt schoots:in schopf:jst schopp:js schosser:be schott:agkl2mr2s schotz:cm2
schouten:dgkms2 schrader:acgij2kt schramm:a2fkm2s2u schram:mv schrank:cg schranz:m2 schreck:fmt
schreiber:a2b2df2ghjklm3n2s3tu schreier:fmo schreiter:dht schrempf:kp schreuder:a2 schreyer:afm schrijvers:ot
schrimpf:am2t schrittwieser:js schrocker:hy schrock:eit schroder:a3c4dfg3h2ij4kl3m6n2p2rs2t3y schrors:bc
schror:ckl schroter:kmprs schroth:al schrum:jm schubert:acdefj4k3lmpr4tu schuch:np schug:d2s schuhmacher:del
schuhmann:cd schuh:achlmp schuit:bg schuldt:hs schuler:b2cdl2m2n3s2t2w schule:m2 schulke:co schuller:b2efjpt
schulman:gjklr schulte:de3fjlm2nor schultheis:ehm2 schulthess:imnt schultz:a2ej3k2lmnp2rst3w schult:jl
schulze:a2cjl2ps2tv schulz:a2bcdef4gh2jk4lm6p2s3v schumacher:cdhm3p2s3t schumann:abcefg2hj2ort schunke:jp
schupbach:aj schuppert:ak schurmann:bflt schurr:bh schussler:abf2lr schuster:a2dfgij4knpr4s2t2 schuth:am
schutter:bj schutte:bcj2k2n2s schutt:ejp schutze:hr schutz:ac2deg2klmnpv schut:m2 schuurmans:dm schuy:ac
schwabe:adjmrt schwab:b2c3d2ej2mpy schwager:mnr schwaiger:cs schwald:cm schwaller:p2 schwamborn:kr
schwarcz:djst schwartzman:a2 schwartz:a2cd3e4gh2ij2m5nopr3s2tw schwarzer:clmw schwarzkopf:or2
schwarz:a5d2g4j2k3l2m2n2pr2s2tu schwede:ks schweigert:cd schweiger:cgn schweingruber:bn schweitzer:efkps2
schweizer:ad2lnt schwenk:dhk schwettmann:as schwind:a2r schwinger:jr schwing:a2 schwinn:kl sch:aefmn2psy
sciacca:el scialom:et scialpi:m2 sciancalepore:sv scicluna:mp scimeca:lr sciortino:ams2 scire:ae sci:gmp
scofield:cz scognamiglio:ds scolnic:d2 scotti:fpv2 scott:a3bc3d3eg2h2ij10lm5n2op3r2s3t2 scovel:ac scoville:jn2
scully:abcjtz seaberg:m2 seah:e2j2kn seal:b2s seaman:jr seara:cd searle:cet sears:hm seaton:dl2m sebag:aij
sebaiy:km sebastiani:aflpr sebastian:a4b2cd2eghj2mnp2rsy seba:af sebbar:a2b sebe:cn3s sebo:ajs secchi:celp
seck:cdim seco:dj seda:el seddik:fms seddon:aj2 sedehi:ko sedghi:hnr sedgwick:cet sedighi:mn sedlacek:jms
sedova:aiy sedov:de seed:bl seeger:abjt seeliger:km seenivasan:lpsv seetharaman:kpr2s seet:gi see:cj2k3s2
sefati:s2 segal:a3bcd2e2gijlm2ps3t2y segarra:cs segars:pw segev:ghn seghyan:adls segovia:a2c seguin:bp
segui:rs segundo:ep segura:a2cdglm2ns sehgal:a3bkn2s3 sehwag:auv seibel:et seibert:cm seibold:bc2hm seibt:lm
seidel:abc2hij2kmprs2t seidler:bmp seidlitz:js seidl:bhmp2t seidu:im seiferth:ps seifert:ac2djmtu seifer:dgp
seiffarth:fj seifi:hms3 seif:a2m2y seiler:bmps2 seille:l2 seino:aty2 seinturier:jl seita:djm seitz:afgj2ps4v
sei:jks sekar:abgpv seker:em sekharan:cm sekhar:anr2s sekhon:j2 sekhri:kr sekine:kst sekiyama:mt sekiya:mty
seki:hk2msty3 sekmen:as sek:g2mos sela:agjlo selby:cdimp selcuk:fs seleznev:aen self:anr selier:dj seligman:dj
selim:aim3st selivanov:av seljak:bu sellam:aty sellars:ap sella:ems sellers:akl seller:kl sell:bgmpr selmi:bs
sels:ds seltzer:jm4 selvaganapathy:s2 selvam:hns3 selvan:akr selvaraj:jkns selva:dv selzer:cm sel:abelmp
seman:blr semenova:de2lnv semenov:a3degkmnrsv2y semenzin:cs semiz:ai semmler:cs semnani:ps2 semon:bt semrau:ds
semwal:sv senanayake:dr senapati:a2hps senaratne:hr senatore:cl sena:egjl2m senellart:jp sener:fmo
seneviratne:acglops2t sene:is sengar:nv senger:aehs sengupta:a9bd4i2jk2n3p4r5s18vw seng:bc2jz seni:do senk:js
senneville:ab sennrich:kr senn:mnow senocak:ai seno:fikst senthilkumar:clp senthil:gv2 sentker:kt senturk:bdi
sen:a18b6c2d8e2ij2klm10np6r6s25t2u2 seoane:bcfjlp seok:j4m2s2 seol:j2y2 seong:egh4i2j3k2mrs2y2 seon:jk seow:jk
seo:a4b4c4d7e8g4h14i3j38k6m15nps22tuw4y17 sepehri:ms seppanen:jtv seppelt:rt seppi:adr sepulcre:ajmy
sepulveda:cejps sequira:adeklpr2s serafini:alm serafin:dr seraj:ajmr sera:mp serban:acdor serebrenik:ad
seredinschi:ad seregin:sv sereno:m2 serfaty:j2s sergeev:a2y sergeyev:ay sergienko:sv sergi:ilm serifi:ag
serino:as serin:fo serio:flp serna:aij3mrs sero:bd serrano:a5cd2ghj2l2m2nop2rst serrao:ms2 serrat:dm
serra:a4bef2gi2j3lm2np2r2stx serres:bj serre:jlt2 serrurier:am sert:c2e2s servajean:mpr servas:s2 serva:a2m
servedio:grv servin:m2 serwa:kl ser:aci2j2m2opt2uvy sesana:ad seshadri:a2jmp3rv sesia:im sesma:fp sessa:fmp
sessler:dk sestini:ag sestito:cfs seta:ahmy sethi:a7cgijknps5t sethna:jz sethuraman:ahjt seth:a7cdghps2v
setiawan:dhjn setlur:aps seto:jmnost setti:fgr setty:pv sett:ns setyawan:gn setzler:m2 set:es seufert:am
seuret:hm seurin:py seute:hl seu:d2 sevegnani:km severes:bj severini:js severino:amr severin:bdjn severo:ad
severson:be2km sever:ay sevilla:cij2lr2 sevim:ans sevinc:gk sevostyanov:ae sexton:dj seybold:bm seyedi:as2z
seyfarth:am seyfried:av seymour:b2lmn2w sezer:abdmosuvy sezgin:aeim2 sfakianakis:es sferrazza:cd sghaier:ao
sgood:er shabahang:ks shabala:s2 shabalin:as shabani:a2ghms2 shabanov:ap shabanpour:jm shaban:ak2m3rsyz
shabat:gny shabayek:a2 shabbir:a3em2 shabi:mt shabrawy:as shabtay:nt shachar:amo shackleton:hw shadab:mn
shafai:m2 shafer:ep shaffer:abijln shaffi:s2 shafiee:a2m2 shafiei:ahkm2s2 shafin:rw shafiqu:abkm2t shafiq:fsuz
shafir:lny shafi:a2fhk2nquz shafran:aio shaghaghi:am shahabadi:hm shahabi:cefns2 shahab:am2 shahaf:dis
shaham:stu shahane:a2s shahani:lp shahar:mo2t shahawy:ay shahbazi:a2fhm3n shahbaz:amt shaheen:beimt shaheer:ms
shahhosseini:fm shahidi:hn2s2 shahid:a5fm4ns3 shahin:aim2n2r shahi:gjk2s2t shahmohammadi:hm shahnazari:ak
shahraki:m2 shahrani:amnos shahriari:bdy shahriar:a2bfhkm2rs2t shahriyar:r2 shahri:or shahsavari:am
shahzad:abmnrs shah:a38b2c4d15e2f4gh11i4j10k13m22n17op21r18s35t5u3v17yz2 shaikh:a7f4h5k3m6n3ors10tz
shaik:a5f2i2jnpr2s2z2 shain:bcd shaji:a2gkns shakarian:jp shaked:mnt shakeel:mr shakeri:a2fhmsz shaker:a2gw
shakespeare:ct shakhnarovich:g2 shakib:my shakil:fhm shakirov:de shakir:adghms shakkottai:s2 shakouri:a2d
shakya:a4b2dgmps2 shalaby:amr shalan:mn shalev:a3s shalini:ks shalin:av shalit:ou shalom:agoy2 shamai:as
shama:dln shamim:ms shamir:a2lmor2y shamis:ap shami:a2e2fg shammari:ah2sw shamma:js shamsabadi:a2e
shamshirband:s3 shamsi:ajm2npz2 shamsutdinova:dm shams:ah2jm2prsz shamy:hos shanahan:hmp shanbhag:a2dhn2sv
shanbhogu:am shandilya:bhs shane:g2mn shanga:jy shangguan:chj3l2qw2yz4
shang:a2b3c9d5f3g4h13j13k5l12m7np2r5s13t3w6x11y22z22 shanin:gn shani:aci2ls shankar:a6fh3k4lmn4r2s6tuv3
shanker:adrsv shanks:dkt shanmugam:dkns2v shannon:dm2r2 shanqiti:ah shanto:dim shantsila:ae shany:ay
shan:ab7c5d7eg3h12j18l6m2np2q3r4s8t3w8x9y18z14 shao:a2b3c18d7f10g5h15j29k8l15m19n2p3q8r9s18t7vw17x20y54z37
shapira:abdeginopty shapiro:a2b2d2egi2j4lm3prs2vy shaposhnikov:a3bmrv shapovalova:oy shapovalov:nr
sharabiani:a2 sharafi:mz sharan:amn2rsv2 sharara:ah sharav:m2 sharawy:az sharda:ajp2 shardlow:mt shareef:a3b
sharei:n2 sharf:aim shariff:a2w sharifian:hmps sharifi:fh2ikm2r2sy sharify:hs sharifzadeh:ms
sharif:ab2fh2m3nor2s2uy sharipov:afklr sharir:amo shari:m2p sharkawy:ims sharkey:ablm
sharma:a69b6c8d16e5g12h7i2j5k17l3m23n18o3p31r38s52t10u3v30y7 sharony:ei sharon:e2gknsy sharpe:jms3 sharples:jr
sharpnack:jl sharp:eh2jlm3nrw sharratt:ej shar:ae2j2k2lm2prs4z shashank:gks shashidhar:s3v shastri:bhimops
shastry:psv shateri:a2m shatilov:dk shatnawi:hs2 shats:dm shaughnessy:lr shaukat:afmn shaul:inr shavitz:jm
shavit:hmny2 shawky:dmy shawn:lz shawon:gjmt shaw:a9bcdeg3ij5kl3m5n2p4r5s7tv3 shayegan:sv shayegh:bfhp shay:ch
sha:abc3ef2h4j3k3l7m2nqs2t4uw3x3y7z7 shcherbinin:vy shchur:lo shea:a2b2d2j2k2lmnr2t2 shechtman:es sheehan:ejkp
sheehy:cd sheen:dhsy sheerin:at sheffer:arty sheffield:ae2kw shehaby:ms shehab:m2 shehadeh:hkms shehata:dhmos
shehhi:a2hm shehri:a3ehkry shehzad:ak sheibani:am sheikhi:hs sheikholeslami:afmns sheikh:a6efh4ij2m4n2s5t2wyz
sheik:ks sheil:bj sheinin:amv shekar:kpr shekdar:kp shekhar:a2dnprs7 shekhawat:akrvy shek:cj shelat:as
sheldon:ad2ejms2 shelke:ars shelton:ac2jmr shemesh:emn shenawy:am shende:mopsvy shenfeld:i2m
sheng:a3b2c5d6efgh9j19k5l8m9nop3q3r3s5t4vw4x15y22z22 shenhav:ls shenoi:a2p shenoy:a2djknp2s2v3 shentu:fy2
shen:a13b18c46d21e4f13g23h50j84k13l37m20n4p7q23r17s44t23w34x60y124z79 sheoran:np shepard:abdjls shephard:ajm
shepherd:bgj2km3npstw sheppard:a2cjms shepperd:m2 sherburn:dn shereen:ep sheridan:bep2 sherif:anow sherina:ev
sherin:bs sherlock:bc sherman:a2bcej3m2n2su sherpa:eklrt sherry:dfj sherwin:bms sherwood:mr2t sher:ademsy
sheshadri:an sheta:ah shete:kr sheth:a3bdfi2jkp3r3s4y shetty:a11m2n3op3r3s6v shetye:krsy sheu:cj3tw
shevchenko:a2ei2pv2 shevchik:sy shevtsov:a2n she:ab4c4d4fh2j8m2q2r2s3twxy11z4 shibai:hs shibasaki:nrs
shibata:a2hk7lm2nst4y3 shibayama:t2 shiba:k2st shibukawa:my shibuya:m2st3 shichao:xz shieh:aefm2ps
shields:cdj3ms shiferaw:mn shifman:am shiga:mt2 shihab:aeims shihata:fy shih:a2bc2d2fgh4k2lm3p2sty3
shikhman:lv shikh:rw shiller:dz shill:p2 shilova:av shilov:i2 shil:art shimada:adh3ik5n2sty shimakawa:kr
shimasaki:ty shima:eh2jkrsty2 shimizu:ac2ghi2k9n2r5s6t10y7 shimodaira:h2 shimoda:gjnw shimokawa:hkt
shimomura:ks shim:ab2cd3g3h5ij7k4m2rs5y3 shinagawa:sy shinar:ct shinde:abc2ghk2np2r2s3v2y shindo:h2t shine:a2
shing:hm shinkle:em shinnick:lz shinn:cjm shinoda:ahk2rswy shinohara:a2hy2 shinozaki:kmt2 shintani:eks
shinzato:kt shin:a2b3c8d16e4g4h29i7j56k14m10nop3rs35t5u2vw12y22 shiohara:k2 shiomi:jr shipley:jrt shipman:grs
shipton:jm shiraga:ht shirahama:k2 shirahata:kmy shiraishi:jlmns shirai:k2s2ty shirakawa:kst3 shiraki:at
shirali:ah shirani:efrs shirazi:a2bh2m2r shiri:afhimpt shirke:ms2 shirley:djry shirokikh:bm shirokov:an
shirota:cs shirvani:adm2r shishido:hm shishkina:ei shishkin:di shita:fn shit:rs4 shiu:acd2ghjry shivakumara:ps
shivakumar:kprs shivam:afk2s shivanna:ar shivaprasad:ads2 shivaram:mn shivers:or shivkant:dp shivkumar:sv
shi:a5b29c36d33e7f17g14h60ij110k23l49m28n6p14q27r30s52t26w48x83y144z82 shlizerman:ei shlomi:er shlosman:is
shmidman:as shmuli:bgo2 shmyhlo:v2 shneider:cm shock:ej shoghi:kn shoham:inos shoibi:ny shojaie:am
shojai:afim2s shoja:abp shoji:ahmty2 shokouhi:ms2 shokri:amrs sholokhov:av shomaker:cd2it shome:rt shone:jn
shong:jz shon:hms shore:agjnst short:bceim2rs shor:b2ijty shoshany:bm shoshan:a2 shouraki:ns shourya:at
shoushtari:fs shou:h2l2mq2twxy3z3 shovon:im sho:aijmp shravan:nr shree:ajs shrestha:a9b2cghik2lm3n3p5r3s12u2y
shreya:npsv shridhar:km shrimal:at shrivastava:a13cdghmn2r3s2v2 shrivastav:ruv shriver:dl shri:ano
shroff:g2np2 shrout:ao shuaib:hk shuai:b2ch3j4l2q3twxy2z4 shuang:chky shubham:kr shubin:dv shubi:ot
shugrina:m2 shui:bdl2qxy2z shukla:a20c3d3h4jk2lm4n5p13r4s13tv6y shulga:akv shulman:emv shultz:st shum:ch3k2lm2
shuo:lswy shuster:knt shutova:ae shuvo:emors4u shu:a2b3c9d3f6g2h14j17k6l9m4p2q3r3s12t3w5x13y23z14 shvai:n2
shvetsov:en2 shvets:a3g shwartz:lrs2v shyam:dgmp2v2 shyu:cfm shy:djn siam:m2s3z sian:aps sia:cjlz sibai:bhn
siba:as sibona:fg siboni:mn siburian:jr sicard:ag sica:fp sichel:ei siciliano:bfm sicilia:ar sickert:cs
sick:b2jl sic:d2 sidahmed:bm siddhartha:s2 siddharth:s2 siddig:mn siddika:af siddiqi:aim2
siddiqui:a6cdgim2n2s5y2z siddiqu:af3ijmno2s2tu2 sideris:ac sidhom:l2 sidhoum:lns sidhu:a2g2j2krs
sidiropoulos:akn sidi:jk sidorenko:agp sidorov:a2dg2km2s siebert:bej2lm3x sieber:ijr siefert:cl siegal:am
siegele:jm siegel:abcdej3km3n2p2s2z siegert:ijs2t siegler:np siegmund:nos siek:ik sierra:a2c2dijw
sievers:aj2mst siewert:jt siew:chms sie:e2fw sifat:jm sigal:al sigdel:adems sigler:ef sigl:g2 signoles:aj
signorelli:cl signoretti:ls signorini:cgm signori:a2e signoroni:ae sigrist:bcf sigurdson:ks sigurdsson:gs
siino:fm sikdar:a2bdps5 sikder:a2s4t sikic:fm sikka:hkprv2 sikora:a2cj2m2nt sikorski:dm sikstrom:ps siktar:jl
sik:ay silas:ms silber:aeij2mrs silcock:em silenzi:as sileo:dl silich:es sills:a2 silvano:cp
silva:a25b4c10d11e10f7g3h5i3j12k4l9m14n7op5r17s13t6uv5w4y silveira:aejlm2ps silveria:ad silverman:bejksv
silverstein:en silver:cd2ejrs3t silvestre:cdg2p silvestrini:lm silvestri:af2gl3ms2 silvi:ap silwal:a2s3
sil:a2jkmp simakov:aden siman:gkn simard:fm2 simas:ft simatos:df sima:ab2cdjkqs simbolon:hk simeone:lo
simeonov:a2j sime:kn simha:rs simic:clm simionescu:ac simion:abi2 simkin:bj simko:aj2mst simmonds:cr
simmons:a3b2cd2egj2lrst simm:gn simonato:fm simoncini:vw simonelli:a2 simonetti:op simonetto:at
simone:abclm2nr2svz simonin:ao simoni:a2j2m2 simonsen:ajls simons:ab2dfkprsw simonyan:ak simonyi:ag
simon:a4b5c4d3e4fgh2ij9k3l6m4o2p7r4s5t6y simos:abcefgj2l2m3nprs simplicio:am simpson:a5bc2d2eg3hi2j2lm2w
simsek:bekmnoy2 sims:a2cmpsvx sim:ab2cd2efg5h2ij12k4m4r3s7t2vy4 sinaga:hk2m sinai:msy2 sinan:ao sina:a2i
sincan:o2 sinclair:a2bdj3kmnpst sindelar:pr sindi:as sinelshchikov:ds singal:a2ij singamaneni:ps singa:eh
singer:a4cdg2jl2m3ps3uy singhal:a11ch2j2km3n2p5r5s6t2uv3 singhania:a2kst singha:a2dj2mnps2t singhi:ans
singhvi:a2s2 singh:a99b11c8d33e2g22h19i11j38k31l6m31n26p42r47s87t12u5v21y5 singla:a3bcj2k3mn3p4rs4tv3y
singleton:adjk sing:acdj2ps sinha:a33b2d5gik6lm10n4p3r7s33t2uy3 sinigaglia:af sini:am sinnott:jrs sintes:a2c
sinz:fp sin:cdgjk2mt siow:bej2 sio:c2t sipila:mos sipio:cr sipov:a3g2m2sv sipp:dm sip:dv siquira:a2cmrt
sirajudeen:nr siraj:a2h sirbu:a3dir sircar:ar sire:cry sirignano:ej sirin:hsu siris:v2 sirjani:m2 sirohi:ad
sirota:ads sir:gy siska:cd sisk:am sisman:ab2mt sisodia:a2t sison:rs sisson:ls sistla:ms sisto:am
sitaraman:amnr sitaram:amrs sitarz:am sitaula:ns site:al situ:fhr2w siu:a2c2hms2vw2 sivadas:as
sivakumar:a4jk3mnrs3v3y sivalingam:knpt sivan:b2dhpy sivaprasad:ps3 sivaramakrishnan:a2gv sivaraman:a3gsv3
sivasankaran:as2 sivasubramaniam:ns siva:anprs3 sivrikaya:bf siyan:gl siyuan:y2
si:bc7d3fg3h8j7l6m3np2q2r2s5w9x4y11z6 sjoberg:j2kr sjodahl:m2 sjoholm:at sjolander:a2 sjoland:h2 sjostrand:jt
sjostrom:m2t skaf:jn skalski:a2t skalyga:v2 skandalis:gm ska:jm skelton:jr skemer:a2 skenderi:gm skiadas:c2
skiba:ck skinner:d2jkms2t skin:akz skirko:pt sklar:aem skobelev:ks skoglund:jm2 skooi:a2 skoric:bm
skorokhodov:iv skowronek:amp skowron:adjp skow:at sko:jkt skreta:m2 skryabin:di skrzypek:at skvorc:tu
skvortsov:aes sky:a2bd2gm3p sk:krs2 slabaugh:g2 slack:d2 slade:eg slama:dkr2 slane:ap slater:abcd2gmt slati:fk
slattery:pt slaughter:acdei slaus:bn slavik:mp slavin:jlr sleem:lo sleiman:djl slepian:z2 sler:gl slezak:cfj
slijepcevic:di slika:bh slimani:chk2s slim:aehn slingsby:aj slinko:ai sliusar:sv sloan:a2di2p2s2 slob:emn
slocum:js2 slokom:m2 sloman:ls slomka:bj slone:aow slonim:d2n sloot:ber sloth:cm slot:cp slowik:a2k sluijs:lm
sly:ap smadi:im2o smaili:km smail:cijl smaldone:af small:d3eklms smani:anov smann:e2ns sman:a3h2ikmot2y2z
smarandache:fr smart:abdmsw sma:djl2m smeaton:az smedley:ajn smedt:jpt smeets:ij smee:s3 smekal:lz
smelyanskiy:m2 smerdon:cj smerkous:ad smetana:jkm smet:glp smeyer:c2 smida:mr smidt:apt smigielski:lm
smiley:c2dj smiljanic:jm2 smillie:lp smirnova:a2dekn smirnov:a7d2gi2jklm2oprv2 smithline:gt
smith:a19b10c16d9e9f2g6h5i4j20k16l14m17n6p6r15s12t9v3w4z2 smits:dejmrsw smit:efj2mr2 smola:a2dfo smolic:a2ei
smolka:bms2 smolkin:dm smoot:gs smorodinsky:grs smyl:ds smyth:abcdfl2npt snaith:ho snelders:dj snell:cmnw
sneppen:ak sner:cdms sne:aeg sng:ad snider:at snir:gm snock:ems snodgrass:cr snoke:dj snok:cj snoussi:h2
snover:dj snow:bgklt snyder:a2b3c3d3eg2j2klp2s2tw2 snytnikov:nv soares:ac3de3f2g3hj4l4n2ps2t sobczyk:agr
sober:bs sobhani:hms2 sobhan:ms2 sobhy:dy sobieczky:fh soboleva:adntv sobolev:a2beik sobol:i2o sobotka:djtv
sobot:bs sobral:cd socha:mr soda:ckp soderberg:ce sodha:tv sodhi:kr sodickson:d2 sodi:ab sodre:hl sofonea:mv
sogabe:m2t2 sogard:ab soga:kmrt sohaib:am sohail:a2m2s3 sohal:a2r sohel:fs sohler:ac
sohn:abc2d3egh2j8k3ms5t2wy3 sohrabi:f2nrs sohrab:fkm soh:bcd3gh3jklrsyz soibelman:ay soininen:ehs soja:ab
sojka:dps sojoodi:am sojoudi:s2 sojo:r2s soken:hm soker:n2 sokolova:ekv sokolovsky:kv sokolov:a3bdimsv2y
sokolowski:km sokol:a2ej2kos sok:chjsv solaiman:eiks solak:ag solal:mq solanki:a4m2nprs5v2 solano:ac2deijlmpr
solari:ah solar:gjpv sola:aceijm2 soldan:hm soleimani:bm soleimany:ad solem:en soler:ij3lm2s soleymani:f2mst
sole:a2eijlpr solhaug:e2 soliman:a4dhm3nst2y solis:a3dgi2r2 solmaz:abg2s solntsev:ad solomon:eg2j5mr2s2vy
solorio:lt soloveichik:de solovev:gk soloviev:amv solovyev:arv solowjow:ef soltani:a3f3hi2kmnps2
soltanolkotabi:m2 soltan:aps soltau:hs soltis:djp sol:dj somanath:s2 somani:a2mnps2 soman:as2 somashekar:gp
somasundaram:a2ejkrs3v soma:km somberg:np somekh:mo somenzi:fp somers:dv somerville:lr someya:ty sommariva:st
somma:agm sommen:f2 sommeraur:mp sommer:ac2ef3g2hij6klm4st2 somogyi:ap somov:ao somvanshi:s2 som:adhns2
sonar:psv sonawane:amp2rs2 sonbol:mr sonderegger:em sondergard:jmt sone:ktw
song:a13b19c54d27e5f17g25h67i7j98k31l38m41n5p14q27r24s78t27vw39x80y156z94 soni:a7bchijk2mn4p4r4s5u3v2
sonkar:ms sonka:ar sonmez:efkm sonner:fjmt sonnino:as sonntag:dm sonoda:hmrs sonowal:mn sontag:ade sontakke:ns
sonthalia:ar sony:jnr son:a4b4c4d11eg3h11j17k4l2m8n2prs14t7v2w2y9 sood:a7dekmnr2sv soomro:bdt soong:fj
soon:djlo sooriyakanthan:bm sooriyarachchi:a2b soori:es soos:bcdg sootla:as soo:jpy sopa:gj soper:bd
sorathiya:ad sorbi:am sorce:j2 sordello:am sordoni:a2 sordo:a2z sorensen:abc2degk2l3prs4t2 soret:ab sorgel:du
sorger:jpv sorge:m2 soriano:a2e2fj4m2 soria:acjr sorin:ae sorio:acdfjlm3op sorkin:dg sormani:cm2 sorno:as
soroka:ey sorokin:a2cd2eilmnop sorrell:jv sorrentino:af2ip sorrenti:a2df sosa:ad2j3kmpr3s sosnin:ep
sosnowski:sw sota:a2r sotelo:aj3m sotgiu:a2 sotiras:a2 sotiropoulos:sv sotnikova:any sotnikov:v3 sotomayor:cjv
sotoudeh:ah2mr soto:a3cd2ej3klm3npr4svy2 sottile:fgm sotti:jl2 soubeyrand:ms soubiran:cf soucek:rtv soudani:hs
soud:alsy souissi:ry soukup:jl souky:gm soula:eo soumik:ms soum:de soundararajan:jkr2s souqut:j2l sourati:jz
sourav:s2 sousa:a2bc2d3fgh3ij3l4m3npr3st2vwy southerland:jk southern:cj southworth:bjs south:lt souto:adjm
souza:a11bc2d2e3f2g4i2j6kl4m6np2r7s5tuw sou:bhk sowa:j2 sowinski:pt sow:a2d3imy soykan:by soylu:adgm sozio:mv
so:a3c4egh4j4lmnopr2s3t2y4 spacek:jp spadaccino:mp spadaro:a2gst spada:ei spadea:fm spadini:dlt spagnolo:fgp
spain:dr spalding:ae spanakis:gmp spangher:al spang:br spaniol:em spanos:cns spanov:am spano:adf sparkman:mp
sparks:egjlprtw spasojevic:ipt spathis:dkp spath:acjp spaulding:ac speagle:j2 spears:bmt specht:mrt
speckmann:bp speck:abdort specogna:er spector:a3bl speedie:gj speelman:df speicher:mrt speidel:os speith:jt
spekkens:kr spek:lr spelkaus:cs spellman:et spel:cj2 spencer:a2b3de2j2l2mnprs2 spence:d2e2hij2mrs spengler:c2m
spenke:at speranza:gm spera:cdfm2 sperduti:ag sperlich:as sperling:bl speyer:dr speziale:fs speziali:pr
spezzano:es spiegelberg:jp spiegel:djlm spiegler:kpr spieker:ahjv spieler:abjp spielman:di spiers:ab
spiesberger:hp spiess:cefj spiewak:r2 spiga:adop spiliopoulos:gk spiliotis:ek spiller:jt spillner:al
spina:a2bdjlns spindler:fjkm spinelli:fimr spinola:fr spinoso:df spino:cp spiridonov:a2d spirin:en spiro:a2e
spisak:j2 spitale:gm spiteri:dr spitkovsky:ai spitzer:abcejpv spitznagel:mt spitz:abjlt spohn:chp spong:mn
spooner:jsv spotorno:en spoto:afg spracklen:jp spragu:ctz sprang:am sprenger:j2pt springenberg:jmt
springer:cejm2pt spring:er sprinkle:cj spurny:jp spurway:j2 spyra:ap spyrou:in sp:adrv squartini:st squires:cm
squire:js sra:ams srba:ij srbinovska:a2 sreedevi:ai sreedhara:ks sreedhar:bkm sreekumar:aghns2uv
sreenivasamurthy:ds sreenivas:mrst sreeram:ags3v sridharan:adm3s3t sridhar:a6d2ek3m2nor3s6v2 srihari:nrv
srikanth:dm4nrs2tv srikar:dg srikrishnan:tv srikumar:mv srinath:ps2 srinivasan:a15b5cdg2h2k5m6np4r4s18t3v7
srinivasaragavan:gr srinivasa:hjrs3 srinivas:d2gk2mrs6tv2 sripada:acsv srirama:ms sriram:a3st
srisuwananukorn:ac sritharan:s2 srivastava:a34b3d3g2h2jk2lm4n7p10r5s19t2uv6y2 srivastav:a3d2kpsv2
srivatsa:akmsuv sri:jr sroka:mt sr:nv ssanayake:d3mp ssa:aejmnpsv2 sseau:ar sseldorp:ej ssen:oy sse:ef
ssi:klrs ssowski:st2 sso:as sswald:fk stab:drs stam:cde stan:ag2ijlmpv star:mp stay:dn sta:mt steg:lo sten:ar
ster:cmqr ste:dg stin:a4cd3j2ps ston:gt stov:is stow:dj2m stys:dp suarez:a3c4d2fgij2lmo2p2r2s2v2 subasioglu:mn
subbaraj:gh subbarao:km subbiah:mv subedi:a3bn4 subhan:afn subhash:hv subils:jm subirana:jl subrahmanyan:rs2
subrahmanya:a2s subramaniam:a4chm3ns2v subramanian:a9b2d2egj2k6lp3r3s15v9 subramani:dhknr2st subramoney:as
subramonyam:h2 subudhi:ksu sucar:el suchanek:fm suchan:j2 such:fj suciu:cdn sucu:aey sudais:aq sudakov:io
sudan:jm sudarshan:acpsv suda:ch2kmnsty sudevan:v2 sudhakaran:dgsv sudhakar:abmps2 sudharsan:b2dn2 sudha:ms
sudhir:av sudo:y2 sud:a2 sugai:hr sugamoto:am sugano:hnrsy suganthan:p2 suganuma:mn sugawara:s2t3y suga:hjkst
sugihara:jk sugimoto:achk2rt2y sugimura:kms sugiura:ikn3s2 sugiyama:h2k2m3nsy suglia:am suhaibani:ar
suhail:m2p suhara:dty2 suhr:ahmt suh:bc2d4eh5ij4kmnps4tuy5 suin:mp sui:a3b2c2d4efh3j4k3l2mnp2rst2w2x10y11z3
sukhanov:ns sukhatme:gj sukhija:ab sukhorukov:adn sukthankar:gr sukumar:s2 suk:hj2lmt sulaiman:akrs2y
sulami:a2io suleimanov:bvy suleiman:bjlwy suleman:ahk sulem:ep suleymanov:tu suleyman:em sule:dos suliman:mw
sullivan:a3bc3d4e3hij4k5m3n2pqrst sultana:a2bfmn5r2s7z2 sultan:aikm2nor3s3t2 sul:js suman:ap2s2 sumbul:gu
sumida:mrv sumikura:hs sumino:mty2 sumita:em sumiyoshi:kst sumi:hkmt2 summerfield:c2n summers:a2c2j2r2tv
summer:gw sumners:crz sumner:ejmnrst3 sunada:st sunaga:dk2 sunar:bn suna:bcr sundaram:aghjmps3
sundararajan:abmnr sundararaman:adr2s sundaresan:amns2v sundar:a2h2klns4t sunderraman:r2 sunder:sv sundhar:rs
sundqvist:jm sundstrom:adv sung:a2c7d2efgh4ij7k4lm6n3psty8 sunil:abjkmn2s sunkara:kms2v sunny:a2s sunseri:j2
sunshine:j2 sun:a18b43c80d36e6f33g41h118j141k21l75m75n12p23q53r32s100t34w74x118y214z130 suomela:jl
suominen:hko suo:bc4d2h3j2k2lmnr2s2wy4 suppa:lm2 surace:jl surana:ah2m2r2s2t suratgar:a2 surendran:as
suresha:hs sureshkumar:su suresh:a15dh2k3lm2np4r2s9tv2y2 suriano:as suris:dy suri:a3bdhmnos5 surnov:gs
surve:mp2 suryanarayanan:ksv suryanarayana:np suryawanshi:hrt surya:a2jr2 surynek:mp sur:ad2gmst susanti:dy
susanto:hly susa:rt sushkov:mnos sushko:agnp2 susskind:dj2lz sussman:adhks suss:djkru sustar:gk sutanto:prv
sutariya:cd sutar:tv sutcliffe:jpw suter:dfm suthar:ahm sutherland:a2b2c2dg2j2rs2w suto:hk2y sutter:bc2jlr2t
suttie:gm suttle:ow sutton:ab2c2dgm2oprt suur:c2j suvarna:acr suwaidi:os suwal:os suwa:hy suyama:rt suzek:bt
suzen:mn suzuki:a6dh9ij3k10m8n3pr7s7t15y12
su:a5b18c25d19e4f3g14h36i2j63k10l24m12n7p10q14r22s34t19vw25x46y78z64 svaldi:dr svendsen:bckst svensmark:hj
svensson:cej2l2ort sverdlov:ry sviridov:gis svoboda:fjpt swain:a3ck2m3ps6v2 swald:aej2mn3 swal:hnry
swaminathan:a8cjkm2r2stv swami:akprs swamy:agikstvy swanepol:kn swann:a2r swanson:cjk2mrs2 swan:a2chr
swaroop:as swartz:djst swart:dr swarup:ds2 swati:sz sweeney:cdegls4 sweet:ac2s2 sweiler:cd swenson:bjl
swerdlow:a2 swetz:dy swiderski:gs swierczynski:p2 swift:acdimrs swiggum:cj swinbank:jm switala:m2n
switzer:bcel swoboda:dp swords:cs sworth:cy syam:dr sychev:p2 sydow:lm syed:a4f2hjkm2qr3s5t2uyz2 syga:mp
sykes:abd sykora:dij syk:be sylla:ais sylvester:js symeonidis:afps symons:a2cj sy:de2ly szabados:ls
szabo:ab2c2defg3jknr3z3 szafir:d2 szafraniec:mz szakacs:bn szalay:ag szanto:cm szatkowski:fp szczepanik:kt
szczepanski:jmnt szczesny:acs szczurek:ae szegedy:clm szekely:e2s szekeres:a2 szendrei:am szepesvari:c2
szepietowski:ab szeto:gjr szewczyk:jk2 sze:hms2tv szigeti:jl szilagyi:dklmsz2 sznajder:bn szollosi:fi szot:as
szulc:m2 szymanska:am szymanski:a2bm3pw szymczak:amp s:a16b3c3d5efgh2j8k5l2m7n3op6r9s24t3v11y tabak:eg2
tabassum:a3fh2m2r2s2 tabas:ads tabatabai:a3df2rs2z tabataba:ns2 tabata:k2 taba:bdms taber:al tabesh:fs
tabia:ah tabib:rw tabi:hn tabone:bm tabor:ajw tabrizian:aimr tabrizi:m2z tab:af2h2kns taccari:lm tacchella:as
tacconi:clm tachibana:h2k2t tachi:ty tack:aj tadaki:dk2 tadakuma:kr tada:mty taddei:fs2 tadele:bd
tadepalli:kmps3 tader:m2 tadesse:bgy tadic:blp tadius:al tadokoro:rs tadros:apt tafti:dp tagarelli:ae
tagawa:hn taga:es taggart:dkn taghavi:m2nprtz taghian:ms taghipour:ahjm taghizadeh:moz tagkopoulos:ip2
tagliabu:acdjv tagliacozzo:al tagliaferri:gmr tagliasacchi:am tagliazucchi:em taguchi:a2ck2sy tahai:m2
tahani:km tahan:hs tahar:gjs taha:a4dfmrty2z taheri:a4defh4jm2nop2r3s5t taherkhani:fhn taher:bfhjm2s2
tahiraj:in tahir:a3bhm3n2stwz tahmasbi:ah tahmasebi:ms tahmid:ai2n tahon:mn tah:as taibi:a3df2ghmn2ors3
taieb:ars taillandier:pv tailor:bcv taioli:fs taira:k2 taitler:ab tait:a2pst tai:a4c7dh2j4ln2pstw4x3y9z
tajalli:av tajbakhsh:a2n tajdini:am tajer:a2 tajik:ems tajima:h3oy2 tajiri:kt tajwar:fm taj:im2s
takabatake:hky takaba:hy takabi:dh takach:jz takacs:abdgnst takada:h2kmn takagi:h3n2s3t4wy2
takahashi:a4def2h11ij3k16m4n2r7s7t14y6 takahata:kn takaishi:dt takai:rt takaki:mrs takakura:s2 takamatsu:ajs
takama:ny takami:k2m takamori:ky takamoto:ms takamura:hm2 takanashi:ks takano:hkr2s2twy4 takaoka:amy takao:ms
takasaki:km takase:hsy takashima:kms takasu:ay takata:hrsty takatori:s2y takatsu:hk takawale:hs takayama:fk2ty
takazawa:k2 takebayashi:r2 takeda:dh3k7m3n2rs2t2y2 takeishi:nt takei:dmnsy takemoto:k2ty takemura:ak2n
takenaka:py takeshita:adk2m2sty takeuchi:adehik2m4n3s4t5y5 take:hosy3 takigawa:a2 takita:ms takizawa:mrs2y
taki:ajkmt2y takmaz:ae taktasheva:em takubo:y3 takur:an tak:adfh2krs2wy talagala:pt talai:s2 talasila:hp
talati:mn talavera:efj talbi:ade talbot:bchj3mprw talebi:aghm2s taleb:af2n2t talekar:av talele:cs tale:gmpr
talia:dms taliente:kl talkington:s2 tallam:ks tallapragada:p2 tallec:cp tallon:bm talluri:agp2s2 tall:ajm
talman:lr talmon:nr talora:gs talreja:ajk2mv talukdar:hpw talukder:a2s2t talwar:adkrs2v tal:a3hklmo2
tamaki:est tamang:als tamar:ah tamas:gm tamayo:dilrs tamazousti:my tamba:t2 tambe:gmt tamburini:fjm tame:is
tamilmani:v2 tamimi:a2frs tamim:fm2 tamine:lm tamirano:imps tamiru:hm tamir:ij2rt tami:mt tammaro:fm tamma:bv
tamm:k2mt tamosiunas:am tamo:bi tamura:efk3m4nrt2y2 tamvakis:hk tam:a2bf2gh2j3k5lmprs3tw4yz tanabe:dknrt2y2
tanaka:a7cd2egh8ij2k20m9r5s6t12y13 tanase:agi tanay:st tanbouly:s2 tandel:js tandon:a4gk2lmnr2s4y
taneja:a2hj2kmr tangri:apr tangtartharakul:gk tanguy:ae
tang:a13b29c44d18e7f15g27h66j108k23l49m37n7o2p16q25r22s69t22vw41x78y142z93 tanha:aj tanigawa:s2
taniguchi:a2djk3m4rs2t7 tanikawa:akt tanimoto:ay tanimura:ty tanin:e2 tanioka:hks tanios:r2
tani:a2cehjkm7n2s2t2y tanjim:m2t tanji:n2s tanke:jm tanna:as tanner:ac2dj6m tannor:dp tanou:hs tanriover:o2
tantalo:mn tantawy:sy tanter:em tantithamthavorn:ck tanti:jm tanveer:mw tanvir:aimnr2s2t tanwar:aenv tanzer:gs
tan:a11b17c41d12e7f11g21h45i4j58k16l24m31n7op15q21r17s41t19v3w24x35y60z56 taormina:ar taouil:im
tao:a4b6c17d9e2f6g4h13j24k5l22m13n2p4q8r11s20t5w10x25y48z30 tapiador:js tapia:acd2j2lmpr2s tappeiner:et
tappin:bj tapp:am tapus:an tarafdar:mp taraghi:fm taram:km tarantino:em tarasenko:asy tarasov:ad2v tarassov:e2
tardos:ej tareen:fs tarhan:ac tariq:a2f2h2ijm3ors3tu2yz tari:h2z tarlow:d2 tarola:ae tarrant:st tarr:gklm
tartaglia:g3m tartakovsky:adgs tarun:a2 tarvainen:ot tarzia:dm tar:ac3g tasca:lp tasche:dm tasci:e2ms
tasdemir:s2 tashev:iv tashiro:hkmt tashi:dnp tash:hm2n tasker:ck taskin:b2gi tasneem:fstz tasnim:ah2jmn4st2
tasse:cg tassi:af tasyurek:ms2 tas:ae3no2s tatar:dkmru tata:ms tateishi:kw tatematsu:fk tateno:k2m tater:mt
tate:dj2t tati:ab taton:dt tatsumi:esy2 tatsuoka:ck tatz:bg taubenfeld:ag tauber:cfjmu taubman:gs taubner:ft
taub:aor tauchmann:cs taufer:dm2 taus:lm tau:eq tavabi:ln tavakkoli:a3ft tavakkol:as tavakoli:a3f2h2m5norst
tavares:a3bdgj2lrst2z tavasoli:ars taveira:bm tavernier:atw tavory:ar tavor:a2 tawara:ny tawa:ps taweel:arz
tawfik:a2bdw tawil:ady tax:dn tayal:akm2s2 tayar:jm2 taya:ahm tayebi:am taye:am
taylor:a14b4c11d3e6g7h5ij10k5lm12np4r6s7t3w2z tay:ef2gls3twy3 tazi:kn2s ta:ac2d3h5k3mp2q2st4v2xy tchapmi:lm
tchernyshyov:ak tcher:adns tchev:ak tczak:at teagu:cdhrsv teanby:n2 teboul:jr tecki:kl tedesco:lm teef:jm
tee:hpw tef:at teglia:sy tegner:jm tehrani:a2fmrs2z teh:a2df2hj2nty2 teichmann:ej3m2s teich:ejm teitelbaum:js
teixeira:a2bcef3g2ij2l2m4pr2t2 tei:jk tejada:a2 tejani:a2 teja:blsty tejeda:es tejedor:a2mv tejera:fs tejos:cn
tej:a2is tekarev:at tekin:ab2c2es2 tekriwal:mv telang:jsu teleki:ms teles:gls telkamp:lz tella:cr telles:cej
tellez:cdfgr tellier:cg telli:ah tellman:be tello:ae2j2mrv tell:lpv tels:acdgj3lmst2 telt:cfk tel:a2r tema:ms
temel:dz temizel:at temmer:m2 temme:ck tempelmeier:mn tempini:m2n templeton:ajmw temple:adhlmpr temur:dh
tenev:pv teng:c3d6ef2gh4j8k2l5m4pq3rs8tw4x6y14z7 ten:fhs teodorescu:m2r teodori:lm teodoro:degms
teoh:abchj2rwxz teotia:jkrs teo:c3dfghjlr2svwyz teplytskyi:io tep:k2 terai:nt teran:af terao:hk2m terme:hy
tero:a3cdl2mn terry:j3lmors ters:hr tert:m2 terul:ox tervo:or terzi:e2s2t terzo:go ter:a2bcd4e2j2k2m3rs2t
tesaghi:ap tesch:dj tesconi:cm tesema:fk tesfamariam:gi tesfaye:dmz tesic:mp tesi:ap teso:fs tessema:as
tessera:kr tessier:aflm tessler:cmnr testa:a2cimsvz testi:elm testud:bj tes:fs tetlow:mn tetteh:ps teufel:js2t
teuscher:cdm teutsch:j2 tewari:a4dlr3u tew:dh2 texier:bm teye:m2 teyssier:dlr tey:ahj tezcan:abo tezuka:hmr
tfian:mr tfinia:m2 tfi:a3efis tfollahi:m2 tgerdi:ms tgheib:dm thabet:am thach:bh thacker:hp thain:dln
thai:abcdghjk2l2mnprtv2z thajchayapong:ps thakar:akrst thaker:dk2nrs thakkar:ad3hjk5m2n2p3sv2 thakker:dmr2u
thakoor:ks thakrar:ak thakurdesai:ans thakuria:np2 thakur:a16cd2h3km4n3pr6s13uv5 thalanki:ms thaler:b2df2j2l
thalhammer:jms thalmann:mn thamm:afp thampi:as tham:bcdkoprwy2z thangaraj:as thang:dlnt thanh:bcdh3kl3n2op2t4v
thani:du thanki:ad than:k2t thapaliya:abs thapar:bd thapa:abcj2mp2r2s5v thapliyal:akos thareja:kmr tharwani:jk
thater:os thathri:rs thatikonda:rs thattai:cg thatte:dnv thawakar:o2 thayer:j2 tha:fks thebaud:mt thebault:ckp
theiler:djr theiss:j2 theis:fl2sy thejaswi:ps thelemy:a2d2jm2qx thelen:acm thelin:jt thellier:em thelme:ast
thels:ch thel:fk them:jt theng:ey theobald:bm theodorakopoulos:dg theodoridis:jnsy theodoropoulos:acg2npt
theodorou:abe theodosis:em theophilou:ei2 theriault:rs theron:dgp therrien:afj thers:bd thesing:l2 thet:mv
theule:np thevakumar:jl thevenaz:lp thevenot:cm the:a3fg2l thiagarajan:js thibaudeau:cp thibault:agjms
thibodeau:dj thiebaut:cej thiede:bl thielemann:cf thiele:fjl3msu thielmann:ap thielscher:acm thiel:chjm2r
thiemann:fpt thieme:alt thiem:gnt thien:abhn2p2qt thiery:ajtw thies:bij2kms thiet:ls thieu:nt2 thie:bg
thilakarathna:kms thind:kpr thinh:nt thiran:gjp thissen:m2r thiyagalingam:j2 thiyagarajan:kp thi:c2h4klnpt2w
thman:gkmnr2z thoff:jm2t thole:af tholomew:cmn thomale:jr thomason:jw thomasson:ar
thomas:a16b3c8d11e2g3h3ij11k6l5m14n8op7r10s14t6vxy thomaz:ae thoma:a2cdelm4v thombre:p2 thome:afn
thomopoulos:s2 thompson:a5b4c3d2e3fg2h3i2j9k2l2m7n2op3r3s8t6vw5 thomsen:a2bc2fhjkns thomson:ab2c2f2gj2lm3rs3
thom:achj thong:dkmt thon:dip thorat:ak2ops2y thoresen:fm2 thorley:a2n thorne:dgj4mrsw thorngren:dr
thornley:ew thornton:a2bg2j2m2ps3 thorn:epsv thorpe:a2j2mns thorp:bjms thorsen:aeks thorstensen:dj
thota:ack2m2rs2 thouwers:gs thrasher:dj threlkeld:sz throp:dj2 thrun:ms thual:ams thuan:hpt thuc:kp
thuiliere:fs thuillier:fm thukral:kms thumm:dju thung:fk thurey:ns thurman:ar thurner:sv thurston:dh2r
thuy:ant2 thu:hkltvy thwal:ac thyagarajan:jn tianqi:cz
tian:a6b15c27d7f12g8h32ij53k11l17m22n3p11q14r16s36t8w16x38y83z39 tiberio:a2 tibrewal:ntv tibshirani:r2
tichy:m2p ticknor:cjr ticona:bv tidar:bkt tiede:cp tiemann:emt tienne:am tien:cd3fhj2nps2t2 tieri:f2l
tierney:gkns2 tierz:am tieu:ck2 tiezzi:fm tie:bcgm2rxyz tifi:abmps tifrea:am tif:abdefm3s4y tighe:ajr tigu:jk
tijssen:ar tikas:ak tikhomirov:km tikhonov:adps tillmann:apsu tillman:b3mpr tilly:j2m tilson:js tilton:lm
timalsina:p2u timbers:ft timbie:dp timer:c2 timilsina:s3 timko:de2 timmermans:cdej2mr timmerman:r3 timmer:crs
timme:ms timms:al timm:cf timoneda:jx tim:bl2y tinaz:bs tindall:jl tine:be ting:c4d4fh2jk2l2t2w2xyz
tinisik:efs tini:efs tinker:j2r tino:gp tintas:egios tin:abm2r tiozzo:gv tipnis:uv tipton:aj tirado:aj2
tirumala:dks2 tischler:bv tissera:dp tissier:jm tithi:js titov:aim2sv titus:aclms titze:cm tiu:ac
tiwari:a19b2cd4g2hj2k2l2m5n5op7r5s17tu4v5y tiwary:bp3su ti:az tjandra:ad tjoa:e2 tkachenko:a3imnru tkach:av
tke:fm tkiewicz:ae tkin:cgi tkowiak:ap tkowski:abm tko:d2p tla:agrsv tlett:abdj5m2pst tley:a2b2cdegikp2rst
tmann:acejmpry tman:ace3hm2r2st tmeyer:pr tner:ab tobel:jt tobe:ty tobias:rsw tobin:jkrst toda:hknty3
todd:be2gj2mos todescato:m2 todi:k2 todorovski:lv todorov:agi2kl2ny todo:mt toffalini:ef toft:es togashi:ckr
tognoli:aet togo:rs tohidi:a2kps tohme:ft toh:gjkpsvwyz toit:djst toivonen:aht2 tojo:k2 tokareva:a2s
toker:adgms tokita:sy toklu:en tokmak:o2 tokuda:fjk2 tokui:ns tokumaru:p2 tokunaga:ant tokura:hky tola:mt
toledo:a2cde2ghj2st2y tolias:agt tolini:acn toli:acdegnp tolksdorf:lp toller:dm tolley:acehm tolle:hj
tolomei:glms tolomeo:ads toloza:jo tolo:dm2n tolstaya:ek tolucci:f2s tol:ar2s tomala:ak tomanek:dk toman:lv
tomaru:kr tomar:a3dg2lmnrs4y2 tomasello:pr tomasetti:cen tomasevic:adm tomasini:cu tomasi:cefgs
tomaszewski:ajm2 tomas:dijlmp tomaz:lr toma:a2bhiklmt tomczak:jns tomei:cm tomer:akm tome:ab tomic:nos
tomilov:ay tominaga:hn tomioka:hy tomio:hl tomita:ak2n2sy2 tomkins:as tomlinson:ghikt tomlin:cn2 tommasini:drv
tommasi:m2t tommaso:dfg tomonari:hk tomov:mtv tompkins:jns tom:a3gjkrt tondo:fgl tonekaboni:ns tonelli:frs
tone:dt tong:a8b7c11d2e3f2g4h13j27k7l8m6np4q4r7s13t5vw8x19y32z12 toninelli:ce tonini:f2 tonin:fl toni:cfg2l2
tonkin:em tonmoy:km tonneau:m2s tono:ah tonta:ay tonti:cf tonucci:ef ton:a6bcd3g2j3k2l3m4nrs4t tooley:lp
toole:aejms toomey:elm toor:a3gs toosi:a2mrs too:ey topaloglu:aou topal:bos topaz:acm topcu:b2tu topfer:mnt
topping:dm toprak:t2 topuz:vy torabi:ary toral:alr tora:gsv torbati:n2 toribio:m2 torii:kmo torija:ae
toriumi:frsy tori:fks torkamani:am2 torki:am2 tornatore:lm tornberg:ac2p tornede:at tornero:j2 torner:fl
torne:mr toroghi:ar torok:jmp toro:egj3m2no2prt2w torquato:ms torralba:a3j2 torras:cp torregrosa:j2
torrejon:ad torrent:d2t torresi:el torres:a5b2c6d5ef2g2ij8kl4m5pr3s5vw torre:a2cd2fghl2m4op2rs3v torricelli:lm
torrielli:fp torrisi:as torroba:giq torta:egm tortei:bd tortora:clmps tortorella:fv tortosa:ap tosaki:t2
tosato:ag2lt toscano:acef2js2t toschi:fn tosch:ew tosetti:ms toshev:ay toshniwal:d2hs tosh:bcg tosin:am
tosi:afmns2 toslak:dm tosolini:a2 toso:am tost:aef tosun:abe2 toszek:kl tos:aimv totaro:bp toth:bc2g4jlmprs2tv
totten:aos2 totz:cj touati:a2 toulemonde:m2 touma:rst toumi:ky tourani:as2 tourbier:sy toure:bfi tourigny:de
touri:ab tour:bhmt tousi:as toussaint:m2n tovar:de tov:e2ovy towers:ms towner:am townsend:a2b3j4klmpr
toyama:dk3 toyoda:ak3t toyota:bs tozzi:afglp to:a2bc2dgh2k3mt4 trabelsi:a2bhmoy tracey:b2gj2 tracy:krt trac:hl
trager:jlmnrs traina:a2c trainor:rt tramm:js tramontana:ep tramontini:dm trampert:ap tram:lst2 trang:blm2np
trani:af tran:a5b4c10d16egh15j3k11l7m11n8p9q4s4t38u2v8x traore:amo trapani:cjls trapp:a2cm3u trattnig:s2
traub:j2m2v trauger:j2t trautmann:aeghop trautner:am trautsch:af trautwein:du travadi:ry traverso:gps
travers:acms travkin:or tra:ad2ilm4 trehan:adsv treiber:ah treister:e2 tremblay:abgj5mnps3vy trempe:p2
trentin:emp trenti:m2 tretiakov:os tretiak:ds tretschk:e2 tretter:cft treutlein:jp trevino:ij2 trevisan:delmv
trevizan:fw tre:j2ms triani:dn triantafillou:enps triantafyllopoulos:ail triantafyllou:dm trick:jpsw
triebel:mr trier:cl triesch:ej trieu:ahl2q trifonov:pstv2 trigo:ejm2 triki:ahs trilling:d2 trindade:ai2n
trines:dm trinh:abcd2h5klmn3pqt5v2 trinidad:m2 tripathi:a13bd3h2jkmn3p4r6s13uv3 tripathy:a9bjmns3 tripodi:kr3
trippe:bjs tripp:bsz trisovic:aj tristan:jk tristram:fkmp trivedi:a9dh3j2km2n2op3rs3v2z trivedy:sv trizio:lm
tri:nq troccoli:ae trodden:mp trofimova:dem trofimov:am troiani:aceg trois:aey trojanowski:ls troncoso:acmnps
trondle:dm trong:dn2t2 tron:rv tropp:jo troster:mt trost:a2j trotta:a2dgjr trotter:acj trott:acest trovato:a2
trovo:fm trucci:gr trudeau:a2 trudel:adn trujillo:acij2l2pr truman:pt trumper:dim trump:bj trunfio:p2
trung:bhkl2n3pt truong:a2b2c4dh6j3k4l5m2n5p2q3rs2t11v4w trusov:a2 truss:jm try:cjr trzaskowski:bm trzcinski:mt
tsagarakis:n2 tsagkas:chn tsai:a4bc16d3e3f3h3j5lm5np6r2s12t7vwy11z tsakalidis:dk tsamis:kt
tsang:c3d2h3ijk2most4vw2x tsan:bt tsao:cm2rtwy2 tsay:cjt tschantz:ams tschat:ak tschopp:fm tsch:a2dfhj3ms
tsegaye:bn tseng:abc7d2efg3h3jk4l4m2p2rs2t5vw2y8 tsen:a2 tseytlin:am tse:abd2i2jlmrt2wy tshering:ku tshuler:bm
tshuva:im tsigkari:dm tsilivis:nt tsios:dv tsironis:gnv tsoi:hjmnt tsonis:ae tson:aem tsoukalas:g2k tsouros:ad
tsou:hjy tsoy:eo tso:dj tsuboi:krty2z tsubouchi:kmy tsubo:rs tsuchida:amr2t tsuchiya:a3cfhkmrst3 tsuda:kmy2
tsuge:hikmnst tsui:bcdhk4y tsujii:jmy tsujimoto:m2sty tsujimura:ht tsuji:chk3mnrs3t3 tsukada:hlmt
tsukagoshi:h2t tsukamoto:hkns2y tsuka:adhjk2rt2 tsuki:jms tsumura:ks tsunekawa:im tsung:f2 tsuruoka:gy
tsur:d2mo tsushima:ak tsutsui:ahs tsutsumi:a3m tsuzuki:ty tsu:hkt tsvetkov:kty tsvigun:ai tsymbalov:ae
ttagupta:a2 ttanzi:agmrsv ttas:a2m ttaviano:ams tta:a32b4d13f2g3h4ij3k5lm4n7op15r13s49tu2v4y2 tten:dj2ms2
ttershagen:jl tter:bcdjsw ttes:jp tte:abcdhlmnp2s2 ttinger:fjs tting:mp tti:l2 ttlaff:am ttl:am ttmann:acjlp
ttmer:sw ttner:ijs tton:rz ttori:fg tto:a2c2fghj2lm5p2stw2 ttre:bfms ttrich:cdjk ttuada:ad ttus:ht
tuan:bc2dhkl2mt tuba:emt tucci:acfms tuci:em tucker:a2bcd3g2hj5km2norst tudela:ar tudor:a3cd tufano:mr
tugui:ac tuladhar:au tulbure:am tulino:ar tuli:m2s3 tullsen:dm tulsiani:ms tulyakov:s2 tumanov:a2 tumer:a2ekn
tummalapalli:hp tummala:prv tumu:ar tum:mz tuna:befhist tuncali:cm tuncay:ls2 tuncel:dlm tuncer:acft tunc:bch
tung:a4bc2d2fh2ij2kl2mnpty2 tunji:ei2t tunnermann:ah tunon:co tunovskiy:a2 tun:ahikmnotuy2z tuominen:kt
tuong:fn tuo:adhj2kmqrwx2y3z2 tural:ae turan:a2b3de2gmn turav:sv turayeif:n2 turchin:av turchi:a2mn turck:cf
turcotte:a2gjs turek:adeijs2 turetken:eo turgeman:mr turgut:ado turhan:br turiel:jv turkan:my2 turkay:cs
turkel:em turker:amt2 turki:aehimrsy turkmen:acfms turkoglu:mt turko:ln turk:egjkmnou turley:jn
turnbull:ad3jkorst turner:a4bcd5e3hj7k2lm3n3p2r4stw turo:ij turpin:amt turragu:hp turrini:dp turrisi:gv
turri:egmv turski:hm tursunov:ae tursun:ako tur:a2dgy tuscher:dmo tushar:fwz tuszynski:ak tus:ns tuttle:dns
tuval:io tuveri:afn tuya:jz tuyls:jk tuzel:os tuzhilin:a2
tu:a2b3c12d9e3f4g4h14j20k6l5m8n2p8q2r8s13t7vw7x15y21z19 twardowski:bmp twarog:b2 twigg:ac2j tworek:hjp twu:ap
tyagi:a7dh2kn4p2rs3tu tyler:bz typaldos:gp typov:ir tyrakowski:jp tyree:jsz tyrovolas:dm tyrrell:abh
tyshev:eip tyson:agjt tyszka:aj tyurin:a2 tzamos:c2 tzeng:ens2y tzes:am tzoumas:gv t:a2bdh2klm3pr6s6v
uah:a5jpst2y uardo:cr uart:a2eh2lp uati:m2 ubacher:jr ubaldi:al ubayashi:ns ubbs:chjz ubeda:elm ubel:c2
uber:ahjmrst2 ubhi:a2 ubler:hl ubner:ms ubukata:s3t ucar:ab2 ucchi:de ucci:cm uchendu:aiu uche:adijy
uchida:a2fh2ik3m2n2rs3twy3 uchino:k2y uchiyama:fh4k3st uch:aehmos ucker:hjm uckey:dp uck:ajm2 udagawa:hkty
udayangani:n2 uda:ad2ehk6lm3n2r2s2t3y4 uddin:agi2jkm8s3z uder:cdm udeshi:ams udet:jl ude:et udi:mnsu udo:ajrt
udupa:a2js2 udy:os udzinski:mw ufer:b2k2msy ufi:ars2 ugarte:ir uga:egh ugel:t2 ugenio:cf2
ughlin:a2b3c2dij3km3os4 ughridge:c2 ugier:cr ugolini:acs uguralp:az ugurlu:dk ugur:efm2o2t ugwu:c2eu2
uhara:ehkmrs uher:rt uhlemann:cn uhlig:ajkms uhlmann:gjlmv uhl:abcimqt uhrich:bp uie:bdhjors uis:a3cdejmn2ot2y
ujevic:ms ujjain:s2 ukani:a2n ukermann:bf ukita:kn uki:adj ukka:ep ulai:ju ula:a4gjs3t ulin:ajlmr ulku:ai
ulla:a2mprsw ulle:ay ull:cdx ulm:gj ulu:ens umar:a4hmr umatsu:hkr uma:et umberto:bg umeda:h2kty umeh:fo
umemura:ak2 umer:fm3r umpf:aps2 ump:ac umura:k3ms2w um:d2hijk2s4t2y unal:a2bc2efg2moru unay:ey underwood:akrtw
unde:ahij unel:gm une:j2 ungaro:lo unger:abcgh2j2mrst ungureanu:adgv ung:a2c5d2fg2h4j5k5lm5nopqrs3t3v2w3y
unis:bi uniyal:admn uni:a2bsv unlu:ac2e2nt unnikrishnan:bhjrs unni:admv unno:hky unold:ot uno:hk3nrsty5
unruh:mw unsal:amo unterhuber:dp unuma:mnr unver:gt unwin:js upadhyaya:a3p2s upadhyay:a4d2hk3mnop2r4s12tu3v
upadhye:ans2 upasani:kns uphin:afy uphoff:im upmeier:hm uppalapati:bkn uppal:a4gknr uppuluri:kp uranga:ab
urano:dky uran:aj urata:kmr ura:ckmrs urbanczyk:tw urbanek:jm urbaniak:dm urbano:a2mx urbanski:am
urban:acf2j3klm2ns2t urbas:ms urbinati:as urbina:achjw urdu:am ureiro:a3bm2n urena:aelrs urenco:abijl2m2noprv
urens:agkm urentis:gm urent:ab2efg2hj2m3npt urenzi:ab ures:ct urgese:fg uriarte:ej uria:ab2eg uribe:abc2dfjs3
urie:gjn2 urin:cdj uritsen:k2ls uri:fjpr urmer:jm urmi:ms urm:abcejkmst urooj:ams uro:frv urquhart:acjr
urrego:aij urrutia:fj4rt urry:m2 ursache:ac ursen:acm2p ursino:dm urua:es uru:npsv usai:deimn usaka:aist
usama:m2 usan:kz uschner:jv usenko:dv usen:lr user:af usevitch:djn usha:a2 usher:mw ushiku:ty ushio:art2
uslu:afj usmani:fmsz usmanova:ai usman:abm2r2s4u uso:eg usser:lt ustsen:cjn ustun:abiv ustyuzhanin:a2 usui:ams
utama:apr utel:im utenegger:m2ns utenschlager:lt ute:ns uthold:jst uth:ej2r uto:m2 utsch:d2i2j2m utting:ht
utz:a3cd3ef2jm2prv uven:mo uvet:afhjm uyama:ajkt uyanik:him uya:as2 uygun:ey uysal:ae2fim2n2 uy:gm uzan:h2jo
uzawa:ky2 uzen:acos uze:cfn uziel:gr uzuner:o2 uzun:ety u:aik2lv2 vaca:ae vaccarino:fg vaccaro:a2cm3u
vacca:g2nvw vacher:klmq vachhani:bjl vachha:bc vadali:ams vadapalli:ar vadas:ls vaddi:prs2 vadera:ms
vadgama:ns vadiga:ap3 vadi:ay vadya:a2 vafa:cfkmr vagenas:aept vaghasiya:hj vaghefi:ars vaglio:ms vahdati:ds
vahdatpour:am vahdat:a2b vahedi:a2bm vahidi:a2hjp vahid:am vaida:cdm vaidheeswaran:av vaidhyanathan:kp
vaidyanathan:as2v2 vaidya:a4bghk2m2n2os3u2v vaid:a2s2 vaikuntanathan:sv vaillancourt:kl vaillant:c2gm vail:ab
vainio:or vainshtein:a2dr vainstein:dm vairavan:as vaishnavi:kp vaishnav:amp vaish:a2pr2 vaisman:a2 vai:aj
vajda:dip vajiac:am vajjala:s2 vakalopoulou:ms vakaran:ad vakharia:nv vakhitov:a2r vakilian:av vakili:bf2ms3
vakil:jn vakkuri:ev vaknin:det vakulenko:as valach:fos valadez:ag vala:as valderrama:cn valdes:adf3ghim
valdez:chjmrst valdivia:a4dmrv valdivieso:bhy valecha:rs valeev:an valenca:lr2 valencia:ac2def2gijkr2s3t
valencic:el valenta:ck valente:a3djm2pt2 valentine:djm valentini:afg2im5 valentino:efjm valentin:bj2lmor
valenti:aejms valenzula:aegi2j3l2m2op2rstv valera:aijp valerio:dflm valero:ace2jmors2 valer:ag valette:aejms
vale:agjlpr valiante:er valiant:gl valiente:adj2mpt valizadeh:gm2 vali:am valkonen:st valkov:lv valko:dm
valk:gkr vallarino:em valla:mst vallee:fp vallejos:cejl vallejo:cjmp valles:abcfl vallet:bhmqv
valle:abe2ij4l3m2n2p2r3s2 vallieres:mx valli:am vallone:ag vallon:cj valls:adg valluri:ms2 vall:abk valois:jp
valos:cej valstar:ms valtolina:gs valverde:a3eij3ms valvo:dl val:a2dh2i2j3qrsv vamossy:dz vamshi:bh vanbu:p2
vance:es vang:behy vani:a3bjs vanko:gm vanne:jm vann:dj vanzo:adp van:ac4d2h2k3l3m2opqrs2tv vaquro:jlv
varacalli:gm varadarajan:bgk4v2 varadhan:pr varadharajan:krs2vy varado:a2cd2efov varajan:gs2 varakonda:acms3
varanasi:ks varandas:ap varapalli:ns vara:gjkn vardanyan:at2 vardhanabhuti:v2 vardhan:h2mns vardi:abgms
varea:ci varela:cij3lm4o varenga:jl2m vares:cp varetto:gu varez:a8bc3d3efg3ij6kl2m9np3r4s2tv vare:ps
vargas:a2b3c2d3f2hij4kl2m3np2r2s2tv2 varga:abd2j2k2m2rtv2 varghese:a5bcdej4lmors3t2 varia:ms varin:gmp2
vari:ehm2nsz varley:j3mt varli:hs varma:a5bd4gh2jm4pr2s4v4 varol:eghor varoquaux:gn varo:a2d varra:msv
varriale:ber varrone:m2 varro:dr varsavsky:t2 varshney:a5d2klnp3st vartak:kr vart:kpw vary:js var:em2s
vasani:bdrs2 vasanth:rs vasan:a2gknrsv vasa:rs vasconcelos:cef2g2hilm2nv2 vasco:mv vashishtha:ags3
vashishth:stv vashistha:a2s vashisth:as2 vashist:ac vasic:bimp vasilakis:g2ny vasilakos:at vasileiadis:ag
vasileiou:asv vasilescu:bv vasileva:al vasilevski:dn vasilev:a2dimnps3tvy vasile:cf2mr2 vasiliev:ae2ikmnps
vasiljevic:ip vasilopoulos:ag vasilyev:aegiosv vasil:g2 vasireddy:ap2s vasisht:dk vasista:ai vaskevicius:nt
vasko:im vasqus:krx2 vasquz:bd3fg2ij3m2pry2 vassallo:acdfr vassalos:pv vassar:am vasselli:ej vasserman:es
vasseur:clprx vassileva:js vassilieva:no vass:kms vasudevan:agkr2s4v vasudeva:bk vasudev:p2r vasu:bpr2s
vaswani:a2s vasylenko:pv vasyunin:av vas:ailr vatankhah:sz vater:lt vath:mp vati:egi vato:aj2s vatsal:sv2
vatsavai:r2s vatsa:a2mt vats:a2deikns2v4 vauchelle:ps vaucher:amprs vaud:lm vaughan:a3bcdfjkst vaughn:cr
vaux:fg vavilov:dn vay:gkps vazan:am vazdekis:a2 vaze:rsv vazirani:uv vaziri:amnrs vazi:m2
vazquz:a7c3d3e2f2ghj5m6npr3sv vazza:fl2 vaz:ac2dj3lp vcharenko:ho vchenko:ms vchinnikov:adgsy veale:mt vear:dm
veas:es vecchia:cd vecchio:acg2ikm2s2 vecchi:a2ef vece:cm vedder:cjk vedernikov:ae vedrenne:ln vedula:bnps
veenbor:bt veen:a2del2mr2s veeramachaneni:k2v veerapaneni:rs veeraraghavan:ahr veeravalli:btv veer:ks vee:hm
vega:a3c2d2f3g2ij3l4mrst vegesna:bs vegh:djlv veiga:fl2m2rs veilleux:nps veisi:ahmn veitch:js2v veith:eh
veit:t2w vekar:amn velace:gjr velan:dn velarde:mps velasco:a3c2dejkmop velasquz:ahmv velayuthan:mp
velazquz:dhj3lr vela:b2jp3s veldanda:ag velden:bgz velde:cg veldhuis:rw veldhuizen:gv veldman:sw veless:dk
velez:c3def3nprst velichko:a2y velikanov:m2 velingker:an velioglu:mr veliz:jr veljkovic:ntv vella:afsv
velli:am vellore:a2 vell:bc2jmn velmurugan:mprs veloso:ablm veloz:it velten:ah veltri:eg2p velury:s2
velusamy:dks2 vel:mo vempati:ars4 vemulapalli:ar2 vemula:as2 vemuri:adnrs2v vendhan:rs venditti:adv vendrow:ej
vendruscolo:lm venegas:chmop venieris:is veni:fg venkatachalam:ops2 venkatakrishnan:a2s2 venkataramanan:a3kls
venkataramani:g2s3v2 venkataraman:grs3v venkatasubramanian:ns3v venkata:agkmps venkatesan:a2klmpr3s
venkatesha:vy venkateshwaran:av venkatesh:a4b2cdgk3pr4s4tv2 venkateswaran:npt venkatraman:bp2s4 venkat:a4pr2sv
venneti:as venne:jl venn:hk venport:jm venson:acn venter:cg venthal:ms ventola:fp vento:dm
ventura:c2de2hj2l3moprs venturelli:dfj venturini:cfgrs venturino:al venturi:adfg2ntv vent:is venugopalan:ajrs3
venugopal:a3dimnr2sv2 venuti:ms venuto:df ven:ag2jlr vepsalainen:aj vequ:bclo veraldi:el verall:cs veras:dr
vera:a3c2dfhj4m3n2op3r2u verbeek:bfjkrt verbeke:ejw2 verbelen:rt verberne:s2y verber:mt verbin:dy
verbitsky:imo verbruggen:bg verbrugge:cr verbye:t2 vercauteren:nt vercruysse:dj verda:dg verdejo:av
verde:jl2mn verdiani:fv verdier:amo verdini:a2 verdi:fms verdugo:cfptv verduyn:ac veres:p2 vergani:ds
vergara:abeimp2t verghese:gm vergne:cjm2t2 verhagen:jmt verhamme:ac verheijen:m2 verhelst:em verhoff:hjt
verhof:cet verhoven:bfl verhulst:fns vering:cj2k verleysen:am verman:tw
verma:a32b2d9eg4h4i2jk5l2m10n8p7r7s21tu3v5y2 vermeeren:mp vermeulen:aj2s vernardos:g2 vernay:cf verner:bds
vernet:ejln vernieri:cd vernik:gy vernon:ai veronese:clms veronesi:cmn veron:bfp vero:jkm verrier:agkp
versace:eps versano:gi versluis:lr versteeg:lps verstraten:t2 verstrate:df2jl vertes:ae vert:dk verwimp:cl
very:dpw ver:ab2dgjm2 vescovi:de veselka:ae vesely:mv vesic:ns vesqu:ejms vestergard:m2 vester:bp
ves:a3bc2d4f3g2hij2l3m3n2orsv vetro:ac vetterli:mv vetter:acdjmt vett:cs2 vet:sv vexler:abv vey:a2bcj2
vezzani:afgr vg:jn vialard:fij viale:m2 vial:cd viana:agjm vianello:ael vianna:adpv viano:lm via:cer vicar:djt
vicek:jp vicente:a2gj3lmnpr3s vicentin:gm vichare:gn vichi:ms vich:e2r vicini:adm2p vickers:hjps vickery:cj
vick:ajkmt vico:afgh victoria:agl victor:b2j2mtv vic:ajlmps vidal:a4c2e2f4g2j3lm5p3r2t2v vidaurre:cdr vida:dk
videau:bm videla:an videnovic:ajv vide:fg vidotto:a2 vidovic:ms vidov:hjz vidson:ab3cdg2h3j4k2lmnp4rs2t2
vidsson:npr vid:a8cd5e3f2g2i2j7kl4m6n2opr2s2tvy2 viedo:efhj viegas:cfmp vieira:a2cefg2h2i3j3kl4m2pr5t2 viel:fm
viennot:dj viera:bct viereck:ju viering:it vierling:jl viessmann:fh vies:a3b2c2de4fg2j6l2m4opr4s2t3xz vieth:am
vietri:g2 viet:dgh3knst5v vie:a2bcjr vigano:adgln viger:pt vigil:as vigna:ghs vigneron:bfv vigne:cn vigny:cg
vigouroux:dx vigo:dr vig:aelps viitala:am vijayakumar:a3h2nrsv vijayan:a3ps vijayaraghavan:a2ghps
vijaykumar:an2r vijay:ad2hs4vy2 vijver:e2w vij:a2rs vikram:adrsv vilaca:jl vilalta:a2 vilanova:af2jl2
vilares:dj vilarino:df vilar:d2g vilas:am vila:a4be2gj4klmnpru vilchez:ijv vilchis:jn vilela:cjm2np vilella:ks
vilensky:dr vilesov:a2 villagra:ckm villain:fjn villalba:d2jos villalobos:ehijs2vy villalonga:gm villalva:aj
villani:cgm2p villanuva:ace2gi2jklm2n2v2 villard:ajl villari:lm villarreal:a2cejlors villarroya:ps
villar:a2dps villasenor:abj villa:a4cde2f2g2jlm2nors2u villegas:a2cdfj2mpqv villela:kt villers:afor
ville:adlms villforth:c2 villiers:dep villinger:cm vinagre:gij vinatier:fst vinay:arv vina:aekmns vincenti:fj
vincent:abc2de3ghj4km4n2op4st4 vincenzi:abdms2 vincenzo:fgj vince:aco vincigurra:gs2 vinci:fgm vincke:h2
vincon:nt vinco:ms vincze:mr vindi:iv vinent:do vines:fj3 vinet:ls vine:a2b2cdgh2i2j5kl2m6nprs4wyz ving:dm
vinha:gs vinh:hl2nt vining:nw vinjamuri:rs vinke:ew vink:j2r vinnakota:kl vinnikov:av vinod:a2g2kmv2
vinogradova:au vinogradov:aev2 vino:cdgm2 vinsen:jk vinson:eglrt vins:os vinzamuri:b2
vin:a6bc2d3e3ghij4kl2m4nr3s4 violante:in viola:cfi2j2lmr violette:adfp virani:as vira:ae2jv virkar:ky
virmani:as viro:ov virtanen:ipst virta:aj vir:ar visca:ls visentin:af vishal:jv vishnevskiy:mv vishnubhotla:ks
vishnu:ahk vishnyakova:aev vishveshwara:s2 vishwakarma:a3cdg2h2prsv2 vishwanath:a2kmsv visioni:ad visontai:dm
vison:a3b2jrw vispute:akns vissapragada:rs2 visscher:bciks vissers:kmt visser:a2ce2j2m2npr vissiere:am
visuri:aj viswanathan:a5hjk5m2s2v4 viswanath:bhkps4 vis:a13b4c9d6e2g2hij15k4l3m6n3opr6s8t5v2 vitagliano:egl
vitale:afgj2mprs3v2 vitali:defm2s vitan:ajrs2 vita:eg3m2v vitek:jmo vitelli:v2 viterbo:eg vitiello:fgp
vitigala:cd viti:brs vitorino:j2 vito:efrvz2 vitry:at vitskiy:a2 vittala:kp vittori:g2 vitt:acj2km2rs vitz:cgr
vit:ads vivas:ak viveiros:am vivekanandan:ar vivek:nsv vives:egx viviani:gm2 viviano:jk vivo:mp vkota:aj2ps2
vlachopoulos:lo vlachos:a3ce2kp2s2 vladimirov:adim vladimir:kmv vlahos:bcr vlasova:av vlasov:a2cir vlin:km2s2t
vock:dr2s vodrahalli:k2 vogele:acdm2 vogelsang:ajw vogelstein:jl vogels:ar vogel:a2bc2defghij3l2m4npstw
vogiatzis:gs vogler:c2hms vogl:c2fgrw vogt:cdfhijl2mrst2 vohra:ary voice:jt voiculescu:di voicu:an voie:j2mrs
voigtlander:bjp voigt:a2c2dhj2lm2rs voisin:efmv voit:em2s volchenkov:ad voleti:v2 volin:cd voli:df
volker:b2gj3m volkmer:rt volkova:a2msy volkov:a2d2eisvy volk:bc2gkmt vollebregt:ms vollmer:ab2jmrst voll:ce
volmer:jlm volnova:ae voloshin:ac volpato:gr volpe:d2g2j volpi:jmr volvach:al volz:djlp2sv vong:acwy
voodi:a4efkm voorhees:ep voort:afs voracek:v2 vora:a2jklm2ns3 vorobev:adp vorobiev:ade vorobyov:es2
voronov:a2rt voros:as vorster:chj vorst:er vosoughi:a2s vossen:ap voss:ac2h2jlm2n vos:a3b2efgjklm4p2rs2tw
voudi:akr2s2z voudouris:ak vougioukas:ks voulgaris:gps voutsinas:gs vovk:imv voyles:ar voynov:ao voy:mt
vozikis:a2 voznyuk:gi vo:a3b2d3h7k4lmn4pq2rt15v4 vrac:mn vraj:a2v vray:gv vrba:fjmv vreeken:aj vreeswijk:cp
vreniuk:am vrentovich:mo vriendt:j2k vries:abcdegj3km2noprstwx vs:sv2 vtyan:a2h vucetic:bm vucha:r2
vuckovic:js vuilleumier:pr vukovic:dm5rt vulic:ikp vuong:abehkq2t5v vuorinen:ejm vuppala:ar vural:defho
vuran:do vura:s2 vutukuri:ah vutukuru:m2 vuyyuru:bm vu:a2b2cd7eh8j2k3lm3n7p2q2s2t16vxy vvuri:grs vyalla:rs
vyas:a6jk2m5n2prs5ty2 vya:a2s vydova:nv vydov:a3dopv vykopal:ij vylder:bj vytla:en vyver:bdg
v:a6bdgj2k4lm2np5r2s3tv4y wachsmuth:hs wachs:dj3 wachter:jm2ps3t wacker:bj wada:a2jk2m2nst3y3 waddell:ks
wadekar:dp wade:c3gjlmprtv wadhawan:ar wadhwani:ak wadhwa:a2emn2s4v wadia:rs wadsworth:bj2s wagemans:aj
wagener:hkm2n wager:ps waggoner:bcp waghmare:gs wagh:abmsy wagle:abjp2s2
wagner:a8b3c7d4e3f4g3hi2j6k2l2m8n4p2r4s7t3uvz wagoner:kr wagstaff:beks2 wahab:ah2m2no2sy wahba:km wahed:a2m2s
waheed:a2nsu wahid:akr wahlstrom:jmn wahl:acdh2jlm2n2s2 wah:cty waibel:a2cr wails:ar wainwright:cm2p wain:mn
wais:fmn waites:cw waite:ae2j wai:eh3k wakabayashi:ky wakai:en wakasugi:kst wakeel:am wakefield:fj wake:an
waks:ej wala:ak walch:ams walczak:abcem2n waldecker:lr walden:mw walder:abcr walde:st waldmann:eisu waldner:dm
waldron:j2sw wald:aci2j2lnsty wale:bgw walia:agjrv walid:ano wali:aoqs
walker:a3b4c4d3e7ghi2j9k3l2m10n5p2r3s7t4w2z walkowiak:bpt walkup:kr wallace:ab3c2e3j4m2nr2stw wallach:dh
wallat:js wallbridge:cjns waller:jlmps walle:bjps wallingford:m2 wallin:ej wallisch:bp wallis:adp3t
wallner:gjmsv walls:abfr wally:bn wall:bcdef2j2lw walmsley:dkm2p walser:es walsh:a2bc5deg2hj5km2np2s3t3
walters:abcdk2m2pr4st walter:a3b3c2d2f4jm4nprs3tv waltham:cn walther:acjm2psuv walton:acd2jn2st walt:abcjps
walz:ace2ks wal:a2bfjmors2v wambacq:jp wambsganss:jt wambugu:in wamorkar:ct wampfler:rs wanat:rs wandel:aknt
wander:gs wandowska:mn wandowski:a2b2m3rs wand:djm2p wane:pv wangan:glt wanga:afklr2y
wang:a74b157c275d153e27f89g133h368i3j461k110l238m167n36o5p97q182r149s395t129v4w178x420y658z525
wani:afklm2qs3t2 wanjari:cs wanner:e2jl2mt wanyan:ty
wan:a9b9c20d7e3f9g9h18j25k9l10m16n4p7q16r8s27t5vw18x23y41z47 waqas:a2dm warburton:nr wardat:m2 warden:ps
wardle:jm ward:ab2c2d3e2fghij6klm4nr2s4t4wz ware:b2km warfield:js warin:jx warkentin:a2t wark:el warmuth:am
warnell:g2 warner:bdhj5kmn2s warne:cdm warnke:lt warraich:es warren:acd2g2h2j4k2l2z warrier:a2dt
warrington:ajmn warr:hk warwick:bc war:a3dgs2 wasala:j2m waseem:am washburn:ajn washington:ghj wasif:adsw
wasilewski:mw wasi:a2s wasnik:p2v wassermann:dm wasserman:aj2lm2ntw wasser:ps wassie:a2 wasson:tz wasti:bs2
was:ajtz watabe:kms watanabe:a3efgh7j3k13m5n3r3s8t5y7 waterman:aj waterschoot:ct waters:acgjklnpr wathen:am
watine:fm watkins:a3cehj2lmorsy watson:a5b3c4d5gj8klm2n2p2rs4vw watters:pw2 watts:a2cdfgimnot watt:cjns2
wauters:lmt wawer:am wawrzyniak:lp wayland:ar wayne:dg2 way:adekrs2z wazzan:hmo wa:hs wda:am weakley:aj
weaver:abc3ij2k2nr2s webber:abdgj2kmr webb:a2b2c2d2ghj2m4n2r3st3w weber:a8b2c5d3e3g3i2j10k3l4m12n2p3r7s7t5v3
webster:abc2deij2k4mnpr2s3t wechsler:r2 wedemeyer:ms weed:aj weeger:no weekes:ao weeks:abew weerakoon:d2k
weerasinghe:km2r2 weerasooriya:hst weerdt:ejm weers:af weerts:hls weese:am2 wee:d2jl2ms3 wegener:aps
wegner:cdfjl2t wegrzyn:jp wehbe:b2l wehbi:ho wehner:cms wehrheim:hm wehr:dg weibel:ac2jn weichel:hm
weichert:fj weidenbach:ac weidinger:cl weidlich:amor weidmann:bt weidner:cdjm2 weigand:m2pt weigang:lw
weigel:m2 weigert:mv weigt:jm weijer:j2 weikang:wy weikl:st weiland:hjs weiler:am weil:kpr weimann:mo
weimar:m2 weimer:hjm weinand:aj weinberger:a2ejkmnprs2 weinberg:adkmprtz weinert:a2t weiner:b2m4nrswz
weingarten:jm weinhardt:cdfn weinhold:rs weinmann:acm4pt weinreb:crs weinschenk:rs weinstein:a2ej2mo2s
weintraub:g2iw weinzierl:as2t wein:afs weirich:s2 weir:dknrw weiser:cmp weishaupt:kl weissbrod:p2s
weissenberger:fs weisser:cdkm weisskopf:m3 weissmann:st weissman:g2jlstz weiss:a5b4c2deg2ij3k2l3m7p2r3s6t3vy2
weisz:adfgj weis:cdek2lm3s weitzner:dh weitz:j3kmp weizman:a2
wei:a9b25c39d20e3f17g17h48j83k15l37m26n4op17q26r19s55t22vw27x75y97z76 welborn:jmv welch:bcgjr2sw weldon:ms
weld:d3 welker:acs2v weller:abej3klmn2ou welles:br welle:mp welling:d2mt wellmann:bs wellman:m2t
wells:a3d2j2k2l2msw well:a3defklmos2t welschinger:jl welsch:cr2t welsh:aj2lrtw wels:jm welter:ack
weltevrede:mp welte:ae welty:cd wel:aj wenbin:glz wenbo:c2 wendell:akr wendland:aj2k wendler:cmt wendling:afls
wendt:de2jm2t wenger:cj2r2st weng:b3c9d6f2g2h14j13kl4m4np4q4r3s17t5w9x10y17z16 weniger:cj weninger:flt
wenjie:cwz2 wenkang:gq wenke:st wenstein:gm2 wensveen:rst wens:a2c2d2jkmpr wentzel:jt went:dm wenzek:gh
wenzel:gjkm3nprtw wenz:fh wen:a5b11c28d8e5f8g9h37j43k7l24m10n3p9q16r9s34t15v2w16x38y54z48 weon:bd wera:gj
werf:ps werk:jm werling:ckm wermelinger:lm werner:ab2def2g2hj6k2l2m3n3op3r2s4t2y weron:kt wertheim:ak
werthmann:cj werth:do wery:bk wer:amrt wesolowski:jm2p wesseling:jp wessels:dfh wessel:jlm wessling:em
wesson:jr wess:gm westberg:bm westbrook:cj westbury:abl westen:dg westerban:ab westerdijk:ht westerhoff:jm
westerink:bj westerkamp:fgm westerlund:mt westermann:chjmr westhuizen:em westhus:cm westin:cp westling:cg
westman:ej weston:adj3pr westphal:ac2djlm westra:ejm west:a3b2cdeg2hj5k2m5pr2 wes:a2cjmrt wetering:hj wette:ck
wetzel:abdjls wetzstein:gn wet:fms wevers:imt weyman:cj weyrich:mt wey:abmrst we:djx whalen:cdeiklm
whang:j2s2y wheatley:dp wheeler:a2c2efj2lm3rstv2 whelan:aejk while:z2 whitaker:k3r2t2 whitcomb:ack
whitehead:bhjlmst whitehill:jmr whitehouse:bcghkln whiteley:sw whiteson:ds whiteway:lm2
white:a6b3c3d5e5fg3ij7kl3m8n4o2p4r9s8t3vy whiting:b2m2p2 whitlock:bms whitlow:c2 whitman:jks whitmore:bs
whitney:bc2hjp whittaker:jlms whitten:jp whittingham:hij whittle:gj2r whitworth:a2dgp whurst:dm wiafe:is
wiart:cj wibault:ct wiberg:hv wibisono:a2 wibowo:hiny wicaksono:adi wichmann:af2gp wicker:jmr wicke:kpw
wicki:a2dm2r wickramasinghe:kpsu wickremasinghe:dt wicks:dehr wick:bjltw widener:mp widera:ar widhalm:dg
widl:ae widmann:emt widman:lm widmer:dgj2pt wiebe:d2nr wiechmann:adj wieck:aj wieczorek:jmoprst
wiedemann:dem2n2s2t wieder:bu wiedmann:ls wiedner:m2u wiegand:agkmt2 wiegert:pt wieland:gjw wiele:fg wiel:es
wiener:gls wiens:a2jmz wiersema:kr wiersma:dr wierstra:df wiertel:m2 wiesel:bj wieser:a2efm2 wiese:acij2km3
wiesner:dfjkm2pst2u wiest:jor wies:cnt2 wigderson:as wiggers:ak wigger:dm wiggins:acg2jns wijaya:a3bdefw2
wijekoon:aj wijeratne:ps wijers:mnr wijesekera:dp wijesinghe:anp3 wijesundara:cm wijethilake:kn wijethunga:c2
wijk:cd wijnands:jr wijnen:kr wiktorowicz:gs wik:dt wilbur:jkr wilcox:ab3ej2lw wilczek:afms wilczynski:agj
wildberger:jn wildermuth:dh wilder:bj wilde:a2bdef2ghm3nst wilding:em wildi:ft wildman:jv wild:bcjlm2prsv
wilensky:mu wilfing:g2 wilfred:ov wilhelmi:fl wilhelmsen:ko wilhelm:a2cd2efjlm4pr wilkens:cgmr wilken:lps
wilkerson:gr wilkes:bcgm wilke:dr wilkinson:a2bcdghj2km3nos3tw wilkins:bd3ghjms2 wilkowski:ad wilk:mp
willart:tw willaur:a2 willcox:djk willemsen:bfmu willems:f2s2w willer:ar willett:efkpr2sw willey:lm
wille:abcm2rt williamson:a3bcd5hij3kmr2s2 williams:a10b6c6d9e4fg5h7i3j16k5l7m9n4o3p6r9s10t5v2 william:a2gkn
willig:am willingham:bdj willis:abd2egjk3m2r4s3t2 willi:mt willke:bt2 willman:bjm willner:a2dis willsch:dm
willson:abelm wills:ajprw will:ijmrs wilms:cgjkm2 wilson:a10b4c10d8e4fg2ij10k4l5m12n3p3r5s6t5vw wilton:ad
wiltz:ar wimmer:alm3tw windecker:st winder:ajt windisch:aft windmann:aj wind:ms wingate:dj wingerden:js
wing:ckmy winiger:fp winkelmann:jr winkel:bfjn winkler:acdh2j3k2l2m3nprs4t winne:jr winnicki:aj winn:aj
wino:fg winslow:bl winstein:kv winston:c4 winterbottom:lt winterhalder:rt winters:aj winter:a4bc4d2j4km2n3p2sw
winther:hi winzer:gp win:acefhijm3nps2z wipf:cd wirbel:ej wirth:a2bcghjm4rst2 wirz:cm wisdom:s2 wiseman:jp2st
wiser:lt wise:efj4mstz wisnicki:a2 wisniewski:degjm2pr wissel:fls wissmann:pt wistuba:imt
wis:a11b3c2d6e2f5g3h3ij6kl2m8n3op3r5s4tw3z2 witczak:ot withanage:at withana:as witherspoon:s2z withers:bfs
witkowski:jkmo wittek:nps wittenstein:jt witten:cdet witteveen:ns witte:cdj2kmps2 wittich:mr wittig:acgh2
wittke:ls wittkowski:mr wittmann:bdimr2 witt:ac4dejklpt witzel:gs witz:aj wit:ej2mt wi:hj3y wkins:hmow
wlatly:ms wler:gs wlodarczak:as wlodarczyk:mt wlor:am wman:aj wodzinski:m2 wohler:cl wohlfeil:ej wohrer:am
wojcicki:jk wojciechowski:akmp wojcieszak:m2 wojcik:bgjlm2p2 wojtowicz:ab wolabi:ov woldesenbet:ak wold:aeios
wolfel:mp wolfer:ls wolfe:abc2dej2kn2r3 wolff:a2bc2e2f2h2jm7np2rs4t2vw wolfram:cjp wolfson:bdijkmt wolfs:br
wolf:a7c2d3ef5g3j6l5m4op2r6s4t4vw wolinski:dm wolki:gn wolk:dks woller:dk wollschlager:at wolman:a2 wolny:am
woloszyn:hj wolpert:ad wolsing:ks wolski:mr wolters:fjmp2 wolter:a2fjkm2 wolz:fklt womble:dj
wong:a18b4c15d6e2f5g5h13ij12k23l9m8n4op7qr5s15t15uv2w8x2y8z2 won:c2dehij7km2rs5t2wy3 woodard:adr woodcock:dj2t
wooders:js woodhouse:ds woodland:mp2 woodruff:a2dhjm woods:a2b3c2d3ehj5k2lm2p2stw woodward:achj2m3n2s
woody:drs wood:a5b5c2defghj6k3m3nr2s9v woolley:acrst wooten:ae wootton:aj woo:bc2d3gh5j15m3n2prs17t2w3y3
worden:ehj2kprsw work:d2 worner:hjls2 wornle:ms worrall:d2s worranitta:k2 worsley:br wortel:im wortmann:aft
worz:s2 wor:an woud:ak wouters:bj2m woydt:ht wozniak:hjm4s woznicki:ps wozny:cp wo:t2 wrance:acn wray:j2kmr2
wrede:bhs wrence:abc3de2hj6ln2r3s wrench:ae wrenn:er wrie:dw wright:a13bc6d8eg3j7k2l3m6nop2r5s4t4z
wrobel:abklms wroblewska:a2 wroblewski:bp wronka:cms wry:cjmps wson:a2bc4dg2ij3k3m3n2p2r2st2w2 wton:bejnpst
wua:dhsy wucher:ae wuhrl:al wulff:abc2djpt wulf:bdem wunderlich:fijmprt wunder:gm wunsche:abch wunsch:djrs
wurm:jm2 wurth:tw wustefeld:ak wust:a2m wusu:efhmps wuthrich:ajkm2 wutte:hr
wu:a27b59c151d59e14f37g53h144ij251k71l95m78n13o3p45q74r65s181t69v3w94x188y327z228 wyart:jmv wyatt:cj2m3rs2t
wyk:dkln wylie:ct wyngarden:mp wynne:jm wynn:aghk wyns:s2 wynter:al wyse:lrt wysocka:mp wysocki:a3dklmo2
wyss:cfkpr wzorek:mp w:krsv2x xavier:abc2j2l2m3y xenakis:ac xenos:am xheimer:en xhonneux:ms xiahou:js
xiangli:kpy xiangyu:yz xiang:a4b9c13d9ef2g4h14j28k4l16m11np5q10r2s18t10vw13x18y38z17 xianyu:sz
xian:bc2dgh4j4kl3m2pqr5t3w3x4y8z7 xiaodong:ck xiaohong:hl xiaohui:hx xiaohu:lx xiaojian:lz xiaolong:ly2
xiaoqiang:jl xiaoshuai:cq xiaoyu:gw2 xiao:a9b17c33d12e3f15g14h41j65k16l35m21n5op7q23r14s36t20w26x43y111z62
xia:a2b17c29d7e3f9g8h34ij31k7l22m16n3p8q14r13s32t16vw14x36y62z45
xie:a10b21c43d24e5f22g19h62j93k17l47m19n7op20q31r22s66t29w43x77y126z99 xingyu:lq
xing:a2b6c11d4ef5g3h15j23k3l16m5n3p2q6r6s15t3vw12x18y42z22 xin:ab4c9d2g2h9j9kl4m5n2q3r5s11t4w5x7y18z13
xiong:a6b14c15d9f7g9h29j35k7l16m14n4p4q8r18s24t9w18x31y50z38 xit:a5d2eg2k2mnp3r2s6tv2y xiu:d2j2kl2nstwxy4z3
xi:ac6d3f3g2h9j8k2l5m5n3p2q2r5s10t3w9x22y20z11 xland:mt xley:jm xle:dj xman:al xompero:ag xon:acd3eijklm2psw
xson:ch xter:gij2mnp xtoby:no xuan:a2bc2fh4j7k3lm2np3qr2s2t3vw3x3y4z6 xua:jtxy
xue:a8b11c22d13e4f8g6h27j34k7l22m12n3p7q5r8s19t10vw14x21y56z39 xun:aglrs2wy2z
xu:a22b70c106d64e12f31g60h158ij200k62l107m95n18o2p37q64r77s158t63v4w103x178y287z227 xv:gjkl x:at yabo:dy
yacobi:ao yacoub:a2t yacov:du yadavalli:ab yadav:a23b2cd5g2h2jk5m7n8p4r9s27t3uv6y2 yada:bkosy yadin:brs
yafeai:mz yaffe:dj yagdian:hk yager:bjkl yaghoubi:ns yaginuma:an yagita:nt yagi:jmnr2st2y2 yaguchi:mt yagyu:kt
yahata:es yahav:ez yahiaoui:lmr yahia:ios2 yahyapour:ar yahyavi:ms yahya:a3himqrwz yaida:ns yair:bi
yajima:h2mty yakar:dt yakimenko:av yakovenko:ao yakovlev:a2ik yakubovich:ads yakushev:egi yalavarthi:sv
yalciner:im yalcinkaya:bd yalcin:a2begos yaldiz:cdm yalon:en yal:a2p2s2 yamac:em yamada:dfh4i3jk9m9nr6s4t4wy6
yamagishi:j2kmsy yamaguchi:aegh5jk3m6n5s5t8y7 yamakawa:dmty yamaki:r2 yamamori:nsty
yamamoto:a3bdh5k9m6n4rs7t8vy14 yamamura:ik2m yamanaka:hm2nrs2t2y yamane:hik2mt2 yamanishi:hkr yamani:ahr
yamanoi:jk yaman:a2b2du yamaoka:k2ty yamao:ks yamasaki:k3mns2ty yamashita:achik7m5n2s3t5y2 yamato:hy
yamauchi:acdghkmst3y3 yamazaki:k2mrs2t4y3 yamazato:at yama:ah2k2mpt2 yamins:d2 yamin:aklm2y yami:is2 yamoah:k2
yampolsky:mnz yam:ach2sy2 yanagawa:ak yanagida:kst yanagisawa:h2k3t yanagi:k2r yanai:kn yanamandra:as yana:dy
yanco:hs yanenko:e2 yanez:aclm yanfeng:dl yangyang:rsz
yang:a33b71c147d91e25f48g64h185i6j268k60l131m100n17o2p40q83r82s209t71uv2w94x212y337z275 yani:es2y
yankelevich:av yankov:dmt yannakakis:gmn yannuzzi:m2 yanny:bk yanova:em yanovich:jy yanov:dgimostv
yano:ack5mty yan:a10b22c44d22e4f12g17h59ij85k13l29m25n6p17q27r30s60t16vw36x62y99z83
yao:a4b15c26d23e3f9g15h36j73k14l26m18n7p5q14r19s38t14vw23x42y80z54 yap:c3djklm2npxy yaqoob:imt yaqub:m2u
yarahmadi:hmp yariv:glv yari:ag2or2 yarkan:es yarlagadda:adnr yarman:ot yarom:my yaron:bno yaroshenko:ms
yarzun:dgl yaseen:uz yashar:a2 yashiro:hs yasin:af2m2st yasir:ast yasi:m2s yasmin:afr yasser:a2m yassin:aby
yasuda:a2hik2mn2r2sty yasui:cdhs2y yasunaga:ajmos yates:a2dj5klmr3st yau:c2d2lms2w2 yavari:aks yavas:dru
yavuz:a2m3s yav:os yayavaram:as yazdani:a4hkm3n2rs4 yazdanpanah:ahm2v yazdi:a2hr3z yazgan:em yazici:bceoz
yazidi:aj ya:l2n yden:bcn yeager:adt yeakel:js yeasmin:ns yeats:ek yeboah:f2knpy yee:ab3c2d2j3k3lm2p2rw
yeganegi:fm yeganeh:s2y2 yeghiazaryan:mv yehia:aost yehudai:a2g yeh:ac12e2f2h4j3k2lm3prs5t3w3y6z yekutieli:dy
yellin:bf yeltay:az yemini:bmy yener:abor yen:a2bc2d3gh3ij2klpst4wy yeoh:jpwyz yeomans:jm yeoman:gt
yeom:dhij3k2s6t yeong:jkw yeon:j2k2ls3t yeow:j2 yeo:ac2e2g2hj6k4lm3nqs4tw5y3z yepes:a2gijp yepez:jw yerima:s2
yermakov:a2 yerra:ls yershov:dy yerzhanuly:bm yer:jpt yesmin:fns yetim:ms yeung:c5deg2ijk2lm2p2r2s2w2y
yew:ckmprsw ye:a7b15c36d18e3f16g17h53i3j74k13l26m26n8p9q21r22s42t17w29x45y73z88 yger:afp yie:ls yifan:cgwz
yigit:bs yih:s2wy yijun:cz2 yildiran:ns yildirim:a4bcde3gim3os2tz yildirir:ek yildiz:a2ce2gh2kmos2ty2z
yilmaz:a6b2cd2e5gikm3n2opr3st2uy2z yiming:gnxy yim:cdh2j3k2m2t2wy yingling:ay
ying:abc6gh9ij16k7l9m3npq3r4s5t5w2x12y12z12 yin:a7b15c22d15e3f8g12h45ij53k20l21m18n2p13q17r11s44t8w24x49y60z69
yip:a2c3dg3hj4k3lm3w yiu:aefjlms2t yi:a4b7c21d8e2f6g7h19j31k6l17m6n4p4q9r5s35t4w14x23y14z25 ykova:er yles:iv
yle:hr ylianou:ain2p ynes:ap yoda:dkt yoder:bjs yoffe:g2 yogev:er yohannes:ds yokoi:hs2y2 yokomizo:hn yokoo:ms
yokota:hk2mr2sty yokoyama:ajk2mn2rst2 yokoya:kn yokozawa:rt yokozuka:hm yola:cmp yolcu:ceg yona:gi
yoneda:hk2mt2 yonekura:ky yoneyama:rt yonezawa:ahnt2y yong:abc4d2ghj4kl3p2s2w2x3y5z4 yon:gw yook:dhj2
yoon:b4c8d20e2gh19i5j38k7m6ns49t11wy13 yoo:b3c8d6g5h13i2j25k5m3np2rs23tuw3y9 yordanova:ev yordanov:mnvy
york:cls yorulmaz:ado yosef:deglmnr yoshai:ae yoshida:a2cdefh2jk7lm4n4r3s3t10y6 yoshihara:kmy yoshii:ak2mny
yoshikawa:adk2m3n2s2ty2 yoshimoto:a2msty yoshimura:agk2mn2s3t4wy3 yoshino:h2kmt2y yoshioka:hk3nst2
yoshitake:km yoshizawa:am yost:ad2s2 youakim:k2 youb:af youm:ks younas:amr younes:a2hkm2 youngblood:amn
young:a8b3c4d6e5g3h3ij13k3l2m7n3opr9s8vw younis:mnor2t younus:am youn:bhj2ks5t yourdkhani:rs yousaf:a2msu
yousefian:amn yousefi:afhlm3np2s4 yousefzadeh:am2nrs yousef:akm2w yousfi:rsyz yousif:fm youssef:a7ghjm3p2s
yousuf:afkm2rs2 you:a2b4c9d7ef2gh17ij35k8l8m6nopq3r3s15t8w16x13y19z24 yovel:gy yo:ht yshev:a2s2y yshi:nu
yshnikov:oy ysse:cf yton:am2s2w yuan:a7b18c42d16ef12g14h58j63k11l33m26n3op8q17r16s45t19vw30x65y78z60
yuasa:hmrst yucedag:hi yucel:fgz yuce:ae yuchi:fs yuda:bs yudin:din
yue:ab7c18df2g6h12j16k3l11m6p4qrs11t8w9x27y30z18 yufei:gh yugay:av2 yuhang:gx yuh:kr yukita:mt
yuksel:acdghk2m3s2 yuk:hj3r yum:dj2k yunfan:bl yung:cfklpsy yunker:ap yunus:a2m yunyong:as
yun:a2b7c5d3e2g3h22i4j27k11l2m2np2r2s25t8vw4xy10z2 yurko:rv yurong:wx yurovsky:av yurtsever:ejm yurt:im
yuryev:v2 yusoff:mn yusofi:es yusong:hw yussiff:a2 yuste:jr yusufu:a2 yusuf:abhi3m3u yus:ar yuting:yz
yutong:g2 yuwen:hwz yuzbasi:bz
yu:a21b36c91d52e16f33g38h137i3j163k42l58m49n20op37q47r39s115t43v3w71x116y142z161 yva:abjmy yves:bdgs y:fmrs
zabala:af2u zaballa:ij2 zabihi:a2m2s zabin:ms zabi:ms zablocki:ej zacarias:js zaccagnino:cer zaccaria:arv
zachariah:dfs zacharias:hjm zacharia:a2 zacharopoulos:cs zach:c2j2mr zada:abfgu zadeh:a3bdf3hlmp2r2s4 zade:s4
zadok:dem zadorozhny:pv zadrozny:bjw zad:ghm zafarani:ar zafari:ay zafar:a2fijm4os3tu zafeiris:av zaffar:fm
zaffino:pr zafra:a2s zaga:cr zaghi:acns zaghouani:cw zaharia:gmt zahedinejad:em zahedi:mz zahed:a2im
zaheer:m2z zaher:aekm3t zahid:a2efimrz zahir:a2jsy zahng:jm zahn:djkmop zahoor:m2rs zahrani:a4mnr zahran:mns
zahra:nqs zahr:mn zaib:am zaidi:a2fh2jkm2ns4t2z zaid:aeijm zaiem:ms2 zaikin:ai zaimi:agm zaim:st zainab:ant
zainal:amz zain:a2clm2n zaiser:fm zaitsev:a3ko zait:am zai:aklxy zajac:hj2k zaji:k2 zakaria:a2csy zakeri:a3en
zakharova:ad zakharov:a4d2e2imsv3 zakir:hr zaki:a2h2k3m5n2rs2t4uy3 zakka:ckv zakrzewski:jpw zak:j2r
zaldivar:ab zali:am zalouk:as zal:a5eim2nors2tuz3 zamani:a4bhm5s zaman:a6bfhk3m8nr2s4t4uz2 zama:abjo
zambare:np zambelli:mp zamboni:mr zambon:dm zambrano:adgj2ln zamfir:ef zamini:hm zamir:agkmnoswy2 zammar:o2
zamorani:g2 zamorano:j2ls zamora:adefinors zamyatin:a2 zamzam:ao zanarini:dn zanasi:fr zana:t2 zancanaro:m2
zanchetta:fl zanchettin:acm zander:lr zandi:epr zand:jkr zanella:a3dgl2m2r zanelli:at zanette:ac zanetti:am2r
zane:ams zangari:a2j zangeneh:bfm zanger:lm zang:a2bc4d2g2h4j4pq6rs4tw2x6y16z12 zanichelli:af zanin:dm
zanitti:dm zani:ms zanjani:fsz zanker:mt zannat:mr zanna:agls zanni:cm zanoni:am zanotti:gmop zanotto:dels
zano:a4bd2e2fgj2l2m4 zantedeschi:dmv zantout:hn zanuttini:al zanzi:al zan:cdegh2jl2mtwy zao:xy
zapata:c2efg2i2j2lmno zapatero:j2 zappala:es zappa:f2g zappella:gl zapp:cdk zaragoza:fhj3 zarate:j3 zara:acdn
zarei:a2jm5s zaremba:dw zarevich:il zarevic:ns zarev:afmos2 zare:a2h2m3otz zargarbashi:f2s zargar:ab
zargham:mn zarian:a2 zaric:ao zaridis:adl zarin:fgi zaripov:af zarka:ap zarnecki:af zarovich:an zarov:dir
zaro:ac2 zarrella:gr zarrin:bjmr zarsfeld:jr zarski:ms zarte:ajm zarus:cdjr2 zar:ac2di2kmn2prsvwy zaslan:ai
zaslavsky:imn zas:ep zate:ac2jn zavadskyi:iv zavala:eijv zavlanos:mn zawadzki:bps zawalski:mw zawar:ir
zawa:km2nr2ty zaw:imn zayas:bde zayats:av zayed:ao zayer:fh zaytseva:sv zaytsev:a2dmrsv zay:mn zazo:js zbas:be
zbay:ak zbib:m2r zbinden:lr zbulak:g2u zcan:a3bfhmnvy zczuk:mw zczynski:ac zdarevic:dt zdemir:abe2fgimn2o4suz2
zden:nst2 zdogan:mo zdravkovic:sv zeau:lp zebnik:kst zechmann:bm zech:j2pt zedda:lm zeeger:st zeeshan:am
zeevi:asty zeev:dr zee:bklsw zegar:ah zegers:fj zeger:ks zehavi:gim2 zeh:a2n zeidler:jpr zeid:aehk2wy
zeiler:ms zeilinger:am2 zeimann:g2 zeinali:bh zeinaty:cp zein:abd2m2n zeitlin:av zeitoun:as zeki:k2t zekri:a2o
zelaya:cj zelay:auz zela:ar zeldes:ay zelditch:bs zelek:j2 zelic:mr zeller:acdjmnsv zelle:dt zellinger:lmw
zellner:alt zell:a2ejs2 zeltner:rs zeltyn:gs zel:co2 zeman:djpv zemcik:pt zemin:lz zenati:ahy zengin:art
zeng:a8b20c20d19f16g15h45j54k10l31m14n4op11q33r14s38t15w30x65y82z77 zenitani:ks zenk:m2 zennaro:fm zenteno:a2
zentgraf:st zentner:ar zen:afghnrsy zepeda:jn zepf:s2 zeppelzaur:cm zeren:egp zerhouni:en zeri:dgr zermeno:rv
zertuche:fl zerva:c2 zervoudakis:ps zer:a2c2defghkm3o2rsy2z zeshan:am zettergren:hm zetzsche:cgs zevallos:nr
zewail:ar zewdie:de zeybek:ab ze:kqtx3y zfouli:ab zguner:u2 zgun:ab zgur:afgn
zhai:a6b5c5d3e2f2g5h15j14k4l5m4np2q2r6s13tw6x10y27z19 zhanga:jp
zhang:a63b123c222d150e34f91g134h353i3j418k114l236m172n35o3p73q160r177s361t122v5w186x400y605z470
zhan:a2b4c6d5f2g5h19j25k5l13m7n3p6q11r7s12t7w11x23y24z26
zhao:a19b56c84d58e14f22g56h145j191k45l84m71n13p36q69r55s139t34vw93x156y259z192 zhaxi:glz
zha:c3d3f2h4j4kl2m2qr6s2wxy8z5 zhdanovskiy:iv zhdanov:fm zheleznov:av zheludev:nv
zheng:a14b31c60d31e4f12g29h96i2j105k38l49m39n14op20q45r25s81t30vw52x86y161z108
zhen:acdg2h6j6kl3m2pr5s3t2wx3y5z3 zhe:cfhs2twx2y zhiqiang:cyz zhiyuan:lmz2 zhizhong:sz
zhi:bc2dg2h5j7klmp2qrs2t3w4x7y3z2 zhong:a6b9c18d10e2f11g8h43j54k6l26m13n4p10q19r11s30t13v2w24x40y74z48
zhoua:dstz zhou:a23b46c88d50e13f32g46h125ij168k41l76m67n9p29q53r54s119t60v2w87x150y265z194
zhuang:b6c10d8ef4g3h8j24k2l9m6n2p4q8r3s11t5vw11x19y24z30 zhuge:cghjmqsxy2z2 zhukova:av zhukov:a4dlrv
zhuo:a2c4d2f2gh3j9k2l7m2prs2t2w2x3y5z7 zhuravlev:av
zhu:a15b46c75d50e8f33g37h136i2j165k37l74m64n6p27q52r44s110t37v2w61x150y238z155 ziabari:a2s ziad:am ziai:amn
ziani:ahj ziatdinov:mr zia:a3hqru zibetti:es zibold:ft zibrowius:cm zick:ky zic:a2kmnr zidan:amuy zidi:fm
zieba:mt ziegel:j2 ziegenbein:dt ziegler:a2bcfgij5kmprst2vz ziegltrum:gm zielinski:bhj2klmp2t2w ziel:fp2
ziemer:jt ziems:cn zier:aelos zighem:am zigler:ac ziheng:xz zijian:wz zijlstra:afn zikas:pv zilai:ad zilay:dnr
zilberstein:inrs zilinskas:as ziliotto:bft zili:ac zilka:lm zilly:fj zima:ei zimek:a2 zimin:am zimmerer:ad2
zimmerling:jm zimmermann:a4bcef2j2kl3m2npr4st2uvy2 zimmerman:a2bcdefj2lmn2s2t zimmert:jm
zimmer:a3c2efjlm2prsvw zinage:sv zinati:mr zina:bm zinchenko:im zindulka:ot zingaro:dg zinga:ar zinger:aetw
zingsheim:do zing:ht zini:gjl zink:a2j3m zinn:imz zino:lo zinski:mn zinsky:en zin:gmpt ziogas:ai zioglu:fy
zio:egj2 zipf:ap zirikly:a2 ziser:y2 zisman:h2i zis:a3 zitoun:dh zito:cg zivkovic:m2s ziv:a2ir2 ziwei:yz
zi:bc2h2ktwxy2 zkan:a2be2h2im2nos zkasap:o2 zka:ak zlatanovic:ms zlobin:sv zlo:st zlu:eo zmen:mt zobel:b2
zocco:af zohar:a2ce2os2y zohrabi:afnr zoia:ms2 zoican:ms zojer:ep zolfaghari:m2sv2 zoller:lmpr2 zollner:cfjkmr
zollo:flst zolotarev:afs zolotas:am zong:ac4dfgh3j4l6mnpq4r2s4tx4y10z7 zoni:cdeft zonooz:bp zons:cl zon:jlr
zope:hrv zoppi:as zoran:ad zorer:e2 zorich:av zorin:ad zorrilla:fm zorzi:em3 zorzo:a2 zosso:jm zotev:nv
zotos:el zotov:m2 zoubi:aho zouni:alm zou:a6b16c20d13e2f2g8h21j38k6l23m11n2p6q12r7s15t8w12x38y65z34 zsoy:ehms
ztas:aik ztireli:c2 ztop:bes zturk:ade2fhkm2os2uyz zubaidi:a3lmt zubair:am4t zubatyuk:rt zubeldia:im zuber:jo
zubiaga:ai zubia:jm zubi:ds2 zubkov:em zuccarello:fp zucca:ep zuccolotto:ap zucker:acdej2ks2 zuddas:fp
zufle:am zukerman:im zuk:bop zulehner:aw zulfikar:iw zulfiqar:a2m2su zulkernine:fm zullo:ef zuluaga:jm2w
zuna:fj zuniga:c2gm2n zunker:ah zun:lp zuo:a2b3c10d3ef7g2h5j18k5l8m2p4q6r6s9t3w5x16y20z14 zupan:bj zupic:ai
zurek:ad2kmw zurn:gj zur:agjmy zussman:eg zust:lr zuv:ak zu:ac2j2lpqs2w2x3y3z2 zvi:am2s2 zwag:bs zwan:im
zwart:bs zweig:a2eg zwicker:dm zwick:ablpu zwolak:jm zych:am zyildirim:em zyilmaz:mo zyl:hjmt zyskowski:k2
zyurt:buy zzarini:agv zzaroni:pr zzaro:acr zzi:cpr zzo:gm
"""
