# Packages of the release in `packages`, whatever the host runs. Sourced; `work` is its scratch folder, `here` this one.

release=$(sed -n 's/^release //p' "$here/packages")
components=$(sed -n 's/^components //p' "$here/packages")

# named WHAT : the packages of the lines that begin with WHAT.
named() { sed -n "s/^$1 //p" "$here/packages" | tr ' ' '\n'; }

. "$here/../packages/own-apt.sh"

# sources ARCHITECTURE : the lines of apt's sources.
sources() {
    local archives address label suites suite
    archives=$(host_archives "$work/host")
    while read -r label address; do
        suites=("$release" "$release-updates")
        [[ $label != Debian-Security ]] || suites=("$release-security")
        for suite in "${suites[@]}"; do
            echo "deb [arch=$1 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $address $suite $components"
        done
    done <<<"$archives"
}

# apt_for ARCHITECTURE ARGUMENT...
apt_for() { own_apt "$work/$1" "$@"; }

# prepare ARCHITECTURE : fetches the package lists.
prepare() {
    sources "$1" | prepare_apt "$work/$1"
    apt_for "$1" update >&2
}

# Where packages are kept between builds.
cache=${FIELDCORDER_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/fieldcorder}/image-packages
