# Another program has the speaker at first; later the speaker is unplugged while a file plays during a take, and when it
# is back the other program has it again. Lines report it, the player resumes at the last heard frame, and the take is
# not affected.

camera=no

before() {
    make_noise "$out/held.wav" 1 2
    make_noise "$out/track.wav" 2 6
    make_noise "$out/voice.wav" 3 60
}

inside() {
    configure record what audio
    copy_music track.wav held.wav
    as_a_user
    hold_speaker
    listen_to_speaker after-the-other.raw
    start_recorder
    wait_for_state armed
    play_into_microphone voice.wav
    press record 200
    wait_for_state recording
    begins_when_it_is_let_go
    goes_on_when_it_is_back
    press record 200
    wait_for_state armed
    stop_playing
    expect_nothing_lost
    expect_no_heap
    stop_recorder
}

begins_when_it_is_let_go() {
    console 'prepare music/held.wav'
    wait_for_player prepared
    console play
    wait_for_player interrupted
    release_speaker
    wait_for_player playing
    wait_for_player stopped
    stop_listening
}

goes_on_when_it_is_back() {
    console 'prepare music/track.wav'
    wait_for_player prepared
    listen_to_speaker before-the-cut.raw
    console play
    wait_for_player playing
    pause_milliseconds 2000
    unplug_speaker
    wait_for_player interrupted
    wait_until test ! -e /dev/snd/pcmC1D0p
    stop_listening
    plug_speaker
    listen_to_speaker after-the-cut.raw
    hold_speaker
    grant /dev/snd/*C1* # not before
    pause_milliseconds 1500
    expect "player" "$(status player.state)" interrupted
    release_speaker
    wait_for_player playing
    wait_for_player stopped
    stop_listening
}

afterwards() {
    local take
    expect_sounded "$out/after-the-other.raw" "$out/held.wav"
    # One recording of both sides of the gap. The listener's last 20 ms were lost with the card, and the player does not
    # know what the card has played in the 20 ms since its last reading; a slow machine adds to both.
    cat "$out/before-the-cut.raw" "$out/after-the-cut.raw" >"$out/both.raw"
    expect_goes_on "$out/both.raw" "$out/track.wav" 0.06
    expect "interruptions" "$(grep -c '^\* player interrupted' "$out/recorder.out")" 2
    expect "lines about the cable" "$(grep -c '^\* speaker .*stopped' "$out/recorder.out")" 1
    expect "lines about the other program" "$(grep -c '^\* speaker .*end the program that uses it' "$out/recorder.out")" 3
    take=$(the_take audio wav)
    expect_decodes "$take"
    expect_heard "$take" "$out/voice.wav" 12
}
