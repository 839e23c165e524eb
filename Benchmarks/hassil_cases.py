#!/usr/bin/env python3
"""hassil on the cases of one language, a share of them for each line read: `conformance speed
cases` of the other side. Runs in the environment that sentences.py makes.

    hassil_cases.py FOLDER

A line is NUMBER/COUNT: every COUNTth case from NUMBER; the answer is a line of JSON. The document
and the lists are loaded once, before the first answer. A share is said once before it is timed, as
on the other side: hassil parses templates and indexes lists when they are first used. The call is
the one that the corpus was made with.
"""
import json
import os
import sys
import time

from hassil import Intents, recognize_best


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return json.load(file)


def main():
    folder = sys.argv[1]
    document = read(folder, "intents.json")
    intents = Intents.from_dict(document)
    lists = {key: Intents.from_dict({"language": document["language"], "intents": {},
                                     "lists": fixture.get("lists", {})}).slot_lists
             for key, fixture in read(folder, "fixtures.json").items()}
    with open(os.path.join(folder, "cases.jsonl"), encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]

    def recognize(case):
        return recognize_best(case["sentence"], intents, slot_lists=lists[case["fixture"]],
                              intent_context=case["context"], best_slot_name="name")

    print(json.dumps({"cases": len(cases)}), flush=True)
    for line in sys.stdin:
        number, count = map(int, line.split("/"))
        share = cases[number::count]
        for case in share:
            recognize(case)
        start = time.perf_counter()
        results = [recognize(case) for case in share]
        took = time.perf_counter() - start
        wrong = sum(result is None or result.intent.name != case["intent"]
                    for result, case in zip(results, share))
        print(json.dumps({"sentences": len(share), "wrong": wrong, "rate": len(share) / took}),
              flush=True)


if __name__ == "__main__":
    main()
