#include "symbolic/sheet_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "math/characters.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

constexpr std::string_view displays[] = {"align",   "equation",    "gather", "multline", "eqnarray",
                                         "flalign", "displaymath", "math",   "dmath"};
/// Displays with arguments.
constexpr std::string_view displays_with_columns[] = {"alignat", "xalignat", "IEEEeqnarray",
                                                      "empheq"};
/// Environments without formulas.
constexpr std::string_view unread[] = {"comment", "verbatim", "Verbatim", "lstlisting", "minted"};
constexpr std::string_view matrices[] = {"matrix",  "pmatrix", "bmatrix",    "Bmatrix",
                                         "vmatrix", "array",   "smallmatrix"};
/// Commands about looks, and those whose argument is no formula.
constexpr std::string_view blank_commands[] = {
    "limits",   "left",    "right",        "big",   "Big",   "bigg",  "Bigg",  "bigl",
    "bigr",     "Bigl",    "Bigr",         "biggl", "biggr", "Biggl", "Biggr", "notag",
    "nonumber", "enspace", "displaystyle", "hfill", "eqno",  "leqno"};
/// Commands between formulas, for =, and for relations that are none.
constexpr std::string_view between_formulas[] = {
    "quad", "qquad", "Rightarrow", "Longrightarrow", "implies", "therefore", "rightarrow", "iff"};
constexpr std::string_view equality_signs[] = {"equiv", "triangleq", "coloneqq", "eqdef"};
constexpr std::string_view other_relations[] = {"approx", "simeq", "sim", "neq",  "ne",    "leq",
                                                "le",     "geq",   "ge",  "cong", "propto"};
constexpr std::string_view asides[] = {"hspace",  "label",    "tag",     "intertext",
                                       "phantom", "hphantom", "vphantom"};
/// Commands behind which "(2)" at the end is the number of the equation.
constexpr std::string_view before_numbers[] = {"quad", "qquad", "hspace", "hfill"};
/// Environments within displayed formulas that only arrange them.
constexpr std::string_view inner_environments[] = {"aligned", "split", "gathered"};
constexpr std::string_view words_between[] = {"and", "with", "where", "or", "for"};

/// Removes comments, and the characters that stand for commands.
void remove_comments(std::string& text) {
  constexpr std::string_view signs("\x01\x02\x03\x04\x05\x06\x07\v\f\x0e");
  bool is_comment = false;
  for (char& c : text) {
    is_comment = c != '\n' && (is_comment || c == '%' || c == '#');
    if (is_comment || signs.find(c) != signs.npos) c = ' ';
  }
}

/// Writes "m₂" as "m__2", in as many characters.
void raise_indices(std::string& text) {
  for (std::size_t at = text.find("\xE2\x82"); at != text.npos; at = text.find("\xE2\x82", at)) {
    const std::size_t begin = at;
    std::string digits;
    while (text.compare(at, 2, "\xE2\x82") == 0 && at + 2 < text.size() &&
           static_cast<unsigned char>(text[at + 2]) <= 0x89U) {
      digits += static_cast<char>(text[at + 2] + 0x30 - 0x80);
      at += 3;
    }
    text.replace(begin, at - begin, std::string(2 * digits.size(), '_') + digits);
    if (digits.empty()) at += 2;
  }
}

