// Derivatives of noisy samples over uneven time, held against the theory of least squares.

#include "motion/derive.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>
#include <utility>

namespace armdyn {
namespace {

struct Motion {
  std::vector<double> t, q, qd, qdd;
};

constexpr double amplitude = 0.8;
constexpr double frequency = 5.0;  // rad/s

/// A sine with stamps that jitter by ±40 % and an independent error of each sample.
Motion sine(std::size_t rows, double step, double noise, double jitter = 0.4) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> error(0.0, 1.0);
  std::uniform_real_distribution<double> shift(-jitter, jitter);
  Motion motion;
  for (std::size_t k = 0; k < rows; ++k) {
    const double t = (static_cast<double>(k) + shift(random)) * step;
    motion.t.push_back(t);
    motion.q.push_back(amplitude * std::sin(frequency * t) + noise * error(random));
    motion.qd.push_back(amplitude * frequency * std::cos(frequency * t));
    motion.qdd.push_back(-amplitude * frequency * frequency * std::sin(frequency * t));
  }
  return motion;
}

Deriver deriver_of(const Motion& motion, double window) {
  return {window, look(motion.t, {motion.q}, window)};
}

struct Errors {
  std::size_t rows = 0;
  double velocity = 0.0, acceleration = 0.0;  // RMS, a window away from the ends
  double worst_acceleration = 0.0;            // anywhere
};

Errors errors_of(const Motion& motion, Deriver& deriver, double window = 0.0) {
  Errors errors;
  std::size_t inner = 0;
  double qd = 0.0, qdd = 0.0;
  const auto take_all = [&] {
    while (deriver.take({&qd, 1}, {&qdd, 1}) == Deriver::Outcome::derived) {
      const std::size_t row = errors.rows++;
      const double acceleration = qdd - motion.qdd[row];
      errors.worst_acceleration = std::max(errors.worst_acceleration, std::abs(acceleration));
      if (motion.t[row] < window || motion.t[row] > motion.t.back() - window) continue;
      errors.velocity += std::pow(qd - motion.qd[row], 2);
      errors.acceleration += acceleration * acceleration;
      ++inner;
    }
  };
  for (std::size_t k = 0; k < motion.t.size(); ++k) {
    const double row[] = {motion.t[k], motion.q[k]};
    deriver.append(row);
    take_all();
  }
  deriver.end_stretch();
  take_all();
  const auto rows = static_cast<double>(inner);
  errors.velocity = std::sqrt(errors.velocity / rows);
  errors.acceleration = std::sqrt(errors.acceleration / rows);
  return errors;
}

TEST(LocalFit, IsExactForPolynomialsOfItsDegreeOnUnevenStamps) {
  const std::vector<double> t{0.0, 0.3, 0.4, 1.1, 1.2, 2.0, 2.7, 2.8};
  const double at = 0.9;
  std::vector<double> y;
  for (const double x : t) y.push_back(3 - 2 * x + x * x - 0.5 * x * x * x + 0.25 * x * x * x * x);
  LocalFit fit;
  fit.place(t, at);
  EXPECT_NEAR(fit.to(y).derivative(0), 3 - 1.8 + 0.81 - 0.3645 + 0.164025, 1e-13);
  EXPECT_NEAR(fit.to(y).derivative(1), -2 + 1.8 - 1.215 + 0.729, 1e-12);
  EXPECT_NEAR(fit.to(y).derivative(2), 2 - 2.7 + 2.43, 1e-11);
  EXPECT_NEAR(fit.to(y).misfit(), 0.0, 1e-24);
}

// Savitzky and Golay's published table, second derivative, quartic, 7 points:
// (-13, 67, -19, -70, -19, 67, -13) / 132 for a step of 1, of which the second derivative is twice.
// A polynomial of degree 6 is the fit of degree 4 and the terms beyond.
TEST(LocalFit, WhatItDoesNotFollowIsInTheTermsBeyond) {
  const std::vector<double> t{0.0, 0.3, 0.4, 1.1, 1.2, 2.0, 2.7, 2.8};
  const double at = 0.9;
  std::vector<double> y;
  y.reserve(t.size());
  for (const double x : t) y.push_back(7.0 + x * x + 2 * std::pow(x, 5) - 0.5 * std::pow(x, 6));
  LocalFit fit;
  fit.place(t, at, LocalFit::highest);
  double slope = fit.to(y).derivative(1), curvature = fit.to(y).derivative(2);
  for (const std::size_t degree : {5U, 6U, 7U}) {
    slope += fit.to(y).coefficient(degree) * fit.share(degree, 1);
    curvature += fit.to(y).coefficient(degree) * fit.share(degree, 2);
  }
  EXPECT_NEAR(slope, 2 * at + 10 * std::pow(at, 4) - 3 * std::pow(at, 5), 1e-11);
  EXPECT_NEAR(curvature, 2 + 40 * std::pow(at, 3) - 15 * std::pow(at, 4), 1e-10);
  EXPECT_NEAR(fit.to(y).coefficient(6) * fit.steepness(6), -0.5 * 720, 1e-8);
}

TEST(LocalFit, HasTheWeightsOfSavitzkyAndGolayOnEvenStamps) {
  const std::vector<double> t{-3, -2, -1, 0, 1, 2, 3};
  const double published[] = {-13, 67, -19, -70, -19, 67, -13};
  LocalFit fit;
  fit.place(t, 0.0);
  double gain = 0.0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    std::vector<double> y(t.size(), 0.0);
    y[k] = 1.0;
    EXPECT_NEAR(fit.to(y).derivative(2), published[k] / 132.0, 1e-14);
    gain += published[k] * published[k] / (132.0 * 132.0);
  }
  EXPECT_NEAR(fit.noise_gain(2), gain, 1e-14);
}

