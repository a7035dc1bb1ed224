import Rings
import Text

/// What is sent to a terminal to draw one picture: bytes in a fixed room, all of them or, when it is too small, none
/// that are of use.
@safe public struct DrawingText: ~Copyable {
  // Sound: a piece of boot memory, written here alone, and by the agreement of ``DrawingPage`` never while it is read.
  private let room: UnsafeMutableRawBufferPointer
  /// Bytes there are.
  public private(set) var byteCount = 0
  /// Whether something did not fit.
  public private(set) var isOverfull = false

  /// Empty.
  /// - Returns: nil when `memory` has not `byteCount` bytes left.
  public init?(byteCount: Int, in memory: inout BootMemory) {
    guard let room = unsafe memory.cut(byteCount: byteCount) else { return nil }
    unsafe self.room = room
  }

  /// The same bytes for the thread that sends them.
  public var page: DrawingPage { unsafe DrawingPage(UnsafeRawBufferPointer(room)) }

  mutating func removeAll() {
    byteCount = 0
    isOverfull = false
  }

  mutating func append(_ byte: UInt8) {
    guard unsafe byteCount < room.count else {
      isOverfull = true
      return
    }
    unsafe room[byteCount] = byte
    byteCount += 1
  }

  mutating func append(_ text: StaticString) {
    let bytes = text.utf8Bytes
    for index in bytes.indices { append(bytes[index]) }
  }

  mutating func append(decimal number: Int) {
    if number >= 10 { append(decimal: number / 10) }
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
