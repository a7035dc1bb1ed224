import Base

extension Settings {
  /// The names of settings that begin as typed, as far as the next dot; or the values of one, if a name is given.
  package func words(beginningWith typed: FixedText<256>, valuesOf name: FixedText<64>?) -> WordCompletion {
    var words = WordCompletion()
    var group = FixedText<64>()
    forEachName { section, key, index in
      let path: FixedText<128> = "\(section).\(key)"
      guard let name else {
        // Sections first, and then the keys of one.
        guard !typed.bytes.hasDot else { return words.offer(path.bytes, for: typed.bytes) }
        guard section != group else { return }
        group = section
        let word: FixedText<65> = "\(section)."
        return words.offer(word.bytes, for: typed.bytes)
      }
      guard name == key || name.bytes.equals(path.bytes) else { return }
      var copy = self
      var picker = LinePicker(wantedIndex: index, completing: typed)
      copy.visit(&picker)
      words.merge(picker.words)
    }
    return words
  }

  /// The sections that have a key: the first of them, and how many there are.
  package func sections(of key: FixedText<64>) -> (first: FixedText<64>, count: Int) {
    var first = FixedText<64>()
    var count = 0
    forEachName { section, name, _ in
      guard name == key else { return }
      if count == 0 { first = section }
      count += 1
    }
    return (first, count)
  }

  /// Calls `visit` with the section and the key of each line that ``line(at:)`` has, and its index.
  private func forEachName(_ visit: (FixedText<64>, FixedText<64>, Int) -> Void) {
    var section = FixedText<64>()
    var index = 0
    while let line = line(at: index) {
      if line.bytes[0] == UInt8(ascii: "[") {
        section = FixedText(line.bytes.extracting(1..<line.byteCount - 1))
      } else {
        var end = 0
        while line.bytes[end] != UInt8(ascii: " ") { end += 1 }
        visit(section, FixedText(line.bytes.extracting(first: end)), index)
      }
      index += 1
    }
  }
}

extension Span where Element == UInt8 {
  fileprivate var hasDot: Bool {
    for index in indices where self[index] == UInt8(ascii: ".") { return true }
    return false
  }
}
