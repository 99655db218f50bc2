// Parts of formulas: brackets, units, left sides and their names.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include <armdyn/error.hpp>

#include "math/characters.hpp"
#include "model/shown_text.hpp"
#include "symbolic/sheet_text.hpp"

namespace armdyn {

namespace {

/// Units and what stands among them; longer ones first.
constexpr std::string_view unit_words[] = {
    "\\kilogram", "\\newton", "\\metre", "\\meter", "\\second", "\\radian", "\\squared",
    "\\cdot",     "rad",      "kg",      "in",      "N",        "m",        "s",
    "J",          "W",        "·",       "²",       "⋅"};

}  // namespace

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

int nesting(char c) {
  constexpr std::string_view brackets("([{\x02)]}\x03");
  const std::size_t place = brackets.find(c);
  return place == brackets.npos ? 0 : place < brackets.size() / 2 ? 1 : -1;
}

std::size_t closing_brace(std::string_view text, std::size_t at) {
  constexpr std::size_t longest = 1000;
  while (at < text.size() && text[at] == ' ') ++at;
  if (at >= text.size() || text[at] != '{') return text.npos;
  int depth = 0;
  for (std::size_t end = at; end < std::min(text.size(), at + longest); ++end) {
    if (text[end] == '{' || text[end] == '}') depth += nesting(text[end]);
    if (depth == 0) return end;
  }
  return text.npos;
}

bool is_unit(std::string_view text, const Names* names) {
  std::string letters;
  if (text.size() > longest_name) return false;
  while (!text.empty()) {
    const auto word = std::ranges::find_if(
        unit_words, [&](std::string_view one) { return text.starts_with(one); });
    if (word != std::end(unit_words)) {
      if (*word != "in" && word->front() <= 'z') letters += *word;
      text.remove_prefix(word->size());
    } else if (std::string_view(" \t\r\n\v\x06.,*/^{}()[]-0123456789").find(text[0]) != text.npos) {
      text.remove_prefix(1);
    } else {
      return false;
    }
  }
  return !letters.empty() && (names == nullptr || !names->contains(letters));
}

std::size_t transposition(std::string_view text, bool is_program) {
  if (is_program && text.starts_with('\'')) return 1;
  if (is_program && text.starts_with(".T") && (text.size() == 2 || !is_letter_or_digit(text[2]))) {
    return 2;
  }
  constexpr std::string_view signs[] = {"T", "\\top", "\\intercal"};
  std::string sign;
  std::size_t end = text.starts_with('^') ? 1 : text.size();
  while (sign.empty() && end < text.size()) {
    const std::size_t begin = end++, brace = closing_brace(text, begin);
    if (brace != text.npos) end = brace + 1;
    const bool is_command = brace == text.npos && text[begin] == '\\';
    while (is_command && end < text.size() && is_letter(text[end])) ++end;
    sign = text.substr(begin, end - begin);
    for (const std::string_view font : fonts) replace_all(sign, "\\" + std::string(font), "");
    std::erase_if(sign, [](char c) { return c == '{' || c == '}' || c == ' '; });
  }
  return is_one_of(signs, sign) ? end : 0;
}

std::string frame_fault(std::string_view frame, std::string_view name) {
  const std::size_t letters = letters_of(name);
  const std::string_view of = name.substr(0, letters);
  const bool has_axes = is_one_of(vectors, of) || of.starts_with('J') || of == "T";
  const bool is_own = frame == name.substr(letters, 1) || (frame == "0" && of.starts_with('J'));
  if (frame.empty() || letters == name.size() || !has_axes || is_own) return "";
  return fmt::format("expected {} in axes of {{{}}}; other axes are not read", name, name[letters]);
}

bool has_sum(std::string_view text, std::string_view signs) {
  int depth = 0;
  return std::ranges::any_of(text, [&](char c) {
    depth += nesting(c);
    return depth == 0 && signs.find(c) != signs.npos;
  });
}

// Text beside formulas is overwritten with blanks, so that places in messages stay right.

void blank(std::string& text, std::size_t begin, std::size_t end) {
  std::fill(&text[begin], &text[end], ' ');
}

std::string matrix_name(const std::string& left) {
  return left == "g" ? "gofstate" : left;
}

std::string literal_name(std::size_t begin) {
  return fmt::format("matrix{}", begin);
}

std::string_view trimmed(std::string_view text) {
  return armdyn::trimmed(text, " \t\r&$\x06");
}

std::string without_arguments(std::string_view written) {
  std::string name(trimmed(written));
  for (std::size_t begin = name.find('('); begin != name.npos; begin = name.find('(', begin + 1)) {
    const std::size_t end = std::min(name.find(')', begin), name.size() - 1);
    const std::string inside = name.substr(begin, end + 1 - begin);
    const bool is_argument = std::ranges::any_of(inside, is_letter) &&
                             inside.find("partial") == inside.npos &&
                             inside.find("∂") == inside.npos;
    if (is_argument) name.erase(begin--, inside.size());
  }
  return name;
}

std::string_view frame_of(std::string_view left) {
  left = trimmed(left);
  if (left.starts_with("{}")) left.remove_prefix(2);
  if (!left.starts_with('^') || left.size() < 2) return "";
  return left[1] == '{' ? trimmed(left.substr(2, left.find('}') - 2)) : left.substr(1, 1);
}

std::string name_of_entries(std::string_view written) {
  const std::string_view vector = trimmed(written);
  if (vector.size() < 2 || vector.front() != matrix_begin || vector.back() != matrix_end) return "";
  std::string of, inside(vector.substr(1, vector.size() - 2));
  std::ranges::replace(inside, cell_end, row_end);
  std::size_t k = 0;
  for (const std::string& cell : split_at(inside, row_end)) {
    const std::string name = left_name(cell);
    const std::string letters = name.substr(0, letters_of(name));
    const bool belongs = is_entry(cell) && (of.empty() || of == letters) &&
                         name == fmt::format("{}{}", letters, ++k);
    if (!belongs) return "";
    of = letters;
  }
  return of;
}

std::string left_name(std::string_view written) {
  if (std::string of = name_of_entries(written); !of.empty()) return of;
  std::string name = without_arguments(written);
  if (name.starts_with("{}")) name.erase(0, 2);
  if (name.starts_with("^")) name.erase(0, name.starts_with("^{") ? name.find('}') : 2);
  return plain_name(name);
}

bool is_changed(std::string_view written) {
  const std::string_view left = trimmed(written);
  const bool is_derivative = left.find("∂") != left.npos || left.find("partial") != left.npos;
  const std::size_t power = left.rfind('^');
  return left.find_first_of(is_derivative ? "!<>|'*" : "!<>|'*/") != left.npos ||
         (power != left.npos && power > left.find_first_not_of("{} "));
}

bool is_one_name(std::string_view written) {
  if (trimmed(written).size() > longest_name) return false;
  const std::string plain = without_arguments(written);
  if (plain.find_first_of(" +-*/^(=\x02") != plain.npos) return false;
  const std::string name = left_name(written);
  const std::size_t letters = letters_of(name);
  return letters > 0 && std::ranges::all_of(name.substr(letters), is_digit);
}

bool is_sum_or_product(std::string_view written) {
  const std::string_view whole = trimmed(written);
  std::string name = whole.size() > longest_name ? "" : left_name(whole);
  if (name.ends_with('x') || name.ends_with('y') || name.ends_with('z')) name.pop_back();
  return has_sum(whole, " *+-") && !is_one_name(name);
}

bool is_entry(std::string_view written) {
  return is_one_name(written) && std::ranges::any_of(left_name(written), is_digit);
}

std::string jacobian_part(const std::string& name) {
  const std::size_t letters = letters_of(name);
  if (!name.starts_with('J') || letters < 2 || name.size() > letters + 1) return "";
  const std::string of = name.substr(1, letters - 1);
  if (of.size() > 1 && of.ends_with('m')) return "";  // of a motor
  const bool is_linear = of[0] == 'v' || of[0] == 'P' || of[0] == 'L';
  const bool is_angular = of.starts_with("omega") || of[0] == 'O' || of[0] == 'w';
  return is_linear || is_angular ? "J" + name.substr(letters) + (is_linear ? "v" : "omega") : "";
}

std::size_t letters_of(std::string_view name) {
  return std::min(name.find_first_of("0123456789"), name.size());
}

std::string plain_name(std::string_view name) {
  std::string plain(name);
  for (const auto& [written, dots] : {Replacement{"\\ddot", "dd"}, Replacement{"\\dot", "d"}}) {
    for (std::size_t at = plain.find(written); at != plain.npos; at = plain.find(written)) {
      plain.erase(at, written.size());
      at = std::min(plain.find_first_not_of("{\\ ", at), plain.size());
      while (at < plain.size() && is_letter(plain[at])) ++at;
      plain.insert(at, dots);
    }
  }
  constexpr Replacement words[] = {{"̇", "d"},         {"̈", "dd"},    {"\\frac", ""},
                                   {"\\partial", ""}, {"\\var", ""}, {"\\Theta", "theta"}};
  for (const auto& [written, word] : words) replace_all(plain, written, word);
  for (std::size_t k = 0; k < greek_words.size(); ++k) {
    replace_all(plain, greek_letters.substr(2 * k, 2), greek_words[k]);
  }
  std::erase_if(plain, [](char c) { return !is_letter_or_digit(c); });
  return plain;
}

void refuse_names_alike(const std::vector<std::string>& names) {
  std::map<std::string, std::string> known;
  for (const std::string& name : names) {
    const std::string& before = known.emplace(plain_name(name), name).first->second;
    if (before == name) continue;
    throw Error(fmt::format(
        "{} and {} are one name in LaTeX and on a sheet; give one another name in the file", before,
        name));
  }
}

std::vector<std::string> joints_of(std::string_view name, const Names& names) {
  const bool is_of_joints = name.size() > 1 && (name[0] == 's' || name[0] == 'c') &&
                            std::ranges::all_of(name.substr(1), is_digit);
  if (!is_of_joints) return {};
  std::vector<std::string> joints;
  const std::size_t digits = names.contains("q10") ? name.size() - 1 : 1;
  for (std::size_t i = 1; i < name.size(); i += digits) {
    const std::string joint = "q" + std::string(name.substr(i, digits));
    if (!names.contains(joint) || std::ranges::find(joints, joint) != joints.end()) return {};
    joints.push_back(joint);
  }
  return joints;
}

std::vector<std::string> summands_of(std::string_view name, const Names& names) {
  constexpr std::string_view positions[] = {"q",       "theta", "qd",     "qdd", "thetad",
                                            "thetadd", "dq",    "dtheta", "ddq", "ddtheta"};
  const std::size_t letters = letters_of(name);
  if (name.size() < letters + 2 || !is_one_of(positions, name.substr(0, letters))) return {};
  if (names.contains("q10")) return {};
  const std::string of(name.substr(0, letters));
  std::vector<std::string> parts;
  for (const char digit : name.substr(letters)) {
    parts.push_back(of + digit);
    if (!names.contains(parts.back())) return {};
  }
  return parts;
}

}  // namespace armdyn
