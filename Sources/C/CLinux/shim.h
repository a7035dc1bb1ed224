// What the firmware uses of libc and the kernel. Swift imports everything here except variadic functions and
// function-like macros; those have a wrapper with the same behaviour below.
#ifndef FIELDCORDER_CLINUX_SHIM_H
#define FIELDCORDER_CLINUX_SHIM_H

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// Without _GNU_SOURCE, like Swift's own module of libc: two modules that read one header differently are incompatible.
// What it would declare of glibc is declared or called here.
int pthread_setname_np(pthread_t thread, const char *name);
int ppoll(struct pollfd *watched, nfds_t count, const struct timespec *timeout, const sigset_t *signals);

static inline ssize_t linux_getdents64(int folder, void *records, size_t byte_count) {
  return syscall(SYS_getdents64, folder, records, byte_count);
}

// Reads a byte, so that its page is present.
static inline void linux_touch(const void *address) { (void)*(const volatile char *)address; }

// How many processors the calling thread may run on; 1 if the kernel does not report it.
static inline int linux_usable_processor_count(void) {
  uint64_t processors[128];
  long byte_count = syscall(SYS_sched_getaffinity, 0, sizeof processors, processors);
  int count = 0;
  for (long word = 0; word < byte_count / (long)sizeof processors[0]; word++)
    count += __builtin_popcountll(processors[word]);
  return count > 0 ? count : 1;
}

// Waits until one of the descriptors is ready, or until an instant of CLOCK_MONOTONIC; a signal ends the wait too. The
// kernel takes a length and rounds poll's up to milliseconds: ppoll's is as fine as its timers.
// Returns how many are ready, or -1 with errno.
static inline int linux_poll_until(struct pollfd *watched, unsigned int count, uint64_t nanoseconds) {
  struct timespec now, left = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t rest = (int64_t)(nanoseconds - ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec));
  if (rest > 0) left = (struct timespec){.tv_sec = rest / 1000000000, .tv_nsec = rest % 1000000000};
  return (int)ppoll(watched, count, &left, NULL);
}

static inline int linux_errno(void) { return errno; }

static inline void linux_set_errno(int number) { errno = number; }

static inline int linux_openat(int folder, const char *path, int flags, mode_t mode) {
  return openat(folder, path, flags, mode);
}

// As openat, but nothing outside `folder` is opened, whatever the path and the links on it say (Linux 5.6). Returns the
// descriptor, or -1 with errno: EXDEV when the path leads out, ENOSYS on an older kernel.
static inline int linux_openat_beneath(int folder, const char *path, int flags, mode_t mode) {
  const uint64_t no_magic_links = 2, beneath = 8;
  const long openat2_number = 437;
  struct {
    uint64_t flags, mode, resolve;
  } how = {(uint64_t)flags, mode, no_magic_links | beneath};
  return (int)syscall(openat2_number, folder, path, &how, sizeof how);
}

static inline tcflag_t linux_crtscts(void) { return CRTSCTS; }

static inline int linux_terminal_size(int terminal, struct winsize *size) { return ioctl(terminal, TIOCGWINSZ, size); }

// How many bytes a terminal has accepted and not sent yet, or -1 with errno.
static inline int linux_unsent_bytes(int terminal) {
  int count;
  return ioctl(terminal, TIOCOUTQ, &count) == 0 ? count : -1;
}

// Makes a serial line this program's own while it is open. Returns 0, or -1 with errno: EWOULDBLOCK when another recorder
// has it. TIOCEXCL keeps programs out that do not ask; those that run as root may still open it.
static inline int linux_hold_line(int line) {
  if (flock(line, LOCK_EX | LOCK_NB) != 0) return -1;
  ioctl(line, TIOCEXCL);
  return 0;
}

static inline void linux_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

// A file that must not grow any more is an error of the call that writes to it, and does not end the process.
static inline void linux_ignore_file_limit(void) { signal(SIGXFSZ, SIG_IGN); }

