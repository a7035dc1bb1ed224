import Base

/// The memory written by the recorder and read by the live views and by what serves listeners: the status, pictures in
/// JPEG, and samples. The pictures are the picture ring itself where that holds JPEGs; the samples always are.
///
/// Frozen, so that another module may take it apart.
@frozen package struct ViewMemory: ~Copyable {
  /// JPEGs. The views read them without the ring's producer and consumer noticing.
  package var pictures: PacketRing<PictureHeader>
  /// What the microphone delivers.
  package var samples: SampleRing
  /// The status shown around the picture, from the loop.
  package let status: ViewStatusCell
  /// The artwork of what is played, from one thread of the recorder.
  package let artwork: ArtworkCell

  /// - Parameters:
  ///   - bytesPerFrame: of the samples, one of every channel.
  ///   - memory: used for nothing else, because a view finds everything by its offset from the start.
  /// - Returns: nil when `memory` has fewer bytes than the layout, or something has already been cut from it.
  package init?(_ layout: ViewLayout, bytesPerFrame: Int, in memory: inout BootMemory) {
    guard memory.usedByteCount == 0, let head = unsafe memory.cut(byteCount: ViewLayout.headByteCount),
      let status = ViewStatusCell(in: &memory), let artwork = ArtworkCell(in: &memory),
      let pictures = PacketRing<PictureHeader>(
        capacityPackets: layout.capacityPackets, capacityBytes: layout.capacityBytes, in: &memory),
      let samples = SampleRing(capacityBytes: layout.soundBytes, bytesPerFrame: bytesPerFrame, in: &memory)
    else { return nil }
    let words = layout.words
    for index in 0..<ViewLayout.wordCount {
      unsafe head.storeBytes(of: words[index], toByteOffset: index * 8, as: UInt64.self)
    }
    self.pictures = pictures
    self.samples = samples
    self.status = status
    self.artwork = artwork
  }
}

/// A live view's side of ``ViewMemory``, read-only. The memory is not trusted: whatever its bytes are, nothing outside
/// it is read.
package struct ViewReader: BitwiseCopyable, Sendable {
  /// The layout claimed by the memory, checked.
  package let layout: ViewLayout
  /// The pictures, each a JPEG.
  package let pictures: PacketRingTap<PictureHeader>
  /// The samples, from their beginning: to be copied by whoever follows them.
  package let samples: SampleFollower
  /// The status shown around them.
  package let status: ViewStatusCell
  /// The artwork of what is played.
  package let artwork: ArtworkCell

  /// - Parameter region: page-aligned, mapped for as long as the reader is used.
  /// - Returns: nil when it was not written by this version of the recorder.
  @unsafe package init?(_ region: UnsafeRawBufferPointer) {
    guard let base = region.baseAddress, Int(bitPattern: base) % BootMemory.alignmentByteCount == 0,
      region.count >= ViewLayout.headByteCount
    else { return nil }
    var words = InlineArray<9, UInt64>(repeating: 0)
    for index in 0..<ViewLayout.wordCount {
      words[index] = unsafe region.load(fromByteOffset: index * 8, as: UInt64.self)
    }
    guard let layout = ViewLayout(words: words, regionByteCount: region.count) else { return nil }
    let ring = unsafe UnsafeRawBufferPointer(rebasing: region[layout.ringStart...])
    guard
      let pictures = unsafe PacketRingTap<PictureHeader>(
        region: ring, capacityPackets: layout.capacityPackets, capacityBytes: layout.capacityBytes),
      let samples = unsafe SampleFollower(
        region: UnsafeRawBufferPointer(rebasing: region[layout.soundStart...]), capacityBytes: layout.soundBytes)
    else { return nil }
    self.layout = layout
    self.pictures = pictures
    self.samples = samples
    status = unsafe ViewStatusCell(at: base + layout.statusStart)
    artwork = unsafe ArtworkCell(at: base + layout.artworkStart)
  }
}
