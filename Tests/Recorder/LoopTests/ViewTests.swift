import Base
import Machine
import TestSupport
import Testing
import Wire

@testable import App

@Suite struct ViewTests {
  @Test("The status around the picture is that of the recorder, at most 20 ms old")
  func publishes() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    let reader = try #require(rig.host.view.look())
    #expect(reader.layout.widthPixels == 64 && reader.layout.heightPixels == 48)
    #expect(reader.pictures.newest != nil)
    #expect(try #require(reader.status.read()).isRecording == false)
    rig.run("press record", milliseconds: 3_000)
    let status = try #require(reader.status.read())
    #expect(status.isRecording)
    #expect((3_000...4_200).contains(status.takeMilliseconds), "\(status.takeMilliseconds) ms")
    #expect(status.faults == 0 && status.zoomFactor == 1)
    #expect(status.peakDecibels[0] > -90 && status.peakDecibels[0] == status.peakDecibels[1])
    rig.begin(.absent, of: .camera)
    rig.run(milliseconds: 100)
    #expect(try #require(reader.status.read()).faults & ViewFault.noCamera.bit != 0)
  }

  @Test("Without microphone and camera the display names them, and does not say that a take failed")
  func namesAbsentDevices() throws {
    let rig = try ApplianceRig(absent: [.microphone, .camera])
    rig.run("press record", milliseconds: 1_000)
    #expect(try rig.status()["state"] as? String == "failed")
    let reader = try #require(rig.host.view.look())
    let expected = ViewFault.noMicrophone.bit | ViewFault.noCamera.bit
    #expect(try #require(reader.status.read()).faults == expected)
  }

  @Test("How long the card lasts and what is played are given as on the console")
  func publishesRoomAndPlayer() throws {
    let host = TestHost()
    host.player.files["music/a.wav"] = ScriptedFile(firstNumber: 1, frameCount: 480_000)
    let rig = try ApplianceRig(host: host)
    rig.run("status", milliseconds: 1_000)
    let reader = try #require(rig.host.view.look())
    var status = try #require(reader.status.read())
    #expect(status.player == ViewPlayer() && status.application == .viewfinder)
    let room = try #require(rig.host.lines.first { $0.hasPrefix("card  ") })
    let seconds = try #require(status.roomSeconds)
    #expect(room.contains(String("\(duration: UInt64(seconds))" as FixedText<32>)), "\(room)")
    rig.run("prepare music/a.wav", milliseconds: 300)
    status = try #require(reader.status.read())
    #expect(status.player.state == .paused && status.player.positionMilliseconds == 0)
    #expect(String(status.player.title) == "a.wav")
    rig.run("play", milliseconds: 2_000)
    status = try #require(reader.status.read())
    let player = try #require(try rig.status()["player"] as? [String: Any])
    #expect(status.player.state == .playing)
    let position = try #require(player["position_seconds"] as? Double)
    #expect(abs(Double(status.player.positionMilliseconds) / 1000 - position) < 0.1 && position > 1)
    #expect(Double(status.player.durationMilliseconds) / 1000 == player["duration_seconds"] as? Double)
    rig.run("stop", milliseconds: 300)
    #expect(try #require(reader.status.read()).player.state == .paused)
  }

  @Test("What is played has the display while there is no picture of a camera, and a take takes it back")
  func givesDisplayToPlayer() throws {
    let host = TestHost()
    host.player.files["music/a.wav"] = ScriptedFile(firstNumber: 1, frameCount: 480_000)
    let rig = try ApplianceRig(host: host) { $0.record.content = .audio }
    let reader = try #require(host.view.look())
    func application(after line: String, milliseconds: UInt64) throws -> ViewApplication {
      rig.run(line, milliseconds: milliseconds)
      return try #require(reader.status.read()).application
    }
    #expect(try application(after: "version", milliseconds: 500) == .viewfinder)
    #expect(try application(after: "prepare music/a.wav", milliseconds: 500) == .player)
    #expect(try application(after: "record start", milliseconds: 500) == .viewfinder)
    #expect(try application(after: "record stop", milliseconds: 3_000) == .player)
    #expect(try application(after: "dispose", milliseconds: 500) == .viewfinder)
  }

  @Test("The viewfinder is given as fractions of the upright picture, with the zoom and the orientation")
  func publishesFraming() throws {
    let rig = try ApplianceRig {
      $0.view.x = 10
      $0.view.width = 1_000
      $0.view.height = 500
    }
    rig.run("zoom 4 now\nviewfinder 260 50 500 100", milliseconds: 500)
    let reader = try #require(rig.host.view.look())
    var status = try #require(reader.status.read())
    #expect(status.zoomFactor == 4 && status.orientation == Orientation.landscapeLeft.rawValue)
    #expect(status.viewfinder == ViewFraction(x: 0.25, y: 0.1, width: 0.5, height: 0.2))
    rig.run("rotate portrait\nviewfinder 10 250 250 750", milliseconds: 500)
    status = try #require(reader.status.read())
    #expect(status.orientation == Orientation.portrait.rawValue)
    #expect(status.viewfinder == ViewFraction(x: 0, y: 0.25, width: 0.5, height: 0.75))
  }

  @Test(
    "With a hardware encoder views still get JPEGs, ten a second while there is a display, also once it has failed",
    arguments: [(true, 8...11), (false, 1...2)])
  func showsBesideEncoder(hasDisplay: Bool, picturesPerSecond: ClosedRange<UInt64>) throws {
    let host = TestHost()
    host.view.isWanted = hasDisplay
    let script = EncoderScript()
    host.encoder = script
    let rig = try ApplianceRig(host: host, pixelFormat: .yuv420) { $0.video.codec = .fwht }
    rig.run(milliseconds: 3_000)
    let reader = try #require(host.view.look())
    let first = try Self.newestJPEG(reader)
    rig.run("press record", milliseconds: 1_000)
    let second = try Self.newestJPEG(reader)
    #expect(picturesPerSecond.contains(second - first))
    script.isGone = true
    rig.run(milliseconds: 3_000)
    #expect(try Self.newestJPEG(reader) > second)
    rig.run("preview", milliseconds: 500)
    let isDrawn = rig.host.lines.contains { $0.contains("\u{1B}[48;2;") || $0.contains("\u{2580}") }
    #expect(isDrawn)
    #expect(rig.quit())
  }

  /// - Returns: its number.
  private static func newestJPEG(_ reader: ViewReader) throws -> PictureNumber {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var span = bytes.mutableSpan
    var room = unsafe span.mutableBytes
    guard case .packet(let packet) = reader.pictures.copyNewest(into: &room) else { throw NothingThere() }
    #expect(packet.byteCount > 100)
    let beginning = Array(bytes.prefix(2))
    #expect(beginning == [0xFF, 0xD8])
    return packet.sequence
  }

  @Test("No process is started without a display")
  func needsDisplay() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    #expect(rig.host.view.startCount == 0)
  }

  @Test("The process's lines go to the console; its end is reported, and it is restarted")
  func isStartedAgain() throws {
    let rig = try Self.rig()
    rig.host.view.words = [.line("display /dev/dri/card0: 1920 x 1080")]
    rig.run(milliseconds: 500)
    #expect(rig.announcements("display") == ["* display /dev/dri/card0: 1920 x 1080"])
    rig.host.view.words = [.ended("ended by signal 9")]
    rig.run(milliseconds: 100)
    #expect(rig.announcements("live view") == ["* live view: ended by signal 9, restarting it"])
    #expect(rig.host.view.startCount == 1)
    rig.run(milliseconds: 1_100)
    #expect(rig.host.view.startCount == 2)
  }

  @Test("A process that ends at once is restarted after 1, 2, 4 … 60 seconds, and its end is reported once")
  func restsLonger() throws {
    let rig = try Self.rig()
    rig.host.view.lastWord = .ended("ended with status 1")
    // 1 + 2 + 4 + 8 + 16 + 32 + 60 + 60: 183 s.
    for (seconds, startCount) in [(2, 2), (2, 3), (4, 4), (8, 5), (16, 6), (32, 7), (60, 8), (60, 9)] as [(UInt64, Int)]
    {
      rig.run(milliseconds: seconds * 1_000)
      #expect(rig.host.view.startCount == startCount)
    }
    #expect(rig.announcements("live view").count == 1)
  }

  @Test("A missing program is reported once, and is started when it is there")
  func tellsMissing() throws {
    let rig = try Self.rig()
    rig.host.view.startFailure = DeviceFailure(
      device: .view, kind: .absent, subject: "", problem: "is missing", remedy: "install it")
    rig.run(milliseconds: 8_000)
    #expect(rig.announcements("live view").count == 1)
    rig.host.view.startFailure = nil
    rig.run(milliseconds: 8_000)
    #expect(rig.host.view.isRunning)
  }

  @Test("A process that floods the console is printed 16 times, and the recorder goes on")
  func isNotFlooded() throws {
    let rig = try Self.rig()
    for number in 0..<10_000 { rig.host.view.words.append(.line("display says \(number)")) }
    rig.run(milliseconds: 5_000)
    #expect(rig.announcements("display says").count == 16)
    #expect(rig.metrics.missedCount == 0)
  }

  @Test("Who listens over a network is told as the monitor last said it, and events as they come")
  func tellsListeners() throws {
    let rig = try ApplianceRig { $0.monitor.socket = "/run/a" }
    rig.run("listeners", milliseconds: 500)
    #expect(rig.host.lines.suffix(2) == ["no listeners", "ok"])
    rig.host.view.monitorWords = [
      .message(.listeners("61 5000000 0 - 10.0.0.7:99 /live.wav\nnobody\n3 700 1200 2 [::1]:5 /live.mjpeg\n")),
      .message(.news("listener 10.0.0.7:99 came")),
    ]
    rig.run(milliseconds: 500)
    #expect(rig.announcements("listener") == ["* listener 10.0.0.7:99 came"])
    rig.run("listeners", milliseconds: 500)
    #expect(
      rig.host.lines.suffix(3) == [
        "10.0.0.7:99 /live.wav for 1 min, 5.00 MB sent, 0 bytes behind",
        "[::1]:5 /live.mjpeg for 3 s, 700 B sent, 1,200 bytes behind, 2 frames skipped", "ok",
      ])
    rig.run("listeners json", milliseconds: 500)
    let sound = #"{"address":"10.0.0.7:99","path":"/live.wav","seconds":61,"sent_bytes":5000000,"behind_bytes":0,"#
    let pictures = #"{"address":"[::1]:5","path":"/live.mjpeg","seconds":3,"sent_bytes":700,"behind_bytes":1200,"#
    let told = #"{"listeners":[\#(sound)"left_out_pictures":null},\#(pictures)"left_out_pictures":2}]}"#
    #expect(rig.host.lines.suffix(2) == [told, "ok"])
    rig.host.view.monitorWords = [.ended]
    rig.run(milliseconds: 500)
    rig.run("listeners", milliseconds: 500)
    #expect(rig.host.lines.suffix(2) == ["no listeners", "ok"])
    rig.run("listeners json", milliseconds: 500)
    #expect(rig.host.lines.suffix(2) == [#"{"listeners":[]}"#, "ok"])
    #expect(rig.announcements("listeners: ").count == 1)
  }

  @Test("A monitor that floods the recorder is printed 16 times, and the recorder goes on")
  func isNotFloodedByMonitor() throws {
    let rig = try ApplianceRig { $0.monitor.socket = "/run/a" }
    for number in 0..<10_000 { rig.host.view.monitorWords.append(.message(.news("listener \(number)"))) }
    rig.run(milliseconds: 5_000)
    #expect(rig.announcements("listener").count == 16)
    #expect(rig.metrics.missedCount == 0)
  }

  @Test("Without a socket for it nobody may listen, and the console says what to set")
  func refusesListeners() throws {
    let rig = try ApplianceRig()
    rig.run("listeners", milliseconds: 500)
    #expect(rig.host.lines.last == "error: listening is off: set [monitor] socket")
  }

  private static func rig() throws -> ApplianceRig {
    let host = TestHost()
    host.view.isWanted = true
    return try ApplianceRig(host: host)
  }
}
