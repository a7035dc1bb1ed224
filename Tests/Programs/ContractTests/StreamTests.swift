import Foundation
import TestSupport
import Testing

/// Streams from servers on loopback, through the fetching service and the decoder to the simulated card.
@Suite struct StreamTests {
  private func listen(_ bench: StreamBench, _ commands: [String], configuration: String = "") throws -> Listening {
    try Listening(commands, configuration: bench.configuration + configuration)
  }

  @Test("an MP3 of a web server plays to its last packet, and the recorder uses no heap")
  func plainServer() throws {
    let mp3 = try StreamBench.mp3(seconds: 3)
    let bench = try StreamBench(["tone.mp3": mp3])
    let run = try listen(bench, ["stream \(bench.address("tone.mp3", "a=b&c=%20"))", "player", "wait 5"])
    #expect(run.exitStatus == 0)
    #expect(run.errors == [])
    let expected = Listening.trimmed(try StreamBench.reference(mp3)[...])
    #expect(abs(run.sound.count - expected.count) <= 4)
    #expect(run.events.contains("stream connected: audio/mpeg"))
    #expect(run.events.contains("stream connection finished"))
    #expect(run.reply(to: "player")?.lines.contains("buffer 1048576 bytes") == true)
    #expect(run.reply(to: "player")?.lines.contains("packets a read 512") == true)
    #expect(run.statuses[0].player.state == "none")
    #expect(run.statuses[0].heapAllocationsSinceBootComplete == 0)
  }

