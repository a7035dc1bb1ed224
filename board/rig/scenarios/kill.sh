# The recorder is killed during a take: the take can be opened and is at most one second short, and the next start
# completes it. SIGTERM during a take finishes the take first.

inside() {
    configure record resume no
    start_recorder
    wait_for_state armed
    press record
    wait_for_state recording
    pause_milliseconds 6000
    status seconds >seconds
    kill_recorder
    cp "$data"/video/*/*_0001.mov "$out/killed.mov"

    start_recorder
    wait_for_state armed
    wait_until grep -q 0001.mov "$recorder_out"
    press record
    wait_for_state recording
    pause_milliseconds 3000
    stop_recorder
}

afterwards() {
    local takes take
    mapfile -t takes < <(takes_in_order video mov)
    expect "takes" "${#takes[@]}" 2
    for take in "$out/killed.mov" "${takes[0]}"; do
        expect_at_least "seconds" "$(seconds_of "$take")" "$(cat "$out/seconds") - 1"
        expect_decodes "$take"
    done
    expect "frames in the index once repaired" "$(stream_field "${takes[0]}" v nb_frames)" \
        "$(count_packets "$out/killed.mov" v)"
    expect_decodes "${takes[1]}"
    expect_at_least "seconds of the take that was asked to end" "$(seconds_of "${takes[1]}")" 3
}
