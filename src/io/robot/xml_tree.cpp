#include "io/robot/xml_tree.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <memory>
#include <new>

#include "io/robot/yaml_tree.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::size_t most_attributes = 100, most_levels = 100;

/// Builds the tree as expat comes upon its parts.
class XmlBuilder {
 public:
  XmlBuilder() {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), start, end);
    XML_SetCharacterDataHandler(parser_.get(), append);
    XML_SetEntityDeclHandler(parser_.get(), refuse_entity);
  }

  XmlTree parse(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
    lines_before_ = static_cast<int>(std::ranges::count(text.substr(0, begin), '\n'));
    text.remove_prefix(begin);
    const XML_Status status =
        XML_Parse(parser_.get(), text.data(), static_cast<int>(text.size()), XML_TRUE);
    if (thrown_) std::rethrow_exception(thrown_);
    if (problem_) return {std::nullopt, {*std::move(problem_)}};
    if (status == XML_STATUS_OK) return {std::move(top_.children.front()), {}};
    const bool is_empty =
        text.empty() || (top_.children.empty() && error() == XML_ERROR_NO_ELEMENTS);
    return {std::nullopt, {xml_error("", is_empty ? 0 : line(), why_no_xml(is_empty))}};
  }

 private:
  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  [[nodiscard]] int line() const {
    return lines_before_ + static_cast<int>(XML_GetCurrentLineNumber(parser_.get()));
  }
  [[nodiscard]] XML_Error error() const { return XML_GetErrorCode(parser_.get()); }

  /// Does a part's work, past whose errors expat, which is written in C, is led.
  template <class Work>
  static void guarded(void* data, Work work) {
    XmlBuilder& builder = *static_cast<XmlBuilder*>(data);
    if (builder.thrown_ || builder.problem_) return;
    try {
      work(builder);
    } catch (...) {
      builder.thrown_ = std::current_exception();
    }
    if (builder.thrown_ || builder.problem_) XML_StopParser(builder.parser_.get(), XML_FALSE);
  }

  static void start(void* data, const char* name, const char** attributes) {
    guarded(data, [&](XmlBuilder& builder) {
      XmlElement& element = builder.open_.back()->add(name);
      element.line = builder.line();
      for (; *attributes != nullptr; attributes += 2) {
        element.attributes.emplace_back(attributes[0], attributes[1]);
      }
      if (element.attributes.size() > most_attributes) {
        builder.refuse(fmt::format("an element has more than {} attributes; is this a robot file?",
                                   most_attributes));
      }
      if (builder.open_.size() > most_levels) {
        builder.refuse(
            fmt::format("elements lie deeper in one another than {} levels", most_levels));
      }
      builder.open_.push_back(&element);
    });
  }
  void refuse(std::string why) { problem_ = xml_error("", line(), std::move(why)); }

  static void end(void* data, const char* /*name*/) {
    guarded(data, [](XmlBuilder& builder) {
      std::string& text = builder.open_.back()->text;
      text.erase(std::min(text.find_last_not_of(blanks) + 1, text.size()));
      text.erase(0, std::min(text.find_first_not_of(blanks), text.size()));
      builder.open_.pop_back();
    });
  }

  static void append(void* data, const char* text, int length) {
    guarded(data, [&](XmlBuilder& builder) {
      XmlElement& element = *builder.open_.back();
      if (element.children.empty()) element.text.append(text, static_cast<std::size_t>(length));
    });
  }

  static void refuse_entity(void* data, const char* /*name*/, int /*is_parameter*/,
                            const char* /*value*/, int /*length*/, const char* /*base*/,
                            const char* /*system*/, const char* /*public*/,
                            const char* /*notation*/) {
    guarded(data, [](XmlBuilder& builder) {
      builder.refuse("an entity is defined here; write what it stands for in its place");
    });
  }

  [[nodiscard]] std::string why_no_xml(bool is_empty) const {
    if (is_empty) return "the file is empty, or holds no XML";
    switch (error()) {
      case XML_ERROR_NO_ELEMENTS:
        return "the file ends inside an element";
      case XML_ERROR_SYNTAX:
        return "a text stands here that belongs to no element; is this XML?";
      case XML_ERROR_TAG_MISMATCH:
        return "this element is not closed where it should be, or closed twice";
      case XML_ERROR_DUPLICATE_ATTRIBUTE:
        return "an attribute is broken here; expected name=\"value\", each name once";
      case XML_ERROR_INVALID_TOKEN:
      case XML_ERROR_UNCLOSED_TOKEN:
        return "what stands here is broken; expected <name attribute=\"value\"> or <!-- a comment "
               "without two dashes -->";
      case XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
        return "something follows the first element; XML has one at the top";
      default:
        return fmt::format("not XML: {}", XML_ErrorString(error()));
    }
  }

  std::unique_ptr<XML_ParserStruct, Free> parser_{XML_ParserCreate("UTF-8")};
  XmlElement top_;  ///< holds the root
  std::vector<XmlElement*> open_{&top_};
  int lines_before_ = 0;
  std::optional<Finding> problem_;
  std::exception_ptr thrown_;
};

void print(std::string& text, const XmlElement& element, std::size_t depth) {
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{:{}}<{}", "", 4 * depth, element.name);
  for (const auto& [name, value] : element.attributes) {
    fmt::format_to(out, " {}=\"{}\"", name, markup_text(value));
  }
  if (element.children.empty() && element.text.empty()) {
    text += "/>\n";
    return;
  }
  fmt::format_to(out, ">{}", markup_text(element.text));
  if (!element.children.empty()) {
    text += '\n';
    for (const XmlElement& child : element.children) print(text, child, depth + 1);
    fmt::format_to(out, "{:{}}", "", 4 * depth);
  }
  fmt::format_to(out, "</{}>\n", element.name);
}

}  // namespace

const std::string* XmlElement::attribute(std::string_view wanted) const {
  for (const auto& [key, value] : attributes) {
    if (key == wanted) return &value;
  }
  return nullptr;
}

const XmlElement* XmlElement::child(std::string_view wanted) const {
  const auto found = std::ranges::find(children, wanted, &XmlElement::name);
  return found == children.end() ? nullptr : &*found;
}

XmlElement& XmlElement::add(std::string child_name,
                            std::vector<std::pair<std::string, std::string>> child_attributes) {
  return children.emplace_back(XmlElement{std::move(child_name), std::move(child_attributes), {}});
}

XmlTree parse_xml(std::string_view text) {
  if (auto problem = why_not_text(text, largest_xml)) return {std::nullopt, {*std::move(problem)}};
  return XmlBuilder().parse(text);
}

std::string xml_text(const XmlElement& root, const std::string& comment) {
  std::string safe = comment;  // in which XML has no "--"
  for (std::size_t at = 0; (at = safe.find("--", at)) != safe.npos;) safe.insert(++at, 1, ' ');
  std::string text = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- {} -->\n", safe);
  print(text, root, 0);
  return text;
}

}  // namespace armdyn
