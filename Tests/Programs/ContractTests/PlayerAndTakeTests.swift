import Foundation
import MediaZoo
import TestSupport
import Testing

/// Playback does not affect recording, whatever is played.
@Suite struct PlayerAndTakeTests {
  private static let sound = """
    [record]
    what = audio
    preroll_seconds = 2
    [audio]
    sample_rate = 16000
    channels = 1
    format = s16

    """

  private func expectWhole(_ run: Listening, seconds: Double, seed: UInt64) throws {
    let path = try #require(run.session.takes().first)
    let sound = HeardSound(
      try ForeignProgram.decodeSamples(path), seed: seed, channelCount: 1, sampleRateHz: 16_000)
    #expect(abs(Double(sound.frameCount) / 16_000 - seconds) < 1)
    #expect(sound.mismatch(from: try #require(sound.firstFrame)) == nil)
    let status = try #require(run.statuses.last)
    #expect(status.audioFrames == UInt64(sound.frameCount))
    #expect(status.audioOverruns == 0)
    #expect(status.heapAllocationsSinceBootComplete == 0)
  }

  @Test("a take recorded while a reference plays is complete, and so is the sound that was played")
  func playAlong() throws {
    let signal = Signal(frameCount: 264_600)
    let path = try Zoo.shared.path(of: Specimen.families[3].of(signal, as: "along.flac"))
    let run = try Listening(
      ["wait 3", "prepare music/a.flac", "record start", "wait 1", "play", "wait 8", "record stop", "wait 1"],
      files: ["a.flac": path], configuration: Self.sound, seed: 31)
    #expect(run.exitStatus == 0 && run.errors == [])
    #expect(firstDifference(run.sound, signal.bytes()) == nil)
    #expect(try run.session.lines().contains { $0.hasPrefix("{") && $0.contains("\"underruns\":0") })
    try expectWhole(run, seconds: 11, seed: 31)
  }

  @Test(
    "for a minute the metronome clicks with the exact sample while a take is recorded, which is complete",
    arguments: Cases.some(1, of: [20, 120, 400]))
  func metronome(beatsPerMinute: Int) throws {
    let run = try Listening(
      [
        "wait 3", "record start", "metronome \(beatsPerMinute)", "chord F#m7b5 3", "wait 60", "metronome off",
        "record stop", "wait 1",
      ], configuration: Self.sound, seed: 35)
    #expect(run.exitStatus == 0 && run.errors == [])
    try expectWhole(run, seconds: 62, seed: 35)
    let samples = stride(from: 0, to: run.heard.count - 3, by: 4).map { run.heard[$0] | run.heard[$0 + 1] }
    var onsets: [Int] = []
    var lastHeard = -1000
    // The chord sounds first, for four seconds.
    for (frame, sample) in samples.enumerated() where sample != 0 {
      if frame - lastHeard > 88, frame > 5 * 44_100 { onsets.append(frame) }
      lastHeard = frame
    }
    let first = try #require(onsets.first)
    let expected = (0...61 * beatsPerMinute / 60).map { $0 * 60 * 44_100 / beatsPerMinute }.filter { $0 >= first }
    #expect(onsets == Array(expected.prefix(onsets.count)))
    #expect(abs(onsets.count - 55 * beatsPerMinute / 60) <= 1)
  }

  @Test("the part of a take that is on the card can be played while the take grows")
  func growingTake() throws {
    let run = try Listening(
      [
        "wait 3", "record start", "wait 5", "prepare audio/20260101/20260101_000001_0001.wav", "play", "wait 2",
        "record stop",
        "wait 6",
      ], sampleRateHz: 16_000, configuration: Self.sound, seed: 33)
    #expect(run.exitStatus == 0 && run.errors == [])
    // Two channels of 16 bits: the part that was on the card when the file was opened.
    #expect(run.sound.count > 4 * 16_000 * 4)
    try expectWhole(run, seconds: 9, seed: 33)
  }

