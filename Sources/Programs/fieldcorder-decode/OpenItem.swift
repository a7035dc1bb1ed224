import Base
import CFFmpeg
import CLinux
import Machine
import Wire

/// An open file: a sequence of frames at its own rate, with a position.
@safe struct OpenItem: ~Copyable {
  /// How long opening may take, within the recorder's timeout of 2 s.
  static var openingNanoseconds: UInt64 { 1_800_000_000 }
  /// Undecodable packets after which a file counts as damaged.
  private static var errorLimit: Int { 2000 }

  let requestID: UInt32
  private(set) var properties: ItemProperties
  // Safe: the input of the item, which is not read any more once another part has it.
  private let place: UnsafeMutablePointer<FileInput>
  /// Nil once it was passed on to the item of the next part.
  private var input: InputPlace?
  /// Where the open part begins in the file.
  private let startSeconds: Double
  // Safe: owned by the item until it ends; the store ends before its input.
  let store: UnsafeMutablePointer<PacketStore>
  private let packet: UnsafeMutablePointer<AVPacket>
  private var decoder: ItemDecoder
  private var search: SearchReporter
  /// The rate in which positions are counted.
  private(set) var sampleRateHz: Int32
  /// The end of the last frame to play; nil if only the end of the file tells.
  private var endFrame: Int64?
  /// Frames of a stream that are not played. Another file may follow, as with a station that sends one after another.
  private var padding: Range<Int64>?
  /// The time of the first frame to play.
  private var startTime: Int64 = 0
  /// The position of the first decoded frame; negative if it is not to be played.
  private var startPosition: Int64 = 0
  /// Frames decoded before the first one to play, if FFmpeg does not drop them; nil if it does.
  private let primingFrameCount: Int64?
  /// The position of the next frame.
  private(set) var position: Int64 = 0
  private var offset = 0
  private var length = 0
  /// After a seek: the next frame's time gives its position.
  private var isLost = false
  /// Frames before this one are skipped.
  private var target: Int64 = 0
  /// Those that a stream has from the current frames on, until somebody takes them.
  var newTags: ItemTags?
  private var hasSentEnd = false
  /// Whether a stream had no packet when one was last wanted.
  private var isStarved = false
  /// Whether the current packet has not been given to the decoder yet.
  private var isHeld = false
  /// Frames of packets that could not be decoded.
  private var missingFrameCount: Int32 = 0
  private var errorCount = 0

  /// Opens a file, primes its buffers and decodes its first frames.
  /// - Parameter lock: that of the reading thread; nil if the calling thread reads.
  private static func open(
    _ descriptor: consuming FileDescriptor, requestID: UInt32, _ effort: ItemMeasure.ProbeEffort, lock: ReadingLock?,
    _ search: SearchReporter, isSynced: Bool
  ) throws(DecoderRefusal) -> OpenItem {
    let input = InputPlace(descriptor)
    unsafe input.pointer.pointee.isSynced = isSynced
    var search = search
    if unsafe input.pointer.pointee.isStream {
      // A server may be slow, so the recorder is told that the wait goes on.
      search.begin()
      unsafe input.pointer.pointee.search = search
    } else {
      input.setDeadline(nanosecondsFromNow: openingNanoseconds)
    }
    let file = unsafe try SoundFile.firstPart(of: input.pointer, effort)
    return try open(file, input, requestID: requestID, effort, lock: lock, search)
  }

  private static func open(
    _ opened: consuming SoundFile, _ input: consuming InputPlace, requestID: UInt32, _ effort: ItemMeasure.ProbeEffort,
    lock: ReadingLock?, _ search: SearchReporter
  ) throws(DecoderRefusal) -> OpenItem {
    var file = opened
    let measure = try Self.measure(&file, input, unsafe input.pointer.pointee.isStream ? .none : effort)
    if measure.hasMoved { file = unsafe try SoundFile(input.pointer) }
    let layout = measure.layout(file)
    let decoder = unsafe try ItemDecoder(file.parameters, timeBase: layout.timeBase, isPCM: layout.isPCM)
    let properties = unsafe measure.properties(file, input.pointer)
    let reader = unsafe PacketReader(file, input.pointer, layout)
    let priming = measure.hasPriming ? measure.primingFrameCount : nil
    var item = OpenItem(requestID, properties, input, PacketStore(reader, lock: lock), decoder, search, priming)
    if measure.isExact { item.endFrame = measure.frameCount }
    item.padding = measure.padding
    try item.decodeFirst()
    return item
  }

