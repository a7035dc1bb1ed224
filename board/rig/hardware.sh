# Sourced inside the rig: the simulated hardware, and functions that press, rotate and unplug it. The drivers are the
# kernel's own, so the recorder sees real hardware.

gpio_lines=54 # as many as a Raspberry Pi's bank has, so that the pins' numbers are real
gpio_sim=/sys/kernel/config/gpio-sim/fieldcorder
line_folder=/sys/devices/platform/gpio-sim.0/gpiochip0
i2c_bus=0

# pin buttons|leds NAME : the line's number, from the recorder's own configuration.
pin() {
    local number
    number=$(awk -v section="[$1]" -v key="$2" \
        '/^\[/ { inside = $0 == section } inside && $1 == key { print $3 }' "$configuration")
    [ -n "$number" ] || fail "no $2 under [$1] in $configuration"
    echo "$number"
}

solder_gpio() {
    mkdir -p "$gpio_sim/bank"
    echo "$gpio_lines" >"$gpio_sim/bank/num_lines"
    echo 1 >"$gpio_sim/live"
    local button
    # Buttons pull to ground: released, the line is high.
    for button in prepare play stop record zoom rotate; do
        release "$button"
    done
}

# hold BUTTON, release BUTTON, press BUTTON [MILLISECONDS]
hold() { pull "$(pin buttons "$1")" down; }
release() { pull "$(pin buttons "$1")" up; }
# No process is started while the button is down: on a busy machine that can take as long as a long press.
press() {
    local line
    line=$(pin buttons "$1") || return
    pull "$line" down
    pause_milliseconds "${2:-80}"
    pull "$line" up
}

# pull LINE up|down
pull() { echo "pull-$2" >"$line_folder/sim_gpio$1/pull"; }

# free_camera_of_load : gives vivid's streaming thread the highest priority. A real camera does not miss pictures
# because the machine is busy; vivid on an ordinary thread does.
free_camera_of_load() {
    local folder name
    for folder in /proc/[0-9]*; do
        read -r name 2>/dev/null <"$folder/comm" || continue
        [[ $name != vivid-* ]] || chrt --fifo --pid 90 "${folder#/proc/}"
    done
}

# led NAME : prints on or off, the line's present level.
led() {
    local line
    line=$(pin leds "$1") || return
    case $(cat "$line_folder/sim_gpio$line/value") in
        1) echo on ;;
        *) echo off ;;
    esac
}
led_is() { [ "$(led "$1")" = "$2" ]; }

# fit_accelerometer mpu6050|adxl345|lis3dh|none : only the fitted chip has its identity.
fit_accelerometer() {
    [ "$accelerometer" != none ] || return 0 # then boot has left them off the bus
    write_registers 0x68 0x75 0
    write_registers 0x53 0x00 0
    write_registers 0x18 0x0f 0
    case $1 in
        mpu6050) write_registers 0x68 0x75 0x68 ;;
        adxl345) write_registers 0x53 0x00 0xe5 ;;
        lis3dh) write_registers 0x18 0x0f 0x33 ;;
        none) ;;
        *) fail "no such accelerometer: $1" ;;
    esac
    accelerometer_fitted=$1
}

# tilt POSITION : the chip's reading at rest, in thousandths of g: a vector that points up.
# The axes are those of the board with the picture upright: x to the right, y up, z out of the display. In portrait the
# device is rotated clockwise, seen from behind, so that x points down.
tilt() {
    case $1 in
        landscape-left) accelerate 0 1000 0 ;;
        portrait) accelerate -1000 0 0 ;;
        landscape-right) accelerate 0 -1000 0 ;;
        portrait-upside-down) accelerate 1000 0 0 ;;
        face-up) accelerate 0 0 1000 ;;
        face-down) accelerate 0 0 -1000 ;;
        *) fail "no such position: $1" ;;
    esac
}

# accelerate X Y Z : in thousandths of g, in the fitted chip's registers, range and byte order.
accelerate() {
    case $accelerometer_fitted in
        mpu6050) write_axes 0x68 0x3b big 16384 "$@" ;;
        adxl345) write_axes 0x53 0x32 little 256 "$@" ;;
        lis3dh)
            write_axes 0x18 0x28 little 16000 "$@"
            # The real chip increments the register only when bit 7 of the address is set; to i2c-stub that is another
            # register.
            write_axes 0x18 0xa8 little 16000 "$@"
            ;;
        *) fail "no accelerometer is fitted" ;;
    esac
}

