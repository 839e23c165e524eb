"""The rows of bench.py on sentences: how fast they are recognised, and to hassil in the same run.

Both sides recognise the cases of a corpus with the names of their fixtures. A round is a share of
the cases, the same for both, one side after the other, so that noise hits both; all rounds together
are all cases. hassil comes from PyPI into an environment of its own, beside what is built.

The corpus is no part of the project: the folder $INTENTD_CORPUS/sentences. Without it the rows are
left out; without pip or network only those that need hassil.
"""
import json
import os
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ENVIRONMENT = os.path.join(HERE, "build", "hassil-env")
HASSIL = "3.12.1"  # what the corpus was made with
PIP_SECONDS_MAX = 180

COMPARED = ["en", "de"]  # languages said to hassil, too
SEGMENTED = ["zh-CN", "zh-TW"]  # written without spaces: the first that the corpus has

THROUGHPUT_RATIO_MIN = 100
P99_US_MAX = 200
NAMES_RATIO_MAX = 1.5
LOAD_MS_MAX = 50
LOAD_KIB_MAX = 10 * 1024
LOAD_ALL_MS_MAX = 300
LOAD_ALL_COUNT = 10  # what the limit is for
NEAR_RATIO_MAX = 40
NEAR_P99_MS_MAX = 10
NEAR_NAMES_P99_MS_MAX = 25
NEAR_LAYING_OUT_MS_MAX = 150
NEAR_MEMORY_RATIO_MAX = 1
COMPLETING_MS_MAX = 3
COMPLETING_INTENTS_MS_MAX = 1
COMPLETING_NAMES_RATIO_MAX = 1.5
INTENTS = os.path.join(os.path.dirname(HERE), "Intents")


