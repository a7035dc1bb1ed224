/// What the two LEDs show.
struct Lights: Equatable {
  var record = false
  var fault = false
}
