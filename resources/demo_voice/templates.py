# ruff: noqa: SIM905
"""Sentences of our own, made by filling small frames with everyday words.

They give the voice the plain words of notes, messages and instructions, and numbers written in
figures, which the collections of quotations lack.
"""

from __future__ import annotations

import random
import re

PEOPLE = """I you we they he she my_mother my_father my_friend the_teacher the_doctor the_girl
the_boy our_neighbor the_woman the_man the_children his_sister her_brother the_driver the_farmer
the_captain the_old_man the_students everyone nobody somebody the_company the_band Anna Peter Mary
John Tom Sarah David Emma""".split()

PAST = """opened closed found lost bought sold painted cleaned washed carried moved watched liked
remembered forgot needed wanted used broke fixed drew saw heard brought took left kept made built
ordered sent received returned counted checked finished started ate cooked played touched""".split()

THINGS = """door window house garden car bicycle boat train book letter newspaper picture camera
phone computer radio clock watch table chair bed lamp mirror cup plate bottle knife spoon bag box
basket coat hat shirt shoe ring key map ticket stone flower tree apple orange banana cake bread
cheese egg soup coffee tea milk water sugar salt rice potato fish chicken horse dog cat bird cow
sheep mouse piano guitar song story movie game ball kite candle blanket pillow ladder hammer rope
engine wheel bridge road street river lake mountain forest field beach island school library
hospital market kitchen office church station airport museum tower wall floor roof message
machine sentence word voice question answer number name idea plan problem gift party meal
breakfast lunch dinner job lesson test""".split()

ADJECTIVES = """old new big small large little long short red blue green yellow white black brown
warm cold hot cool dry wet clean dirty heavy light dark bright quiet loud fast slow strong weak
soft hard happy sad angry tired hungry thirsty sick healthy rich poor young beautiful strange
simple difficult easy important famous empty full open broken cheap expensive dangerous safe
gentle clever kind lazy busy ready late early wooden golden silver sharp smooth round square
tall deep wide narrow fresh sweet bitter funny serious polite careful free""".split()

PLACES = """in_the_garden at_the_station near_the_river on_the_table under_the_bridge at_home
behind_the_house in_the_kitchen by_the_window at_school in_the_city on_the_beach over_the_hill
across_the_street in_the_forest at_the_market in_the_morning in_the_evening at_night after_lunch
before_dinner last_night last_week yesterday today this_morning this_afternoon on_Monday
on_Tuesday on_Wednesday on_Thursday on_Friday on_Saturday on_Sunday in_January in_February
in_March in_April in_May in_June in_July in_August in_September in_October in_November
in_December next_year next_week tomorrow last_summer during_the_winter in_spring in_autumn
again every_day for_an_hour with_great_care without_a_word for_the_first_time""".split()

BASE_VERBS = """open close find buy sell paint clean wash carry move watch like remember need want
use break fix draw see hear bring take leave keep make build send return count check finish start
cook play touch hold read write show give help teach learn sing""".split()

INTRANSITIVE = """laughed smiled cried waited slept walked ran jumped danced sang worked talked
whispered listened arrived left stayed fell stood sat agreed answered""".split()

WEATHER = "sunny cloudy rainy windy foggy cold warm hot cool dry wet stormy snowy mild pleasant"

FRAMES = """{p} {v} the {a} {t} {w}.
{p} {v} the {t} {w}.
{p} {v} a {a} {t}.
The {t} is {a} and the {t} is {a}.
The {a} {t} is {w2}.
{p} {i} {w}.
{p} {i} and {i}.
Please {b} the {t} {w}.
Please {b} your {t}.
Do not {b} the {a} {t}.
Can you {b} the {t} for me?
Could you {b} this {t}, please?
Will you {b} the {t} {w}?
Where is the {a} {t}?
Where did you {b} the {t}?
Why did they {b} the {t}?
When will we {b} the {t}?
How did {p} {b} that {t}?
What a {a} {t}!
There is a {a} {t} {w2}.
There are {n} {t}s {w2}.
There were {n} {a} {t}s {w2}.
I have {n} {t}s and {n} {t}s.
We need {n} more {t}s.
It will be {x} {w}.
The weather is {x} today.
It was {x} and {x} {w}.
Hello, my name is {q}.
Good morning, {q}, how are you today?
Good evening, and welcome to the {t}.
Thank you for the {a} {t}.
Thank you very much, {q}.
I think the {t} was too {a}.
I would like to {b} a {a} {t}.
I am going to {b} the {t} {w}.
We are very {a} {w}.
They want to {b} every {t}.
She said that the {t} was {a}.
He told me that {p} {v} it {w}.
If you {b} the {t}, we will {b} the {t}.
When {p} {i}, the {t} was {a}.
The {t} {w2} was made of {t}.
My {t} is not as {a} as yours.
Nothing is more {a} than a {a} {t}.
The number is {n}.
The answer is {n}, not {n}.
It costs {n} dollars.
The train leaves at {n} o'clock.
The bus will arrive in {n} minutes.
She is {n} years old.
Turn left at the {t}, then go straight on.
Turn right after the {a} {t}.
This is the voice of a small machine.
You can {b} it {w}.
Let us {b} the {t} together.
Everybody knows that {p} {v} the {t}.
Have you ever seen such a {a} {t}?
Someone has to {b} the {t} before we can {b} it.
It is better to {b} than to {b}.
Is this {t} {a} or {a}?""".split("\n")

NUMBER_WORDS = """zero one two three four five six seven eight nine ten eleven twelve thirteen
fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty
ninety hundred thousand""".split()


def _fill(slot: str, rng: random.Random) -> str:
    pools = {
        "p": PEOPLE,
        "v": PAST,
        "t": THINGS,
        "a": ADJECTIVES,
        "w": PLACES,
        "b": BASE_VERBS,
        "i": INTRANSITIVE,
        "x": WEATHER.split(),
        "q": PEOPLE[-8:],
    }
    if slot == "w2":
        return rng.choice(PLACES[:16]).replace("_", " ")
    if slot == "n":
        if rng.random() < 0.4:
            return rng.choice(NUMBER_WORDS[1:28])
        return str(rng.choice([rng.randint(2, 20), rng.randint(2, 99)]))
    return rng.choice(pools[slot]).replace("_", " ")


def make_sentence(rng: random.Random) -> str:
    """One sentence; starts with a capital letter, ends in a mark."""
    frame = rng.choice(FRAMES)
    text = re.sub(r"\{(\w+)\}", lambda m: _fill(m.group(1), rng), frame)
    for old, new in (
        ("foots", "feet"),
        ("mouses", "mice"),
        ("knifes", "knives"),
        ("boxs", "boxes"),
    ):
        text = text.replace(old, new)
    text = re.sub(r"\b([aA]) (?=[aeioAEIO])", r"\1n ", text)
    return text[0].upper() + text[1:]
