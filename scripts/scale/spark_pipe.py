"""Spark, rdd.pipe: the lines of each file go through `toolcost facts -`, and its rows come back.

usage: spark_pipe.py TOOLCOST JSONL [FLAG…]               JSONL: a folder or glob of line-by-line captures, each session in one file
       spark_pipe.py --folders TOOLCOST FOLDER [FLAG…]     FOLDER: holds a folder for each session, on a disk that every worker sees

On a cluster toolcost must lie at this path on every worker (`spark-submit --files`, or in the image).
"""
import os
import shlex
import sys

from spark_sums import SCHEMAS, facts, session, show


def of_folders(command):
    """The command of a part whose lines are names of folders: each becomes a run of that name."""
    script = f'{shlex.join(command)} --run "${{1##*/}}=$1"'
    return ["xargs", "-I{}", "sh", "-c", script, "part", "{}"]


def main():
    folders = sys.argv[1] == "--folders"
    toolcost, captures, *more = sys.argv[2 if folders else 1:]
    spark = session("toolcost facts by rdd.pipe")

    def rows(table):
        command = facts(toolcost, table, more, "ndjson")
        if folders:
            names = sorted(os.path.join(captures, name) for name in os.listdir(captures))
            command.remove("-")
            command = of_folders(command)
            lines = spark.sparkContext.parallelize(names, min(len(names), 64))
        else:
            lines = spark.sparkContext.textFile(captures, 1)
        # checkCode: without it a part that failed would be a part without rows.
        piped = lines.pipe(shlex.join(command), checkCode=True)
        # With a schema: guessing one would run every process twice.
        return spark.read.schema(SCHEMAS[table]).json(piped)

    show(rows("request_tools"), rows("requests"))
    spark.stop()


if __name__ == "__main__":
    main()
