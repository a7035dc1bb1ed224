import CVideo4Linux
import Foundation
import TestSupport

/// An encoder driver as specified by the kernel's "Memory-to-Memory Stateful Video Encoder Interface": it encodes a
/// picture as soon as it has one and a free packet buffer, each into as many bytes as requested.
final class ScriptedKernel {
  enum Fault {
    /// Every request fails, as if the device had been removed.
    case removed
    /// It accepts no buffers from other devices.
    case refusesSharing
    /// It only has another codec.
    case otherCodec
  }

  struct Buffer {
    var isQueued = false
    var isDone = false
    var timestamp: UInt64 = 0
    var isLast = false
    var isEmpty = false
  }

  struct Queue {
    var buffers: [Buffer] = []
    var order: [Int] = []
    var done: [Int] = []
    var isStreaming = false
    var memory: UInt32 = 0
  }

  var isMultiplanar: Bool? = true
  var fault: Fault?
  /// Generates false numbers for its answers; nil: all answers are true.
  var lies: SeededGenerator?
  /// The multiple to which the row length and height are rounded up.
  var alignment: UInt32 = 1
  /// Pictures that are held back until more follow, or until draining.
  var keptPictures = 0
  private(set) var requests: [String] = []
  private(set) var codedPictureCount = 0
  private var pictures = Queue()
  private var packets = Queue()
  private var isStopping = false
  private var hasEnded = false

  var openBufferCount: Int { pictures.buffers.count + packets.buffers.count }

  func isGone() -> Bool {
    guard case .removed = fault else { return false }
    errno = ENODEV
    return true
  }

  func setFormat(_ format: inout coder_format) -> Bool {
    guard !isGone() else { return false }
    requests.append(isPictures(format.type) ? "format of pictures" : "format of packets")
    format.plane_count = 1
    if isPictures(format.type) {
      format.width = (format.width + alignment - 1) / alignment * alignment
      format.height = (format.height + alignment - 1) / alignment * alignment
      format.bytes_per_row = max(format.bytes_per_row, format.width)
      format.byte_count = format.bytes_per_row * format.height * 3 / 2
    } else if case .otherCodec = fault {
      format.code = video_format_mjpeg()
    }
    return true
  }

  /// `truth`, or in one answer of eight a number that some driver once reported.
  private func told(_ truth: UInt32) -> UInt32 {
    guard lies != nil, Int.random(in: 0..<8, using: &lies!) == 0 else { return truth }
    return [0, 1, 5, 6, 7, 8, 255, 256, 65_536, 1 << 31, .max].randomElement(using: &lies!)!
  }

  func note(_ request: String) { requests.append(request) }

  func requestBuffers(_ count: UInt32, queue: UInt32, memory: UInt32) -> Int? {
    guard !isGone() else { return nil }
    requests.append("\(count) buffers for \(isPictures(queue) ? "pictures" : "packets")")
    change(queue) {
      $0.memory = memory
      $0.buffers = Array(repeating: Buffer(), count: Int(count))
    }
    return Int(told(count))
  }

  func exchange(_ request: video_request, _ buffer: inout coder_buffer) -> Bool {
    guard !isGone() else { return false }
    switch request {
    case VIDEO_QUERY_BUFFER:
      buffer.byte_count = 4096
      buffer.offset = buffer.index
      return true
    case VIDEO_QUEUE_BUFFER: return queue(buffer)
    default: return dequeue(&buffer)
    }
  }

  private func queue(_ buffer: coder_buffer) -> Bool {
    if case .refusesSharing = fault, buffer.memory == V4L2_MEMORY_DMABUF.rawValue {
      errno = EINVAL
      return false
    }
    var isAccepted = false
    change(buffer.type) {
      let index = Int(buffer.index)
      guard $0.buffers.indices.contains(index), !$0.buffers[index].isQueued, !$0.buffers[index].isDone,
        $0.memory == buffer.memory
      else { return }
      $0.buffers[index].isQueued = true
      $0.buffers[index].timestamp = buffer.microseconds
      $0.order.append(index)
      isAccepted = true
    }
    if !isAccepted { errno = EINVAL }
    code()
    return isAccepted
  }

  private func dequeue(_ buffer: inout coder_buffer) -> Bool {
    if !isPictures(buffer.type), hasEnded, packets.done.isEmpty {
      errno = EPIPE
      return false
    }
    var found: (Int, Buffer)?
    change(buffer.type) {
      guard $0.isStreaming, let index = $0.done.first else { return }
      $0.done.removeFirst()
      found = (index, $0.buffers[index])
      $0.buffers[index].isDone = false
    }
    guard let (index, taken) = found else {
      errno = EAGAIN
      return false
    }
    buffer.index = told(UInt32(index))
    buffer.microseconds = UInt64(told(UInt32(taken.timestamp)))
    buffer.is_last = taken.isLast ? 1 : 0
    buffer.is_keyframe = 1
    buffer.filled_byte_count = told(taken.isEmpty ? 0 : 100)
    return true
  }

  func start(queue: UInt32) -> Bool {
    guard !isGone() else { return false }
    requests.append("start \(isPictures(queue) ? "pictures" : "packets")")
    change(queue) { $0.isStreaming = true }
    isStopping = false
    hasEnded = false
    code()
    return true
  }

  func stop(queue: UInt32) -> Bool {
    requests.append("stop \(isPictures(queue) ? "pictures" : "packets")")
    change(queue) {
      $0.isStreaming = false
      $0.order = []
      $0.done = []
      for index in $0.buffers.indices {
        $0.buffers[index].isQueued = false
        $0.buffers[index].isDone = false
      }
    }
    return !isGone()
  }

  func stopEncoding() -> Bool {
    guard !isGone() else { return false }
    requests.append("stop encoding")
    isStopping = true
    code()
    return true
  }

  private func code() {
    guard pictures.isStreaming, packets.isStreaming, !hasEnded else { return }
    while pictures.order.count > (isStopping ? 0 : keptPictures), !packets.order.isEmpty {
      let picture = pictures.order.removeFirst()
      let packet = packets.order.removeFirst()
      pictures.buffers[picture].isQueued = false
      pictures.buffers[picture].isDone = true
      pictures.done.append(picture)
      finish(packet, timestamp: pictures.buffers[picture].timestamp, isLast: false)
      codedPictureCount += 1
    }
    guard isStopping, pictures.order.isEmpty, !packets.order.isEmpty else { return }
    finish(packets.order.removeFirst(), timestamp: 0, isLast: true)
    hasEnded = true
  }

  private func finish(_ packet: Int, timestamp: UInt64, isLast: Bool) {
    packets.buffers[packet].isQueued = false
    packets.buffers[packet].isDone = true
    packets.buffers[packet].timestamp = timestamp
    packets.buffers[packet].isLast = isLast
    packets.buffers[packet].isEmpty = isLast
    packets.done.append(packet)
  }

  private func isPictures(_ type: UInt32) -> Bool {
    type == V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue || type == V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE.rawValue
  }

  private func change(_ type: UInt32, _ body: (inout Queue) -> Void) {
    if isPictures(type) { body(&pictures) } else { body(&packets) }
  }
}
