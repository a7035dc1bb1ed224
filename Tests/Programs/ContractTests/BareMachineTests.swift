import Foundation
import TestSupport
import Testing

/// The Linux board on a machine without its devices.
@Suite struct BareMachineTests {
  @Test("each missing device is named in a line with its remedy, nothing is recorded, and the rest keeps working")
  func nothingThere() throws {
    let folder = try TemporaryFolder()
    let configuration = """
      [audio]
      device = hw:CARD=nowhere
      [video]
      device = /nowhere/video0
      [buttons]
      chip = /nowhere/gpiochip0
      [leds]
      chip = /nowhere/gpiochip1
      [accelerometer]
      bus = /nowhere/i2c-1
      [loop]
      priority = 0

      """
    let path = try folder.write([UInt8](configuration.utf8), as: "configuration")
    let session = try Session(
      arguments: ["--board", "linux", "--config", path, "--data", folder.path(of: "data")],
      script: ["wait 0.2", "status json", "record start", "press record", "status json", "quit"])
    #expect(session.end() == 0)
    let lines = try session.lines()
    for device in ["hw:CARD=nowhere", "/nowhere/video0", "/nowhere/gpiochip0", "/nowhere/i2c-1"] {
      let told = lines.filter { $0.hasPrefix("* ") && $0.contains(device) }
      #expect(!told.isEmpty && told.allSatisfy { $0.contains(": ") || $0.contains("; ") }, "\(device) in \(lines)")
    }
    let errors = lines.filter { $0.hasPrefix("error: ") }
    #expect(errors.count == 2)
    #expect(errors.first?.contains("microphone") == true && errors.last?.contains("--allow-inject") == true)
    #expect(try session.statuses().last?.state == "failed")
    #expect(session.takes().isEmpty)
  }
}
