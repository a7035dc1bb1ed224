import Base
import Machine
import Media

extension StorageWorker {
  /// The path of a still until it is complete: a power cut leaves at most this file, which the next boot removes.
  static var unfinishedStillPath: FixedText<128> { "still.new" }

  /// Removes a still that a power cut left incomplete.
  mutating func discardUnfinishedStill() { storage.discard(Self.unfinishedStillPath) }

  /// Writes the next still, if one has arrived.
  mutating func writeStill() -> Bool {
    let sequence = intake.stills.first
    guard sequence < intake.stills.end, intake.reports.freeCount > 0, stillTrouble.isDue(at: moment) else {
      return false
    }
    let header = intake.stills.header(at: sequence)
    if take == nil { followCard() }
    do throws(DeviceFailure) {
      report(header, .saved(try saveStill(header, sequence)))
      stillTrouble.clear()
    } catch {
      if stillTrouble.mayRetry(after: error, at: moment) { return false }
      report(header, .failed(error))
    }
    intake.stills.release(before: sequence + 1)
    return true
  }

  private mutating func report(_ header: StillHeader, _ outcome: StillReport.Outcome) {
    let isReported = intake.reports.push(StillReport(number: header.number, outcome: outcome))
    precondition(isReported, "the queue of reports had space for this one")
  }

  /// The file gets its name once it is complete and flushed. A number that is in use is skipped, as for takes.
  private mutating func saveStill(_ header: StillHeader, _ sequence: PictureNumber) throws(DeviceFailure)
    -> StillSummary
  {
    measureFreeSpace()
    let byteCount = UInt64(intake.stills.byteCount(at: sequence))
    let needed = byteCount + (take?.neededByteCount ?? 0) + settings.reserveByteCount
    guard freeByteCount >= needed else { throw cardIsFullForStill }
    do throws(DeviceFailure) {
      let (byteCount, digest) = try writeUnfinishedStill(header, sequence)
      let path = try nameStill(header)
      if let start = take?.startPosition {
        let number = TakeName(stemOf: path.lastPart)?.number ?? 0
        enter("still \(number, width: 4) \(digest.text)", at: max(header.position, start))
      }
      let shown = PixelSize(width: header.widthPixels, height: header.heightPixels).upright(header.orientation)
      return StillSummary(
        path: path, widthPixels: shown.width, heightPixels: shown.height, byteCount: byteCount)
    } catch {
      discardUnfinishedStill()
      throw error
    }
  }

  /// - Returns: size of the file, and the hash of what follows its Exif segment, which changes with a date.
  private mutating func writeUnfinishedStill(
    _ header: StillHeader, _ sequence: PictureNumber
  ) throws(DeviceFailure) -> (byteCount: Int, Digest) {
    discardUnfinishedStill()
    var file = try storage.create(Self.unfinishedStillPath)
    return try Self.write(description(of: header), intake.stills, sequence, to: &file, scratch: &scratch)
  }

  private static func write(
    _ description: StillDescription, _ stills: borrowing PacketRingConsumer<StillHeader>, _ sequence: PictureNumber,
    to file: inout StoredFile, scratch: inout FixedBuffer
  ) throws(DeviceFailure) -> (byteCount: Int, Digest) {
    let jpeg = stills.bytes(at: sequence)
    // A camera's own Exif would count before ours: exiftool shows the last one.
    let exif = JPEGSegments.exif(of: jpeg) ?? jpeg.byteCount..<jpeg.byteCount
    let (first, rest) = (
      jpeg.extracting(StillDescription.replacedByteCount..<exif.lowerBound),
      jpeg.extracting(droppingFirst: exif.upperBound)
    )
    var buffer = scratch.mutableBytes
    var beginning = ByteWriter(&buffer)
    description.encodeBeginning(into: &beginning)
    try file.write(beginning.bytes, at: 0)
    try file.write(first, at: UInt64(beginning.byteCount))
    if rest.byteCount > 0 { try file.write(rest, at: UInt64(beginning.byteCount + first.byteCount)) }
    try file.synchronise()
    var hash = RunningHash()
    hash.add(first)
    hash.add(rest)
    return (beginning.byteCount + first.byteCount + rest.byteCount, hash.digest)
  }

  private mutating func nameStill(_ header: StillHeader) throws(DeviceFailure) -> FixedText<128> {
    while true {
      let file = nextFile(
        .still, dateNanoseconds: header.unixNanoseconds, by: header.unixOffsetNanoseconds)
      let path = file.path(settings.naming)
      try makeFolder(path.parentFolder)
      journal.note(newest: file.nameSeconds, .stills)
      try journal.save(to: &storage)
      do throws(DeviceFailure) {
        try storage.rename(Self.unfinishedStillPath, to: path)
        dated.append(file)
        try synchroniseFolders(from: path.parentFolder)
        return path
      } catch {
        guard error.kind == .exists else { throw error }
      }
    }
  }

  private func description(of header: StillHeader) -> StillDescription {
    StillDescription(
      orientation: header.orientation, widthPixels: header.widthPixels, heightPixels: header.heightPixels,
      unixNanoseconds: header.unixNanoseconds, device: settings.identity, software: settings.software)
  }

  private var cardIsFullForStill: DeviceFailure {
    DeviceFailure(
      device: .storage, kind: .full, subject: "", problem: "has no room for a still",
      remedy: "delete takes, or use a larger card")
  }
}
