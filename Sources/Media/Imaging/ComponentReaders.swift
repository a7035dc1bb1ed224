import Values

/// How the rows of each component of a raw picture are read.
struct ComponentReaders {
  let luma: RowReader
  let blueDifference: RowReader
  let redDifference: RowReader

  init(_ layout: PictureLayout, colorRange: ColorRange) {
    let isLimited = colorRange == .limited
    luma = RowReader(plane: layout.luma, expansion: isLimited ? .luma : nil)
    blueDifference = RowReader(plane: layout.blueDifference, expansion: isLimited ? .difference : nil)
    redDifference = RowReader(plane: layout.redDifference, expansion: isLimited ? .difference : nil)
  }

  subscript(component: PictureComponent) -> RowReader {
    switch component {
    case .luma: luma
    case .blueDifference: blueDifference
    case .redDifference: redDifference
    }
  }
}
