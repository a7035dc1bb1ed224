import Base
import Synchronization

/// The memory written by the recorder and read by the live views and by the server for listeners: the status, JPEG
/// pictures, and samples. If the picture ring holds JPEGs it is used itself; the sample ring always is.
///
/// Frozen, so that another module may consume its parts.
@frozen package struct ViewMemory: ~Copyable {
  /// JPEGs. The views read them without affecting the ring's producer and consumer.
  package var pictures: PacketRing<PictureHeader>
  package var samples: SampleRing
  /// The sound being played, while it is sent instead of the microphone's samples.
  package var shared: SampleRing
  /// The status shown around the picture, written by the loop.
  package let status: ViewStatusCell
  /// The artwork of the item being played, written by one thread of the recorder.
  package let artwork: ArtworkCell
  /// What people have entered about the takes, written by the loop.
  package let sheet: ViewSheetCell

  /// - Parameters:
  ///   - bytesPerFrame: of the samples, one for every channel.
  ///   - memory: used for nothing else, because a view finds everything by its offset from the start.
  /// - Returns: nil if `memory` has fewer bytes than the layout, or something has already been cut from it.
  @export(interface)
  package init?(_ layout: ViewLayout, bytesPerFrame: Int, in memory: inout BootMemory) {
    guard memory.usedByteCount == 0, let head = unsafe memory.cut(byteCount: ViewLayout.headByteCount),
      let status = ViewStatusCell(in: &memory), let artwork = ArtworkCell(in: &memory),
      let sheet = ViewSheetCell(in: &memory),
      let pictures = PacketRing<PictureHeader>(
        capacityPackets: layout.capacityPackets, capacityBytes: layout.capacityBytes, in: &memory),
      let samples = SampleRing(capacityBytes: layout.soundBytes, bytesPerFrame: bytesPerFrame, in: &memory),
      let shared = SampleRing(capacityBytes: layout.sharedBytes, bytesPerFrame: bytesPerFrame, in: &memory)
    else { return nil }
    let words = layout.words
    for index in 0..<ViewLayout.wordCount {
      unsafe head.storeBytes(of: words[index], toByteOffset: index * 8, as: UInt64.self)
    }
    self.pictures = pictures
    self.samples = samples
    self.shared = shared
    self.status = status
    self.artwork = artwork
    self.sheet = sheet
  }
}

/// A live view's side of ``ViewMemory``, read-only. The memory is not trusted: whatever it contains, nothing outside it
/// is read.
package struct ViewReader: BitwiseCopyable, Sendable {
  package let layout: ViewLayout
  package let pictures: PacketRingTap<PictureHeader>
  /// The samples, from their beginning; each reader makes its own copy.
  package let samples: SampleFollower
  /// The same for the sound being played, while the status says that it is shared.
  package let shared: SampleFollower
  package let status: ViewStatusCell
  package let artwork: ArtworkCell
  package let sheet: ViewSheetCell

  /// - Parameter region: page-aligned, and mapped for as long as the reader is used.
  /// - Returns: nil if it was not written by this version of the recorder.
  @unsafe package init?(_ region: UnsafeRawBufferPointer) {
    guard let base = region.baseAddress, Int(bitPattern: base) % BootMemory.alignmentByteCount == 0,
      region.count >= ViewLayout.headByteCount
    else { return nil }
    var words = InlineArray<10, UInt64>(repeating: 0)
    for index in 0..<ViewLayout.wordCount {
      words[index] = unsafe region.load(fromByteOffset: index * 8, as: UInt64.self)
    }
    guard let layout = ViewLayout(words: words, regionByteCount: region.count) else { return nil }
    let ring = unsafe UnsafeRawBufferPointer(rebasing: region[layout.ringStart...])
    guard
      let pictures = unsafe PacketRingTap<PictureHeader>(
        region: ring, capacityPackets: layout.capacityPackets, capacityBytes: layout.capacityBytes),
      let samples = unsafe SampleFollower(
        region: UnsafeRawBufferPointer(rebasing: region[layout.soundStart...]), capacityBytes: layout.soundBytes),
      let shared = unsafe SampleFollower(
        region: UnsafeRawBufferPointer(rebasing: region[layout.sharedStart...]), capacityBytes: layout.sharedBytes)
    else { return nil }
    self.layout = layout
    self.pictures = pictures
    self.samples = samples
    self.shared = shared
    status = unsafe ViewStatusCell(at: base + layout.statusStart)
    artwork = unsafe ArtworkCell(at: base + layout.artworkStart)
    sheet = unsafe ViewSheetCell(at: base + layout.sheetStart)
  }
}

