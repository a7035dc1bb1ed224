import Base
import Machine
import Wire

/// The files of the library, sorted, in a fixed amount of memory.
@safe struct MediaIndex: ~Copyable {
  /// The average space for a file's path, title and artist, including overhead.
  static var textByteCountPerFile: Int { 200 }

  // Safe: blocks of boot memory with no other owner; slots are below `records.count`, places below `count`.
  private let records: UnsafeMutableBufferPointer<FileRecord>
  private let order: UnsafeMutableBufferPointer<UInt32>
  private var texts: TextSlab
  /// The files of the last list.
  var listed: ListedFiles
  private var firstFreeSlot: UInt32 = 0
  /// Slots from this one on have never been used.
  private(set) var usedSlotCount = 0
  /// The number of files.
  private(set) var count = 0
  /// The number of files whose tags have not been read.
  private(set) var unreadCount = 0
  /// Incremented whenever the order, or anything that determines it, changes.
  private(set) var changeCount: UInt64 = 0
  /// The place where the answer to a query continues; it stays with its file when others are added or removed.
  var cursor = 0

  private static var noSlot: UInt32 { .max }

  init?(capacity: Int, in memory: inout BootMemory) {
    guard let records = unsafe memory.cut(byteCount: capacity * MemoryLayout<FileRecord>.stride),
      let order = unsafe memory.cut(byteCount: capacity * MemoryLayout<UInt32>.stride),
      let texts = TextSlab(byteCount: capacity * Self.textByteCountPerFile, in: &memory),
      let listed = ListedFiles(capacity: capacity, in: &memory)
    else { return nil }
    unsafe self.records = records.bindMemory(to: FileRecord.self)
    unsafe self.order = order.bindMemory(to: UInt32.self)
    self.texts = texts
    self.listed = listed
    firstFreeSlot = Self.noSlot
  }

  var capacity: Int { unsafe records.count }

  /// The slot of the file at a place in the order, 0..<``count``.
  func slot(at place: Int) -> UInt32 {
    precondition(place >= 0 && place < count, "no such place in the index")
    return unsafe order[place]
  }

  subscript(slot: UInt32) -> FileRecord { unsafe records[Int(slot)] }

  @_lifetime(borrow self)
  func path(of slot: UInt32) -> Span<UInt8> {
    let record = self[slot]
    return texts.text(at: record.textOffset, from: 0, byteCount: Int(record.texts.path))
  }

  @_lifetime(borrow self)
  func title(of slot: UInt32) -> Span<UInt8> {
    let record = self[slot]
    return texts.text(at: record.textOffset, from: Int(record.texts.path), byteCount: Int(record.texts.title))
  }

  @_lifetime(borrow self)
  func artist(of slot: UInt32) -> Span<UInt8> {
    let record = self[slot]
    let start = Int(record.texts.path) + Int(record.texts.title)
    return texts.text(at: record.textOffset, from: start, byteCount: Int(record.texts.artist))
  }

  func item(of slot: UInt32) -> MediaItem {
    let seconds = self[slot].durationSeconds
    return MediaItem(
      path: FixedText(path(of: slot)), title: FixedText(title(of: slot)), artist: FixedText(artist(of: slot)),
      durationSeconds: seconds.isNaN ? nil : seconds)
  }

  /// What is known about the file at a path, indexed or not.
  func item(at path: FixedText<256>) -> MediaItem { slot(of: path.bytes).map { item(of: $0) } ?? MediaItem(path: path) }

  /// The take with the highest number; nil if there is none.
  var newestTake: UInt32? {
    var newest: UInt32?
    var number: UInt32 = 0
    for place in 0..<count {
      let slot = slot(at: place)
      let record = self[slot]
      guard record.kind == .audio || record.kind == .video, record.takeNumber > number else { continue }
      newest = slot
      number = record.takeNumber
    }
    return newest
  }

