/// What a decoder of H.264 must know before the first picture: one sequence parameter set and one picture parameter
/// set, which is what hardware encoders make.
public struct ParameterSets: BitwiseCopyable, Equatable, Sendable {
  var sequence: ParameterSet
  var picture: ParameterSet

  /// Reads the sets in front of the first picture of an Annex B packet.
  /// - Returns: nil when it has none.
  /// - Throws: ``ParameterSetsError`` when it has what is of no use.
  public init?(packet: RawSpan) throws(ParameterSetsError) {
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

  /// Whether `unit` of a stream is one of the two.
  func contain(_ unit: RawSpan) -> Bool { sequence.equals(unit) || picture.equals(unit) }

  /// Type, profile, constraints, level, and a number at least (ITU-T H.264, 7.3.2.1.1).
  private static var shortestSequence: Int { 5 }

  private static func take(_ bytes: RawSpan, as set: inout ParameterSet) throws(ParameterSetsError) {
    guard let taken = ParameterSet(bytes) else { throw .tooLarge(byteCount: bytes.byteCount) }
    // Of several only one can be named, and a stream that needs another would not play.
    guard set.byteCount == 0 || set == taken else { throw .several }
    set = taken
  }
}
