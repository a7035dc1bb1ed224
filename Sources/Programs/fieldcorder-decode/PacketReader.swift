import CFFmpeg
import Wire

/// Reads a file's packets into buffers: PCM split at frame boundaries, others unchanged, with times that stay valid
/// after a seek.
@safe struct PacketReader: ~Copyable {
  let layout: PacketLayout
  private(set) var reading = PacketReading()
  private var file: SoundFile
  // Safe: the input is the item's and outlives the reader; the packet is owned by the reader.
  private let input: UnsafeMutablePointer<FileInput>
  private let packet: UnsafeMutablePointer<AVPacket>
  private var index = PacketIndex()
  /// Bytes of the current PCM packet that have been copied to a buffer.
  private var copied = 0
  /// Where the sound of a file ends whose bytes are all of it PCM; nil if only FFmpeg knows.
  private var soundEnd: Int64?
  /// Where the last PCM packet, or what was read after it without FFmpeg, ends in the file.
  private var readEnd: Int64 = -1
  /// The next frame of PCM; frames before `firstWanted` are skipped.
  private var nextFrame: Int64 = 0
  private var firstWanted: Int64 = 0
  /// The container's time of the very first packet; nil before it was read.
  private var startTime: Int64?
  /// Whether the next packet's time gives its position: after a seek by the container's times.
  private var hasSeeked = false
  private var nextTime: Int64 = 0
  private var firstNumber: Int64?

  init(_ file: consuming SoundFile, _ input: UnsafeMutablePointer<FileInput>, _ layout: PacketLayout) {
    self.file = file
    unsafe self.input = input
    self.layout = layout
    unsafe packet = Heap.packet()
  }

  deinit {
    unsafe Heap.removePacket(packet)
  }

  var parameters: UnsafeMutablePointer<AVCodecParameters> { unsafe file.parameters }

  /// One read: as many packets as the buffer holds, or none at the end of the file.
  mutating func fill(_ buffer: inout PacketBuffer) {
    buffer.clear()
    if layout.isPCM { fillFrames(&buffer) } else { fillPackets(&buffer) }
    if buffer.isEmpty {
      reading.emptyReadCount &+= 1
    } else {
      reading.readCount &+= 1
      if layout.isPCM { reading.nextPacket = UInt64(nextFrame) }
    }
  }

  private mutating func fillFrames(_ buffer: inout PacketBuffer) {
    while !buffer.isFull {
      guard copied < Int(unsafe packet.pointee.size) || nextFrames(&buffer) else { return }
      if buffer.isFull { return }
      if buffer.isEmpty { buffer.begin(atFrame: nextFrame) }
      let rest = (Int(unsafe packet.pointee.size) - copied) / layout.frameByteCount
      let count = unsafe buffer.append(packet.pointee.data + copied, frameCount: rest)
      copied += count * layout.frameByteCount
      nextFrame += Int64(count)
    }
  }

  /// Reads the next packet that has wanted frames, after what can be read without FFmpeg.
  /// - Returns: false at the end.
  private mutating func nextFrames(_ buffer: inout PacketBuffer) -> Bool {
    repeat {
      unsafe av_packet_unref(packet)
      copied = 0
      readOn(&buffer)
      if buffer.isFull { return true }
      guard case .packet = unsafe file.read(into: packet) else { return false }
      unsafe readEnd = packet.pointee.pos + Int64(packet.pointee.size)
      trimFrames()
    } while copied >= Int(unsafe packet.pointee.size)
    return true
  }

  /// Reads frames of PCM straight into the buffer, where a packet has shown where they are. FFmpeg would make a packet
  /// of each 4 KiB.
  private mutating func readOn(_ buffer: inout PacketBuffer) {
    guard let soundEnd, nextFrame >= firstWanted, file.position == readEnd, readEnd < soundEnd else { return }
    if buffer.isEmpty { buffer.begin(atFrame: nextFrame) }
    let count = unsafe buffer.append(atMost: Int(soundEnd - readEnd)) { unsafe file.read(into: $0, byteCount: $1) }
    nextFrame += Int64(count)
    readEnd += Int64(count * layout.frameByteCount)
  }

