# Sound only, in each format: the samples in the file are bit-identical to those that were played.

formats='aiff caf wav'

before() {
    # Noise: every piece of it is unique.
    sox -R -n -r 48000 -c 2 -b 16 "$out/noise.wav" synth 40 whitenoise vol 0.5
}

inside() {
    local format
    configure record what audio
    for format in $formats; do
        configure record audio_format "$format"
        start_recorder
        play_into_microphone noise.wav
        take_for 4
        stop_playing
        expect_nothing_lost
        stop_recorder
    done
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
