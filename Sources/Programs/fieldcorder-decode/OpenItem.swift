import CFFmpeg
import CLinux
import Decoding
import Posix
import Text

/// A file that is open to be played: a sequence of frames in its own rate, with a position.
@safe struct OpenItem: ~Copyable {
  /// How long opening may take, within the 2 s of a listener's patience.
  static var openingNanoseconds: UInt64 { 1_800_000_000 }
  /// Packets without a sound before a file counts as damaged.
  private static var errorLimit: Int { 2000 }

  let ticket: UInt32
  private(set) var properties: ItemProperties
  private let input: InputPlace
  // Sound: the item's own until it ends; the store ends before its input.
  let store: UnsafeMutablePointer<PacketStore>
  private let packet: UnsafeMutablePointer<AVPacket>
  private var decoder: ItemDecoder
  /// The rate that positions are counted in.
  private(set) var sampleRateHz: Int32
  /// The frame behind the last one that is heard; nil when only the end of the file tells.
  private var endFrame: Int64?
  /// The time of the first frame that is heard.
  private var startTime: Int64 = 0
  /// Of the frame that comes next.
  private(set) var position: Int64 = 0
  private var offset = 0
  private var length = 0
  /// After a leap: the next frame's time says where it is.
  private var isLost = false
  /// Frames before it are passed over.
  private var target: Int64 = 0
  private var hasSentEnd = false
  /// Whether the packet at hand has not been given to the decoder yet.
  private var isHeld = false
  /// Frames of packets that could not be decoded.
  private var missingFrameCount: Int32 = 0
  private var errorCount = 0

  /// Opens a file, primes its buffers and decodes its first frames.
  /// - Parameter lock: of the reading thread; nil: in step.
  static func open(
    _ descriptor: consuming FileDescriptor, ticket: UInt32, _ care: ItemMeasure.Care, lock: ReadingLock?
  ) throws(DecoderRefusal) -> OpenItem {
    let input = InputPlace(descriptor)
    input.setDeadline(nanosecondsFromNow: openingNanoseconds)
    var file = unsafe try SoundFile(input.pointer)
    let measure = try Self.measure(&file, input, care)
    if measure.hasMoved { file = unsafe try SoundFile(input.pointer) }
    let layout = measure.layout(file)
    let decoder = unsafe try ItemDecoder(file.parameters, timeBase: layout.timeBase)
    let properties = measure.properties(file)
    let reader = unsafe PacketReader(file, input.pointer, layout)
    var item = OpenItem(ticket, properties, input, PacketStore(reader, lock: lock), decoder)
    if measure.isExact { item.endFrame = measure.frameCount }
    try item.decodeFirst()
    return item
  }

  /// Opens a file for a session, and answers.
  /// - Parameters:
  ///   - lock: of the reading thread; nil: in step.
  ///   - keepFull: has the reading thread look after its buffers.
  /// - Returns: nil where it cannot be played.
  static func answering(
    _ descriptor: consuming FileDescriptor?, ticket: UInt32, _ care: ItemMeasure.Care,
    lock: ReadingLock?, socket: borrowing OrderSocket, keepFull: (UnsafeMutablePointer<PacketStore>) -> Void
  ) -> OpenItem? {
    do throws(DecoderRefusal) {
      guard let descriptor else { throw .unreadable }
      let item = try open(descriptor, ticket: ticket, care, lock: lock)
      unsafe keepFull(item.store)
      unsafe item.store.pointee.resume()
      socket.send(.opened(ticket: ticket, item.properties, item.reading))
      return item
    } catch {
      socket.send(.refused(ticket: ticket, error))
      return nil
    }
  }

  private init(
    _ ticket: UInt32, _ properties: ItemProperties, _ input: consuming InputPlace, _ store: consuming PacketStore,
    _ decoder: consuming ItemDecoder
  ) {
    self.ticket = ticket
    self.properties = properties
    self.input = input
    sampleRateHz = Int32(store.layout.sampleRateHz)
    unsafe self.store = Heap.place(store)
    self.decoder = decoder
    unsafe packet = Heap.required(av_packet_alloc())
  }

  deinit {
    unsafe Heap.remove(store)
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
    unsafe av_packet_free(&packet)
  }

  private static func measure(
    _ file: inout SoundFile, _ input: borrowing InputPlace, _ care: ItemMeasure.Care
  ) throws(DecoderRefusal) -> ItemMeasure {
    do throws(DecoderRefusal) {
      return unsafe try ItemMeasure(&file, input.pointer.pointee, care)
    } catch {
      throw unsafe SoundFile.reason(error, input.pointer)
    }
  }

  private mutating func decodeFirst() throws(DecoderRefusal) {
    unsafe store.pointee.prime()
    isLost = !layout.isPCM
    while isLost || offset >= length {
      guard decodeNext(), errorCount < Self.errorLimit else {
        throw unsafe SoundFile.reason(.damaged, input.pointer)
      }
    }
    try settleRate()
    input.setDeadline(nanosecondsFromNow: nil)
  }

  /// A decoder may know better than the container: some codings double the rate.
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
  var reading: PacketReading { unsafe store.pointee.reading }

