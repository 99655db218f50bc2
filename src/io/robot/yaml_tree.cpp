#include "io/robot/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <array>
#include <functional>
#include <set>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "io/file/input_file.hpp"
#include "math/characters.hpp"
#include "math/each.hpp"
#include "model/shown_text.hpp"
#include "text/nearest_name.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

constexpr std::size_t most_yaml_values = 100'000;              // aliases expanded
constexpr std::size_t most_yaml_text = std::size_t{4} << 20U;  // bytes, aliases expanded
constexpr std::size_t deepest_yaml = 32;                       // lists and maps in one another

/// Place behind a text that begins at a mark.
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

/// An error at a place.
Finding yaml_error(YamlMark mark, std::string message, std::string path = {}) {
  return {Severity::error, std::move(path), std::move(message), mark.line, mark.column};
}

/// Path of a map's entry: "joints[2].dh"; keys that are no plain words, or long, are in quotes,
/// shortened.
std::string path_of_key(const std::string& path, const std::string& key) {
  const bool is_plain = !key.empty() && std::ranges::all_of(key, [](char c) {
    return is_letter_or_digit(c) || c == '_' || c == '-';
  });
  constexpr std::size_t longest = 60;  // all findings below a key repeat it
  const bool is_short = key.size() <= longest;
  return path + (path.empty() ? "" : ".") + (is_plain && is_short ? key : shown_text(key));
}

constexpr YamlMark beginning_of_file{1, 1};

/// Tests whether far more brackets open than a robot file may nest, texts included; yaml-cpp would
/// take 250 times their memory to refuse them.
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
     "this \":\" is out of place; is the line indented like its neighbors, does the one "
     "above lack a \":\", or does a text need quotes?"},
    {"illegal map key", "a key is out of place here; check the indentation"},
    {"illegal block entry", "this \"-\" is out of place; check the indentation"},
    {"illegal flow end", "this bracket closes nothing"},
    {"illegal EOF in scalar", "the file ends inside this text"},
    {"the referenced anchor is not defined",
     "this alias stands for nothing: no anchor of that name comes before it"},
    {"unknown token", "YAML does not allow a text to start with this; put it in quotes"},
}};

/// Tests whether the quoted text at the begin, behind anchors and tags, is closed.
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
    if (!doubled && !escaped && source[i] == mark) return true;
    if (doubled || escaped) ++i;
  }
  return false;
}

/// Finding for a message of yaml-cpp, in words for writers of robot files.
Finding syntax_error(std::string_view text, std::size_t offset, const std::string& message) {
  const std::size_t line_start = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  const std::string_view line = text.substr(line_start);
  const std::size_t tab = line.substr(0, line.find_first_not_of(" \t-")).find('\t');
  if (tab != line.npos) {
    return yaml_error(behind(beginning_of_file, text.substr(0, line_start + tab)),
                      "YAML does not allow a tab here; indent with spaces");
  }
  const auto known = std::ranges::find(in_our_words, message,
                                       &std::pair<std::string_view, std::string_view>::first);
  return yaml_error(
      behind(beginning_of_file, text.substr(0, offset)),
      known == in_our_words.end() ? "not YAML: " + message : std::string(known->second));
}

/// Ends the parsing at once, the error being among the problems.
struct Refused {};

/// Size of a value with all that is in it.
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

/// Byte of a mark.
std::size_t offset_in(std::string_view text, const YAML::Mark& mark) {
  return mark.pos < 0 ? 0 : std::min(static_cast<std::size_t>(mark.pos), text.size());
}

