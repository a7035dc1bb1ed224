/// `[sim]`: how wrong the clocks of the simulated devices run.
public struct SimulationSettings: Equatable, Sendable {
  /// How much faster than true the microphone samples, -500…500.
  public var microphonePartsPerMillion: Int32 = 0
  /// How much faster than true the camera takes pictures, -500…500.
  public var cameraPartsPerMillion: Int32 = 0

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("sim")
    visitor.setting("microphone_ppm", &microphonePartsPerMillion, WholeNumberKind(-500...500, "parts per million"))
    visitor.setting("camera_ppm", &cameraPartsPerMillion, WholeNumberKind(-500...500, "parts per million"))
  }
}
