import Base
import Configuration
import Console
import Foundation
import Machine
import TestSupport
import Testing

@testable import App

/// `devices`, `video`, `buttons`, `rings`, `disk`, `threads`, `accel`, `memory` and `power` on the whole appliance.
@Suite struct ListingTests {
  static let names = ["devices", "video", "buttons", "rings", "disk", "threads", "accel", "memory", "power"]

  /// The reply's lines, and how it ended.
  private func reply(_ rig: ApplianceRig, _ command: String, milliseconds: UInt64 = 100) -> [String] {
    let count = rig.host.lines.count
    rig.run(command, milliseconds: milliseconds)
    return rig.host.lines[count...].filter { !$0.hasPrefix("* ") }
  }

  private func json(_ rig: ApplianceRig, _ name: String) throws -> [String: Any] {
    let lines = reply(rig, "\(name) json")
    #expect(lines.count == 2 && lines.last == "ok", "\(lines)")
    return try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any], "\(lines)")
  }

  private func row(_ told: [String: Any], _ list: String, _ key: String, _ name: String) throws -> [String: Any] {
    let rows = try #require(told[list] as? [[String: Any]])
    return try #require(rows.first { $0[key] as? String == name }, "\(rows)")
  }

  private func armedRig() throws -> ApplianceRig {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    return rig
  }

  @Test("No ring is fuller than it ever was, whenever somebody looks, and a thread's number is no amount")
  func fullestIsFullest() throws {
    let rig = try armedRig()
    for _ in 0..<40 {
      rig.run("status\nstatus\nconfig\nrings json", milliseconds: 400)
      let line = try #require(rig.host.lines.last { $0.hasPrefix("{\"rings\"") })
      let told = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let rows = try #require(told?["rings"] as? [[String: Any]])
      for row in rows {
        let (now, most) = (row["percent"] as? Int ?? 0, row["highest_percent"] as? Int ?? 0)
        #expect(now <= most, "\(row)")
      }
    }
    let threads = reply(rig, "threads")
    #expect(!threads.contains { $0.dropFirst(33).prefix(9).contains(",") }, "\(threads)")
  }

  @Test("After a restart disk tells how large the newest take is, and null where there is none")
  func newestTake() throws {
    let disk = MemoryDisk()
    let rig = try ApplianceRig(host: TestHost(disk: disk))
    #expect(try json(rig, "disk")["take_bytes"] is NSNull)
    for _ in 0..<2 { rig.run("record start\nwait 1\nrecord stop\nwait 1", milliseconds: 4_000) }
    let byteCount = try #require(try json(rig, "disk")["take_bytes"] as? Int)
    #expect(rig.quit())
    let next = try ApplianceRig(host: TestHost(disk: disk))
    next.run(milliseconds: 1_000)
    #expect(try json(next, "disk")["take_bytes"] as? Int == byteCount)
    #expect(disk.image[rig.takePaths[1]]?.count == byteCount)
  }

  @Test("An item of the queue is playing only while it is heard")
  func playsNothing() throws {
    let rig = try ApplianceRig()
    rig.host.prober.files["music/birds.wav"] = ScriptedFile(firstNumber: 1, frameCount: 48_000)
    var storage = Storage(MemoryStorage(rig.host.disk))
    try storage.makeFolder("music")
    _ = try storage.create("music/birds.wav")
    rig.run(milliseconds: 6_000)
    rig.run("queue music/birds.wav", milliseconds: 500)
    #expect(reply(rig, "queue json").first?.contains(#""playing":false"#) == true)
    rig.run("play", milliseconds: 500)
    let isPlaying = reply(rig, "player").first == "state playing"
    #expect(reply(rig, "queue json").first?.contains(#""playing":\#(isPlaying)"#) == true)
  }

  @Test("events since 0 has those of the start")
  func sinceStart() throws {
    let rig = try armedRig()
    #expect(reply(rig, "events since 0") == reply(rig, "events 64"))
    #expect(reply(rig, "events since 0").first?.contains("fieldcorder test, device ") == true)
  }

  @Test("Devices that work are told with bus and driver; one that is unplugged, with why and what to do")
  func listsDevices() throws {
    let rig = try armedRig()
    let camera = try row(json(rig, "devices"), "devices", "device", "camera")
    #expect(camera["state"] as? String == "works" && camera["name"] as? String == "/dev/video0")
    #expect(camera["driver"] as? String == "sim" && camera["remedy"] == nil)
    #expect(!reply(rig, "devices").contains { $0.contains("plug it in") })
    rig.begin(.absent, of: .camera)
    rig.begin(.absent, of: .accelerometer)
    rig.run(milliseconds: 3_000)
    let told = try json(rig, "devices")
    for device in ["camera", "accelerometer"] {
      let missing = try row(told, "devices", "device", device)
      #expect(missing["state"] as? String == "missing" && missing["remedy"] as? String == "plug it in")
    }
    #expect(try row(told, "devices", "device", "microphone")["state"] as? String == "works")
    #expect(reply(rig, "devices").contains("camera was unplugged: plug it in"))
    rig.endFaults(of: .camera)
    rig.run(milliseconds: 3_000)
    #expect(try row(json(rig, "devices"), "devices", "device", "camera")["state"] as? String == "works")
  }

  @Test("Buttons that are not there at the start are missing, also for why")
  func missesButtons() throws {
    let rig = try ApplianceRig(absent: [.buttons])
    rig.run(milliseconds: 1_000)
    #expect(try row(json(rig, "devices"), "devices", "device", "buttons")["state"] as? String == "missing")
    #expect(try row(json(rig, "buttons"), "buttons", "name", "record")["level"] as? String == "missing")
    rig.endFaults(of: .buttons)
    rig.run(milliseconds: 3_000)
    #expect(try row(json(rig, "devices"), "devices", "device", "buttons")["state"] as? String == "works")
    #expect(try row(json(rig, "buttons"), "buttons", "name", "record")["level"] as? String == "up")
  }

  @Test("A card that hangs, and what asks the system with it, leaves devices and disk with what is known")
  func answersWithoutSystem() throws {
    let rig = try armedRig()
    rig.stallStorage(nanoseconds: 20_000_000_000)
    let lines = reply(rig, "devices", milliseconds: 1_900)
    #expect(lines.isEmpty, "\(lines)")
    rig.run(milliseconds: 300)
    #expect(rig.host.lines.last == "ok")
    let stuck = "error: the system does not answer: the camera or the card may be stuck"
    #expect(reply(rig, "threads", milliseconds: 2_300) == [stuck])
    #expect(reply(rig, "video", milliseconds: 2_300) == [stuck])
    #expect(reply(rig, "disk", milliseconds: 2_300).last == "ok")
    rig.run(milliseconds: 20_000)
    #expect(reply(rig, "video").last == "ok")
  }

  @Test("A gain is set within its range, the card's nearest is told, and what is recorded is louder by so much")
  func setsGain() throws {
    let rig = try armedRig()
    func noise() throws -> Double {
      rig.run("audio reset", milliseconds: 3_000)
      let channels = try json(rig, "audio")["channels"] as? [[String: Any]]
      return try #require(channels?.first?["noise_dbfs"] as? Double)
    }
    let before = try noise()
    #expect(reply(rig, "gain -1") == ["error: gain capture takes 0.00…36.12 dB, not -1.00"])
    #expect(reply(rig, "gain treble 1") == ["error: there is no gain treble: gain lists them"])
    #expect(abs(try noise() - before) < 0.3)
    #expect(reply(rig, "gain 12.04") == ["gain capture is 12.04 dB", "ok"])
    #expect(abs(try noise() - before - 12.04) < 0.3)
    let nearest = "gain capture is 18.06 dB, not 20.00: the nearest that the card has"
    #expect(reply(rig, "gain capture 20") == [nearest, "ok"])
    #expect(try row(json(rig, "gain"), "gains", "name", "capture")["db"] as? Double == 18.06)
    #expect(reply(rig, "gain").count == 3)
    rig.begin(.absent, of: .microphone)
    #expect(reply(rig, "gain 0").last?.contains("plug it in") == true)
  }

  @Test(
    "A configured gain is set when the card is opened, and again after it was unplugged; one set by hand replaces it")
  func keepsGain() throws {
    let rig = try ApplianceRig { $0.audio.gainDecibels = 12.04 }
    rig.run(milliseconds: 1_000)
    func gain() throws -> Double? { try row(json(rig, "gain"), "gains", "name", "capture")["db"] as? Double }
    #expect(try gain() == 12.04)
    #expect(rig.announcements("gain capture is 12.04 dB").count == 1)
    for (command, decibels) in [(nil, 12.04), ("gain 18.06", 18.06)] {
      if let command { rig.run(command, milliseconds: 100) }
      rig.begin(.absent, of: .microphone, nanoseconds: 2_000_000_000)
      rig.run(milliseconds: 6_000)
      #expect(try gain() == decibels)
    }
    #expect(rig.announcements("gain capture is 12.04 dB").count == 2)
    #expect(rig.announcements("gain capture is 18.06 dB").count == 1)
  }

  @Test("Who asks for the gains just while the configured one is set gets them, whenever that is, and it is set")
  func listsWhileSetting() throws {
    for milliseconds in stride(from: 5 as UInt64, through: 100, by: 5) {
      let rig = try ApplianceRig { $0.audio.gainDecibels = 12.04 }
      rig.run(milliseconds: milliseconds)
      #expect(reply(rig, "gain", milliseconds: 200).count == 3, "after \(milliseconds) ms")
      #expect(rig.announcements("gain capture is 12.04 dB").count == 1, "after \(milliseconds) ms")
    }
  }

  @Test("A configured gain that the card does not have is told, and the card left as it is")
  func refusesGain() throws {
    let rig = try ApplianceRig { $0.audio.gainDecibels = -12 }
    rig.run(milliseconds: 1_000)
    #expect(rig.announcements("gain capture takes 0.00…36.12 dB, not -12.00").count == 1)
    #expect(try row(json(rig, "gain"), "gains", "name", "capture")["db"] as? Double == 0)
  }

  @Test("video tells what the camera offers and delivers, and each control with its range")
  func listsControls() throws {
    let rig = try armedRig()
    rig.run(milliseconds: 3_000)
    let told = try json(rig, "video")
    #expect(told["format"] as? String == "mjpeg" && told["width_pixels"] as? Int == 64)
    #expect(told["wanted_frames_per_second"] as? Int == 25)
    #expect(abs(try #require(told["frames_per_second"] as? Double) - 25) < 1.5)
    let exposure = try row(told, "controls", "name", "exposure_time_absolute")
    #expect(exposure["value"] as? Int == 155 && exposure["default"] as? Int == 155)
    #expect(exposure["min"] as? Int == 5 && exposure["max"] as? Int == 2_500 && exposure["step"] as? Int == 5)
    #expect((told["controls"] as? [Any])?.count == 3)
    #expect(told["heap_calls"] == nil)
  }

  @Test("A control is set within its range, and told as the camera has it; reset sets all to their defaults")
  func setsControls() throws {
    let rig = try armedRig()
    let name = "exposure_time_absolute"
    #expect(reply(rig, "video \(name) 500") == ["control \(name) is 500", "ok"])
    #expect(reply(rig, "video brightness -64") == ["control brightness is -64", "ok"])
    // The simulated camera only accepts even gains, whatever step it reports.
    #expect(reply(rig, "video gain 33") == ["control gain is 32, not 33: the camera chose that", "ok"])
    #expect(try row(json(rig, "video"), "controls", "name", name)["value"] as? Int == 500)
    for wrong in ["0", "2505", "502", "-9223372036854775808", "9223372036854775807"] {
      #expect(
        reply(rig, "video \(name) \(wrong)")
          == ["error: control \(name) takes 5…2500 in steps of 5, not \(wrong)"])
    }
    #expect(reply(rig, "video zoom 3") == ["error: the camera has no control zoom: video lists them"])
    #expect(reply(rig, "video gain") == ["error: video expects a control and a whole number, json or reset"])
    #expect(
      reply(rig, "video gain 1e3")
        == ["error: video expects a control and a whole number, json or reset, not \"1e3\""])
    #expect(try row(json(rig, "video"), "controls", "name", name)["value"] as? Int == 500)
    #expect(reply(rig, "video reset") == ["every control has its default", "ok"])
    for control in try #require(try json(rig, "video")["controls"] as? [[String: Any]]) {
      #expect(control["value"] as? Int == control["default"] as? Int)
    }
    rig.begin(.absent, of: .camera)
    #expect(reply(rig, "video gain 1") == ["error: camera /dev/video0 was unplugged: plug it in"])
  }

  @Test("buttons counts presses and bounces, and tells how long the last press was")
  func listsButtons() throws {
    let rig = try armedRig()
    let before = try row(json(rig, "buttons"), "buttons", "name", "play")
    #expect(before["presses"] as? Int == 0 && before["pressed_seconds_ago"] is NSNull && before["held_ms"] is NSNull)
    #expect(before["line"] as? Int == 6 && before["level"] as? String == "up")
    rig.run("press play 700", milliseconds: 300)
    let down = try row(json(rig, "buttons"), "buttons", "name", "play")
    #expect(down["level"] as? String == "down" && down["presses"] as? Int == 1 && down["held_ms"] is NSNull)
    rig.run(milliseconds: 1_000)
    for _ in 0..<20 { rig.run("press play 60", milliseconds: 300) }
    let after = try row(json(rig, "buttons"), "buttons", "name", "play")
    #expect(after["presses"] as? Int == 21 && after["level"] as? String == "up")
    #expect((50...70).contains(try #require(after["held_ms"] as? Int)))
    #expect(abs(try #require(after["pressed_seconds_ago"] as? Double) - 0.3) < 0.15)
    // Each edge of the simulated contacts bounces for up to 10 ms, which the ticks sample only in part.
    #expect(try #require(after["bounces"] as? Int) > 3)
    #expect(try row(json(rig, "buttons"), "buttons", "name", "rotate")["presses"] as? Int == 0)
  }

  @Test("rings tells what each holds, the most it has held, and for how long it lasts")
  func listsRings() throws {
    let rig = try armedRig()
    rig.run("press record", milliseconds: 6_000)
    rig.stallStorage(nanoseconds: 3_000_000_000)
    rig.run(milliseconds: 2_900)
    let full = try row(json(rig, "rings"), "rings", "name", "sound")
    rig.run("press record", milliseconds: 10_000)
    let sound = try row(json(rig, "rings"), "rings", "name", "sound")
    let percent = try #require(full["percent"] as? Int)
    #expect(try #require(sound["highest_percent"] as? Int) >= percent && percent > sound["percent"] as? Int ?? 100)
    let seconds = try #require(sound["seconds"] as? Double)
    #expect(try #require(sound["capacity_items"] as? Int) == Int(seconds * Double(ApplianceRig.rateHz)))
    #expect(sound["capacity_bytes"] as? Int == 2 * (try #require(sound["capacity_items"] as? Int)))
    #expect(sound["lost"] as? Int == 0)
    rig.begin(.losing, of: .microphone, nanoseconds: 1_000_000_000)
    rig.run(milliseconds: 1_500)
    #expect(try #require(try row(json(rig, "rings"), "rings", "name", "sound")["lost"] as? Int) > 0)
    for name in ["decoder", "library", "retention"].map({ $0 == "retention" ? $0 : "the " + $0 }) {
      for way in ["to", "from"] {
        let queue = try row(json(rig, "rings"), "rings", "name", "\(way) \(name)")
        #expect(try #require(queue["capacity_items"] as? Int) > 0 && queue["lost"] is NSNull, "\(queue)")
      }
    }
    #expect(try json(rig, "rings")["left_out"] == nil)
    rig.stallStorage(nanoseconds: 20_000_000_000)
    for _ in 0..<3 { rig.run("rescan\ndisk", milliseconds: 2_500) }
    #expect(try #require(try row(json(rig, "rings"), "rings", "name", "to retention")["highest_percent"] as? Int) > 0)
    let orders = try row(json(rig, "rings"), "rings", "name", "to the card")
    #expect(orders["items"] as? Int == 0 && orders["lost"] is NSNull)
  }

  @Test("rings tells how much decoded sound waits for the speaker: nothing before and after a file, 0.1 to 0.4 s in it")
  func listsDecodedSound() throws {
    let host = TestHost()
    host.player.files["music/a.wav"] = ScriptedFile(firstNumber: 1, frameCount: 4_800_000)
    let rig = try ApplianceRig(host: host) { $0.speaker.deviceName = "sim" }
    rig.run(milliseconds: 1_000)
    func waiting() throws -> [String: Any] { try row(json(rig, "rings"), "rings", "name", "decoded sound") }
    #expect(try waiting()["items"] as? Int == 0)
    rig.run("prepare music/a.wav\nplay", milliseconds: 2_000)
    let playing = try waiting()
    let seconds = try #require(playing["seconds"] as? Double)
    let capacity = try #require(playing["capacity_items"] as? Int)
    let items = try #require(playing["items"] as? Int)
    let rateHz = Double(capacity) / seconds
    #expect((0.1...0.4).contains(Double(items) / rateHz), "\(playing)")
    #expect(playing["percent"] as? Int == items * 100 / capacity)
    #expect(try #require(playing["highest_percent"] as? Int) >= items * 100 / capacity)
    rig.run("dispose", milliseconds: 500)
    #expect(try waiting()["items"] as? Int == 0)
  }

  @Test("disk tells what is kept free, how long writing takes, and how often the card stalled")
  func listsDisk() throws {
    let rig = try armedRig()
    rig.run("press record", milliseconds: 4_000)
    var told = try json(rig, "disk")
    #expect(told["in_use"] as? String == "card" && told["stalls"] as? Int == 0 && told["stalled"] as? Bool == false)
    #expect(told["reserve_bytes"] as? Int == 64_000_000)
    #expect(try #require(told["bytes_per_second"] as? Int) > 10_000)
    #expect(try #require(try row(told, "times", "name", "flush")["count"] as? Int) > 5)
    rig.stallStorage(nanoseconds: 4_000_000_000)
    rig.run(milliseconds: 6_000)
    told = try json(rig, "disk")
    #expect(told["stalls"] as? Int == 1 && told["stalled"] as? Bool == false)
  }

  @Test("disk tells what takes, stills and the bin have of the card, and nothing of it while the card does not answer")
  func tellsShares() throws {
    let rig = try armedRig()
    func bytes(_ prefixes: [String]) -> Int {
      rig.host.disk.image.names.keys.filter { name in prefixes.contains { name.hasPrefix($0) } }
        .map { rig.host.disk.image[$0]?.count ?? 0 }.reduce(0, +)
    }
    func isReported() throws -> [String: Any] {
      let told = try json(rig, "disk")
      #expect(told["takes_bytes"] as? Int == bytes(["video/", "audio/"]))
      #expect(told["stills_bytes"] as? Int == bytes(["photo/"]))
      #expect(told["bin_bytes"] as? Int == bytes(["bin/"]))
      return told
    }
    #expect(try isReported()["takes_bytes"] as? Int == 0)
    for _ in 0..<2 {
      rig.run("record start", milliseconds: 3_000)
      rig.run("record stop\nsnapshot", milliseconds: 4_000)
    }
    #expect(try isReported()["bin_bytes"] as? Int == 0)
    for _ in 0..<2 { rig.run("delete 1", milliseconds: 1_000) }
    let told = try isReported()
    for key in ["takes_bytes", "stills_bytes", "bin_bytes"] { #expect(told[key] as? Int ?? 0 > 1_000, "\(key)") }
    rig.stallStorage(nanoseconds: 4_000_000_000)
    #expect(reply(rig, "disk json", milliseconds: 2_300).first?.contains(#""takes_bytes":null,"#) == true)
    rig.run(milliseconds: 4_000)
    _ = try isReported()
  }

  @Test("threads tells every thread of this process, by its name, policy and times")
  func listsThreads() throws {
    let rig = try armedRig()
    let told = try json(rig, "threads")
    let rows = try #require(told["threads"] as? [[String: Any]])
    let first = try #require(rows.first { $0["id"] as? Int == Int(getpid()) })
    let policy = try #require(TaskReport.Policy(rawValue: UInt8(sched_getscheduler(getpid()))))
    #expect(first["name"] as? String == "loop" && first["policy"] as? String == "\(policy.name)")
    #expect(rows.allSatisfy { ($0["state"] as? String)?.count == 1 && $0["processor_seconds"] as? Double ?? -1 >= 0 })
  }

  @Test("accel tells the reading in g and in the chip's units, the position, and draws it")
  func listsAcceleration() throws {
    let rig = try armedRig()
    for (position, drawing) in [
      ("landscape-left", "  +========+"), ("portrait", "  |    #"), ("face-up", "  /______/ ^"),
    ] {
      rig.run("tilt \(position)", milliseconds: 1_000)
      let told = try json(rig, "accel")
      #expect(told["position"] as? String == position && told["sure_percent"] as? Int ?? 0 >= 99)
      #expect(abs(try #require(told["length_g"] as? Double) - 1) < 0.04)
      let z = try row(told, "axes", "name", "z")
      let g = try #require(z["g"] as? Double)
      #expect(abs(g - (position == "face-up" ? 1 : 0)) < 0.02)
      #expect(abs(Double(try #require(z["raw"] as? Int)) - g * 16_384) < 2)
      #expect(reply(rig, "accel").contains(drawing))
    }
    let told = try json(rig, "accel")
    #expect(told["failures"] as? Int == 0 && (8...12).contains(told["readings_per_second"] as? Int ?? 0), "\(told)")
    rig.begin(.hanging, of: .accelerometer, nanoseconds: 250_000_000)
    rig.run(milliseconds: 3_000)
    #expect(try #require(try json(rig, "accel")["failures"] as? Int) > 0)
    rig.begin(.absent, of: .accelerometer)
    rig.run(milliseconds: 3_000)
    #expect(reply(rig, "accel") == ["error: no accelerometer can be read: devices shows why"])
  }

  @Test("memory tells what was cut for each part: together all that the recorder has")
  func listsMemory() throws {
    let rig = try armedRig()
    let told = try json(rig, "memory")
    let parts = try #require(told["parts"] as? [[String: Any]])
    let own = parts.filter { $0["name"] as? String != "sound and pictures" }.compactMap { $0["bytes"] as? Int }
    #expect(own.reduce(0, +) == rig.usedMemoryByteCount && own.count == 7)
    #expect(try #require(try row(told, "parts", "name", "sound and pictures")["bytes"] as? Int) > 100_000)
    #expect(told["heap_calls"] as? Int == 0)
    #expect(try #require(told["resident_bytes"] as? Int) > 1_000_000)
  }

  @Test(
    "Every listing fits 80 columns and a watched screen, in both languages", arguments: [Language.english, .korean])
  func fits(language: Language) throws {
    for name in Self.names {
      let host = TestHost()
      host.isTerminal = true
      let rig = try ApplianceRig(host: host, adjust: { $0.console.language = language })
      rig.run(milliseconds: 3_000)
      rig.run("press play 60\r", milliseconds: 1_000)
      let start = host.said.count
      host.type("watch \(name) 1\r")
      rig.run(milliseconds: 4_000)
      var screen = DrawnScreen()
      screen.show(host.said[0...])
      #expect(screen.complaints.isEmpty, "\(screen.complaints)")
      let rows = (0..<18).map { screen.text(ofRow: $0) }
      #expect(rows.filter { !$0.isEmpty }.count >= 4, "\(name): \(rows)")
      #expect(host.said.count > start)
      let said = rows.joined(separator: "\n")
      let isKorean = said.contains { $0 >= "가" && $0 <= "힣" }
      #expect(isKorean == (language == .korean), "\(name): \(rows)")
      host.type("q")
      rig.run(milliseconds: 500)
      let count = host.lines.count
      rig.run("\(name)\r", milliseconds: 500)
      for line in host.lines[count...] where !line.contains("\u{1B}") && !line.hasPrefix("* ") {
        #expect(line.reduce(0) { $0 + ($1 >= "가" && $1 <= "힣" ? 2 : 1) } <= 80, "\(line)")
      }
    }
  }

  @Test("Rows that do not fit into a line of JSON are left out whole, and counted; texts are escaped")
  func leavesRowsOut() throws {
    var memory = leakedBootMemory()
    guard var console = ConsoleSession(isTerminal: false, in: &memory) else { throw CancellationError() }
    console.pending = .running
    let name: FixedText<64> = "a \"name\"\u{1B}[31m of some length, with \\ in it"
    console.beginReport(.json)
    console.fact("size", "size", .size(1_500))
    console.beginRows("rows", "head")
    for number in 0..<80 {
      console.beginRow()
      console.cell("name", text: name.bytes)
      console.cell("number", .count(number))
      console.cell("nothing", .none)
      console.endRow()
    }
    console.endRows()
    console.endReport()
    let host = TestHost()
    var line = ScriptedLine(host: host)
    for _ in 0..<10 { console.exchange(with: &line) }
    #expect(host.lines.count == 2 && host.lines.last == "ok" && host.lines[0].utf8.count <= 3_000)
    let told = try #require(try JSONSerialization.jsonObject(with: Data(host.lines[0].utf8)) as? [String: Any])
    let rows = try #require(told["rows"] as? [[String: Any]])
    #expect(rows.count > 20 && rows.allSatisfy { $0["name"] as? String == String(name) && $0["nothing"] is NSNull })
    #expect(rows.enumerated().allSatisfy { $0.element["number"] as? Int == $0.offset })
    #expect(told["left_out"] as? Int == 80 - rows.count && told["size"] as? Int == 1_500)
  }
}
