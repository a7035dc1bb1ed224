# Zoom, live view and stills while the hardware encoder runs: zoomed pictures reach it through its own buffers, or
# through spare camera buffers, and decode to the middle of the camera's picture; the display and a still show the same.

. "$checkout/board/rig/scenarios/hardware-encoder.sh"

display=yes
streams='copied:360 shared:480'

inside() {
    choose_encoder
    configure view device /dev/dri/card0
    with_height 360 "gets copies of the camera's frames"
    record_zoomed
    stop_recorder
    with_height 480 "reads the camera's buffers"
    record_zoomed
    console 'viewfinder 0 0 640 480'
    console snapshot
    pause_milliseconds 2000
    look_at_display zoomed
    stop_recorder
}

# record_zoomed : a take whose pre-roll is zoomed as well.
record_zoomed() {
    wait_for_line 'display /dev/dri/card0: 1280 x 800'
    console 'zoom 2 now'
    pause_milliseconds 6000
    record_for 4
    expect_nothing_lost
    expect_no_heap
}

afterwards() {
    local takes still
    mapfile -t takes < <(takes_in_order video mov)
    expect "takes" "${#takes[@]}" 2
    expect_coded "${takes[0]}" "$out/copied"
    expect_coded "${takes[1]}" "$out/shared"
    zoom_seen 360
    zoom_seen 480
    # The display's 800 rows show 1067 columns; outside the middle there is text.
    convert "$out/zoomed.ppm" -crop 800x500+240+150 +repage "$out/shown.png"
    reference "$out/reference.png"
    expect_at_most "difference of display and reference" "$(difference "$out/shown.png" "$out/reference.png")" 0.03
    still=$(takes_in_order photo jpg)
    convert "$still" -resize '1067x800!' -crop 800x500+134+150 +repage "$out/still.png"
    expect_at_most "difference of still and reference" "$(difference "$out/still.png" "$out/reference.png")" 0.03
}

# zoom_seen ROWS : makes the middle of the camera's picture the reference from here on.
zoom_seen() {
    mv "$out/seen-$1.nv12" "$out/whole-$1.nv12"
    ffmpeg -v error -f rawvideo -pixel_format nv12 -video_size "640x$1" -i "$out/whole-$1.nv12" \
        -vf "crop=iw/2:ih/2,scale=640:$1:flags=bilinear" -f rawvideo -pix_fmt nv12 "$out/seen-$1.nv12"
}

# reference FILE : the camera's last picture, as large as on the display.
reference() {
    ffmpeg -v error -y -f rawvideo -pixel_format nv12 -video_size 640x480 -i "$out/seen-480.nv12" -frames:v 1 "$out/seen.png"
    convert "$out/seen.png" -resize '1067x800!' -crop 800x500+134+150 +repage "$1"
}
