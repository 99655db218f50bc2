#pragma once

#include <string>
#include <string_view>

// The gnuplot program: found, and run without a shell.

namespace armdyn {

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
