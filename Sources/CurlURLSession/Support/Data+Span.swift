internal import Foundation

// The only place that copies a span into a `Data`: Foundation has no API for it yet.

extension Data {
    /// Appends a copy of `span`.
    mutating func append(copying span: Span<UInt8>) {
        unsafe span.withUnsafeBufferPointer { buffer in
            unsafe append(buffer)
        }
    }
}
