import Board
import Media
import Rings
import Text

/// The data folder's `state` file: which number the next take gets, and which files are being written, so that the next
/// boot knows what a power cut left open.
public struct TakeLedger {
  private(set) var nextNumber: UInt64 = 1
  /// At most two: a take's last file being completed while the next one grows.
  private(set) var openPaths = InlineArray<2, FixedText<128>>(repeating: "")

  static var path: FixedText<128> { "state" }

  public init() {}

  /// Reads the ledger; a new one when there is none.
  public mutating func load(from storage: inout some Storage & ~Copyable, scratch: inout FixedBuffer) throws(DeviceFailure) {
    let byteCount: Int
    do throws(DeviceFailure) {
      var file = try storage.open(Self.path)
      var room = scratch.mutableBytes
      byteCount = try file.read(at: 0, into: &room)
    } catch {
      guard error.kind == .absent else { throw error }
      return
    }
    parse(scratch.bytes.extracting(first: byteCount))
  }

  /// Takes the next number for a new file.
  mutating func takeNumber() -> UInt64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  mutating func note(open path: FixedText<128>) {
    for index in openPaths.indices where openPaths[index].isEmpty {
      openPaths[index] = path
      return
    }
  }

  mutating func note(closed path: FixedText<128>) {
    for index in openPaths.indices where openPaths[index] == path { openPaths[index].removeAll() }
  }

  func save(to storage: inout some Storage & ~Copyable) throws(DeviceFailure) {
    var text: FixedText<384> = "next_take = \(nextNumber)\n"
    for index in openPaths.indices where !openPaths[index].isEmpty {
      text.append("open = \(openPaths[index])\n" as FixedText<160>)
    }
    try unsafe storage.replace(Self.path, with: text.bytes.bytes)
  }

  /// Lines that mean nothing are passed over: a ledger of a later version must not keep this one from recording.
  private mutating func parse(_ bytes: RawSpan) {
    var line = FixedText<160>()
    for offset in 0..<bytes.byteCount {
      // Sound: every bit pattern is a valid byte.
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      if byte == UInt8(ascii: "\n") {
        take(line)
        line.removeAll()
      } else {
        line.append(byte: byte)
      }
    }
  }

  private mutating func take(_ line: FixedText<160>) {
    if let value = line.bytes.removingPrefix("next_take = "), let number = value.parseInteger() {
      nextNumber = max(number, 1)
    } else if let value = line.bytes.removingPrefix("open = ") {
      var path = FixedText<128>()
      path.append(bytes: value)
      note(open: path)
    }
  }
}
