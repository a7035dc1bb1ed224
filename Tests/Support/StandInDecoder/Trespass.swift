import CLinux
import CSandbox
import Foundation

/// Actions that the sandbox must prevent.
enum Trespass {
  /// - Returns: the result, if the sandbox allowed the action.
  static func attempt(_ name: Substring) -> Int {
    switch name {
    case "open": Int(unsafe open("/dev/null", O_RDONLY))
    case "socket": Int(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    case "fork": startProcess()
    case "execute": unsafe Int(execv("/bin/true", [nil]))
    case "kill-parent": Int(kill(getppid(), 0))
    case "look-at-limits": lookAtLimits()
    case "make-code": map(PROT_READ | PROT_EXEC)
    case "turn-into-code": turnIntoCode()
    case "punch-hole": madvise(MADV_REMOVE)
    case "rename": unsafe Int(rename("a", "b"))
    case "control": Int(isatty(0))
    // Actions that fail:
    case "file-status": fileStatus()
    case "sort-much": sortMuch()
    // Allowed actions:
    case "renew": Int(sandbox_renew_time(10))
    case "map": map(PROT_READ | PROT_WRITE)
    case "give-back": madvise(MADV_DONTNEED)
    case "grow": grow()
    default: -1
    }
  }

  private static func startProcess() -> Int {
    let words = unsafe [strdup("true"), nil]
    return unsafe Int(linux_start_program("/bin/true", words, 0, -1))
  }

  private static func lookAtLimits() -> Int {
    var limit = rlimit()
    return unsafe Int(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit))
  }

  /// - Returns: whether as many numbers as an audiobook has chapters were sorted.
  private static func sortMuch() -> Int {
    var numbers = (0..<1000).map { Int64(($0 * 7) % 1000) }
    unsafe numbers.withUnsafeMutableBytes { bytes in
      unsafe qsort(bytes.baseAddress!, 1000, 8) { left, right in
        unsafe Int32(truncatingIfNeeded: left!.load(as: Int64.self) - right!.load(as: Int64.self))
      }
    }
    return numbers == (0..<1000).map { Int64($0) } ? 0 : -1
  }

  private static func fileStatus() -> Int {
    var status = stat()
    return unsafe Int(stat("/etc/passwd", &status))
  }

  private static func map(_ protection: Int32, byteCount: Int = 4096) -> Int {
    let address = unsafe mmap(nil, byteCount, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    return unsafe linux_is_map_failed(address) == 0 ? 0 : -1
  }

  private static func turnIntoCode() -> Int {
    let address = unsafe mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    return unsafe Int(mprotect(address!, 4096, PROT_READ | PROT_EXEC))
  }

  private static func madvise(_ advice: Int32) -> Int {
    let address = unsafe mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    return unsafe Int(CLinux.madvise(address!, 4096, advice))
  }

  /// The number of mebibytes that can be allocated one by one.
  private static func grow() -> Int {
    var count = 0
    // Mapped, because the optimiser removes unused heap memory.
    while count < 1000, map(PROT_READ | PROT_WRITE, byteCount: 1 << 20) == 0 { count += 1 }
    return count
  }
}
