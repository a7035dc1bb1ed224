/// A simple reference line editor: a list of characters and a cursor position.
struct ModelEditor {
  private(set) var characters: [String] = []
  private(set) var cursor = 0
  private(set) var entered: [String] = []
  private var shown = 0
  private var draft = ""

  var text: String { characters.joined() }
  var textBeforeCursor: String { characters[..<cursor].joined() }

  mutating func insert(_ character: String) {
    var fitting = ""
    for scalar in character.unicodeScalars where text.utf8.count + (fitting + String(scalar)).utf8.count <= 512 {
      fitting.unicodeScalars.append(scalar)
    }
    guard !fitting.isEmpty else { return }
    characters.insert(fitting, at: cursor)
    cursor += 1
  }

  mutating func press(_ key: TypedKey) {
    switch key {
    case .character(let character): insert(character)
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(characters.count, cursor + 1)
    case .home: cursor = 0
    case .end: cursor = characters.count
    case .backspace:
      if cursor > 0 {
        cursor -= 1
        characters.remove(at: cursor)
      }
    case .delete: if cursor < characters.count { characters.remove(at: cursor) }
    case .killToEnd: characters.removeSubrange(cursor...)
    case .killToStart: remove(from: 0)
    case .killWord: killWord()
    case .clear: replace([])
    case .up: up()
    case .down: down()
    case .enter: enter()
    }
  }

  private mutating func remove(from start: Int) {
    characters.removeSubrange(start..<cursor)
    cursor = start
  }

  private mutating func killWord() {
    var start = cursor
    while start > 0, characters[start - 1] == " " { start -= 1 }
    while start > 0, characters[start - 1] != " " { start -= 1 }
    remove(from: start)
  }

  private mutating func replace(_ characters: [String]) {
    self.characters = characters
    cursor = characters.count
  }

  private mutating func up() {
    guard shown < min(entered.count, 16) else { return }
    if shown == 0 { draft = text }
    shown += 1
    replace(entered[entered.count - shown].map { String($0) })
  }

  private mutating func down() {
    guard shown > 0 else { return }
    shown -= 1
    replace((shown == 0 ? draft : entered[entered.count - shown]).map { String($0) })
  }

  private mutating func enter() {
    if !text.isEmpty, text != entered.last { entered.append(text) }
    shown = 0
    replace([])
  }
}
