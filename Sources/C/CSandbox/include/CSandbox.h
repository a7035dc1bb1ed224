// What a process gives up before it reads bytes of strangers. All functions are Linux's; they return 0 or -1 with errno
// unless they say otherwise.
#ifndef FIELDCORDER_CSANDBOX_H
#define FIELDCORDER_CSANDBOX_H

#include <stddef.h>

// Closes every descriptor but two (3 or more; the second may be -1), and puts /dev/null in the place of 0, 1 and 2.
int sandbox_close_all_but(int first, int second);

// The process ends with the thread that started it. Fails when that is gone already, which closes `link`'s other end.
int sandbox_die_with_parent(int link);

// Becomes a user without rights for good, when it is root, and can gain none. Others may not look into its memory.
int sandbox_drop_rights(void);

// Bounds what the process may use: `byte_count` bytes of memory more than it has now; no core, no file that grows, no
// descriptor from `descriptor_count` on. When memory runs out it is the first that the system ends.
int sandbox_limit(size_t byte_count, unsigned descriptor_count);

// No thread and no process more, and from all of this process's threads only the system calls of a list: reading,
// writing and closing descriptors that are open, memory that is not executed, clocks, sleep and locks. Opening fails,
// any other ends the process. Returns 1 when that is in force, 0 when the system has no such filter.
int sandbox_shut(void);

// The process may compute for `seconds` from now; then it is ended.
int sandbox_renew_time(unsigned seconds);

#endif