TEST(LocalFit, LosesNothingFarFromZero) {
  const std::vector<double> t{5000.0, 5000.001, 5000.002, 5000.003, 5000.004, 5000.005, 5000.006};
  std::vector<double> y;
  for (const double x : t) y.push_back(1000.0 + 2.0 * (x - 5000.0) * (x - 5000.0));
  LocalFit fit;
  fit.place(t, 5000.003);
  EXPECT_NEAR(fit.to(y).derivative(2), 4.0, 1000.0 * 2.3e-16 * 1e6 * 3);
}

// With Legendre's polynomials the variance of the second derivative at the middle of a window of
// width w and n samples tends to 16 (P₂″² 5 + P₄″² 9) / (n w⁴) = 8820 / (n w⁴), that of the first
// to 4 (P₁′² 3 + P₃′² 7) / (n w²) = 75 / (n w²).
TEST(Deriver, ErrorsOfNoiseAreThoseOfTheory) {
  constexpr double noise = 1e-4, step = 1e-3, window = 0.1;
  const Motion motion = sine(20000, step, noise);
  Deriver deriver = deriver_of(motion, window);
  const Errors errors = errors_of(motion, deriver, window);
  EXPECT_EQ(errors.rows, motion.t.size());
  const double n = window / step;
  const double acceleration = noise * std::sqrt(8820.0 / n) / (window * window);
  const double velocity = noise * std::sqrt(75.0 / n) / window;
  EXPECT_NEAR(errors.acceleration / acceleration, 1.0, 0.1);
  EXPECT_NEAR(errors.velocity / velocity, 1.0, 0.1);
  EXPECT_NEAR(deriver.quality().noise(0) / noise, 1.0, 0.03);
  // The bias, here none, is known to 6.9 √(2/200) = 0.69 of the variance: 200 windows lie side by
  // side, and the narrower ones have 0.75⁻⁵ − 1 = 3.2 times the variance, of which 0.68 is seen.
  for (const std::size_t order : {1U, 2U}) {
    const double error = order == 1 ? errors.velocity : errors.acceleration;
    EXPECT_GT(deriver.quality().uncertainty(order, 0), 0.9 * error);
    EXPECT_LT(deriver.quality().uncertainty(order, 0), std::sqrt(1.0 + 2 * 0.69) * error);
  }
}

// Without noise the error in a window of half width a is that of its t⁶ term, in which the fit sees
// 10/11 a⁴ for the second derivative 0: q⁽⁶⁾ a⁴ / 792.
TEST(Deriver, ErrorsOfTooWideAWindowAreSeen) {
  const Motion motion = sine(20000, 1e-3, 0.0, 0.0);
  Deriver deriver = deriver_of(motion, 0.4);
  const Errors errors = errors_of(motion, deriver, 0.4);
  const double sixth = amplitude * std::pow(frequency, 6) / std::sqrt(2.0);
  EXPECT_NEAR(errors.acceleration / (sixth * std::pow(0.2, 4) / 792.0), 1.0, 0.1);
  EXPECT_NEAR(deriver.quality().uncertainty(2, 0) / errors.acceleration, 1.0, 0.25);
}

