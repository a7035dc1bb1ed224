import Base
import Wire

/// The metronome: its tempo, and a disc for each beat of the bar, of which the one that sounded last is lit.
struct MetronomeScreen {
  private let reading: MetronomeReading
  private let layout: OverlayLayout

  init(_ reading: MetronomeReading, _ layout: OverlayLayout) {
    self.reading = reading
    self.layout = layout
  }

  /// Draws nothing where there is no place for it.
  func draw(with pen: Pen, onto canvas: inout Canvas) {
    let place = layout.middle
    let beatCount = max(1, min(16, Int(reading.beatCount)))
    let side = max(0, min(place.width / beatCount, place.height / 4))
    let scale = max(1, min((place.height - layout.lineHeight) / 2 / 16, place.width / 48))
    let height = 16 * scale + layout.lineHeight + side + 2 * layout.gap
    guard height <= place.height else { return }
    var y = place.y + (place.height - height) / 2
    pen.draw(tempo.bytes, in: place, y: y, scale: scale, with: .white, onto: &canvas)
    y += 16 * scale
    let unit: FixedText<8> = "♩/min"
    pen.draw(unit.bytes, in: place, y: y, scale: layout.scale, with: .pale, onto: &canvas)
    y += layout.lineHeight + 2 * layout.gap
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
