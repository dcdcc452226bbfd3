"""What both Spark recipes share: columns, the session of Spark, and the sums."""
import json
import os
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

SCHEMAS = {
    "request_tools": "run string, role string, tool string, state string, in_prompt long, bytes long",
    "requests": "run string, role string, tokens_tools long, references long, as_sent long, saved long",
}


def session(name):
    # Workers must be this Python, not whichever comes first on PATH.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = (SparkSession.builder.appName(name).config("spark.ui.enabled", "false")
             .config("spark.sql.shuffle.partitions", "8")
             # A file is one part, however large: a part that begins in the middle of a file cuts sessions.
             .config("spark.hadoop.mapreduce.input.fileinputformat.split.minsize", str(1 << 60)))
    if "SPARK_MASTER" not in os.environ:
        spark = spark.master("local[2]")
    spark = spark.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def facts(toolcost, table, more, output):
    """The command of a part: it reads its captures from standard input."""
    return [toolcost, "facts", "-", "--table", table, "--jobs", "1", "-f", output, *more]


def show(request_tools, requests):
    """Sums by tool and of all requests, as one line of JSON."""
    main = f.col("role") == "main"
    zero = lambda column: f.coalesce(f.sum(column), f.lit(0))
    of_main = lambda column: zero(f.when(main, f.col(column)))
    loaded = main & f.col("state").isin("loaded", "discovered")
    by_tool = request_tools.groupBy("tool").agg(
        f.count("*").alias("rows"), f.count(f.when(loaded, 1)).alias("turns"),
        of_main("in_prompt").alias("in_prompt"), zero("bytes").alias("bytes"))
    tools = {row.tool: {key: row[key] for key in ("rows", "turns", "in_prompt", "bytes")} for row in by_tool.collect()}
    total = requests.agg(
        f.count("*").alias("requests"), f.count(f.when(main, 1)).alias("main"), of_main("tokens_tools").alias("tokens_tools"),
        zero("references").alias("references"), of_main("as_sent").alias("as_sent"), of_main("saved").alias("saved"))
    print(json.dumps({"tools": tools, "total": total.first().asDict()}))
