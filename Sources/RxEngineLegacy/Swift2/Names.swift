import RxEngine

/// The number of live objects of the engine: the former name of ``RxEngine/Resources/total``.
public var resourceCount: Int32 { Resources.total }

/// Ends the program with a message: the former name of `fatalError`.
public func rxFatalError(
    _ lastMessage: @autoclosure () -> String, file: StaticString = #file, line: UInt = #line
) -> Never {
    fatalError(lastMessage(), file: file, line: line)
}

/// The former name of ``RxEngine/AnyObserver``.
public typealias ObserverOf = AnyObserver

extension ObservableConvertibleType {
    /// The type of the elements: the former name of `Element`.
    public typealias E = Element
}

extension ObserverType {
    /// The type of the elements: the former name of `Element`.
    public typealias E = Element
}

extension MainScheduler {
    /// The former name of `instance`.
    public static var sharedInstance: MainScheduler { instance }
}

extension ObservableType {
    /// Calls closures at events: the former name of `do`.
    ///
    /// Completes and fails with the source, or with an error that a closure throws. The closures and the observer are
    /// called on the source's thread.
    @preconcurrency
    public func doOn(
        next: (@Sendable (Element) throws -> Void)? = nil, error: (@Sendable (any Error) throws -> Void)? = nil,
        completed: (@Sendable () throws -> Void)? = nil
    ) -> Observable<Element> {
        self.do(onNext: next, onError: error, onCompleted: completed)
    }

    /// Emits the latest element at each element of `sampler`, also if it was emitted before.
    ///
    /// Completes when `sampler` completes, and fails with the first error of either. The observer is called on the
    /// thread of `sampler`.
    public func sampleLatest(_ sampler: some ObservableType) -> Observable<Element> {
        sampler.asObservable().withLatestFrom(self)
    }
}
