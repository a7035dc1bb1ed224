# Sound only, in each format: the samples in the file are bit-identical to those that were played.

formats='aiff caf flac wav'

before() {
    # Noise, which never repeats.
    sox -R -n -r 48000 -c 2 -b 16 "$out/noise.wav" synth 40 whitenoise vol 0.5
}

inside() {
    local format before
    configure record what audio
    for format in $formats; do
        configure record audio_format "$format"
        start_recorder
        play_into_microphone noise.wav
        before=$(loop_nanoseconds)
        take_for 4
        expect_cheap_loop $(($(loop_nanoseconds) - before))
        stop_playing
        expect_nothing_lost
        stop_recorder
    done
}

# The processor time of the loop's thread so far.
loop_nanoseconds() { cut -d' ' -f1 "/proc/$recorder_pid/task/$recorder_pid/schedstat"; }

# expect_cheap_loop NANOSECONDS : over some 5 s. The rig's processor runs exactly 10^9 instructions a second, so this
# counts instructions: 6.5 million a second for 200 wakes; 23 million when every wake copied the loop's structures.
expect_cheap_loop() {
    [ "$1" -lt 60000000 ] || fail "the loop's thread took $1 ns of 4 s: expected less than 60 ms"
}

afterwards() {
    local format take
    for format in $formats; do
        take=$(the_take audio "$format")
        sndfile-info "$take"
        expect "$format: channels" "$(stream_field "$take" a channels)" 2
        expect "$format: sample rate" "$(stream_field "$take" a sample_rate)" 48000
        expect_heard "$take" "$out/noise.wav" 3
    done
}
