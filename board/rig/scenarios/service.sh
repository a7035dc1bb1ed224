# The installed service under systemd, udev and polkit: it runs as its own user, confined by its unit, records at a
# press, sets the clock, is killed and restarted when it hangs, goes on with its take, and finishes the last one when
# the service is stopped.

null_modem=yes
. "$checkout/board/rig/service.sh"

before() {
    "$here/../packages/install" $service_packages rsync
}

inside() {
    install_service
    attach_serial_console
    start_system
    wait_typed '* armed'
    expect_confinement fieldcorder
    expect_recorder_rights
    press record 200
    wait_until led_is record on
    pause_milliseconds 4000
    # Set back, because the rig's limits use this clock.
    type_line 'clock set 2026-01-02T03:04'
    wait_typed '* the clock was set'
    expect "day after 'clock set'" "$(date -u +%F)" 2026-01-02
    hang
    # It goes on with the take that was cut.
    wait_until led_is record on
    pause_milliseconds 4000
    type_line 'status json'
    wait_typed '"heap_allocations_since_boot_complete":0'
    send_takes
    in_system systemctl stop fieldcorder
    expect "the service's end" "$(property Result) $(property ExecMainStatus)" "success 0"
    in_system journalctl --no-pager >"$out/journal" || true
}

# expect_recorder_rights : the privileges that only it has, and lacks.
expect_recorder_rights() {
    local process
    process=$(process_of fieldcorder)
    # Its child processes are not real-time.
    expect "scheduling" "$(chrt --pid "$process" | sed 's/.*: //' | xargs)" "SCHED_FIFO|SCHED_RESET_ON_FORK 80"
    expect "order of ending for want of memory" "$(cat "/proc/$process/oom_score_adj")" -900
    expect "network devices" "$(nsenter --target "$process" --net ls /sys/class/net 2>/dev/null | xargs)" lo
    expect "the take's folder" "$(stat -c %U "$data")" fieldcorder
}

# hang : the recorder stops, and the watchdog notices.
hang() {
    local process
    process=$(process_of fieldcorder)
    kill -STOP "$process"
    wait_until test ! -e "/proc/$process"
    wait_until pgrep --exact fieldcorder
    expect "starts" "$(property NRestarts)" 1
}

# send_takes : to a folder of its user, instead of another machine.
send_takes() {
    sed -i 's|^DESTINATION=.*|DESTINATION=/var/lib/fieldcorder-copy/takes|' /etc/fieldcorder-copy.conf
    in_system systemctl start fieldcorder-copy
    wait_until sh -c "ls '$data'/video/*/.copied"
    (cd /var/lib/fieldcorder-copy/takes && sha256sum video/*/*.mov) >"$out/sent"
    expect "owner of what was sent" "$(stat -c %U /var/lib/fieldcorder-copy/takes)" fieldcorder-copy
}

afterwards() {
    local takes
    mapfile -t takes < <(takes_in_order video mov)
    expect "takes" "${#takes[@]}" 2
    expect_decodes "${takes[0]}"
    expect_at_least "seconds until it hung" "$(seconds_of "${takes[0]}")" 4
    expect "takes that were sent" "$(wc -l <"$out/sent")" 1
    (cd "$data" && sha256sum --check "$out/sent")
    expect_decodes "${takes[1]}"
    expect_at_least "seconds after it hung" "$(seconds_of "${takes[1]}")" 4
}
