# The tools of packages.lock, unpacked into `$tools` and run by their own loader, so that the host's release does not
# matter. Sourced; `cache` is the packages' folder, `here` this folder.

build_architecture=$(dpkg --print-architecture)

# locked PURPOSE : the files of the packages for PURPOSE.
locked() { sed -n "s|^$1 [^ ]* [^ ]* [^ ]* \([^ ]*\) .*|$cache/\1|p" "$here/packages.lock"; }

# unpack PURPOSE FOLDER
unpack() {
    local file
    mkdir -p "$2"
    while read -r file; do
        dpkg-deb --fsys-tarfile "$file" | tar -x -C "$2" --keep-directory-symlink
    done < <(locked "$1")
}

# wrap FOLDER : each program of unpacked packages gets a script in FOLDER.bin, so that one finds another through PATH.
wrap() {
    local triplet loader name libraries
    triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || gcc -dumpmachine)
    loader=$(echo "$1"/usr/lib*/ld-linux-*.so.*)
    libraries=$1/usr/lib/$triplet
    mkdir -p "$1.bin"
    for name in "$1"/usr/{sbin,bin}/*; do
        printf '#!/bin/sh\nexport GCONV_PATH=%q QEMU_MODULE_DIR=%q OPENSSL_CONF=%q MTOOLS_SKIP_CHECK=1\nexec %q --argv0 %q --library-path %q %q "$@"\n' \
            "$libraries/gconv" "$libraries/qemu" "$1/etc/ssl/openssl.cnf" "${loader%% *}" "${name##*/}" \
            "$libraries:$libraries/systemd" "$name" >"$1.bin/${name##*/}"
    done
    chmod +x "$1.bin"/*
}

unpack_tools() {
    unpack tools "$tools"
    wrap "$tools"
}

tool() { "$tools.bin/$1" "${@:2}"; }
