// A method of a handling protocol has two forms, one with a completion and one that is `async`, and a
// handler writes one of them. The generated protocol has both, and the form that the handler left out
// is made of the other one here.

import FoundationAdditions

/// Answers a method with a completion by its `async` form.
public func _complete<Answer>(
  _ completion: @escaping (Answer) -> Void, with answer: @escaping () async -> Answer
) {
  // Apple's completions are not Sendable; each is called once, by one thread.
  nonisolated(unsafe) let (completion, answer) = (completion, answer)
  Task { completion(await answer()) }
}

/// Answers a method with a completion by its `async` form, which may throw.
public func _complete<Answer>(
  _ completion: @escaping (Answer?, (any Error)?) -> Void,
  with answer: @escaping () async throws -> Answer
) {
  // Likewise: called once, by one thread.
  nonisolated(unsafe) let (completion, answer) = (completion, answer)
  Task {
    do {
      completion(try await answer(), nil)
    } catch {
      completion(nil, error)
    }
  }
}

/// Waits for the options of the form that was there before collections.
public func _collection<Option: AnyObject>(
  _ method: (@escaping ([Option]?, (any Error)?) -> Void) -> Void
) async throws -> INObjectCollection<Option> {
  // The list is made on one thread and handed to another one.
  nonisolated(unsafe) let options: [Option] = try await withCheckedThrowingContinuation {
    continuation in
    let once = FirstCall()
    method { options, error in
      guard once.isFirst() else { return }
      nonisolated(unsafe) let options = options ?? []
      if let error {
        continuation.resume(throwing: error)
      } else {
        continuation.resume(returning: options)
      }
    }
  }
  return INObjectCollection(items: options)
}

/// Waits for the values of the form that was there before collections, which have objects of values.
public func _collection<Value, Option: AnyObject>(
  as type: Option.Type, _ method: (@escaping ([Value]?, (any Error)?) -> Void) -> Void
) async throws -> INObjectCollection<Option> {
  try await _collection { completion in
    method { values, error in completion(values?.compactMap { object(of: $0) as? Option }, error) }
  }
}

private func object(of value: Any) -> AnyObject? {
  switch value {
  case let text as String: NSString(string: text)
  case let url as URL: NSURL(string: url.absoluteString)
  case let date as DateComponents: dateObject(date)
  default: nil
  }
}

private func dateObject(_ date: DateComponents) -> NSDateComponents {
  let object = NSDateComponents()
  if let year = date.year { object.year = year }
  if let month = date.month { object.month = month }
  if let day = date.day { object.day = day }
  if let hour = date.hour { object.hour = hour }
  if let minute = date.minute { object.minute = minute }
  if let second = date.second { object.second = second }
  return object
}

extension INIntent {
  /// Calls a handler's method for options and passes the objects on, once.
  public static func _offer<Option: AnyObject>(
    to completion: @escaping @Sendable (Result<[INObject], any Error>) -> Void,
    _ method: (@escaping (INObjectCollection<Option>?, (any Error)?) -> Void) -> Void
  ) {
    let once = FirstCall()
    method { collection, error in
      guard once.isFirst() else { return }
      completion(error.map(Result.failure) ?? .success(collection?._objects ?? []))
    }
  }
}

/// Knows whether a completion was called before: a handler may call twice, from any thread.
final class FirstCall: @unchecked Sendable {
  private let lock = NSLock()
  private var wasCalled = false

  func isFirst() -> Bool {
    lock.withLock {
      defer { wasCalled = true }
      return !wasCalled
    }
  }
}
