# Sourced by the rig's scripts: brings in missing Debian packages.

# need_packages PACKAGE... : installs those that are missing, and says so first.
need_packages() { "$(dirname "${BASH_SOURCE[0]}")/../packages/install" "$@"; }
