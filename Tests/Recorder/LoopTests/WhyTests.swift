import Base
import Machine
import TestSupport
import Testing
import Wire

@testable import App

/// `why`, and the first lines of `status`: each fault is named, with its remedy.
@Suite struct WhyTests {
  /// A fault, and how it is reported.
  struct Case: CustomTestStringConvertible, Sendable {
    let device: Device
    let kind: Fault.Kind
    /// The beginning of the reply to `why`.
    let line: String
    let remedy: String
    /// From the fault's beginning to the command.
    var seconds: UInt64 = 5
    var scene = Scene.take
    /// Nil: it lasts.
    var lasts: UInt64?

    var testDescription: String { "\(device) \(kind)" }
  }

  enum Scene { case take, armed, playing, lost, rawPictures }

  private static let gone = "was unplugged"
  private static let plug = "plug it in"

  static let cases: [Case] = [
    Case(device: .microphone, kind: .absent, line: "silent          microphone was unplugged", remedy: plug),
    Case(device: .microphone, kind: .held, line: "silent          microphone was unplugged", remedy: plug),
    Case(
      device: .microphone, kind: .stalled, line: "silent          microphone no longer sends data",
      remedy: "it is reopened automatically"),
    Case(
      device: .microphone, kind: .stopping, line: "silent          microphone no longer sends data",
      remedy: "it is reopened automatically"),
    Case(
      device: .microphone, kind: .slow, line: "silent          microphone was unplugged", remedy: plug, scene: .lost),
    Case(
      device: .microphone, kind: .losing, line: "damaged         sound is lost", remedy: "timing shows"),
    Case(
      device: .microphone, kind: .changed, line: "silent          the microphone is back with another format",
      remedy: "plug in the one that was there"),
    Case(
      device: .microphone, kind: .corrupt, line: "damaged         the microphone sends constant loud noise",
      remedy: "check its cable, or lower its level", seconds: 12),
    Case(
      device: .microphone, kind: .doubling, line: "damaged         the microphone sends sound twice",
      remedy: "unplug it"),
    Case(
      device: .microphone, kind: .dead, line: "silent          the microphone sends a constant value",
      remedy: "check its cable or switch", seconds: 12),
    Case(
      device: .microphone, kind: .clipping, line: "damaged         the microphone clips constantly",
      remedy: "lower its level", seconds: 12),
    Case(device: .camera, kind: .absent, line: "dark            camera was unplugged", remedy: plug),
    Case(device: .camera, kind: .held, line: "dark            camera was unplugged", remedy: plug),
    Case(
      device: .camera, kind: .stalled, line: "dark            camera no longer sends frames",
      remedy: "it is reopened automatically"),
    Case(device: .camera, kind: .slow, line: "dark            camera was unplugged", remedy: plug, scene: .lost),
    Case(
      device: .camera, kind: .changed, line: "dark            the camera is back with frames that do not fit",
      remedy: "plug in the one that was there"),
    Case(
      device: .camera, kind: .corrupt, line: "dark            the camera sends corrupt frames",
      remedy: "check its cable"),
    Case(
      device: .camera, kind: .doubling, line: "damaged         the camera skips frames", remedy: "use another port"),
    Case(
      device: .camera, kind: .black, line: "dark            the camera sends black frames",
      remedy: "take off its cap", seconds: 6, scene: .rawPictures),
    Case(
      device: .camera, kind: .frozen, line: "dark            the camera repeats the same frame",
      remedy: "unplug it", seconds: 6),
    Case(device: .accelerometer, kind: .absent, line: "hindered        accelerometer was unplugged", remedy: plug),
    Case(
      device: .accelerometer, kind: .stalled, line: "hindered        the accelerometer's reading never changes",
      remedy: "check its wires", seconds: 31),
    Case(
      device: .accelerometer, kind: .slow, line: "hindered        accelerometer was unplugged", remedy: plug,
      scene: .lost),
    Case(
      device: .accelerometer, kind: .hanging, line: "hindered        accelerometer does not answer",
      remedy: "check its wires"),
    Case(
      device: .accelerometer, kind: .nonsense, line: "hindered        accelerometer readings are implausible",
      remedy: "check its wires"),
    Case(
      device: .speaker, kind: .absent, line: "unheard         speaker", remedy: plug, scene: .playing),
    Case(
      device: .speaker, kind: .held, line: "unheard         speaker sim is used by another program",
      remedy: "end that program", scene: .playing),
    Case(
      device: .speaker, kind: .stalled, line: "unheard         playback is stuck",
      remedy: "check the speaker's cable", scene: .playing),
    Case(device: .speaker, kind: .slow, line: "unheard         speaker", remedy: plug, scene: .playing),
    Case(
      device: .speaker, kind: .changed, line: "unheard         speaker sim has another format than before",
      remedy: "plug in the card that was there", scene: .playing),
    Case(
      device: .storage, kind: .failing, line: "not recording   storage", remedy: "wait until it is over", seconds: 12),
    Case(
      device: .storage, kind: .absent, line: "not recording   storage", remedy: "wait until it is over", seconds: 12),
    Case(
      device: .storage, kind: .tornWrites, line: "not recording   storage", remedy: "wait until it is over",
      seconds: 12),
    Case(
      device: .storage, kind: .full, line: "not recording   the card has no room for a take", remedy: "delete takes"),
    Case(
      device: .storage, kind: .stalled, line: "not recording   the card accepts no data",
      remedy: "wait; if that lasts", seconds: 4),
    Case(
      device: .buttons, kind: .stalled, line: "not recording   record has not been pressed",
      remedy: "press record; if nothing happens, check the buttons' wires", scene: .armed),
    Case(
      device: .buttons, kind: .stuck, line: "not recording   a button has been down", remedy: "release it",
      seconds: 12, scene: .armed),
    Case(device: .buttons, kind: .absent, line: "not recording   buttons were unplugged", remedy: "plug them in"),
    Case(
      device: .buttons, kind: .slow, line: "not recording   buttons were unplugged", remedy: "plug them in",
      scene: .lost),
    Case(
      device: .console, kind: .stalled, line: "hindered        the console was too slow", remedy: "events prints",
      lasts: 4),
    Case(
      device: .scheduler, kind: .stalled, line: "hindered        the loop wakes too late", remedy: "timing shows",
      lasts: 1),
    Case(device: .receiver, kind: .absent, line: "hindered        receiver", remedy: plug),
    Case(
      device: .receiver, kind: .stalled, line: "hindered        the receiver sends no whole sentence",
      remedy: "check its wires, and [gps] baud", seconds: 22),
    Case(
      device: .receiver, kind: .slow, line: "hindered        the receiver sends no whole sentence",
      remedy: "check its wires, and [gps] baud", seconds: 22),
    Case(
      device: .receiver, kind: .nonsense, line: "hindered        the receiver tells what cannot be",
      remedy: "check its wires and antenna"),
    Case(
      device: .receiver, kind: .jumping, line: "hindered        the receiver tells what cannot be",
      remedy: "check its wires and antenna", seconds: 8),
    Case(
      device: .receiver, kind: .misdated, line: "hindered        the receiver tells what cannot be",
      remedy: "check its wires and antenna", seconds: 8),
    Case(device: .thermometer, kind: .absent, line: "hindered        thermometer", remedy: "plug it in"),
  ]

