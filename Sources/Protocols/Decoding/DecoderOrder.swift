/// What the recorder wants of a decoder's process. Orders are followed one after the other.
///
/// The PCM ring is counted in frames from the process's start, for ever: frame n lies at n modulo the ring's capacity.
/// The recorder says where the first frame of what it asks for goes, so that both know it and nothing that was decoded
/// for an older order is ever taken for the newer one's.
public enum DecoderOrder: BitwiseCopyable, Equatable, Sendable {
  /// Closes what is open and opens the file that comes with the order. Answered by ``DecoderMessage/opened(ticket:_:_:)``,
  /// once its buffers are primed, or ``DecoderMessage/refused(ticket:_:)``.
  /// - Parameters:
  ///   - ticket: the answer has it, too.
  ///   - ringFrame: where the item's first frame goes.
  case open(ticket: UInt32, ringFrame: UInt64)
  /// Opens the file that comes with the order beside the one that is open, whose end it will follow without a gap. It
  /// takes the place of one that was opened so before. Answered likewise.
  case openNext(ticket: UInt32)
  /// Forgets what ``openNext(ticket:)`` opened. Not answered.
  case forgetNext
  /// Goes on from another place of the open item. Answered by a ``DecoderMessage/mark(_:)`` at `ringFrame`.
  case seek(seconds: Double, ringFrame: UInt64)
  /// From now on, what is behind the section's end is its start again; nil: the item goes on to its end. What lies in
  /// the ring already stays. Not answered.
  case setSection(PlaybackSection?)
  /// How fast what is decoded from now on is to be, 0.5…2.0, its pitch kept. Answered by a mark.
  case setRate(Double)
  /// Decode until all frames before `endFrame` are in the ring, and not one more. Answered by
  /// ``DecoderMessage/filled(endFrame:_:)``, or before that by ``DecoderMessage/ended(ringFrame:_:)``.
  case fill(endFrame: UInt64)
  /// Closes what is open and frees its buffers. Not answered.
  case close
  /// Tells what the file that comes with the order is, without buffers, and closes it. Answered as `open` is.
  case probe(ticket: UInt32)

  /// Whether a file comes with it.
  public var needsFile: Bool {
    switch self {
    case .open, .openNext, .probe: true
    case .forgetNext, .seek, .setSection, .setRate, .fill, .close: false
    }
  }
}