// The most bytes that a file may have, by the file system and by the process's limit (RLIMIT_FSIZE). No file system lets
// a program seek beyond what its files can hold. Moves the file's own position, which pread and pwrite do not use.
static inline uint64_t linux_largest_file(int file) {
  struct rlimit limit;
  uint64_t least = 0, most = INT64_MAX;
  while (least < most) {
    uint64_t middle = most - (most - least) / 2;
    if (lseek(file, (off_t)middle, SEEK_SET) >= 0) least = middle; else most = middle - 1;
  }
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < least) least = limit.rlim_cur;
  return least;
}

// Whether the process was started with this signal ignored.
static inline int linux_ignores(int number) {
  struct sigaction present = {0};
  return sigaction(number, NULL, &present) == 0 && present.sa_handler == SIG_IGN;
}

// Where sysfs has a device node, or the device of the file system that a folder is on: a path below /sys/dev, in 64 bytes.
// Returns 0, or -1 with errno.
static inline int linux_sysfs_name(const char *path, int is_folder, char *text) {
  struct stat status;
  if (stat(path, &status) != 0) return -1;
  dev_t device = is_folder ? status.st_dev : status.st_rdev;
  snprintf(text, 64, "%s/%u:%u", is_folder ? "block" : "char", major(device), minor(device));
  return 0;
}

// A file system: the number of its kind, its size, and what may be used of it. Returns 0, or -1 with errno.
struct linux_file_system {
  uint64_t kind, byte_count, free_byte_count;
  int is_read_only;
};

static inline int linux_file_system(const char *path, struct linux_file_system *answer) {
  struct statfs status;
  struct statvfs flags;
  if (statfs(path, &status) != 0 || statvfs(path, &flags) != 0) return -1;
  *answer = (struct linux_file_system){
      .kind = (uint32_t)status.f_type,
      .byte_count = (uint64_t)flags.f_blocks * flags.f_frsize,
      .free_byte_count = (uint64_t)flags.f_bavail * flags.f_frsize,
      .is_read_only = (flags.f_flag & ST_RDONLY) != 0};
  return 0;
}

static inline bool linux_is_on_fat(int descriptor) {
  struct statfs status;
  // MSDOS_SUPER_MAGIC of <linux/magic.h>.
  return fstatfs(descriptor, &status) == 0 && status.f_type == 0x4d44;
}

static inline long linux_ticks_per_second(void) { return sysconf(_SC_CLK_TCK); }

static inline int linux_mode_is_folder(mode_t mode) { return S_ISDIR(mode); }

static inline int linux_mode_is_file(mode_t mode) { return S_ISREG(mode); }

static inline int linux_is_map_failed(const void *address) { return address == MAP_FAILED; }

// Memory that others map by its descriptor, and that can be sealed. Returns the descriptor, or -1 with errno.
static inline int linux_shared_memory(const char *name, size_t byte_count) {
  const unsigned close_on_exec = 1, allow_sealing = 2;
  int memory = (int)syscall(SYS_memfd_create, name, close_on_exec | allow_sealing);
  if (memory < 0 || ftruncate(memory, (off_t)byte_count) == 0) return memory;
  int failure = errno;
  close(memory);
  errno = failure;
  return -1;
}

// Forbids anyone to shrink, grow or seal the memory from now on, and optionally to write it except through existing
// mappings. Returns 0, or -1 with errno: EINVAL if a kernel before 5.1 is to forbid writing.
static inline int linux_seal_memory(int memory, int forbids_writing) {
  const int add_seals = 1024 + 9, seal = 1, shrink = 2, grow = 4, future_write = 16;
  return fcntl(memory, add_seals, seal | shrink | grow | (forbids_writing ? future_write : 0));
}

// Whether nobody can shrink the memory, so that reading it never faults.
static inline int linux_keeps_its_size(int memory) {
  const int get_seals = 1024 + 10, shrink = 2;
  int seals = fcntl(memory, get_seals);
  return seals >= 0 && (seals & shrink) != 0;
}