/// Builder of the tree from yaml-cpp's events. (YAML::Load drops the second of two equal keys, and
/// has no places of keys.)
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string_view text) : text_(text) {}

  std::optional<YamlNode> root;
  std::vector<Finding> problems;

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (!std::exchange(document_seen_, true)) return;
    const bool is_marked = text_.substr(offset(mark)).starts_with("---");
    refuse(place(mark), is_marked ? "a second document starts here; a robot file has only one"
                                  : "this is not part of what stands above; check the indentation");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const bool written = is_written_null(offset(mark));
    if (!written && open_.empty()) return;  // only "---"
    // yaml-cpp marks an omitted value at the text behind it; its key is a better place.
    const bool has_key = !written && open_.back().entry;
    put(node(YamlNode::Kind::null, has_key ? open_.back().entry->key_mark : place(mark)), anchor);
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
    // Without a closing quotation mark, yaml-cpp takes the rest of the file for the text.
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

  [[nodiscard]] std::size_t offset(const YAML::Mark& mark) const { return offset_in(text_, mark); }
  /// Place of a mark, counted from the one before, unless that is behind.
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

  void put(YamlNode value, YAML::anchor_t anchor) {
    if (anchor != 0) {
      spend(value, value.mark);
      anchored_.emplace(anchor, value);
    }
    if (open_.empty()) {
      root = std::move(value);
    } else if (open_.back().node.kind == YamlNode::Kind::sequence) {
      open_.back().node.items.push_back(std::move(value));
    } else if (Open& map = open_.back(); !map.entry) {
      put_key(value, map);
    } else {
      map.entry->value = std::move(value);
      if (!map.entry_is_repeated) map.node.entries.push_back(std::move(*map.entry));
      map.entry.reset();
    }
  }

  void put_key(const YamlNode& key, Open& map) {
    if (key.kind == YamlNode::Kind::null) refuse(key.mark, "a key is missing here");
    if (key.kind != YamlNode::Kind::scalar) {
      refuse(key.mark, "a key must be a word, not a list or a map");
    }
    const auto [first, is_new] = map.keys.emplace(key.text, key.mark);
    map.entry = YamlEntry{key.text, key.mark, {}};
    map.entry_is_repeated = !is_new;
    if (is_new) return;
    problems.push_back(yaml_error(key.mark,
                                  fmt::format("given twice; the first is in line {}, column {}",
                                              first->second.line, first->second.column),
                                  path()));
  }

  /// Path of the next value, or of the one whose key has just come.
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

}  // namespace