  /// The file with a number in the last list; if there is no list, the take or still with that number.
  func slot(named number: UInt32) throws(LibraryRefusal) -> UInt32 {
    guard listed.count == 0 else { return try listed.slot(of: number) }
    for place in 0..<count where number > 0 && self[slot(at: place)].takeNumber == number { return slot(at: place) }
    throw .noTakeNumber(number)
  }

  /// The place of the file with that path in the order, or where it would be inserted.
  func place(of path: Span<UInt8>) -> (place: Int, isThere: Bool) {
    let number = LibraryPath.takeNumber(of: path)
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      let slot = slot(at: middle)
      let isBefore = LibraryPath.precedes(
        self.path(of: slot), takeNumber: self[slot].takeNumber, path, takeNumber: number)
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return (low, low < count && self.path(of: slot(at: low)).equals(path))
  }

  func slot(of path: Span<UInt8>) -> UInt32? {
    let found = place(of: path)
    return found.isThere ? slot(at: found.place) : nil
  }

  /// Adds a file that is not in the index yet.
  /// - Returns: its slot; nil if there is no room for it.
  mutating func insert(
    _ path: Span<UInt8>, kind: MediaKind, _ entry: borrowing FolderEntry, passNumber: UInt8
  ) -> UInt32? {
    guard count < capacity, makeTextSpace(byteCount: path.count) else { return nil }
    let place = place(of: path).place
    let slot = takeSlot()
    let state: ProbeState = kind == .photo ? .notNeeded : .waiting
    let nothing = Span<UInt8>()
    let offset = texts.append(slot: slot, path, nothing, nothing)
    unsafe records[Int(slot)] = FileRecord(
      byteCount: entry.byteCount, modifiedNanoseconds: entry.modifiedNanoseconds, durationSeconds: .nan,
      textOffset: offset, number: LibraryPath.takeNumber(of: path),
      texts: TextLengths(path: UInt16(path.count), title: 0, artist: 0), kind: kind, state: state,
      passNumber: passNumber)
    for index in (place..<count).reversed() { unsafe order[index + 1] = order[index] }
    unsafe order[place] = slot
    count += 1
    changeCount += 1
    if place < cursor { cursor += 1 }
    if state == .waiting { unreadCount += 1 }
    return slot
  }

  mutating func remove(_ slot: UInt32) {
    let place = place(of: path(of: slot)).place
    precondition(self.slot(at: place) == slot, "the index is out of order")
    setState(.notNeeded, of: slot)
    listed.forget(slot)
    texts.remove(at: self[slot].textOffset)
    for index in place + 1..<max(count, place + 1) { unsafe order[index - 1] = order[index] }
    count -= 1
    changeCount += 1
    if place < cursor { cursor -= 1 }
    free(slot)
  }

  /// Notes that a pass has found the file.
  mutating func meet(_ slot: UInt32, passNumber: UInt8) {
    unsafe records[Int(slot)].passNumber = passNumber
  }

  /// Notes that the file has changed since it was probed.
  mutating func noteChange(of slot: UInt32, _ entry: borrowing FolderEntry) {
    unsafe records[Int(slot)].byteCount = entry.byteCount
    unsafe records[Int(slot)].modifiedNanoseconds = entry.modifiedNanoseconds
    if self[slot].kind != .photo { setState(.waiting, of: slot) }
  }

  mutating func setState(_ state: ProbeState, of slot: UInt32) {
    if self[slot].state.isUnread { unreadCount -= 1 }
    if state.isUnread { unreadCount += 1 }
    unsafe records[Int(slot)].state = state
  }

