import Base

/// Collects the names of files that begin as typed: paths as far as the next slash, or numbers of takes.
struct NameSearch {
  private let wanted: LibraryNames
  private let typed: FixedText<256>
  private(set) var words = WordCompletion()
  private var last: FixedText<256> = ""

  init(_ wanted: LibraryNames = .files, beginningWith typed: FixedText<256> = "") {
    self.wanted = wanted
    self.typed = typed
  }

  mutating func consider(_ path: Span<UInt8>, takeNumber: UInt32) {
    switch wanted {
    case .files: offerPath(path)
    case .takes where typed.bytes.contains(("/" as StaticString).utf8Bytes): if takeNumber > 0 { offerPath(path) }
    case .takes: offerNumber(takeNumber)
    case .takeNumbers: offerNumber(takeNumber)
    }
  }

  private mutating func offerNumber(_ number: UInt32) {
    guard number > 0 else { return }
    let text: FixedText<16> = "\(number)"
    words.offer(text.bytes, for: typed.bytes)
  }

  /// A folder is offered once: its files follow each other.
  private mutating func offerPath(_ path: Span<UInt8>) {
    guard path.starts(with: typed.bytes) else { return }
    var end = typed.byteCount
    while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
    let word = FixedText<256>(path.extracting(first: min(end + 1, path.count)))
    guard word != last else { return }
    last = word
    words.offer(word.bytes, for: typed.bytes)
  }
}

/// Which names are completed.
package enum LibraryNames: BitwiseCopyable, Equatable, Sendable {
  /// Paths of files.
  case files
  /// Numbers or paths of takes and stills.
  case takes
  /// Numbers of takes and stills, while no list has given numbers to files.
  case takeNumbers
}
