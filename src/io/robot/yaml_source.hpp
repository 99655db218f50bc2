#pragma once

#include <armdyn/error.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/robot/yaml_tree.hpp"

namespace armdyn {

/// The text that a YAML parser reads, for looking up what stands where.
class YamlSource {
 public:
  explicit YamlSource(std::string_view text);

  [[nodiscard]] std::string_view text() const { return text_; }

  /// Offset of a place given by line and byte in the line, both from 0; within the text.
  [[nodiscard]] std::size_t offset(int line, int byte) const;
  [[nodiscard]] YamlMark mark(std::size_t offset) const;

  /// The text from there to the end.
  [[nodiscard]] std::string_view from(std::size_t offset) const { return text_.substr(offset); }
  [[nodiscard]] std::size_t line_start(std::size_t offset) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> line_starts_;
  std::vector<std::size_t> continuations_;  // bytes inside a character
};

/// Why this is no text that a robot could be in: empty, binary, another encoding, too large.
[[nodiscard]] std::optional<Finding> why_not_text(std::string_view bytes,
                                                  std::size_t largest = largest_yaml);

/// An error at a place.
[[nodiscard]] Finding yaml_error(YamlMark mark, std::string message, std::string path = {});

/// The path of a map's entry: "joints[2].dh"; keys that are no plain words or long
/// are in quotes, shortened.
[[nodiscard]] std::string path_of_key(const std::string& path, const std::string& key);

/// Whether the quoted text that starts there, behind anchors and tags, comes to an end.
[[nodiscard]] bool quotation_is_closed(std::string_view source);

/// Puts a message of yaml-cpp into words for somebody who writes a robot file.
[[nodiscard]] Finding syntax_error(const YamlSource& source, std::size_t offset,
                                   const std::string& yaml_cpp_message);

}  // namespace armdyn
