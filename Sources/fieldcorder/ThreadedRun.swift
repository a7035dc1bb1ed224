import Appliance
import Board
import CDeviceArena
import CHeapMeter
import Imaging
import Library
import Playback
import Posix
import Rings
import Takes

/// The appliance on real time: the loop on the process's first thread, real-time where the system allows it, and a
/// thread for each worker.
enum ThreadedRun {
  /// What ``run(_:priority:until:in:)`` takes of boot memory.
  static var byteCount: Int {
    5 * WorkerControl.byteCount
      + BootMemory.footprint(byteCount: MemoryLayout<WorkerContext<EncoderWorker>>.stride)
      + BootMemory.footprint(byteCount: MemoryLayout<WorkerContext<StorageWorker<FolderStorage>>>.stride)
      + BootMemory.footprint(byteCount: MemoryLayout<WorkerContext<DecoderWorker<DecoderProcess>>>.stride)
      + BootMemory.footprint(byteCount: MemoryLayout<WorkerContext<FolderLibrary>>.stride)
      + BootMemory.footprint(byteCount: MemoryLayout<WorkerContext<ViewWorker<ViewProcess>>>.stride)
  }

  /// Returns once the appliance has come to its end and all is on the disk.
  static func run<Machine: Hardware & ~Copyable>(
    _ appliance: consuming Appliance<Machine>, priority: Int32, until signals: borrowing StopSignals,
    in memory: inout BootMemory
  ) throws(DeviceFailure)
  where
    Machine.BoardStorage == FolderStorage, Machine.BoardDecoder == DecoderProcess,
    Machine.BoardMediaFolders == PosixMediaFolders, Machine.BoardView == ViewProcess
  {
    let encoderControl = try WorkerControl(in: &memory)
    let storageControl = try WorkerControl(in: &memory)
    let decoderControl = try WorkerControl(in: &memory)
    let libraryControl = try WorkerControl(in: &memory)
    let viewControl = try WorkerControl(in: &memory)
    guard let encoder = unsafe memory.place(WorkerContext(appliance.encoder, control: encoderControl)),
      let storage = unsafe memory.place(WorkerContext(appliance.storage, control: storageControl)),
      let decoder = unsafe memory.place(WorkerContext(appliance.decoder, control: decoderControl)),
      let library = unsafe memory.place(WorkerContext(appliance.library, control: libraryControl)),
      let view = unsafe memory.place(WorkerContext(appliance.view, control: viewControl))
    else { preconditionFailure("boot memory is used up") }
    // Sound: the contexts lie in boot memory, and from here on each belongs to its thread alone.
    let encoderThread = try unsafe WorkerThread(name: "encoder", context: encoder, body: encoderLife)
    let storageThread = try unsafe WorkerThread(name: "storage", context: storage, body: storageLife)
    let decoderThread = try unsafe WorkerThread(name: "decoder", context: decoder, body: decoderLife)
    let libraryThread = try unsafe WorkerThread(name: "library", context: library, body: libraryLife)
    let viewThread = try unsafe WorkerThread(name: "view", context: view, body: viewLife)
    var loop = appliance.loop
    prepare(&loop, priority: priority)
    encoderControl.waitUntilPrepared()
    storageControl.waitUntilPrepared()
    decoderControl.waitUntilPrepared()
    libraryControl.waitUntilPrepared()
    viewControl.waitUntilPrepared()
    device_arena_arm()
    heap_meter_mark()
    serve(&loop, until: signals, waking: encoderControl, storageControl, decoderControl, libraryControl)
    encoderControl.stop()
    encoderThread.join()
    storageControl.stop()
    storageThread.join()
    decoderControl.stop()
    decoderThread.join()
    libraryControl.stop()
    libraryThread.join()
    viewControl.stop()
    viewThread.join()
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
    _ storage: WorkerControl, _ decoder: WorkerControl, _ library: WorkerControl
  ) {
    var pictureCount: UInt64 = 0
    while loop.tick() {
      if loop.pictureCount != pictureCount {
        pictureCount = loop.pictureCount
        encoder.wake()
      }
      if loop.isDecoderCheckDue { decoder.wake() }
      if loop.isLibraryCheckDue { library.wake() }
      guard loop.isStorageCheckDue else { continue }
      storage.wake()
      if signals.isStopRequested { loop.stop() }
    }
  }
}

private let encoderLife: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
  unsafe context!.assumingMemoryBound(to: WorkerContext<EncoderWorker>.self).pointee.run()
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
