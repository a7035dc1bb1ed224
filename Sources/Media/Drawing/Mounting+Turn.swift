import Values

extension Mounting {
  /// How what is upright in the world lies on the display.
  func upright(_ orientation: Orientation) -> QuarterTurn {
    switch self {
    case .builtIn: QuarterTurn(upright: orientation).reversed
    case .standing: .none
    }
  }
}
