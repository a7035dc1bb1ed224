import Base
import Wire

/// The items to play in sequence, and the player's place among them.
///
/// An item's index is its number in the queue, from 0. Its place is its turn: each round plays every item once, in
/// queue order or shuffled. Places are counted on across rounds, so that earlier ones lead back the way playback came.
@safe package struct PlayQueue: ~Copyable {
  // Safe: blocks of boot memory with no other owner. Slots below `count` are initialised; in `order`, the places from
  // `firstPlace` up to `endPlace`.
  private let slots: UnsafeMutableBufferPointer<MediaItem>
  /// The indices of this round's items and of as many earlier ones, each at its place modulo the size.
  private let order: UnsafeMutableBufferPointer<UInt16>
  package private(set) var count = 0
  var repetition = QueueRepeat.off
  private(set) var isShuffled = false
  /// The place of the item that plays, or that is to play first.
  private(set) var place = 0
  /// The earliest place that is remembered.
  private(set) var firstPlace = 0
  private(set) var roundStart = 0
  /// The previous round, while it can be returned to.
  private var lastRound: (start: Int, count: Int)?
  private var random: SplitMix64

  /// - Parameters:
  ///   - capacity: 1…65,536.
  ///   - seed: of the shuffled order.
  /// - Returns: nil if `memory` is used up.
  init?(capacity: Int, seed: UInt64 = 0, in memory: inout BootMemory) {
    guard let items = unsafe memory.cut(byteCount: capacity * MemoryLayout<MediaItem>.stride),
      let places = unsafe memory.cut(byteCount: 2 * capacity * MemoryLayout<UInt16>.stride)
    else { return nil }
    unsafe slots = items.bindMemory(to: MediaItem.self)
    unsafe order = places.bindMemory(to: UInt16.self)
    random = SplitMix64(seed: seed)
  }

  package var capacity: Int { unsafe slots.count }

  /// The index of the item that plays, or that is to play first; 0 if the queue is empty.
  package var index: Int { count > 0 ? index(at: place) : 0 }

  /// The item that plays, or that is to play first; nil if the queue is empty.
  var current: MediaItem? { item(atPlace: place) }

  package func item(at index: Int) -> MediaItem? {
    guard index >= 0, index < count else { return nil }
    return unsafe slots[index]
  }

  /// The place after the round's last one.
  var endPlace: Int { roundStart + count }

  /// The item at a place; nil if the place is no longer or not yet known.
  func item(atPlace place: Int) -> MediaItem? {
    guard place >= firstPlace, place < endPlace else { return nil }
    return item(at: index(at: place))
  }

  func index(at place: Int) -> Int { unsafe Int(order[cell(place)]) }

  private func cell(_ place: Int) -> Int {
    let remainder = unsafe place % order.count
    return unsafe remainder < 0 ? remainder + order.count : remainder
  }

  private func set(_ index: Int, at place: Int) { unsafe order[cell(place)] = UInt16(index) }
  private func swap(_ place: Int, _ other: Int) { unsafe order.swapAt(cell(place), cell(other)) }

  /// - Parameter freePlace: the earliest place that the item may take when shuffled.
  /// - Returns: false, with nothing appended, if the queue is full.
  mutating func append(_ item: MediaItem, freePlace: Int) -> Bool {
    guard count < capacity else { return false }
    unsafe slots[count] = item
    set(count, at: endPlace)
    count += 1
    let last = endPlace - 1
    let first = max(freePlace, roundStart)
    if isShuffled, first < last { swap(last, first + below(last - first + 1)) }
    return true
  }

  mutating func move(to place: Int) {
    precondition(place >= firstPlace && place < endPlace, "the queue has no such place")
    self.place = place
  }

  mutating func removeAll() {
    count = 0
    place = 0
    firstPlace = 0
    roundStart = 0
    lastRound = nil
  }

  /// Begins another round. When shuffled, the item that was last does not come first, unless it is alone.
  mutating func beginRound() {
    let last = index(at: endPlace - 1)
    lastRound = (roundStart, count)
    roundStart = endPlace
    firstPlace = max(firstPlace, roundStart - capacity)
    for index in 0..<count { set(index, at: roundStart + index) }
    guard isShuffled else { return }
    shuffle(from: roundStart)
    if count > 1, index(at: roundStart) == last { swap(roundStart, roundStart + 1 + below(count - 1)) }
  }

  /// Takes the new round back, if none of its items has had its turn.
  mutating func takeBackRound() {
    guard let lastRound, lastRound.count == count, place < roundStart else { return }
    roundStart = lastRound.start
    self.lastRound = nil
  }

  /// Shuffles the items from now on, each once per round; those that had their turn are remembered.
  /// - Parameters:
  ///   - kept: the index of the item at ``place``, if it stays there.
  ///   - next: the index of the item after it (or at ``place``), if that stays there.
  /// - Returns: the first free place.
  mutating func shuffle(keeping kept: Int?, _ next: Int?) -> Int {
    isShuffled = true
    lastRound = nil
    roundStart = place
    firstPlace = max(firstPlace, place - capacity)
    var free = place
    if let kept { free = fill(kept, at: free) }
    if let next, next != kept { free = fill(next, at: free) }
    var last = free
    for index in 0..<count where index != kept && index != next { last = fill(index, at: last) }
    shuffle(from: free)
    return free
  }

  private func fill(_ index: Int, at place: Int) -> Int {
    set(index, at: place)
    return place + 1
  }

  /// Restores the queue's order around the current item.
  /// - Parameter isFresh: whether the round may begin with the first item.
  mutating func unshuffle(isFresh: Bool) {
    isShuffled = false
    lastRound = nil
    if !isFresh || place != roundStart { roundStart = place - index }
    firstPlace = roundStart
    for index in 0..<count { set(index, at: roundStart + index) }
  }

  /// When shuffled, moves an item's turn to the next place; all others keep their order.
  /// - Parameter isAfter: whether the item at ``place`` has its turn now; else the moved item takes its place.
  /// - Returns: the item's new place.
  mutating func bring(index: Int, isAfter: Bool) -> Int {
    guard isShuffled else { return roundStart + index }
    var place = roundStart
    while place < endPlace - 1, self.index(at: place) != index { place += 1 }
    let target = max(self.place + (isAfter ? 1 : 0), roundStart)
    let step = place < target ? 1 : -1
    let end = place < target ? target - 1 : target
    while place != end {
      swap(place, place + step)
      place += step
    }
    return place
  }

  /// Mixes `number` into the random numbers, so that the order differs from one start to the next.
  mutating func stir(_ number: UInt64) { random = SplitMix64(seed: random.next() ^ number) }

  private mutating func shuffle(from start: Int) {
    guard endPlace - start > 1 else { return }
    for last in (start + 1..<endPlace).reversed() { swap(last, start + below(last - start + 1)) }
  }

  private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
}

