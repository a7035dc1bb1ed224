# The card is pulled during a take: the recorder says so, and when it ends it names the take that it could not finish
# and exits with 1. The file on the card can be opened.

inside() {
    local status=0
    start_recorder
    wait_for_state armed
    press record 200
    wait_for_state recording
    pause_milliseconds 5000
    echo "$(basename "$(readlink -f /sys/block/vda/device)")" >/sys/bus/virtio/drivers/virtio_blk/unbind
    wait_for_line '* take video/'
    pause_milliseconds 2000
    kill -TERM "$recorder_pid"
    wait "$recorder_pid" || status=$?
    cat "$recorder_err"
    expect "exit status" "$status" 1
    grep -q 'storage video/.*_0001.mov is not finished: ' "$recorder_err" || fail "it did not name the take"
    leave_recorder
}

afterwards() {
    local take
    take=$(the_take video mov)
    expect_decodes "$take"
    expect_at_least "seconds" "$(seconds_of "$take")" 4
}
