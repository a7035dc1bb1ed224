import Base

/// The names that would have been valid, for an error.
struct NameList: SettingVisitor {
  enum Scope {
    case sections
    case keys(FixedText<64>)
  }

  private let scope: Scope
  private let written: FixedText<64>
  private var isInside = false
  private var names = FixedText<512>()
  private var nearest: StaticString?
  private var nearestDistance: Int

  /// - Parameter written: the name in the file.
  init(of scope: Scope, near written: FixedText<64>) {
    self.scope = scope
    self.written = written
    // Two typing errors, more in longer words.
    nearestDistance = written.byteCount / 3 + 2
    var settings = Settings()
    settings.visit(&self)
  }

  mutating func section(_ name: StaticString) {
    switch scope {
    case .sections: consider(name)
    case .keys(let section): isInside = section == name
    }
  }

  mutating func setting<Kind: SettingKind>(_ key: StaticString, _ value: inout Kind.Value, _ kind: Kind) {
    if isInside { consider(key) }
  }

  private mutating func consider(_ name: StaticString) {
    if !names.isEmpty { names.append(", ") }
    names.append(name)
    let distance = written.bytes.editDistance(to: name.utf8Bytes)
    guard distance < nearestDistance else { return }
    nearest = name
    nearestDistance = distance
  }

  /// Appends `: did you mean NAME? Expected one of NAME, NAME`.
  func append(to line: inout FixedText<1024>) {
    line.append(": ")
    if let nearest { line.append("did you mean \(nearest)? " as FixedText<64>) }
    line.append("expected one of ")
    line.append(names)
  }
}
