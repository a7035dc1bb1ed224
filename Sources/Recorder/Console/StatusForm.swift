/// How the state is told.
public enum StatusForm: Sendable {
  /// Lines for a person.
  case lines
  /// One JSON object for a program.
  case json
}
