import Machine

extension StorageWorker {
  /// Replaces the device's identity, first in the data folder. Where a cut leaves the other copy as it was, the new one
  /// knows that it replaced it.
  mutating func reset(to record: IdentityRecord) {
    do throws(DeviceFailure) { try storage.keep(record) } catch { return report(.identityKept(error)) }
    var failure: DeviceFailure?
    do throws(DeviceFailure) { try identityCopy?.keep(record) } catch { failure = error }
    report(.identityReset(copyFailure: failure))
  }
}
