extension Sequence {
  /// The elements, then the end.
  public var publisher: AnyPublisher<Element, Never> {
    AnyPublisher { downstream in
      for element in self { downstream.value(element) }
      downstream.finish()
      return AnyCancellable {}
    }
  }
}

extension Result {
  /// The value and the end, or the failure.
  public var publisher: AnyPublisher<Success, Failure> {
    AnyPublisher { downstream in
      switch self {
      case .success(let value):
        downstream.value(value)
        downstream.finish()
      case .failure(let error): downstream.completion(.failure(error))
      }
      return AnyCancellable {}
    }
  }
}
