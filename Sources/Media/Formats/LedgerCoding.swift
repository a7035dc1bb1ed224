import Base

/// How each container carries the ledger of a take: as a comment, which programs show.
package enum LedgerCoding {
  /// The maximum size of a ledger: nearly 300 lines of 100 bytes.
  package static var textByteCount: Int { 28_672 }

  /// The maximum size of its encoded form. WAV has it twice: 2 × 28,672 and less than 300 bytes around it. Only a mark
  /// can have characters that are longer in XML, and what then does not fit the second time is left out there.
  package static var codedByteCount: Int { 65_536 }

  /// Writes a movie's comment as iTunes does: unlike QuickTime's own comment, every program reads it as UTF-8. It is 85
  /// bytes longer than the text.
  package static func encodeMovie(_ ledger: Span<UInt8>, into writer: inout ByteWriter) {
    let comment = FourCharacterCode(bigEndianValue: 0xA963_6D74)
    let utf8: UInt32 = 1
    let anyLocale: UInt32 = 0
    writer.box("udta") { writer in
      writer.fullBox("meta") { writer in
        encodeHandler(into: &writer)
        writer.box("ilst") { writer in
          writer.box(comment) { writer in
            writer.box("data") { writer in
              writer.big32(utf8)
              writer.big32(anyLocale)
              writer.text(ledger)
            }
          }
        }
      }
    }
  }

  /// What the surrounding box holds: a list of items.
  private static func encodeHandler(into writer: inout ByteWriter) {
    writer.fullBox("hdlr") { writer in
      writer.big32(0)
      writer.code("mdir")
      writer.code("appl")
      writer.zeros(9)
    }
  }

  /// Writes the chunks after the sound of a finished file.
  /// - Parameter noteByteCount: how much of the ledger is also in the note of a WAV.
  package static func encodeAudio(
    _ ledger: Span<UInt8>, noteByteCount: Int, in container: AudioContainer, into writer: inout ByteWriter
  ) {
    switch container {
    case .aiff: writer.evenBigChunk("ANNO", filler: UInt8(ascii: "\n")) { writer in writer.text(ledger) }
    case .caf:
      writer.wideChunk("info") { writer in
        writer.big32(1)
        writer.text("comments\0")
        writer.text(ledger)
        writer.byte(0)
      }
    case .wav: encodeWAV(ledger, note: ledger.extracting(first: noteByteCount), into: &writer)
    }
  }

  private static func encodeWAV(_ ledger: Span<UInt8>, note: Span<UInt8>, into writer: inout ByteWriter) {
    writer.evenLittleChunk("LIST") { writer in
      writer.code("INFO")
      writer.evenLittleChunk("ICMT") { writer in
        writer.text(ledger)
        writer.byte(0)
      }
    }
    writer.evenLittleChunk("iXML", filler: UInt8(ascii: "\n")) { writer in
      writer.text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<BWFXML>\n<IXML_VERSION>2.10</IXML_VERSION>\n<NOTE>")
      encodeXML(note, into: &writer)
      writer.text("</NOTE>\n</BWFXML>\n")
    }
  }

  /// As many whole characters as fit together with what follows them.
  private static func encodeXML(_ text: Span<UInt8>, into writer: inout ByteWriter) {
    let reserveByteCount = 64
    for index in text.indices {
      if writer.freeByteCount < reserveByteCount, !text[index].isUTF8Continuation { return }
      switch text[index] {
      case UInt8(ascii: "<"): writer.text("&lt;")
      case UInt8(ascii: ">"): writer.text("&gt;")
      case UInt8(ascii: "&"): writer.text("&amp;")
      case let byte: writer.byte(byte)
      }
    }
  }
}
