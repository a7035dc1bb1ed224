# Stills of a real driver's pictures during a take that still gets every picture: the whole picture, in each orientation
# and at zoom 4, and the viewfinder's part. A whole still has the camera's size at any zoom, Exif has its orientation,
# and vivid's grey ramp shows which part of the picture is in it.

inside() {
    show_pattern 'Gray Ramp'
    # The single emulated processor also makes the stills.
    configure video frame_rate 5
    start_recorder
    wait_for_state armed
    pause_milliseconds 6000 # the whole pre-roll: vivid's first pictures come irregularly
    console 'record start'
    wait_for_state recording
    each_way_up
    console 'viewfinder 80 45 160 90'
    console 'snapshot crop'
    console 'zoom 4 now'
    wait_for_field zoom 4.000
    console snapshot
    console 'snapshot crop'
    console 'zoom 1 now'
    wait_for_field zoom 1.000
    press record 1500
    wait_for_line '* still photo/'
    console 'record stop'
    wait_for_state armed
    expect_nothing_lost
    expect_no_heap
    stop_recorder
}

# each_way_up : a still in each orientation, ending upright.
each_way_up() {
    local position
    for position in portrait landscape-right portrait-upside-down landscape-left; do
        tilt "$position"
        wait_for_orientation "$position"
        console snapshot
    done
}

afterwards() {
    local stills take
    mapfile -t stills < <(takes_in_order photo jpg)
    expect stills ${#stills[@]} 8
    expect_still "${stills[0]}" 320x180 6 1
    expect_still "${stills[1]}" 320x180 3 1
    expect_still "${stills[2]}" 320x180 8 1
    expect_still "${stills[3]}" 320x180 1 1
    expect_still "${stills[4]}" 160x90 1 1/2
    expect_still "${stills[5]}" 320x180 1 1/4
    # In the camera's own pixels: rows 78.75 to 101.25, rounded.
    expect_still "${stills[6]}" 40x22 1 1/8
    expect_still "${stills[7]}" 320x180 1 1
    # Their size is reported as held.
    expect "stills on their side" "$(grep -c 'still photo/.*, 180 x 320, ' "$out/recorder.out")" 2
    take=$(the_take video mov)
    expect_decodes "$take"
    expect_together "$take"
    expect_same_length "$take" 5
    expect_every_frame "$take" 5
    expect "turn" "$(clockwise_turn "$take")" 0
}

# expect_still FILE SIZE ORIENTATION PART : ORIENTATION as in Exif; PART is the fraction of the ramp in it.
expect_still() {
    expect "size and orientation of $1" "$(exiftool -s3 -ImageSize -Orientation# "$1" | xargs)" "$2 $3"
    expect_near "levels of grey in $1, less $4 of all" "$(levels "$1") - 255 * $4" 8
}

# levels FILE : the grey levels from the left to the right edge of the pixels in the file.
levels() {
    convert "$1" -colorspace Gray -scale '40x1!' -depth 8 gray:- | od -An -v -tu1 -w1 \
        | awk 'NR == 1 { first = $1 } { last = $1 } END { print (last - first) * 40 / 39 }'
}
