internal import CurlURLSession
internal import Foundation
internal import HTTPSemantics

/// A multipart form under construction.
final class MultipartForm: MultipartFormData {
    private let stringEncoding: String.Encoding
    private let boundary: MultipartBoundary
    private var parts: [MultipartPart] = []
    private var pace: StreamPace?

    init(stringEncoding: String.Encoding) {
        self.stringEncoding = stringEncoding
        var generator = SystemRandomNumberGenerator()
        boundary = MultipartBoundary(using: &generator)
    }

    /// Appends a part for each value in the parameters.
    func append(_ parameters: Any, _ style: QueryStringPair.Style) throws {
        for pair in try QueryStringPair.pairs(of: parameters, style) {
            guard let name = pair.name else {
                throw URLRequestSerializationError.invalidParameters(
                    "The `parameters` argument is one value without a name; use a dictionary."
                )
            }
            switch pair.value {
            case .none:
                appendPart(withForm: Data(), name: name)
            case .data(let data):
                appendPart(withForm: data, name: name)
            case .text(let text):
                guard let data = text.data(using: stringEncoding) else {
                    throw URLRequestSerializationError.invalidParameters(
                        "The value of \(name) can't be written in the serializer's string encoding."
                    )
                }
                appendPart(withForm: data, name: name)
            }
        }
    }

    func appendPart(withFileURL fileURL: URL, name: String) throws {
        let fileName = fileURL.lastPathComponent
        try appendPart(
            withFileURL: fileURL,
            name: name,
            fileName: fileName,
            mimeType: FileMediaType.type(ofFilename: fileName)
        )
    }

    func appendPart(
        withFileURL fileURL: URL,
        name: String,
        fileName: String,
        mimeType: String
    ) throws {
        let length = try Self.length(of: fileURL)
        append(
            .file(fileURL),
            label: "“\(name)” (\(fileURL.path))",
            length: length,
            headers: Self.headers(name, fileName, mimeType)
        )
    }

    private static func length(of url: URL) throws -> Int64 {
        guard url.isFileURL else {
            throw URLRequestSerializationError.file(url, "Expected URL to be a file URL")
        }
        let path = url.resolvingSymlinksInPath().path
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw URLRequestSerializationError.file(url, "File URL not reachable.")
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard attributes[.type] as? FileAttributeType == .typeRegular,
            let size = attributes[.size] as? UInt64
        else {
            throw URLRequestSerializationError.file(url, "Expected URL to be a regular file's.")
        }
        return Int64(clamping: size)
    }

    func appendPart(
        with inputStream: InputStream?,
        name: String,
        fileName: String,
        length: Int64,
        mimeType: String
    ) {
        append(
            .stream(MultipartStreamSource(inputStream)),
            label: "“\(name)”",
            length: max(0, length),
            headers: Self.headers(name, fileName, mimeType)
        )
    }

    func appendPart(withFileData data: Data, name: String, fileName: String, mimeType: String) {
        appendPart(withHeaders: Self.headers(name, fileName, mimeType), body: data)
    }

    func appendPart(withForm data: Data, name: String) {
        appendPart(
            withHeaders: [.contentDisposition(MultipartSyntax.disposition(name: name))],
            body: data
        )
    }

    func appendPart(withHeaders headers: HTTPHeaders?, body: Data) {
        append(.data(body), label: "", length: Int64(body.count), headers: headers ?? [])
    }

    func throttleBandwidth(withPacketSize packetSize: Int, delay: TimeInterval) {
        // Limited to 1e9 seconds, which every clock can represent.
        let seconds = delay > 0 ? min(delay, 1e9) : 0
        pace = StreamPace(packetSize: max(1, packetSize), delay: .seconds(seconds))
    }

    private func append(
        _ body: MultipartPart.Body,
        label: String,
        length: Int64,
        headers: HTTPHeaders
    ) {
        let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
        parts.append(
            MultipartPart(
                label: label,
                header: lines.encoded(in: stringEncoding),
                body: body,
                length: length
            )
        )
    }

    private static func headers(
        _ name: String,
        _ fileName: String,
        _ mimeType: String
    ) -> HTTPHeaders {
        [
            .contentDisposition(MultipartSyntax.disposition(name: name, fileName: fileName)),
            .contentType(MultipartSyntax.contentType(mimeType)),
        ]
    }

    /// Adds the form as the body of a request.
    ///
    /// The request is unchanged if the form has no parts.
    func complete(_ request: URLRequest) -> URLRequest {
        guard !parts.isEmpty else { return request }
        let content = MultipartContent(
            parts,
            boundary: boundary,
            stringEncoding: stringEncoding,
            pace: pace
        )
        var request = request
        request.httpBodyStream = MultipartBodyStream(content)
        request.setValue(
            MultipartSyntax.mediaType(boundary: boundary),
            forHTTPHeaderField: "Content-Type"
        )
        request.setValue(String(content.length), forHTTPHeaderField: "Content-Length")
        return request
    }
}
