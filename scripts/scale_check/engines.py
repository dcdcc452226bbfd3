"""The engines: each runs a recipe of docs/SCALE.md over the same corpus and answers sums."""
import glob
import gzip
import json
import os
import shutil
import subprocess

from . import compare

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RECIPES = os.path.join(HERE, "scale")
COUNTER = ["--counter", "chars"]


class Absent(Exception):
    """An engine that is not there: not run, which is not the same as good."""


class Failed(Exception):
    """An engine that ran and broke."""


def run(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **more)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise Failed(f"exit {done.returncode}: {' '.join(map(str, command))[:200]}: {' / '.join(said[-3:])}")
    return done.stdout


class Bench:
    """The corpus, the program, and what the engines share."""

    def __init__(self, asked, corpus, work):
        self.toolcost, self.python, self.jobs = asked.toolcost, asked.python, str(asked.jobs)
        self.corpus, self.work = corpus, work
        self.files, self.jsonl = os.path.join(corpus, "files"), os.path.join(corpus, "jsonl")
        self.tables = {}

    def facts(self, table, output="ndjson", path=None, **more):
        command = [self.toolcost, "facts", path or self.files, "--table", table, "-j", self.jobs, *COUNTER]
        return run([*command, "-f", output], **more)

    def rows(self, table):
        """Rows of one process over all session folders."""
        return list(compare.lines(self.whole(table)))

    def whole(self, table):
        if table not in self.tables:
            self.tables[table] = self.facts(table)
        return self.tables[table]

    def report(self):
        return json.loads(run([self.toolcost, "report", self.files, "-f", "json", "-q", "-j", self.jobs, *COUNTER]))

    def path(self, *parts):
        path = os.path.join(self.work, *parts)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def module(self, name):
        if subprocess.run([self.python, "-c", f"import {name}"], capture_output=True).returncode:
            raise Absent(f"no {name} in {self.python}")

    def recipe(self, name, *args):
        return json.loads(run([self.python, os.path.join(RECIPES, name), *args]).splitlines()[-1])

    def has_parquet(self):
        help_text = run([self.toolcost, "facts", "--help"]).decode()
        if "parquet" not in help_text.lower():
            return False
        # The flag may be known where the feature is not built in.
        path = self.path("try.parquet")
        command = [self.toolcost, "facts", self.files, "--table", "requests", *COUNTER, "-f", "parquet", "-o", path]
        return subprocess.run(command, capture_output=True).returncode == 0


def written(bench, output):
    """Both tables as files of a format."""
    paths = []
    for table in ("request_tools", "requests"):
        path = bench.path(output, f"{table}.{output}")
        if output == "ndjson":
            with open(path, "wb") as file:
                file.write(bench.whole(table))
        else:
            run([bench.toolcost, "facts", bench.files, "--table", table, "-j", bench.jobs, *COUNTER, "-f", output, "-o", path])
        paths.append(path)
    return paths


def duckdb_of(output):
    def engine(bench):
        bench.module("duckdb")
        return bench.recipe("duckdb_sums.py", *written(bench, output)), None

    return engine


def duckdb_parquet(bench):
    bench.module("duckdb")
    if bench.has_parquet():
        return bench.recipe("duckdb_sums.py", *written(bench, "parquet")), "written by toolcost"
    paths = []
    for path in written(bench, "ndjson"):
        target = path.replace(".ndjson", ".parquet")
        copy = (f"import duckdb; duckdb.sql(\"COPY (SELECT * FROM read_json('{path}', format = 'newline_delimited', "
                f"sample_size = -1)) TO '{target}' (FORMAT parquet, COMPRESSION zstd)\")")
        run([bench.python, "-c", copy])
        paths.append(target)
    return bench.recipe("duckdb_sums.py", *paths), "this toolcost has no feature parquet: DuckDB made it from NDJSON"


def spark_ready(bench):
    bench.module("pyspark")
    if shutil.which("java") is None:
        raise Absent("no java")


def spark_pipe(bench):
    spark_ready(bench)
    return bench.recipe("spark_pipe.py", bench.toolcost, bench.jsonl, *COUNTER), "lines of whole files"


def spark_folders(bench):
    spark_ready(bench)
    return bench.recipe("spark_pipe.py", "--folders", bench.toolcost, bench.files, *COUNTER), "names of session folders"