  /// Opens another part of the file of an item that is no longer played.
  /// - Returns: nil if it cannot be opened.
  static func openPart(
    _ index: Int, of item: inout OpenItem, lock: ReadingLock?, keepFull: (UnsafeMutablePointer<PacketStore>) -> Void
  ) -> OpenItem? {
    guard let input = item.input.take() else { return nil }
    unsafe input.pointer.pointee.showPart(index)
    input.setDeadline(nanosecondsFromNow: openingNanoseconds)
    do throws(DecoderRefusal) {
      let file = unsafe try SoundFile(input.pointer)
      let opened = try open(file, input, requestID: item.requestID, .quick, lock: lock, item.search)
      unsafe keepFull(opened.store)
      unsafe opened.store.pointee.resume()
      return opened
    } catch {
      return nil
    }
  }

  /// Opens a file for a session, and answers.
  /// - Parameters:
  ///   - lock: that of the reading thread; nil if the calling thread reads.
  ///   - isSynced: whether it is a stream that another program keeps in sync.
  ///   - keepFull: has the reading thread keep the item's buffers full.
  /// - Returns: nil if it cannot be played.
  static func answering(
    _ descriptor: consuming FileDescriptor?, requestID: UInt32, _ effort: ItemMeasure.ProbeEffort,
    lock: ReadingLock?, socket: borrowing OrderSocket, isSynced: Bool = false,
    keepFull: (UnsafeMutablePointer<PacketStore>) -> Void
  ) -> OpenItem? {
    do throws(DecoderRefusal) {
      guard let descriptor else { throw .unreadable }
      let item = try open(
        descriptor, requestID: requestID, effort, lock: lock, SearchReporter(socket: socket), isSynced: isSynced)
      unsafe keepFull(item.store)
      unsafe item.store.pointee.resume()
      socket.send(.opened(requestID: requestID, item.properties, item.reading))
      return item
    } catch {
      socket.send(.refused(requestID: requestID, error))
      return nil
    }
  }

  private init(
    _ requestID: UInt32, _ properties: ItemProperties, _ input: consuming InputPlace, _ store: consuming PacketStore,
    _ decoder: consuming ItemDecoder, _ search: SearchReporter, _ primingFrameCount: Int64?
  ) {
    self.primingFrameCount = primingFrameCount
    self.search = search
    self.requestID = requestID
    self.properties = properties
    startSeconds = unsafe input.pointer.pointee.parts.startSeconds
    hasParts = unsafe input.pointer.pointee.parts.hasSeveral
    unsafe place = input.pointer
    self.input = consume input
    sampleRateHz = Int32(store.layout.sampleRateHz)
    unsafe self.store = Heap.place(store)
    self.decoder = decoder
    unsafe packet = Heap.packet()
  }

  deinit {
    unsafe Heap.remove(store)
    unsafe Heap.removePacket(packet)
  }

  private static func measure(
    _ file: inout SoundFile, _ input: borrowing InputPlace, _ effort: ItemMeasure.ProbeEffort
  ) throws(DecoderRefusal) -> ItemMeasure {
    do throws(DecoderRefusal) {
      return unsafe try ItemMeasure(&file, input.pointer.pointee, effort)
    } catch {
      throw unsafe SoundFile.reason(error, input.pointer)
    }
  }

  private mutating func decodeFirst() throws(DecoderRefusal) {
    unsafe store.pointee.prime()
    isLost = !layout.isPCM
    while isLost || offset >= length {
      guard decodeNext(), errorCount < Self.errorLimit else {
        // A file that is all padding has nothing to play, but is not damaged.
        if endFrame == 0, errorCount == 0 { break }
        throw unsafe SoundFile.reason(.damaged, place)
      }
    }
    try settleRate()
    unsafe place.pointee.deadline = .max
    unsafe place.pointee.search = nil
  }

