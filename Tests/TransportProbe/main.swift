// Runs one command with transports in its own process, and prints the results as lines of
// `key=value`. The arguments are the command, a URL and a number.

internal import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3, let count = Int(arguments[2]) else {
    print(
        "usage: TransportProbe children|cycles|hold|idle|keylog|exit|broken|forget|unwatched|roots|bomb-…|download  URL NUMBER [CA|FILE]"
    )
    exit(2)
}
let probe = Probe(url: arguments[1], authority: arguments.count > 3 ? arguments[3] : nil)

switch arguments[0] {
case "cycles": try await probe.cycles(count)
case "hold": try await probe.hold(count)
case "idle": try await probe.idle(count)
case "keylog": try await probe.logKeys(isDisabled: count > 0)
case "exit": try await probe.exitInFlight(after: count)
case "broken": try await probe.brokenUploads(count)
case "bomb-slow": try await probe.bomb(count, isSlow: true)
case "bomb-many": try await probe.manyBombs(count)
case "bomb-eager": try await probe.eagerBomb()
case "bomb-collect": try await probe.bomb(nil, isSlow: false)
case "bomb-download" where arguments.count > 3:
    let probe = Probe(url: arguments[1], authority: nil)
    try await probe.downloadBomb(to: arguments[3], atMost: Int64(count))
case "unwatched": try await probe.unwatched()
case "download" where arguments.count > 3:
    let probe = Probe(url: arguments[1], authority: nil)
    try await probe.download(to: arguments[3], atMost: UInt(count))
case "children": try await probe.children(count)
case "roots": try probe.prepareRoots()
case "forget": try await probe.forget(count)
default: exit(2)
}
