# The recorder as the service that is installed, under systemd, udev and polkit: it runs as its own user with nothing that
# its unit denies, records at a press, sets the clock, is ended and started again when it hangs, goes on with its take, and
# finishes the last one when the service is stopped.

null_modem=yes

before() {
    "$here/../packages/install" systemd udev dbus polkitd rsync
}

inside() {
    install_service
    # The rules for devices are the installed ones.
    /lib/systemd/systemd-udevd --daemon
    udevadm trigger --settle
    attach_serial_console
    start_system
    wait_typed '* armed'
    expect_confinement
    press record 200
    wait_until 10 led_is record on
    pause_milliseconds 4000
    # Back, because the rig's limits count by this clock.
    type_line 'clock set 2026-01-02T03:04'
    wait_typed '* the clock was set'
    expect "day after 'clock set'" "$(date -u +%F)" 2026-01-02
    hang
    # It goes on with the take that was cut.
    wait_until 60 led_is record on
    pause_milliseconds 4000
    type_line 'status json'
    wait_typed '"heap_allocations_since_boot_complete":0'
    send_takes
    in_system systemctl stop fieldcorder
    expect "the service's end" "$(property Result) $(property ExecMainStatus)" "success 0"
    in_system journalctl --no-pager >"$out/journal" || true
}

# install_service : what the README says, but for the configuration, which is the rig's.
install_service() {
    cp "$checkout"/build/host/fieldcorder{,-decode,-view} /usr/bin/
    cp -r "$checkout/rootfs-overlay/." /
    cp "$configuration" /etc/fieldcorder.conf
    systemd-sysusers
    mkdir -p /var/lib/fieldcorder
    mount --bind "$data" /var/lib/fieldcorder
}

# attach_serial_console : the recorder's serial port, with a person's terminal at the other end of the cable.
attach_serial_console() {
    ln -s /dev/ttyS2 /dev/serial0
    stty -F /dev/ttyS3 raw -echo 115200
    cat /dev/ttyS3 >"$out/said" &
}

type_line() { printf '%s\r' "$1" >/dev/ttyS3; }
wait_typed() { wait_until 60 grep -q -a -F -- "$1" "$out/said"; }

# start_system : systemd as the first process of a namespace, with what the service needs.
start_system() {
    mount -t cgroup2 none /sys/fs/cgroup
    systemctl mask --quiet systemd-journal-flush systemd-update-utmp systemd-random-seed systemd-logind
    cat >/etc/systemd/system/rig.target <<'UNIT'
[Unit]
Requires=sysinit.target dbus.service
Wants=fieldcorder.service
AllowIsolate=yes
UNIT
    env container=rig unshare --fork --pid --mount --mount-proc --propagation unchanged \
        /lib/systemd/systemd --system --unit=rig.target --log-target=console --show-status=no &
    wait_until 120 test -S /run/systemd/private
    system_pid=$(pgrep --exact --oldest systemd)
    wait_until 120 in_system systemctl is-active --quiet fieldcorder
}

in_system() { nsenter --target "$system_pid" --pid --mount "$@"; }
property() { in_system systemctl show --value --property "$1" fieldcorder; }

# expect_confinement : as the kernel says that the process is.
expect_confinement() {
    local process
    process=$(pgrep --exact --oldest fieldcorder)
    expect "user" "$(stat -c %U "/proc/$process")" fieldcorder
    expect "capabilities" "$(status_line CapEff)" 0000000000000000
    expect "no new privileges, filter of system calls" "$(status_line NoNewPrivs) $(status_line Seccomp)" "1 2"
    expect "scheduling" "$(chrt --pid "$process" | sed 's/.*: //' | xargs)" "SCHED_FIFO 80"
    expect "order of ending for want of memory" "$(cat "/proc/$process/oom_score_adj")" -900
    expect "network devices" "$(nsenter --target "$process" --net ls /sys/class/net 2>/dev/null | xargs)" lo
    expect "the take's folder" "$(stat -c %U "$data")" fieldcorder
}
status_line() { awk -v name="$1:" '$1 == name { print $2 }' "/proc/$process/status"; }

# hang : the recorder does nothing more, and the watchdog notices.
hang() {
    local process
    process=$(pgrep --exact --oldest fieldcorder)
    kill -STOP "$process"
    wait_until 120 test ! -e "/proc/$process"
    wait_until 60 pgrep --exact fieldcorder
    expect "starts" "$(property NRestarts)" 1
}

# send_takes : to a folder of its user, in place of another machine.
send_takes() {
    sed -i 's|^DESTINATION=.*|DESTINATION=/var/lib/fieldcorder-copy/takes|' /etc/fieldcorder-copy.conf
    in_system systemctl start fieldcorder-copy
    wait_until 30 sh -c "ls '$data'/video/*/.copied"
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
