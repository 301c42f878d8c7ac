internal import Posix
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CurlTransport

@Suite struct MailboxTests {
    private func cancelled(_ commands: [Command]) -> [TransferID] {
        commands.compactMap { command in
            if case .cancel(let id) = command { id } else { nil }
        }
    }

    @Test func commandsFromOneThreadKeepTheirOrder() throws {
        let mailbox = try Mailbox()
        let ids = (0..<100).map { _ in TransferID.next() }
        for id in ids { #expect(mailbox.post(.cancel(id))) }
        var commands: [Command] = []
        mailbox.takeAll(into: &commands)
        #expect(cancelled(commands) == ids)
        #expect(mailbox.prepareToWait())
    }

    @Test func loopWithCommandsDoesNotSleep() throws {
        let mailbox = try Mailbox()
        mailbox.post(.budgetChanged)
        #expect(!mailbox.prepareToWait())
    }

    @Test func closedMailboxRejectsCommandsAndHasNoDescriptor() throws {
        let mailbox = try Mailbox()
        let id = TransferID.next()
        mailbox.post(.cancel(id))
        #expect(cancelled(mailbox.close()) == [id])
        #expect(!mailbox.post(.cancel(id)))
        #expect(mailbox.close().isEmpty)
        mailbox.clearWakeup()
    }

    @Test func everyCommandOfSeveralThreadsArrivesOnce() async throws {
        let mailbox = try Mailbox()
        let count = 5_000
        let reader = Watched<[TransferID]?>(nil)
        // Waits as the loop does: it continues only on a wake-up or mail found before sleeping.
        let loop = try NativeThread(name: "mailbox reader") {
            var seen: [TransferID] = []
            while seen.count < 4 * count {
                if mailbox.prepareToWait() { Wakeup.wait(on: mailbox.descriptor) }
                var commands: [Command] = []
                mailbox.takeAll(into: &commands)
                seen += commands.compactMap { command in
                    if case .cancel(let id) = command { id } else { nil }
                }
            }
            reader.update { [seen] in $0 = seen }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<count { mailbox.post(.cancel(.next())) } }
            }
        }
        let seen = try await reader.wait { $0 }
        loop.join()
        #expect(Set(seen).count == 4 * count)
    }
}
