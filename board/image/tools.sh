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

# Each tool gets a wrapper script in `$tools.bin`, so that one finds another through PATH.
unpack_tools() {
    local triplet loader name
    unpack tools "$tools"
    triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || gcc -dumpmachine)
    loader=$(echo "$tools"/usr/lib*/ld-linux-*.so.*)
    mkdir -p "$tools.bin"
    for name in "$tools"/usr/{sbin,bin}/*; do
        printf '#!/bin/sh\nexport GCONV_PATH=%q OPENSSL_CONF=%q MTOOLS_SKIP_CHECK=1\nexec %q --argv0 %q --library-path %q %q "$@"\n' \
            "$tools/usr/lib/$triplet/gconv" "$tools/etc/ssl/openssl.cnf" "${loader%% *}" "${name##*/}" \
            "$tools/usr/lib/$triplet:$tools/usr/lib/$triplet/systemd" "$name" >"$tools.bin/${name##*/}"
    done
    chmod +x "$tools.bin"/*
}

tool() { "$tools.bin/$1" "${@:2}"; }
