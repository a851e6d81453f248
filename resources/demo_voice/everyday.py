# ruff: noqa: SIM905
"""Common English words in plain frames, so that the voice has heard each of them several times."""

from __future__ import annotations

import random

NOUNS = """time year day way man woman child world life hand part place case week company system
program work government number night point home water room mother area money story fact month lot
right study book eye job word business issue side kind head house service friend father power hour
game line end member law car city community name president team minute idea body information back
parent face level office door health person art war history party result change morning reason
research girl guy moment air teacher force education foot boy age policy music process picture
sense nation plan college interest death experience effect use class control field development
role effort rate heart drug show leader light voice wife whole police mind price report decision
son view relationship town road arm difference value building action season society tax director
position player record paper space ground form event matter center couple site project hair
movement activity star table need court oil situation cost industry figure street image phone data
picture practice piece land product doctor wall worker news test movie north south east west love
step baby computer type film tree source attention dog fish summer winter spring autumn rain snow
wind storm cloud sun moon sky earth sea ocean hill valley stone sand fire ice metal wood glass
gold silver iron cotton leather skin bone blood brain stomach shoulder knee finger thumb ear nose
mouth tooth neck chest uncle aunt cousin nephew niece grandmother grandfather nurse soldier
sailor pilot baker painter writer singer actor artist lawyer judge king queen prince princess
shop store bank hotel restaurant factory farm castle temple palace prison stadium theater corner
front middle top bottom inside outside edge center circle square triangle line dot color shape size
weight height length speed sound noise silence smell taste touch dream sleep breath smile laugh
tear kiss hug fight race war peace meeting lesson speech letter note sign symbol page chapter
title desk drawer shelf cabinet carpet curtain towel soap brush comb needle thread button pocket
sleeve collar belt boot glove scarf umbrella suitcase wallet purse coin bill bowl dish pan pot
oven fridge stove sink bath shower toilet roof garage fence gate path yard bush leaf root seed
grain wheat corn bean pea carrot onion tomato pepper lemon cherry grape berry nut honey butter
cream meat beef pork lamb juice wine beer lunch supper snack eggs bean sauce spoon fork truck van
taxi plane helicopter bicycle motor wing tail paw claw feather nest egg hen duck goose turkey pig
goat bull rabbit fox wolf bear lion tiger elephant monkey snake frog spider ant bee butterfly
language grammar spelling accent meaning translation conversation discussion argument opinion
advice help support danger risk accident emergency injury pain disease medicine cure hospital
ambulance fever cold cough weather temperature degree science physics chemistry biology
mathematics geography electricity energy battery cable screen keyboard button network internet
password file folder printer camera microphone speaker headphone recording volume""".split()

VERBS = """be have do say get make go know take see come think look want give use find tell ask
work seem feel try leave call need become put mean keep let begin help talk turn start show hear
play run move like live believe hold bring happen write provide sit stand lose pay meet include
continue set learn change lead understand watch follow stop create speak read allow add spend grow
open walk win offer remember love consider appear buy wait serve die send expect build stay fall
cut reach kill remain suggest raise pass sell require report decide pull return explain hope
develop carry break receive agree support hit produce eat cover catch draw choose cause listen
knock shout whisper jump climb swim fly drive ride push throw kick shake bend lift drop touch
smell taste laugh cry sleep wake dream forget forgive promise refuse accept borrow lend steal
share count measure weigh mix cook bake boil fry wash dry iron sweep paint hang hide search
discover invent repair travel arrive depart visit invite welcome introduce describe compare copy
print type record save delete connect improve protect attack defend escape march rain snow shine
burn freeze melt grow shrink rise sink float collect deliver prepare practice prefer enjoy hate
worry wonder guess imagine notice recognize""".split()