/// Writes {}^0_1T and {}^0T_1 as T__1, {}^0_2T, T^0_2 and T_2^0 as T__02, in as many characters.
void replace_frames(std::string& text) {
  constexpr std::string_view letters("TAR");
  const auto digit = [&text](std::size_t& at) {  // 2 or {2}
    const bool is_braced = text[at] == '{';
    const char c = is_braced ? text[at + 1] : text[at];
    if (!is_digit(c) || (is_braced && text[at + 2] != '}')) return '\0';
    at += is_braced ? 3 : 1;
    return c;
  };
  for (std::size_t sign = text.find('^'); sign < text.size(); sign = text.find('^', sign + 1)) {
    const std::size_t index = sign - (sign > 4 && text[sign - 1] == '}' ? 4 : 2);
    if (sign > 2 && text[index] == '_' && letters.find(text[index - 1]) != letters.npos) {
      std::size_t last = index + 1, end = sign + 1;  // T_2^0 becomes T^0_2
      const char to = digit(last), from = digit(end);
      if (last == sign && from != '\0' && from < to) {
        std::rotate(&text[index], &text[sign], &text[end]);
        sign = index;
      }
    }
    const bool is_behind = sign > 0 && letters.find(text[sign - 1]) != letters.npos &&
                           (sign == 1 || !is_letter_or_digit(text[sign - 2]));
    const bool has_braces = sign > 1 && text[sign - 1] == '}' && text[sign - 2] == '{';
    std::size_t at = sign + 1, begin = is_behind ? sign - 1 : has_braces ? sign - 2 : sign;
    const std::size_t before = text.find_last_not_of(' ', begin - std::min<std::size_t>(begin, 1));
    const bool is_first =
        begin == 0 || before == text.npos ||
        std::string_view("=+-([&\n$\x07").find(text[before]) != std::string_view::npos;
    if (!is_behind && !has_braces && !is_first) continue;
    const char from = digit(at);
    char to = '\0', letter = is_behind ? text[sign - 1] : '\0';
    for (int k = 0; k < 2; ++k) {
      if (at < text.size() && text[at] == '_') to = digit(++at);
      while (at < text.size() && letter == '\0' && text[at] == ' ') ++at;
      if (letter == '\0' && at < text.size() && letters.find(text[at]) != letters.npos)
        letter = text[at++];
    }
    if (from == '\0' || to == '\0' || letter == '\0' || (at < text.size() && is_letter(text[at])))
      continue;
    const std::string name = from + 1 == to ? std::string{letter, '_', '_', to}
                                            : std::string{letter, '_', '_', from, to};
    blank(text, begin, at);
    text.replace(begin, name.size(), name);
  }
}

/// Writes J_P^{(l_1)} as J_P_{ l_1 }, J_P^{(l_1)T} as J_P_{ l_1}^T, ≡ as =, and hides the = of
/// \sum_{i=1}, in as many characters.
void replace_signs(std::string& text) {
  for (std::size_t at = text.find("\\sum"); at != text.npos; at = text.find("\\sum", at + 1)) {
    const std::size_t index = text.find('_', at), end = closing_brace(text, index + 1);
    if (index != text.npos && end != text.npos)
      std::replace(&text[index], &text[end], '=', bound_sign);
  }
  for (std::size_t at = text.find("^{("); at != text.npos; at = text.find("^{(", at + 1)) {
    const std::string_view rest = std::string_view(text).substr(at + 3, 30);
    const std::string_view inside = rest.substr(0, rest.find(')'));
    const std::size_t end = at + 3 + inside.size(), brace = closing_brace(text, at + 1);
    const bool has_index = is_digit(inside.empty() ? '\0' : inside.back()) ||
                           (inside.size() > 2 && inside[inside.size() - 2] == '_');  // in a sum
    if (inside == rest || brace == text.npos || !has_index ||
        std::ranges::none_of(inside, is_letter)) {
      continue;
    }
    std::string behind = text.substr(end + 1, brace - end - 1);
    replace_all(behind, "\\,", "");
    std::erase_if(behind, [](char c) { return c == ' ' || c == '^'; });
    const bool is_transposed = transposition("^{" + behind + "}") > 0;
    if (!is_transposed && !behind.empty()) continue;
    text[at] = '_';
    text[at + 2] = ' ';
    if (is_transposed) {
      blank(text, end, brace + 1);
      text.replace(end, 3, "}^T");
    } else {
      text[end] = ' ';
    }
  }
  for (std::size_t at = text.find("≡"); at != text.npos; at = text.find("≡"))
    text.replace(at, 3, "=  ");
}

/// Writes q(2) and q[2] of programs as q_2, and Rational(1, 2) as (1/ 2), in as many characters.
void replace_elements(std::string& text) {
  constexpr std::string_view ratio("Rational(");
  for (std::size_t at = text.find(ratio); at != text.npos; at = text.find(ratio, at + 1)) {
    const std::size_t comma = text.find_first_of(",)", at);
    blank(text, at, at + ratio.size() - 1);
    if (comma != text.npos && text[comma] == ',') text[comma] = '/';
  }
  for (std::size_t at = text.find_first_of("(["); at < text.size();
       at = text.find_first_of("([", at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && is_letter_or_digit(text[begin - 1])) --begin;
    const std::string_view name = std::string_view(text).substr(begin, at - begin);
    const bool is_element = is_one_of(names_of_all_joints, name) && at + 2 < text.size() &&
                            is_digit(text[at + 1]) && text[at + 2] == (text[at] == '(' ? ')' : ']');
    if (!is_element) continue;
    text[at] = '_';
    text[at + 2] = ' ';
  }
}