  @Test("1,000 damaged files are played while a take is recorded: the take has every sample")
  func damagedFiles() throws {
    let whole = try Specimen.families.map { family in
      let short = family.of(Signal(frameCount: 20_000), as: "short-\(family.name)")
      return (family.name, [UInt8](try Data(contentsOf: URL(fileURLWithPath: Zoo.shared.path(of: short)))))
    }
    let folder = try TemporaryFolder()
    var commands = ["wait 3", "record start"]
    var files: [String: String] = [:]
    for seed in 0..<1_000 {
      var generator = SeededGenerator(seed: UInt64(10_000 + seed))
      let (name, bytes) = whole[seed % whole.count]
      let file = "\(seed)-\(name)"
      files[file] = try folder.write(Mutation.mutated(bytes, using: &generator), as: file)
      commands += ["prepare music/\(file)", "play", "wait 0.1"]
    }
    let run = try Listening(commands + ["record stop", "wait 1"], files: files, configuration: Self.sound, seed: 32)
    #expect(run.exitStatus == 0)
    #expect(run.replies.count == commands.count + 2 && run.replies.last?.end == "ok")
    let prepared = run.allReplies(to: "prepare").map(\.end)
    #expect(prepared.count { $0 == "ok" } > 200)
    #expect(prepared.allSatisfy { $0 == "ok" || $0.hasPrefix("error: music/") || $0.contains("decoder") })
    print("1,000 damaged files while recording:", run.events.filter { $0.contains("decoder") })
    try expectWhole(run, seconds: (try #require(run.statuses.last)).seconds, seed: 32)
  }

  @Test("a file that is not media is reported in one line within two seconds, and the next one plays")
  func badFiles() throws {
    let bad = BadFile.all.filter {
      !["nowhere.wav", "loop.wav", "device.wav", "pipe.wav", "folder.wav"].contains($0.name)
    }
    var files = try Dictionary(uniqueKeysWithValues: bad.map { ($0.name, try $0.path()) })
    files["good.flac"] = try Zoo.shared.path(of: Specimen.families[3])
    let run = try Listening(
      bad.flatMap { ["prepare music/\($0.name)"] } + ["prepare music/good.flac", "play", "wait 4"], files: files)
    #expect(run.exitStatus == 0)
    for reply in run.replies.prefix(bad.count) {
      #expect(reply.end.hasPrefix("error: music/"), "\(reply.command): \(reply.end)")
    }
    #expect(run.errors.count == bad.count)
    #expect(firstDifference(run.sound, Signal.ordinary.bytes()) == nil)
  }

  @Test("the decoder is killed while it plays: a line reports it, the music goes on, the take has every sample")
  func killedDecoder() throws {
    let signal = Signal(frameCount: 264_600)
    let folder = try TemporaryFolder()
    let data = folder.path(of: "data")
    try Listening.lay(
      Zoo.shared.path(of: Specimen.families[3].of(signal, as: "along.flac")), data + "/music/a.flac")
    let session = try Session(
      [
        "wait 1", "record start", "prepare music/a.flac", "play", "status json", "wait 8", "record stop", "wait 1",
        "status json", "quit",
      ], clock: .real, seed: 34,
      configuration: Self.sound + "[speaker]\nsample_rate = 44100\nformat = s16\n[sim]\nspeaker_file = heard.raw\n",
      dataFolder: data, keeping: folder)
    try session.waitForLines(1, beginningWith: "{")
    usleep(1_500_000)
    #expect(session.killChildren() >= 1)
    #expect(session.end() == 0)
    #expect(try session.lines().contains { $0.hasPrefix("* decoder ") && $0.contains("signal 9") })
    let status = try #require(try session.statuses().last)
    #expect(status.player.state == "stopped")
    #expect(status.audioOverruns == 0)
    // Every frame was played, possibly with silence in between.
    let heard = try [UInt8](Data(contentsOf: URL(fileURLWithPath: data + "/heard.raw")))
    #expect(firstDifference(Self.audible(heard), Self.audible(signal.bytes())) == nil)
  }

  /// A sound without its silent frames.
  private static func audible(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: 4).reduce(into: []) { result, index in
      let frame = bytes[index..<index + 4]
      if frame.contains(where: { $0 != 0 }) { result += frame }
    }
  }
}
