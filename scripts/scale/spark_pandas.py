"""Spark, mapInPandas: whole files, packed or not, go through `toolcost facts -`, and its rows come back.

usage: spark_pandas.py TOOLCOST CAPTURES [FLAG…]     CAPTURES: a folder or glob of files below 2 GB, each session in one file

toolcost knows gzip and zstd by their first bytes, so nothing is unpacked by Spark.
"""
import io
import subprocess
import sys

import pandas
from spark_sums import SCHEMAS, facts, session, show


def reader(command, schema):
    """A function of batches of files: closed over plain values, since it is sent to workers."""
    columns = dict(column.split() for column in schema.split(", "))
    kinds = {name: "Int64" if kind == "long" else "string" for name, kind in columns.items()}

    def read(batches):
        for batch in batches:
            for content in batch["content"]:
                rows = subprocess.run(command, input=content, stdout=subprocess.PIPE, check=True).stdout
                yield pandas.read_csv(io.BytesIO(rows), usecols=list(kinds), dtype=kinds)[list(kinds)]

    return read


def main():
    toolcost, captures, *more = sys.argv[1:]
    spark = session("toolcost facts by mapInPandas")
    files = spark.read.format("binaryFile").load(captures).select("content")

    def rows(table):
        return files.mapInPandas(reader(facts(toolcost, table, more, "csv"), SCHEMAS[table]), SCHEMAS[table])

    show(rows("request_tools"), rows("requests"))
    spark.stop()


if __name__ == "__main__":
    main()
