import Base
import Machine
import Media

/// A take that was being recorded when the recorder stopped without ending it.
package struct TakeInterruption: BitwiseCopyable, Sendable {
  /// The file that grew; empty if there was none.
  package var path: FixedText<128> = ""
  /// How many consecutive takes continued an interrupted one and were themselves interrupted before they had lasted
  /// ``TakeLimits/resumedSeconds``.
  package var shortResumptionCount: UInt64 = 0
  /// What began it.
  package var beginner = TakeBeginner.person

  /// Whether a take is to continue it.
  package var isResumable: Bool { !path.isEmpty && shortResumptionCount < TakeLimits.shortResumptions }
}

/// The data folder's `state` file: the number of the next take; the open files and at least how much of each was
/// flushed, so that the next boot knows what a power cut left; the take being recorded; and the chosen rotation.
package struct TakeJournal {
  /// 0 until the journal has been read.
  private(set) var nextNumber: UInt64 = 0
  /// The growing file, four being completed (``CompletionQueue``), and three more that could not be completed on a
  /// failing card.
  private(set) var openPaths = InlineArray<8, FixedText<128>>(repeating: "")
  /// How much of each of ``openPaths`` was flushed.
  private var confirmed = InlineArray<8, ConfirmedLength>(repeating: .atLeast(0))
  /// What the headers of those ``openPaths`` say that are audio files.
  private var sounds = InlineArray<8, SoundNote?>(repeating: nil)
  /// Problems with files on the card that have been repaired: each is reported once.
  private(set) var notices = InlineArray<4, DeviceFailure?>(repeating: nil)
  /// Whether a folder for takes refused reading or writing.
  private(set) var hasRefusedFolder = false

  /// The take being recorded at the end of the last run, and how often it has been continued since.
  package private(set) var interruption = TakeInterruption()
  /// The growing file; empty if there is none.
  private var growingPath: FixedText<128> = ""
  /// What began its take.
  private var growingBeginner = TakeBeginner.person

  /// The time in the newest name of a take, and of a still, in seconds since 1970; 0 for none. Later files never get an
  /// earlier name, whatever the clock says.
  private(set) var newestSeconds = InlineArray<2, Int64>(repeating: 0)

  /// The later of the two times.
  package var newestUnixSeconds: Int64 { max(newestSeconds[0], newestSeconds[1]) }

  func newest(_ track: DatedTrack) -> Int64 { newestSeconds[track.rawValue] }

  mutating func note(newest unixSeconds: Int64, _ track: DatedTrack) { newestSeconds[track.rawValue] = unixSeconds }

  /// What determines the orientation of pictures.
  package internal(set) var rotation = Rotation.automatic

  /// Reads the journal, or starts a new one, and checks it against the card. If it is lost, damaged, or older than the
  /// takes, it is rebuilt: numbers continue from the card, and takes left open there are listed.
  @export(interface)
  package init(from storage: inout Storage) throws(DeviceFailure) {
    // ``largestByteCount``.
    var bytes = InlineArray<2048, UInt8>(repeating: 0)
    var space = bytes.mutableSpan
    var (byteCount, setAside) = try storage.readOwnStart(of: Self.path, into: &space)
    let text = bytes.span.extracting(first: byteCount ?? 0)
    parse(text)
    let isRead = nextNumber > 0 && text[text.count - 1] == UInt8(ascii: "\n") && isWritable(text)
    if byteCount ?? 0 > 0, !isRead { setAside = try? storage.setAside(Self.path) }
    if let setAside { note(.journal(.unreadable, setAside)) }
    let survey = CardSurvey(&storage)
    let refusal = survey.failure ?? Self.refusedFolder(in: storage)
    if let refusal { note(refusal) }
    hasRefusedFolder = refusal != nil
    let isOld = isRead && nextNumber <= UInt64(survey.highestNumber)
    switch byteCount {
    case nil where setAside == nil && survey.highestNumber > 0: note(.journal(.missing))
    case 0: note(.journal(.empty))
    default: if isOld { note(.journal(.old)) }
    }
    let isMended = isOld || (!isRead && (byteCount != nil || setAside != nil || survey.highestNumber > 0))
    nextNumber = max(nextNumber, UInt64(survey.highestNumber) + 1)
    takeOver(survey, isMended: isMended, in: &storage)
    guard isMended else { return }
    do throws(DeviceFailure) { try save(to: &storage) } catch {}
  }

  /// Why takes will not begin in one of their folders, such as after another user's recorder has made it; nil if nothing
  /// is known against it.
  static func refusedFolder(in storage: borrowing Storage) -> DeviceFailure? {
    let folders: InlineArray<3, StaticString> = ["video", "audio", "photo"]
    for index in folders.indices {
      do throws(DeviceFailure) { try storage.requireAccess(to: "\(folders[index])") } catch { return error }
    }
    return nil
  }

  /// - Parameter isMended: whether only the card shows which takes were open.
  private mutating func takeOver(_ survey: CardSurvey, isMended: Bool, in storage: inout Storage) {
    if !interruption.path.isEmpty, storage.hasEnded(interruption.path) { noteTakeEnd() }
    for index in survey.newestTakes.indices {
      let path = survey.newestTakes[index].path
      guard isTake(path), !lists(path), isMended || storage.hasFile(TakeLedger.path(ofTake: path)),
        storage.isUnfinished(path)
      else { continue }
      note(open: path)
      if isMended, interruption.path.isEmpty, index == 0, !storage.hasEnded(path) { interruption.path = path }
    }
    guard isMended else { return }
    for index in openPaths.indices where !openPaths[index].isEmpty {
      let path = openPaths[index]
      if !storage.isUnfinished(path), storage.hasEnded(path) { note(closed: path) }
    }
    for index in newestSeconds.indices { newestSeconds[index] = max(newestSeconds[index], survey.newestSeconds[index]) }
  }

  /// Adds a notice that the loop reports at startup, through the storage worker.
  package mutating func note(_ notice: DeviceFailure) {
    for index in notices.indices where notices[index] == nil { return notices[index] = notice }
  }

  mutating func takeNotice() -> DeviceFailure? {
    for index in notices.indices where notices[index] != nil { return notices[index].take() }
    return nil
  }

  package var hasTakes: Bool { nextNumber > 1 }

  /// Returns the number for a new file and advances it.
  mutating func reserveNumber() -> UInt64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// If all entries are in use, the last is replaced: its file plays as it is but never gets its tables.
  mutating func note(open path: FixedText<128>, sound: SoundNote? = nil) {
    var place = openPaths.count - 1
    for index in openPaths.indices.reversed() where openPaths[index].isEmpty { place = index }
    openPaths[place] = path
    confirmed[place] = .atLeast(0)
    sounds[place] = sound
  }

  mutating func note(confirmed length: ConfirmedLength, of path: FixedText<128>) {
    for index in openPaths.indices where openPaths[index] == path { confirmed[index] = length }
  }

  func isGrowing(_ path: FixedText<128>) -> Bool { growingPath == path }

  func sound(of path: FixedText<128>) -> SoundNote? {
    for index in openPaths.indices where openPaths[index] == path { return sounds[index] }
    return nil
  }

  func lists(_ path: FixedText<128>) -> Bool {
    for index in openPaths.indices where openPaths[index] == path { return true }
    return false
  }

  func confirmed(of path: FixedText<128>) -> ConfirmedLength {
    for index in openPaths.indices where openPaths[index] == path { return confirmed[index] }
    return .atLeast(0)
  }

  /// Notes that a file of a take is growing from now on.
  /// - Parameters:
  ///   - beginner: what began its take.
  ///   - resumes: whether its take continues the interrupted one; nil for a take that was split.
  mutating func note(growing path: FixedText<128>, by beginner: TakeBeginner, resumes: Bool?) {
    growingPath = path
    growingBeginner = beginner
    guard let resumes else { return }
    interruption.shortResumptionCount = resumes ? interruption.shortResumptionCount + 1 : 0
  }

  /// Notes that a take that continues another has lasted long enough.
  mutating func noteLasting() { interruption.shortResumptionCount = 0 }

  /// Notes that no take is being recorded and none is to be continued.
  mutating func noteTakeEnd() {
    growingPath.removeAll()
    interruption = TakeInterruption()
  }

  /// Takes over from `journal`, that of the previous folder: no number is used twice, the rotation stays, and so does
  /// what is known about files open in both.
  mutating func goOn(from journal: TakeJournal) {
    nextNumber = max(nextNumber, journal.nextNumber)
    for index in newestSeconds.indices {
      newestSeconds[index] = max(newestSeconds[index], journal.newestSeconds[index])
    }
    rotation = journal.rotation
    for index in openPaths.indices where !openPaths[index].isEmpty && journal.lists(openPaths[index]) {
      confirmed[index] = journal.confirmed(of: openPaths[index])
    }
    noteTakeEnd()
  }

  mutating func note(closed path: FixedText<128>) {
    for index in openPaths.indices where openPaths[index] == path { openPaths[index].removeAll() }
  }

  func save(to storage: inout Storage) throws(DeviceFailure) {
    var text: FixedText<2048> = "next_take = \(nextNumber)\n"
    for track in DatedTrack.all.indices where newestSeconds[track] > 0 {
      text.append("\(DatedTrack.all[track].journalKey)\(newestSeconds[track])\n" as FixedText<64>)
    }
    if rotation != .automatic { text.append("rotation = \(rotation.name)\n" as FixedText<64>) }
    let recordedPath = growingPath.isEmpty ? interruption.path : growingPath
    if !recordedPath.isEmpty { text.append("recording = \(recordedPath)\n" as FixedText<160>) }
    let beginner = growingPath.isEmpty ? interruption.beginner : growingBeginner
    if !recordedPath.isEmpty, beginner != .person { text.append("cause = \(beginner.name)\n" as FixedText<64>) }
    let resumptionCount = interruption.shortResumptionCount
    if resumptionCount > 0 { text.append("resumed = \(resumptionCount)\n" as FixedText<64>) }
    for index in openPaths.indices where !openPaths[index].isEmpty {
      text.append("open = \(openPaths[index])\n" as FixedText<160>)
      let byteCount = confirmed[index].byteCount
      if byteCount > 0 { text.append("confirmed = \(byteCount)\n" as FixedText<64>) }
      if let sound = sounds[index] { text.append("sound = \(sound.line)\n" as FixedText<64>) }
    }
    try unsafe storage.replace(Self.path, with: text.bytes.bytes)
  }

  /// Unknown lines are ignored: a journal of a later version must not keep this one from recording.
  private mutating func parse(_ bytes: Span<UInt8>) {
    var line = FixedText<160>()
    var listedPath = FixedText<128>()
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\n") {
        take(line, &listedPath)
        line.removeAll()
      } else {
        line.append(byte: byte)
      }
    }
    take(line, &listedPath)
  }

  /// - Parameter listedPath: the path of the last line that listed one; empty if it was refused.
  private mutating func take(_ line: FixedText<160>, _ listedPath: inout FixedText<128>) {
    if let value = line.bytes.removingPrefix("next_take = "), let number = value.parseInteger() {
      // Of two lines the higher number, which no take has.
      nextNumber = max(nextNumber, number <= UInt64(TakeLimits.mostNumber) ? number : 0)
    } else if takeNewest(line) {
      return
    } else if let value = line.bytes.removingPrefix("rotation = ") {
      rotation = Rotation(name: value) ?? .automatic
    } else if let value = line.bytes.removingPrefix("recording = ") {
      let path = FixedText<128>(value)
      if isTake(path) { interruption.path = path }
    } else if let value = line.bytes.removingPrefix("resumed = "), let count = value.parseInteger() {
      interruption.shortResumptionCount = min(count, TakeLimits.shortResumptions)
    } else if let value = line.bytes.removingPrefix("cause = ") {
      interruption.beginner = TakeBeginner(name: value)
    } else if let value = line.bytes.removingPrefix("open = ") {
      let path = FixedText<128>(value)
      listedPath = isTake(path) ? path : ""
      if listedPath.isEmpty { refuse(path) } else { note(open: path) }
    } else if let value = line.bytes.removingPrefix("confirmed = "), let byteCount = value.parseInteger() {
      if !listedPath.isEmpty { note(confirmed: .atLeast(byteCount), of: listedPath) }
    } else if let value = line.bytes.removingPrefix("sound = ") {
      for index in openPaths.indices where openPaths[index] == listedPath && !listedPath.isEmpty {
        sounds[index] = SoundNote(value)
      }
    }
  }

  private mutating func refuse(_ path: FixedText<128>) {
    note(
      DeviceFailure(
        device: .storage, kind: .unsupported, subject: FixedText(path.bytes),
        problem: "is listed as open but is no path of a take", remedy: "it was dropped from the file state"))
  }

  /// Whether only bytes that ``save(to:)`` writes occur: others are damage, and may hide any of its lines.
  private func isWritable(_ text: Span<UInt8>) -> Bool {
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x20...0x7E: continue
      default: return false
      }
    }
    return true
  }

  /// An implausible time is damage: all later names would be based on it.
  private mutating func takeNewest(_ line: FixedText<160>) -> Bool {
    for track in DatedTrack.all.indices {
      guard let value = line.bytes.removingPrefix(DatedTrack.all[track].journalKey) else { continue }
      let seconds = value.parseInteger(as: Int64.self) ?? 0
      newestSeconds[track] = seconds < ClockSource.plausibleUnixSeconds.upperBound ? max(seconds, 0) : 0
      return true
    }
    return false
  }

  /// A path outside the take folders is damage: repair must touch nothing else.
  private func isTake(_ path: FixedText<128>) -> Bool {
    let isListed = path.bytes.removingPrefix("video/") != nil || path.bytes.removingPrefix("audio/") != nil
    return isListed && !path.isTruncated && path.isPlainPath
  }
}