TEST(Deriver, EveryRowComesBackAlsoAtTheEndsAndBetweenStretches) {
  const Motion motion = sine(400, 1e-2, 0.0);
  Deriver deriver = deriver_of(motion, 0.1);
  const Errors errors = errors_of(motion, deriver);
  EXPECT_EQ(errors.rows, 400U);
  EXPECT_LT(errors.worst_acceleration, 0.05 * amplitude * frequency * frequency);
  const Errors again = errors_of(motion, deriver);
  EXPECT_EQ(again.rows, 400U);
  EXPECT_EQ(again.acceleration, errors.acceleration);
}

TEST(Deriver, ATooShortStretchIsSaidToBeSo) {
  Deriver deriver(0.1, FitQuality(1));
  double qd = 0.0, qdd = 0.0;
  for (const double t : {0.0, 1.0, 2.0}) {
    const double row[] = {t, t};
    deriver.append(row);
  }
  EXPECT_EQ(deriver.take({&qd, 1}, {&qdd, 1}), Deriver::Outcome::not_yet);
  deriver.end_stretch();
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(deriver.take({&qd, 1}, {&qdd, 1}), Deriver::Outcome::too_few);
  }
  EXPECT_EQ(deriver.take({&qd, 1}, {&qdd, 1}), Deriver::Outcome::not_yet);
}

TEST(Deriver, AWindowOfFewRowsTakesInTheNearest) {
  const Motion motion = sine(400, 1e-2, 0.0);
  Deriver deriver = deriver_of(motion, 1e-9);
  const Errors errors = errors_of(motion, deriver);
  EXPECT_EQ(errors.rows, 400U);
  EXPECT_LT(errors.worst_acceleration, 0.01 * amplitude * frequency * frequency);
}

// --- 1000 noisy logs

/// A motion of one joint by chance, with its exact derivatives.
class AnyMotion {
 public:
  enum class Kind { harmonics, between_rests, swing };
  AnyMotion(Kind kind, std::mt19937_64& random) : kind_(kind) {
    std::uniform_real_distribution<double> share(-1.0, 1.0);
    for (double& a : a_) a = share(random);
    for (double& b : b_) b = share(random);
  }
  [[nodiscard]] double at(double t, int order) const {
    switch (kind_) {
      case Kind::harmonics:
        return harmonic(t, order);
      case Kind::between_rests:
        return septic((t - 0.7 - 0.2 * a_[0]) / (1.4 + 0.5 * a_[1]), order) * (1.0 + a_[2]) /
               std::pow(1.4 + 0.5 * a_[1], order);
      case Kind::swing:
        return std::pow(3.0 + 2.0 * a_[0], order) * 0.6 *
               std::sin((3.0 + 2.0 * a_[0]) * t + 3.0 * b_[0] + order * std::numbers::pi / 2.0);
    }
    return 0.0;
  }

 private:
  [[nodiscard]] double harmonic(double t, int order) const {
    double sum = 0.0;
    for (int k = 0; k < 4; ++k) {
      const double w = 0.7 * std::numbers::pi * (k + 1);
      const double phase = w * t + order * std::numbers::pi / 2.0;
      const auto i = static_cast<std::size_t>(k);
      sum +=
          std::pow(w, order) * 0.3 / (k + 1) * (a_[i] * std::sin(phase) + b_[i] * std::cos(phase));
    }
    return sum;
  }
  // 35 x⁴ − 84 x⁵ + 70 x⁶ − 20 x⁷ from rest to rest.
  static double septic(double x, int order) {
    if (x <= 0.0 || x >= 1.0) return order == 0 && x >= 1.0 ? 1.0 : 0.0;
    double sum = 0.0;
    for (const auto& [power, factor] : {std::pair{4, 35.0}, {5, -84.0}, {6, 70.0}, {7, -20.0}}) {
      double falling = factor;
      for (int k = 0; k < order; ++k) falling *= power - k;
      sum += falling * std::pow(x, power - order);
    }
    return sum;
  }

  Kind kind_;
  std::array<double, 4> a_{}, b_{};
};

enum class Stamps { even, jittering, random };

std::vector<double> stamps_of(Stamps kind, std::mt19937_64& random) {
  constexpr double step = 0.005, duration = 3.0;
  std::uniform_real_distribution<double> chance(0.0, 1.0);
  std::vector<double> t;
  for (double now = 0.0; now < duration;) {
    t.push_back(now + (kind == Stamps::jittering ? 0.4 * step * chance(random) : 0.0));
    now += kind == Stamps::random ? 1e-7 - step * std::log(1.0 - chance(random)) : step;
  }
  return t;
}

