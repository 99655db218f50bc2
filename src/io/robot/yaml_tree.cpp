#include "io/robot/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "model/shown_text.hpp"

namespace armdyn {

namespace {

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// The place behind a text that begins at a mark.
YamlMark behind(YamlMark mark, std::string_view text) {
  for (const char c : text) {
    if (c == '\n') {
      mark = {mark.line + 1, 1};
    } else if (!continues_character(c)) {
      ++mark.column;
    }
  }
  return mark;
}

constexpr YamlMark beginning_of_file{1, 1};

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

constexpr std::array<std::pair<std::string_view, std::string_view>, 11> in_our_words{{
    {"end of map not found",
     "this does not line up with the lines above, or follows a text that has ended"},
    {"end of sequence not found", "this does not line up with the entries of the list above"},
    {"end of map flow not found", "a comma or \"}\" is missing before this"},
    {"end of sequence flow not found", "a comma or \"]\" is missing before this"},
    {"illegal map value",
     "this \":\" is out of place; is the line indented like its neighbours, does the one "
     "above lack a \":\", or does a text need quotes?"},
    {"illegal map key", "a key is out of place here; check the indentation"},
    {"illegal block entry", "this \"-\" is out of place; check the indentation"},
    {"illegal flow end", "this bracket closes nothing"},
    {"illegal EOF in scalar", "the file ends inside this text"},
    {"the referenced anchor is not defined",
     "this alias stands for nothing: no anchor of that name comes before it"},
    {"unknown token", "YAML does not allow a text to start with this; put it in quotes"},
}};

/// A tab among the blanks and dashes that a line starts with.
std::optional<std::size_t> tab_in_indentation(std::string_view line) {
  const std::size_t end = std::min(line.find_first_not_of(" \t-"), line.size());
  const std::size_t tab = line.substr(0, end).find('\t');
  if (tab == std::string_view::npos) return std::nullopt;
  return tab;
}

/// Whether the quoted text that starts there, behind anchors and tags, comes to an end.
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

/// Puts a message of yaml-cpp into words for somebody who writes a robot file.
Finding syntax_error(std::string_view text, std::size_t offset, const std::string& message) {
  const std::size_t line_start = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  if (const auto tab = tab_in_indentation(text.substr(line_start))) {
    return yaml_error(behind(beginning_of_file, text.substr(0, line_start + *tab)),
                      "YAML does not allow a tab here; indent with spaces");
  }
  const auto known = std::ranges::find(in_our_words, message,
                                       &std::pair<std::string_view, std::string_view>::first);
  return yaml_error(
      behind(beginning_of_file, text.substr(0, offset)),
      known == in_our_words.end() ? "not YAML: " + message : std::string(known->second));
}

/// Ends the parsing at once; what was wrong is already among the problems.
struct Refused {};

/// How much a value with all that is in it weighs.
struct Extent {
  std::size_t values = 0;
  std::size_t bytes = 0;
  std::size_t depth = 0;
};

Extent extent(const YamlNode& node) {
  Extent total{1, node.text.size(), 0};
  const auto add = [&total](const YamlNode& part) {
    const Extent e = extent(part);
    total.values += e.values;
    total.bytes += e.bytes;
    total.depth = std::max(total.depth, e.depth + 1);
  };
  for (const YamlNode& item : node.items) add(item);
  for (const YamlEntry& entry : node.entries) add(entry.value);
  return total;
}

/// The byte that a mark is of.
std::size_t offset_in(std::string_view text, const YAML::Mark& mark) {
  return mark.pos < 0 ? 0 : std::min(static_cast<std::size_t>(mark.pos), text.size());
}

/// Builds the tree from yaml-cpp's events. YAML::Load is not used: it keeps the first of two equal
/// keys without a word, and has no place for a key.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string_view text) : text_(text) {}

