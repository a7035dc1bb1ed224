import Foundation
import TestSupport
import Testing

/// A file that is sent instead of the microphone, over real TCP: curl receives exactly the file's packets.
@Suite(.serialized) struct FileSourceTests {
  struct Coding: CustomTestStringConvertible, Sendable {
    var name: String
    var options: [String]
    var path: String
    var mediaType: String
    var testDescription: String { name }
  }

  private static let codings = [
    Coding(name: "a.mp3", options: ["-b:a", "128k"], path: "/file.mp3", mediaType: "audio/mpeg"),
    Coding(name: "a.aac", options: ["-f", "adts"], path: "/file.aac", mediaType: "audio/aac"),
    Coding(name: "a.flac", options: [], path: "/file.flac", mediaType: "audio/flac"),
    Coding(name: "opus.ogg", options: ["-c:a", "libopus"], path: "/file.ogg", mediaType: "audio/ogg"),
    Coding(name: "vorbis.ogg", options: ["-c:a", "libvorbis"], path: "/file.ogg", mediaType: "audio/ogg"),
  ]

  /// A sine of rising volume, so that no two packets are equal.
  private static func sound(_ coding: Coding, seconds: Double) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try ForeignProgram.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "sine=440:sample_rate=48000:duration=\(seconds)", "-af",
        "volume='0.01+0.9*t/\(seconds)':eval=frame", "-ac", "2", "-metadata", "title=Growing",
      ] + coding.options + [folder.path(of: coding.name)])
    return try folder.read(coding.name)
  }

  /// A monitor that sends these bytes, without a recorder.
  private static func monitor(_ bytes: [UInt8], as name: String) throws -> Monitor {
    try Monitor("source = FOLDER/\(name)", files: [name: bytes])
  }

  /// Waits until the monitor knows whether the file can be sent.
  private static func waitForFile(_ monitor: Monitor) throws -> [String: Any] {
    while monitor.isRunning {
      let status = try monitor.status()
      if status["file"] != nil || status["file_problem"] != nil { return status }
      usleep(10_000)
    }
    return [:]
  }

  /// The checksum and size of each packet that ffmpeg finds.
  private static func packets(_ path: String) throws -> [String] {
    try ForeignProgram.text("ffmpeg", ["-v", "quiet", "-i", path, "-map", "0:a", "-c", "copy", "-f", "framemd5", "-"])
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: ",")[4...5].map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ") }
  }

  /// The index of the first packet in the endlessly repeated file; nil if the packets are not consecutive there.
  private static func place(of packets: ArraySlice<String>, in file: [String]) -> Int? {
    guard let first = packets.first, let place = file.firstIndex(of: first) else { return nil }
    for (number, packet) in packets.enumerated() where file[(place + number) % file.count] != packet { return nil }
    return place
  }

  @Test(
    "each container's packets come as they are in the file, from its start and from within, and again at its end",
    arguments: Cases.some(2, of: codings))
  func packetForPacket(coding: Coding) throws {
    let bytes = try Self.sound(coding, seconds: 3)
    let monitor = try Self.monitor(bytes, as: coding.name)
    #expect(try Self.waitForFile(monitor)["file"] as? String == coding.path)
    let folder = try TemporaryFolder()
    let file = try Self.packets(try folder.write(bytes, as: coding.name))
    #expect(file.count > 30)
    let heads = folder.path(of: "head")
    let early = try monitor.download(coding.path, ["-D", heads])
    early.wait(forBytes: bytes.count * 4 / 3)
    let late = try monitor.download(coding.path)
    late.wait(forBytes: bytes.count * 2 / 3)
    let head = String(decoding: try folder.read("head"), as: UTF8.self)
    #expect(head.hasPrefix("HTTP/1.1 200") && head.contains("\r\nContent-Type: \(coding.mediaType)\r\n"), "\(head)")
    // The last packet may be incomplete, and ffmpeg outputs the part it has received.
    let first = try Self.packets(early.path).dropLast(2)
    #expect(first.count > file.count * 5 / 4)
    #expect(Self.place(of: first, in: file) == 0)
    let second = try Self.packets(late.path).dropLast(2)
    #expect(second.count > file.count / 2)
    #expect(try #require(Self.place(of: second, in: file)) > 0)
  }

  @Test("a file is sent at the pace at which it is heard, however fast it is taken")
  func pace() throws {
    let bytes = try Self.sound(Self.codings[0], seconds: 120)
    let monitor = try Self.monitor(bytes, as: "a.mp3")
    _ = try Self.waitForFile(monitor)
    let begin = DispatchTime.now()
    let download = try monitor.download("/file.mp3")
    var count = 0
    while monitor.isRunning, count < 300_000 {
      usleep(20_000)
      count = download.bytes().count
      let seconds = Double(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1e9
      // The socket buffer of the reading process, plus the two seconds by which it may run ahead.
      #expect(Double(count) <= 212_992 + 16_000 * (seconds + 2.1), "\(count) bytes in \(seconds) s")
    }
  }

  @Test(
    "without a file its paths are not there, and with one the microphone's are not; what needs the microphone refuses")
  func eitherOr() throws {
    func code(_ monitor: Monitor, _ path: String) throws -> String {
      try ForeignProgram.text("curl", ["-sS", "-m", "1", "-o", "/dev/null", "-w", "%{http_code}", monitor.url(path)])
    }
    let microphone = try Monitor()
    for coding in Self.codings { #expect(try code(microphone, coding.path) == "404") }
    let monitor = try Self.monitor(try Self.sound(Self.codings[0], seconds: 1), as: "a.mp3")
    _ = try Self.waitForFile(monitor)
    for path in ["/live.wav", "/live.flac", "/live.opus", "/file.aac", "/file.flac", "/file.ogg"] {
      #expect(try code(monitor, path) == "404")
    }
    let refused = #expect(throws: Monitor.NotStarted.self) { try Monitor("source = /a.mp3\nsnapcast_port = 1704") }
    #expect(refused?.lines.first?.contains("expected snapcast_port = none") == true)
  }

  @Test("what is no sound, or not there, is refused in words, to who asks and on the console, and the rest is served")
  func refuses() throws {
    let notSound: [(String, [UInt8]?, String)] = [
      ("none.mp3", nil, "it cannot be opened"), ("empty.mp3", [], "it is neither MP3"),
      ("text.mp3", [UInt8](repeating: UInt8(ascii: "a"), count: 5_000), "it is neither MP3"),
      ("tag.mp3", [UInt8]("ID3".utf8) + [4, 0, 0, 127, 127, 127, 127, 1, 2], "it is neither MP3"),
      ("head.ogg", Array(try Self.sound(Self.codings[4], seconds: 1).prefix(1_000)), "it has no sound"),
      ("token", [UInt8]("0123456789abcdef".utf8), "it is neither MP3"),
    ]
    for (name, bytes, words) in notSound {
      let monitor = try Monitor("source = FOLDER/\(name)", files: bytes.map { [name: $0] } ?? [:])
      let problem = try Self.waitForFile(monitor)["file_problem"] as? String
      #expect(problem?.hasPrefix(words) == true, "\(name): \(problem ?? "none")")
      let answer = try ForeignProgram.text("curl", ["-sS", monitor.url("/file.mp3")])
      #expect(answer == "the file is not sent: /status.json says why")
      let session = try Session(["wait 86400"], clock: .real, configuration: monitor.recorderSettings)
      try monitor.waitForRecorder()
      while session.isRunning, try !session.lines().contains(where: { $0.contains("\(name) is not sent: ") }) {
        usleep(50_000)
      }
      session.send(SIGTERM)
      #expect(session.end() == 0)
    }
  }

  @Test("files that were cut or damaged anywhere are sent or refused, and the program stays")
  func hostileFiles() throws {
    var random = SeededGenerator(seed: 51)
    for number in 0..<20 {
      let coding = Self.codings[number % Self.codings.count]
      var bytes = try Self.sound(coding, seconds: 1)
      switch number / 5 {
      case 0: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      case 1: for _ in 0..<50 { bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 0xFF }
      case 2:
        for index in 0..<min(400, bytes.count) where index > 4 { bytes[index] = .random(in: 0...255, using: &random) }
      default:
        let place = Int.random(in: 0..<bytes.count / 2, using: &random)
        bytes.replaceSubrange(place..<place + 200, with: (0..<9_000).map { _ in .random(in: 0...255, using: &random) })
      }
      let monitor = try Self.monitor(bytes, as: coding.name)
      let status = try Self.waitForFile(monitor)
      if let path = status["file"] as? String {
        let download = try monitor.download(path)
        download.wait(forBytes: 2_000)
      }
      #expect(monitor.isRunning)
      #expect(try monitor.status()["recorder"] as? Bool == false)
    }
  }

  @Test(
    "a file that is removed is sent on; one that is emptied, or whose reader falls, ends the stream and nothing else",
    arguments: ["removed", "emptied", "replaced", "fallen"])
  func vanishes(how: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(try Self.sound(Self.codings[0], seconds: 1), as: "a.mp3")
    let monitor = try Monitor("source = \(path)")
    _ = try Self.waitForFile(monitor)
    let download = try monitor.download("/file.mp3")
    download.wait(forBytes: 10_000)
    switch how {
    case "removed":
      try FileManager.default.removeItem(atPath: path)
      // Three passes.
      download.wait(forBytes: 48_000)
      #expect(download.bytes().count >= 48_000)
      #expect(try monitor.status()["file"] as? String == "/file.mp3")
      return
    case "emptied": try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: 0)
    case "replaced": try Data(try Self.sound(Self.codings[1], seconds: 1)).write(to: URL(fileURLWithPath: path))
    default:
      let children = "/proc/\(monitor.processNumber)/task/\(monitor.processNumber)/children"
      let child = try String(contentsOfFile: children, encoding: .utf8).trimmingCharacters(in: .whitespaces)
      kill(try #require(Int32(child)), SIGKILL)
    }
    #expect(download.end() == 0)
    let words = [
      "emptied": "it is neither", "replaced": "it has become another file", "fallen": "it ended the process",
    ]
    let problem = try monitor.status()["file_problem"] as? String
    #expect(problem?.hasPrefix(try #require(words[how])) == true, "\(problem ?? "none")")
    #expect(monitor.isRunning)
  }
}
