# Without a camera the display belongs to the player: it shows the artwork of the current file, not of the previous one.

camera=no
microphone=no
display=yes

before() {
    make_noise "$out/plain.flac" 1 20 -sample_fmt s16
    cp "$out/plain.flac" "$out/covered.flac"
    convert -size 300x300 xc:red "$out/cover.png"
    metaflac --import-picture-from="$out/cover.png" "$out/covered.flac"
}

inside() {
    copy_music plain.flac covered.flac
    configure view device /dev/dri/card0
    start_recorder
    wait_for_line 'display /dev/dri/card0: 1280 x 800'
    show covered
    show plain
    show covered again
    stop_recorder
}

# show NAME [AGAIN] : opens a file and looks at the display.
show() {
    console "prepare music/$1.flac"
    wait_for_player prepared
    pause_milliseconds 3000
    look_at_display "$1${2:-}"
}

afterwards() {
    expect "the artwork" "$(pixel "$out/covered.ppm" 260 400)" "255 0 0"
    expect "the artwork's border" "$(pixel "$out/covered.ppm" 16 400)" "255 0 0"
    [ "$(pixel "$out/plain.ppm" 16 400)" != "255 0 0" ] || fail "a file without artwork has that of the one before"
    expect "the artwork, again" "$(pixel "$out/coveredagain.ppm" 260 400)" "255 0 0"
}
