import BatchFetch
import Glibc

StandardFiles.reserve()

// Signals are asked for first: threads that are started later must not be interrupted by them.

let stopper = Stopper()
var status = ExitStatus.output.code
do {
    // Before anything is opened that could fail for want of it.
    try OpenFiles.raiseLimitForRun()
    let interruption = try Interruption { stopper.receive($0) }
    status = try BlockingMain.run {
        await CommandLineRun(arguments: Array(CommandLine.arguments.dropFirst()))
            .run(stopper).code
    }
    withExtendedLifetime(interruption) {}
} catch {
    Terminal().write("batchfetch: \(error)\n")
}
exit(status)
