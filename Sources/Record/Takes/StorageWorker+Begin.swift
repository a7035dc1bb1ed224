import Base
import Configuration
import Machine
import Media

extension StorageWorker {
  /// Opens the pending file; the first of a take once its first picture has arrived.
  mutating func beginPending() -> Bool {
    guard take == nil, !completions.isFull, let next = pending, let opening = next.opening ?? opening(of: next) else {
      return false
    }
    do throws(DeviceFailure) {
      if case .failed = card { try takeUpFolder() }
      if next.opening == nil { followCard() }
      take = try openFile(
        for: next.start, at: opening, isFirst: next.opening == nil, withPictures: !endsBeforePictures(next, opening))
      pending = nil
      trouble.clear()
      if let endPosition = next.endPosition { take?.end(at: endPosition, as: next.ending) }
      if let turn = next.turn { take?.end(atTurn: turn) }
      keepSpare()
      if next.opening == nil { retryRepairs() }
    } catch {
      if trouble.mayRetry(after: error, at: moment) { return false }
      if fallBack(after: error) { return true }
      pending = nil
      noteTakeFailure(error)
      report(.failed(take: next.start.number, error, end: next.opening?.position))
    }
    return true
  }

  /// Whether a take ends before its first picture. Its movie then has no picture track, because players refuse an empty
  /// one.
  private func endsBeforePictures(_ next: PendingTake, _ opening: TakeOpening) -> Bool {
    guard next.opening == nil, formats.audio != nil, let end = next.endPosition else { return false }
    return opening.picture >= tracks.pictures.end || tracks.position(of: opening.picture) >= end
  }

  /// Where the file starts: at the wanted start, whenever its first picture comes. Without sound it starts at that
  /// picture, unless it is late. With dependent pictures and a pre-roll it starts at a keyframe shortly before the wanted
  /// start, if there is one.
  private func opening(of pending: PendingTake) -> TakeOpening? {
    let start = pending.start.startPosition
    let held = max(start, formats.audio == nil ? 0 : tracks.samples.first)
    guard formats.video != nil else { return TakeOpening(position: held, picture: tracks.pictures.end) }
    let patience = UInt64(formats.timelineRateHz) * TakeLimits.firstPictureMilliseconds / 1000
    let latest = min(held + patience, pending.endPosition ?? .max)
    if let picture = firstPicture(near: start, held: held) {
      let position = tracks.position(of: picture)
      let isLonger = position < held && start < pending.start.pressPosition
      let isAtPicture = formats.audio == nil ? position <= latest : isLonger
      return TakeOpening(position: isAtPicture ? position : held, picture: picture)
    }
    return tracks.timeline.now >= latest ? TakeOpening(position: held, picture: tracks.pictures.end) : nil
  }

  /// Nil while no picture can start a file.
  private func firstPicture(near start: TimelinePosition, held: TimelinePosition) -> PictureNumber? {
    guard formats.hasDependentPictures else { return tracks.firstPicture(atOrAfter: held) }
    return coding == nil ? nil : openingKeyframe(near: start)
  }

  /// The codec of the pictures in the ring; nil while their parameter sets are unknown.
  var coding: VideoCoding? {
    switch formats.codec {
    case .mjpeg: .jpeg
    case .fwht: .fwht
    case .h264: parameterSets.newest.map { .avc($0) }
    }
  }

  /// Creates the next file with its header. Numbers in use are skipped: the journal may have been lost.
  mutating func openFile(
    for order: TakeStart, at opening: TakeOpening, isFirst: Bool, withPictures hasPictures: Bool
  ) throws(DeviceFailure) -> OpenTake {
    measureFreeSpace()
    guard freeByteCount >= settings.firstByteCount else { throw cardIsFull }
    var layout = try layout(for: order, at: opening.position, withPictures: hasPictures)
    if isFirst, order.resumes { layout.link(to: FixedText(journal.interruption.path.lastPart)) }
    while true {
      let file = nextFile(
        layout.datedKind, dateNanoseconds: unixNanoseconds(at: opening.position, order), by: order.unixOffsetNanoseconds
      )
      do throws(DeviceFailure) {
        return try makeFile(file, layout: layout, for: order, at: opening, isFirst: isFirst)
      } catch {
        guard error.kind == .exists else { throw error }
      }
    }
  }

