import BatchFetch
import Glibc
import Posix

StandardFiles.reserve()
CharacterEncoding.useUTF8()
Interruption.setActions()

// Blocks signals first, so that threads which start later aren't interrupted by them.

let signalHandler = SignalHandler()
var status = ExitStatus.output.code
do {
    // Done before anything is opened that could fail for lack of descriptors.
    try OpenFiles.raiseLimitForRun()
    let interruption = try Interruption { signalHandler.receive($0) }
    status = try BlockingMain.run {
        await CommandLineRun(arguments: Array(CommandLine.arguments.dropFirst()))
            .run(signalHandler).code
    }
    withExtendedLifetime(interruption) {}
} catch {
    Terminal().write("batchfetch: \(error)\n")
}
exit(status)
