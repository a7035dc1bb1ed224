import Text

/// The commands that begin with what has been typed.
struct CommandNames: CommandVisitor {
  private let typed: TypedLine
  private(set) var count = 0
  /// What all of them begin with.
  private(set) var commonPrefix = FixedText<16>()
  /// All of them, parted by spaces.
  private(set) var list = FixedText<256>()
  private var includesTyped = false

  init(beginningWith typed: Span<UInt8>) {
    self.typed = FixedText(typed)
    CommandTable.visit(&self)
  }

  static func contains(_ word: Span<UInt8>) -> Bool {
    CommandNames(beginningWith: word).includesTyped
  }

  mutating func command(
    _ name: StaticString, arguments: StaticString, summary: StaticString, explanation: StaticString,
    parse: (inout Arguments) throws(CommandError) -> Command
  ) {
    guard name.utf8Bytes.starts(with: typed.bytes) else { return }
    if typed == name { includesTyped = true }
    if count == 0 { commonPrefix.append(name) } else { list.append(" ") }
    list.append(name)
    while !name.utf8Bytes.starts(with: commonPrefix.bytes) { commonPrefix.truncate(to: commonPrefix.byteCount - 1) }
    count += 1
  }
}