# write_axes ADDRESS REGISTER big|little UNITS_PER_G X Y Z
write_axes() {
    local address=$1 register=$2 order=$3 units=$4 axis value bytes=()
    shift 4
    for axis in "$@"; do
        value=$(((axis * units / 1000) & 0xffff))
        case $order in
            big) bytes+=($((value >> 8)) $((value & 255))) ;;
            little) bytes+=($((value & 255)) $((value >> 8))) ;;
        esac
    done
    write_registers "$address" "$register" "${bytes[@]}"
}

# fit_gauge max17048|ina226|ina219|none : only the fitted chip has its identity.
fit_gauge() {
    write_word 0x36 0x08 0
    write_word 0x40 0xff 0
    write_word 0x40 0x00 0
    case $1 in
        max17048) write_word 0x36 0x08 0x0012 ;;
        ina226) write_word 0x40 0xff 0x2260 ;;
        ina219) write_word 0x40 0x00 0x399f ;;
        none) ;;
        *) fail "no such gauge: $1" ;;
    esac
    gauge_fitted=$1
}

# discharge MICROVOLTS MICROAMPERES PERCENT : what the fitted gauge measures; the current across 100 mΩ.
discharge() {
    case $gauge_fitted in
        max17048)
            write_word 0x36 0x02 $(($1 * 1000 / 78125))
            write_word 0x36 0x04 $(($3 * 256))
            ;;
        ina226)
            write_word 0x40 0x02 $(($1 / 1250))
            write_word 0x40 0x01 $((($2 / 25) & 0xffff))
            ;;
        ina219)
            write_word 0x40 0x02 $((($1 / 4000) << 3))
            write_word 0x40 0x01 $((($2 / 100) & 0xffff))
            ;;
        *) fail "no gauge is fitted" ;;
    esac
}

# write_word ADDRESS REGISTER VALUE : 16 bits, of which such chips send the high byte first, and SMBus the low one.
write_word() { i2cset -y "$i2c_bus" "$1" "$2" $((($3 >> 8 & 0xff) | ($3 & 0xff) << 8)) w; }

# write_registers ADDRESS REGISTER BYTE... : in one transfer, so that no reading mixes old and new values.
write_registers() { i2cset -y "$i2c_bus" "$@" i; }

# Unplugging unbinds the device from its driver, as the kernel does when a cable is pulled. Unbinding a sound card waits
# until the last program has closed it, so it runs in the background.
unplug_camera() { echo vivid.0 >/sys/bus/platform/drivers/vivid/unbind; }
plug_camera() { echo vivid.0 >/sys/bus/platform/drivers/vivid/bind; }
unplug_encoder() { echo vicodec.0 >/sys/bus/platform/drivers/vicodec/unbind; }
unplug_microphone() { echo snd_aloop.0 >/sys/bus/platform/drivers/snd_aloop/unbind & }
plug_microphone() { echo snd_aloop.0 >/sys/bus/platform/drivers/snd_aloop/bind; }

# show_pattern NAME : vivid's test pattern, without its text overlay; selecting another input resets it.
show_pattern() {
    v4l2-ctl -d /dev/video0 --set-ctrl osd_text_mode=2 --set-ctrl test_pattern="$(pattern_number "$1")"
}
pattern_number() {
    v4l2-ctl -d /dev/video0 --list-ctrls-menus | awk -v name="$1" '
        /^ *[a-z_]+ 0x/ { here = $1 == "test_pattern" }
        here && index($0, ": " name) { sub(/:.*/, ""); print $1 }'
}

# play_into_microphone FILE : starts playing at the loopback's other side, and returns at once. Both sides must have the
# same format: the recorder chooses it, so it must be running, and plughw follows.
play_into_microphone() {
    aplay -q -D plughw:0,0 "$1" &
    player_pid=$!
}
stop_playing() {
    kill "$player_pid" 2>/dev/null || true # it may have ended already
    wait "$player_pid" || true
}

