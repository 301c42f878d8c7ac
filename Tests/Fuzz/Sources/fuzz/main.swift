internal import FuzzWire
internal import Glibc

guard let options = FuzzOptions(Array(CommandLine.arguments.dropFirst())) else {
    complain(FuzzOptions.usage)
    exit(2)
}

fuzz_set_verbose(options.isVerbose)
if let port = options.port, let client = options.clients.first {
    guard let process = CaseProcess(options) else { exit(2) }
    guard let folder = TemporaryFolder() else { exit(2) }
    switch client {
    case .transport:
        await process.run(try TransportRunner(port: port, folder: folder))
    case .session:
        await process.run(try SessionRunner(port: port))
    case .manager:
        await process.run(try ManagerRunner(port: port, folder: folder))
    case .http2:
        await process.run(try HTTP2Runner(port: port))
    case .websocket:
        await process.run(try WebSocketRunner(port: port))
    case .batch:
        await process.run(BatchRunner(port: port, folder: folder))
    }
    folder.remove()
    exit(0)
}

guard var supervisor = Supervisor(options) else {
    complain("the server can't be started on the loopback net")
    exit(2)
}
exit(supervisor.run() ? 0 : 1)
