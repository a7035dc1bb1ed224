# A receiver on a real serial line gives a take its position. Silence, nonsense and dates that cannot be cost neither a
# sample nor the clock, and one that is pulled is told and comes back.

camera=no
null_modem=yes
limit_seconds=500

inside() {
    configure record what audio
    use_serial_line
    use_pulled_line
}

use_serial_line() {
    stty -F /dev/ttyS3 raw -echo 9600
    exec {receiver}>/dev/ttyS3
    configure gps device /dev/ttyS2
    configure gps set_clock yes
    start_recorder
    wait_for_state armed
    speak 7
    wait_for_line '* position found: 37.56650 126.97800'
    expect "state" "$(status gps.state)" fixed
    press record 200
    wait_for_state recording
    misbehave
    press record 200
    wait_for_state armed
    expect_nothing_lost
    expect_no_heap
    stop_recorder
    exec {receiver}>&-
}

# misbehave : in each way, and as it should between.
misbehave() {
    local index
    pause_milliseconds 12000
    wait_for_line '* position lost'
    speak 7
    for ((index = 0; index < 60; index++)); do
        head -c 64 /dev/urandom >&"$receiver"
        # shellcheck disable=SC2016 # a sentence begins with the sign
        printf '$GPRMC,%s,A,9933.99,N,*00\r\n' $index >&"$receiver"
        pause_milliseconds 100
    done
    [[ $(console why) == *'the receiver tells what cannot be'* ]] || fail "why does not name the nonsense"
    speak 3 310226
    speak 3 060403 # weeks that are counted wrong
    speak 7
    wait_for_field gps.state fixed
    ! grep -q 'the clock was set' "$recorder_out" || fail "the clock was set"
}

# A pseudo-terminal, because a port of the board cannot be pulled.
use_pulled_line() {
    configure gps device /run/receiver
    plug_receiver
    start_recorder
    speak 7
    wait_for_field gps.state fixed
    press record 200
    wait_for_state recording
    unplug_receiver
    wait_for_line '* receiver /run/receiver'
    [[ $(console devices) =~ receiver\ +missing ]] || fail "devices does not say that it is missing"
    plug_receiver
    wait_for_line '* receiver works again'
    speak 7
    wait_for_field gps.state fixed
    press record 200
    wait_for_state armed
    expect_nothing_lost
    stop_recorder
}

plug_receiver() {
    [ -p /run/sentences ] || mkfifo /run/sentences
    exec {receiver}<>/run/sentences
    python3 -c '
import os, pty, tty
near, far = pty.openpty()
tty.setraw(far)
os.symlink(os.ttyname(far), "/run/receiver")
while piece := os.read(0, 256):
    os.write(near, piece)' </run/sentences &
    receiver_pid=$!
    wait_until test -e /run/receiver
}

unplug_receiver() {
    rm /run/receiver
    kill -KILL "$receiver_pid"
    wait "$receiver_pid" || true
    exec {receiver}>&-
}

# speak SECONDS [DDMMYY] : as a receiver in Seoul, once a second.
speak() {
    local second
    for ((second = 0; second < $1; second++)); do
        say "GPRMC,$(date -u +%H%M%S.00),A,3733.9900,N,12658.6800,E,0.0,,${2:-$(date -u +%d%m%y)},,,A"
        pause_milliseconds 1000
    done
}

# say BODY : a sentence, with its checksum.
say() {
    local sum=0 code index
    for ((index = 0; index < ${#1}; index++)); do
        printf -v code %d "'${1:index:1}"
        sum=$((sum ^ code))
    done
    # shellcheck disable=SC2016 # a sentence begins with the sign
    printf '$%s*%02X\r\n' "$1" $sum >&"$receiver"
}

afterwards() {
    local takes
    mapfile -t takes < <(find "$data/audio" -type f)
    expect "takes" "${#takes[@]}" 2
    strings "${takes[@]}" >"$out/ledgers"
    expect "positions of takes" "$(grep -c '^Loc Position: 37.56650 126.97800' "$out/ledgers")" 2
    expect "errors" "$(cat "$out/recorder.err")" ""
}
