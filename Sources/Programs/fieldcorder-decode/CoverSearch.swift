import Base
import CFFmpeg

/// The kinds of pictures, by their first bytes: what a tag says of them is often wrong.
enum CoverKind {
  /// - Returns: FFmpeg's decoder for the picture that begins there; nil if none does.
  static func codec(_ data: UnsafePointer<UInt8>, byteCount: Int) -> AVCodecID? {
    guard byteCount >= 16 else { return nil }
    let first = unsafe UInt32(bigEndian: UnsafeRawPointer(data).loadUnaligned(as: UInt32.self))
    let third = unsafe UInt32(bigEndian: UnsafeRawPointer(data + 8).loadUnaligned(as: UInt32.self))
    switch first {
    case 0xFFD8_FF00...0xFFD8_FFFF: return AV_CODEC_ID_MJPEG
    case 0x8950_4E47: return AV_CODEC_ID_PNG
    // "GIF8".
    case 0x4749_4638: return AV_CODEC_ID_GIF
    // "RIFF" and "WEBP".
    case 0x5249_4646 where third == 0x5745_4250: return AV_CODEC_ID_WEBP
    // "BM", and after its size two numbers that are 0.
    case 0x424D_0000...0x424D_FFFF:
      return unsafe UnsafeRawPointer(data + 6).loadUnaligned(as: UInt32.self) == 0 ? AV_CODEC_ID_BMP : nil
    default: return nil
    }
  }
}

/// Finds pictures of which FFmpeg reports none: it goes by what a tag says of their kind, and reads no APE tag after MP3.
@safe struct CoverSearch {
  /// More than a photograph of 50 megapixels as JPEG.
  private static let mostBytes = 16 << 20
  /// Before the picture come its kind and a description.
  private static let longestHeader = 1024
  private static let blockLimit = 100
  private static let nanoseconds: UInt64 = 1_000_000_000
  private static let frontCover: UInt8 = 3

  // Safe: both outlive the value.
  private let input: UnsafeMutablePointer<FileInput>
  private let packet: UnsafeMutablePointer<AVPacket>

  /// Puts a picture into an empty packet: the front cover, or else the first one.
  /// - Returns: whether there is one.
  static func find(
    _ packet: UnsafeMutablePointer<AVPacket>, in input: UnsafeMutablePointer<FileInput>, of file: borrowing SoundFile
  ) -> Bool {
    let search = unsafe CoverSearch(input: input, packet: packet)
    for pass in 0..<2 {
      let isFront = pass == 0
      if search.readFrames(isFront) { return true }
      if file.isKind("flac"), search.readBlocks(isFront) { return true }
      if file.mayHaveTailTags, search.readItems(isFront) { return true }
    }
    return false
  }

  /// Of ID3v2.
  private func readFrames(_ isFront: Bool) -> Bool {
    guard var frames = unsafe ID3Frames(input) else { return false }
    while let frame = frames.next() {
      // "APIC", or "PIC" in version 2.
      guard frame.name == 0x4150_4943 || frame.name == 0x5049_4300 else { continue }
      var content = frame.content
      guard make(byteCount: content.left) else { continue }
      var count = 0
      while unsafe count < Int(packet.pointee.size), let byte = content.next() {
        unsafe packet.pointee.data[count] = byte
        count += 1
      }
      unsafe packet.pointee.size = Int32(count)
      if !isFront || kind(frame.name) == Self.frontCover, begin() { return true }
      unsafe av_packet_unref(packet)
    }
    return false
  }

  /// What a frame's picture shows: after an encoding, and the picture's type up to a zero, or in three letters.
  private func kind(_ frameName: UInt32) -> UInt8? {
    let byteCount = min(Self.longestHeader, unsafe Int(packet.pointee.size))
    guard byteCount > 5, let data = unsafe packet.pointee.data else { return nil }
    if frameName == 0x5049_4300 { return unsafe data[4] }
    for place in 1..<byteCount - 1 where unsafe data[place] == 0 { return unsafe data[place + 1] }
    return nil
  }

  /// Of FLAC.
  private func readBlocks(_ isFront: Bool) -> Bool {
    var bytes = unsafe FileBytes(input, forNanoseconds: Self.nanoseconds)
    guard let start = FLACStreams.start(&bytes), bytes.equals("fLaC", at: start) else { return false }
    var place = start + 4
    for _ in 0..<Self.blockLimit {
      guard let header = bytes.bigEndian(at: place, bytes: 4) else { return false }
      let content = place + 4..<place + 4 + Int64(header & 0xFF_FFFF)
      let isWanted = !isFront || bytes.bigEndian(at: place + 4, bytes: 4) == UInt64(Self.frontCover)
      if header >> 24 & 0x7F == 6, isWanted, read(content) { return true }
      guard header >> 31 == 0 else { return false }
      place = content.upperBound
    }
    return false
  }

  /// Of APE.
  private func readItems(_ isFront: Bool) -> Bool {
    var bytes = unsafe FileBytes(input, forNanoseconds: Self.nanoseconds)
    let tail = TailTags(&bytes, upTo: bytes.byteCount)
    guard var items = APEItems(&bytes, tail) else { return false }
    while let item = items.next(&bytes) {
      guard item.key.bytes.removingPrefix(ignoringCase: isFront ? "cover art (front" : "cover art") != nil else {
        continue
      }
      if read(item.content) { return true }
    }
    return false
  }

  private func read(_ content: Range<Int64>) -> Bool {
    guard make(byteCount: content.count) else { return false }
    let count = unsafe input.pointee.peek(
      packet.pointee.data, byteCount: Int(packet.pointee.size), at: content.lowerBound)
    unsafe packet.pointee.size = Int32(count)
    if begin() { return true }
    unsafe av_packet_unref(packet)
    return false
  }

  private func make(byteCount: Int) -> Bool {
    guard byteCount > 0, byteCount <= Self.mostBytes else { return false }
    return unsafe av_new_packet(packet, Int32(byteCount)) >= 0
  }

  /// Leaves out what comes before the picture.
  /// - Returns: false if there is none.
  private func begin() -> Bool {
    let byteCount = unsafe Int(packet.pointee.size)
    guard let data = unsafe packet.pointee.data else { return false }
    for place in 0..<min(byteCount, Self.longestHeader)
    where unsafe CoverKind.codec(data + place, byteCount: byteCount - place) != nil {
      unsafe packet.pointee.data = data + place
      unsafe packet.pointee.size = Int32(byteCount - place)
      return true
    }
    return false
  }
}