  /// Skips padding, frames before the first wanted one, and partial frames.
  private mutating func trimFrames() {
    noteStart()
    if hasSeeked {
      hasSeeked = false
      nextFrame = unsafe frame(packet.pointee.pts)
    }
    let padding = unsafe PacketPadding(packet)
    var frameCount = Int64(unsafe packet.pointee.size) / Int64(layout.frameByteCount)
    frameCount = max(0, frameCount - padding.endFrameCount)
    let passed = min(frameCount, padding.startFrameCount)
    let unwanted = min(frameCount - passed, max(0, firstWanted - nextFrame))
    unsafe packet.pointee.size = Int32(frameCount) * Int32(layout.frameByteCount)
    copied = Int(passed + unwanted) * layout.frameByteCount
    nextFrame += unwanted
  }

  private func frame(_ time: Int64) -> Int64 {
    guard time != ffmpeg_no_timestamp() else { return 0 }
    let frame = av_rescale_q(
      time &- (startTime ?? 0), file.timeBase, AVRational(num: 1, den: Int32(layout.sampleRateHz)))
    return min(1 << 40, max(0, frame))
  }

  private func time(ofFrame frame: Int64) -> Int64 {
    (startTime ?? 0) &+ av_rescale_q(frame, AVRational(num: 1, den: Int32(layout.sampleRateHz)), file.timeBase)
  }

  private mutating func noteStart() {
    guard startTime == nil else { return }
    let time = unsafe packet.pointee.pts
    startTime = time == ffmpeg_no_timestamp() ? 0 : time
    guard layout.isPCM, unsafe Int(file.parameters.pointee.block_align) == layout.frameByteCount else { return }
    soundEnd = unsafe file.soundEnd(from: packet.pointee.pos, input)
  }

  /// Whether a packet of a stream was read that is in no buffer yet.
  private var isHolding = false

  /// Abandons a stream, which ends a waiting read.
  func giveUp() { unsafe input.pointee.giveUp() }

  /// Reads the next packet of a stream, unless one is held already.
  /// - Returns: false at the end.
  mutating func holdNext() -> Bool {
    guard !isHolding else { return true }
    guard readSound() else {
      reading.emptyReadCount &+= 1
      return false
    }
    noteStart()
    noteScale()
    if layout.needsIndex { stamp() } else { number() }
    isHolding = true
    return true
  }

  /// Reads the next packet that is sound. Where a station begins another file, the headers of that file come first,
  /// which FFmpeg takes for sound if the file's number is the same.
  private mutating func readSound() -> Bool {
    var preSkip: UInt16 = 0
    while case .packet = unsafe file.read(into: packet) {
      if file.isKind("mp3"), unsafe tables.take(packet, input) {
        unsafe av_packet_unref(packet)
        continue
      }
      guard file.isKind("ogg"), let header = unsafe OggHeaderPacket(packet, file.parameters.pointee.codec_id) else {
        if preSkip > 0 { unsafe PacketPadding.set(UInt32(preSkip), of: packet) }
        // The first tags were read when the stream was opened.
        if startTime == nil { file.forgetTags() }
        unsafe file.attachNewTags(to: packet)
        return true
      }
      preSkip = max(preSkip, header.preSkip)
      unsafe header.readTags(packet, into: file)
      unsafe av_packet_unref(packet)
    }
    return false
  }

  private var rate = PacketRate()
  private var tables = JoinedTables()

  /// How a stream's length follows from its end, which the program that fetches the stream may know.
  private mutating func noteScale() {
    if let table = file.table {
      reading.scale = table.scale
    } else if file.isKind("ogg") {
      let perSecond = Double(file.timeBase.den) / Double(max(1, file.timeBase.num))
      guard perSecond <= 1e7 else { return }
      // A recording of a running stream does not begin at 0.
      let start = max(0, startTime ?? 0)
      reading.scale = LengthScale(.positions, start: UInt64(layout.preSkip + start), perSecond: perSecond)
    } else {
      unsafe rate.note(packet)
      reading.scale = unsafe rate.scale(file.timeBase, bitsPerSecond: file.parameters.pointee.bit_rate)
    }
  }

