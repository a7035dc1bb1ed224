import TestSupport

/// Makes a program's file system calls fail, or do only part of what is requested, from its first take on.
struct FileFaults {
  enum Failure: String {
    /// Transient errors: `EIO`, `EINTR`, `EAGAIN`, `ENOMEM`.
    case passing
    /// Also errors of a card that is full or read-only.
    case any
  }

  private let library: String

  init(in folder: borrowing TemporaryFolder) throws {
    library = try ForeignProgram.compileLibrary(Self.source, in: folder)
  }

  /// The environment in which a program is started.
  /// - Parameters:
  ///   - failing: calls per thousand that fail.
  ///   - short: reads and writes per thousand that are partial.
  func environment(seed: UInt64, failing: Int, _ failure: Failure, short: Int) -> [String: String] {
    [
      "LD_PRELOAD": library, "FAULTS_SEED": "\(seed)", "FAULTS_FAILING": "\(failing)", "FAULTS_SHORT": "\(short)",
      "FAULTS_FAILURE": failure.rawValue,
    ]
  }

  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <stdarg.h>
    #include <stdint.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/stat.h>
    #include <sys/statvfs.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    static uint64_t drawn;
    static unsigned failing, shortened, kinds;
    static int hasBegun;
    static const int errors[] = {EIO, EINTR, EAGAIN, ENOMEM, ENOSPC, EROFS, EDQUOT};
    static unsigned number(const char *name) { const char *text = getenv(name); return text ? atoi(text) : 0; }
    /* SplitMix64. */
    static unsigned draw(unsigned below) {
      uint64_t z = __atomic_add_fetch(&drawn, 0x9E3779B97F4A7C15ull, __ATOMIC_RELAXED);
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
      return (unsigned)((z ^ (z >> 31)) % below);
    }
    /* What the program makes first for its first take is the folder of its kind. */
    static void look(const char *folder) {
      if (hasBegun || (strcmp(folder, "video") && strcmp(folder, "audio"))) return;
      drawn = number("FAULTS_SEED"), failing = number("FAULTS_FAILING"), shortened = number("FAULTS_SHORT");
      kinds = !strcmp(getenv("FAULTS_FAILURE"), "any") ? 7 : 4;
      hasBegun = 1;
    }
    static int fails(void) {
      if (!hasBegun || draw(1000) >= failing) return 0;
      errno = errors[draw(kinds)];
      return 1;
    }
    static size_t part(size_t count) {
      return hasBegun && count > 1 && draw(1000) < shortened ? 1 + draw((unsigned)count - 1) : count;
    }
    #define CALL(result, name, declared, given) \\
      result name declared { \\
        result (*real) declared = dlsym(RTLD_NEXT, #name); \\
        return fails() ? -1 : real given; \\
      }
    CALL(ssize_t, pwrite, (int f, const void *b, size_t n, off_t o), (f, b, part(n), o))
    CALL(ssize_t, pread, (int f, void *b, size_t n, off_t o), (f, b, part(n), o))
    CALL(int, fsync, (int f), (f))
    CALL(int, fdatasync, (int f), (f))
    CALL(int, ftruncate, (int f, off_t n), (f, n))
    CALL(int, fstat, (int f, struct stat *s), (f, s))
    CALL(int, fstatat, (int d, const char *p, struct stat *s, int l), (d, p, s, l))
    CALL(int, fstatvfs, (int f, struct statvfs *s), (f, s))
    CALL(int, unlinkat, (int d, const char *p, int l), (d, p, l))
    CALL(int, renameat, (int d, const char *p, int e, const char *q), (d, p, e, q))
    int mkdirat(int folder, const char *path, mode_t mode) {
      int (*real)(int, const char *, mode_t) = dlsym(RTLD_NEXT, "mkdirat");
      look(path);
      return fails() ? -1 : real(folder, path, mode);
    }
    /* The C library has no function for openat2 and getdents64. */
    long syscall(long call, ...) {
      long (*real)(long, ...) = dlsym(RTLD_NEXT, "syscall");
      long given[6];
      va_list list;
      va_start(list, call);
      for (int index = 0; index < 6; ++index) given[index] = va_arg(list, long);
      va_end(list);
      if ((call == SYS_openat2 || call == SYS_getdents64) && fails()) return -1;
      return real(call, given[0], given[1], given[2], given[3], given[4], given[5]);
    }
    """
}