/// Tests whether a blank in a list of a program separates entries, as in [a b] and [a -b].
bool separates(std::string_view list, std::size_t blank) {
  constexpr std::string_view signs("+-*/^,;([ \n");
  const std::size_t next = list.find_first_not_of(' ', blank);
  if (next == list.npos || signs.find(list[blank - 1]) != signs.npos) return false;
  const bool is_sign = (list[next] == '-' || list[next] == '+') && list[next + 1] != ' ';
  return is_sign || std::string_view("+-*/^,;)]\n").find(list[next]) == std::string_view::npos;
}

/// Makes a matrix of the list in brackets at `begin`: [a, b; c, d] or [[a, b], [c, d]], in a program
/// also [a b; c d].
void replace_list(std::string& text, std::size_t begin, bool is_of_program) {
  const std::size_t inside = text.find_first_not_of(" \n", begin + 1);
  const bool has_rows = inside != text.npos && text[inside] == '[';
  std::vector<std::pair<std::size_t, char>> signs{{begin, matrix_begin}};
  int depth = 0;
  const std::string_view list =
      std::string_view(text).substr(begin, text.find(']', begin) - begin + 1);
  const bool has_blanks = is_of_program && !has_rows && list.ends_with(']') &&
                          list.find(',') == list.npos && list.find('=') == list.npos;
  for (std::size_t at = begin; at < text.size() && text[at] != '='; ++at) {
    const int step = nesting(text[at]);
    if (has_blanks && depth == 1 && text[at] == ' ' && separates(list, at - begin))
      signs.emplace_back(at, cell_end);
    depth += step;
    if (depth == 0) {
      signs.emplace_back(at, matrix_end);
      break;
    }
    const bool bounds_row = has_rows && depth == (step > 0 ? 2 : 1) && step != 0 && at > begin;
    if (text[at] == '\n' || bounds_row) signs.emplace_back(at, ' ');
    if (depth == 1 && (text[at] == ';' || (has_rows && text[at] == ','))) {
      signs.emplace_back(at, row_end);
    } else if (text[at] == ',' && depth == (has_rows ? 2 : 1)) {
      signs.emplace_back(at, cell_end);
    }
  }
  const auto parts =
      std::ranges::count_if(signs, [](const auto& one) { return one.second != ' '; });
  if (signs.back().second != matrix_end || parts < 3) return;
  for (const auto& [at, sign] : signs) text[at] = sign;
}

/// Makes matrices of lists behind =, as programs have them.
void replace_lists(std::string& text) {
  const bool is_of_program = text.find('\\') == text.npos && text.find('*') != text.npos;
  for (const std::string_view word : {"Matrix(", "array("}) {  // np.array(
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
      std::size_t begin = at;
      while (begin > 0 && (is_letter_or_digit(text[begin - 1]) || text[begin - 1] == '.')) --begin;
      blank(text, begin, at + word.size() - 1);
    }
  }
  for (std::size_t at = text.find('['); at != text.npos; at = text.find('[', at + 1)) {
    const std::size_t before = text.find_last_not_of(" (", at - std::min<std::size_t>(at, 1));
    if (before != text.npos &&
        std::string_view("=*-").find(text[before]) != std::string_view::npos) {
      replace_list(text, at, is_of_program);
    }
  }
}

/// Removes verbatim environments, \iffalse, and the text around the document.
void remove_unread(std::string& text) {
  const auto remove = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at)) {
      blank(text, at, std::min(text.find(to, at), text.size() - to.size()) + to.size());
    }
  };
  for (const std::string_view name : unread) {
    remove(fmt::format("\\begin{{{}}}", name), fmt::format("\\end{{{}}}", name));
  }
  remove("\\iffalse", "\\fi");
  const std::size_t begin = text.find("\\begin{document}"), end = text.find("\\end{document}");
  if (begin != text.npos) blank(text, 0, begin);
  if (end != text.npos) blank(text, end, text.size());
}

