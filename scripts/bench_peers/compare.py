"""The same task for toolcost and its peers, in one interleaved run: a Markdown table."""
from . import peers as known
from .measure import Series, checked, floor_mb, machine, rss_text, shown

OURS = "toolcost facts, 1 thr"


def read_baseline(series):
    """The plain read that ratios are to: the one that starts no interpreter, where it was built."""
    for name in ("read into one buffer (Rust)", "read into one buffer (Python)"):
        if name in series:
            return name
    return None


def measure(corpus, asked):
    everyone = known.all_peers(corpus, asked)
    present = [peer for peer in everyone if peer.missing is None and not skipped(peer, asked)]
    series = {peer.name: Series() for peer in present}
    wrong = {}
    # Nobody is the one who fills the page cache.
    checked(known.Peer("", ["sh", "-c", 'find "$0" -type f -print0 | xargs -0 cat > /dev/null', corpus.files]).command)
    for at in range(asked.rounds):
        turn = at % max(len(present), 1)
        for peer in present[turn:] + present[:turn]:
            if peer.slow and at >= asked.slow_rounds:
                continue
            try:
                sample = checked(peer.command, peer.discard)
                differs = None if peer.discard else peer.differs(sample.output, corpus)
            except (RuntimeError, ValueError, KeyError) as error:
                wrong[peer.name] = str(error).replace("\n", " ")
                continue
            series[peer.name].samples.append(sample)
            if differs:
                wrong[peer.name] = differs
    if any(peer.discard for peer in present):
        differs = known.compare(*known.sums(asked.toolcost, corpus.files), corpus)
        for peer in present:
            if peer.discard and differs:
                wrong.setdefault(peer.name, differs)
    return everyone, series, wrong


def skipped(peer, asked):
    return peer.slow and asked.slow_rounds == 0


def row(peer, series, wrong, corpus, asked, floor, plain, ours):
    ratio = lambda other: f"{series.median / other.median:.2f}" if other and other.samples else "–"
    answer = wrong.get(peer.name) or {known.SUMS: "equal", known.REFERENCES: "equal (references only)"}.get(
        peer.answers, "–")
    few = f" ({len(series.samples)} round{'s' * (len(series.samples) > 1)})" if len(series.samples) < asked.rounds else ""
    return [peer.name + few, f"{series.median:.3f}", f"{series.least:.3f}", f"{corpus.bytes / 1e6 / series.median:.0f}",
            f"{series.cpu:.2f}", rss_text(series.rss_mb, floor), ratio(plain), ratio(ours), answer]


def table(corpus, asked):
    """Prints the table; answers whether every answer was right."""
    everyone, series, wrong = measure(corpus, asked)
    floor = floor_mb()
    reader = read_baseline({name: s for name, s in series.items() if s.samples})
    plain, ours = series.get(reader), series.get(OURS)
    head = ["Program", "Median s", "Min s", "MB/s", "CPU s", "Peak RSS MB", "× plain read", "× toolcost 1 thr", "Answer"]
    print(f"{corpus.truth['requests']:,} requests, {corpus.bytes:,} bytes of bodies, {len(corpus.tools)} tools; "
          f"{asked.rounds} interleaved rounds; {machine()}.\n")
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    absent = []
    for peer in everyone:
        if peer.missing is not None or skipped(peer, asked):
            why = peer.missing or "left out by --slow-rounds 0"
            absent.append(peer.name)
            print(f"| {peer.name} | absent: {why} |" + " |" * (len(head) - 2))
        elif not series[peer.name].samples:
            print(f"| {peer.name} | failed |" + " |" * (len(head) - 3) + f" {wrong[peer.name]} |")
        else:
            cells = row(peer, series[peer.name], wrong, corpus, asked, floor, plain, ours)
            print("| " + " | ".join(cells) + " |")
    print(f"\nPlain read: {reader}. Peak RSS begins at {floor:.0f} MB, the memory of the Python that starts each program; "
          "processes of a pipe are not added up, the largest counts. toolcost writes a row for each request and tool, to "
          "nowhere while it is timed; its rows are added up and compared once more outside of the timing. "
          "ripgrep only looks for a literal.")
    print("\nCommands:\n")
    for peer in everyone:
        if peer.missing is None:
            print(f"    {shown(peer.command)}")
    versions = [("toolcost", [asked.toolcost, "--version"]), ("rg", ["rg", "--version"]), ("jq", ["jq", "--version"]),
                ("jaq", [asked.jaq or "jaq", "--version"]), ("node", ["node", "--version"]),
                ("duckdb", [asked.python, "-c", "import duckdb; print(duckdb.__version__)"]),
                ("orjson", [asked.python, "-c", "import orjson; print(orjson.__version__)"]),
                ("python", [asked.python, "--version"])]
    print("\n" + "; ".join(known.version(*pair) for pair in versions))
    if absent:
        print("\nAbsent: " + ", ".join(absent))
    for name, why in wrong.items():
        print(f"\nWRONG: {name}: {why}")
    return not wrong and ours is not None and bool(ours.samples)
