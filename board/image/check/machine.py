"""A machine in QEMU that is started from the card's image, unchanged: U-Boot on its serial port, a shell on a second
console for tests, a sound card, a button. Its time is counted in instructions, so that a busy host makes nothing late in it.
Time limits are of the host's processor: on a busy host everything only takes longer."""

import ctypes
import os
import re
import select
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "rig/cuts"))
from writelog import FLUSH, FUA, Write, entries  # noqa: E402

IMAGE = Path(__file__).resolve().parents[3] / "build/image/parts"
QEMU = "qemu-system-aarch64"


class Failure(Exception):
    pass


def answered_at_once():
    """How a disk is read so that what the host has in memory is there at once. With QEMU's threads a machine whose time is
    counted in instructions waits for the host: it has nothing to do, its clock jumps from timer to timer meanwhile, and a
    busy host lets seconds of the machine's time pass. Nor is a flush waited for: the host's power is not cut."""
    io_uring_setup, bad_address = 425, 14
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall(io_uring_setup, 0, 0)
    return "io_uring" if ctypes.get_errno() == bad_address else "threads"


def make_card(path, gibibytes=1):
    """A card of that size with the image on it; the image's file is not touched."""
    subprocess.run(["cp", "--sparse=always", IMAGE / "card.img", path], check=True)
    os.truncate(path, gibibytes << 30)


def logged(card, log):
    """A drive of the card whose writes and flushes are kept in the file `log`."""
    log.write_bytes(b"")
    files = "".join(f",{name}.driver=file,{name}.filename={path},{name}.aio={answered_at_once()},{name}.cache.no-flush=on"
                    for name, path in (("file", card), ("log", log)))
    return f"driver=blklogwrites,if=none,id=card{files}"


def read_log(path):
    """The writes and flushes; one that is forced to the card counts as a write and a flush."""
    return [Write(offset, data, bool(flags & (FLUSH | FUA))) for offset, data, flags in entries(path)]


class Line:
    """One of the machine's serial lines."""

    def __init__(self, path, log):
        self.text, self.log = "", open(log, "ab")
        self.socket = socket.socket(socket.AF_UNIX)
        for _ in range(200):
            try:
                self.socket.connect(str(path))
                break
            except OSError:
                time.sleep(0.05)
        else:
            raise Failure(f"QEMU does not listen at {path}")
        self.socket.setblocking(False)

    def pump(self):
        try:
            data = self.socket.recv(65536)
        except OSError:
            return
        self.log.write(data)
        self.log.flush()
        self.text += data.decode(errors="replace")

    def send(self, text):
        self.socket.setblocking(True)
        self.socket.sendall(text.encode())
        self.socket.setblocking(False)


