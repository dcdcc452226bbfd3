"""Who is measured, how each is called, and what of its answer can be checked."""
import json
import os
import shlex
import shutil
import subprocess

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = os.path.join(HERE, "peers")

# What an answer holds.
SUMS, REFERENCES, NOTHING = "sums", "references", "bytes read"


class Peer:
    def __init__(self, name, command, answers=SUMS, missing=None, slow=False, discard=False):
        self.name, self.command, self.answers = name, command, answers
        self.missing, self.slow, self.discard = missing, slow, discard

    def differs(self, output, corpus):
        """What is wrong with an answer; None where nothing is."""
        if self.answers == NOTHING:
            return None
        if self.answers == REFERENCES:
            found = sum(int(line.rsplit(b":", 1)[-1]) for line in output.split())
            return None if found == corpus.references else f"{found} references, not {corpus.references}"
        answer = json.loads(output)
        return compare(answer["tools"], answer["references"], corpus)


def compare(tools, references, corpus):
    """Every tool, the total and the references against the truth."""
    names = sorted(set(tools) | set(corpus.tools))
    wrong = [name for name in names if tools.get(name) != corpus.tools.get(name)]
    if wrong:
        name = wrong[0]
        return f"{len(wrong)} tools differ, the first {name}: {tools.get(name)}, not {corpus.tools.get(name)}"
    if sum(tools.values()) != corpus.truth["tool_bytes_total"]:
        return "the total differs"
    return None if references == corpus.references else f"{references} references, not {corpus.references}"


def sums(toolcost, path):
    """The sums of toolcost's own rows, which its timed runs write to nowhere: bytes by tool, and references."""
    tools, references = {}, 0
    base = [toolcost, "facts", path, "--counter", "chars"]
    with subprocess.Popen(base + ["--table", "request_tools"], stdout=subprocess.PIPE) as rows:
        for line in rows.stdout:
            row = json.loads(line)
            if row["bytes"] is not None:
                tools[row["tool"]] = tools.get(row["tool"], 0) + row["bytes"]
    with subprocess.Popen(base + ["--table", "requests"], stdout=subprocess.PIPE) as requests:
        for line in requests.stdout:
            references += json.loads(line)["references"] or 0
    if rows.returncode or requests.returncode:
        raise RuntimeError(f"exit {rows.returncode or requests.returncode}: {' '.join(base)}")
    return tools, references


def find(name, asked=None):
    """The program, or None."""
    return shutil.which(asked or name)


def has_module(python, module):
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0


def all_peers(corpus, asked):
    """Every peer, in the order of the table; the absent ones with the reason."""
    files, python = corpus.files, asked.python
    script = lambda name: os.path.join(PROGRAMS, name)
    # Names do not fit into one command line: they go through a pipe.
    through = lambda command: ["sh", "-c", f'find "$0" -type f -print0 | xargs -0 cat {command}', files]
    peers = [
        Peer("cat > /dev/null", through("> /dev/null"), NOTHING),
        Peer("read into one buffer (Rust)", [asked.unpack_only, files], NOTHING,
             missing=None if find(asked.unpack_only) else "cargo build --release --example unpack_only"),
        Peer("read into one buffer (Python)", [python, script("read_all.py"), files], NOTHING),
    ]
    for threads in (1, 2):
        facts = [asked.toolcost, "facts", files, "--table", "request_tools", "--counter", "chars", "-j", str(threads)]
        peers.append(Peer(f"toolcost facts, {threads} thr", facts, discard=True,
                          missing=None if find(asked.toolcost) else "not built"))
    rg = find("rg")
    for threads in (1, 2):
        peers.append(Peer(f"ripgrep, {threads} thr",
                          [rg, "--no-config", "-uuu", f"-j{threads}", "-F", "--count-matches", "--no-filename",
                           '"type":"tool_reference"', files],
                          REFERENCES, missing=None if rg else "not installed"))
    for threads in (1, 2):
        peers.append(Peer(f"DuckDB, {threads} thr", [python, script("per_tool_duckdb.py"), files, str(threads)],
                          missing=None if has_module(python, "duckdb") else f"no duckdb in {python}"))
    peers.append(Peer("Python orjson", [python, script("per_tool_orjson.py"), files],
                      missing=None if has_module(python, "orjson") else f"no orjson in {python}"))
    node, jq, jaq = find("node"), find("jq"), find("jaq", asked.jaq)
    query = script("per_tool.jq")
    return peers + [
        Peer("node JSON.parse", [node, script("per_tool.js"), files], slow=True,
             missing=None if node else "not installed"),
        Peer("jaq", through(f"| {shlex.quote(str(jaq))} -n -c -f {shlex.quote(query)}"), slow=True, missing=None if jaq else "not installed"),
        Peer("jq", through(f"| jq -n -c -f {shlex.quote(query)}"), slow=True, missing=None if jq else "not installed"),
    ]


def version(name, command):
    """The first line of what a program says of itself."""
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return f"{name}: absent"
    if said.returncode:
        return f"{name}: absent"
    lines = (said.stdout or said.stderr).strip().splitlines()
    return f"{name}: {lines[0] if lines else '?'}"
