import Base
import CFakeCamera
import CVideo4Linux
import Foundation
import TestSupport
import Testing

@testable import Machine

/// The controls offered by a camera's driver. Each test runs in a process of its own: see ``LyingDriverTests``.
@Suite struct ControlTests {
  private static func plugIn() throws -> FixedText<64> {
    // Device names are too short for the paths of temporary folders.
    let path = "/tmp/fieldcorder-\(UUID().uuidString.prefix(13))"
    let isPluggedIn = unsafe fake_camera_plug_in(path)
    try #require(isPluggedIn)
    fake_camera_offer(video_format_mjpeg())
    return FixedText(path)
  }

  private static func controls(_ list: ControlList) -> [DeviceControl] { (0..<list.count).compactMap { list[$0] } }

  @Test(
    "Controls with a number are listed by the words of their names; classes, buttons, texts and disabled ones are not")
  func lists() async {
    await #expect(processExitsWith: .success) {
      let path = try ControlTests.plugIn()
      defer { fake_camera_unplug() }
      var inspector = LinuxInspector(dataFolder: "/tmp")
      let list = ControlTests.controls(try inspector.controls(of: path, .none))
      let names = ["brightness", "white_balance_automatic", "gain", "exposure_time_absolute", "zoom_absolute", "wide"]
      try #require(list.map { String($0.name) } == names)
      try #require(list[0].least == -64 && list[0].most == 64 && list[0].usual == 0 && list[0].step == 1)
      try #require(list.map(\.lock) == [.none, .none, .readOnly, .inactive, .readOnly, .none])
      // Negative numbers, and those of more than 32 bits, are passed on unchanged.
      for (index, value) in [(0, Int64(-33)), (5, Int64(1) << 40)] {
        let set = try inspector.controls(of: path, .set(list[index].identifier, to: value))
        try #require(set[index]?.value == value)
      }
      let reset = try inspector.controls(of: path, .reset)
      try #require(reset.refusedCount == 0 && ControlTests.controls(reset).allSatisfy { $0.value == $0.usual })
      try #require((try? inspector.controls(of: path, .set(0x1234, to: 1))) == nil)
      try #require((try? inspector.controls(of: "/dev/nowhere", .none)) == nil)
    }
  }

  @Test("Whatever a driver says of its controls, they are bounded, and their names are words and their ranges possible")
  func survivesLies() async {
    await #expect(processExitsWith: .success) {
      let path = try ControlTests.plugIn()
      defer { fake_camera_unplug() }
      var inspector = LinuxInspector(dataFolder: "/tmp")
      var toldCount = 0
      for seed in 1...3_000 as ClosedRange<UInt64> {
        fake_camera_lie(seed &* 0x9E37_79B9_7F4A_7C15)
        guard let list = try? inspector.controls(of: path, seed % 3 == 0 ? .reset : .none) else { continue }
        try #require(list.count <= 32)
        for control in ControlTests.controls(list) {
          toldCount += 1
          try #require(!control.name.isEmpty && String(control.name).wholeMatch(of: /[a-z0-9]+(_[a-z0-9]+)*/) != nil)
          try #require(control.least <= control.most && control.step >= 1)
          for value in [control.least, control.most, control.usual, control.value, .min, .max, 0] {
            let isIn = control.least <= value && value <= control.most
            if control.accepts(value) { try #require(isIn) }
          }
          try #require(control.accepts(control.least))
        }
      }
      try #require(toldCount > 1_000)
    }
  }
}
