import Port
import Text
import Values

/// The data folder's `state` file: the number of the next take, the files that are open, so that the next boot knows
/// what a power cut left, and the chosen rotation.
public struct TakeJournal {
  private(set) var nextNumber: UInt64 = 1
  /// The growing file, one that is being completed, and two more that a failing card did not let us complete.
  private(set) var openPaths = InlineArray<4, FixedText<128>>(repeating: "")

  /// What decides the orientation of pictures.
  public internal(set) var rotation = Rotation.automatic

  static var path: FixedText<128> { "state" }

  /// Reads the journal, or starts a new one.
  public init(from storage: inout some Storage & ~Copyable) throws(DeviceFailure) {
    // A number, a rotation and four paths take at most 33 + 32 + 4 × 136 bytes.
    var bytes = InlineArray<640, UInt8>(repeating: 0)
    var byteCount = 0
    do throws(DeviceFailure) {
      var file = try storage.open(Self.path)
      var span = bytes.mutableSpan
      var buffer = unsafe span.mutableBytes
      byteCount = try file.read(at: 0, into: &buffer)
    } catch {
      guard error.kind == .absent else { throw error }
    }
    parse(bytes.span.extracting(first: byteCount))
  }

  /// Returns the number for a new file and advances it.
  mutating func reserveNumber() -> UInt64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// If all entries are in use, the last one is replaced: its file plays as it is but never gets its tables.
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

  /// Unknown lines are ignored: a journal of a later version must not keep this one from recording.
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
      // No device makes that many takes: a larger number is damage, and would overflow.
      nextNumber = min(max(number, 1), UInt64(UInt32.max))
    } else if let value = line.bytes.removingPrefix("rotation = ") {
      rotation = Rotation(name: value) ?? .automatic
    } else if let value = line.bytes.removingPrefix("open = ") {
      takeOpen(FixedText<128>(value))
    }
  }

  /// A path outside the folders of takes is damage: repair must touch nothing else.
  private mutating func takeOpen(_ path: FixedText<128>) {
    let isTake = path.bytes.removingPrefix("video/") != nil || path.bytes.removingPrefix("audio/") != nil
    if isTake, !path.isTruncated { note(open: path) }
  }
}