  private mutating func makeFile(
    _ dated: DatedFile, layout: TakeLayout, for order: TakeStart, at opening: TakeOpening, isFirst: Bool
  ) throws(DeviceFailure) -> OpenTake {
    let path = dated.path(settings.naming)
    let folder = path.parentFolder
    usedFolder = folder
    var layout = layout
    layout.number(dated.number)
    try makeFolder(folder)
    let file = try createNoted(dated, layout, by: order.beginner, resumes: isFirst ? order.resumes : nil)
    let largestByteCount = min(file.largestByteCount, foundFileLimit)
    var take = OpenTake(
      file: file, ledger: makeLedger(for: path, layout.provenance, time(from: opening.position, order)), path: path,
      layout: layout,
      cutter: TakeCutter(
        fragmentMilliseconds: UInt64(settings.record.fragmentMilliseconds),
        settlingMilliseconds: settings.settlingMilliseconds,
        formats: formats, blockFrames: layout.blockFrames),
      splitRule: SplitRule(
        order.split ?? settings.record.split, timelineRateHz: formats.timelineRateHz, layout: layout,
        largestByteCount: largestByteCount),
      order: order, startPosition: opening.position, nextPicture: opening.picture)
    let form = settings.form(of: order)
    if !take.lacksPictures, case .movie(let movie) = layout, let lapse = form.lapse {
      take.lapse = LapseProgress(lapse, movie, from: opening.position, timelineRateHz: formats.timelineRateHz)
      let text: FixedText<96> =
        "time lapse: a picture every \(lapse.intervalText) s, played at \(lapse.framesPerSecond) a second"
      _ = take.ledger.append(text, at: opening.position)
    }
    take.ledger.mostHashes = HashListCoding.mostEntries(in: layout.sound == nil ? nil : AudioContainer(ofFile: path))
    if let part = order.part { _ = take.ledger.append(part.entry, at: opening.position) }
    do throws(DeviceFailure) {
      try take.writeFirstHeader(scratch: &scratch)
      try synchroniseFolders(from: folder)
      journal.note(confirmed: .exactly(take.byteCount), of: path)
    } catch {
      removeUnbegun(path)
      throw error
    }
    beginMeasuring(take)
    self.dated.append(dated)
    take.publish(to: progress)
    report(.opened(take: order.number, path: path, startPosition: opening.position))
    if take.lacksPictures, formats.video != nil, coding == nil {
      report(.picturesRefused(pictureFailure(parameterSets.error.problem)))
    }
    return take
  }

  /// Each file is measured for itself.
  private mutating func beginMeasuring(_ take: borrowing OpenTake) {
    measuredPosition = nil
    guard let channels = settings.form(of: take.order).loudness, let sound = take.layout.soundFormat else { return }
    let bits = channels.bits(of: sound.channelCount)
    guard bits != 0 else { return }
    measuredPosition = take.startPosition
    meter.begin(sound, channels: bits)
  }

  /// On a damaged card there may be a file in the place of a folder, and another user's recorder has left folders that
  /// this one may not write to. It is renamed, so that it blocks no take and is not lost.
  mutating func makeFolder(_ path: FixedText<128>) throws(DeviceFailure) {
    do throws(DeviceFailure) {
      try storage.makeFolder(path)
      try storage.requireAccess(to: path)
    } catch {
      guard let name = (try? storage.setAsideObstacle(to: path)) ?? nil else { throw error }
      let isForeign = error.kind == .noPermission
      report(
        .folderMadeAnew(
          DeviceFailure(
            device: .storage, kind: .unsupported, subject: FixedText(name.bytes),
            problem: isForeign ? "may not be written to, and was renamed" : "was where a folder belongs",
            remedy: isForeign
              ? "takes go into a new one; give it to the recorder's user, and move its takes back"
              : "the folder was made anew; look at what is in that file")))
      try storage.makeFolder(path)
    }
  }

  /// Makes a new name in `folder` survive a power cut, and the folder too: it may be new, as may those above it, up to
  /// the data folder.
  mutating func synchroniseFolders(from folder: FixedText<128>) throws(DeviceFailure) {
    var folder = folder
    while true {
      try storage.synchroniseFolder(folder)
      guard !folder.isEmpty else { return }
      folder = folder.parentFolder
    }
  }

  /// The journal lists the file as open before it exists.
  private mutating func createNoted(
    _ file: DatedFile, _ layout: TakeLayout, by beginner: TakeBeginner, resumes: Bool?
  ) throws(DeviceFailure) -> StoredFile {
    let before = journal
    let path = file.path(settings.naming)
    journal.note(newest: max(file.nameSeconds, journal.newest(file.kind.track)), file.kind.track)
    journal.note(open: path, sound: layout.sound)
    journal.note(growing: path, by: beginner, resumes: resumes)
    do throws(DeviceFailure) {
      try journal.save(to: &storage)
      return try storage.create(path)
    } catch {
      journal = before
      throw error
    }
  }

  /// Removes a file whose header could not be written. If that fails too, its line stays in the journal and repair
  /// removes it.
  private mutating func removeUnbegun(_ path: FixedText<128>) {
    do throws(DeviceFailure) {
      try storage.remove(path)
      journal.note(closed: path)
      removeLedger(of: path)
    } catch {}
  }

