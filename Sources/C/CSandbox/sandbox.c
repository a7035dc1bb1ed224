#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void close_range_of(unsigned first, unsigned last) {
  if (first > last || syscall(SYS_close_range, first, last, 0) == 0) return;
  struct rlimit most = {.rlim_cur = 1024};
  getrlimit(RLIMIT_NOFILE, &most);
  for (unsigned number = first; number <= last && number < most.rlim_cur; number++) close((int)number);
}

int sandbox_close_all_but(int first, int second) {
  unsigned low = (unsigned)(second < 0 || first < second ? first : second);
  unsigned high = (unsigned)(second < 0 || first > second ? first : second);
  if (first < 3 || (second >= 0 && second < 3)) {
    errno = EBADF;
    return -1;
  }
  close_range_of(3, low - 1);
  close_range_of(low + 1, high - 1);
  close_range_of(high + 1, ~0U);
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return -1;
  for (int stream = 0; stream < 3; stream++)
    if (dup2(nothing, stream) < 0) return -1;
  return nothing > 2 ? close(nothing) : 0;
}

int sandbox_die_with_parent(int link) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return -1;
  struct pollfd end = {.fd = link};
  if (poll(&end, 1, 0) < 0) return -1;
  if (!(end.revents & (POLLHUP | POLLERR | POLLNVAL))) return 0;
  errno = ESRCH;
  return -1;
}

int sandbox_drop_rights(void) {
  const unsigned nobody = 65534;
  // Otherwise the first use of a clock would open the time zone file, when that is no longer possible.
  tzset();
  if (geteuid() == 0 || getuid() == 0) {
    // Root in a container without permission for this has no rights to give up.
    int refused = setgroups(0, NULL) != 0 || setresgid(nobody, nobody, nobody) != 0 ||
                  setresuid(nobody, nobody, nobody) != 0;
    if (refused && errno != EPERM && errno != EINVAL) return -1;
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_DUMPABLE, 0);
}

static int limit(__rlimit_resource_t resource, rlim_t value) {
  struct rlimit both = {.rlim_cur = value, .rlim_max = value};
  return setrlimit(resource, &both);
}

// Bytes of address space in use; 0 if the system does not report them.
static rlim_t mapped_byte_count(void) {
  char text[32] = {0};
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  rlim_t pages = 0;
  for (ssize_t index = 0; index < count && text[index] >= '0' && text[index] <= '9'; index++)
    pages = pages * 10 + (rlim_t)(text[index] - '0');
  return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

int sandbox_limit(size_t byte_count, unsigned descriptor_count) {
  // Separate arenas for each thread would reserve 64 MiB of address space each.
  mallopt(M_ARENA_MAX, 1);
  rlim_t mapped = mapped_byte_count();
  if (mapped > 0 && limit(RLIMIT_AS, mapped + byte_count) != 0) return -1;
  if (limit(RLIMIT_CORE, 0) != 0 || limit(RLIMIT_FSIZE, 0) != 0 || limit(RLIMIT_MEMLOCK, 0) != 0) return -1;
  return limit(RLIMIT_NOFILE, descriptor_count);
}

int sandbox_renew_time(unsigned seconds) {
  struct timespec used;
  struct rlimit time;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0 || getrlimit(RLIMIT_CPU, &time) != 0) return -1;
  time.rlim_cur = (rlim_t)used.tv_sec + 1 + seconds;
  if (time.rlim_cur > time.rlim_max) time.rlim_cur = time.rlim_max;
  return setrlimit(RLIMIT_CPU, &time);
}

// The filter is a program for a machine with one register: it loads a word of the system call's description, compares,
// and jumps forward. The line for a call returns, or continues with the next line.
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define LOAD_LOW(index) LOAD(args[index])
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define ALLOW(name) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), RETURN(SECCOMP_RET_ALLOW)
#define REFUSE(name) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), RETURN(SECCOMP_RET_ERRNO | EACCES)
// Only with `value` in the low word of argument `index`: the kernel treats all such arguments as ints.
#define ALLOW_WITH(name, index, value) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 4), LOAD_LOW(index), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1), RETURN(SECCOMP_RET_ALLOW), \
      RETURN(SECCOMP_RET_KILL_PROCESS)
// Only for the process itself, given as 0 in the first argument, and with `value` in the second.
#define ALLOW_OWN(name, value) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 6), LOAD_LOW(0), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3), LOAD_LOW(1), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1), RETURN(SECCOMP_RET_ALLOW), \
      RETURN(SECCOMP_RET_KILL_PROCESS)
// Only if none of `bits` is set in the low word of argument `index`.
#define ALLOW_WITHOUT(name, index, bits) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 4), LOAD_LOW(index), \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0), RETURN(SECCOMP_RET_ALLOW), \
      RETURN(SECCOMP_RET_KILL_PROCESS)

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// Calls of a process that serves a network through open sockets; accept is its only way to get another one.
static const struct sock_filter serving_calls[] = {
    ALLOW(epoll_ctl),
    ALLOW(epoll_pwait),
    ALLOW(accept),
    ALLOW(accept4),
    ALLOW(writev),
    ALLOW(shutdown),
    ALLOW(setsockopt),
    ALLOW(getsockopt),
    ALLOW(getsockname),
    ALLOW(getpeername),
    ALLOW(fcntl),
#if defined(__x86_64__)
    ALLOW(epoll_wait),
#endif
};

