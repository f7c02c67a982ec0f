import RxEngine

/// The former name of `Error`.
public typealias ErrorType = Error

/// An event with the former names of its cases, for programs that match them.
///
///     source.subscribe { event in
///         switch event {
///         case .Next(let value): print(value)
///         case .Error(let error): print(error)
///         case .Completed: print("completed")
///         }
///     }
public enum LegacyEvent<Element> {
    /// An element.
    case Next(Element)
    /// The error that ends a sequence.
    case Error(any Swift.Error)
    /// The completion of a sequence.
    case Completed

    /// Creates an event with former names.
    public init(_ event: Event<Element>) {
        self =
            switch event {
            case .next(let element): .Next(element)
            case .error(let error): .Error(error)
            case .completed: .Completed
            }
    }
}

extension LegacyEvent: Sendable where Element: Sendable {}

extension ObserverType {
    /// Receives an event with former names.
    public func on(_ event: LegacyEvent<Element>) {
        switch event {
        case .Next(let element): onNext(element)
        case .Error(let error): onError(error)
        case .Completed: onCompleted()
        }
    }
}
