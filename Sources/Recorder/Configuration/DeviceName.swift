import Text

/// A device as the system names it: a node's path, or an ALSA device.
public typealias DeviceName = FixedText<64>
