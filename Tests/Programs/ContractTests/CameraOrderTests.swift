import TestSupport
import Testing

/// All camera commands, in any order.
@Suite struct CameraOrderTests {
  private static let numbers = [
    "0", "-0", "1", "8", "16", "16.01", "0.99", "-1", "nan", "-inf", "1e308", "1e-320", "65535", "-65536",
    "9223372036854775807", "-9223372036854775808", "0x10", "1,5", "٣", ".", "\"\"", "480", "639.5",
  ]
  private static let positions = [
    "auto", "portrait", "portrait-upside-down", "landscape-left", "landscape-right", "up", "",
  ]

  @Test(
    "Every command in any order has one reply, and costs no picture",
    arguments: Cases.some(1, of: 1...4 as ClosedRange<UInt64>))
  func anyOrder(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let lines = (0..<1_500).map { _ in Self.line(using: &generator) }
    let session = try Session(
      ["wait 1"] + lines + ["wait 3", "record stop", "wait 3", "status json", "quit"], seed: seed,
      configuration: "[record]\nsplit_on_rotate = yes\narm = \(seed % 2 == 0 ? "press" : "boot")\n"
        + "[video]\nwidth = 320\nheight = 240\nformat = \(seed > 2 ? "mjpeg" : "auto")\n[sim]\nhuffman_tables = no\n"
        + "[view]\nwidth = 333\nheight = 17\nx = 5\ny = 900\n[zoom]\neasing = elastic-in-out\n")
    #expect(session.end() == 0)
    let status = try #require(session.statuses().last)
    #expect(status.droppedVideoFrames == 0 && status.audioOverruns == 0)
    #expect(status.heapAllocationsSinceBootComplete == 0)
    #expect((1...16).contains(status.zoom))
    #expect(try session.lines().count { $0 == "ok" || $0.hasPrefix("error: ") } == lines.count + 6)
    for take in session.takes().suffix(5) {
      #expect(try ForeignProgram.text("ffmpeg", ["-v", "error", "-i", take, "-f", "null", "-"]).isEmpty)
    }
  }

  private static func line(using generator: inout SeededGenerator) -> String {
    func number() -> String {
      Bool.random(using: &generator)
        ? numbers.randomElement(using: &generator)! : String(Int.random(in: 0...700, using: &generator))
    }
    func position() -> String { positions.randomElement(using: &generator)! }
    switch Int.random(in: 0..<14, using: &generator) {
    case 0: return "zoom \(number()) \(number())"
    case 1: return "zoom \(number()) now"
    case 2: return "zoom \(Int.random(in: 1...16, using: &generator))"
    case 3, 4: return "rotate \(position())"
    case 5: return "tilt \(position())"
    case 6: return "viewfinder \(number()) \(number()) \(number()) \(number())"
    case 7: return "viewfinder move \(number()) \(number())"
    case 8: return ["snapshot", "snapshot crop", "snapshot all"].randomElement(using: &generator)!
    case 9: return ["preview", "preview live", "preview \(number())"].randomElement(using: &generator)!
    case 10:
      return "press \(["record", "zoom", "rotate"].randomElement(using: &generator)!) "
        + ["", "5", "80", "1000"].randomElement(using: &generator)!
    case 11: return "record \(["start", "stop"].randomElement(using: &generator)!)"
    case 12: return "wait \(["0", "0.02", "0.3"].randomElement(using: &generator)!)"
    default: return ["zoom", "rotate", "viewfinder", "status"].randomElement(using: &generator)!
    }
  }
}
