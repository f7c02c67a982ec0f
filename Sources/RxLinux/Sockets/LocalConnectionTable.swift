/// The open connections of a ``LocalServer`` by user, which decide whether a new one is admitted.
struct LocalConnectionTable {
    /// The decision about a new connection.
    enum Admission: Equatable {
        case admitted
        /// The new connection is admitted, and the connection with this number must end.
        case inPlaceOf(Int)
        case refused
    }

    /// The connections of one user.
    private struct User {
        /// The connections that have not sent their line, the oldest first.
        var reading: [Int] = []
        /// The number of all connections.
        var count = 0
    }

    private let maximumPerUser: Int
    private var users: [UInt32: User] = [:]

    init(maximumPerUser: Int) {
        self.maximumPerUser = max(1, maximumPerUser)
    }

    /// Adds a new connection of `user` if it is admitted, and removes the connection that it replaces.
    mutating func enter(_ number: Int, of user: UInt32) -> Admission {
        var state = users[user] ?? User()
        defer { users[user] = state }
        if state.count < maximumPerUser {
            state.count += 1
            state.reading.append(number)
            return .admitted
        }
        guard let oldest = state.reading.first else { return .refused }
        state.reading.removeFirst()
        state.reading.append(number)
        return .inPlaceOf(oldest)
    }

    /// Records that a connection has sent its line, after which it is not replaced any more.
    mutating func received(_ number: Int, of user: UInt32) {
        users[user]?.reading.removeAll { $0 == number }
    }

    /// Removes a connection that has ended.
    mutating func leave(_ number: Int, of user: UInt32) {
        guard var state = users[user] else { return }
        state.reading.removeAll { $0 == number }
        state.count -= 1
        users[user] = state.count > 0 ? state : nil
    }

    /// Whether there are no connections.
    var isEmpty: Bool { users.isEmpty }
}
