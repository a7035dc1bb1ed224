import Base
import Foundation
import Media
import TestSupport

/// Sound of several channels, as fractions of full scale.
struct MeasuredSound {
  let rate: Int
  private(set) var channels: [[Double]]

  init(rate: Int = 48_000, channelCount: Int = 2) {
    self.rate = rate
    channels = Array(repeating: [], count: channelCount)
  }

  /// Appends a sine in all channels, or silence.
  mutating func add(_ seconds: Double, _ decibels: Double? = nil, hertz: Double = 1_000, degrees: Double = 0) {
    let amplitude = decibels.map { pow(10, $0 / 20) } ?? 0
    let (step, start) = (2 * .pi * hertz / Double(rate), degrees * .pi / 180)
    add((0..<Int((seconds * Double(rate)).rounded())).map { amplitude * sin(step * Double($0) + start) })
  }

  mutating func add(_ samples: [Double]) { for index in channels.indices { channels[index] += samples } }

  /// Appends something else in each channel.
  mutating func add(each samples: [[Double]]) {
    for index in channels.indices { channels[index] += samples[index] }
  }

  /// The frames as a recorder has them; whole numbers are rounded.
  func bytes(_ format: SampleFormat) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(channels[0].count * channels.count * format.bytesPerSample)
    for frame in channels[0].indices {
      for channel in channels.indices {
        let sample = channels[channel][frame]
        switch format {
        case .float32:
          let bits = Float(sample).bitPattern
          for byte in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(8 * byte))) }
        case .int16, .int24:
          let scale = format == .int16 ? 32_768.0 : 8_388_608
          let value = Int32(min(max((sample * scale).rounded(), -scale), scale - 1))
          for byte in 0..<format.bytesPerSample { bytes.append(UInt8(truncatingIfNeeded: value >> Int32(8 * byte))) }
        }
      }
    }
    return bytes
  }

  /// - Parameters:
  ///   - wanted: a bit for each channel to be measured.
  ///   - pieces: how many frames are heard at once, in turn.
  func loudness(_ format: SampleFormat = .float32, channels wanted: UInt8 = 0xFF, pieces: [Int] = [24_000]) throws
    -> Loudness
  {
    let rig = try MeterRig()
    return rig.measure(self, format, channels: wanted, pieces: pieces)
  }

  /// Measured by `ebur128` of ffmpeg.
  func judged(_ format: SampleFormat = .float32) throws -> (integrated: Double, range: Double, truePeak: Double) {
    let name = format == .float32 ? "f32le" : format == .int16 ? "s16le" : "s24le"
    let told = String(
      decoding: try ForeignProgram.run(
        "sh",
        [
          "-c",
          #"exec ffmpeg -hide_banner -nostats -f "$1" -ar "$2" -ac "$3" -i pipe:0 "#
            + #"-af ebur128=peak=true:framelog=verbose -f null - 2>&1"#,
          "sh", name, "\(rate)", "\(channels.count)",
        ], input: bytes(format)), as: UTF8.self)
    func number(after label: String) throws -> Double {
      let line = try unwrapped(told.split(separator: "\n").last { $0.contains(label) })
      return try unwrapped(Double(line.split(whereSeparator: { $0 == " " || $0 == ":" })[1]))
    }
    return (try number(after: " I:"), try number(after: " LRA:"), try number(after: " Peak:"))
  }
}

/// A meter in memory of its own.
@safe final class MeterRig {
  // Safe: freed with the rig, which owns the meter that was cut from it.
  private let region: UnsafeMutableRawBufferPointer
  private var meter: LoudnessMeter

  init() throws {
    unsafe region = .allocate(byteCount: 65_536, alignment: 4096)
    unsafe region.initializeMemory(as: UInt8.self, repeating: 0xA5)
    var memory = unsafe BootMemory(region: region)
    meter = try unwrapped(LoudnessMeter(in: &memory))
  }

  deinit { unsafe region.deallocate() }

  func measure(_ sound: MeasuredSound, _ format: SampleFormat, channels wanted: UInt8, pieces: [Int]) -> Loudness {
    let audio = AudioFormat(
      sampleRateHz: UInt32(sound.rate), channelCount: UInt16(sound.channels.count), sampleFormat: format)
    let bytes = sound.bytes(format)
    meter.begin(audio, channels: wanted)
    var place = 0
    var turn = 0
    while place < bytes.count {
      let end = min(bytes.count, place + pieces[turn % pieces.count] * audio.bytesPerFrame)
      unsafe meter.add(bytes.span.extracting(place..<end).bytes)
      place = end
      turn += 1
    }
    return meter.finish()
  }
}