/// How often an error was within two standard uncertainties.
struct Coverage {
  double rows = 0.0, within = 0.0;
  void add(double error, double uncertainty) {
    rows += 1.0;
    if (std::abs(error) < 2.0 * uncertainty) within += 1.0;
  }
  [[nodiscard]] double share() const { return within / rows; }
};

struct Coverages {
  Coverage middle[2], end[2];          // of qd and qdd, each row by its own uncertainty
  Coverage all_middle[2], all_end[2];  // by those of the whole log
};

void add_log(AnyMotion::Kind kind, Stamps stamps, std::mt19937_64& random, Coverages& coverages) {
  const AnyMotion motion(kind, random);
  std::normal_distribution<double> normal(0.0, 1.0);
  std::uniform_real_distribution<double> exponent(-6.0, -3.0);
  const double noise = std::pow(10.0, exponent(random));
  const std::vector<double> t = stamps_of(stamps, random);
  std::vector<double> q;
  q.reserve(t.size());
  for (const double now : t) q.push_back(motion.at(now, 0) + noise * normal(random));
  const double window = choose_window(t, {q});
  Deriver deriver(window, look(t, {q}, window));
  std::vector<std::array<double, 4>> rows;
  const auto take_all = [&] {
    std::array<double, 4> row{};
    while (deriver.take({&row[0], 1}, {&row[1], 1}, {{&row[2], 1}, {&row[3], 1}}) ==
           Deriver::Outcome::derived) {
      rows.push_back(row);
    }
  };
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double row[] = {t[k], q[k]};
    deriver.append(row);
    take_all();
  }
  deriver.end_stretch();
  take_all();
  ASSERT_EQ(rows.size(), t.size());
  for (std::size_t k = 0; k < t.size(); ++k) {
    const bool is_end = t[k] < t.front() + window / 2 || t[k] > t.back() - window / 2;
    for (std::size_t order = 1; order <= 2; ++order) {
      const double error = rows[k][order - 1] - motion.at(t[k], static_cast<int>(order));
      (is_end ? coverages.end : coverages.middle)[order - 1].add(error, rows[k][order + 1]);
      (is_end ? coverages.all_end : coverages.all_middle)[order - 1].add(
          error, is_end ? deriver.uncertainty_at_ends(order, 0).value()
                        : deriver.quality().uncertainty(order, 0));
    }
  }
}

// Two standard uncertainties hold 95 % of normal errors.
TEST(Deriver, UncertaintiesCoverTheErrorsOf1000NoisyLogs) {
  std::mt19937_64 random(2024);
  std::printf("%-14s %-10s %32s %32s\n%25s %31s %32s\n", "motion", "stamps", "middle",
              "off the middle", "", "qd row, log; qdd row, log", "qd row, log; qdd row, log");
  for (const auto& [kind, motion] : {std::pair{AnyMotion::Kind::harmonics, "harmonics"},
                                     {AnyMotion::Kind::between_rests, "between rests"},
                                     {AnyMotion::Kind::swing, "swing"}}) {
    for (const auto& [stamps, name] : {std::pair{Stamps::even, "even"},
                                       {Stamps::jittering, "jittering"},
                                       {Stamps::random, "random"}}) {
      Coverages found;
      for (int log = 0; log < 112; ++log) add_log(kind, stamps, random, found);
      std::printf("%-14s %-10s", motion, name);
      for (const auto& [own, all] :
           {std::pair(found.middle, found.all_middle), std::pair(found.end, found.all_end)}) {
        std::printf("     %5.3f %5.3f  %5.3f %5.3f ", own[0].share(), all[0].share(),
                    own[1].share(), all[1].share());
      }
      std::printf("\n");
      for (const Coverage& coverage :
           {found.middle[0], found.middle[1], found.end[0], found.end[1]}) {
        EXPECT_GE(coverage.share(), 0.90) << motion << " " << name;
        EXPECT_LE(coverage.share(), 0.99) << motion << " " << name;
      }
    }
  }
}

