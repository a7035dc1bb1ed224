# The verdict of selftest card agrees with a take on that card. The kernel throttles the recorder's writes (cgroup2's
# io.max), in the rig's own time: a card that is fast enough, one with little to spare, and one that is too slow.

camera=no
speaker=no
disk_mebibytes=256

# Sound: 2 channels of 32 bits at 48,000 Hz.
bytes_a_second=384000

before() { make_noise "$out/voice.wav" 3 240; }

inside() {
    configure record what audio
    configure record preroll_seconds 0
    # What the rings cannot bridge is soon lost.
    configure record stall_seconds 5
    start_recorder
    wait_for_state armed
    play_into_microphone voice.wav
    # Percent of what a take writes; the boundaries are 200, above which it takes less than half of its time, and 111.
    for_card_of 500 yes nothing
    for_card_of 150 tight nothing
    for_card_of 40 no something
    stop_playing
    stop_recorder
}

# for_card_of PERCENT VERDICT LOSS : on a card that accepts PERCENT of what a take writes.
for_card_of() {
    local lost said
    hold_card_back $((bytes_a_second * $1 / 100))
    said=$(console 'selftest card')
    echo "$1 %: $said" >>cards.txt
    [[ $said == "card $2: "* ]] || fail "a card that takes $1 % of a take: $said"
    press record 200
    wait_for_state recording
    pause_milliseconds 20000
    lost=$(status audio_overruns)
    press record 200
    # What is left in the rings is still written.
    wait_for_state armed
    echo "$1 %: $lost overruns" >>cards.txt
    case $3 in
        nothing) [ "$lost" = 0 ] || fail "a card that takes $1 % of a take lost $lost times" ;;
        something) [ "$lost" != 0 ] || fail "a card that takes $1 % of a take lost nothing" ;;
    esac
}

afterwards() {
    local takes take
    cat "$out/cards.txt"
    mapfile -t takes < <(takes_in_order audio wav)
    expect takes "${#takes[@]}" 3
    for take in "${takes[@]}"; do expect_decodes "$take"; done
    for take in "${takes[@]:0:2}"; do
        expect_at_least "seconds of $take" "$(seconds_of "$take")" 19
        expect_heard "$take" "$out/voice.wav" 18
    done
}
