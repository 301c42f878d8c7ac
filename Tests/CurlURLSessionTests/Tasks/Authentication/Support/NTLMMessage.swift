internal import Foundation

/// A client's NTLM message (MS-NLMP, 2.2.1) with the fields that tests check.
struct NTLMMessage {
    private let bytes: [UInt8]

    private static let signature = Array("NTLMSSP\0".utf8)

    /// - Parameter field: The value of the header field. The initializer returns `nil` if it is
    ///   `nil` or isn't an NTLM message.
    init?(_ field: String?) {
        guard let field, field.hasPrefix("NTLM "),
            let data = Data(base64Encoded: String(field.dropFirst(5))), data.count >= 12,
            data.starts(with: Self.signature)
        else { return nil }
        bytes = [UInt8](data)
    }

    /// The message type: 1 for NEGOTIATE_MESSAGE, 3 for AUTHENTICATE_MESSAGE.
    var type: Int { number(at: 8) }

    var user: String { String(decoding: field(at: 36), as: UTF8.self) }

    /// The NTLMv1 response to the challenge (MS-NLMP, 3.3.1), in hexadecimal.
    var response: String {
        field(at: 20).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }

    /// Whether the response is the one for the password `SecREt01`.
    var isRight: Bool {
        type == 3 && response == "25a98c1c31e81847466b29b2df4680f39958fb8c213a9cc6"
    }

    private func number(at offset: Int) -> Int {
        guard offset + 1 < bytes.count else { return 0 }
        return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }

    /// The field whose length and offset are stored at `offset`.
    private func field(at offset: Int) -> ArraySlice<UInt8> {
        let start = number(at: offset + 4)
        let end = start + number(at: offset)
        return end <= bytes.count ? bytes[start..<end] : []
    }
}

extension NTLMMessage {
    /// The server's CHALLENGE_MESSAGE, in Base64 as in the header field. The challenge is 01 23 45
    /// 67 89 AB CD EF. The server supports neither Unicode nor NTLMv2.
    static let challenge: String = {
        let type: [UInt8] = [2, 0, 0, 0]
        let noTarget: [UInt8] = [0, 0, 0, 0, 32, 0, 0, 0]
        let flags: [UInt8] = [0x02, 0x02, 0, 0]
        let nonce: [UInt8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]
        return Data(signature + type + noTarget + flags + nonce).base64EncodedString()
    }()
}
