#include "io/robot/xml_tree.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>

#include "io/robot/yaml_tree.hpp"

namespace armdyn {

namespace {

Finding error_in(int line, std::string message) {
  return {Severity::error, "", std::move(message), line, 0};
}

std::string trimmed(const char* text) {
  if (text == nullptr) return "";
  std::string_view view = text;
  view.remove_prefix(std::min(view.find_first_not_of(" \t\r\n"), view.size()));
  return std::string(view.substr(0, view.find_last_not_of(" \t\r\n") + 1));
}

XmlElement element(const tinyxml2::XMLElement& from) {
  XmlElement made{from.Name(), {}, {}, trimmed(from.GetText()), from.GetLineNum()};
  for (const auto* a = from.FirstAttribute(); a != nullptr; a = a->Next()) {
    made.attributes.emplace_back(a->Name(), a->Value());
  }
  for (const auto* c = from.FirstChildElement(); c != nullptr; c = c->NextSiblingElement()) {
    made.children.push_back(element(*c));
  }
  return made;
}

/// tinyxml2 compares each attribute of an element with all before it.
constexpr std::size_t most_attributes = 100;

/// The first element with more attributes than that, before anything is parsed.
std::optional<Finding> too_many_attributes(std::string_view text) {
  for (std::size_t at = text.find('<'); at < text.size(); at = text.find('<', at)) {
    const std::string_view rest = text.substr(at);
    const char* const end = rest.starts_with("<!--")        ? "-->"
                            : rest.starts_with("<![CDATA[") ? "]]>"
                            : rest.starts_with("<?")        ? "?>"
                            : rest.starts_with("<!")        ? ">"
                                                            : nullptr;  // an element
    if (end != nullptr) {
      at = std::min(text.find(end, at + 2), text.size());
      continue;
    }
    const std::size_t begin = at;
    std::size_t count = 0;
    while ((at = std::min(text.find_first_of("\"'=>", at + 1), text.size())) < text.size() &&
           text[at] != '>') {
      if (text[at] != '=') {  // a quote
        at = std::min(text.find(text[at], at + 1), text.size());
      } else if (++count > most_attributes) {
        const auto lines = std::ranges::count(text.substr(0, begin), '\n');
        return error_in(static_cast<int>(lines) + 1,
                        fmt::format("an element has more than {} attributes; is this a robot file?",
                                    most_attributes));
      }
    }
  }
  return std::nullopt;
}

std::string why_no_xml(const tinyxml2::XMLDocument& document) {
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "the file is empty, or holds no XML";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "this element is not closed where it should be, or closed twice";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements lie deeper in one another than 100 levels";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is broken here; expected name=\"value\", each name once";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
      return "an element is broken here; expected <name attribute=\"value\">";
    case tinyxml2::XML_ERROR_PARSING_TEXT:
      return "a text stands here that belongs to no element; is this XML?";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "a comment that starts here has no end: -->";
    case tinyxml2::XML_ERROR_PARSING:
      return "the file ends inside an element";
    default:
      return std::string("not XML: ") + tinyxml2::XMLDocument::ErrorIDToName(document.ErrorID());
  }
}

void print(tinyxml2::XMLPrinter& printer, const XmlElement& element) {
  printer.OpenElement(element.name.c_str());
  for (const auto& [name, value] : element.attributes) {
    printer.PushAttribute(name.c_str(), value.c_str());
  }
  if (!element.text.empty()) printer.PushText(element.text.c_str());
  for (const XmlElement& child : element.children) print(printer, child);
  printer.CloseElement();
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
  if (auto problem = too_many_attributes(text)) return {std::nullopt, {*std::move(problem)}};
  tinyxml2::XMLDocument document;
  document.Parse(text.data(), text.size());
  XmlTree tree;
  if (document.Error()) {
    tree.problems.push_back(error_in(document.ErrorLineNum(), why_no_xml(document)));
    return tree;
  }
  const tinyxml2::XMLElement* root = document.RootElement();
  if (root == nullptr) {
    tree.problems.push_back(error_in(0, "no element is in the file"));
    return tree;
  }
  tree.root = element(*root);
  if (const auto* second = root->NextSiblingElement()) {
    tree.problems.push_back(
        error_in(second->GetLineNum(),
                 fmt::format("a second element <{}> at the top; XML has one", second->Name())));
  }
  return tree;
}

std::string xml_text(const XmlElement& root, const std::string& comment) {
  tinyxml2::XMLPrinter printer;
  printer.PushHeader(false, true);
  std::string text = comment;  // in which XML has no "--"
  for (std::size_t at = 0; (at = text.find("--", at)) != text.npos;) text.insert(++at, 1, ' ');
  printer.PushComment((" " + text + " ").c_str());
  print(printer, root);
  return printer.CStr();
}

}  // namespace armdyn
