"""DuckDB: bytes by tool, and references in content blocks. Arguments: the folder of bodies, threads."""
import json
import os
import sys

import duckdb

folder, threads = sys.argv[1], int(sys.argv[2])
database = duckdb.connect()
database.execute(f"SET threads = {threads}")
pattern = os.path.join(folder, "**", "*.json").replace("'", "''")
# One pass: each body becomes its tools and one more row, without a name, for its references.
rows = database.execute(f"""
    WITH body AS (
        SELECT tools, json_extract_string(messages, '$[*].content[*].content[*].type') AS kinds
        FROM read_json('{pattern}', format = 'unstructured', maximum_object_size = 268435456,
                       columns = {{tools: 'JSON[]', messages: 'JSON'}})
    ), part AS (
        SELECT unnest(list_append(
            list_transform(tools, lambda t: {{'name': json_extract_string(t, '$.name'), 'n': strlen(t::VARCHAR)::BIGINT}}),
            {{'name': NULL, 'n': len(list_filter(kinds, lambda k: k = 'tool_reference'))::BIGINT}})) AS p
        FROM body
    )
    SELECT p.name, sum(p.n)::BIGINT FROM part GROUP BY ALL
""").fetchall()
sums = dict(rows)
print(json.dumps({"references": sums.pop(None, 0), "tools": sums}))