class Sentences:
    """`broken`: the exception for what makes the figures mean nothing."""

    def __init__(self, conformance, rounds, quick, broken):
        self.conformance = conformance
        self.rounds = rounds
        # hassil needs most of a minute for all cases; a quick run says every tenth of them.
        self.shares = rounds * (10 if quick else 1)
        self.broken = broken
        self.rows = []
        self.notes = []
        self.figures = {}

    def run(self):
        if not self.conformance:
            self.notes.append("no --conformance: the rows on sentences are left out")
            return
        root = os.environ.get("INTENTD_CORPUS")
        self.corpus = os.path.join(root or "", "sentences")
        if not root or not os.path.isdir(self.corpus):
            self.notes.append(
                "the rows on sentences are left out: set INTENTD_CORPUS to the folder that has "
                "sentences/<language>/intents.json, fixtures.json and cases.jsonl"
                + (f" ({self.corpus} is no folder)" if root else ""))
            return
        self.languages = sorted(
            name for name in os.listdir(self.corpus)
            if os.path.isfile(os.path.join(self.corpus, name, "intents.json")))
        python = self.environment()
        for language in COMPARED:
            if self.has(language):
                self.run_cases(language, python)
        for language in ["en", *[name for name in SEGMENTED if name in self.languages][:1]]:
            if self.has(language):
                self.run_names(language)
        if self.languages:
            self.run_loading()
            self.run_near()
            self.run_completing()

    def has(self, language):
        if language in self.languages:
            return True
        self.notes.append(f"the corpus has no {language}: its rows are left out")
        return False

    # MARK: hassil

    def environment(self):
        """The Python that has hassil, made where it is missing; None with a note."""
        python = os.path.join(ENVIRONMENT, "bin", "python")
        if self.hassil_version(python) == HASSIL:
            return python
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        for argv in ([sys.executable, "-m", "venv", ENVIRONMENT],
                     [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                      "--timeout", "15", "--retries", "1", f"hassil=={HASSIL}"]):
            problem = failure(argv)
            if problem:
                shutil.rmtree(ENVIRONMENT, ignore_errors=True)
                self.notes.append(f"hassil {HASSIL} cannot be installed, so nothing is compared "
                                  f"with it; it needs Python with venv and pip, and PyPI: {problem}")
                return None
        return python

    @staticmethod
    def hassil_version(python):
        code = "import hassil, importlib.metadata as m; print(m.version('hassil'))"
        try:
            done = subprocess.run([python, "-c", code], capture_output=True, text=True)
        except OSError:
            return None
        return done.stdout.strip()

    # MARK: what is measured

    def run_cases(self, language, python):
        peer = HassilCases(python, self.corpus, language, self.broken) if python else None
        ours, theirs, slowest = [], [], []
        try:
            for number in range(self.rounds):
                share = f"{number}/{self.shares}"
                turns = [lambda: ours.append(self.speed(
                    "cases", "--language", language, "--slice", share))]
                if peer:
                    turns.append(lambda: theirs.append(peer.answer(share)))
                for turn in turns[::1 if number % 2 else -1]:
                    turn()
        finally:
            if peer:
                peer.stop()
        for side, results in (("intentd", ours), ("hassil", theirs)):
            wrong = sum(result["wrong"] for result in results)
            if wrong:
                self.notes.append(f"{side} got the intent of {wrong} {language} cases wrong")
        count = sum(result["sentences"] for result in ours)
        rates = [result["rate"] for result in ours]
        if theirs:
            ratio = statistics.median(a / b["rate"] for a, b in zip(rates, theirs))
            self.row(f"sentences a second to hassil {HASSIL}, {count:,} cases, {language}",
                     statistics.median(rates),
                     statistics.median(result["rate"] for result in theirs), "/s", ratio,
                     f">= {THROUGHPUT_RATIO_MIN}", ratio >= THROUGHPUT_RATIO_MIN)
        slowest = statistics.median(result["p99"] for result in ours)
        self.row(f"p99 of a sentence, {language}", slowest, None, "µs", None,
                 f"<= {P99_US_MAX} µs", slowest <= P99_US_MAX)
        self.figures[f"cases {language}"] = {"figure": ours, "beside": theirs}

    def run_names(self, language):
        result = self.speed("names", "--language", language, "--rounds", str(self.rounds * 6 + 1))
        for kind in ("matched", "unmatched"):
            figures = result[kind]
            words = {"matched": "matched", "unmatched": "not matched"}[kind]
            self.row(f"10,000 names to 10, {words}, {language}", figures["many"], figures["few"],
                     "µs", figures["ratio"], f"<= {NAMES_RATIO_MAX}",
                     figures["ratio"] <= NAMES_RATIO_MAX)
        self.figures[f"names {language}"] = result

    def run_loading(self):
        """Each time in a process that did nothing before; the best of the rounds."""
        times, memory, resident, together, together_memory = {}, {}, {}, [], []
        for _ in range(self.rounds):
            for language in self.languages:
                result = self.speed("load", "--languages", language)
                times.setdefault(language, []).append(result["total"] / 1000)
                memory.setdefault(language, []).append(result["memory"])
                resident.setdefault(language, []).append(result["resident"])
            result = self.speed("load", "--languages",
                                ",".join(self.languages[:LOAD_ALL_COUNT]))
            together.append(result["total"] / 1000)
            together_memory.append(result["memory"])
        slowest = max(times, key=lambda language: min(times[language]))
        largest = max(memory, key=lambda language: min(memory[language]))
        count = len(self.languages)
        best = min(times[slowest])
        self.row(f"loading {slowest}, the slowest of {count}", best, None, "ms", None,
                 f"<= {LOAD_MS_MAX} ms", best <= LOAD_MS_MAX)
        best = min(memory[largest])
        self.row(f"memory of {largest} loaded, the largest of {count}", best, None, "KiB", None,
                 f"<= {LOAD_KIB_MAX:,} KiB", best <= LOAD_KIB_MAX)
        self.notes.append(f"the process that loaded {largest} grew by "
                          f"{min(resident[largest]):,} KiB: pages of the program and of ICU's "
                          "tables are in it, which any language touches first")
        best = min(together)
        self.row(f"loading {min(count, LOAD_ALL_COUNT)} together", best, None, "ms", None,
                 f"<= {LOAD_ALL_MS_MAX} ms", best <= LOAD_ALL_MS_MAX)
        self.figures["loading"] = {"ms": times, "KiB": memory, "resident KiB": resident,
                                   "together ms": together, "together KiB": together_memory}

    def run_near(self):
        """The best of the rounds of each language, then the worst language."""
        results = {}
        for _ in range(self.rounds):
            for language in self.languages:
                result = self.speed("near", "--language", language)
                results.setdefault(language, []).append(result)

        def worst(figure):
            best = {language: min((figure(result) for result in rounds))
                    for language, rounds in results.items()}
            language = max(best, key=best.get)
            return language, best[language]

        def near(name, of="near"):
            return lambda result: result[of][name] if of in result else 0

        count = len(results)
        language, ratio = worst(near("ratio"))
        result = min((result["near"] for result in results[language]),
                     key=lambda near: near["ratio"])
        self.row(f"median of near reading to exact, {language}, the slowest of {count}",
                 result["near"], result["exact"], "µs", ratio, f"<= {NEAR_RATIO_MAX}",
                 ratio <= NEAR_RATIO_MAX)
        for name, figure, most in (
                ("p99 of near reading", near("p99"), NEAR_P99_MS_MAX),
                ("p99 of near reading with 10,000 names", near("p99", "manyNames"),
                 NEAR_NAMES_P99_MS_MAX),
                ("near reading of 1,024 characters", lambda result: result["longest"],
                 NEAR_P99_MS_MAX),
                ("the first sentence that is read nearly", lambda result: result["layingOut"],
                 NEAR_LAYING_OUT_MS_MAX)):
            language, slowest = worst(figure)
            self.row(f"{name}, {language}, the slowest of {count}", slowest / 1000, None, "ms",
                     None, f"<= {most} ms", slowest / 1000 <= most)

        def memory(name):
            return sum(min(result[name] for result in rounds) for rounds in results.values())

        own, loaded = memory("nearMemory"), memory("loadedMemory")
        self.row(f"memory of near reading to that of {count} languages", own, loaded, "KiB",
                 own / max(loaded, 1), f"<= {NEAR_MEMORY_RATIO_MAX}",
                 own <= NEAR_MEMORY_RATIO_MAX * loaded)
        self.figures["near"] = results

    def run_completing(self):
        """The language whose sentences weigh most, with 10,000 names; and the project's intents."""
        largest = max(self.languages, key=lambda language: os.path.getsize(
            os.path.join(self.corpus, language, "intents.json")))
        rounds = [self.speed("completing", "--language", largest, "--intents", INTENTS)
                  for _ in range(self.rounds)]

        def best(of):
            return min(result[of]["p99"] for result in rounds) / 1000

        many, intents = best("many"), best("intents")
        self.row(f"p99 of completing with 10,000 names, {largest}, the largest", many,
                 best("few"), "ms", None, f"<= {COMPLETING_MS_MAX} ms", many <= COMPLETING_MS_MAX)
        ratio = min(result["ratio"] for result in rounds)
        self.row(f"completing with 10,000 names to 10, {largest}",
                 min(result["many"]["mean"] for result in rounds),
                 min(result["few"]["mean"] for result in rounds), "µs", ratio,
                 f"<= {COMPLETING_NAMES_RATIO_MAX}", ratio <= COMPLETING_NAMES_RATIO_MAX)
        self.row("p99 of completing with the project's intents", intents, None, "ms", None,
                 f"<= {COMPLETING_INTENTS_MS_MAX} ms", intents <= COMPLETING_INTENTS_MS_MAX)
        self.figures["completing"] = rounds

    def speed(self, what, *arguments):
        done = subprocess.run([self.conformance, "speed", what, self.corpus, *arguments],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise self.broken(f"conformance speed {what}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def row(self, row, ours, theirs, unit, ratio, expected, passed):
        self.rows.append({"row": row, "figure": ours, "beside": theirs, "unit": unit,
                          "ratio": ratio, "expected": expected, "pass": passed})


class HassilCases:
    """A process of hassil_cases.py, which loads a language once."""

    def __init__(self, python, corpus, language, broken):
        self.broken = broken
        self.child = subprocess.Popen(
            [python, os.path.join(HERE, "hassil_cases.py"), os.path.join(corpus, language)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.read()

    def answer(self, share):
        self.child.stdin.write(share + "\n")
        self.child.stdin.flush()
        return self.read()

    def read(self):
        line = self.child.stdout.readline()
        if not line:
            raise self.broken(f"hassil ended with {self.child.wait()}; what it said stands above")
        return json.loads(line)

    def stop(self):
        self.child.kill()
        self.child.communicate()


def failure(argv):
    """The last line of what a command complained; None when it went well."""
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=PIP_SECONDS_MAX)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return None
    lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return lines[-1] if lines else f"exit status {done.returncode}"
