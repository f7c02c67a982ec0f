import FoundationEssentials

extension ObservableType where Element == Data {
    /// Decodes each element as a value of `type`.
    ///
    ///     source                                              --{"x":1}--{"x":2}--|
    ///     decode(type: P.self, decoder: JSONDecoder())        --P(1)-----P(2)-----|
    ///
    /// Completes when the source completes. Fails with the source's error or with the error that `decoder` throws.
    /// `decoder` and the observer are called on the source's thread.
    ///
    /// - Parameters:
    ///   - type: the type of the values.
    ///   - decoder: decodes the elements, for example a `JSONDecoder`.
    @inlinable
    public func decode<Item: Decodable, Decoder: DataDecoder>(
        type: Item.Type, decoder: Decoder
    ) -> Observable<Item> {
        let step = Step<Data, Item> { data, downstream in
            let item = try decoder.decode(type, from: data)
            if downstream.live.isActive { downstream.next(item) }
        }
        return asObservable().lift(.decode, with: step) { StepSink(.decode, to: $1, $0) }
    }
}
