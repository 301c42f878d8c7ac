// Downloads numbered paths of a server into a folder with a journal, and resumes what an earlier
// run has left incomplete. Prints the number of each job whose completion handler was called.
//
// Arguments: the journal's folder, the folder for the files, the server's URL, and the number of
// files. Two more arguments make the program kill itself before a step of a job, as in "recordMove
// 3"; "limit" and a number of bytes limits the size of files.

internal import CurlNetworking
internal import Dispatch
internal import Foundation
internal import Glibc

let arguments = CommandLine.arguments
guard arguments.count >= 5, let count = Int(arguments[4]) else {
    print("usage: JournalProbe FOLDER FILES URL NUMBER [STEP JOB]")
    exit(2)
}
let files = URL(fileURLWithPath: arguments[2])
var configuration = TransferJournalConfiguration()
configuration.retryDelay = 0
configuration.durableInterval = 64 << 10
if arguments.count == 7 {
    if arguments[5] == "limit", let limit = UInt(arguments[6]) {
        signal(SIGXFSZ, SIG_IGN)
        var most = rlimit(rlim_cur: limit, rlim_max: limit)
        guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &most) == 0 else { exit(4) }
    } else {
        let (step, job) = (arguments[5], arguments[6])
        configuration.willTakeStep = { next, id in
            if next.rawValue == step, id == job { kill(getpid(), SIGKILL) }
        }
    }
}

/// Writes unbuffered, because the program may be killed at any moment.
@Sendable func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
}

let manager = URLSessionManager(sessionConfiguration: .ephemeral)
manager.completionQueue = DispatchQueue(label: "completions")
let journal: TransferJournal
do {
    journal = try TransferJournal(
        at: URL(fileURLWithPath: arguments[1]),
        manager: manager,
        configuration: configuration
    )
} catch {
    say("error: \(error)")
    exit(3)
}
let deliver: TransferJournal.CompletionHandler = { job in
    say("\(job.id) \(job.state.rawValue) \(job.failure?.message ?? "")")
}
try await journal.restore { _ in deliver }
let there = Set(try await journal.jobs().map(\.id))
for index in 0..<count where !there.contains("\(index)") {
    guard let url = URL(string: "\(arguments[3])/\(index)") else { exit(2) }
    try await journal.download(
        URLRequest(url: url),
        to: files.appendingPathComponent("\(index)"),
        id: "\(index)",
        completionHandler: deliver
    )
}
await journal.finishEvents()
say("over")
