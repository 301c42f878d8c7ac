internal import Foundation

extension InputStream {
    /// A stream with the same bytes, from the first one on; `nil` of a stream that can't be copied.
    var anotherOne: InputStream? {
        (self as? any NSCopying)?.copy(with: nil) as? InputStream
    }
}
