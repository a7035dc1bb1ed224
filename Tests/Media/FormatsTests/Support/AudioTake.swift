import Base
import Media
import TestSupport

/// An audio take as the recorder would write it, every sample known.
struct AudioTake {
  var description: AudioFileDescription
  /// In the file's byte order.
  var data: [UInt8]

  init(_ container: AudioContainer, _ format: AudioFormat, frameCount: Int, seed: UInt64 = 1) {
    description = AudioFileDescription(container: container, format: format, provenance: MovieTake.provenance)
    var generator = SeededGenerator(seed: seed)
    let bytesPerSample = format.sampleFormat.bytesPerSample
    let isSwapped = container.needsBigEndianSamples
    data = (0..<frameCount * Int(format.channelCount)).flatMap { _ in
      let bits =
        format.sampleFormat == .float32
        ? Float.random(in: -1...1, using: &generator).bitPattern : UInt32.random(in: .min ... .max, using: &generator)
      let sample = (0..<bytesPerSample).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
      return isSwapped ? sample.reversed() : sample
    }
  }

  func header(dataByteCount: Int, isOpen: Bool) -> [UInt8] {
    encoded(capacityByteCount: AudioFileDescription.headerByteCount) { writer in
      description.encodeHeader(dataByteCount: UInt64(dataByteCount), isOpen: isOpen, into: &writer)
    }
  }

  /// Writes the take in `pieceCount` pieces as the recorder does: audio, a flush, then the header; finally the end.
  /// - Parameter ledger: the encoded ledger with which the file ends.
  func record(to file: inout MemoryFile, pieceCount: Int, isFinished: Bool, ledger: [UInt8] = []) {
    file.write(header(dataByteCount: 0, isOpen: true), at: 0)
    file.synchronise()
    var written = 0
    for piece in 1...pieceCount {
      let frameCount = data.count / description.format.bytesPerFrame * piece / pieceCount
      let end = frameCount * description.format.bytesPerFrame
      file.write(Array(data[written..<end]), at: AudioFileDescription.headerByteCount + written)
      file.synchronise()
      written = end
      file.write(header(dataByteCount: written, isOpen: true), at: 0)
    }
    if isFinished { close(&file, ledger) }
  }

  private func close(_ file: inout MemoryFile, _ ledger: [UInt8]) {
    var memory = [UInt8](repeating: 0xA5, count: AudioRepair.scratchByteCount)
    var elements = memory.mutableSpan
    var scratch = unsafe elements.mutableBytes
    var hashes = HashList<MemoryFile>(source: nil)
    AudioClosing.close(
      &file, description, ending: .stopped, dataByteCount: UInt64(data.count), ledger: unsafe ledger.span.bytes,
      &hashes, scratch: &scratch)
  }

  /// A ledger with this text, as encoded in the file.
  func ledger(_ text: String) -> [UInt8] {
    let header = header(dataByteCount: data.count, isOpen: false)
    return encoded(capacityByteCount: LedgerCoding.codedByteCount) { writer in
      LedgerCoding.encodeAudio(
        Array(text.utf8).span, in: description.container, header: unsafe header.span.bytes,
        dataByteCount: UInt64(data.count), into: &writer)
    }
  }

  func recorded(isFinished: Bool) -> [UInt8] {
    var file = MemoryFile()
    record(to: &file, pieceCount: 4, isFinished: isFinished)
    return file.content
  }
}

/// Repairs a file.
/// - Parameter ledger: the encoded ledger with which the file ends.
func repair<File: MediaFile & ~Copyable>(
  _ file: inout File, ledger: [UInt8] = []
) throws(File.Failure) -> AudioRepair.Outcome {
  var memory = [UInt8](repeating: 0xA5, count: AudioRepair.scratchByteCount)
  var elements = memory.mutableSpan
  var scratch = unsafe elements.mutableBytes
  var hashes = HashList<File>(source: nil)
  return try AudioRepair.repair(&file, ledger: unsafe ledger.span.bytes, &hashes, scratch: &scratch)
}
