import Base

/// The command line of a decoder's process.
package struct DecoderInvocation: Equatable, Sendable {
  /// The file descriptor of the socket for orders and messages.
  package var socket: Int32
  /// The file descriptor of the PCM ring's memory; nil for none.
  package var ring: Int32?
  /// The ring's bytes, a whole number of frames; 0 without a ring.
  package var ringByteCount: Int
  /// The format of the frames in the ring.
  package var format: AudioFormat
  /// Whether it only probes: the ring's memory is then an ``ExtractMemory``.
  package var isProber: Bool
  /// Whether packets are read on the decoding thread, so that a run can be repeated to the byte.
  package var isInStep: Bool

  package init(
    socket: Int32, ring: Int32?, ringByteCount: Int, format: AudioFormat, isInStep: Bool, isProber: Bool = false
  ) {
    self.socket = socket
    self.ring = ring
    self.ringByteCount = ringByteCount
    self.format = format
    self.isInStep = isInStep
    self.isProber = isProber
  }

  /// The arguments: `--socket 5 --ring 6 --ring-bytes 96000 --rate 48000 --channels 2
  /// --format s16 --in-step --probe`, without `--ring` when there is none, and without the last two when it is not.
  package func forEachWord(_ body: (borrowing FixedText<24>) -> Void) {
    Self.option("--socket", "\(socket)", body)
    if let ring { Self.option("--ring", "\(ring)", body) }
    Self.option("--ring-bytes", "\(ringByteCount)", body)
    Self.option("--rate", "\(format.sampleRateHz)", body)
    Self.option("--channels", "\(format.channelCount)", body)
    Self.option("--format", FixedText(format.sampleFormat.word.utf8Bytes), body)
    if isInStep { body("--in-step") }
    if isProber { body("--probe") }
  }

  /// Parses the arguments; nil when one is unknown, has no value, or is missing.
  /// - Parameter nextWord: returns the next argument; nil after the last.
  package init?(nextWord: () -> FixedText<24>?) {
    self.init(
      socket: -1, ring: nil, ringByteCount: 0,
      format: AudioFormat(sampleRateHz: 0, channelCount: 0, sampleFormat: .int16), isInStep: false)
    while let word = nextWord() {
      if word == "--in-step" {
        isInStep = true
      } else if word == "--probe" {
        isProber = true
      } else {
        guard let value = nextWord(), read(word, value) else { return nil }
      }
    }
    guard socket >= 0, format.sampleRateHz > 0, format.channelCount > 0 else { return nil }
    guard ringByteCount >= 0, (ringByteCount > 0) == (ring != nil) else { return nil }
    guard ringByteCount % format.bytesPerFrame == 0 else { return nil }
  }

  private mutating func read(_ option: borrowing FixedText<24>, _ value: borrowing FixedText<24>) -> Bool {
    if option == "--socket" { return Self.number(value, &socket) }
    if option == "--ring-bytes" { return Self.number(value, &ringByteCount) }
    if option == "--rate" { return Self.number(value, &format.sampleRateHz) }
    if option == "--channels" { return Self.number(value, &format.channelCount) }
    if option == "--ring" {
      ring = value.bytes.parseInteger(as: Int32.self)
      return ring != nil
    }
    guard option == "--format", let sampleFormat = SampleFormat(word: value) else { return false }
    format.sampleFormat = sampleFormat
    return true
  }

  private static func number<Value: FixedWidthInteger>(_ text: borrowing FixedText<24>, _ value: inout Value) -> Bool {
    guard let number = text.bytes.parseInteger(as: Value.self) else { return false }
    value = number
    return true
  }

  private static func option(
    _ name: FixedText<24>, _ value: FixedText<24>, _ body: (borrowing FixedText<24>) -> Void
  ) {
    body(name)
    body(value)
  }
}

extension SampleFormat {
  fileprivate var word: StaticString {
    switch self {
    case .int16: "s16"
    case .int24: "s24"
    case .float32: "float"
    }
  }

  fileprivate init?(word: borrowing FixedText<24>) {
    for rawValue: UInt8 in 0...2 {
      guard let format = Self(rawValue: rawValue), word == format.word else { continue }
      self = format
      return
    }
    return nil
  }
}