  @Test("Every fault that the simulated board draws is among those that why names")
  func coversAllFaults() {
    for number in UInt8(0)... {
      guard let device = Device(rawValue: number) else { break }
      guard let kinds = FaultPlan.kinds(of: device) else { continue }
      for index in kinds.indices {
        #expect(Self.cases.contains { $0.device == device && $0.kind == kinds[index] }, "\(device) \(kinds[index])")
      }
    }
  }

  @Test("A fault is named by why, with what to do, and by the first lines of status", arguments: cases)
  func namesFault(fault: Case) throws {
    let rig = try rig(for: fault)
    if fault.scene == .lost || fault.device == .speaker && fault.kind == .slow {
      rig.begin(.absent, of: fault.device, nanoseconds: 1_500_000_000)
      rig.run(milliseconds: 1_500)
    }
    rig.begin(fault.kind, of: fault.device, nanoseconds: fault.lasts.map { $0 * 1_000_000_000 })
    if fault.device == .buttons { rig.run("press record 100", milliseconds: 100) }
    // An event to be printed while the console stalls.
    if fault.device == .console { rig.begin(.absent, of: .camera, nanoseconds: 1_000_000_000) }
    rig.run(milliseconds: fault.seconds * 1_000)
    let found = why(rig)
    let named = try #require(found.first { $0.line.hasPrefix(fault.line) }, "\(found)")
    #expect(named.remedy.hasPrefix(fault.remedy), "\(named)")
    let status = reply(rig, "status")
    guard fault.kind != .stalled || fault.device != .buttons else {
      return #expect(status.first == "well         nothing is wrong")
    }
    let first = try #require(found.first { !$0.line.hasSuffix("record has not been pressed") })
    #expect(status[0].hasPrefix("wrong        " + first.line.dropFirst(16)), "\(status)")
    #expect(status[1] == "remedy       " + first.remedy)
  }

