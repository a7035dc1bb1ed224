# Microphone and camera are unplugged during a take and plugged in again, first one after the other and then both, three
# times: each loss and each return is reported once, and the same take goes on. Silence replaces the missing sound and a
# sign the missing pictures, so that both tracks are as long as the elapsed time.

before() { make_noise "$out/voice.wav" 1 60; }

inside() {
    local times before begun ending after
    configure video frame_rate 5
    start_recorder
    wait_for_state armed
    play_into_microphone voice.wav
    read -r before _ </proc/uptime
    press record 200
    wait_for_state recording
    read -r begun _ </proc/uptime
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
    for times in 2 3 4; do
        unplug_and_plug_both "$times"
    done
    pause_milliseconds 4000
    read -r ending _ </proc/uptime
    press record 200
    wait_for_state armed
    read -r after _ </proc/uptime
    echo "$before $begun $ending $after" >"$out/uptimes"
    stop_playing
    expect "overruns" "$(status audio_overruns)" 4
    expect_no_heap
    stop_recorder
}

# unplug_and_plug_both TIMES : until each has come back so many times.
unplug_and_plug_both() {
    unplug_camera
    unplug_microphone
    stop_playing
    wait_until is_told '* microphone hw:0,1 ' "$1"
    wait_until is_told '* camera /dev/video0 ' "$1"
    plug_microphone
    plug_camera
    wait_until is_told 'works again' $((2 * $1))
    play_into_microphone voice.wav
}

# is_told TEXT TIMES
is_told() { [ "$(grep -c -F -- "$1" "$recorder_out")" -ge "$2" ]; }

afterwards() {
    local take before begun ending after
    read -r before begun ending after <"$out/uptimes"
    expect "returns" "$(grep -c 'works again$' "$out/recorder.out")" 8
    expect "gaps without pictures" "$(grep -c '^\* no picture for .* s into the take$' "$out/recorder.out")" 4
    take=$(the_take video mov)
    expect_decodes "$take"
    expect_same_length "$take" 5
    # The time to notice a loss or a return differs between machines.
    expect_at_least "seconds" "$(seconds_of "$take")" "$ending - $begun"
    expect_at_most "seconds, with the pre-roll" "$(seconds_of "$take")" "$after - $before + 5"
    # Up to two at each end of a gap.
    expect_at_least "frames" "$(stream_field "$take" v nb_frames)" "$(seconds_of "$take") * 5 - 18"
    expect_at_least "loudness of the last two seconds" "$(ffmpeg -v error -sseof -2 -i "$take" -vn -f s16le - | sox -t s16 -r 48000 -c 2 - -n stat 2>&1 | awk '/Maximum amplitude/ { print $3 }')" 0.05
}
