import Base
import CLinux

/// The ring that the recorder reads: frame n lies at n modulo the capacity.
@safe struct PCMRing: ~Copyable {
  // Sound: mapped for the life of the process; every index is taken modulo the capacity.
  private let memory: UnsafeMutableRawPointer
  private let capacityFrames: Int
  private let format: AudioFormat
  /// Where the next frame goes.
  var nextFrame: UInt64 = 0

  /// - Returns: nil when the descriptor cannot be mapped, or is smaller than a frame.
  init?(descriptor: Int32, byteCount: Int, format: AudioFormat) {
    guard byteCount >= format.bytesPerFrame else { return nil }
    let mapped = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let memory = unsafe mapped, unsafe linux_is_map_failed(memory) == 0 else { return nil }
    unsafe self.memory = memory
    self.format = format
    capacityFrames = byteCount / format.bytesPerFrame
  }

  /// Writes frames in the converter's format: the ring's, except that 24-bit samples take the upper three of four bytes.
  mutating func write(_ frames: UnsafeRawPointer, frameCount: Int) {
    var done = 0
    while done < frameCount {
      let place = Int(nextFrame % UInt64(capacityFrames))
      let count = min(frameCount - done, capacityFrames - place)
      unsafe put(frames, done, at: place, count)
      done += count
      nextFrame += UInt64(count)
    }
  }

  private func put(_ frames: UnsafeRawPointer, _ first: Int, at place: Int, _ count: Int) {
    let target = unsafe memory + place * format.bytesPerFrame
    guard format.sampleFormat == .int24 else {
      unsafe target.copyMemory(from: frames + first * format.bytesPerFrame, byteCount: count * format.bytesPerFrame)
      return
    }
    let channels = Int(format.channelCount)
    let source = unsafe (frames + first * channels * 4).assumingMemoryBound(to: UInt8.self)
    let packed = unsafe target.assumingMemoryBound(to: UInt8.self)
    for sample in 0..<count * channels {
      unsafe packed[3 * sample] = source[4 * sample + 1]
      unsafe packed[3 * sample + 1] = source[4 * sample + 2]
      unsafe packed[3 * sample + 2] = source[4 * sample + 3]
    }
  }
}
