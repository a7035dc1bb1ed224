# No camera: one clear line reports it, and sound is recorded.

camera=no

inside() {
    start_recorder
    take_for 4
    stop_recorder
}

afterwards() {
    local take
    expect_said_once /dev/video0
    take=$(the_only_file)
    expect "video streams" "$(count_streams "$take" v)" 0
    expect "audio streams" "$(count_streams "$take" a)" 1
    expect_at_least "seconds" "$(seconds_of "$take")" 4
}
