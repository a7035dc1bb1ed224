/// Who wanted something, and so who is told what came of it.
enum Asker: BitwiseCopyable {
  /// A finger: what goes wrong is announced.
  case button
  /// A command: it is answered.
  case console
}
