# Sourced on the host: what a scenario's `afterwards` says about the takes that the rig left.
# Media are read by programs that the recorder's makers did not write.

# fail WHY : ends the check (run it in a function that `run` called).
fail() {
    trap - ERR
    echo "failed: $*" >&3
    exit 1
}

# expect WHAT ACTUAL EXPECTED
expect() { [ "$2" = "$3" ] || fail "$1: $2 instead of $3"; }

# expect_at_least, expect_at_most WHAT ACTUAL LIMIT : decimal fractions welcome.
expect_at_least() { compare "$2 >= $3" || fail "$1: $2, less than $3"; }
expect_at_most() { compare "$2 <= $3" || fail "$1: $2, more than $3"; }
compare() { awk "BEGIN { exit !($1) }"; }
