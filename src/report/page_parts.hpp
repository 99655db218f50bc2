#pragma once

// Parts of a page that are the same in all, from src/report/page.

#include <string_view>

namespace armdyn {

extern const std::string_view page_library;  ///< uPlot
extern const std::string_view page_script, page_style;
/// Content-Security-Policy: nothing but library and script as one, and that style, by their SHA-256.
extern const std::string_view page_policy;
extern const std::string_view page_licence;  ///< of uPlot

}  // namespace armdyn
