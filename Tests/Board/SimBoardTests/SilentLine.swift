import Port

/// A console that nobody sits at.
struct SilentLine: ConsoleLine, ~Copyable {
  var isTerminal: Bool { false }
  mutating func read(into room: inout MutableRawSpan) -> Int? { nil }
  mutating func write(_ bytes: RawSpan) -> Int { bytes.byteCount }
}
