"""The readers: each hears a take, and tells how many frames it found and whether they are the take's."""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import tempfile
import warnings
import wave
from dataclasses import dataclass
from pathlib import Path

import numpy
import soundfile

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import aifc

from takes import RATE

PATIENCE_SECONDS = 900
COMPARED_BYTES = 4 << 20  # at either end of a take of more than twice that
SECONDS_AT_THE_END = 3
GSTREAMER = {"16": "S16LE", "24": "S24LE", "float": "F32LE"}
RAW = {"16": "s16le", "24": "s24le", "float": "f32le"}


class Refused(Exception):
    """The reader does not open the take, or hears something else."""


@dataclass
class Reading:
    """What a reader found; None for what it does not tell."""

    frames: float = None
    channels: int = None
    rate: float = None
    bits: int = None
    tolerance: float = 0  # of frames, for a reader that tells seconds


def run(*command, **options):
    # In a session of its own: a program that has started others, as runuser does, ends with them.
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, start_new_session=True, **pipes, **options)
    try:
        output, errors = process.communicate(timeout=PATIENCE_SECONDS)
    except subprocess.TimeoutExpired as error:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise Refused(f"no end within {PATIENCE_SECONDS} s") from error
    if process.returncode != 0:
        raise Refused(last_line(errors or output))
    return output


def last_line(text):
    lines = [line.strip() for line in text.decode(errors="replace").splitlines() if len(line.strip()) > 3]
    return lines[-1][:120] if lines else "it says nothing"


