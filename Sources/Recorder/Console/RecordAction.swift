/// What `record` is to do.
public enum RecordAction: Sendable {
  case start
  case stop
}
