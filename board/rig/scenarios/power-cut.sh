# The power is cut during a take: the take can be opened and is at most one second short, both as the disk was left and
# after the next boot, which repairs it.

inside() {
    start_recorder
    wait_for_state armed
    press record
    wait_for_state recording
    pause_milliseconds 6000
    status seconds >seconds
    cut_power
}

afterwards() { expect_take_survived; }

inside_second_boot() {
    configure record resume no
    start_recorder
    wait_for_state armed
    stop_recorder
}

afterwards_second_boot() { expect_take_survived; }

expect_take_survived() {
    local take
    take=$(the_take video mov)
    expect_at_least "seconds" "$(seconds_of "$take")" "$(cat "$out/seconds") - 1"
    expect_decodes "$take"
}
