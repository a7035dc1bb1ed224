// What a process gives up before it reads untrusted data. All functions are for Linux; they return 0 or -1 with errno
// unless stated otherwise.
#ifndef FIELDCORDER_CSANDBOX_H
#define FIELDCORDER_CSANDBOX_H

#include <stddef.h>

// Closes every descriptor but two (3 or more; the second may be -1), and replaces 0, 1 and 2 with /dev/null.
int sandbox_close_all_but(int first, int second);

// The process ends with the thread that started it. Fails if that has ended already, which closes `link`'s other end.
int sandbox_die_with_parent(int link);

// If it is root, becomes an unprivileged user for good, and can regain no rights. Others may not read its memory.
int sandbox_drop_rights(void);

// Limits the process: `byte_count` bytes of memory more than now; no core dump, no growing file, no descriptor from
// `descriptor_count` on. When memory runs out it is the first that the system kills.
int sandbox_limit(size_t byte_count, unsigned descriptor_count);

// No new threads or processes, and for all existing threads only the system calls of a list: reading, writing and
// closing open descriptors, non-executable memory, clocks, sleep and locks. Opening, and asking about the system or a
// path, fails; any other call ends the process. Returns 1 when that is in force, 0 when the system has no such filter.
int sandbox_shut(void);

// As sandbox_shut, for who serves a network: it may also accept connections at sockets that already listen, set options
// of open sockets, and wait for many of them.
int sandbox_shut_serving(void);

// As sandbox_shut, for who draws on a display: it may also open what exists, and set modes (DRM). It stays the user that
// it is, and can regain no rights.
int sandbox_shut_drawing(void);

// The process may use `seconds` of processor time from now on; then it is killed.
int sandbox_renew_time(unsigned seconds);

#endif
