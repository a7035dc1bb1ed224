# The benchmark's part in the rig, one boot: what the same 30 s cost each recorder, and how late
# a real-time thread wakes. Run with `board/rig/run board/rig/bench-inside.sh`; leaves lines of
# `key=value` in build/rig/out/bench-inside/bench.txt. Only ratios within one run mean anything.

disk_mebibytes=512
limit_seconds=600
seconds=30

before() { "$here/../packages/install" time rt-tests; }

inside() {
    measure_wakes idle
    measure ffmpeg ffmpeg -nostdin -v error \
        -f v4l2 -input_format yuyv422 -video_size 640x480 -framerate 15 -thread_queue_size 64 -i /dev/video0 \
        -f alsa -sample_rate 48000 -channels 2 -thread_queue_size 1024 -i hw:0,1 \
        -t $seconds -c:v mjpeg -q:v 4 -c:a pcm_s16le "$data/ffmpeg.mov"
    measure arecord arecord -q -D hw:0,1 -f S16_LE -r 48000 -c 2 -d $seconds "$data/arecord.wav"
}

# measure NAME COMMAND... : its processor seconds (user and system) and largest memory.
measure() {
    local name=$1 user system peak
    shift
    /usr/bin/time -o cost -f '%U %S %M' "$@"
    read -r user system peak <cost
    echo "name=$name cpu_seconds=$(awk "BEGIN { print $user + $system }") peak_kib=$peak" >>bench.txt
}

# measure_wakes LOAD : wake latency at the recorder's period and priority.
measure_wakes() {
    cyclictest -q -m -p 80 -i 5000 -l $((seconds * 200)) -h 100000 >histogram
    echo "name=cyclictest load=$1 $(percentiles <histogram)" >>bench.txt
}

# percentiles : of cyclictest's histogram, lines of "microseconds count".
percentiles() {
    awk '/^[0-9]/ { count[$1 + 0] = $2; total += $2; if ($2) last = $1 + 0 }
        END {
            split("0.5 0.99 0.999", share); split("p50 p99 p999", name)
            for (i = 1; i <= 3; i++) {
                sum = 0
                for (us = 0; us <= last; us++) { sum += count[us]; if (sum >= share[i] * total) break }
                printf "wake_%s_us=%d ", name[i], us
            }
            printf "wake_max_us=%d\n", last
        }'
}

afterwards() {
    expect "ffmpeg's seconds" "$(printf %.0f "$(seconds_of "$data/ffmpeg.mov")")" $seconds
    echo "name=ffmpeg frames=$(ffprobe -v error -select_streams v -count_packets \
        -show_entries stream=nb_read_packets -of default=nw=1:nk=1 "$data/ffmpeg.mov")" >>"$out/bench.txt"
    expect "arecord's seconds" "$(printf %.0f "$(seconds_of "$data/arecord.wav")")" $seconds
}
