# A camera that crops and scales zooms by itself: vivid's HDMI input, whose selection follows the take's zoom while its
# pictures pass unchanged. Its webcam input has neither control nor crop: there the recorder zooms. Either way no
# picture is lost, and they show the expected content: vivid's grey ramp, flatter by the factor.

limit_seconds=400
disk_mebibytes=128

inside() {
    v4l2-ctl -d /dev/video0 --list-ctrls | grep -q zoom_absolute && fail "vivid has a zoom control: use it here"
    by_the_camera
    by_the_recorder
}

by_the_camera() {
    choose_input 1
    # 720p's slowest mode: a pixel clock of at least 14 MHz gives 13.7 pictures a second instead of these 14.
    v4l2-ctl -d /dev/video0 --set-dv-bt-timings cvt,width=1280,height=720,fps=14,reduced-blanking=1
    # Left behind by another program: a crop, and a picture in a corner.
    v4l2-ctl -d /dev/video0 --set-fmt-video width=320,height=180 \
        --set-selection target=crop,left=0,top=0,width=640,height=360 \
        --set-selection target=compose,left=0,top=0,width=160,height=90
    start_recorder
    wait_for_state armed
    expect "crop at rest" "$(selection crop)" "(0,0)/1280x720"
    expect "compose at rest" "$(selection compose)" "(0,0)/320x180"
    begin_take
    pause_milliseconds 1000
    console 'zoom 4'
    wait_for_field zoom 4.000
    expect "crop at 4" "$(selection crop)" "(480,270)/320x180"
    pause_milliseconds 2000
    console 'zoom 16 now'
    pause_milliseconds 2000
    expect "crop at 16" "$(selection crop)" "(600,336)/80x46"
    expect "compose at 16" "$(selection compose)" "(0,0)/320x180"
    console 'zoom 1 now'
    pause_milliseconds 1000
    expect "crop at 1" "$(selection crop)" "(0,0)/1280x720"
    end_take
}

by_the_recorder() {
    configure video frame_rate 5
    choose_input 0
    start_recorder
    wait_for_state armed
    selection crop && fail "vivid's webcam crops: zoom it"
    begin_take
    pause_milliseconds 1000
    console 'zoom 4'
    wait_for_field zoom 4.000
    pause_milliseconds 3000
    end_take
}

begin_take() {
    console 'record start'
    wait_for_state recording
}
end_take() {
    console 'record stop'
    wait_for_state armed
    expect_nothing_lost
    expect_no_heap
    stop_recorder
}

# choose_input NUMBER
choose_input() {
    v4l2-ctl -d /dev/video0 --set-input="$1"
    show_pattern 'Gray Ramp'
}

# selection crop|compose : the driver's current one.
selection() {
    v4l2-ctl -d /dev/video0 --get-selection target="$1" >selection || return 1
    cat selection >&2
    sed -n 's/.*Left \([0-9]*\), Top \([0-9]*\), Width \([0-9]*\), Height \([0-9]*\).*/(\1,\2)\/\3x\4/p' selection
}

afterwards() {
    local takes
    mapfile -t takes < <(takes_in_order video mov)
    expect "takes" "${#takes[@]}" 2
    expect_at_least "frames by the camera" "$(stream_field "${takes[0]}" v nb_frames)" \
        "$(stream_field "${takes[0]}" v duration) * 13.7 - 2"
    expect_every_frame "${takes[1]}" 5
    expect_factors "${takes[0]}" 4 16
    expect_factors "${takes[1]}" 4
}

# expect_factors TAKE FACTOR... : the take begins unzoomed, and shows each of the factors for most of a second.
expect_factors() {
    local take=$1 factor
    shift
    expect_decodes "$take"
    edge "$take" 0 >"$out/left"
    edge "$take" in_w-8 >"$out/right"
    paste "$out/left" "$out/right" | awk 'NR == 1 { whole = $2 - $1 } { print whole / ($2 - $1 + 1e-9) }' >"$out/factors"
    expect_at_least "levels of grey from edge to edge" \
        "$(paste "$out/left" "$out/right" | awk 'NR == 1 { print $2 - $1 }')" 200
    for factor in "$@"; do
        expect_at_least "pictures at $factor" \
            "$(awk -v f="$factor" '$1 > 0.8 * f && $1 < 1.25 * f' "$out/factors" | wc -l)" 10
    done
}

# edge TAKE X : the mean luma of 8 columns of each picture, from X on.
edge() {
    ffmpeg -v error -i "$1" -fps_mode passthrough -vf "format=gray16,crop=8:in_h:$2:0,scale=1:1:flags=area" \
        -f rawvideo -pix_fmt gray16le - | od -An -v -w2 -tu2 | awk '{ print $1 / 257 }'
}
