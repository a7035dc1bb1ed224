import CLinux

/// How many threads of this process can run at the same time, 1 or more.
public func usableProcessorCount() -> Int { Int(linux_usable_processor_count()) }
