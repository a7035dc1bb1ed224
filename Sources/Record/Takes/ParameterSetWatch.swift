import Base
import Media

/// The parameter sets of the H.264 stream in the frame ring.
///
/// Some encoders send them only once, before their first picture, which leaves the ring long before a take starts. So
/// every packet is inspected when it arrives.
struct ParameterSetWatch {
  /// The newest complete sets; nil while there are none.
  private(set) var newest: ParameterSets?
  /// What was wrong with the newest sets that could not be used.
  private(set) var error = ParameterSetsError.incomplete
  private var nextPicture: PictureNumber = 0

  /// Inspects the packets that have arrived since the last call, each up to its picture data.
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
