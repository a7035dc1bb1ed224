import Base

/// What the live view shows of the player.
package struct ViewPlayer: BitwiseCopyable, Equatable, Sendable {
  /// What the player does, as far as somebody who looks at it cares.
  package enum State: UInt8, BitwiseCopyable, Sendable {
    /// No file is open, or one is only being opened.
    case none
    case playing
    /// A file is open and holds its position.
    case paused
  }

  /// What it does.
  package var state = State.none
  /// What is heard now.
  package var positionMilliseconds: UInt64 = 0
  /// 0 where it is not known.
  package var durationMilliseconds: UInt64 = 0
  /// UTF-8: the file's title and artist, or its name.
  package var title = FixedText<96>()

  package init() {}
}

extension ViewPlayer {
  /// 64-bit words in shared memory: the state and the title's length, the two times, the title.
  static var wordCount: Int { 15 }

  func write(to words: inout ViewStatus.Words, from start: Int) {
    words[start] = UInt64(state.rawValue) | UInt64(title.byteCount) << 8
    words[start + 1] = positionMilliseconds
    words[start + 2] = durationMilliseconds
    let bytes = title.bytes
    for index in bytes.indices { setByte(bytes[index], at: index, of: &words, from: start + 3) }
  }

  /// Accepts any words: the title may then be no UTF-8.
  init(_ words: ViewStatus.Words, from start: Int) {
    state = State(rawValue: UInt8(truncatingIfNeeded: words[start])) ?? .none
    positionMilliseconds = words[start + 1]
    durationMilliseconds = words[start + 2]
    let byteCount = min(96, Int(words[start] >> 8 & 0xFF))
    for index in 0..<byteCount { title.append(byte: byte(of: words, at: index, from: start + 3)) }
  }
}
