import CurlTransport
import TestSupport

extension AutobahnCase {
    // MARK: 7: Closing

    static let closing: [AutobahnCase] = {
        let hello = ServerFrame.text("Hello World!")
        let message = WebSocketMessage.text("Hello World!")
        let normal = ServerFrame.close(1000)
        let big = stars(256 * 1024)
        let reason = Array("close reason".utf8)
        let invalid = Array("κόσμε".utf8) + [0xED, 0xA0, 0x80]
        var cases = [
            AutobahnCase("7.1.1", [hello, normal], messages: [message], .closed(.normalClosure)),
            AutobahnCase("7.1.2", [normal, normal], .closed(.normalClosure)),
            AutobahnCase("7.1.3", [normal, .ping([1])], .closed(.normalClosure)),
            AutobahnCase("7.1.4", [normal, hello], .closed(.normalClosure)),
            AutobahnCase(
                "7.1.5",
                [.text("fragment1", isFinal: false), normal, .more([65], isFinal: true)],
                .closed(.normalClosure)
            ),
            AutobahnCase(
                "7.1.6",
                [.text(big), hello, normal, .ping([1])],
                messages: [.text(big), message],
                .closed(.normalClosure)
            ),
            AutobahnCase("7.3.1", [.close()], .closed(nil)),
            AutobahnCase("7.3.2", [ServerFrame(8, [0x61])], .failure(.protocolError)),
            AutobahnCase("7.3.3", [normal], .closed(.normalClosure)),
            AutobahnCase("7.3.4", [.close(1000, reason)], .closed(.normalClosure)),
            AutobahnCase("7.3.5", [.close(1000, bytes(123, 0x2A))], .closed(.normalClosure)),
            AutobahnCase("7.3.6", [.close(1000, bytes(124, 0x2A))], .failure(.protocolError)),
            AutobahnCase("7.5.1", [.close(1000, invalid)], .failure(.invalidPayload)),
        ]
        let valid = [
            1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999,
            // Registered since: service restart, try again later, bad gateway.
            1012, 1013, 1014,
        ]
        for (index, status) in valid.enumerated() {
            cases.append(
                AutobahnCase(
                    "7.7.\(index + 1)",
                    [.close(status)],
                    .closed(WebSocketStatus(rawValue: UInt16(status)))
                )
            )
        }
        let wrong = [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535]
        for (index, status) in wrong.enumerated() {
            cases.append(
                AutobahnCase(
                    "7.9.\(index + 1)",
                    [.close(status, reason)],
                    .failure(.protocolError)
                )
            )
        }
        return cases
    }()

    // MARK: 9 and 10: Large messages

    static let large: [AutobahnCase] = {
        var cases: [AutobahnCase] = []
        // The suite continues to 16 MiB; the default limit of a message is 1 MiB.
        for (index, size) in [1 << 16, 1 << 18, 1 << 20].enumerated() {
            cases.append(
                AutobahnCase(
                    "9.1.\(index + 1)",
                    [.text(stars(size))],
                    messages: [.text(stars(size))]
                )
            )
            cases.append(
                AutobahnCase(
                    "9.2.\(index + 1)",
                    [.binary(bytes(size))],
                    messages: [.binary(bytes(size))]
                )
            )
        }
        for (index, size) in [64, 256, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18].enumerated() {
            let total = 1 << (size < 1024 ? 17 : 20)
            cases.append(fragmented("9.3.\(index + 1)", 1, total, size))
            cases.append(fragmented("9.4.\(index + 1)", 2, total, size))
        }
        for (index, size) in [64, 128, 256, 512, 1024, 2048].enumerated() {
            cases.append(
                AutobahnCase(
                    "9.5.\(index + 1)",
                    chopping: size,
                    [.text(stars(1 << 18))],
                    messages: [.text(stars(1 << 18))]
                )
            )
        }
        cases.append(fragmented("10.1.1", 1, 65_536, 1_300))
        return cases
    }()

    /// A message of `total` bytes in frames of `size`.
    private static func fragmented(
        _ id: String,
        _ opcode: UInt8,
        _ total: Int,
        _ size: Int
    ) -> AutobahnCase {
        let payload = bytes(total, 0x2A)
        let frames = stride(from: 0, to: total, by: size).map { start in
            let end = min(start + size, total)
            return ServerFrame(
                start == 0 ? opcode : 0,
                Array(payload[start..<end]),
                isFinal: end == total
            )
        }
        return AutobahnCase(
            id,
            frames,
            messages: [opcode == 1 ? .text(stars(total)) : .binary(payload)]
        )
    }
}
