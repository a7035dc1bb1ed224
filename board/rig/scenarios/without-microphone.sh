# No microphone: one clear line reports it, and pictures are recorded.

microphone=no

inside() {
    start_recorder
    take_for 4
    stop_recorder
}

afterwards() {
    local take
    expect_said_once hw:0,1
    take=$(the_take video mov)
    expect "video streams" "$(count_streams "$take" v)" 1
    expect "audio streams" "$(count_streams "$take" a)" 0
    expect_at_least "seconds" "$(seconds_of "$take")" 4
}
