# The cost of playing, in the rig and in one boot: the same 30 s as MP3 and as WAV, compared with mpg123 and aplay. A
# scenario of board/rig/run; leaves lines of `key=value` in build/rig/out/playing/bench.txt. Only ratios within one run
# are meaningful.

camera=no
clock=host
limit_seconds=600
seconds=30

before() {
    "$here/../packages/install" time mpg123
    make_noise "$out/white.wav" 1 $seconds
    ffmpeg -v error -y -i "$out/white.wav" -af lowpass=2000 "$out/pink.wav"
    ffmpeg -v error -y -i "$out/pink.wav" -c:a libmp3lame -b:a 192k "$out/pink.mp3"
}

inside() {
    # The recorder polls its buttons all the time, but records only when asked to.
    configure record arm press
    copy_music pink.wav pink.mp3
    cat "$data/music/pink.mp3" "$data/music/pink.wav" >/dev/null # read once, so that every player finds it in the cache
    measure mpg123 mpg123 -q --no-control -o alsa -a hw:1,0 "$data/music/pink.mp3"
    measure aplay aplay -q -D hw:1,0 "$data/music/pink.wav"
    start_recorder
    # The decoder starts with the first file, and serves later ones as well.
    console 'prepare music/pink.wav'
    wait_for_player prepared
    measure_fieldcorder idle sleep $seconds
    measure_fieldcorder mp3 play_to_the_end music/pink.mp3
    measure_fieldcorder wav play_to_the_end music/pink.wav
    expect_no_heap
    stop_recorder
}

# measure NAME COMMAND... : processor seconds (user and system) and peak memory.
measure() {
    local name=$1 user system peak
    shift
    /usr/bin/time -o cost -f '%U %S %M' "$@"
    read -r user system peak <cost
    echo "name=$name cpu_seconds=$(awk "BEGIN { print $user + $system }") peak_kib=$peak" >>bench.txt
}

play_to_the_end() {
    console "prepare $1"
    wait_for_player prepared
    console play
    sleep $((seconds - 1))
    wait_for_player stopped
}

# measure_fieldcorder NAME COMMAND... : the processor time of the recorder's processes while the command runs, and their
# peak memory so far. The ring that two of them share counts twice.
measure_fieldcorder() {
    local name=$1 before underruns
    shift
    before=$(spent_ticks)
    underruns=$(status player.underruns)
    "$@"
    echo "name=fieldcorder_$name cpu_seconds=$(awk "BEGIN { print ($(spent_ticks) - $before) / $(getconf CLK_TCK) }") \
peak_kib=$(peak_kibibytes "$recorder_pid") decoder_peak_kib=$(peak_kibibytes "$(decoder_pid)") \
underruns=$(($(status player.underruns) - underruns))" >>bench.txt
}

# The recorder's process and its children; others start and end meanwhile.
spent_ticks() {
    { sed 's/.*) //' /proc/[0-9]*/stat 2>/dev/null || true; } \
        | awk -v recorder="$recorder_pid" '$2 == recorder { sum += $12 + $13 } END { print sum + 0 }' >children
    sed 's/.*) //' "/proc/$recorder_pid/stat" | awk -v children="$(cat children)" '{ print $12 + $13 + children }'
}

peak_kibibytes() { awk '/^VmHWM/ { print $2 }' "/proc/$1/status"; }
