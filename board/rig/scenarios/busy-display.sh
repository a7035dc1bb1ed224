# Another program uses the display when the recorder starts: one line reports it and the remedy, and the take is
# complete. When that program releases the display, the view appears by itself, during the take. (The program is a
# `sleep` that holds the card open, see hold_display.)

display=yes

inside() {
    configure view device /dev/dri/card0
    # The single emulated processor also draws the display.
    configure video frame_rate 5
    hold_display
    start_recorder
    wait_for_line 'display /dev/dri/card0 is busy'
    wait_for_state armed
    pause_milliseconds 6000 # the whole pre-roll: vivid's first pictures come irregularly
    console 'record start'
    wait_for_state recording
    pause_milliseconds 5000 # it is tried every two seconds
    release_display
    wait_for_line 'display /dev/dri/card0: 1280 x 800'
    pause_milliseconds 2000
    look_at_display shown
    console 'record stop'
    wait_for_state armed
    expect_nothing_lost
    expect_no_heap
    stop_recorder
}

afterwards() {
    local take
    expect "lines about the display" "$(grep '^\* .*display' "$out/recorder.out")" \
        '* display /dev/dri/card0 is busy: end the program that draws on it
* display /dev/dri/card0: 1280 x 800'
    # The dot that indicates a take.
    expect "the dot" "$(pixel "$out/shown.ppm" 32 32)" "224 32 32"
    take=$(the_take video mov)
    expect_decodes "$take"
    expect_together "$take"
    expect_same_length "$take" 5
    expect_every_frame "$take" 5
    expect_at_least "seconds, with the pre-roll" "$(seconds_of "$take")" 12
}
