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

extension Services {
  /// `memory`.
  /// - Parameter report: nil when the system does not tell.
  mutating func listMemory(_ form: StatusForm, _ report: ProcessReport?) {
    var writer = ListingWriter(form)
    let resident = report.map { ListedValue.size($0.residentByteCount) } ?? .none
    let locked = report.map { ListedValue.size($0.lockedByteCount) } ?? .none
    writer.fact("resident", "resident_bytes", resident, &console)
    writer.fact("locked", "locked_bytes", locked, &console)
    writer.fact("not used", "unused_bytes", .count(memory.restByteCount), &console)
    writer.fact("heap calls", "heap_calls", .count(context.heapAllocationCount()), &console)
    writer.beginRows("parts", "allocated for                  bytes", &console)
    for number in 0..<MemoryAccount.Part.count {
      guard let part = MemoryAccount.Part(rawValue: number) else { continue }
      writer.beginRow()
      writer.cell("name", .word(part.name), columns: 22, console)
      writer.cell("bytes", .count(memory.byteCounts[number]), columns: 14, console)
      writer.endRow(&console)
    }
    writer.endRows()
    writer.end(&console)
  }
}
