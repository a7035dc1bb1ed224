import Values

/// A sound card's capture side.
public protocol Microphone: ~Copyable {
  /// Opens the card and starts it.
  /// - Returns: the format that it agreed to, and that ``read(into:)`` delivers.
  mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat

  /// Moves what has been sampled since the last call into `room`, whole frames only, as many as fit; never waits.
  /// - Throws: when the card is gone; an overrun is no error but told in the result.
  mutating func read(into room: inout MutableRawSpan) throws(DeviceFailure) -> MicrophoneRead

  /// Stops the card; what it has not delivered is lost. Nothing happens when it is closed.
  mutating func close()
}
