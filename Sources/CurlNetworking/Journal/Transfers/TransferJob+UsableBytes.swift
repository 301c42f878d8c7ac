internal import Foundation

extension TransferJob {
    /// How many bytes of a file of this size count, when a job goes on.
    ///
    /// After the program has ended, the kernel has all that was written. After the system has crashed, what
    /// was made durable counts. And nothing does that can't be known again, unless it is all.
    func usableBytes(of size: Int64) -> Int64 {
        let isSameStart = !boot.isEmpty && boot == KernelStart.identifier
        let certain = isSameStart ? size : min(size, bytes)
        if let expectedBytes {
            if certain == expectedBytes { return certain }
            if certain > expectedBytes { return 0 }
        }
        return validator == nil ? 0 : certain
    }
}
