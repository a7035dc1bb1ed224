import CMath

/// A sound's part at one frequency, through Hann's window.
struct Partial {
  /// Of a sine with the amplitude 1 both together are half as long as the window has samples.
  private(set) var real = 0.0
  private(set) var imaginary = 0.0

  /// The sine and the window turn by multiplication from sample to sample.
  /// - Parameter step: radians a sample.
  init(_ step: Double, _ samples: Span<Float>) {
    let window = 2 * Double.pi / Double(samples.count)
    let (turnReal, turnImaginary) = (cos(step), sin(step))
    let (fadeReal, fadeImaginary) = (cos(window), sin(window))
    var (real, imaginary) = (1.0, 0.0)
    var (fade, fadeSine) = (1.0, 0.0)
    for index in samples.indices {
      let sample = Double(samples[index]) * (1 - fade)
      self.real += sample * real
      self.imaginary -= sample * imaginary
      (real, imaginary) = (
        real * turnReal - imaginary * turnImaginary, real * turnImaginary + imaginary * turnReal
      )
      (fade, fadeSine) = (fade * fadeReal - fadeSine * fadeImaginary, fade * fadeImaginary + fadeSine * fadeReal)
    }
  }

  /// Its square is the power.
  var magnitude: Double { (real * real + imaginary * imaginary).squareRoot() }
}
