import Base

/// What an audio file contains. Its header always has ``headerByteCount`` bytes: audio starts directly after it, and
/// updating it is one write at offset 0.
///
/// Write audio first and synchronise, then the header: what it counts is then always in the file.
package struct AudioFileDescription: Sendable {
  /// The kind of file.
  package var container: AudioContainer
  /// The sample format in the ring; for the byte order in the file see ``AudioContainer/needsBigEndianSamples``.
  package var format: AudioFormat
  /// Written if the container has a field for it.
  package var provenance: Provenance

  /// Two sectors: 956 bytes is the most that any header needs (WAV, `float32`, the longest software name and link, while
  /// it is open), the rest is a chunk that readers skip, with space for what later firmware has to say.
  package static var headerByteCount: Int { 1_024 }

  package init(container: AudioContainer, format: AudioFormat, provenance: Provenance) {
    self.container = container
    self.format = format
    self.provenance = provenance
  }

  /// The whole header, ``headerByteCount`` bytes, into an empty writer.
  /// - Parameters:
  ///   - dataByteCount: whole frames, up to ``AudioContainer/maximumDataByteCount``.
  ///   - isOpen: more will follow. CAF then says that audio goes on to the end of the file, and counts what is
  ///     confirmed in a chunk that readers skip; AIFF and WAV count what there is.
  package func encodeHeader(dataByteCount: UInt64, isOpen: Bool, into writer: inout ByteWriter) {
    encodeHeader(
      dataByteCount: dataByteCount, isOpen: isOpen, ending: isOpen ? .interrupted : .stopped, into: &writer)
  }

  /// - Parameter ending: an open file says that its take was interrupted, which is true until it is not.
  package func encodeHeader(
    dataByteCount: UInt64, isOpen: Bool, ending: TakeEnding, into writer: inout ByteWriter
  ) {
    precondition(writer.byteCount == 0, "a header stands at the start of the file")
    switch container {
    case .aiff: encodeAIFF(ending: ending, into: &writer)
    case .caf: encodeCAF(ending: ending, into: &writer)
    case .wav: encodeWAV(ending: ending, into: &writer)
    }
    guard let layout = AudioHeaderLayout(writer.bytes) else { preconditionFailure("a header that we cannot read") }
    var header = writer.writtenBytes
    layout.store(dataByteCount: dataByteCount, isOpen: isOpen, into: &header)
  }

  /// The end of a comment: why the file ended.
  func encodeEnding(_ ending: TakeEnding, into writer: inout ByteWriter) {
    writer.text("; ended: ")
    writer.text(ending.word)
  }

  /// The end of a comment: which file the take goes on with.
  func encodeContinuation(into writer: inout ByteWriter) {
    guard !provenance.continues.isEmpty else { return }
    writer.text("; continues ")
    writer.text(provenance.continues)
  }

  /// Bytes that fill a header up to ``headerByteCount``, between what `writer` has and a data chunk's own head.
  func fillerByteCount(_ writer: borrowing ByteWriter, fillerHeadByteCount: Int, dataHeadByteCount: Int) -> Int {
    Self.headerByteCount - writer.byteCount - fillerHeadByteCount - dataHeadByteCount
  }
}
