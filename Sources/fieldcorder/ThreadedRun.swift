import Appliance
import Board
import CDeviceArena
import CHeapMeter
import Coding
import Imaging
import Library
import Playback
import Posix
import Rings
import Takes
import Viewing

/// The appliance on real time: the loop on the process's first thread, real-time where the system allows it, and a
/// thread for each worker.
enum ThreadedRun {
  /// What ``run(_:priority:until:in:encoderLife:)`` takes of boot memory.
  static func byteCount<Encoder: VideoEncoder & ~Copyable>(_: Encoder.Type) -> Int {
    (7 + EncoderCrew.maximumCount) * WorkerControl.byteCount
      + EncoderCrew.maximumCount * BootMemory.footprint(byteCount: MemoryLayout<WorkerContext<EncoderLane>>.stride)
      + BootMemory.footprint(byteCount: MemoryLayout<WorkerContext<PictureWorker<Encoder>>>.stride)
      + BootMemory.footprint(byteCount: MemoryLayout<WorkerContext<StillWorker>>.stride)
      + BootMemory.footprint(byteCount: MemoryLayout<WorkerContext<StorageWorker<FolderStorage>>>.stride)
      + BootMemory.footprint(byteCount: MemoryLayout<WorkerContext<DecoderWorker<DecoderProcess>>>.stride)
      + BootMemory.footprint(byteCount: MemoryLayout<WorkerContext<FolderLibrary>>.stride)
      + BootMemory.footprint(byteCount: MemoryLayout<WorkerContext<ViewWorker<ViewProcess>>>.stride)
      + BootMemory.footprint(byteCount: MemoryLayout<WorkerContext<PreviewWorker>>.stride)
  }

  /// The life of a thread, as C calls it.
  typealias ThreadBody = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

  /// - Parameter encoderLife: runs a `WorkerContext` of this machine's ``PictureWorker``: C calls nothing generic.
  ///
  /// Returns once the appliance has come to its end and all is on the disk.
  static func run<Machine: Hardware & ~Copyable>(
    _ appliance: consuming Appliance<Machine>, priority: Int32, until signals: borrowing StopSignals,
    in memory: inout BootMemory, encoderLife: ThreadBody
  ) throws(DeviceFailure)
  where
    Machine.BoardStorage == FolderStorage, Machine.BoardDecoder == DecoderProcess,
    Machine.BoardMediaFolders == PosixMediaFolders, Machine.BoardView == ViewProcess
  {
    var appliance = appliance
    let encoderControl = try WorkerControl(in: &memory)
    let stillControl = try WorkerControl(in: &memory)
    let storageControl = try WorkerControl(in: &memory)
    let decoderControl = try WorkerControl(in: &memory)
    let libraryControl = try WorkerControl(in: &memory)
    let viewControl = try WorkerControl(in: &memory)
    let previewControl = try WorkerControl(in: &memory)
    let lanes = try LaneThreads(&appliance.lanes, servedBy: encoderControl, &appliance.encoder, in: &memory)
    guard let encoder = unsafe memory.place(WorkerContext(appliance.encoder, control: encoderControl)),
      let still = unsafe memory.place(WorkerContext(appliance.still, control: stillControl)),
      let storage = unsafe memory.place(WorkerContext(appliance.storage, control: storageControl)),
      let decoder = unsafe memory.place(WorkerContext(appliance.decoder, control: decoderControl)),
      let library = unsafe memory.place(WorkerContext(appliance.library, control: libraryControl)),
      let view = unsafe memory.place(WorkerContext(appliance.view, control: viewControl)),
      let preview = unsafe memory.place(WorkerContext(appliance.previewer, control: previewControl))
    else { preconditionFailure("boot memory is used up") }
    // Sound: the contexts lie in boot memory, and from here on each belongs to its thread alone.
    let encoderThread = try unsafe WorkerThread(name: "encoder", context: encoder, body: encoderLife)
    let stillThread = try unsafe WorkerThread(name: "still", context: still, body: stillLife)
    let storageThread = try unsafe WorkerThread(name: "storage", context: storage, body: storageLife)
    let decoderThread = try unsafe WorkerThread(name: "decoder", context: decoder, body: decoderLife)
    let libraryThread = try unsafe WorkerThread(name: "library", context: library, body: libraryLife)
    let viewThread = try unsafe WorkerThread(name: "view", context: view, body: viewLife)
    let previewThread = try unsafe WorkerThread(name: "preview", context: preview, body: previewLife)
    var loop = appliance.loop
    prepare(&loop, priority: priority)
    encoderControl.waitUntilPrepared()
    lanes.waitUntilPrepared()
    stillControl.waitUntilPrepared()
    storageControl.waitUntilPrepared()
    decoderControl.waitUntilPrepared()
    libraryControl.waitUntilPrepared()
    viewControl.waitUntilPrepared()
    previewControl.waitUntilPrepared()
    device_arena_arm()
    heap_meter_mark()
    serve(
      &loop, until: signals, waking: encoderControl, stillControl, storageControl, decoderControl, libraryControl,
      previewControl)
    encoderControl.stop()
    encoderThread.join()
    lanes.end()
    stillControl.stop()
    stillThread.join()
    storageControl.stop()
    storageThread.join()
    decoderControl.stop()
    decoderThread.join()
    libraryControl.stop()
    libraryThread.join()
    viewControl.stop()
    viewThread.join()
    previewControl.stop()
    previewThread.join()
    loop.sayGoodbye()
  }

