import Base
import Media
import TestSupport

/// A take as the recorder would write it, with every picture and sample known, so that a file can be compared with it.
struct MovieTake {
  struct Fragment {
    var pictures: [[UInt8]]
    var samples: [MovieSample]
    var fragment: MovieFragment
    var audio: [UInt8]
  }

  var description: MovieDescription
  var fragments: [Fragment] = []
  /// When each picture is shown, in ticks, as the finished file must state.
  var pictureTicks: [UInt64] = []

  var pictures: [[UInt8]] { fragments.flatMap(\.pictures) }
  var audio: [UInt8] { fragments.flatMap(\.audio) }
  var audioFrameCount: Int { audio.count / (description.audio?.bytesPerFrame ?? 1) }

  static let provenance = Provenance(
    device: DeviceIdentity(randomHigh: 0x0123_4567_89AB_CDEF, randomLow: 0xFEDC_BA98_7654_3210),
    createdUnixSeconds: 1_795_221_521, software: "fieldcorder 0.1.0")
  static let deviceText = "01234567-89ab-4def-bedc-ba9876543210"
  static let createdText = "2026-11-21T00:38:41"

  static let camera = VideoFormat(
    widthPixels: Pictures.widthPixels, heightPixels: Pictures.heightPixels, pixelFormat: .mjpeg, bytesPerRow: 0,
    frameRate: FrameRate(frames: 25))

  /// - Parameter jitterTicks: the deviation of a picture's time from its place at 25 pictures a second.
  init(
    video: VideoFormat? = Self.camera, coded: CodedPictures = .jpeg, audio: AudioFormat?,
    orientation: Orientation = .landscapeLeft,
    fragmentCount: Int = 4, picturesPerFragment: Int = 5, jitterTicks: Int = 0, seed: UInt64 = 1
  ) {
    description = MovieDescription(
      video: video.map { MovieVideo(format: $0, coding: coded.coding) }, audio: audio, orientation: orientation,
      provenance: Self.provenance)
    var generator = SeededGenerator(seed: seed)
    let ticksPerPicture = Int(description.timescale) / 25
    let pictureCount = fragmentCount * picturesPerFragment
    pictureTicks = (0..<pictureCount).map { index in
      UInt64(index * ticksPerPicture + (index == 0 ? 0 : Int.random(in: -jitterTicks...jitterTicks, using: &generator)))
    }
    for index in 0..<fragmentCount {
      let first = index * picturesPerFragment
      append(pictures: first..<first + picturesPerFragment, ticksPerPicture: ticksPerPicture, coded, using: &generator)
    }
    if video == nil { pictureTicks = [] }
  }

  private mutating func append(
    pictures: Range<Int>, ticksPerPicture: Int, _ coded: CodedPictures, using generator: inout SeededGenerator
  ) {
    let hasVideo = description.video != nil
    let numbers = hasVideo ? pictures.map { $0 % coded.samples.count } : []
    let samples = numbers.enumerated().map { offset, number in
      MovieSample(
        byteCount: UInt32(coded.samples[number].count),
        durationTicks: plannedTicks(pictures, offset, ticksPerPicture), isKeyframe: coded.keyframes[number])
    }
    let frameCount = description.audio == nil ? 0 : pictures.count * ticksPerPicture
    let byteCount = frameCount * (description.audio?.bytesPerFrame ?? 0)
    fragments.append(
      Fragment(
        pictures: numbers.map { coded.samples[$0] }, samples: samples,
        fragment: MovieFragment(
          sequenceNumber: UInt32(fragments.count + 1), videoStartTicks: pictureTicks[pictures.lowerBound],
          audioStartTicks: UInt64(pictures.lowerBound * ticksPerPicture), audioFrameCount: frameCount),
        audio: plainAudio(byteCount, using: &generator)))
  }

  /// The recorder learns a picture's duration from the next one; for a fragment's last it assumes the camera's period.
  private func plannedTicks(_ pictures: Range<Int>, _ offset: Int, _ ticksPerPicture: Int) -> UInt32 {
    let index = pictures.lowerBound + offset
    guard index + 1 < pictures.upperBound else { return UInt32(ticksPerPicture) }
    return UInt32(pictureTicks[index + 1] - pictureTicks[index])
  }