  /// The time of day at a position: seconds since 1970, never before, and timeline frames. Times within a take are
  /// exactly as many frames apart as their positions.
  private func unixTime(at position: TimelinePosition, _ order: TakeStart) -> (seconds: Int64, frames: Int64) {
    let rate = Int64(formats.timelineRateHz)
    let (pressSeconds, pressNanoseconds) = max(order.pressUnixNanoseconds, 0)
      .quotientAndRemainder(dividingBy: 1_000_000_000)
    let frames =
      pressSeconds * rate + pressNanoseconds * rate / 1_000_000_000 + Int64(order.pressPosition.distance(to: position))
    return (max(frames, 0) / rate, max(frames, 0) % rate)
  }

  /// The same in nanoseconds.
  func unixNanoseconds(at position: TimelinePosition, _ order: TakeStart) -> Int64 {
    let (seconds, frames) = unixTime(at: position, order)
    return seconds * 1_000_000_000 + frames * 1_000_000_000 / Int64(formats.timelineRateHz)
  }

  /// Without parameter sets, pictures can be neither described nor decoded. The file then has only sound, until a
  /// keyframe with the sets arrives.
  private func layout(
    for order: TakeStart, at position: TimelinePosition, withPictures hasPictures: Bool
  ) throws(DeviceFailure) -> TakeLayout {
    let (seconds, frames) = unixTime(at: position, order)
    var provenance = Provenance(
      device: settings.identity, createdUnixSeconds: UInt64(seconds), createdFrames: UInt32(frames),
      software: settings.software)
    provenance.place = order.place
    if formats.video == nil, let audio = formats.audio {
      if settings.form(of: order).audioContainer == .flac, audio.sampleFormat == .float32 { throw floatInFLAC }
      return .audio(
        AudioFileDescription(
          container: settings.form(of: order).audioContainer, format: audio, provenance: provenance))
    }
    let coding = hasPictures ? coding : nil
    let video = coding.flatMap { coding in formats.video.map { MovieVideo(format: $0, coding: coding) } }
    guard video != nil || formats.audio != nil else { throw pictureFailure(parameterSets.error.problem) }
    // Sound would not keep up with the pictures of a time lapse.
    let isLapse = video != nil && settings.form(of: order).lapse != nil
    return .movie(
      MovieDescription(
        video: video, audio: isLapse ? nil : formats.audio, orientation: order.orientation, provenance: provenance))
  }

  private var floatInFLAC: DeviceFailure {
    DeviceFailure(
      device: .microphone, kind: .unsupported, subject: "", problem: "delivers floating point, which FLAC cannot hold",
      remedy: "set [audio] format = s24, or [record] audio_format = wav")
  }

  func pictureFailure(_ problem: StaticString) -> DeviceFailure {
    DeviceFailure(
      device: .camera, kind: .unsupported, subject: "", problem: problem,
      remedy: "these frames are not in the take; set [video] codec = mjpeg")
  }
}

extension Storage {
  /// Reads the first bytes of a text file.
  /// - Returns: how many there are, without what an editor of another system has added to a whole file: a byte order
  ///   mark, and carriage returns at the ends of lines. Nil if there is no such file.
  package mutating func readStart<let capacity: Int>(
    of path: FixedText<128>, into bytes: inout InlineArray<capacity, UInt8>
  ) throws(DeviceFailure) -> Int? {
    var span = bytes.mutableSpan
    return try readStart(of: path, into: &span)
  }

  /// The same for one of the recorder's own files. A folder or link in its place is renamed, and so is a file that
  /// cannot be read at the second try either: one of another user, or on a bad sector.
  /// - Returns: also the new name.
  /// - Throws: if it can be neither read nor renamed.
  @export(interface)
  mutating func readOwnStart(
    of path: FixedText<128>, into span: inout MutableSpan<UInt8>
  ) throws(DeviceFailure) -> (byteCount: Int?, setAside: FixedText<128>?) {
    if let name = try setAsideUnlessFile(path) { return (nil, name) }
    do throws(DeviceFailure) { return (try readStart(of: path, into: &span), nil) } catch {}
    do throws(DeviceFailure) { return (try readStart(of: path, into: &span), nil) } catch {
      guard let name = try? setAside(path) else { throw error }
      return (nil, name)
    }
  }

  @export(interface)
  package mutating func readStart(
    of path: FixedText<128>, into span: inout MutableSpan<UInt8>
  ) throws(DeviceFailure) -> Int? {
    var byteCount = 0
    do throws(DeviceFailure) {
      var buffer = unsafe span.mutableBytes
      byteCount = try read(path, at: 0, into: &buffer)
    } catch {
      guard error.kind == .absent else { throw error }
      return nil
    }
    guard byteCount < span.count else { return byteCount }
    let hasMark = byteCount >= 3 && span[0] == 0xEF && span[1] == 0xBB && span[2] == 0xBF
    var end = 0
    for index in (hasMark ? 3 : 0)..<byteCount {
      if span[index] == UInt8(ascii: "\n"), end > 0, span[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      span[end] = span[index]
      end += 1
    }
    return end
  }
}