  @Test("Every warning of the display has its cause")
  func coversAllWarnings() throws {
    var causes: Set<UInt8> = []
    var number: UInt32 = 0
    while let fault = ViewFault(rawValue: number) {
      causes.insert(Cause(fault, isHot: false).rawValue)
      number += 1
    }
    #expect(UInt32(causes.count) == number && number == 13)
  }

  @Test("Why nothing is recorded is told where nothing is wrong, and that all is well in a take")
  func tellsStates() throws {
    let armed = try ApplianceRig()
    armed.run(milliseconds: 1_000)
    #expect(why(armed).map(\.line) == ["not recording   record has not been pressed"])
    #expect(reply(armed, "status")[0] == "well         nothing is wrong")
    armed.run("press record", milliseconds: 2_000)
    #expect(reply(armed, "why") == ["nothing is wrong, and a take is being recorded"])
    armed.run("press record", milliseconds: 2_000)
    #expect(why(armed).map(\.line) == ["not recording   record has not been pressed since the last take"])
    let listening = try ApplianceRig {
      $0.trigger.source = .level
      $0.trigger.startDecibels = 0
    }
    listening.run(milliseconds: 1_000)
    #expect(why(listening).map(\.line) == ["not recording   a trigger waits for what begins a take"])
    let waiting = try ApplianceRig { $0.schedule.rule1 = "12:00-13:00" }
    waiting.run(milliseconds: 1_000)
    #expect(why(waiting).map(\.line) == ["not recording   the schedule waits for its next window"])
    let closed = try ApplianceRig { $0.record.arming = .atPress }
    closed.run(milliseconds: 1_000)
    #expect(why(closed).map(\.line) == ["not armed       devices are opened at the press, as configured"])
    let bare = try ApplianceRig(absent: [.microphone, .camera, .accelerometer])
    bare.run(milliseconds: 1_000)
    let lines = why(bare).map(\.line)
    #expect(lines.first == "not armed       there is neither a microphone nor a camera", "\(lines)")
    #expect(lines.contains { $0.hasPrefix("hindered        accelerometer was unplugged") }, "\(lines)")
  }

  @Test("Sound that is lost while the devices start is no fault, unless a take needs it")
  func forgivesStart() throws {
    for hasTake in [false, true] {
      let rig = try ApplianceRig()
      rig.run(milliseconds: 200)
      if hasTake { rig.run("press record", milliseconds: 200) }
      rig.begin(.losing, of: .microphone, nanoseconds: 500_000_000)
      rig.run(milliseconds: 4_000)
      let isTold = why(rig).contains { $0.line == "damaged         sound is lost" }
      #expect(isTold == hasTake)
    }
    let late = try ApplianceRig()
    late.run(milliseconds: 4_000)
    late.begin(.losing, of: .microphone, nanoseconds: 500_000_000)
    late.run(milliseconds: 1_000)
    #expect(why(late).contains { $0.line == "damaged         sound is lost" })
  }