  /// Stores the file's tags, but without texts for which there is no room.
  mutating func setTags(
    of slot: UInt32, title: FixedText<128>, artist: FixedText<128>, durationSeconds: Double?, albumPlace: UInt32
  ) {
    if self[slot].kind == .music, self[slot].number != albumPlace {
      unsafe records[Int(slot)].number = albumPlace
      changeCount += 1
    }
    unsafe records[Int(slot)].durationSeconds = durationSeconds ?? .nan
    let hasSameTags = self.title(of: slot).equals(title.bytes) && self.artist(of: slot).equals(artist.bytes)
    if hasSameTags { return }
    let path = FixedText<256>(self.path(of: slot))
    texts.remove(at: self[slot].textOffset)
    // Compaction treats the texts as a hole until they are replaced.
    unsafe records[Int(slot)].textOffset = Self.noSlot
    let hasSpace = makeTextSpace(byteCount: path.byteCount + title.byteCount + artist.byteCount)
    replaceTexts(of: slot, path, title: hasSpace ? title : "", artist: hasSpace ? artist : "")
  }

  private mutating func replaceTexts(
    of slot: UInt32, _ path: FixedText<256>, title: FixedText<128>, artist: FixedText<128>
  ) {
    let hasSpace = makeTextSpace(byteCount: path.byteCount + title.byteCount + artist.byteCount)
    precondition(hasSpace, "a path does not fit where it lay before")
    let offset = texts.append(slot: slot, path.bytes, title.bytes, artist.bytes)
    unsafe records[Int(slot)].textOffset = offset
    unsafe records[Int(slot)].texts = TextLengths(
      path: UInt16(path.byteCount), title: UInt8(title.byteCount), artist: UInt8(artist.byteCount))
  }

  private mutating func makeTextSpace(byteCount: Int) -> Bool {
    if texts.hasSpaceAtEnd(byteCount: byteCount) { return true }
    guard texts.hasSpace(byteCount: byteCount) else { return false }
    let records = unsafe records
    texts.compact { slot, source, target in
      let record = unsafe records[Int(slot)]
      guard record.texts.path > 0, record.textOffset == source else { return false }
      unsafe records[Int(slot)].textOffset = target
      return true
    }
    return true
  }

  private mutating func takeSlot() -> UInt32 {
    guard firstFreeSlot != Self.noSlot else {
      usedSlotCount += 1
      return UInt32(usedSlotCount - 1)
    }
    let slot = firstFreeSlot
    firstFreeSlot = self[slot].textOffset
    return slot
  }

  /// Frees a slot. An unused record has no path.
  private mutating func free(_ slot: UInt32) {
    unsafe records[Int(slot)].textOffset = firstFreeSlot
    unsafe records[Int(slot)].texts = TextLengths(path: 0, title: 0, artist: 0)
    firstFreeSlot = slot
  }

  /// Whether a slot holds a file.
  func isUsed(_ slot: UInt32) -> Bool { self[slot].texts.path > 0 }
}

/// A file in the index: 40 bytes. Its texts are in the index's ``TextSlab``.
struct FileRecord: BitwiseCopyable {
  var byteCount: UInt64
  var modifiedNanoseconds: Int64
  /// NaN if it is unknown.
  var durationSeconds: Double
  /// The offset of its texts; in an unused record, the next unused slot.
  var textOffset: UInt32
  /// The number of a take or still, or a song's place on its album (``ItemProperties/albumPlace``); 0 for none.
  fileprivate(set) var number: UInt32
  var texts: TextLengths
  var kind: MediaKind
  var state: ProbeState
  /// The last pass that found it, modulo 256.
  var passNumber: UInt8

  /// 0 if it is not a take or still.
  var takeNumber: UInt32 { kind == .music ? 0 : number }

  /// 0 if it is not on an album.
  var albumPlace: UInt32 { kind == .music ? number : 0 }

  /// Whether the file has audio, as far as is known.
  var mayBePlayed: Bool {
    switch state {
    case .waiting, .underway, .playable: true
    case .notNeeded, .unplayable: false
    }
  }
}

/// The lengths of a file's texts, which are stored contiguously.
struct TextLengths: BitwiseCopyable {
  /// At most 256.
  var path: UInt16
  /// At most 128.
  var title: UInt8
  /// At most 128.
  var artist: UInt8
}

