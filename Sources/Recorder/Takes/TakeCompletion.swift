import Formats
import Port
import Rings
import Text
import Values

/// Turns a file that grew safely into one that any program reads, after a take or after a power cut.
struct TakeCompletion<File: MediaFile & ~Copyable>: ~Copyable where File.Failure == DeviceFailure {
  enum Purpose {
    case end
    case split
    case repair
  }

  private enum Work {
    case movie(MovieFinisher<File>)
    case audio(AudioFileDescription, dataByteCount: UInt64)
    case audioRepair
  }

  private var file: File
  private var work: Work
  let purpose: Purpose
  private(set) var summary: TakeSummary

  var path: FixedText<128> { summary.path }

  init(of take: consuming OpenTake<File>, purpose: Purpose) {
    summary = take.summary
    self.purpose = purpose
    switch take.layout {
    case .movie: work = .movie(MovieFinisher())
    case .audio(let audio): work = .audio(audio, dataByteCount: take.dataByteCount)
    }
    file = take.file
  }

  /// For a file that an earlier run left open, of which only its content is known.
  init(repairing file: consuming File, path: FixedText<128>) {
    summary = TakeSummary(path: path, byteCount: file.byteCount, timelineFrames: 0, videoFrameCount: 0)
    purpose = .repair
    work = path.bytes.hasSuffix(".mov") ? .movie(MovieFinisher()) : .audioRepair
    self.file = file
  }

  /// Does a bounded piece of the work.
  /// - Returns: true once the file is complete and safe.
  mutating func step(scratch: inout FixedBuffer) throws(DeviceFailure) -> Bool {
    var buffer = scratch.mutableBytes
    let isEmpty: Bool
    switch work {
    case .movie(var finisher):
      let progress = try finisher.step(&file, scratch: &buffer)
      work = .movie(finisher)
      guard progress != .working else { return false }
      isEmpty = progress == .empty || progress == .foreign && file.byteCount <= MovieLimits.headerByteCount
    case .audio(let audio, let dataByteCount):
      isEmpty = dataByteCount == 0
      if !isEmpty { try complete(audio, dataByteCount: dataByteCount, scratch: &buffer) }
    case .audioRepair:
      let outcome = try AudioRepair.repair(&file, scratch: &buffer)
      isEmpty = outcome == .empty || outcome == .foreign && file.byteCount <= AudioFileDescription.headerByteCount
    }
    // A file with only a header, or a torn one, holds nothing to lose.
    summary.byteCount = isEmpty ? 0 : file.byteCount
    return true
  }

  /// After the confirmed data there may be the start of a fragment that did not fit on the card.
  private mutating func complete(
    _ audio: AudioFileDescription, dataByteCount: UInt64, scratch: inout MutableRawSpan
  ) throws(DeviceFailure) {
    let dataEnd = UInt64(AudioFileDescription.headerByteCount) + dataByteCount
    if file.byteCount > dataEnd { try file.truncate(to: dataEnd) }
    var padding = ByteWriter(&scratch)
    padding.zeros(audio.container.paddingByteCount(dataByteCount: dataByteCount))
    try file.write(padding.bytes, at: dataEnd)
    var header = ByteWriter(&scratch)
    audio.encodeHeader(dataByteCount: dataByteCount, isOpen: false, into: &header)
    try file.write(header.bytes, at: 0)
    try file.synchronise()
  }
}
