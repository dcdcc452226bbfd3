"""DuckDB over facts: sums by tool and of all requests. Prints one line of JSON.

usage: duckdb_sums.py REQUEST_TOOLS REQUESTS     each a glob of .ndjson, .csv or .parquet files
"""
import json
import sys

import duckdb


def source(pattern):
    name = pattern.replace("'", "''")
    if pattern.endswith(".parquet"):
        return f"read_parquet('{name}')"
    if pattern.endswith(".csv"):
        return f"read_csv('{name}', header = true, sample_size = -1)"
    # All lines are looked at for the types: a column may be null for long.
    return f"read_json('{name}', format = 'newline_delimited', sample_size = -1)"


def main():
    tools, requests = map(source, sys.argv[1:3])
    database = duckdb.connect()
    rows = database.execute(f"""
        SELECT tool, count(*) AS rows,
               count(*) FILTER (role = 'main' AND state IN ('loaded', 'discovered')) AS turns,
               coalesce(sum(in_prompt) FILTER (role = 'main'), 0)::BIGINT AS in_prompt,
               coalesce(sum(bytes), 0)::BIGINT AS bytes
        FROM {tools} GROUP BY tool ORDER BY tool
    """).fetchall()
    columns = ["requests", "main", "tokens_tools", "references", "as_sent", "saved"]
    totals = database.execute(f"""
        SELECT count(*), count(*) FILTER (role = 'main'),
               coalesce(sum(tokens_tools) FILTER (role = 'main'), 0)::BIGINT, coalesce(sum("references"), 0)::BIGINT,
               coalesce(sum(as_sent) FILTER (role = 'main'), 0)::BIGINT,
               coalesce(sum(saved) FILTER (role = 'main'), 0)::BIGINT
        FROM {requests}
    """).fetchone()
    names = ["rows", "turns", "in_prompt", "bytes"]
    print(json.dumps({"tools": {row[0]: dict(zip(names, row[1:])) for row in rows}, "total": dict(zip(columns, totals))}))


if __name__ == "__main__":
    main()
