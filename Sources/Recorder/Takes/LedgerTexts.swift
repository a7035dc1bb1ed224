import Formats
import Rings
import Text
import Values

/// What the storage worker makes ledgers of, and where it makes them.
public struct LedgerIntake: ~Copyable {
  /// What happened, from the loop, in the order in which it became known.
  var notes: QueueConsumer<TakeNote>
  var texts: LedgerTexts

  /// Takes both.
  public init(notes: consuming QueueConsumer<TakeNote>, texts: consuming LedgerTexts) {
    self.notes = notes
    self.texts = texts
  }
}

/// The ledger of a file that is being completed, as text and as its container has it. Nothing in it is kept between
/// steps.
public struct LedgerTexts: ~Copyable {
  private var text: FixedBuffer
  private var coded: FixedBuffer
  private var codedByteCount = 0

  /// - Returns: nil when `memory` is used up.
  public init?(in memory: inout BootMemory) {
    guard let text = FixedBuffer(byteCount: LedgerCoding.textByteCount, in: &memory),
      let coded = FixedBuffer(byteCount: LedgerCoding.codedByteCount, in: &memory)
    else { return nil }
    self.text = text
    self.coded = coded
  }

  /// What goes into the file; empty for nothing.
  var closing: RawSpan {
    @_lifetime(borrow self)
    borrowing get { coded.bytes.extracting(first: codedByteCount) }
  }

  mutating func clear() { codedByteCount = 0 }

  /// Makes ``closing`` of a ledger. One that cannot be read is none.
  /// - Parameters:
  ///   - file: nil if there is none.
  ///   - head: the first line of a ledger if there is no other; empty for no ledger then.
  ///   - ending: its last line, if it has none.
  ///   - container: nil for a movie.
  mutating func load<File: MediaFile & ~Copyable>(
    _ file: inout File?, head: FixedText<256>, ending: FixedText<96>, for container: AudioContainer?
  ) {
    var byteCount = 0
    do throws(File.Failure) {
      var room = text.mutableBytes
      byteCount = try file?.read(at: 0, into: &room) ?? 0
    } catch {}
    byteCount = keepWholeLines(byteCount)
    if text.text(byteCount).removingPrefix(Provenance.lineStart) == nil {
      byteCount = 0
      append(head.bytes, at: &byteCount)
    }
    if byteCount > 0, !hasEnding(byteCount) { append(ending.bytes, at: &byteCount) }
    codedByteCount = byteCount > 0 ? Self.encode(text, byteCount, for: container, into: &coded) : 0
  }

  /// - Returns: bytes of what was made.
  private static func encode(
    _ text: borrowing FixedBuffer, _ byteCount: Int, for container: AudioContainer?, into coded: inout FixedBuffer
  ) -> Int {
    var buffer = coded.mutableBytes
    var writer = ByteWriter(&buffer)
    if let container {
      LedgerCoding.encodeAudio(text.text(byteCount), in: container, into: &writer)
    } else {
      LedgerCoding.encodeMovie(text.text(byteCount), into: &writer)
    }
    return writer.byteCount
  }

  private mutating func append(_ line: Span<UInt8>, at end: inout Int) {
    var room = text.mutableBytes
    guard line.count <= room.byteCount - end else { return }
    for index in line.indices { room.storeBytes(of: line[index], toByteOffset: end + index, as: UInt8.self) }
    end += line.count
  }

  /// Removes spaces at the ends of lines, and what follows the last whole line: a power cut may have torn it, or left
  /// zeros in its place.
  /// - Returns: the bytes that are left.
  private mutating func keepWholeLines(_ byteCount: Int) -> Int {
    var kept = 0
    var end = 0
    for index in 0..<byteCount {
      let byte = text.text(byteCount)[index]
      guard byte != 0 else { break }
      if byte == UInt8(ascii: "\n") {
        while end > kept, text.text(byteCount)[end - 1] == UInt8(ascii: " ") { end -= 1 }
      }
      var room = text.mutableBytes
      room.storeBytes(of: byte, toByteOffset: end, as: UInt8.self)
      end += 1
      if byte == UInt8(ascii: "\n") { kept = end }
    }
    return kept
  }

  private func hasEnding(_ byteCount: Int) -> Bool {
    var start = byteCount - 1
    while start > 0, text.text(byteCount)[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    return text.text(byteCount).extracting(droppingFirst: start).removingPrefix(TakeEnding.lineStart) != nil
  }
}