  std::optional<YamlNode> root;
  std::vector<Finding> problems;

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (std::exchange(document_seen_, true)) refuse_second_document(mark);
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const bool written = is_written_null(offset(mark));
    if (!written && open_.empty()) return;  // only "---"
    put(node(YamlNode::Kind::null, written ? place(mark) : place_of_nothing(mark)), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchored_.find(anchor);
    if (found == anchored_.end()) refuse(place(mark), "this alias stands inside its own anchor");
    spend(found->second, place(mark));
    put(found->second, 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(tag, mark);
    YamlNode scalar = node(YamlNode::Kind::scalar, place(mark));
    scalar.text = value;
    scalar.quoted = tag == "!";
    // yaml-cpp takes the rest of the file for the text if a closing quotation mark is missing.
    if (scalar.quoted && !quotation_is_closed(text_.substr(offset(mark)))) {
      refuse(scalar.mark, "the text that starts with this quotation mark never ends");
    }
    spend(scalar, scalar.mark);
    put(std::move(scalar), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::sequence, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  /// A list or map whose end has not come yet.
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor = 0;
    std::optional<YamlEntry> entry;  // of a map: the key has come, the value not
    bool entry_is_repeated = false;
    std::unordered_map<std::string, YamlMark> keys;
  };

  [[noreturn]] void refuse(YamlMark mark, std::string message) {
    problems.push_back(yaml_error(mark, std::move(message)));
    throw Refused{};
  }

  [[noreturn]] void refuse_second_document(const YAML::Mark& mark) {
    const bool is_marked = text_.substr(offset(mark)).starts_with("---");
    refuse(place(mark), is_marked ? "a second document starts here; a robot file has only one"
                                  : "this is not part of what stands above; check the indentation");
  }

  [[nodiscard]] std::size_t offset(const YAML::Mark& mark) const { return offset_in(text_, mark); }
  /// Counts on from the place that was asked for before, unless that stands behind.
  YamlMark place(const YAML::Mark& mark) {
    const std::size_t to = offset(mark);
    if (to < last_offset_) {
      last_offset_ = 0;
      last_place_ = beginning_of_file;
    }
    last_place_ = behind(last_place_, text_.substr(last_offset_, to - last_offset_));
    last_offset_ = to;
    return last_place_;
  }
  static YamlNode node(YamlNode::Kind kind, YamlMark mark) {
    return {kind, mark, {}, false, {}, {}};
  }
  [[nodiscard]] bool is_written_null(std::size_t offset) const {
    constexpr std::array nulls{"~", "null", "Null", "NULL"};
    return std::ranges::any_of(
        nulls, [&](const char* null) { return text_.substr(offset).starts_with(null); });
  }
  /// A value that was left out has yaml-cpp's mark on whatever follows; its key is a better place.
  YamlMark place_of_nothing(const YAML::Mark& mark) {
    return open_.back().entry ? open_.back().entry->key_mark : place(mark);
  }

  void check_tag(const std::string& tag, const YAML::Mark& mark) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    constexpr std::string_view core = "tag:yaml.org,2002:";
    const std::string shown = tag.starts_with(core) ? "!!" + tag.substr(core.size()) : tag;
    problems.push_back(
        yaml_error(place(mark),
                   fmt::format("robot files have no tags; remove {}", shown_text(shown)), path()));
  }

  void spend(const YamlNode& added, YamlMark mark) {
    const Extent e = extent(added);
    values_ += e.values;
    bytes_ += e.bytes;
    if (values_ > most_yaml_values || bytes_ > most_yaml_text) {
      refuse(mark,
             fmt::format("too large with its aliases expanded: at most {} values and {} MiB of "
                         "text; is this a robot file?",
                         most_yaml_values, most_yaml_text >> 20U));
    }
    if (open_.size() + e.depth > deepest_yaml) {
      refuse(mark, fmt::format("nested deeper than {} levels", deepest_yaml));
    }
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    check_tag(tag, mark);
    open_.push_back({node(kind, place(mark)), anchor, {}, false, {}});
    spend(open_.back().node, open_.back().node.mark);
  }

  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    put(std::move(closed.node), closed.anchor);
  }

  [[nodiscard]] bool key_is_due() const {
    return !open_.empty() && open_.back().node.kind == YamlNode::Kind::map && !open_.back().entry;
  }

