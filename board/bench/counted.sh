# The cost of recording and playing in instructions, including the kernel's, in one boot on the rig's virtual clock,
# where a nanosecond of processor time is an instruction, so other load on this machine has no effect. A scenario of
# board/rig/run; leaves lines of `key=value` in build/rig/out/counted/bench.txt.

. "$checkout/board/bench/counting.sh"

disk_mebibytes=512
limit_seconds=900
seconds=30

before() {
    "$here/../packages/install" time mpg123
    make_noise "$out/white.wav" 1 $seconds
    ffmpeg -v error -y -i "$out/white.wav" -af lowpass=2000 "$out/pink.wav"
    ffmpeg -v error -y -i "$out/pink.wav" -c:a libmp3lame -b:a 192k "$out/pink.mp3"
    sox -R -n -r 48000 -c 2 -b 16 "$out/tone.wav" synth 30 sine 997 vol 0.5
}

inside() {
    configure video width 640
    configure video height 480
    configure audio format s16
    configure record preroll_seconds 0
    count_take video
    count ffmpeg ffmpeg -nostdin -v error \
        -f v4l2 -input_format yuyv422 -video_size 640x480 -framerate 15 -thread_queue_size 64 -i /dev/video0 \
        -f alsa -sample_rate 48000 -channels 2 -thread_queue_size 1024 -i hw:0,1 \
        -t $seconds -c:v mjpeg -q:v "$(cat "$checkout/build/bench/ffmpeg-quality")" -c:a pcm_s16le "$data/ffmpeg.mov"
    configure record what audio
    configure record audio_format wav
    count_take audio
    press_beside_tone
    count arecord arecord -q -D hw:0,1 -f S16_LE -r 48000 -c 2 -d $seconds "$data/arecord.wav"
    # As often as the recorder flushes: each half second.
    # shellcheck disable=SC2016
    count arecord_flushed sh -c 'arecord -q -D hw:0,1 -t raw -f S16_LE -r 48000 -c 2 -d "$1" \
        | dd of="$2" bs=96000 iflag=fullblock oflag=dsync status=none' - $seconds "$data/arecord.raw"
    count_playing
}

# press_beside_tone : five takes, each begun by a press. A tone ends half a second after the contact: how much of it is in
# the take tells when its first sample was kept, without asking the recorder.
press_beside_tone() {
    local line
    line=$(pin buttons record)
    start_recorder
    wait_for_state armed
    for _ in 1 2 3 4 5; do
        play_into_microphone tone.wav
        sleep 2
        press_and_end_tone "$line_folder/sim_gpio$line/pull" "$player_pid" >>presses
        wait "$player_pid" || true
        sleep 2
        console 'record stop'
        wait_for_state armed
    done
    stop_recorder
}

# press_and_end_tone PULL PLAYER : prints the milliseconds from the contact to the end of the tone. No process is started
# between the two.
press_and_end_tone() {
    perl -MTime::HiRes=sleep,clock_gettime,CLOCK_MONOTONIC -e 'my ($pull, $player) = @ARGV;
        sub pull { open my $line, ">", $pull or die "no button: $!"; print $line shift; close $line }
        my $contact = clock_gettime(CLOCK_MONOTONIC);
        pull("pull-down"); sleep 0.08; pull("pull-up"); sleep 0.42;
        kill "KILL", $player;
        printf "%.1f\n", 1000 * (clock_gettime(CLOCK_MONOTONIC) - $contact)' "$@"
}

count_playing() {
    configure record arm press
    copy_music pink.wav pink.mp3
    cat "$data/music/pink.mp3" "$data/music/pink.wav" >/dev/null # read once, so that every player finds it in the cache
    count mpg123 mpg123 -q --no-control -o alsa -a hw:1,0 "$data/music/pink.mp3"
    count aplay aplay -q -D hw:1,0 "$data/music/pink.wav"
    start_recorder
    # The decoder starts with the first file, and serves later ones as well.
    console 'prepare music/pink.wav'
    wait_for_player prepared
    # By now the library has read the tags of both, and its process has ended.
    sleep 30
    count_recorder prepared sleep $seconds
    count_recorder mp3 play_to_the_end music/pink.mp3
    count_recorder wav play_to_the_end music/pink.wav
    stop_recorder
}

play_to_the_end() {
    console "prepare $1"
    wait_for_player prepared
    console play
    sleep $((seconds - 1))
    wait_for_player stopped
}

afterwards() {
    local take takes milliseconds tone
    mapfile -t takes < <(printf '%s\n' "$data"/audio/*/*.wav | tail -n 5)
    mapfile -t milliseconds <"$out/presses"
    for take in "${!takes[@]}"; do
        tone=$(ffmpeg -v info -i "${takes[take]}" -af silencedetect=noise=-50dB:d=0.5 -f null - 2>&1 \
            | awk '/silence_start/ { print 1000 * $NF; exit }')
        awk "BEGIN { printf \"name=press first_sample_ms=%.1f\n\", ${milliseconds[take]} - $tone }"
    done | sort -t = -k 3 -n >>"$out/bench.txt"
}
