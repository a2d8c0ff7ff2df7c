"""Exceptions to the rules of inflection: lists of English words, one for each rule.

A pair is ``inflected=base``; several bases are separated by ``/``. A word needs no entry if the rule only
derives a base that is not a word, because such a base matches nothing.
"""

from __future__ import annotations


def _parse_pairs(text: str) -> dict[str, tuple[str, ...]]:
    return {
        word: tuple(bases.split("/")) for word, _, bases in (pair.partition("=") for pair in text.split())
    }


def _parse_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PLURALS = _parse_pairs(
    """
    addenda=addendum algae=alga alumnae=alumna alumni=alumnus analyses=analysis/analyse annuli=annulus
    antennae=antenna apices=apex appendices=appendix automata=automaton axes=axis/axe bacilli=bacillus
    bacteria=bacterium bases=basis/base bronchi=bronchus bureaux=bureau businessmen=businessman cacti=cactus
    calculi=calculus calves=calf children=child cilia=cilium clothes=clothes codices=codex continua=continuum
    corpora=corpus cortices=cortex craftsmen=craftsman crises=crisis criteria=criterion curricula=curriculum
    data=datum desiderata=desideratum diagnoses=diagnosis/diagnose directrices=directrix
    ellipses=ellipse/ellipsis elves=elf emphases=emphasis equilibria=equilibrium errata=erratum feet=foot
    firemen=fireman fishermen=fisherman flagella=flagellum foci=focus formulae=formula freshmen=freshman
    fungi=fungus ganglia=ganglion geese=goose genera=genus gyri=gyrus halves=half/halve helices=helix
    hooves=hoof indices=index knives=knife lacunae=lacuna larvae=larva leaves=leaf/leave lemmata=lemma
    lice=louse lives=life/live loaves=loaf loci=locus matrices=matrix maxima=maximum media=medium
    memoranda=memorandum men=man metastases=metastasis/metastase mice=mouse minima=minimum
    mitochondria=mitochondrion moduli=modulus momenta=momentum nebulae=nebula neuroses=neurosis novae=nova
    nuclei=nucleus oases=oasis octopi=octopus optima=optimum ova=ovum oxen=ox parentheses=parenthesis
    people=person phenomena=phenomenon phyla=phylum plateaux=plateau prognoses=prognosis psychoses=psychosis
    pupae=pupa quanta=quantum quizzes=quiz radices=radix radii=radius referenda=referendum rhombi=rhombus
    salesmen=salesman scarves=scarf schemata=schema selves=self septa=septum shelves=shelf/shelve
    simplices=simplex spectra=spectrum stimuli=stimulus stomata=stoma strata=stratum sulci=sulcus
    supernovae=supernova syllabi=syllabus symbioses=symbiosis symposia=symposium synopses=synopsis
    tableaux=tableau taxa=taxon teeth=tooth termini=terminus theses=thesis thieves=thief thromboses=thrombosis
    tori=torus vacua=vacuum vertebrae=vertebra vertices=vertex villi=villus vortices=vortex wives=wife
    wolves=wolf women=woman
    """
)
"""Plurals that no rule derives."""

PLURAL_ENDINGS = _parse_pairs("geneses=genesis hedra=hedron lyses=lysis/lyse stases=stasis theses=thesis")
"""Endings of longer plurals that no rule derives: polyhedra, syntheses."""

VERBS = _parse_pairs(
    """
    added=add adding=add aged=age ageing=age aging=age agreed=agree agreeing=agree arced=arc arcing=arc
    banging=bang bathed=bathe bathing=bathe being=be belying=belie breathed=breathe breathing=breathe
    clothed=clothe clothing=clothe created=create creating=create cringing=cringe decreed=decree
    disagreed=disagree disagreeing=disagree does=do doing=do dyeing=dye dying=die ebbing=ebb erred=err
    erring=err foregoing=forego foreseeing=foresee freed=free freeing=free fringed=fringe fringing=fringe
    goes=go going=go guaranteed=guarantee guided=guide guiding=guide hanged=hang hanging=hang hasting=haste
    hinged=hinge hinging=hinge impinged=impinge impinging=impinge infringed=infringe infringing=infringe
    loathing=loathe lying=lie misguided=misguide ongoing=ongoing overhanging=overhang overlying=overlie
    overseeing=oversee owed=owe owing=owe pasted=paste pasting=paste plateaued=plateau plateauing=plateau
    putting=put/putt recreated=recreate recreating=recreate refereed=referee rerouted=reroute rerouting=reroute
    routed=route routing=route seeing=see seething=seethe singed=singe singeing=singe soothed=soothe
    soothing=soothe suited=suit suiting=suit synced=sync syncing=sync tasted=taste tasting=taste teething=teethe
    tied=tie tying=tie undergoes=undergo undergoing=undergo underlying=underlie united=unite uniting=unite
    untied=untie untying=untie vying=vie wasted=waste wasting=waste writhing=writhe
    """
)
"""Forms in -ed, -ing and -oes for which the rules derive a wrong base."""

