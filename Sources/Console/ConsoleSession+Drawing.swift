import Base
import Machine

/// Pictures, which go out unchanged and with nothing between their bytes.
extension ConsoleSession {
  /// How much of a picture a serial line is given ahead of time: half a second at 9600 baud, and more than it sends in
  /// a tick of 5 ms at 921,600. Bytes given to the line cannot be taken back when a key ends the picture.
  private static let drawnAheadByteCount = 512

  /// Whether a picture is being drawn.
  var isDrawing: Bool { drawnByteCount != nil }

  /// How much of a picture the line may be given now.
  func drawingSpace(on line: borrowing some ConsoleLineDriver & ~Copyable) -> Int {
    guard let unsent = line.unsentByteCount else { return .max }
    return max(Self.drawnAheadByteCount - unsent, 0)
  }

  /// Sends a part of a picture unchanged. Until ``endDrawing()`` nothing else is printed.
  /// - Returns: how many bytes were taken; the rest must be sent at a later tick.
  package mutating func draw(_ bytes: Span<UInt8>) -> Int {
    let count = output.appendPart(of: bytes, keepingFree: Self.lastLineReserveByteCount)
    drawnByteCount = (drawnByteCount ?? 0) + count
    return count
  }

  /// Sends a few bytes before, after or between pictures, for which there is always space.
  package mutating func draw(_ text: StaticString) {
    let isTaken = output.append(text.utf8Bytes, keepingFree: 0)
    drawnByteCount = (drawnByteCount ?? 0) + (isTaken ? text.utf8CodeUnitCount : 0)
  }

  /// Whether the line has taken all of the picture.
  package var hasSentDrawing: Bool { output.isEmpty }

  /// Drops the part of the picture that the line has not taken, and ends a colour or sixels that it breaks off in.
  package mutating func breakOffDrawing() {
    output.removeLast(drawnByteCount ?? 0)
    drawnByteCount = 0
    draw(looks.isDumb ? "\n" : "\u{1B}\\\u{1B}[0m")
  }

  /// Ends the picture: prints the events that came meanwhile.
  package mutating func endDrawing() {
    drawnByteCount = nil
    reportEvents()
  }
}
