# The cost of the largest formats in instructions: JPEGs of 1920x1080 from the camera, passed on and watched, and four
# tracks of 96 kHz and 24 bits. A scenario of board/rig/run like counted.sh; leaves lines of `key=value` in
# build/rig/out/formats/bench.txt.

. "$checkout/board/bench/counting.sh"

camera=loopback
disk_mebibytes=768
limit_seconds=900
seconds=30

before() {
    "$here/../packages/install" time curl jackd2 jack-capture ustreamer
    # As large as those of a webcam at 30 a second.
    ffmpeg -v error -y -f lavfi -i "mandelbrot=s=960x540:r=30,scale=1920:1080,format=yuvj422p" -frames:v 60 \
        -c:v mjpeg -q:v 3 "$out/camera.mov"
    echo "name=camera picture_bytes=$(($(stat -c %s "$out/camera.mov") / 60))" >"$out/bench.txt"
}

inside() {
    ip link set lo up
    start_camera
    configure video width 1920
    configure video height 1080
    configure video frame_rate 30
    configure video format mjpeg
    configure audio format s16
    configure record preroll_seconds 0
    count_take passed
    count ffmpeg_passed ffmpeg -nostdin -v error \
        -f v4l2 -input_format mjpeg -video_size 1920x1080 -framerate 30 -thread_queue_size 64 -i /dev/video0 \
        -f alsa -sample_rate 48000 -channels 2 -thread_queue_size 1024 -i hw:0,1 \
        -t $seconds -c:v copy -c:a pcm_s16le "$data/ffmpeg.mov"
    count_watched
    count_ustreamer
    configure audio channels 4
    configure audio sample_rate 96000
    configure audio format s24
    configure record what audio
    configure record audio_format wav
    count_take four
    count_four_tracks
}

# start_camera : writes the pictures as the camera would; ahead of everything else, which a camera does not share.
start_camera() {
    chrt --fifo 90 ffmpeg -nostdin -v error -re -stream_loop -1 -i camera.mov -c copy -f v4l2 /dev/video0 &
    wait_until camera_delivers
}
camera_delivers() { v4l2-ctl -d /dev/video0 --get-fmt-video 2>/dev/null | grep -q 1920/1080; }

# count_watched : the recorder, armed, and its monitor, with one who watches.
count_watched() {
    configure monitor socket /run/fieldcorder-monitor.socket
    mkdir -p /run/monitor
    "$checkout/build/host/fieldcorder-monitor" --config "$configuration" --socket /run/fieldcorder-monitor.socket \
        --state /run/monitor &
    monitor_pid=$!
    wait_until test -s /run/monitor/token
    start_recorder
    sleep 30
    count_recorder watched watch "http://127.0.0.1:8040/live.mjpeg?token=$(cat /run/monitor/token)"
    echo "name=fieldcorder_watched pictures=$(cat pictures)" >>bench.txt
    stop_recorder
    kill "$monitor_pid"
    wait "$monitor_pid" || true
    monitor_pid=
    configure monitor socket none
}

# watch ADDRESS : leaves the number of pictures that came.
watch() { { curl --silent --max-time $seconds "$1" || true; } | { grep -a -c '^Content-Type: image/jpeg' || true; } >pictures; }

# count_ustreamer : the pictures alone, because it has no sound.
count_ustreamer() {
    ustreamer --device /dev/video0 --format MJPEG --resolution 1920x1080 --desired-fps 30 --encoder HW \
        --host 127.0.0.1 --port 8080 >ustreamer.log 2>&1 &
    local ustreamer_pid=$!
    wait_until curl --silent --output /dev/null http://127.0.0.1:8080/state
    sleep 3
    count_process ustreamer "$ustreamer_pid" sleep $seconds
    count_process ustreamer_watched "$ustreamer_pid" watch http://127.0.0.1:8080/stream
    echo "name=ustreamer_watched pictures=$(cat pictures)" >>bench.txt
    kill "$ustreamer_pid"
    wait "$ustreamer_pid" || true
}

count_four_tracks() {
    count arecord_four arecord -q -D hw:0,1 -f S24_3LE -r 96000 -c 4 -d $seconds "$data/arecord.wav"
    # As often as the recorder flushes: each half second.
    # shellcheck disable=SC2016
    count arecord_four_flushed sh -c 'arecord -q -D hw:0,1 -t raw -f S24_3LE -r 96000 -c 4 -d "$1" \
        | dd of="$2" bs=576000 iflag=fullblock oflag=dsync status=none' - $seconds "$data/arecord.raw"
    # With its server, without which it cannot record. No D-Bus is there to reserve the card from.
    # shellcheck disable=SC2016
    count jack_capture env JACK_NO_AUDIO_RESERVATION=1 sh -c '
        jackd --no-realtime --silent -d alsa -C hw:0,1 -i 4 -r 96000 -p 1024 -n 3 >jackd.log 2>&1 &
        jack_wait --wait --timeout 30 >/dev/null 2>&1
        jack_capture --daemon -c 4 -p "system:capture*" -b 24 -d "$1" "$2" >>jackd.log 2>&1
        kill $!
        wait' - $seconds "$data/jack_capture.wav"
    # What it took to fail is no cost of recording.
    [ "$(stat -c %s "$data/jack_capture.wav")" -gt $((seconds * 1100000)) ] \
        || { sed -i '/^name=jack_capture /d' bench.txt; fail "jack_capture did not record: $(tail -n 1 jackd.log)"; }
}

afterwards() {
    local take
    take=$(the_take video mov)
    expect "picture, codec" "$(stream_field "$take" v width,codec_name | xargs)" "mjpeg 1920"
    expect_every_frame "$take" 30
    expect "ffmpeg's seconds" "$(printf %.0f "$(seconds_of "$data/ffmpeg.mov")")" $seconds
    for take in "$(the_take audio wav)" "$data/arecord.wav" "$data/jack_capture.wav"; do
        expect "${take##*/}" "$(stream_field "$take" a codec_name,sample_rate,channels | xargs)" "pcm_s24le 96000 4"
        expect_near "seconds of ${take##*/} beyond $seconds" "$(seconds_of "$take") - $seconds" 0.5
    done
    expect "bytes that arecord flushed" "$(stat -c %s "$data/arecord.raw")" $((seconds * 1152000))
}
