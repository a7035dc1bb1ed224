# A press of the record button starts a take of the camera and the microphone, another ends it. Meanwhile the loop is
# real-time, nothing is lost and nothing uses the heap.

inside() {
    configure video width 640
    configure video height 480
    configure video frame_rate 5
    start_recorder
    wait_for_state armed
    expect "scheduling" "$(chrt -p "$recorder_pid" | tr '\n' ' ' | sed 's/.*policy: \(SCHED_[A-Z]*\).*priority: /\1 /')" \
        "SCHED_FIFO 80 "
    expect_led record off
    pause_milliseconds 6000 # the whole pre-roll: vivid's first pictures come irregularly
    press record
    wait_for_state recording
    pause_milliseconds 10000
    expect_led record on
    press record
    wait_for_state armed
    expect_led record off
    expect_nothing_lost
    expect_no_heap
    stop_recorder
}

afterwards() {
    local take
    take=$(the_take video mov)
    expect "video streams" "$(count_streams "$take" v)" 1
    expect "audio streams" "$(count_streams "$take" a)" 1
    expect_decodes "$take"
    expect_together "$take"
    expect_same_length "$take" 5
    expect_every_frame "$take" 5
    expect_at_least "seconds, with the pre-roll" "$(seconds_of "$take")" 15
}
