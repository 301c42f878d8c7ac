// Bulk operations on bytes, which the standard library's spans don't provide yet.

internal import CPosix

extension Array where Element == UInt8 {
    /// Appends a copy of `span`.
    package mutating func append(copying span: Span<UInt8>) {
        unsafe span.withUnsafeBufferPointer { buffer in
            unsafe append(contentsOf: buffer)
        }
    }

    /// An array of `span`'s bytes without unused capacity.
    ///
    /// An array that is created from another one, or from a slice with all of its elements, shares
    /// its memory instead.
    package init(copying span: Span<UInt8>) {
        self.init()
        reserveCapacity(span.count)
        append(copying: span)
    }
}

extension OutputSpan where Element == UInt8 {
    /// Appends as much of `span` as fits. Returns the number of appended bytes.
    package mutating func append(copying span: Span<UInt8>) -> Int {
        let count = Swift.min(span.count, freeCapacity)
        unsafe span.withUnsafeBufferPointer { source in
            unsafe withUnsafeMutableBufferPointer { buffer, initializedCount in
                guard count > 0, let start = buffer.baseAddress, let from = source.baseAddress
                else { return }
                unsafe (start + initializedCount).initialize(from: from, count: count)
                initializedCount += count
            }
        }
        return count
    }
}

extension Span where Element == UInt8 {
    /// Whether one of the bytes equals `byte`.
    package func contains(_ byte: UInt8) -> Bool {
        unsafe withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            return unsafe memchr(start, Int32(byte), bytes.count) != nil
        }
    }
}
