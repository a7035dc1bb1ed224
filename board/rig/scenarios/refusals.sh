# Each fault in the configuration, the wiring or the permissions is reported in one clear line, and whatever still works
# is usable.

inside() {
    cp "$configuration" /run/sound

    configure record prerol_seconds 5
    expect_refusal 2 prerol_seconds preroll_seconds
    restore
    configure loop tick_milliseconds 900
    expect_refusal 2 tick_milliseconds 900
    restore

    # A pin that the chip does not have: no buttons, but the console records.
    configure buttons record 99
    start_recorder
    wait_for_state armed
    expect "lines about the pin" "$(grep -c 'line 99' "$recorder_out")" 1
    console 'record start'
    wait_for_state recording
    console 'record stop'
    wait_for_state armed
    stop_recorder
    restore

    # A user who may only write takes.
    chmod 600 /dev/video0 /dev/gpiochip0 /dev/i2c-0 /dev/snd/*
    as=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
    expect_refusal 1 "$data"
    chown -R nobody "$data"
    start_recorder
    expect "state" "$(status state)" failed
    expect "lines about the missing microphone" "$(grep -c 'microphone hw:0,1 cannot' "$recorder_out")" 1
    for word in /dev/video0 hw:0,1 gpiochip0 /dev/i2c-0 SCHED_FIFO; do
        grep -q "^\* .*$word" "$recorder_out" || fail "no line about $word"
    done
    expect_error 'record start'
    stop_recorder
}

restore() { cp /run/sound "$configuration"; }

afterwards() {
    local take
    take=$(the_take video mov)
    expect_decodes "$take"
}
