internal import HTTPSemantics

extension RequestBody {
    /// Fields of a form as `application/x-www-form-urlencoded` (WHATWG URL, section 5.2).
    ///
    /// Names and values are written in UTF-8. A space becomes `+`; letters, digits, `*`, `-`, `.` and
    /// `_` stay as they are. Line ends are kept. The order is kept, and a name may occur several
    /// times.
    public static func form(_ fields: KeyValuePairs<String, String>) -> RequestBody {
        form(fields.map { ($0.key, $0.value) })
    }

    /// Fields of a form, in an array; see the other `form(_:)`.
    public static func form(_ fields: [(String, String)]) -> RequestBody {
        RequestBody(
            kind: .bytes(URLEncodedForm.encode(fields)),
            contentType: "application/x-www-form-urlencoded"
        )
    }

    /// Parts of a form as `multipart/form-data` (RFC 7578).
    ///
    /// The parts are read one after the other while they are sent, so only the bytes in memory count.
    /// All files are opened when the transfer starts; if one can't be, it fails before anything is
    /// sent. The length is known if the lengths of all parts are. The form can be sent again if all
    /// parts can. Its boundary is random and has 64 bits.
    public static func multipart(_ parts: [MultipartPart]) -> RequestBody {
        var generator = SystemRandomNumberGenerator()
        let boundary = MultipartBoundary(using: &generator)
        return RequestBody(
            kind: .multipart(MultipartContent(parts: parts, boundary: boundary)),
            contentType: MultipartSyntax.mediaType(boundary: boundary)
        )
    }
}
