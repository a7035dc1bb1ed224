# Sourced inside the rig: starts the recorder, sends it commands, waits for it.

# The scenarios expect English output.
export LC_ALL=C
recorder=$checkout/build/host/fieldcorder
recorder_pid=
recorder_in=/run/recorder.in       # its console's input: a fifo
recorder_out=/run/recorder.out     # all of its console's output
recorder_err=/run/recorder.err

# start_recorder [ARGUMENT...] : with the rig's configuration and data disk, and the console on a fifo. `as` is a
# command prefix, such as `setpriv …`.
as=()
start_recorder() {
    [ -x "$recorder" ] || fail "build/host/fieldcorder is missing: make build"
    [ -p "$recorder_in" ] || mkfifo "$recorder_in"
    : >"$recorder_out"
    exec {console_in}<>"$recorder_in" {console_out}<"$recorder_out"
    "${as[@]}" "$recorder" --board linux --config "$configuration" --data "$data" \
        --console stdio "$@" <"$recorder_in" >>"$recorder_out" 2>>"$recorder_err" &
    recorder_pid=$!
    console version >/dev/null
    free_camera_of_load
}

# console COMMAND : sends it and prints the reply without its last line, `ok`.
# A reply of `error: …` fails the scenario; expect_error is for those.
console() {
    local last
    ask "$1"
    last=${reply[-1]}
    unset 'reply[-1]'
    [ "$last" = ok ] || fail "the console answered '$1' with '$last'"
    printf '%s\n' "${reply[@]}"
}

# expect_error COMMAND : sends it and prints the reply's error.
expect_error() {
    ask "$1"
    case ${reply[-1]} in
        error:*) echo "${reply[-1]#error: }" ;;
        *) fail "the console accepted '$1'" ;;
    esac
}

# ask COMMAND : leaves the reply's lines in `reply`, with `ok` or `error: …` last.
ask() {
    local line
    reply=()
    echo "> $1" >&2
    printf '%s\n' "$1" >&"$console_in"
    while next_line "$1"; do
        echo "< $line" >&2
        case $line in
            '* '*) continue ;; # an event
            ok | error:*) reply+=("$line"); return ;;
            *) reply+=("$line") ;;
        esac
    done
}

# next_line COMMAND : waits for the console's next whole line and leaves it in `line`.
next_line() {
    local piece whole='' deadline=$((SECONDS + hang_seconds))
    while true; do
        if read -r piece <&"$console_out"; then
            line=$whole$piece
            return
        fi
        whole=$whole$piece # the part of a line that is written so far
        kill -0 "$recorder_pid" 2>/dev/null || fail "the recorder ended: $(tail -n 1 "$recorder_err")"
        [ $SECONDS -lt $deadline ] || fail "no reply to '$1' after $hang_seconds s"
        pause_milliseconds 50
    done
}

