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

// The gnuplot program: found, and run without a shell.

/// Tells whether PATH leads to a gnuplot.
[[nodiscard]] bool gnuplot_is_installed();

/// The picture that gnuplot draws for a script that leaves the output unset; end_mark is in its
/// last bytes when it is complete. The user's own gnuplot settings have no part in it. Throws a
/// FileError with what gnuplot said when it fails; Interrupted after a signal, with gnuplot and all
/// that it started ended.
[[nodiscard]] std::string run_gnuplot(std::string_view script, std::string_view end_mark);

/// The text as a gnuplot string in which nothing has a special meaning; blanks for what no
/// picture shows as itself and for what is not UTF-8.
[[nodiscard]] std::string gnuplot_literal(std::string_view text);

/// The script with question marks for the characters that no font on this machine has: cairo would
/// cover the whole picture with them.
[[nodiscard]] std::string without_missing_glyphs(const std::string& script);

}  // namespace armdyn
