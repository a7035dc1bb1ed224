# The card fills during a take: what is on it is a whole file, one line says so, and the recorder goes on.

disk_mebibytes=16

inside() {
    start_recorder
    wait_for_state armed
    press record
    wait_for_state recording
    wait_until 90 has_ended
    console status
    press record
    pause_milliseconds 2000
    console status
    stop_recorder
}

has_ended() { [ "$(status state)" != recording ]; }

afterwards() {
    local takes take
    mapfile -t takes < <(takes_in_order video mov)
    expect_at_least "takes" "${#takes[@]}" 1
    for take in "${takes[@]}"; do
        expect_decodes "$take"
        expect_at_least "video frames" "$(stream_field "$take" v nb_read_packets)" 1
    done
    expect_at_least "seconds" "$(seconds_of "${takes[0]}")" 8
    expect_at_least "lines about the full card" "$(grep -c -i 'full\|no space' "$out/recorder.out")" 1
}
