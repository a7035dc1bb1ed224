"""What QEMU's blklogwrites recorded of a machine's disk, in the format of Linux's dm-log-writes."""

import mmap
import struct
from dataclasses import dataclass, field

SECTOR = 512
FLUSH, FUA, DISCARD = 1, 2, 4
MAGIC = 0x6A736677736872


@dataclass
class Write:
    """A write to the file system, or a flush if it has no bytes."""

    offset: int
    data: memoryview
    is_flush: bool


@dataclass
class Mark:
    """What the machine said, and when, before the write `index`."""

    index: int
    time: float
    lines: list = field(default_factory=list)


def entries(path):
    """Of each entry in its order: the first byte on the disk, the data, and the flags."""
    with open(path, "rb") as file:
        log = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    magic, _, _, log_sector = struct.unpack_from("<QQQI", log, 0)
    if magic != MAGIC:
        raise ValueError(f"{path} is no log of writes")
    position = log_sector
    while position < len(log):
        sector, sectors, flags, _ = struct.unpack_from("<QQQQ", log, position)
        if sectors == 0 and flags == 0:
            break
        position += log_sector
        data = b"" if flags & DISCARD else log[position : position + sectors * log_sector]
        position += len(data)
        yield sector * log_sector, data, flags


class WriteLog:
    """The writes and flushes in their order, and the marks between them."""

    def __init__(self, path, file_system_bytes):
        self.writes, self.marks = [], []
        for offset, data, flags in entries(path):
            if flags & (FUA | DISCARD):
                raise ValueError(f"{path}: a write with flags {flags}, which the card models do not know")
            self._append(offset, data, bool(flags & FLUSH), file_system_bytes)
        if not self.marks:
            raise ValueError(f"{path} has no marks")

    def _append(self, offset, data, is_flush, file_system_bytes):
        if offset < file_system_bytes:
            self.writes.append(Write(offset, data, is_flush))
            return
        lines = bytes(data).rstrip(b"\0").decode(errors="replace").splitlines()
        self.marks.append(Mark(len(self.writes), float(lines[0].split()[1]), lines[1:]))
