"""Words that are given names and hardly ever family names."""

from __future__ import annotations

# Counted in the lists of authors of 168,546 papers on arXiv (metadata: CC0) by
# `python -m benchmarks.count_names`, which writes this file: do not edit it by hand.
FIRST_NAMES = """
aaditya aakash aaron aashish aayush abeer abhay abhijeet abhijit abhimanyu abhinav abhiram abhishek abigail
abishek abolfazl achim ada adam adarsh adele adithya aditi aditya adolfo adria adrian adriana adriano adrien
advait afshin agata agnes agnieszka ahmadreza ahmet aida aidan aiden aisha aishwarya aitor ajay ajinkya ajit
akanksha akash akhil akihiko akihiro akio akira akos akshat akshay akshit ala alaa alain alan alastair albert
alberto aldo alec aleix alejandra alejandro aleksandar aleksander aleksandr aleksandra aleksei alena
alessandra alessandro alessia alessio alex alexander alexandr alexandra alexandre alexandros alexandru alexei
alexis alfonso alfred alfredo alice alicia alicja alina aline alireza alisa alison alistair allan allison alma
alok alvaro alvin alyssa amal aman amanda amartya amaury amber amel amelia amelie amey ameya amina amine amir
amira amirali amirhossein amirmohammad amirreza amit amna amogh amol amr amrit amy ana anahita anais ananda
anant ananya anas anastasia anastasiia anastasios anatoli anbang anca ander anders andi andras andre andrea
andreas andreea andrei andrej andres andrew andrii andriy andrzej andy aneesh angel angela angelica angelika
angeliki angelina angelo angelos aniket anil animesh anindya anirban aniruddh aniruddha anirudh anish anisha
anita anja anjali ankan anke ankit ankita ankur ankush anmol ann anna annalisa anne annette annie annika anoop
anqi anran ansh anshul anshuman anson anthony antoine anton antonella antoni antonia antonin antonino antonio
antonios antonis antti anu anubhav anuj anup anupam anuradha anurag anusha anushka anya aparna apoorv apoorva
april apurva aram arash aravind archana archit arda ari aria ariadna arian ariane arianna ariel arijit arina
arindam aris aritra arjun arka arkadi arkadiusz arman armando armen armin arnab arnaldo arnaud arnav arne arno
aron arpan arpit arpita arsen arshia artem arthur artur arturo artyom aruna arushi arvind aryan asaf ashish
ashkan ashutosh ashwin ashwini asli asma asmaa astrid ata athanasios atharv atharva atsushi attila atul audrey
augusto aurelie aurelien aurora ava avi aviad avijit avik avinash aviv axel aya ayesha ayman aymen aymeric
ayse ayush ayushi azadeh babak bahar balazs baoyu baptiste barbara baris bart bartlomiej bartosz bastian
beatrice beatriz behnam behnaz beibei belen bence benedetta benedikt benjamin benoit bernd bernhard bert beth
bethany bettina bhanu bharat bharath bhavya bianca biao bikash bikram bill billy bingbing bingchen bingjie
bingqian bingqing bingxin bingxuan bingyang bingyu birgit biswajit bjoern blaise boaz bob bocheng bohan bohao
bohdan bojan bojian bojun bokai bolin bonan boris borja borui botao bowei boxiang boxuan boyan boyang boyi
boyu boyuan brad braden bram brandon branislav brenda brendan brendon brent brian brianna bridget brigitte
brittany bruce bruno bryce burak burcu burkhard byung caio caitlin caleb callum calvin camila camilla camille
camilo candice carina carl carla carles carlo carlos carmelo carmen carmine carol carola carole carolin
carolina caroline carolyn carrie carsten cassandra catalin catalina catarina caterina catherine cathy ce
cecile cecilia cedric celia celine cem cesar chad chaitanya chak chandan changhao changhong changjiang
changqing changsheng changwei changxin changyu changyuan chaofan chaojie chaoqun chaoran chaowei chaoyang
chaoyi chaoyue charalampos charbel charles charlie charlotte chelsea chenchen chenfei chenfeng chengbo
chengcheng chengfeng chenggang chenghao chengjie chengjun chengkai chenglin chenglong chengming chengqi
chengrui chengwei chengxi chengxiang chengyang chengyi chengyu chengyuan chengzhi chenhan chenhao chenhui
chenjie chenkai chenlin chenqi chenrui chenwei chenxi chenxiao chenxin chenxing chenxu chenyang chenyi chenyu
chenyuan cheryl chetan chiara chieh chih chihiro chinmay chirag chloe chongyang chris christian christiane
christina christine christof christoffer christoph christophe christopher christos chuan chuhan chunhua
chunhui chunjie chunlei chunlin chunming chunxiao chunxu chunyan chunyang chunyi chunyu chuyang ciaran cindy
ciprian claire clara clarissa claude claudia claudio clemence clemens cody colin colleen congcong connor conor
constantine constantinos corentin corey corina cornelia cornelius cosimo cosmin cristian cristiana cristiano
cristina cristobal crystal cynthia cyril cyrille cyrus daan daichi daiki daisuke daisy damien damir damon dan
dana dandan dane danial daniel daniela daniele danielle daniil danil danila danilo danni danny dante danyang
dapeng daphne daren daria dario darius dariusz darko darren darya daryl david davide dawei dawid dazhi
debanjan debasis debasish debora deborah declan deepak deepika deepti dehao dejan delphine denis denise dennis
denys deqing derek derya despoina devansh devendra devesh devika devin dexin deyu dezhi dhananjay dheeraj
dhruv dhruva dian diana diane diego dieter dietmar diksha dimitar dimitra dimitri dimitrios dimitris dina
dinesh dingkun dingyi dingyuan diogo dionysios dipankar dirk disha divya divyansh divyanshu djordje dmitri
dmytro domenico dominic dominik dominika dominique don donald dongbo dongdong donghai donghao donghoon
donghyeon donghyun dongjie dongjun dongliang donglin dongmei dongming dongqi dongsheng dongwei dongxiao dongxu
dongyang dongyu dorian doron dorothea doug dragos drew dusan dustin duygu dylan dzmitry ebrahim ece ed eddie
edgar edith edmond edmund edoardo edouard edson eduard eduardo edward edwin efe ege egor ehud eiji eirik
eirini eitan ekaterina elad elahe elaheh elaine eleanor eleftherios elena eleni eleonora elham eli elie elif
elijah elina elio eliot elisa elisabeth elisabetta elise elizabeth elizaveta elke ella ellen ellie elliot
elmar elodie elsa elvis eman emanuel emanuela emanuele emil emilia emiliano emilie emilio emily emir emma
emmanouil emmanuel emmanuelle emre en enes enhao enis enric enrico enrique enze enzo eoin eran erfan eric
erica erich erick erik erika erin ernest ernesto erwan erwin eslam esra estelle esther ethan etienne ettore
eugen eugene eugenia eugenio eva evan evangelia evangelos eve evelyn evgeni ewa ewan eyal ezequiel fabian
fabien fabio fabrice fabricio fabrizio facundo fadi faezeh fahimeh faith fangfang fangyu fangyuan fangzheng
fangzhou fanny fanyi farbod farhad farhana farida farnaz farshid farzad farzana fateme fatemeh fatih fatma
fausto federica federico fedor feifan feifei feilong feiran feiyang feiyu felipe felix fenghua fengyi fengyu
fengyuan ferdinand ferenc fereshteh fernanda fernando ferran filip filipe filippo filippos fiona firas flavia
flavio florence florent florian fotis frances francesc francesca francesco francisco francois frans franziska
fred freddie frederic frederick frederico frederik fredrik fulvio furkan fusheng fuyuan gabe gabor gabriel
gabriela gabriele gabriella gabrielle gael gaetan gaetano gagan gaia galen gaofeng gareth gargi garima gary
gaurav gautham gavin gayathri geert gemma gen gene genevieve genki gennadi geoff geoffrey geonho georg georgi
georgia georgina georgios gerald geraldine gerardo gerasimos gerd gergely gerhard gernot gerrit gert ghada
ghassan ghulam giacomo giada gian giancarlo gianfranco gianluca gianluigi gianmarco gianni giannis gideon gijs
gilad gilberto gilles gillian gina gino giorgia giorgio giorgos giovanna giovanni gisela giulia giulio
giuseppe giuseppina gleb glenn gloria gokhan gokul goncalo goran grace graeme greg gregoire gregor gregory
greta grigori grigorios grzegorz guanghao guanghua guanghui guangjun guangming guangwei guangyao guangyu
guangyuan guanhua guannan guanyu guenter guglielmo guido guilhem guilherme guilin guillaume guillem guillermo
gunjan gunnar guodong guofeng guohao guohua guohui guojun guoliang guoming guoping guoqiang guoqing guosheng
guowei guoxin guoyu guozhen gustav gustavo guy hadi hadrien haeun haibin haibo haichao haichuan haidong
haifeng haijun hailiang hailin hailong haiming haining haipeng haiping hairong haisheng haitao haitian haitong
haiwei haiwen haixin haiyan haiyang haiyu haiyun haizhou hajar hajime hakan hala halil hamidreza hana hanan
hanbin hanchen hangyu hani hanieh hanjie hanjun hanlin hannah hannes hanqi hanqing hans hantao hanwen hanxiao
hanyang hanzhang hanzhi haobin haobo haochen haocheng haodong haofei haofeng haohan haohao haohua haohui
haojie haojun haokai haokun haoliang haolin haolong haomin haoming haonan haoning haopeng haoqi haoran haosen
haotian haotong haowei haowen haoxiang haoxin haoxuan haoyan haoyang haoyi haoyu haoyuan haoyue haoyun haoze
haozhe haozhen haozheng haozhi harald hardik harold harry harsh harshal harshit hartmut haruka haruki haruto
hatem hayato hayley hazel hazem heather hector hee heidi heike heikki heiko helen helena helene helge helmut
hemant hemanth heming hendrik hengrui hengyi hengyu hengyuan henk henri henrik henrique hernan hesam heyang
hiba hicham hichem hideaki hideki hideo hidetoshi hideyuki hikaru hila himanshu hina hiroaki hirofumi hirokazu
hiroki hiroshi hirotaka hiroto hiroyuki hisashi hitesh hitoshi hojun holger holly hongbin hongbo hongchao
hongda hongfei hongfeng honghao honghui hongji hongjian hongjie hongjin hongjun hongkai hongkun hongli
hongliang honglin hongmei hongming hongru hongrui hongsheng hongtao hongwei hongxia hongxiang hongxin hongxing
hongxu hongxuan hongyan hongyang hongye hongyi hongying hongyu hongyuan hongze hongzhe hongzhi hooman horacio
hosein hossam hossein hrishikesh hsiang hsien hsuan huadong huajie huanyu huawei huayi huayu hubert hugh hugo
hugues huihui huijie huijun huilin huiling huimin huiping huiwen huiyu huiyuan humberto huseyin hye hyejin
hyewon hyunjin hyunsoo hyunwoo iain ian iason ichiro idan ido ignacio igor ihor il ilan ilaria ilia ilias ilja
illia ilya imad iman imane immanuel indranil ines inga ingmar ingo ingrid inigo inna ioan ioana ioanna ioannis
ion ionut ira irena irene irina iris iryna isaac isabel isabela isabella isabelle isaiah isha ishaan ishan
ishita ismael istvan itai itamar itay iuliia ivan ivana ivano ivo jacek jack jackie jacky jacob jacopo
jacqueline jad jade jae jaehoon jaehyeon jaehyun jaemin jaewon jaewoo jaeyoung jai jaime jairo jake jakob
jakub james jamie jan jane janet janice janine janis janne jannik jannis janos jared jari jaroslav jaroslaw
jarrod jasmine jason jasper jatin javad javier jay jaya jayant jayanth jean jeanne jed jeff jefferson jeffrey
jelena jelle jenna jennifer jenny jens jeonghyun jeremiah jeremias jeremie jeremy jeroen jerome jerry jerzy
jesper jesse jessica jessie jesus jiabao jiabin jiachen jiacheng jiacong jiadong jiafei jiafeng jiafu jiageng
jiahang jiahao jiahe jiaheng jiahong jiahua jiahuan jiahui jiajia jiajie jiajing jiaju jiajun jiakai jiakun
jiale jialei jiali jialiang jialin jialing jialong jialu jiameng jiamin jiaming jianan jianbin jianbing jianbo
jianchao jiancheng jiancong jiandong jianfei jianfeng jiangbo jiangnan jiangtao jianguo jiangwei jianhang
jianhao jianhong jianhua jianhui jiani jianing jianjun jiankun jianlin jianlong jianmin jianming jiannan
jianpeng jianping jianqi jianqiang jianshu jianwei jianwen jianxiang jianxin jianxiong jianyi jianyu jianyuan
jianzhong jiaojiao jiapeng jiaqi jiaqing jiarong jiarui jiasheng jiashu jiashuo jiatong jiawei jiawen jiaxi
jiaxiang jiaxin jiaxing jiaxu jiaxuan jiayan jiayang jiayao jiaye jiayi jiayin jiaying jiayu jiayuan jiayue
jiazhen jiazheng jibin jichao jichen jicheng jidong jieming jierui jiexin jieyu jifeng jihao jiho jihong
jihoon jihun jihwan jihye jihyun jill jillian jim jimin jimmy jinbo jinchao jincheng jinfeng jingbo jingchen
jingcheng jingdong jingfeng jinghan jinghao jinghua jinghui jingjie jingjing jingkai jingkun jinglei jinglin
jingnan jingqi jingru jingrui jingtao jingwei jingwen jingxi jingxiang jingxuan jingyan jingyang jingyao
jingyi jingyu jingyuan jingyun jingze jingzhe jingzhi jinhan jinhao jinho jinhong jinhua jinhui jinjie jinjin
jinjun jinkun jinliang jinlin jinlong jinming jinpeng jinrui jinsheng jinsong jintao jinwei jinwen jinwoo
jinxin jinxuan jinyang jinyi jinyoung jinyu jinyuan jinze jiong jipeng jiri jisu jitendra jiwei jiwen jiwon
jiwoo jixiang jixuan jiyang jiyong jiyoung jiyu jiyuan jiyun joachim joakim joan joana joanna joanne joao
joaquim joaquin jocelyn jochen joe joel joerg joern joey johan johann johanna johannes john johnny jon jonah
jonas jonatan jonathan jonathon joni joonas joost jooyoung jordi jorge joris joscha jose josef josep joseph
josephine josh joshua josiah josue jouni joydeep jozef jozsef juan judith judy juergen juha juho jui jukka
jules julia julian juliana julie julien juliette julio julius junaid junbo junchao junchen juncheng junchi
junda june junfei junfeng junghyun jungwoo junha junhan junhao junho junhong junhua junhui junhyuk junichi
junjie junjun junkai junli junliang junlin junlong junming junnan junpeng junqi junqing junru junsheng juntao
junting juntong junwei junwen junxi junxian junxiang junxiao junxuan junya junyan junyang junyao junyi junyong
junyoung junyu junyuan junze junzhe juraj juri jussi justin justine justus justyna jyoti kaan kacper kai
kaichen kaicheng kaifeng kaihua kaijie kailai kailash kailin kaiming kaiqi kairui kaitlin kaitlyn kaiwen
kaixiang kaixin kaixuan kaiyang kaiyi kaiyu kaiyuan kaiyue kamil kamyar kangkang kangning karel karen karin
karina karl karla karol karolina karsten karthik kartik kasra katarina katarzyna kate katelyn katerina
kateryna katharina katharine katherine kathleen kathrin kathryn kathy katia katie katja katrin katrina
kaustubh kaveh kavya kayla kazuhiro kazuki kazuma kazunori kazuo kazuya kazuyuki kecheng kefan kehan kei keigo
keiichi keiko keisuke keita keith kejia kejun keke kelvin kemal keming ken kenan kengo kenichi kenji kenneth
kenny kensuke kenta kentaro kento kerem kerstin kerui keshav ketan kevin kewei kexin keyan keyang keyi keyu
khoi khushi kian kiana kiarash kieran kilian kimberly kimia kiran kirill kishan kiyoshi klara klaus knut koen
kohei koichi koji koki komal konrad konstantin konstantinos kosei kostas kosuke kotaro kourosh koushik kris
kristen kristian kristin kristina kristof kristoffer kriti krzysztof ksenia kshitij kun kunal kunpeng kunyu
kush kushagra kushal kwang kyle kyu kyungmin lachlan laetitia lakshmi lalit larissa larry lars lasse laszlo
laura laure lauren laurence laurent lauri laurie lea leah leander leandro leena leif leila leilei lena lennart
leonardo leonel leonid leonidas leonie leszek letian leticia letizia levent levente leyang leyi liam liana
liangliang liangyu libin libo lichen licheng lida lidia lidong lifan lifeng lihao liheng lihong lihua lijian
lijie lijing lijuan lijun likun lili lilian liliana lillian lily limin liming lina linbo linda linfeng lingfei
lingfeng linghao lingjie lingling lingxiao lingyi lingyu lingyun lingzhi linhao linjie linlin linus linwei
linxiao lionel lior lipeng liping liqi liqiang liqin liqun lirong lisa lise lisheng litao liting livia liwei
liwen lixiang lixin lixing liya liyan liyang liying liyuan liz lizhi lluis loic lokesh longfei longxiang loren
lorena lorenzo lori loris louis louisa louise luc luca lucas lucian luciana luciano lucie lucy ludovic
ludovico luigi luis luisa luiz luka lukas lukasz luke lulu luming luuk luyang luyao lydia maarten maciej
madeleine madeline madhav madison mads magdalena maggie magnus maha mahdi mahsa maik maike maite maja makoto
maksim maksym malak malcolm malgorzata malte manan manav mandar manfred manish manisha manoj manolis manon
manu manuel manuela maolin marat marc marcel marcela marcella marcello marcelo marcin marcio marco marcos
marek margaret margarida margarita margaux margherita maria mariam mariana marianna marianne marie mariia
marija marilyn marina mario marios marisa marissa marius mariusz mariya mark marko markus marlene marlon marta
marten martha martijn martina martyna marvin marwa marwan mary maryam marzieh masaaki masahiro masaki masanori
masao masaru masashi masataka masato masatoshi masaya masayuki masoud masoumeh massimiliano massimo matan
matej mateusz matheus mathias mathieu mathilde matija matilde mats matt matteo matthew matthias matthieu
matthijs matti mattia mattias matvei maud maura maurice mauricio maurizio max maxence maxim maxime maximilian
maximiliano maya mayank mayur maziar md meera meet megan megha meghan meghana meghna mehdi mehedi mehmet
mehran mehrdad mehul meike meiling meiqi melanie melih melika melissa melvin mengdi mengfan mengfei mengjia
mengjie mengke menglin mengmeng mengnan mengqi mengting mengwei mengyang mengyao mengying mengyu mengyuan
meriem mert merve metin meysam miaomiao micah micha michael michaela michal michalis michela michelangelo
michele michelle michiel mickael miguel mihaela mihai mihir mika mikael mike mikel mikhail mikkel mikko
mikolaj milad milan milena mina mingchen mingda mingfei mingfeng minghan minghao minghua minghui mingjian
mingjie mingjun mingkai mingkun mingliang mingming mingqi mingqian mingrui mingtao mingwei mingxi mingxing
mingxu mingxuan mingyang mingyi mingyu mingyuan mingyue mingze mingzhe mingzhi mingzhou mingzhu minhao minho
minjae minjie minju minjun minoru minseok minsoo minwoo miquel mircea mirco miriam mirko miroslav misha mladen
mobina moein mohamad mohammad mohammadhossein mohammadreza mohd mohit mohsen moises mojtaba molly mona monica
monika monique morgane moritz morten morteza moshe mrinal mudit muhammad muhammed mukesh mukul murat muyang
mykola myriam naama nadav nadezhda nadia nadine naga nahuel nakul naman namrata nana nancy nandini nannan
naoki naomi naoto naoya naoyuki naresh narges nassim natalia natalie natasa natasha nate nathalie nathan
nathanael nathaniel naveen navid navin nazanin neel neeraj negar negin neha neil nghia niall niccolo nicholas
nick niclas nico nicola nicolas nicole nicolo nidhi niels nigel niharika nikhil niki nikita nikki niklas niko
nikola nikolai nikolaos nikolas nikos nilay nilesh niloofar nils nima nimrod nina ningning ningyuan nir niraj
niranjan nirmal nisha nishant nishanth nitesh nithin nitin nitish nitya noa noah noam noboru nobuyuki noemi
nora norbert nozomu nuno nuo nur nuria oana octavio oded oemer oezguer ofir oguzhan ohad ojas oksana ola olaf
ole oleg oleh oleksandr oleksii olena olga oliver olivia olivier olli om omar omer omid omkar omri ondrej
onkar onur ori osama osamu oscar oskar oussama ovidiu ozan pablo pallavi paloma pamela panagiotis panayiotis
pankaj panos panpan pantelis paola paolo parham parisa parth partha pascal patrice patricia patrick patrik
patryk paulina pauline paulo pavan pavel pavlo pavlos pawan pawel payam pedro pegah peggy peihao peijie peijun
peilin peipei peiqi peiran peiwen peixin peixuan peiyao peiyu peiyuan pekka pengbo pengcheng pengfei penghao
penghui pengpeng pengwei pengxiang pengyu pengyuan per pere petar pete peter petr petra petros peyman phat
phil philip philipp philippe phillip phobe pier pierluigi piero pierpaolo pierre pierrick pieter pietro pilar
pin pinaki piotr piyush polina pooja pooya pouya prachi pradip pragya prajwal prakhar pramod pranav pranay
praneeth pranjal prashant prashanth prateek pratham prathamesh pratik praveen preeti prem pritam priya
priyanka przemyslaw pulkit puneet qianhui qiankun qianli qianqian qianyi qianyu qibin qichao qifan qifeng
qihan qihang qihao qihong qihua qijie qijun qilin qilong qiming qingfeng qinghao qinghua qingkai qinglin
qinglong qingqing qingquan qingshan qingsong qingwen qingyang qingyao qingyu qingyuan qingyue qinyi qinyuan
qiong qipeng qiqi qirui qiushi qiuyu qiwei qiwen qixin qiyang qiyao qiyu qiyuan qiyue qizhen qizhi quentin qun
quynh rabia rachael rachel rachid radek radhika radoslaw rafael rafal raffaele raffaella raghav rahul raimund
rainer rajarshi rajat rajendra rajiv rakesh ralf ralph rama rami ramin ramtin ramy ramya randy raoul raphael
raquel rashmi rasmus raul rayan razvan rebecca rebekah reem regina reihaneh remi renata renato rene renee
renjie reuben reza rhys ricardo riccardo richa richard rick rik riku rina rishab rishabh rishav rishi rita
ritesh ritvik ritwik riya rob robert roberta roberto robin robyn rocio rodolfo rodrigo roel roger rogerio
rohan rohit rohith roi roland rolando rolf romain romina ron ronald ronaldo ronan ronghao rongjun rongrong
rongxin roni ronit ronny roozbeh rory rosemary rostislav rotem ruben rudiger rudy ruggero ruibin ruibo ruichao
ruichen ruidong ruifeng ruihan ruihao ruijia ruijie ruilin ruimin ruiming ruining ruipeng ruiqi ruiqing ruirui
ruitao ruiwen ruixi ruixiang ruixiao ruixin ruixuan ruiyang ruiyi ruiyu ruiyuan ruize ruizhe ruizhi run
rundong runmin runyu runze ruo ruobing ruochen ruofan ruohan ruolin ruotong ruoxi ruoyu ruslan rustam ruyi
ryan ryo ryoma ryosuke ryota sabina sabine sabrina sabyasachi sacha sachin sadaf sadegh saeid sagnik sahand
sahar sahil sai saikat sajad saksham sakshi salil sally salma salvatore sam saman samaneh samantha samar
samarth sambit sameer sameh samer samia samir samira samuel samuele sanaz sanchit sandeep sandesh sandip
sandipan sandra sandrine sandro sandy sanghyun sangjun sangmin sangwon sangwoo sanja sanjana sanjay sanjeev
sankalp sanket santanu santosh saptarshi sara sarah sarath saroj sarthak sarvesh sasa sascha sasha saskia
satoru satoshi satvik satwik satya satyam saul saumya saurabh saurav saverio savvas sayak sayan sayantan se
sean sebastiaan sebastian sebastiano sebastien seiji selin selina semih seongmin sepehr sepideh serena serge
sergei sergej sergio serkan seung seungho seunghwan seunghyun seungjun seungmin seungwon seungwoo seungyeon
seyed seyyed shabnam shadi shahram shai shalini shane shanshan shantanu shaobo shaofeng shaohan shaohua
shaohui shaojie shaojun shaowei shaowen shaoxiong shaoyu sharath shashank shashi shashwat shaun shaunak
shaurya shawn shay shayan sheila shenghao shenghua shengjie shengli shenglin shengnan shengwei shengyi shengyu
shengyuan shibo shichao shichen shicheng shifeng shigeru shihan shihang shihao shihong shihui shijia shijie
shijun shikhar shilin shilong shilpa shima shimin shiming shingo shinichi shinji shinnosuke shintaro shinya
shipeng shiping shiqi shiqiang shiqing shir shira shirin shishir shiv shiva shivam shivangi shivani shiwei
shiwen shixin shiyang shiyao shiyi shiying shiyu shiyuan shiyue shizhe shmuel sho shoaib shogo shohei shota
shotaro shravan shrey shreya shreyas shruti shuang shubham shuchang shuchen shufan shuguang shuhan shuhang
shuhao shuhei shuhua shujie shujun shun shuning shunsuke shuo shuqi shurui shuting shutong shuwei shuwen
shuxin shuyan shuyang shuyao shuyi shuying shuyu shuyuan shuyue shweta sian siavash sibo sicheng sicong sid
sida siddarth siddhant siddharth siddhartha sidharth sidney siegfried sifan sigurd sihan sihang sihao sijia
sijie sijin sijing silke silvia silvio simeng simeon simin siming simona simone simran sina sinan siqi siqing
siran sirui sisi sitong siwei sixian siyang siyao siyi siying siyu siyuan siyue sizhe skylar skyler slawomir
smita sneha snigdha soeren sofia sofiane sofie soham soheil soichiro somayeh somnath sonal sonali songlin
songtao sonia sonja sophia sophie soroush sotirios sotiris soumen soumya soumyadeep sourabh sourav souvik
spandan spyridon spyros sri srijan sriram sruthi stanislav stanislaw stavros stefan stefania stefanie stefano
stefanos steffen stelios stepan stephane stephanie stephen steve steven stijn stuart stylianos subhadeep
subhajit subham subin subrata sudeep sudhanshu sudhir sudip sudipta suhas sujan sujay sujin sujit sujoy suman
sumanta sumanth sumin sumit sungho sunghwan sunghyun sungmin sungwon sunny supriya suraj surajit susan susana
susanna susanne sushant sushil sushmita susmita suyash suzanne sven svetlana svitlana swapnil swati sweta
sydney syeda sylvain sylvia sylvie szymon tadashi tae tahsin taichi taiga taiki taisei takaaki takafumi
takahiro takanori takashi takayuki takehiro takeru takeshi takuma takumi takuya tal talha tamara tamas tamer
tanay tania tanja tanmay tanmoy tanvi tanya taoran tara taras tarek tarik taro tarun tathagata tatiana tatsuki
tatsuya taylan te ted tejas tengfei teodor teodora terence teresa tessa tetsuya thanasis the theo theodore
theodoros theresa thiago thibault thibaut thierry thijs thilo thomas thorsten tiago tianchen tiancheng tianchi
tianci tianhao tianhe tianhui tianjian tianjiao tianjun tianle tianlong tianming tianqi tianrui tianshi
tianshu tiantian tianwei tianxiang tianxiao tianxin tianxing tianyang tianyi tianyou tianyu tianyuan tianyue
tianze tiberiu tiffany till tilman tim timo timofei timon timothee timothy timur tin tina tingting tingyu
tiziana tiziano tobias toby todor tolga tom tomas tomasz tomer tomislav tommaso tommi tommy tomoaki tomohiro
tomoki tomoya tomoyuki tongtong tongyu tony torben torsten toru toshiaki toshihiro toshiki toshio toshiyuki
travis trent trevor trisha tristan tsukasa tsung tsuyoshi tsz tuhin tuomas tushar tyler tze tzu uday udit ugo
ujjwal ulf ulrich ulrike uma umair umang umberto umesh umme umut uri urs utkarsh utsav uwe vaclav vadim vahid
vaibhav valentin valentina valeri valeria valerie valeriia valerio vamsi vanessa vansh varsha varun vasileios
vasili vasiliki vasilis vassilis vedant verena veronica veronika veronique viacheslav vicent vicky victor
victoria vidya vignesh vikas vikram vikrant viktor viktoria ville vinay vinayak vincent vincenzo vineet
vineeth vinicius vipin vipul viraj virginia virginie vishal vishnu vit vitali vitor vittorio vivek vivian
viviana vivien vlad vladimir vladislav vladyslav vojtech volker volodymyr vsevolod vyacheslav wael waleed
walid wanli wanqi wanting wanyi wanying wassim wataru wayne weibin weibo weichao weichen weicheng weidong
weifeng weiguang weiguo weihan weihang weihao weiheng weihong weihua weijia weijian weijie weijun weikai
weikang weili weiliang weilin weilong weimin weiming weinan weining weipeng weiping weiqi weiqiang weiqing
weiran weitao weiwei weixiang weixin weixuan weiyan weiyang weiye weiyi weiyu weize weizhe weizhi wenbiao
wenbin wenbo wenchang wenchao wencheng wencong wenda wendi wendong wendy wenfei wenfeng wenguang wenhan wenhao
wenhua wenhui wenjia wenjian wenjie wenjin wenjing wenjuan wenjun wenkai wenkang wenli wenliang wenlin wenlong
wenpeng wenping wenqi wenqian wenqiang wenqing wenrui wensheng wenshuo wentao wentian wenting wenwei wenwen
wenwu wenxi wenxiang wenxiao wenxin wenxuan wenyan wenyang wenyi wenyu wenyuan wenzhao wenzhe wenzheng wenzhi
wenzhuo wesley wilfried will willem william willy wim witold wojciech wolfgang wonjun woojin wooseok wouter
wuyang xavier xianfeng xiangdong xianghui xiangjun xianglong xiangrong xiangru xiangrui xiangwei xiangxiang
xiangyang xiangyi xiangyu xiangyuan xiangyun xianwei xiaobin xiaobing xiaobo xiaochen xiaocheng xiaochuan
xiaochun xiaocong xiaodan xiaodong xiaofan xiaofang xiaofei xiaofeng xiaogang xiaoguang xiaohan xiaohang
xiaohe xiaohong xiaohu xiaohua xiaohui xiaojian xiaojie xiaojing xiaojuan xiaojun xiaokai xiaokang xiaoke
xiaokun xiaolan xiaole xiaolei xiaoli xiaoliang xiaolin xiaoling xiaolong xiaolu xiaoman xiaomeng xiaomin
xiaoming xiaonan xiaoning xiaopeng xiaoping xiaoqi xiaoqian xiaoqiang xiaoqin xiaoqing xiaoran xiaorong
xiaorui xiaoshan xiaosong xiaotao xiaotian xiaoting xiaotong xiaowei xiaowen xiaoxi xiaoxia xiaoxiao xiaoxin
xiaoxu xiaoxuan xiaoxue xiaoya xiaoyan xiaoyang xiaoye xiaoyi xiaoyin xiaoying xiaoyong xiaoyu xiaoyuan
xiaoyue xiaoyun xiaozhou xichen xihan xilin ximing xinbo xinchen xincheng xinda xindi xinfeng xingchen
xingguang xinghao xinghua xingjian xinglong xingwei xingxing xingyi xingyu xingyuan xingyue xinhai xinhang
xinhao xinhua xinhui xinjie xinkai xinke xinle xinlei xinlong xinmin xinming xinpeng xinping xinqi xinran
xinru xinrui xintong xinwei xinwen xinxin xinxing xinyan xinyang xinyao xinye xinyi xinying xinyu xinyuan
xinyue xinyun xinze xinzhe xirui xitong xiuwen xiwei xiwen xixi xiyan xiyang xiyu xiyuan xuancheng xuanyu
xuchen xudong xuebin xuecheng xuefei xuefeng xuehai xuejun xuemei xuemin xueming xuepeng xueqi xueqing xuesong
xuewei xuewen xueyan xueyang xueyi xueying xueyu xueyuan xuezhi xufeng xuguang xuhui xujie xusheng xuyang ya
yacine yadong yael yafei yafeng yahui yair yajie yajun yakov yakun yali yanan yanbin yanbing yanbo yanchao
yanchen yancheng yandong yanfei yanfeng yangfan yangming yangyang yangyi yanhao yanhua yanhui yaning yaniv
yanjie yanjun yankai yanli yanlin yanlong yanmei yanming yann yannan yanni yannick yannis yanpeng yanping
yanqi yanqing yanran yanru yansong yantao yanting yanwei yanwen yanxi yanxin yanyan yanyu yanzhao yanzhe
yanzhen yaohua yaohui yaoyao yaoyu yapeng yaping yaqi yaqian yara yaroslav yaru yasaman yaser yash yashar
yassine yasuhiro yasuo yasushi yasutaka yating yawei yawen yaxin yaxuan yejin yian yiannis yibin yibing yibo
yichao yichen yicheng yichuan yichun yicong yida yidan yidi yiding yidong yifan yifang yifei yifeng yifu yige
yihan yihang yihao yihe yiheng yihong yihua yihui yijia yijie yijin yijing yijun yikai yikang yike yikun yilei
yili yilin yiling yilong yilun yimeng yimin yiming yinan yingbo yingchun yinghao yinghui yingjie yinglong
yingqi yingxuan yingyi yingying yinhao yining yinuo yipeng yiping yiqi yiqian yiqiao yiqin yiqing yiqun yiran
yiren yirong yiru yirui yishan yisheng yisong yitao yitian yiting yitong yiwei yiwen yixi yixian yixiang
yixiao yixin yixing yixiong yixuan yiyan yiyang yiyao yiyi yiyu yiyuan yiyun yize yizhe yizhen yizheng yizhi
yizhong yizhou yizhuo yoav yogesh yohan yohei yoichi yolanda yonatan yongchao yonggang yonghao yongheng
yonghong yonghua yonghui yongjian yongjie yongjin yongjun yongkang yongle yongli yongliang yongmin yongming
yongqi yongqiang yongsheng yongtao yongwei yongxiang yongxin yongyi yoshiaki yoshihiro yoshiki yoshitaka
yoshiyuki yossi yosuke yotam youngjin youngjun youwei yuanbo yuanchao yuanchen yuancheng yuang yuanhang
yuanhao yuanhong yuanjie yuanjun yuankai yuanming yuanpeng yuanqi yuanqing yuansheng yuanwei yuanxin yuanyi
yuanyuan yuanzhe yuanzhi yubin yubing yubo yuchao yuchen yucheng yuchong yuchuan yuchun yucong yudai yudi
yudong yuefeng yuehan yueming yueqi yueting yueyang yueyi yueying yufan yufei yufeng yuguang yuhan yuhang
yuhao yuhe yuheng yuhong yuhua yuhuan yuhui yui yuichi yuichiro yuji yujia yujian yujiao yujie yujin yujing
yujun yuka yukai yukang yuke yuki yukun yulan yule yulei yuli yulia yuliang yulin yuling yulong yulu yulun
yuma yumeng yumin yuming yunan yunbo yuncheng yunfan yunfei yunfeng yunhan yunhao yunhe yunhui yuning yunjia
yunjie yunkai yunlong yunpeng yunqi yunqing yunsheng yuntao yuntian yunting yunwei yunxiang yunxiao yunxuan
yunyi yunyun yunzhe yunzhi yupei yupeng yuping yuqi yuqian yuqiang yuqin yuqing yuquan yuri yurong yuru yurui
yusen yushan yusheng yushi yusuke yuta yutaka yutao yutaro yutian yuting yuto yutong yuval yuwei yuwen yuxi
yuxia yuxiang yuxiao yuxin yuxing yuxuan yuya yuyan yuyang yuyao yuyi yuying yuyu yuze yuzhe yuzhen yuzheng
yuzhi yuzhou yuzhu yuzhuo yvan yves zach zachary zack zahra zainab zbigniew zdenek zebin zecheng zedong
zeeshan zefeng zehan zehao zehong zehua zehui zeinab zejian zekai zekun zelin zelong zeming zenan zepeng zeqi
zequn zerui zetao zewei zewen zexi zexin zexuan zeyang zeyi zeynep zeyu zeyuan zezhong zezhou zhanpeng zhanyu
zhaochen zhaocheng zhaofeng zhaohan zhaohui zhaojun zhaolin zhaolong zhaoming zhaorui zhaowei zhaoyan zhaoyang
zhaoyi zhaoyu zhaoyuan zhehao zhekai zheming zhenbang zhendong zhenfeng zhengdong zhenghao zhenghui zhengjie
zhenglin zhengping zhengqi zhengtao zhenguo zhengwei zhengxin zhengyang zhengyi zhengyu zhengyuan zhenhao
zhenhong zhenhua zhenjie zhenlin zhennan zhenpeng zhentao zhenwei zhenxin zhenxing zhenyang zhenyi zhenyu
zhenyuan zhenzhen zhewei zheyu zheyuan zhibin zhibo zhichao zhichen zhicheng zhicong zhidong zhifan zhifang
zhifei zhifeng zhigang zhiguang zhiguo zhihan zhihang zhihao zhiheng zhihong zhihua zhihui zhijian zhijie
zhijing zhijun zhikai zhikang zhikun zhili zhiliang zhilin zhiling zhilong zhimeng zhimin zhiming zhipeng
zhiping zhiqi zhiqiang zhiqing zhiquan zhirong zhirui zhisheng zhitao zhiting zhitong zhiwei zhiwen zhixian
zhixiang zhixin zhixing zhixiong zhixuan zhiyan zhiyang zhiyao zhiyi zhiying zhiyong zhiyu zhiyuan zhiyun
zhonghao zhonghua zhongkai zhongrui zhongwei zhongyi zhongyu zhongyuan zhuangzhuang zhuofan zhuohan zhuoran
zhuoyang zian ziang zibin zibo zichao zichen zicheng zicong zidong zifan zifeng zihan zihang zihao zihe ziheng
zihua zihui zijia zijian zijie zijin zijing zijun zikai zikang zikun zili ziliang zilin ziling zilong zilu
ziming zimo zimu zinan zipeng ziqi ziqian ziqiang ziqin ziqing zirui zishan zishuo zitao ziteng zitong ziwei
ziwen zixi zixian zixiang zixiao zixin zixu zixuan zixun ziyan ziyang ziyao ziye ziyi ziyin ziying ziyu ziyuan
ziyue ziyun zizhao zizhen zizheng zoe zoltan zoran zsolt zuzana
"""
