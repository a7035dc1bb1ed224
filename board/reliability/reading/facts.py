"""Whether the programs that show what a file says about itself say the same of a take, and leave nothing blank: of a WAV
in every field, of a MOV, an AIFF and a CAF what a person has entered.

usage: facts.py [--program FILE | --file WAV]

Prints what each program says. Exits with 1 if two differ.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import guano
import soundfile
import wavinfo
from lxml import etree

from takes import Recorder

BEFORE = ["wait 2", "project Herons & <Owls>", "scene 12A", "take 3", "tape R7", "track 1 boom", "record start", "wait 2"]
COMMANDS = [
    *BEFORE,
    "mark an owl & a <fox>",
    "wait 1",
    "mark",
    "circle",
    "note wind",
    "note 올빼미",
    "wait 1",
    "record stop",
    "wait 1",
]
MARKS = ["an owl & a <fox>", "mark 2"]
TRACKS = ["boom", "right"]
# What COMMANDS enter: each program that shows one of these must show this.
ENTERED = {
    "project": "Herons & <Owls>",
    "scene": "12A",
    "take": 3,
    "tape": "R7",
    "note": "wind; 올빼미",
    "circled": True,
    "tracks": str(TRACKS),
}
# What else all programs show of a take that is not a WAV.
TITLED = {"title": "12A take 3", "position": "47.37700 -8.54200", "track 1": "boom"}


def run(*command):
    return subprocess.run(command, capture_output=True, check=True, stdin=subprocess.DEVNULL).stdout


class Facts:
    """What each program says, by the name of the fact."""

    def __init__(self):
        self.said = defaultdict(dict)

    def add(self, program, **values):
        for name, value in values.items():
            self.said[name][program] = value

    def faults(self):
        for name, values in self.said.items():
            if set(values.values()) == {None}:
                continue
            for program, value in values.items():
                print(f"{name:14} {program:10} {value}")
            if len(set(values.values())) != 1:
                yield f"{name}: the programs differ"
            if any(value in (None, "", "None") for value in values.values()):
                yield f"{name}: blank"


def comment(text):
    """A ledger as one line that all programs show alike, whatever they do to line breaks and unknown characters."""
    text = text.replace("\r", "")
    words = [word for word in text.split() if word.isascii()]
    return f"{len(words)} words: {' '.join(words[:4])} … {' '.join(words[-1:])[:8]}"


def ffprobe(path, facts):
    said = run("ffprobe", "-v", "error", "-show_entries", "format_tags", "-of", "json", path)
    tags = json.loads(said)["format"]["tags"]
    facts.add(
        "ffprobe",
        date=tags["date"],
        time=tags["creation_time"],
        time_reference=int(tags["time_reference"]),
        device=tags["originator_reference"],
        originator=tags["encoded_by"],
        software=tags["encoder"],
        umid=tags["umid"].removeprefix("0x").lower()[:64],
        history=tags["coding_history"].strip(),
        comment=comment(tags["comment"]),
    )


def exiftool(path, facts):
    said = json.loads(run("exiftool", "-json", path))[0]
    date, time = said["DateTimeOriginal"].split()
    facts.add(
        "exiftool",
        date=date.replace(":", "-"),
        time=time,
        time_reference=said["TimeReference"],
        device=said["OriginatorReference"],
        originator=said["Originator"],
        software=said["Software"],
        history=said["CodingHistory"].strip(),
        comment=comment(said["Comment"]),
        rate=said["SampleRate"],
        depth=said["BitsPerSample"],
        channels=said["NumChannels"],
        umid=said["BWF_UMID"][:64].lower(),
        take=said["BwfxmlTake"],
        file=said["BwfxmlFile_uid"] if "BwfxmlFile_uid" in said else said["BwfxmlFileUid"],
        project=said.get("BwfxmlProject"),
        scene=said.get("BwfxmlScene"),
        tape=said.get("BwfxmlTape"),
        note=said.get("BwfxmlNote"),
        circled=str(said["BwfxmlCircled"]).upper() == "TRUE",
    )


def mediainfo(path, facts):
    tracks = json.loads(run("mediainfo", "--Output=JSON", path))["media"]["track"]
    general = next(track for track in tracks if track["@type"] == "General")
    audio = next(track for track in tracks if track["@type"] == "Audio")
    facts.add(
        "mediainfo",
        date=general["Encoded_Date"].split()[0],
        time=general["Encoded_Date"].split()[1],
        device=general["extra"]["Producer_Reference"],
        originator=general["Producer"],
        software=general["Encoded_Application"],
        history=general["Encoded_Library_Settings"],
        milliseconds=round(float(audio["Delay"]) * 1000),
        comment=comment(general["Comment"].replace(" / ", " ")),
        rate=int(audio["SamplingRate"]),
        depth=int(audio["BitDepth"]),
        channels=int(audio["Channels"]),
    )


def python_wavinfo(path, facts):
    said = wavinfo.WavInfoReader(str(path), info_encoding="utf-8")
    broadcast, tags = said.bext, said.info
    facts.add(
        "wavinfo",
        date=broadcast.originator_date,
        time=broadcast.originator_time,
        time_reference=broadcast.time_reference,
        device=broadcast.originator_ref,
        originator=broadcast.originator,
        umid=broadcast.umid[:32].hex(),
        history=broadcast.coding_history.strip(),
        software=tags.software,
        comment=comment(tags.comment),
        rate=said.fmt.sample_rate,
        depth=said.fmt.bits_per_sample,
        channels=said.fmt.channel_count,
        frames=said.data.frame_count,
        take=int(said.ixml.take),
        family=said.ixml.family_uid,
        project=said.ixml.project,
        scene=said.ixml.scene,
        tape=said.ixml.tape,
        tracks=str([track.name for track in said.ixml.track_list]),
        marks=str([said.cues.label_and_note(number)[0] for number, _ in said.cues.each_cue()]),
    )
    return said


def ixml(document, facts):
    root = etree.fromstring(document)
    blank = [element.tag for element in root.iter() if len(element) == 0 and not (element.text or "").strip()]

    def value(path):
        return root.findtext(path)

    facts.add(
        "iXML",
        date=value("BEXT/BWF_ORIGINATION_DATE"),
        time=value("BEXT/BWF_ORIGINATION_TIME"),
        time_reference=int(value("SPEED/TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO"))
        | int(value("SPEED/TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI")) << 32,
        device=value("BEXT/BWF_ORIGINATOR_REFERENCE"),
        originator=value("BEXT/BWF_ORIGINATOR"),
        umid=value("BEXT/BWF_UMID"),
        history=value("BEXT/BWF_CODING_HISTORY"),
        software=value("BEXT/BWF_DESCRIPTION"),
        rate=int(value("SPEED/FILE_SAMPLE_RATE")),
        depth=int(value("SPEED/AUDIO_BIT_DEPTH")),
        channels=int(value("TRACK_LIST/TRACK_COUNT")),
        take=int(value("TAKE")),
        project=value("PROJECT"),
        scene=value("SCENE"),
        tape=value("TAPE"),
        note=value("NOTE"),
        circled=value("CIRCLED") == "TRUE",
        tracks=str([name.text for name in root.findall("TRACK_LIST/TRACK/NAME")]),
        family=value("FILE_SET/FAMILY_UID"),
        file=value("FILE_UID"),
        part=int(value("FILE_SET/FILE_SET_INDEX")),
        blank=str(blank),
    )
    facts.add("the test", blank="[]", channels=len(root.findall("TRACK_LIST/TRACK")))


def python_guano(path, facts):
    said = guano.GuanoFile(str(path), strict=True)
    time = said["Timestamp"]
    facts.add(
        "guano",
        date=f"{time:%Y-%m-%d}",
        time=f"{time:%H:%M:%S}",
        device=said["Serial"].replace("-", ""),
        software=f"{said['Make']} {said['Firmware Version']}",
        rate=said["Samplerate"],
        frames=round(said["Length"] * said["Samplerate"]),
        take=int(said.get("Fieldcorder|Scene Take", said["Fieldcorder|Take"])),
        project=said.get("Fieldcorder|Project"),
        scene=said.get("Fieldcorder|Scene"),
        tape=said.get("Fieldcorder|Tape"),
        note=said.get("Note"),
        circled=said.get("Fieldcorder|Verdict") == "circled",
        part=int(said["Fieldcorder|Part"]),
        file=said["Fieldcorder|File UID"],
    )
    if "Temperature Int" in said:
        facts.add("guano", temperature=float(said["Temperature Int"]))
    midnight = (time.hour * 60 + time.minute) * 60 + time.second + time.microsecond / 1e6
    reference = facts.said["time_reference"]["wavinfo"]
    facts.add("guano", milliseconds=round(midnight * 1000))
    facts.add("wavinfo", milliseconds=reference * 1000 // said["Samplerate"])


def python_soundfile(path, facts):
    with soundfile.SoundFile(path) as file:
        facts.add("soundfile", rate=file.samplerate, channels=file.channels, frames=file.frames)
        facts.add("soundfile", software=file.copy_metadata().get("software", "").split(" (")[0])
        facts.add("soundfile", comment=comment(file.copy_metadata().get("comment", "")))


def pairs(said):
    """The pairs of a name and a text, which AIFF, CAF and MOV have alike, from whatever a program makes of their names."""
    known = {}
    for key, value in said.items():
        key = key.lower().removeprefix("org.fieldcorder.").removeprefix("org_fieldcorder_")
        known[key.replace(" ", "").replace("_", "")] = value
    return {
        "title": known.get("title"),
        "project": known.get("project"),
        "scene": known.get("scene"),
        "take": int(known.get("take", 0)),
        "tape": known.get("tape"),
        "note": known.get("note"),
        "position": known.get("position"),
        "circled": known.get("verdict") == "circled",
        "track 1": known.get("track1"),
    }


def other(path, facts):
    """A take that is not a WAV."""
    said = json.loads(run("ffprobe", "-v", "error", "-show_entries", "format_tags", "-of", "json", path))
    tags = said["format"]["tags"]
    facts.add("ffprobe", **pairs(tags))
    tracks = json.loads(run("mediainfo", "--Output=JSON", path))["media"]["track"]
    general = next(track for track in tracks if track["@type"] == "General")
    shown = {key: value for key, value in general.items() if key != "extra"} | general["extra"]
    facts.add("mediainfo", **pairs(shown))
    facts.add("the test", **(ENTERED | TITLED))
    del facts.said["tracks"]
    if path.suffix != ".mov":
        return
    tool = json.loads(run("exiftool", "-json", "-n", "-b", path))[0]
    facts.add("exiftool", **pairs(tool), make=tool["Make"], model=tool["Model"])
    facts.add("exiftool", place=f"{tool['GPSLatitude']} {tool['GPSLongitude']}")
    facts.add("ffprobe", place=" ".join(str(float(part)) for part in re.findall(r"[+-][\d.]+", tags["location"])))
    facts.add("mediainfo", place=" ".join(str(float(part)) for part in re.findall(r"[+-][\d.]+", shown["xyz"])))
    keys = {key: tags[f"com.apple.quicktime.{key}"] for key in ("make", "model")}
    facts.add("ffprobe", **keys)


def take(program, folder, container="wav"):
    """A take with two marks."""
    recorder = Recorder(program, folder)
    data = f"{folder}/facts-{container}"
    place = "[schedule]\nlatitude = 47.377\nlongitude = -8.542\n"
    Path(f"{data}.conf").write_text(recorder.configuration(container, "24", 2) + place)
    recorder.record(data, COMMANDS)
    (path,) = Path(data).glob(f"*/*/*.{container}")
    return path


def read(path, facts):
    document = python_wavinfo(path, facts).ixml.source
    subprocess.run(["xmllint", "--noout", "-"], input=document, check=True)
    ixml(document, facts)
    for program in (python_guano, python_soundfile, ffprobe, exiftool, mediainfo):
        program(path, facts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="build/host/fieldcorder")
    parser.add_argument("--file", type=Path)
    options = parser.parse_args()
    facts = Facts()
    faults = []
    if options.file:
        read(options.file, facts)
    else:
        with tempfile.TemporaryDirectory() as folder:
            read(take(options.program, folder), facts)
            for container in ("mov", "aiff", "caf"):
                others = Facts()
                other(take(options.program, folder, container), others)
                print(container)
                faults += [f"{container}: {fault}" for fault in others.faults()]
        facts.add("the test", marks=str(MARKS), temperature=45, **ENTERED)
        print("wav")
    faults += facts.faults()
    for fault in faults:
        print(f"facts: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


main()
