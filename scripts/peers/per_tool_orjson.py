"""orjson: bytes by tool, and references in content blocks. Argument: the folder of bodies."""
import os
import sys

import orjson

tools, references = {}, 0


def in_blocks(content):
    if not isinstance(content, list):
        return 0
    return sum((block.get("type") == "tool_reference") + in_blocks(block.get("content")) for block in content)


for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            body = orjson.loads(file.read())
        for tool in body.get("tools", ()):
            tools[tool["name"]] = tools.get(tool["name"], 0) + len(orjson.dumps(tool))
        for message in body["messages"]:
            references += in_blocks(message["content"])
print(orjson.dumps({"tools": tools, "references": references}).decode())
