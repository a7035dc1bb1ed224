# A take stores how the recorder was held when it started, with every accelerometer.

disk_mebibytes=256
limit_seconds=400

chips='mpu6050 adxl345 lis3dh'
positions='landscape-left portrait landscape-right portrait-upside-down'

inside() {
    local chip position
    configure video frame_rate 5
    for chip in $chips; do
        fit_accelerometer "$chip"
        start_recorder
        for position in $positions; do
            tilt "$position"
            wait_for_orientation "$position"
            take_for 1
        done
        stop_recorder
    done
}

# Degrees by which a player rotates the picture clockwise. Landscape-left is the camera's own upright; from there the
# device is rotated clockwise, seen from behind, in steps of 90°.
turn_for() {
    case $1 in
        landscape-left) echo 0 ;;
        portrait) echo 90 ;;
        landscape-right) echo 180 ;;
        portrait-upside-down) echo 270 ;;
    esac
}

afterwards() {
    local chip position takes
    mapfile -t takes < <(takes_in_order video mov)
    expect "takes" "${#takes[@]}" 12
    for chip in $chips; do
        for position in $positions; do
            expect "$chip, $position: turn" "$(clockwise_turn "${takes[0]}")" "$(turn_for "$position")"
            takes=("${takes[@]:1}")
        done
    done
}
