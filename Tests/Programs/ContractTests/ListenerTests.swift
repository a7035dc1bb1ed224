import Foundation
import TestSupport
import Testing

/// Network listeners, through the whole program over real TCP: they receive exactly what is recorded, and whatever they
/// do, the take is complete.
@Suite(.serialized) struct ListenerTests {
  private static let paths = [
    "/", "/live.wav", "/live.flac", "/live.opus", "/live.timed", "/live.mjpeg", "/still.jpg", "/status.json",
    "/clock",
  ]
  private static let video = """
    [video]
    width = 160
    height = 120
    # The simulated camera has buffers for two seconds of these: others may hold the processors that long.
    frame_rate = 3

    """

  /// A take of some seconds; listeners have nothing to hear after it.
  private static func session(_ monitor: Monitor, seconds: Int, seed: UInt64) throws -> Session {
    let session = try Session(
      ["wait 1", "press record", "wait \(seconds)", "press record", "wait 2", "status json", "quit"], clock: .real,
      seed: seed, configuration: monitor.recorderSettings + Self.video)
    try monitor.waitForRecorder()
    try session.waitForLines(1, beginningWith: "* take ")
    return session
  }

  /// Checks that the recorder was not affected.
  /// - Returns: the take's sound as 16-bit samples.
  private static func checkTake(_ session: Session, seed: UInt64) throws -> [UInt8] {
    #expect(session.end() == 0)
    let status = try #require(try session.statuses().last)
    #expect(status.droppedVideoFrames == 0 && status.audioOverruns == 0)
    #expect(status.heapAllocationsSinceBootComplete == 0)
    let take = try checkMovie(session, seed: seed)
    #expect(take.pictureCount == Int(status.videoFrames) && take.frameCount == Int(status.audioFrames))
    return take.pcm
  }

