"""Prints the block map of a card's image for bmaptool: which blocks are not empty, and their sums. usage: blockmap.py IMAGE"""

import hashlib
import os
import sys

BLOCK = 4096


def ranges(file, count):
    """Runs of blocks that hold anything but zeros."""
    first = None
    for number in range(count):
        is_used = any(file.read(BLOCK))
        if is_used and first is None:
            first = number
        elif not is_used and first is not None:
            yield first, number - 1
            first = None
    if first is not None:
        yield first, count - 1


def main():
    path = sys.argv[1]
    size = os.path.getsize(path)
    count = size // BLOCK
    with open(path, "rb") as file:
        used = list(ranges(file, count))
        lines = []
        for first, last in used:
            file.seek(first * BLOCK)
            digest = hashlib.sha256(file.read((last - first + 1) * BLOCK)).hexdigest()
            lines.append(f'    <Range chksum="{digest}">{first}{"" if first == last else f"-{last}"}</Range>')
    mapped = sum(last - first + 1 for first, last in used)
    # The map's own checksum is computed with zeros in its place.
    text = "\n".join([
        '<?xml version="1.0" ?>', '<bmap version="2.0">', f"  <ImageSize>{size}</ImageSize>",
        f"  <BlockSize>{BLOCK}</BlockSize>", f"  <BlocksCount>{count}</BlocksCount>",
        f"  <MappedBlocksCount>{mapped}</MappedBlocksCount>", "  <ChecksumType>sha256</ChecksumType>",
        f"  <BmapFileChecksum>{'0' * 64}</BmapFileChecksum>", "  <BlockMap>", *lines, "  </BlockMap>", "</bmap>", "",
    ])
    print(text.replace("0" * 64, hashlib.sha256(text.encode()).hexdigest(), 1), end="")


main()
