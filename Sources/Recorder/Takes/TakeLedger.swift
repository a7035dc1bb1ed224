import Port
import Values
import Text

/// The data folder's `state` file: which number the next take gets, and which files are being written, so that the next
/// boot knows what a power cut left open; and which way up a person wants pictures.
public struct TakeLedger {
  private(set) var nextNumber: UInt64 = 1
  /// A file that grows, one that is being completed, and as many that a failing card did not let us complete.
  private(set) var openPaths = InlineArray<4, FixedText<128>>(repeating: "")

  /// What decides which way up pictures are.
  public internal(set) var rotation = Rotation.automatic

  static var path: FixedText<128> { "state" }

  /// Reads the ledger; a new one when there is none.
  public init(from storage: inout some Storage & ~Copyable) throws(DeviceFailure) {
    // A number, a rotation and four paths take at most 33 + 32 + 4 × 136 bytes.
    var bytes = InlineArray<640, UInt8>(repeating: 0)
    var byteCount = 0
    do throws(DeviceFailure) {
      var file = try storage.open(Self.path)
      var span = bytes.mutableSpan
      var room = unsafe span.mutableBytes
      byteCount = try file.read(at: 0, into: &room)
    } catch {
      guard error.kind == .absent else { throw error }
    }
    parse(bytes.span.extracting(first: byteCount))
  }

  /// Takes the next number for a new file.
  mutating func takeNumber() -> UInt64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// When all places are taken, the one noted last gives way: its file plays as it is, only never gets its tables.
  mutating func note(open path: FixedText<128>) {
    for index in openPaths.indices where openPaths[index].isEmpty {
      openPaths[index] = path
      return
    }
    openPaths[openPaths.count - 1] = path
  }

  mutating func note(closed path: FixedText<128>) {
    for index in openPaths.indices where openPaths[index] == path { openPaths[index].removeAll() }
  }

  func save(to storage: inout some Storage & ~Copyable) throws(DeviceFailure) {
    var text: FixedText<640> = "next_take = \(nextNumber)\n"
    if rotation != .automatic { text.append("rotation = \(rotation.name)\n" as FixedText<64>) }
    for index in openPaths.indices where !openPaths[index].isEmpty {
      text.append("open = \(openPaths[index])\n" as FixedText<160>)
    }
    try unsafe storage.replace(Self.path, with: text.bytes.bytes)
  }

  /// Lines that mean nothing are passed over: a ledger of a later version must not keep this one from recording.
  private mutating func parse(_ bytes: Span<UInt8>) {
    var line = FixedText<160>()
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\n") {
        take(line)
        line.removeAll()
      } else {
        line.append(byte: byte)
      }
    }
    take(line)
  }

  private mutating func take(_ line: FixedText<160>) {
    if let value = line.bytes.removingPrefix("next_take = "), let number = value.parseInteger() {
      // So many takes nobody makes: a larger number is damage, and would end counting for ever.
      nextNumber = min(max(number, 1), UInt64(UInt32.max))
    } else if let value = line.bytes.removingPrefix("rotation = ") {
      rotation = Rotation(name: value) ?? .automatic
    } else if let value = line.bytes.removingPrefix("open = ") {
      takeOpen(FixedText<128>(value))
    }
  }

  /// What is no take's place is damage: a repair must touch nothing else.
  private mutating func takeOpen(_ path: FixedText<128>) {
    let isTake = path.bytes.removingPrefix("video/") != nil || path.bytes.removingPrefix("audio/") != nil
    if isTake, !path.isTruncated { note(open: path) }
  }
}
