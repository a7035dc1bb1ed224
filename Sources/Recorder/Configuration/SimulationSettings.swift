/// `[sim]`: how wrong the clocks of the simulated devices run, what the camera delivers, and where the sound goes.
public struct SimulationSettings: Equatable, Sendable {
  /// How much faster than true the microphone samples, -500…500.
  public var microphonePartsPerMillion: Int32 = 0
  /// How much faster than true the camera takes pictures, -500…500.
  public var cameraPartsPerMillion: Int32 = 0
  /// How much faster than true the speaker sounds what it is given, -500…500.
  public var speakerPartsPerMillion: Int32 = 0
  /// What the speaker sounds is written there as raw samples; relative to the data folder, or absolute.
  public var speakerFileName: DeviceName?

  /// The largest of the presets' sizes that the camera offers; nil: any size.
  public var largestPicture: VideoPreset?
  /// Whether the JPEGs of a camera that delivers such have their Huffman tables.
  public var hasHuffmanTables = true

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("sim")
    visitor.setting("microphone_ppm", &microphonePartsPerMillion, WholeNumberKind(-500...500, "parts per million"))
    visitor.setting("camera_ppm", &cameraPartsPerMillion, WholeNumberKind(-500...500, "parts per million"))
    visitor.setting("speaker_ppm", &speakerPartsPerMillion, WholeNumberKind(-500...500, "parts per million"))
    visitor.setting("speaker_file", &speakerFileName, OptionalKind(word: "none", wrapped: DeviceNameKind("a file")))
    visitor.setting("largest_picture", &largestPicture, OptionalKind(word: "any", wrapped: ChoiceKind()))
    visitor.setting("huffman_tables", &hasHuffmanTables, YesOrNoKind())
  }
}
