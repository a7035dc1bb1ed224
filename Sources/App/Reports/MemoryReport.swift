import Base
import Console
import Machine

/// What the recorder's memory was cut for at boot.
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

    /// Also for programs.
    var name: StaticString {
      switch self {
      case .media: "sound and pictures"
      case .queues: "queues"
      case .encoders: "encoders"
      case .player: "player"
      case .stills: "stills"
      case .library: "library"
      case .preview: "preview"
      case .tuner: "tuner"
      }
    }
  }

  private(set) var byteCounts = InlineArray<8, Int>(repeating: 0)
  /// Mapped and not cut.
  private(set) var restByteCount = 0
  private var usedByteCount: Int

  /// - Parameter usedByteCount: before the first part.
  init(usedByteCount: Int) {
    precondition(byteCounts.count == Part.count, "a part has no place")
    self.usedByteCount = usedByteCount
  }

  /// Memory that is not boot memory.
  mutating func note(_ part: Part, byteCount: Int) { byteCounts[part.rawValue] += byteCount }

  /// What was cut since the part before.
  mutating func note(_ part: Part, _ memory: borrowing BootMemory) {
    note(part, byteCount: memory.usedByteCount - usedByteCount)
    usedByteCount = memory.usedByteCount
    restByteCount = memory.restByteCount
  }
}

extension MemoryAccount {
  /// `memory`.
  /// - Parameters:
  ///   - process: nil when the system does not tell.
  ///   - heapCallCount: since the start.
  func report(
    _ form: StatusForm, _ process: ProcessReport?, heapCallCount: UInt64, _ console: inout ConsoleSession
  ) {
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
      console.cell("id", .count(task.number), columns: 8)
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
