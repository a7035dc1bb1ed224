"""What the card's real U-Boot script chooses, of many cards at once: each is a disk of one machine, and the script is run for
one after the other, up to the choice."""

import re

from machine import IMAGE, QEMU, Failure, Machine

# U-Boot's `load` reads a disk's number as hexadecimal, `virtio dev` as decimal: up to 9 they agree.
AT_ONCE = 10


def choose(cards, folder):
    """For each card the script's last line as (slot, tries, trial); slot is '' when it is the rescue."""
    results = []
    for first in range(0, len(cards), AT_ONCE):
        results += _choose_some(cards[first:first + AT_ONCE], folder)
    return results


def _choose_some(cards, folder):
    arguments = []
    for number, card in enumerate(cards[1:], 1):
        arguments += ["-drive", f"file={card},format=raw,if=none,id=card{number},cache=writeback",
                      "-device", f"virtio-blk-device,drive=card{number}"]
    results = []
    with Machine(cards[0], folder, arguments, sound=False, counted=False) as machine:
        machine.wait("Hit any key")
        machine.serial.send(" ")
        machine.wait("=> ")
        machine.command("setenv devtype virtio; setenv choose_only yes; virtio scan")
        # U-Boot numbers the disks from the last slot to the first.
        count = len(re.findall(r"Device \d+:", machine.command("virtio info")))
        if count != len(cards):
            raise Failure(f"U-Boot sees {count} disks instead of {len(cards)}")
        for number in range(count):
            machine.serial.send(f"setenv devnum {number}; load virtio {number}:1 ${{scriptaddr}} boot.scr && source ${{scriptaddr}}; echo end\r")
            machine.wait(r"echo end\r")
            found = machine.wait(r"boot: slot (\w*) release \S* tries (\w*) trial (\w*)\r|\nend\r")
            if found.group(1) is None:
                raise Failure(f"the script of {cards[count - 1 - number]} chose nothing")
            machine.wait(r"=> ")
            results.append(found.groups())
    return results[::-1]
