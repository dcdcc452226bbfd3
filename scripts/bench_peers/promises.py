"""The other promises: each prints what it ran, the ratio, and whether that is within its limit."""
import json
import os
import re
import shutil

from . import corpus as forms
from . import peers
from .measure import checked, floor_mb, interleaved, rss_text, shown

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def facts(asked, path, threads=1):
    return [asked.toolcost, "facts", path, "--table", "request_tools", "--counter", "chars", "-j", str(threads)]


def report(asked, path, threads=1):
    return [asked.toolcost, "report", path, "--counter", "chars", "-f", "json", "-q", "-j", str(threads)]


def say(title, commands, series, bytes_read=None):
    """The measured commands of a promise."""
    print(f"\n### {title}\n")
    for name, command in commands.items():
        print(f"    {name}: {shown(command)}")
    print("\n| | Median s | Min s | MB/s | Peak RSS MB |\n|---|---|---|---|---|")
    for name, one in series.items():
        size = bytes_read.get(name) if bytes_read else None
        rate = f"{size / 1e6 / one.median:.0f}" if size else "–"
        print(f"| {name} | {one.median:.4f} | {one.least:.4f} | {rate} | {one.rss_mb:.0f} |")
    print()


def verdict(what, ratio, limit, at_most=True):
    """Prints pass or fail; answers which."""
    good = ratio <= limit if at_most else ratio >= limit
    print(f"{'pass' if good else 'FAIL'}: {what}: {ratio:.2f} ({'≤' if at_most else '≥'} {limit})")
    return good


def same(what, got, want):
    """Fast and wrong is no pass."""
    print(f"{'pass' if got == want else 'FAIL'}: {what}")
    return got == want


def not_run(title, why):
    """What was not measured has not passed."""
    print(f"\n### {title}\n\nnot run: {why}")
    return False


def missing(path, command):
    return None if shutil.which(path) else f"{path} is not there: {command}"


def example(name):
    return f"cargo build --release --example {name}"


def order(corpus, asked):
    """The order of the requests does not matter much."""
    made = forms.orders(corpus.sessions())
    folders = {name: forms.link(paths, os.path.join(asked.work, "order", name.replace(" ", "-")))
               for name, paths in made.items()}
    commands = {name: facts(asked, folder) for name, folder in folders.items()}
    series = interleaved(commands, asked.rounds, discard=commands)
    say("Order of the requests", commands, series, dict.fromkeys(commands, corpus.bytes))
    base, want = series["file order"].median, peers.sums(asked.toolcost, corpus.files)
    equal = [same(f"{name}: same sums as the corpus", peers.sums(asked.toolcost, folder), want)
             for name, folder in folders.items()]
    return all(equal + [verdict(f"{name} to file order", series[name].median / base, 1.4)
                for name in ("interleaved", "shuffled")])


def norepeat(corpus, asked):
    """Even where nothing repeats it is faster than the obvious program."""
    title = "Nothing repeats: one last request of each session"
    if why := missing(asked.value_parse, example("value_parse")):
        return not_run(title, why)
    paths = forms.last_requests(corpus.sessions())
    folder = forms.link(paths, os.path.join(asked.work, "norepeat"))
    commands = {"toolcost": facts(asked, folder), "serde_json Value": [asked.value_parse, folder]}
    series = interleaved(commands, asked.rounds, discard=commands)
    say(title, commands, series, dict.fromkeys(commands, forms.size(paths)))
    want = json.loads(checked(commands["serde_json Value"]).output)["tools"]
    good = same("bytes of every tool equal", peers.sums(asked.toolcost, folder)[0], want)
    return good and verdict("toolcost to serde_json Value", series["toolcost"].median / series["serde_json Value"].median, 0.6)


def threads(corpus, asked):
    """A second thread is worth it."""
    commands = {f"{count} thr": facts(asked, corpus.files, count) for count in (1, 2)}
    series = interleaved(commands, asked.rounds, discard=commands)
    say("Two threads", commands, series, dict.fromkeys(commands, corpus.bytes))
    return verdict("one thread to two", series["1 thr"].median / series["2 thr"].median, 1.6, at_most=False)


def packed(corpus, asked):
    """Packed logs cost little more than unpacking them."""
    if why := missing(asked.unpack_only, example("unpack_only")):
        return not_run("Packed logs", why)
    days = corpus.days()[:asked.days]
    plain = os.path.join(asked.work, "plain")
    shutil.rmtree(plain, ignore_errors=True)
    os.makedirs(plain)
    for day in days:
        os.symlink(os.path.abspath(day), os.path.join(plain, os.path.basename(day)))
    good, want = True, peers.sums(asked.toolcost, plain)
    for how, limit in (("gz", 1.3), ("zst", 2.2)):
        title = {"gz": "gzip -6", "zst": "zstd -3 --long=27"}[how]
        if how == "zst" and shutil.which("zstd") is None:
            good = not_run(title, "no zstd to pack with")
            continue
        folder = forms.pack(days, os.path.join(asked.work, "packed"), how)
        commands = {"toolcost": facts(asked, folder), "unpacking alone": [asked.unpack_only, folder]}
        series = interleaved(commands, asked.rounds, discard=commands)
        say(title, commands, series, dict.fromkeys(commands, forms.size(days)))
        ratio = series["toolcost"].median / series["unpacking alone"].median
        good = same("same sums as unpacked", peers.sums(asked.toolcost, folder), want) and good
        good = verdict(f"toolcost to unpacking alone, {title}", ratio, limit) and good
    return good


