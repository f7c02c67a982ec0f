import FoundationEssentials
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct DecodeTests {
    struct Item: Decodable, Equatable {
        let x: Int
    }

    /// A decoder that is not Foundation's.
    struct Fixed: DataDecoder {
        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            guard let value = Item(x: data.count) as? Value else { throw TestError("no value") }
            return value
        }
    }

    @Test func valuesAreRead() {
        let data = Observable.of(Data(#"{"x": 1}"#.utf8), Data(#"{"x": 2}"#.utf8))
        let source = data.decode(type: Item.self, decoder: JSONDecoder())
        #expect(told(by: source) == [.next(Item(x: 1)), .next(Item(x: 2)), .completed])
    }

    @Test func anyDecoderDoes() {
        #expect(
            told(by: Observable.just(Data([1, 2])).decode(type: Item.self, decoder: Fixed())) == [
                .next(Item(x: 2)), .completed,
            ])
        #expect(
            told(by: Observable.just(Data()).decode(type: Int.self, decoder: Fixed())) == [
                .error(TestError("no value"))
            ])
    }

    @Test func whatCannotBeReadFails() {
        let subject = PublishSubject<Data>()
        let log = EventLog<Item>()
        _ = subject.decode(type: Item.self, decoder: JSONDecoder()).subscribe(log)
        subject.onNext(Data("{".utf8))
        #expect(log.events.count == 1 && log.events.first?.error is DecodingError)
        #expect(!subject.hasObservers)
    }
}
