# The machine's own encoder codes the camera's pictures, which it reads where they are: vicodec, whose FWHT stands in for
# H.264. What the file holds decodes to what the same encoder makes of the same pictures by itself. Taken away in the
# midst of a take it costs the pictures from there on, and one line; the next take holds JPEGs.

encoder=multi-planar
limit_seconds=300

inside() {
    # The smallest that vicodec takes, as often as the emulated processor codes it.
    configure video width 640
    configure video height 360
    configure video frame_rate 10
    configure video format nv12
    configure video codec fwht
    configure video encoder_device /dev/video1
    v4l2-ctl -d /dev/video0 --set-ctrl osd_text_mode=2 # pictures of a moment differ in nothing but what moves
    start_recorder
    grep -q "encoder /dev/video1: fwht, reads the camera's buffers" "$recorder_out" || fail "no word of the encoder"
    wait_for_state armed
    pause_milliseconds 6000
    take_for 6
    expect_nothing_lost
    expect_no_heap

    press record 200
    wait_for_state recording
    pause_milliseconds 4000
    unplug_encoder
    pause_milliseconds 2000
    press record 200
    wait_for_state armed
    wait_until 10 test "$(status preroll_seconds)" != 0.000
    take_for 3
    expect_no_heap
    stop_recorder
}
