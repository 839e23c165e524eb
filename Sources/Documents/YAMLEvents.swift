import CLibYAML

/// One step of libyaml through a document.
enum YAMLEvent {
  /// A scalar; `isPlain`: without quotes, and with no tag that says that it is text.
  case scalar(String, isPlain: Bool, tag: String?, anchor: String?)
  case sequence(anchor: String?)
  case mapping(anchor: String?)
  /// The end of a sequence or a mapping.
  case end
  case alias(String)
  case documentStart
  case documentEnd
  case streamStart
  case streamEnd
}

/// Why libyaml cannot read a text.
enum YAMLProblem: Error {
  /// Bytes that are no text; `offset` counts bytes.
  case reader(String, offset: Int)
  /// The mistake and its line; `context` is the construct around it and the line where that began.
  case syntax(String, line: Int, context: (text: String, line: Int)?)
  case memory
}

/// The events of one text, read by libyaml.
@safe
struct YAMLEvents: ~Copyable {
  // The parser keeps pointers into itself and into the text, so neither may move.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let text: UnsafeMutableBufferPointer<UInt8>
  /// The line of the last event, from 1.
  private(set) var line = 0

  init(_ bytes: some Collection<UInt8>) throws(YAMLProblem) {
    unsafe parser = .allocate(capacity: 1)
    unsafe text = .allocate(capacity: bytes.count)
    _ = unsafe text.initialize(fromContentsOf: bytes)
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      unsafe parser.deallocate()
      unsafe text.deallocate()
      throw .memory
    }
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, text.baseAddress, text.count)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe text.deallocate()
  }

  /// Returns the next event; after an error or `streamEnd` there is none.
  mutating func next() throws(YAMLProblem) -> YAMLEvent {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw problem() }
    defer { unsafe yaml_event_delete(&event) }
    line = unsafe Int(event.start_mark.line) + 1
    switch unsafe event.type {
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      let isPlain = unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE && scalar.plain_implicit != 0
      return .scalar(
        unsafe String(decoding: bytes, as: UTF8.self), isPlain: isPlain,
        tag: unsafe Self.text(scalar.tag), anchor: unsafe Self.text(scalar.anchor))
    case YAML_SEQUENCE_START_EVENT:
      return .sequence(anchor: unsafe Self.text(event.data.sequence_start.anchor))
    case YAML_MAPPING_START_EVENT:
      return .mapping(anchor: unsafe Self.text(event.data.mapping_start.anchor))
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .end
    case YAML_ALIAS_EVENT: return .alias(unsafe Self.text(event.data.alias.anchor) ?? "")
    case YAML_DOCUMENT_START_EVENT: return .documentStart
    case YAML_DOCUMENT_END_EVENT: return .documentEnd
    case YAML_STREAM_START_EVENT: return .streamStart
    default: return .streamEnd
    }
  }

  private func problem() -> YAMLProblem {
    let said = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "unknown problem"
    switch unsafe parser.pointee.error {
    case YAML_MEMORY_ERROR: return .memory
    case YAML_READER_ERROR:
      return .reader(said, offset: unsafe Int(parser.pointee.problem_offset))
    default:
      let context = unsafe parser.pointee.context.map {
        unsafe (text: String(cString: $0), line: Int(parser.pointee.context_mark.line) + 1)
      }
      return .syntax(
        said, line: unsafe Int(parser.pointee.problem_mark.line) + 1, context: context)
    }
  }

  private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
  }
}
