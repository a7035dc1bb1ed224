/// The one region of memory that everything of variable size is cut from at boot; afterwards nothing is.
///
/// Whoever maps and locks the region hands it over once and keeps it mapped for the life of the process, which is
/// what makes every piece cut from it sound to keep.
@safe public struct BootMemory: ~Copyable {
  private let region: UnsafeMutableRawBufferPointer
  /// Bytes that are cut off already, each piece rounded up to whole cache lines.
  public private(set) var usedByteCount = 0

  /// - Parameter region: zeroed, page-aligned, never unmapped.
  public init(region: UnsafeMutableRawBufferPointer) {
    unsafe self.region = region
  }

  /// Bytes of the whole region.
  public var capacityByteCount: Int { unsafe region.count }

  /// Pieces start on a cache line of their own, so that two threads never share one by accident.
  public static var alignmentByteCount: Int { 64 }

  /// What a piece of `byteCount` bytes uses of the region.
  public static func footprint(byteCount: Int) -> Int {
    (byteCount + alignmentByteCount - 1) / alignmentByteCount * alignmentByteCount
  }

  /// Cuts the next piece; nil when the region has not that much left.
  public mutating func cut(byteCount: Int) -> UnsafeMutableRawBufferPointer? {
    let footprint = Self.footprint(byteCount: byteCount)
    guard byteCount >= 0, footprint <= capacityByteCount - usedByteCount else { return nil }
    let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: region[usedByteCount..<usedByteCount + byteCount])
    usedByteCount += footprint
    return unsafe piece
  }

  /// Cuts room for one value and moves it there, for the life of the process.
  public mutating func place<Value: ~Copyable>(_ value: consuming Value) -> UnsafeMutablePointer<Value>? {
    guard let piece = unsafe cut(byteCount: MemoryLayout<Value>.stride) else { return nil }
    let pointer = unsafe piece.baseAddress!.bindMemory(to: Value.self, capacity: 1)
    unsafe pointer.initialize(to: value)
    return unsafe pointer
  }
}
