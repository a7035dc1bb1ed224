# Over a network that delays packets by 0 to 10 ms and loses one in a hundred, a stream plays during a take and somebody
# listens: there is no underrun, the take is complete, and the listener hears the take.

bad_network=yes

before() {
    "$here/../packages/install" curl
    make_noise "$out/noise.wav" 1 60
    ffmpeg -v error -y -i "$out/noise.wav" -b:a 128k "$out/noise.mp3"
}

inside() {
    local programs=$checkout/build/host token
    ip link set lo up
    tc qdisc add dev lo root netem delay 5ms 5ms loss 1%
    configure video frame_rate 5
    configure monitor socket /run/monitor.socket
    configure stream socket /run/fetch.socket
    mkdir /run/monitor
    "$programs/fieldcorder-monitor" --config "$configuration" --socket /run/monitor.socket --state /run/monitor &
    "$programs/fieldcorder-fetch" --socket /run/fetch.socket &
    python3 -m http.server --bind 127.0.0.1 --directory "$out" 8001 >/dev/null 2>&1 &
    start_recorder
    wait_for_state armed
    play_into_microphone noise.wav
    wait_until curl --silent --output /dev/null http://127.0.0.1:8001/settings
    press record 200
    wait_for_state recording
    listen_to_speaker sounded.raw
    console 'stream http://127.0.0.1:8001/noise.mp3'
    wait_for_player playing
    token=$(cat /run/monitor/token)
    wait_until finds_recorder "$token"
    curl --silent --max-time 8 --output "$out/heard.wav" "http://127.0.0.1:8040/live.wav?token=$token" || true
    expect "underruns" "$(status player.underruns)" 0
    console stop
    stop_listening
    press record 200
    wait_for_state armed
    expect_nothing_lost
    expect_no_heap
    tc -s qdisc show dev lo >"$out/netem"
    cat "$out/netem"
    stop_playing
    stop_recorder
}

# finds_recorder TOKEN : whether the monitor has been given the recorder's memory.
finds_recorder() { curl --silent "http://127.0.0.1:8040/status.json?token=$1" | grep -q '"recorder":true'; }

afterwards() {
    local take bytes_a_second=$((48000 * 2 * 2))
    take=$(the_take video mov)
    expect_decodes "$take"
    expect_every_frame "$take" 5
    raw_samples "$take" >"$out/take.raw"
    raw_samples "$out/heard.wav" >"$out/heard.raw"
    end_stands_in "$out/heard.raw" "$out/take.raw" $((4 * bytes_a_second)) $bytes_a_second ||
        fail "what was heard is not the take"
    expect_at_least "packets that the network lost" \
        "$(sed -n 's/.*dropped \([0-9]*\),.*/\1/p' "$out/netem" | head -n 1)" 1
}
