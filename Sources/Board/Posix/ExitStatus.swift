/// What our programs end with.
public enum ExitStatus {
  /// All was done.
  public static var done: Int32 { 0 }
  /// It could not be done.
  public static var failed: Int32 { 1 }
  /// What was asked for cannot be followed.
  public static var refused: Int32 { 2 }
}