std::optional<Finding> why_not_text(std::string_view bytes, std::size_t largest) {
  if (bytes.size() > largest) {
    return yaml_error({}, fmt::format("larger than {} MiB; is this a robot file?", largest >> 20U));
  }
  if (const std::string_view encoding = wide_encoding(bytes); !encoding.empty()) {
    return yaml_error({}, fmt::format("the text is in {}; save it as UTF-8", encoding));
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

const YamlNode* find(const YamlNode& map, std::string_view key) {
  const auto found = std::ranges::find(map.entries, key, &YamlEntry::key);
  return found == map.entries.end() ? nullptr : &found->value;
}

YamlTree parse_yaml(std::string_view text) {
  if (auto problem = why_not_text(text)) return {std::nullopt, {*std::move(problem)}};
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  TreeBuilder builder(text);
  try {
    std::istringstream in{std::string(text)};
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(builder)) {
    }
    if (builder.root) return {std::move(builder.root), std::move(builder.problems)};
    const bool blank = text.find_first_not_of(" \t\r\n") == std::string_view::npos;
    builder.problems.push_back(
        yaml_error({}, blank ? "the file is empty" : "the file holds only comments"));
  } catch (const Refused&) {
  } catch (const YAML::Exception& error) {
    builder.problems.push_back(syntax_error(text, offset_in(text, error.mark), error.msg));
  }
  return {std::nullopt, std::move(builder.problems)};
}

namespace {

using Kind = YamlNode::Kind;

std::string shown(const YamlNode& node) {
  if (node.kind == Kind::scalar) return shown_text(node.text);
  return node.kind == Kind::null ? "nothing" : node.kind == Kind::sequence ? "a list" : "a map";
}

bool has_leading_zero(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return text.size() > 1 && text[0] == '0' && is_digit(text[1]);
}

/// Tests whether a person may take a text for a number: 1,5 or 0x10, with a dash for its sign, or
/// infinite.
bool looks_like_number(std::string_view text) {
  for (const std::string_view sign : {"+", "-", "−", "–", "."}) {
    if (text.starts_with(sign)) text.remove_prefix(sign.size());
  }
  const std::string word = in_small_letters(std::string(text.substr(0, 3)));
  return word == "nan" || word == "inf" ||
         (!text.empty() && is_digit(text[0]) &&
          text.find_first_not_of("0123456789.,_+-eExX") == text.npos);
}

/// Notation of a number. One of more than 15 digits, without zeros before them, may not be the
/// shortest decimal fraction of its double.
NumberAsWritten decimal_as_written(std::string_view text) {
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  const std::string_view digits = text.substr(0, e);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const auto decimals = static_cast<double>(digits.size() - std::min(point + 1, digits.size()));
  const double exponent = e < text.size() ? parse_number(text.substr(e + 1)).value_or(0.0) : 0.0;
  const std::size_t first = std::min(digits.find_first_of("123456789"), digits.size());
  const double half =
      parse_number(fmt::format("5e{:.0f}", exponent - decimals - 1.0)).value_or(0.0);
  return {.half_unit = half,
          .is_computed = std::ranges::count_if(digits.substr(first), is_digit) > 15};
}

}  // namespace

void YamlValue::error(std::string message) const {
  findings_->push_back(yaml_error(node_->mark, std::move(message), path_));
}

void YamlValue::not_expected(std::string_view how) const {
  if (node_->kind == Kind::null) written_->blanks.insert(path_);
  error(fmt::format("found {}; expected {}{}", shown(*node_), expected_, how));
}

bool YamlValue::is(YamlNode::Kind kind) const {
  const bool is_tensor = kind == Kind::map && node_->kind == Kind::sequence &&
                         node_->items.size() == 3 && path_.ends_with("inertia");
  if (is_tensor) {
    const auto entry = [this](std::size_t i, std::size_t j) {
      const YamlNode& row = node_->items[i];
      return row.items.size() == 3 ? row.items[j].text : row.text;
    };
    const std::string products =
        node_->items[0].items.empty()
            ? ""
            : fmt::format(", xy: {}, yz: {}, xz: {}", entry(0, 1), entry(1, 2), entry(0, 2));
    not_expected(fmt::format("; write {{xx: {}, yy: {}, zz: {}{}}}", entry(0, 0), entry(1, 1),
                             entry(2, 2), products));
  } else if (node_->kind != kind) {
    not_expected();
  }
  return node_->kind == kind;
}

std::optional<std::string> YamlValue::text() const {
  return is(Kind::scalar) ? std::optional(node_->text) : std::nullopt;
}

double YamlValue::noted(double value, NumberAsWritten as, const FileUnit& unit) const {
  const bool is_si = unit.is_angle || unit.over == 1.0;
  written_->formulas.numbers.push_back(
      {path_, is_si ? node_->text : fmt::format("({})/{}", node_->text, unit.over), value});
  as.value = value;
  if (value == 0.0) as.half_unit = 0.0;  // however it is written
  note(path_, as);
  return value;
}

void YamlValue::note(const std::string& path, const NumberAsWritten& as) const {
  written_->by_path[path] = as;
}

NumberAsWritten YamlValue::noted(const std::string& path) const {
  const auto found = written_->by_path.find(path);
  return found == written_->by_path.end() ? NumberAsWritten{} : found->second;
}

bool YamlValue::is_formula() const {
  return written_->has_parameters && node_->kind == Kind::scalar && !parse_number(node_->text);
}

std::optional<Parameter> YamlValue::parameter() const {
  if (!is_formula()) {
    const auto number = plain_number();
    if (!number) return std::nullopt;
    const double half_unit = *number == 0.0 ? 0.0 : decimal_as_written(node_->text).half_unit;
    return Parameter{{}, *number, false, half_unit};
  }
  try {
    Parameter parameter = evaluate(node_->text, written_->formulas.parameters);
    parameter.formula = node_->text;
    return parameter;
  } catch (const FormulaError& wrong) {
    error(fmt::format("found {}: {}", shown(*node_), wrong.what()));
    return std::nullopt;
  }
}

std::optional<double> YamlValue::number(const FileUnit& unit) const {
  const bool is_scalar = node_->kind == Kind::scalar;
  if (const auto angle = unit.is_angle && is_scalar ? parse_pi(node_->text) : std::nullopt) {
    return noted(*angle, {.is_computed = true}, unit);
  }
  if (unit.is_angle && is_scalar && !is_formula() && node_->text.ends_with("deg")) {
    not_expected(", in the file's angle_unit, which is rad unless it is set to deg");
    return std::nullopt;
  }
  const auto found = parameter();
  if (!found) return std::nullopt;
  const FileUnit of = unit.is_angle && found->has_pi ? radian : unit;
  const bool is_as_read = !is_formula() && unit.over == 1.0;
  return noted(of.in_si(found->value),
               {.half_unit = of.in_si(found->half_unit),
                .is_computed = !is_as_read || decimal_as_written(node_->text).is_computed},
               unit);
}

void YamlValue::move_formulas(const std::string& from, const std::string& to) const {
  for (WrittenNumber& number : written_->formulas.numbers) {
    if (number.path.starts_with(from)) number.path.replace(0, from.size(), to);
  }
}

std::string YamlValue::formula(const std::string& path) const {
  const auto found = std::ranges::find(written_->formulas.numbers, path, &WrittenNumber::path);
  return found == written_->formulas.numbers.end() ? "0" : found->text;
}

void YamlValue::write_formulas(const std::vector<std::string>& in_place_of,
                               const std::vector<WrittenNumber>& numbers) const {
  std::vector<WrittenNumber>& all = written_->formulas.numbers;
  std::erase_if(all, [&](const WrittenNumber& number) {
    return std::ranges::any_of(
        in_place_of, [&](const std::string& begin) { return number.path.starts_with(begin); });
  });
  append(all, numbers);
}

std::optional<double> YamlValue::plain_number() const {
  if (!is(Kind::scalar)) return std::nullopt;
  const auto number = parse_number(node_->text);
  if (number && node_->quoted) {
    not_expected(", without quotes");
  } else if (number && has_leading_zero(node_->text)) {
    not_expected(", without the leading 0, which some programs take for octal");
  } else if (!number) {
    not_expected(looks_like_number(node_->text)
                     ? ", finite, in digits with a decimal point and a plain \"-\""
                     : "");
  } else {
    return number;
  }
  return std::nullopt;
}

std::optional<std::size_t> YamlValue::one_of(std::span<const std::string_view> words) const {
  if (!is(Kind::scalar)) return std::nullopt;
  const auto word = std::find(words.begin(), words.end(), node_->text);
  if (word != words.end()) return static_cast<std::size_t>(word - words.begin());
  not_expected(did_you_mean(node_->text, words));
  return std::nullopt;
}

std::optional<std::vector<YamlValue>> YamlValue::list(std::string_view expected_entry,
                                                      std::optional<std::size_t> size) const {
  if (!is(Kind::sequence)) return std::nullopt;
  std::vector<YamlValue> entries;
  for (std::size_t i = 0; i < node_->items.size(); ++i) {
    entries.emplace_back(node_->items[i], fmt::format("{}[{}]", path_, i), expected_entry,
                         *findings_, *written_);
  }
  if (!size || entries.size() == *size) return entries;
  error(fmt::format("found {} {}; expected {}", entries.size(),
                    entries.size() == 1 ? "entry" : "entries", expected_));
  return std::nullopt;
}

YamlValue YamlValue::entry(const YamlEntry& entry, std::string_view expected) const {
  return {entry.value, path_of_key(path_, entry.key), expected, *findings_, *written_};
}

namespace {

constexpr std::string_view of_springs =
    "; springs have a list of their own, as springs: [{row: {j2: 1}, stiffness: 150}]";

/// Words in keys that no robot file has, with what stands in their place.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> elements_no_file_has{
    {{"spring", of_springs},
     {"stiffness", of_springs},
     {"counterbalance", of_springs},
     {"counterweight", "; a counterweight is part of a link: of its mass, com and inertia"},
     {"parallelogram",
      "; of a parallelogram write the bars as joints, and follows for those that others move"}}};
/// Keys that tables of books have where a robot file has others, and what mends them.
struct KeyOfTable {
  std::string_view key, meant, hint;
};
constexpr std::string_view row_hint =
    "; a row of the table belongs in dh: {a: 0, alpha: 0, d: 0, theta: 0}";
constexpr KeyOfTable keys_of_tables[] = {
    {"a", "dh", row_hint},
    {"alpha", "dh", row_hint},
    {"d", "dh", row_hint},
    {"theta", "dh", row_hint},
    {"links", "joints",
     "; write joints:, with one entry for each joint and the link that it moves"},
    {"masses", "joints", "; write mass: in each entry of joints"}};

}  // namespace

