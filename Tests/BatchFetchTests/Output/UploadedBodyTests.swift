import Testing

@testable import BatchFetch

/// Bodies that become objects.
@Suite struct UploadedBodyTests {
    @Test(
        "The media type of an object can be signed",
        arguments: [
            ("text/html; charset=utf-8", "text/html; charset=utf-8"),
            (" text/html;\t  charset=utf-8 ", "text/html; charset=utf-8"), ("", nil), ("téxt", nil),
            ("text/html\u{1}", nil), (String(repeating: "a", count: 256), nil),
        ] as [(String, String?)]
    )
    func mediaTypeIsSignable(contentType: String, expected: String?) {
        #expect(UploadedBody.signable(contentType) == expected)
    }
}