// A pair of connected sockets that keep packets whole. Returns 0, or -1 with errno.
static inline int linux_packet_pair(int *one, int *other) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  *one = ends[0];
  *other = ends[1];
  return 0;
}

// The address of a socket of this machine; one that begins with '@' has no file. Returns its length, or 0 if `path` is
// empty or too long.
static inline socklen_t linux_local_address(const char *path, struct sockaddr_un *address) {
  size_t byte_count = strlen(path);
  if (byte_count == 0 || byte_count >= sizeof address->sun_path) return 0;
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  memcpy(address->sun_path, path, byte_count);
  if (path[0] == '@') address->sun_path[0] = 0;
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + byte_count);
}

// A socket of this machine that is connected to `path`, or listens there. Returns it, or -1 with errno.
static inline int linux_local_socket(const char *path, int kind, int listens) {
  struct sockaddr_un address;
  socklen_t length = linux_local_address(path, &address);
  if (length == 0) return (errno = ENAMETOOLONG), -1;
  int link = socket(AF_UNIX, kind | SOCK_CLOEXEC, 0);
  if (link < 0) return -1;
  int failed = listens ? bind(link, (struct sockaddr *)&address, length) != 0 || listen(link, 4) != 0
                       : connect(link, (struct sockaddr *)&address, length) != 0;
  if (!failed) return link;
  int failure = errno;
  close(link);
  errno = failure;
  return -1;
}

static inline int linux_connect_datagrams(const char *path) { return linux_local_socket(path, SOCK_DGRAM, 0); }

// Neither waits: a listener that has no room answers with EAGAIN.
static inline int linux_connect_packets(const char *path) {
  return linux_local_socket(path, SOCK_SEQPACKET | SOCK_NONBLOCK, 0);
}

// A socket that a killed program has left there is replaced; one that somebody listens to is not.
static inline int linux_listen_for_packets(const char *path) {
  int listener = linux_local_socket(path, SOCK_SEQPACKET | SOCK_NONBLOCK, 1);
  struct stat status;
  if (listener >= 0 || errno != EADDRINUSE || lstat(path, &status) != 0 || !S_ISSOCK(status.st_mode)) return listener;
  int other = linux_connect_packets(path);
  int is_stale = other < 0 && errno == ECONNREFUSED;
  if (other >= 0) close(other);
  if (!is_stale || unlink(path) != 0) return (errno = EADDRINUSE), -1;
  return linux_local_socket(path, SOCK_SEQPACKET | SOCK_NONBLOCK, 1);
}

// A TCP connection to an address in numbers, whose calls wait that many seconds at most. Returns it, or -1 with errno.
static inline int linux_connect_stream(const char *address, unsigned short port, int seconds) {
  char service[8];
  snprintf(service, sizeof service, "%u", port);
  struct addrinfo wanted = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM}, *found;
  if (getaddrinfo(address, service, &wanted, &found) != 0) return (errno = EINVAL), -1;
  struct timeval patience = {.tv_sec = seconds};
  int link = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int failed = link < 0 || setsockopt(link, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0 ||
               setsockopt(link, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) != 0 ||
               connect(link, found->ai_addr, found->ai_addrlen) != 0;
  int failure = errno;
  freeaddrinfo(found);
  if (!failed) return link;
  if (link >= 0) close(link);
  errno = failure;
  return -1;
}

// A connection that a listener has; -1 with errno when there is none.
static inline int linux_take_connection(int listener) {
  int link = accept(listener, NULL, NULL);
  if (link >= 0) fcntl(link, F_SETFD, FD_CLOEXEC);
  return link;
}

// A pipe. Returns 0, or -1 with errno.
static inline int linux_pipe(int *output, int *input) {
  int ends[2];
  if (syscall(SYS_pipe2, ends, O_CLOEXEC) != 0) return -1;
  *output = ends[0];
  *input = ends[1];
  return 0;
}

