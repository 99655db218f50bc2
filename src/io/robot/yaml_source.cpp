#include "io/robot/yaml_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/shown_text.hpp"

namespace armdyn {

namespace {

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

Finding whole_file_error(std::string message) {
  return yaml_error({}, std::move(message));
}

bool is_utf16(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) return true;
  // Without a byte order mark: every other byte of the first Latin letters is zero.
  return bytes.size() >= 4 && ((bytes[0] == 0 && bytes[2] == 0 && bytes[1] != 0 && bytes[3] != 0) ||
                               (bytes[1] == 0 && bytes[3] == 0 && bytes[0] != 0 && bytes[2] != 0));
}

/// Far more brackets that open than a robot file may nest, texts included: yaml-cpp would take 250
/// times their memory before it says so.
bool opens_without_end(std::string_view bytes) {
  constexpr std::size_t far_more = 20 * deepest_yaml;
  std::size_t open = 0;
  for (const char c : bytes) {
    if (c == '[' || c == '{') ++open;
    if ((c == ']' || c == '}') && open > 0) --open;
    if (open > far_more) return true;
  }
  return false;
}

struct Translation {
  std::string_view yaml_cpp;
  std::string_view words;
};

constexpr std::array translations{
    Translation{"end of map not found",
                "this does not line up with the lines above, or follows a text that has ended"},
    Translation{"end of sequence not found",
                "this does not line up with the entries of the list above"},
    Translation{"end of map flow not found", "a comma or \"}\" is missing before this"},
    Translation{"end of sequence flow not found", "a comma or \"]\" is missing before this"},
    Translation{
        "illegal map value",
        "this \":\" is out of place; is the line indented like its neighbours, does the one "
        "above lack a \":\", or does a text need quotes?"},
    Translation{"illegal map key", "a key is out of place here; check the indentation"},
    Translation{"illegal block entry", "this \"-\" is out of place; check the indentation"},
    Translation{"illegal flow end", "this bracket closes nothing"},
    Translation{"illegal EOF in scalar", "the file ends inside this text"},
    Translation{"the referenced anchor is not defined",
                "this alias stands for nothing: no anchor of that name comes before it"},
    Translation{"unknown token", "YAML does not allow a text to start with this; put it in quotes"},
};

std::string in_words(const std::string& yaml_cpp_message) {
  for (const Translation& known : translations) {
    if (yaml_cpp_message == known.yaml_cpp) return std::string(known.words);
  }
  return "not YAML: " + yaml_cpp_message;
}

/// A tab among the blanks and dashes that a line starts with.
std::optional<std::size_t> tab_in_indentation(std::string_view line) {
  const std::size_t end = std::min(line.find_first_not_of(" \t-"), line.size());
  const std::size_t tab = line.substr(0, end).find('\t');
  if (tab == std::string_view::npos) return std::nullopt;
  return tab;
}

}  // namespace

YamlSource::YamlSource(std::string_view text) : text_(text) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') line_starts_.push_back(i + 1);
    if (continues_character(text[i])) continuations_.push_back(i);
  }
}

std::size_t YamlSource::offset(int line, int byte) const {
  if (line < 0 || byte < 0) return 0;
  const auto row = static_cast<std::size_t>(line);
  if (row >= line_starts_.size()) return text_.size();
  return std::min(line_starts_[row] + static_cast<std::size_t>(byte), text_.size());
}

YamlMark YamlSource::mark(std::size_t offset) const {
  const auto next_line = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const std::size_t line_start = *(next_line - 1);
  const auto continuations =
      std::lower_bound(continuations_.begin(), continuations_.end(), offset) -
      std::lower_bound(continuations_.begin(), continuations_.end(), line_start);
  return {static_cast<int>(next_line - line_starts_.begin()),
          static_cast<int>(offset - line_start) - static_cast<int>(continuations) + 1};
}

std::size_t YamlSource::line_start(std::size_t offset) const {
  return *(std::upper_bound(line_starts_.begin(), line_starts_.end(), offset) - 1);
}

std::optional<Finding> why_not_text(std::string_view bytes, std::size_t largest) {
  if (bytes.size() > largest) {
    return whole_file_error(
        fmt::format("larger than {} MiB; is this a robot file?", largest >> 20U));
  }
  if (is_utf16(bytes)) {
    return whole_file_error("the text is in UTF-16; save it as UTF-8");
  }
  if (opens_without_end(bytes)) {
    return whole_file_error(
        fmt::format("nested deeper than {} levels; is this a robot file?", deepest_yaml));
  }
  const std::size_t zero = bytes.find('\0');
  const std::size_t bad = std::min(first_not_utf8(bytes).value_or(bytes.size()), zero);
  if (bad >= bytes.size()) return std::nullopt;
  return yaml_error(YamlSource(bytes).mark(bad),
                    fmt::format("byte 0x{:02x} is not UTF-8 text; is this a robot file?",
                                static_cast<unsigned char>(bytes[bad])));
}

Finding yaml_error(YamlMark mark, std::string message, std::string path) {
  return {Severity::error, std::move(path), std::move(message), mark.line, mark.column};
}

std::string path_of_key(const std::string& path, const std::string& key) {
  const bool is_plain = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '-';
  });
  constexpr std::size_t longest = 60;  // every finding below a key repeats it
  const bool is_short = key.size() <= longest;
  return path + (path.empty() ? "" : ".") + (is_plain && is_short ? key : shown_text(key));
}

bool quotation_is_closed(std::string_view source) {
  while (source.starts_with('&') || source.starts_with('!')) {
    source.remove_prefix(std::min(source.find_first_of(" \t\r\n"), source.size()));
    source.remove_prefix(std::min(source.find_first_not_of(" \t\r\n"), source.size()));
  }
  if (!source.starts_with('"') && !source.starts_with('\'')) return true;
  const char mark = source[0];
  for (std::size_t i = 1; i < source.size(); ++i) {
    const bool doubled = mark == '\'' && source.substr(i).starts_with("''");
    const bool escaped = mark == '"' && source[i] == '\\';
    if (doubled || escaped) {
      ++i;
    } else if (source[i] == mark) {
      return true;
    }
  }
  return false;
}

Finding syntax_error(const YamlSource& source, std::size_t offset,
                     const std::string& yaml_cpp_message) {
  const std::size_t line_start = source.line_start(offset);
  if (const auto tab = tab_in_indentation(source.from(line_start))) {
    return yaml_error(source.mark(line_start + *tab),
                      "YAML does not allow a tab here; indent with spaces");
  }
  return yaml_error(source.mark(offset), in_words(yaml_cpp_message));
}

}  // namespace armdyn
