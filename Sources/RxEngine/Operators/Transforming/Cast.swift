extension ObservableType {
    /// Emits each element as a value of another type, and fails at the first that is none.
    ///
    ///     source               --1--2--"x"--|
    ///     cast(to: Int.self)   --1--2--X
    ///
    /// Completes when the source completes. Fails with the source's error, or with a ``CastError``.
    /// The observer is called on the source's thread.
    ///
    /// - Parameter type: the type of the result's elements.
    @inlinable
    public func cast<Result>(to type: Result.Type = Result.self) -> Observable<Result> {
        let step = Step<Element, Result> { element, downstream in
            guard let result = element as? Result else { throw CastError(of: element, to: Result.self) }
            downstream.next(result)
        }
        return asObservable().lift(.cast, with: step) { StepSink(.cast, to: $1, $0) }
    }

    /// Emits the elements that are values of another type, as such, and drops the others.
    ///
    ///     source             --1--"x"--2--|
    ///     ofType(Int.self)   --1-------2--|
    ///
    /// Completes and fails with the source.
    /// The observer is called on the source's thread.
    ///
    /// - Parameter type: the type of the result's elements.
    @inlinable
    public func ofType<Result>(_ type: Result.Type = Result.self) -> Observable<Result> {
        let step = Step<Element, Result> { element, downstream in
            if let result = element as? Result { downstream.next(result) }
        }
        return asObservable().lift(.cast, with: step) { StepSink(.cast, to: $1, $0) }
    }
}

/// The error of ``ObservableType/cast(to:)`` for an element that is not a value of the type.
public struct CastError: Error, CustomStringConvertible {
    /// The name of the element's type.
    public let source: String
    /// The name of the type that was expected.
    public let target: String

    /// Creates the error for an element and the expected type.
    public init(of element: Any, to type: Any.Type) {
        source = "\(Swift.type(of: element))"
        target = "\(type)"
    }

    /// A message with both types.
    public var description: String { "a value of the type \(source) is not of the type \(target)" }
}
