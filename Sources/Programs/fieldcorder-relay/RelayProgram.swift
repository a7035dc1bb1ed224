import Base
import CLinux
import CSandbox
import CShout
import Configuration
import Machine
import Wire

/// The program, from its arguments to its exit status.
enum RelayProgram {
  static let software: StaticString = "fieldcorder-relay 0.1.0"
  /// From the first failure to the next try; it doubles up to ``longestRestSeconds``.
  private static var firstRestSeconds: UInt32 { 1 }
  private static var longestRestSeconds: UInt32 { 32 }
  /// A relay that has lasted so long starts over with the first rest.
  private static var goodNanoseconds: UInt64 { 60_000_000_000 }

  static func run(_ words: inout ArgumentList) -> Int32 {
    var configuration: FixedText<256> = "/etc/fieldcorder.conf"
    while let word: FixedText<64> = words.next() {
      if word == "--help" {
        StandardStreams.say(usage)
        return ExitStatus.done
      } else if word == "--version" {
        StandardStreams.say(software)
        return ExitStatus.done
      } else if word == "--config", let path: FixedText<256> = words.next() {
        configuration = path
      } else {
        return refuse("\(word) is not an option, or needs a value; --help lists them")
      }
    }
    do throws(RelayFailure) {
      try serve(RelaySettings(configuration))
    } catch {
      return refuse(error.line)
    }
  }

  private static func refuse(_ line: FixedText<1024>) -> Int32 {
    StandardStreams.complain("fieldcorder-relay: \(line)" as FixedText<1100>)
    return ExitStatus.refused
  }

  /// Sends until a signal ends the process.
  private static func serve(_ settings: RelaySettings) throws(RelayFailure) -> Never {
    linux_ignore_broken_pipes()
    guard sandbox_drop_rights() == 0 else { throw RelayFailure("the system refuses a sandbox") }
    shout_init()
    var restSeconds = firstRestSeconds
    var told = FixedText<1024>()
    while true {
      let start = Instant.now
      let failure = relay(settings)
      if Instant.now.distance(since: start) >= goodNanoseconds {
        restSeconds = firstRestSeconds
        told = ""
      }
      // Once: a server may be away for days.
      if failure.line != told {
        StandardStreams.complain("fieldcorder-relay: \(failure.line); it is tried again" as FixedText<1100>)
        told = failure.line
      }
      sleep(restSeconds)
      restSeconds = min(2 * restSeconds, longestRestSeconds)
    }
  }

  /// Sends what the monitor sends.
  /// - Returns: why that has ended.
  private static func relay(_ settings: RelaySettings) -> RelayFailure {
    do throws(RelayFailure) {
      var stream = try MonitorStream(settings.monitorAddress, port: settings.monitorPort, token: settings.token())
      let source = try IcecastSource(settings.icecast, password: settings.password)
      StandardStreams.say("sending to \(settings.icecast.host), \(settings.icecast.mount)" as FixedText<160>)
      var buffer = InlineArray<4096, UInt8>(repeating: 0)
      while true {
        var span = buffer.mutableSpan
        let range = try stream.read(into: &span)
        if !range.isEmpty { try source.send(buffer.span.extracting(range)) }
      }
    } catch {
      return error
    }
  }

  private static let usage: StaticString = """
    fieldcorder-relay 0.1.0: sends what fieldcorder-monitor serves to an Icecast server, for many listeners

    usage: fieldcorder-relay [--config FILE]
      --config FILE      the recorder's configuration, of which [monitor] is used; /etc/fieldcorder.conf if left out
      --help, --version  print this, or the version
    """
}

/// Why nothing is sent, and what to do.
struct RelayFailure: Error {
  let line: FixedText<1024>

  init(_ line: FixedText<1024>) { self.line = line }
}

/// C's start-up code enters the program here: the package manager links this name as `main`.
@_cdecl("fieldcorder_relay_main")
public func main(count: Int32, words: UnsafePointer<UnsafePointer<CChar>?>) -> Int32 {
  var words = unsafe ArgumentList(count: count, words: words)
  return RelayProgram.run(&words)
}
