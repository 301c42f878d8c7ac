// Runs one command with managers in its own process, and prints what the process retains as lines
// of `key=value`. The arguments are the command, a URL and a number.

internal import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 3, let count = Int(arguments[2]), let url = URL(string: arguments[1])
else {
    print("usage: NetworkingProbe requests|managers URL NUMBER")
    exit(2)
}
let probe = NetworkingProbe(url: url)

switch arguments[0] {
case "requests": try await probe.requests(count)
case "managers": try await probe.managers(count)
default: exit(2)
}
