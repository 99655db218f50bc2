#pragma once

// Takes velocities and accelerations from positions over uneven time, row by row.

#include <cstddef>
#include <span>
#include <vector>

#include "motion/local_fit.hpp"
#include "motion/sliding_rows.hpp"

namespace armdyn {

/// How good the fits of a window are, from the samples alone. The noise is what polynomials of a
/// few samples do not follow; the bias is what another, 3/4 as wide window sees differently beyond
/// the noise, since the error of a symmetric fit of degree 4 grows with the fourth power of its
/// width.
class FitQuality {
 public:
  explicit FitQuality(std::size_t joints) : joints_(joints) {}

  static constexpr double narrower = 0.75;

  struct Places {
    std::span<const double> t;         ///< of the wide window
    std::size_t first = 0, count = 0;  ///< the narrow window within it
    double at = 0.0;
  };
  void add(const Places& places, const std::vector<std::span<const double>>& q);

  [[nodiscard]] std::size_t samples() const { return samples_; }
  /// Standard deviation of the error of a sample, in the unit of q.
  [[nodiscard]] double noise(std::size_t joint) const;
  /// Squared errors of a derivative of that order (1 or 2) in the mean over the samples.
  [[nodiscard]] double variance(std::size_t order, double noise) const;
  [[nodiscard]] double squared_bias(std::size_t order, std::size_t joint, double noise) const;
  /// Bias too small to be seen beyond the noise of so many samples, squared.
  [[nodiscard]] double hidden_bias(std::size_t order, double noise) const;
  /// Standard uncertainty: noise, and the bias that is seen or could be hidden.
  [[nodiscard]] double uncertainty(std::size_t order, std::size_t joint) const;

 private:
  struct Sums {
    double misfit = 0.0;
    double differences[3] = {};  // squared, of both windows, per order
  };
  void add_noise(std::span<const double> t, const std::vector<std::span<const double>>& q);

  std::vector<Sums> joints_;
  double gain_[3] = {};         // of the wide window
  double gain_excess_[3] = {};  // of the narrow window over it
  double freedom_ = 0.0;
  std::size_t samples_ = 0;
  LocalFit wide_, narrow_, few_;
};

/// Derivatives of q over t. Rows come in, derived rows go out in the same order, each as soon as
/// the window around it is full; memory is that of a window. A window has at least
/// LocalFit::fewest_points rows, however short it is; where a stretch begins or ends it stays
/// within, and the row is off its middle.
class Deriver {
 public:
  /// `window` in s.
  Deriver(std::size_t joints, double window);

  /// `row` is t, q1..qn; t increases within a stretch.
  void append(std::span<const double> row);
  /// What comes next is not connected with what came.
  void end_stretch() { is_ended_ = true; }

  enum class Outcome {
    derived,  ///< qd and qdd are filled
    too_few,  ///< the stretch is too short
    not_yet,  ///< nothing to take: more rows, or the end of the stretch, must come first
  };
  Outcome take(std::span<double> qd, std::span<double> qdd);

  [[nodiscard]] const FitQuality& quality() const { return quality_; }
  /// Largest error of qdd for an error 1 of the samples, at the ends of stretches.
  [[nodiscard]] double end_gain() const { return end_gain_; }

 private:
  struct Window {
    std::size_t begin = 0, end = 0;  // rows held
    bool is_central = false;
  };
  [[nodiscard]] bool find_window(Window& window) const;
  void forget(std::size_t begin);
  void sample(const Window& window);

  double window_;
  SlidingRows rows_;
  std::size_t next_ = 0;  // row held whose turn is next
  bool is_ended_ = false;
  bool is_begun_ = false;  // the first row of the stretch is no longer held
  std::size_t until_sample_ = 0;
  LocalFit fit_;
  FitQuality quality_;
  double end_gain_ = 0.0;
};

/// The window, in s, with the least expected error of accelerations, by trial on these samples
/// (t increasing, at least LocalFit::fewest_points rows).
[[nodiscard]] double choose_window(std::span<const double> t,
                                   const std::vector<std::span<const double>>& q);

}  // namespace armdyn