def claude(corpus, asked):
    """Exact counts cost what their counting costs, once for each new byte."""
    title = "Counting for Claude"
    if why := missing(asked.repeats, example("repeats")):
        return not_run(title, why)
    probe = [asked.repeats, "--count", asked.model, corpus.files]
    said = checked(probe).output.decode()
    new = int(said.splitlines()[1].rsplit("\t", 1)[1])
    rate = float(re.search(r"([\d.]+) MB/s", said).group(1))
    report = lambda counter: [asked.toolcost, "report", corpus.files, "-f", "json", "-q", "-j", "1", "--counter", counter]
    commands = {counter: report(counter) for counter in ("claude", "chars")}
    series = interleaved(commands, asked.rounds, discard=commands)
    say(title, {**commands, "probe": probe}, series, dict.fromkeys(commands, corpus.bytes))
    allowed = series["chars"].median + 1.2 * new / 1e6 / rate
    print(f"never seen before: {new:,} bytes; counting rate: {rate} MB/s; allowed: chars + 1.2 × new ÷ rate = {allowed:.3f} s")
    return verdict("claude to what is allowed", series["claude"].median / allowed, 1.0)


def start(_corpus, asked):
    """It is there at once."""
    commands = {"true": ["true"], "version": [asked.toolcost, "--version"],
                "report": [asked.toolcost, "report", os.path.join(ROOT, "captures")]}
    rounds = max(asked.rounds, 40)
    series = interleaved(commands, rounds, discard=commands)
    say(f"Starting ({rounds} rounds)", commands, series)
    ratio = lambda name: series[name].median / series["true"].median
    return all([verdict("report captures/ to true", ratio("report"), 50),
                verdict("--version to true", ratio("version"), 3)])


def memory(corpus, asked):
    """Memory and speed as captures grow. Beyond what there is its files are linked again, as further runs."""
    sessions = corpus.sessions() + [own for folder in asked.more for own in forms.sessions_in(folder)]
    whole = sum(map(forms.size, sessions))
    rows, good = [], []
    floor = floor_mb()
    for megabytes in asked.sizes:
        folder = os.path.join(asked.work, "memory", str(megabytes))
        shutil.rmtree(folder, ignore_errors=True)
        left, times = megabytes * 1_000_000, 0
        total, count, largest = 0, 0, 0
        while left > 0:
            paths = forms.first_bytes(sessions, left)
            forms.link(paths, os.path.join(folder, f"copy{times}"))
            read = forms.size(paths)
            largest = max(largest, *map(os.path.getsize, paths))
            left, times, total, count = left - read, times + 1, total + read, count + len(paths)
            if read < whole:
                break
        commands = {(name, threads): command(asked, folder, threads)
                    for name, command in (("facts", facts), ("report", report)) for threads in (1, 2)}
        series = interleaved(commands, max(1, min(asked.rounds, 3)), discard=commands)
        allowed = {threads: 64 + (2 * largest * threads + 1000 * count) / 1e6 for threads in (1, 2)}
        good += [one.rss_mb <= allowed[threads] for (_, threads), one in series.items()]
        rows.append((megabytes, total, count, times, series, allowed))
    print("\n### Growth\n")
    for command in commands.values():
        print(f"    {shown(command)}")
    print("\n| Asked MB | Read MB | Requests | Corpus linked | facts, 1 thr: s | MB/s | Peak RSS MB | allowed | 2 thr | allowed "
          "| report, 1 thr | 2 thr |\n|---|---|---|---|---|---|---|---|---|---|---|---|")
    for megabytes, total, count, times, series, allowed in rows:
        seconds = series["facts", 1].median
        peak = {key: rss_text(one.rss_mb, floor) for key, one in series.items()}
        print(f"| {megabytes} | {total / 1e6:.0f} | {count:,} | {times} × | {seconds:.3f} | {total / 1e6 / seconds:.0f} "
              f"| {peak['facts', 1]} | {allowed[1]:.0f} | {peak['facts', 2]} | {allowed[2]:.0f} "
              f"| {peak['report', 1]} | {peak['report', 2]} |")
    print(f"\n{'pass' if all(good) else 'FAIL'}: peaks of facts and report to 64 MB + 2 × largest record × threads + 1 KB × requests")
    return all(good)


MODES = {"order": order, "norepeat": norepeat, "threads": threads, "packed": packed, "claude": claude,
         "start": start, "memory": memory}
