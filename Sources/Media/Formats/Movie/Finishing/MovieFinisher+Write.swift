import Values

extension MovieFinisher where File: ~Copyable {
  private static var boxHeaderByteCount: UInt64 { 8 }

  /// Writes all of the finished `moov` but the tables' entries, as a `free` box, and its distance into the front box.
  mutating func place(
    _ file: inout File, _ scratch: inout MutableRawSpan, moovStart: UInt64
  ) throws(File.Failure) -> Phase {
    try writeHeaders(&file, &scratch, moovStart: moovStart)
    var position = moovStart + Self.boxHeaderByteCount + UInt64(template?.head.count ?? 0)
    for index in 0..<trackCount {
      let track = track(index)
      position += UInt64(track.tablesStart - track.start)
      try tables[index].place(at: position, in: &file, scratch: &scratch)
      position += tables[index].byteCount
    }
    let firstFragment = headerStart + UInt64(headerByteCount)
    return .filling(from: firstFragment, moovStart: moovStart)
  }

  /// The parts of the first `moov`, made true for the finished movie, each to its place.
  private func writeHeaders(
    _ file: inout File, _ scratch: inout MutableRawSpan, moovStart: UInt64
  ) throws(File.Failure) {
    guard let template else { return }
    var moov = scratch._mutatingExtracting(first: headerByteCount)
    _ = try file.read(at: headerStart, into: &moov)
    template.complete(&moov, durationTicks: longestTrackTicks)
    var position = moovStart + Self.boxHeaderByteCount
    position = try write(template.head, of: moov.bytes, to: &file, at: position)
    for index in 0..<trackCount {
      let track = track(index)
      let tables = tables[index]
      track.complete(&moov, tablesByteCount: tables.byteCount, durationTicks: tables.durationTicks)
      position = try write(track.start..<track.tablesStart, of: moov.bytes, to: &file, at: position)
      position += tables.byteCount
    }
    let end = try write(template.tail, of: moov.bytes, to: &file, at: position)
    try writeSizes(&file, &scratch, moovStart: moovStart, moovByteCount: end - moovStart)
  }

  private func write(
    _ range: Range<Int>, of bytes: RawSpan, to file: inout File, at position: UInt64
  ) throws(File.Failure) -> UInt64 {
    try file.write(bytes.extracting(range), at: position)
    return position + UInt64(range.count)
  }

  private func writeSizes(
    _ file: inout File, _ scratch: inout MutableRawSpan, moovStart: UInt64, moovByteCount: UInt64
  ) throws(File.Failure) {
    var moovHead = ByteWriter(&scratch)
    moovHead.big32(UInt32(moovByteCount))
    moovHead.code("free")
    try file.write(moovHead.bytes, at: moovStart)
    var mediaDataByteCount = ByteWriter(&scratch)
    mediaDataByteCount.big64(moovStart - frontStart)
    try file.write(mediaDataByteCount.bytes, at: frontStart + 8)
  }

  /// Writes what the fragment at `position` adds to the tables.
  mutating func fill(
    _ file: inout File, _ scratch: inout MutableRawSpan, from position: UInt64, moovStart: UInt64
  ) throws(File.Failure) -> Phase {
    guard position < moovStart, let fragment = try fragment(&file, &scratch, at: position) else {
      return try endFilling(&file, &scratch, moovStart: moovStart)
    }
    for index in 0..<fragment.runCount {
      let run = fragment.runs[index]
      let chunkOffset = position + run.dataOffset
      try tables[run.trackIndex].fill(run, chunkOffset: chunkOffset, in: &file, scratch: &scratch)
    }
    return .filling(from: position + fragment.byteCount, moovStart: moovStart)
  }

  private mutating func endFilling(
    _ file: inout File, _ scratch: inout MutableRawSpan, moovStart: UInt64
  ) throws(File.Failure) -> Phase {
    for index in 0..<trackCount {
      try tables[index].fill(nil, chunkOffset: 0, in: &file, scratch: &scratch)
    }
    try file.synchronise()
    return .sealing(moovStart: moovStart)
  }

  /// Makes the `free` at the end the `moov`.
  func seal(_ file: inout File, _ scratch: inout MutableRawSpan, moovStart: UInt64) throws(File.Failure) -> Phase {
    var type = ByteWriter(&scratch)
    type.code("moov")
    try file.write(type.bytes, at: moovStart + 4)
    try file.synchronise()
    return .covering
  }

  /// Makes the `free` at the front the `mdat`.
  func cover(_ file: inout File, _ scratch: inout MutableRawSpan) throws(File.Failure) -> Phase {
    var front = ByteWriter(&scratch)
    front.big32(FrontBox.sizeIsIn64Bits)
    front.code("mdat")
    try file.write(front.bytes, at: frontStart)
    try file.synchronise()
    return .ended(.finished)
  }
}
