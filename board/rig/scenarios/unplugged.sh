# Microphone and camera are unplugged in a take and plugged in again: each loss and each return is reported once, and the
# same take goes on. Silence stands for the missing sound, so that the take is as long as the time that has passed.

before() { make_noise "$out/voice.wav" 1 60; }

inside() {
    configure video frame_rate 5
    start_recorder
    wait_for_state armed
    play_into_microphone voice.wav
    press record 200
    wait_for_state recording
    pause_milliseconds 3000
    unplug_microphone
    stop_playing
    wait_for_line '* microphone hw:0,1'
    pause_milliseconds 2000
    plug_microphone
    wait_for_line '* microphone works again'
    play_into_microphone voice.wav
    pause_milliseconds 2000
    unplug_camera
    wait_for_line '* camera /dev/video0'
    pause_milliseconds 2000
    plug_camera
    wait_for_line '* camera works again'
    pause_milliseconds 4000
    press record 200
    wait_for_state armed
    stop_playing
    expect "overruns" "$(status audio_overruns)" 1
    expect_no_heap
    stop_recorder
}

afterwards() {
    local take
    expect "returns" "$(grep -c 'works again$' "$out/recorder.out")" 2
    take=$(the_take video mov)
    expect_decodes "$take"
    expect_same_length "$take" 5
    expect_at_least "seconds" "$(seconds_of "$take")" 15
    expect_at_least "loudness of the last two seconds" "$(ffmpeg -v error -sseof -2 -i "$take" -vn -f s16le - | sox -t s16 -r 48000 -c 2 - -n stat 2>&1 | awk '/Maximum amplitude/ { print $3 }')" 0.05
}
