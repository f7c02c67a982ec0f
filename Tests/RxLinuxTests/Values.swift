import RxEngine

extension ObservableType where Element: Sendable {
    /// Its first element; `nil` if it completes without one.
    func asSingleValue() async throws -> Element? {
        for try await value in asObservable().take(1).values { return value }
        return nil
    }
}