std::optional<std::string> YamlValue::unknown_key(const YamlEntry& entry,
                                                  std::span<const YamlKey> known) const {
  std::vector<std::string_view> names = each(known, &YamlKey::name);
  for (const KeyOfTable& one : keys_of_tables) {
    if (one.key != entry.key || std::ranges::find(names, one.meant) == names.end()) continue;
    const bool is_said = std::ranges::any_of(*findings_, [&](const Finding& finding) {
      return finding.message.find(one.hint) != std::string::npos;
    });
    if (!is_said) {
      findings_->push_back(yaml_error(entry.key_mark, fmt::format("unknown key{}", one.hint),
                                      path_of_key(path_, entry.key)));
    }
    return std::string(one.meant);
  }
  std::sort(names.begin(), names.end());
  const bool is_digits = std::ranges::all_of(entry.key, is_digit);
  const auto element = std::ranges::find_if(elements_no_file_has, [&](const auto& of) {
    return entry.key.find(of.first) != std::string::npos;
  });
  const std::string hint = entry.key == "<<" ? "; merge keys are not supported, write the keys out"
                           : entry.key.find(':') != std::string::npos
                               ? "; write a blank after the colon"
                           : is_digits ? "; if this is what follows a decimal comma, write a point"
                           : element != elements_no_file_has.end() ? std::string(element->second)
                                                                   : did_you_mean(entry.key, names);
  findings_->push_back(yaml_error(
      entry.key_mark, fmt::format("unknown key{} (known: {})", hint, fmt::join(names, ", ")),
      path_of_key(path_, entry.key)));
  return nearest_name(entry.key, names);
}

