import Formats
import Values
import Rings

/// The parameter sets of the H.264 stream in the frame ring.
///
/// Some encoders send them once, before their first picture, and that leaves the ring long before a take begins: every
/// packet is looked at when it has come.
struct ParameterSetWatch {
  /// The newest sets that came whole; nil while there are none.
  private(set) var newest: ParameterSets?
  /// What was wrong with the newest that are of no use.
  private(set) var error = ParameterSetsError.incomplete
  private var nextPicture: UInt64 = 0

  /// Looks at what came since the last call; of a packet only at what lies before its picture.
  mutating func look(at tracks: borrowing RecordedTracks) {
    let end = tracks.pictures.end
    var sequence = max(nextPicture, tracks.pictures.first)
    while sequence < end {
      look(at: tracks.pictures.bytes(at: sequence))
      sequence += 1
    }
    nextPicture = end
  }

  private mutating func look(at packet: RawSpan) {
    do throws(ParameterSetsError) {
      if let sets = try ParameterSets(packet: packet) { newest = sets }
    } catch {
      self.error = error
    }
  }
}
