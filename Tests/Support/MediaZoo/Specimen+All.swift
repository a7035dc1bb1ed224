/// Every kind of file that Debian's tools can make and that can be identified by its content.
extension Specimen {
  /// All kinds, and the common ones at every rate and channel count that they support.
  package static let all: [Specimen] = pcm + blockCodecs + lossless + lossy + films + sndfilePCM + soxKinds + shapes

  /// One kind of each codec family, for tests with much sound or many files.
  package static let families: [Specimen] = [
    ffmpeg("family.wav", "-c:a pcm_s16le", isLossless: true),
    ffmpeg("family.aiff", "-c:a pcm_s16be", isLossless: true),
    ffmpeg("family.caf", "-c:a pcm_s16le", isLossless: true),
    flac("family.flac", "-8"),
    ffmpeg("family-alac.m4a", "-c:a alac", isLossless: true),
    ffmpeg("family.wv", "-c:a wavpack", isLossless: true),
    ffmpeg("family.mp3", "-c:a libmp3lame -q:a 4"),
    ffmpeg("family.m4a", "-c:a aac -b:a 128k"),
    ffmpeg("family.aac", "-c:a aac -b:a 128k"),
    ffmpeg("family.ogg", "-c:a libvorbis -q:a 4"),
    ffmpeg("family.opus", "-c:a libopus -b:a 128k"),
    ffmpeg("family.mov", "-f lavfi -i testsrc=s=32x24:r=5 -shortest -c:v mjpeg -c:a pcm_s16le", isLossless: true),
  ]

  private static let pcm: [Specimen] = [
    ffmpeg("u8.wav", "-c:a pcm_u8"),
    ffmpeg("s16.wav", "-c:a pcm_s16le", isLossless: true),
    ffmpeg("s24.wav", "-c:a pcm_s24le", .deep, isLossless: true),
    ffmpeg("s32.wav", "-c:a pcm_s32le", .deep, isLossless: true),
    ffmpeg("f32.wav", "-c:a pcm_f32le", .deep, isLossless: true),
    ffmpeg("f64.wav", "-c:a pcm_f64le", .deep, isLossless: true),
    ffmpeg("alaw.wav", "-c:a pcm_alaw"),
    ffmpeg("ulaw.wav", "-c:a pcm_mulaw"),
    ffmpeg("rf64-16.wav", "-c:a pcm_s16le -rf64 always", isLossless: true),
    ffmpeg("rf64-24.wav", "-c:a pcm_s24le -rf64 always", .deep, isLossless: true),
    // Its padding to eight bytes is decoded as one extra frame.
    ffmpeg("s16.w64", "-c:a pcm_s16le"),
    ffmpeg("s24.w64", "-c:a pcm_s24le", .deep, isLossless: true),
    ffmpeg("f32.w64", "-c:a pcm_f32le", .deep, isLossless: true),
    ffmpeg("s16.aiff", "-c:a pcm_s16be", isLossless: true),
    ffmpeg("s24.aiff", "-c:a pcm_s24be", .deep, isLossless: true),
    ffmpeg("s32.aiff", "-c:a pcm_s32be", .deep, isLossless: true),
    ffmpeg("sowt.aiff", "-c:a pcm_s16le", isLossless: true),
    ffmpeg("f32.aiff", "-c:a pcm_f32be", .deep, isLossless: true),
    ffmpeg("f64.aiff", "-c:a pcm_f64be", .deep, isLossless: true),
    ffmpeg("alaw.aiff", "-c:a pcm_alaw"),
    ffmpeg("ulaw.aiff", "-c:a pcm_mulaw"),
    ffmpeg("s16be.caf", "-c:a pcm_s16be", isLossless: true),
    ffmpeg("s16le.caf", "-c:a pcm_s16le", isLossless: true),
    ffmpeg("s24be.caf", "-c:a pcm_s24be", .deep, isLossless: true),
    ffmpeg("s24le.caf", "-c:a pcm_s24le", .deep, isLossless: true),
    ffmpeg("s32.caf", "-c:a pcm_s32le", .deep, isLossless: true),
    ffmpeg("f32.caf", "-c:a pcm_f32le", .deep, isLossless: true),
    ffmpeg("f64.caf", "-c:a pcm_f64be", .deep, isLossless: true),
    ffmpeg("alaw.caf", "-c:a pcm_alaw"),
    ffmpeg("ulaw.caf", "-c:a pcm_mulaw"),
    ffmpeg("s16.au", "-c:a pcm_s16be", isLossless: true),
    ffmpeg("s24.au", "-c:a pcm_s24be", .deep, isLossless: true),
    ffmpeg("f32.au", "-c:a pcm_f32be", .deep, isLossless: true),
    ffmpeg("ulaw.au", "-c:a pcm_mulaw"),
    ffmpeg("s16.voc", "-c:a pcm_s16le", isLossless: true),
    ffmpeg("s16.sf", "-f ircam -c:a pcm_s16le", isLossless: true),
    ffmpeg("s32.sox", "-f sox", isLossless: true),
    ffmpeg("s16.ast", "-c:a pcm_s16be_planar", isLossless: true),
    ffmpeg("s16.smjpeg", "-f smjpeg", isLossless: true),
  ]