void YamlValue::missing_key(const YamlKey& key) const {
  findings_->push_back(yaml_error(node_->mark, fmt::format("missing; expected {}", key.expected),
                                  path_of_key(path_, std::string(key.name))));
}

YamlMap::YamlMap(const YamlValue& value, std::span<const YamlKey> keys)
    : value_(value), keys_(keys) {
  if (!value.is_map()) return;
  std::set<std::string, std::less<>> misspelt;
  for (const YamlEntry& entry : value.node().entries) {
    if (std::ranges::find(keys, entry.key, &YamlKey::name) != keys.end()) continue;
    if (auto meant = value.unknown_key(entry, keys)) misspelt.insert(*std::move(meant));
  }
  for (const YamlKey& key : keys) {
    const bool is_there =
        armdyn::find(value.node(), key.name) != nullptr || misspelt.contains(key.name);
    if (key.required && !is_there) value.missing_key(key);
  }
}

std::optional<YamlValue> YamlMap::find(std::string_view name) const {
  const auto key = std::ranges::find(keys_, name, &YamlKey::name);
  if (key == keys_.end()) return std::nullopt;  // a field's own name, such as tool.link
  for (const YamlEntry& entry : value_.node().entries) {
    if (entry.key == name) return value_.entry(entry, key->expected);
  }
  return std::nullopt;
}

std::optional<Vec3> YamlValue::vector(const FileUnit& unit) const {
  const auto entries = list(unit.is_angle ? an_angle : "a number", 3);
  if (!entries) return std::nullopt;
  const auto entry = [&](std::size_t i) { return (*entries)[i].number(unit).value_or(0.0); };
  return Vec3{entry(0), entry(1), entry(2)};
}

namespace {

constexpr std::size_t most_parameters = 1000;

/// Value of a parameter that is not read yet.
constexpr double not_yet = std::numeric_limits<double>::quiet_NaN();

/// Tests whether a parameter may have that name; reports an error if not.
bool has_sound_name(const YamlValue& value, const std::string& name) {
  if (name.empty() || name_length(name) < name.size()) {
    value.error(fmt::format("found the name {}; expected a letter, then letters, digits or \"_\"",
                            shown_text(name)));
  } else if (std::ranges::find(formula_words, name) != std::end(formula_words)) {
    value.error(fmt::format("{} is a word of formulas; expected another name", name));
  } else {
    return true;
  }
  return false;
}

}  // namespace

void read_parameters(const YamlValue& value, const ParameterValues& set, WrittenNumbers& written) {
  written.has_parameters = true;
  if (!value.is_map()) return;
  if (value.node().entries.size() > most_parameters) {
    value.error(fmt::format("found {} parameters; expected at most {}", value.node().entries.size(),
                            most_parameters));
    return;
  }
  std::vector<Parameter>& parameters = written.formulas.parameters;
  parameters = each(value.node().entries, [](const YamlEntry& entry) {
    return Parameter{entry.key, not_yet, false};
  });
  std::size_t next = 0;
  for (const YamlEntry& entry : value.node().entries) {
    const YamlValue one = value.entry(entry, "a number, or a formula of the parameters before it");
    const auto found = has_sound_name(one, entry.key) ? one.parameter() : std::nullopt;
    const auto replaced = set.find(entry.key);
    // 1 after an error avoids those that would follow from it.
    Parameter parameter = found.value_or(Parameter{{}, 1.0});
    if (replaced != set.end()) parameter = replaced->second;
    parameter.name = entry.key;
    parameters[next++] = parameter;
  }
}

}  // namespace armdyn
