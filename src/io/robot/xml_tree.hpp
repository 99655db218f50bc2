#pragma once

#include <armdyn/error.hpp>

#include <string_view>

// XML as a plain tree, read and written.

namespace armdyn {

struct XmlElement {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;
  std::string text = {};  ///< without blanks at its ends
  int line = 0;           ///< from 1

  /// Value of an attribute, or null.
  [[nodiscard]] const std::string* attribute(std::string_view name) const;
  /// First child of that name, or null.
  [[nodiscard]] const XmlElement* child(std::string_view name) const;
  /// Adds a child.
  XmlElement& add(std::string name,
                  std::vector<std::pair<std::string, std::string>> attributes = {});
};

struct XmlTree {
  std::optional<XmlElement> root;  ///< absent where the text is no XML
  std::vector<Finding> problems;   ///< errors, each with its line
};

constexpr std::size_t largest_xml = std::size_t{32} << 20U;  ///< bytes

/// Parses a text; throws only std::bad_alloc. It refuses a text that defines entities, or with
/// elements more than 100 deep in one another.
[[nodiscard]] XmlTree parse_xml(std::string_view text);

}  // namespace armdyn
