import ArgumentParser
import BatchFetch

/// `batchfetch fleet ACTION RUN`: a run that several machines share over PostgreSQL.
struct FleetCommand: ParsableCommand {
    enum Action: String, CaseIterable, ExpressibleByArgument {
        case create, add, work, status, pause, resume, export, drop
        case retryFailed = "retry-failed"
    }

    static let configuration = CommandConfiguration(
        commandName: "batchfetch fleet",
        abstract: "Shares a run among machines, with PostgreSQL (13 or newer) as its queue.",
        usage: """
            batchfetch fleet create RUN [--queue DATABASE] [OPTIONS of a run]
            batchfetch fleet add RUN [--queue DATABASE] [OPTIONS of lists] FILE …
            batchfetch fleet work RUN [--queue DATABASE] [--wait] [--state FOLDER] [--lease TIME] [OPTIONS of a run]
            batchfetch fleet status RUN [--queue DATABASE] [--watch] [--json]
            batchfetch fleet pause|resume|retry-failed|export|drop RUN [--queue DATABASE]
            """,
        discussion: """
            create stores a run with its options, and makes the tables in the database. add queues \
            the URLs of lists; it leaves out those that the run has, so it may be killed and \
            repeated. work fetches until no URL is pending, or with --wait until a signal ends it; \
            start it on any number of machines. Options of work stand after those of create and \
            replace them. status shows counts, workers, the slowest hosts, rate and estimated end, \
            with --watch until the run is done. pause stops all workers until resume: they complete \
            what they hold, and get no more URLs. export prints the results as JSON lines, for \
            batchfetch report and other programs. retry-failed queues failed URLs again. drop removes \
            the run and its results.

            A host belongs to one worker at a time, so its limits are those of the fleet. A redirect \
            to another host continues in the queue of that host. A worker that dies loses its hosts \
            after --lease; no result is stored twice. While the database is away, a worker keeps \
            results in the folder --state. If it ends before the database is back, the next worker \
            with that folder stores them. SIGINT and SIGTERM end a worker: requests \
            in flight end within --grace, and the other URLs stay in the queue. A second signal ends \
            the process at once.

            Each worker writes bodies to its own disk, or to a folder that all share. Settings files \
            and BATCHFETCH_… variables aren't read. Options are stored as they are given, so name \
            files for credentials (--bearer-file, --netrc-file) rather than the credentials.

            create and work take the options of batchfetch, except those for lists, results, reports \
            and resuming; work alone takes --metrics. add takes those for lists. Exit statuses are \
            those of batchfetch: 1 if URLs failed or lines are no URLs, 2 if the database refuses the \
            user or the run doesn't exist, 4 if it can't be reached.

            EXAMPLES
              batchfetch fleet create may --queue postgresql://queue.example/fleet --output pages
              batchfetch fleet add may --queue postgresql://queue.example/fleet urls.txt
              batchfetch fleet work may --queue postgresql://queue.example/fleet
              batchfetch fleet status may --queue postgresql://queue.example/fleet --watch
              batchfetch fleet export may --queue postgresql://queue.example/fleet > results.jsonl
            """
    )

    @Argument(
        help: ArgumentHelp(
            "create, add, work, status, pause, resume, retry-failed, export or drop.",
            valueName: "action"
        )
    )
    var action: Action

    @Argument(help: ArgumentHelp("Name of the run.", valueName: "run"))
    var name: String

    @Option(
        help: ArgumentHelp(
            """
            Database of the fleet, as libpq takes it: postgresql://user@host/database, or \
            'host=… dbname=…'. Without it, PGHOST, PGDATABASE, PGSERVICE and the like apply. Name \
            the password in ~/.pgpass or PGPASSWORD: other users see the command line.
            """,
            valueName: "database"
        )
    )
    var queue = ""

    @Option(
        help: ArgumentHelp(
            """
            Folder of fleet work for results that the database hasn't taken, because it is away. \
            Workers may share it. By default batchfetch in $XDG_STATE_HOME or in ~/.local/state.
            """,
            valueName: "folder"
        )
    )
    var state: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Time after which the hosts of a dead worker may be leased by others, from 1s to 1h \
            (default: 30s). A worker without the database aborts its requests after it.
            """,
            valueName: "time"
        ),
        transform: OptionValue.duration
    )
    var lease: Duration?

    @Flag(
        help: """
            With status: print a line of JSON. The guide to fleets has its keys.
            """
    )
    var json = false

    @Flag(
        help: """
            With status: show the status until the run is done, redrawn on a terminal, and elsewhere \
            a line every 10 seconds.
            """
    )
    var watch = false

    @Flag(help: "With work: wait for more URLs when none is pending.")
    var wait = false

    func validate() throws {
        guard !name.isEmpty else { throw ValidationError("The run has no name: name it.") }
        for (isSet, flag) in [(json, "--json"), (watch, "--watch")]
        where isSet && action != .status {
            throw ValidationError("\(flag) is an option of fleet status: remove it.")
        }
        guard !wait || action == .work else {
            throw ValidationError("--wait is an option of fleet work: remove it.")
        }
        guard state == nil || action == .work else {
            throw ValidationError("--state is an option of fleet work: remove it.")
        }
        guard state != "" else { throw ValidationError("--state is empty: name a folder.") }
        guard let lease else { return }
        guard action == .work else {
            throw ValidationError("--lease is an option of fleet work: remove it.")
        }
        guard lease >= .seconds(1), lease <= .seconds(3600) else {
            throw ValidationError("--lease is too short or too long: use 1s to 1h.")
        }
    }
}
