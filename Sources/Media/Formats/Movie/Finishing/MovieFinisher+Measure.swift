import Base

extension MovieFinisher where File: ~Copyable {
  /// Counts the fragment at `position`, searches for the next one, or decides what to do at the end of the file.
  mutating func measure(
    _ file: inout File, _ scratch: inout MutableRawSpan, from position: UInt64, wholeEnd: UInt64
  ) throws(File.Failure) -> Phase {
    let end = file.byteCount
    guard position < end else { return try endMeasuring(&file, &scratch, wholeEnd: wholeEnd) }
    guard let fragment = try fragment(&file, &scratch, at: position, before: end) else {
      let next = try nextCandidate(&file, &scratch, after: position, before: end)
      return .measuring(from: next, wholeEnd: wholeEnd)
    }
    for index in 0..<fragment.runCount {
      let run = fragment.runs[index]
      guard tables[run.trackIndex].hasRoom(for: run) else { return .ended(.tooLong) }
      tables[run.trackIndex].count(run, chunkOffset: position + run.dataOffset, scratch: &scratch)
    }
    fragmentCount += 1
    unreadableByteCount += position - wholeEnd
    let fragmentEnd = position + fragment.byteCount
    return .measuring(from: fragmentEnd, wholeEnd: fragmentEnd)
  }

  /// The whole fragment at `position`; nil if there is none.
  func fragment(
    _ file: inout File, _ scratch: inout MutableRawSpan, at position: UInt64, before end: UInt64
  ) throws(File.Failure) -> FragmentRecord? {
    var room = scratch._mutatingExtracting(first: MovieLimits.fragmentStartByteCount)
    let readByteCount = try file.read(at: position, into: &room)
    let bytes = room.bytes.extracting(first: readByteCount)
    guard let template, let fragment = FragmentRecord(bytes, template: template),
      fragment.byteCount <= end - position
    else { return nil }
    return fragment
  }

  /// The next position after `position` at which a fragment may start, or that the search has reached; `end` if there
  /// is none.
  func nextCandidate(
    _ file: inout File, _ scratch: inout MutableRawSpan, after position: UInt64, before end: UInt64
  ) throws(File.Failure) -> UInt64 {
    let start = position + 1
    let readByteCount = try file.read(at: start, into: &scratch)
    let bytes = scratch.bytes.extracting(first: readByteCount)
    var offset = 0
    while offset + 8 <= readByteCount, bytes.code(at: offset + 4) != "moof" { offset += 1 }
    let isFileEnd = readByteCount < scratch.byteCount && offset + 8 > readByteCount
    return isFileEnd ? end : min(start + UInt64(offset), end)
  }

  private mutating func endMeasuring(
    _ file: inout File, _ scratch: inout MutableRawSpan, wholeEnd: UInt64
  ) throws(File.Failure) -> Phase {
    guard fragmentCount > 0 else { return readAgain(orEndAs: .empty) }
    let moovStart = try moovStart(&file, &scratch, wholeEnd: wholeEnd)
    if try isMovieUpToEnd(&file, &scratch, at: wholeEnd) { return .sealing(moovStart: wholeEnd) }
    if try isMovieUpToEnd(&file, &scratch, at: moovStart) { return .sealing(moovStart: moovStart) }
    if moovStart < confirmed.byteCount {
      unreadableByteCount += confirmed.byteCount - wholeEnd
    } else if wholeEnd < confirmed.byteCount {
      unreadableByteCount += moovStart - wholeEnd
    } else if try !isTorn(&file, &scratch, at: wholeEnd, before: moovStart) {
      unreadableByteCount += moovStart - wholeEnd
    }
    if unreadableByteCount > 0, readingsLeft > 1 { return readAgain(orEndAs: .damaged) }
    for index in 0..<trackCount {
      longestTrackTicks = max(longestTrackTicks, tables[index].durationTicks)
      tables[index].count(nil, chunkOffset: 0, scratch: &scratch)
      tables[index].widen(forChunksBefore: wholeEnd)
    }
    if file.byteCount > moovStart { try file.truncate(to: moovStart) }
    return .placing(moovStart: moovStart)
  }

  /// Where the finished `moov` goes: where an earlier finisher placed it, or at the end of the file, so that bytes
  /// after the last whole fragment are kept.
  private func moovStart(
    _ file: inout File, _ scratch: inout MutableRawSpan, wholeEnd: UInt64
  ) throws(File.Failure) -> UInt64 {
    let lowest = max(wholeEnd, confirmed.byteCount)
    if let marked = markedMoovStart, marked >= lowest, marked <= file.byteCount { return marked }
    guard lowest == wholeEnd, try isUnfinishedMovie(&file, &scratch, at: wholeEnd) else { return file.byteCount }
    return wholeEnd
  }

  /// Whether an earlier finisher started a `moov` at `position`: a `free` longer than any padding, or the `mvhd` inside
  /// it.
  private func isUnfinishedMovie(
    _ file: inout File, _ scratch: inout MutableRawSpan, at position: UInt64
  ) throws(File.Failure) -> Bool {
    var room = scratch._mutatingExtracting(first: 16)
    let readByteCount = try file.read(at: position, into: &room)
    let bytes = room.bytes.extracting(first: readByteCount)
    if bytes.code(at: 12) == "mvhd" { return true }
    guard let byteCount = bytes.big32(at: 0), bytes.code(at: 4) == "free" else { return false }
    return byteCount > FragmentPlace.longestPaddingByteCount
  }

  /// Whether the bytes after the last whole fragment, with or without padding, are what a power cut leaves of one:
  /// media data without a header, part of the header, or a header without all its media data.
  private func isTorn(
    _ file: inout File, _ scratch: inout MutableRawSpan, at position: UInt64, before end: UInt64
  ) throws(File.Failure) -> Bool {
    var room = scratch._mutatingExtracting(first: MovieLimits.fragmentStartByteCount)
    let readByteCount = try file.read(at: position, into: &room)
    let all = room.bytes.extracting(first: Int(min(end - position, UInt64(readByteCount))))
    let bytes = all.extracting(FragmentPlace.paddingByteCount(of: all)..<all.byteCount)
    guard let secondWord = bytes.big64(at: 8), secondWord != 0 else { return true }
    // A real size or type is never 0: the sector with the header is missing.
    if bytes.big32(at: 0) == 0 || bytes.big32(at: 4) == 0 { return true }
    guard bytes.code(at: 4) == "moof", let byteCount = bytes.big32(at: 0), let template else { return false }
    return FragmentRecord(bytes, template: template) != nil || bytes.code(at: Int(byteCount) + 4) != "mdat"
  }

  /// Whether there is a `moov` at `position` that ends with the file.
  func isMovieUpToEnd(
    _ file: inout File, _ scratch: inout MutableRawSpan, at position: UInt64
  ) throws(File.Failure) -> Bool {
    guard position < file.byteCount else { return false }
    var room = scratch._mutatingExtracting(first: 8)
    guard try file.read(at: position, into: &room) == 8, let byteCount = room.bytes.big32(at: 0) else { return false }
    return room.bytes.code(at: 4) == "moov" && UInt64(byteCount) == file.byteCount - position
  }
}
