import Foundation
import MediaZoo
import TestSupport
import Testing

/// The files on the card, as listed by `list`, `find` and `queue`.
@Suite struct LibraryContractTests {
  /// A tagged file of one second.
  private static func tagged(_ ending: String, _ title: String, _ artist: String) throws -> String {
    try Zoo.shared.made("\(artist)-\(title).\(ending)") { path in
      let input = try Zoo.shared.path(of: Signal(frameCount: 44_100))
      try ForeignProgram.run(
        "ffmpeg",
        [
          "-nostdin", "-v", "error", "-i", input, "-metadata", "title=\(title)", "-metadata", "artist=\(artist)", path,
        ])
    }
  }

  private static func music() throws -> [String: String] {
    [
      "1.flac": try tagged("flac", "봄날의 노래", "김 가수"), "2.mp3": try tagged("mp3", "Été indien", "Zoë"),
      "3.m4a": try tagged("m4a", "Straße", "김 가수"), "deep/4.ogg": try tagged("ogg", "ПЕСНЯ", "Zoë"),
      "5.wav": try Zoo.shared.path(of: Specimen.families[0]),
    ]
  }

  @Test("files on the card are listed with title, artist and length, and found in any case and script")
  func find() throws {
    let run = try Listening(
      [
        "record start", "wait 3", "record stop", "wait 3", "list", "list music", "list video", "list photo",
        "find artist 김", "find title 봄날", "find title ÉTÉ", "find title strasse", "find artist zoë", "find title песня",
        "find artist nobody",
      ], files: Self.music())
    #expect(run.exitStatus == 0 && run.errors == [])
    let music = try #require(run.reply(to: "list music")).lines
    #expect(music.count == 5)
    #expect(music.contains("music/1.flac, 1.0 s, 봄날의 노래 - 김 가수"))
    #expect(music.contains("music/deep/4.ogg, 1.0 s, ПЕСНЯ - Zoë"))
    #expect(music.contains("music/5.wav, 2.0 s"))
    let video = try #require(run.reply(to: "list video")).lines
    #expect(video.count == 1 && video[0].hasPrefix("video/20260101/"))
    #expect(try #require(run.replies.first { $0.command == "list" }).lines.count == 6)
    #expect(try #require(run.reply(to: "list photo")).lines == [])
    func found(_ command: String) throws -> Set<String> {
      Set(try #require(run.reply(to: command)).lines.map { String($0.prefix { $0 != "," }) })
    }
    #expect(try found("find artist 김") == ["music/1.flac", "music/3.m4a"])
    #expect(try found("find title 봄날") == ["music/1.flac"])
    #expect(try found("find title ÉTÉ") == ["music/2.mp3"])
    #expect(try found("find title strasse") == ["music/3.m4a"])
    #expect(try found("find artist zoë") == ["music/2.mp3", "music/deep/4.ogg"])
    #expect(try found("find title песня") == ["music/deep/4.ogg"])
    #expect(try found("find artist nobody") == [])
  }

  @Test("all files of an artist are queued and played one after the other, and each is announced as title - artist")
  func queueArtist() throws {
    let run = try Listening(
      ["wait 3", "queue artist 김", "play", "wait 4", "queue artist nobody", "queue clear", "queue"],
      files: Self.music())
    #expect(run.exitStatus == 0 && run.errors.count == 1)
    #expect(
      run.events.filter { $0.hasPrefix("player item") } == [
        "player item 봄날의 노래 - 김 가수", "player item Straße - 김 가수",
      ])
    let signal = Signal(frameCount: 44_100).bytes()
    #expect(firstDifference(run.sound.prefix(signal.count), signal) == nil)
    #expect(abs(run.sound.count - 2 * signal.count) < 44_100 * 4 / 10)
  }

