import Port
import Formats
import Values
import Rings
import Text

extension StorageWorker where Store: ~Copyable {
  /// Opens the file of the take that was ordered, once its first picture is there.
  mutating func beginAwaited() -> Bool {
    guard take == nil, let awaited, let opening = opening(of: awaited) else { return false }
    self.awaited = nil
    do throws(DeviceFailure) {
      take = try openFile(for: awaited.start, at: opening)
      if let endPosition = awaited.endPosition { take?.end(at: endPosition) }
      retryRepairs()
    } catch {
      report(.failed(error))
    }
    return true
  }

  /// Where the take's first instant is: at the first picture that the rings still hold behind the wanted start, so
  /// that both tracks begin together; at the wanted start itself when there are no pictures, or the first is late.
  /// Where pictures need those before them it is at a keyframe: rather somewhat before the wanted start than behind it.
  private func opening(of awaited: AwaitedTake) -> TakeOpening? {
    let start = awaited.start.startPosition
    let held = max(start, formats.audio == nil ? 0 : tracks.samples.first)
    guard formats.video != nil else { return TakeOpening(position: held, picture: tracks.pictures.end) }
    let patience = UInt64(formats.timelineRateHz) * TakeLimits.firstPictureMilliseconds / 1000
    let latest = min(held + patience, awaited.endPosition ?? .max)
    if let picture = firstPicture(near: start, held: held) {
      let position = tracks.position(of: picture)
      return TakeOpening(position: position <= latest ? position : held, picture: picture)
    }
    return tracks.timeline.now >= latest ? TakeOpening(position: held, picture: tracks.pictures.end) : nil
  }

  /// Nil while there is none that a file could begin with.
  private func firstPicture(near start: UInt64, held: UInt64) -> UInt64? {
    guard formats.hasDependentPictures else { return tracks.firstPicture(atOrAfter: held) }
    return coding == nil ? nil : openingKeyframe(near: start)
  }

  /// How the pictures in the ring are coded; nil while nobody knows their parameter sets.
  var coding: VideoCoding? {
    switch formats.codec {
    case .mjpeg: .jpeg
    case .fwht: .fwht
    case .h264: parameterSets.newest.map { .avc($0) }
    }
  }

  /// Makes the next file with its header. A number that is in use is passed over: the ledger may have been lost.
  mutating func openFile(
    for order: TakeStart, at opening: TakeOpening
  ) throws(DeviceFailure) -> OpenTake<Store.File> {
    measureFreeRoom()
    guard freeByteCount >= TakeLimits.firstByteCount else { throw cardIsFull }
    let unixSeconds = timeOfDay(of: opening.position, order)
    let layout = try layout(for: order, createdUnixSeconds: unixSeconds)
    let folder = TakePath.folder(kind: layout.folderName, unixSeconds: unixSeconds)
    try storage.makeFolder(folder)
    while true {
      let path = TakePath.file(
        in: folder, unixSeconds: unixSeconds, number: ledger.takeNumber(), fileExtension: layout.fileExtension)
      do throws(DeviceFailure) {
        return try makeFile(path, in: folder, layout: layout, for: order, at: opening)
      } catch {
        guard error.kind == .exists else { throw error }
      }
    }
  }

  private mutating func makeFile(
    _ path: FixedText<128>, in folder: FixedText<128>, layout: TakeLayout, for order: TakeStart, at opening: TakeOpening
  ) throws(DeviceFailure) -> OpenTake<Store.File> {
    var take = OpenTake(
      file: try createNoted(path), path: path, layout: layout,
      cutter: TakeCutter(stretchMilliseconds: settings.stretchMilliseconds, formats: formats),
      splitRule: SplitRule(settings: settings, timelineRateHz: formats.timelineRateHz, layout: layout),
      order: order, startPosition: opening.position, nextPicture: opening.picture)
    do throws(DeviceFailure) {
      try take.writeFirstHeader(scratch: &scratch)
      try storage.synchroniseFolder(folder)
    } catch {
      removeUnbegun(path)
      throw error
    }
    take.publish(to: progress)
    report(.opened(path: path, startPosition: opening.position))
    if take.lacksPictures, formats.video != nil {
      report(.picturesRefused(pictureFailure(parameterSets.error.problem)))
    }
    return take
  }

  /// The ledger says that the file is open before it exists.
  private mutating func createNoted(_ path: FixedText<128>) throws(DeviceFailure) -> Store.File {
    ledger.note(open: path)
    do throws(DeviceFailure) {
      try ledger.save(to: &storage)
      return try storage.create(path)
    } catch {
      ledger.note(closed: path)
      throw error
    }
  }

  /// Where the card takes not even a header, no empty file stays behind; one that cannot be removed either keeps its line
  /// in the ledger, and is removed by the repair.
  private mutating func removeUnbegun(_ path: FixedText<128>) {
    do throws(DeviceFailure) {
      try storage.remove(path)
      ledger.note(closed: path)
    } catch {}
  }

  private func timeOfDay(of position: UInt64, _ order: TakeStart) -> Int64 {
    let frames = Int64(bitPattern: position &- order.pressPosition)
    return order.pressUnixSeconds + frames / Int64(formats.timelineRateHz)
  }

  /// Pictures whose parameter sets nobody knows can be neither described nor decoded: the file has the sound alone, until
  /// a keyframe with the sets comes.
  private func layout(for order: TakeStart, createdUnixSeconds: Int64) throws(DeviceFailure) -> TakeLayout {
    let provenance = Provenance(
      device: settings.identity, createdUnixSeconds: UInt64(max(createdUnixSeconds, 0)), software: settings.software)
    if formats.video == nil, let audio = formats.audio {
      return .audio(
        AudioFileDescription(container: settings.audioContainer, format: audio, provenance: provenance))
    }
    let coding = coding
    let video = coding.flatMap { coding in formats.video.map { MovieVideo(format: $0, coding: coding) } }
    guard video != nil || formats.audio != nil else { throw pictureFailure(parameterSets.error.problem) }
    return .movie(
      MovieDescription(video: video, audio: formats.audio, orientation: order.orientation, provenance: provenance))
  }

  func pictureFailure(_ problem: StaticString) -> DeviceFailure {
    DeviceFailure(
      device: .camera, kind: .unsupported, subject: "", problem: problem,
      remedy: "these pictures are not in the take; set [video] codec = mjpeg")
  }
}
