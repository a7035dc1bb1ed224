/// How large a terminal is.
public struct TerminalSize: Equatable, Sendable {
  /// Characters in a row.
  public var columns: UInt16
  /// Rows of characters.
  public var rows: UInt16
  /// Of all rows and columns together; 0 where the terminal does not tell.
  public var widthPixels: UInt16
  /// As ``widthPixels``.
  public var heightPixels: UInt16

  /// 80 x 24, what every terminal has at least: for one that does not tell, as a serial one.
  public static var usual: TerminalSize { TerminalSize(columns: 80, rows: 24) }

  /// A size in characters, and in pixels where they are known.
  public init(columns: UInt16, rows: UInt16, widthPixels: UInt16 = 0, heightPixels: UInt16 = 0) {
    self.columns = columns
    self.rows = rows
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
  }
}
