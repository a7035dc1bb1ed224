# The player, by buttons and console: a file of each lossless kind is played sample for sample, a pause resumes at the
# same place, and none of it uses the heap.

microphone=no
camera=no

names='noise.wav noise.aiff noise.caf noise.flac noise.m4a'

before() {
    make_noise "$out/noise.wav" 1 2
    make_noise "$out/noise.aiff" 2 2
    make_noise "$out/noise.caf" 3 2
    make_noise "$out/noise.flac" 4 2 -sample_fmt s16
    make_noise "$out/noise.m4a" 5 2 -c:a alac -sample_fmt s16p
    make_noise "$out/paused.wav" 6 2
}

inside() {
    local name
    copy_music noise.* paused.wav
    start_recorder
    listen_to_speaker sounded.raw
    for name in $names; do
        console "prepare music/$name"
        wait_for_player prepared
        press play
        wait_for_player playing
        wait_for_player stopped
    done
    expect "file" "$(status player.file)" music/noise.m4a
    expect "seconds" "$(printf %.2f "$(status player.duration_seconds)")" 2.00
    by_buttons
    stop_listening
    expect "underruns" "$(status player.underruns)" 0
    expect_no_heap
    stop_recorder
}

# Prepare opens the chosen file, or closes it; play and stop start, pause and resume.
by_buttons() {
    console 'prepare music/paused.wav'
    wait_for_player prepared
    press prepare
    wait_for_player none
    press prepare
    wait_for_player prepared
    press play
    wait_for_player playing
    pause_milliseconds 500
    press stop
    wait_for_player paused
    pause_milliseconds 500
    press play
    wait_for_player stopped
    console 'dispose'
    wait_for_player none
}

afterwards() {
    local name
    for name in $names; do
        expect_sounded "$out/sounded.raw" "$out/$name"
        expect "$name in the player's lines" "$(grep -c "^\* player .*$name" "$out/recorder.out")" 1
    done
    expect_goes_on "$out/sounded.raw" "$out/paused.wav" 0.03
}
