# No accelerometer answers on the bus: one clear line reports it, and takes are not rotated.

accelerometer=none

inside() {
    start_recorder
    take_for 4
    stop_recorder
}

afterwards() {
    local take
    expect_said_once accelerometer
    take=$(the_take video mov)
    expect_together "$take"
    expect_at_least "seconds" "$(seconds_of "$take")" 4
    expect "turn" "$(clockwise_turn "$take")" 0
}
