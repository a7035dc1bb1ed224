import Foundation
import TestSupport
import Testing

/// Streams of servers that write odd headers, or send something other than sound.
@Suite struct OddServerTests {
  private func address(_ bench: StreamBench, _ name: String, head: String, isPacked: Bool = false) -> String {
    let head = head.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return bench.address(name, "mode=bare&head=\(head)" + (isPacked ? "&packed=1" : ""))
  }

  @Test(
    "sound is heard whatever a server says of it",
    arguments: [
      // Compressed, with and without a length of its own, and only said to be.
      ("HTTP/1.1 200 OK|Content-Encoding: gzip", true), ("HTTP/1.1 200 OK|content-encoding: x-gzip", true),
      ("HTTP/1.1 200 OK|Content-Encoding: gzip", false), ("HTTP/1.1 200 OK|Content-Encoding: UTF-8", false),
      // As old servers begin, and with a length that is none.
      ("HTTP 200 OK|Content-Type: audio/mpeg", false), ("ICY 200 OK|content-type:audio/mpeg", false),
      ("HTTP/1.0 200 OK|Content-Length: -1", false), ("HTTP/1.0 200 OK|Content-Type: text/html", false),
    ])
  func oddHeads(head: String, isPacked: Bool) throws {
    let mp3 = try StreamBench.mp3(seconds: 3)
    let bench = try StreamBench(["tone.mp3": mp3])
    let run = try Listening(
      ["stream \(address(bench, "tone.mp3", head: head, isPacked: isPacked))", "wait 5"],
      configuration: bench.configuration)
    #expect(run.errors == [])
    // Without a length the server is asked again, as a station is.
    let expected = Listening.trimmed(try StreamBench.reference(mp3)[...])
    #expect(run.sound.count >= expected.count - 4)
    #expect(run.sound.prefix(expected.count / 2).elementsEqual(expected.prefix(expected.count / 2)))
  }

  @Test("a playlist is read that a server compresses, though nobody asked for it")
  func packedPlaylist() throws {
    let bench = try StreamBench([
      "tone.mp3": try StreamBench.mp3(seconds: 1), "list.m3u": Array("#EXTM3U\ntone.mp3\n".utf8),
    ])
    let list = address(bench, "list.m3u", head: "HTTP/1.1 200 OK|Content-Encoding: gzip", isPacked: true)
    let run = try Listening(["stream \(list)", "wait 2"], configuration: bench.configuration)
    #expect(run.errors == [])
    #expect(run.events.contains("stream connection finished"))
  }

  @Test("a file whose server tells no length is heard once, and a playlist that comes byte by byte is followed")
  func endless() throws {
    let bench = try StreamBench([
      "tone.mp3": try StreamBench.mp3(seconds: 3), "list": Array("#EXTM3U\ntone.mp3\n".utf8),
    ])
    let endless = address(bench, "tone.mp3", head: "HTTP/1.0 200 OK|Content-Type: audio/mpeg")
    for address in [endless, bench.address("list", "mode=trickle")] {
      let run = try Listening(["stream \(address)", "wait 9"], configuration: bench.configuration)
      #expect(run.errors == [])
      #expect(run.events.contains("stream connection finished"), "\(address)")
      #expect(abs(run.sound.count / 4 - 3 * 44_100) <= 2304, "\(address)")
    }
  }

  @Test("a playlist is followed though it is cut off, longer than is read, or far from its sound")
  func oddPlaylists() throws {
    let bench = try StreamBench(["tone.mp3": try StreamBench.mp3(seconds: 1)])
    try FileManager.default.createDirectory(
      atPath: bench.folder.path(of: "folder"), withIntermediateDirectories: false)
    let far = bench.address("tone.mp3", "about=" + String(repeating: "listener", count: 150))
    let item = "<item><enclosure url='tone.mp3'/><p>" + String(repeating: "words ", count: 500) + "</p></item>"
    let lists = [
      ("cut.m3u", "#EXTM3U\ntone.mp3\n"), ("feed", "<rss>" + String(repeating: item, count: 100) + "</rss>"),
      ("far.pls", "[playlist]\nFile1=\(far)\n"), ("folder/windows.m3u", "#EXTM3U\n..\\tone.mp3\n"),
    ]
    for (name, text) in lists { _ = try bench.folder.write(Array(text.utf8), as: name) }
    let cut = address(bench, "cut.m3u", head: "HTTP/1.1 200 OK|Content-Type: audio/x-mpegurl|Content-Length: 100")
    let addresses =
      [cut] + ["feed", "far.pls", "folder/windows.m3u"].map { bench.address($0) }
      + [bench.address("tone.mp3", "mode=hops&left=10")]
    for address in addresses {
      let run = try Listening(["stream \(address)", "wait 2"], configuration: bench.configuration)
      #expect(run.errors == [], "\(address)")
      #expect(run.events.contains("stream connection finished"), "\(address)")
    }
  }

