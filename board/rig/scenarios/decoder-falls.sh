# The decoder is killed while a file plays during a take: a line reports it, the file goes on, the take is complete. A
# file that is not a media file is reported within two seconds.

camera=no

before() {
    make_noise "$out/track.flac" 1 6 -sample_fmt s16
    make_noise "$out/voice.wav" 2 60
    head -c 3000 "$out/track.flac" | tail -c 2900 >"$out/beheaded.flac"
    make_noise "$out/whole.m4a" 3 2 -c:a alac -sample_fmt s16p
    head -c 100000 "$out/whole.m4a" >"$out/headless.m4a" # without the index at its end
    : >"$out/empty.mp3"
    cp "$0" "$out/script.mp3"
}

inside() {
    configure record what audio
    copy_music track.flac beheaded.flac headless.m4a empty.mp3 script.mp3
    start_recorder
    wait_for_state armed
    listen_to_speaker sounded.raw
    play_into_microphone voice.wav
    press record 200
    wait_for_state recording
    console 'prepare music/track.flac'
    wait_for_player prepared
    console play
    wait_for_player playing
    pause_milliseconds 2000
    kill -KILL "$(decoder_pid)"
    wait_for_player stopped
    stop_listening
    files_that_are_none
    pause_milliseconds 2000 # so that enough of the take can be compared
    press record 200
    wait_for_state armed
    stop_playing
    expect_nothing_lost
    expect_no_heap
    stop_recorder
}

files_that_are_none() {
    local name started
    for name in beheaded.flac headless.m4a empty.mp3 script.mp3; do
        started=${EPOCHREALTIME/./}
        expect_error "prepare music/$name" >line
        grep -q "^music/$name " line || fail "no word about $name in: $(cat line)"
        echo "$name $(((${EPOCHREALTIME/./} - started) / 1000))" >>milliseconds
    done
}

afterwards() {
    local take name milliseconds
    # In one piece if the next decoder is ready before the buffered sound is used up.
    expect_goes_on "$out/sounded.raw" "$out/track.flac" 0 1
    expect "lines about the decoder" "$(grep -c '^\* .*decoder' "$out/recorder.out")" 1
    while read -r name milliseconds; do
        expect_at_most "milliseconds until the line about $name" "$milliseconds" 2000
    done <"$out/milliseconds"
    take=$(the_take audio wav)
    expect_decodes "$take"
    expect_heard "$take" "$out/voice.wav" 8
}
