import Base
import Kit
import Wire

/// The tuner: the note, the deviation on a scale of 50 cents to each side, and the pitch.
struct TunerScreen {
  /// A deviation that nobody hears as out of tune.
  private static var inTuneCents: Float { 3 }

  private let reading: TunerReading
  private let layout: OverlayLayout
  private let language: Language

  init(_ reading: TunerReading, _ layout: OverlayLayout, _ language: Language) {
    self.reading = reading
    self.layout = layout
    self.language = language
  }

  private var cents: Float { reading.cents.isFinite ? min(50, max(-50, reading.cents)) : 0 }
  private var isInTune: Bool { cents.magnitude <= Self.inTuneCents }
  private var ink: Ink { isInTune ? .green : .yellow }
  private var nameInk: Ink { reading.note == nil ? .grey : ink }
  private var hertz: Double { reading.hertz.isFinite ? Double(min(99_999, max(0, reading.hertz))) : 0 }

  /// Draws nothing if there is no room for the name, the scale and two lines.
  func draw(with pen: Pen, onto canvas: inout Canvas) {
    let place = layout.middle
    // The name's line takes two fifths of the height, as long as the name is no wider than the place.
    let size = LetterSize(em: max(layout.textSize.em, min(place.height / 3, place.width / 3)))
    let line = layout.textSize.lineHeight
    let top = place.y + size.lineHeight + layout.gap
    let lineTop = place.bottom - 2 * line
    // Centred between the name and the lines, and not much higher than wide.
    let height = min(lineTop - layout.gap - top, place.width / 3)
    guard height >= line / 2 else { return }
    let y = top + (lineTop - layout.gap - top - height) / 2
    pen.draw(noteName.bytes, in: place, y: place.y, size, with: nameInk, onto: &canvas)
    drawScale(PixelRectangle(x: place.x, y: y, width: place.width, height: height), pen, &canvas)
    let words = Messages.displayed(deviation, in: language).fitted(layout.text(place.width))
    pen.draw(words.bytes, in: place, y: lineTop, layout.textSize, with: .white, onto: &canvas)
    pen.draw(reference.bytes, in: place, y: lineTop + line, layout.textSize, with: .pale, onto: &canvas)
  }

  private var noteName: FixedText<16> {
    guard let note = reading.note else { return "–" }
    let letters: StaticString = "C C♯D D♯E F F♯G G♯A A♯B "
    var characters = DrawnCharacters(letters.utf8Bytes)
    var name = FixedText<16>()
    for index in 0..<24 {
      guard let character = characters.next(), index / 2 == note % 12, character != " " else { continue }
      name.append(scalar: character)
    }
    name.append(integer: Int(note) / 12 - 1)
    return name
  }

  private var deviation: FixedText<48> {
    guard reading.note != nil else { return "listening" }
    return "\(cents < 0 ? "−" : "+")\(Double(cents.magnitude), decimals: 1) cents  \(hertz, decimals: 2) Hz"
  }

  private var reference: FixedText<32> {
    let hertz = reading.referenceHertz.isFinite ? Double(min(999, max(0, reading.referenceHertz))) : 0
    return "A4 = \(hertz, decimals: 1) Hz"
  }

  private func drawScale(_ place: PixelRectangle, _ pen: Pen, _ canvas: inout Canvas) {
    let unit = layout.unit
    let half = place.width / 2 - 2 * unit
    let middle = place.x + place.width / 2
    func x(_ cents: Float) -> Int { middle + Int(cents * Float(half) / 50) }
    for mark in -5...5 {
      let isMain = mark % 5 == 0
      let height = isMain ? place.height / 2 : place.height / 4
      pen.fill(
        PixelRectangle(
          x: x(Float(mark * 10)) - unit / 2, y: place.y + (place.height - height) / 2, width: unit, height: height),
        with: isMain ? .pale : .grey, onto: &canvas)
    }
    guard reading.note != nil else { return }
    let needle = PixelRectangle(x: x(cents) - 3 * unit / 2, y: place.y, width: 3 * unit, height: place.height)
    pen.fill(needle, with: ink, onto: &canvas)
  }
}

/// The metronome: its tempo, and a disc for each beat of the bar, with the last sounded one lit.
struct MetronomeScreen {
  private let reading: MetronomeReading
  private let layout: OverlayLayout

  init(_ reading: MetronomeReading, _ layout: OverlayLayout) {
    self.reading = reading
    self.layout = layout
  }

  /// Draws nothing if there is no room for it.
  func draw(with pen: Pen, onto canvas: inout Canvas) {
    let place = layout.middle
    let beatCount = max(1, min(16, Int(reading.beatCount)))
    let side = max(0, min(place.width / beatCount, place.height / 4))
    let line = layout.textSize.lineHeight
    let size = LetterSize(em: min((place.height - line) * 5 / 12, place.width / 3))
    let height = size.lineHeight + line + side + 2 * layout.gap
    guard height <= place.height else { return }
    var y = place.y + (place.height - height) / 2
    pen.draw(tempo.bytes, in: place, y: y, size, with: .white, onto: &canvas)
    y += size.lineHeight
    let unit: FixedText<8> = "♩/min"
    pen.draw(unit.bytes, in: place, y: y, layout.textSize, with: .pale, onto: &canvas)
    y += line + 2 * layout.gap
    let left = place.x + (place.width - beatCount * side) / 2
    for beat in 0..<beatCount {
      let disc = PixelRectangle(x: left + beat * side, y: y, width: side, height: side).grown(by: -side / 8)
      let lit: Ink = beat == 0 ? .yellow : .white
      pen.drawDisc(in: disc, with: beat == Int(reading.beat) ? lit : .grey, onto: &canvas)
    }
  }

  private var tempo: FixedText<16> {
    let tempo = reading.tempo.isFinite ? Double(min(999, max(0, reading.tempo))) : 0
    return tempo == tempo.rounded() ? "\(Int(tempo))" : "\(tempo, decimals: 1)"
  }
}
