"""The command line of scripts/scale-check."""
import argparse
import json
import os
import shutil
import sys
import tempfile
import time

import small_corpus

from . import compare
from .engines import ENGINES, Absent, Bench, Failed

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

ABOUT = """\
Runs the recipes of docs/SCALE.md and compares every sum of every tool.

usage: scale-check [CORPUS] [options]

Without CORPUS a small one is made. First the facts of one process are held against `toolcost report -f json` (each tool
of each run) and against truth.json, where there is one; then each engine's sums against those of that process.
A line for each engine. Ends with 1 where anything differs or an engine is absent (unless --allow-missing).
"""


def parse(argv):
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    parser = argparse.ArgumentParser(description=ABOUT, usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?")
    parser.add_argument("--toolcost", default=os.path.join(target, "release", "toolcost"), help="the program")
    parser.add_argument("--python", default=sys.executable, help="a Python that has duckdb, pyspark and pandas")
    parser.add_argument("--allow-missing", action="store_true", help="an absent engine is no failure")
    parser.add_argument("--only", help="engines whose name holds this")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="threads of the one process")
    parser.add_argument("--keep", help="a folder for what the recipes write, instead of one that is removed")
    asked = parser.parse_args(argv)
    if shutil.which(asked.toolcost) is None:
        parser.error(f"{asked.toolcost}: no program; build it, or name it with --toolcost")
    asked.toolcost = os.path.abspath(shutil.which(asked.toolcost))
    return asked


def line(word, name, seconds, text=""):
    print(f"{word:8} {name:26} {seconds:7.2f} s  {text}".rstrip(), flush=True)


def told(found):
    return f"{len(found)} differ, the first: {found[0]}"


def check_one_process(bench, corpus):
    """Facts against the report and the truth. Answers the sums, and whether they are right."""
    start = time.perf_counter()
    rows = bench.rows("request_tools"), bench.rows("requests")
    sums = compare.sums(*rows)
    report = bench.report()
    pairs = sum(len(run["tools"]) for run in report["runs"])
    good = True
    against = [("report -f json", compare.against_report(*rows, report), f"{pairs} tools of {len(report['runs'])} runs")]
    truth = os.path.join(corpus, "truth.json")
    if os.path.exists(truth):
        with open(truth, encoding="utf-8") as file:
            against.append(("truth.json", compare.against_truth(sums, json.load(file)), f"{len(sums['tools'])} tools"))
    else:
        print("no truth.json beside the corpus: not compared with it")
    for name, found, what in against:
        good = good and not found
        line("differs" if found else "equal", f"facts and {name}", time.perf_counter() - start, told(found) if found else what)
    return sums, good


def check_engine(name, engine, bench, want):
    """Runs one; answers `equal`, `differs`, `failed` or `not run`."""
    start = time.perf_counter()
    try:
        got, note = engine(bench)
    except Absent as why:
        word, text = "not run", str(why)
    except (Failed, OSError, ValueError, KeyError) as why:
        word, text = "failed", str(why)
    else:
        found = compare.differences(got, want)
        word = "differs" if found else "equal"
        text = told(found) if found else f"{len(got['tools'])} tools, {got['total']['requests']} requests"
        text += f"; {note}" if note else ""
    line(word, name, time.perf_counter() - start, text)
    return word


def show_cut(bench):
    """What happens where sessions are cut: the halves of a session folder, read one by one."""
    whole = [dict(row, part=0) for row in bench.rows("request_tools")]
    parts = []
    for folder in sorted(os.listdir(bench.files)):
        names = sorted(os.listdir(os.path.join(bench.files, folder)))
        middle = (len(names) + 1) // 2
        for part, half in enumerate((names[:middle], names[middle:])):
            bodies = [open(os.path.join(bench.files, folder, name), "rb").read() for name in half]
            out = bench.facts("request_tools", path="-", input=b"\n".join(bodies)) if bodies else b""
            parts += [dict(row, part=part) for row in compare.lines(out)]
    rows, changed = compare.cut_apart(whole, parts)
    told_of = ", ".join(f"{column} {count}" for column, count in changed.items())
    print(f"cut      sessions cut in two: of {rows} rows differ: {told_of}")


def main(argv=None):
    asked = parse(argv)
    work = asked.keep or tempfile.mkdtemp(prefix="scale-check-")
    os.makedirs(work, exist_ok=True)
    try:
        corpus = asked.corpus
        if corpus is None:
            corpus = os.path.join(work, "corpus")
            shutil.rmtree(corpus, ignore_errors=True)
            small_corpus.make(corpus)
        bench = Bench(asked, os.path.abspath(corpus), work)
        try:
            want, good = check_one_process(bench, corpus)
        except Failed as why:
            print(f"failed   {why}")
            return 1
        engines = {name: engine for name, engine in ENGINES.items() if (asked.only or "") in name}
        words = [check_engine(name, engine, bench, want) for name, engine in engines.items()]
        if asked.corpus is None and not asked.only:
            show_cut(bench)
    finally:
        if asked.keep is None:
            shutil.rmtree(work, ignore_errors=True)
    bad = [word for word in words if word in ("differs", "failed") or (word == "not run" and not asked.allow_missing)]
    return 0 if good and engines and not bad else 1
