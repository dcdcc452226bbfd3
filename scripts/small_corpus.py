#!/usr/bin/env python3
"""A small corpus of made-up sessions with a known answer, for trying the scripts of this folder.

usage: small_corpus.py OUT [--sessions N] [--requests N] [--seed N]

  OUT/files/sNNN/rNNN.json    request bodies, one a file, a folder a session
  OUT/jsonl/dayNN.jsonl       the same in envelopes as claude-trace writes them; sessions lie whole in one file
  OUT/truth.json              bytes by tool, references, requests, bytes of bodies

Every second session defers its MCP tools and finds some of them, and every fourth is compacted half-way: what a request
then shows depends on the requests before it, so a session that is cut in two gives other rows. In every fourth session
the MCP tools come late, and each session asks a small model for a title in between.
"""
import argparse
import json
import os
import random

WORDS = ("branch build cache channel check commit config cursor deploy draft entry error event field filter folder "
         "graph group header index issue label limit merge metric module notice option owner panel parser patch "
         "query queue record region release report review schema scope search server signal source stage state "
         "table target task team test thread token trace user value view window worker").split()
BUILT_IN = "Bash Read Edit Write Glob Grep ToolSearch TodoWrite".split()


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        mcp = [f"mcp__{server}__{verb}_{noun}" for server in ("tracker", "wiki") for verb in ("get", "list", "add")
               for noun in ("page", "item", "label", "comment")]
        self.built_in = [self.tool(name) for name in BUILT_IN]
        self.mcp = [self.tool(name) for name in mcp]

    def words(self, count):
        return " ".join(self.rng.choice(WORDS) for _ in range(count))

    def code(self, lines):
        line = lambda: f'\tif ({self.rng.choice(WORDS)} == "{self.rng.choice(WORDS)}\\n") {{ return "{self.words(3)}"; }}'
        return "\n".join(line() for _ in range(lines))

    def tool(self, name):
        fields = {self.rng.choice(WORDS) + str(at): {"type": "string", "description": self.words(8)} for at in range(4)}
        schema = {"type": "object", "properties": fields, "required": list(fields)[:1], "additionalProperties": False}
        return {"name": name, "description": self.words(30).capitalize() + ".", "input_schema": schema}

    def round(self, session, turn, deferred):
        """A call and what it gave back; the references in it."""
        call = f"toolu_{session:03d}_{turn:04d}"
        if deferred and turn % 3 == 1:
            found = self.rng.sample([tool["name"] for tool in self.mcp], 2)
            name, given = "ToolSearch", {"query": self.words(2), "max_results": 2}
            result = [{"type": "tool_reference", "tool_name": name} for name in found]
        else:
            name, given = "Bash", {"command": self.words(5), "description": self.words(3)}
            # Text that only looks like a reference, inside of a string.
            decoy = compact([{"type": "tool_reference", "tool_name": "decoy"}]) if turn % 4 == 2 else ""
            result = [{"type": "text", "text": self.code(self.rng.randint(3, 60)) + decoy}]
        answer = [{"type": "text", "text": self.words(12)}, {"type": "tool_use", "id": call, "name": name, "input": given}]
        back = [{"type": "tool_result", "tool_use_id": call, "content": result}]
        references = len(result) if name == "ToolSearch" else 0
        return [{"role": "assistant", "content": answer}, {"role": "user", "content": back}], references

    def session(self, number, requests):
        """Bodies with the references of each."""
        deferred, user = number % 2 == 1, {"user_id": f"user_made_up_account__session_{number:04d}"}
        tools = self.built_in + [dict(tool, defer_loading=True) if deferred else tool for tool in self.mcp]
        messages, references = [{"role": "user", "content": [{"type": "text", "text": self.words(80)}]}], 0
        for turn in range(requests):
            if number % 4 == 3 and turn == requests // 2:
                # A compaction: what was found before can be known only from the requests before.
                messages, references = [{"role": "user", "content": [{"type": "text", "text": self.words(120)}]}], 0
            elif turn:
                more, found = self.round(number, turn, deferred)
                messages, references = messages + more, references + found
            last = dict(messages[-1])
            # The marker of the cache moves with the last message, so a body is no prefix of the next.
            last["content"] = last["content"][:-1] + [dict(last["content"][-1], cache_control={"type": "ephemeral"})]
            yield {
                "model": "claude-opus-4-5-20251101",
                "messages": messages[:-1] + [last],
                "system": [{"type": "text", "text": "You are a made-up agent. " + "Be brief. " * 40}],
                "tools": self.built_in if number % 4 == 2 and turn < requests // 3 else tools,
                "metadata": user,
                "max_tokens": 32000,
                "stream": True,
            }, references
            if turn == 2:
                ask = {"role": "user", "content": "Write a title for: " + self.words(20)}
                yield {"model": "claude-haiku-4-5", "messages": [ask], "tools": [], "metadata": user, "max_tokens": 100}, 0


def envelope(body, at):
    request = ('{"timestamp":%d,"method":"POST","url":"https://api.anthropic.com/v1/messages","headers":%s,"body":%s}'
               % (at, compact({"content-type": "application/json"}), body))
    return '{"request":%s,"response":null,"logged_at":"2026-01-01T00:00:00.000Z"}\n' % request


def make(out, sessions=8, requests=10, seed=11):
    """Writes the corpus; answers its truth."""
    maker, tools, count, size, references = Maker(seed), {}, 0, 0, 0
    os.makedirs(f"{out}/jsonl", exist_ok=True)
    for number in range(sessions):
        folder = f"{out}/files/s{number:03d}"
        os.makedirs(folder, exist_ok=True)
        day = f"{out}/jsonl/day{number // 2:02d}.jsonl"
        with open(day, "a" if number % 2 else "w", encoding="utf-8", newline="\n") as lines:
            for turn, (body, found) in enumerate(maker.session(number, requests)):
                text = compact(body)
                with open(f"{folder}/r{turn:03d}.json", "w", encoding="utf-8", newline="\n") as file:
                    file.write(text)
                lines.write(envelope(text, 1_767_225_600 + number * 10_000 + turn))
                count, size, references = count + 1, size + len(text.encode()), references + found
                for tool in body["tools"]:
                    tools[tool["name"]] = tools.get(tool["name"], 0) + len(compact(tool).encode())
    truth = {"requests": count, "body_bytes": size, "tool_refs": references,
             "tool_bytes_total": sum(tools.values()), "tools": tools}
    with open(f"{out}/truth.json", "w", encoding="utf-8") as file:
        json.dump(truth, file, indent=0)
    return truth


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--sessions", type=int, default=8)
    parser.add_argument("--requests", type=int, default=10)
    parser.add_argument("--seed", type=int, default=11)
    asked = parser.parse_args()
    truth = make(asked.out, asked.sessions, asked.requests, asked.seed)
    print({key: value for key, value in truth.items() if key != "tools"})


if __name__ == "__main__":
    main()
