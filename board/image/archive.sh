# Packages of the release in `packages`, whatever the host runs: an apt with its own lists and state, which asks the
# archive that is configured on the host. Sourced; `work` is a folder for it, `here` this one.

release=$(sed -n 's/^release //p' "$here/packages")
components=$(sed -n 's/^components //p' "$here/packages")

# named WHAT : the packages of the lines that begin with WHAT.
named() { sed -n "s/^$1 //p" "$here/packages" | tr ' ' '\n'; }

# find_archives : a line for each of the host's archives of Debian: its label and its address.
find_archives() {
    # shellcheck disable=SC2016 # the names in parentheses are apt's
    apt-get "$@" indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | sort -u
}

# write_sources ARCHITECTURE
write_sources() {
    local archives address label suites suite
    archives=$(find_archives)
    if [[ -z $archives ]]; then
        mkdir -p "$work/host/partial"
        local own_lists=(-qq -o APT::Sandbox::User= -o Dir::State::lists="$work/host")
        apt-get "${own_lists[@]}" update >&2
        archives=$(find_archives "${own_lists[@]}")
    fi
    [[ -n $archives ]] || {
        echo "board/image: found no Debian archive among apt's sources; is this Debian, is there a network?" >&2
        exit 1
    }
    while read -r label address; do
        suites=("$release" "$release-updates")
        [[ $label != Debian-Security ]] || suites=("$release-security")
        for suite in "${suites[@]}"; do
            echo "deb [arch=$1 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $address $suite $components"
        done
    done <<<"$archives" >"$work/$1/sources.list"
}

# prepare ARCHITECTURE : fetches the lists.
prepare() {
    mkdir -p "$work/$1"/{lists,archives,none}
    : >"$work/$1/status"
    write_sources "$1"
    own_apt "$1" update >&2
}

# own_apt ARCHITECTURE ARGUMENT...
own_apt() {
    local architecture=$1 folder=$work/$1
    shift
    apt-get -qq \
        -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o APT::Sandbox::User= \
        -o APT::Install-Recommends=false -o Acquire::Languages=none -o Acquire::Retries=3 -o Debug::NoLocking=true \
        -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts="$folder/none" \
        -o Dir::Etc::preferences="$folder/none/none" -o Dir::Etc::preferencesparts="$folder/none" \
        -o Dir::State="$folder" -o Dir::State::status="$folder/status" -o Dir::Cache="$folder" "$@"
}

# Where packages are kept between builds.
cache=${FIELDCORDER_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/fieldcorder}/image-packages
