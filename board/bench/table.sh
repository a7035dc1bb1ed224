# Sourced by board/bench/run: prints the numbers as a table in Markdown.

# field NAME KEY FILE... : from the rig's lines; the last one with the key.
field() { sed -n "s/^name=$1 .*\b$2=\([-0-9.]*\).*/\1/p; s/^name=$1 $2=\([-0-9.]*\).*/\1/p" "${@:3}" | tail -n 1; }

# value NAME KEY : from the boots on the host's clock.
value() { field "$1" "$2" "${in_the_rig[@]}"; }

# counted NAME KEY : from the boots on the rig's clock.
counted() { field "$1" "$2" "${counted[@]}"; }

# native SIZE KEY
native() { sed -n "s/.*\b$2=\([0-9.]*\).*/\1/p" "$build/$1"; }

ratio() { awk "BEGIN { printf \"%.2f\", $1 / $2 }"; }

megabytes() { awk "BEGIN { printf \"%.1f\", $1 * 1024 / 1e6 }"; }

# besides NAME : the process's memory beyond the rings and everything else in its boot line.
besides() { awk "BEGIN { printf \"%.1f\", $(value "$1" peak_kib) * 1024 / 1e6 - $(value "$1" rings_mb) }"; }

print_table() {
    local size processor
    processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
    cat <<TABLE
# What recording and playing cost

$(date -u +%Y-%m-%d), on ${processor:-an unnamed processor}, $(nproc) cores, Linux $(uname -r). \`make bench\` measures it anew.

$(print_counted)

In seconds, in the virtual rig (QEMU without KVM, two processors, vivid and snd-aloop as above, 30 s, one boot). Emulated
seconds are not real ones, and vector instructions, which hashes and JPEG encoders mostly use, are emulated many times
more slowly than others: only the ratios are meaningful.

| recorder | CPU seconds | of the other's | peak memory | besides the rings | frames kept |
|---|---:|---:|---:|---:|---:|
| fieldcorder, MJPEG + PCM to MOV | $(value fieldcorder_video cpu_seconds) | $(ratio "$(value fieldcorder_video cpu_seconds)" "$(value ffmpeg cpu_seconds)") | $(megabytes "$(value fieldcorder_video peak_kib)") MB | $(besides fieldcorder_video) MB | $(value fieldcorder_video frames) |
| ffmpeg, MJPEG + PCM to MOV | $(value ffmpeg cpu_seconds) | 1 | $(megabytes "$(value ffmpeg peak_kib)") MB | | $(value ffmpeg frames) |
| fieldcorder, PCM to WAV | $(value fieldcorder_audio cpu_seconds) | $(ratio "$(value fieldcorder_audio cpu_seconds)" "$(value arecord cpu_seconds)") | $(megabytes "$(value fieldcorder_audio peak_kib)") MB | $(besides fieldcorder_audio) MB | |
| of it, from the start until it is armed | $(value fieldcorder_audio start_seconds) | | | | |
| arecord, PCM to WAV | $(value arecord cpu_seconds) | 1 | $(megabytes "$(value arecord peak_kib)") MB | | |
| arecord and dd, flushed twice a second | $(value arecord_flushed cpu_seconds) | | | | |
| cyclictest: the same wake-ups and nothing else | $(value cyclictest_idle cpu_seconds) | | | | |

Besides the rings there are the program, the libraries that it has called, and with pictures the camera driver's eight
buffers, 3.7 MB.

Wakes a second of all threads of a recorder, including those for flushes of the card:

| recorder | armed | recording |
|---|---:|---:|
| fieldcorder, MJPEG + PCM to MOV | $(value fieldcorder_video armed_wakes) | $(value fieldcorder_video wakes) |
| fieldcorder, PCM to WAV | $(value fieldcorder_audio armed_wakes) | $(value fieldcorder_audio wakes) |
| arecord, PCM to WAV, without a flush | | $(value arecord wakes) |

Bytes written to the disk for each byte of the take (ext4, including its journal and tables, by the driver's count):

| recorder | bytes |
|---|---:|
| fieldcorder, MJPEG + PCM to MOV, four flushes a second | $(amplification fieldcorder_video) |
| ffmpeg, MJPEG + PCM to MOV, without a flush | $(amplification ffmpeg) |
| fieldcorder, PCM to WAV, two flushes a second | $(amplification fieldcorder_audio) |
| arecord, PCM to WAV, without a flush | $(ratio "$(value arecord written_bytes)" $((30 * 192000))) |
| arecord and dd, flushed twice a second | $(ratio "$(value arecord_flushed written_bytes)" $((30 * 192000))) |

From exec to armed on this machine, the simulated board in real time, the median of 9: $(cat "$build/armed") ms. To the first
sound of a WAV in the simulated speaker, with \`prepare\` and \`play\` as the first commands: $(cat "$build/first-sound") ms.

Lateness of a SCHED_FIFO 80 thread that wakes every 5 ms, in the same boot:

| | p50 | p99 | p99.9 |
|---|---:|---:|---:|
$(wake_row "cyclictest on the idle rig" cyclictest_idle)
$(wake_row "fieldcorder's loop, recording alone" fieldcorder_video)
$(wake_row "fieldcorder's loop, recording beside cyclictest" fieldcorder_video_beside_cyclictest)
$(wake_row "cyclictest beside it" cyclictest_recording)

$(print_playing)

Natively on this machine, one thread: raw pictures to a MOV, at the same PSNR. Those of 1920x1080 are zoomed to twice their
size on the way, by ffmpeg with \`crop=iw/2:ih/2,scale=1920:1080:flags=bilinear\`: as many a second as one core can do.

| pictures | fieldcorder, CPU s (a second) | ffmpeg, CPU s (a second) | ratio | PSNR, ours and ffmpeg's |
|---|---:|---:|---:|---:|
$(for size in 640x480 1280x720 1920x1080; do native_row "$size"; done)
TABLE
}

# print_counted : a section from a single boot.
print_counted() {
    local idle
    idle=$(counted fieldcorder_prepared instructions)
    cat <<TABLE
Instructions in 30 s, including the kernel's on behalf of the program, in the rig with one processor and its own clock, where
other load on this machine has no effect; 640x480 at 15 a second, 48 kHz stereo s16, no pre-roll, MP3 at 192 kbit/s. The
processor is QEMU's \`max\`, with all that it can emulate: AVX2, as a real amd64 has, so hashes and encoders of both sides
use vector instructions. A copy by \`rep movsb\` seems to count an instruction for each byte: a file in memory, copied by \`dd\`, took 1.2 a byte.

| | millions | of the other's | wakes a second | hours |
|---|---:|---:|---:|---:|
$(counted_row "fieldcorder, MJPEG + PCM to MOV" fieldcorder_video 0 ffmpeg)
$(counted_row "ffmpeg, MJPEG + PCM to MOV" ffmpeg 0 ffmpeg)
$(counted_row "fieldcorder, PCM to WAV" fieldcorder_audio 0 arecord)
$(counted_row "arecord, PCM to WAV" arecord 0 arecord)
$(counted_row "arecord and dd, flushed twice a second" arecord_flushed 0 arecord)
$(counted_row "fieldcorder, armed with a camera, whose pictures it encodes" fieldcorder_armed_video 0)
$(counted_row "fieldcorder, armed with sound alone" fieldcorder_armed_audio 0)
$(counted_row "fieldcorder, MP3, beyond idling" fieldcorder_mp3 "$idle" mpg123)
$(counted_row "mpg123, MP3" mpg123 0 mpg123)
$(counted_row "fieldcorder, WAV, beyond idling" fieldcorder_wav "$idle" aplay)
$(counted_row "aplay, WAV" aplay 0 aplay)
$(counted_row "fieldcorder, a file open, nothing played" fieldcorder_prepared 0)

Hours are a model, not a measurement: a battery of 10 Ah and 3.7 V behind a converter of 90 %, and a Raspberry Pi Zero 2 W
that takes 0.5 W at rest and 0.35 W more while a core of 1 GHz carries out an instruction at each clock; camera, microphone and
card are left out. They show that beside a processor at rest the sound hardly counts, and that pictures do.

From a press's contact to the first sample of its take, told by a tone that ends half a second after the contact, the latest
of five: $(counted press first_sample_ms) ms. The loopback card passes a tone's end on in steps; they are part of this.

fieldcorder's own start, until it is armed with sound alone, takes $(millions "$(counted fieldcorder_audio start_instructions)") million.

The largest formats, in another boot. The camera's JPEGs of 1920x1080, 30 a second, $(picture_bytes) kB each, are passed on. To
one who watches, ustreamer sends the pictures and does nothing else; fieldcorder, armed, also keeps sound and pictures for a take.

| | millions | of the other's | wakes a second | hours |
|---|---:|---:|---:|---:|
$(counted_row "fieldcorder, JPEGs of 1080p + PCM to MOV" fieldcorder_passed 0 ffmpeg_passed)
$(counted_row "ffmpeg \`-c:v copy\`, JPEGs of 1080p + PCM to MOV" ffmpeg_passed 0 ffmpeg_passed)
$(counted_row "fieldcorder, armed with this camera" fieldcorder_armed_passed 0 ustreamer)
$(counted_row "ustreamer, while nobody watches" ustreamer 0 ustreamer)
$(counted_row "fieldcorder and its monitor, one watches: $(counted fieldcorder_watched pictures) pictures" fieldcorder_watched 0 ustreamer_watched)
$(counted_row "ustreamer, one watches: $(counted ustreamer_watched pictures) pictures" ustreamer_watched 0 ustreamer_watched)
$(counted_row "fieldcorder, four tracks of 96 kHz and 24 bits to WAV" fieldcorder_four 0 arecord_four)
$(counted_row "arecord, the same" arecord_four 0 arecord_four)
$(counted_row "arecord and dd, the same, flushed twice a second" arecord_four_flushed 0 arecord_four)
$(counted_row "jackd and jack_capture, the same" jack_capture 0 arecord_four)
$(counted_row "fieldcorder, armed with four tracks" fieldcorder_armed_four 0)
TABLE
}

# picture_bytes : the mean size of the camera's pictures, in kB.
picture_bytes() { awk "BEGIN { printf \"%.0f\", $(counted camera picture_bytes) / 1000 }"; }

millions() { awk "BEGIN { printf \"%.0f\", $1 / 1e6 }"; }

# hours INSTRUCTIONS : how long the battery of the model lasts, for what takes so many in 30 s.
hours() { awk "BEGIN { printf \"%.0f\", 10 * 3.7 * 0.9 / (0.5 + 0.35 * $1 / 30e9) }"; }

# counted_row TITLE NAME IDLE [OTHER] : NAME's instructions beyond IDLE, the ratio to OTHER's, and the hours of the whole.
counted_row() {
    [ -n "$(counted "$2" instructions)" ] || { echo "| $1 | not measured | | | |"; return; }
    local spent=$(($(counted "$2" instructions) - $3)) of=
    [ $# -lt 4 ] || [ -z "$(counted "$4" instructions)" ] || of=$(ratio "$spent" "$(counted "$4" instructions)")
    echo "| $1 | $(millions $spent) | $of | $(counted "$2" wakes) | $(hours "$(counted "$2" instructions)") |"
}

# amplification NAME : bytes written to the disk for each byte of the take.
amplification() { ratio "$(value "$1" written_bytes)" "$(value "$1" media_bytes)"; }

wake_row() { echo "| $1 | $(value "$2" wake_p50_us) µs | $(value "$2" wake_p99_us) µs | $(value "$2" wake_p999_us) µs |"; }

# print_playing : a section from a single boot.
print_playing() {
    cat <<TABLE
The same 30 s played, in a separate boot, through snd-aloop in its own format (48 kHz stereo s16; MP3 at 192 kbit/s):

| player | CPU seconds | beyond idling | of the other's | peak memory | underruns |
|---|---:|---:|---:|---:|---:|
$(fieldcorder_plays "fieldcorder, MP3" mp3 mpg123)
$(other_plays "mpg123, MP3" mpg123)
$(fieldcorder_plays "fieldcorder, WAV" wav aplay)
$(other_plays "aplay, WAV" aplay)
| fieldcorder, a file open, nothing played | $(value fieldcorder_idle cpu_seconds) | 0 | | $(memory_of_both idle) | |

fieldcorder is the recorder's process, which includes the rings for a take, and the decoder processes; the peaks are those
of the recorder and of the decoder that plays, which is mostly FFmpeg's libraries. FFmpeg decodes MP3 in floating point,
which an emulated processor computes many times more slowly than a real one. Its fixed-point decoder takes more
instructions for the same 20 s: 434 instead of 237 million on amd64 (callgrind), 300 instead of 248 on arm64 (QEMU's plugin
interface). Of these, the conversion to the speaker's format is 3 million if its rate is the file's.
TABLE
}

fieldcorder_plays() {
    local spent beyond
    spent=$(value "fieldcorder_$2" cpu_seconds)
    beyond=$(awk "BEGIN { printf \"%.2f\", $spent - $(value fieldcorder_idle cpu_seconds) }")
    echo "| $1 | $spent | $beyond | $(ratio "$beyond" "$(value "$3" cpu_seconds)") | $(memory_of_both "$2") |" \
        "$(value "fieldcorder_$2" underruns) |"
}

memory_of_both() {
    echo "$(megabytes "$(value "fieldcorder_$1" peak_kib)") + $(megabytes "$(value "fieldcorder_$1" decoder_peak_kib)") MB"
}

other_plays() {
    echo "| $1 | $(value "$2" cpu_seconds) | | 1 | $(megabytes "$(value "$2" peak_kib)") MB | |"
}

native_row() {
    local frames ours theirs
    frames=$(native "$1" frames) ours=$(native "$1" ours) theirs=$(native "$1" ffmpeg)
    echo "| $frames of $1 | $ours ($(per_second "$frames" "$ours")) | $theirs ($(per_second "$frames" "$theirs")) |" \
        "$(ratio "$ours" "$theirs") | $(printf '%.1f dB, %.1f dB' "$(native "$1" psnr)" "$(native "$1" ffmpeg_psnr)") |"
}

per_second() { awk "BEGIN { printf \"%.0f\", $1 / $2 }"; }
