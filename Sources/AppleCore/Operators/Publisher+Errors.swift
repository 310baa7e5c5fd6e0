extension Publisher {
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> AnyPublisher<T, any Error> {
    AnyPublisher { downstream in
      self.sink(
        receiveCompletion: { completion in
          switch completion {
          case .finished: downstream.finish()
          case .failure(let error): downstream.completion(.failure(error))
          }
        },
        receiveValue: { value in
          do { downstream.value(try transform(value)) } catch { downstream.completion(.failure(error)) }
        })
    }
  }

  public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> AnyPublisher<Output, E> {
    AnyPublisher { downstream in
      self.sink(
        receiveCompletion: { completion in
          switch completion {
          case .finished: downstream.finish()
          case .failure(let error): downstream.completion(.failure(transform(error)))
          }
        }, receiveValue: downstream.value)
    }
  }

  /// Goes on with another publisher when this one fails.
  public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> AnyPublisher<Output, P.Failure>
  where P.Output == Output {
    AnyPublisher { downstream in
      let second = Locked<AnyCancellable?>(nil)
      let first = self.sink(
        receiveCompletion: { completion in
          switch completion {
          case .finished: downstream.finish()
          case .failure(let error):
            let next = handler(error).sink(receiveCompletion: downstream.completion, receiveValue: downstream.value)
            second.withLock { $0 = next }
          }
        }, receiveValue: downstream.value)
      return AnyCancellable {
        first.cancel()
        second.withLock { $0 }?.cancel()
      }
    }
  }

  public func replaceError(with output: Output) -> AnyPublisher<Output, Never> { self.catch { _ in Just(output) } }
}

extension Publisher where Failure == Never {
  public func setFailureType<E: Error>(to failureType: E.Type) -> AnyPublisher<Output, E> {
    AnyPublisher { downstream in
      self.sink(receiveCompletion: { _ in downstream.finish() }, receiveValue: downstream.value)
    }
  }
}

extension Publisher {
  public func replaceNil<T>(with output: T) -> AnyPublisher<T, Failure> where Output == T? { map { $0 ?? output } }
}
