import Base

extension MovieDescription {
  /// QTFF, "QuickTime Metadata": where the take comes from, as key and value; then space for keys of later firmware.
  func encodeMetadata(into writer: inout ByteWriter) {
    let roomForMoreByteCount = 256
    writer.box("meta") { writer in
      encodeHandler("\0\0\0\0", "mdta", into: &writer)
      encodeKeys(into: &writer)
      encodeItems(into: &writer)
    }
    writer.box("free") { writer in writer.zeros(roomForMoreByteCount - 8) }
    // True from the first moment on, until the ledger takes its place.
    LedgerCoding.encodeMovie(("ended: interrupted" as StaticString).utf8Bytes, into: &writer)
  }

  private func encodeKeys(into writer: inout ByteWriter) {
    writer.fullBox("keys") { writer in
      writer.big32(isContinuation ? 4 : 3)
      encodeKey("com.apple.quicktime.creationdate", into: &writer)
      encodeKey("com.apple.quicktime.software", into: &writer)
      encodeKey("org.fieldcorder.device", into: &writer)
      if isContinuation { encodeKey("org.fieldcorder.continues", into: &writer) }
    }
  }

  private func encodeKey(_ key: StaticString, into writer: inout ByteWriter) {
    writer.box("mdta") { writer in writer.text(key) }
  }

  private func encodeItems(into writer: inout ByteWriter) {
    writer.box("ilst") { writer in
      encodeItem(1, into: &writer) { writer in writer.text(provenance.created.iso8601) }
      encodeItem(2, into: &writer) { writer in writer.text(provenance.software) }
      encodeItem(3, into: &writer) { writer in writer.text(provenance.device.text) }
      if isContinuation { encodeItem(4, into: &writer) { writer in writer.text(provenance.continues) } }
    }
  }

  private var isContinuation: Bool { !provenance.continues.isEmpty }

  /// QTFF, "Metadata Item Atom": its type is the number of its key, from 1.
  private func encodeItem(
    _ keyNumber: UInt32, into writer: inout ByteWriter, _ text: (inout ByteWriter) -> Void
  ) {
    let utf8: UInt32 = 1
    let anyLocale: UInt32 = 0
    writer.box(FourCharacterCode(bigEndianValue: keyNumber)) { writer in
      writer.box("data") { writer in
        writer.big32(utf8)
        writer.big32(anyLocale)
        text(&writer)
      }
    }
  }
}