  /// Moves the held packet into a buffer, if it fits.
  mutating func give(to buffer: inout PacketBuffer) -> Bool {
    guard buffer.hasRoom(forByteCount: Int(unsafe packet.pointee.size)) else { return false }
    unsafe buffer.append(packet)
    isHolding = false
    return true
  }

  /// Counts a buffer of a stream that was handed on.
  mutating func noteRead() { reading.readCount &+= 1 }

  private mutating func fillPackets(_ buffer: inout PacketBuffer) {
    guard !layout.isStream else {
      while holdNext(), give(to: &buffer) {}
      return
    }
    while !buffer.isFull, buffer.byteCount < layout.bufferByteCount {
      guard case .packet = unsafe file.read(into: packet) else { return }
      noteStart()
      if layout.needsIndex { stamp() } else { number() }
      unsafe buffer.append(packet)
    }
  }

  /// Gives a packet of a file without times the sum of the durations before it.
  private mutating func stamp() {
    index.note(
      .init(packet: Int64(reading.nextPacket), time: nextTime, byte: unsafe packet.pointee.pos))
    unsafe packet.pointee.pts = nextTime
    unsafe packet.pointee.dts = nextTime
    nextTime &+= max(0, unsafe packet.pointee.duration)
    reading.nextPacket += 1
  }

  private mutating func number() {
    if hasSeeked, layout.framesPerPacket > 0 {
      reading.nextPacket = UInt64(max(0, Double(unsafe frame(packet.pointee.pts)) / layout.framesPerPacket + 0.5))
    }
    hasSeeked = false
    reading.nextPacket += 1
    if layout.numbering.isKnown { renumber() }
  }

  /// Gives a packet its exact time, in frames.
  private mutating func renumber() {
    let position = numberedPosition
    if firstNumber == nil { firstNumber = position }
    unsafe packet.pointee.pts = position ?? ffmpeg_no_timestamp()
    unsafe packet.pointee.dts = packet.pointee.pts
    unsafe packet.pointee.duration = av_rescale_q(max(0, packet.pointee.duration), file.timeBase, layout.timeBase)
  }

  /// The packet's first frame; nil if it cannot be known.
  private var numberedPosition: Int64? {
    let framesPerTick = Double(file.timeBase.num) * Double(layout.sampleRateHz) / Double(file.timeBase.den)
    let time = unsafe packet.pointee.pts
    let ticks = time == ffmpeg_no_timestamp() ? -.infinity : Double(time &- (startTime ?? 0))
    // Both this packet's time and the first one's are rounded by half a tick.
    let position = unsafe layout.numbering.position(
      of: packet, roundedFrames: ticks * framesPerTick, tolerance: 1.1 * framesPerTick)
    // The numbers start over where files were concatenated; a page's time is that of one of its packets.
    guard let position, ticks.isFinite else { return position }
    let difference = Double(position - (firstNumber ?? position)) - ticks * framesPerTick
    return firstNumber == nil || abs(difference) < 2 * Double(layout.sampleRateHz) ? position : nil
  }

  /// Whether the packet after a seek gives its position. The next read returns another one.
  private mutating func isNumbered() -> Bool {
    guard case .packet = unsafe file.read(into: packet) else { return false }
    defer { unsafe av_packet_unref(packet) }
    return numberedPosition != nil
  }

  /// Whether a seek landed at the file's first packet, or at a position that the packets' times give.
  enum Landing {
    case start
    case elsewhere
  }