def frames_of(take, blocks, expected=lambda sound: sound, frame_bytes=None, is_same=lambda a, b: a == b):
    """Counts the frames in blocks of decoded sound, and compares both ends with the take."""
    frame_bytes = frame_bytes or take.frame_bytes
    ends = COMPARED_BYTES * take.frame_bytes // frame_bytes
    end = take.frames * frame_bytes
    position, rest = 0, b""
    for block in blocks:
        block = rest + block
        whole = len(block) - len(block) % frame_bytes
        block, rest = block[:whole], block[whole:]
        if position < ends or position + whole > end - ends:
            start = position // frame_bytes * take.frame_bytes
            sound = expected(take.sound(start, whole // frame_bytes * take.frame_bytes))
            if not is_same(bytes(block[: len(sound)]), sound):
                raise Refused(f"other sound from frame {position // frame_bytes} on")
        position += whole
    return position // frame_bytes


def decoded(*command):
    """The blocks that a command writes to its standard output."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL)
        try:
            while block := process.stdout.read(1 << 20):
                yield block
        finally:
            process.stdout.close()
            status = process.wait()
        if status != 0:
            errors.seek(0)
            raise Refused(last_line(errors.read()))


def widened(sound):
    """Samples of 24 bits as the upper ones of 32."""
    samples = numpy.frombuffer(sound, "u1").reshape(-1, 3)
    return numpy.hstack([numpy.zeros((len(samples), 1), "u1"), samples]).tobytes()


def is_near(one, other):
    return numpy.allclose(numpy.frombuffer(one, "<f4"), numpy.frombuffer(other, "<f4"), atol=1e-6)


def as_floats(take, sound):
    if take.sample == "float":
        return numpy.frombuffer(sound, "<f4")
    wide = numpy.frombuffer(widened(sound), "<i4") if take.sample == "24" else numpy.frombuffer(sound, "<i2")
    return wide / (1 << 31 if take.sample == "24" else 1 << 15)


# The readers, in the order of the table.


def ffmpeg(take):
    raw = RAW[take.sample]
    blocks = decoded("ffmpeg", "-v", "error", "-i", take.opened, "-map", "0:a:0", "-c:a", f"pcm_{raw}", "-f", raw, "-")
    frames = frames_of(take, blocks)
    entries = "stream=channels,sample_rate:format_tags=creation_time,comment"
    facts = json.loads(run("ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", entries, "-of", "json", take.opened))
    stream = facts["streams"][0]
    return Reading(frames, stream["channels"], int(stream["sample_rate"]))


def gstreamer(take):
    source = ["gst-launch-1.0", "-q", "filesrc", f"location={take.opened}", "!", "decodebin", "!", "audio/x-raw", "!"]
    sink = ["audioconvert", "!", f"audio/x-raw,format={GSTREAMER[take.sample]},rate={RATE},channels={take.channels}"]
    return Reading(frames_of(take, decoded(*source, *sink, "!", "fdsink", "fd=1")), take.channels, RATE)


def libquicktime(take):
    library = ctypes.CDLL("libquicktime.so.2")
    library.quicktime_open.restype = ctypes.c_void_p
    for name in ("quicktime_audio_length", "quicktime_sample_rate"):
        getattr(library, name).restype = ctypes.c_long
    file = library.quicktime_open(os.fsencode(take.opened), 1, 0)
    if not file:
        raise Refused("it does not open the file")
    handle = ctypes.c_void_p(file)
    try:
        if not library.quicktime_audio_tracks(handle):
            raise Refused("no track of sound")
        length = library.quicktime_audio_length(handle, 0)
        bits = {3: 16, 4: 32, 5: 32}[library.lqt_get_sample_format(handle, 0)]
        channels = library.quicktime_track_channels(handle, 0)
        rate = library.quicktime_sample_rate(handle, 0)
        buffer = ctypes.create_string_buffer(RATE * channels * bits // 8)

        def blocks():
            left = length
            while left > 0:
                count = library.lqt_decode_audio_raw(handle, buffer, min(left, RATE), 0)
                if count <= 0:
                    return
                left -= count
                yield buffer.raw[: count * channels * bits // 8]

        expected = widened if take.sample == "24" else lambda sound: sound
        frames = frames_of(take, blocks(), expected, channels * bits // 8)
        return Reading(frames, channels, rate)
    finally:
        library.quicktime_close(handle)


def vlc(take):
    """VLC plays at its own pace, and through a resampler: the last seconds are heard, and are alike."""
    as_nobody = ["runuser", "-u", "nobody", "--"] if os.getuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        link = Path(folder, f"take.{take.container}")
        os.symlink(take.opened, link)
        heard = Path(folder, "heard")
        start = max(0, take.frames / RATE - SECONDS_AT_THE_END)
        run(
            *as_nobody, "cvlc", "-I", "dummy", "-q", "--no-video", "--play-and-exit", "--aout=afile", "--no-audiofile-wav",
            f"--audiofile-file={heard}", "--audiofile-format=float32", "--audiofile-channels=0", f"--start-time={start:.3f}",
            link, env={**os.environ, "HOME": folder},
        )  # fmt: skip
        sound = numpy.fromfile(heard, "<f4") if heard.exists() else numpy.zeros(0, "<f4")
    # On a busy machine it starts late: its last second shows whether it has found the sound.
    heard = sound.reshape(-1, take.channels)[-RATE:, 0] if len(sound) % take.channels == 0 else sound[:0]
    if len(heard) < RATE:
        raise Refused(f"{len(sound) / take.channels / RATE:.2f} s of the last {SECONDS_AT_THE_END} s")
    first = max(0, take.frames - RATE * 13 // 10) * take.frame_bytes
    truth = as_floats(take, take.sound(first, take.frames * take.frame_bytes - first))[:: take.channels]
    if not is_part_of(truth, heard):
        raise Refused("other sound at the end")
    return Reading()


def is_part_of(whole, part):
    """Whether a signal is a part of another, wherever that is."""
    size = 1 << (len(whole) + len(part)).bit_length()
    product = numpy.fft.irfft(numpy.fft.rfft(whole, size) * numpy.conj(numpy.fft.rfft(part, size)), size)
    energies = [(signal.astype("f8") ** 2).sum() for signal in (whole, part)]
    return product.max() > 0.7 * numpy.sqrt(energies[0] * energies[1]) > 0


def mpv(take):
    options = ["--no-config", "--really-quiet", "--no-video", "--untimed", "--audio-channels=auto", "--ao=pcm"]
    sink = ["--ao-pcm-waveheader=no", "--ao-pcm-file=/dev/stdout"]
    wide = take.sample == "24"
    frame_bytes = 4 * take.channels if wide else take.frame_bytes
    blocks = decoded("mpv", *options, *sink, take.opened)
    frames = frames_of(take, blocks, widened if wide else lambda sound: sound, frame_bytes)
    if frames == 0:
        raise Refused("no sound")
    return Reading(frames)


def mkvmerge(take):
    with tempfile.TemporaryDirectory(dir=take.path.parent) as folder:
        goal = Path(folder, "take.mka")
        run("mkvmerge", "--quiet", "--no-video", "--output", goal, take.opened)
        raw = RAW[take.sample]
        blocks = decoded("ffmpeg", "-v", "error", "-i", goal, "-map", "0:a:0", "-c:a", f"pcm_{raw}", "-f", raw, "-")
        frames = frames_of(take, blocks)
    tracks = json.loads(run("mkvmerge", "-J", take.opened))["tracks"]
    facts = next(track["properties"] for track in tracks if track["type"] == "audio")
    return Reading(frames, facts["audio_channels"], facts["audio_sampling_frequency"])


def python_wave(take):
    return python_sound(take, wave, lambda sound: sound)


def python_aifc(take):
    def swapped(sound):
        return numpy.frombuffer(sound, "u1").reshape(-1, take.sample_bytes)[:, ::-1].tobytes()

    return python_sound(take, aifc, swapped)


def python_sound(take, module, expected):
    try:
        file = module.open(str(take.opened), "rb")
    except (module.Error, EOFError) as error:
        raise Refused(str(error)) from error
    with file:
        blocks = iter(lambda: file.readframes(RATE), b"")
        facts = Reading(file.getnframes(), file.getnchannels(), file.getframerate(), file.getsampwidth() * 8)
        if frames_of(take, blocks, expected) != facts.frames:
            raise Refused("fewer frames than it tells")
        return facts


def python_soundfile(take):
    try:
        file = soundfile.SoundFile(take.opened)
    except soundfile.LibsndfileError as error:
        raise Refused(str(error)) from error
    with file:
        kind = {"16": "int16", "24": "int32", "float": "float32"}[take.sample]
        blocks = (block.tobytes() for block in file.blocks(RATE, dtype=kind))
        wide = take.sample == "24"
        frame_bytes = 4 * take.channels if wide else take.frame_bytes
        frames = frames_of(take, blocks, widened if wide else lambda sound: sound, frame_bytes)
        bits = {"PCM_16": 16, "PCM_24": 24, "FLOAT": 32}[file.subtype]
        if frames != file.frames:
            raise Refused("fewer frames than it tells")
        return Reading(frames, file.channels, file.samplerate, bits)


def wavinfo(take):
    import wavinfo as module

    try:
        info = module.WavInfoReader(str(take.opened))
    except Exception as error:  # Whatever a parser throws is a refusal.
        raise Refused(repr(error)) from error
    shape = info.fmt
    return Reading(info.data.frame_count, shape.channel_count, shape.sample_rate, shape.bits_per_sample)


def guano(take):
    import guano as module

    try:
        shape = module.GuanoFile(str(take.opened)).wav_params
    except Exception as error:
        raise Refused(repr(error)) from error
    return Reading(shape.nframes, shape.nchannels, shape.framerate, shape.sampwidth * 8)


def sox(take):
    encoding = ["-e", "floating-point"] if take.sample == "float" else ["-e", "signed-integer"]
    raw = ["-t", "raw", *encoding, "-b", str(take.sample_bytes * 8), "-L", "-"]
    # sox computes with 32-bit integers, which do not preserve a float sample's last bits.
    is_same = is_near if take.sample == "float" else lambda a, b: a == b
    frames = frames_of(take, decoded("sox", "-D", "-V1", take.opened, *raw), is_same=is_same)
    told = [int(run("soxi", "-V1", option, take.opened)) for option in ("-c", "-r", "-s")]
    if told[2] != frames:
        raise Refused(f"{told[2]} frames told, {frames} read")
    return Reading(frames, told[0], told[1])


def mediainfo(take):
    tracks = json.loads(run("mediainfo", "--Output=JSON", take.opened))["media"]["track"]
    sound = next((track for track in tracks if track["@type"] == "Audio"), None)
    if sound is None or "Duration" not in sound:
        raise Refused("no sound, or no length of it")
    frames = float(sound["Duration"]) * RATE
    bits = int(sound["BitDepth"]) if "BitDepth" in sound else None
    return Reading(frames, int(sound["Channels"]), float(sound["SamplingRate"]), bits, RATE / 1000)


def exiftool(take):
    facts = json.loads(run("exiftool", "-json", "-n", "-api", "LargeFileSupport=1", take.opened))[0]
    channels = facts.get("NumChannels", facts.get("AudioChannels"))
    rate = facts.get("SampleRate", facts.get("AudioSampleRate"))
    if channels is None and "Duration" not in facts:
        raise Refused(facts.get("Error", "it knows nothing of sound"))
    frames = facts["Duration"] * RATE if "Duration" in facts else None
    # For a WAV it divides the file's size by the bytes a second.
    return Reading(frames, channels, rate, None, 0.02 * take.frames + RATE / 5)


READERS = {
    "ffmpeg": (ffmpeg, ("mov", "wav", "aiff", "caf")),
    "GStreamer": (gstreamer, ("mov", "wav", "aiff", "caf")),
    "libquicktime": (libquicktime, ("mov",)),
    "VLC": (vlc, ("mov", "wav", "aiff", "caf")),
    "mpv": (mpv, ("mov", "wav", "aiff", "caf")),
    "mkvmerge": (mkvmerge, ("mov", "wav")),
    "Python wave": (python_wave, ("wav",)),
    "Python aifc": (python_aifc, ("aiff",)),
    "soundfile": (python_soundfile, ("wav", "aiff", "caf")),
    "wavinfo": (wavinfo, ("wav",)),
    "guano": (guano, ("wav",)),
    "sox": (sox, ("wav", "aiff", "caf")),
    "MediaInfo": (mediainfo, ("mov", "wav", "aiff", "caf")),
    "exiftool": (exiftool, ("mov", "wav", "aiff", "caf")),
}


def read(reader, take):
    """Refused, with the reason, unless the reader hears all of the take."""
    found = READERS[reader][0](take)
    least = take.frames
    if take.is_open:
        # As promised: all but the last second.
        least = RATE if take.peer else min(least, take.told_frames - RATE)
    if found.frames is not None and not least - found.tolerance <= found.frames <= take.frames + found.tolerance:
        raise Refused(f"{found.frames:.0f} of {take.frames} frames")
    bits = take.sample_bytes * 8
    for name, told, expected in (("channels", found.channels, take.channels), ("Hz", found.rate, RATE), ("bits", found.bits, bits)):
        if told is not None and told != expected:
            raise Refused(f"{told} {name} of {expected}")


def missing():
    """The programs that are not installed."""
    programs = ("ffmpeg", "gst-launch-1.0", "cvlc", "mpv", "mkvmerge", "sox", "mediainfo", "exiftool")
    return [program for program in programs if not shutil.which(program)]
