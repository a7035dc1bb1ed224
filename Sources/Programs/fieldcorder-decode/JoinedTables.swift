import CFFmpeg

/// Trims the MP3 files that a server sends one after another. FFmpeg reads the table of the first, and takes those of
/// the others for sound.
struct JoinedTables {
  /// The table that came last, and the frames since.
  private var header: VariableRateHeader?
  private var samplesPerFrame: Int64 = 0
  private var frameCount: Int64 = 0

  /// - Returns: whether the packet is a table, which is not played.
  mutating func take(_ packet: UnsafeMutablePointer<AVPacket>, _ input: UnsafeMutablePointer<FileInput>) -> Bool {
    unsafe Self.leaveOutTags(packet, input)
    if unsafe readTable(packet, input) { return true }
    guard let header, let delay = header.delay else { return false }
    guard header.frameCount == 0 || frameCount < header.frameCount else {
      self.header = nil
      return false
    }
    let start = frameCount == 0 ? delay + VariableRateHeader.decoderDelay : 0
    frameCount += 1
    let soundEnd = header.frameCount * samplesPerFrame - max(0, header.padding - VariableRateHeader.decoderDelay)
    let surplus = header.frameCount > 0 ? min(samplesPerFrame, max(0, frameCount * samplesPerFrame - soundEnd)) : 0
    if start > 0 || surplus > 0 { unsafe PacketPadding.set(UInt32(start), end: UInt32(surplus), of: packet) }
    return false
  }

  /// Leaves out what FFmpeg passes on with a frame because it came before it, such as a tag.
  private static func leaveOutTags(
    _ packet: UnsafeMutablePointer<AVPacket>, _ input: UnsafeMutablePointer<FileInput>
  ) {
    let size = unsafe Int(packet.pointee.size)
    guard let data = unsafe packet.pointee.data, size > 4, unsafe data[0] != 0xFF else { return }
    let first = max(0, size - longestFrame)
    var bytes = unsafe FileBytes(input, of: packet, from: first)
    for place in first..<size where unsafe data[place] == 0xFF {
      let frame = FrameHeader(&bytes, at: Int64(place - first), .mpeg)
      guard let frame, Int(frame.byteCount) == size - place else { continue }
      unsafe packet.pointee.data = data + place
      unsafe packet.pointee.size = Int32(size - place)
      return
    }
  }

  private static let longestFrame = 2881

  private mutating func readTable(
    _ packet: UnsafeMutablePointer<AVPacket>, _ input: UnsafeMutablePointer<FileInput>
  ) -> Bool {
    guard let data = unsafe packet.pointee.data, unsafe packet.pointee.size >= 64, unsafe data[0] == 0xFF else {
      return false
    }
    // Sound rarely has the first letter of "Xing", "Info" or "VBRI" there.
    guard unsafe Self.mayBegin(data[13]) || Self.mayBegin(data[21]) || Self.mayBegin(data[36]) else { return false }
    var bytes = unsafe FileBytes(input, of: packet, from: 0)
    guard let frame = FrameHeader(&bytes, at: 0, .mpeg), let header = VariableRateHeader(&bytes, in: frame, at: 0)
    else {
      return false
    }
    self.header = header
    samplesPerFrame = frame.sampleCount
    frameCount = 0
    return true
  }

  private static func mayBegin(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "X") || byte == UInt8(ascii: "I") || byte == UInt8(ascii: "V")
  }
}
