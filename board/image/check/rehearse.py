"""Makes what cuts.py reads without a machine: the writes of an update, in their order, with their flushes. The state is written
by the device's own scripts, whose `dd` is watched; the slot as RAUC does, from its beginning to its end, and flushed. Every byte
of the new slot differs from the old one's place, and its kernel is packed otherwise.

usage: rehearse.py FOLDER
"""

import gzip
import os
import random
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE))
from blocks import sums  # noqa: E402

IMAGE = HERE.parents[1] / "build/image/parts"
SECTOR = 512
LAYOUT = {line.split()[0]: int(line.split()[1]) << 20 for line in (HERE / "layout").read_text().splitlines()
          if line and line[0] != "#"}
# Precedes `dd` in PATH: copies what goes to the card into a file, then passes it on.
WATCH = """#!/bin/sh
for word; do case $word in of=*) goal=${word#of=} ;; if=*) source=${word#if=} ;; seek=*) seek=${word#seek=} ;; esac; done
if [ "${goal:-}" = "$DISK" ]; then
    cp "$source" "$WATCHED/$(date +%s%N)-$seek"
fi
exec /bin/dd "$@"
"""


class Log:
    """In the format of dm-log-writes."""

    def __init__(self, path):
        self.file, self.count = open(path, "wb"), 0
        self.file.write(bytes(SECTOR))

    def add(self, offset, data, flags=0):
        self.file.write(struct.pack("<QQQQ", offset // SECTOR, len(data) // SECTOR, flags, 0).ljust(SECTOR, b"\0") + data)
        self.count += 1

    def flush(self):
        self.add(0, b"", 1)

    def close(self):
        self.file.seek(0)
        self.file.write(struct.pack("<QQQI", 0x6A736677736872, 1, self.count, SECTOR))
        self.file.close()


def settings(block):
    return dict(line.split("=", 1) for line in block[4:].rstrip(b"\0").decode().split("\0"))


def other_release(slot):
    """A slot with a kernel that is packed otherwise, and noise for a root."""
    about = settings(slot[:4096])
    start, size = int(about["kstart"], 16) * SECTOR, int(about["ksize"], 16)
    kernel = gzip.compress(gzip.decompress(slot[start:start + size]), 6, mtime=1)
    initial = slot[int(about["istart"], 16) * SECTOR:][:int(about["isize"], 16)] + b"\0" * 512
    place = (128 + (len(kernel) + 511) // 512 + 127) // 128 * 128
    about |= {"release": "9.9.9-9999", "ksectors": f"{(len(kernel) + 511) // 512:x}", "ksize": f"{len(kernel):x}",
              "istart": f"{place:x}", "isectors": f"{(len(initial) + 511) // 512:x}",
              "isize": f"{len(initial):x}"} | sums(kernel, "kcrc") | sums(initial, "icrc")
    text = b"".join(f"{name}={value}".encode() + b"\0" for name, value in about.items()).ljust(4092, b"\0")
    new = bytearray(random.Random(26).randbytes(len(slot)))
    new[:4096] = struct.pack("<I", zlib.crc32(text)) + text
    new[128 * SECTOR:128 * SECTOR + len(kernel)] = kernel
    new[place * SECTOR:place * SECTOR + len(initial)] = initial
    return bytes(new)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    base, card = folder / "base.img", folder / "card.img"
    subprocess.run(["cp", "--sparse=always", IMAGE / "card.img", base], check=True)
    scripts = HERE / "root/usr/lib/fieldcorder/image"
    new = other_release((IMAGE / "slot.img").read_bytes())
    (folder / "new.img").write_bytes(new)
    log = Log(folder / "writes")
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        for name in ("bin", "watched", "found", "scripts"):
            (work / name).mkdir()
        (work / "bin/dd").write_text(WATCH)
        (work / "bin/dd").chmod(0o755)
        (work / "found/slot").write_text("A\n")
        for name in ("state", "rauc-backend"):
            (work / "scripts" / name).write_bytes((scripts / name).read_bytes())
            (work / "scripts" / name).chmod(0o755)
        # The device reads the slot back; here it cannot be wrong.
        (work / "scripts/check-slot").symlink_to("/bin/true")
        environment = {"PATH": f"{work}/bin:{os.environ['PATH']}", "TMPDIR": str(work), "FOUND": f"{work}/found",
                       "DISK": str(card), "WATCHED": f"{work}/watched"}

        def run(program, *arguments):
            subprocess.run([work / "scripts" / program, *arguments], env=environment, check=True)
            for file in sorted((work / "watched").iterdir()):
                log.add(int(file.name.split("-")[1]) * SECTOR, file.read_bytes())
                log.flush()
                file.unlink()

        subprocess.run(["cp", "--sparse=always", base, card], check=True)
        run("state", "set", "data=ready")
        subprocess.run(["cp", "--sparse=always", card, base], check=True)
        log.close()
        log = Log(folder / "writes")
        run("rauc-backend", "set-state", "B", "bad")
        for offset in range(0, len(new), 1 << 18):
            log.add(LAYOUT["slotB"] + offset, new[offset:offset + (1 << 18)])
            # The kernel writes back in its own order; now and then something else causes a flush.
            if offset % (16 << 20) == 0:
                log.flush()
        log.flush()
        run("rauc-backend", "set-primary", "B")
        # The three tries, as the script writes them, and the decision after one.
        for tries in ("2", "1", "0"):
            run("state", "set", f"tries={tries}")
        run("state", "set", "slot=B", "trial=", "tries=")
    log.close()
    card.unlink()
    print(f"{log.count} writes and flushes in {folder}")


if __name__ == "__main__":
    main()
