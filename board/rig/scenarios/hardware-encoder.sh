# The machine's own encoder codes the camera's pictures, which it reads where they are: vicodec, whose FWHT stands in for
# H.264. Every picture is in the file, and decodes through the kernel's own decoder to what the camera saw. Taken away in
# the midst of a take the encoder costs the pictures from there on and one line; the next take holds JPEGs.

encoder=multi-planar
limit_seconds=300

inside() {
    # The smallest that vicodec takes, as often as the emulated processor codes it. Below its counters vivid's picture
    # stands still.
    configure video width 640
    configure video height 360
    configure video frame_rate 10
    configure video format nv12
    configure video codec fwht
    configure video encoder_device /dev/video1
    v4l2-ctl -d /dev/video0 --set-ctrl osd_text_mode=1 \
        --set-fmt-video width=640,height=360,pixelformat=NV12 --stream-mmap --stream-count=1 --stream-to=seen.nv12
    start_recorder
    grep -q "encoder /dev/video1: fwht, reads the camera's buffers" "$recorder_out" || fail "no word of the encoder"
    wait_for_state armed
    pause_milliseconds 6000
    take_for 6
    expect_nothing_lost
    expect_no_heap
    loses_its_encoder
    take_for 3
    expect_no_heap
    stop_recorder
}

loses_its_encoder() {
    press record 200
    wait_for_state recording
    pause_milliseconds 4000
    unplug_encoder
    pause_milliseconds 2000
    press record 200
    wait_for_state finishing
    wait_for_state armed
    wait_until 10 grep -q '^\* take.*0002.mov is complete' "$recorder_out"
    wait_for_state armed
    pause_milliseconds 3000
}

afterwards() {
    local takes take
    mapfile -t takes < <(takes_in_order video mov)
    expect "takes" "${#takes[@]}" 3
    expect_every_frame "${takes[0]}" 10
    expect_keyframes "${takes[0]}"
    expect_said_once "encoder /dev/video1 "
    expect_at_least "seconds of sound when the encoder goes" "$(stream_field "${takes[1]}" a duration)" 10
    expect_at_least "frames until the encoder goes" "$(count_packets "${takes[1]}" v)" 60
    expect_decodes "${takes[2]}"
    expect "codec without the encoder" "$(stream_field "${takes[2]}" v codec_name)" mjpeg
    expect_every_frame "${takes[2]}" 10
    extract "${takes[0]}" "$out/whole"
    extract "${takes[1]}" "$out/cut"
}

# expect_keyframes TAKE : the file says which pictures can be decoded alone: the first, and those that the stream says.
expect_keyframes() {
    ffprobe -v error -select_streams v -show_entries packet=flags -of csv=p=0 "$1" >"$out/flags"
    expect "flags of the first picture" "$(head -n 1 "$out/flags" | cut -c1)" K
    # vicodec's group of 10 pictures: its longest is 16.
    expect_at_least "keyframes" "$(grep -c K "$out/flags")" "$(wc -l <"$out/flags") / 16"
    expect_at_most "keyframes" "$(grep -c K "$out/flags")" "$(wc -l <"$out/flags") / 4"
}

# extract TAKE NAME : the pictures' packets, one behind the other, as NAME.fwht, and their count as NAME.count.
extract() {
    local position size
    : >"$2.fwht"
    while IFS=, read -r size position; do
        tail -c "+$((position + 1))" "$1" | head -c "$size" >>"$2.fwht"
    done < <(ffprobe -v error -select_streams v -show_entries packet=size,pos -of csv=p=0 "$1")
    count_packets "$1" v >"$2.count"
}

inside_second_boot() {
    local name
    for name in whole cut; do
        v4l2-ctl -d /dev/video2 --set-fmt-video-out width=640,height=360,pixelformat=FWHT \
            --set-fmt-video pixelformat=NV12 --stream-mmap --stream-out-mmap \
            --stream-from "$name.fwht" --stream-to "$name.nv12"
    done
}

afterwards_second_boot() {
    local name
    for name in whole cut; do
        expect "bytes of decoded pictures" "$(stat -c %s "$out/$name.nv12")" $((640 * 360 * 3 / 2 * $(cat "$out/$name.count")))
        expect_at_least "dB to what the camera saw, the worst picture" "$(worst_psnr "$out/$name.nv12")" 30
    done
}

# worst_psnr PICTURES : of the lower half, to that of seen.nv12.
worst_psnr() {
    local raw=(-f rawvideo -pixel_format nv12 -video_size 640x360)
    ffmpeg -v error "${raw[@]}" -i "$1" -stream_loop -1 "${raw[@]}" -i "$out/seen.nv12" -lavfi \
        "[0:v]crop=640:180:0:180[a];[1:v]crop=640:180:0:180[b];[a][b]psnr=stats_file=$out/psnr:shortest=1" -f null -
    sed 's/.*psnr_avg:\([^ ]*\).*/\1/; s/inf/99/' "$out/psnr" | sort -n | head -n 1
}
