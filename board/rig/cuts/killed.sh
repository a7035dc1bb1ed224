# Sourced by the scenarios of `kills`: the machine is killed while it reports how much it has recorded. The take can be
# opened and is at most one second shorter than reported, both as the disk was left and after the next boot, which
# repairs it. A scenario sets `format` and `kill_after_reports`.

inside() {
    if [ "$format" != mov ]; then
        configure record what audio
        configure record audio_format "$format"
    fi
    start_recorder
    wait_for_state armed
    press record
    wait_for_state recording
    pause_milliseconds 1000 # a take shorter than what a cut may cost need not be there
    while true; do
        report_recorded "$(status seconds)"
        pause_milliseconds 20
    done
}

afterwards() { expect_take_is_there; }

inside_second_boot() {
    configure record resume no
    start_recorder
    wait_for_state armed
    stop_recorder
}

# A file that has not been repaired yet may end within a sample.
afterwards_second_boot() {
    expect_take_is_there
    expect_decodes "$(the_only_file)"
}

expect_take_is_there() {
    local take reported
    take=$(the_only_file)
    reported=$(tail -n 1 "$out/reports")
    awk "BEGIN { printf \"%.3f\n\", $reported - $(seconds_of "$take") }" >>"$out/lost"
    expect_at_least "seconds" "$(seconds_of "$take")" "$reported - 1"
}
