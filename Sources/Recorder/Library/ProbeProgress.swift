/// What the decoder's process is doing for the library.
enum ProbeProgress {
  /// Nothing.
  case idle
  /// It examines a file.
  case underway(ticket: UInt32, slot: UInt32, untilNanoseconds: UInt64)
  /// It could not be started, or fell before it took an order; it is tried again with the next pass.
  case unavailable
}
