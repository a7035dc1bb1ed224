// Drops a process's rights before it reads untrusted data. All functions are for Linux; they return 0, or -1 with
// errno, unless stated otherwise.
#ifndef FIELDCORDER_CSANDBOX_H
#define FIELDCORDER_CSANDBOX_H

#include <stddef.h>

// Closes all descriptors except two (3 or more; the second may be -1), and replaces 0, 1 and 2 with /dev/null.
int sandbox_close_all_but(int first, int second);

// Makes the process end with the thread that started it. Fails if that has ended, which closes `link`'s other end.
int sandbox_die_with_parent(int link);

// If root, becomes an unprivileged user permanently; it cannot regain rights. Others may not read its memory.
int sandbox_drop_rights(void);

// Limits the process: at most `byte_count` more bytes of memory than now; no core dump, no growing file, and no
// descriptor numbered `descriptor_count` or above. It becomes the first candidate of the out-of-memory killer.
int sandbox_limit(size_t byte_count, unsigned descriptor_count);

// Forbids new threads and processes, and restricts all existing threads to a list of system calls: reading, writing and
// closing open descriptors, non-executable memory, clocks, sleep and locks. Opening a file, and querying the system or
// a path, fails; any other call ends the process. Returns 1 if that is in force, 0 if the system has no such filter.
int sandbox_shut(void);

// Like sandbox_shut, for a process that serves a network: it may also accept connections on listening sockets, set
// options of open sockets, and wait for many of them.
int sandbox_shut_serving(void);

// Like sandbox_shut, for a process that draws on a display: it may also open existing files, and set modes (DRM). It
// keeps its user, and cannot regain rights.
int sandbox_shut_drawing(void);

// Allows the process `seconds` of processor time from now on; then it is killed.
int sandbox_renew_time(unsigned seconds);

#endif
