# Sound and picture of one instant stay together: a tone is cut off at the same moment in which the camera's picture
# turns bright, and again when it turns dark; in the take both edges are within a frame of each other.

before() { sox -R -n -r 48000 -c 2 -b 16 "$out/tone.wav" synth 30 sine 997 vol 0.5; }

inside() {
    set_brightness_after 0 0
    start_recorder
    wait_for_state armed
    press record
    wait_for_state recording
    strike 255
    pause_milliseconds 10000
    strike 0
    press record
    wait_for_state armed
    expect_nothing_lost
    stop_recorder
}

# strike BRIGHTNESS : two seconds of tone, then both edges at the same instant.
strike() {
    play_into_microphone tone.wav
    pause_milliseconds 3000
    set_brightness_after "$player_pid" "$1"
    wait "$player_pid" || true
    pause_milliseconds 1000
}

# set_brightness_after PLAYER BRIGHTNESS : ends the player and sets V4L2_CID_BRIGHTNESS at the same instant, which two
# separate programs could not do.
set_brightness_after() {
    perl -e 'my ($player, $brightness) = @ARGV;
        open my $camera, "+<", "/dev/video0" or die "no camera: $!";
        kill "KILL", $player if $player;
        ioctl $camera, 0xC008561C, my $control = pack "Ll", 0x00980900, $brightness or die "VIDIOC_S_CTRL: $!";' "$@"
}

afterwards() {
    local take flashes silences index
    take=$(the_take video mov)
    # Where the mean brightness jumps.
    mapfile -t flashes < <(ffprobe -v error -f lavfi -i "movie=$take,signalstats" \
        -show_entries frame=pts_time:frame_tags=lavfi.signalstats.YAVG -of csv=p=0 \
        | awk -F, 'NR > 1 && ($2 - last > 40 || last - $2 > 40) { print $1 } { last = $2 }')
    mapfile -t silences < <(ffmpeg -v info -i "$take" -af silencedetect=noise=-50dB:d=0.5 -f null - 2>&1 \
        | awk '/silence_start/ && $NF > 0.1 { print $NF }')
    printf 'picture %s, sound %s\n' "${flashes[*]}" "${silences[*]}"
    expect "leaps of brightness" "${#flashes[@]}" 2
    expect "ends of the tone" "${#silences[@]}" 2
    # The camera shows the change in its next picture, 0 to 1 frame later: half a frame on average.
    for index in 0 1; do
        expect_at_most "seconds between picture and sound" \
            "$(awk "BEGIN { d = ${flashes[index]} - ${silences[index]} - 1 / 30; print d < 0 ? -d : d }")" "1 / 15"
    done
}
