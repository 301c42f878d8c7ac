internal import Foundation

/// A client's message of NTLM (MS-NLMP, 2.2.1), as far as a test of a server's looks into it.
struct NTLMMessage {
    private let bytes: [UInt8]

    private static let signature = Array("NTLMSSP\0".utf8)

    /// - Parameter field: The value of the header field; `nil` is no message, as is what isn't NTLM's.
    init?(_ field: String?) {
        guard let field, field.hasPrefix("NTLM "),
            let data = Data(base64Encoded: String(field.dropFirst(5))), data.count >= 12,
            data.starts(with: Self.signature)
        else { return nil }
        bytes = [UInt8](data)
    }

    /// 1 where it offers to authenticate, 3 where it answers the server's challenge.
    var type: Int { number(at: 8) }

    var user: String { String(decoding: field(at: 36), as: UTF8.self) }

    /// What was made of the challenge and the password, by NTLMv1 (3.3.1), in hexadecimal.
    var response: String {
        field(at: 20).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }

    /// Whether it shows that the password is `SecREt01`.
    var isRight: Bool {
        type == 3 && response == "25a98c1c31e81847466b29b2df4680f39958fb8c213a9cc6"
    }

    private func number(at offset: Int) -> Int {
        guard offset + 1 < bytes.count else { return 0 }
        return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }

    /// What lies where the length and the offset say that stand here.
    private func field(at offset: Int) -> ArraySlice<UInt8> {
        let start = number(at: offset + 4)
        let end = start + number(at: offset)
        return end <= bytes.count ? bytes[start..<end] : []
    }
}

extension NTLMMessage {
    /// The server's message, as it stands in the field: the challenge 01 23 45 67 89 AB CD EF, of a
    /// server that knows neither Unicode nor NTLMv2.
    static let challenge: String = {
        let type: [UInt8] = [2, 0, 0, 0]
        let noTarget: [UInt8] = [0, 0, 0, 0, 32, 0, 0, 0]
        let flags: [UInt8] = [0x02, 0x02, 0, 0]
        let nonce: [UInt8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]
        return Data(signature + type + noTarget + flags + nonce).base64EncodedString()
    }()
}
