import Base
import Machine
import Media
import Record

/// What people add to a take that is complete. Its file is sealed and is not changed any more, so this is in a file of
/// its own: `verdict: circled`, `note: ` and the notes, a line each.
struct KeptRemarks: BitwiseCopyable {
  /// Nil if the take has what its own ledger says.
  var verdict: TakeVerdict?
  var remarks = TakeRemarks()

  /// - Parameter bytes: the file; lines that are not understood are ignored.
  init(_ bytes: Span<UInt8>) {
    var (verdict, remarks) = (TakeVerdict?.none, TakeRemarks())
    bytes.forEachLine { line in
      if let name = line.removingPrefix(TakeVerdict.key) { verdict = TakeVerdict(name: name) ?? verdict }
      if let text = line.removingPrefix(LedgerFacts.remarkKey) { remarks = TakeRemarks(text) }
    }
    self.verdict = verdict
    self.remarks = remarks
  }

  /// At most 20 + 263 bytes.
  fileprivate var text: FixedText<320> {
    var text = FixedText<320>()
    if let verdict { text.append("\(TakeVerdict.key)\(verdict.name)\n" as FixedText<32>) }
    if !remarks.isEmpty { text.append("\(LedgerFacts.remarkKey)\(remarks)\n" as FixedText<320>) }
    return text
  }
}

extension TakeKeeper {
  /// What people have added to a take.
  mutating func remarks(of number: UInt32) throws(DeviceFailure) -> KeptRemarks {
    var bytes = InlineArray<512, UInt8>(repeating: 0)
    do throws(DeviceFailure) {
      let byteCount = try folders.readIfThere(EnteredText.remarks.path(ofTake: number), into: &bytes)
      return KeptRemarks(bytes.span.extracting(first: byteCount))
    } catch {
      // A folder in place of the file, or a file in place of its folder, holds none, and is renamed by what adds one.
      guard error.kind == .unsupported else { throw error }
      return KeptRemarks(bytes.span.extracting(first: 0))
    }
  }

  /// Adds a verdict.
  /// - Parameter verdict: nil calls the take false, or takes that back.
  mutating func judge(
    _ take: TakeFilePath, _ verdict: TakeVerdict?, at path: FixedText<128>
  ) throws(KeeperRefusal) -> TakeResult {
    try onCard { () throws(DeviceFailure) in
      var kept = try remarks(of: take.number)
      var wanted = verdict ?? .falseTake
      if verdict == nil,
        try record(of: FoundTake(number: take.number, path: FixedText(path.bytes)))?.verdict == .falseTake
      {
        wanted = .neither
      }
      kept.verdict = wanted
      try keep(kept, ofTake: take.number)
      return .judged(wanted)
    }
  }

  /// Adds a note, if all notes of the take fit, with those of the file.
  /// - Parameter remark: empty to remove those that were added.
  mutating func note(
    _ take: TakeFilePath, _ remark: TakeRemark, at path: FixedText<128>
  ) throws(KeeperRefusal) -> TakeResult {
    let found = FoundTake(number: take.number, path: FixedText(path.bytes))
    var (kept, all) = try onCard { () throws(DeviceFailure) in
      let kept = try remarks(of: take.number)
      return (kept, try record(of: found)?.remarks ?? kept.remarks)
    }
    if !remark.isEmpty { all.add(remark: remark.bytes) }
    guard !all.isTruncated else { throw .noRoomForNote }
    kept.remarks.add(remark: remark.bytes)
    try onCard { () throws(DeviceFailure) in try keep(kept, ofTake: take.number) }
    return .noted(kept.remarks)
  }

  private mutating func keep(_ kept: KeptRemarks, ofTake number: UInt32) throws(DeviceFailure) {
    let text = kept.text
    try keep(text.bytes, at: EnteredText.remarks.path(ofTake: number))
  }
}

/// The user's name for a take, as its file has it: one line.
package struct KeptName: BitwiseCopyable, Sendable {
  /// What can be read of it; empty if the take has none.
  package private(set) var text = FixedText<64>()
  /// Whether the file has something else than one line of text.
  package private(set) var isDamaged = false

  init(isDamaged: Bool = false) { self.isDamaged = isDamaged }

  /// - Parameter bytes: the file, or at least 66 bytes of it.
  init(_ bytes: Span<UInt8>) {
    var decoder = UTF8Decoder()
    var start = 0
    var isEnded = false
    for index in bytes.indices where !isEnded {
      let byte = bytes[index]
      if decoder.isInsideCharacter, !byte.isUTF8Continuation { isDamaged = true }
      if !decoder.isInsideCharacter || !byte.isUTF8Continuation { start = index }
      guard let scalar = decoder.next(byte) else { continue }
      isEnded = byte == UInt8(ascii: "\n")
      if isEnded, index < bytes.count - 1 { isDamaged = true }
      // Another system's line end.
      guard !isEnded, byte != UInt8(ascii: "\r") else { continue }
      // What stands for an undecodable byte may have been entered as such: its own first byte is 0xEF.
      let isCharacter = scalar != UTF8Decoder.replacement || (bytes[start] == 0xEF && index == start + 2)
      append(bytes.extracting(start...index), isText: isCharacter && !byte.isControl)
    }
    if text.isEmpty || decoder.isInsideCharacter { isDamaged = true }
  }

  private mutating func append(_ character: Span<UInt8>, isText: Bool) {
    guard isText, text.byteCount + character.count <= 64 else { return isDamaged = true }
    text.append(bytes: character)
  }
}

extension UInt8 {
  fileprivate var isControl: Bool { self < UInt8(ascii: " ") || self == 0x7F }
}
