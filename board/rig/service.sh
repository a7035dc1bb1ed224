# Sourced inside the rig: the installed services, under systemd, udev and polkit, and the recorder's serial console.

# before() installs them: the host's root is the rig's.
service_packages="systemd udev dbus polkitd"

# install_service : as the README says, except for the configuration, which is the rig's.
install_service() {
    cp "$checkout"/build/host/fieldcorder{,-decode,-view,-monitor,-fetch,-relay} /usr/bin/
    cp -r "$checkout/rootfs-overlay/." /
    cp "$configuration" /etc/fieldcorder.conf
    systemd-sysusers
    mkdir -p /var/lib/fieldcorder
    mount --bind "$data" /var/lib/fieldcorder
}

# attach_serial_console : the recorder's serial port, with a user's terminal at the other end of the cable.
attach_serial_console() {
    ln -s /dev/ttyS2 /dev/serial0
    stty -F /dev/ttyS3 raw -echo 115200
    cat /dev/ttyS3 >"$out/said" &
}

type_line() { printf '%s\r' "$1" >/dev/ttyS3; }
wait_typed() { wait_until grep -q -a -F -- "$1" "$out/said"; }

# start_system [UNIT...] : systemd as the first process of a namespace, with the recorder, its dependencies, and UNITs.
start_system() {
    # The rules for devices are the installed ones.
    /lib/systemd/systemd-udevd --daemon
    udevadm trigger --settle
    mount -t cgroup2 none /sys/fs/cgroup
    # /tmp is the host's. Emptying it through the overlay takes minutes if it holds tens of thousands of files, and it
    # may contain the checkout.
    ln -s /dev/null /etc/tmpfiles.d/tmp.conf
    systemctl mask --quiet systemd-journal-flush systemd-update-utmp systemd-random-seed systemd-logind
    cat >/etc/systemd/system/rig.target <<UNIT
[Unit]
Requires=sysinit.target dbus.service
Wants=fieldcorder.service $*
AllowIsolate=yes
UNIT
    env container=rig unshare --fork --pid --mount --mount-proc --propagation unchanged \
        /lib/systemd/systemd --system --unit=rig.target --log-target=console --show-status=no &
    wait_until test -S /run/systemd/private
    system_pid=$(pgrep --exact --oldest systemd)
    local unit
    for unit in fieldcorder "$@"; do
        (wait_until in_system systemctl is-active --quiet "$unit") || tell_why "$unit"
    done
}

# tell_why UNIT : prints what systemd waits for, and its report on an inactive unit; ends the scenario.
tell_why() {
    in_system systemctl --no-pager list-jobs || true
    in_system systemctl --no-pager --full status "$1" || true
    fail "$1 is not active"
}

in_system() { nsenter --target "$system_pid" --pid --mount "$@"; }
# property NAME [UNIT]
property() { in_system systemctl show --value --property "$1" "${2:-fieldcorder}"; }

# process_of PROGRAM : the oldest; the kernel keeps 15 characters of a name.
process_of() { pgrep --exact --oldest "${1:0:15}"; }

# expect_confinement PROGRAM : as the kernel reports for its process; its user has the same name.
expect_confinement() {
    local process
    process=$(process_of "$1")
    expect "user of $1" "$(stat -c %U "/proc/$process")" "$1"
    expect "capabilities of $1" "$(status_line CapEff)$(status_line CapBnd)" 00000000000000000000000000000000
    expect "$1: no new privileges, filter of system calls" "$(status_line NoNewPrivs) $(status_line Seccomp)" "1 2"
}
status_line() { awk -v name="$1:" '$1 == name { print $2 }' "/proc/$process/status"; }

# expect_no_takes PROGRAM : its process sees neither takes nor any of the recorder's devices.
expect_no_takes() {
    local process
    process=$(process_of "$1")
    expect "takes that $1 sees" "$(nsenter --target "$process" --mount find /var/lib/fieldcorder -type f | wc -l)" 0
    expect "devices that $1 sees" "$(nsenter --target "$process" --mount find /dev -name 'video*' -o -name 'pcm*' | wc -l)" 0
}
