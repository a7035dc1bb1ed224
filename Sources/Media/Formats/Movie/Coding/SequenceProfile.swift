/// What `avcC` repeats of a sequence parameter set (ISO/IEC 14496-15, 5.3.3.1.2; ITU-T H.264, 7.3.2.1.1).
struct SequenceProfile {
  let profile: UInt8
  let constraints: UInt8
  let level: UInt8
  /// Of the profiles from High on; nil for the others.
  let samples: Samples?

  struct Samples {
    let chromaFormat: UInt8
    let lumaBitsBeyond8: UInt8
    let chromaBitsBeyond8: UInt8
  }

  init(_ sequence: ParameterSet) {
    profile = sequence[1]
    constraints = sequence[2]
    level = sequence[3]
    let hasSamples = profile == 100 || profile == 110 || profile == 122 || profile == 144
    samples = hasSamples ? Self.samples(sequence) : nil
  }

  /// No byte that prevents emulation can lie among these numbers: between them are never two bytes of zeros. Numbers
  /// beyond what the standard knows are taken for those of every camera: 4:2:0 with 8 bits.
  private static func samples(_ sequence: ParameterSet) -> Samples {
    var bits: UInt64 = 0
    for index in 4..<12 { bits = bits << 8 | UInt64(sequence[index]) }
    var reader = ExponentialGolombReader(bits)
    let usual = Samples(chromaFormat: 1, lumaBitsBeyond8: 0, chromaBitsBeyond8: 0)
    guard reader.next() != nil, let chroma = reader.next(), chroma < 3, let luma = reader.next(), luma <= 6,
      let chromaBits = reader.next(), chromaBits <= 6
    else { return usual }
    return Samples(
      chromaFormat: UInt8(chroma), lumaBitsBeyond8: UInt8(luma), chromaBitsBeyond8: UInt8(chromaBits))
  }
}
