extension PacketReading {
  static var byteCount: Int { 16 }

  func encode(into writer: inout WireWriter) {
    writer.number(nextPacket)
    writer.number(readCount)
    writer.number(emptyReadCount)
  }

  init(_ reader: inout WireReader) throws(MalformedWord) {
    self.init(nextPacket: try reader.count(), readCount: try reader.number(), emptyReadCount: try reader.number())
  }
}
