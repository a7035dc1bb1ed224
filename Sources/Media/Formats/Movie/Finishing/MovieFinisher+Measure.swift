import Values

extension MovieFinisher where File: ~Copyable {
  /// Counts the fragment at `position`, or settles what to do at the end of the last.
  mutating func measure(
    _ file: inout File, _ scratch: inout MutableRawSpan, from position: UInt64
  ) throws(File.Failure) -> Phase {
    guard let fragment = try fragment(&file, &scratch, at: position) else {
      return try endMeasuring(&file, &scratch, at: position)
    }
    for index in 0..<fragment.runCount {
      let run = fragment.runs[index]
      guard tables[run.trackIndex].hasRoom(for: run) else { return .ended(.tooLong) }
      tables[run.trackIndex].count(run, chunkOffset: position + run.dataOffset, scratch: &scratch)
    }
    fragmentCount += 1
    return .measuring(from: position + fragment.byteCount)
  }

  /// The whole fragment at `position`; nil where the movie ends, or was torn off.
  func fragment(
    _ file: inout File, _ scratch: inout MutableRawSpan, at position: UInt64
  ) throws(File.Failure) -> FragmentRecord? {
    var room = scratch._mutatingExtracting(first: MovieLimits.fragmentHeaderByteCount)
    let readByteCount = try file.read(at: position, into: &room)
    let bytes = room.bytes.extracting(first: readByteCount)
    guard let template, let fragment = FragmentRecord(bytes, template: template),
      fragment.byteCount <= file.byteCount - position
    else { return nil }
    return fragment
  }

  private mutating func endMeasuring(
    _ file: inout File, _ scratch: inout MutableRawSpan, at end: UInt64
  ) throws(File.Failure) -> Phase {
    guard fragmentCount > 0 else { return .ended(.empty) }
    if try isMovieUpToEnd(&file, &scratch, at: end) { return .sealing(moovStart: end) }
    for index in 0..<trackCount {
      longestTrackTicks = max(longestTrackTicks, tables[index].durationTicks)
      tables[index].count(nil, chunkOffset: 0, scratch: &scratch)
    }
    if file.byteCount > end { try file.truncate(to: end) }
    return .placing(moovStart: end)
  }

  /// Whether a `moov` stands at `position` and ends with the file.
  func isMovieUpToEnd(
    _ file: inout File, _ scratch: inout MutableRawSpan, at position: UInt64
  ) throws(File.Failure) -> Bool {
    guard position < file.byteCount else { return false }
    var room = scratch._mutatingExtracting(first: 8)
    guard try file.read(at: position, into: &room) == 8, let byteCount = room.bytes.big32(at: 0) else { return false }
    return room.bytes.code(at: 4) == "moov" && UInt64(byteCount) == file.byteCount - position
  }
}
