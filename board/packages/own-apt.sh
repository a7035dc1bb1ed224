# Sourced: an apt with lists and a state of its own, so that the host's packages and sources stay unchanged. It asks the
# archives that are configured on the host, mirrors or not.

# find_archives [OPTION...] : a line for each of the host's archives of Debian: its label and its address.
find_archives() {
    # shellcheck disable=SC2016 # the names in parentheses are apt's
    apt-get "$@" indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | awk '!seen[$0]++'
}

# host_archives FOLDER : the same, also on an image without lists, for which they are fetched into the folder.
host_archives() {
    local archives
    archives=$(find_archives)
    if [[ -z $archives ]]; then
        mkdir -p "$1/partial"
        local own_lists=(-qq -o APT::Sandbox::User= -o Dir::State::lists="$1")
        apt-get "${own_lists[@]}" update >&2
        archives=$(find_archives "${own_lists[@]}")
    fi
    [[ -n $archives ]] || {
        echo "$0: found no Debian archive among apt's sources; is this Debian, is there a network?" >&2
        return 1
    }
    echo "$archives"
}

# prepare_apt FOLDER : reads the lines of its sources.
prepare_apt() {
    mkdir -p "$1"/{lists,archives/partial,none}
    : >"$1/status"
    cat >"$1/sources.list"
}

# own_apt FOLDER ARCHITECTURE ARGUMENT...
own_apt() {
    local folder=$1 architecture=$2
    shift 2
    apt-get -qq \
        -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o APT::Sandbox::User= \
        -o APT::Install-Recommends=false -o Acquire::Languages=none -o Acquire::Retries=3 -o Debug::NoLocking=true \
        -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts="$folder/none" \
        -o Dir::Etc::preferences="$folder/none/none" -o Dir::Etc::preferencesparts="$folder/none" \
        -o Dir::State="$folder" -o Dir::State::status="$folder/status" -o Dir::Cache="$folder" "$@"
}
