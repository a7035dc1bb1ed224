# The recorder is killed during a take: the take opens and is at most one second short.

inside() {
    start_recorder
    wait_for_state armed
    press record
    wait_for_state recording
    pause_milliseconds 6000
    status seconds >seconds
    kill_recorder
}

afterwards() {
    local take
    take=$(the_take video mov)
    expect_at_least "seconds" "$(seconds_of "$take")" "$(cat "$out/seconds") - 1"
    expect_decodes "$take"
}
