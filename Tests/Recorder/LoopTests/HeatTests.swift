import Base
import Foundation
import Machine
import TestSupport
import Testing
import Wire

@testable import App

/// What the recorder omits while it is hot, how it reports that, and that sound is never omitted.
@Suite struct HeatTests {
  /// A rig that has been armed for a second. The limits are the default ones: 75 and 82 °C.
  private func rig(_ celsius: Double? = 45, host: TestHost = TestHost()) throws -> ApplianceRig {
    let rig = try ApplianceRig(host: host)
    rig.heat(celsius)
    rig.run(milliseconds: 1_000)
    return rig
  }

  private func faults(_ rig: ApplianceRig) throws -> UInt32 {
    let reader = try #require(rig.host.view.look())
    return try #require(reader.status.read()).faults
  }

  /// The ledger's lines about heat, each with its sample number.
  private func entries(_ rig: ApplianceRig, _ word: String) throws -> [(sample: Int, text: String)] {
    try ledgerLines(try #require(rig.host.disk.image[rig.takePaths[0]])).filter { $0.contains(word) }.map { line in
      let words = line.split(separator: " ", maxSplits: 4)
      return (try #require(Int(words[2])), String(words[4]))
    }
  }

  @Test("getting warm turns the live view off after three readings, and the take has every sample and every picture")
  func warm() throws {
    let rig = try rig()
    rig.run("press record", milliseconds: 3_000)
    rig.heat(76.2)
    rig.run(milliseconds: 1_900)
    #expect(rig.announcements("* heat").isEmpty)
    #expect(try faults(rig) == 0)
    rig.run(milliseconds: 10_000)
    #expect(rig.announcements("* heat") == ["* heat 76.2 °C: the live view is off"])
    #expect(try faults(rig) == ViewFault.tooHot.bit)
    #expect(!rig.isFaultLit)
    let status = try rig.status()
    #expect(status["temperature_celsius"] as? Double == 76.2)
    #expect(status["left_out_video_frames"] as? Int == 0)
    rig.run("press record", milliseconds: 2_000)
    try rig.expectWhole(try #require(rig.movie(rig.takePaths[0])), "warm")
    let entries = try entries(rig, "heat")
    #expect(entries.map(\.text) == ["heat 76.2 °C: the live view is off"])
    // A second before the press, and 3 s after it; then two to three readings.
    #expect((48_000...57_000).contains(entries[0].sample), "\(entries)")
  }

  @Test("a live preview ends when it gets warm and is refused until it is cool; one picture is drawn all the time")
  func preview() throws {
    let host = TestHost()
    host.isTerminal = true
    let rig = try ApplianceRig(host: host, pixelFormat: .yuv420)
    rig.appliance.prepareWorkers()
    rig.heat(45)
    rig.run("preview live\r", milliseconds: 3_000)
    let said = { [host] in String(decoding: host.said, as: UTF8.self) }
    #expect(!said().contains("\u{1B}[r\u{1B}[999;1H"))
    rig.heat(80)
    rig.run(milliseconds: 5_000)
    #expect(said().contains("\u{1B}[r\u{1B}[999;1H"))
    rig.run("preview live\r", milliseconds: 500)
    #expect(said().contains("error: it is too hot for preview live"))
    let before = said().count
    rig.run("preview\r", milliseconds: 500)
    #expect(said().count > before + 1_000)
    rig.heat(60)
    rig.run(milliseconds: 35_000)
    let drawn = said().ranges(of: "\u{1B}7\u{1B}[H").count
    rig.run("preview live\r", milliseconds: 2_000)
    #expect(said().ranges(of: "\u{1B}7\u{1B}[H").count > drawn)
  }

  @Test("while it is warm, one picture a second is encoded for the views of a machine with a hardware encoder, not ten")
  func viewPictures() throws {
    let host = TestHost()
    host.view.isWanted = true
    host.encoder = EncoderScript()
    let rig = try ApplianceRig(host: host, pixelFormat: .yuv420) { $0.video.codec = .fwht }
    rig.heat(45)
    rig.run(milliseconds: 3_000)
    let reader = try #require(host.view.look())
    let newest = { try #require(reader.pictures.newest) }
    let cool = try newest()
    rig.run(milliseconds: 1_000)
    #expect(try newest() - cool >= 8)
    rig.heat(78)
    rig.run(milliseconds: 5_000)
    let warm = try newest()
    rig.run(milliseconds: 3_000)
    #expect((2...4).contains(try newest() - warm))
  }

  @Test("getting hot leaves out every second picture and no sample; both tracks keep their time, and nothing is lost")
  func hot() throws {
    let rig = try rig()
    rig.run("press record", milliseconds: 3_000)
    rig.heat(84)
    rig.run(milliseconds: 10_000)
    #expect(
      rig.announcements("* heat") == [
        "* heat 84.0 °C: the live view is off", "* heat 84.0 °C: every second picture is left out",
      ])
    #expect(rig.isFaultLit && rig.isRecordLit)
    #expect(try faults(rig) == ViewFault.tooHot.bit)
    rig.heat(70)
    rig.run(milliseconds: 35_000)
    #expect(rig.announcements("* heat").last == "* heat 70.0 °C: all pictures are recorded again")
    #expect(!rig.isFaultLit)
    rig.run(milliseconds: 30_000)
    #expect(rig.announcements("* heat").last == "* heat 70.0 °C: nothing is left out any more")
    #expect(try faults(rig) == 0)
    rig.run("press record", milliseconds: 2_000)
    try expectHalved(rig)
  }

  private func expectHalved(_ rig: ApplianceRig) throws {
    let movie = try #require(rig.movie(rig.takePaths[0]))
    let start = try #require(rig.startFrame(of: movie), "sound differs")
    let numbers = movie.pictures.map(NumberedPicture.number)
    let gaps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }
    let hotStart = try #require(gaps.firstIndex(of: 2))
    let hotEnd = try #require(gaps.lastIndex(of: 2))
    #expect(gaps[hotStart...hotEnd].allSatisfy { $0 == 2 })
    #expect((gaps[..<hotStart] + gaps[(hotEnd + 1)...]).allSatisfy { $0 == 1 })
    for (index, number) in numbers.enumerated().dropFirst() {
      let error = Double(start) + Double(movie.pictureTicks[index]) - rig.soundPlace(ofPicture: number)
      #expect(error.magnitude <= 10, "picture \(number) is \(error) samples off")
    }
    let leftOut = gaps.count { $0 == 2 }
    let status = try rig.status()
    #expect(status["left_out_video_frames"] as? Int == leftOut)
    #expect(status["dropped_video_frames"] as? Int == 0 && status["audio_overruns"] as? Int == 0)
    try expectLedger(rig, leftOut: leftOut, from: movie.pictureTicks[hotStart], to: movie.pictureTicks[hotEnd + 1])
    // As third-party programs read it: both tracks are equally long, to within a picture.
    let folder = try TemporaryFolder()
    let file = try folder.write(try #require(rig.host.disk.image[rig.takePaths[0]]), as: "take.mov")
    let lengths = try ["v:0", "a:0"].map {
      try #require(Double(try ForeignProgram.probe(file, stream: $0, entry: "duration")))
    }
    #expect(lengths[1] > 78 && abs(lengths[0] - lengths[1]) < 0.05, "\(lengths)")
  }

  private func expectLedger(_ rig: ApplianceRig, leftOut: Int, from start: UInt64, to end: UInt64) throws {
    let entries = try entries(rig, "heat")
    #expect(
      entries.map(\.text) == [
        "heat 84.0 °C: the live view is off", "heat 84.0 °C: every second picture is left out",
        "heat 70.0 °C: all pictures are recorded again", "pictures left out for heat: \(leftOut)",
        "heat 70.0 °C: nothing is left out any more",
      ])
    // Within two of the camera's periods and an exchange: 100 ms.
    #expect(abs(entries[1].sample - Int(start)) < 800 && abs(entries[2].sample - Int(end)) < 800, "\(entries)")
  }

  @Test("a step back takes 30 s at 5 °C below its limit; less of either, and single readings, change nothing")
  func hysteresis() throws {
    let rig = try rig()
    for _ in 0..<10 {
      rig.heat(95)
      rig.run(milliseconds: 1_900)
      rig.heat(45)
      rig.run(milliseconds: 1_100)
    }
    #expect(rig.announcements("* heat").isEmpty)
    rig.heat(82)
    rig.run(milliseconds: 8_000)
    #expect(rig.announcements("* heat").count == 2)
    rig.heat(77.1)
    rig.run(milliseconds: 60_000)
    for _ in 0..<5 {
      rig.heat(77)
      rig.run(milliseconds: 25_000)
      rig.heat(78)
      rig.run(milliseconds: 3_000)
    }
    #expect(rig.announcements("* heat").count == 2)
    rig.heat(77)
    rig.run(milliseconds: 33_000)
    #expect(rig.announcements("* heat").last == "* heat 77.0 °C: all pictures are recorded again")
    rig.run(milliseconds: 60_000)
    #expect(rig.announcements("* heat").count == 3)
    rig.heat(70)
    rig.run(milliseconds: 33_000)
    #expect(rig.announcements("* heat").last == "* heat 70.0 °C: nothing is left out any more")
  }

  @Test("a machine without a sensor says nothing of heat, and its status has no temperature")
  func noSensor() throws {
    let rig = try rig(nil)
    rig.run("status", milliseconds: 20_000)
    #expect(rig.announcements("* heat").isEmpty && rig.announcements("thermometer").isEmpty)
    #expect(!rig.host.lines.contains { $0.contains("temperature") || $0.contains("firmware") })
    let bare = try rig.status()
    #expect(bare["temperature_celsius"] == nil && bare["throttling"] == nil)
    rig.heat(51.5, throttling: 0x2)
    rig.run(milliseconds: 2_000)
    rig.run("status", milliseconds: 100)
    #expect(rig.host.lines.contains("temperature  51.5 °C") && rig.host.lines.contains("firmware     frequency capped"))
    let status = try rig.status()
    #expect(status["temperature_celsius"] as? Double == 51.5 && status["throttling"] as? String == "frequency capped")
  }

  @Test(
    "a sensor that fails, tells nonsense or does not answer is told once; then nothing is left out until it works again",
    arguments: [
      (Fault.Kind.absent, "was unplugged"), (.nonsense, "reports no temperature"), (.slow, "does not answer"),
    ])
  func failing(kind: Fault.Kind, words: String) throws {
    let rig = try rig(84)
    rig.run("press record", milliseconds: 8_000)
    #expect(rig.announcements("* heat").count == 2)
    rig.begin(kind, of: .thermometer, nanoseconds: 2_000_000_000)
    rig.run(milliseconds: 10_000)
    #expect(rig.announcements("thermometer").isEmpty && rig.announcements("* heat").count == 2)
    rig.begin(kind, of: .thermometer, nanoseconds: 60_000_000_000)
    rig.run(milliseconds: 50_000)
    #expect(rig.announcements("thermometer").count == 1 && rig.announcements("thermometer \(words)").count == 1)
    #expect(rig.announcements("* heat").last == "* heat unknown: nothing is left out any more")
    #expect(try rig.status()["temperature_celsius"] == nil)
    let leftOut = try rig.status()["left_out_video_frames"] as? Int
    rig.run(milliseconds: 2_000)
    #expect(try rig.status()["left_out_video_frames"] as? Int == leftOut)
    rig.run(milliseconds: 20_000)
    #expect(rig.announcements("thermometer").last == "* thermometer works again")
    #expect(rig.announcements("* heat").count == 5 && rig.metrics.missedCount == 0)
  }

  @Test("under-voltage and throttling are told when they come, even for a moment, and when they were gone for 30 s")
  func throttling() throws {
    let rig = try rig()
    rig.heat(45, throttling: 0)
    rig.run("press record", milliseconds: 3_000)
    rig.heat(45, throttling: 0x5_0005)
    rig.run(milliseconds: 2_000)
    let came = ["firmware: under-voltage", "firmware: throttled"]
    #expect(rig.announcements("firmware") == came.map { "* " + $0 })
    #expect(rig.isFaultLit)
    #expect(try faults(rig) == ViewFault.underVoltage.bit)
    #expect(try rig.status()["throttling"] as? String == "under-voltage, throttled")
    for _ in 0..<10 {
      rig.heat(45, throttling: 0)
      rig.run(milliseconds: 9_000)
      // For less than the two seconds between the kernel's checks.
      rig.heat(45, throttling: 0x5_0000)
      rig.run(milliseconds: 1_500)
    }
    #expect(rig.announcements("firmware").count == 2)
    rig.heat(45, throttling: 0)
    rig.run(milliseconds: 33_000)
    let all = came + came.map { $0 + " is over" }
    #expect(rig.announcements("firmware") == all.map { "* " + $0 })
    #expect(!rig.isFaultLit)
    rig.run("press record", milliseconds: 2_000)
    let entries = try entries(rig, "firmware")
    #expect(entries.map(\.text) == all)
    #expect(entries[0].sample < 60_000 && entries[3].sample > 30 * 8_000)
    try rig.expectWhole(try #require(rig.movie(rig.takePaths[0])), "throttled")
  }

  /// The increments between the numbers of the take's pictures.
  private func gaps(_ rig: ApplianceRig) throws -> [Int] {
    let numbers = try #require(rig.movie(rig.takePaths[0])).pictures.map(NumberedPicture.number)
    return zip(numbers, numbers.dropFirst()).map { $1 - $0 }
  }

  @Test("a take that begins while it is hot says so, and how many of its pictures were left out")
  func hotFromTheBeginning() throws {
    let rig = try rig(90)
    rig.heat(90, throttling: 0x6)
    rig.run(milliseconds: 20_000)
    rig.run("press record", milliseconds: 4_000)
    rig.run("press record", milliseconds: 2_000)
    let gaps = try gaps(rig)
    #expect(gaps.allSatisfy { $0 == 2 })
    // In the four seconds between the presses; earlier pictures are not counted.
    let count = try #require(try self.entries(rig, "pictures left out").first?.text.split(separator: " ").last)
    #expect((49...52).contains(try #require(Int(count))))
    let entries = try entries(rig, "at the press")
    #expect(
      entries.map(\.text) == [
        "at the press: every second picture is left out", "at the press: firmware: frequency capped",
        "at the press: firmware: throttled",
      ])
    #expect(entries.allSatisfy { abs($0.sample - 40_000) < 1_000 })
  }
}
