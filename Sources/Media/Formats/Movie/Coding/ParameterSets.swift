import Base

/// What an H.264 decoder needs before the first picture: one sequence parameter set and one picture parameter set,
/// which is what hardware encoders send.
package struct ParameterSets: BitwiseCopyable, Equatable, Sendable {
  var sequence: ParameterSet
  var picture: ParameterSet

  /// Reads the sets before the first picture of an Annex B packet.
  /// - Returns: nil if it has none.
  /// - Throws: ``ParameterSetsError`` if they cannot be used.
  package init?(packet: RawSpan) throws(ParameterSetsError) {
    sequence = ParameterSet()
    picture = ParameterSet()
    var reader = ByteStreamReader(packet)
    while let unit = reader.next(), unit.kind != .slice {
      let bytes = packet.extracting(unit.range)
      if unit.kind == .sequenceParameters { try Self.take(bytes, as: &sequence) }
      if unit.kind == .pictureParameters { try Self.take(bytes, as: &picture) }
    }
    guard sequence.byteCount > 0 || picture.byteCount > 0 else { return nil }
    guard sequence.byteCount >= Self.shortestSequence, picture.byteCount > 1 else { throw .incomplete }
  }

  /// Whether `unit` of a stream is one of the two sets.
  func contain(_ unit: RawSpan) -> Bool { sequence.equals(unit) || picture.equals(unit) }

  /// Type, profile, constraints, level, and at least one number (ITU-T H.264, 7.3.2.1.1).
  private static var shortestSequence: Int { 5 }

  private static func take(_ bytes: RawSpan, as set: inout ParameterSet) throws(ParameterSetsError) {
    guard let taken = ParameterSet(bytes) else { throw .tooLarge(byteCount: bytes.byteCount) }
    // Only one can be named, and a stream that needs another would not play.
    guard set.byteCount == 0 || set == taken else { throw .several }
    set = taken
  }
}

/// An H.264 sequence or picture parameter set as in the stream, including its first byte.
package struct ParameterSet: BitwiseCopyable, Equatable, Sendable {
  /// The largest size accepted: hardware encoders send 10 to 40 bytes; 224 are scaling lists for every size.
  package static var maximumByteCount: Int { 256 }

  private var storage = InlineArray<256, UInt8>(repeating: 0)
  private(set) var byteCount = 0

  /// - Returns: nil if it is larger than ``maximumByteCount``.
  init?(_ bytes: RawSpan) {
    guard bytes.byteCount <= Self.maximumByteCount else { return nil }
    byteCount = bytes.byteCount
    for index in 0..<byteCount { storage[index] = bytes.byte(at: index) }
  }

  /// An empty set, which equals none that was received.
  init() {}

  /// The byte at `index`; 0 after the end.
  subscript(index: Int) -> UInt8 { index < byteCount ? storage[index] : 0 }

  /// Whether the set consists of exactly these bytes.
  func equals(_ bytes: RawSpan) -> Bool {
    guard bytes.byteCount == byteCount else { return false }
    for index in 0..<byteCount where bytes.byte(at: index) != storage[index] { return false }
    return true
  }

  /// Whether both consist of the same bytes.
  package static func == (left: ParameterSet, right: ParameterSet) -> Bool {
    guard left.byteCount == right.byteCount else { return false }
    for index in 0..<left.byteCount where left.storage[index] != right.storage[index] { return false }
    return true
  }
}

/// Why the parameter sets of an H.264 stream cannot be put into a movie.
package enum ParameterSetsError: Error, BitwiseCopyable, Equatable, Sendable {
  /// One of the two is missing or truncated.
  case incomplete
  /// One is larger than ``ParameterSet/maximumByteCount``.
  case tooLarge(byteCount: Int)
  /// There are different sets of one kind.
  case several

  /// The problem, as the end of a sentence.
  package var problem: StaticString {
    switch self {
    case .incomplete: "sends H.264 without whole parameter sets"
    case .tooLarge: "sends H.264 with parameter sets of more than 256 bytes"
    case .several: "sends H.264 with more than one parameter set of a kind"
    }
  }
}

/// What `avcC` repeats from a sequence parameter set (ISO/IEC 14496-15, 5.3.3.1.2; ITU-T H.264, 7.3.2.1.1).
struct SequenceProfile {
  let profile: UInt8
  let constraints: UInt8
  let level: UInt8
  /// For profiles from High up; nil for the others.
  let samples: Samples?

  struct Samples {
    let chromaFormat: UInt8
    let lumaBitsBeyond8: UInt8
    let chromaBitsBeyond8: UInt8
  }

  init(_ sequence: ParameterSet) {
    profile = sequence[1]
    constraints = sequence[2]
    level = sequence[3]
    let hasSamples = profile == 100 || profile == 110 || profile == 122 || profile == 144
    samples = hasSamples ? Self.samples(sequence) : nil
  }

  /// No emulation prevention byte can occur among these numbers: there are never two zero bytes between them. Numbers
  /// beyond the standard's range are replaced by those of every camera: 4:2:0 with 8 bits.
  private static func samples(_ sequence: ParameterSet) -> Samples {
    var bits: UInt64 = 0
    for index in 4..<12 { bits = bits << 8 | UInt64(sequence[index]) }
    var reader = ExponentialGolombReader(bits)
    let usual = Samples(chromaFormat: 1, lumaBitsBeyond8: 0, chromaBitsBeyond8: 0)
    guard reader.next() != nil, let chroma = reader.next(), chroma < 3, let luma = reader.next(), luma <= 6,
      let chromaBits = reader.next(), chromaBits <= 6
    else { return usual }
    return Samples(
      chromaFormat: UInt8(chroma), lumaBitsBeyond8: UInt8(luma), chromaBitsBeyond8: UInt8(chromaBits))
  }
}

/// Reads the first numbers of a sequence parameter set (ITU-T H.264, 9.1, `ue(v)`).
struct ExponentialGolombReader {
  private var bits: UInt64

  /// - Parameter bits: the stream, highest bit first.
  init(_ bits: UInt64) { self.bits = bits }

  /// The next number; nil if the bits do not hold all of it.
  mutating func next() -> UInt64? {
    let zeros = UInt64(bits.leadingZeroBitCount)
    let bitCount = 2 * zeros + 1
    guard bitCount < 64 else { return nil }
    let number = (bits >> (64 - bitCount)) - 1
    bits <<= bitCount
    return number
  }
}
