"""Sums of facts: taken from rows, and held against one another, against the report and against the truth."""
import json

COLUMNS = ("rows", "turns", "in_prompt", "bytes")
OF_MAIN = ("tokens_tools", "as_sent", "saved")


def lines(output):
    return (json.loads(line) for line in output.splitlines() if line.strip())


def sums(request_tools, requests):
    """What every engine says: by tool, and of all requests."""
    tools, total = {}, dict.fromkeys(("requests", "main", "references", *OF_MAIN), 0)
    for row in request_tools:
        tool = tools.setdefault(row["tool"], dict.fromkeys(COLUMNS, 0))
        tool["rows"] += 1
        tool["bytes"] += row["bytes"] or 0
        if row["role"] == "main":
            tool["turns"] += row["state"] in ("loaded", "discovered")
            tool["in_prompt"] += row["in_prompt"] or 0
    for row in requests:
        main = row["role"] == "main"
        total["requests"] += 1
        total["main"] += main
        total["references"] += row["references"] or 0
        for column in OF_MAIN:
            total[column] += (row[column] or 0) if main else 0
    return {"tools": tools, "total": total}


def differences(got, want):
    """What differs of every tool and every total, in words."""
    found = []
    for part in ("tools", "total"):
        for name in sorted(set(got[part]) | set(want[part])):
            ours, theirs = got[part].get(name), want[part].get(name)
            if ours != theirs:
                found.append(f"{name}: {ours}, not {theirs}")
    return found


def against_truth(got, truth):
    """Bytes of every tool, references and requests, as the maker of the corpus knows them."""
    found = []
    for name in sorted(set(got["tools"]) | set(truth["tools"])):
        ours, theirs = got["tools"].get(name, {}).get("bytes", 0), truth["tools"].get(name, 0)
        if ours != theirs:
            found.append(f"{name}: {ours} bytes, not {theirs}")
    for name, want in (("requests", truth["requests"]), ("references", truth["tool_refs"])):
        if got["total"][name] != want:
            found.append(f"{name}: {got['total'][name]}, not {want}")
    return found


def against_report(request_tools, requests, report):
    """Every tool of every run, and the sums of every run, as `toolcost report -f json` says them."""
    found, by_run = [], {}
    tools, first, loaded = {}, {}, {}
    for row in request_tools:
        if row["role"] != "main":
            continue
        key = row["run"], row["tool"]
        tools[key] = tools.get(key, 0) + (row["state"] in ("loaded", "discovered"))
        # What is paid elsewhere is no part of tools: discovered definitions, and those that stand as text in the prompt.
        if row["state"] == "loaded" and row["kind"] != "prompted":
            loaded[row["run"]] = loaded.get(row["run"], 0) + (row["in_prompt"] or 0)
        seen = first.setdefault(key, [row["request"], 0])
        if row["request"] < seen[0]:
            seen[:] = [row["request"], 0]
        if row["request"] == seen[0]:
            seen[1] += row["in_prompt"] or 0
    for row in requests:
        by_run.setdefault(row["run"], []).append(row)
    for run in report["runs"]:
        name, rows = run["run"], by_run.pop(run["run"], [])
        want = {}
        for tool in run["tools"]:
            turns, in_prompt = want.get(tool["name"], (0, 0))
            want[tool["name"]] = turns + tool["turns"], in_prompt + (tool["in_prompt"] or 0)
        # The report's tokens of a tool are those of the run's first request; one that came later has none there.
        start = min((row["request"] for row in rows if row["role"] == "main"), default=None)
        there = {tool: tokens if at == start else 0 for (of, tool), (at, tokens) in first.items() if of == name}
        got = {tool: (turns, there[tool]) for (of, tool), turns in tools.items() if of == name}
        found += [f"{name}, {tool}: turns and tokens {got.get(tool)}, not {want.get(tool)}"
                  for tool in sorted(set(got) | set(want)) if got.get(tool) != want.get(tool)]
        saved = (run.get("savings") or {}).get("per_run_total") or {}
        main = [row for row in rows if row["role"] == "main"]
        pairs = [("requests", len(main), run["requests"]),
                 ("tokens_tools", sum(row["tokens_tools"] or 0 for row in main), run["total"]["tools"] or 0),
                 ("in_prompt, loaded", loaded.get(name, 0), run["total"]["tools"] or 0),
                 ("as_sent", sum(row["as_sent"] or 0 for row in main), saved.get("as_sent") or 0),
                 ("saved", sum(row["saved"] or 0 for row in main), saved.get("saved") or 0)]
        found += [f"{name}, {what}: {ours}, not {theirs}" for what, ours, theirs in pairs if ours != theirs]
    return found + [f"{name}: no run of the report" for name in by_run]


def cut_apart(whole, parts):
    """How many rows change where sessions are cut: rows in all, and by column those that differ."""
    def keyed(rows):
        nth, keyed_rows, last = {}, {}, {}
        for row in rows:
            session, place = row["session"], (row["part"], row["run"], row["request"])
            if last.get(session) != place:
                last[session] = place
                nth[session] = nth.get(session, -1) + 1
            keyed_rows[session, nth[session], row["tool"]] = row
        return keyed_rows

    one, other = keyed(whole), keyed(parts)
    columns = ("turn", "state", "in_prompt", "discovered_at", "bytes")
    both = one.keys() & other.keys()
    return len(one), {column: sum(one[key][column] != other[key][column] for key in both) for column in columns}
