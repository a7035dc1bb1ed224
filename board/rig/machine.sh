# Sourced on the host: the machine that the rig boots.

# default_devices : what the machine has where nothing else is said.
default_devices() {
    camera=yes             # or no
    microphone=yes         # or no
    speaker=yes            # or no
    encoder=no             # or single-planar, multi-planar
    accelerometer=mpu6050  # or adxl345, lis3dh, none
    display=no             # or yes
    clock=virtual          # or host
}

# set_clock : QEMU's arguments, in `processors`, and the kernel's, in `timekeeping`, for what `clock` says.
#
# virtual: one processor of a thousand million instructions a second, neither more nor fewer. Time passes with what it
# executes, and leaps to the next timer when it has nothing to do. So whatever the host does beside, the rig sees the same,
# sooner or later. See kernel/pace.c.
#
# host: two processors, as fast as the host emulates them, and its clock: for a person to use, and for measurements, as an
# instruction is not a unit of cost. tsc=reliable: the emulated counter is the host's own and in step on all processors,
# which Linux will not believe; asking an emulated timer chip instead doubles the cost of every look at the clock.
set_clock() {
    case $clock in
        virtual) processors=(-accel "tcg,thread=single" -smp 1 -icount "shift=0,sleep=off" -rtc clock=vm) timekeeping= ;;
        host) processors=(-accel "tcg,thread=multi" -smp 2) timekeeping=tsc=reliable ;;
    esac
}

# What Debian's kernel would do at boot and the rig has no use for: seconds under emulation.
without="initcall_blacklist=crypto_kdf108_init,load_system_certificate_list,init_kprobe_trace cryptomgr.notests lsm="

# KVM is left alone although it would be faster: where the rig has to run, it hangs.
# The host's root is the rig's root, read-only; `out` is the one folder that it writes.
# usage: qemu OUT_FOLDER SERIAL : both serial ports: SERIAL for the console, fifos for `control`.
qemu() {
    local out=$1 serial=$2 screen=() processors timekeeping
    set_clock
    [ "$display" = no ] || screen=(-vga std -chardev "pipe,id=monitor,path=$out/monitor" -mon chardev=monitor)
    exec qemu-system-x86_64 \
        -machine pc,i8042=off "${processors[@]}" -cpu max -m 1024 \
        -nodefaults -no-user-config -display none -no-reboot \
        -kernel "$kernel/vmlinux" -initrd "$initramfs" \
        -append "console=ttyS0 quiet panic=-1 reboot=triple mitigations=off random.trust_cpu=on preempt=full \
$without clock=$clock $timekeeping" \
        -serial "$serial" \
        -chardev "pipe,id=control,path=$out/control" -serial chardev:control \
        -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap \
        -virtfs "local,path=$out,mount_tag=out,security_model=none" \
        -drive "file=$out/disk.img,format=raw,if=virtio,cache=unsafe" "${screen[@]}"
}

# prepare_machine : everything that a boot needs; leaves `kernel` and `initramfs`.
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

# read_disk OUT_FOLDER : the data disk's files as they would be found after the journal's replay,
# in OUT_FOLDER/data. Without mounting, so that nobody needs to be root.
read_disk() {
    rm -rf "$1/data"
    mkdir -p "$1/data"
    # 0: clean, 1: errors corrected, which a power cut excuses.
    e2fsck -p "$1/disk.img" >"$1/fsck.log" 2>&1 || [ $? = 1 ] || return 1
    debugfs -R "rdump / \"$1/data\"" "$1/disk.img" >"$1/debugfs.log" 2>&1
    rmdir "$1/data/lost+found" 2>/dev/null || true
}

# write_settings OUT_FOLDER PART : what the machine inside reads first of all.
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
SETTINGS
}

# make_fifos OUT_FOLDER : the second serial port and the monitor, as QEMU's pipe wants them.
make_fifos() {
    rm -f "$1"/{control,monitor}.{in,out}
    mkfifo "$1"/{control,monitor}.{in,out}
}
