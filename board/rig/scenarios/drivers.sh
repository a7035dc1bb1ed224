# Every simulated device, through its real driver and third-party programs, without the recorder: if this fails, the rig
# is at fault, not the firmware.

before() {
    sox -n -r 48000 -c 2 -b 16 "$out/tone.wav" synth 6 sine 1000 vol 0.5
    sox -R -n -r 48000 -c 2 -b 16 "$out/noise.wav" synth 2 whitenoise vol 0.5
    sox "$out/noise.wav" "$out/noise-and-rest.wav" pad 0 1
}

inside() {
    button_follows_the_hand
    led_is_seen
    accelerometers_tell_who_they_are
    camera_keeps_its_rate 15 640 480
    camera_keeps_its_rate 30 640 360 # vivid has at most 25 a second for 640x480
    camera_comes_back
    microphone_hears_what_is_played
    microphone_comes_back
    speaker_sounds_what_is_played
    speaker_comes_back
    speaker_is_held
    echo kept >"$data/kept"
}

button_follows_the_hand() {
    local line
    line=$(pin buttons record)
    expect "record, let go" "$(gpioget --active-low gpiochip0 "$line")" 0
    hold record
    expect "record, held" "$(gpioget --active-low gpiochip0 "$line")" 1
    release record
    # A press while a program watches, as the recorder does, with the pull-up that it requests.
    gpiomon --bias=pull-up --active-low --num-events=2 --format=%e gpiochip0 "$line" >edges &
    wait_until line_is_taken "$line"
    press record 80
    wait $!
    expect "edges of a press" "$(tr '\n' ' ' <edges)" "1 0 "
}

line_is_taken() { gpioinfo gpiochip0 | grep -q "line *$1:.*\[used"; }

led_is_seen() {
    expect_led record off
    gpioset --mode=time --sec=3 gpiochip0 "$(pin leds record)=1" &
    within 3 led_is record on
    wait $!
}

accelerometers_tell_who_they_are() {
    fit_accelerometer mpu6050
    expect "MPU-6050's identity" "$(i2cget -y 0 0x68 0x75)" 0x68
    tilt portrait
    expect "MPU-6050's x, high byte" "$(i2cget -y 0 0x68 0x3b)" 0xc0
    fit_accelerometer lis3dh
    expect "MPU-6050's identity, taken off" "$(i2cget -y 0 0x68 0x75)" 0x00
    expect "LIS3DH's identity" "$(i2cget -y 0 0x18 0x0f)" 0x33
    tilt landscape-left
    expect "LIS3DH's axes" "$(i2cget -y 0 0x18 0xa8 i 6)" "0x00 0x00 0x80 0x3e 0x00 0x00"
    fit_accelerometer adxl345
    expect "ADXL345's identity" "$(i2cget -y 0 0x53 0x00)" 0xe5
    tilt face-up
    expect "ADXL345's axes" "$(i2cget -y 0 0x53 0x32 i 6)" "0x00 0x00 0x00 0x00 0x00 0x01"
}

# camera_keeps_its_rate RATE WIDTH HEIGHT : streams for five seconds; counted by v4l2-ctl, without the start.
camera_keeps_its_rate() {
    local rate=$1 measured
    v4l2-ctl -d /dev/video0 --set-parm="$rate" \
        --set-fmt-video="width=$2,height=$3",pixelformat=YUYV >/dev/null
    v4l2-ctl -d /dev/video0 --stream-mmap --stream-count=$((rate * 5)) 2>rate
    measured=$(grep -o '[0-9.]* fps' rate | tail -n 1)
    echo "camera: $rate frames a second wanted, $measured seen"
    [ "$(printf %.0f "${measured% fps}")" = "$rate" ] || fail "camera: $measured instead of $rate"
}

# Both are unplugged while in use, as happens in practice.
camera_comes_back() {
    local watcher
    v4l2-ctl -d /dev/video0 --stream-mmap 2>watched &
    watcher=$!
    wait_until grep -q fps watched
    unplug_camera
    wait_until test ! -e /dev/video0
    if wait "$watcher"; then echo "v4l2-ctl: did not mind that the camera went"; fi
    plug_camera
    wait_until test -e /dev/video0
    v4l2-ctl -d /dev/video0 --stream-mmap --stream-count=5 2>/dev/null
}

microphone_comes_back() {
    local listener
    arecord -q -D hw:0,1 -f S16_LE -r 48000 -c 2 -d 60 lost.wav &
    listener=$!
    wait_until test -s lost.wav
    unplug_microphone
    if wait "$listener"; then fail "arecord did not notice that the microphone went"; fi
    wait_until test ! -e /dev/snd/pcmC0D1c
    plug_microphone
    wait_until test -e /dev/snd/pcmC0D1c
    arecord -q -D hw:0,1 -f S16_LE -r 48000 -c 2 -d 1 again.wav
}

microphone_hears_what_is_played() {
    local listener
    arecord -q -D hw:0,1 -f S16_LE -r 48000 -c 2 -d 4 heard.wav &
    listener=$!
    wait_until test -s heard.wav
    play_into_microphone tone.wav
    wait $listener
    stop_playing
}

speaker_sounds_what_is_played() {
    local player
    listen_to_speaker sounded-by-aplay.raw
    aplay -q -D hw:1,0 noise-and-rest.wav &
    player=$!
    wait_until sounds "$speaker_status"
    echo "$(started_at "$listener_status") $(started_at "$speaker_status")" >instants
    wait $player
    stop_listening
}

# Unplugged, while the microphone stays.
speaker_comes_back() {
    local player
    aplay -q -D hw:1,0 noise.wav &
    player=$!
    wait_until sounds "$speaker_status"
    unplug_speaker
    if wait "$player"; then fail "aplay did not notice that the speaker went"; fi
    wait_until test ! -e /dev/snd/pcmC1D0p
    [ -e /dev/snd/pcmC0D1c ] || fail "the microphone went, too"
    plug_speaker
    [ -e /dev/snd/pcmC1D0p ] || fail "the speaker did not come back"
}

speaker_is_held() {
    hold_speaker
    if aplay -q -D hw:1,0 noise.wav; then fail "two programs have the speaker"; fi
    release_speaker
    aplay -q -D hw:1,0 -d 1 noise.wav
}

afterwards() {
    expect_sounded "$out/sounded-by-aplay.raw" "$out/noise.wav"
    # The loopback runs on Linux's jiffies, 250 Hz, the resolution of the kernel's timestamps of both sides' starts.
    local listening playing frame
    read -r listening playing <"$out/instants"
    read -r frame _ < <(stretches "$out/sounded-by-aplay.raw" "$out/noise.wav.raw")
    expect_near "seconds from the stamp to the sound" "$frame / 48000 - ($playing - $listening) / 1e9" 0.008
    expect "the file on the data disk" "$(cat "$data/kept")" kept
    expect "seconds heard" "$(soxi -D "$out/heard.wav")" 4.000000
    # Without the start, which came before the player.
    expect "amplitude heard" "$(sox "$out/heard.wav" -n trim 2 1.5 stat 2>&1 \
        | awk '/Maximum amplitude/ { printf "%.2f", $3 }')" 0.50
}
