# The installed network services under systemd: they run as separate users that see neither takes nor devices. During a
# take somebody listens, a server's stream plays, and an Icecast server gets the sound that it distributes; the
# listeners hear the take, and the recorder has no network. Avahi, which announces the monitor's page, is asked through
# D-Bus for what can be listened to.

null_modem=yes
. "$checkout/board/rig/service.sh"

before() {
    "$here/../packages/install" $service_packages curl servers
    make_noise "$out/noise.wav" 1 60
    ffmpeg -v error -y -i "$out/noise.wav" -b:a 128k "$out/noise.mp3"
}

inside() {
    ip link set lo up multicast on
    ip route add 224.0.0.0/4 dev lo
    configure monitor socket /run/fieldcorder-monitor.socket
    configure monitor icecast http://127.0.0.1:8000/field.opus
    configure monitor icecast_password /etc/fieldcorder-icecast
    configure stream socket /run/fieldcorder-fetch/socket
    install_service
    cp /usr/share/fieldcorder/avahi/fieldcorder-http.service /etc/avahi/services
    echo 'of the sources' >/etc/fieldcorder-icecast
    chown fieldcorder-monitor /etc/fieldcorder-icecast
    attach_serial_console
    start_icecast
    start_system fieldcorder-{monitor,relay}.service fieldcorder-fetch.socket avahi-daemon.service
    wait_typed '* armed'
    find_monitor
    play_into_microphone noise.wav
    press record 200
    wait_until led_is record on
    listen
    play_stream
    press record 200
    wait_until led_is record off
    type_line 'status json'
    wait_typed '"heap_allocations_since_boot_complete":0'
    in_system systemctl stop fieldcorder-relay fieldcorder-monitor fieldcorder
    expect "the service's end" "$(property Result) $(property ExecMainStatus)" "success 0"
    in_system journalctl --no-pager >"$out/journal" || true
}

# start_icecast : as an ordinary user, which it insists on.
start_icecast() {
    mkdir -m 0777 /run/icecast
    cat >/run/icecast/configuration <<'XML'
<icecast>
  <limits><clients>10</clients><sources>1</sources></limits>
  <authentication><source-password>of the sources</source-password><admin-user>admin</admin-user>
    <admin-password>of the admin</admin-password></authentication>
  <listen-socket><port>8000</port><bind-address>127.0.0.1</bind-address></listen-socket>
  <paths><logdir>/run/icecast</logdir><webroot>/usr/share/icecast2/web</webroot>
    <adminroot>/usr/share/icecast2/admin</adminroot></paths>
</icecast>
XML
    setpriv --reuid=nobody --regid=nogroup --clear-groups icecast2 -c /run/icecast/configuration >/dev/null 2>&1 &
}

# find_monitor : through the confined service.
find_monitor() {
    type_line 'discover 20'
    wait_typed 'stream http://127.0.0.1:8040/live.opus?token=TOKEN: fieldcorder, 127.0.0.1'
}

# listen : with the token, without it, and through Icecast.
listen() {
    local token address=http://127.0.0.1:8040
    wait_until test -s /var/lib/fieldcorder-monitor/token
    token=$(cat /var/lib/fieldcorder-monitor/token)
    expect "answer to who has no token" \
        "$(curl --silent --output /dev/null --write-out "%{http_code}" "$address/live.wav")" 401
    curl --silent --max-time 6 --output "$out/heard.wav" "$address/live.wav?token=$token" || true
    curl --silent --fail --output "$out/status.json" "$address/status.json?token=$token"
    curl --silent --fail --output "$out/still.jpg" "$address/still.jpg?token=$token"
    curl --silent --max-time 4 --output "$out/relayed.opus" http://127.0.0.1:8000/field.opus || true
    expect_confinement fieldcorder-monitor
    expect_no_takes fieldcorder-monitor
}

# play_stream : from a server on this machine.
play_stream() {
    python3 -m http.server --bind 127.0.0.1 --directory "$out" 8001 >/dev/null 2>&1 &
    wait_until curl --silent --output /dev/null http://127.0.0.1:8001/noise.mp3
    listen_to_speaker "$out/sounded.raw"
    type_line 'stream http://127.0.0.1:8001/noise.mp3'
    wait_typed '* stream connected'
    wait_until sounds "$speaker_status"
    pause_milliseconds 3000
    expect_confinement fieldcorder-fetch
    expect_no_takes fieldcorder-fetch
    type_line stop
    wait_until one_fetches
    stop_listening
}

# one_fetches : the service itself; each stream has one more process, which stays in the table until the next.
one_fetches() { [ "$(pgrep --exact --runstates S --count fieldcorder-fet)" = 1 ]; }

afterwards() {
    local take bytes_a_second=$((48000 * 2 * 2))
    take=$(the_take video mov)
    expect_decodes "$take"
    raw_samples "$take" >"$out/take.raw"
    raw_samples "$out/heard.wav" >"$out/heard.raw"
    end_stands_in "$out/heard.raw" "$out/take.raw" $((3 * bytes_a_second)) $bytes_a_second || fail "what was heard is not the take"
    expect "the still" "$(identify -format '%m %wx%h' "$out/still.jpg")" "JPEG 320x180"
    expect "recording" "$(jq .recording "$out/status.json")" true
    expect "codec of what Icecast handed on" "$(stream_field "$out/relayed.opus" a codec_name)" opus
    expect_at_least "level of the stream" "$(sox -t raw -r 48000 -e signed -b 16 -c 2 "$out/sounded.raw" -n stat 2>&1 |
        awk '/^Maximum amplitude/ { print $3 }')" 0.1
}
