import Base
import TestSupport
import Wire

extension ViewStatus {
  /// A status that differs from a new one in every field.
  static var telling: ViewStatus {
    var random = SeededGenerator(seed: 1)
    return Self.random(using: &random)
  }

  /// A random status that a recorder can have.
  static func random(using random: inout SeededGenerator) -> ViewStatus {
    var status = ViewStatus()
    status.isRecording = Bool.random(using: &random)
    status.takeMilliseconds = random.next()
    status.zoomFactor = Float.random(in: 1...16, using: &random)
    status.batteryPercent = Bool.random(using: &random) ? nil : UInt8.random(in: 0...100, using: &random)
    status.orientation = UInt8.random(in: 0...3, using: &random)
    status.viewfinder = ViewFraction(
      x: Float.random(in: 0...1, using: &random), y: Float.random(in: 0...1, using: &random),
      width: Float.random(in: 0...1, using: &random), height: Float.random(in: 0...1, using: &random))
    status.peakDecibels = [Float.random(in: -90...0, using: &random), Float.random(in: -90...0, using: &random)]
    status.clipCounts = [UInt32.random(in: 0 ... .max, using: &random), UInt32.random(in: 0 ... .max, using: &random)]
    status.freeByteCount = random.next()
    status.roomSeconds = Bool.random(using: &random) ? nil : UInt32.random(in: 0 ... .max, using: &random)
    status.faults = UInt32.random(in: 0...31, using: &random)
    status.player = .random(using: &random)
    status.application = .random(using: &random)
    status.orderCount = UInt32.random(in: 0 ... .max, using: &random)
    status.language = Bool.random(using: &random) ? .korean : .english
    return status
  }
}

extension ViewPlayer {
  fileprivate static func random(using random: inout SeededGenerator) -> ViewPlayer {
    var player = ViewPlayer()
    player.state = State(rawValue: UInt8.random(in: 0...2, using: &random))!
    player.positionMilliseconds = random.next()
    player.durationMilliseconds = random.next()
    for _ in 0..<Int.random(in: 0...32, using: &random) {
      player.title.append(scalar: Unicode.Scalar(UInt32.random(in: 0xAC00...0xD7A3, using: &random))!)
    }
    return player
  }
}

extension ViewApplication {
  fileprivate static func random(using random: inout SeededGenerator) -> ViewApplication {
    switch UInt8.random(in: 0..<6, using: &random) {
    case 0: return .viewfinder
    case 1: return .player
    case 2:
      var levels = InlineArray<36, UInt8>(repeating: 0)
      for index in 0..<36 { levels[index] = .random(in: 0...255, using: &random) }
      return .hangulClock(HangulBoardLevels(levels))
    case 3:
      return .tuner(
        TunerReading(
          note: Bool.random(using: &random) ? nil : .random(in: 0...127, using: &random),
          cents: .random(in: -50...50, using: &random), hertz: .random(in: 20...5_000, using: &random),
          referenceHertz: .random(in: 415...466, using: &random)))
    case 4:
      var chord = ChordReading(name: "F#m7b5", frets: .init(repeating: 0), fingers: .init(repeating: 0))
      for string in 0..<6 {
        chord.frets[string] = .random(in: -1...24, using: &random)
        chord.fingers[string] = .random(in: 0...4, using: &random)
      }
      return .chord(chord)
    default:
      let beatCount = UInt8.random(in: 1...16, using: &random)
      return .metronome(
        MetronomeReading(
          tempo: .random(in: 20...400, using: &random), beatCount: beatCount,
          beat: .random(in: 0..<beatCount, using: &random)))
    }
  }
}