  func frame(atSeconds seconds: Double) -> Int64 { Int64(min(1e7, max(0, seconds)) * Double(sampleRateHz) + 0.5) }

  func seconds(atFrame frame: Int64) -> Double { Double(frame) / Double(sampleRateHz) }

  /// The frames at hand are `firstFrame..<firstFrame + frameCount` of it.
  var decoded: UnsafeMutablePointer<AVFrame> { unsafe decoder.frame }
  var firstFrame: Int { offset }
  var frameCount: Int { length - offset }

  /// Makes frames be at hand.
  /// - Returns: false at the end.
  mutating func advance() -> Bool {
    while offset >= length {
      guard decodeNext() else { return false }
    }
    return true
  }

  /// Says that frames at hand have been used.
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
      guard unsafe store.pointee.take(into: packet) else {
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

  /// - Returns: false when the frames lie behind the item's end.
  private mutating func accept() -> Bool {
    offset = 0
    length = Int(unsafe decoder.frame.pointee.nb_samples)
    if isLost, !find() { return true }
    let passed = min(Int64(length), max(0, target - position))
    consume(Int(passed))
    return clip()
  }

  /// Leaves off what is behind the item's end.
  private mutating func clip() -> Bool {
    guard let endFrame else { return true }
    length = min(length, offset + Int(max(0, endFrame - position)))
    return offset < length || position < endFrame
  }

  /// Learns from its time where a frame is.
  private mutating func find() -> Bool {
    let time = unsafe decoder.frame.pointee.pts
    guard time != ffmpeg_no_timestamp() else {
      // At the very beginning there is nothing else that it could be.
      isLost = hasLeapt
      if isLost { length = 0 }
      return !isLost
    }
    isLost = false
    if hasLeapt { position = frame(atTime: time) } else { startTime = layout.isPCM ? 0 : time }
    return true
  }

  private func frame(atTime time: Int64) -> Int64 {
    let frame = av_rescale_q(time &- startTime, layout.timeBase, AVRational(num: 1, den: sampleRateHz))
    return min(1 << 40, max(-1 << 40, frame))
  }

  /// The packet at hand cannot be decoded.
  private mutating func noteDamage() {
    errorCount += 1
    guard !isLost, position > 0 else { return }
    let duration = av_rescale_q(
      max(0, unsafe packet.pointee.duration), layout.timeBase, AVRational(num: 1, den: sampleRateHz))
    missingFrameCount = Int32(min(Int64(missingFrameCount) + duration, Int64(sampleRateHz)))
  }

  /// Puts silence in the place of packets that could not be decoded, once it is known that something follows them. The
  /// packet at hand is decoded behind it.
  private mutating func bridge() -> Bool {
    let count = missingFrameCount
    missingFrameCount = 0
    isHeld = true
    return decoder.makeSilence(frameCount: count) ? accept() : true
  }

  private var hasLeapt = false

  /// Makes a frame come next, of what is coded the way that it would come without the leap.
  /// - Throws: when the file cannot be read any more.
  mutating func seek(toFrame frame: Int64) throws(DecoderRefusal) {
    target = frame
    unsafe store.pointee.pause()
    defer { unsafe store.pointee.resume() }
    guard try !leap(toFrame: layout.isPCM ? frame : max(0, frame - prerollFrameCount)) else { return }
    // It landed behind, or nowhere: what comes from the start is always right.
    _ = try leap(toFrame: 0)
  }

  /// - Returns: whether the target can be reached from there.
  private mutating func leap(toFrame frame: Int64) throws(DecoderRefusal) -> Bool {
    decoder.flush()
    hasSentEnd = false
    isHeld = false
    missingFrameCount = 0
    offset = 0
    length = 0
    position = 0
    let time = startTime &+ av_rescale_q(frame, AVRational(num: 1, den: sampleRateHz), layout.timeBase)
    guard case .elsewhere = unsafe try store.pointee.leap(toFrame: frame, time: time) else {
      // Decoders keep more than a flush takes from them, such as the state of their noise.
      decoder = unsafe try ItemDecoder(store.pointee.parameters, timeBase: layout.timeBase)
      hasLeapt = true
      isLost = layout.isPCM
      return true
    }
    hasLeapt = true
    isLost = true
    var end = false
    let wanted = target
    target = 0
    while isLost, !end { end = !decodeNext() }
    target = wanted
    guard !isLost, position <= target else { return false }
    let passed = min(Int64(length - offset), target - position)
    consume(Int(passed))
    return true
  }

  /// What is decoded and thrown away before a frame, so that it does not matter what the decoder had before.
  private var prerollFrameCount: Int64 {
    switch properties.codecName {
    case "flac", "alac", "wavpack", "tta": 0
    case "opus": Int64(sampleRateHz)
    case "amr_nb", "amr_wb", "gsm", "gsm_ms": 2 * Int64(sampleRateHz)
    default: Int64(sampleRateHz) / 2
    }
  }
}

private func ~= <let capacity: Int>(literal: StaticString, text: FixedText<capacity>) -> Bool { text == literal }
