import Base

/// What a person says of the takes that follow: project, scene, tape, and the names of the tracks; and how many takes
/// each scene has.
package struct TakeSheet: BitwiseCopyable, Sendable {
  /// A text that a person enters, without control characters.
  package typealias Name = FixedText<64>
  package typealias TrackName = FixedText<32>

  private struct Scene: BitwiseCopyable {
    var name = Name()
    /// The number of its last take; 0 if it has none.
    var takeNumber: UInt32 = 0
  }

  /// Empty for none.
  package var project = Name()
  /// Empty for none.
  package var tape = Name()
  private var tracks = InlineArray<8, TrackName>(repeating: "")
  /// The first is the present one, the others are earlier ones, the newest first. One without a name is none.
  private var scenes = InlineArray<12, Scene>(repeating: Scene())

  /// As many channels as a take can have.
  package static var trackCount: UInt8 { 8 }

  /// What a person can enter. Takes are counted on beyond it: no two of a scene have one number.
  package static var takeNumbers: ClosedRange<UInt32> { 1...99_999 }

  private static var mostNumber: UInt32 { 999_999_999 }

  /// An empty sheet.
  package init() {}

  /// Empty for none.
  package var scene: Name { scenes[0].name }

  /// The number of the take in its scene: that of the open take, or of the next one; nil without a scene.
  package func takeNumber(isTakeOpen: Bool) -> UInt32? {
    if scene.isEmpty { return nil }
    return isTakeOpen ? scenes[0].takeNumber : min(scenes[0].takeNumber + 1, Self.mostNumber)
  }

  package var isEmpty: Bool {
    for index in tracks.indices where !tracks[index].isEmpty { return false }
    return project.isEmpty && tape.isEmpty && scene.isEmpty
  }

  /// - Parameter channel: counted from 1.
  /// - Returns: empty if it has no name.
  package func track(_ channel: UInt8) -> TrackName { tracks[Int(channel) - 1] }

  package mutating func setTrack(_ channel: UInt8, to name: TrackName) { tracks[Int(channel) - 1] = name }

  /// Begins another scene, or goes on with an earlier one, whose takes are counted on.
  /// - Parameters:
  ///   - name: empty for none.
  ///   - isTakeOpen: whether a take of the present scene is being recorded: it becomes one of the new scene.
  package mutating func setScene(_ name: Name, isTakeOpen: Bool) {
    guard name != scene else { return }
    if isTakeOpen { giveBackTake() }
    var place = scenes.count - 1
    var found = Scene(name: name)
    for index in scenes.indices.dropFirst() where !name.isEmpty && scenes[index].name == name {
      (place, found) = (index, scenes[index])
      break
    }
    for index in (0..<place).reversed() { scenes[index + 1] = scenes[index] }
    scenes[0] = found
    if isTakeOpen { countTake() }
  }

  /// - Parameter number: in ``takeNumbers``; that of the open take, or of the next one.
  package mutating func setTake(_ number: UInt32, isTakeOpen: Bool) {
    scenes[0].takeNumber = isTakeOpen ? number : number - 1
  }

  package mutating func countTake() {
    if let number = takeNumber(isTakeOpen: false) { scenes[0].takeNumber = number }
  }

  /// A take that was counted is none after all.
  package mutating func giveBackTake() { scenes[0].takeNumber -= min(scenes[0].takeNumber, 1) }
}

/// The file, at most 9 + 64 + 6 + 64 + 8 * (8 + 33) + 12 * (12 + 65) = 1,395 bytes.
extension TakeSheet {
  package var text: FixedText<2048> {
    var text: FixedText<2048> = "project \(project)\ntape \(tape)\n"
    for channel in 1...Self.trackCount where !track(channel).isEmpty {
      text.append("track \(channel) \(track(channel))\n" as FixedText<48>)
    }
    for index in scenes.indices where index == 0 || !scenes[index].name.isEmpty {
      text.append("scene \(scenes[index].takeNumber) \(scenes[index].name)\n" as FixedText<96>)
    }
    return text
  }

  /// The same for other processes, with what is known besides: at most 1,395 + 20 + 263 + 249 bytes.
  /// - Parameters:
  ///   - verdict: on the newest take.
  ///   - remarks: the notes in the open file.
  ///   - answer: what came of the newest line of a listener; empty until that is known.
  package func text(_ verdict: TakeVerdict, remarks: TakeRemarks, answer: FixedText<240>) -> FixedText<2048> {
    var text = self.text
    text.append(TakeVerdict.key)
    text.append(verdict.name)
    text.append("\nnote: ")
    text.append(remarks)
    text.append("\nanswer: ")
    text.append(bytes: answer.bytes)
    text.append("\n")
    return text
  }

  /// Takes what can be read of a ``text``.
  /// - Returns: whether that was all of it.
  package mutating func read(_ text: Span<UInt8>) -> Bool {
    var isWhole = true
    var sceneCount = 0
    text.forEachLine { line in
      if line.isEmpty || takeLine(line, &sceneCount) { return }
      isWhole = false
    }
    return isWhole
  }

  private mutating func takeLine(_ line: Span<UInt8>, _ sceneCount: inout Int) -> Bool {
    let word = line.firstWord
    let rest = line.extracting(droppingFirst: min(word.count + 1, line.count))
    if word.equals("project") { return Self.take(rest, into: &project) }
    if word.equals("tape") { return Self.take(rest, into: &tape) }
    let number = rest.firstWord
    guard let value = number.parseInteger(as: UInt32.self) else { return false }
    let name = rest.extracting(droppingFirst: min(number.count + 1, rest.count))
    if word.equals("track") {
      guard value >= 1, value <= UInt32(Self.trackCount) else { return false }
      return Self.take(name, into: &tracks[Int(value) - 1])
    }
    guard word.equals("scene"), sceneCount < scenes.count, value <= Self.mostNumber else { return false }
    scenes[sceneCount].takeNumber = value
    sceneCount += 1
    return Self.take(name, into: &scenes[sceneCount - 1].name)
  }

  private static func take<let capacity: Int>(_ text: Span<UInt8>, into name: inout FixedText<capacity>) -> Bool {
    name = FixedText(text)
    return !name.isTruncated
  }
}