  /// Seeks to a packet at or before a frame.
  /// - Parameters:
  ///   - frame: for PCM, exactly the next frame to be read.
  ///   - time: the same position, in the file's time.
  /// - Throws: if the file cannot be opened again.
  mutating func seek(toFrame frame: Int64, time: Int64) throws(DecoderRefusal) -> Landing {
    unsafe av_packet_unref(packet)
    copied = 0
    readEnd = -1
    firstWanted = layout.isPCM ? frame : 0
    guard frame > 0, layout.hasExactTimes || layout.needsIndex else { return try rewind() }
    if layout.needsIndex { return try seekByIndex(time) }
    let isInFrames = layout.isPCM || layout.numbering.isKnown
    let target = isInFrames ? self.time(ofFrame: frame) : time
    guard file.seek(toTime: target) else { return try rewind() }
    if layout.numbering.isKnown {
      guard isNumbered(), file.seek(toTime: target) else { return try rewind() }
    }
    hasSeeked = true
    return .elsewhere
  }

  private mutating func seekByIndex(_ time: Int64) throws(DecoderRefusal) -> Landing {
    let landing = try goToPlace(before: time)
    switch skim(toTime: time) {
    case .isThere: return landing
    case .hasMoved: return .elsewhere
    // Now the index knows the file's last packets.
    case .hasEnded: return try goToPlace(before: time)
    }
  }

  private enum Skim {
    case isThere
    case hasMoved
    case hasEnded
  }

  /// Reads on to the packet at a time, only counting the packets before it.
  private mutating func skim(toTime time: Int64) -> Skim {
    var result = Skim.isThere
    var duration: Int64 = 0
    while nextTime &+ duration < time {
      guard case .packet = unsafe file.read(into: packet) else { return .hasEnded }
      stamp()
      duration = unsafe max(0, packet.pointee.duration)
      unsafe av_packet_unref(packet)
      result = .hasMoved
    }
    return result
  }

  /// Goes to the last known packet before a time, or to the first one.
  private mutating func goToPlace(before time: Int64) throws(DecoderRefusal) -> Landing {
    guard let place = index.place(before: time), place.packet > 0, file.seek(toByte: place.byte) else {
      return try rewind()
    }
    reading.nextPacket = UInt64(place.packet)
    nextTime = place.time
    return .elsewhere
  }

  /// Opens the file again, so that it is decoded exactly as the first time.
  mutating func rewind() throws(DecoderRefusal) -> Landing {
    file = unsafe try SoundFile(input)
    hasSeeked = false
    nextFrame = 0
    nextTime = 0
    reading.nextPacket = 0
    return .start
  }
}

/// Measures whether a stream has a constant bit rate, as far as it was read.
private struct PacketRate {
  /// MP3 and AC-3 frames may be longer by this much padding.
  private static var padding: Int32 { 2 }

  private var start: Int64 = 0
  private var firstByteCount: Int32 = 0
  private var firstDuration: Int64 = 0
  private var byteCount: Int64 = 0
  private var duration: Int64 = 0
  private var isFixed = true
  /// The last packet may be cut off, so it counts only once another one follows.
  private var pending: (byteCount: Int32, duration: Int64)?

  mutating func note(_ packet: UnsafeMutablePointer<AVPacket>) {
    if let pending {
      byteCount += Int64(pending.byteCount)
      duration += pending.duration
      let isAsFirst = abs(pending.byteCount - firstByteCount) <= Self.padding && pending.duration == firstDuration
      isFixed = isFixed && isAsFirst && pending.duration > 0
    } else {
      unsafe (start, firstByteCount, firstDuration) = (packet.pointee.pos, packet.pointee.size, packet.pointee.duration)
    }
    pending = unsafe (packet.pointee.size, packet.pointee.duration)
  }

  /// - Parameter bitsPerSecond: the codec's value; used if it agrees with the measured one, because it is exact.
  func scale(_ timeBase: AVRational, bitsPerSecond: Int64) -> LengthScale {
    guard isFixed, duration > 0, start >= 0 else { return LengthScale() }
    let measured = Double(byteCount) * Double(timeBase.den) / (Double(duration) * Double(timeBase.num))
    let told = Double(bitsPerSecond) / 8
    let perSecond = abs(told - measured) < measured / 500 ? told : measured
    return perSecond <= 1e7 ? LengthScale(.bytes, start: UInt64(start), perSecond: perSecond) : LengthScale()
  }
}
