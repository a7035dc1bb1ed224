# The machine is suspended and woken by its clock's alarm, again and again; then the recorder sleeps between the windows of a
# schedule, and each has its whole take.

camera=no
accelerometer=none
suspends=yes
limit_seconds=900
cycles=5
windows=1

inside() {
    mkdir -p /usr/lib/fieldcorder
    cp -r "$checkout/rootfs-overlay/usr/lib/fieldcorder/sleep" /usr/lib/fieldcorder/
    # QEMU's time stands still in the deeper state.
    echo s2idle >/sys/power/mem_sleep
    sleep_often
    record_between_sleeps
}

# As the recorder calls the script, without it: nothing else decides when the machine wakes.
sleep_often() {
    local cycle wake late worst=0
    for ((cycle = 0; cycle < cycles; cycle++)); do
        wake=$((EPOCHSECONDS + 2 + cycle % 2))
        /usr/lib/fieldcorder/sleep/sleep rtc suspend "$wake" || fail "cycle $cycle: the machine does not sleep"

        late=$((EPOCHSECONDS - wake))
        [ "$late" -ge -1 ] || fail "cycle $cycle: awake $((-late)) s too early"
        [ "$late" -le 2 ] || fail "cycle $cycle: awake $late s too late"
        [ "$late" -le "$worst" ] || worst=$late
    done
    echo "sleep: $cycles cycles, none missed, at most $worst s late" >&2
}

record_between_sleeps() {
    configure record what audio
    configure record preroll_seconds 2
    configure schedule rule1 '00:00-24:00 6/100'
    configure schedule sleep suspend
    configure schedule sleep_after_seconds 5
    configure schedule wake_before_seconds 8
    start_recorder
    reach 'sleep: suspend until' $windows
    reach 'schedule: rule 1 begins a take' $((windows + 1))
    reach 'is complete' $((windows + 1))
    ! grep -q 'was missed by' "$recorder_out" || fail "a wake was missed"
    expect_no_heap
    stop_recorder
}

# reach LINE COUNT : the recorder has said so as often.
reach() {
    local deadline=$((SECONDS + windows * 200))
    until [ "$(grep -c -F -- "$1" "$recorder_out")" -ge "$2" ]; do
        [ $SECONDS -lt $deadline ] || fail "'$1' is not said $2 times"
        pause_milliseconds 1000
    done
}

afterwards() {
    local takes
    mapfile -t takes < <(find "$data/audio" -name '*.wav')
    [ "${#takes[@]}" -ge "$windows" ] || fail "there are ${#takes[@]} takes for $windows windows"
    expect "errors" "$(cat "$out/recorder.err")" ""
}