/// Keeps displayed formulas alone, where there are some, and lists the places of = in formulas
/// within lines or that are lines. Returns false, and changes nothing, where there are none.
bool kept_displays(std::string& text, std::vector<std::size_t>& left_out,
                   std::vector<Sheet::Fault>& faults) {
  std::string kept(text.size(), ' '), end;
  std::vector<std::pair<std::string, std::size_t>> around;  // environments, and where they begin
  std::vector<std::size_t> unknown, in_lines;
  bool found = false, is_inline = false, is_listed = false;  // in $ $
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = std::string_view(text).substr(at);
    const bool is_line_end = rest.starts_with("\\\\"), begins = rest.starts_with("\\begin{");
    if (!end.empty() && rest.starts_with(end)) {
      kept[at] = display_end;
      at += end.size() - 1;
      end.clear();
    } else if (!end.empty()) {
      kept[at] = text[at];
      if (is_line_end) kept[++at] = '\\';
    } else if (is_line_end) {
      ++at;
    } else if (rest.starts_with("\\(") || rest.starts_with("\\)") || text[at] == '\n' ||
               (text[at] == '$' && (is_inline || !rest.starts_with("$$")))) {
      is_inline = text[at] != '\n' && (text[at] == '$' ? !is_inline : rest[1] == '(');
      is_listed = false;
      if (text[at] == '\\') ++at;
    } else if (rest.starts_with("$$") || rest.starts_with("\\[")) {
      found = true;
      end = text[at] == '$' ? "$$" : "\\]";
      ++at;
    } else if (begins || rest.starts_with("\\end{")) {
      const std::size_t open = text.find('{', at),
                        close = std::min(text.find('}', at), text.size());
      const std::string name = text.substr(open + 1, close - open - 1);
      const std::string plain = name.substr(0, name.find('*'));
      const bool has_columns = is_one_of(displays_with_columns, plain);
      if (!begins && !around.empty()) around.pop_back();
      if (begins && (has_columns || is_one_of(displays, plain))) {
        found = true;
        end = fmt::format("\\end{{{}}}", name);
      } else if (begins) {
        around.emplace_back(plain, at);
      }
      at = close;
      while (has_columns && at + 1 < text.size() && (text[at + 1] == '{' || text[at + 1] == '[')) {
        at = std::min(text.find(text[at + 1] == '{' ? '}' : ']', at + 1), text.size());
      }
    } else if (text[at] == '[' && !is_inline) {  // options, as [width=5cm]
      const std::size_t close = rest.substr(0, 200).find(']');
      const std::string_view inside = rest.substr(0, std::min<std::size_t>(close, 200));
      const bool has_display = inside.find("\\[") != inside.npos ||
                               inside.find("\\begin") != inside.npos ||
                               inside.find('$') != inside.npos;
      if (close != rest.npos && !has_display) at += close;
    } else if (text[at] == '=' && is_inline) {
      if (!std::exchange(is_listed, true)) in_lines.push_back(at);
    } else if (text[at] == '=' && !around.empty() && around.back().first != "document") {
      const std::size_t begin = around.back().second;
      if (unknown.empty() || unknown.back() != begin) unknown.push_back(begin);
    } else if (text[at] == '=' && !std::exchange(is_listed, true)) {
      const std::size_t begin = text.rfind('\n', at) + 1;
      if (is_entry(std::string_view(text).substr(begin, at - begin))) in_lines.push_back(at);
    }
  }
  if (!found) return false;
  for (const std::size_t at : unknown) {
    faults.push_back(
        {at, "", "formulas in this environment are not read; write equation or align"});
  }
  left_out = std::move(in_lines);
  text = std::move(kept);
  return true;
}

