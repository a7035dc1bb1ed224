# 10,000 presses of 25 ms at random moments, armed, during a take and with closed devices: each is counted, and a take
# begins at its contact: board/rig/run board/reliability/presses.sh

camera=no
accelerometer=none
disk_mebibytes=600
limit_seconds=7000
# 3 x 3,170 + 490 = 10,000. Those at rest are few, because they are seconds apart.
presses=3170
presses_at_rest=490
takes=40

inside() {
    RANDOM=1
    configure record what audio
    configure record preroll_seconds 0
    configure record arm boot
    start_recorder
    wait_for_state armed
    press_often armed zoom $presses 30 230
    record_often "$out/contacts"
    console 'record start' >/dev/null
    press_often recording stop $presses 30 230
    console 'record stop' >/dev/null
    expect_nothing_lost
    expect_no_heap
    stop_recorder

    configure record arm press
    start_recorder
    press_often closed zoom $presses 30 230
    # So far apart that the loop wakes every few seconds only.
    press_often 'closed, at rest' zoom $presses_at_rest 3000 6000
    expect_no_heap
    stop_recorder
}

# press_often STATE BUTTON COUNT LEAST MOST : that many times, LEAST to MOST milliseconds apart.
press_often() {
    local line before number
    line=$(pin buttons "$2")
    before=$(presses "$2")
    for ((number = 0; number < $3; number++)); do
        pull "$line" down
        pause_milliseconds 25
        pull "$line" up
        pause_milliseconds $(($4 + RANDOM % ($5 - $4)))
    done
    pause_milliseconds 500
    expect "$1: presses counted" $(($(presses "$2") - before)) "$3"
}

# record_often FILE : short takes; the file gets the time of each contact in microseconds since 1970.
record_often() {
    local line number
    line=$(pin buttons record)
    for ((number = 0; number < takes; number++)); do
        pause_milliseconds $((500 + RANDOM % 1000))
        echo "${EPOCHREALTIME/[.,]/}" >>"$1"
        pull "$line" down
        pause_milliseconds 25
        pull "$line" up
        pause_milliseconds $((900 + RANDOM % 1000))
        press record 25
    done
    pause_milliseconds 2000
}

# presses BUTTON : how many the recorder has counted.
presses() {
    local json
    json=$(console 'buttons json')
    [[ $json =~ \"name\":\"$1\",[^}]*\"presses\":([0-9]+) ]] || fail "buttons json has no presses of $1: $json"
    echo "${BASH_REMATCH[1]}"
}

afterwards() {
    python3 - "$out/contacts" "$data/audio" "$takes" <<'EOF' || fail "a take does not begin at its contact"
"""Compares the beginning of each take, by the TimeReference of its bext chunk, with the time of its contact."""
import pathlib
import struct
import sys

contacts = [int(line) for line in open(sys.argv[1])]
begins = []
for path in sorted(pathlib.Path(sys.argv[2]).rglob("*.wav")):
    data = path.read_bytes()[:65536]
    rate = struct.unpack_from("<I", data, data.index(b"fmt ") + 12)[0]
    bext = data.index(b"bext") + 8
    begins.append(struct.unpack_from("<Q", data, bext + 338)[0] * 1_000_000 // rate)
day = 86_400_000_000
late = [(begin - contact + day // 2) % day - day // 2 for begin, contact in zip(begins, contacts)]
print(f"{len(late)} takes begin from {min(late) / 1000:.2f} to {max(late) / 1000:.2f} ms after their contact", file=sys.stderr)
sys.exit(len(begins) != int(sys.argv[3]) + 1 or min(late) < -5_000 or max(late) > 5_000)
EOF
}