  private static let blockCodecs: [Specimen] = [
    ffmpeg("ima.wav", "-c:a adpcm_ima_wav"),
    ffmpeg("ms.wav", "-c:a adpcm_ms"),
    ffmpeg("g722.wav", "-c:a g722", .telephone),
    ffmpeg("g726.wav", "-c:a g726", .telephone),
    ffmpeg("gsm.wav", "-c:a libgsm_ms", .telephone),
    ffmpeg("ima.aiff", "-c:a adpcm_ima_qt"),
    ffmpeg("ima.caf", "-c:a adpcm_ima_qt"),
    ffmpeg("adx.adx", "-f adx"),
    ffmpeg("apm.apm", "-f apm"),
    ffmpeg("argo.asf", "-f argo_asf"),
    ffmpeg("kvag.vag", "-f kvag"),
    ffmpeg("wsaud.aud", "-f wsaud"),
  ]

  private static let lossless: [Specimen] = [
    flac("fast.flac", "-0"),
    flac("best.flac", "-8"),
    flac("deep.flac", "-5", .deep),
    flac("ogg.oga", "-5 --ogg"),
    flac("deep-ogg.oga", "-5 --ogg", .deep),
    ffmpeg("ffmpeg.flac", "-c:a flac", isLossless: true),
    ffmpeg("ffmpeg.oga", "-c:a flac", isLossless: true),
    ffmpeg("alac.m4a", "-c:a alac", isLossless: true),
    ffmpeg("alac-24.m4a", "-c:a alac -sample_fmt s32p", .deep, isLossless: true),
    ffmpeg("alac.caf", "-c:a alac", isLossless: true),
    ffmpeg("flac.mp4", "-c:a flac -strict -2", isLossless: true),
    ffmpeg("wavpack.wv", "-c:a wavpack", isLossless: true),
    ffmpeg("wavpack-24.wv", "-c:a wavpack -sample_fmt s32p", .deep, isLossless: true),
    sox("sox.wv", isLossless: true),
    ffmpeg("tta.tta", "-c:a tta", isLossless: true),
    ffmpeg("truehd.thd", "-f truehd -strict -2", isLossless: true),
    // Its last packet is padded.
    ffmpeg("mlp.mlp", "-f mlp -strict -2"),
  ]

  private static let lossy: [Specimen] = [
    ffmpeg("cbr.mp3", "-c:a libmp3lame -b:a 128k"),
    ffmpeg("vbr.mp3", "-c:a libmp3lame -q:a 4"),
    ffmpeg("vbr-no-xing.mp3", "-c:a libmp3lame -q:a 4 -write_xing 0"),
    ffmpeg("vbr-bare.mp3", "-c:a libmp3lame -q:a 4 -write_xing 0 -id3v2_version 0"),
    ffmpeg("id3v1.mp3", "-c:a libmp3lame -write_id3v1 1 -metadata title=Title"),
    ffmpeg("shine.mp3", "-c:a libshine"),
    program("lame-cbr.mp3", "lame --quiet -b 192 {in} {out}"),
    program("lame-vbr.mp3", "lame --quiet -V 2 {in} {out}"),
    program("lame-no-tag.mp3", "lame --quiet -t -V 2 {in} {out}"),
    ffmpeg("mp3-in.wav", "-c:a libmp3lame"),
    ffmpeg("ffmpeg.mp2", "-c:a mp2"),
    ffmpeg("twolame.mp2", "-c:a libtwolame"),
    ffmpeg("adts.aac", "-c:a aac"),
    ffmpeg("plain.m4a", "-c:a aac"),
    ffmpeg("fast-start.m4a", "-c:a aac -movflags +faststart"),
    ffmpeg("fragments.mp4", "-c:a aac -movflags +frag_keyframe+empty_moov"),
    ffmpeg("latm.latm", "-c:a aac -f latm"),
    ffmpeg("ffmpeg.ogg", "-c:a libvorbis"),
    program("oggenc.ogg", "oggenc -Q -q 6 -o {out} {in}"),
    sndfile("sndfile.ogg", "-vorbis"),
    ffmpeg("speex.spx", "-c:a libspeex", .wideband),
    ffmpeg("ffmpeg.opus", "-c:a libopus"),
    program("opusenc.opus", "opusenc --quiet {in} {out}"),
    program("opusenc-speech.opus", "opusenc --quiet --bitrate 16 --speech --downmix-mono {in} {out}"),
    ffmpeg("opus.caf", "-c:a libopus"),
    ffmpeg("opus.mp4", "-c:a libopus -strict -2"),
    ffmpeg("dolby.ac3", "-c:a ac3"),
    ffmpeg("dolby.eac3", "-c:a eac3"),
    ffmpeg("theatre.dts", "-c:a dca -strict -2"),
    ffmpeg("v1.wma", "-c:a wmav1"),
    ffmpeg("v2.wma", "-c:a wmav2"),
    ffmpeg("real.rm", "-c:a ac3"),
    ffmpeg("speech.codec2", "-f codec2 -c:a libcodec2", .telephone),
    sndfile("sndfile.mp3", ""),
  ]

