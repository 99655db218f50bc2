#pragma once

#include <algorithm>

namespace armdyn {

/// Closes in on the first time in (0, end] at which a gauge is negative that is positive before: a
/// bracket to be narrowed until it is `resolution` wide. gauge(0) = `at_zero` ≥ 0, gauge(end) =
/// `at_end` < 0. Regula falsi after Illinois, with bisections in between that keep it from
/// stalling.
class Bracket {
 public:
  Bracket(double at_zero, double end, double at_end, double resolution)
      : high_(end), g_low_(at_zero), g_high_(at_end), resolution_(resolution) {}

  [[nodiscard]] bool is_open() const { return high_ - low_ > resolution_; }

  /// Where the gauge is to be read next.
  [[nodiscard]] double middle() const {
    const bool bisect = (low_ == 0.0 && g_low_ <= 0.0) || pass_ % 4 == 0;
    const double guess = low_ + (high_ - low_) * (bisect ? 0.5 : g_low_ / (g_low_ - g_high_));
    return std::clamp(guess, low_ + 0.5 * resolution_, high_ - 0.5 * resolution_);
  }
  /// The gauge reads `g` at `at`.
  void narrow(double at, double g) {
    ++pass_;
    if (g < 0.0) {
      high_ = at;
      g_high_ = g;
      kept_ = std::max(kept_, 0) + 1;
      if (kept_ > 1) g_low_ *= 0.5;
    } else {
      low_ = at;
      g_low_ = g;
      kept_ = std::min(kept_, 0) - 1;
      if (kept_ < -1) g_high_ *= 0.5;
    }
  }

  /// The upper end, at which the gauge is negative.
  [[nodiscard]] double end() const { return high_; }

 private:
  double low_ = 0.0, high_;
  double g_low_, g_high_;
  double resolution_;
  int pass_ = 1;
  int kept_ = 0;  ///< how often in a row the same end has stayed: 1, 2.. lower, -1, -2.. upper
};

}  // namespace armdyn