/// Writes equations in \begin{cases}, or in an array behind a brace, as lines.
void open_systems(std::string& text) {
  constexpr std::size_t longest = 10'000;
  for (const char* const name : {"cases", "array", "aligned"}) {
    const std::string begins = fmt::format("\\begin{{{}}}", name),
                      ends = fmt::format("\\end{{{}}}", name);
    for (std::size_t at = text.find(begins); at != text.npos; at = text.find(begins, at + 1)) {
      const std::string_view all = text, rest = all.substr(at, longest);
      const std::string_view before = armdyn::trimmed(all.substr(0, at), " \n");
      const std::size_t size = rest.find(ends);
      const bool has_equations = rest.substr(0, size).find('=') != rest.npos;
      const std::string_view brace = before.ends_with("\\{")        ? "\\{"
                                     : before.ends_with("\\lbrace") ? "\\lbrace"
                                                                    : "";
      const bool is_array = rest.starts_with("\\begin{array"),
                 is_matrix = before.ends_with('=') || (is_array && brace.empty());
      if (size == rest.npos || !has_equations || is_matrix) continue;
      if (!brace.empty()) {
        const std::size_t end = text.rfind(brace, at) + brace.size();
        blank(text, end - brace.size(), end);
      }
      if (rest.starts_with("\\begin{aligned")) continue;
      const std::size_t columns = is_array ? closing_brace(text, at + begins.size()) : text.npos;
      blank(text, at, columns == text.npos ? at + begins.size() : columns + 1);
      blank(text, at + size, at + size + ends.size());
    }
  }
}

/// Tests whether a line of a program has no formula.
bool is_of_program(std::string_view line) {
  line = armdyn::trimmed(line, " \t");
  constexpr std::string_view words[] = {"import", "function", "def",   "return", "end",
                                        "syms",   "clear",    "close", "clc"};
  const auto end = std::ranges::find_if_not(line, is_letter_or_digit);
  const std::string_view word(line.begin(), end);
  return is_one_of(words, word) || line.find("symbols(") != line.npos ||
         (word == "from" && line.find(" import ") != line.npos);
}

/// Removes headings, which have a colon, and explanations behind "where" and "in this state"; lists
/// the removed lines with =.
void remove_words(std::string& text, std::vector<std::size_t>& left_out) {
  bool is_aside = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    is_aside = line.starts_with("where ") || line.starts_with("in this state") ||
               (is_aside && line.starts_with(' '));
    const bool has_end = armdyn::trimmed(line, " \t\r").ends_with(':');  // Kinetic energy:
    const std::size_t colon = std::min(line.find(": "), has_end ? line.rfind(':') : line.npos),
                      sign = line.find('=', std::min(colon, line.size())),
                      where = line.find(" where ");
    const bool is_definition = colon != line.npos && colon > 0 && line[colon - 1] == '=';  // =: h
    const bool is_heading = colon != line.npos && !is_definition && !is_aside,
               has_sign = sign != line.npos;
    const std::string_view left = has_sign ? line.substr(colon + 1, sign - colon - 1) : "";
    const bool is_energy = line.find("nerg") != line.npos || line.find("agrang") != line.npos;
    const bool is_read = is_entry(left) || (is_energy && is_one_name(left));
    if (is_heading && !is_read && line.find('=') != line.npos) left_out.push_back(begin);
    if (is_heading && is_read) {
      blank(text, begin, begin + colon + 1);
    } else if (is_aside || is_heading || is_of_program(line)) {
      blank(text, begin, end);
    } else if (where != line.npos) {
      blank(text, begin + where, begin + where + 7);
      text[begin + where] = where_begin;
    }
    begin = end + 1;
  }
}

/// Tests whether words introduce the meanings of names.
bool explains(std::string_view words) {
  constexpr std::string_view signs[] = {"where", "with", "for", "if"};
  return std::ranges::any_of(signs, [&](std::string_view sign) {
    const std::size_t begin = words.find(sign), end = begin + sign.size();
    return begin != words.npos && (begin == 0 || !is_letter(words[begin - 1])) &&
           (end == words.size() || !is_letter(words[end]));
  });
}

/// End of the equation number "(6.12)" at `at`, where an equation ends behind it; else `at`.
std::size_t equation_number_end(std::string_view text, std::size_t at) {
  const std::size_t open = std::min(text.find_first_not_of(" ~&", at), text.size());
  const std::size_t close = std::min(text.substr(open, 10).find(')'), text.size());
  const std::string_view inside = text.substr(open, close);
  if (!inside.starts_with('(') || inside.size() < 2 || close == text.size() ||
      inside.find_first_not_of("0123456789.-", 1) != inside.npos || !is_digit(inside[1])) {
    return at;
  }
  const std::size_t end = open + close + 1;
  const std::size_t next = std::min(text.find_first_not_of(" \t\r.,;~$", end), text.size());
  std::string_view rest = text.substr(next);
  const bool is_line_end = rest.starts_with('\n');
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n&"), rest.size()));
  constexpr std::string_view ends[] = {"\v", "\x07", "\\\\", "\\label", "\\no", "\\end"};
  const bool is_end =
      rest.empty() ||
      std::ranges::any_of(ends, [&](std::string_view one) { return rest.starts_with(one); }) ||
      (is_line_end && std::string_view("+-*/^(").find(rest[0]) == std::string_view::npos);
  return is_end ? end : at;
}

