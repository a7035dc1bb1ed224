/// What the recorder orders from a decoder's process, which runs the orders one after the other.
///
/// Frames of the PCM ring are counted from the process's start and never wrap: frame n lies at n modulo the ring's
/// capacity. The recorder says where the first frame of an order goes, so that frames that were decoded for an older
/// order are never taken for those of a newer one.
package enum DecoderOrder: WireCoded, BitwiseCopyable, Equatable, Sendable {
  /// Closes what is open and opens the file that comes with the order. Answered by
  /// ``DecoderMessage/opened(requestID:_:_:)``, once its buffers are primed, or ``DecoderMessage/refused(requestID:_:)``.
  /// - Parameters:
  ///   - requestID: repeated in the answer.
  ///   - ringFrame: where the item's first frame goes.
  ///   - isSynced: whether it is a stream that somebody else keeps in sync: it is not made longer or shorter, and hardly
  ///     buffered.
  case open(requestID: UInt32, ringFrame: UInt64, isSynced: Bool = false)
  /// Opens a file beside the one that is open, to follow its end without a gap. It replaces one that was opened this way
  /// before. Answered like ``open(requestID:ringFrame:isSynced:)``.
  case openNext(requestID: UInt32)
  /// Closes what ``openNext(requestID:)`` opened. Not answered.
  case forgetNext
  /// Decodes on from another position of the open item. Answered by a ``DecoderMessage/mark(_:)`` at `ringFrame`.
  case seek(seconds: Double, ringFrame: UInt64)
  /// Loops a section from now on; nil: decodes to the item's end. What is in the ring already stays. Not answered.
  case setSection(PlaybackSection?)
  /// The playback rate of what is decoded from now on, 0.5…2.0, its pitch kept. Answered by a mark.
  case setRate(Double)
  /// Decodes until all frames before `endFrame` are in the ring, and not one more. Answered by
  /// ``DecoderMessage/filled(endFrame:_:)``, or before that by ``DecoderMessage/ended(ringFrame:_:)``.
  case fill(endFrame: UInt64)
  /// Closes what is open and frees its buffers. Not answered.
  case close
  /// Examines the file that comes with the order, without buffers, and closes it. Answered like `open`.
  case probe(requestID: UInt32)
  /// Takes something out of the file that comes with the order, and closes it. Answered by
  /// ``DecoderMessage/extracted(requestID:_:)``. Only for a process that only probes.
  case extract(Extract, requestID: UInt32)

  /// Identifies the answer; nil for orders that need no file.
  package var requestID: UInt32? {
    switch self {
    case .open(let requestID, _, _), .openNext(let requestID), .probe(let requestID), .extract(_, let requestID):
      requestID
    case .forgetNext, .seek, .setSection, .setRate, .fill, .close: nil
    }
  }

  /// Whether a file comes with it.
  package var needsFile: Bool { requestID != nil }

  /// The length of the largest order.
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

  /// Writes the order to the start of `memory`.
  /// - Parameter memory: at least ``maximumByteCount`` bytes.
  /// - Returns: the order's length in bytes.
  package func encode(into memory: inout MutableRawSpan) -> Int {
    var writer = WireWriter(&memory)
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
    return writer.byteCount
  }

  /// Reads an order. Nil when the bytes are none: an unknown kind, another length, a position outside of 0…10⁷ s, a
  /// section that ends before it begins, a rate outside of 0.5…2.0, a frame beyond 2⁶².
  package init?(decoding bytes: RawSpan) {
    guard let read = Self.read(bytes) else { return nil }
    self = read
  }

  init(_ reader: inout WireReader) throws(MalformedMessage) {
    switch Kind(rawValue: try reader.number()) {
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
    case .extract:
      guard let extract = Extract(rawValue: try reader.number()) else { throw MalformedMessage() }
      self = .extract(extract, requestID: try reader.number())
    case nil: throw MalformedMessage()
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

/// A section of an item that is looped.
package struct PlaybackSection: BitwiseCopyable, Equatable, Sendable {
  /// Where it begins, in seconds of the item.
  package var startSeconds: Double
  /// Where it ends, later than it begins.
  package var endSeconds: Double

  /// The section between two positions of an item.
  package init(startSeconds: Double, endSeconds: Double) {
    self.startSeconds = startSeconds
    self.endSeconds = endSeconds
  }

  fileprivate init(_ reader: inout WireReader) throws(MalformedMessage) {
    self.init(startSeconds: try reader.seconds(), endSeconds: try reader.seconds())
    guard startSeconds < endSeconds else { throw MalformedMessage() }
  }
}
