import Port

/// What lies behind a ``MemoryStorage``, for a test to look at and to break.
public final class MemoryDisk {
  /// All that the disk holds.
  public internal(set) var image: DiskImage
  /// All that was changed, in order.
  public private(set) var operations: [DiskOperation] = []
  /// How often the disk was asked for anything.
  public private(set) var callCount = 0
  /// How much fits; what does not fit of a write is left off.
  public var capacityByteCount = Int.max
  /// What the card says to have left; nil for the truth.
  public var toldFreeByteCount: UInt64?
  /// Which calls fail with an error of the card, by their number.
  public var failingCalls = 0..<0
  /// Called before each call is served: a stall is what happens meanwhile.
  public var beforeCall: () -> Void = {}

  /// A disk with what `image` holds.
  public init(_ image: DiskImage = DiskImage()) { self.image = image }

  func perform(_ operation: DiskOperation) {
    image.apply(operation)
    operations.append(operation)
  }

  /// Counts a call.
  /// - Throws: when it is one of those that fail.
  func serveCall(_ subject: String) throws(DeviceFailure) {
    beforeCall()
    callCount += 1
    if failingCalls.contains(callCount) { throw Self.failure(.failed, subject) }
  }

  static func failure(_ kind: DeviceFailure.Kind, _ subject: String) -> DeviceFailure {
    DeviceFailure(
      device: .storage, kind: kind, subject: .init(subject), problem: "is what a test breaks", remedy: "mend it")
  }
}
