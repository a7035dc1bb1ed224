# Sourced on the host: the rig's virtual machine.

# default_devices : the devices of a scenario without settings.
default_devices() {
    camera=yes             # or no; loopback: a program writes the pictures
    microphone=yes         # or no
    speaker=yes            # or no
    encoder=no             # or single-planar, multi-planar
    accelerometer=mpu6050  # or adxl345, lis3dh, none
    display=no             # or yes
    clock=virtual          # or host
    bad_network=no         # or yes: "tc qdisc … netem" delays and loses packets
    null_modem=no          # or yes: a serial cable from /dev/ttyS2 to /dev/ttyS3
    suspends=no            # or yes: the machine can be suspended
    log_writes=no          # or yes: what the machine writes to its disk, in order, in OUT_FOLDER/card/writes
}

# set_clock : QEMU's arguments, in `processors`, and the kernel's, in `timekeeping`, for `clock`.
#
# virtual: one processor of exactly 10^9 instructions a second. Time passes with executed instructions, and jumps to the
# next timer when the processor is idle. So the rig behaves the same under any load of the host, only faster or slower.
# See kernel/pace.c.
#
# host: two processors, as fast as the host emulates them, and the host's clock: for interactive use, and for
# measurements, because an instruction is not a unit of cost. tsc=reliable: the emulated counter is the host's own and
# in step on all processors, which Linux would not assume; using an emulated timer chip instead doubles the cost of
# every clock query.
set_clock() {
    case $clock in
        virtual) processors=(-accel "tcg,thread=single" -smp 1 -icount "shift=0,sleep=off" -rtc clock=vm) timekeeping= ;;
        host) processors=(-accel "tcg,thread=multi" -smp 2) timekeeping=tsc=reliable ;;
    esac
}

# Turns off what Debian's kernel does at boot and the rig does not need, which takes seconds under emulation.
without="initcall_blacklist=crypto_kdf108_init,load_system_certificate_list,init_kprobe_trace cryptomgr.notests lsm="

# set_disk OUT_FOLDER : QEMU's arguments for the data disk, in `disk`.
set_disk() {
    disk=(-drive "file=$1/disk.img,format=raw,if=virtio,cache=unsafe")
    [ "$log_writes" = yes ] || return 0
    # shellcheck disable=SC2054 # QEMU's own commas
    disk=(
        -blockdev "driver=file,filename=$1/disk.img,cache.no-flush=on,node-name=card"
        -blockdev "driver=file,filename=$1/card/writes,cache.no-flush=on,node-name=writes"
        -blockdev driver=blklogwrites,file=card,log=writes,node-name=logged
        -device virtio-blk-pci,drive=logged,write-cache=on
    )
}

# KVM is not used although it would be faster: it hangs where the rig has to run.
# The host's root is the rig's root, read-only; `out` is the only folder that it writes.
# usage: qemu OUT_FOLDER SERIAL : both serial ports: SERIAL for the console, fifos for `control`.
qemu() {
    local out=$1 serial=$2 screen=() modem=() disk processors timekeeping
    set_clock
    set_disk "$out"
    # Two ports, each at one end of a socket, in the abstract namespace because a path may be too long.
    # With that timer the clock's alarm is the timer's, which wakes the machine at once.
    local board=pc,i8042=off
    [ "$suspends" = no ] || board+=,hpet=off
    local cable=path=fieldcorder-$BASHPID,abstract=on
    [ "$null_modem" = no ] || modem=(-chardev "socket,id=near,$cable,server=on,wait=off" -serial chardev:near
        -chardev "socket,id=far,$cable" -serial chardev:far)
    [ "$display" = no ] || screen=(-vga std -chardev "pipe,id=monitor,path=$out/monitor" -mon chardev=monitor)
    exec qemu-system-x86_64 \
        -machine "$board" "${processors[@]}" -cpu max -m 1024 \
        -nodefaults -no-user-config -display none -no-reboot \
        -kernel "$kernel/vmlinux" -initrd "$initramfs" \
        -append "console=ttyS0 quiet panic=-1 reboot=triple mitigations=off random.trust_cpu=on preempt=full \
$without clock=$clock $timekeeping" \
        -serial "$serial" \
        -chardev "pipe,id=control,path=$out/control" -serial chardev:control "${modem[@]}" \
        -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap \
        -virtfs "local,path=$out,mount_tag=out,security_model=none" \
        "${disk[@]}" "${screen[@]}"
}

# prepare_machine : prepares everything that a boot needs; sets `kernel` and `initramfs`.
prepare_machine() {
    "$here/../packages/install" qemu-system-x86 e2fsprogs i2c-tools alsa-utils v4l-utils gpiod jq ffmpeg sox \
        sndfile-programs
    kernel=$("$here/build-kernel")
    initramfs=$build/initramfs.cpio
    "$here/build-initramfs" "$kernel" "$initramfs"
}

# make_disk OUT_FOLDER MEBIBYTES
make_disk() {
    rm -f "$1/disk.img"
    truncate -s "$2M" "$1/disk.img"
    mkfs.ext4 -q -F -L data "$1/disk.img"
}

# read_disk OUT_FOLDER : copies the data disk's files, after the journal's replay, to OUT_FOLDER/data; without mounting,
# which would need root.
read_disk() {
    rm -rf "$1/data"
    mkdir -p "$1/data"
    # 0: clean, 1: errors corrected, which is acceptable after a power cut.
    e2fsck -p "$1/disk.img" >"$1/fsck.log" 2>&1 || [ $? = 1 ] || return 1
    debugfs -R "rdump / \"$1/data\"" "$1/disk.img" >"$1/debugfs.log" 2>&1
    rmdir "$1/data/lost+found" 2>/dev/null || true
}

# write_settings OUT_FOLDER PART : the file that the machine reads first.
write_settings() {
    cat >"$1/settings" <<SETTINGS
checkout='$checkout'
scenario='$scenario'
part=$2
camera=$camera
microphone=$microphone
speaker=$speaker
encoder=$encoder
accelerometer=$accelerometer
display=$display
bad_network=$bad_network
suspends=$suspends
SETTINGS
}

# make_fifos OUT_FOLDER : for the second serial port and the monitor, as QEMU's pipe requires them.
make_fifos() {
    rm -f "$1"/{control,monitor}.{in,out}
    mkfifo "$1"/{control,monitor}.{in,out}
}