NON_PLURALS = _parse_words("""
    alias always atlas besides biceps bias canvas chaos christmas corps cosmos ethos forceps gas kansas kudos lens
    mars news ours pancreas pathos perhaps series species texas whereas
""")
"""Words that the rules would take for plurals. (Words in -ss, -us and -is need no entry.)"""

UNLIKELY_PLURALS = _parse_words("""
    ads aids alibis apis apus bcis bikinis clis cpus dois dpus emojis emus gpgpus gpus guis haikus hmis icus ids
    imus ipus kiwis kpis lpus mcus menus mpus mris npus origamis plateaus pois qpus rabbis relus robotaxis rois
    safaris sdis skis taus taxis tpus tsunamis uis uris vpus wikis wsis xpus
""")
"""Plurals that the rules would not take for plurals."""

OE_PLURALS = _parse_words("aloes canoes floes foes hoes horseshoes oboes roes shoes tiptoes toes woes")
"""Plurals of words in -oe; all other plurals in -oes come from words in -o."""

FIELD_NAMES = _parse_words("""
    acoustics aerodynamics aeronautics aesthetics analytics astrodynamics astrometrics astronautics astrophysics
    athletics avionics ballistics bibliometrics bioacoustics bioethics bioinformatics biomechanics biometrics bionics
    biophysics chemometrics chromodynamics civics combinatorics cosmetics cryogenics cybernetics
    diagnostics dialectics dynamics econometrics economics econophysics elastodynamics electrodynamics
    electromagnetics electronics electrostatics epigenetics epigenomics ergonomics esthetics ethics forensics
    genetics genomics geodynamics geophysics geopolitics glycomics graphics gymnastics haptics
    hemodynamics hermeneutics hydraulics hydrodynamics hydrostatics informatics kinematics kinetics linguistics
    lipidomics logistics macroeconomics magnetics magnetohydrodynamics magnetostatics mathematics mechanics
    mechatronics metabolomics metagenomics metamathematics metaphysics microeconomics microelectronics
    microfluidics nanoelectronics nanofluidics nanophotonics neurodynamics neuroethics neurogenetics
    neuroinformatics neurorobotics numerics obstetrics optics optoelectronics optomechanics orthodontics
    orthopaedics orthopedics paediatrics pediatrics pharmacogenomics pharmacokinetics phonetics phonics photonics
    physics plasmonics pneumatics poetics politics pragmatics prosthetics proteomics psychometrics psychophysics
    robotics scientometrics semantics semiotics sociolinguistics spintronics statics stylistics systematics
    tectonics telematics therapeutics thermodynamics transcriptomics valleytronics
""")
"""Names of fields in -ics that are not the plural of a word in -ic. (Statistics can be the plural of a statistic.)"""

NON_VERBS = _parse_words("""
    awning bedding bring ceiling earring embed evening herring imbed inning outing pudding upbringing wedding
""")
"""Words in -ing and -ed from which the rules would derive an unrelated word."""

DOUBLED_LETTER_WORDS = _parse_words("add ebb egg err inn odd purr putt butt mitt watt")
"""Short words that end in a doubled letter."""

WORDS_IN_S = _parse_words("""
    alias apparatus atlas bias bonus bus campus canvas census chorus circus consensus coronavirus corpus debias
    defocus discus focus gas genius hippocampus iris lens lotus microlens minibus nexus octopus plus prospectus
    refocus rhombus sinus status surplus syllabus trellis unbias virus walrus
""")
"""Words in a single s that take -es, -ed and -ing without having an e of their own: biases, focused."""