  private func plainAudio(_ byteCount: Int, using generator: inout SeededGenerator) -> [UInt8] {
    guard description.audio?.sampleFormat == .float32 else {
      return (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
    return (0..<byteCount / 4).flatMap { _ in
      let bits = Float.random(in: -1...1, using: &generator).bitPattern
      let sample = (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
      return description.hasBigEndianSamples ? sample.reversed() : sample
    }
  }

  /// Writes the take as the recorder does, without finishing it.
  func record(to file: inout MemoryFile) {
    let header = encoded(capacityByteCount: MovieLimits.headerByteCount) { description.encodeHeader(into: &$0) }
    file.write(header, at: 0)
    file.synchronise()
    var position = header.count
    for fragment in fragments { position = record(fragment, to: &file, at: position) }
    file.synchronise()
  }

  /// Everything except the first sector of the header, a flush, then that sector.
  private func record(_ fragment: Fragment, to file: inout MemoryFile, at start: Int) -> Int {
    let place = place(of: fragment, at: start)
    file.write(encodedStart(of: fragment, at: place), at: start)
    var position = Int(place.mediaStart)
    for bytes in fragment.pictures + [fragment.audio] where !bytes.isEmpty {
      file.write(bytes, at: position)
      position += bytes.count
    }
    file.synchronise()
    file.write(Array(encodedHeader(of: fragment).prefix(place.lastByteCount)), at: Int(place.headerStart))
    return position
  }

  /// The place of a fragment if the one before it ends at `start`.
  func place(of fragment: Fragment, at start: Int) -> FragmentPlace {
    description.fragmentPlace(
      behind: UInt64(start), videoSampleCount: fragment.samples.count,
      audioFrameCount: fragment.fragment.audioFrameCount)
  }

  /// The place of each fragment.
  var places: [FragmentPlace] {
    let header = encoded(capacityByteCount: MovieLimits.headerByteCount) { description.encodeHeader(into: &$0) }
    var end = header.count
    return fragments.map { fragment in
      let place = place(of: fragment, at: end)
      end = Int(place.mediaStart) + fragment.pictures.joined().count + fragment.audio.count
      return place
    }
  }

  /// The bytes that are written with the media data.
  func encodedStart(of fragment: Fragment, at place: FragmentPlace) -> [UInt8] {
    encoded(capacityByteCount: MovieLimits.fragmentStartByteCount) { writer in
      description.encodeFragmentStart(
        fragment.fragment, videoSamples: fragment.samples.span, at: place, into: &writer)
      writer.clear(place.lastRange)
    }
  }

  func encodedHeader(of fragment: Fragment) -> [UInt8] {
    encoded(capacityByteCount: MovieLimits.fragmentHeaderByteCount) { writer in
      description.encodeFragmentHeader(fragment.fragment, videoSamples: fragment.samples.span, into: &writer)
    }
  }

  func recorded() -> [UInt8] {
    var file = MemoryFile()
    record(to: &file)
    return file.content
  }

  func finished() -> [UInt8] {
    var file = MemoryFile()
    record(to: &file)
    _ = finish(&file)
    return file.content
  }
}

/// Runs a finisher to its end.
/// - Parameters:
///   - ledger: the encoded ledger with which the movie ends.
///   - text: a ledger to encode, with all that depends on the movie.
func finish<File: MediaFile & ~Copyable>(
  _ file: inout File, ledger: [UInt8] = [], text: String? = nil
) throws(File.Failure) -> MovieProgress {
  var ledger = ledger
  var memory = [UInt8](repeating: 0xA5, count: MovieLimits.finisherScratchByteCount)
  var elements = memory.mutableSpan
  var scratch = unsafe elements.mutableBytes
  var finisher = MovieFinisher<File>()
  var hashes = HashList<File>(source: nil)
  var progress = MovieProgress.working
  while progress == .working {
    if let text, let end = finisher.end {
      ledger = encoded(capacityByteCount: LedgerCoding.codedByteCount) { writer in
        LedgerCoding.encodeMovie(Array(text.utf8).span, end, into: &writer)
      }
    }
    progress = try finisher.step(&file, scratch: &scratch, ledger: unsafe ledger.span.bytes, &hashes)
  }
  return progress
}
