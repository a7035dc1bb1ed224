import Base

/// What the recorder orders from a decoder process, which carries the orders out in sequence.
///
/// Frames of the PCM ring are counted from the start of the process and never wrap: frame n is at n modulo the ring's
/// capacity. The recorder chooses the first frame of each order, so that frames decoded for an older order are never
/// taken for those of a newer one.
package enum DecoderOrder: WireCoded, BitwiseCopyable, Equatable, Sendable {
  /// Closes the open item and opens the file that comes with the order. Answered by
  /// ``DecoderMessage/opened(requestID:_:_:)``, once its buffers are primed, or
  /// ``DecoderMessage/refused(requestID:_:)``.
  /// - Parameters:
  ///   - requestID: repeated in the answer.
  ///   - ringFrame: where the item's first frame goes.
  ///   - isSynced: whether it is a stream that is kept in sync elsewhere: neither stretched nor shortened, and hardly
  ///     buffered.
  case open(requestID: UInt32, ringFrame: UInt64, isSynced: Bool = false)
  /// Opens a file beside the open one, to follow it without a gap. It replaces a file opened this way before. Answered
  /// like ``open(requestID:ringFrame:isSynced:)``.
  case openNext(requestID: UInt32)
  /// Closes the file opened by ``openNext(requestID:)``. Not answered.
  case forgetNext
  /// Continues decoding at another position of the open item. Answered by a ``DecoderMessage/mark(_:)`` at `ringFrame`.
  case seek(seconds: Double, ringFrame: UInt64)
  /// Loops a section from now on; nil decodes to the item's end. Frames already in the ring stay. Not answered.
  case setSection(PlaybackSection?)
  /// Sets the playback rate of what is decoded from now on, 0.5…2.0, keeping the pitch. Answered by a mark.
  case setRate(Double)
  /// Decodes until exactly the frames before `endFrame` are in the ring. Answered by
  /// ``DecoderMessage/filled(endFrame:_:)``, or, if the item ends first, by ``DecoderMessage/ended(ringFrame:_:)``.
  case fill(endFrame: UInt64)
  /// Closes the open item and frees its buffers. Not answered.
  case close
  /// Examines the file that comes with the order, without buffers, and closes it. Answered like `open`.
  case probe(requestID: UInt32)
  /// Extracts something from the file that comes with the order, and closes it. Answered by
  /// ``DecoderMessage/extracted(requestID:_:)``. Only for a probing process.
  case extract(Extract, requestID: UInt32)

  /// Identifies the answer; nil for orders that need no file.
  package var requestID: UInt32? {
    switch self {
    case .open(let requestID, _, _), .openNext(let requestID), .probe(let requestID), .extract(_, let requestID):
      requestID
    case .forgetNext, .seek, .setSection, .setRate, .fill, .close: nil
    }
  }

  package var needsFile: Bool { requestID != nil }
  package static var maximumByteCount: Int { 17 }

  private enum Kind: UInt8 {
    case open = 1
    case openNext
    case forgetNext
    case seek
    case setSection
    case clearSection
    case setRate
    case fill
    case close
    case probe
    case extract
    case openSynced
  }

  package func write(to writer: inout WireWriter) {
    writer.number(kind.rawValue)
    switch self {
    case .open(let requestID, let ringFrame, _):
      writer.number(requestID)
      writer.number(ringFrame)
    case .openNext(let requestID), .probe(let requestID): writer.number(requestID)
    case .seek(let seconds, let ringFrame):
      writer.fraction(seconds)
      writer.number(ringFrame)
    case .setSection(let section?):
      writer.fraction(section.startSeconds)
      writer.fraction(section.endSeconds)
    case .setRate(let rate): writer.fraction(rate)
    case .fill(let endFrame): writer.number(endFrame)
    case .extract(let extract, let requestID):
      writer.number(extract.rawValue)
      writer.number(requestID)
    case .forgetNext, .setSection(nil), .close: break
    }
  }

  /// Refuses a position outside 0…10⁷ s, a section that ends before it begins, a rate outside 0.5…2.0, and a frame
  /// beyond 2⁶².
  package init(_ reader: inout WireReader) throws(MalformedMessage) {
    switch try reader.choice() as Kind {
    case .open: self = .open(requestID: try reader.number(), ringFrame: try reader.count())
    case .openSynced:
      self = .open(requestID: try reader.number(), ringFrame: try reader.count(), isSynced: true)
    case .openNext: self = .openNext(requestID: try reader.number())
    case .forgetNext: self = .forgetNext
    case .seek: self = .seek(seconds: try reader.seconds(), ringFrame: try reader.count())
    case .setSection: self = .setSection(try PlaybackSection(&reader))
    case .clearSection: self = .setSection(nil)
    case .setRate: self = .setRate(try reader.rate())
    case .fill: self = .fill(endFrame: try reader.count())
    case .close: self = .close
    case .probe: self = .probe(requestID: try reader.number())
    case .extract: self = .extract(try reader.choice(), requestID: try reader.number())
    }
  }

  private var kind: Kind {
    switch self {
    case .open(_, _, let isSynced): isSynced ? .openSynced : .open
    case .openNext: .openNext
    case .forgetNext: .forgetNext
    case .seek: .seek
    case .setSection(nil): .clearSection
    case .setSection: .setSection
    case .setRate: .setRate
    case .fill: .fill
    case .close: .close
    case .probe: .probe
    case .extract: .extract
    }
  }
}

package struct PlaybackSection: BitwiseCopyable, Equatable, Sendable {
  /// The beginning, in seconds of the item.
  package var startSeconds: Double
  /// The end, later than the beginning.
  package var endSeconds: Double

  package init(startSeconds: Double, endSeconds: Double) {
    self.startSeconds = startSeconds
    self.endSeconds = endSeconds
  }

  fileprivate init(_ reader: inout WireReader) throws(MalformedMessage) {
    self.init(startSeconds: try reader.seconds(), endSeconds: try reader.seconds())
    guard startSeconds < endSeconds else { throw MalformedMessage() }
  }
}

/// The command line of a decoder process.
package struct DecoderInvocation: Equatable, Sendable {
  /// The file descriptor of the socket for orders and messages.
  package var socket: Int32
  /// The file descriptor of the PCM ring's memory; nil if there is none.
  package var ring: Int32?
  /// The ring's size, a whole number of frames; 0 without a ring.
  package var ringByteCount: Int
  /// The format of the frames in the ring.
  package var format: AudioFormat
  /// Whether it only probes; the ring's memory is then an ``ExtractMemory``.
  package var isProber: Bool
  /// Whether packets are read on the decoding thread, so that a run is reproducible to the byte.
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

  /// The arguments: `--socket 5 --ring 6 --ring-bytes 96000 --rate 48000 --channels 2 --format s16 --in-step --probe`;
  /// without `--ring` if there is none, and the last two only if they apply.
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

  /// Parses the arguments; nil if one is unknown, has no value, or is missing.
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

  private static func option(_ name: FixedText<24>, _ value: FixedText<24>, _ body: (borrowing FixedText<24>) -> Void) {
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
