import TestSupport
import Testing

/// The orientation of a take, from the accelerometer to the player.
@Suite struct OrientationTests {
  @Test(
    "players rotate a take as the device was held; flat on its back it keeps the last orientation",
    arguments: [
      (["landscape-left"], "landscape-left", ""), (["portrait"], "portrait", "-90"),
      (["landscape-right"], "landscape-right", "-180"), (["portrait-upside-down"], "portrait-upside-down", "90"),
      (["portrait", "face-up"], "portrait", "-90"), (["landscape-right", "face-down"], "landscape-right", "-180"),
    ] as [([String], String, String)])
  func rotation(tilts: [String], orientation: String, rotation: String) throws {
    let session = try Session(
      tilts.flatMap { ["tilt \($0)", "wait 1"] }
        + ["press record", "wait 1", "status json", "press record", "wait 1", "quit"])
    #expect(session.end() == 0)
    #expect(try session.statuses().first?.orientation == orientation)
    let path = try #require(session.takes().first)
    let told = try ForeignProgram.text(
      "ffprobe",
      ["-v", "error", "-select_streams", "v:0", "-show_entries", "stream_side_data=rotation", "-of", "csv=p=0", path])
    #expect(told == rotation)
  }
}