def packed(bench, how):
    """The days, packed."""
    days = sorted(glob.glob(os.path.join(bench.jsonl, "*.jsonl")))
    for day in days:
        target = bench.path(f"packed-{how}", os.path.basename(day) + "." + how)
        if how == "gz":
            with open(day, "rb") as plain, gzip.open(target, "wb", compresslevel=6) as file:
                shutil.copyfileobj(plain, file, 1 << 20)
        else:
            run(["zstd", "-q", "-f", "-3", "--long=27", day, "-o", target])
    return bench.path(f"packed-{how}", "")


def spark_pandas(how):
    def engine(bench):
        spark_ready(bench)
        bench.module("pandas")
        if how == "zst" and shutil.which("zstd") is None:
            raise Absent("no zstd to pack with")
        return bench.recipe("spark_pandas.py", bench.toolcost, packed(bench, how), *COUNTER), None

    return engine


def in_parts(bench, command, **more):
    """Sums of what a shell's recipe writes, part by part. The command is made for the folder that it writes to."""
    out = bench.path("parts", "")
    shutil.rmtree(out, ignore_errors=True)
    run(command(out), **more)
    rows = {"request_tools": [], "requests": []}
    for table, kept in rows.items():
        for path in sorted(glob.glob(os.path.join(out, f"{table}-*.ndjson"))):
            with open(path, "rb") as file:
                kept.extend(compare.lines(file.read()))
    return compare.sums(rows["request_tools"], rows["requests"])


def xargs(bench):
    environment = {**os.environ, "TOOLCOST": bench.toolcost, "ARGS": " ".join(COUNTER)}
    script = os.path.join(RECIPES, "facts.sh")
    return in_parts(bench, lambda out: ["sh", script, bench.files, out, bench.jobs], env=environment), None


def powershell(bench):
    if shutil.which("pwsh") is None:
        raise Absent("no pwsh")
    script, more = os.path.join(RECIPES, "facts.ps1"), "@('" + "','".join(COUNTER) + "')"
    call = lambda out: f"& '{script}' '{bench.files}' '{out}' -Jobs {bench.jobs} -Toolcost '{bench.toolcost}' -More {more}"
    return in_parts(bench, lambda out: ["pwsh", "-NoProfile", "-Command", call(out)]), None


def merged(bench):
    """The reports of the parts, joined: must say of every run what one report over all says."""
    if "--merge" not in run([bench.toolcost, "report", "--help"]).decode():
        raise Absent("this toolcost has no report --merge")
    xargs(bench)
    parts = sorted(glob.glob(os.path.join(bench.path("parts", ""), "report-*.json")))
    joined = json.loads(run([bench.toolcost, "report", "--merge", *parts, "-f", "json", "-q"]))
    rows = bench.rows("request_tools"), bench.rows("requests")
    found = compare.against_report(*rows, joined)
    # Beyond the sums: a run of the joined report is the same, word for word.
    for ours, theirs in zip(joined["runs"], bench.report()["runs"]):
        found += [f"{ours['run']}, {key}" for key in sorted({*ours, *theirs}) if ours.get(key) != theirs.get(key)]
    if found:
        raise Failed(f"{len(found)} parts of the joined report differ, the first: {found[0]}")
    return compare.sums(*rows), f"{len(parts)} reports, every field of {len(joined['runs'])} runs"


def jsonl(bench):
    """The other layout: the same requests in envelopes, several sessions a file."""
    tables = [list(compare.lines(bench.facts(table, path=bench.jsonl))) for table in ("request_tools", "requests")]
    return compare.sums(*tables), None


ENGINES = {
    "toolcost over JSONL": jsonl,
    "DuckDB, NDJSON": duckdb_of("ndjson"),
    "DuckDB, CSV": duckdb_of("csv"),
    "DuckDB, Parquet": duckdb_parquet,
    "Spark, rdd.pipe": spark_pipe,
    "Spark, rdd.pipe, folders": spark_folders,
    "Spark, mapInPandas, gzip": spark_pandas("gz"),
    "Spark, mapInPandas, zstd": spark_pandas("zst"),
    "xargs -P": xargs,
    "PowerShell": powershell,
    "report --merge": merged,
}
