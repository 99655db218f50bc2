// Derivatives of noisy samples over uneven time, held against the theory of least squares.

#include "motion/derive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

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
  EXPECT_NEAR(fit.derivative(0, y), 3 - 1.8 + 0.81 - 0.3645 + 0.164025, 1e-13);
  EXPECT_NEAR(fit.derivative(1, y), -2 + 1.8 - 1.215 + 0.729, 1e-12);
  EXPECT_NEAR(fit.derivative(2, y), 2 - 2.7 + 2.43, 1e-11);
  EXPECT_NEAR(fit.misfit(y), 0.0, 1e-24);
}

// Savitzky and Golay's published table, second derivative, quartic, 7 points:
// (-13, 67, -19, -70, -19, 67, -13) / 132 for a step of 1, of which the second derivative is twice.
TEST(LocalFit, HasTheWeightsOfSavitzkyAndGolayOnEvenStamps) {
  const std::vector<double> t{-3, -2, -1, 0, 1, 2, 3};
  const double published[] = {-13, 67, -19, -70, -19, 67, -13};
  LocalFit fit;
  fit.place(t, 0.0);
  double gain = 0.0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    std::vector<double> y(t.size(), 0.0);
    y[k] = 1.0;
    EXPECT_NEAR(fit.derivative(2, y), published[k] / 132.0, 1e-14);
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
  EXPECT_NEAR(fit.derivative(2, y), 4.0, 1000.0 * 2.3e-16 * 1e6 * 3);
}

// With Legendre's polynomials the variance of the second derivative at the middle of a window of
// width w and n samples tends to 16 (P₂″² 5 + P₄″² 9) / (n w⁴) = 8820 / (n w⁴), that of the first
// to 4 (P₁′² 3 + P₃′² 7) / (n w²) = 75 / (n w²).
TEST(Deriver, ErrorsOfNoiseAreThoseOfTheory) {
  constexpr double noise = 1e-4, step = 1e-3, window = 0.1;
  const Motion motion = sine(20000, step, noise);
  Deriver deriver(1, window);
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
  Deriver deriver(1, 0.4);
  const Errors errors = errors_of(motion, deriver, 0.4);
  const double sixth = amplitude * std::pow(frequency, 6) / std::sqrt(2.0);
  EXPECT_NEAR(errors.acceleration / (sixth * std::pow(0.2, 4) / 792.0), 1.0, 0.1);
  EXPECT_NEAR(deriver.quality().uncertainty(2, 0) / errors.acceleration, 1.0, 0.25);
}

TEST(Deriver, EveryRowComesBackAlsoAtTheEndsAndBetweenStretches) {
  const Motion motion = sine(400, 1e-2, 0.0);
  Deriver deriver(1, 0.1);
  const Errors errors = errors_of(motion, deriver);
  EXPECT_EQ(errors.rows, 400U);
  EXPECT_LT(errors.worst_acceleration, 0.05 * amplitude * frequency * frequency);
  const Errors again = errors_of(motion, deriver);
  EXPECT_EQ(again.rows, 400U);
  EXPECT_EQ(again.acceleration, errors.acceleration);
}

TEST(Deriver, ATooShortStretchIsSaidToBeSo) {
  Deriver deriver(1, 0.1);
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
  Deriver deriver(1, 1e-9);
  const Errors errors = errors_of(motion, deriver);
  EXPECT_EQ(errors.rows, 400U);
  EXPECT_LT(errors.worst_acceleration, 0.01 * amplitude * frequency * frequency);
}

// The best error of all windows is not far below that of the chosen one.
TEST(Window, ChosenFromTheDataIsCloseToTheBest) {
  for (const double noise : {1e-3, 1e-4, 1e-6}) {
    const Motion motion = sine(6000, 1e-3, noise);
    const double chosen = choose_window(motion.t, {motion.q});
    Deriver by_choice(1, chosen);
    const double error = errors_of(motion, by_choice, 0.5).acceleration;
    double best = error;
    for (double window = 0.01; window < 0.5; window *= 1.3) {
      Deriver deriver(1, window);
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