  /// The decoder overrides the container: some codecs double the rate.
  private mutating func settleRate() throws(DecoderRefusal) {
    let decoded = unsafe decoder.frame.pointee.sample_rate
    guard decoded > 0, decoded != sampleRateHz else { return }
    guard ItemMeasure.sampleRatesHz.contains(decoded) else { throw .damaged }
    endFrame = endFrame.map { av_rescale($0, Int64(decoded), Int64(sampleRateHz)) }
    properties.frameCount = UInt64(
      max(0, av_rescale(Int64(properties.frameCount), Int64(decoded), Int64(sampleRateHz))))
    properties.framesPerPacket = UInt32(
      clamping: max(0, av_rescale(Int64(properties.framesPerPacket), Int64(decoded), Int64(sampleRateHz))))
    properties.sampleRateHz = UInt32(decoded)
    sampleRateHz = decoded
  }

  private var layout: PacketLayout { unsafe store.pointee.layout }
  var isSynced: Bool { layout.isSynced }
  var reading: PacketReading { unsafe store.pointee.reading }

  /// The frame of the open part at a time of the file.
  func frame(atSeconds seconds: Double) -> Int64 {
    Int64(min(1e7, max(0, seconds - startSeconds)) * Double(sampleRateHz) + 0.5)
  }
  func seconds(atFrame frame: Int64) -> Double { startSeconds + Double(frame) / Double(sampleRateHz) }

  /// Whether the file has several parts, one of which is open.
  let hasParts: Bool
  var partIndex: Int { unsafe place.pointee.parts.index }
  /// Nil if the last part is open.
  var followingPart: Int? { unsafe place.pointee.parts.hasFollowing ? partIndex + 1 : nil }
  func part(atSeconds seconds: Double) -> Int { unsafe place.pointee.parts.index(atSeconds: seconds) }

  /// Holds the current frames, `firstFrame..<firstFrame + frameCount`.
  var decoded: UnsafeMutablePointer<AVFrame> { unsafe decoder.frame }
  var firstFrame: Int { offset }
  var frameCount: Int { length - offset }

  enum Advance {
    /// There are current frames.
    case frames
    /// None now: a stream's server has not sent them yet.
    case nothingYet
    case end
  }

  /// Decodes until there are current frames.
  mutating func advance() -> Advance {
    while offset >= length {
      guard decodeNext() else { return isStarved ? .nothingYet : .end }
      if position < target { search.tick() }
    }
    return .frames
  }

  /// How much of a stream is buffered, and whether its server is held back; nil for a file.
  var fill: (seconds: Double, isHeldBack: Bool)? { layout.isStream ? unsafe store.pointee.fill : nil }

  /// Moves past frames that have been used.
  mutating func consume(_ count: Int) {
    offset += count
    position += Int64(count)
  }

  private mutating func decodeNext() -> Bool {
    switch decoder.receive() {
    case .frame: return accept()
    case .needsPacket: return feed()
    case .end: return false
    case .damaged:
      guard !hasSentEnd else { return false }
      noteDamage()
      return true
    }
  }

  private mutating func feed() -> Bool {
    guard !hasSentEnd else { return false }
    if !isHeld {
      unsafe av_packet_unref(packet)
      isStarved = false
      switch unsafe store.pointee.take(into: packet) {
      case .packet: if let tags = unsafe ItemTags(packet) { newTags = tags }
      case .nothingYet:
        isStarved = true
        return false
      case .end:
        hasSentEnd = true
        _ = unsafe decoder.send(nil)
        return true
      }
    }
    if missingFrameCount > 0 { return bridge() }
    isHeld = false
    if unsafe !decoder.send(packet) { noteDamage() }
    return true
  }

  /// - Returns: false if the frames lie after the item's end.
  private mutating func accept() -> Bool {
    offset = 0
    length = Int(unsafe decoder.frame.pointee.nb_samples)
    if isLost, !find() { return true }
    let passed = min(Int64(length), max(0, target - position))
    consume(Int(passed))
    return clip()
  }

  /// Drops frames after the item's end.
  private mutating func clip() -> Bool {
    if let padding { drop(padding) }
    guard let endFrame else { return true }
    length = min(length, offset + Int(max(0, endFrame - position)))
    return offset < length || position < endFrame
  }

  /// Drops those of the current frames that are padding: the last ones, or all. They take no time.
  private mutating func drop(_ padding: Range<Int64>) {
    let surplus = position + Int64(length - offset) - padding.lowerBound
    guard surplus > 0 else { return }
    let dropped = min(min(surplus, Int64(length - offset)), Int64(padding.count))
    length -= Int(dropped)
    self.padding = dropped < padding.count ? padding.lowerBound..<padding.upperBound - dropped : nil
  }

