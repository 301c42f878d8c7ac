internal import Synchronization
internal import TestSupport

/// The programs' server: notes, files and event streams, always the same.
///
/// A program opens a gate of the server with `/control/open/NAME`. With `/control/wait/NAME` it
/// waits until the server has received a certain request.
final class Service: Sendable {
    private struct State {
        var gates: [String: Gate] = [:]
        var counts: [String: Int] = [:]
        var isClosing = false
    }

    private let state = Mutex(State())
    private let notes = NotesService()

    func reply(to request: RecordedRequest) -> Reply {
        if request.path.hasPrefix("/control/") { return control(request) }
        let count = state.withLock { state in
            state.counts[request.path, default: 0] += 1
            return state.counts[request.path] ?? 0
        }
        return notes.reply(to: request)
            ?? BasicsService.reply(to: request, service: self)
            ?? FileService.reply(to: request, count: count, service: self)
            ?? EventService.reply(to: request, count: count, service: self)
            ?? .status(404)
    }

    /// Returns a gate by name, made when it is first requested.
    func gate(_ name: String) -> Gate {
        let (gate, isClosing) = state.withLock { state in
            let gate = state.gates[name] ?? Gate()
            state.gates[name] = gate
            return (gate, state.isClosing)
        }
        if isClosing { gate.open() }
        return gate
    }

    /// Opens all gates, including later ones.
    func openAll() {
        let gates = state.withLock { state in
            state.isClosing = true
            return Array(state.gates.values)
        }
        for gate in gates { gate.open() }
    }

    private func control(_ request: RecordedRequest) -> Reply {
        let parts = request.path.split(separator: "/").map(String.init)
        switch parts.dropFirst().first {
        case "open":
            gate("open/\(parts.last ?? "")").open()
            return .status(200)
        case "wait":
            return Reply().after(gate("wait/\(parts.last ?? "")"))
        case "unused":
            let port = (try? LoopbackServer.unusedPort()) ?? 0
            return .text("http://127.0.0.1:\(port)/")
        default:
            return .status(400)
        }
    }
}
