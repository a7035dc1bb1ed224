# A press of the record button starts a take of the camera and the microphone, another ends it.

inside() {
    start_recorder
    wait_for_state armed
    expect_led record off
    press record
    wait_for_state recording
    pause_milliseconds 10000
    expect_led record on
    press record
    wait_for_state armed
    expect_led record off
    expect_nothing_lost
    stop_recorder
}

afterwards() {
    local take
    take=$(the_take video mov)
    expect "video streams" "$(count_streams "$take" v)" 1
    expect "audio streams" "$(count_streams "$take" a)" 1
    expect_together "$take"
    expect_at_least "seconds" "$(seconds_of "$take")" 10
}
