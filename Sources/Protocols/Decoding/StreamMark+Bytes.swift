extension StreamMark {
  func encode(into writer: inout WireWriter) {
    writer.number(ringFrame)
    writer.number(ticket)
    writer.fraction(positionSeconds)
    writer.fraction(rate)
  }

  init(_ reader: inout WireReader) throws(MalformedWord) {
    self.init(
      ringFrame: try reader.count(), ticket: try reader.number(), positionSeconds: try reader.seconds(),
      rate: try reader.rate())
  }
}
