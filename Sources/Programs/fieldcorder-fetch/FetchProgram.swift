import Base
import CCurl
import CLinux
import Machine

/// The program, from its arguments to its exit status.
enum FetchProgram {
  static let software: StaticString = "fieldcorder-fetch 0.1.0"

  static func run(_ words: inout ArgumentList) -> Int32 {
    var path: FixedText<128>?
    var certificates: FixedText<256>?
    while let word: FixedText<24> = words.next() {
      if word == "--help" {
        StandardStreams.say(usage)
        return ExitStatus.done
      } else if word == "--version" {
        StandardStreams.say(software)
        return ExitStatus.done
      } else if word == "--socket" {
        path = words.next()
      } else if word == "--certificates" {
        certificates = words.next()
      } else {
        StandardStreams.complain("fieldcorder-fetch: unknown option \(word); see --help" as FixedText<80>)
        return ExitStatus.refused
      }
    }
    guard let listener = listener(at: path) else {
      StandardStreams.complain("fieldcorder-fetch: needs a socket: of systemd, or --socket PATH, where nothing is yet")
      return ExitStatus.refused
    }
    linux_ignore_broken_pipes()
    guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, var server = FetchServer(listener, certificates)
    else {
      StandardStreams.complain("fieldcorder-fetch: the system refuses what it needs")
      return ExitStatus.failed
    }
    server.run()
    return ExitStatus.failed
  }

  /// The socket that systemd passes is descriptor 3 (sd_listen_fds).
  private static func listener(at path: FixedText<128>?) -> FileDescriptor? {
    if let path {
      let number = unsafe path.withCString { unsafe linux_listen_for_packets($0) }
      return number >= 0 ? FileDescriptor(owning: number) : nil
    }
    guard environmentNumber("LISTEN_PID") == Int(getpid()), environmentNumber("LISTEN_FDS") == 1 else { return nil }
    _ = linux_never_wait(3)
    return FileDescriptor(owning: 3)
  }

  private static func environmentNumber(_ name: FixedText<16>) -> Int? {
    let value = unsafe name.withCString { unsafe FixedText<16>(cString: getenv($0)) }
    return value.bytes.parseInteger(as: Int.self)
  }

  private static let usage: StaticString = """
    fieldcorder-fetch 0.1.0: fetches streams for fieldcorder

    usage: fieldcorder-fetch [--socket PATH] [--certificates FILE]
      --socket PATH        listen there; without it, systemd has made the socket
      --certificates FILE  trusted certificates, instead of the system's
      --help, --version    print this, or the version
    """
}

/// The entry point for C's start-up code: the package manager links this name as `main`.
@_cdecl("fieldcorder_fetch_main")
public func main(count: Int32, words: UnsafePointer<UnsafePointer<CChar>?>) -> Int32 {
  var words = unsafe ArgumentList(count: count, words: words)
  return FetchProgram.run(&words)
}