  @Test("A clock that nothing has set, or that is alone, heat, a weak supply and a failing power are named")
  func tellsSurroundings() throws {
    let unset = try ApplianceRig(wallClock: SimWallClock(.epoch))
    unset.run(milliseconds: 2_000)
    #expect(why(unset).contains { $0.line == "unsynchronised  the clock has not been set" })
    unset.setClock(.off(seconds: 5))
    unset.run(milliseconds: 2_000)
    let alone = why(unset)
    #expect(alone.contains { $0.line == "unsynchronised  no time server sets the clock" }, "\(alone)")
    #expect(reply(unset, "status")[0] == "well         nothing is wrong")
    let rig = try ApplianceRig()
    rig.heat(50, throttling: 0x5)
    rig.run("press power 3000", milliseconds: 2_500)
    let lines = why(rig).map(\.line)
    #expect(
      lines.dropLast() == [
        "not recording   the power is failing", "hindered        the supply is too weak",
        "hindered        the firmware throttles the processor",
      ], "\(lines)")
    #expect(reply(rig, "status")[0] == "wrong        the power is failing; why shows 2 more")
    rig.heat(95)
    rig.run(milliseconds: 40_000)
    #expect(why(rig).contains { $0.line.hasPrefix("damaged         too hot: every second frame") })
  }

  @Test("Every cause and remedy fits 80 columns, and is said in Korean", arguments: [Language.english, .korean])
  func fits(language: Language) throws {
    let rig = try ApplianceRig { $0.console.language = language }
    rig.run(milliseconds: 100)
    let count = rig.host.lines.count
    var number: UInt8 = 0
    while let cause = Cause(rawValue: number) {
      var diagnosis = Diagnosis()
      diagnosis.add(cause)
      diagnosis.report(.lines, &rig.appliance.loop.services.console)
      diagnosis.replyWorst(&rig.appliance.loop.services.console)
      rig.run(milliseconds: 100)
      number += 1
    }
    let lines = rig.host.lines[count...].filter { $0 != "ok" && !$0.hasPrefix("* ") }
    #expect(lines.count > 4 * 40)
    for line in lines {
      #expect(columnCount(line) < 80, "\(line)")
      let isKorean = line.contains { $0 >= "가" && $0 <= "힣" }
      #expect(isKorean == (language == .korean), "\(line)")
    }
  }

  private func columnCount(_ line: String) -> Int { line.reduce(0) { $0 + ($1 >= "가" && $1 <= "힣" ? 2 : 1) } }

  private func rig(for fault: Case) throws -> ApplianceRig {
    let host = TestHost()
    host.player.files["music/a.wav"] = ScriptedFile(firstNumber: 1, frameCount: 4_800_000)
    let rig = try ApplianceRig(host: host, pixelFormat: fault.scene == .rawPictures ? .yuv420 : .mjpeg) {
      $0.speaker.deviceName = "sim"
    } onBoard: {
      if fault.device == .receiver { $0.receiver = .fixed }
    }
    rig.heat(45)
    // A receiver needs longer for a fix.
    rig.run(milliseconds: fault.device == .receiver ? 10_000 : 2_000)
    switch fault.scene {
    case .armed: break
    case .playing: rig.run("prepare music/a.wav\nplay", milliseconds: 3_000)
    case .take, .lost, .rawPictures: rig.run("press record", milliseconds: 3_000)
    }
    return rig
  }

  private func reply(_ rig: ApplianceRig, _ command: String) -> [String] {
    let count = rig.host.lines.count
    rig.run(command, milliseconds: 300)
    return rig.host.lines[count...].prefix { $0 != "ok" }.filter { !$0.hasPrefix("* ") }
  }

  private func why(_ rig: ApplianceRig) -> [(line: String, remedy: String)] {
    let lines = reply(rig, "why")
    return stride(from: 0, to: lines.count - 1, by: 2).map { (lines[$0], String(lines[$0 + 1].dropFirst(16))) }
  }
}