static inline int linux_never_wait(int descriptor) {
  return fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

// Another process like this one, which ends with it. Returns 0 in that, its number here, or -1 with errno.
static inline pid_t linux_divide(void) {
  pid_t parent = getpid();
  pid_t process = fork();
  if (process == 0 && (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)) _exit(1);
  return process;
}

// A control buffer for one descriptor with a packet.
union linux_descriptor_buffer {
  char bytes[CMSG_SPACE(sizeof(int))];
  struct cmsghdr header;
};

// Sends a packet whole or not at all, without waiting and without SIGPIPE, with a descriptor unless that is -1.
static inline ssize_t linux_send_packet(int link, const void *bytes, size_t byte_count, int descriptor) {
  union linux_descriptor_buffer control = {{0}};
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = byte_count};
  struct msghdr packet = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor >= 0) {
    packet.msg_control = control.bytes;
    packet.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&packet);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  }
  return sendmsg(link, &packet, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Receives one packet, and waits for it unless `flags` contains MSG_DONTWAIT. Returns its whole length, which is more
// than `byte_count` if it was truncated, or 0 when the other side is gone, or -1 with errno. `descriptor` is the one
// that came with it, closed on exec, or -1; there is space for one, and the kernel closes the others.
static inline ssize_t linux_receive_packet(int link, void *bytes, size_t byte_count, int flags, int *descriptor) {
  union linux_descriptor_buffer control = {{0}};
  struct iovec part = {.iov_base = bytes, .iov_len = byte_count};
  struct msghdr packet = {.msg_iov = &part, .msg_iovlen = 1};
  packet.msg_control = control.bytes;
  packet.msg_controllen = sizeof control.bytes;
  *descriptor = -1;
  ssize_t received = recvmsg(link, &packet, flags | MSG_CMSG_CLOEXEC | MSG_TRUNC);
  struct cmsghdr *header = received >= 0 ? CMSG_FIRSTHDR(&packet) : NULL;
  if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len == CMSG_LEN(sizeof(int)))
    memcpy(descriptor, CMSG_DATA(header), sizeof(int));
  return received;
}

// The numbers of a started program's first and second inherited descriptor.
enum { linux_first_inherited = 3, linux_second_inherited = 4 };

// Duplicates the two descriptors to those numbers, not closed on exec. Via higher numbers: each may be at the other's.
static inline int linux_hand_down(int first, int second) {
  const int above = linux_second_inherited + 1;
  int ones = fcntl(first, F_DUPFD_CLOEXEC, above);
  int others = second < 0 ? 0 : fcntl(second, F_DUPFD_CLOEXEC, above);
  if (ones < 0 || others < 0 || dup2(ones, linux_first_inherited) < 0) return -1;
  return second < 0 ? 0 : dup2(others, linux_second_inherited);
}

// Lets the kernel end this process before the recorder, whose score it inherited, when memory is short. Raising a score
// needs no right. Failure is ignored.
static inline void linux_offer_to_be_ended_first(void) {
  int score = openat(AT_FDCWD, "/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score < 0) return;
  if (write(score, "500", 3) != 3) errno = 0;
  close(score);
}

// Runs in the child of linux_start_program, in the memory of its parent, which waits meanwhile. Returns only when the
// program cannot be executed, with errno.
static inline void linux_become_program(const char *path, char *const words[], int first, int second) {
  char *const environment[] = {NULL};
  struct sigaction usual = {.sa_handler = SIG_DFL};
  struct sched_param ordinary = {.sched_priority = 0};
  sigset_t none;
  sigemptyset(&none);
  for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
  sched_setscheduler(0, SCHED_OTHER, &ordinary);
  linux_offer_to_be_ended_first();
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || linux_hand_down(first, second) < 0) return;
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(path, words, environment);
}

