import Base
import CLinux

/// One direction of an open card.
package protocol CardDirection: ~Copyable {
  /// Advice for when the card cannot be used in this direction.
  static var remedies: CardRemedies { get }
  /// The agreed format.
  var format: AudioFormat { get }

  init(_ request: SoundCardRequest) throws(ALSAError)
}

/// One direction of a sound card through alsa-lib, open or closed.
package struct ALSACard<Stream: CardDirection & ~Copyable>: ~Copyable {
  /// Nil while the card is closed.
  var stream: Stream?
  private var deviceName = FixedText<64>()

  init() {}

  /// Takes the card's format nearest to `request`: the first possible sample format, then channels, then rate.
  mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat {
    close()
    deviceName = request.deviceName
    do throws(ALSAError) {
      let opened = try DeviceArena.serve { () throws(ALSAError) in try Stream(request) }
      let format = opened.format
      stream = consume opened
      return format
    } catch {
      throw Stream.remedies.failureToOpen(deviceName, error)
    }
  }

  /// Lends the open card; a closed card counts as absent.
  mutating func use<Result>(
    _ body: (inout Stream) throws(ALSAError) -> Result
  ) throws(DeviceFailure) -> Result {
    do throws(ALSAError) {
      guard stream != nil else { throw ALSAError(result: -Int(ENODEV)) }
      return try body(&stream!)
    } catch {
      throw Stream.remedies.failureWhileOpen(deviceName, error)
    }
  }

  mutating func close() {
    DeviceArena.serve { stream = nil }
  }
}

/// Advice on a failure that differs between the two directions of a card.
package struct CardRemedies {
  var device: Device
  var whenAbsent: StaticString
  var whenUnsupported: StaticString
  var otherwise: StaticString

  func failureToOpen(_ name: FixedText<64>, _ error: ALSAError) -> DeviceFailure {
    let isForbidden = error.systemErrorNumber == ENOENT && Self.isSoundForbidden
    return failure(name, "cannot be opened", isForbidden ? EACCES : error.systemErrorNumber)
  }

  func failureWhileOpen(_ name: FixedText<64>, _ error: ALSAError) -> DeviceFailure {
    // Some plugins report an unplugged card as one in a bad state.
    failure(name, "stopped", error.systemErrorNumber == EBADFD ? ENODEV : error.systemErrorNumber)
  }

  private func failure(
    _ name: FixedText<64>, _ problem: StaticString, _ systemErrorNumber: Int32
  ) -> DeviceFailure {
    let kind = DeviceFailure.Kind(systemErrorNumber: systemErrorNumber)
    let remedy: StaticString =
      switch kind {
      case .absent: whenAbsent
      case .noPermission: "add the recorder's user to the group audio"
      case .busy: "end the program that uses it"
      case .unsupported: whenUnsupported
      default: otherwise
      }
    return DeviceFailure(
      device: device, kind: kind, subject: name, problem: problem, remedy: remedy,
      systemErrorNumber: systemErrorNumber)
  }

  /// Whether there is a card that we may not open: alsa-lib reports such a card as absent.
  private static var isSoundForbidden: Bool {
    for card in 0..<8 {
      let control: FixedText<32> = "/dev/snd/controlC\(card)"
      let isThereButClosed = unsafe control.withCString { unsafe access($0, F_OK) == 0 && access($0, R_OK | W_OK) != 0 }
      if isThereButClosed { return true }
    }
    return false
  }
}

/// An error from alsa-lib: an `errno`, or one of its own numbers above those.
package struct ALSAError: Error {
  var systemErrorNumber: Int32

  /// - Parameter result: the negative result of one of its functions.
  init(result: Int) { systemErrorNumber = Int32(truncatingIfNeeded: 0 &- result) }

  /// The card's buffer filled up before it was read.
  static var overrun: ALSAError { ALSAError(result: -Int(EPIPE)) }

  /// Whether the card has only stopped, after an overrun, an underrun or a suspend, and can be restarted.
  var isInterruption: Bool { systemErrorNumber == EPIPE || systemErrorNumber == ESTRPIPE }
}
