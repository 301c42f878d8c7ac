/// A text of 531 bytes in one content coding, compressed by its reference program.
package struct CompressedSample: Sendable, CustomStringConvertible {
    /// Distinguishes two samples with the same coding: deflate with zlib's frame, and bare deflate.
    package let title: String
    /// The coding's name in a `Content-Encoding` field.
    package let coding: String
    package let bytes: [UInt8]

    package var description: String { title }

    /// A complete response whose compressed data lacks its last `missing` bytes.
    package func reply(missing: Int = 0) -> Reply {
        Reply(headers: [("Content-Encoding", coding)], body: .bytes(Array(bytes.dropLast(missing))))
    }

    /// The text that all samples decompress to.
    package static let text = Array(
        (1...12).map { "line \($0): all that is compressed here is this\n" }.joined().utf8
    )

    package static let all = [gzip, zlib, deflate, brotli, zstandard]

    package static let gzip = CompressedSample(
        "gzip",
        "gzip",
        "1f8b080000000000020395d1c909c0300c05d17baa500951f6a41b130b2450162cf74f7007f9d7e1"
            + "ddc6ed16e283923b554d952ce87caeb74884645229d252558bce9b1d003b027602ec0cd805b02b60"
            + "37c0ee80e51ec1c839feb9ee033729fa7b13020000"
    )

    package static let zlib = CompressedSample(
        "deflate in zlib's frame",
        "deflate",
        "78da95d1c909c0300c05d17baa500951f6a41b130b2450162cf74f7007f9d7e1ddc6ed16e283923b"
            + "554d952ce87caeb74884645229d252558bce9b1d003b027602ec0cd805b02b6037c0ee80e51ec1c8"
            + "39feb9ee03e575b878"
    )

    package static let deflate = CompressedSample(
        "bare deflate",
        "deflate",
        "95d1c909c0300c05d17baa500951f6a41b130b2450162cf74f7007f9d7e1ddc6ed16e283923b554d"
            + "952ce87caeb74884645229d252558bce9b1d003b027602ec0cd805b02b6037c0ee80e51ec1c839fe"
            + "b9ee03"
    )

    package static let brotli = CompressedSample(
        "Brotli",
        "br",
        "1b1202a01c07768c36629c4964afb723543ab8c1305686fe040923ab3236c4c101d8147ee008f384"
            + "2a4dab0b9b544b60e37519b9a7f5718f4d405c5559854a55aad5a855f786600003"
    )

    package static let zstandard = CompressedSample(
        "Zstandard",
        "zstd",
        "28b52ffd046885020082830c1190cf01c8913714c5eeef81076e83e29be94304a1123aa690011abe"
            + "fb8667cbef8ebbd95649db1bfeb2771f23fb12e709630ca010d8ecff3bb033079f361f3461c2c484"
            + "0913932618e6135a0a2c145ea4"
    )

    private init(_ title: String, _ coding: String, _ digits: String) {
        self.title = title
        self.coding = coding
        let digits = Array(digits.utf8)
        bytes = stride(from: 0, to: digits.count, by: 2).compactMap { place in
            UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16)
        }
    }
}
