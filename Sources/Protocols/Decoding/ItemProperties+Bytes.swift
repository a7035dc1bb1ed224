extension ItemProperties {
  /// The numbers, and three texts that fill their room, each with its length before it.
  static var maximumByteCount: Int { 39 + (1 + 24) + 2 * (1 + 128) }

  func encode(into writer: inout WireWriter) {
    writer.fraction(durationSeconds)
    writer.number(frameCount)
    writer.number(sampleRateHz)
    writer.number(channelCount)
    writer.number(framesPerPacket)
    writer.flag(packetsVary)
    writer.number(largestPacketByteCount)
    writer.number(bufferByteCount)
    writer.number(packetsPerRead)
    writer.text(codecName)
    writer.text(title)
    writer.text(artist)
  }

  init(_ reader: inout WireReader) throws(MalformedWord) {
    self.init()
    durationSeconds = try reader.seconds()
    frameCount = try reader.count()
    sampleRateHz = try reader.number(in: 1...10_000_000)
    channelCount = try reader.number(in: 1...1024)
    framesPerPacket = try reader.number()
    packetsVary = try reader.flag()
    largestPacketByteCount = try reader.number()
    bufferByteCount = try reader.number()
    packetsPerRead = try reader.number()
    codecName = try reader.text()
    title = try reader.text()
    artist = try reader.text()
  }
}
