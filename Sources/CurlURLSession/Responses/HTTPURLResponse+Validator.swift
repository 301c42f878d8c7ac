internal import Foundation

extension HTTPURLResponse {
    /// By what the same content is known again, byte for byte: its strong `ETag`, or else its
    /// `Last-Modified` if that is a strong validator (RFC 9110, 8.8.2.2); `nil` without either.
    package var strongValidator: String? { ResumeData.validator(of: self) }
}
