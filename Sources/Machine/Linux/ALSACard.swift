import Base
import CALSA
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
  mutating func use<Result>(_ body: (inout Stream) throws(ALSAError) -> Result) throws(DeviceFailure) -> Result {
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

  private func failure(_ name: FixedText<64>, _ problem: StaticString, _ systemErrorNumber: Int32) -> DeviceFailure {
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
      device: device, kind: kind, subject: name, problem: problem, remedy: remedy, systemErrorNumber: systemErrorNumber)
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

/// The mixer of a sound card, through alsa-lib; it closes when the value is destroyed.
// Destroyed with the machine in another module, which must see its deinit.
@usableFromInline @safe package struct CardMixer: ~Copyable {
  // Safe: the handle is used only through this value and closed once, at its end. Elements live as long as it does.
  private let handle: OpaquePointer

  /// - Parameter device: an ALSA device name, such as `plughw:1,0`, whose card's mixer is opened.
  init(of device: FixedText<64>) throws(ALSAError) {
    alsa_silence()
    var opened: OpaquePointer?
    let result = unsafe Self.cardName(of: device).withCString { unsafe alsa_open_mixer($0, &opened) }
    guard result == 0, let opened = unsafe opened else { throw ALSAError(result: Int(result)) }
    unsafe handle = opened
  }

  deinit { unsafe snd_mixer_close(handle) }

  /// `hw:1` for `plughw:1,0`; a name that contains no card is unchanged.
  static func cardName(of device: FixedText<64>) -> FixedText<64> {
    var start = 0
    while start < device.byteCount, device.bytes[start] != UInt8(ascii: ":") { start += 1 }
    guard start < device.byteCount else { return device }
    var end = start + 1
    while end < device.byteCount, device.bytes[end] != UInt8(ascii: ",") { end += 1 }
    return "hw:\(FixedText<64>(device.bytes.extracting(start + 1..<end)))"
  }

  /// Changes gains, then lists them all. A card has no defaults: a reset changes nothing.
  func change(_ change: ControlChange) throws(ALSAError) -> ControlList {
    if case .set(let identifier, let hundredths) = change, let element = unsafe element(identifier) {
      let result = unsafe alsa_set_gain(element, Int(clamping: hundredths))
      guard result >= 0 else { throw ALSAError(result: Int(result)) }
    }
    var list = ControlList()
    for identifier in 0..<CardLimits.mixerElements {
      guard let element = unsafe element(identifier) else { break }
      if let control = unsafe control(element, identifier) { list.append(control) }
    }
    return list
  }

  /// An element's identifier is its position.
  private func element(_ identifier: UInt32) -> OpaquePointer? {
    var element = unsafe snd_mixer_first_elem(handle)
    for _ in 0..<min(identifier, CardLimits.mixerElements) {
      guard let present = unsafe element else { return nil }
      unsafe element = snd_mixer_elem_next(present)
    }
    return unsafe element
  }

  private func control(_ element: OpaquePointer, _ identifier: UInt32) -> DeviceControl? {
    var gain = alsa_gain()
    guard unsafe alsa_gain_of(element, &gain) == 0, gain.least < gain.most else { return nil }
    var control = DeviceControl()
    control.identifier = identifier
    control.name = unsafe withUnsafeBytes(of: gain.name) { unsafe FixedText(asWord: $0) }
    if control.name.isEmpty { control.name = "gain" }
    if gain.index > 0 { control.name.append("_\(gain.index)" as FixedText<12>) }
    control.value = Int64(gain.value)
    control.usual = control.value
    control.least = Int64(gain.least)
    control.most = Int64(gain.most)
    return control
  }
}
