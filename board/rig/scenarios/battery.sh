# Each gauge is found and read through the kernel's I2C stack; a take is finished when the battery is nearly empty, and
# nonsense ends none.

camera=no
limit_seconds=400

inside() {
    configure record what audio
    configure power warn_volts 3.5
    configure power finish_volts 3.3
    configure power cells 1
    expect_gauge ina226 'INA226 0x40' 0.250
    expect_gauge ina219 'INA219 0x40' 0.250
    expect_gauge max17048 'MAX17048 0x36' null
    empty_during_a_take
    say_nonsense_during_a_take
    expect_no_heap
    stop_recorder
}

# expect_gauge CHIP NAME AMPERES : the recorder, which the last one leaves running, says what the chip measures.
expect_gauge() {
    leave_last_recorder
    fit_gauge "$1"
    discharge 3840000 250000 71
    start_recorder
    wait_for_line "* battery found: $2, 3.840 V"
    expect "$1: gauge" "$(status battery.gauge)" "$2"
    expect "$1: volts" "$(status battery.volts)" 3.840
    expect "$1: amperes" "$(status battery.amperes)" "$3"
    expect "$1: state" "$(status battery.state)" good
}
leave_last_recorder() { [ -z "$recorder_pid" ] || stop_recorder; }

# Falling by a few units at a time: a gauge that sticks is not believed.
empty_during_a_take() {
    local microvolts=3290000 deadline=$((SECONDS + hang_seconds))
    expect "percent" "$(status battery.percent)" 71.0
    wait_for_state armed
    press record 200
    wait_for_state recording
    until [ "$(status state)" = armed ]; do
        [ $SECONDS -lt $deadline ] || fail "the take goes on"
        microvolts=$((microvolts - 500))
        discharge $microvolts 250000 3
        pause_milliseconds 2000
    done
    wait_for_line '* battery nearly empty: the take is finished now'
    expect "state" "$(status battery.state)" empty
    expect_led fault on
    expect "a take of an empty battery" "$(expect_error 'record start')" 'the battery is below [power] finish_volts'
}

say_nonsense_during_a_take() {
    discharge 0 0 0
    wait_for_line '* battery MAX17048 0x36 reports a voltage that no battery has'
    take_for 20
}

afterwards() {
    local takes
    mapfile -t takes < <(find "$data/audio" -type f)
    expect "takes" "${#takes[@]}" 2
    # Of the take that was finished: at its beginning and its end.
    strings "${takes[@]}" >"$out/ledgers"
    grep -q 'battery: 3.840 V, 71 %' "$out/ledgers" || fail "no ledger has the battery at the take's beginning"
    grep -q 'ended by battery' "$out/ledgers" || fail "no ledger says why the take ended"
    expect "errors" "$(cat "$out/recorder.err")" ""
}