FORMS = """wrote reads sleeps knocked believed began sounds marched rained listening became came
went gave told felt thought said knew took saw got made did had was were been being has does goes
says looks wants works seems feels tries calls needs means helps talks turns starts shows hears
plays runs moves lives holds brings happens sits stands loses pays meets spoke spent grew won
remembered loved waited sent fell cut sold decided pulled explained hoped carried agreed drew
chose caused jumped climbed swam flew drove rode pushed threw kicked shook lifted dropped smelled
tasted cried woke dreamed forgave promised refused accepted borrowed stole shared counted mixed
baked boiled washed painted hung hid searched discovered repaired traveled arrived visited
invited described copied printed recorded saved connected improved protected attacked escaped
burned froze melted rose sank collected delivered prepared practiced preferred enjoyed hated
worried wondered guessed noticed speaking reading writing working walking running going coming
making taking looking talking thinking learning sleeping eating drinking playing waiting standing
sitting living dying growing falling buying selling driving flying singing dancing swimming
cooking cleaning laughing crying smiling trying using asking telling calling helping moving
starting ending""".split()

DESCRIBING = """able bad best better big black blue brown certain clear close common complete
correct current dead different direct early easy economic enough entire equal exact extra fair
familiar famous far fast favorite final fine first second third fourth fifth last next foreign free
full future general good great green grey half happy hard heavy high hot huge human important
impossible likely little local lonely long loose lost low main major medical mental modern narrow
national natural nearby necessary nervous new nice normal old only open original other own
particular past perfect personal physical pink plain pleasant political poor popular possible
practical present pretty private proper proud public purple quick ready real recent red regular
right rough royal same secret separate serious several shy sick similar single slow small social
solid special steady still strange sudden sure thick thin tiny total tough true typical unable
unhappy unknown unusual upper useful usual various whole wide wild wise wonderful wrong yellow
young afraid alive alone asleep awake bored curious excited grateful jealous worried amazing
brilliant dull exciting boring terrible horrible lovely""".split()

SMALL = """about above across after again against ago all almost along already also although
always among another any anybody anyone anything anyway anywhere around as at away back because
before behind below beside besides between beyond both but by down during each either else enough
even ever every everywhere except few finally first for forever forward from further generally
here herself himself how however if in indeed instead into itself just later least less likely
many maybe me mine more most much myself near nearly neither never next nobody none nor not nothing
now nowhere of off often once only onto or other ours out over own per perhaps quickly quite
rather really right round seldom shall should since slowly so some somehow something sometimes
somewhere soon still such suddenly than that their theirs them themselves then there therefore
these they thing this those though through till today together tomorrow too toward twice under
unless until up upon us usually very well what whatever when whenever where wherever whether which
while who whole whom whose why will with within without would yes yesterday yet your yours yourself
hers his its our my her him hello goodbye please thanks sorry welcome okay""".split()

FRAMES = {
    "n": """We talked about the {n} and the {n}.
|The {n} was near the {n}.|Here is the {n} of the {n}.
|A {n} is not a {n}.|I can see the {n} in the {n}.|Every {n} has a {n}.
|His {n} and her {n} are here.
|That {n} came from another {n}.|Without the {n} there is no {n}.""",
    "v": """They will {v} it and then {v} again.|You have to {v} before you {v}.|I want to {v} now.
|She did not {v} or {v}.|Let us {v} and {v} today.|We should {v} more and {v} less.""",
    "f": """He {f} and she {f}.|It {f} while they {f}.|The old man {f} all day.|Who {f} last night?
|After that she {f} again, and he {f}.|One of them {f} and the other {f}.""",
    "d": """It was {d} and very {d}.|Some are {d}, others are {d}.|The {d} one is {d}.
|That sounds {d} to me.|He is a {d} man with a {d} friend.|Nothing {d} is ever {d}.""",
    "s": """They said {s} and {s}.|The words are {s} and {s}.|First {s}, then {s}, and now {s}.
|You wrote {s} here and {s} there.""",
}
POOLS = {"n": NOUNS, "v": VERBS, "f": FORMS, "d": DESCRIBING, "s": SMALL}


def everyday_sentences(rounds: int, rng: random.Random) -> list[str]:
    """Sentences in which every word of the lists occurs about ``rounds`` times."""
    sentences = []
    for kind, words in POOLS.items():
        frames = [frame.strip() for frame in FRAMES[kind].split("|")]
        queue: list[str] = []
        for _ in range(rounds):
            again = sorted(set(words))
            rng.shuffle(again)
            queue += again
        while queue:
            frame = rng.choice(frames)
            while "{" in frame and queue:
                frame = frame.replace("{" + kind + "}", queue.pop(), 1)
            if "{" not in frame:
                sentences.append(frame)
    rng.shuffle(sentences)
    return sentences
