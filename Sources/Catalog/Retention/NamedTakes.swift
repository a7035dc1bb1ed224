import Base
import Machine

/// Goes through the takes that a person may have named, the newest first: each step lists a folder, or gives one take.
struct NamedTakes {
  enum Step {
    case listed
    /// This one may have a name.
    case take(UInt32)
    case ended
  }

  private let isInBin: Bool
  /// Only takes with smaller numbers are given.
  private var end = UInt64.max
  /// Of the next take in the table; nil: the folder is to be listed.
  private var place: Int?

  init(isInBin: Bool) { self.isInBin = isInBin }

  mutating func step(
    _ folders: inout Storage, _ table: inout TakeTable
  ) throws(DeviceFailure) -> Step {
    guard let place else {
      table.begin(keeping: RetentionLimits.listedTakes)
      try list(&folders, &table)
      self.place = 0
      return .listed
    }
    guard place < table.count else {
      guard table.isFull, place > 0 else { return .ended }
      listAgain(below: table[place - 1].number)
      return .listed
    }
    self.place = place + 1
    return .take(table[place].number)
  }

  /// Goes on below a number, when the table has been used for something else.
  mutating func listAgain(below number: UInt32) {
    end = UInt64(number)
    place = nil
  }

  private func list(
    _ folders: inout Storage, _ table: inout TakeTable
  ) throws(DeviceFailure) {
    do throws(DeviceFailure) {
      try folders.forEachName(in: isInBin ? BinPath.folder : NamePath.folder) { entry in
        guard let number = number(in: entry.name), UInt64(number) < end else { return }
        table.add(FoundTake(number: number, path: ""))
      }
    } catch {
      guard error.kind == .absent else { throw error }
    }
  }

  private func number(in name: borrowing FixedText<256>) -> UInt32? {
    guard isInBin else { return NamePath.number(in: name.bytes) }
    return BinPath.origin(of: name.bytes).flatMap { TakeFilePath($0)?.number }
  }
}

/// What a take's name can be completed to.
struct TakeNameCompletion {
  let ticket: RetentionTicket
  let typed: FixedText<256>
  var words: WordCompletion
  var takes: NamedTakes
}
