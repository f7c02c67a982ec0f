import FoundationEssentials

extension ObservableType where Element == Data {
    /// Reads a value of `type` out of each element. An error thrown by `decoder` ends the sequence.
    ///
    ///     source                                              --{"x":1}--{"x":2}--|
    ///     decode(type: P.self, decoder: JSONDecoder())        --P(1)-----P(2)-----|
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
