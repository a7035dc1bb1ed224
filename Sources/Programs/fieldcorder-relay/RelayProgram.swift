import Base
import CLinux
import CSandbox
import CShout
import Configuration
import Machine
import Wire

enum RelayProgram {
  static let software: StaticString = "fieldcorder-relay 0.1.0"
  /// The delay from the first failure to the next attempt; doubles up to ``longestRestSeconds``.
  private static var firstRestSeconds: UInt32 { 1 }
  private static var longestRestSeconds: UInt32 { 32 }
  /// A relay that has lasted this long resets the delay.
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

  /// Relays until a signal ends the process.
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
      // Reported once: a server may be away for days.
      if failure.line != told {
        StandardStreams.complain("fieldcorder-relay: \(failure.line); it is tried again" as FixedText<1100>)
        told = failure.line
      }
      sleep(restSeconds)
      restSeconds = min(2 * restSeconds, longestRestSeconds)
    }
  }

  /// Forwards the monitor's stream.
  /// - Returns: why it ended.
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

/// Why nothing is sent, and what to do about it.
struct RelayFailure: Error {
  let line: FixedText<1024>

  init(_ line: FixedText<1024>) { self.line = line }
}

/// The entry point for C's start-up code: the package manager links this name as `main`.
@_cdecl("fieldcorder_relay_main")
public func main(count: Int32, words: UnsafePointer<UnsafePointer<CChar>?>) -> Int32 {
  var words = unsafe ArgumentList(count: count, words: words)
  return RelayProgram.run(&words)
}

/// The program's settings, read once from the configuration and the files that it names.
struct RelaySettings {
  let icecast: IcecastAddress
  let password: FixedText<64>
  let monitorAddress: FixedText<64>
  let monitorPort: UInt16
  private let tokenPath: FixedText<128>

  /// - Throws: if the configuration cannot be read, or asks for nothing that this program can do.
  init(_ path: FixedText<256>) throws(RelayFailure) {
    let monitor = try Self.load(path)
    guard let name = monitor.icecast else {
      throw RelayFailure("there is nowhere to send to: set [monitor] icecast in \(path)")
    }
    guard let icecast = IcecastAddress(name.bytes) else {
      throw RelayFailure(
        "[monitor] icecast = \(name): expected an address without a password, such as http://archive:8000/field.opus"
      )
    }
    guard let passwordPath = monitor.icecastPasswordPath else {
      throw RelayFailure("set [monitor] icecast_password to a file with the password of \(icecast.host)'s sources")
    }
    guard monitor.certificatePath == nil else {
      throw RelayFailure(
        "[monitor] certificate is set: this program listens to the monitor without TLS, at an address such as 127.0.0.1"
      )
    }
    guard monitor.source == nil else {
      throw RelayFailure("[monitor] source is a file: this program sends the microphone, with source = microphone")
    }
    self.icecast = icecast
    password = try Self.line(of: FixedText(passwordPath.bytes))
    guard password.byteCount < 64 else { throw RelayFailure("\(passwordPath) has a password of more than 63 bytes") }
    monitorAddress = FixedText(monitor.address.bytes)
    monitorPort = monitor.port
    tokenPath = monitor.tokenPath.map { FixedText($0.bytes) } ?? "/var/lib/fieldcorder-monitor/token"
  }

  /// Reads the monitor's token, which the monitor makes at its first start: that may be after this program's.
  func token() throws(RelayFailure) -> AccessToken {
    guard let token = AccessToken(try Self.line(of: tokenPath).bytes) else {
      throw RelayFailure("\(tokenPath) has no token: start fieldcorder-monitor, which makes one")
    }
    return token
  }

  private static func load(_ path: FixedText<256>) throws(RelayFailure) -> MonitorSettings {
    do throws(SettingsError) {
      return try Settings.load(path, mustExist: true).monitor
    } catch {
      throw RelayFailure(error.line)
    }
  }

  private static func line(of path: FixedText<128>) throws(RelayFailure) -> FixedText<64> {
    guard let line = firstLine(of: path) else {
      throw RelayFailure("\(path) cannot be read: make it, and give the program's user the right to")
    }
    // Editors of other systems end lines with a carriage return too.
    let text = line.bytes.hasSuffix("\r") ? FixedText<64>(line.bytes.extracting(droppingLast: 1)) : line
    guard !text.isEmpty else { throw RelayFailure("\(path) is empty") }
    return text
  }
}
