internal import Foundation
internal import HTTPSemantics
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Media types of files, boundaries and lengths of multipart forms, and the texts of their errors.
@Suite struct MultipartDetailTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func reason(_ body: () throws -> Void) -> String? {
        #expect(throws: NSError.self, performing: body)?.localizedFailureReason
    }

    @Test func typesOfAMachineHaveTheFirstTypeOfAnExtension() {
        let text = """
            # a comment\tx
            text/one  a B\tc # d e

            text/two a d
            text/none
            #text/three f
              text/four F\r
            """
        let types = FileMediaType.types(in: text)
        #expect(
            types == [
                "a": "text/one", "b": "text/one", "c": "text/one", "d": "text/two",
                "f": "text/four",
            ]
        )
        #expect(FileMediaType.types(in: "").isEmpty)
    }

    @Test(arguments: [
        ("A.PEM", "application/x-pem-file"), ("a.b.crt", "application/x-x509-ca-cert"),
        ("a.p12", "application/x-pkcs12"), ("pem", "application/octet-stream"),
        ("", "application/octet-stream"),
    ])
    func lastExtensionDecidesInAnyCase(name: String, type: String) {
        #expect(FileMediaType.type(ofFilename: name) == type)
    }

    /// A generator that always returns one number.
    private struct Fixed: RandomNumberGenerator {
        let number: UInt64
        mutating func next() -> UInt64 { number }
    }

    @Test func boundaryOfASmallNumberHasLeadingZeros() {
        for (number, text) in [
            (0, "Boundary+0000000000000000"), (0xABC, "Boundary+0000000000000ABC"),
            (.max, "Boundary+FFFFFFFFFFFFFFFF"),
        ] as [(UInt64, String)] {
            var generator = Fixed(number: number)
            #expect(MultipartBoundary(using: &generator).text == text)
        }
    }

    @Test func sumOfAnnouncedLengthsDoesNotOverflow() throws {
        let request = try Forms.request { form in
            for name in ["a", "b"] {
                form.appendPart(
                    with: nil,
                    name: name,
                    fileName: name,
                    length: .max,
                    mimeType: "text/plain"
                )
            }
        }
        #expect(request.value(forHTTPHeaderField: "Content-Length") == "\(Int64.max)")
    }

    @Test func formWithoutPartsHasNoLength() {
        let content = MultipartContent(
            [],
            boundary: MultipartBoundary("B"),
            stringEncoding: .utf8,
            pace: nil
        )
        #expect(content.length == 0 && content.pieces.isEmpty)
    }

    @Test(arguments: [("short", "fewer"), ("longer than it was", "more")])
    func errorOfAChangedFileHasPartFileAndLength(text: String, comparison: String) throws {
        let path = try folder.write("as it was", to: "file")
        let request = try Forms.request { form in
            try form.appendPart(withFileURL: URL(fileURLWithPath: path), name: "photo")
        }
        try folder.write(text, to: "file")
        #expect(
            reason { _ = try Forms.bytes(request.httpBodyStream) }
                == "The part “photo” (\(path)) has \(comparison) bytes than the 9 that it had when "
                + "it was appended; the upload can't be completed."
        )
    }

    @Test func errorOfAParameterSaysWhichOne() {
        #expect(
            reason { _ = try Forms.request(["ok": "a", "bad": "漢"], encoding: .isoLatin1) }
                == "The value of bad can't be written in the serializer's string encoding."
        )
        #expect(reason { _ = try Forms.request("text") }?.contains("use a dictionary") == true)
        #expect(reason { _ = try Forms.request([1]) }?.contains("have no names") == true)
        let serializer = HTTPRequestSerializer()
        let head = reason {
            _ = try serializer.multipartFormRequest(withMethod: .head, urlString: "http://h/")
        }
        #expect(head == "The `method` argument is HEAD, whose requests have no body.")
    }

    @Test func emptyFileThatWasFilledIsAnError() throws {
        let path = try folder.write("", to: "empty")
        let request = try Forms.request { form in
            try form.appendPart(withFileURL: URL(fileURLWithPath: path), name: "f")
        }
        try folder.write("x", to: "empty")
        let text = reason { _ = try Forms.bytes(request.httpBodyStream) }
        #expect(text?.contains("more bytes than the 0") == true)
    }
}