  private static let films: [Specimen] = [
    film("pcm.mov", "-c:v mjpeg -c:a pcm_s16le", isLossless: true),
    film("pcm-24.mov", "-c:v mjpeg -c:a pcm_s24le", .deep, isLossless: true),
    film("aac.mov", "-c:v mjpeg -c:a aac"),
    film("avc.mp4", "-c:v libx264 -preset ultrafast -c:a aac"),
    film("alac.mp4", "-c:v libx264 -preset ultrafast -c:a alac", isLossless: true),
    film("pcm.mkv", "-c:v libx264 -preset ultrafast -c:a pcm_s16le", isLossless: true),
    film("flac.mkv", "-c:v mjpeg -c:a flac", isLossless: true),
    film("aac.mkv", "-c:v mjpeg -c:a aac"),
    film("opus.webm", "-c:v libvpx -deadline realtime -c:a libopus"),
    film("vorbis.webm", "-c:v libvpx -deadline realtime -c:a libvorbis"),
    film("pcm.avi", "-c:v mjpeg -c:a pcm_s16le", isLossless: true),
    film("mp3.avi", "-c:v mjpeg -c:a libmp3lame"),
    film("transport.ts", "-c:v mpeg2video -c:a aac"),
    film("program.mpg", "-c:v mpeg2video -c:a mp2"),
    film("disc.vob", "-c:v mpeg2video -c:a ac3"),
    film("flash.flv", "-c:v flv -c:a libmp3lame"),
    film("window.wmv", "-c:v wmv2 -c:a wmav2"),
    film("vorbis.nut", "-c:v mjpeg -c:a libvorbis"),
    ffmpeg("sound.mka", "-c:a flac", isLossless: true),
    ffmpeg("sound.mov", "-c:a pcm_s16le", isLossless: true),
    ffmpeg("sound.avi", "-c:a pcm_s16le", isLossless: true),
    ffmpeg("sound.3gp", "-c:a aac"),
    cover("cover.mp3", "-c:a libmp3lame -id3v2_version 3"),
    cover("cover.flac", "-c:a flac", isLossless: true),
    cover("cover.m4a", "-c:a aac"),
  ]

  private static let sndfilePCM: [Specimen] = sndfileEncodings.flatMap { ending, encodings in
    encodings.split(separator: " ").map { encoding in
      let isDeep = ["-pcm24", "-pcm32", "-float32", "-float64", "-alac24", "-alac32"].contains(encoding)
      // sndfile scales the floating-point samples that it writes. ffmpeg does not decode the last packet of its 20-bit
      // ALAC.
      let isLossless = isDeep && !encoding.hasPrefix("-float") || ["-pcm16", "-alac16"].contains(encoding)
      let name = "sndfile\(encoding).\(ending)"
      return sndfile(name, String(encoding), isDeep ? .deep : .ordinary, isLossless: isLossless)
    }
  }

  private static let sndfileEncodings: [(ending: String, encodings: String)] = [
    ("wav", "-pcmu8 -pcm16 -pcm24 -pcm32 -float32 -float64 -ulaw -alaw -ima-adpcm -ms-adpcm"),
    ("wavex", "-pcmu8 -pcm16 -pcm24 -pcm32 -float32 -float64 -ulaw -alaw"),
    ("rf64", "-pcmu8 -pcm16 -pcm24 -pcm32 -float32 -float64 -ulaw -alaw"),
    ("w64", "-pcmu8 -pcm16 -pcm24 -pcm32 -float32 -float64 -ulaw -alaw -ima-adpcm -ms-adpcm"),
    ("aif", "-pcms8 -pcmu8 -pcm16 -pcm24 -pcm32 -float32 -float64 -ulaw -alaw -ima-adpcm"),
    ("caf", "-pcms8 -pcm16 -pcm24 -pcm32 -float32 -float64 -ulaw -alaw -alac16 -alac20 -alac24 -alac32"),
    ("au", "-pcms8 -pcm16 -pcm24 -pcm32 -float32 -float64 -ulaw -alaw"),
    ("flac", "-pcms8 -pcm16 -pcm24"),
    ("ircam", "-pcm16 -pcm32 -float32 -ulaw -alaw"),
    ("nist", "-pcms8 -pcm16 -pcm24 -pcm32 -ulaw -alaw"),
    ("voc", "-pcmu8 -pcm16 -ulaw -alaw"),
    ("avr", "-pcms8 -pcmu8 -pcm16"),
    ("paf", "-pcms8 -pcm16"),
    ("pvf", "-pcms8 -pcm16 -pcm32"),
  ]

