import Base
import Configuration
import Console
import Machine
import Record
import TestSupport

@testable import App

/// The console of a service that a test drives alone.
struct ServiceConsole: ~Copyable {
  private struct Line: ConsoleLineDriver {
    let isTerminal = false
    var typed: [UInt8] = []
    var said: [UInt8] = []

    mutating func read(into room: inout MutableRawSpan) -> Int? {
      let count = min(typed.count, room.byteCount)
      for index in 0..<count { room.storeBytes(of: typed[index], toByteOffset: index, as: UInt8.self) }
      typed.removeFirst(count)
      return count
    }

    mutating func write(_ bytes: RawSpan) -> Int {
      said += unsafe bytes.withUnsafeBytes { unsafe Array($0) }
      return bytes.byteCount
    }
  }

  var session: ConsoleSession
  private var line = Line()

  init() throws {
    var memory = leakedBootMemory()
    session = try unwrapped(ConsoleSession(isTerminal: false, in: &memory))
  }

  /// Returns the command that is typed.
  mutating func type(_ text: String) throws -> Command {
    line.typed += Array((text + "\n").utf8)
    session.exchange(with: &line)
    guard case .command(let command)? = session.nextRequest() else { throw NothingThere() }
    return command
  }

  /// The lines printed since the last call.
  mutating func said() -> [String] {
    session.exchange(with: &line)
    defer { line.said.removeAll() }
    return String(decoding: line.said, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

/// For a service that reads devices: a camera that delivers pictures, and no microphone.
struct LoneCapture: ~Copyable {
  var unit: CaptureUnit
  var stills: QueueConsumer<StillPicture>

  static let camera = PlannedCamera(format: ApplianceRig.pictureFormat, settings: Settings().record)

  init(startsCamera: Bool = true) throws {
    var memory = leakedBootMemory(byteCount: 1 << 16)
    let samples = try unwrapped(SampleRing(capacityBytes: 1 << 12, bytesPerFrame: 2, in: &memory))
    let pictures = try unwrapped(Queue<RawPicture>(capacity: 8, in: &memory))
    let emptied = try unwrapped(Queue<UInt16>(capacity: 8, in: &memory))
    let stills = try unwrapped(Queue<StillPicture>(capacity: 1, in: &memory))
    let receipts = try unwrapped(Queue<StillReceipt>(capacity: 1, in: &memory))
    unit = CaptureUnit(
      audio: AudioCapture(ring: samples.producer),
      video: VideoCapture(
        pictures: pictures.producer, emptied: emptied.consumer,
        stills: StillCapture(pictures: stills.producer, receipts: receipts.consumer)),
      zoom: CameraZoom(Settings().restingZoom), timeline: try unwrapped(Timeline(in: &memory)),
      limits: CaptureLimits(audioFramesPerTick: 1_000, picturesPerTick: 4))
    self.stills = stills.consumer
    if startsCamera {
      unit.start(audioFormat: nil, videoFormat: ApplianceRig.pictureFormat, maximumZoom: nil, at: 0)
    }
  }
}
