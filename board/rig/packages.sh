# Sourced by the rig's scripts: brings in missing Debian packages.

# need_packages PACKAGE... : installs those that are missing, and says so first.
need_packages() {
    missing=
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q ' installed$' \
            || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0

    as_root=
    [ "$(id -u)" = 0 ] || as_root=sudo
    echo "installing through apt:$missing" >&2
    # Another apt may be at work: wait for its lock rather than fail.
    # shellcheck disable=SC2086 # a list of words is meant
    $as_root apt-get -o DPkg::Lock::Timeout=900 update -qq >&2 \
        && DEBIAN_FRONTEND=noninteractive $as_root apt-get -o DPkg::Lock::Timeout=900 \
            install -y -qq --no-install-recommends $missing >&2
}
