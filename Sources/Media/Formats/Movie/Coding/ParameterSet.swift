/// A sequence or picture parameter set of H.264 as it lies in the stream, its first byte included.
public struct ParameterSet: BitwiseCopyable, Equatable, Sendable {
  /// The largest that is taken: hardware encoders send 10 to 40 bytes; 224 are lists of scaling factors for every size.
  public static var maximumByteCount: Int { 256 }

  private var storage = InlineArray<256, UInt8>(repeating: 0)
  /// Bytes that it has.
  private(set) var byteCount = 0

  /// - Returns: nil when it is larger than ``maximumByteCount``.
  init?(_ bytes: RawSpan) {
    guard bytes.byteCount <= Self.maximumByteCount else { return nil }
    byteCount = bytes.byteCount
    for index in 0..<byteCount { storage[index] = bytes.byte(at: index) }
  }

  /// A set without a byte, which none that came is equal to.
  init() {}

  /// The byte at `index`; 0 behind the end.
  subscript(index: Int) -> UInt8 { index < byteCount ? storage[index] : 0 }

  /// Whether the set consists of just these bytes.
  func equals(_ bytes: RawSpan) -> Bool {
    guard bytes.byteCount == byteCount else { return false }
    for index in 0..<byteCount where bytes.byte(at: index) != storage[index] { return false }
    return true
  }

  /// Whether both consist of the same bytes.
  public static func == (left: ParameterSet, right: ParameterSet) -> Bool {
    guard left.byteCount == right.byteCount else { return false }
    for index in 0..<left.byteCount where left.storage[index] != right.storage[index] { return false }
    return true
  }
}
