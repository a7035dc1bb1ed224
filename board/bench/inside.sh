# The benchmark's part in the rig, in one boot: the cost of the same 30 s for each recorder, and the wake latency of a
# real-time thread. A scenario of board/rig/run; leaves lines of `key=value` in build/rig/out/inside/bench.txt. Only
# ratios within one run are meaningful.

disk_mebibytes=512
clock=host
limit_seconds=900
seconds=30

before() { "$here/../packages/install" time rt-tests; }

inside() {
    format_card
    configure video width 640
    configure video height 480
    configure audio format s16
    configure record preroll_seconds 0
    measure_wakes idle
    measure_fieldcorder video
    (measure_wakes recording) &
    measure_fieldcorder video_beside_cyclictest
    wait $!
    measure ffmpeg ffmpeg -nostdin -v error \
        -f v4l2 -input_format yuyv422 -video_size 640x480 -framerate 15 -thread_queue_size 64 -i /dev/video0 \
        -f alsa -sample_rate 48000 -channels 2 -thread_queue_size 1024 -i hw:0,1 \
        -t $seconds -c:v mjpeg -q:v "$(cat "$checkout/build/bench/ffmpeg-quality")" -c:a pcm_s16le "$data/ffmpeg.mov"
    configure record what audio
    configure record audio_format wav
    measure_fieldcorder audio
    measure arecord arecord -q -D hw:0,1 -f S16_LE -r 48000 -c 2 -d $seconds "$data/arecord.wav"
    # As often as the recorder flushes: each half second.
    # shellcheck disable=SC2016
    measure arecord_flushed sh -c 'arecord -q -D hw:0,1 -t raw -f S16_LE -r 48000 -c 2 -d "$1" \
        | dd of="$2" bs=96000 iflag=fullblock oflag=dsync status=none' - $seconds "$data/arecord.raw"
}

# format_card : makes the data file system as in docs/using.md.
format_card() {
    local device
    device=$(findmnt -n -o SOURCE "$data")
    umount "$data"
    mkfs.ext4 -q -F -O bigalloc,^orphan_file -C 4M -E lazy_itable_init=0,lazy_journal_init=0 "$device"
    mount -t ext4 -o noatime "$device" "$data"
}

# written_bytes : bytes written to the takes' disk since boot, by its driver's count, including the file system's
# journal and tables.
written_bytes() {
    local device
    sync -f "$data"
    device=$(findmnt -n -o SOURCE "$data")
    awk '{ print $7 * 512 }' "/sys/class/block/${device#/dev/}/stat"
}

# measure NAME COMMAND... : processor seconds (user and system), peak memory, and number of wakes.
measure() {
    local name=$1 user system peak sleeps before
    shift
    before=$(written_bytes)
    /usr/bin/time -o cost -f '%U %S %M %w' "$@"
    read -r user system peak sleeps <cost
    echo "name=$name cpu_seconds=$(awk "BEGIN { print $user + $system }") peak_kib=$peak \
wakes=$((sleeps / seconds)) written_bytes=$(($(written_bytes) - before))" >>bench.txt
}

# recorder_sleeps : voluntary context switches of the recorder's threads.
recorder_sleeps() { cat /proc/"$recorder_pid"/task/*/status | awk '/^voluntary/ { sum += $2 } END { print sum }'; }

# recorder_ticks : the recorder's processor time since its start, in kernel ticks.
recorder_ticks() { sed 's/.*) //' "/proc/$recorder_pid/stat" | awk '{ print $12 + $13 }'; }

# measure_fieldcorder NAME : the whole process, from start to just before the end, with a take of 30 s.
measure_fieldcorder() {
    local ticks start_ticks peak sleeps wakes armed_wakes before
    start_recorder
    start_ticks=$(recorder_ticks)
    before=$(written_bytes)
    expect "scheduling" "$(chrt -p "$recorder_pid" | tr '\n' ' ' \
        | sed 's/.*policy: \(SCHED_[A-Z]*\).*priority: /\1 /')" "SCHED_FIFO 80 "
    console 'record start'
    sleeps=$(recorder_sleeps)
    sleep $seconds
    wakes=$((($(recorder_sleeps) - sleeps) / seconds))
    console 'record stop'
    wait_for_state armed
    ticks=$(recorder_ticks)
    peak=$(awk '/^VmHWM/ { print $2 }' "/proc/$recorder_pid/status")
    sleeps=$(recorder_sleeps)
    sleep 10
    armed_wakes=$((($(recorder_sleeps) - sleeps) / 10))
    echo "name=fieldcorder_$1 cpu_seconds=$(awk "BEGIN { print $ticks / $(getconf CLK_TCK) }") peak_kib=$peak \
written_bytes=$(($(written_bytes) - before)) \
start_seconds=$(awk "BEGIN { print $start_ticks / $(getconf CLK_TCK) }") \
wakes=$wakes armed_wakes=$armed_wakes rings_mb=$(grep -o 'memory [0-9.]* MB' "$recorder_out" | cut -d' ' -f2) \
frames=$(status video_frames) dropped=$(status dropped_video_frames) audio_frames=$(status audio_frames) \
$(for field in p50 p99 p999; do echo "wake_${field}_us=$(status loop.wake_${field}_us)"; done | tr '\n' ' ')\
work_p999_us=$(status loop.work_p999_us) missed=$(status loop.missed) \
heap=$(status heap_allocations_since_boot_complete)" >>bench.txt
    stop_recorder
}

# measure_wakes LOAD : wake latency at the recorder's period and priority.
measure_wakes() {
    local user system
    /usr/bin/time -o "cost.$1" -f '%U %S' \
        cyclictest -q -m -p 80 -i 5000 -l $((seconds * 200)) -h 100000 >"histogram.$1"
    read -r user system <"cost.$1"
    echo "name=cyclictest_$1 cpu_seconds=$(awk "BEGIN { print $user + $system }") $(percentiles <"histogram.$1")" >>bench.txt
}

# percentiles : from cyclictest's histogram, lines of "microseconds count".
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
    echo "name=ffmpeg frames=$(count_packets "$data/ffmpeg.mov" v)" >>"$out/bench.txt"
    expect "arecord's seconds" "$(printf %.0f "$(seconds_of "$data/arecord.wav")")" $seconds
    expect "bytes that arecord flushed" "$(stat -c %s "$data/arecord.raw")" $((seconds * 192000))
    echo "name=ffmpeg media_bytes=$(stat -c %s "$data/ffmpeg.mov")" >>"$out/bench.txt"
    for take in "$data"/video/*/*_0001.mov; do
        echo "name=fieldcorder_video media_bytes=$(stat -c %s "$take")" >>"$out/bench.txt"
    done
    for take in "$data"/audio/*/*.wav; do
        echo "name=fieldcorder_audio media_bytes=$(stat -c %s "$take")" >>"$out/bench.txt"
    done
}
