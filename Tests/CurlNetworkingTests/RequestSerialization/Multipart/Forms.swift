internal import CurlNetworking
internal import CurlURLSession
internal import Foundation
internal import TestSupport

/// Creates and reads multipart forms.
enum Forms {
    static func request(
        _ parameters: Any? = nil,
        to url: String = "http://h/",
        encoding: String.Encoding = .utf8,
        _ append: ((any MultipartFormData) throws -> Void)? = nil
    ) throws -> URLRequest {
        let serializer = HTTPRequestSerializer()
        serializer.stringEncoding = encoding
        return try serializer.multipartFormRequest(
            withMethod: .post,
            urlString: url,
            parameters: parameters,
            constructingBodyWith: append
        )
    }

    /// The complete content of a stream, read in pieces of at most `size` bytes.
    static func bytes(_ stream: InputStream?, by size: Int = 4096) throws -> [UInt8] {
        guard let stream else { return [] }
        if stream.streamStatus == .notOpen { stream.open() }
        var bytes: [UInt8] = []
        while case let next = try stream.readBytes(upTo: size), !next.isEmpty { bytes += next }
        return bytes
    }

    static func boundary(_ request: URLRequest) -> String {
        let type = request.value(forHTTPHeaderField: "Content-Type") ?? ""
        return type.components(separatedBy: "boundary=").last ?? ""
    }

    /// The body, with the boundary replaced by `B`.
    static func text(_ request: URLRequest) throws -> String {
        try String(decoding: bytes(request.httpBodyStream), as: UTF8.self)
            .replacingOccurrences(of: boundary(request), with: "B")
    }

    /// Appends a part of each kind that can be read repeatedly.
    static func appendAll(to form: any MultipartFormData, in folder: TemporaryDirectory) throws {
        form.appendPart(withForm: Data("value".utf8), name: "field")
        form.appendPart(withForm: Data(), name: "empty")
        let file = try folder.write("content of a file", to: "a.txt")
        try form.appendPart(withFileURL: URL(fileURLWithPath: file), name: "file")
        let empty = try folder.write("", to: "empty.bin")
        try form.appendPart(withFileURL: URL(fileURLWithPath: empty), name: "none")
        form.appendPart(
            withFileData: Data([0, 13, 10, 255]),
            name: "data",
            fileName: "d.bin",
            mimeType: "application/octet-stream"
        )
        form.appendPart(withHeaders: nil, body: Data("bare".utf8))
    }
}

/// A stream that fails after some bytes.
final class FailingStream: InputStream {
    struct Failure: Error {}

    private var left: Int
    private var failure: (any Error)?

    init(after count: Int) {
        left = count
        super.init(data: Data())
    }

    override var streamStatus: Stream.Status { failure == nil ? .open : .error }
    override var streamError: (any Error)? { failure }
    override func open() {}
    override func close() {}

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        guard left > 0 else {
            failure = Failure()
            return -1
        }
        buffer[0] = 120
        left -= 1
        return 1
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length len: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }
}
