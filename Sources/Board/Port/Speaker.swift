import Values

/// A sound card's playback side.
///
/// It sounds what it was given, in order, beginning with the first write after ``open(_:)``, ``stop()`` or an underrun.
public protocol Speaker: ~Copyable {
  /// Opens the card.
  /// - Returns: the format that it agreed to, and that ``write(_:)`` takes.
  /// - Throws: `absent`, `busy` while another program holds it, `noPermission`, `unsupported`.
  mutating func open(_ request: SoundCardRequest) throws(DeviceFailure) -> AudioFormat

  /// How far it has come. An underrun is no error but told in the result, once.
  /// - Throws: when the card is gone; it is to be closed and opened anew.
  mutating func look() throws(DeviceFailure) -> SpeakerState

  /// Takes as many whole frames of `frames` as fit into its buffer, and begins to sound when it was still. Never waits.
  /// - Returns: how many frames it took.
  /// - Throws: as ``look()``.
  mutating func write(_ frames: RawSpan) throws(DeviceFailure) -> Int

  /// Falls silent at once; what it was given and has not sounded is dropped. Nothing happens when it is still.
  mutating func stop()

  /// Gives the card back, for other programs. Nothing happens when it is closed.
  mutating func close()
}
