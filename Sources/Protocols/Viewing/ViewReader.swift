import Values
import Rings

/// A live view's side of ``ViewMemory``, which is in a memory to read only. Nothing in there is trusted: whatever its
/// bytes are, no byte outside is read.
public struct ViewReader: BitwiseCopyable, Sendable {
  /// What the memory holds.
  public let layout: ViewLayout
  /// The pictures, each a JPEG.
  public let pictures: PacketRingTap<PictureHeader>
  /// What is shown around them.
  public let status: ViewStatusCell

  /// - Parameter region: page-aligned; it stays mapped for as long as the reader is used.
  /// - Returns: nil when it is not the memory of a recorder of this version.
  @unsafe public init?(_ region: UnsafeRawBufferPointer) {
    guard let base = region.baseAddress, Int(bitPattern: base) % BootMemory.alignmentByteCount == 0,
      region.count >= ViewLayout.headByteCount
    else { return nil }
    var words = InlineArray<8, UInt64>(repeating: 0)
    for index in 0..<ViewLayout.wordCount {
      words[index] = unsafe region.load(fromByteOffset: index * 8, as: UInt64.self)
    }
    guard let layout = ViewLayout(words: words, regionByteCount: region.count) else { return nil }
    let ring = unsafe UnsafeRawBufferPointer(rebasing: region[layout.ringStart...])
    guard
      let pictures = unsafe PacketRingTap<PictureHeader>(
        region: ring, capacityPackets: layout.capacityPackets, capacityBytes: layout.capacityBytes)
    else { return nil }
    self.layout = layout
    self.pictures = pictures
    status = unsafe ViewStatusCell(at: base + layout.statusStart)
  }
}
