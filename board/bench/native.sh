# Sourced by board/bench/run: runs the same raw pictures through the recorder's encoder and storage worker, and through
# ffmpeg, each on one thread of this machine.

# Built together with the firmware, from its modules and with its flags.
record_pictures=$checkout/build/.swift-host/release/record-pictures

# make_pictures WIDTH HEIGHT RATE COUNT : a moving picture with fine noise like a real sensor's.
make_pictures() {
    local file=$build/$1x$2.yuv
    [ ! -s "$file" ] || return 0
    ffmpeg -v error -y -f lavfi -i "mandelbrot=s=$1x$2:r=$3,noise=alls=8:allf=t:all_seed=7,format=yuv420p" \
        -frames:v "$4" -f rawvideo "$file.new"
    mv "$file.new" "$file"
}

# measure_pictures WIDTH HEIGHT RATE COUNT ZOOM : one line of `key=value`. ffmpeg uses the quality with the nearest
# PSNR.
measure_pictures() {
    local file=$build/$1x$2.yuv takes=$build/takes ours theirs
    ours=$(cheapest "$record_pictures" "$1" "$2" "$3" $quality "$file" "$takes" "$5")
    take=$(find "$takes" -name '*.mov' | head -n 1)
    [ "$(frames_in "$take")" = "$4" ] || { echo "bench: pictures are missing in $take" >&2; return 1; }
    local wanted best=99 q difference psnr ffmpeg_q ffmpeg_psnr bytes
    bytes=$(stat -c %s "$take")
    wanted=$(psnr_of "$take" "$@")
    for q in 2 2.5 3 3.5 4 5 6; do
        with_ffmpeg "$q" "$@"
        psnr=$(psnr_of "$build/ffmpeg.mov" "$@")
        difference=$(awk "BEGIN { d = $psnr - $wanted; print d < 0 ? -d : d }")
        if awk "BEGIN { exit !($difference < $best) }"; then
            best=$difference ffmpeg_q=$q ffmpeg_psnr=$psnr
        fi
    done
    theirs=$(cheapest with_ffmpeg "$ffmpeg_q" "$@")
    echo "size=$1x$2 frames=$4 zoom=$5 ours=$ours ffmpeg=$theirs psnr=$wanted ffmpeg_q=$ffmpeg_q" \
        "ffmpeg_psnr=$ffmpeg_psnr bytes=$bytes ffmpeg_bytes=$(stat -c %s "$build/ffmpeg.mov")"
}

with_ffmpeg() {
    ffmpeg -v error -y -threads 1 -filter_threads 1 -f rawvideo -pix_fmt yuv420p -s "$2x$3" -r "$4" \
        -i "$build/$2x$3.yuv" -vf "$(zoom "$2" "$3" "$6" bilinear)" -threads 1 -c:v mjpeg -q:v "$1" "$build/ffmpeg.mov"
}

# zoom WIDTH HEIGHT FACTOR FLAGS : ffmpeg's filters for the middle of a picture, scaled to its full size.
zoom() {
    if [ "$3" = 1 ]; then echo null; else echo "crop=iw/$3:ih/$3,scale=$1:$2:flags=$4"; fi
}

# cheapest COMMAND... : the least processor seconds (user and system) of three runs: other load only adds to them.
cheapest() {
    local TIMEFORMAT='%U %S'
    for _ in 1 2 3; do
        rm -rf "$build/takes"
        { time "$@" 2>&3; } 2>&1 >/dev/null
    done 3>&2 | awk '{ spent = $1 + $2 } NR == 1 || spent < least { least = spent } END { print least }'
}

# measure_start : milliseconds from exec to the line that says armed, simulated board in real time; the median of 9.
measure_start() {
    local begin line
    for _ in 1 2 3 4 5 6 7 8 9; do
        rm -rf "$build/start"
        begin=$(date +%s%N)
        coproc recorder {
            XDG_STATE_HOME=/dev/null exec "$checkout/build/host/fieldcorder" --board sim --config /dev/null \
                --data "$build/start" --console stdio
        }
        while read -r line && [[ $line != '* armed'* ]]; do :; done <&"${recorder[0]}"
        echo $((($(date +%s%N) - begin) / 1000000))
        # Both in one group: the shell forgets the coprocess's descriptors as soon as it ends.
        { echo quit && cat <&"${recorder[0]}" >/dev/null; } >&"${recorder[1]}"
        wait
    done | sort -n | sed -n 5p
}

# measure_first_sound : milliseconds from exec to the first sound in the simulated speaker's file, with `prepare` and
# `play` of a WAV as the first commands; in real time; the median of 9.
measure_first_sound() {
    local begin folder=$build/sound
    printf '[record]\narm = press\nwhat = audio\n[sim]\nspeaker_file = heard.raw\n' >"$build/sound.conf"
    ffmpeg -v error -y -f lavfi -i sine=duration=5:sample_rate=48000 -ac 2 "$build/sine.wav"
    for _ in 1 2 3 4 5 6 7 8 9; do
        rm -rf "$folder"
        mkdir -p "$folder/music"
        cp "$build/sine.wav" "$folder/music/"
        begin=$(date +%s%N)
        coproc recorder {
            XDG_STATE_HOME=/dev/null exec "$checkout/build/host/fieldcorder" --board sim --config "$build/sound.conf" \
                --data "$folder" --console stdio
        }
        printf 'prepare music/sine.wav\nplay\n' >&"${recorder[1]}"
        until [ -s "$folder/heard.raw" ] || [ $(($(date +%s%N) - begin)) -gt 5000000000 ]; do sleep 0.005; done
        echo $((($(date +%s%N) - begin) / 1000000))
        { echo quit && cat <&"${recorder[0]}" >/dev/null; } >&"${recorder[1]}"
        wait
    done | sort -n | sed -n 5p
}

frames_in() {
    ffprobe -v error -select_streams v -show_entries stream=nb_frames -of default=nw=1:nk=1 "$1"
}

# psnr_of FILE WIDTH HEIGHT RATE COUNT ZOOM : decibels, the mean over pictures and planes, matched by number, not by
# time; zoomed pictures are compared with ffmpeg's exactly rounded zoom of the raw ones.
psnr_of() {
    ffmpeg -v info -i "$1" -f rawvideo -pix_fmt yuv420p -s "$2x$3" -r "$4" -i "$build/$2x$3.yuv" -lavfi \
        "[0:v]scale=out_range=tv,format=yuv420p,settb=1/$4,setpts=N[a];[1:v]$(zoom "$2" "$3" "$6" bilinear+accurate_rnd),settb=1/$4,setpts=N[b];[a][b]psnr" \
        -f null - 2>&1 | sed -n 's/.*PSNR.*average:\([0-9.]*\).*/\1/p'
}
