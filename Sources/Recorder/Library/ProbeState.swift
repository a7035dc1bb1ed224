import Decoding

/// What is known of a file besides that it is there.
enum ProbeState: BitwiseCopyable, Equatable {
  /// A photo, which has no sound.
  case notNeeded
  case waiting
  case underway
  case playable
  case unplayable(DecoderRefusal)
}
