import Port
import Values
import Posix
import Text

/// A file of raw samples, interleaved and little-endian: what a listener at the simulated speaker would have heard from
/// the first frame on. Where it was still, there are zeros.
@usableFromInline struct SimHeardSound: ~Copyable {
  private var file: PosixFile
  private let format: AudioFormat
  /// The crystal's tick of the file's first frame; nil before anything sounded.
  private var firstTick: UInt64?

  /// Makes the file, and the folder when it is missing; what a file of that name held is lost.
  /// - Parameter name: relative to `folder`, or absolute.
  init(_ name: FixedText<64>, in folder: FixedText<128>, format: AudioFormat) throws(DeviceFailure) {
    var storage = try FolderStorage(folder: folder)
    let path: FixedText<128> = "\(name)"
    try storage.replace(path, with: RawSpan())
    file = try storage.open(path)
    self.format = format
  }

  /// Whether frames of this format can go on in the file.
  func holds(_ format: AudioFormat) -> Bool { self.format == format }

  /// Takes frames of which the first sounds at `tick`. They are in the file before they sound.
  mutating func append(_ frames: RawSpan, atTick tick: UInt64) throws(DeviceFailure) {
    let first = firstTick ?? tick
    firstTick = first
    try file.write(frames, at: (tick - first) * UInt64(format.bytesPerFrame))
  }

  /// Takes back the frames from `tick` on: they never sounded.
  mutating func drop(fromTick tick: UInt64) throws(DeviceFailure) {
    guard let firstTick else { return }
    try file.truncate(to: (tick - firstTick) * UInt64(format.bytesPerFrame))
  }
}
