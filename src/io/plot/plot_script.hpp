#pragma once

#include <string>
#include <string_view>

namespace armdyn {

// Texts of a picture, and their widths. Lengths are pixels of the SVG; the PNG has two by two pixels
// for each, the PDF 96 to the inch.

/// Width of a text, rather too large: the font is not known before gnuplot draws.
[[nodiscard]] double text_width(std::string_view text, double font);

/// Text cut to a width, with an ellipsis where it is wider.
[[nodiscard]] std::string fitted(std::string_view text, double font, double room);

// The gnuplot program, run without a shell.

/// Tests whether a folder of PATH has gnuplot.
[[nodiscard]] bool gnuplot_is_installed();

/// Picture that gnuplot, without the user's settings, draws for a script that leaves the output
/// unset; end_mark is in the last bytes of a complete one. Throws FileError with gnuplot's message
/// when it fails; Interrupted after a signal, with gnuplot and all that it started ended.
[[nodiscard]] std::string run_gnuplot(std::string_view script, std::string_view end_mark);

/// Text as a gnuplot string without special meanings; blanks for controls and for bytes that are not
/// UTF-8.
[[nodiscard]] std::string gnuplot_literal(std::string_view text);

/// Script with question marks for the characters that no font on this machine has: cairo would cover
/// the whole picture with them.
[[nodiscard]] std::string without_missing_glyphs(const std::string& script);

}  // namespace armdyn
