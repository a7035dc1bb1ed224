import Base
import Machine
import Media

/// The sources of ledgers for the storage worker, and the memory to build them in.
package struct LedgerIntake: ~Copyable {
  /// What happened, from the loop, in the order in which it became known.
  var notes: QueueConsumer<TakeNote>
  var texts: LedgerTexts

  package init(notes: consuming QueueConsumer<TakeNote>, texts: consuming LedgerTexts) {
    self.notes = notes
    self.texts = texts
  }
}

/// A file with sound only, as far as what follows its sound repeats from it.
struct FinishedSound: ~Escapable {
  let container: AudioContainer
  /// The first ``AudioFileDescription/headerByteCount`` bytes.
  let header: RawSpan
  let dataByteCount: UInt64

  @_lifetime(copy header)
  init(_ container: AudioContainer, header: RawSpan, dataByteCount: UInt64) {
    self.container = container
    self.header = header
    self.dataByteCount = dataByteCount
  }
}

/// The ledger of a file being completed, as text and as encoded for its container. It holds nothing from one step to
/// the next.
package struct LedgerTexts: ~Copyable {
  private var text: FixedBuffer
  private var coded: FixedBuffer
  private var codedByteCount = 0

  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory) {
    guard let text = FixedBuffer(byteCount: LedgerCoding.textByteCount, in: &memory),
      let coded = FixedBuffer(byteCount: LedgerCoding.codedByteCount, in: &memory)
    else { return nil }
    self.text = text
    self.coded = coded
  }

  /// The bytes for the file; empty if there are none.
  var closing: RawSpan {
    @_lifetime(borrow self)
    borrowing get { coded.bytes.extracting(first: codedByteCount) }
  }

  mutating func clear() { codedByteCount = 0 }

  /// A buffer for reading meanwhile.
  var bufferBytes: MutableRawSpan {
    @_lifetime(&self)
    mutating get { coded.mutableBytes }
  }

  var bufferText: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { coded.text(coded.byteCount) }
  }

  /// Builds ``closing`` from a ledger: its first line, the rate and the seal, the other lines, and a line for the seal
  /// of the rest. An unreadable ledger counts as missing.
  /// - Parameters:
  ///   - hashes: gets as many entries as the seal covers.
  ///   - head: the first line if there is no ledger; empty to build none then.
  ///   - ending: its last line, if it has none.
  ///   - sound: nil for a movie.
  ///   - movie: nil for a file with sound only.
  mutating func load(
    _ hashes: inout HashList<StoredFile>, head: FixedText<256>, ending: FixedText<96>, for sound: FinishedSound?,
    _ movie: MovieEnd? = nil
  ) {
    let seal = seal(in: &hashes)
    var byteCount = keepWholeLines(readLines(&hashes.source, around: seal))
    if text.text(byteCount).removingPrefix(Provenance.lineStart) == nil {
      byteCount = 0
      hashes.entryCount = 0
      append(head.bytes, at: &byteCount)
    }
    if byteCount > 0, !hasEnding(byteCount) { append(ending.bytes, at: &byteCount) }
    if byteCount > 0 { append(RestSeal.blankLine.bytes, at: &byteCount) }
    var movie = movie
    movie?.offset += UInt64(hashes.byteCount(in: nil))
    codedByteCount = byteCount > 0 ? Self.encode(text, byteCount, for: sound, movie, into: &coded) : 0
  }

  /// Reads the lines of a ledger into ``text``, with the seal after the first line.
  /// - Returns: size of the text; 0 if there is none.
  private mutating func readLines(
    _ file: inout StoredFile?, around seal: FixedText<512>
  ) -> Int {
    var byteCount = 0
    do throws(DeviceFailure) {
      let end = text.byteCount
      var buffer = text.mutableBytes
      var room = buffer._mutatingExtracting(seal.byteCount..<end)
      byteCount = seal.byteCount + (try file?.read(at: LedgerFile.textOffset, into: &room) ?? 0)
    } catch {}
    var headEnd = seal.byteCount
    while headEnd < byteCount, text.text(byteCount)[headEnd] != UInt8(ascii: "\n") { headEnd += 1 }
    guard headEnd < byteCount else { return 0 }
    var end = 0
    for index in seal.byteCount...headEnd {
      let byte = text.text(byteCount)[index]
      var room = text.mutableBytes
      room.storeBytes(of: byte, toByteOffset: end, as: UInt8.self)
      end += 1
    }
    append(seal.bytes, at: &end)
    return byteCount
  }

  /// - Returns: size of the result.
  private static func encode(
    _ text: borrowing FixedBuffer, _ byteCount: Int, for sound: FinishedSound?, _ movie: MovieEnd? = nil,
    upTo wholeByteCount: Int? = nil, into coded: inout FixedBuffer
  ) -> Int {
    var buffer = coded.mutableBytes
    var writer = ByteWriter(&buffer)
    if let sound {
      LedgerCoding.encodeAudio(
        text.text(byteCount), in: sound.container, header: sound.header, dataByteCount: sound.dataByteCount,
        byteCount: wholeByteCount, into: &writer)
    } else {
      LedgerCoding.encodeMovie(text.text(byteCount), movie, into: &writer)
    }
    return writer.byteCount
  }

  private mutating func append(_ line: Span<UInt8>, at end: inout Int) {
    var room = text.mutableBytes
    guard line.count <= room.byteCount - end else { return }
    for index in line.indices { room.storeBytes(of: line[index], toByteOffset: end + index, as: UInt8.self) }
    end += line.count
  }

  /// Removes trailing spaces from lines, and everything after the last complete line: a power cut may have torn it, or
  /// left zeros in its place.
  /// - Returns: the remaining size.
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

