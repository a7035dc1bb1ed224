/// What the decoder has open, as far as the player knows.
enum DecoderLink: BitwiseCopyable {
  /// Why a file is being opened.
  enum Purpose: BitwiseCopyable {
    /// To be heard from its beginning; until then nothing is.
    case fresh
    /// To follow what is in the ring, which sounds meanwhile.
    case following
    /// To go on at a place of it, behind what is in the ring.
    case resuming(seconds: Double)
  }

  /// Nothing.
  case closed
  /// Nothing, since the process fell after it had decoded the item to its end.
  case fallen
  /// Nothing, and there is no process to be had.
  case unavailable
  /// It is opening the file of this ticket; until it has, what it says is of what was open before.
  case opening(ticket: UInt32, Purpose)
  /// The item, and perhaps the next one beside it.
  case open

  /// Whether orders about the open item can be followed.
  var isOpen: Bool { if case .open = self { true } else { false } }

  /// Whether a file is being opened.
  var isOpening: Bool { if case .opening = self { true } else { false } }
}
