import CVideo4Linux

@testable import Machine

/// A codec device that is backed by a ``ScriptedKernel``.
struct ScriptedCodecDevice: CodecDevice, ~Copyable {
  let kernel: ScriptedKernel

  var isMultiplanar: Bool? { kernel.isMultiplanar }
  func setFormat(_ format: inout coder_format) -> Bool { kernel.setFormat(&format) }
  func setPictureInterval(_ seconds: v4l2_fract, queue: UInt32) { kernel.note("interval") }
  func setVisible(widthPixels: UInt32, heightPixels: UInt32) -> Bool {
    kernel.note("visible \(widthPixels) x \(heightPixels)")
    return true
  }
  func setControl(_ identifier: UInt32, _ value: Int32) -> Bool {
    if identifier == video_control_bit_rate() { kernel.note("bit rate \(value)") }
    if identifier == video_control_repeat_header() { kernel.note("repeated headers \(value)") }
    if identifier == video_control_keyframe() { kernel.note("keyframe") }
    return true
  }
  func requestBuffers(_ count: UInt32, queue: UInt32, memory: UInt32) -> Int? {
    kernel.requestBuffers(count, queue: queue, memory: memory)
  }
  func exchange(_ request: video_request, _ buffer: inout coder_buffer) -> Bool { kernel.exchange(request, &buffer) }
  func start(queue: UInt32) -> Bool { kernel.start(queue: queue) }
  func stop(queue: UInt32) -> Bool { kernel.stop(queue: queue) }
  func stopEncoding() -> Bool { kernel.stopEncoding() }
  func map(byteCount: Int, offset: UInt32) -> UnsafeMutableRawBufferPointer? {
    .allocate(byteCount: byteCount, alignment: 16)
  }
  func unmap(_ memory: UnsafeMutableRawBufferPointer) { unsafe memory.deallocate() }
  func wait(milliseconds: Int32) {}
}
