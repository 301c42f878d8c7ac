internal import CurlURLSession
internal import Foundation

/// One part of a multipart form: its headers, and where its body comes from.
struct MultipartPart: Sendable {
    enum Body: Sendable {
        case data(Data)
        case file(URL)
        case stream(MultipartStreamSource)
    }

    /// What an error calls it.
    let label: String
    /// The lines of the headers, with the empty one after them.
    let header: Data
    let body: Body
    /// How many bytes the body has.
    let length: Int64
}
