# Sourced on the host: the checks of a scenario's `afterwards` on the takes from the rig.
# Media are read by third-party programs.

# fail WHY : ends the check, even from within $(…): `run` takes the first reason.
fail() {
    trap - ERR
    echo "failed: $*" >&3
    exit 1
}

# expect WHAT ACTUAL EXPECTED
expect() { [ "$2" = "$3" ] || fail "$1: $2 instead of $3"; }

# expect_at_least, expect_at_most WHAT ACTUAL LIMIT : accept decimal fractions.
expect_at_least() { compare "$2 >= $3" || fail "$1: $2, less than $3"; }
expect_at_most() { compare "$2 <= $3" || fail "$1: $2, more than $3"; }
# expect_near WHAT ACTUAL LIMIT : at most LIMIT away from 0 in either direction; accepts arithmetic.
expect_near() {
    compare "($2) <= $3 && ($2) >= -($3)" \
        || fail "$1: $(awk "BEGIN { print $2 }"), more than $3"
}
compare() { awk "BEGIN { exit !($1) }"; }

# make_noise FILE SEED SECONDS [FFMPEG_OPTION...] : stereo noise at 48 kHz in FILE's format, which never repeats, even
# across seeds.
make_noise() {
    local file=$1 left="anoisesrc=seed=$2:d=$3" right="anoisesrc=seed=$(($2 + 1000)):d=$3"
    shift 3
    ffmpeg -v error -y -filter_complex "$left:r=48000:a=0.5[l];$right:r=48000:a=0.5[r];[l][r]amerge" "$@" "$file"
}

# takes_in_order FOLDER EXTENSION : the takes' paths, by take number.
takes_in_order() { find "$data" -path "$data/$1/*.$2" | sed 's/.*-\([0-9]*\)\.[a-z]*$/\1 &/' | sort -n | cut -d' ' -f2-; }

