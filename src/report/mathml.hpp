#pragma once

#include <string>

namespace armdyn {

/// An align* environment of LaTeX as MathML. It knows what equations are written with: names with
/// indices, powers, fractions, dots above, Greek letters, sines and cosines; another command is an
/// identifier of that name.
[[nodiscard]] std::string mathml_of(const std::string& latex);

}  // namespace armdyn