/// An item that is open or is to be opened.
struct PlayedItem: BitwiseCopyable {
  var item: MediaItem
  /// Its place in the queue; nil if it was chosen outside the queue.
  var queuePlace: Int?
  var requestID: UInt32
  /// Nil until the item is open.
  var properties: ItemProperties?
  /// The size of a stream that is a file, in bytes; 0 if its end is not known.
  var byteCount: UInt64 = 0 { didSet { settleDuration() } }
  /// The end in the container's own units; 0 if it is not known.
  var endPosition: UInt64 = 0 { didSet { settleDuration() } }
  var scale = LengthScale() { didSet { settleDuration() } }
  /// Allowance in bytes for tags after the audio, such as a cover; a header's duration does not count them.
  private static var tagByteCount: Double { 0x1_0000 }

  mutating func complete(with properties: ItemProperties, _ scale: LengthScale) {
    self.properties = properties
    self.scale = scale
    if item.title.isEmpty { item.title = properties.title }
    if item.artist.isEmpty { item.artist = properties.artist }
  }

  private mutating func settleDuration() {
    guard let properties else { return }
    item.durationSeconds = item.isStream ? streamSeconds(properties.durationSeconds) : properties.durationSeconds
  }

  /// A file that a server sends may have a length that follows from where it ends; other streams have none.
  private func streamSeconds(_ stated: Double) -> Double {
    if stated == 0 { return scale.seconds(to: scale.unit == .positions ? endPosition : byteCount) }
    // If far more follows than the header states, another file was appended.
    let told = stated * scale.perSecond
    let isWhole = scale.unit != .bytes || Double(byteCount) <= Double(scale.start) + 1.25 * told + Self.tagByteCount
    return isWhole ? stated : 0
  }
}

struct Lineup: BitwiseCopyable {
  var current: PlayedItem?
  /// Announced to the decoder, or already in the ring.
  var next: PlayedItem?
  /// The queue place to announce after `next`.
  var upcomingPlace = 0
  /// The request whose item the ring's last frames belong to.
  var decodingID: UInt32 = 0
  /// The request of an announced item that is no longer wanted; the decoder may already have gone on to it.
  private(set) var droppedID: UInt32?

  var isDecodingCurrent: Bool { current?.requestID == decodingID }
  var isDecodingNext: Bool { next?.requestID == decodingID }

  /// The item that the ring's last frames belong to.
  var decoding: PlayedItem? { isDecodingNext ? next : current }

  /// The item of a request; nil if it is neither the current nor the next one.
  func item(of requestID: UInt32) -> MediaItem? {
    if next?.requestID == requestID { return next?.item }
    return current?.requestID == requestID ? current?.item : nil
  }

  /// Notes the title that is now sent in the stream of a request.
  mutating func note(title: FixedText<128>, of requestID: UInt32) {
    if current?.requestID == requestID { current?.item.title = title }
    if next?.requestID == requestID { next?.item.title = title }
  }

