import Base

extension MovieFinisher where File: ~Copyable {
  private static var boxHeaderByteCount: UInt64 { 8 }

  /// Writes or checks the finished `moov` except for the tables' entries, as a `free` box.
  mutating func place(
    _ file: inout File, _ scratch: inout MutableRawSpan, moovStart: UInt64, _ ledger: RawSpan,
    _ hashes: inout HashList<File>
  ) throws(File.Failure) -> Phase {
    referenceByteCount = MovieTimecode.referenceByteCount(ledger)
    try settleHeaders(&file, &scratch, moovStart: moovStart, ledger, &hashes)
    var position = moovStart + Self.boxHeaderByteCount + UInt64(template?.head.count ?? 0)
    for index in 0..<trackCount {
      let track = track(index)
      position += UInt64(track.tablesStart - track.start)
      try tables[index].place(at: position, in: &file, scratch: &scratch, &pass)
      position += tables[index].byteCount
      guard referenceByteCount > 0 else { continue }
      var reference = ByteWriter(&scratch)
      MovieTimecode.encodeReference(referenceByteCount, into: &reference)
      position = try settle(0..<Int(referenceByteCount), of: &scratch, at: position, in: &file)
    }
    let firstFragment = headerStart + UInt64(headerByteCount)
    return .filling(from: firstFragment, moovStart: moovStart)
  }

  /// Writes or checks the parts of the first `moov`, adapted to the finished movie, each at its place.
  private mutating func settleHeaders(
    _ file: inout File, _ scratch: inout MutableRawSpan, moovStart: UInt64, _ ledger: RawSpan,
    _ hashes: inout HashList<File>
  ) throws(File.Failure) {
    guard let template else { return }
    try readHeader(&file, &scratch)
    var position = moovStart + Self.boxHeaderByteCount
    position = try settle(template.head, of: &scratch, at: position, in: &file)
    for index in 0..<trackCount {
      let track = track(index)
      position = try settle(track.start..<track.tablesStart, of: &scratch, at: position, in: &file)
      position += tables[index].byteCount + referenceByteCount
    }
    var end = try settle(template.tail, of: &scratch, at: position, in: &file)
    if ledger.isEmpty {
      end = try settle(template.comment, of: &scratch, at: end, in: &file)
    } else {
      end = try settle(&hashes, at: end, in: &file, &scratch)
      try pass.settle(ledger, at: end, in: &file, scratch: &scratch)
      end += UInt64(ledger.byteCount)
    }
    var moovHead = ByteWriter(&scratch)
    moovHead.big32(UInt32(end - moovStart))
    moovHead.code("free")
    try pass.settle(0..<8, of: &scratch, at: moovStart, in: &file)
  }

  /// - Returns: where the next piece goes.
  private mutating func settle(
    _ hashes: inout HashList<File>, at start: UInt64, in file: inout File, _ scratch: inout MutableRawSpan
  ) throws(File.Failure) -> UInt64 {
    let byteCount = hashes.byteCount(in: nil)
    var offset = 0
    while offset < byteCount {
      var room = scratch._mutatingExtracting(first: scratch.byteCount / 2)
      let pieceByteCount = try hashes.copyPiece(at: offset, in: nil, into: &room)
      guard pieceByteCount > 0 else { return start + UInt64(byteCount) }
      try pass.settle(0..<pieceByteCount, of: &scratch, at: start + UInt64(offset), in: &file)
      offset += pieceByteCount
    }
    return start + UInt64(byteCount)
  }

  /// Reads the first `moov` into the scratch, with the finished movie's sizes and durations.
  private func readHeader(_ file: inout File, _ scratch: inout MutableRawSpan) throws(File.Failure) {
    var moov = scratch._mutatingExtracting(first: headerByteCount)
    _ = try file.read(at: headerStart, into: &moov)
    template?.complete(&moov, durationTicks: longestTrackTicks)
    for index in 0..<trackCount {
      let tables = tables[index]
      track(index).complete(
        &moov, tablesByteCount: tables.byteCount, referenceByteCount: referenceByteCount,
        durationTicks: tables.durationTicks)
    }
  }

