import Base
import CINI
import Console
import Machine
import TestSupport

@testable import Catalog
@testable import Configuration
@testable import Record

/// Input from a user or a noisy line, in pieces; each command is answered with a line.
func fuzzConsole(_ input: UnsafeRawBufferPointer) {
  var choices = FuzzChoices(input)
  let kind = choices.next()
  var line = FuzzLine(isTerminal: kind % 2 == 1, pieceByteCount: 1 + Int(kind / 2) % 64, typed: choices.content)
  var memory = consoleMemory.fresh
  guard var session = ConsoleSession(isTerminal: line.isTerminal, in: &memory) else { fatalError("too little memory") }
  if kind >= 128 { session.askTerminal() }
  for _ in 0..<2 * input.count + 8 {
    session.exchange(with: &line)
    if kind >= 128 { _ = session.takeTerminalAnswer() }
    while let request = session.nextRequest() {
      if case .endOfInput = request, line.hasEnded { return }
      if case .command = request { session.answer("done") }
    }
    if kind >= 192 { _ = session.takeKey() }
  }
}

private nonisolated(unsafe) let consoleMemory = FuzzMemory(byteCount: 1 << 17)

/// Supplies an input one piece at a time.
private struct FuzzLine: ConsoleLineDriver {
  let isTerminal: Bool
  let pieceByteCount: Int
  var typed: UnsafeRawBufferPointer
  var hasEnded: Bool { typed.isEmpty }

  mutating func read(into room: inout MutableRawSpan) -> Int? {
    guard !typed.isEmpty else { return nil }
    let count = min(typed.count, room.byteCount, pieceByteCount)
    for index in 0..<count { room.storeBytes(of: typed[index], toByteOffset: index, as: UInt8.self) }
    typed = UnsafeRawBufferPointer(rebasing: typed.dropFirst(count))
    return count
  }

  mutating func write(_ bytes: RawSpan) -> Int { bytes.byteCount }
}

/// An accepted configuration is printed as it was read.
func fuzzConfiguration(_ input: UnsafeRawBufferPointer) {
  guard let settings = read(input) else { return }
  var text: [UInt8] = []
  SettingsTable(settings).forEachLine(where: { _ in true }) { line in
    for place in line.bytes.indices { text.append(line.bytes[place]) }
    text.append(UInt8(ascii: "\n"))
  }
  let again = text.withUnsafeBytes { read($0) }
  precondition(again == settings, "what is printed is read as something else")
}

private func read(_ bytes: UnsafeRawBufferPointer) -> Settings? {
  guard !bytes.isEmpty else { return nil }
  guard let stream = fmemopen(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, "r") else {
    fatalError("no stream")
  }
  defer { fclose(stream) }
  do throws(SettingsError) { return try SettingsReader.read(stream, path: "fuzz") } catch {
    _ = error.line
    return nil
  }
}

private func disk(_ path: String, _ input: UnsafeRawBufferPointer) -> Storage {
  var storage = Storage(MemoryStorage(MemoryDisk()))
  do { try storage.replace(FixedText(path), with: RawSpan(_unsafeBytes: input)) } catch { fatalError("\(error)") }
  return storage
}

/// The file holds an identity, or is refused.
func fuzzIdentity(_ input: UnsafeRawBufferPointer) {
  var storage = disk("identity", input)
  var copy = Optional(disk("identity", input))
  let fresh = IdentityRecord(identity: DeviceIdentity(high: 1, low: 2))
  guard let loaded = try? LoadedIdentity(from: &storage, copy: &copy, orMake: fresh) else { return }
  var none: Storage?
  let again = try? LoadedIdentity(
    from: &storage, copy: &none, orMake: IdentityRecord(identity: DeviceIdentity(high: 3, low: 4)))
  precondition(again?.record == loaded.record && again?.news.isEmpty == true, "what was kept is read as something else")
}

/// What was read is saved unchanged, and every path in it stays in its folder.
func fuzzJournal(_ input: UnsafeRawBufferPointer) {
  var storage = disk("state", input)
  guard let journal = try? TakeJournal(from: &storage) else { return }
  guard (try? journal.save(to: &storage)) != nil, let again = try? TakeJournal(from: &storage) else {
    fatalError("what was saved is refused")
  }
  precondition(again.nextNumber == journal.nextNumber && again.newestUnixSeconds == journal.newestUnixSeconds)
  for index in journal.openPaths.indices {
    precondition(journal.openPaths[index].isEmpty || journal.openPaths[index].isPlainPath, "a path leads out")
  }
  input.withMemoryRebound(to: UInt8.self) { bytes in
    _ = TakeJournal.hasOpenFile(at: "video/20260101", journal: Span(_unsafeElements: bytes))
  }
}

/// A list of copied files covers only files that have a line of their own.
func fuzzCopied(_ input: UnsafeRawBufferPointer) {
  var folders = disk("video/20260101/.copied", input)
  guard let mark = try? CopyMark(of: "video/20260101", in: &folders) else { return }
  let entry = FolderEntry(name: "000001-0001.mov", kind: .file, byteCount: 1234)
  let covers = try? mark.covers("000001-0001.mov", entry, in: &folders)
  let text = String(decoding: input.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
  if covers == true { precondition(text.contains("1234 000001-0001.mov"), "a file is covered that is not listed") }
}