/// What is known about a file's content.
enum ProbeState: BitwiseCopyable, Equatable {
  /// A photo, which has no audio.
  case notNeeded
  case waiting
  case underway
  case playable
  case unplayable(DecoderRefusal)

  /// Whether the file's tags have not been read yet.
  var isUnread: Bool { self == .waiting || self == .underway }
}

/// Texts of different lengths, stored contiguously in one block of memory. Replaced or removed texts leave a hole; when
/// the end is reached, the block is compacted.
@safe struct TextSlab: ~Copyable {
  /// The slot that the texts belong to, 4 bytes, and their length, 2 bytes.
  static var headerByteCount: Int { 6 }

  // Safe: a block of boot memory with no other owner; every offset below is checked against its bounds.
  private let memory: UnsafeMutableRawBufferPointer
  private var endOffset = 0
  private var holeByteCount = 0

  init?(byteCount: Int, in boot: inout BootMemory) {
    guard let memory = unsafe boot.cut(byteCount: byteCount) else { return nil }
    unsafe self.memory = memory
  }

  /// Whether texts of this size fit, if need be after ``compact(_:)``.
  func hasSpace(byteCount: Int) -> Bool {
    unsafe memory.count - endOffset + holeByteCount >= byteCount + Self.headerByteCount
  }

  /// Whether they fit without compaction.
  func hasSpaceAtEnd(byteCount: Int) -> Bool {
    unsafe memory.count - endOffset >= byteCount + Self.headerByteCount
  }

  /// Appends a file's texts. Requires ``hasSpaceAtEnd(byteCount:)``.
  /// - Returns: their offset.
  mutating func append(slot: UInt32, _ path: Span<UInt8>, _ title: Span<UInt8>, _ artist: Span<UInt8>) -> UInt32 {
    let byteCount = path.count + title.count + artist.count
    precondition(hasSpaceAtEnd(byteCount: byteCount), "no space at the end of the texts")
    let start = endOffset
    unsafe memory.storeBytes(of: slot, toByteOffset: start, as: UInt32.self)
    unsafe memory.storeBytes(of: UInt16(byteCount), toByteOffset: start + 4, as: UInt16.self)
    endOffset += Self.headerByteCount
    put(path)
    put(title)
    put(artist)
    return UInt32(start)
  }

  private mutating func put(_ text: Span<UInt8>) {
    for index in text.indices { unsafe memory[endOffset + index] = text[index] }
    endOffset += text.count
  }

  /// Removes the texts at `offset`, leaving a hole.
  mutating func remove(at offset: UInt32) {
    holeByteCount += Self.headerByteCount + textByteCount(at: Int(offset))
  }

  /// Closes all holes.
  /// - Parameter move: receives each block's slot and its old and new offset; returns false for a hole.
  mutating func compact(_ move: (_ slot: UInt32, _ from: UInt32, _ to: UInt32) -> Bool) {
    var source = 0
    var target = 0
    while source < endOffset {
      let slot = unsafe memory.loadUnaligned(fromByteOffset: source, as: UInt32.self)
      let byteCount = Self.headerByteCount + textByteCount(at: source)
      if move(slot, UInt32(source), UInt32(target)) {
        let block = unsafe UnsafeRawBufferPointer(rebasing: memory[source..<source + byteCount])
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[target..<target + byteCount]).copyMemory(from: block)
        target += byteCount
      }
      source += byteCount
    }
    endOffset = target
    holeByteCount = 0
  }

  /// Part of the texts at `offset`.
  @_lifetime(borrow self)
  func text(at offset: UInt32, from start: Int, byteCount: Int) -> Span<UInt8> {
    let first = Int(offset) + Self.headerByteCount + start
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: memory[first..<first + byteCount]).bindMemory(to: UInt8.self)
    let span = unsafe Span(_unsafeElements: bytes)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  private func textByteCount(at offset: Int) -> Int {
    unsafe Int(memory.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self))
  }
}
