import Configuration
import TestSupport
import Testing

@testable import App

/// The zoom button and the console's `zoom`, and their events.
@Suite struct ZoomTests {
  private func zoom(_ rig: ApplianceRig) throws -> Double { try #require(try rig.status()["zoom"] as? Double) }

  private func expect(_ rig: ApplianceRig, zoom expected: Double, within tolerance: Double = 0.0006) throws {
    let zoom = try zoom(rig)
    #expect(abs(zoom - expected) <= tolerance, "\(zoom)")
  }

  @Test("each short press goes one step in, and from the maximum back to 1")
  func steps() throws {
    let rig = try ApplianceRig()
    for factor in [2.0, 4, 8, 16, 1, 2] {
      rig.run("press zoom", milliseconds: 2_000)
      try expect(rig, zoom: factor)
    }
    #expect(rig.announcements("* zoom") == ["2", "4", "8", "16", "1", "2"].map { "* zoom \($0).0" })
  }

  @Test("a double press reverses the button's direction and reports it")
  func double() throws {
    let rig = try ApplianceRig { $0.zoom.maximum = 10 }
    rig.run("zoom 8 now")
    rig.run("press zoom\npress zoom", milliseconds: 1_000)
    try expect(rig, zoom: 8)
    for factor in [4.0, 2, 1, 10] {
      rig.run("press zoom", milliseconds: 2_000)
      try expect(rig, zoom: factor)
    }
    rig.run("press zoom\npress zoom", milliseconds: 1_000)
    #expect(rig.announcements("zoom button") == ["* zoom button zooms out", "* zoom button zooms in"])
  }

  @Test("held, it glides in until it is released, and stays there")
  func held() throws {
    let rig = try ApplianceRig()
    // The press is long after 800 ms; the remaining 700 ms glide at three powers of two a second.
    rig.run("press zoom 1500", milliseconds: 2_000)
    let factor = try zoom(rig)
    #expect(abs(factor - 4.29) < 0.3)
    rig.run(milliseconds: 2_000)
    try expect(rig, zoom: factor)
    #expect(rig.announcements("* zoom").count == 1)
  }

  @Test("held at the maximum, it comes back and reports the direction")
  func heldAtTheEnd() throws {
    let rig = try ApplianceRig()
    rig.run("press zoom 3000", milliseconds: 4_000)
    try expect(rig, zoom: 16)
    rig.run("press zoom 3000", milliseconds: 4_000)
    try expect(rig, zoom: 1)
    #expect(rig.announcements("* zoom") == ["* zoom 16.0", "* zoom button zooms out", "* zoom 1.0"])
  }

  @Test("the console glides at its rate, jumps, and prints the factor")
  func console() throws {
    let rig = try ApplianceRig { $0.zoom.rate = 1 }
    rig.run("zoom 4", milliseconds: 1_000)
    try expect(rig, zoom: 2, within: 0.1)
    rig.run(milliseconds: 1_100)
    rig.run("zoom 1 10", milliseconds: 220)
    rig.run("zoom", milliseconds: 40)
    rig.run("zoom 2.5 now\nzoom", milliseconds: 40)
    #expect(rig.host.lines.filter { $0.hasPrefix("zoom ") } == ["zoom 1.00", "zoom 2.50"])
    #expect(rig.announcements("* zoom") == ["* zoom 4.0", "* zoom 1.0"])
    rig.run("status", milliseconds: 100)
    #expect(rig.host.lines.contains("zoom         2.50"))
  }

  @Test(
    "an impossible factor is refused with the valid range, and the old one stays",
    arguments: [
      ("nan", "plain"), ("1e9", "plain"), ("999999999999999999", "at most 15 digits"),
      ("4 0", "a rate of 0.1…50"), ("4 51", "a rate of 0.1…50"), ("4 inf", "a rate of 0.1…50"),
    ])
  func refused(arguments: String, reason: String) throws {
    let rig = try ApplianceRig { $0.zoom.maximum = 10 }
    rig.run("zoom 3 now")
    rig.run("zoom \(arguments)", milliseconds: 3_000)
    let error = rig.host.lines.last { $0.hasPrefix("error: ") }
    #expect(error?.contains(reason) == true, "\(error ?? "none")")
    try expect(rig, zoom: 3)
  }

  @Test(
    "without a camera it is refused with a remedy, and its button is silent",
    arguments: [
      (TakeContent.audio, "there is no camera to zoom: set [record] what = video"),
      (.video, "there is no camera to zoom: plug one in and restart the recorder"),
    ])
  func withoutCamera(content: TakeContent, refusal: String) throws {
    let rig = try ApplianceRig(absent: [.camera]) { $0.record.content = content }
    rig.run("zoom 4\nzoom\nzoom 1 now", milliseconds: 1_000)
    #expect(rig.host.lines.count { $0 == "error: \(refusal)" } == 3)
    rig.run("press zoom\npress zoom\npress zoom 1500", milliseconds: 5_000)
    #expect(rig.announcements("zoom").isEmpty)
    for command in ["viewfinder", "snapshot", "preview"] {
      rig.run(command)
      #expect(rig.host.lines.last?.hasPrefix("error: there is no camera to ") == true, "\(command)")
      #expect(rig.host.lines.last?.hasSuffix(refusal.drop { $0 != ":" }) == true, "\(command)")
    }
  }

  @Test("if zoom is disabled, each press of the button names the setting once")
  func withoutRange() throws {
    let rig = try ApplianceRig { $0.zoom.maximum = 1 }
    rig.run("press zoom", milliseconds: 2_000)
    rig.run("press zoom 1500", milliseconds: 4_000)
    #expect(rig.announcements("[zoom]") == Array(repeating: "* set [zoom] maximum above 1 to zoom", count: 2))
    rig.run("zoom 2\nzoom", milliseconds: 100)
    #expect(rig.host.lines.suffix(3) == ["error: set [zoom] maximum above 1 to zoom", "zoom 1.00", "ok"])
  }

  @Test("zooming does not disturb a take", arguments: 1...3 as ClosedRange<UInt64>)
  func duringTake(seed: UInt64) throws {
    let rig = try ApplianceRig(seed: seed)
    rig.run("record start\nzoom 16", milliseconds: 1_000)
    rig.run("press zoom\npress zoom 1000", milliseconds: 3_000)
    rig.run("record stop", milliseconds: 1_000)
    #expect(try rig.status()["dropped_video_frames"] as? Int == 0)
  }
}
