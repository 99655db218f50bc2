#pragma once

#include <cstddef>
#include <regex>
#include <string>
#include <vector>

namespace armdyn::testing {

/// A text of a picture that gnuplot drew as SVG, and where it lies, about.
struct SvgText {
  std::string text;
  double left, right, top, bottom;
};

inline std::vector<SvgText> texts_of(const std::string& svg) {
  static const std::regex pattern(
      R"x(translate\(([-\d.]+),([-\d.]+)\)( rotate\(-?\d+\))?"[^>]*font-size="([\d.]+)")x"
      R"x([^>]*text-anchor="(\w+)">\s*<text>(?:<tspan[^>]*>)?([^<]*)<)x");
  std::vector<SvgText> texts;
  for (std::sregex_iterator it(svg.begin(), svg.end(), pattern), end; it != end; ++it) {
    const double x = std::stod((*it)[1]), y = std::stod((*it)[2]), font = std::stod((*it)[4]);
    const std::string anchor = (*it)[5], text = (*it)[6];
    if (text.find_first_not_of(' ') == text.npos) continue;
    double width = 0;
    for (const char c : text) width += (static_cast<unsigned char>(c) & 0xc0U) == 0x80U ? 0 : 0.54;
    width *= font;
    const double before = anchor == "start" ? 0 : anchor == "end" ? width : width / 2;
    const double rise = 0.75 * font, fall = 0.2 * font;
    texts.push_back((*it)[3].matched
                        ? SvgText{text, x - rise, x + fall, y - (width - before), y + before}
                        : SvgText{text, x - before, x - before + width, y - rise, y + fall});
  }
  return texts;
}

/// What is cut at the sides of the picture, and texts that lie on one another, a line each.
inline std::string hard_to_read(const std::string& svg) {
  static const std::regex size(R"x(width="(\d+)" height="(\d+)")x");
  std::smatch page;
  if (!std::regex_search(svg, page, size)) return "not a picture: " + svg.substr(0, 100);
  const std::vector<SvgText> texts = texts_of(svg);
  std::string found;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const SvgText& a = texts[i];
    if (a.left < 0 || a.right > std::stod(page[1]) || a.top < 0 || a.bottom > std::stod(page[2])) {
      found += "cut: " + a.text + "\n";
    }
    for (std::size_t k = 0; k < i; ++k) {
      const SvgText& b = texts[k];
      if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) {
        found += "on one another: " + b.text + " | " + a.text + "\n";
      }
    }
  }
  return found;
}

}  // namespace armdyn::testing
