import CurlTransport
import TestSupport

extension AutobahnCase {
    // MARK: 1: Framing

    static let framing: [AutobahnCase] = {
        let sizes = [0, 125, 126, 127, 128, 65_535, 65_536]
        var cases: [AutobahnCase] = []
        for (index, size) in sizes.enumerated() {
            cases.append(
                AutobahnCase(
                    "1.1.\(index + 1)",
                    [.text(stars(size))],
                    messages: [.text(stars(size))]
                )
            )
            cases.append(
                AutobahnCase(
                    "1.2.\(index + 1)",
                    [.binary(bytes(size))],
                    messages: [.binary(bytes(size))]
                )
            )
        }
        cases.append(
            AutobahnCase(
                "1.1.8",
                chopping: 997,
                [.text(stars(65_536))],
                messages: [.text(stars(65_536))]
            )
        )
        cases.append(
            AutobahnCase(
                "1.2.8",
                chopping: 997,
                [.binary(bytes(65_536))],
                messages: [.binary(bytes(65_536))]
            )
        )
        return cases
    }()

    // MARK: 2: Pings and pongs

    static let pings: [AutobahnCase] = {
        let hello = Array("Hello, world!".utf8)
        let data: [UInt8] = [0x00, 0xFF, 0xFE, 0xFD, 0xFC, 0xFB, 0x00, 0xFF]
        let ten = (0..<10).map { Array("payload-\($0)".utf8) }
        return [
            AutobahnCase("2.1", [.ping()], pings: [[]]),
            AutobahnCase("2.2", [.ping(hello)], pings: [hello]),
            AutobahnCase("2.3", [.ping(data)], pings: [data]),
            AutobahnCase("2.4", [.ping(bytes(125))], pings: [bytes(125)]),
            AutobahnCase("2.5", [.ping(bytes(126))], .failure(.protocolError)),
            AutobahnCase("2.6", chopping: 1, [.ping(bytes(125))], pings: [bytes(125)]),
            AutobahnCase("2.7", [.pong()]),
            AutobahnCase("2.8", [.pong(Array("unsolicited pong payload".utf8))]),
            AutobahnCase("2.9", [.pong(hello), .ping(data)], pings: [data]),
            AutobahnCase("2.10", ten.map { .ping($0) }, pings: ten),
            AutobahnCase("2.11", chopping: 1, ten.map { .ping($0) }, pings: ten),
        ]
    }()

    // MARK: 3: Reserved bits

    static let reserved: [AutobahnCase] = {
        func frame(_ opcode: UInt8, _ reserved: UInt8, _ text: String) -> ServerFrame {
            ServerFrame(opcode, Array(text.utf8), reserved: reserved)
        }
        let good = ServerFrame.text("Hello, world!")
        let messages = [WebSocketMessage.text("Hello, world!")]
        let wrong = Outcome.failure(.protocolError)
        return [
            AutobahnCase("3.1", [frame(1, 1, "x")], wrong),
            AutobahnCase("3.2", [good, frame(1, 2, "x"), .ping()], messages: messages, wrong),
            AutobahnCase("3.3", [good, frame(1, 3, "x"), .ping()], messages: messages, wrong),
            AutobahnCase(
                "3.4",
                chopping: 1,
                [good, frame(1, 4, "x"), .ping()],
                messages: messages,
                wrong
            ),
            AutobahnCase("3.5", [frame(2, 5, "x")], wrong),
            AutobahnCase("3.6", [frame(9, 6, "x")], wrong),
            AutobahnCase("3.7", [frame(8, 7, "")], wrong),
        ]
    }()

    // MARK: 4: Opcodes

    static let opcodes: [AutobahnCase] = {
        var cases: [AutobahnCase] = []
        for (group, numbers) in [(1, UInt8(3)...7), (2, 11...15)] {
            for (index, opcode) in numbers.enumerated() {
                // The first has no payload; the third and later follow a valid message.
                let isBehind = index >= 2
                let payload = index == 0 ? [] : Array("reserved opcode payload".utf8)
                let frames: [ServerFrame] =
                    (isBehind ? [.text("Hello, world!")] : [])
                    + [ServerFrame(opcode, payload), .ping()]
                let messages = isBehind ? [WebSocketMessage.text("Hello, world!")] : []
                let id = "4.\(group).\(index + 1)"
                cases.append(
                    index == 3
                        ? AutobahnCase(
                            id,
                            chopping: 1,
                            frames,
                            messages: messages,
                            .failure(.protocolError)
                        )
                        : AutobahnCase(
                            id,
                            frames,
                            messages: messages,
                            .failure(.protocolError)
                        )
                )
            }
        }
        return cases
    }()
}