/// Replaces commands: those about looks by blanks; ends of equations, and matrices, by characters
/// that stand for them.
void replace_commands(std::string& text) {
  bool in_matrix = false, has_sign = false, has_right = false;  // behind the sign
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (in_matrix && text[at] == '\n') text[at] = ' ';
    if (in_matrix && text[at] == '&') text[at] = cell_end;
    const std::size_t next = text[at] == '&' ? text.find_first_not_of(" \n", at + 1) : text.npos;
    if (has_right && next != text.npos && text[next] != '=') {  // a column
      text[at] = equation_end;
      blank(text, at + 1, equation_number_end(text, at + 1));
    }
    has_sign = text[at] != equation_end && text[at] != display_end && (has_sign || text[at] == '=');
    has_right = has_sign &&
                (has_right || std::string_view("=& \n").find(text[at]) == std::string_view::npos);
    if (text[at] != '\\') continue;
    std::size_t end = at + 1;
    while (end < text.size() && is_letter(text[end])) ++end;
    const std::string word = text.substr(at + 1, end - at - 1);
    if (word.empty()) {
      const std::string_view rest = std::string_view(text).substr(at, 40);
      if (rest.starts_with("\\\\[") && rest.find(']') != rest.npos) {
        blank(text, at + 2, at + rest.find(']') + 1);
      }
      if (text.compare(at, 2, "\\\\") == 0) {
        text[at] = in_matrix ? row_end : equation_end;
        text[at + 1] = ' ';
        has_sign = has_sign && in_matrix;
      } else if (rest.size() > 1 && std::string_view(",;:! ").find(rest[1]) != rest.npos) {
        blank(text, at, at + 2);
      }
      ++at;
      continue;
    }
    const std::size_t close = closing_brace(text, end);
    const bool has_argument = close != text.npos;
    const std::size_t open = std::min(text.find('{', end), close);
    const std::string argument = has_argument ? text.substr(open + 1, close - open - 1) : "";
    const bool begins = word == "begin";
    if (begins || word == "end") {
      const bool is_matrix = is_one_of(matrices, argument);
      if (!is_matrix && !is_one_of(inner_environments, argument)) continue;
      const std::size_t columns = closing_brace(text, close + 1);
      const bool has_columns = begins && argument == "array" && columns != text.npos;
      blank(text, at, (has_columns ? columns : close) + 1);
      if (is_matrix) text[at] = begins ? matrix_begin : matrix_end;
      in_matrix = is_matrix && begins;
    } else if (is_one_of(blank_commands, word)) {
      const bool is_bracket = word == "left" || word == "right";
      const bool is_none = is_bracket && end < text.size() && text[end] == '.';  // \right.
      blank(text, at,
            word.ends_with("eqno") ? std::min(text.find_first_of("\v\x07", end), text.size())
                                   : end + (is_none ? 1 : 0));
    } else if (is_one_of(between_formulas, word)) {
      blank(text, at, end);
      text[at] = equation_end;
    } else if (const bool is_equality = is_one_of(equality_signs, word);
               is_equality || is_one_of(other_relations, word)) {
      blank(text, at, end);
      text.replace(at, 2, is_equality ? "= " : "!=");
      has_sign = true;
    } else if (is_one_of(asides, word) && has_argument) {
      blank(text, at, close + 1);
      if (word == "intertext") text[at] = equation_end;
    } else if (word == "boxed" && has_argument && argument.find('=') != argument.npos) {
      blank(text, at, open + 1);
      text[close] = ' ';
    } else if (word == "boxed") {
      blank(text, at, end);
    } else if (is_one_of(fonts, word) && has_argument) {
      blank(text, at, close + 1);
      if (is_unit(argument)) {
        text.replace(close + 1 - argument.size(), argument.size(), argument);
        text[at] = unit_begin;
      } else if (argument.find(' ') != argument.npos || is_one_of(words_between, argument)) {
        text[at] = explains(argument) ? where_begin : words_begin;
      } else {
        text.replace(close + 1 - argument.size(), argument.size(), argument);
      }
    } else if (is_one_of(fonts, word)) {  // \vec g
      blank(text, at, end);
    } else if (word == "ell") {
      text.replace(at, 4, "   l");
    }
    if (is_one_of(before_numbers, word) && !in_matrix) {
      const std::size_t behind = word == "hspace" && has_argument ? close + 1 : end;
      blank(text, behind, equation_number_end(text, behind));
    }
  }
}

