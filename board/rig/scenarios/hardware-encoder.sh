# The hardware encoder encodes the camera's pictures: vicodec, whose FWHT stands in for H.264. It needs whole blocks of
# 16 rows, so it reads 480 rows from the camera's buffers but gets copies of 360. Every picture is in the file, and the
# kernel's own decoder reproduces the camera's picture. Unplugging the encoder during a take costs the pictures from
# there on and is reported in one line; the next take holds JPEGs.

encoder=multi-planar
limit_seconds=500
disk_mebibytes=128
# The streams extracted from takes, each with its rows.
streams='copied:360 shared:480 cut:480'

inside() {
    record_copied_and_shared
    loses_its_encoder
    record_for 3
    expect_no_heap
    stop_recorder
    # Missing at boot: one line, and JPEGs.
    start_recorder
    grep -q '^\* encoder /dev/video1 cannot be opened' "$recorder_out" || fail "no line about the missing encoder"
    wait_for_state armed
    stop_recorder
}

# record_copied_and_shared : a take each; the recorder keeps running.
record_copied_and_shared() {
    choose_encoder
    with_height 360 "gets copies of the camera's frames"
    record_for 4
    expect_nothing_lost
    expect_no_heap
    stop_recorder
    with_height 480 "reads the camera's buffers"
    record_for 4
    expect_nothing_lost
    expect_no_heap
}

choose_encoder() {
    configure video frame_rate 5
    configure video format nv12
    configure video codec fwht
    configure video encoder_device /dev/video1
}

# with_height ROWS WAY : starts the recorder, which prints how pictures get into the encoder. Below its counters vivid's
# picture is constant; seen-ROWS.nv12 has it.
with_height() {
    configure video width 640
    configure video height "$1"
    v4l2-ctl -d /dev/video0 --set-ctrl osd_text_mode=1 \
        --set-fmt-video "width=640,height=$1,pixelformat=NV12" --stream-mmap --stream-count=1 --stream-to="seen-$1.nv12"
    start_recorder
    grep -q "encoder /dev/video1: fwht, $2" "$recorder_out" || fail "not so: encoder $2"
    wait_for_state armed
    pause_milliseconds 6000
}

# record_for SECONDS : through the console, because button presses are slow on a processor that also encodes.
record_for() {
    wait_for_state armed
    console 'record start'
    wait_for_state recording
    pause_milliseconds $(($1 * 1000))
    console 'record stop'
    wait_for_state armed
}

loses_its_encoder() {
    console 'record start'
    wait_for_state recording
    pause_milliseconds 4000
    unplug_encoder
    pause_milliseconds 2000
    console 'record stop'
    wait_until grep -q '^\* take.*0003.mov is complete' "$recorder_out"
    wait_for_state armed
    pause_milliseconds 3000
}

afterwards() {
    local takes
    mapfile -t takes < <(takes_in_order video mov)
    expect "takes" "${#takes[@]}" 4
    expect_coded "${takes[0]}" "$out/copied"
    expect_coded "${takes[1]}" "$out/shared"
    expect_said_once "(errno 19)" # no such device
    expect_at_least "seconds of sound when the encoder goes" "$(stream_field "${takes[2]}" a duration)" 10
    expect_at_least "frames until the encoder goes" "$(count_packets "${takes[2]}" v)" 30
    expect "codec without the encoder" "$(stream_field "${takes[3]}" v codec_name)" mjpeg
    expect_decodes "${takes[3]}"
    expect_every_frame "${takes[3]}" 5
    extract "${takes[2]}" "$out/cut"
}

# expect_coded TAKE NAME : every picture and enough keyframes; leaves the stream like `extract`.
expect_coded() {
    expect_every_frame "$1" 5
    expect_keyframes "$1"
    extract "$1" "$2"
    # The packet's tenth word; 2 is V4L2_QUANTIZATION_LIM_RANGE.
    expect "range of luma that the encoder was told" "$(od -An -tu4 --endian=big -j36 -N4 "$2.fwht" | xargs)" 2
}

# expect_keyframes TAKE : the file marks as keyframes the first picture and those that are keyframes in the stream.
expect_keyframes() {
    ffprobe -v error -select_streams v -show_entries packet=flags -of csv=p=0 "$1" >"$out/flags"
    expect "flags of the first picture" "$(head -n 1 "$out/flags" | cut -c1)" K
    # One a second is requested.
    expect_at_least "keyframes" "$(grep -c K "$out/flags")" "$(wc -l <"$out/flags") / 16"
    expect_at_most "keyframes" "$(grep -c K "$out/flags")" "$(wc -l <"$out/flags") / 4"
}

# extract TAKE NAME : the pictures' packets, concatenated, as NAME.fwht, and their count as NAME.count.
extract() {
    local position size
    : >"$2.fwht"
    while IFS=, read -r size position; do
        dd if="$1" bs=1M iflag=skip_bytes,count_bytes skip="$position" count="$size" status=none >>"$2.fwht"
    done < <(ffprobe -v error -select_streams v -show_entries packet=size,pos -of csv=p=0 "$1")
    count_packets "$1" v >"$2.count"
}

inside_second_boot() { for_each_stream decode; }

# for_each_stream COMMAND : called with its name and its rows.
for_each_stream() {
    local stream
    for stream in $streams; do "$1" "${stream%:*}" "${stream#*:}"; done
}

# decode NAME ROWS : by vicodec's own decoder.
decode() {
    v4l2-ctl -d /dev/video2 --set-fmt-video-out "width=640,height=$2,pixelformat=FWHT" \
        --set-fmt-video pixelformat=NV12 --stream-mmap --stream-out-mmap \
        --stream-from "$1.fwht" --stream-to "$1.nv12"
}

afterwards_second_boot() { for_each_stream expect_seen; }

# expect_seen NAME ROWS : the file's number of pictures, each equal to the camera's picture.
expect_seen() {
    local bytes=$((640 * $2 * 3 / 2))
    expect "decoded pictures of $1" "$(($(stat -c %s "$out/$1.nv12") / bytes))" "$(cat "$out/$1.count")"
    expect_at_least "dB to what the camera saw, the worst picture of $1" "$(worst_psnr "$1" "$2")" 30
}

# worst_psnr NAME ROWS : of the lower half.
worst_psnr() {
    local raw=(-f rawvideo -pixel_format nv12 -video_size "640x$2")
    local half="crop=640:$(($2 / 2)):0:$(($2 / 2))"
    ffmpeg -v error "${raw[@]}" -i "$out/$1.nv12" -stream_loop -1 "${raw[@]}" -i "$out/seen-$2.nv12" -lavfi \
        "[0:v]${half}[a];[1:v]${half}[b];[a][b]psnr=stats_file=$out/$1.psnr:shortest=1" -f null -
    sed 's/.*psnr_avg:\([^ ]*\).*/\1/; s/inf/99/' "$out/$1.psnr" | sort -n | head -n 1
}
