import Base
import Machine
import TestSupport

/// The simulated machine's host in these tests: a disk in memory, scripted processes, and a console that a test types
/// at.
final class TestHost: HostDriver {
  let disk: MemoryDisk
  /// The second place for the device's identity; nil for none.
  var identityDisk: MemoryDisk?
  /// Why the fallback folder cannot be used; nil if it can.
  var fallbackFailure: DeviceFailure?
  /// Whether another recorder uses the identity's second place.
  var isIdentityInUse = false
  /// The decoder that plays, at the speaker's own rate, and the one that reads tags.
  let player = TestHost.decoder()
  let prober = TestHost.decoder()
  let view = ViewModel()
  /// Nil: there is none.
  var encoder: EncoderScript?
  /// The last request to the encoder.
  var encoderRequest: VideoEncoderRequest?
  /// Whether the console is a terminal.
  var isTerminal = false
  var terminalSize = TerminalSize.usual
  /// How many bytes the console's line accepts per tick, with a buffer of 4 KiB; nil: all.
  var lineBytesPerTick: Int?
  /// How many more bytes it accepts before the next tick.
  var lineSpaceByteCount = Int.max
  /// Bytes that the line has accepted but not sent; nil if it is not a serial line.
  var unsentByteCount: Int? { lineBytesPerTick.map { _ in 4_096 - min(lineSpaceByteCount, 4_096) } }
  /// Bytes typed on the console but not yet read.
  var typed: [UInt8] = []
  /// All output of the console.
  private(set) var said: [UInt8] = []

  init(disk: MemoryDisk = MemoryDisk()) {
    self.disk = disk
    disk.hasOtherFile = { [player, unowned disk] path in
      // A file that was moved away is absent, although the scripted decoder still knows it.
      player.files[path] != nil
        && !disk.operations.contains { if case .rename(path, _, _) = $0 { true } else { false } }
    }
  }

  /// Between two ticks the line sends what it has accepted.
  func passTick() {
    lineSpaceByteCount = lineBytesPerTick.map { min(min(lineSpaceByteCount, 4_096) + $0, 4_096) } ?? .max
  }

  func say(_ bytes: [UInt8]) { said += bytes }

  func type(_ lines: String) { typed += Array(lines.utf8) }

  /// The console's output, line by line.
  var lines: [String] { String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init) }

  private static func decoder() -> DecoderModel {
    let model = DecoderModel(ringFrames: 48_000, sampleRateHz: 48_000)
    model.isInStep = true
    return model
  }

  func openStorage() throws(DeviceFailure) -> HostStorage { MemoryStorage(disk) }

  func checkFallback() throws(DeviceFailure) {
    if let fallbackFailure { throw fallbackFailure }
  }

  func openIdentityCopy() throws(DeviceFailure) -> IdentityFolder<HostStorage>? {
    guard let identityDisk else { return nil }
    return IdentityFolder(MemoryStorage(identityDisk), path: "/boot", isInUse: isIdentityInUse)
  }

  func openFolder(for use: FolderUse) throws(DeviceFailure) -> HostStorage { MemoryStorage(disk) }

  func openDecoder(_ setup: DecoderSetup) throws(DeviceFailure) -> Decoder {
    ScriptedDecoder(setup.isProber ? prober : player)
  }

  func openView(_ setup: ViewSetup) throws(DeviceFailure) -> View {
    ScriptedView(view, byteCount: setup.byteCount)
  }

  func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> VideoEncoder {
    encoderRequest = request
    guard let script = encoder else { throw .noVideoEncoder(request) }
    return ScriptedVideoEncoder(script)
  }
}

/// A console that a test types at, and whose output is kept.
struct ScriptedLine: ConsoleLineDriver, ~Copyable {
  let host: TestHost
  var isTerminal: Bool { host.isTerminal }
  var terminalSize: TerminalSize { host.terminalSize }
  var unsentByteCount: Int? { host.unsentByteCount }
  var hasInput: Bool { !host.typed.isEmpty }

  mutating func read(into space: inout MutableRawSpan) -> Int? {
    let count = min(host.typed.count, space.byteCount)
    for index in 0..<count { space.storeBytes(of: host.typed[index], toByteOffset: index, as: UInt8.self) }
    host.typed.removeFirst(count)
    return count
  }

  mutating func write(_ bytes: RawSpan) -> Int {
    let count = min(bytes.byteCount, host.lineSpaceByteCount)
    host.lineSpaceByteCount -= count
    host.say(unsafe bytes.withUnsafeBytes { unsafe Array($0.prefix(count)) })
    return count
  }
}
