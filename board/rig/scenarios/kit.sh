# The small applications beside a take: the Hangul clock and then a chord on the display, the metronome on the speaker, the
# tuner on the microphone's sound, the calculator. The take has every sample and picture, and the loop wakes as punctually
# as without them.

display=yes
limit_seconds=400
disk_mebibytes=128

before() { make_noise "$out/voice.wav" 2 40; }

inside() {
    local alone beside
    configure view device /dev/dri/card0
    configure record preroll_seconds 0
    # One emulated processor draws the display beside the take.
    configure video frame_rate 5
    record_beside :
    alone=$wake_microseconds
    record_beside use_the_kit
    beside=$wake_microseconds
    echo "99.9 % of the wakes within $alone us alone, within $beside us beside the kit" >>kit.txt
    [ "$beside" -le $((alone + 20)) ] || fail "the loop wakes $beside us late beside the kit, $alone us without"
}

# record_beside FUNCTION : a take of some 10 s, in which it is called; leaves `wake_microseconds`.
record_beside() {
    start_recorder
    wait_for_line 'display /dev/dri/card0: 1280 x 800'
    wait_for_state armed
    play_into_microphone voice.wav
    press record 200
    wait_for_state recording
    "$1"
    pause_milliseconds 8000
    press record 200
    wait_for_state armed
    stop_playing
    expect_nothing_lost
    expect_no_heap
    wake_microseconds=$(status loop.wake_p999_us)
    stop_recorder
}

use_the_kit() {
    console 'clock hangul on'
    console 'metronome 240 3'
    pause_milliseconds 2000
    console 'calc 48000*24bit*2*3h'
    console 'chord F#m7b5'
    expect_error tuner # noise has no pitch
    console 'slate kit'
}

afterwards() {
    local take
    cat "$out/kit.txt"
    for take in "$data"/video/*/*.mov; do
        expect_decodes "$take"
        expect_every_frame "$take" 5
    done
    take=$(ls "$data"/video/*/*.mov | tail -n 1)
    expect_heard "$take" "$out/voice.wav" 6
    grep -q 'mark: slate kit' <(strings "$take") || fail "the slate's mark is not in the ledger of $take"
}
