import Base
import Kit
import Machine

/// Keeps the calculator's history in the data folder: stores, lists, exports and imports calculations. It works only on
/// request, and pauses after each step while a take is being recorded.
package struct HistoryKeeper: ~Copyable {
  private var storage: Storage
  private var orders: QueueConsumer<Ticketed<HistoryRequest>>
  private var reports: QueueProducer<Ticketed<HistoryReply>>
  private var buffer: FixedBuffer
  /// Nil until the files have been counted, and after a failure.
  private var files: HistoryFiles?
  private var work = Work.none
  /// While a take is being recorded, no work is done before this instant.
  private var restEnd: Instant = 0

  private enum Work {
    case none
    /// Before the first request.
    case counting(HistoryScan, HistoryFiles)
    /// - `surplus`: how many calculations to skip before the first one to list.
    case telling(HistoryScan, surplus: Int, count: Int)
    case exporting(HistoryScan, surplus: Int, Export)
    /// Checks whether every line is a calculation before any is stored.
    case checking(Import)
    case taking(Import)
  }

  private struct Export {
    let path: FixedText<128>
    var byteCount: UInt64 = 0
    var count = 0
  }

  private struct Import {
    var lines: LineScan
    var lineNumber = 0
    var count = 0

    init(_ path: FixedText<128>) { lines = LineScan(path) }
  }

  /// - Parameters:
  ///   - storage: the data folder.
  ///   - buffer: of ``HistoryLimits/pieceByteCount`` bytes.
  package init(
    storage: consuming Storage, loop: consuming JobWorkerEnd<HistoryRequest, HistoryReply>,
    buffer: consuming FixedBuffer
  ) {
    self.storage = storage
    orders = loop.requests
    reports = loop.answers
    self.buffer = buffer
  }

  /// Whether a request is not finished yet.
  package var isBusy: Bool { orders.count > 0 }

  /// Called once another worker of the same thread has removed the files.
  package mutating func forgetFiles() { files = nil }

  /// Does the next bounded piece of work: reads or writes a piece of a file.
  /// - Returns: false if there was none, or it pauses: wait before calling again.
  @export(interface)
  package mutating func step(at now: Instant, isRecording: Bool) -> Bool {
    guard let order = orders.peek(), reports.freeCount >= HistoryLimits.reportsPerStep else { return false }
    if isRecording, now < restEnd { return false }
    restEnd = now + HistoryLimits.restNanoseconds
    do throws(DeviceFailure) {
      if let outcome = try goOn(with: order) { finish(order, outcome) }
    } catch {
      giveUp()
      finish(order, .refused(.failed(error)))
    }
    return true
  }

  private mutating func finish(_ order: Ticketed<HistoryRequest>, _ outcome: HistoryReply) {
    work = .none
    report(order, outcome)
    _ = orders.pop()
  }

  private mutating func report(_ order: Ticketed<HistoryRequest>, _ outcome: HistoryReply) {
    let isReported = reports.push(Ticketed(ticket: order.ticket, value: outcome))
    precondition(isReported, "a step was taken without space for its reports")
  }

  /// The content of the card is no longer known, and half an export is of no use.
  private mutating func giveUp() {
    files = nil
    guard case .exporting(_, _, let export) = work else { return }
    do throws(DeviceFailure) { try storage.remove(export.path) } catch {}
  }

  /// - Returns: the final reply; nil while the request is not finished.
  private mutating func goOn(with order: Ticketed<HistoryRequest>) throws(DeviceFailure) -> HistoryReply? {
    switch work {
    case .none: try begin(order)
    case .counting(let scan, let files): try count(scan, files)
    case .telling(let scan, let surplus, let count): try tell(order, scan, surplus, count)
    case .exporting(let scan, let surplus, let export): try self.export(scan, surplus, export)
    case .checking(let run): try check(run)
    case .taking(let run): try take(run)
    }
  }

  private mutating func begin(_ order: Ticketed<HistoryRequest>) throws(DeviceFailure) -> HistoryReply? {
    guard let files else {
      // After a failure it may be another card.
      try storage.reopen()
      work = .counting(HistoryScan(), HistoryFiles())
      return nil
    }
    switch order.value {
    case .keep(let calculation):
      try keep(calculation)
      return .done(count: 1)
    case .tell(let count): work = .telling(HistoryScan(), surplus: files.surplus(wanted: count), count: 0)
    case .export(let path):
      _ = try storage.create(path)
      work = .exporting(
        HistoryScan(), surplus: files.surplus(wanted: HistoryLimits.calculations), Export(path: path))
    case .take(let path): work = .checking(Import(path))
    }
    return nil
  }

  private mutating func keep(_ calculation: CalculationLine) throws(DeviceFailure) {
    try files?.append(CheckedLine(calculation), to: &storage)
    try files?.synchronise(&storage)
  }

  private mutating func count(
    _ scan: HistoryScan, _ files: HistoryFiles
  ) throws(DeviceFailure) -> HistoryReply? {
    var (scan, files) = (scan, files)
    if try scan.read(from: &storage, into: &buffer) {
      while scan.next(in: buffer) != nil { files.add(scan.part) }
      work = .counting(scan, files)
    } else {
      files.finish(scan)
      self.files = files
      work = .none
    }
    return nil
  }

  private mutating func tell(
    _ order: Ticketed<HistoryRequest>, _ scan: HistoryScan, _ surplus: Int, _ count: Int
  ) throws(DeviceFailure) -> HistoryReply? {
    var (scan, surplus, count) = (scan, surplus, count)
    while reports.freeCount >= HistoryLimits.reportsPerStep {
      guard let calculation = scan.next(in: buffer) else {
        guard try scan.read(from: &storage, into: &buffer) else { return .done(count: count) }
        break
      }
      if surplus > 0 {
        surplus -= 1
      } else {
        report(order, .line(calculation))
        count += 1
      }
    }
    work = .telling(scan, surplus: surplus, count: count)
    return nil
  }
}

