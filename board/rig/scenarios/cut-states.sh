# The power is cut in 40 ways for each format and card model during takes, and nothing that was promised is lost.
# `make power-cuts` tries 5,000.

formats='mov aiff caf wav' take_seconds=6 split_seconds=5
mkfs_options='-O bigalloc,^orphan_file -C 4194304'
. "$checkout/board/rig/cuts/session.sh"

afterwards_second_boot() {
    "$here/cuts/check" "$out" --states 40 --jobs 1 || fail "a promise was not kept: afterwards_second_boot.log"
}
