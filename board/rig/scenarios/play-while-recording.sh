# A file plays during a take, as for overdubbing: both are complete, sample for sample.

before() {
    make_noise "$out/track.flac" 1 6 -sample_fmt s16
    make_noise "$out/voice.wav" 2 40
}

inside() {
    configure record preroll_seconds 0
    # The emulated processor decodes and encodes at the same time.
    configure video frame_rate 5
    copy_music track.flac
    start_recorder
    wait_for_state armed
    listen_to_speaker sounded.raw
    play_into_microphone voice.wav
    console 'prepare music/track.flac'
    wait_for_player prepared
    press record 200
    wait_for_state recording
    console play
    wait_for_player stopped
    pause_milliseconds 500 # the take's last half second is not compared
    press record 200
    wait_for_state armed
    stop_playing
    stop_listening
    expect_nothing_lost
    expect "underruns" "$(status player.underruns)" 0
    expect_no_heap
    stop_recorder
}

afterwards() {
    local take
    expect_sounded "$out/sounded.raw" "$out/track.flac"
    take=$(the_take video mov)
    expect_decodes "$take"
    expect_every_frame "$take" 5
    expect_heard "$take" "$out/voice.wav" 6
}
