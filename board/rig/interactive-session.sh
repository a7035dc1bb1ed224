# Runs in the rig for board/rig/interactive: the recorder on the first serial port, and on the second a loop that runs
# commands from the host.

interact() {
    [ -x "$recorder" ] || fail "build/host/fieldcorder is missing: make build"
    obey_host &
    stty -F /dev/ttyS0 sane cols "$columns" rows "$rows"
    TERM=linux setsid --ctty --wait "$recorder" --board linux --config "$configuration" \
        --data "$data" --console stdio </dev/ttyS0 >/dev/ttyS0 2>&1 || true
}

obey_host() {
    local verb arguments reply
    fail() { # a failed command does not end the session
        echo "$*" >&2
        exit 1
    }
    while read -r verb arguments; do
        case $verb in
            press | hold | release | led | tilt | unplug_camera | plug_camera | unplug_microphone | plug_microphone \
                | unplug_speaker | plug_speaker)
                # shellcheck disable=SC2086 # word splitting is intended
                reply=$("$verb" $arguments 2>&1) && echo "${reply:-ok}" || echo "error: $reply"
                ;;
            *) echo "error: no such verb: $verb" ;;
        esac
    done <>/dev/ttyS1 >&0
}
