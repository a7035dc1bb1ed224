# The live view shows the picture upright, framed and dimmed, and what is recorded; whatever becomes of it, the take is whole.

display=yes

inside() {
    configure view device /dev/dri/card0
    start_recorder
    wait_for_line 'display /dev/dri/card0: 1280 x 800'
    wait_for_state armed
    console 'viewfinder 100 100 200 100'
    pause_milliseconds 3000
    look_at_display armed
    press record 200
    wait_for_state recording
    pause_milliseconds 3000
    look_at_display recording
    kill -STOP "$(view_pid)"
    pause_milliseconds 3000
    kill -CONT "$(view_pid)"
    kill -KILL "$(view_pid)"
    pause_milliseconds 3000
    unplug_display
    wait_for_line 'display /dev/dri/card0 has nothing plugged in'
    plug_display
    pause_milliseconds 3000
    press record 200
    wait_for_state armed
    expect_nothing_lost
    expect_no_heap
    stop_recorder
}

# view_pid : the process that draws.
view_pid() { pgrep -f '^fieldcorder-view '; }

# wait_for_line TEXT : until the recorder has said it.
wait_for_line() { wait_until 20 grep -q -F -- "$1" "$recorder_out"; }

# colour FILE X Y : of a pixel, as red,green,blue.
colour() { convert "$1" -crop "1x1+$2+$3" -depth 8 -format '%[fx:int(255*r+.5)],%[fx:int(255*g+.5)],%[fx:int(255*b+.5)]' info:; }

afterwards() {
    # The dot: letters are 35 pixels high and begin at 15.
    [ "$(colour "$out/recording.ppm" 32 32)" = 224,32,32 ]
    [ "$(colour "$out/armed.ppm" 32 32)" != 224,32,32 ]
}
