// What files get from StoreKit without asking: Foundation, `ObservableObject`, `@Published`, publishers.
import StoreKit

@MainActor
final class SurfaceStore: ObservableObject {
  @Published private(set) var purchased: Set<String> = []
  @Published var products: [Product] = []
  @Published var error: (any Error)?
  private var cancellables = Set<AnyCancellable>()
  private var updates: Task<Void, Never>?
  let subject = PassthroughSubject<Transaction, Never>()
  let current = CurrentValueSubject<Bool, Never>(false)

  init() {
    updates = Task(priority: .background) { [weak self] in
      for await result in Transaction.updates {
        guard let self else { return }
        await self.take(result)
      }
    }
    $purchased
      .removeDuplicates()
      .map(\.isEmpty)
      .receive(on: DispatchQueue.main)
      .sink { [weak self] isEmpty in self?.current.send(!isEmpty) }
      .store(in: &cancellables)
    $products.combineLatest($purchased).dropFirst().debounce(for: .seconds(1), scheduler: RunLoop.main)
      .sink { products, purchased in _ = (products.count, purchased.count) }
      .store(in: &cancellables)
    current.eraseToAnyPublisher().assign(to: &$flag)
  }

  @Published var flag = false

  deinit { updates?.cancel() }

  private func take(_ result: VerificationResult<Transaction>) async {
    guard case .verified(let transaction) = result else { return }
    purchased.insert(transaction.productID)
    objectWillChange.send()
    subject.send(transaction)
    await transaction.finish()
    UserDefaults.standard.set(Array(purchased), forKey: "purchased")
  }
}
