"""Sentence pairs with made errors, two thirds of them, for benchmarks of retrieval: JSON Lines on stdout.

Usage: make_sentence_pairs.py COUNT [SEED]
"""
import json
import random
import sys

SUBJECTS = ("my brother|the old teacher|our neighbour|a young doctor|the children|many people|her friends|the students|this company|"
            "the government|some tourists|the manager of the hotel|an engineer from Spain|the committee").split("|")
VERBS = ("depend on:depends on|listen to:listens to|look for:looks for|wait for:waits for|believe in:believes in|"
         "talk about:talks about|complain about:complains about|care for:cares for|laugh at:laughs at|apply for:applies for").split("|")
OBJECTS = ("the weather|public transport|good advice|a new job|the results of the survey|cheap food|the music of the radio|"
           "their parents|the answer to the question|clean water|a better life in the city|expensive shoes").split("|")
TAILS = ("in the morning|every day|because it is important for their future|although the price is very high|when they are abroad|"
         "since the beginning of the year|as soon as the work is finished|which makes life more interesting|at the end of {} long week|"
         "before the {} meeting begins|and nobody in the {} town knows the reason").split("|")
ADJECTIVES = "noisy quiet modern famous foreign local rainy busy lonely distant pleasant difficult narrow gentle wooden".split()
PREPOSITIONS = "on to for in about at of with".split()


def correct(rng):
    subject = rng.choice(SUBJECTS)
    plural = subject.split()[0] in ("many", "some", "her") or subject in ("the children", "the students")
    verb = rng.choice(VERBS).split(":")[0 if plural else 1]
    adjective = rng.choice(ADJECTIVES)
    tails = [rng.choice(TAILS).format(adjective) for _ in range(rng.choice((1, 1, 2)))]
    number = rng.randrange(10000)
    return f"{subject} {verb} {rng.choice(OBJECTS)} {' '.join(tails)} in room {number}".capitalize() + "."


def spoilt(words, rng):
    words = list(words)
    at = rng.randrange(1, len(words) - 3)
    kind = rng.randrange(5)
    if kind == 0:
        words = [w for i, w in enumerate(words) if w not in ("the", "a") or i < 2 or rng.random() < .5]
    elif kind == 1:
        words = [rng.choice(PREPOSITIONS) if w in PREPOSITIONS and rng.random() < .5 else w for w in words]
    elif kind == 2:
        words[at] = words[at][:-1] if words[at].endswith("s") else words[at] + "s"
    elif kind == 3:
        words[at], words[at + 1] = words[at + 1], words[at]
    else:
        words.insert(at, words[at])
    return words


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rng = random.Random(seed)
    for number in range(count):
        target = correct(rng)
        source = target if number % 3 == 0 else " ".join(spoilt(target.split(), rng))
        print(json.dumps({"id": str(number), "source": source, "target": target}))


main()
