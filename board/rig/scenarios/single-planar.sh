# The hardware encoder with the kernel's older interface, in which a buffer has no list of planes: a take of copied
# pictures and one of shared ones, checked as in hardware-encoder.sh, which uses the newer interface.

. "$checkout/board/rig/scenarios/hardware-encoder.sh"

encoder=single-planar
streams='copied:360 shared:480'

inside() {
    record_copied_and_shared
    stop_recorder
}

afterwards() {
    local takes
    mapfile -t takes < <(takes_in_order video mov)
    expect "takes" "${#takes[@]}" 2
    expect_coded "${takes[0]}" "$out/copied"
    expect_coded "${takes[1]}" "$out/shared"
}
