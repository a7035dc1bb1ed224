extension FixedText {
  /// As a path: what is before the last `/`; empty when there is none.
  package var parentFolder: Self {
    var parent = self
    for index in bytes.indices.reversed() where bytes[index] == UInt8(ascii: "/") {
      parent.truncate(to: index)
      return parent
    }
    parent.removeAll()
    return parent
  }

  /// As a path: what follows the last `/`.
  package var lastPart: Span<UInt8> {
    @_addressableSelf
    @_lifetime(borrow self)
    borrowing get {
      var start = byteCount
      while start > 0, bytes[start - 1] != UInt8(ascii: "/") { start -= 1 }
      return bytes.extracting(droppingFirst: start)
    }
  }

  /// Whether it is a path that cannot lead out of the folder in which it starts, but for links: not absolute, and of
  /// names alone, none of them empty, `.` or `..`.
  package var isPlainPath: Bool {
    var rest = self
    while true {
      let name = FixedText(rest.lastPart)
      if name.isEmpty || name == "." || name == ".." { return false }
      if name.byteCount == rest.byteCount { return true }
      // A slash in front leaves an empty name.
      rest.truncate(to: rest.byteCount - name.byteCount - 1)
    }
  }
}
