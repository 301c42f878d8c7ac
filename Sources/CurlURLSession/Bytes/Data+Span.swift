internal import Foundation

// The one place where the bytes of a span come into a `Data`, for which Foundation has no way yet.

extension Data {
    /// Appends a copy of `span`.
    mutating func append(copying span: Span<UInt8>) {
        unsafe span.withUnsafeBufferPointer { buffer in
            unsafe append(buffer)
        }
    }
}