  @Test("the queue tells what plays, takes numbers of the last list, and is replaced whole or not at all")
  func queueByNumber() throws {
    let run = try Listening(
      [
        "wait 3", "queue 1", "prepare music/5.wav", "queue music/1.flac music/2.mp3", "queue", "play 2", "queue",
        "list music", "queue replace 3 1-2", "queue", "queue replace music/1.flac music/none", "queue", "dispose",
        "list music",
        "play 4", "player", "queue shuffle on", "queue",
      ], files: Self.music())
    #expect(
      run.replies[1].end
        == "error: there is no take 1: takes lists them, and list all files")
    // The open file is the one that `play` plays, so no queue item is marked.
    #expect(
      run.replies[4].lines == [
        "- > 5.wav, which is not in the queue", "1   봄날의 노래 - 김 가수, music/1.flac", "2   Été indien - Zoë, music/2.mp3",
      ])
    #expect(run.replies[6].lines.first == "1   봄날의 노래 - 김 가수, music/1.flac")
    #expect(run.replies[6].lines.last == "2 > Été indien - Zoë, music/2.mp3")
    #expect(run.replies[8].lines == ["3 queued, 3 in the queue"])
    #expect(
      run.replies[9].lines == [
        "- > Été indien - Zoë, music/2.mp3, which is not in the queue", "1   Straße - 김 가수, music/3.m4a",
        "2   봄날의 노래 - 김 가수, music/1.flac", "3   Été indien - Zoë, music/2.mp3",
      ])
    #expect(run.replies[10].end == "error: music/none does not exist")
    #expect(run.replies[11].lines == run.replies[9].lines)
    #expect(run.replies[15].lines.contains("file music/5.wav"))
    #expect(run.replies[17].lines.last == "repeat off, shuffle on")
  }

  @Test("lyrics are told with the line that is sung, and artwork is drawn, of the open file and of any other")
  func lyricsAndArtwork() throws {
    let sound = try Zoo.shared.path(of: Signal(frameCount: 441_000))
    let picture = try Zoo.shared.made("cover.png") {
      try ForeignProgram.run("convert", ["-size", "300x300", "xc:#ff0000", $0])
    }
    let song = try Zoo.shared.made("song.flac") {
      try ForeignProgram.run(
        "flac",
        ["--silent", "--picture", picture, "-T", "LYRICS=[00:01]one\n[00:03]two\n[00:08]three", "-o", $0, sound])
    }
    let run = try Listening(
      [
        "wait 3", "lyrics", "artwork", "lyrics music/plain.wav", "artwork music/plain.wav", "prepare music/song.flac",
        "lyrics", "play", "wait 5", "lyrics", "artwork", "status json",
      ], files: ["song.flac": song, "plain.wav": sound])
    #expect(run.replies[1].end == "error: nothing is open: prepare a file first")
    #expect(run.replies[2].end == run.replies[1].end)
    #expect(run.replies[3].end == "error: music/plain.wav has no lyrics")
    #expect(run.replies[4].end == "error: music/plain.wav has no JPEG or PNG picture")
    #expect(run.replies[6].lines == ["  0:01  one", "  0:03  two", "  0:08  three"])
    #expect(run.replies[9].lines == ["  0:01  one", "> 0:03  two", "  0:08  three"])
    let drawing = run.replies[10].lines
    #expect(drawing.count > 10 && drawing.allSatisfy { $0.hasPrefix("\u{1B}[38;2;255;0;0m\u{1B}[48;2;255;0;0m▀") })
    #expect(run.statuses[0].heapAllocationsSinceBootComplete == 0)
  }

  @Test("10,000 files are indexed while a take is recorded, and every sample of it is there")
  func manyFiles() throws {
    let path = try Zoo.shared.path(of: Specimen.families[0].of(Signal(frameCount: 441), as: "tiny.wav"))
    let files = Dictionary(
      uniqueKeysWithValues: (0..<10_000).map { (String(format: "%02d/%05d.wav", $0 / 500, $0), path) })
    let run = try Listening(
      ["record start", "wait 60", "list music", "record stop", "wait 2"], files: files,
      configuration: """
        [record]
        what = audio
        [audio]
        sample_rate = 16000
        channels = 1
        format = s16

        """, seed: 3)
    #expect(run.exitStatus == 0 && run.errors == [])
    let listed = try #require(run.reply(to: "list music")).lines
    #expect(listed.count == 10_000)
    #expect(listed == listed.sorted())
    let status = try #require(run.statuses.last)
    #expect(status.audioOverruns == 0)
    #expect(status.heapAllocationsSinceBootComplete == 0)
    let sound = HeardSound(
      try ForeignProgram.decodeSamples(try #require(run.session.takes().first)), seed: 3, channelCount: 1,
      sampleRateHz: 16_000)
    #expect(sound.mismatch(from: try #require(sound.firstFrame)) == nil)
  }
}