# The speaker is the second loopback card: what a program plays to hw:1,0 is captured at hw:1,1.
speaker_status=/proc/asound/card1/pcm0p/sub0/status
listener_status=/proc/asound/card1/pcm1c/sub0/status
unplug_speaker() { echo snd_aloop.1 >/sys/bus/platform/drivers/snd_aloop/unbind & }
plug_speaker() { echo snd_aloop.1 >/sys/bus/platform/drivers/snd_aloop/bind; }

# The format of all programs in the rig: at this rate the loopback moves whole frames with each jiffy.
speaker_format=(-t raw -f S16_LE -r 48000 -c 2)

# listen_to_speaker FILE : from now on records what the speaker plays, sample for sample, and silence in between. The
# loopback does not convert, so both sides must have the same format, which the first to open chooses. When a player
# drains its buffer, Linux 6.1's loopback corrupts the end: silence must follow what is compared.
listen_to_speaker() {
    arecord -q -D hw:1,1 "${speaker_format[@]}" --buffer-time=2000000 --period-time=20000 "$1" &
    listener_pid=$!
    wait_until sounds "$listener_status"
}
stop_listening() {
    pause_milliseconds 200 # whole periods are written
    kill "$listener_pid" 2>/dev/null || true # it ends when the card is unplugged
    wait "$listener_pid" || true
}

# hold_speaker, release_speaker : another program keeps the card open without playing.
hold_speaker() {
    aplay -q -D hw:1,0 "${speaker_format[@]}" /dev/zero &
    holder_pid=$!
    wait_until sounds "$speaker_status"
}
release_speaker() {
    kill "$holder_pid"
    wait "$holder_pid" || true
}

# sounds STATUS_FILE : whether samples are moving.
sounds() { grep -q RUNNING "$1" 2>/dev/null; }

# started_at STATUS_FILE : when samples began to move, in nanoseconds of the kernel's monotonic clock.
started_at() { awk '/^trigger_time/ { sub(/\./, "", $2); print $2 }' "$1"; }

# cut_power : the host kills the machine immediately; nothing after it runs.
cut_power() {
    give_back
    echo cut-power >/dev/ttyS1
    sleep 600
    fail "the power stayed on"
}

# report_recorded SECONDS : to the host, which counts the reports: see kill_after_reports in `run`.
report_recorded() { echo "recorded $1" >/dev/ttyS1; }

# Whatever takes longer than this many seconds hangs. Promises are judged by `within`, or by the recording: a program's
# first start reads the host's disk, and that time counts five times in the rig.
hang_seconds=150

# wait_until COMMAND... : until the command succeeds.
wait_until() { within "$hang_seconds" "$@"; }

# within SECONDS COMMAND... : until the command succeeds, which must be within SECONDS.
within() {
    local deadline=$((SECONDS + $1)) limit=$1
    shift
    until "$@"; do
        [ $SECONDS -lt $deadline ] || fail "not within $limit s: $*"
        pause_milliseconds 50
    done
}

# Sleeps without starting a process, which takes long on the rig's slow processor.
pause_milliseconds() {
    local seconds
    printf -v seconds '%d.%03d' $(($1 / 1000)) $(($1 % 1000))
    read -r -t "$seconds" <>"$never" || true
}

# look_at_display NAME : a screenshot of the display, in the scenario's folder as NAME.ppm.
look_at_display() {
    local picture=$host_out/$1.ppm width height tries=0
    rm -f "$picture"
    echo "screendump $1" >/dev/ttyS1
    until { read -r && read -r width height; } 2>/dev/null <"$picture" &&
        [ "$(stat --format %s "$picture")" -gt $((width * height * 3)) ]; do
        [ $((tries += 1)) -lt 600 ] || fail "no picture of the display within 60 s"
        pause_milliseconds 100
    done
}

# unplug_display, plug_display : the cable, as a real display's driver sees it.
unplug_display() { echo off >"$(display_connector)/status"; }
plug_display() { echo on >"$(display_connector)/status"; }
display_connector() { echo /sys/class/drm/card0-*; }

# hold_display, release_display : another program becomes the display's master: to the kernel, the first one that opens
# the card.
hold_display() {
    sleep infinity <>/dev/dri/card0 &
    display_holder_pid=$!
    wait_until test "/proc/$display_holder_pid/fd/0" -ef /dev/dri/card0
}
release_display() {
    kill "$display_holder_pid"
    wait "$display_holder_pid" || true
}