extension HistoryKeeper {
  private mutating func export(
    _ scan: HistoryScan, _ surplus: Int, _ export: Export
  ) throws(DeviceFailure) -> HistoryReply? {
    var (scan, surplus, export) = (scan, surplus, export)
    var file = try storage.open(export.path)
    while let calculation = scan.next(in: buffer) {
      if surplus > 0 {
        surplus -= 1
        continue
      }
      let line: CalculationLine = "\(calculation)\n"
      try unsafe file.write(line.bytes.bytes, at: export.byteCount)
      export.byteCount += UInt64(line.byteCount)
      export.count += 1
    }
    if try scan.read(from: &storage, into: &buffer) {
      work = .exporting(scan, surplus: surplus, export)
      return nil
    }
    try file.synchronise()
    try storage.synchroniseFolder(export.path.parentFolder)
    return .done(count: export.count)
  }

  private mutating func check(_ run: Import) throws(DeviceFailure) -> HistoryReply? {
    var run = run
    while let line = run.lines.next(in: buffer) {
      run.lineNumber += 1
      guard !line.text.isTruncated else { return .refused(.tooLong(line: run.lineNumber)) }
      do throws(CalculationError) {
        if try line.calculation() != nil { run.count += 1 }
      } catch {
        return .refused(.noCalculation(line: run.lineNumber, error))
      }
      guard run.count <= HistoryLimits.calculations else { return .refused(.tooMany) }
    }
    let goesOn = try run.lines.read(from: &storage, into: &buffer)
    work = goesOn ? .checking(run) : .taking(Import(run.lines.path))
    return nil
  }

  private mutating func take(_ run: Import) throws(DeviceFailure) -> HistoryReply? {
    var run = run
    let countBefore = run.count
    while let line = run.lines.next(in: buffer) {
      run.lineNumber += 1
      // The file may have been changed since it was checked.
      guard let calculation = (try? line.calculation()) ?? nil else { continue }
      try files?.append(CheckedLine(calculation.line), to: &storage)
      run.count += 1
    }
    if run.count > countBefore { try files?.synchronise(&storage) }
    if try run.lines.read(from: &storage, into: &buffer) {
      work = .taking(run)
      return nil
    }
    return .done(count: run.count)
  }
}

extension LineScan.Line {
  /// The calculation of a line; a result given in the line is ignored. Nil for a blank line.
  fileprivate func calculation() throws(CalculationError) -> Calculation? {
    var end = 0
    while end < text.byteCount, text.bytes[end] != UInt8(ascii: "=") { end += 1 }
    let expression = text.bytes.extracting(first: end).withoutSpacesAtEnd
    return expression.isEmpty ? nil : try Calculation(expression)
  }
}

/// A calculation as a line: `1,234 × 5 = 6,170`.
package typealias CalculationLine = FixedText<440>

/// A request from the loop to the history keeper.
package enum HistoryRequest: BitwiseCopyable, Sendable {
  /// Store a calculation, durably.
  case keep(CalculationLine)
  /// Report the newest calculations, oldest first.
  case tell(count: Int)
  /// Write all calculations to a new file, one per line.
  case export(path: FixedText<128>)
  /// Evaluate each line of a file, and store it.
  case take(path: FixedText<128>)
}

/// The replies. Each request ends in one ``done(count:)`` or ``refused(_:)``.
package enum HistoryReply: BitwiseCopyable, Sendable {
  /// One of the listed calculations.
  case line(CalculationLine)
  /// The request is done; it concerned this many calculations.
  case done(count: Int)
  /// The request cannot be carried out.
  case refused(HistoryRefusal)
}

/// Why a request cannot be carried out.
package enum HistoryRefusal: Error, BitwiseCopyable, Sendable {
  /// The card failed.
  case failed(DeviceFailure)
  /// A line of a file to be imported is not a calculation.
  case noCalculation(line: Int, CalculationError)
  /// A line of that file is longer than any expression.
  case tooLong(line: Int)
  /// The file has more lines than are kept.
  case tooMany

  /// The reason as one line, without a leading `error:`.
  package var line: FixedText<384> {
    switch self {
    case .failed(let failure): "\(failure.line)"
    case .noCalculation(let number, let error): "line \(number), \(error.line): nothing was imported"
    case .tooLong(let number): "line \(number) is too long for a calculation: nothing was imported"
    case .tooMany: "the file has more than \(grouped: HistoryLimits.calculations) calculations: nothing was imported"
    }
  }
}

/// The limits of the calculator's history, with their reasons.
package enum HistoryLimits {
  /// The most calculations kept: a hundred a day for three months. At 60 bytes each, both files hold at most 1.2 MB.
  package static var calculations: Int { 10_000 }

  /// How much of a file is read in a step: a hundred lines.
  package static var pieceByteCount: Int { 8192 }

  /// A step reports the lines for which there is room, and the end.
  static var reportsPerStep: Int { 2 }

  /// The pause after each step that reads or writes while a take is being recorded: the card is for the take. An import
  /// of 10,000 lines then takes 10 s.
  static var restNanoseconds: UInt64 { 100_000_000 }
}