// Starts a program with an empty environment, default signals and default scheduling. It inherits two descriptors (the
// second unless it is -1) and ends with the thread that started it. Uses vfork: posix_spawn allocates from the heap to
// pass descriptors on. Returns the process, or -1 with errno.
static inline pid_t linux_start_program(const char *path, char *const words[], int first, int second) {
  volatile int failure = 0;
  sigset_t every, before;
  sigfillset(&every);
  pthread_sigmask(SIG_SETMASK, &every, &before);
  pid_t process = vfork();
  if (process == 0) {
    linux_become_program(path, words, first, second);
    failure = errno;
    _exit(127);
  }
  if (process < 0) failure = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failure == 0) return process;
  if (process > 0) waitpid(process, NULL, 0);
  errno = failure;
  return -1;
}

// Lowers the priority of a process, with nice values of 0 to 19. Failure is ignored.
static inline void linux_step_back(pid_t process, int niceness) { setpriority(PRIO_PROCESS, (id_t)process, niceness); }

// The signal that ended a process, or 0; and its exit status.
static inline int linux_ending_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

static inline int linux_exit_status(int status) { return WEXITSTATUS(status); }

// The address of a stream's end, from digits such as 192.168.1.5 or ::1. Returns its length, or 0 if it is none.
static inline socklen_t linux_stream_address(const char *text, uint16_t port, struct sockaddr_storage *address) {
  *address = (struct sockaddr_storage){0};
  struct sockaddr_in *four = (struct sockaddr_in *)address;
  struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;
  if (inet_pton(AF_INET, text, &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(port);
    return sizeof *four;
  }
  if (inet_pton(AF_INET6, text, &six->sin6_addr) != 1) return 0;
  six->sin6_family = AF_INET6;
  six->sin6_port = htons(port);
  return sizeof *six;
}

// A TCP socket that listens, and does not wait. Returns it, or -1 with errno: EINVAL if `address` is none.
static inline int linux_listen_for_streams(const char *address, uint16_t port) {
  struct sockaddr_storage place;
  socklen_t length = linux_stream_address(address, port, &place);
  if (length == 0) return (errno = EINVAL), -1;
  int listener = socket(place.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return -1;
  int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(listener, (struct sockaddr *)&place, length) == 0 && listen(listener, 16) == 0) return listener;
  int failure = errno;
  close(listener);
  errno = failure;
  return -1;
}

// Accepts a stream that sends at once what it is given, of which the kernel keeps `unsent_byte_count` (it doubles the
// number for its own use). Writes the other end's address and port, in 64 bytes. Returns it, or -1 with errno.
static inline int linux_accept_stream(int listener, int unsent_byte_count, char *text) {
  struct sockaddr_storage other = {0};
  socklen_t length = sizeof other;
  int stream = (int)syscall(SYS_accept4, listener, &other, &length, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (stream < 0) return -1;
  int yes = 1;
  setsockopt(stream, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  setsockopt(stream, SOL_SOCKET, SO_SNDBUF, &unsent_byte_count, sizeof unsent_byte_count);
  char host[INET6_ADDRSTRLEN] = "?";
  const struct sockaddr_in *four = (struct sockaddr_in *)&other;
  const struct sockaddr_in6 *six = (struct sockaddr_in6 *)&other;
  int is_six = other.ss_family == AF_INET6;
  inet_ntop(other.ss_family, is_six ? (const void *)&six->sin6_addr : &four->sin_addr, host, sizeof host);
  snprintf(text, 64, is_six ? "[%s]:%u" : "%s:%u", host, ntohs(is_six ? six->sin6_port : four->sin_port));
  return stream;
}

// Neither waits, nor raises SIGPIPE.
static inline ssize_t linux_send_stream(int stream, const void *bytes, size_t byte_count) {
  return send(stream, bytes, byte_count, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Has `watcher`, an epoll instance, become readable when `descriptor` is, for as long as that is open.
static inline int linux_watch(int watcher, int descriptor) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP};
  return epoll_ctl(watcher, EPOLL_CTL_ADD, descriptor, &event);
}

#endif
