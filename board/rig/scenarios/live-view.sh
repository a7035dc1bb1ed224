# The live view on a display: it starts by itself, and even if it is frozen, killed or unplugged, the take is complete.
# Then the simulated camera's arrow, in all four orientations: the display shows it as a still does; outside the
# viewfinder it is darker by 40 %, and a red dot indicates a take.

display=yes
limit_seconds=400
disk_mebibytes=128

positions='landscape-left portrait landscape-right portrait-upside-down'

inside() {
    configure view device /dev/dri/card0
    # The single emulated processor also draws the display.
    configure video frame_rate 5
    falls_without_harm
    shows_the_arrow
    # No display: one line.
    configure view device /dev/dri/card7
    start_recorder
    wait_for_line 'display /dev/dri/card7'
    pause_milliseconds 3000
    expect "lines about a display that is absent" "$(grep -c '^\* display' "$recorder_out")" 1
    stop_recorder
}

falls_without_harm() {
    start_recorder
    wait_for_line 'display /dev/dri/card0: 1280 x 800'
    wait_for_state armed
    console 'record start'
    wait_for_state recording
    pause_milliseconds 2000
    kill -STOP "$(view_pid)"
    pause_milliseconds 2000
    kill -CONT "$(view_pid)"
    kill -KILL "$(view_pid)"
    wait_for_line 'live view'
    unplug_display
    pause_milliseconds 3000
    plug_display
    pause_milliseconds 3000
    console 'record stop'
    wait_for_state armed
    expect_nothing_lost
    expect_no_heap
    stop_recorder
}

shows_the_arrow() {
    local position
    start_recorder --board sim --clock real
    wait_for_line 'display /dev/dri/card0: 1280 x 800'
    for position in $positions; do
        console "tilt $position"
        wait_for_orientation "$position"
        case $position in
            landscape*) console 'viewfinder 0 0 320 180' ;;
            *) console 'viewfinder 0 0 180 320' ;;
        esac
        pause_milliseconds 3000
        look_at_display "$position"
        console snapshot
    done
    console 'tilt landscape-left'
    wait_for_orientation landscape-left
    console 'viewfinder 0 0 160 180'
    console 'record start'
    wait_for_state recording
    pause_milliseconds 3000
    look_at_display recording
    console 'record stop'
    wait_for_state armed
    stop_recorder
}

# view_pid : the process that draws.
view_pid() { pgrep -f '^fieldcorder-view '; }

# brightness FILE GEOMETRY : the mean of a part of a picture, 0 to 255.
brightness() { convert "$1" -crop "$2" +repage -colorspace Gray -format '%[fx:255*mean]' info:; }

# arrow PICTURE GEOMETRY TURN CROP OUTPUT : where the arrow is in the upright picture, as 48 x 48 points.
arrow() {
    local picture=$1 geometry=$2 crop=$3 output=$4
    shift 4
    convert "$picture" "$@" -crop "$geometry" +repage -colorspace Gray -resize '120x120!' -crop "$crop" +repage "$output"
}

afterwards() {
    local position stills geometry crop take
    take=$(takes_in_order video mov | head -n 1)
    expect "pictures in the take, and packets" "$(stream_field "$take" v nb_frames)" "$(count_packets "$take" v)"
    expect_at_least "seconds of it" "$(seconds_of "$take")" 10
    mapfile -t stills < <(takes_in_order photo jpg)
    expect stills ${#stills[@]} 4
    for position in $positions; do
        # The picture fills 1280 x 800 as far as its aspect ratio allows; the arrow is in columns 11 to 18 of 20, rows 8
        # to 13 of 15. The level meters cover its lowest part if it is as high as the display.
        case $position in
            landscape-left) geometry=1280x720+0+40 crop=48x36+66+64 ;;
            portrait) geometry=450x800+415+0 crop=48x30+8+66 ;;
            landscape-right) geometry=1280x720+0+40 crop=48x48+6+8 ;;
            portrait-upside-down) geometry=450x800+415+0 crop=48x48+64+6 ;;
        esac
        arrow "$out/$position.ppm" "$geometry" "$crop" "$out/shown.png"
        arrow "${stills[0]}" '100%x100%' "$crop" "$out/still.png" -auto-orient
        expect_at_most "$position: difference of display and still" \
            "$(difference "$out/shown.png" "$out/still.png")" 0.06
        stills=("${stills[@]:1}")
    done
    # The arrow's shaft is outside the viewfinder while recording.
    expect_near "brightness beyond the viewfinder, less 0.6 of what it was" \
        "$(brightness "$out/recording.ppm" 20x20+950+600) - 0.6 * $(brightness "$out/landscape-left.ppm" 20x20+950+600)" 3
    expect "the dot" "$(pixel "$out/recording.ppm" 32 32)" "224 32 32"
}
