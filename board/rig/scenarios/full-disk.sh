# The card fills during a take: its files are complete, one line reports it, and the recorder goes on.

disk_mebibytes=16
limit_seconds=300

inside() {
    configure video width 640
    configure video height 480
    configure video frame_rate 5
    start_recorder
    wait_for_state armed
    press record
    wait_for_state recording
    wait_until has_ended
    # A press within a second of a failure is ignored; a later one is answered, and leaves no file.
    pause_milliseconds 2000
    press record
    pause_milliseconds 2000
    wait_until has_ended
    stop_recorder
}

has_ended() { [ "$(status state)" != recording ]; }

afterwards() {
    local take
    take=$(the_take video mov)
    expect_decodes "$take"
    expect_together "$take"
    expect_same_length "$take" 5
    expect "frames in its index" "$(stream_field "$take" v nb_frames)" "$(count_packets "$take" v)"
    # Two thirds of the disk's space.
    expect_at_least "bytes" "$(stat -c %s "$take")" 7000000
    expect "lines about the full card" "$(grep -c 'storage has no room' "$out/recorder.out")" 2
    [ -z "$(find "$data" -type f -empty)" ] || fail "an empty file is left: $(find "$data" -type f -empty)"
}