extension TakeJournal {
  /// The journal's own path in the data folder.
  package static var path: FixedText<128> { "state" }

  /// The largest journal: a number, a rotation and eight paths with their lengths and audio formats take at most 33 +
  /// 32 + 8 × (136 + 33 + 48) = 1,801, the take being recorded 141 + 31 + 17 = 189, and two times 26
  /// more.
  package static var largestByteCount: Int { 2048 }

  /// Whether a journal lists a file, or one in a folder, as open. A file is listed before it exists, and until it is
  /// complete.
  /// - Parameters:
  ///   - path: of the file or the folder.
  ///   - bytes: the journal, as read from the data folder by another thread.
  package static func hasOpenFile(at path: borrowing FixedText<128>, journal bytes: Span<UInt8>) -> Bool {
    let line: FixedText<160> = "open = \(copy path)"
    var start = 0
    for index in 0...bytes.count where index == bytes.count || bytes[index] == UInt8(ascii: "\n") {
      let listed = bytes.extracting(start..<index)
      start = index + 1
      guard listed.starts(with: line.bytes) else { continue }
      if listed.count == line.byteCount || listed[line.byteCount] == UInt8(ascii: "/") { return true }
    }
    return false
  }
}

extension Storage {
  /// Renames something unusable, so that nothing is lost.
  /// - Returns: the new name.
  package mutating func setAside(_ path: FixedText<128>) throws(DeviceFailure) -> FixedText<128> {
    var number = 1
    while true {
      let name: FixedText<128> = "\(path).damaged-\(number)"
      do throws(DeviceFailure) {
        try rename(path, to: name)
        return name
      } catch { guard error.kind == .exists, number < 99 else { throw error } }
      number += 1
    }
  }