  /// Finds a frame's position by its time.
  private mutating func find() -> Bool {
    let time = unsafe decoder.frame.pointee.pts
    guard time != ffmpeg_no_timestamp() else {
      // Without a seek it can only be the beginning.
      isLost = hasSeeked
      if isLost { length = 0 }
      return !isLost
    }
    isLost = false
    if hasSeeked { position = frame(atTime: time) } else { begin(atTime: time) }
    return true
  }

  /// Notes the time of the first frame.
  private mutating func begin(atTime time: Int64) {
    guard let primingFrameCount else {
      startTime = layout.isPCM ? 0 : time
      return
    }
    startTime = av_rescale_q(primingFrameCount, AVRational(num: 1, den: sampleRateHz), layout.timeBase)
    startPosition = min(0, frame(atTime: time))
    position = startPosition
  }

  private func frame(atTime time: Int64) -> Int64 {
    let frame = av_rescale_q(time &- startTime, layout.timeBase, AVRational(num: 1, den: sampleRateHz))
    return min(1 << 40, max(-1 << 40, frame))
  }

  /// Handles a current packet that cannot be decoded.
  private mutating func noteDamage() {
    errorCount += 1
    guard !isLost, position > 0 else { return }
    let duration = av_rescale_q(
      max(0, unsafe packet.pointee.duration), layout.timeBase, AVRational(num: 1, den: sampleRateHz))
    missingFrameCount = Int32(min(Int64(missingFrameCount) + duration, Int64(sampleRateHz)))
  }

  /// Inserts silence for packets that could not be decoded, once something follows them. The current packet is decoded
  /// after it.
  private mutating func bridge() -> Bool {
    let count = missingFrameCount
    missingFrameCount = 0
    isHeld = true
    return decoder.makeSilence(frameCount: count) ? accept() : true
  }

  private var hasSeeked = false

  /// Makes a frame the next one, decoded exactly as it would be without the seek.
  /// - Throws: if the file can no longer be read.
  mutating func seek(toFrame frame: Int64) throws(DecoderRefusal) {
    target = frame
    search.begin()
    unsafe store.pointee.pause()
    unsafe place.pointee.search = search
    defer {
      unsafe place.pointee.search = nil
      unsafe store.pointee.resume()
    }
    guard try !jump(toFrame: layout.isPCM ? frame : max(0, frame - prerollFrameCount)) else { return }
    // It landed after the frame, or nowhere: decoding from the start is always correct.
    _ = try jump(toFrame: 0)
  }

  /// - Returns: whether the target can be reached from there.
  private mutating func jump(toFrame frame: Int64) throws(DecoderRefusal) -> Bool {
    decoder.flush()
    hasSentEnd = false
    isHeld = false
    missingFrameCount = 0
    offset = 0
    length = 0
    position = startPosition
    let time = startTime &+ av_rescale_q(frame, AVRational(num: 1, den: sampleRateHz), layout.timeBase)
    guard case .elsewhere = unsafe try store.pointee.seek(toFrame: frame, time: time) else {
      // A flush leaves some of the decoder's state, such as its noise generator's.
      decoder = unsafe try ItemDecoder(store.pointee.parameters, timeBase: layout.timeBase, isPCM: layout.isPCM)
      hasSeeked = true
      isLost = layout.isPCM
      return true
    }
    hasSeeked = true
    isLost = true
    var end = false
    let wanted = target
    target = 0
    while isLost, !end {
      end = !decodeNext()
      search.tick()
    }
    target = wanted
    guard !isLost, position <= target else { return false }
    let passed = min(Int64(length - offset), target - position)
    consume(Int(passed))
    return true
  }

  /// Frames to decode and drop before a frame, so that the decoder's previous state does not matter.
  private var prerollFrameCount: Int64 {
    switch properties.codecName {
    // In containers that can seek only to a page.
    case "flac" where layout.numbering.isKnown: Int64(sampleRateHz)
    case "flac", "alac", "wavpack", "tta": 0
    case "opus": Int64(sampleRateHz)
    case "amr_nb", "amr_wb", "gsm", "gsm_ms": 2 * Int64(sampleRateHz)
    default: Int64(sampleRateHz) / 2
    }
  }
}

private func ~= <let capacity: Int>(literal: StaticString, text: FixedText<capacity>) -> Bool { text == literal }
