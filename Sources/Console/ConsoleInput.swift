import Base
import Machine

/// Input that waits until the previous command is done.
struct InputBuffer {
  private var storage = InlineArray<512, UInt8>(repeating: 0)
  private var start = 0
  private var end = 0
  /// Whether no more input can come.
  private(set) var hasEnded = false

  var isEmpty: Bool { start == end }

  /// Whether nothing can be read before something is taken.
  var isFull: Bool { end == storage.count && !isEmpty }

  /// Reads from `line`, as far as there is space.
  /// - Returns: whether anything came.
  mutating func refill(from line: inout some ConsoleLineDriver & ~Copyable) -> Bool {
    if isEmpty {
      start = 0
      end = 0
    }
    guard end < storage.count, !hasEnded else { return false }
    var bytes = storage.mutableSpan
    var rest = bytes._mutatingExtracting(droppingFirst: end)
    // Safe: any byte makes a valid UInt8.
    var room = unsafe rest.mutableBytes
    guard let byteCount = line.read(into: &room) else {
      hasEnded = true
      return false
    }
    end += byteCount
    return byteCount > 0
  }

  mutating func next() -> UInt8? {
    guard start < end else { return nil }
    defer { start += 1 }
    return storage[start]
  }

  func contains(_ byte: UInt8) -> Bool {
    for index in start..<end where storage[index] == byte { return true }
    return false
  }

  mutating func removeAll() { start = end }

  /// Appends `text` to the input, as far as there is space.
  mutating func append(_ text: StaticString) {
    let bytes = text.utf8Bytes
    for index in bytes.indices where end < storage.count {
      storage[end] = bytes[index]
      end += 1
    }
  }

  /// Removes a terminal's answer to the request for its primary device attributes: `ESC [ ? 62 ; 4 … c`, where 4 is
  /// sixel graphics (DEC STD 070, chapter 4).
  /// - Returns: whether 4 is among them; nil until the whole answer has come.
  mutating func takeDeviceAttributes() -> Bool? {
    var first = start
    while first + 3 <= end, !isDeviceAttributes(at: first) { first += 1 }
    guard first + 3 <= end else { return nil }
    var number = 0
    var hasSixels = false
    for index in first + 3..<end {
      switch storage[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        number = min(number * 10 + Int(storage[index] - UInt8(ascii: "0")), 1_000)
      case UInt8(ascii: ";"):
        if number == 4 { hasSixels = true }
        number = 0
      default:
        remove(first...index)
        return hasSixels || number == 4
      }
    }
    return nil
  }

  private func isDeviceAttributes(at index: Int) -> Bool {
    storage[index] == 0x1B && storage[index + 1] == UInt8(ascii: "[") && storage[index + 2] == UInt8(ascii: "?")
  }

  private mutating func remove(_ range: ClosedRange<Int>) {
    for index in range.upperBound + 1..<max(end, range.upperBound + 1) {
      storage[index - range.count] = storage[index]
    }
    end -= range.count
  }
}

/// Splits the bytes of a pipe or a file into lines.
struct LineReader {
  private var line = TypedLine()
  private var utf8 = UTF8Decoder()
  private var isAfterReturn = false

  /// - Returns: the line that `byte` completes: LF, CR and CR LF end one.
  mutating func next(_ byte: UInt8) -> LineEvent? {
    guard let scalar = utf8.next(byte) else { return nil }
    let followsReturn = isAfterReturn
    isAfterReturn = scalar == "\r"
    switch scalar {
    case "\n" where followsReturn:
      return nil
    case "\n", "\r":
      return end()
    // Editors of other systems put a byte order mark before the first line.
    case "\u{FEFF}" where line.isEmpty:
      return nil
    case "\t", "\u{20}"...:
      line.append(scalar: scalar)
    default:
      line.append(scalar: UTF8Decoder.replacement)
    }
    return nil
  }

  /// The rest of the input, if its last line has no line end.
  mutating func finish() -> LineEvent? {
    line.isEmpty ? nil : end()
  }

  private mutating func end() -> LineEvent {
    let isTooLong = line.isTruncated
    let event = isTooLong ? LineEvent.tooLong : .line(line)
    line.removeAll()
    return event
  }
}

/// A complete line, or another input that is handled like one.
enum LineEvent: Equatable {
  case line(TypedLine)
  case tooLong
  case endOfInput
}

/// A typed line. A path of 256 bytes fits into it together with its command.
typealias TypedLine = FixedText<512>
