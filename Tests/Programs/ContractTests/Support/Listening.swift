import Foundation
import MediaZoo
import TestSupport

/// A run of the program with files to play, and the output of its simulated speaker.
struct Listening {
  /// The reply to a command.
  struct Reply {
    var command: String
    /// Its lines, without the last.
    var lines: [String]
    /// `ok`, or a line that begins with `error: `.
    var end: String
  }

  let session: Session
  let exitStatus: Int32
  /// In the order of the commands.
  let replies: [Reply]
  /// The events, without `* `.
  let events: [String]
  let statuses: [RecorderStatus]
  /// The speaker's output from the first frame on: interleaved 16-bit samples.
  let heard: [UInt8]

  /// Runs the commands, and `quit` after them.
  /// - Parameters:
  ///   - files: file paths by their names below `music/`.
  ///   - sampleRateHz: of the speaker.
  ///   - configuration: additional whole sections other than `speaker` and `sim`.
  init(
    _ commands: [String], files: [String: String] = [:], sampleRateHz: Int = 44_100, channelCount: Int = 2,
    configuration: String = "", clock: Session.Clock = .fast, seed: UInt64 = 0
  ) throws {
    let folder = try TemporaryFolder()
    let data = folder.path(of: "data")
    for (name, path) in files { try Self.lay(path, data + "/music/" + name) }
    session = try Session(
      commands + ["status json", "quit"], clock: clock, seed: seed,
      configuration: configuration
        + """

        [speaker]
        sample_rate = \(sampleRateHz)
        channels = \(channelCount)
        format = s16
        [sim]
        speaker_file = heard.raw

        """, dataFolder: data, keeping: folder)
    exitStatus = session.end()
    let lines = try session.lines()
    events = lines.filter { $0.hasPrefix("* ") }.map { String($0.dropFirst(2)) }
    replies = Self.replies(lines.filter { !$0.hasPrefix("* ") }, to: commands)
    statuses = try session.statuses()
    heard = (try? [UInt8](Data(contentsOf: URL(fileURLWithPath: data + "/heard.raw")))) ?? []
  }

  /// The reply to the last command with this beginning.
  func reply(to command: String) -> Reply? { replies.last { $0.command.hasPrefix(command) } }

  /// The replies to all commands with this beginning.
  func allReplies(to command: String) -> [Reply] { replies.filter { $0.command.hasPrefix(command) } }

  /// The commands that failed.
  var errors: [String] { replies.filter { $0.end != "ok" }.map { "\($0.command): \($0.end)" } }

  /// The output without the silence before and after it.
  var sound: ArraySlice<UInt8> { Self.trimmed(heard[...]) }

  /// The sounds between silences of at least this length.
  func sounds(apartBySeconds seconds: Double, sampleRateHz: Int = 44_100) -> [ArraySlice<UInt8>] {
    let gap = Int(seconds * Double(sampleRateHz)) * 4
    var parts: [ArraySlice<UInt8>] = []
    var start = 0
    var lastSound: Int?
    let frameEnd = { [heard] (index: Int) in min((index / 4 + 1) * 4, heard.count) }
    for (index, byte) in heard.enumerated() where byte != 0 {
      if let last = lastSound, index - last > gap {
        parts.append(Self.trimmed(heard[start..<frameEnd(last)]))
        start = index / 4 * 4
      }
      lastSound = index
    }
    if let last = lastSound { parts.append(Self.trimmed(heard[start..<frameEnd(last)])) }
    return parts
  }

  /// A sound without the silence before and after it, in whole frames of two channels.
  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let first = bytes.firstIndex(where: { $0 != 0 }), let last = bytes.lastIndex(where: { $0 != 0 }) else {
      return []
    }
    let start = bytes.startIndex + (first - bytes.startIndex) / 4 * 4
    let end = bytes.startIndex + ((last - bytes.startIndex) / 4 + 1) * 4
    return bytes[start..<end]
  }

  /// Puts a file into a folder, which is created if missing.
  static func lay(_ path: String, _ place: String) throws {
    let folder = place.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // A hard link costs nothing; across file systems the file is copied.
    do { try FileManager.default.linkItem(atPath: path, toPath: place) } catch {
      try FileManager.default.copyItem(atPath: path, toPath: place)
    }
  }

  private static func replies(_ lines: [String], to commands: [String]) -> [Reply] {
    var rest = lines[...]
    return commands.map { command in
      let count = rest.firstIndex { $0 == "ok" || $0.hasPrefix("error: ") }.map { $0 - rest.startIndex } ?? rest.count
      let reply = Reply(
        command: command, lines: Array(rest.prefix(count)), end: rest.dropFirst(count).first ?? "no answer")
      rest = rest.dropFirst(count + 1)
      return reply
    }
  }
}
