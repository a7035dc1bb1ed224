"""Files of ffmpeg of the same kinds: what a reader refuses of these it refuses of the kind, not of the recorder."""

import subprocess
from dataclasses import replace

from takes import RATE

BLOCK = 1 << 22


def peer(take):
    """The take with the same sound in a file of ffmpeg, which was killed in the middle if the recorder was."""
    raw = {"16": "s16", "24": "s24", "float": "f32"}[take.sample]
    path = take.path.with_name(f"ffmpeg.{take.container}")
    command = ["ffmpeg", "-v", "error", "-y", "-f", f"{raw}le", "-ar", str(RATE), "-ac", str(take.channels), "-i", "-"]
    command += ["-c:a", f"pcm_{raw}{'be' if take.container == 'aiff' else 'le'}", "-flush_packets", "1"]
    if take.container == "wav":
        command += ["-rf64", "auto"]
    if take.container == "mov" and take.is_open:
        # Its fragmented movies, because its other formats are not valid files before their end.
        command += ["-movflags", "+frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "500000"]
    process = subprocess.Popen([*command, path], stdin=subprocess.PIPE)
    whole = take.frames * take.frame_bytes
    for start in range(0, whole, BLOCK):
        process.stdin.write(take.sound(start, min(BLOCK, whole - start)))
    process.stdin.flush()
    if take.is_open:
        try:
            process.wait(1)
        except subprocess.TimeoutExpired:
            process.kill()
    process.stdin.close()
    process.wait()
    return replace(take, peer=path)
