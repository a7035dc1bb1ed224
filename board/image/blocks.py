"""The few binary things of the card that no program makes: checksummed blocks of U-Boot, the partition table, archives
for the kernel. Each depends on its arguments alone.

usage: blocks.py environment FILE SIZE NAME=VALUE...
       blocks.py table FILE IDENTITY TYPE:START:SIZE...     (MiB; the first partition is the one that is booted)
       blocks.py archive FILE FOLDER                        (an initial file system, not compressed)
       blocks.py unsigned FILE                              (a kernel module, without its signature)
       blocks.py sums FILE NAME                             (NAME=CRC-32 with its bytes reversed, NAME2=CRC-32)
"""

import os
import stat
import struct
import sys
import zlib


def environment(path, size, *settings):
    text = b"".join(each.encode() + b"\0" for each in settings)
    text = text.ljust(int(size) - 4, b"\0")
    if len(text) != int(size) - 4:
        sys.exit(f"{path}: the settings need more than {size} bytes")
    with open(path, "wb") as file:
        file.write(struct.pack("<I", zlib.crc32(text)) + text)


def table(path, identity, *partitions):
    entries = b""
    for number, each in enumerate(partitions):
        kind, start, size = each.split(":")
        # No cylinders: software that needs them cannot read today's cards.
        entries += struct.pack("<B3sB3sII", 0x80 if number == 0 else 0, b"\xfe\xff\xff", int(kind, 16), b"\xfe\xff\xff",
                               int(start) * 2048, int(size) * 2048)
    with open(path, "wb") as file:
        file.write(bytes(440) + struct.pack("<IH", int(identity, 16), 0) + entries.ljust(64, b"\0") + b"\x55\xaa")


def archive(path, folder):
    names = sorted(os.path.relpath(os.path.join(root, name), folder)
                   for root, folders, files in os.walk(folder) for name in folders + files)
    with open(path, "wb") as file:
        for number, name in enumerate(names + ["TRAILER!!!"]):
            mode, data = 0, b""
            if number < len(names):
                full = os.path.join(folder, name)
                mode = os.lstat(full).st_mode
                # The same modes, whatever the builder's umask.
                kind, is_program = stat.S_IFMT(mode), bool(mode & 0o111)
                mode = kind | (0o777 if stat.S_ISLNK(mode) else 0o755 if is_program else 0o644)
                if stat.S_ISLNK(kind):
                    data = os.readlink(full).encode()
                elif stat.S_ISREG(kind):
                    with open(full, "rb") as source:
                        data = source.read()
            fields = (number + 1, mode, 0, 0, 2 if stat.S_ISDIR(mode) else 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
            head = b"070701" + b"".join(b"%08X" % each for each in fields) + name.encode() + b"\0"
            file.write(head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4))


def unsigned(path):
    marker = b"~Module signature appended~\n"
    with open(path, "r+b") as file:
        data = file.read()
        if data.endswith(marker):
            # In front of the marker stand twelve bytes, whose last four are the signature's length.
            end = len(data) - len(marker)
            file.truncate(end - 12 - struct.unpack(">I", data[end - 4:end])[0])


def sums(data, name):
    """Both orders of bytes in which builds of U-Boot leave a checksum in memory."""
    value = zlib.crc32(data)
    return {name: struct.pack("<I", value).hex(), f"{name}2": f"{value:08x}"}


def print_sums(path, name):
    with open(path, "rb") as file:
        print(*("=".join(each) for each in sums(file.read(), name).items()))


if __name__ == "__main__":
    words = {"environment": environment, "table": table, "archive": archive, "unsigned": unsigned, "sums": print_sums}
    words[sys.argv[1]](*sys.argv[2:])