extension LedgerTexts {
  /// Rebuilds what a finished WAV repeats from its header, after the header has changed. A file that ends otherwise is
  /// left as it is.
  /// - Parameter scratch: longer than a header.
  mutating func renew(_ file: inout StoredFile, scratch: inout FixedBuffer) throws(DeviceFailure) {
    var buffer = scratch.mutableBytes
    guard let start = try listStart(in: &file, &buffer), let byteCount = try readComment(of: &file, at: start, &buffer)
    else { return }
    let headerByteCount = AudioFileDescription.headerByteCount
    var header = buffer._mutatingExtracting(first: headerByteCount)
    guard try file.read(at: 0, into: &header) == headerByteCount else { return }
    if LedgerCoding.storeTimecode(text.text(byteCount), in: &header) { try file.write(header.bytes, at: 0) }
    guard let dataByteCount = ClosingPlace.soundByteCount(front: header.bytes) else { return }
    let sound = FinishedSound(.wav, header: header.bytes, dataByteCount: dataByteCount)
    let wholeByteCount = Int(clamping: file.byteCount - start)
    codedByteCount = Self.encode(text, byteCount, for: sound, upTo: wholeByteCount, into: &coded)
    let end = HashListCoding.byteCountBeforeText(in: .wav) + byteCount
    guard codedByteCount == wholeByteCount, end < codedByteCount else { return }
    try file.write(coded.bytes.extracting(end..<codedByteCount), at: start + UInt64(end))
  }

  /// Where the list with the ledger starts, after the hashes; nil in another file.
  private func listStart(
    in file: inout StoredFile, _ scratch: inout MutableRawSpan
  ) throws(DeviceFailure) -> UInt64? {
    var front = scratch._mutatingExtracting(first: ClosingPlace.frontByteCount)
    let byteCount = try file.read(at: 0, into: &front)
    let closing = ClosingPlace.start(front: front.bytes.extracting(first: byteCount), fileByteCount: file.byteCount)
    guard let closing else { return nil }
    var head = scratch._mutatingExtracting(first: 8)
    guard try file.read(at: closing, into: &head) == 8 else { return nil }
    return LedgerCoding.listStart(in: head.bytes, at: closing)
  }

  /// Reads the ledger in a file's list into ``text``.
  /// - Returns: its size; nil if there is none.
  private mutating func readComment(
    of file: inout StoredFile, at start: UInt64, _ scratch: inout MutableRawSpan
  ) throws(DeviceFailure) -> Int? {
    let headByteCount = HashListCoding.byteCountBeforeText(in: .wav)
    var head = scratch._mutatingExtracting(first: headByteCount)
    guard try file.read(at: start, into: &head) == headByteCount,
      var byteCount = LedgerCoding.commentByteCount(head: head.bytes)
    else { return nil }
    var buffer = text.mutableBytes
    var room = buffer._mutatingExtracting(first: min(byteCount, buffer.byteCount))
    guard try file.read(at: start + UInt64(headByteCount), into: &room) == byteCount else { return nil }
    while byteCount > 0, room.bytes.byte(at: byteCount - 1) == 0 { byteCount -= 1 }
    return byteCount
  }
}

extension LedgerTexts {
  /// The newer of the two seals in a ledger's file for which all hashes are present, preceded by the rate line; empty
  /// if there is none. The list then has as many entries as the seal covers. Between two pictures of a time lapse only
  /// lines are added.
  mutating func seal(in hashes: inout HashList<StoredFile>) -> FixedText<512> {
    var newest = FixedText<512>()
    var end: UInt64 = 0
    var entryByteCount = 0
    hashes.entryCount = 0
    for slot in 0..<2 {
      let lines = read(&hashes.source, at: LedgerFile.sealOffset(slot), byteCount: LedgerFile.sealByteCount)
      guard lines.byteCount == LedgerFile.sealByteCount,
        let found = FoundSeal(line: lines.bytes.extracting(TakeTime.rateLineByteCount..<lines.byteCount - 1)),
        found.isSigned,
        found.seal.content.upperBound > end
          || found.seal.content.upperBound == end && found.seal.entryByteCount > entryByteCount,
        let count = entryCount(
          covering: found.seal.content.upperBound - found.seal.content.lowerBound, in: &hashes.source)
      else { continue }
      newest = lines
      end = found.seal.content.upperBound
      entryByteCount = found.seal.entryByteCount
      hashes.entryCount = count
    }
    return newest
  }

  private mutating func read(
    _ file: inout StoredFile?, at offset: UInt64, byteCount: Int
  ) -> FixedText<512> {
    do throws(DeviceFailure) {
      var buffer = bufferBytes
      var room = buffer._mutatingExtracting(first: byteCount)
      let readByteCount = try file?.read(at: offset, into: &room) ?? 0
      return FixedText(bufferText.extracting(first: readByteCount))
    } catch {
      return FixedText()
    }
  }

  /// How many entries of the list cover this many bytes of a take; nil if the list does not cover that many.
  private mutating func entryCount(
    covering wanted: UInt64, in file: inout StoredFile?
  ) -> Int? {
    var covered: UInt64 = 0
    var count = 0
    do throws(DeviceFailure) {
      while covered < wanted {
        var room = bufferBytes
        let offset = HashListCoding.sourceOffset + UInt64(count * FragmentHash.byteCount)
        let readCount = (try file?.read(at: offset, into: &room) ?? 0) / FragmentHash.byteCount
        guard readCount > 0 else { return nil }
        for index in 0..<readCount where covered < wanted {
          let hash = FragmentHash(bufferText.extracting(droppingFirst: index * FragmentHash.byteCount))
          guard hash.byteCount > 0 else { return nil }
          covered += UInt64(hash.byteCount)
          count += 1
        }
      }
    } catch {
      return nil
    }
    return covered == wanted ? count : nil
  }
}
