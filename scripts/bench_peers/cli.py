"""The command line of scripts/bench-peers."""
import argparse
import os
import shutil
import sys
import tempfile

from . import compare, promises
from .corpus import Corpus

ABOUT = """\
Measures toolcost against other programs that do the same task, and checks every answer.

usage: bench-peers [peers|order|norepeat|threads|packed|claude|start|memory|all] CORPUS [options]

  peers     bytes by tool over all requests, and the number of tool_reference blocks, by every program
  order     the same requests session by session, in turn, shuffled: at most 1.4 times file order
  norepeat  the last request of each session, against serde_json's Value: at most 0.6 times
  threads   two threads against one: at least 1.6 times as fast
  packed    gzip and zstd (--long=27), against unpacking alone: at most 1.3 and 2.2 times
  claude    report --counter claude, against --counter chars + 1.2 × new bytes ÷ rate of counting
  start     report captures/ and --version against true: at most 50 and 3 times
  memory    peak memory and speed at growing sizes: at most 64 MB, the largest record twice a thread, 1 KB a request

CORPUS has files/<session>/<request>.json, jsonl/<day>.jsonl and truth.json; scripts/small_corpus.py makes a small one.
Everything is run in turns, in one go: only ratios of one table mean something, and only on a machine that is left alone.
Ends with 1 where an answer or a limit was missed or something could not be measured; absent peers are named and do no harm.
"""


def parse(argv):
    release = os.path.join(promises.ROOT, "target", "release")
    release = os.path.join(os.environ["CARGO_TARGET_DIR"], "release") if "CARGO_TARGET_DIR" in os.environ else release
    parser = argparse.ArgumentParser(description=ABOUT, usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["peers", *promises.MODES, "all"])
    parser.add_argument("corpus")
    parser.add_argument("--rounds", type=int, default=7, help="interleaved rounds (7)")
    parser.add_argument("--slow-rounds", type=int, default=1, help="rounds of jq, jaq and node; 0 leaves them out (1)")
    parser.add_argument("--toolcost", default=os.path.join(release, "toolcost"), help="the program")
    parser.add_argument("--examples", default=os.path.join(release, "examples"), help="folder of the example programs")
    parser.add_argument("--python", default=sys.executable, help="a Python that has duckdb and orjson")
    parser.add_argument("--jaq", help="where jaq is, if not on PATH")
    parser.add_argument("--work", help="folder for links and packed files; best on the disk of the corpus, where links cost nothing")
    parser.add_argument("--days", type=int, default=4, help="packed: JSONL files that are packed (4)")
    parser.add_argument("--model", default="claude-opus-4-5", help="claude: the model whose counting rate is measured")
    parser.add_argument("--sizes", default="10,100,1000", help="memory: megabytes, with commas (10,100,1000)")
    parser.add_argument("--more", nargs="*", default=[], metavar="FOLDER",
                        help="memory: further folders of sessions, read before anything is linked twice")
    asked = parser.parse_args(argv)
    asked.sizes = [int(size) for size in asked.sizes.split(",")]
    for name in ("value_parse", "unpack_only", "repeats"):
        setattr(asked, name, os.path.join(asked.examples, name))
    if shutil.which(asked.toolcost) is None:
        parser.error(f"{asked.toolcost}: no program; build it, or name it with --toolcost")
    if asked.rounds < 1:
        parser.error("--rounds must be 1 or more")
    return asked


def main(argv=None):
    asked = parse(argv)
    corpus = Corpus(asked.corpus)
    own = asked.work is None
    asked.work = asked.work or tempfile.mkdtemp(prefix="bench-peers-")
    modes = ["peers", *promises.MODES] if asked.mode == "all" else [asked.mode]
    results = {}
    try:
        for mode in modes:
            try:
                results[mode] = compare.table(corpus, asked) if mode == "peers" else promises.MODES[mode](corpus, asked)
            except RuntimeError as error:
                # One program that breaks must not hide what the others do.
                print(f"\nFAIL: {mode}: {error}")
                results[mode] = False
            sys.stdout.flush()
    finally:
        if own:
            shutil.rmtree(asked.work, ignore_errors=True)
    if len(results) > 1:
        print("\n" + ", ".join(f"{mode} {'pass' if good else 'FAIL'}" for mode, good in results.items()))
    return 0 if all(results.values()) else 1