  /// Notes that another part of a request's file is heard.
  mutating func note(_ title: PartTitle) {
    guard current?.requestID == title.requestID else { return }
    current?.item.title = title.title
    current?.item.artist = title.artist
  }

  /// Notes that the stream of a request is a file of `byteCount` bytes.
  mutating func note(byteCount: UInt64, of requestID: UInt32) {
    if current?.requestID == requestID { current?.byteCount = byteCount }
    if next?.requestID == requestID { next?.byteCount = byteCount }
  }

  mutating func note(endPosition: UInt64, of requestID: UInt32) {
    if current?.requestID == requestID { current?.endPosition = endPosition }
    if next?.requestID == requestID { next?.endPosition = endPosition }
  }

  /// Notes a new estimate of the length of the item being decoded, from its packets.
  mutating func note(_ scale: LengthScale) {
    if isDecodingNext { next?.scale = scale } else if isDecodingCurrent { current?.scale = scale }
  }

  /// Notes that the request's item is open and that the next frames belong to it.
  mutating func beginDecoding(_ requestID: UInt32, _ properties: ItemProperties, _ scale: LengthScale) {
    if current?.requestID == requestID { current?.complete(with: properties, scale) }
    if next?.requestID == requestID { next?.complete(with: properties, scale) }
    decodingID = requestID
  }

  /// Notes that another request opens the item that was decoded last.
  mutating func reopenDecoding(by requestID: UInt32) {
    if isDecodingNext { next?.requestID = requestID } else { current?.requestID = requestID }
    decodingID = requestID
  }

  /// Drops the next item, which is no longer wanted.
  mutating func dropNext() {
    droppedID = next?.requestID
    next = nil
  }

  /// Forgets the next item, which is announced again later.
  mutating func forgetNext() {
    if let place = next?.queuePlace, place != current?.queuePlace { upcomingPlace = place }
    next = nil
  }
}

/// The marks of the frames in the ring, in order.
struct MarkList: ~Copyable {
  private let place = StaysInPlace()
  private var marks: InlineArray<64, StreamMark>
  private(set) var count = 0

  init() {
    marks = InlineArray(repeating: StreamMark(ringFrame: 0, requestID: 0, positionSeconds: 0, rate: 1))
  }

  var newest: StreamMark? { count > 0 ? marks[count - 1] : nil }

  /// The mark that `frame` counts from; nil if there is none.
  func mark(of frame: UInt64) -> StreamMark? {
    // Through a span: indexing the array itself would copy all of it.
    let marks = marks.span
    var found: StreamMark?
    for index in 0..<count where marks[index].ringFrame <= frame { found = marks[index] }
    return found
  }

  /// Appends a mark. It replaces the last one if both belong to the same frame, or if the list is full: a slightly
  /// wrong position is acceptable.
  mutating func append(_ mark: StreamMark) {
    if let newest, newest.ringFrame > mark.ringFrame { return }
    let replacesNewest = newest?.ringFrame == mark.ringFrame || count == marks.count
    if !replacesNewest { count += 1 }
    marks[count - 1] = mark
  }

  /// Removes the marks that neither `frame` nor any later frame counts from.
  mutating func forget(before frame: UInt64) {
    var spent = 0
    while spent + 1 < count, marks[spent + 1].ringFrame <= frame { spent += 1 }
    guard spent > 0 else { return }
    for index in spent..<count { marks[index - spent] = marks[index] }
    count -= spent
  }

  /// Assigns the marks of an item to the request that opened it again.
  mutating func replace(requestID: UInt32, by other: UInt32) {
    for index in 0..<count where marks[index].requestID == requestID { marks[index].requestID = other }
  }

  mutating func removeAll() { count = 0 }
}

/// The titles of a part of a file that begins at a ring frame.
struct PartTitle: BitwiseCopyable {
  var ringFrame: UInt64 = 0
  var requestID: UInt32 = 0
  var title: FixedText<128> = ""
  var artist: FixedText<128> = ""
}

/// Titles of parts that are decoded but not heard yet, in order.
struct PartTitles: ~Copyable {
  private let place = StaysInPlace()
  /// Parts are rarely shorter than the second that is decoded ahead. If there are more, the newest are kept.
  private var titles = InlineArray<4, PartTitle>(repeating: PartTitle())
  private var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ title: PartTitle) {
    if count == titles.count { removeFirst() }
    titles[count] = title
    count += 1
  }

  /// Takes the first title if its frame has been reached.
  mutating func takeFirst(before frame: UInt64) -> PartTitle? {
    guard count > 0, titles[0].ringFrame <= frame else { return nil }
    let first = titles[0]
    removeFirst()
    return first
  }

  private mutating func removeFirst() {
    for index in 1..<count { titles[index - 1] = titles[index] }
    count -= 1
  }
}
