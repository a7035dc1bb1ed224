import Base
import Catalog
import Console
import Machine
import Record

/// The content of `disk`.
struct DiskReport {
  /// Whether takes go into the fallback folder.
  let isFallback: Bool
  /// Nil if the system does not report it.
  let card: CardReport?
  let reserveByteCount: UInt64
  /// The space used by takes and related files; nil until they are counted.
  let shares: TakeShares?
  /// The size of the newest take; nil if it is unknown or there is none.
  let takeByteCount: UInt64?
  let bytesPerSecond: UInt64
  let stallCount: UInt64
  let isStalled: Bool
  let progress: TakeProgress

  func report(_ form: StatusForm, _ console: inout ConsoleSession) {
    console.beginReport(form)
    console.fact("in use", "in_use", .word(isFallback ? "fallback folder" : "card"))
    console.fact("file system", "file_system", text: card?.fileSystem ?? "")
    console.fact("read-only", "read_only", .flag(card?.isReadOnly))
    console.fact("size", "size_bytes", .size(card?.byteCount))
    console.fact("free", "free_bytes", .size(card?.freeByteCount ?? progress.freeByteCount))
    console.fact("reserve", "reserve_bytes", .size(reserveByteCount))
    console.fact("takes", "takes_bytes", .size(shares?.takeByteCount))
    console.fact("stills", "stills_bytes", .size(shares?.stillByteCount))
    console.fact("bin", "bin_bytes", .size(shares?.binByteCount))
    console.fact("newest take", "take_bytes", .size(takeByteCount))
    console.fact("written in a second", "bytes_per_second", .size(bytesPerSecond))
    console.fact("stalls", "stalls", .count(stallCount))
    console.fact("stalled now", "stalled", .flag(isStalled))
    console.beginRows("times", "µs              count       p50       p99    p99.9   longest")
    report("write", progress.writes.histogram, &console)
    report("flush", progress.flushes.histogram, &console)
    console.endRows()
    console.endReport()
  }

  /// A row in the form of `timing`.
  private func report(_ name: StaticString, _ times: Histogram, _ console: inout ConsoleSession) {
    console.beginRow()
    console.cell("name", .word(name), columns: 12)
    console.cell("count", .count(times.totalCount), columns: 9)
    console.cell("p50_us", .count(times.percentile(permille: 500)), columns: 10)
    console.cell("p99_us", .count(times.percentile(permille: 990)), columns: 10)
    console.cell("p999_us", .count(times.percentile(permille: 999)), columns: 9)
    console.cell("max_us", .count(times.maximumMicroseconds), columns: 10)
    console.endRow()
  }
}

/// What the boot memory was divided among.
struct MemoryAccount {
  enum Part: Int {
    /// Sound and pictures, which other processes read too.
    case media
    case queues
    case encoders
    case player
    case stills
    case library
    case preview
    case tuner

    static var count: Int { tuner.rawValue + 1 }

    /// The name in text and machine-readable output.
    var name: StaticString { Self.names[rawValue] }

    private static var names: InlineArray<8, StaticString> {
      ["sound and pictures", "queues", "encoders", "player", "stills", "library", "preview", "tuner"]
    }
  }

  private(set) var byteCounts = InlineArray<8, Int>(repeating: 0)
  /// Bytes that were mapped but not allocated.
  private(set) var restByteCount = 0
  private var usedByteCount: Int

  /// - Parameter usedByteCount: the bytes used before the first part.
  init(usedByteCount: Int) {
    precondition(byteCounts.count == Part.count, "a part has no place")
    self.usedByteCount = usedByteCount
  }

  /// Adds memory that is not boot memory.
  mutating func note(_ part: Part, byteCount: Int) { byteCounts[part.rawValue] += byteCount }

  /// Adds the boot memory that was allocated since the part before.
  mutating func note(_ part: Part, _ memory: borrowing BootMemory) {
    note(part, byteCount: memory.usedByteCount - usedByteCount)
    usedByteCount = memory.usedByteCount
    restByteCount = memory.restByteCount
  }
}

extension MemoryAccount {
  /// `memory`.
  /// - Parameters:
  ///   - process: nil if the system does not report it.
  ///   - heapCallCount: heap calls since the start.
  func report(_ form: StatusForm, _ process: ProcessReport?, heapCallCount: UInt64, _ console: inout ConsoleSession) {
    console.beginReport(form)
    console.fact("resident", "resident_bytes", .size(process?.residentByteCount))
    console.fact("locked", "locked_bytes", .size(process?.lockedByteCount))
    console.fact("not used", "unused_bytes", .count(restByteCount))
    console.fact("heap calls", "heap_calls", .count(heapCallCount))
    console.beginRows("parts", "allocated for                  bytes")
    for number in 0..<Part.count {
      guard let part = Part(rawValue: number) else { continue }
      console.beginRow()
      console.cell("name", .word(part.name), columns: 22)
      console.cell("bytes", .count(byteCounts[number]), columns: 14)
      console.endRow()
    }
    console.endRows()
    console.endReport()
  }
}

extension ProcessReport {
  /// `threads`.
  func report(_ form: StatusForm, _ console: inout ConsoleSession) {
    console.beginReport(form)
    console.beginRows("threads", "thread          state  policy      number priority  processor s    waited s")
    for index in 0..<taskCount {
      guard let task = self[index] else { continue }
      console.beginRow()
      console.cell("name", text: task.name.bytes, columns: 16)
      var state = FixedText<8>()
      state.append(byte: task.state)
      console.cell("state", text: state.bytes, columns: 7)
      console.cell("policy", .name(task.policy?.name), columns: 10)
      console.cell("id", .count(task.number), as: "\(task.number)", columns: 8)
      console.cell("priority", .count(task.priority), columns: 9)
      console.cell("processor_seconds", .decimal(Double(task.processorMilliseconds) / 1e3, decimals: 2), columns: 13)
      let waited = task.waitedMicroseconds.map { Double($0) / 1e6 }
      console.cell("waited_seconds", .decimal(waited, decimals: 3), columns: 12)
      console.member("process", .flag(task.isProcess))
      console.endRow()
    }
    console.endRows()
    console.endReport()
  }
}
