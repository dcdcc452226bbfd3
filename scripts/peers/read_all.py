"""Reads every file of a folder into one reused buffer and does nothing with it. Prints the bytes."""
import os
import sys

buffer, total = bytearray(1 << 20), 0
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        with open(os.path.join(folder, name), "rb", buffering=0) as file:
            while read := file.readinto(buffer):
                total += read
print(total)
