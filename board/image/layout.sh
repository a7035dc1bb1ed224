# Reads the table `layout`. Sourced; `here` is this folder.

# start_of NAME, size_of NAME : in MiB.
start_of() { awk -v name="$1" '$1 == name { print $2 }' "$here/layout"; }
size_of() { awk -v name="$1" '$1 == name { print $3 }' "$here/layout"; }
# sector_of NAME : in hexadecimal, for U-Boot.
sector_of() { printf '%x' $(($(start_of "$1") * 2048)); }
