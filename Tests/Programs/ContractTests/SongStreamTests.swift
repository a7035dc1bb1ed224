import Foundation
import TestSupport
import Testing

/// What servers put before, between and behind the songs that they send.
@Suite struct SongStreamTests {
  private func listen(_ bench: StreamBench, _ commands: [String]) throws -> Listening {
    try Listening(commands, configuration: bench.configuration)
  }

  /// An MP3 whose first frame tells what LAME put before and after the sound.
  static func lame(seconds: Double = 1.5) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let (wav, mp3) = (folder.path(of: "a.wav"), folder.path(of: "a.mp3"))
    try ForeignProgram.run(
      "ffmpeg",
      [
        "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=440:sample_rate=44100:duration=\(seconds)", "-ac", "2",
        wav,
      ])
    try ForeignProgram.run("lame", ["--quiet", wav, mp3])
    return try [UInt8](Data(contentsOf: URL(fileURLWithPath: mp3)))
  }

  @Test(
    "what an encoder put before and after the sound of an MP3 is not heard over a network either, nor are tags",
    arguments: ["", "ID3v1", "APE", "zeros"])
  func streamedPadding(tail: String) throws {
    let sound = try Self.lame()
    let tails = [
      "ID3v1": [UInt8]("TAGTitle".utf8) + [UInt8](repeating: 0, count: 120),
      "APE": [UInt8]("APETAGEX".utf8) + [UInt8](repeating: 0x55, count: 20_000),
      "zeros": [UInt8](repeating: 0, count: 5_000),
    ]
    let bench = try StreamBench(["tone.mp3": sound + (tails[tail] ?? [])])
    let run = try listen(bench, ["stream \(bench.address("tone.mp3"))", "wait 4"])
    #expect(run.errors == [])
    #expect(run.sound.count == Listening.trimmed(try StreamBench.reference(sound)[...]).count)
  }

  @Test("a station that sends one MP3 after another is heard on beyond the end of the first")
  func severalFiles() throws {
    let sound = try Self.lame()
    let bench = try StreamBench(["tone.mp3": sound + sound])
    let run = try listen(bench, ["stream \(bench.address("tone.mp3"))", "wait 6"])
    #expect(run.errors == [])
    #expect(run.sound.count >= 2 * 4 * 66_150)
  }

  @Test(
    "between the songs that a station sends as Ogg with one number there is no silence", arguments: ["opus", "flac"])
  func sameNumber(codec: String) throws {
    let tone = ["-v", "error", "-f", "lavfi", "-i", "sine=440:sample_rate=44100:duration=1.5", "-ac", "2"]
    let song =
      codec == "opus"
      ? try ForeignProgram.run("ffmpeg", tone + ["-codec:a", "libopus", "-f", "ogg", "-"])
      : try ForeignProgram.run(
        "flac", ["-s", "--ogg", "--serial-number=7", "--ignore-chunk-sizes", "-c", "-"],
        input: try ForeignProgram.run("ffmpeg", tone + ["-f", "wav", "-"]))
    let bench = try StreamBench(["songs.ogg": song + song])
    let run = try listen(bench, ["stream \(bench.address("songs.ogg"))", "wait 6"])
    #expect(run.errors == [])
    #expect(abs(run.sound.count - 2 * 4 * 66_150) < 4 * 100)
  }

  @Test(
    "the title changes with the song that a station sends as Ogg, with one number or with several",
    arguments: ["opus", "flac", "vorbis"], [7, 8])
  func songTitles(codec: String, number: Int) throws {
    let tone = ["-v", "error", "-f", "lavfi", "-i", "sine=440:sample_rate=48000:duration=1.5", "-ac", "2"]
    let wav = try ForeignProgram.run("ffmpeg", tone + ["-f", "wav", "-"])
    func song(_ title: String, _ number: Int) throws -> [UInt8] {
      let (program, options) =
        switch codec {
        case "opus": ("opusenc", ["--quiet", "--ignorelength", "--serial", "\(number)", "--title", title, "-", "-"])
        case "flac":
          (
            "flac",
            ["-s", "--ogg", "--serial-number=\(number)", "--ignore-chunk-sizes", "-T", "title=\(title)", "-c", "-"]
          )
        default: ("oggenc", ["-Q", "--ignorelength", "-s", "\(number)", "-t", title, "-o", "-", "-"])
        }
      return try ForeignProgram.run(program, options, input: wav)
    }
    let bench = try StreamBench(["songs.ogg": try song("One", 7) + song("Two", number)])
    let run = try listen(bench, ["stream \(bench.address("songs.ogg"))", "wait 6"])
    #expect(run.errors == [])
    #expect(run.events.filter { $0.hasPrefix("player item ") } == ["player item One", "player item Two"])
  }
}
