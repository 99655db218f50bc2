#pragma once

#include <string>
#include <string_view>

namespace armdyn {

// Texts in a picture: their sizes, how much room they take, and numbers as they are written there.
// Lengths are pixels of the SVG; the PNG has two by two pixels for each, the PDF 96 to the inch.

constexpr double tick_font = 12;
constexpr double label_font = 13;
constexpr double panel_font = 14;
constexpr double title_font = 17;
constexpr double note_font = 11.5;

/// About, and rather too much: the font is not known before gnuplot draws.
[[nodiscard]] double text_width(std::string_view text, double font);

/// The text, cut with an ellipsis where there is not the room for it.
[[nodiscard]] std::string fitted(std::string_view text, double font, double room);

/// Writes a number for the script: 0.1, -2e-07.
[[nodiscard]] std::string script_number(double value);

/// Writes a number for the reader, four digits: 186.4, 12346 or −4·10⁶.
[[nodiscard]] std::string brief_number(double value);

/// Writes a power of ten for the reader: 10⁻³.
[[nodiscard]] std::string power_of_ten(int exponent);

}  // namespace armdyn