  void put(YamlNode value, YAML::anchor_t anchor) {
    if (anchor != 0) {
      spend(value, value.mark);
      anchored_.emplace(anchor, value);
    }
    if (open_.empty()) {
      root = std::move(value);
    } else if (open_.back().node.kind == YamlNode::Kind::sequence) {
      open_.back().node.items.push_back(std::move(value));
    } else if (key_is_due()) {
      put_key(value);
    } else {
      put_entry(std::move(value));
    }
  }

  void put_key(const YamlNode& key) {
    if (key.kind == YamlNode::Kind::null) refuse(key.mark, "a key is missing here");
    if (key.kind != YamlNode::Kind::scalar) {
      refuse(key.mark, "a key must be a word, not a list or a map");
    }
    Open& map = open_.back();
    const auto [first, is_new] = map.keys.emplace(key.text, key.mark);
    map.entry = YamlEntry{key.text, key.mark, {}};
    map.entry_is_repeated = !is_new;
    if (is_new) return;
    problems.push_back(yaml_error(key.mark,
                                  fmt::format("given twice; the first is in line {}, column {}",
                                              first->second.line, first->second.column),
                                  path()));
  }

  void put_entry(YamlNode value) {
    Open& map = open_.back();
    map.entry->value = std::move(value);
    if (!map.entry_is_repeated) map.node.entries.push_back(std::move(*map.entry));
    map.entry.reset();
  }

  /// Of the value that comes next, or whose key has just come.
  [[nodiscard]] std::string path() const {
    std::string path;
    for (const Open& open : open_) {
      if (open.node.kind == YamlNode::Kind::sequence) {
        path += fmt::format("[{}]", open.node.items.size());
      } else if (open.entry) {
        path = path_of_key(path, open.entry->key);
      }
    }
    return path;
  }

  std::string_view text_;
  std::size_t last_offset_ = 0;
  YamlMark last_place_ = beginning_of_file;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, YamlNode> anchored_;
  std::size_t values_ = 0;
  std::size_t bytes_ = 0;
  bool document_seen_ = false;
};

/// Whether the text was read to its end.
bool parse(std::string_view text, TreeBuilder& builder) {
  try {
    std::istringstream in{std::string(text)};
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(builder)) {
    }
    return true;
  } catch (const Refused&) {
  } catch (const YAML::Exception& error) {
    builder.problems.push_back(syntax_error(text, offset_in(text, error.mark), error.msg));
  }
  return false;
}

}  // namespace

std::optional<Finding> why_not_text(std::string_view bytes, std::size_t largest) {
  if (bytes.size() > largest) {
    return yaml_error({}, fmt::format("larger than {} MiB; is this a robot file?", largest >> 20U));
  }
  if (is_utf16(bytes)) {
    return yaml_error({}, "the text is in UTF-16; save it as UTF-8");
  }
  if (opens_without_end(bytes)) {
    return yaml_error(
        {}, fmt::format("nested deeper than {} levels; is this a robot file?", deepest_yaml));
  }
  const std::size_t zero = bytes.find('\0');
  const std::size_t bad = std::min(first_not_utf8(bytes).value_or(bytes.size()), zero);
  if (bad >= bytes.size()) return std::nullopt;
  return yaml_error(behind(beginning_of_file, bytes.substr(0, bad)),
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

const YamlNode* find(const YamlNode& map, std::string_view key) {
  for (const YamlEntry& entry : map.entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

YamlTree parse_yaml(std::string_view text) {
  if (auto problem = why_not_text(text)) return {std::nullopt, {*std::move(problem)}};
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  TreeBuilder builder(text);
  const bool complete = parse(text, builder);

  YamlTree tree{std::move(builder.root), std::move(builder.problems)};
  if (!complete) {
    tree.root.reset();
  } else if (!tree.root) {
    const bool blank = text.find_first_not_of(" \t\r\n") == std::string_view::npos;
    tree.problems.push_back(
        yaml_error({}, blank ? "the file is empty" : "the file holds only comments"));
  }
  return tree;
}

}  // namespace armdyn
