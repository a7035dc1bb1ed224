import Base
import CALSA

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