class Machine:
    """`with Machine(card, folder) as machine:`; the power is cut at the end."""

    def __init__(self, card, folder, arguments=(), drive=None, memory=1024, usb=False, sound=True, counted=True):
        ports = self.ports(folder, "serial", "shell", "monitor")
        drive = drive or f"file={card},format=raw,if=none,id=card,cache=unsafe,aio={answered_at_once()}"
        self.process = subprocess.Popen(
            [QEMU, "-M", "virt,acpi=off", "-cpu", "cortex-a72", "-smp", "1", "-m", str(memory), "-accel", "tcg",
             *(["-icount", "shift=1,sleep=off"] if counted else []), "-nographic", "-monitor", f"unix:{ports[2]},server=on,wait=off",
             "-bios", IMAGE / "u-boot-qemu.bin", "-nic", "none", *(["-rtc", "clock=vm"] if counted else []),
             "-drive", drive, "-device", "virtio-blk-device,drive=card",
             "-chardev", f"socket,id=serial,path={ports[0]},server=on,wait=on", "-serial", "chardev:serial",
             "-chardev", f"socket,id=shell,path={ports[1]},server=on,wait=on",
             "-device", "virtio-serial-device", "-device", "virtconsole,chardev=shell",
             "-device", "i6300esb", "-action", "watchdog=reset", *(["-device", "virtio-balloon-device,id=beat"] if counted else []),
             *(["-audiodev", "none,id=sound", "-device", "intel-hda", "-device", "hda-micro,audiodev=sound"] if sound else []),
             *(["-device", "qemu-xhci,id=usb"] if usb else []), *arguments],
            stdin=subprocess.DEVNULL, stdout=open(self.folder / "qemu.log", "wb"), stderr=subprocess.STDOUT)
        self.serial = Line(ports[0], self.folder / "serial.log")
        self.shell = Line(ports[1], self.folder / "shell.log")
        self.monitor = Line(ports[2], self.folder / "monitor.log")
        if counted:
            self.beat()
        self.commands, self.began = 0, 0
        self.began = self.seconds()

    def ports(self, folder, *names):
        """Where QEMU is to listen, in the machine's folder."""
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        ports = [self.folder / name for name in names]
        for port in ports:
            port.unlink(missing_ok=True)
        return ports

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.cut()

    def cut(self):
        self.process.kill()
        self.process.wait()

    def beat(self):
        """Has QEMU wake once in each second of the machine's time, which nothing in the machine sees. Without work QEMU sets
        the machine's clock to the next timer. A kernel that panics leaves the machine with interrupts off and its timer
        expired: there is no next one, and at the restart the clock would be set to its end, after which no timer works."""
        self.monitor.send("qom-set /machine/peripheral/beat guest-stats-polling-interval 1\n")

    def processor_seconds(self):
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            raise Failure(f"QEMU ended, see {self.folder}/qemu.log")
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def wait(self, pattern, limit=120, line=None):
        """Waits for the pattern on the serial port, or another line, and takes what was before it away."""
        line = line or self.serial
        start = self.processor_seconds()
        while True:
            found = re.search(pattern, line.text)
            if found:
                line.text = line.text[found.end():]
                return found
            if self.process.poll() is not None:
                raise Failure(f"QEMU ended, see {self.folder}/qemu.log")
            if self.processor_seconds() - start > limit:
                raise Failure(f"'{pattern}' did not come within {limit} s of the processor, see {self.folder}")
            select.select([self.serial.socket, self.shell.socket], [], [], 1)
            self.serial.pump()
            self.shell.pump()

    def start(self, settings=(), shell=True):
        """Stops U-Boot before it starts by itself, tells it what a test adds, and has it run the card's script."""
        self.wait("Hit any key")
        self.serial.send(" ")
        self.wait("=> ")
        arguments = "systemd.debug_shell=hvc0" if shell else ""
        for command in ("setenv devtype virtio", "setenv devnum 0", f"setenv testargs '{arguments}'", *settings):
            self.serial.send(command + "\r")
            self.wait("=> ")
        self.serial.send("virtio scan; load virtio 0:1 ${scriptaddr} boot.scr && source ${scriptaddr}\r")

    def seconds(self):
        """The machine's own seconds since it was switched on, over all its starts: its clock of the day, as QEMU reads it."""
        self.monitor.text = ""
        self.monitor.send("xp /1wx 0x9010000\n")
        while not (found := re.search(r"9010000: 0x([0-9a-f]+)", self.monitor.text)):
            if self.process.poll() is not None:
                raise Failure(f"QEMU ended, see {self.folder}/qemu.log")
            select.select([self.monitor.socket], [], [], 1)
            self.monitor.pump()
        return int(found.group(1), 16) - self.began

    def command(self, text):
        """Has U-Boot run a line, and returns what it said."""
        self.serial.send(text + "\r")
        return self.wait(r"(?s)(.*?)=> ").group(1)

    def press(self):
        """The button on line 3 of the machine's GPIO chip, for 100 ms: QEMU has it for switching off."""
        self.monitor.send("system_powerdown\n")

    def run(self, command, limit=120):
        """Runs a command in the shell, and returns its status and what it said."""
        self.commands += 1
        self.shell.send(f"{command}\necho end-{self.commands}-of-command $?\n")
        self.shell.pump()
        start = self.processor_seconds()
        while not (found := re.search(rf"end-{self.commands}-of-command (\d+)", self.shell.text)):
            if self.processor_seconds() - start > limit:
                raise Failure(f"'{command}' did not end within {limit} s of the processor")
            select.select([self.shell.socket, self.serial.socket], [], [], 1)
            self.serial.pump()
            self.shell.pump()
        said = self.shell.text[:found.start()]
        self.shell.text = self.shell.text[found.end():]
        return int(found.group(1)), said

    def value(self, command, limit=120):
        """What a command says, without the prompt and colours."""
        said = self.expect(f"echo $({command})", limit)
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\S*# ", "", said).strip()

    def expect(self, command, limit=120):
        status, said = self.run(command, limit)
        if status:
            raise Failure(f"'{command}' ended with {status}: {said[-500:]}")
        return said


class RaspberryPi(Machine):
    """One of QEMU's Raspberry Pis. In place of the board's firmware, which QEMU does not have, it starts the card's U-Boot with the
    card's device tree. `serial` is the port on the header, `shell` the other port. Its time is not counted: it has four processors."""

    def __init__(self, card, folder, board, boot_loader, device_tree, accelerator="tcg"):
        ports = self.ports(folder, "other", "header")
        lines = []
        for port in ports:
            lines += ["-chardev", f"socket,id={port.name},path={port},server=on,wait=on", "-serial", f"chardev:{port.name}"]
        program = subprocess.run([Path(__file__).parent / "emulator", board], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        self.process = subprocess.Popen(
            [program, "-M", board, "-accel", accelerator, "-display", "none", "-monitor", "none", "-kernel", boot_loader,
             "-dtb", device_tree, "-drive", f"file={card},format=raw,if=sd,cache=unsafe", *lines],
            stdin=subprocess.DEVNULL, stdout=open(self.folder / "qemu.log", "wb"), stderr=subprocess.STDOUT)
        self.shell = Line(ports[0], self.folder / "other.log")
        self.serial = Line(ports[1], self.folder / "header.log")
