/// A key press.
enum TypedKey {
  case character(String)
  case left, right, home, end, backspace, delete, killToEnd, killToStart, killWord, clear, up, down, enter

  /// Characters of one, two and no columns, of one to four bytes, and of several scalars.
  static let characters = ["a", "z", " ", " ", "#", "é", "e\u{301}", "녹", "음", "\u{1112}\u{1161}\u{11AB}", "🎙"]

  /// - Parameter editing: how many of ten keys are editing keys.
  static func random(editing: Int, using generator: inout some RandomNumberGenerator) -> TypedKey {
    guard Int.random(in: 0..<10, using: &generator) < editing else {
      return .character(characters.randomElement(using: &generator)!)
    }
    let others: [TypedKey] = [
      .left, .left, .left, .left, .right, .right, .home, .end, .end, .backspace, .backspace, .delete, .killToEnd,
      .killToStart, .killWord, .clear, .up, .up, .down, .enter,
    ]
    return others.randomElement(using: &generator)!
  }

  /// One of the sequences that terminals send for the key.
  func bytes(using generator: inout some RandomNumberGenerator) -> String {
    let ways: [String] =
      switch self {
      case .character(let character): [character]
      case .left: ["\u{1B}[D", "\u{1B}OD", "\u{02}"]
      case .right: ["\u{1B}[C", "\u{1B}OC", "\u{06}"]
      case .home: ["\u{1B}[H", "\u{1B}OH", "\u{1B}[1~", "\u{1B}[7~", "\u{01}"]
      case .end: ["\u{1B}[F", "\u{1B}OF", "\u{1B}[4~", "\u{1B}[8~", "\u{05}"]
      case .backspace: ["\u{7F}", "\u{08}"]
      case .delete: ["\u{1B}[3~"]
      case .killToEnd: ["\u{0B}"]
      case .killToStart: ["\u{15}"]
      case .killWord: ["\u{17}"]
      case .clear: ["\u{03}"]
      case .up: ["\u{1B}[A", "\u{1B}OA", "\u{10}", "\u{1B}[1;5A"]
      case .down: ["\u{1B}[B", "\u{1B}OB", "\u{0E}"]
      case .enter: ["\r", "\n", "\r\n"]
      }
    return ways.randomElement(using: &generator)!
  }
}
