import MediaZoo
import TestSupport
import Testing

/// The zoo itself, before anybody's player is held to it.
@Suite struct SpecimenTests {
  @Test("every kind can be made, and ffmpeg finds in it what went in", arguments: Specimen.all)
  func specimen(_ specimen: Specimen) throws {
    let reference = try Reference(path: Zoo.shared.path(of: specimen))
    if specimen.isLossless {
      #expect(reference.sampleRateHz == specimen.source.sampleRateHz)
      #expect(firstDifference(reference.samples, specimen.source.floatBytes()) == nil)
    } else {
      // An encoder's delay and padding stay where a kind has no place to note them, which are packets of ADTS.
      let surplus = specimen.name.hasSuffix(".aac") ? 3 * 1_024 / Double(specimen.source.sampleRateHz) : 0.05
      #expect(reference.seconds > specimen.source.seconds - 0.05)
      #expect(reference.seconds < specimen.source.seconds + surplus)
    }
  }
}
