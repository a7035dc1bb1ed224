/// Which numbers mean black and white, and no colour and full colour, in a picture of luma and colour differences.
public enum ColorRange: UInt8, BitwiseCopyable, Sendable {
  /// 16…235 for luma, 16…240 for the differences (ITU-R BT.601-7, clause 2.5.3): what most cameras deliver.
  case limited
  /// 0…255 for all: what a JPEG file holds (ITU-T T.871, clause 7).
  case full
}