  /// - Returns: where the next piece goes.
  private mutating func settle(
    _ range: Range<Int>, of scratch: inout MutableRawSpan, at position: UInt64, in file: inout File
  ) throws(File.Failure) -> UInt64 {
    try pass.settle(range, of: &scratch, at: position, in: &file)
    return position + UInt64(range.count)
  }

  /// Writes or checks what the fragment at `position` adds to the tables.
  mutating func fill(
    _ file: inout File, _ scratch: inout MutableRawSpan, from position: UInt64, moovStart: UInt64
  ) throws(File.Failure) -> Phase {
    guard position < moovStart else { return try endFilling(&file, &scratch, moovStart: moovStart) }
    guard let fragment = try fragment(&file, &scratch, at: position, before: moovStart) else {
      let next = try nextCandidate(&file, &scratch, after: position, before: moovStart)
      return .filling(from: next, moovStart: moovStart)
    }
    for index in 0..<fragment.runCount {
      let run = fragment.runs[index]
      let chunkOffset = position + run.dataOffset
      try tables[run.trackIndex].fill(run, chunkOffset: chunkOffset, in: &file, scratch: &scratch, &pass)
    }
    return .filling(from: position + fragment.byteCount, moovStart: moovStart)
  }

  private mutating func endFilling(
    _ file: inout File, _ scratch: inout MutableRawSpan, moovStart: UInt64
  ) throws(File.Failure) -> Phase {
    for index in 0..<trackCount {
      try tables[index].fill(nil, chunkOffset: 0, in: &file, scratch: &scratch, &pass)
    }
    switch pass.purpose {
    case .writing:
      try file.synchronise()
      pass = TablePass(.checking)
      return .placing(moovStart: moovStart)
    case .checking where pass.mismatchCount > 0: return readAgain(orEndAs: .damaged)
    case .checking: return .sealing(moovStart: moovStart)
    }
  }

  /// Turns the `free` at the end into the `moov`.
  func seal(_ file: inout File, _ scratch: inout MutableRawSpan, moovStart: UInt64) throws(File.Failure) -> Phase {
    var type = ByteWriter(&scratch)
    type.code("moov")
    try file.write(type.bytes, at: moovStart + 4)
    try file.synchronise()
    return .marking(moovStart: moovStart)
  }

  /// Stores at the front where the `moov` is, for a finisher that starts again.
  func mark(_ file: inout File, _ scratch: inout MutableRawSpan, moovStart: UInt64) throws(File.Failure) -> Phase {
    var mediaDataByteCount = ByteWriter(&scratch)
    mediaDataByteCount.big64(moovStart - frontStart)
    try file.write(mediaDataByteCount.bytes, at: frontStart + 8)
    try file.synchronise()
    return .covering(moovStart: moovStart)
  }

  /// Turns the `free` at the front into the `mdat`.
  func cover(_ file: inout File, _ scratch: inout MutableRawSpan, moovStart: UInt64) throws(File.Failure) -> Phase {
    var front = ByteWriter(&scratch)
    front.big32(FrontBox.sizeIsIn64Bits)
    front.code("mdat")
    try file.write(front.bytes, at: frontStart)
    try file.synchronise()
    return .confirming(moovStart: moovStart)
  }

  /// Reads back that the front leads to the `moov`, and that the `moov` ends with the file.
  mutating func confirm(
    _ file: inout File, _ scratch: inout MutableRawSpan, moovStart: UInt64
  ) throws(File.Failure) -> Phase {
    var room = scratch._mutatingExtracting(first: FrontBox.byteCount)
    let readByteCount = try file.read(at: frontStart, into: &room)
    let isCovered =
      readByteCount == FrontBox.byteCount && room.bytes.big32(at: 0) == FrontBox.sizeIsIn64Bits
      && room.bytes.code(at: 4) == "mdat" && room.bytes.big64(at: 8) == moovStart - frontStart
    if isCovered, try isMovieUpToEnd(&file, &scratch, at: moovStart) {
      return .ended(unreadableByteCount > 0 ? .damaged : .finished)
    }
    guard readingsLeft > 1 else { return .ended(.damaged) }
    readingsLeft -= 1
    return .confirming(moovStart: moovStart)
  }
}
