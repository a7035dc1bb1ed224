extension DecoderOrder {
  /// The bytes of the largest order.
  public static var maximumByteCount: Int { 17 }

  private enum Kind: UInt8 {
    case open = 1
    case openNext
    case forgetNext
    case seek
    case setSection
    case clearSection
    case setRate
    case fill
    case close
    case probe
  }

  /// Puts the order's bytes at the start of `memory`.
  /// - Parameter memory: at least ``maximumByteCount`` bytes.
  /// - Returns: how many they are.
  public func encode(into memory: inout MutableRawSpan) -> Int {
    var writer = WireWriter(&memory)
    writer.number(kind.rawValue)
    switch self {
    case .open(let ticket, let ringFrame):
      writer.number(ticket)
      writer.number(ringFrame)
    case .openNext(let ticket), .probe(let ticket): writer.number(ticket)
    case .seek(let seconds, let ringFrame):
      writer.fraction(seconds)
      writer.number(ringFrame)
    case .setSection(let section?):
      writer.fraction(section.startSeconds)
      writer.fraction(section.endSeconds)
    case .setRate(let rate): writer.fraction(rate)
    case .fill(let endFrame): writer.number(endFrame)
    case .forgetNext, .setSection(nil), .close: break
    }
    return writer.byteCount
  }

  /// The order that has these bytes; nil when none has: an unknown kind, another length, a position outside of
  /// 0…10⁷ s, a section that ends before it begins, a rate outside of 0.5…2.0, a frame beyond 2⁶².
  public init?(decoding bytes: RawSpan) {
    var reader = WireReader(bytes)
    do throws(MalformedWord) {
      self = try Self(&reader)
      try reader.finish()
    } catch {
      return nil
    }
  }

  private init(_ reader: inout WireReader) throws(MalformedWord) {
    switch Kind(rawValue: try reader.number()) {
    case .open: self = .open(ticket: try reader.number(), ringFrame: try reader.count())
    case .openNext: self = .openNext(ticket: try reader.number())
    case .forgetNext: self = .forgetNext
    case .seek: self = .seek(seconds: try reader.seconds(), ringFrame: try reader.count())
    case .setSection: self = .setSection(try PlaybackSection(&reader))
    case .clearSection: self = .setSection(nil)
    case .setRate: self = .setRate(try reader.rate())
    case .fill: self = .fill(endFrame: try reader.count())
    case .close: self = .close
    case .probe: self = .probe(ticket: try reader.number())
    case nil: throw MalformedWord()
    }
  }

  private var kind: Kind {
    switch self {
    case .open: .open
    case .openNext: .openNext
    case .forgetNext: .forgetNext
    case .seek: .seek
    case .setSection(nil): .clearSection
    case .setSection: .setSection
    case .setRate: .setRate
    case .fill: .fill
    case .close: .close
    case .probe: .probe
    }
  }
}

extension PlaybackSection {
  fileprivate init(_ reader: inout WireReader) throws(MalformedWord) {
    self.init(startSeconds: try reader.seconds(), endSeconds: try reader.seconds())
    guard startSeconds < endSeconds else { throw MalformedWord() }
  }
}
