import Base
import Configuration
import Machine
import Wire

/// What the program needs of the configuration, read once, and of the files that it names.
struct RelaySettings {
  let icecast: IcecastAddress
  let password: FixedText<64>
  let monitorAddress: FixedText<64>
  let monitorPort: UInt16
  private let tokenPath: FixedText<128>

  /// - Throws: when the configuration cannot be read, or asks for nothing that this program can do.
  init(_ path: FixedText<256>) throws(RelayFailure) {
    let monitor = try Self.load(path)
    guard let name = monitor.icecast else {
      throw RelayFailure("there is nowhere to send to: set [monitor] icecast in \(path)")
    }
    guard let icecast = IcecastAddress(name.bytes) else {
      throw RelayFailure(
        "[monitor] icecast = \(name): expected an address without user and password, such as http://archive:8000/field.opus"
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
    monitorAddress = FixedText(monitor.address.bytes)
    monitorPort = monitor.port
    tokenPath = monitor.tokenPath.map { FixedText($0.bytes) } ?? "/var/lib/fieldcorder-monitor/token"
  }

  /// Reads the monitor's token, which it makes at its first start: that may be after this program's.
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
    guard !line.isEmpty else { throw RelayFailure("\(path) is empty") }
    return line
  }
}
