/// A loop's mailbox, and the commands that the loop has taken out of it.
struct Inbox {
    let mailbox: Mailbox
    /// The commands of this turn.
    private(set) var commands: [Command] = []

    init(_ mailbox: Mailbox) {
        self.mailbox = mailbox
    }

    mutating func takeAll() {
        mailbox.takeAll(into: &commands)
    }

    mutating func removeAll() {
        commands.removeAll(keepingCapacity: commands.capacity <= 4096)
    }
}