  /// Makes the calling thread's memory and scheduling real-time, and says where the system does not allow that: the
  /// appliance works without, only less punctually.
  private static func prepare<Machine: Hardware & ~Copyable>(_ loop: inout MainLoop<Machine>, priority: Int32) {
    do throws(DeviceFailure) { try lockAllMemory() } catch { loop.announce(error) }
    guard priority > 0 else { return }
    do throws(DeviceFailure) { try enterRealTime(priority: priority) } catch { loop.announce(error) }
  }

  private static func serve<Machine: Hardware & ~Copyable>(
    _ loop: inout MainLoop<Machine>, until signals: borrowing StopSignals, waking encoder: WorkerControl,
    _ still: WorkerControl, _ storage: WorkerControl, _ decoder: WorkerControl, _ library: WorkerControl,
    _ preview: WorkerControl
  ) {
    var pictureCount: UInt64 = 0
    var stillPictureCount: UInt64 = 0
    while loop.tick() {
      if loop.pictureCount != pictureCount {
        pictureCount = loop.pictureCount
        encoder.wake()
      }
      if loop.stillPictureCount != stillPictureCount {
        stillPictureCount = loop.stillPictureCount
        still.wake()
      }
      if loop.isDecoderCheckDue { decoder.wake() }
      if loop.isLibraryCheckDue { library.wake() }
      if loop.isPreviewCheckDue { preview.wake() }
      guard loop.isStorageCheckDue else { continue }
      storage.wake()
      if signals.isStopRequested { loop.stop() }
    }
  }
}

private let stillLife: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
  unsafe context!.assumingMemoryBound(to: WorkerContext<StillWorker>.self).pointee.run()
  return nil
}

private let storageLife: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
  unsafe context!.assumingMemoryBound(to: WorkerContext<StorageWorker<FolderStorage>>.self).pointee.run()
  return nil
}

private typealias FolderLibrary = LibraryWorker<PosixMediaFolders, DecoderProcess>

private let decoderLife: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
  unsafe context!.assumingMemoryBound(to: WorkerContext<DecoderWorker<DecoderProcess>>.self).pointee.run()
  return nil
}

private let libraryLife: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
  unsafe context!.assumingMemoryBound(to: WorkerContext<FolderLibrary>.self).pointee.run()
  return nil
}

private let viewLife: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
  unsafe context!.assumingMemoryBound(to: WorkerContext<ViewWorker<ViewProcess>>.self).pointee.run()
  return nil
}

private let previewLife: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
  unsafe context!.assumingMemoryBound(to: WorkerContext<PreviewWorker>.self).pointee.run()
  return nil
}
