import Base
import Machine
import Media
import Record

/// Copies a take to another folder: writes it under a temporary name, flushes it, reads it back from the disk, compares
/// it with the take's seals, and then renames it.
struct TakeExport {
  enum Phase {
    case copying
    /// Compares the copy with the take's seals.
    case verifying(TakeVerification)
    /// The seals do not prove it whole, so the copy is compared with what was read.
    case comparing(SealVerdict, RunningHash, doneByteCount: UInt64)
  }

  let path: FixedText<128>
  let folder: FixedText<128>
  let byteCount: UInt64
  /// When the take was last changed, in nanoseconds since 1970: other programs show and sort the copy by it.
  let modifiedNanoseconds: Int64
  var phase = Phase.copying
  var hash = RunningHash()
  var copiedByteCount: UInt64 = 0

  var name: FixedText<128> { FixedText(path.lastPart) }
  /// Hidden, and with an extension that is not played.
  var copyName: FixedText<128> { ".\(name).part" }
  /// The file beside the copy that holds the user's name for the take.
  var textName: FixedText<128> {
    var text = name
    while !text.isEmpty, text.bytes[text.byteCount - 1] != UInt8(ascii: ".") { text.truncate(to: text.byteCount - 1) }
    text.append("txt")
    return text
  }

  /// The progress: everything is written and read back.
  var progress: VerificationProgress {
    var done = copiedByteCount
    switch phase {
    case .copying: break
    case .verifying(let verification): done += verification.progress.byteCount
    case .comparing(_, _, let doneByteCount): done += doneByteCount
    }
    return VerificationProgress(byteCount: done, of: 2 * byteCount)
  }

  /// Only the other disk can be full, and it does not help that to delete takes.
  func refusal(after failure: DeviceFailure) -> KeeperRefusal {
    guard failure.kind == .full else { return .failed(failure) }
    return .failed(
      DeviceFailure(
        device: .storage, kind: .full, subject: FixedText<64>(folder.bytes), problem: "has no room for the copy",
        remedy: "delete files there, or use a larger disk", systemErrorNumber: failure.systemErrorNumber))
  }
}

extension TakeKeeper {
  mutating func begin(
    _ path: FixedText<128>, _ entry: FolderEntry, into folder: FixedText<128>
  ) throws(KeeperRefusal) {
    let export = TakeExport(
      path: path, folder: folder, byteCount: entry.byteCount, modifiedNanoseconds: entry.modifiedNanoseconds)
    var isThere = false
    var freeByteCount: UInt64 = 0
    do throws(DeviceFailure) {
      var target = try folders.elsewhere(folder)
      try target.forEachName(in: "") { if $0.name.bytes.equals(export.path.lastPart) { isThere = true } }
      freeByteCount = try target.freeByteCount()
      self.target = consume target
    } catch {
      throw error.kind == .absent ? .noFolder(folder) : .failed(error)
    }
    if isThere { throw .exists("\(folder)/\(export.name)") }
    let neededByteCount = entry.byteCount + KeeperLimits.copyReserveByteCount
    guard freeByteCount >= neededByteCount else {
      throw .noSpace(folder, neededByteCount: neededByteCount, freeByteCount: freeByteCount)
    }
    do throws(DeviceFailure) {
      // The remains of an earlier copy after a power cut.
      try target?.removeIfThere(export.copyName)
      copy = try target?.create(export.copyName)
    } catch {
      throw export.refusal(after: error)
    }
    work = .exporting(export)
  }

  /// Does the next piece of a copy.
  mutating func goOn(_ export: TakeExport) throws(KeeperRefusal) {
    var export = export
    var isSame = true
    do throws(DeviceFailure) {
      switch export.phase {
      case .copying:
        try copyPiece(&export)
        work = .exporting(export)
      case .verifying(var verification):
        let verdict = try Self.step(&verification, &copy, &buffer)
        export.phase = .verifying(verification)
        work = .exporting(export)
        guard let verdict else { return }
        if verdict.isWhole { return try finish(export, verdict) }
        export.phase = .comparing(verdict, RunningHash(), doneByteCount: 0)
        work = .exporting(export)
      case .comparing(let verdict, var hash, let done):
        let count = try Self.read(&copy, at: done, into: &buffer)
        hash.add(buffer.bytes.extracting(first: count))
        export.phase = .comparing(verdict, hash, doneByteCount: done + UInt64(count))
        work = .exporting(export)
        guard count == 0 else { return }
        isSame = done == export.copiedByteCount && hash.digest == export.hash.digest
        if isSame { try finish(export, verdict) }
      }
    } catch {
      throw export.refusal(after: error)
    }
    if !isSame { throw .copyDiffers(export.folder) }
  }

  private mutating func copyPiece(_ export: inout TakeExport) throws(DeviceFailure) {
    let count = try folders.read(export.path, at: export.copiedByteCount, into: &buffer)
    guard count > 0 else {
      try copy?.synchronise()
      copy = nil
      copy = try target?.open(export.copyName)
      export.phase = .verifying(verification(export.path, byteCount: export.copiedByteCount))
      return
    }
    try Self.write(&copy, buffer, count, at: export.copiedByteCount)
    export.hash.add(buffer.bytes.extracting(first: count))
    let before = export.copiedByteCount / KeeperLimits.copyFlushByteCount
    export.copiedByteCount += UInt64(count)
    if export.copiedByteCount / KeeperLimits.copyFlushByteCount > before { try copy?.synchronise() }
  }

  /// The copy gets its name last, so that whatever has that name is whole.
  private mutating func finish(_ export: TakeExport, _ verdict: SealVerdict) throws(DeviceFailure) {
    if let take = TakeFilePath(export.path) {
      let line: FixedText<80> = "\(try name(of: take.number).text)\n"
      if line.byteCount > 1 { try unsafe target?.replace(export.textName, with: line.bytes.bytes) }
    }
    copy?.setModified(unixNanoseconds: export.modifiedNanoseconds)
    copy = nil
    try target?.rename(export.copyName, to: export.name)
    try target?.synchroniseFolder("")
    target = nil
    work = .none
    replies.tell(.done(path: export.path, .exported(verdict)))
  }

  /// Removes an incomplete copy.
  mutating func dropCopy() {
    copy = nil
    if case .exporting(let export) = work {
      do throws(DeviceFailure) { try target?.remove(export.copyName) } catch {
        // It may have gone with its disk. Its name cannot be mistaken for a take's.
      }
    }
    target = nil
  }

  private static func write(
    _ file: inout StoredFile?, _ buffer: borrowing FixedBuffer, _ count: Int, at offset: UInt64
  ) throws(DeviceFailure) {
    try file?.write(buffer.bytes.extracting(first: count), at: offset)
  }

  private static func read(
    _ file: inout StoredFile?, at offset: UInt64, into buffer: inout FixedBuffer
  ) throws(DeviceFailure) -> Int {
    var space = buffer.mutableBytes
    return try file?.read(at: offset, into: &space) ?? 0
  }

  private static func step(
    _ verification: inout TakeVerification, _ copy: inout StoredFile?, _ buffer: inout FixedBuffer
  ) throws(DeviceFailure) -> SealVerdict? {
    try verification.step(&buffer) { (_, offset, buffer) throws(DeviceFailure) in
      try read(&copy, at: offset, into: &buffer)
    }
  }
}
