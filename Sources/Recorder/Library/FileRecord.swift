import Values

/// A file of the index: 40 bytes. Its texts lie in the index's ``TextSlab``.
struct FileRecord: BitwiseCopyable {
  var byteCount: UInt64
  var modifiedNanoseconds: Int64
  /// Not a number while it is not known.
  var durationSeconds: Double
  /// Where its texts lie; of a record that is not in use: the next such record.
  var textOffset: UInt32
  /// The take's number; 0 for what is no take.
  var takeNumber: UInt32
  var texts: TextLengths
  var kind: MediaKind
  var state: ProbeState
  /// The pass that met it last, modulo 256.
  var passNumber: UInt8
}