// Calls of a process that draws on a display. It reopens the display card after a loss, but never creates a file. The
// kernel's mode setting is the ioctls of the letter d, which is the second byte of their number.
static const struct sock_filter drawing_calls[] = {
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_ioctl, 0, 5),
    LOAD_LOW(1),
    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xFF00),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 'd' << 8, 0, 1),
    RETURN(SECCOMP_RET_ALLOW),
    RETURN(SECCOMP_RET_KILL_PROCESS),
    ALLOW_WITHOUT(openat, 2, O_CREAT | O_TRUNC),
};

enum { most_filter_lines = 256 };

// Allows the calls in `own` and those that every process needs.
static int shut(const struct sock_filter *own, size_t own_count) {
  if (limit(RLIMIT_NPROC, 0) != 0) return -1;
  const struct sock_filter head[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
      RETURN(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
  };
  const struct sock_filter common[] = {
      // The most frequent calls come first.
      ALLOW(futex),
      ALLOW(recvmsg),
      ALLOW(sendmsg),
      ALLOW(pread64),
      ALLOW(read),
      ALLOW(write),
      ALLOW(recvfrom),
      ALLOW(sendto),
      ALLOW(lseek),
      ALLOW(fstat),
      ALLOW(close),
      ALLOW(munmap),
      ALLOW(brk),
      ALLOW(mremap),
      ALLOW(clock_gettime),
      ALLOW(gettimeofday),
      ALLOW(nanosleep),
      ALLOW(clock_nanosleep),
      ALLOW(ppoll),
      ALLOW(sched_yield),
      ALLOW(sched_getaffinity),
      ALLOW(getrandom),
      ALLOW(getpid),
      ALLOW(gettid),
      ALLOW(rt_sigprocmask),
      ALLOW(rt_sigreturn),
      ALLOW(restart_syscall),
      // A thread that was just started still needs these.
      ALLOW(rseq),
      ALLOW(set_robust_list),
      ALLOW(exit),
      ALLOW(exit_group),
#if defined(__x86_64__)
      ALLOW(poll),
      ALLOW(time),
#endif
      // The C library looks for character tables when a broadcast contains its name, and works without them.
      REFUSE(openat),
      // The C library queries the system, or looks for a file, but works without the answer: its sort queries the
      // memory size if there is more than a kilobyte to sort, which depends on the file.
      REFUSE(sysinfo),
      REFUSE(uname),
      REFUSE(getrusage),
      REFUSE(newfstatat),
      REFUSE(statx),
      REFUSE(readlinkat),
      REFUSE(faccessat),
      REFUSE(getcwd),
      REFUSE(getuid),
      REFUSE(geteuid),
      REFUSE(getgid),
      REFUSE(getegid),
#if defined(__x86_64__)
      REFUSE(open),
      REFUSE(stat),
      REFUSE(lstat),
      REFUSE(access),
      REFUSE(readlink),
#endif
      // No code can be loaded or generated.
      ALLOW_WITHOUT(mmap, 2, PROT_EXEC),
      ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
      // MADV_REMOVE would remove pages from the ring, which the recorder reads.
      ALLOW_WITH(madvise, 2, MADV_DONTNEED),
      // Only for the process itself: this is how abort() ends it.
      ALLOW_WITH(tgkill, 0, (uint32_t)getpid()),
      // It renews its own limit, not that of the recorder, which may run as the same user; all other limits stay.
      ALLOW_OWN(prlimit64, RLIMIT_CPU),
      RETURN(SECCOMP_RET_KILL_PROCESS),
  };
  const size_t head_count = sizeof head / sizeof *head, common_count = sizeof common / sizeof *common;
  struct sock_filter lines[most_filter_lines];
  if (head_count + own_count + common_count > most_filter_lines) return (errno = E2BIG), -1;
  memcpy(lines, head, sizeof head);
  if (own_count > 0) memcpy(lines + head_count, own, own_count * sizeof *own);
  memcpy(lines + head_count + own_count, common, sizeof common);
  struct sock_fprog program = {.len = (unsigned short)(head_count + own_count + common_count), .filter = lines};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0) return 1;
  // An emulator, or a kernel built without seccomp; a kernel that has it and refuses is an error.
  return errno == ENOSYS || errno == EINVAL ? 0 : -1;
}

int sandbox_shut(void) { return shut(NULL, 0); }

int sandbox_shut_serving(void) { return shut(serving_calls, sizeof serving_calls / sizeof *serving_calls); }

int sandbox_shut_drawing(void) {
  // The user is kept, because its group may open the card.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_DUMPABLE, 0) != 0) return -1;
  return shut(drawing_calls, sizeof drawing_calls / sizeof *drawing_calls);
}