# the_take FOLDER EXTENSION : the path of the only take of that kind.
the_take() {
    local takes
    mapfile -t takes < <(takes_in_order "$1" "$2")
    [ ${#takes[@]} = 1 ] || fail "${#takes[@]} takes instead of one in $1/, *.$2"
    echo "${takes[0]}"
}

# the_only_file : the path of the only take of any kind.
the_only_file() {
    local takes
    mapfile -t takes < <(find "$data" -path "$data/*/*/*" -type f)
    [ ${#takes[@]} = 1 ] || fail "${#takes[@]} takes instead of one"
    echo "${takes[0]}"
}

# stream_field TAKE v|a FIELD : as ffprobe prints it.
stream_field() { ffprobe -v error -select_streams "$2" -show_entries "stream=$3" -of default=nw=1:nk=1 "$1"; }

# count_packets TAKE v|a : the packets in the file.
count_packets() {
    ffprobe -v error -select_streams "$2" -count_packets -show_entries stream=nb_read_packets \
        -of default=nw=1:nk=1 "$1"
}

count_streams() { stream_field "$1" "$2" index | wc -l; }

seconds_of() { ffprobe -v error -show_entries format=duration -of default=nw=1:nk=1 "$1"; }

# clockwise_turn TAKE : the degrees by which a player rotates the picture clockwise; ffprobe counts the other way.
clockwise_turn() {
    local counterclockwise
    counterclockwise=$(ffprobe -v error -select_streams v -show_entries stream_side_data=rotation \
        -of default=nw=1:nk=1 "$1")
    echo $(((360 - ${counterclockwise:-0}) % 360))
}

# expect_together TAKE : picture and sound start within one frame of each other.
expect_together() {
    local video audio rate
    video=$(stream_field "$1" v start_time)
    audio=$(stream_field "$1" a start_time)
    rate=$(stream_field "$1" v r_frame_rate)
    expect_at_most "seconds from sound to picture" \
        "$(awk "BEGIN { d = $video - $audio; print d < 0 ? -d : d }")" "1 / ($rate)"
}

# expect_same_length TAKE RATE : picture and sound end within one frame of each other.
expect_same_length() {
    local difference
    difference=$(awk "BEGIN { d = $(stream_field "$1" v duration) - $(stream_field "$1" a duration); print d < 0 ? -d : d }")
    expect_at_most "seconds from the end of sound to that of the picture" "$difference" "1 / $2"
}

# expect_every_frame TAKE RATE : as many pictures as a camera of that rate delivers in the take's length; the first and
# the last may be partial.
expect_every_frame() {
    local frames seconds
    frames=$(stream_field "$1" v nb_frames)
    seconds=$(stream_field "$1" v duration)
    # One at an end for the phase of the camera, one for the emulated machine's lateness there.
    expect_at_least "frames in $seconds s" "$frames" "$seconds * $2 - 2"
    expect_at_most "frames in $seconds s" "$frames" "$seconds * $2 + 2"
}

# expect_decodes TAKE : from the first frame to the last without an error. Uses the file's own time base: with the one
# that ffmpeg derives from its guess of the frame rate, two frames of a camera with jitter can share a timestamp.
expect_decodes() {
    local complaints
    complaints=$(ffmpeg -v error -xerror -i "$1" -enc_time_base -1 -f null - 2>&1) || fail "does not decode: $complaints"
    [ -z "$complaints" ] || fail "decodes with complaints: $complaints"
}

# difference PICTURE PICTURE : the mean, 0 to 1; ImageMagick fails if there is any.
difference() {
    { command compare -metric MAE "$1" "$2" null: 2>&1 || true; } | sed 's|.*(||; s|).*||'
}

# pixel PICTURE X Y : its red, green and blue.
pixel() { convert "$1" -crop "1x1+$2+$3" -depth 8 rgb:- | od -An -tu1 | xargs; }

# expect_said_once TEXT : exactly one line of the recorder's output contains TEXT.
expect_said_once() {
    expect "lines about $1" "$(cat "$out/recorder.out" "$out/recorder.err" | grep -c -i -F "$1")" 1
}

# expect_heard TAKE PLAYED SECONDS : PLAYED contains the last SECONDS of TAKE, without the final half second, sample for
# sample.
expect_heard() {
    local bytes_a_second=$((48000 * 2 * 2))
    raw_samples "$1" >"$out/heard.raw"
    raw_samples "$2" >"$out/played.raw"
    end_stands_in "$out/heard.raw" "$out/played.raw" $(($3 * bytes_a_second)) $((bytes_a_second / 2)) \
        || fail "$1 differs from what was played"
}

# raw_samples FILE : 16-bit little-endian stereo.
raw_samples() { ffmpeg -v error -i "$1" -f s16le -ac 2 -; }

# expect_sounded RECORDING FILE : the speaker's output (raw, as from listen_to_speaker) contains all of FILE, in one
# piece and sample for sample.
expect_sounded() {
    raw_samples "$2" >"$2.raw"
    stretches "$1" "$2.raw" | awk -v frames=$(($(stat -c %s "$2.raw") / 4)) '
        { print }
        $2 == 0 && $3 == frames { whole = 1 }
        END { exit !whole }' || fail "$(basename "$2") did not sound as it is"
}

# expect_goes_on RECORDING FILE SECONDS [PIECES] : FILE was played from its first sample to its last in PIECES (2 by
# default) or more pieces, each of which begins where the previous one ended, within SECONDS.
expect_goes_on() {
    local frames pieces piece first last=0
    raw_samples "$2" >"$2.raw"
    frames=$(($(stat -c %s "$2.raw") / 4))
    mapfile -t pieces < <(stretches "$1" "$2.raw")
    printf '%s\n' "${pieces[@]}"
    expect_at_least "pieces of $(basename "$2")" "${#pieces[@]}" "${4:-2}"
    read -r _ first _ <<<"${pieces[0]}"
    expect "the first frame heard" "$first" 0
    for piece in "${pieces[@]}"; do
        read -ra piece <<<"$piece"
        expect_near "seconds between two pieces" "(${piece[1]} - $last) / 48000" "$3"
        last=$((piece[1] + piece[2]))
    done
    expect "the last frame heard" "$last" "$frames"
}

# stretches RECORDING FILE : where raw frames of FILE occur in RECORDING, in the order of RECORDING: for each piece a
# line with its frame, FILE's frame and the count of equal frames. FILE must never repeat itself; noise does not.
stretches() {
    perl -e 'local $/; my ($recording, $file) = map { open my $f, "<:raw", $_ or die; <$f> } @ARGV;
        my ($frame, $key, %place) = (4, 32);
        for (my $there = 0; $there + $key <= length $file; $there += $frame) { $place{substr $file, $there, $key} = $there }
        for (my $here = 0; $here + $key <= length $recording; ) {
            my $there = $place{substr $recording, $here, $key};
            if (!defined $there) { $here += $frame; next }
            (substr($recording, $here) ^ substr($file, $there)) =~ /^\0*/;
            my ($agree) = sort { $a <=> $b } $+[0], length($recording) - $here, length($file) - $there;
            $agree -= $agree % $frame;
            printf "%d %d %d\n", $here / $frame, $there / $frame, $agree / $frame;
            $here += $agree;
        }' "$1" "$2"
}

# end_stands_in FILE OTHER LENGTH SPARE : in bytes.
end_stands_in() {
    perl -e 'local $/; my ($file, $other) = map { open my $f, "<:raw", $_ or die; <$f> } splice @ARGV, 0, 2;
        my ($length, $spare) = @ARGV;
        exit(length $file >= $length + $spare
            && index($other, substr($file, -$length - $spare, $length)) >= 0 ? 0 : 1)' "$@"
}
