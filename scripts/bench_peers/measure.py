"""Whole processes, measured from outside: the clock, and what the kernel says each used."""
import os
import platform
import shlex
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

# The kernel counts in kilobytes on Linux and in bytes on macOS.
RSS_UNIT = 1 if sys.platform == "darwin" else 1024
LAUNCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "launch.py")


@dataclass
class Sample:
    """One run of a command."""

    seconds: float
    user: float
    system: float
    rss_mb: float
    code: int
    output: bytes
    errors: bytes


@dataclass
class Series:
    """The runs of one command."""

    samples: list = field(default_factory=list)

    @property
    def median(self):
        return statistics.median(sample.seconds for sample in self.samples)

    @property
    def least(self):
        return min(sample.seconds for sample in self.samples)

    @property
    def rss_mb(self):
        return max(sample.rss_mb for sample in self.samples)

    @property
    def cpu(self):
        return statistics.median(sample.user + sample.system for sample in self.samples)


def run(command, discard=False):
    """Runs a command to its end. Output goes to a file, so that no pipe can hold it up."""
    with tempfile.TemporaryDirectory() as folder:
        output = os.devnull if discard else os.path.join(folder, "output")
        errors = os.path.join(folder, "errors")
        said = subprocess.run([sys.executable, "-I", "-S", LAUNCH, output, errors, *command], capture_output=True, text=True)
        if said.returncode:
            raise RuntimeError(f"cannot start {shown(command)}: {said.stderr.strip().splitlines()[-1]}")
        seconds, user, system, rss, code = map(float, said.stdout.split())
        return Sample(seconds, user, system, rss * RSS_UNIT / 1e6, int(code), b"" if discard else read(output), read(errors))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def checked(command, discard=False):
    """Runs a command that must end well."""
    sample = run(command, discard)
    if sample.code != 0:
        said = sample.errors.decode(errors="replace").strip()[-600:]
        raise RuntimeError(f"exit {sample.code}: {shown(command)}\n{said}")
    return sample


def interleaved(commands, rounds, discard=()):
    """Runs every command once a round. The order turns from round to round, so that no one always comes after the
    same neighbour. Commands by name; answers series by name."""
    series = {name: Series() for name in commands}
    names = list(commands)
    for at in range(rounds):
        turn = at % len(names)
        for name in names[turn:] + names[:turn]:
            series[name].samples.append(checked(commands[name], name in discard))
    return series


def floor_mb():
    """What even the smallest program seems to need: a child begins with the memory of the Python that starts it."""
    return min(checked(["true"]).rss_mb for _ in range(3))


def machine():
    """Processor, memory, system, as far as they are known."""
    model = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
        model = names[0] if names else model
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} processors ({model}), {memory:.0f} GiB, {platform.system()} {platform.release()}"


def rss_text(mb, floor):
    return f"≤ {floor:.0f}" if mb <= floor * 1.05 else f"{mb:.0f}"


def shown(command):
    """A command as one may type it."""
    return shlex.join(map(str, command))
