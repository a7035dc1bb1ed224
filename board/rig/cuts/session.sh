# Sourced by scenarios: takes are recorded while every write to the card is logged, for `check`, which cuts the power
# between them. A scenario sets `formats`, `take_seconds` and `split_seconds`.

log_writes=yes
file_system_mebibytes=1024

# The file system is made like that of a large card, with blocks of 4 KiB, or with `mkfs_options`; the marks lie behind
# it, in the last MiB.
before() {
    mkdir -p "$out/card"
    truncate -s $((file_system_mebibytes + 1))M "$out/disk.img"
    # shellcheck disable=SC2086 # word splitting is intended
    mkfs.ext4 -q -F -L data -T default -E lazy_itable_init=0,lazy_journal_init=0 ${mkfs_options:-} \
        "$out/disk.img" "${file_system_mebibytes}M"
    truncate -s 4G "$out/card/writes"
}

# The first boot leaves a movie and a still; cuts affect what is written from the second on.
inside() {
    start_logged_recorder
    record_take 2
    console snapshot
    stop_recorder
}

afterwards() {
    cp --sparse=always "$out/disk.img" "$out/card/base.img"
    truncate -s 0 "$out/card/writes"
    truncate -s 4G "$out/card/writes"
}

inside_second_boot() {
    local format marks
    : >/run/notes
    : >"$recorder_out"
    perl "$checkout/board/rig/cuts/mark.pl" /dev/vda $((file_system_mebibytes << 20)) /run/notes "$recorder_out" &
    marks=$!
    chrt --fifo --pid 91 "$marks"
    for format in $formats; do
        record_in "$format"
    done
    pause_milliseconds 100 # for the last mark
    kill -0 "$marks" || fail "no marks were written"
}

# note WHAT : for the next mark.
note() { echo "$EPOCHREALTIME $*" >>/run/notes; }

# Noise never repeats, so the check can tell where it is missing. `rate` is the recorder's.
start_noise() {
    aplay -q -D plughw:0,0 -t raw -f S24_3LE -c 2 -r "$rate" /dev/urandom &
    player_pid=$!
}

start_logged_recorder() {
    # A fault injected into the recorder, to see that the check finds it.
    [ -z "${preload:-}" ] || as=(env "LD_PRELOAD=$preload")
    start_recorder
    wait_for_state armed
}

# record_in FORMAT : an older take, one that is split twice, and a short one directly after it.
record_in() {
    local rate=48000
    configure record split_seconds "$split_seconds"
    if [ "$1" != mov ]; then
        configure record what audio
        configure record audio_format "$1"
        configure audio sample_rate 96000
        rate=96000
    fi
    start_logged_recorder
    start_noise
    record_take 2
    note format "$1"
    record_take "$take_seconds"
    [ "$1" != mov ] || console snapshot
    pause_milliseconds 1000
    record_take 3
    pause_milliseconds 2000
    note format none
    stop_playing
    stop_recorder
}

# record_take SECONDS : from its start to its completion.
record_take() {
    local complete
    complete=$(grep -c 'is complete' "$recorder_out" || true)
    note begin
    press record 200
    wait_for_state recording
    pause_milliseconds $(($1 * 1000))
    note end
    press record 200
    wait_for_state armed
    wait_until more_are_complete "$complete"
}
more_are_complete() { [ "$(grep -c 'is complete' "$recorder_out")" -gt "$1" ]; }
