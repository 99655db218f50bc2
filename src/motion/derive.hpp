#pragma once

// Derivation of velocities and accelerations from positions over uneven time, row by row.

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "program/program.hpp"

namespace armdyn {

/// Rows of a window, which is central where their middle is the time that it is for.
struct RowWindow {
  std::size_t begin = 0, end = 0;
  bool is_central = true;

  [[nodiscard]] std::size_t count() const { return end - begin; }
  [[nodiscard]] std::span<const double> of(std::span<const double> column) const {
    return column.subspan(begin, count());
  }
};

/// Queue of rows, held by column.
class SlidingRows {
 public:
  explicit SlidingRows(std::size_t columns) : columns_(columns) {}

  void append(std::span<const double> row) {
    for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].push_back(row[i]);
    ++size_;
  }
  void drop_front(std::size_t rows) {
    head_ += rows;
    size_ -= rows;
    if (head_ < size_ + 1024) return;
    for (std::vector<double>& column : columns_) {
      column.erase(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(head_));
    }
    head_ = 0;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t width() const { return columns_.size(); }
  [[nodiscard]] std::span<const double> column(std::size_t i) const {
    return std::span(columns_[i]).subspan(head_, size_);
  }

 private:
  std::vector<std::vector<double>> columns_;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

// Derivatives by the polynomial of degree 4 that fits the samples of a time window best (Savitzky and
// Golay 1964, generalized to uneven stamps).

/// Weights of samples at given times, for all quantities sampled there.
class LocalFit {
 public:
  static constexpr std::size_t degree = 4;
  /// Highest degree of the terms that show the deviation of a motion from such polynomials.
  static constexpr std::size_t highest = degree + 3;
  /// Fewest samples that separate all those terms, and smooth noise.
  static constexpr std::size_t fewest_points = highest + 1;

  /// Fits to samples at `t`, which increases and has at least `fewest_points`, for derivatives at
  /// `at`; `last` is the degree of the last term, from `degree` to `highest`.
  void place(std::span<const double> t, double at, std::size_t last = degree);

  /// The polynomial that fits samples best.
  class Curve;
  [[nodiscard]] Curve to(std::span<const double> y) const;

  /// Variance of a derivative of that polynomial (order 0: its value) where each sample has an
  /// independent error of variance 1.
  [[nodiscard]] double noise_gain(std::size_t order) const;

  /// Derivative at `at`, of that order, of p: the polynomial of degree `beyond` that is orthogonal over
  /// the samples to all lower ones and has the norm 1.
  [[nodiscard]] double share(std::size_t beyond, std::size_t order) const {
    return at_zero_[beyond][order];
  }
  /// Derivative of p of its own degree, a constant.
  [[nodiscard]] double steepness(std::size_t beyond) const { return steepness_[beyond]; }

 private:
  /// Stamps of one rate but for their rounding: over x their polynomials depend on no more.
  struct EvenStamps {
    std::size_t rows, at, last;
    bool operator==(const EvenStamps&) const = default;
  };
  [[nodiscard]] static std::optional<EvenStamps> even_stamps(std::span<const double> t, double at,
                                                             std::size_t last);
  void orthogonalize();
  [[nodiscard]] std::array<const double*, highest + 1> columns() const;

  // Polynomials over x = (t − at) / scale, orthogonal over the samples, each of norm 1: at the samples,
  // and at `at` their value, slope and curvature over x.
  std::array<std::vector<double>, highest + 1> basis_;
  std::array<std::array<double, 3>, highest + 1> over_x_{};
  std::array<double, highest + 1> norms_{};                   // b of the recursion
  std::array<std::array<double, 3>, highest + 1> at_zero_{};  // the same over t
  std::array<double, highest + 1> steepness_{};
  std::vector<double> x_;
  std::size_t last_ = degree;
  std::optional<EvenStamps> made_for_;
  const Machine* machine_ = &machine_of(chosen_instruction_set());
};

class LocalFit::Curve {
 public:
  Curve(const LocalFit& fit, std::span<const double> y);

  /// Value (order 0), first or second derivative.
  [[nodiscard]] double derivative(std::size_t order) const;
  /// Sum of squared deviations of the samples.
  [[nodiscard]] double misfit() const;
  /// Variance of the slope, by these deviations.
  [[nodiscard]] double slope_variance() const;
  /// Coefficient in the samples of the polynomial of degree `beyond`, from degree + 1 to the last. Its
  /// variance is that of a sample.
  [[nodiscard]] double coefficient(std::size_t beyond) const { return coefficients_[beyond]; }

 private:
  const LocalFit& fit_;
  std::span<const double> y_;
  std::array<double, highest + 1> coefficients_{};  // of y less its first sample
};

/// Estimates from the samples alone of their noise and of motion beyond polynomials of degree 4
/// (derivation.md, section 10.6): over the windows added, the error of a sample, and the mean squares
/// of the derivatives from the fifth on.
class FitQuality {
 public:
  explicit FitQuality(std::size_t joints) : joints_(joints) {}

  /// Adds a window of rows t, q; `fit` is placed there with LocalFit::highest.
  void add(const LocalFit& fit, std::span<const double> t,
           const std::vector<std::span<const double>>& q, bool is_central);

  [[nodiscard]] std::size_t joints() const { return joints_.size(); }
  /// Last t of the windows.
  [[nodiscard]] double until() const { return until_; }
  [[nodiscard]] std::size_t central_windows() const { return central_; }
  /// Standard deviation of the error of a sample, in the unit of q.
  [[nodiscard]] double noise(std::size_t joint) const;
  /// Mean square of the derivative of that order, from 5 on, less its part by noise (10.16).
  [[nodiscard]] double squared_derivative(std::size_t order, std::size_t joint, double noise) const;
  /// Squared errors of a derivative of order 1 or 2, in the mean over the central windows: by noise,
  /// and by motion that the fits do not follow.
  [[nodiscard]] double variance(std::size_t order, double noise) const;
  [[nodiscard]] double squared_bias(std::size_t order, std::size_t joint, double noise) const;
  /// Largest squared bias that these windows do not show beyond their noise.
  [[nodiscard]] double hidden_bias(std::size_t order, double noise) const;
  /// Standard uncertainty in the mean over the central windows: noise, and the larger of seen and
  /// hidden bias.
  [[nodiscard]] double uncertainty(std::size_t order, std::size_t joint) const;

 private:
  static constexpr std::size_t beyond = LocalFit::highest - LocalFit::degree;

  struct Sums {
    double misfit = 0.0;
    std::array<double, beyond> squares{};
  };
  [[nodiscard]] double squared_bias(std::size_t order, double noise,
                                    const auto& squared_derivative_beyond) const;
  void add_noise(std::span<const double> t, const std::vector<std::span<const double>>& q);

  std::vector<Sums> joints_;
  std::array<double, beyond> noise_squares_{};  // of `squares`, for noise 1
  std::array<double, beyond> weights_{};
  std::array<double, 3> gain_{};                          // by order, over central windows
  std::array<std::array<double, beyond>, 3> shares_{};    // squared, of each term beyond
  std::array<std::array<double, beyond>, 3> response_{};  // squared, to a derivative beyond of 1
  double freedom_ = 0.0;
  double until_ = -std::numeric_limits<double>::infinity();
  std::size_t central_ = 0;
  LocalFit few_;
};

/// Quality of fits to these samples in windows of that width, in s (t increasing, at least
/// LocalFit::fewest_points rows).
[[nodiscard]] FitQuality look(std::span<const double> t,
                              const std::vector<std::span<const double>>& q, double window);

/// Derivatives of q over t, row after row, each as soon as the window around it is full; memory is
/// that of a window. A window has at least LocalFit::fewest_points rows, however short it is, and
/// stays within its stretch. The term of degree 5 counts to the extent that it exceeds the noise
/// (10.17).
class Deriver {
 public:
  enum class Slopes { taken, left };
  /// `window` in s; `seen` is known before the first row; so many columns beside q are smoothed, with
  /// or without their slopes.
  Deriver(double window, FitQuality seen, std::size_t smoothed_columns = 0,
          Slopes slopes = Slopes::taken);

  /// Appends a row of t, q1..qn and the smoothed columns; t increases within a stretch.
  void append(std::span<const double> row) { rows_.append(row); }
  /// Ends a stretch: later rows are not connected with earlier ones.
  void end_stretch() { is_ended_ = true; }

  enum class Outcome {
    derived,  ///< qd and qdd are filled
    too_few,  ///< the stretch is too short
    not_yet,  ///< more rows, or the end of the stretch, must come first
  };
  /// Places of the row's standard uncertainties (10.18), or none.
  struct Uncertainties {
    std::span<double> qd, qdd;
  };
  Outcome take(std::span<double> qd, std::span<double> qdd,
               const Uncertainties& uncertainties = {});

  /// Tests whether the row derived last was in the middle of its window.
  [[nodiscard]] bool was_central() const { return was_central_; }
  /// Values of that window's fits at the row, of q1..qn and the smoothed columns; none without these.
  [[nodiscard]] const std::vector<double>& smoothed() const { return smoothed_; }
  /// Slopes of the smoothed columns' fits there, and the variances of their noise.
  [[nodiscard]] const std::vector<double>& smoothed_rates() const { return smoothed_rates_; }
  [[nodiscard]] const std::vector<double>& rate_variances() const { return rate_variances_; }

  [[nodiscard]] const FitQuality& quality() const { return quality_; }
  /// Standard uncertainty of a derivative of order 1 or 2 in the mean over the rows off the middle of
  /// their window; nothing where there is none.
  [[nodiscard]] std::optional<double> uncertainty_at_ends(std::size_t order,
                                                          std::size_t joint) const;

 private:
  struct Estimate {
    double value = 0.0, variance = 0.0;
  };
  [[nodiscard]] std::optional<RowWindow> find_window() const;
  [[nodiscard]] std::array<Estimate, 2> estimates(std::size_t joint, const LocalFit::Curve& curve,
                                                  std::size_t last) const;
  void forget(std::size_t begin);
  void sample(const RowWindow& window);

  double window_;
  SlidingRows rows_;
  std::size_t next_ = 0;  // next row to derive, of those held
  bool is_ended_ = false;
  bool was_central_ = false;
  std::size_t smoothed_columns_;
  Slopes slopes_;
  std::vector<double> smoothed_, smoothed_rates_, rate_variances_;
  bool is_begun_ = false;  // the first row of the stretch is no longer held
  std::size_t until_sample_ = 0;
  LocalFit fit_;
  FitQuality quality_;
  std::size_t end_rows_ = 0;
  std::vector<std::array<double, 2>> end_variances_;  // per joint, of both orders, summed over rows
};

/// Tests whether rows, usually `step` s apart, are too far apart for fits to follow the motion: what
/// they leave of a joint's neighboring rows is no tiny part of the widest range, and grows, as noise
/// would not, where every second row is left out.
[[nodiscard]] bool are_sparse(std::span<const double> t,
                              const std::vector<std::span<const double>>& q, double step);

/// Window, in s, with the least expected error of accelerations, by trial on these samples (t
/// increasing, at least LocalFit::fewest_points rows). Where torques are smoothed in the same window,
/// the next one in which noise is little of their dτ/dt (29.5).
[[nodiscard]] double choose_window(std::span<const double> t,
                                   const std::vector<std::span<const double>>& q,
                                   const std::vector<std::span<const double>>& torques = {});

}  // namespace armdyn