/// The layout of the live view's memory: these numbers first, then the status on the next cache lines, the artwork, the
/// sheet, the picture ring, the sample ring, and to the end the ring of shared sound.
package struct ViewLayout: BitwiseCopyable, Equatable, Sendable {
  package var capacityPackets: Int
  /// Capacity of the ring in bytes of packets; also the limit for one packet.
  package var capacityBytes: Int
  /// The camera's width in pixels; 0 without a camera. No picture is wider.
  package var widthPixels: Int
  /// The camera's height in pixels; 0 without a camera. No picture is taller.
  package var heightPixels: Int
  package var soundBytes: Int
  /// Size of the ring of shared sound.
  package var sharedBytes: Int

  package init(
    capacityPackets: Int, capacityBytes: Int, widthPixels: Int, heightPixels: Int, soundBytes: Int, sharedBytes: Int
  ) {
    self.capacityPackets = capacityPackets
    self.capacityBytes = capacityBytes
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
    self.soundBytes = soundBytes
    self.sharedBytes = sharedBytes
  }

  package var byteCount: Int { sharedStart + SampleRing.byteCount(capacityBytes: sharedBytes) }
  var sharedStart: Int { soundStart + SampleRing.byteCount(capacityBytes: soundBytes) }
  var statusStart: Int { Self.headByteCount }
  var artworkStart: Int { statusStart + ViewStatusCell.byteCount }
  var sheetStart: Int { artworkStart + ArtworkCell.byteCount }
  var ringStart: Int { sheetStart + ViewSheetCell.byteCount }

  var soundStart: Int {
    ringStart + PacketRing<PictureHeader>.byteCount(capacityPackets: capacityPackets, capacityBytes: capacityBytes)
  }

  static var headByteCount: Int { BootMemory.footprint(byteCount: wordCount * 8) }

  /// 64-bit words of the layout in shared memory.
  static var wordCount: Int { 10 }

  /// "fcview" and the version, incremented with every change of the shared data, including the rings.
  private static var magic: UInt64 { 0x6663_7669_6577_0005 }

  var words: InlineArray<10, UInt64> {
    [
      Self.magic, UInt64(byteCount), UInt64(statusStart), UInt64(ringStart), UInt64(capacityPackets),
      UInt64(capacityBytes), UInt64(widthPixels), UInt64(heightPixels), UInt64(soundBytes),
      UInt64(sharedBytes),
    ]
  }

  /// - Parameter regionByteCount: size of the memory that begins with the words.
  /// - Returns: nil if the words are of another version, or describe memory of another size.
  init?(words: InlineArray<10, UInt64>, regionByteCount: Int) {
    guard words[0] == Self.magic, words[1] <= UInt64(regionByteCount),
      // The sum of numbers within these limits cannot overflow.
      words[4] > 0, words[4] <= UInt64(regionByteCount) / 8, words[5] <= UInt64(regionByteCount),
      words[6] <= UInt64(UInt16.max), words[7] <= UInt64(UInt16.max), words[8] <= UInt64(regionByteCount),
      words[9] <= UInt64(regionByteCount)
    else { return nil }
    self.init(
      capacityPackets: Int(words[4]), capacityBytes: Int(words[5]), widthPixels: Int(words[6]),
      heightPixels: Int(words[7]), soundBytes: Int(words[8]), sharedBytes: Int(words[9]))
    // A program with other packet or status sizes computes other offsets.
    guard words[1] == UInt64(byteCount), words[2] == UInt64(statusStart), words[3] == UInt64(ringStart) else {
      return nil
    }
  }
}