  @Test("of MP3 files that a server sends one after another each is heard without its padding")
  func joined() throws {
    let files = try [1, 2, 1].map { try SongStreamTests.lame(seconds: $0) }
    let bench = try StreamBench(["joined.mp3": Array(files.joined())])
    let run = try Listening(["stream \(bench.address("joined.mp3"))", "wait 6"], configuration: bench.configuration)
    #expect(run.errors == [])
    #expect(abs(run.sound.count / 4 - 4 * 44_100) <= 4)
  }

  @Test(
    "a server that wants its cookie back, or is busy for a moment, is asked again", arguments: ["cookie", "busy"])
  func again(mode: String) throws {
    let bench = try StreamBench(["tone.mp3": try StreamBench.mp3(seconds: 1)])
    let run = try Listening(
      ["stream \(bench.address("tone.mp3", "mode=\(mode)"))", "wait 3"], configuration: bench.configuration)
    #expect(run.errors == [])
    #expect(run.events.contains("stream connection finished"))
    #expect(try bench.connectionCount() == 2)
  }

  @Test(
    "a server gets user and password in the way that it asks for, and what is missing or wrong is told",
    arguments: ["basic", "digest"])
  func passwords(mode: String) throws {
    let bench = try StreamBench(["tone.mp3": try StreamBench.mp3(seconds: 1)])
    let addresses = ["me:secret@", "me:wrong@", ""].map {
      bench.address("tone.mp3", "mode=\(mode)").replacingOccurrences(of: "//", with: "//\($0)")
    }
    let run = try Listening(addresses.flatMap { ["stream \($0)", "wait 2"] }, configuration: bench.configuration)
    #expect(run.events.contains("stream connection finished"))
    #expect(run.errors.count == 2)
    let problem =
      "needs a user and a password, or others than these: name them in its address: http://USER:PASSWORD@HOST"
    for error in run.errors { #expect(error.hasSuffix(problem), "\(error)") }
  }

  @Test("sound behind a tag with a cover of two million bytes is heard whole", arguments: ["aac", "flac", "mp3"])
  func largeCover(kind: String) throws {
    let sound = try ForeignProgram.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "sine=440:duration=3", "-ac", "2"] + [
        "-f", kind == "aac" ? "adts" : kind, "-",
      ])
    func field(_ name: String, _ content: [UInt8]) -> [UInt8] {
      let size = (0..<4).map { UInt8(truncatingIfNeeded: content.count >> (24 - 8 * $0)) }
      return Array(name.utf8) + size + [0, 0] + content
    }
    let cover = Array("\0image/jpeg\0\u{3}\0".utf8) + [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0x55, count: 2_000_000)
    let fields = field("TIT2", Array("\0Covered".utf8)) + field("APIC", cover)
    let size = (0..<4).map { UInt8(fields.count >> (21 - 7 * $0) & 0x7F) }
    let bench = try StreamBench(["song": Array("ID3\u{3}\0\0".utf8) + size + fields + sound])
    let run = try Listening(["stream \(bench.address("song"))", "wait 6"], configuration: bench.configuration)
    #expect(run.errors == [])
    #expect(abs(run.sound.count / 4 - 3 * 44_100) <= 2304)
    // A FLAC's own tags come first.
    if kind != "flac" { #expect(run.events.contains("player item Covered")) }
  }

  @Test("a file that is shorter than its server says is heard, and has ended")
  func shorter() throws {
    let mp3 = try StreamBench.mp3(seconds: 2)
    let bench = try StreamBench(["tone.mp3": mp3])
    let head = "HTTP/1.1 200 OK|Content-Length: \(mp3.count + 1000)"
    let run = try Listening(
      ["stream \(address(bench, "tone.mp3", head: head))", "wait 5"], configuration: bench.configuration)
    #expect(run.errors == [])
    #expect(run.events.contains("stream connection finished"))
    #expect(try bench.connectionCount() == 4)
  }

  @Test("a page, a message and a list of segments are refused for what they are, at the first request")
  func noSound() throws {
    let bench = try StreamBench([
      "page": Array("<!DOCTYPE html><html><body>Not here</body></html>".utf8), "full": Array("Server is full\n".utf8),
      "live.m3u8": Array("#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\none.ts\n".utf8),
    ])
    let addresses = [
      address(bench, "page", head: "HTTP/1.0 200 OK|Content-Type: audio/mpeg"),
      address(bench, "full", head: "HTTP/1.0 200 OK|Content-Type: text/plain"), bench.address("live.m3u8"),
      address(bench, "full", head: "ICY 404 Resource Not Found"),
    ]
    let run = try Listening(addresses.map { "stream \($0)" }, configuration: bench.configuration)
    let ends = run.allReplies(to: "stream").map(\.end)
    let problems = [
      "is text, not sound: check its address", "is text, not sound: check its address",
      "is HLS, which is not played: use the station's address for MP3, AAC or Ogg",
      "was not found on its server: check its address",
    ]
    #expect(ends.count == problems.count)
    for (end, problem) in zip(ends, problems) { #expect(end.hasSuffix(problem), "\(end)") }
    #expect(try bench.connectionCount() == problems.count)
  }
}
