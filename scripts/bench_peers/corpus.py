"""The corpus: bodies in session folders, envelopes in JSONL, and the truth; and other forms of it, made of links."""
import gzip
import json
import os
import random
import shutil
import subprocess


class Corpus:
    def __init__(self, root):
        self.root = root
        self.files = os.path.join(root, "files")
        self.jsonl = os.path.join(root, "jsonl")
        truth = os.path.join(root, "truth.json")
        for path in (self.files, truth):
            if not os.path.exists(path):
                raise SystemExit(f"{path}: missing; a corpus has files/, jsonl/ and truth.json "
                                 "(scripts/small_corpus.py makes a small one)")
        with open(truth, encoding="utf-8") as file:
            self.truth = json.load(file)

    @property
    def tools(self):
        return self.truth["tools"]

    @property
    def references(self):
        return self.truth["tool_refs"]

    @property
    def bytes(self):
        return self.truth["body_bytes"]

    def sessions(self):
        """Paths of each session's bodies, in order."""
        return sessions_in(self.files)

    def days(self):
        names = sorted(name for name in os.listdir(self.jsonl) if name.endswith(".jsonl"))
        return [os.path.join(self.jsonl, name) for name in names]


def sessions_in(root):
    """Paths of the bodies of each session below a folder, in order."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            found.setdefault(folder, []).append(os.path.join(folder, name))
    return [found[folder] for folder in sorted(found)]


def size(paths):
    return sum(os.path.getsize(path) for path in paths)


def link(paths, folder):
    """The files in this order, as one run: toolcost reads a folder in the order of its names."""
    run = os.path.join(folder, "all")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(run)
    for at, path in enumerate(paths):
        target = os.path.join(run, f"{at:07d}.json")
        try:
            os.link(path, target)
        except OSError:
            # Another disk, or one that has no links.
            shutil.copyfile(path, target)
    return folder


def orders(sessions, seed=7):
    """The same requests: session after session, one of each session in turn, and at random."""
    in_files = [path for session in sessions for path in session]
    longest = max(map(len, sessions))
    in_turn = [session[at] for at in range(longest) for session in sessions if at < len(session)]
    shuffled = list(in_files)
    random.Random(seed).shuffle(shuffled)
    return {"file order": in_files, "interleaved": in_turn, "shuffled": shuffled}


def last_requests(sessions):
    """The last main request of each session. Histories only grow, so it is the largest."""
    return [max(session, key=os.path.getsize) for session in sessions]


def first_bytes(sessions, most):
    """Whole sessions from the start, as long as they fit; and part of the one that does not."""
    taken, left = [], most
    for session in sessions:
        for path in session:
            left -= os.path.getsize(path)
            if left < 0 and taken:
                return taken
            taken.append(path)
    return taken


def pack(days, folder, how):
    """The days packed, each to a file of its own; answers the folder."""
    folder = os.path.join(folder, how)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for day in days:
        target = os.path.join(folder, os.path.basename(day))
        if how == "gz":
            with open(day, "rb") as plain, gzip.open(target + ".gz", "wb", compresslevel=6) as packed:
                shutil.copyfileobj(plain, packed, 1 << 20)
        else:
            subprocess.run(["zstd", "-q", "-3", "--long=27", day, "-o", target + ".zst"], check=True)
    return folder