# status FIELD : one field of `status json`, such as state or player.state. Without jq, which takes half a second to
# start here; expect_nothing_lost uses it.
status() {
    local json name=${1##*.}
    json=$(console 'status json')
    case $1 in
        *.*)
            [[ $json =~ \"${1%%.*}\"\ *:\ *(\{[^{}]*\}) ]] || fail "status json has no ${1%%.*}"
            json=${BASH_REMATCH[1]}
            ;;
        *)
            json=${json#\{}
            while [[ $json =~ (.*)\{[^{}]*\}(.*) ]]; do
                json=${BASH_REMATCH[1]}${BASH_REMATCH[2]}
            done
            ;;
    esac
    [[ $json =~ \"$name\"\ *:\ *(\"([^\"]*)\"|([^,}]*)) ]] || fail "status json has no $1"
    echo "${BASH_REMATCH[2]}${BASH_REMATCH[3]}"
}

# wait_for_state STATE
wait_for_state() { wait_for_field state "$1"; }

# wait_for_orientation POSITION : until the recorder too has detected the orientation.
wait_for_orientation() { wait_for_field orientation "$1"; }

# wait_for_line TEXT : until the recorder has printed it.
wait_for_line() { wait_until grep -q -F -- "$1" "$recorder_out"; }

# wait_for_field FIELD VALUE
wait_for_field() {
    local deadline=$((SECONDS + hang_seconds)) seen
    while true; do
        seen=$(status "$1")
        [ "$seen" != "$2" ] || return 0
        [ $SECONDS -lt $deadline ] || fail "$1 is still $seen, not $2, after $hang_seconds s"
        pause_milliseconds 100
    done
}

# stop_recorder : asks it to end, as a service manager would; an open take is finished.
stop_recorder() {
    kill -TERM "$recorder_pid"
    wait "$recorder_pid" || fail "the recorder ended with status $?"
    leave_recorder
}

# kill_recorder : kills it without warning.
kill_recorder() {
    kill -KILL "$recorder_pid"
    wait "$recorder_pid" || true
    leave_recorder
}

# leave_recorder : saves its output for the host.
leave_recorder() {
    [ -n "$recorder_pid" ] || return 0
    kill -KILL "$recorder_pid" 2>/dev/null || true
    exec {console_in}>&- {console_out}<&-
    cat "$recorder_out" >>"$out/recorder.out"
    cat "$recorder_err" >>"$out/recorder.err"
    : >"$recorder_err"
    recorder_pid=
}

# take_for SECONDS : a take made with the record button, from armed to armed. The presses are long enough to be detected
# even if the emulated machine is delayed.
take_for() {
    wait_for_state armed
    press record 200
    wait_for_state recording
    pause_milliseconds $(($1 * 1000))
    press record 200
    wait_for_state armed
}

# wait_for_player STATE
wait_for_player() { wait_for_field player.state "$1"; }

# copy_music FILE... : from the scenario's folder onto the card, below music/.
copy_music() {
    mkdir -p "$data/music"
    cp "$@" "$data/music/"
}

# decoder_pid : the process that decodes for the player; the library's has no ring.
decoder_pid() {
    local file words
    for file in /proc/[0-9]*/cmdline; do
        mapfile -d '' -t words 2>/dev/null <"$file" || continue
        [ "${words[0]:-}" = fieldcorder-decode ] || continue
        [[ " ${words[*]} " == *' --ring '* ]] || continue
        file=${file#/proc/}
        echo "${file%/cmdline}"
        return
    done
    fail "no process decodes"
}

# hold_card_back BYTES_A_SECOND : limits the running recorder's writes, in the rig's own time (cgroup2's io.max); the
# memory controller attributes the pages.
hold_card_back() {
    local groups=/sys/fs/cgroup
    [ -d $groups/card ] || {
        mount -t cgroup2 none $groups
        echo '+io +memory' >$groups/cgroup.subtree_control
        mkdir $groups/card
    }
    echo "$recorder_pid" >$groups/card/cgroup.procs
    echo "$(cat /sys/class/block/vda/dev) wbps=$1" >$groups/card/io.max
}

# as_a_user : the recorder next starts not as root but as a user with a service's privileges, as on the device. A device
# that is plugged in later belongs to root until `grant` gives it away, as udev does.
as_a_user() {
    as=(setpriv --reuid=nobody --regid=nogroup --clear-groups
        --inh-caps="+sys_nice,+ipc_lock" --ambient-caps="+sys_nice,+ipc_lock")
    grant /dev/video0 /dev/gpiochip0 /dev/i2c-0 /dev/snd/*
    chown -R nobody "$data"
}
grant() {
    local device
    for device in "$@"; do
        [ ! -e "$device" ] || chown nobody "$device"
    done
}

# configure SECTION KEY VALUE : replaces the value for the recorder's next start.
configure() {
    awk -v section="[$1]" -v key="$2" -v value="$3" '
        /^\[/ { inside = 0 }
        $0 == section { print; print key " = " value; inside = found = 1; next }
        !(inside && $1 == key)
        END { if (!found) print section "\n" key " = " value }' "$configuration" >/run/configuration
    mv /run/configuration "$configuration"
}

# expect WHAT ACTUAL EXPECTED
expect() { [ "$2" = "$3" ] || fail "$1: $2 instead of $3"; }

# expect_led NAME on|off : at once, apart from a slow machine's few ticks.
expect_led() { within 2 led_is "$1" "$2"; }

# expect_nothing_lost : neither a frame nor a sample of the newest take; before the first take, since the recorder's
# start.
expect_nothing_lost() {
    expect "frames dropped, audio overruns" \
        "$(console 'status json' | jq -r '"\(.dropped_video_frames) \(.audio_overruns)"')" "0 0"
}

# expect_no_heap : the process, including the C libraries, has not allocated from the heap since the end of its boot.
expect_no_heap() { expect "heap allocations" "$(status heap_allocations_since_boot_complete)" 0; }

# expect_refusal EXIT_STATUS WORD... : with the present configuration, the recorder exits with that status and one line
# that contains every word.
expect_refusal() {
    local wanted=$1 status=0 word
    shift
    "${as[@]}" "$recorder" --board linux --config "$configuration" --data "$data" --console stdio \
        </dev/null >/dev/null 2>refusal || status=$?
    cat refusal
    expect "status" "$status" "$wanted"
    expect "lines" "$(wc -l <refusal)" 1
    for word in "$@"; do
        grep -q -F -- "$word" refusal || fail "no $word in: $(cat refusal)"
    done
}
