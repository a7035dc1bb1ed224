// What the firmware takes from libc and the kernel. Swift sees everything here but variadic functions and function-like
// macros; those have a wrapper of the same behaviour below.
#ifndef FIELDCORDER_CLINUX_SHIM_H
#define FIELDCORDER_CLINUX_SHIM_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/types.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// Without _GNU_SOURCE, as Swift's own module of libc: two modules that see one header differently do not go together.
// What it would declare of glibc is declared or called here.
int pthread_setname_np(pthread_t thread, const char *name);

static inline ssize_t linux_getdents64(int folder, void *records, size_t byte_count) {
  return syscall(SYS_getdents64, folder, records, byte_count);
}

static inline int linux_errno(void) { return errno; }

static inline int linux_openat(int folder, const char *path, int flags, mode_t mode) {
  return openat(folder, path, flags, mode);
}

static inline void linux_disable_key(struct termios *mode, int key) { mode->c_cc[key] = _POSIX_VDISABLE; }

static inline tcflag_t linux_crtscts(void) { return CRTSCTS; }

static inline void linux_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

static inline int linux_mode_is_folder(mode_t mode) { return S_ISDIR(mode); }

static inline int linux_mode_is_file(mode_t mode) { return S_ISREG(mode); }

static inline int linux_is_map_failed(const void *address) { return address == MAP_FAILED; }

#endif