  /// Checks that no picture and no sample is missing.
  private static func checkMovie(
    _ session: Session, seed: UInt64
  ) throws -> (pictureCount: Int, frameCount: Int, pcm: [UInt8]) {
    let movie = try RecordedMovie(try #require(session.takes().first))
    #expect(movie.firstGap == nil)
    let sound = HeardSound(try ForeignProgram.decodeSamples(movie.path), seed: seed)
    #expect(sound.mismatch(from: try #require(sound.firstFrame)) == nil)
    return (movie.numbers.count, sound.frameCount, try pcm(movie.path))
  }

  private static func pcm(_ path: String) throws -> [UInt8] {
    try ForeignProgram.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", "-f", "s16le", "-"])
  }

  /// The number of bytes from the first one on that match the take; 0 if one does not.
  private static func overlap(of heard: [UInt8], with take: [UInt8]) -> Int {
    guard heard.count >= 4_000, let place = Data(take).range(of: Data(heard.prefix(4_000)))?.lowerBound else {
      return 0
    }
    let count = min(heard.count, take.count - place)
    return heard.prefix(count) == take[place..<place + count] ? count : 0
  }

  @Test(
    "Sound is bit for bit the take's in WAV and FLAC, Opus and pictures can be read, and each ends with the recorder")
  func isWhatIsRecorded() throws {
    let monitor = try Monitor("connections_per_address = 16")
    let session = try Self.session(monitor, seconds: 8, seed: 41)
    let wav = try monitor.download("/live.wav")
    let flac = try monitor.download("/live.flac")
    let opus = try monitor.download("/live.opus")
    let pictures = try monitor.download("/live.mjpeg")
    let still = try ForeignProgram.run("curl", ["-sSf", monitor.url("/still.jpg")])
    #expect(still.starts(with: [0xFF, 0xD8]) && still.suffix(2) == [0xFF, 0xD9])
    wav.wait(forBytes: 100_000)
    // A listener who joins later starts in the middle of the stream.
    let lateFLAC = try monitor.download("/live.flac")
    let lateOpus = try monitor.download("/live.opus")
    lateFLAC.wait(forBytes: 50_000)
    let status = try monitor.status()
    #expect(status["recording"] as? Bool == true && status["listeners"] as? Int == 6)
    #expect(status["lost_frames"] as? Int == 0 && status["ended_streams"] as? Int == 0)
    let take = try Self.checkTake(session, seed: 41)
    for download in [wav, flac, opus, pictures, lateFLAC, lateOpus] { #expect(download.end() == 0) }
    for download in [wav, flac, lateFLAC] {
      #expect(Self.overlap(of: try Self.pcm(download.path), with: take) > 20_000)
    }
    for download in [flac, lateFLAC] { try ForeignProgram.run("flac", ["-ts", download.path]) }
    for download in [opus, lateOpus] {
      // opusinfo warns about a stream whose beginning and end are missing.
      let info = try ForeignProgram.text("sh", ["-c", "opusinfo \"$0\" || true", download.path])
      #expect(info.contains("Original sample rate: 48000 Hz") && !info.contains("ERROR"), "\(info)")
      #expect(try ForeignProgram.decodeSamples(download.path).count > 20_000)
    }
    let shown = try ForeignProgram.text(
      "ffprobe",
      [
        "-v", "error", "-f", "mpjpeg", "-count_frames", "-show_entries", "stream=width,height,nb_read_frames", "-of",
        "csv=p=0", pictures.path,
      ])
    #expect(shown.hasPrefix("160,120,") && (Int(shown.split(separator: ",").last ?? "") ?? 0) > 3, "\(shown)")
    #expect(try session.lines().contains { $0.hasPrefix("* listener 127.0.0.1:") && $0.hasSuffix(" gets /live.wav") })
  }

  @Test("Of 32 listeners, one is frozen and one takes 8 kB a second: the others lose nothing, and each costs little")
  func slowListeners() throws {
    let monitor = try Monitor("connections = 64\nconnections_per_address = 64")
    let session = try Self.session(monitor, seconds: 14, seed: 42)
    let paths = ["/live.wav", "/live.flac", "/live.opus", "/live.mjpeg"]
    var others = try paths.map { path in try monitor.download(path) }
    for other in others { other.wait(forBytes: 1_000) }
    // The encoders are running by now, so their memory is included.
    let before = try monitor.ownMemory()
    let frozen = Socket()
    #expect(frozen.connect(port: monitor.port, receiveBufferByteCount: 4_096))
    frozen.send("GET /live.wav?token=\(monitor.token) HTTP/1.1\r\nHost: a\r\n\r\n")
    let slow = try monitor.download("/live.wav", ["--limit-rate", "8k"])
    others += try (4..<30).map { index in try monitor.download(paths[index % 4]) }
    while monitor.isRunning, try monitor.status()["ended_streams"] as? Int ?? 0 < 2, session.isRunning {
      usleep(100_000)
    }
    let after = try monitor.ownMemory()
    #expect(after - before <= 28 * 262_144, "\(after - before) bytes for 28")
    let take = try Self.checkTake(session, seed: 42)
    for (index, other) in others.enumerated() {
      #expect(other.end() == 0)
      guard index % 4 < 2 else { continue }
      #expect(Self.overlap(of: try Self.pcm(other.path), with: take) > 20_000)
    }
    #expect(slow.end() != 0)
    #expect(try monitor.status()["ended_streams"] as? Int == 2)
    #expect(try monitor.status()["lost_frames"] as? Int == 0)
  }

  @Test(
    "Clients that ask for nothing sensible: the program stays, the next listener is served, the take is whole"
  )
  func hostileClients() throws {
    let monitor = try Monitor("connections = 16\nconnections_per_address = 16")
    let session = try Self.session(monitor, seconds: 3_600, seed: 43)
    var random = SeededGenerator(seed: 43)
    var open: [Socket] = []
    for number in 0..<Cases.count(200, of: 1_000) {
      let client = Socket()
      guard client.connect(port: monitor.port) else { continue }
      client.send(Self.hostileRequest(number, monitor.token, &random))
      // Some wait for an answer, some leave, and some stay until the limit is reached.
      switch Int.random(in: 0..<20, using: &random) {
      case 0 where open.isEmpty: _ = client.receive(atMost: 4_096)
      case 1: open.append(client)
      default: client.close()
      }
      if open.count > 6 { open.removeAll() }
    }
    open.removeAll()
    #expect(monitor.isRunning)
    // The monitor may first have to notice that the others have left.
    let patience = ["-f", "--retry", "1000", "--retry-delay", "1", "--retry-all-errors"]
    let listener = try monitor.download("/live.wav", patience)
    listener.wait(forBytes: 20_000)
    // SIGTERM, as a service manager sends it.
    session.send(SIGTERM)
    #expect(session.end() == 0)
    let take = try Self.checkMovie(session, seed: 43).pcm
    #expect(listener.end() == 0)
    #expect(Self.overlap(of: try Self.pcm(listener.path), with: take) > 4_000)
    #expect(monitor.isRunning)
  }

  private static func hostileRequest(_ number: Int, _ token: String, _ random: inout SeededGenerator) -> [UInt8] {
    let noise = (0..<Int.random(in: 1...3_000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    let long = String(repeating: "a", count: Int.random(in: 1_000...100_000, using: &random))
    switch number % 12 {
    case 0: return noise
    case 1: return [UInt8]("GET /live.wav?token=\(token) HTTP/1.1\r\nX: \(long)\r\n\r\n".utf8)
    case 2: return [UInt8]("GET /\(long)?token=\(token) HTTP/1.1\r\n\r\n".utf8)
    case 3: return [UInt8]("GET /live.wav?token=\(long) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    case 4: return [UInt8]("GET /live.fl".utf8)
    case 5:
      let path = number % 24 < 12 ? "/live.wav" : "/sheet"
      let headers = "Host: a\r\nAuthorization: Bearer \(token)\r\nContent-Length: 99999999\r\n\r\n"
      return [UInt8]("POST \(path)?token=\(token) HTTP/1.1\r\n\(headers)".utf8) + noise
    case 6: return [UInt8]("GET /live.opus?token=\(token) HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n".utf8)
    case 7: return [UInt8]("GET /live.flac?token=\(token) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    case 8:
      return [UInt8](
        "GET /still.jpg?token=\(token) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n".utf8)
    case 9: return [UInt8]("GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(long)\r\n\r\n".utf8)
    case 10: return []
    default: return [UInt8]("GET /live.mjpeg?token=\(token) HTTP/1.1\r\nHost: a\r\n\r\n".utf8) + noise
    }
  }

  @Test("Every path needs the token, in the address or in a header, and there is no other way in")
  func needsToken() throws {
    let monitor = try Monitor()
    #expect(monitor.firstLines.contains { $0.hasPrefix("made a token: it is in ") })
    #expect(monitor.token.count == 32)
    #expect(try monitor.tokenMode() == 0o600)
    func code(_ path: String, _ options: [String] = []) throws -> String {
      let address = "http://127.0.0.1:\(monitor.port)\(path)"
      return try ForeignProgram.text("curl", ["-sS", "-o", "/dev/null", "-w", "%{http_code}"] + options + [address])
    }
    for path in Self.paths {
      #expect(try code(path) == "401")
      #expect(try code(path + "?token=") == "401")
      #expect(try code(path + "?token=\(monitor.token)0") == "401")
      #expect(try code(path, ["-H", "Authorization: Basic \(monitor.token)"]) == "401")
      // Without a recorder only the page, the status and the clock are available.
      let expected = ["/", "/status.json", "/clock"].contains(path) ? "200" : "503"
      #expect(try code(path, ["-H", "Authorization: Bearer \(monitor.token)"]) == expected)
      #expect(try code(path, ["-H", "Authorization: bEARER  \(monitor.token)"]) == expected)
      #expect(try code(path + "?token=\(monitor.token)") == expected)
      let absolute = "HTTP://recorder.example:8040\(path)?token=\(monitor.token)"
      #expect(try code("/", ["--request-target", absolute]) == expected)
      for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        #expect(try code(path + "?token=\(monitor.token)", ["-X", method]) == "405")
      }
    }
    for (path, method) in [("/clock", "GET, HEAD"), ("/sheet", "POST"), ("/share", "POST"), ("/share/off", "POST")] {
      let headers = try ForeignProgram.text("curl", ["-sS", "-D", "-", "-X", "OPTIONS", monitor.url(path)])
      #expect(headers.hasPrefix("HTTP/1.1 405") && headers.contains("Allow: \(method)\r\n"), "\(path): \(headers)")
    }
    #expect(try code("/", ["--request-target", "http://recorder.example?token=\(monitor.token)"]) == "200")
    #expect(try code("/etc/passwd?token=\(monitor.token)") == "404")
    #expect(try code("/../token?token=\(monitor.token)", ["--path-as-is"]) == "404")
  }

  @Test("Who asks for the headers alone is no listener")
  func asksForHeaders() throws {
    let monitor = try Monitor()
    let session = try Self.session(monitor, seconds: 4, seed: 46)
    for path in Self.paths {
      let headers = try ForeignProgram.text("curl", ["-sS", "-I", monitor.url(path)])
      #expect(headers.hasPrefix("HTTP/1.1 200"), "\(path): \(headers)")
    }
    #expect(try monitor.status()["listeners"] as? Int == 0)
    _ = try Self.checkTake(session, seed: 46)
    #expect(try !session.lines().contains { $0.hasPrefix("* listener ") })
  }

  @Test("The page's button plays what is open to all, and only the page that has the token can ask for it")
  func sharesByButton() throws {
    let monitor = try Monitor("connections_per_address = 16")
    let folder = try TemporaryFolder()
    let data = folder.path(of: "data")
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    _ = try ForeignProgram.run(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=duration=20:sample_rate=48000", data + "/song.wav"])
    let session = try Session(
      ["prepare song.wav"], clock: .real, configuration: monitor.recorderSettings + Self.video, dataFolder: data,
      keeping: folder, isTalking: true)
    try monitor.waitForRecorder()
    try session.waitForLines(1, beginningWith: "* player prepared")
    let bearer = "Authorization: Bearer \(monitor.token)"
    let site = "http://127.0.0.1:\(monitor.port)"
    func answer(_ path: String, _ headers: [String], method: String = "POST") throws -> String {
      let options = ["-sS", "-o", "/dev/null", "-w", "%{http_code}", "-X", method] + headers.flatMap { ["-H", $0] }
      return try ForeignProgram.text("curl", options + [site + path])
    }
    #expect(try answer("/share?token=\(monitor.token)", []) == "401", "an address alone would do")
    #expect(try answer("/share", [bearer, "Origin: http://elsewhere.example"]) == "403")
    #expect(try answer("/share", [bearer, "Origin: null"]) == "403")
    #expect(try answer("/share", [bearer], method: "GET") == "405")
    #expect(try answer("/status.json", [bearer]) == "405")
    #expect(try monitor.status()["sharing"] as? Bool == false)
    #expect(try answer("/share", [bearer, "Origin: \(site)"]) == "202")
    try session.waitForLines(1, beginningWith: "* a listener shares song.wav")
    usleep(500_000)
    #expect(try monitor.status()["sharing"] as? Bool == true)
    #expect(try answer("/share/off", [bearer]) == "202")
    try session.waitForLines(1, beginningWith: "* a listener has ended what was shared")
    session.say("quit")
    #expect(session.end() == 0)
  }

  @Test("The page enters the sheet, and is told what came of it; other lines, pages and people cannot")
  func entersSheet() throws {
    let monitor = try Monitor("connections_per_address = 16")
    let bearer = "Authorization: Bearer \(monitor.token)"
    let site = "http://127.0.0.1:\(monitor.port)"
    func answer(_ line: String, _ headers: [String], method: String = "POST", query: String = "") throws -> String {
      let options = ["-sS", "-o", "/dev/null", "-w", "%{http_code}", "-X", method] + headers.flatMap { ["-H", $0] }
      return try ForeignProgram.text("curl", options + ["--data-binary", line, site + "/sheet" + query])
    }
    #expect(try answer("scene 12A", [bearer]) == "503", "there is no recorder yet")
    let session = try Session([], clock: .real, configuration: monitor.recorderSettings + Self.video, isTalking: true)
    try monitor.waitForRecorder()
    #expect(try answer("scene 12A", [], query: "?token=\(monitor.token)") == "401", "an address alone would do")
    #expect(try answer("scene 12A", [bearer + "0"]) == "401")
    #expect(try answer("scene 12A", [bearer, "Origin: http://elsewhere.example"]) == "403")
    #expect(try answer("scene 12A", [bearer], method: "PUT") == "405")
    for line in [
      "wipe", "scene", "scenes 1", "circle 1", "circle false last", "", " ", "note a\nnote b", "note \u{1B}[2J",
      "note \t",
    ] {
      #expect(try answer(line, [bearer]) == "400", "\(line)")
    }
    let longest = "note \"" + String(repeating: "물", count: 29) + "x\""
    #expect(longest.utf8.count == 95)
    #expect(try answer(longest + "  ", [bearer]) == "413")
    #expect(try answer(String(repeating: "x", count: 60_000), [bearer]) == "413")
    let before = try #require(try monitor.status()["sheet"] as? [String: Any])
    #expect(before["scene"] is NSNull && before["orders"] as? Int == 0 && before["answer"] is NSNull)
    #expect(try answer("scene \"12A \"\n", [bearer, "Origin: \(site)"]) == "202")
    #expect(try answer("take 100000", [bearer]) == "202")
    try session.waitForLines(1, beginningWith: "* error: take expects")
    for _ in 0..<100 where try sheet(of: monitor)["orders"] as? Int != 2 { usleep(50_000) }
    let after = try sheet(of: monitor)
    #expect(after["scene"] as? String == "12A " && after["scene_take"] as? Int == 1 && after["project"] is NSNull)
    #expect(after["verdict"] is NSNull && (after["tracks"] as? [Any])?.count == 8)
    #expect((after["answer"] as? String)?.hasPrefix("error: take expects 1…99999") == true)
    // At most eight wait, and the recorder takes five a second.
    let codes = try ForeignProgram.text(
      "curl",
      [
        "-sS", "-o", "/dev/null", "-w", "%{http_code} ", "-H", bearer, "--data-binary", "tape R7",
        site + "/sheet?n=[1-30]",
      ]
    ).split(separator: " ")
    #expect(codes.count == 30 && codes.prefix(8).allSatisfy { $0 == "202" } && codes.contains("503"), "\(codes)")
    try session.waitForLines(codes.count { $0 == "202" }, beginningWith: "* a listener enters tape R7")
    usleep(500_000)
    #expect(try answer(longest, [bearer]) == "202", "its turn has come")
    for command in ["wait 1", "scene", "quit"] { session.say(command) }
    #expect(session.end() == 0)
    #expect(try session.lines().contains("scene        12A , next take 1"))
    #expect(try session.lines().contains("tape         R7"))
  }

  private func sheet(of monitor: Monitor) throws -> [String: Any] {
    try #require(try monitor.status()["sheet"] as? [String: Any])
  }

  @Test("What can be reached from afar needs a certificate, and is then served by TLS alone")
  func needsCertificate() throws {
    let refused = #expect(throws: Monitor.NotStarted.self) { try Monitor("address = 0.0.0.0") }
    #expect(refused?.lines.first?.contains("takes TLS: set [monitor] certificate and key") == true)
    let folder = try TemporaryFolder()
    try ForeignProgram.run(
      "openssl",
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2", "-keyout",
        folder.path(of: "key"), "-out", folder.path(of: "certificate"),
      ])
    let files = ["k": try folder.read("key"), "c": try folder.read("certificate")]
    let monitor = try Monitor(
      "address = 0.0.0.0\ncertificate = FOLDER/c\nkey = FOLDER/k", files: files)
    let status = try ForeignProgram.text(
      "curl", ["-sSfk", monitor.url("/status.json", scheme: "https")])
    #expect(status.hasPrefix("{\"recorder\":false"))
    #expect(throws: ForeignProgram.Failure.self) { try monitor.status() }
  }

  @Test("Settings that cannot work are refused in one line that says what was expected")
  func refuses() throws {
    for (settings, words) in [
      ("address = localhost", "expected a numeric address"), ("address = 192.0.2.1", "takes TLS"),
      ("address = 127.0.0.1\ncertificate = FOLDER/none", "certificate and key: expected both or none"),
      ("token = /nowhere/token", "/nowhere/token cannot be read"), ("prt = 1", "prt"),
    ] {
      let refused = #expect(throws: Monitor.NotStarted.self) { try Monitor(settings) }
      #expect(refused?.lines.count == 1 && refused?.lines.first?.contains(words) == true, "\(refused?.lines ?? [])")
    }
  }

  @Test("Killed during a take, the program is missed by nobody but its listeners, and found again")
  func isKilled() throws {
    let monitor = try Monitor()
    let session = try Self.session(monitor, seconds: 6, seed: 44)
    let listener = try monitor.download("/live.wav")
    listener.wait(forBytes: 20_000)
    kill(monitor.processNumber, SIGKILL)
    _ = try Self.checkTake(session, seed: 44)
    #expect(listener.end() != 0)
    #expect(try session.lines().contains("* listeners: the program that serves them is gone, looking for it again"))
  }
}