  /// Renames a folder or link that has the name of a file, so that it does not block the recorder.
  /// - Returns: its new name; nil if there is a file or nothing.
  mutating func setAsideUnlessFile(_ path: FixedText<128>) throws(DeviceFailure) -> FixedText<128>? {
    do throws(DeviceFailure) {
      return try entry(at: FixedText(path.bytes)).kind == .file ? nil : try setAside(path)
    } catch {
      guard error.kind == .absent else { throw error }
      return nil
    }
  }

  /// Removes one of the recorder's own files, if it is there. Anything else that has its name is renamed.
  mutating func discard(_ path: FixedText<128>) {
    do throws(DeviceFailure) { try remove(path) } catch {
      if error.kind != .absent { _ = try? setAsideUnlessFile(path) }
    }
  }

  /// Renames the first obstacle on the path to a folder: a file, a link that leads nowhere, or a folder that the
  /// recorder's user may not write to.
  /// - Returns: its new name; nil if there is none.
  package mutating func setAsideObstacle(to folder: FixedText<128>) throws(DeviceFailure) -> FixedText<128>? {
    for end in 1...folder.byteCount where end == folder.byteCount || folder.bytes[end] == UInt8(ascii: "/") {
      var path = folder
      path.truncate(to: end)
      do throws(DeviceFailure) {
        try makeFolder(path)
        try requireAccess(to: path)
      } catch {
        let isFolder = try entry(at: FixedText(path.bytes)).kind == .folder
        return isFolder && error.kind != .noPermission ? nil : try setAside(path)
      }
    }
    return nil
  }

  mutating func has(_ path: FixedText<128>) -> Bool { (try? entry(at: FixedText(path.bytes))) != nil }

  mutating func hasFile(_ path: FixedText<128>) -> Bool { (try? entry(at: FixedText(path.bytes)))?.kind == .file }
}