  private static let soxKinds: [Specimen] =
    [sox("sox.gsm", .telephone)] + ["8svx", "amr-nb", "wve"].map { sox("sox.\($0)") }
    + [
      "aifc", "aiffc", "aiff", "amb", "au", "avr", "caf", "fap", "flac", "maud", "nist", "paf", "pvf", "sf", "sox",
      "sph", "w64", "wavpcm",
    ].map { sox("sox.\($0)", isLossless: true) }

  /// Rates and channel counts.
  private static let shapes: [Specimen] = families.dropLast().flatMap { family in
    let rated = rates(family).map { family.of(Signal(sampleRateHz: $0), as: "\($0)-\(family.name)") }
    return rated
      + [1, 6].filter { $0 <= 2 || family.name != "family.mp3" }.map { channels in
        family.of(Signal(sampleRateHz: 48_000, channelCount: channels), as: "\(channels)ch-\(family.name)")
      }
  }

  private static func rates(_ family: Specimen) -> [Int] {
    switch family.name {
    case "family.mp3": [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 48_000]
    case "family.m4a", "family.aac": [8_000, 11_025, 16_000, 22_050, 32_000, 48_000, 64_000, 96_000]
    case "family.opus": [8_000, 16_000, 24_000, 48_000]
    case "family.wav": [8_000, 11_025, 16_000, 22_050, 32_000, 48_000, 88_200, 96_000, 192_000]
    default: [8_000, 22_050, 48_000, 96_000]
    }
  }

  static func program(
    _ name: String, _ command: String, _ source: Signal = .ordinary, isLossless: Bool = false
  ) -> Specimen {
    let words = command.split(separator: " ").map(String.init)
    return Specimen(
      name: name, source: source, isLossless: isLossless, program: words[0], arguments: Array(words.dropFirst()))
  }

  static func ffmpeg(
    _ name: String, _ options: String, _ source: Signal = .ordinary, isLossless: Bool = false
  ) -> Specimen {
    // Without dates and random serial numbers, so that the file is the same each time.
    program(
      name, "ffmpeg -nostdin -v error -i {in} \(options) -fflags +bitexact -flags +bitexact {out}", source,
      isLossless: isLossless)
  }

  private static func film(
    _ name: String, _ options: String, _ source: Signal = .ordinary, isLossless: Bool = false
  ) -> Specimen {
    ffmpeg(
      name, "-f lavfi -i testsrc=s=64x48:r=25:d=3 -t \(source.seconds) \(options)", source, isLossless: isLossless)
  }

  private static func cover(_ name: String, _ options: String, isLossless: Bool = false) -> Specimen {
    ffmpeg(
      name,
      "-f lavfi -i testsrc=s=64x48:d=0.04 -map 0:a -map 1:v -c:v mjpeg -frames:v 1 -disposition:v attached_pic "
        + options, isLossless: isLossless)
  }

  private static func flac(_ name: String, _ options: String, _ source: Signal = .ordinary) -> Specimen {
    program(name, "flac --silent \(options) -o {out} {in}", source, isLossless: true)
  }

  private static func sndfile(
    _ name: String, _ encoding: String, _ source: Signal = .ordinary, isLossless: Bool = false
  ) -> Specimen {
    program(name, "sndfile-convert \(encoding) {in} {out}", source, isLossless: isLossless)
  }

  private static func sox(_ name: String, _ source: Signal = .ordinary, isLossless: Bool = false) -> Specimen {
    program(name, "sox --no-dither {in} -t \(name.split(separator: ".").last!) {out}", source, isLossless: isLossless)
  }
}

extension Signal {
  /// The most common format: 16 bits, stereo, 44.1 kHz.
  package static let ordinary = Signal()
  /// More than 16 bits, and another rate.
  package static let deep = Signal(sampleRateHz: 48_000, bitsPerSample: 24)
  /// A common format for speech.
  package static let telephone = Signal(sampleRateHz: 8_000, channelCount: 1)
  /// A common format for speech of higher quality.
  package static let wideband = Signal(sampleRateHz: 16_000, channelCount: 1)
}