// Stamps that come by chance are now close together, now far apart: of 60 such logs the search
// took for 7 a window of 2 usual steps.
TEST(Window, IsCloseToTheBestOnRandomStampsToo) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> error(0.0, 1e-4);
  std::exponential_distribution<double> wait(200.0);
  for (int log = 0; log < 60; ++log) {
    Motion motion;
    for (double t = 0.0; t < 8.0; t += 1e-7 + wait(random)) {
      const double phase = 4.0 * t + log;
      motion.t.push_back(t);
      motion.q.push_back(0.5 * std::cos(phase) + error(random));
      motion.qd.push_back(-2.0 * std::sin(phase));
      motion.qdd.push_back(-8.0 * std::cos(phase));
    }
    const double window = choose_window(motion.t, {motion.q});
    EXPECT_GT(window, 0.25) << "log " << log;
    EXPECT_LT(window, 0.7) << "log " << log;
    if (log >= 6) continue;
    const auto error_with = [&](double width) {
      Deriver deriver = deriver_of(motion, width);
      return errors_of(motion, deriver, 0.5).acceleration;
    };
    double best = error_with(0.2);
    for (double width = 0.25; width < 0.9; width *= 1.25) best = std::min(best, error_with(width));
    EXPECT_LT(error_with(window), 1.5 * best) << "log " << log;
  }
}

// A log that begins at rest has shown nothing of the motion when it comes.
TEST(Deriver, UncertaintiesCoverTheErrorsOfAMotionAfterALongRest) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> error(0.0, 1e-4);
  Motion motion;
  for (int k = 0; k < 6000; ++k) {
    const double t = 0.004 * k, moved = std::max(0.0, t - 16.0);
    motion.t.push_back(t);
    motion.q.push_back(0.5 * std::pow(std::sin(moved), 4) + error(random));
    motion.qdd.push_back(6 * std::pow(std::sin(moved) * std::cos(moved), 2) -
                         2 * std::pow(std::sin(moved), 4));
  }
  const std::size_t known = 3000;
  const std::span<const double> t(motion.t), q(motion.q);
  Deriver deriver(0.8, look(t.first(known), {q.first(known)}, 0.8));
  Coverage coverage;
  std::size_t row = 0;
  double qd = 0.0, qdd = 0.0, qd_uncertainty = 0.0, qdd_uncertainty = 0.0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double sample[] = {t[k], q[k]};
    deriver.append(sample);
    while (deriver.take({&qd, 1}, {&qdd, 1}, {{&qd_uncertainty, 1}, {&qdd_uncertainty, 1}}) ==
           Deriver::Outcome::derived) {
      if (t[row] > 16.0) coverage.add(qdd - motion.qdd[row], qdd_uncertainty);
      ++row;
    }
  }
  EXPECT_GT(coverage.share(), 0.85);
}

// The best error of all windows is not far below that of the chosen one.
TEST(Window, RowsThatDoNotFollowTheMotionAreSparse) {
  const auto is_sparse = [](double step, double noise) {
    const Motion motion = sine(1000, step, noise, 0.0);
    return are_sparse(motion.t, {motion.q}, step);
  };
  EXPECT_FALSE(is_sparse(0.01, 1e-4));
  EXPECT_FALSE(is_sparse(0.02, 0.0));  // all is motion, but tiny
  EXPECT_FALSE(is_sparse(0.05, 1e-2)) << "noise alone";
  EXPECT_TRUE(is_sparse(0.1, 0.0));
  EXPECT_TRUE(is_sparse(0.15, 1e-3));
}

TEST(Window, ChosenFromTheDataIsCloseToTheBest) {
  for (const double noise : {1e-3, 1e-4, 1e-6}) {
    const Motion motion = sine(6000, 1e-3, noise);
    const double chosen = choose_window(motion.t, {motion.q});
    Deriver by_choice = deriver_of(motion, chosen);
    const double error = errors_of(motion, by_choice, 0.5).acceleration;
    double best = error;
    for (double window = 0.01; window < 0.5; window *= 1.3) {
      Deriver deriver = deriver_of(motion, window);
      best = std::min(best, errors_of(motion, deriver, 0.5).acceleration);
    }
    EXPECT_LT(error, 1.5 * best) << "noise " << noise << ", window " << chosen;
    // In 6 s some 20 windows of 0.3 s lie side by side: 6.9 √(2/20) of the variance may be bias.
    const double uncertainty = by_choice.quality().uncertainty(2, 0);
    EXPECT_GT(uncertainty, 0.8 * error) << "noise " << noise;
    EXPECT_LT(uncertainty, std::sqrt(1.0 + 6.9 * std::sqrt(0.1)) * error) << "noise " << noise;
  }
}

}  // namespace
}  // namespace armdyn
