import Values
import Rings

/// The memory that the recorder writes and the live views read: the status, and pictures, which are the frame ring
/// itself where that holds JPEGs.
///
/// Frozen, so that another module may take it apart.
@frozen public struct ViewMemory: ~Copyable {
  /// JPEGs; whoever has its ends cannot tell that it is looked into.
  public var pictures: PacketRing<PictureHeader>
  /// Where the loop leaves what is shown around the picture.
  public let status: ViewStatusCell

  /// - Parameter memory: of this alone: a view finds everything by its distance from the beginning.
  /// - Returns: nil when `memory` has not the layout's bytes, or something was cut from it before.
  public init?(_ layout: ViewLayout, in memory: inout BootMemory) {
    guard memory.usedByteCount == 0, let head = unsafe memory.cut(byteCount: ViewLayout.headByteCount),
      let status = ViewStatusCell(in: &memory),
      let pictures = PacketRing<PictureHeader>(
        capacityPackets: layout.capacityPackets, capacityBytes: layout.capacityBytes, in: &memory)
    else { return nil }
    let words = layout.words
    for index in 0..<ViewLayout.wordCount {
      unsafe head.storeBytes(of: words[index], toByteOffset: index * 8, as: UInt64.self)
    }
    self.pictures = pictures
    self.status = status
  }
}
