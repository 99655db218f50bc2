#include <fmt/format.h>

#include "model/shown_text.hpp"
#include "report/markup.hpp"

namespace armdyn {

namespace {

/// Characters with the commands that print them, in a text and between dollars.
constexpr std::string_view in_text =
    "\\ \\textbackslash{} { \\{ } \\} $ \\$ & \\& # \\# _ \\_ % \\% ^ \\textasciicircum{} "
    "~ \\textasciitilde{} \" ''";
constexpr std::string_view in_math =
    "< < > > | | π \\pi Δ \\Delta Σ \\Sigma Ω \\Omega · \\cdot × \\times ± \\pm − - ≤ \\le ≥ \\ge "
    "≈ \\approx ∂ \\partial ∞ \\infty √ \\surd ½ \\frac{1}{2} ° ^\\circ → \\to ᵀ ^T ⁻ ^- ⁰ ^0 ¹ ^1 "
    "² ^2 ³ ^3 ⁴ ^4 ⁵ ^5 ⁶ ^6 ⁷ ^7 ⁸ ^8 ⁹ ^9 … \\dots ẍ \\ddot{x}";
/// Latin letters and quotes that TeX's usual fonts lack.
constexpr std::string_view missing = "«»ÐðÞþĐđĄąĘęĮįŲųĦħŊŋŦŧĿŀĸŉ";

std::string printed(const CodePoint& point, std::string_view bytes) {
  constexpr std::uint32_t beyond_latin = 0x180;
  if (const auto found = word_behind(bytes, in_text); !found.empty()) return std::string(found);
  if (const auto found = word_behind(bytes, in_math); !found.empty()) {
    return fmt::format("${}$", found);
  }
  const std::size_t letter = greek_letters.find(bytes);
  if (bytes.size() == 2 && letter != bytes.npos) {
    return fmt::format("$\\{}$", greek_words[letter / 2]);
  }
  const bool is_known =
      point.code < 0x80 || (point.code < beyond_latin && missing.find(bytes) == missing.npos);
  return is_known ? std::string(bytes) : fmt::format("[U+{:04X}]", point.code);
}

/// Command of a combining bar or dots, which stand behind their letter.
std::string_view accent(std::uint32_t code) {
  return code == 0x304 ? "bar" : code == 0x307 ? "dot" : code == 0x308 ? "ddot" : "";
}

/// Text for pdfTeX; characters that it has no glyph for by their numbers.
std::string plain_in_latex(std::string_view text) {
  std::string plain, last;  // of the last character
  for_each_code_point(in_one_line(text), [&](const CodePoint& point, std::string_view bytes) {
    if (const std::string_view over = accent(point.code); !over.empty() && !last.empty()) {
      std::string letter = last;
      std::erase(letter, '$');
      plain.resize(plain.size() - last.size());
      last = fmt::format("$\\{}{{{}}}$", over, letter);
    } else {
      if (last == "-" && bytes == "-") plain += "{}";  // TeX would print one dash for both
      last = printed(point, bytes);
    }
    plain += last;
  });
  // TeX would take these for arguments of the line end before.
  return plain.starts_with('[') || plain.starts_with('*') ? "{}" + plain : plain;
}

struct Latex {
  [[nodiscard]] std::string heading(const std::string& text) const {
    return "\\paragraph{" + plain_in_latex(text) + "}\\mbox{}\\par\n\n";  // on a line of its own
  }
  [[nodiscard]] std::string paragraph(const std::string& text) const {
    return plain_in_latex(text) + "\n\n";
  }
  [[nodiscard]] std::string aligned(const std::string& text) const {
    std::string lines;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      std::string line = plain_in_latex(text.substr(begin, end - begin));
      for (std::size_t at = 0; (at = line.find("  ", at)) != line.npos;) line.replace(at, 1, "~");
      lines += line + "\\\\\n";
      begin = end + 1;
    }
    return "{\\ttfamily\\noindent " + lines + "\\par}\n\n";
  }
  [[nodiscard]] std::string formulas(const Formulas& formulas) const {
    return formulas.latex + "\n";
  }
  [[nodiscard]] std::string table(const TextCells& cells, bool all_left) const {
    std::string columns = "l", lines;
    columns.append(cells.front().size() - 1, all_left ? 'l' : 'r');
    for (const std::vector<std::string>& row : cells) {
      std::string line;
      for (const std::string& cell : row) {
        line += (&cell == &row.front() ? "" : " & ") + plain_in_latex(cell);
      }
      lines += line + " \\\\\n" + (&row == &cells.front() ? "\\hline\n" : "");
    }
    return fmt::format(
        "\\noindent\n\\begin{{tabular}}{{{}}}\n\\hline\n{}\\hline\n\\end{{tabular}}\n\n", columns,
        lines);
  }
};

}  // namespace

std::string latex_of(const Document& document) {
  return marked_up(document.sections, Latex());
}

std::string latex_page_of(const Document& document) {
  return "\\documentclass[a4paper]{article}\n"
         "\\usepackage[utf8]{inputenc}\n"
         "\\usepackage[margin=20mm]{geometry}\n"
         "\\usepackage{amsmath}\n"
         "\\allowdisplaybreaks\n"
         "\\begin{document}\n" +
         latex_of(document) + "\\end{document}\n";
}

}  // namespace armdyn
