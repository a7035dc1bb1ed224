import Board
import Formats
import Media
import Rings
import Text

extension StorageWorker where Store: ~Copyable {
  /// Opens the file of the take that was ordered, once its first picture is there.
  mutating func beginAwaited() -> Bool {
    guard take == nil, let start = awaited, let opening = opening(of: start) else { return false }
    awaited = nil
    do throws(DeviceFailure) {
      take = try openFile(for: start, at: opening)
    } catch {
      report(.failed(error))
    }
    return true
  }

  /// Where the take's first instant is: at the first picture that the rings still hold behind the wanted start, so
  /// that both tracks begin together; at the wanted start itself when there are no pictures or the first is late.
  private func opening(of start: TakeStart) -> TakeOpening? {
    let held = max(start.startPosition, formats.audio == nil ? 0 : tracks.samples.first)
    guard formats.video != nil else { return TakeOpening(position: held, picture: tracks.pictures.end) }
    let latest = held + UInt64(formats.timelineRateHz) * TakeLimits.firstPictureMilliseconds / 1000
    if let picture = tracks.firstPicture(atOrAfter: held) {
      let position = tracks.pictures.header(at: picture).samplePosition
      return TakeOpening(position: position <= latest ? position : held, picture: picture)
    }
    return tracks.timeline.now >= latest ? TakeOpening(position: held, picture: tracks.pictures.end) : nil
  }

  /// Makes the next file with its header; the ledger says that it is open before it exists.
  mutating func openFile(
    for order: TakeStart, at opening: TakeOpening
  ) throws(DeviceFailure) -> OpenTake<Store.File> {
    guard freeByteCount >= TakeLimits.firstByteCount else { throw cardIsFull }
    let unixSeconds = timeOfDay(of: opening.position, order)
    let layout = layout(for: order, createdUnixSeconds: unixSeconds)
    let folder = TakePath.folder(kind: layout.folderName, unixSeconds: unixSeconds)
    try storage.makeFolder(folder)
    let path = try makeFile(in: folder, layout, unixSeconds: unixSeconds)
    var file = try storage.open(path)
    let headerByteCount = try writeFirstHeader(of: layout, to: &file, path)
    try storage.synchroniseFolder(folder)
    report(.opened(path: path, startPosition: opening.position))
    return OpenTake(
      file: file, path: path, layout: layout,
      cutter: TakeCutter(stretchMilliseconds: settings.stretchMilliseconds, formats: formats),
      splitRule: SplitRule(settings: settings, timelineRateHz: formats.timelineRateHz, layout: layout),
      order: order, startPosition: opening.position, nextPicture: opening.picture, headerByteCount: headerByteCount)
  }

  /// Makes an empty file under the next free number: a ledger that was lost counts from 1 again, and nothing is ever
  /// overwritten.
  private mutating func makeFile(
    in folder: FixedText<128>, _ layout: TakeLayout, unixSeconds: Int64
  ) throws(DeviceFailure) -> FixedText<128> {
    while true {
      let path = TakePath.file(
        in: folder, unixSeconds: unixSeconds, number: ledger.takeNumber(), fileExtension: layout.fileExtension)
      ledger.note(open: path)
      do throws(DeviceFailure) {
        try ledger.save(to: &storage)
        _ = try storage.create(path)
        return path
      } catch {
        ledger.note(closed: path)
        guard error.kind == .exists else { throw error }
      }
    }
  }

  private func timeOfDay(of position: UInt64, _ order: TakeStart) -> Int64 {
    let frames = Int64(bitPattern: position &- order.pressPosition)
    return order.pressUnixSeconds + frames / Int64(formats.timelineRateHz)
  }

  private func layout(for order: TakeStart, createdUnixSeconds: Int64) -> TakeLayout {
    let provenance = Provenance(
      device: settings.identity, createdUnixSeconds: UInt64(max(createdUnixSeconds, 0)), software: settings.software)
    if formats.video == nil, let audio = formats.audio {
      return .audio(
        AudioFileDescription(container: settings.audioContainer, format: audio, provenance: provenance))
    }
    return .movie(
      MovieDescription(
        video: formats.video, audio: formats.audio, orientation: order.orientation, provenance: provenance))
  }

  /// Writes the header that comes before any stretch; where the card takes not even that, no empty file stays behind.
  private mutating func writeFirstHeader(
    of layout: TakeLayout, to file: inout Store.File, _ path: FixedText<128>
  ) throws(DeviceFailure) -> Int {
    do throws(DeviceFailure) {
      return try writeFirstHeader(of: layout, to: &file)
    } catch {
      do throws(DeviceFailure) { try storage.remove(path) } catch {}
      ledger.note(closed: path)
      throw error
    }
  }

  private mutating func writeFirstHeader(
    of layout: TakeLayout, to file: inout Store.File
  ) throws(DeviceFailure) -> Int {
    var room = scratch.mutableBytes
    var writer = ByteWriter(&room)
    switch layout {
    case .movie(let movie): movie.encodeHeader(into: &writer)
    case .audio(let audio): audio.encodeHeader(dataByteCount: 0, isOpen: true, into: &writer)
    }
    try file.write(writer.bytes, at: 0)
    try file.synchronise()
    return writer.byteCount
  }
}
