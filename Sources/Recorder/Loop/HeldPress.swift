import Port

/// A press that the console asked for while the same button was still down.
struct HeldPress {
  var button: Button
  var milliseconds: UInt32
}
