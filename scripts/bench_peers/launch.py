"""Starts one program, waits for it, and says what it used. Run as a process of its own, with `python3 -I -S`.

The kernel lets a program begin with the peak memory of the process that started it. So what starts it should be small:
nothing is imported here that is not part of the interpreter.
"""
import posix
import sys
import time

output, errors, *command = sys.argv[1:]
write = posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC
actions = [
    (posix.POSIX_SPAWN_OPEN, 0, "/dev/null", posix.O_RDONLY, 0),
    (posix.POSIX_SPAWN_OPEN, 1, output, write, 0o600),
    (posix.POSIX_SPAWN_OPEN, 2, errors, write, 0o600),
]
start = time.perf_counter()
process = posix.posix_spawnp(command[0], command, posix.environ, file_actions=actions)
_, status, used = posix.wait4(process, 0)
seconds = time.perf_counter() - start
print(seconds, used.ru_utime, used.ru_stime, used.ru_maxrss, posix.waitstatus_to_exitcode(status))
