// Runs one command with sessions in its own process, and prints the results as lines of
// `key=value`. The arguments are the command, a URL and a number.

internal import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3, let count = Int(arguments[2]), let url = URL(string: arguments[1])
else {
    print(
        "usage: SessionProbe collect|wait|exit|sessions|crowd|handshakes|starve|download|bomb-… URL NUMBER [CA]"
    )
    exit(2)
}
let probe = SessionProbe(url: url, authority: arguments.count > 3 ? arguments[3] : nil)

switch arguments[0] {
case "collect": try await probe.collect()
case "wait": try await probe.wait(count)
case "exit": await probe.exitWithRequestsInFlight(after: count)
case "sessions": try await probe.sessions(count)
case "crowd": try await probe.crowd(count)
case "handshakes": try await probe.handshakes(count)
case "starve": probe.starve()
case "bomb-delegate": try await probe.bombSlowDelegate(count)
case "bomb-bytes": try await probe.bombSlowBytes(count)
case "bomb-collect": try await probe.bombCollect()
case "download": try await probe.download(count)
case "bomb-download": try await probe.bombDownload(count)
default: exit(2)
}
