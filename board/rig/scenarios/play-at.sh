# `play at` an instant of the monotonic clock: the first sample is played then, by the kernel's own timestamp of the
# recording at the other side, and the recorder measures the same.

microphone=no
camera=no

before() { make_noise "$out/noise.wav" 1 1; }

inside() {
    local up instant
    copy_music noise.wav
    start_recorder
    listen_to_speaker sounded.raw
    started_at "$listener_status" >instants
    console 'prepare music/noise.wav'
    wait_for_player prepared
    for _ in 1 2 3; do
        # The machine never sleeps, so its uptime is the monotonic clock.
        read -r up _ </proc/uptime
        instant=$((10#${up/./} * 10000000 + 1500000000))
        echo "$instant" >>instants
        console "play at $instant"
        wait_for_player playing
        wait_for_player stopped
    done
    stop_listening
    expect_no_heap
    stop_recorder
}

afterwards() {
    local listening instants sounded told index
    { read -r listening; mapfile -t instants; } <"$out/instants"
    expect_sounded "$out/sounded.raw" "$out/noise.wav"
    mapfile -t told < <(grep -o '[-0-9]* ns after the instant' "$out/recorder.out")
    mapfile -t sounded < <(stretches "$out/sounded.raw" "$out/noise.wav.raw" | awk '$2 == 0 { print $1 }')
    expect "starts" "${#sounded[@]}" 3
    # The loopback moves every 4 ms, which is also the resolution of each side's start.
    for index in 0 1 2; do
        expect_near "seconds from the instant to the first sample" \
            "$listening / 1e9 + ${sounded[index]} / 48000 - ${instants[index]} / 1e9" 0.012
        expect_near "seconds that the recorder measured" "${told[index]%% *} / 1e9" 0.004
    done
}