/// Joins the lines of a display whose = all have their one name behind them: ... \\\\ + ... = \tau_1.
void join_lines_before_names(std::string& text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(display_end, begin), text.size());
    std::vector<std::size_t> ends;
    bool are_names = true;
    for (std::size_t from = begin, at = text.find('=', begin); at < end;
         at = text.find('=', from)) {
      ends.push_back(std::min(text.find(equation_end, at), end));
      const std::string_view all = text;
      const std::string_view right =
          armdyn::trimmed(all.substr(at + 1, ends.back() - at - 1), " \t\r\n&$.,;~");
      are_names = are_names && (is_entry(right) || !name_of_entries(right).empty()) &&
                  !is_one_name(armdyn::trimmed(all.substr(from, at - from), " \t\r\n&$\v"));
      from = ends.back();
    }
    for (std::size_t at = begin; are_names && !ends.empty() && at < ends.back(); ++at) {
      const bool is_within = (text[at] == equation_end || text[at] == '\n') &&
                             std::ranges::find(ends, at) == ends.end();
      if (is_within) text[at] = ' ';
    }
    begin = end + 1;
  }
}

/// Writes a left side v_2^2 as the name v_2_s everywhere, in as many characters.
void name_squares(std::string& text) {
  constexpr int most = 100;
  constexpr std::string_view in_names("_{}"), before_left("\n\v\x07,;");
  const bool is_latex = text.find('\\') != text.npos;
  int count = 0;
  for (std::size_t sign = text.find('='); sign != text.npos && count < most;
       sign = text.find('=', sign + 1)) {
    const std::size_t end = text.find_last_not_of(" &", sign - std::min<std::size_t>(sign, 1)) + 1;
    const std::string_view all = text, left = all.substr(0, end);
    const std::size_t size = left.ends_with("^{2}") ? 4 : left.ends_with("^2") ? 2 : end;
    std::size_t begin = end - size;
    while (begin > 0 && end - begin < longest_name &&
           (is_letter_or_digit(text[begin - 1]) || in_names.find(text[begin - 1]) != text.npos))
      --begin;
    const std::size_t before = begin == 0 ? text.npos : text.find_last_not_of(' ', begin - 1);
    if (begin + size >= end || !is_letter(text[begin]) ||
        (before != text.npos && before_left.find(text[before]) == text.npos)) {
      continue;
    }
    const std::string square = text.substr(begin, end - begin);
    if (text.find(square) == begin && text.find(square, end) == text.npos) continue;
    ++count;
    for (std::size_t at = text.find(square); at != text.npos; at = text.find(square, at + 1)) {
      const std::string_view ahead = std::string_view(text).substr(0, at);
      const bool is_part = armdyn::trimmed(ahead, " ").ends_with("dot") || ahead.ends_with('\\') ||
                           ahead.ends_with('_') || (!is_latex && at > 0 && is_letter(text[at - 1]));
      const std::size_t power = at + square.size() - size;
      if (is_part || is_digit(text[power + size])) continue;
      text[power] = '_';
      text[power + size / 2] = 's';
    }
  }
}

}  // namespace

SheetText formulas_alone(std::string written) {
  SheetText sheet{std::move(written)};
  std::string& text = sheet.text;
  remove_comments(text);
  remove_unread(text);
  raise_indices(text);
  replace_frames(text);
  replace_signs(text);
  const bool has_displays = kept_displays(text, sheet.left_out, sheet.faults);
  if (!has_displays) remove_words(text, sheet.left_out);
  if (text.find('\\') == text.npos) replace_elements(text);
  open_systems(text);
  replace_lists(text);
  replace_commands(text);
  name_squares(text);
  if (has_displays) join_lines_before_names(text);
  return sheet;
}

}  // namespace armdyn