  @Test("without a service, without its socket and without a server the reply says what to do")
  func nothingThere() throws {
    let run = try Listening(["stream http://127.0.0.1:1/x.mp3", "stream file:///etc/passwd", "stream"])
    #expect(
      run.errors == [
        "stream http://127.0.0.1:1/x.mp3: error: stream cannot be fetched: set [stream] socket, and enable fieldcorder-fetch.socket",
        "stream file:///etc/passwd: error: stream expects an address such as http://radio.example/live.mp3, not \"file:///etc/passwd\"",
        "stream: error: stream expects an address",
      ])
    let absent = try Listening(
      ["stream http://127.0.0.1:1/x.mp3"], configuration: "[stream]\nsocket = /nowhere/socket\n")
    #expect(absent.errors.count == 1)
    #expect(absent.errors[0].contains("error: stream /nowhere/socket has no service there (errno 2): enable"))
    let bench = try StreamBench()
    bench.stopServer()
    let unreachable = try listen(bench, ["stream \(bench.address("x.mp3"))"])
    #expect(unreachable.errors.count == 1)
    #expect(unreachable.errors[0].contains("cannot be reached: check the address and the network"))
  }

  /// In real time, with a thread that reads ahead.
  private func converse(_ bench: StreamBench, _ commands: [String]) throws -> Listening {
    try Listening(commands, configuration: bench.configuration, clock: .real)
  }

  @Test("while nothing plays three buffers fill, of 512 packets each, and then the server is held back")
  func heldBack() throws {
    // Half an hour, 28.8 MB.
    let bench = try StreamBench(["long.mp3": try StreamBench.mp3(seconds: 1800)])
    let talk = try converse(bench, ["prepare \(bench.address("long.mp3"))", "wait 4", "player", "wait 6", "player"])
    let first = try #require(talk.allReplies(to: "player").first).lines
    // The first packet was decoded to learn the format.
    #expect(first.contains { $0.hasPrefix("in use 3 buffers, 1535 packets, ") })
    #expect(first.contains("next packet 1536"))
    let second = try #require(talk.allReplies(to: "player").last).lines
    #expect(second.filter { !$0.hasPrefix("position") } == first.filter { !$0.hasPrefix("position") })
    // The kernel's buffers on both sides (tcp_wmem, tcp_rmem), the pipe, and the decoder's buffers.
    #expect(try bench.sentByteCount() < 3 << 20 + 4 << 20 + 1 << 20)
    #expect(talk.errors == [])
  }

  @Test(
    "files that end with, before and after a full buffer, and fill exactly three, are heard to the last packet",
    arguments: Cases.some(
      3,
      of: [(2, .fast), (511, .fast), (512, .fast), (513, .fast), (1536, .fast), (2, .real), (513, .real)]
        as [(Int, Session.Clock)]))
  func packetCounts(count: Int, clock: Session.Clock) throws {
    // Without a tag that counts the packets, so that every packet is sound.
    let long = try StreamBench.mp3(seconds: 45, options: ["-b:a", "32k", "-write_xing", "0", "-id3v2_version", "0"])
    let bytes = Array(long.prefix(Self.byteCount(ofPackets: count, in: long)))
    let bench = try StreamBench(["cut.mp3": bytes])
    let run = try Listening(
      ["stream \(bench.address("cut.mp3"))", "player", "wait \(2 + count / 38)"], configuration: bench.configuration,
      clock: clock)
    #expect(run.errors == [])
    let expected = Listening.trimmed(try StreamBench.reference(bytes)[...])
    #expect(abs(run.sound.count - expected.count) <= 4)
    #expect(run.statuses[0].player.state == "none")
  }

  /// The end of an MP3 frame (ISO/IEC 11172-3, 2.4.1.3), by adding up the sizes of all frames up to it.
  private static func byteCount(ofPackets count: Int, in bytes: [UInt8]) -> Int {
    var offset = 0
    for _ in 0..<count {
      let padding = Int(bytes[offset + 2] >> 1 & 1)
      offset += 144 * 32_000 / 44_100 + padding
    }
    return offset
  }

  /// Loud first, then quiet: a file with a variable bit rate would seem shorter if judged by its beginning.
  private func coded(_ name: String, _ options: [String]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = folder.path(of: name)
    let noise = "aevalsrc='(random(0)-0.5)*lt(t,15)+0.1*sin(2000*t)':d=40:s=44100"
    try ForeignProgram.run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", noise, "-ac", "2"] + options + [path])
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test(
    "the length of a file that a server sends is that of its sound, or is not told",
    arguments: Cases.some(
      4,
      of: [
        ("xing.mp3", ["-q:a", "4"], 40, ""), ("opus", [], 40, ""), ("ogg", ["-c:a", "libvorbis"], 40, ""),
        ("vbr.mp3", ["-q:a", "4", "-write_xing", "0"], 0, ""),
        ("cbr.mp3", ["-b:a", "128k", "-write_xing", "0"], 40, ""),
        ("oga", ["-c:a", "flac"], 40, ""), ("opus", [], 0, "ranges=no"), ("spx", ["-ar", "16000"], 40, ""),
        ("flac", [], 40, ""), ("m4a", ["-movflags", "+faststart"], 40, ""), ("wav", [], 40, ""), ("caf", [], 40, ""),
        ("aac", [], 0, ""), ("webm", ["-c:a", "libopus"], 40, ""), ("aac.mka", ["-c:a", "aac"], 40, ""),
      ] as [(String, [String], Double, String)]))
  func lengths(name: String, options: [String], seconds: Double, query: String) throws {
    let bench = try StreamBench(["long.\(name)": try coded("long.\(name)", options)])
    let talk = try converse(bench, ["stream \(bench.address("long.\(name)", query))", "wait 1", "player", "stop"])
    #expect(talk.errors == [])
    let reply = try #require(talk.reply(to: "player"))
    let told = try #require(PlayerReply(reply).durationSeconds)
    // Tolerances for whole packets, an encoder's delay that no header tells (cbr.mp3: 40.0457 s are heard), milliseconds.
    #expect(abs(told - seconds) < (["cbr.mp3", "spx", "webm", "aac.mka"].contains(name) ? 0.05 : 0.002), "\(told)")
  }

  @Test("files that were put together have no length that one of them tells", arguments: ["opus", "mp3"])
  func joinedLength(ending: String) throws {
    let bytes = try coded("one.\(ending)", ending == "mp3" ? ["-q:a", "4"] : ["-t", "20"])
    let other = try coded("other.\(ending)", [])
    let bench = try StreamBench(["both.\(ending)": bytes + other])
    let talk = try converse(bench, ["stream \(bench.address("both.\(ending)"))", "wait 1", "player", "stop"])
    #expect(talk.errors == [])
    #expect(talk.reply(to: "player")?.lines.contains("duration 0.000 s") == true)
  }

  @Test("a server that sends a byte at a time is played to the end")
  func trickle() throws {
    let mp3 = try StreamBench.mp3(seconds: 1)
    let bench = try StreamBench(["tone.mp3": mp3])
    let run = try listen(bench, ["stream \(bench.address("tone.mp3", "mode=trickle"))", "wait 2"])
    #expect(run.errors == [])
    #expect(abs(run.sound.count - Listening.trimmed(try StreamBench.reference(mp3)[...]).count) <= 4)
  }

  @Test(
    "a file whose server breaks off again and again is gone on with at the byte, and not a sample is missing",
    arguments: Cases.some(1, of: ["", "&ranges=no"]))
  func resumes(ranges: String) throws {
    let mp3 = try StreamBench.mp3(seconds: 10)
    let bench = try StreamBench(["tone.mp3": mp3])
    // Without ranges each attempt starts from the beginning: it must get further than the one before.
    let bytes = ranges.isEmpty ? 30_000 : 120_000
    let run = try listen(
      bench, ["stream \(bench.address("tone.mp3", "mode=drop&bytes=\(bytes)\(ranges)"))", "wait 12"])
    #expect(run.errors == [])
    #expect(run.events.contains("stream was cut off: reconnecting in 0.125 s"))
    guard ranges.isEmpty else { return }
    #expect(run.events.contains("stream connection finished"))
    #expect(abs(run.sound.count - Listening.trimmed(try StreamBench.reference(mp3)[...]).count) <= 4)
  }

  @Test("a server that refuses the part that was asked for sends all of it anew, and is asked no more than that")
  func refusesParts() throws {
    let mp3 = try StreamBench.mp3(seconds: 10)
    let bench = try StreamBench(["tone.mp3": mp3])
    let address = bench.address("tone.mp3", "mode=drop&bytes=60000&once=1&ranges=refused")
    let run = try listen(bench, ["stream \(address)", "wait 12"])
    #expect(run.errors == [])
    #expect(run.events.contains("stream connection finished"))
    #expect(abs(run.sound.count - Listening.trimmed(try StreamBench.reference(mp3)[...]).count) <= 4)
    // The first, the part, and the whole.
    #expect(try bench.connectionCount() == 3)
  }

  @Test(
    "a station's titles are read in the charset that it writes, without a semicolon too",
    arguments: [("cp949", "봄날"), ("latin-1", "Müller"), ("cp1251", "Группа крови")])
  func foreignTitles(charset: String, title: String) throws {
    let bench = try StreamBench(["tone.mp3": try StreamBench.mp3(seconds: 30)])
    let field = "StreamTitle='\(title)'".addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let talk = try converse(
      bench,
      ["stream \(bench.address("tone.mp3", "mode=icy&linger=5&charset=\(charset)&titles=\(field)"))", "wait 2", "stop"])
    #expect(talk.errors == [])
    #expect(talk.events.contains("stream title \(title)"))
  }

  @Test("an address in capitals leads through playlists within playlists, marks, spaces and quotes to its sound")
  func oddPlaylists() throws {
    let bench = try StreamBench([
      "tone.mp3": try StreamBench.mp3(seconds: 1), "outer.m3u": Array("\u{FEFF}#EXTM3U\r\nmiddle\r\n".utf8),
      "middle": Array("\u{FEFF}[Playlist]\nFILE1 = \"inner.txt\"\n".utf8),
      "inner.txt": Array("file1='tone.mp3'\n".utf8),
    ])
    let address = bench.address("outer.m3u").replacingOccurrences(of: "http:", with: "HTTP:")
    let run = try listen(bench, ["stream \(address)", "wait 2", "player"])
    #expect(run.errors == [])
    #expect(run.events.contains("stream connection finished"))
  }

  @Test("the socket of a service that was killed is no obstacle to the next one")
  func staleSocket() throws {
    let bench = try StreamBench(["tone.mp3": try StreamBench.mp3(seconds: 1)])
    try bench.replaceService()
    #expect(bench.isServing)
    let run = try listen(bench, ["stream \(bench.address("tone.mp3"))", "wait 2"])
    #expect(run.errors == [])
    #expect(run.events.contains("stream connection finished"))
  }

  @Test("a password and a token of an address stand nowhere: not in replies, events, the status or any file")
  func hiddenSecrets() throws {
    let bench = try StreamBench(["tone.mp3": try StreamBench.mp3(seconds: 3)])
    let addresses = [
      bench.address("tone.mp3", "token=Kq7").replacingOccurrences(of: "//", with: "//me:Kq7@Kq7@"),
      bench.address("none.mp3", "a=1&api_key=Kq7").replacingOccurrences(of: "//", with: "//Kq7%40@"),
      "http://u:Kq7@[::1]:1/x",
    ]
    let run = try listen(
      bench,
      addresses.flatMap { ["stream \($0)", "wait 0.5", "player", "status json", "queue \($0)", "queue"] }
        + ["events", "why"])
    let shown = run.replies.flatMap { $0.lines + [$0.end] } + run.events
    #expect(shown.contains { $0.contains("***") })
    #expect(shown.allSatisfy { !$0.contains("Kq7") })
    let folder = run.session.dataFolder
    for name in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
      let bytes = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
      #expect(bytes.range(of: Data("Kq7".utf8)) == nil, "\(name)")
    }
  }

  @Test("ICY metadata is taken out of the sound, and its title is told")
  func icy() throws {
    let mp3 = try StreamBench.mp3(seconds: 20)
    let bench = try StreamBench(["tone.mp3": mp3])
    let talk = try converse(
      bench, ["stream \(bench.address("tone.mp3", "mode=icy&linger=30"))", "wait 3", "player", "stop", "player"])
    #expect(talk.errors == [])
    #expect(talk.events.contains("stream connected: audio/mpeg"))
    #expect(talk.events.contains("stream title Test Station"))
    #expect(talk.events.contains("stream title One") || talk.events.contains("stream title Two"))
    let replies = talk.allReplies(to: "player").map(\.lines)
    #expect(replies[0].contains("item One") || replies[0].contains("item Two"))
    #expect(replies[0].contains("underruns 0"))
    #expect(replies[1].contains("state none"))
  }

  @Test("MP3 of Debian's Icecast plays without a click, and its titles are told as its administrator changes them")
  func icecast() throws {
    let icecast = try Icecast()
    try icecast.start()
    let mp3 = try StreamBench.mp3(seconds: 300, options: ["-b:a", "320k"])
    let station = try Icecast.Station(mp3, titles: ["First song", "봄날"], at: icecast, mount: "/mount.mp3")
    defer { withExtendedLifetime(station) {} }
    let bench = try StreamBench()
    let talk = try converse(
      bench, ["stream http://127.0.0.1:\(icecast.port)/mount.mp3", "wait 20", "player", "stop"])
    #expect(talk.errors == [])
    #expect(talk.events.contains("stream connected: audio/mpeg"))
    #expect(talk.events.contains("stream title First song") && talk.events.contains("stream title 봄날"))
    let lines = talk.reply(to: "player")?.lines ?? []
    #expect(lines.contains("item First song") || lines.contains("item 봄날"))
    #expect(lines.contains("underruns 0"))
    // Remains of a title in the sound, or bytes removed with it, would be a step in the sine: ffmpeg's has an eighth of
    // full scale, and its slope is 2π 440 Hz. It is faded at both ends.
    let samples = Self.left(talk.sound)
    #expect(samples.count > 44_100)
    let middle = samples.dropFirst(4_410).dropLast(4_410)
    let steepest = zip(middle, middle.dropFirst()).map { abs(Int($0) - Int($1)) }.max() ?? .max
    #expect(steepest <= 4_096 * 2 * 314 * 440 / 100 / 44_100 + 20, "\(steepest)")
  }

  /// The first channel of two-channel 16-bit sound.
  private static func left(_ bytes: ArraySlice<UInt8>) -> [Int16] {
    stride(from: bytes.startIndex, to: bytes.endIndex - 3, by: 4).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }

  @Test("playlists and redirects are followed, but not to another private address, and not to another scheme")
  func leads() throws {
    let mp3 = try StreamBench.mp3(seconds: 1)
    let pls = "[playlist]\nFile1=http://127.0.0.1:1/none.mp3\nFile2=tone.mp3\n"
    let bench = try StreamBench([
      "tone.mp3": mp3, "list.pls": Array(pls.utf8), "list.m3u": Array("#EXTM3U\ntone.mp3\n".utf8),
    ])
    let elsewhere = "http://localhost:\(bench.port)/tone.mp3"
    let addresses = [
      bench.address("list.pls"), bench.address("list.m3u"), bench.address("x", "mode=redirect&to=/tone.mp3"),
      bench.address("x", "mode=redirect&to=\(elsewhere)"), bench.address("x", "mode=redirect&to=file:///etc/passwd"),
      // A redirect to itself.
      bench.address("x", "mode=hostile&seed=3"),
      bench.address("x", "mode=status&status=404"),
      bench.address("x", "mode=redirect&to=http://10.0.0.1/"),
    ]
    let run = try listen(bench, addresses.flatMap { ["stream \($0)", "wait 2"] })
    let ends = run.allReplies(to: "stream").map(\.end)
    #expect(Array(ends.prefix(3)) == ["ok", "ok", "ok"])
    let problems = [
      "leads to a private address that was not given", "leads to something other than http or https",
      "is redirected too often", "was not found on its server", "leads to a private address that was not given",
    ]
    #expect(ends.count == 3 + problems.count)
    for (end, problem) in zip(ends.dropFirst(3), problems) { #expect(end.contains(problem), "\(end)") }
  }

  /// `FIELDCORDER_OUTAGES=100` tests more outages, at 2 s each.
  private static var outageCount: Int {
    ProcessInfo.processInfo.environment["FIELDCORDER_OUTAGES"].flatMap { Int($0) } ?? 8
  }

  @Test("a live server that vanishes and comes back is heard again, outage after outage")
  func outages() throws {
    let mp3 = try StreamBench.mp3(seconds: 30)
    let bench = try StreamBench(["tone.mp3": mp3])
    // The bit rate is 16,000 bytes a second; the first half second comes at once, and each connection lasts two:
    // slightly more arrives than is played, and only after minutes so much that the server is held back.
    let live = bench.address("tone.mp3", "mode=live&rate=16000&burst=0.5&seconds=2")
    let talk = try converse(bench, ["stream \(live)", "wait \(Self.outageCount * 5 / 2 + 10)", "player"])
    #expect(talk.errors == [])
    #expect(talk.events.count { $0.hasPrefix("stream connected") } > Self.outageCount)
    #expect(talk.events.count { $0 == "stream was cut off: reconnecting in 0.125 s" } >= Self.outageCount)
    // Longer than the buffer that was full at first.
    let reply = try #require(talk.allReplies(to: "player").first).lines
    #expect(reply.contains("state playing") && reply.contains("underruns 0"))
  }

  @Test("a stream beside a take: the take has every sample, with not one allocation")
  func besideATake() throws {
    let mp3 = try StreamBench.mp3(seconds: 20)
    let bench = try StreamBench(["tone.mp3": mp3])
    let sound =
      "[record]\nwhat = audio\npreroll_seconds = 2\n[audio]\nsample_rate = 16000\nchannels = 1\nformat = s16\n"
    let run = try Listening(
      [
        "wait 3", "record start", "stream \(bench.address("tone.mp3", "mode=drop&bytes=40000"))", "wait 6",
        "record stop", "wait 1",
      ],
      configuration: bench.configuration + sound, seed: 44)
    #expect(run.errors == [])
    let path = try #require(run.session.takes().first)
    let heard = HeardSound(
      try ForeignProgram.decodeSamples(path), seed: 44, channelCount: 1, sampleRateHz: 16_000)
    #expect(heard.mismatch(from: try #require(heard.firstFrame)) == nil)
    #expect(run.statuses.last?.audioOverruns == 0)
    #expect(run.statuses.last?.heapAllocationsSinceBootComplete == 0)
  }

  @Test("1,000 hostile servers beside a take: the service and the recorder live, and the take has every sample")
  func hostileServers() throws {
    let bench = try StreamBench()
    let sound =
      "[record]\nwhat = audio\npreroll_seconds = 2\n[audio]\nsample_rate = 16000\nchannels = 1\nformat = s16\n"
    let visits = (0..<1000).flatMap { ["stream \(bench.address("x", "mode=hostile&seed=\($0)"))", "dispose"] }
    let run = try Listening(
      ["wait 3", "record start"] + visits + ["record stop", "wait 1"], configuration: bench.configuration + sound,
      seed: 45)
    #expect(run.exitStatus == 0)
    let replies = run.allReplies(to: "stream")
    #expect(replies.count == 1000)
    #expect(replies.allSatisfy { $0.end == "ok" || $0.end.hasPrefix("error: ") })
    #expect(bench.isServing)
    let path = try #require(run.session.takes().first)
    let heard = HeardSound(
      try ForeignProgram.decodeSamples(path), seed: 45, channelCount: 1, sampleRateHz: 16_000)
    #expect(heard.mismatch(from: try #require(heard.firstFrame)) == nil)
    #expect(run.statuses.last?.heapAllocationsSinceBootComplete == 0)
  }

  @Test("what has no positions refuses to be sought in")
  func noPositions() throws {
    let bench = try StreamBench(["tone.mp3": try StreamBench.mp3(seconds: 3)])
    let run = try listen(
      bench,
      ["stream \(bench.address("tone.mp3"))", "seek 1", "loop 0 1", "queue \(bench.address("tone.mp3"))", "queue"])
    #expect(
      run.errors == [
        "seek 1: error: a stream has no positions to seek to", "loop 0 1: error: a stream has no positions to seek to",
      ])
    #expect(run.reply(to: "queue")?.lines.contains { $0.contains(bench.address("tone.mp3")) } == true)
  }
}
