# The speaker is pulled out while a file plays and a take is recorded, and comes back; then another program has it first.
# Each time one line says so, and the player goes on where it was heard; the take notices nothing.

before() {
    make_noise "$out/track.wav" 1 6
    make_noise "$out/held.wav" 2 2
    make_noise "$out/voice.wav" 3 60
}

inside() {
    copy_music track.wav held.wav
    as_a_user
    start_recorder
    wait_for_state armed
    listen_to_speaker before-the-cut.raw
    play_into_microphone voice.wav
    press record 200
    wait_for_state recording
    pulled_out
    held_by_another
    press record 200
    wait_for_state armed
    stop_playing
    expect_nothing_lost
    expect_no_heap
    stop_recorder
}

pulled_out() {
    console 'prepare music/track.wav'
    wait_for_player prepared
    console play
    wait_for_player playing
    pause_milliseconds 2000
    unplug_speaker
    wait_for_player interrupted
    wait_until 5 test ! -e /dev/snd/pcmC1D0p
    stop_listening
    plug_speaker
    listen_to_speaker after-the-cut.raw # before the recorder may
    grant /dev/snd/*C1*
    wait_for_player playing
    wait_for_player stopped
    stop_listening
}

held_by_another() {
    console dispose
    wait_for_player none
    listen_to_speaker after-the-other.raw
    hold_speaker
    console 'prepare music/held.wav'
    console play
    wait_for_player interrupted
    pause_milliseconds 1500
    release_speaker
    wait_for_player playing
    wait_for_player stopped
    stop_listening
}

afterwards() {
    local take
    # One recording of both sides of the gap.
    cat "$out/before-the-cut.raw" "$out/after-the-cut.raw" >"$out/both.raw"
    # The listener's last 50 ms went with the card, and what the card had taken since the recorder's last look.
    expect_goes_on "$out/both.raw" "$out/track.wav" 0.1
    expect_sounded "$out/after-the-other.raw" "$out/held.wav"
    expect "interruptions" "$(grep -c '^\* player interrupted' "$out/recorder.out")" 2
    take=$(the_take video mov)
    expect_decodes "$take"
    expect_every_frame "$take" 15
    expect_heard "$take" "$out/voice.wav" 12
}
