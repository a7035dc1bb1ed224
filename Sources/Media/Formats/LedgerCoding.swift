import Base

/// How each container carries the ledger of a take: as a comment, which programs show.
package enum LedgerCoding {
  /// The maximum size of a ledger: nearly 300 lines of 100 bytes.
  package static var textByteCount: Int { 28_672 }

  /// The maximum size of its encoded form. A WAV, which has most, needs 28,672 for the text, 200 for the list around it,
  /// 2,000 for GUANO and 12,060 for iXML (``SoundFacts/ixmlByteCount``); what remains, 22,604, is for cue points: 221
  /// with texts of 64 bytes, nearly what the text has room for beside its other lines.
  package static var codedByteCount: Int { 65_536 }

  /// Writes a movie's comment as iTunes does: unlike QuickTime's own comment, every program reads it as UTF-8. It is 85
  /// bytes longer than the text; what else the ledger says follows, and the tracks with chapters and timecode.
  /// - Parameter end: nil for a movie that grows.
  package static func encodeMovie(_ ledger: Span<UInt8>, _ end: MovieEnd? = nil, into writer: inout ByteWriter) {
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
          encodeItems(LedgerFacts(ledger), into: &writer)
        }
      }
      encodePlace(LedgerFacts(ledger), into: &writer)
    }
    guard var end else { return }
    let movie = MovieDescription(end)
    movie.encodeChapters(LedgerFacts(ledger), &end, into: &writer)
    MovieTimecode(end, LedgerFacts(ledger)).encode(end, in: movie, into: &writer)
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
  /// - Parameters:
  ///   - header: the file's first ``AudioFileDescription/headerByteCount`` bytes, from which a WAV repeats.
  ///   - dataByteCount: the size of its sound.
  ///   - byteCount: how long a WAV's chunks were before something in them changed; nil for new ones.
  package static func encodeAudio(
    _ ledger: Span<UInt8>, in container: AudioContainer, header: RawSpan, dataByteCount: UInt64, byteCount: Int? = nil,
    into writer: inout ByteWriter
  ) {
    switch container {
    case .aiff:
      writer.evenBigChunk("ANNO", filler: UInt8(ascii: "\n")) { writer in writer.text(ledger) }
      encodeAIFF(LedgerFacts(ledger), into: &writer)
    case .caf:
      let facts = LedgerFacts(ledger)
      writer.wideChunk("info") { writer in
        writer.big32(1 + facts.knownPairCount)
        writer.text("comments\0")
        writer.text(ledger)
        writer.byte(0)
        encodeStrings(facts, into: &writer)
      }
      encodeMarkers(facts, into: &writer)
    case .flac:
      encodeFLAC(ledger, sampleRateHz: FLACInformation.format(in: header)?.sampleRateHz ?? 0, into: &writer)
    case .wav:
      let facts = SoundFacts(header: header, dataByteCount: dataByteCount, ledger: ledger)
      writer.evenLittleChunk("LIST") { writer in
        writer.code("INFO")
        writer.evenLittleChunk("ICMT") { writer in
          writer.text(ledger)
          writer.byte(0)
        }
        facts?.encodeInformation(into: &writer)
      }
      facts?.encodeChunks(upTo: byteCount, into: &writer)
    }
  }

  /// Makes the time reference in the header of a WAV that of its timecode, whatever the time of day is.
  /// - Parameter ledger: its text, or a file's end that holds it.
  /// - Returns: whether there is timecode.
  package static func storeTimecode(_ ledger: Span<UInt8>, in header: inout MutableRawSpan) -> Bool {
    SoundFacts.storeTimecode(ledger, in: &header)
  }

  /// Where the information list of a finished WAV starts: at `closing`, or after the list of hashes there.
  /// - Parameter head: the 8 bytes at `closing`.
  package static func listStart(in head: RawSpan, at closing: UInt64) -> UInt64? {
    guard head.code(at: 0) == "JUNK", let size = head.big32(at: 4)?.byteSwapped else { return closing }
    return closing + 8 + UInt64(size)
  }

  /// The size of the ledger at the start of a WAV's information list, with zeros after it; nil for another list.
  /// - Parameter head: the list's first ``HashListCoding/byteCountBeforeText(in:)`` bytes.
  package static func commentByteCount(head: RawSpan) -> Int? {
    guard head.code(at: 0) == "LIST", head.code(at: 8) == "INFO", head.code(at: 12) == "ICMT",
      let size = head.big32(at: 16)?.byteSwapped, size <= textByteCount + 2
    else { return nil }
    return Int(size)
  }
}