/// The loop's latest ``ViewStatus``, for readers in this process or another: a sequence lock. The writer never waits; a
/// reader that meets a write in progress retries.
///
/// The words are atomic, so that reading them during a write is defined behaviour. The fences are those of H.-J. Boehm,
/// "Can seqlocks get along with programming language memory models?" (MSPC 2012).
@safe package struct ViewStatusCell: BitwiseCopyable, @unchecked Sendable {
  // Safe: points only at atomics, in memory that stays mapped for as long as the cell is used. Word 0 counts the starts
  // and ends of writes; the others are the status.
  private let words: UnsafePointer<Atomic<UInt64>>

  private static var wordCount: Int { 1 + ViewStatus.wordCount }
  static var byteCount: Int { BootMemory.footprint(byteCount: wordCount * 8) }

  /// - Returns: nil if less than ``byteCount`` of `memory` is left.
  init?(in memory: inout BootMemory) {
    guard let piece = unsafe memory.cut(byteCount: Self.wordCount * 8) else { return nil }
    let bound = unsafe piece.bindMemory(to: Atomic<UInt64>.self)
    for index in 0..<Self.wordCount { unsafe (bound.baseAddress! + index).initialize(to: Atomic(0)) }
    unsafe words = UnsafePointer(bound.baseAddress!)
    publish(ViewStatus())
  }

  /// - Parameter memory: 8-byte aligned, at least ``byteCount`` bytes, mapped for as long as the cell is used.
  init(at memory: UnsafeRawPointer) {
    unsafe words = memory.assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// Replaces the status. For the loop only.
  package func publish(_ status: ViewStatus) {
    let count = unsafe words[0].load(ordering: .relaxed)
    unsafe words[0].store(count &+ 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    let content = status.words
    for index in 0..<ViewStatus.wordCount { unsafe words[1 + index].store(content[index], ordering: .relaxed) }
    unsafe words[0].store(count &+ 2, ordering: .releasing)
  }

  /// The latest status; nil if a write is still in progress after eight attempts, for example because the writer was
  /// stopped during it.
  @export(interface)
  package func read() -> ViewStatus? {
    for _ in 0..<8 {
      if let status = readOnce() { return status }
    }
    return nil
  }

  private func readOnce() -> ViewStatus? {
    let count = unsafe words[0].load(ordering: .acquiring)
    guard count % 2 == 0 else { return nil }
    var content = ViewStatus.Words(repeating: 0)
    for index in 0..<ViewStatus.wordCount { content[index] = unsafe words[1 + index].load(ordering: .relaxed) }
    atomicMemoryFence(ordering: .acquiring)
    guard unsafe words[0].load(ordering: .relaxed) == count else { return nil }
    return ViewStatus(words: content)
  }
}

/// What people have entered about the takes, as lines of text, for readers in another process: ``SharedBytes`` whose head
/// is their number.
package struct ViewSheetCell: BitwiseCopyable, Sendable {
  package typealias Content = FixedText<2048>

  private let shared: SharedBytes

  static var byteCount: Int { SharedBytes.byteCount(capacity: Content.capacity) }

  /// - Returns: nil if less than ``byteCount`` of `memory` is left.
  init?(in memory: inout BootMemory) {
    guard let shared = SharedBytes(capacity: Content.capacity, in: &memory) else { return nil }
    self.shared = shared
  }

  /// - Parameter memory: 8-byte aligned, at least ``byteCount`` bytes, mapped for as long as the cell is used.
  init(at memory: UnsafeRawPointer) { shared = unsafe SharedBytes(at: memory) }

  /// Replaces the text. For the loop only.
  package func publish(_ text: Content) {
    unsafe shared.publish(text.bytes.bytes, head: UInt64(text.byteCount))
  }

  /// The text, which may be anything if the writer is not trusted; nil during a write.
  @export(interface)
  package func read() -> Content? {
    guard let (head, version) = shared.begin() else { return nil }
    let byteCount = Int(min(head, UInt64(Content.capacity)))
    var bytes = InlineArray<2048, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    var buffer = unsafe span.mutableBytes
    guard shared.copy(byteCount, into: &buffer, of: version) else { return nil }
    return Content(bytes.span.extracting(first: byteCount))
  }
}

/// The command line of `fieldcorder-view`, written by the recorder and read by the program.
package struct ViewArguments: Equatable, Sendable {
  /// The arguments, as in a help text.
  package static var usage: StaticString { "DEVICE fit|fill WIDTH HEIGHT built-in|standing [FONT]" }

  /// The range of a JPEG's width and height; 0 without a camera.
  private static var sidePixels: ClosedRange<Int> { 0...65_500 }

  /// The display's device file, such as `/dev/dri/card0`.
  package var display: FixedText<64>
  package var framing: Framing
  /// The largest picture size; both sides are 0 without a camera.
  package var largestPicture: PixelSize
  package var mounting: Mounting
  /// A font file whose glyphs take precedence over the built-in ones; nil for none.
  package var font: FixedText<64>?

  package init(
    display: FixedText<64>, framing: Framing, largestPicture: PixelSize, mounting: Mounting, font: FixedText<64>? = nil
  ) {
    self.display = display
    self.framing = framing
    self.largestPicture = largestPicture
    self.mounting = mounting
    self.font = font
  }

  /// Reads the arguments.
  /// - Parameter next: returns the next argument; nil after the last one.
  /// - Returns: nil if they do not match ``usage``.
  package init?(readingFrom next: () -> FixedText<64>?) {
    guard let display = next(), let framing: Framing = Self.choice(next()), let width = Self.side(next()),
      let height = Self.side(next()), let mounting: Mounting = Self.choice(next())
    else { return nil }
    let font = next()
    guard font == nil || next() == nil else { return nil }
    self.init(
      display: display, framing: framing, largestPicture: PixelSize(width: width, height: height), mounting: mounting,
      font: font)
  }

  package func write(_ append: (FixedText<64>) -> Void) {
    append(display)
    append("\(framing.name)")
    append("\(largestPicture.width)")
    append("\(largestPicture.height)")
    append("\(mounting.name)")
    if let font { append(font) }
  }

  private static func choice<Value: Choice>(_ word: FixedText<64>?) -> Value? {
    guard let word else { return nil }
    return Value(name: word.bytes)
  }

  private static func side(_ word: FixedText<64>?) -> Int? {
    guard let word, let side = word.bytes.parseInteger(as: Int.self), sidePixels.contains(side) else { return nil }
    return side
  }
}
