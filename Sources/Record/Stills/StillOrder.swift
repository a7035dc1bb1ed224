import Base
import Machine

/// An order to make a still from the next picture.
package struct StillOrder: BitwiseCopyable, Equatable, Sendable {
  /// A rectangle of a view.
  package struct Crop: BitwiseCopyable, Equatable, Sendable {
    /// Within ``view``.
    package var rectangle: PixelRectangle
    /// The coordinates in which the user saw the rectangle.
    package var view: PictureView

    package init(_ rectangle: PixelRectangle, of view: PictureView) {
      self.rectangle = rectangle
      self.view = view
    }
  }

  /// Counts the orders since boot; reports refer to it. 0 for one that nobody waits for.
  package var number: UInt32
  /// Nil for the whole visible picture.
  package var crop: Crop?
  /// The device's orientation.
  package var orientation: Orientation
  /// Unix time (since 1970-01-01 00:00 UTC) minus monotonic clock time.
  package var unixOffsetNanoseconds: Int64

  package init(number: UInt32, crop: Crop?, orientation: Orientation, unixOffsetNanoseconds: Int64) {
    self.number = number
    self.crop = crop
    self.orientation = orientation
    self.unixOffsetNanoseconds = unixOffsetNanoseconds
  }
}

/// A camera picture from which a still is to be made.
package struct StillPicture: BitwiseCopyable, Equatable, Sendable {
  /// The picture, which stays in the camera's buffer until the ``StillReceipt``.
  package var picture: RawPicture
  /// How to make the still.
  package var order: StillOrder
}

/// Returns a camera's buffer, with the outcome of the still.
package struct StillReceipt: BitwiseCopyable, Equatable, Sendable {
  /// What happened to the picture.
  package enum Outcome: UInt8, BitwiseCopyable, Sendable {
    /// The still is on its way to the card.
    case coded
    /// The card has not taken the earlier stills yet.
    case cardIsBehind
    /// The JPEG is larger than a still may be.
    case tooLarge
    /// The camera did not deliver a complete picture.
    case unusable
  }

  /// The camera's number for the buffer.
  package var bufferIndex: UInt16
  /// The order's ``StillOrder/number``.
  package var number: UInt32
  /// What happened to the picture.
  package var outcome: Outcome
}

/// The metadata of a still's JPEG on its way to the card.
package struct StillHeader: BitwiseCopyable, Equatable, Sendable {
  /// The order's ``StillOrder/number``.
  package var number: UInt32
  /// The device's orientation.
  package var orientation: Orientation
  /// Columns as stored in the file.
  package var widthPixels: Int
  /// Rows as stored in the file.
  package var heightPixels: Int
  /// The instant of exposure since 1970-01-01 00:00 UTC.
  package var unixNanoseconds: Int64
  /// The order's ``StillOrder/unixOffsetNanoseconds``, by which it is dated.
  package var unixOffsetNanoseconds: Int64 = 0
  /// Where it is on the timeline.
  package var position: TimelinePosition = 0
}

/// From the storage worker to the loop: what happened to a still.
package struct StillReport: BitwiseCopyable, Sendable {
  /// What happened to the still.
  package enum Outcome: BitwiseCopyable, Sendable {
    /// It is on the card, and would survive a power cut.
    case saved(StillSummary)
    /// It is not on the card, or might not survive a power cut.
    case failed(DeviceFailure)
  }

  /// The order's ``StillOrder/number``.
  package var number: UInt32
  /// What happened to the still.
  package var outcome: Outcome

  package init(number: UInt32, outcome: Outcome) {
    self.number = number
    self.outcome = outcome
  }
}

/// A still on the card.
package struct StillSummary: BitwiseCopyable, Sendable {
  /// Relative to the data folder.
  package var path: FixedText<128>
  /// Columns of the upright picture.
  package var widthPixels: Int
  /// Rows of the upright picture.
  package var heightPixels: Int
  /// Size of the file in bytes.
  package var byteCount: Int

  /// As text: `still photo/20261121/101500-0007.jpg, 640 x 480, 81234 bytes`.
  package var line: FixedText<256> { "still \(path), \(widthPixels) x \(heightPixels), \(size: UInt64(byteCount))" }
}

/// The storage worker's ends of the queues for stills.
package struct StillIntake: ~Copyable {
  package var stills: PacketRingConsumer<StillHeader>
  package var reports: QueueProducer<StillReport>

  /// - Parameters:
  ///   - stills: from the still worker.
  ///   - reports: to the loop.
  package init(stills: consuming PacketRingConsumer<StillHeader>, reports: consuming QueueProducer<StillReport>) {
    self.stills = stills
    self.reports = reports
  }
}
