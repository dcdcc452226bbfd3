"""Spark, rdd.pipe: the lines of each file go through `toolcost facts -`, and its rows come back.

usage: spark_pipe.py TOOLCOST JSONL [FLAG…]     JSONL: a folder or glob of line-by-line captures, each session in one file

On a cluster toolcost must lie at this path on every worker (`spark-submit --files`, or in the image).
"""
import shlex
import sys

from spark_sums import SCHEMAS, facts, session, show


def main():
    toolcost, captures, *more = sys.argv[1:]
    spark = session("toolcost facts by rdd.pipe")

    def rows(table):
        lines = spark.sparkContext.textFile(captures, 1)
        # checkCode: without it a part that failed would be a part without rows.
        piped = lines.pipe(shlex.join(facts(toolcost, table, more, "ndjson")), checkCode=True)
        # With a schema: guessing one would run every process twice.
        return spark.read.schema(SCHEMAS[table]).json(piped)

    show(rows("request_tools"), rows("requests"))
    spark.stop()


if __name__ == "__main__":
    main()
