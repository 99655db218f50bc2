#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/kinematics.hpp>
#include <armdyn/robot.hpp>

#include <cmath>
#include <random>

#include "math/linear_algebra.hpp"
#include "math/rigid.hpp"
#include "model/file_accuracy.hpp"
#include "observation/contacts.hpp"
#include "support/random_arm.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

constexpr double slow = 0.03;  // rad/s

/// Three joints that turn, without friction.
Robot observed_arm() {
  RandomArm random(5);
  Robot robot = random.robot(3);
  robot.convention = Convention::modified;
  robot.base = {};
  robot.payload = {};
  const double alpha[] = {0.0, -1.5707963267948966, 0.3};
  for (std::size_t i = 0; i < 3; ++i) {
    Joint& joint = robot.joints[i];
    joint.type = JointType::revolute;
    joint.dh = {0.3, alpha[i], 0.1, 0.2};
    joint.body = {
        5.0 - static_cast<double>(i), {0.1, 0.05, -0.04}, box_inertia(4.0, {0.3, 0.2, 0.1})};
    joint.friction = {};
    joint.motor = {};
  }
  return robot;
}

/// Sums of sines at 125 Hz, with the torques of that robot and noise.
ObservedLog log_of(const Robot& robot, double duration, double noise, std::uint64_t seed) {
  const std::size_t n = robot.dof(), rows = static_cast<std::size_t>(125.0 * duration);
  ObservedLog log;
  log.t.resize(rows);
  for (Columns* columns : {&log.q, &log.qd, &log.qdd, &log.tau}) {
    columns->assign(n, std::vector<double>(rows));
  }
  for (std::size_t k = 0; k < rows; ++k) {
    const double t = log.t[k] = static_cast<double>(k) / 125.0;
    for (std::size_t i = 0; i < n; ++i) {
      for (int h = 1; h <= 3; ++h) {
        const double w = h * (0.9 + 0.37 * static_cast<double>(i)), a = 0.8 / h;
        const double phase = static_cast<double>(i) + 2.0 * h;
        log.q[i][k] += a * std::sin(w * t + phase);
        log.qd[i][k] += a * w * std::cos(w * t + phase);
        log.qdd[i][k] -= a * w * w * std::sin(w * t + phase);
      }
    }
  }
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  log.tau = direct_residual(robot, log);  // of no torque: their negatives
  for (std::vector<double>& tau : log.tau) {
    for (double& x : tau) x = noise * normal(random) - x;
  }
  return log;
}

ExternalTorques torques_of(const Robot& robot, const ObservedLog& log, const LoadHistory& loads,
                           Residual residual = Residual::direct) {
  ErrorRegressor regressor(robot, slow);
  return external_torques(robot, regressor, log, direct_residual(robot, log), residual, loads);
}

LoadHistory no_load(const ObservedLog& log) {
  return {.intervals = {{0, log.rows(), Eigen::VectorXd::Zero(10), Eigen::MatrixXd::Zero(10, 10)}},
          .arm = {},
          .arm_covariance = {},
          .arm_information = {},
          .noise = {}};
}

TEST(ZeroPhase, AnswersAStepAsItsKernelDoes) {
  std::vector<double> t, x;
  for (int k = 0; k <= 2000; ++k) t.push_back(0.001 * k);
  for (std::size_t k = 0; k + 1 < t.size(); ++k) x.push_back(t[k] < 0.9995 ? 0.0 : 3.0);
  const double T = 0.02;
  const std::vector<double> y = zero_phase(t, x, T);
  for (std::size_t k = 500; k <= 1500; ++k) {
    const double s = (t[k] - 1.0) / T;
    EXPECT_NEAR(y[k], 3.0 * (s < 0.0 ? 0.5 * std::exp(s) : 1.0 - 0.5 * std::exp(-s)), 1e-9);
  }
}

TEST(ExternalTorques, OfAnExactModelAreTheFilteredStep) {
  const Robot robot = observed_arm();
  const ObservedLog free = log_of(robot, 4.0, 0.0, 1);
  ObservedLog touched = free;
  for (std::size_t k = 250; k < touched.rows(); ++k) touched.tau[1][k] += 2.0;
  std::vector<double> step(free.rows() - 1);
  for (std::size_t k = 0; k < step.size(); ++k) step[k] = k >= 250 ? 2.0 : k == 249 ? 1.0 : 0.0;
  const std::vector<double> expected = zero_phase(free.t, step, filter_width(free));
  const ExternalTorques found = torques_of(robot, touched, no_load(touched));
  const ExternalTorques observed = torques_of(robot, touched, no_load(touched), Residual::momentum);
  for (std::size_t k = 0; k < free.rows(); ++k) {
    EXPECT_NEAR(found.value[1][k], expected[k], 1e-9);
    EXPECT_NEAR(found.value[0][k], 0.0, 1e-9);
    EXPECT_NEAR(observed.value[1][k], expected[k], 0.02);  // integrals by the trapezoidal rule
  }
}

TEST(ExternalTorques, OfTheMomentumNeedNoAccelerations) {
  const Robot robot = observed_arm();
  ObservedLog log = log_of(robot, 4.0, 0.3, 1);
  const ExternalTorques before = torques_of(robot, log, no_load(log), Residual::momentum);
  for (std::vector<double>& qdd : log.qdd) std::ranges::fill(qdd, 7.0);
  const ExternalTorques after = torques_of(robot, log, no_load(log), Residual::momentum);
  for (std::size_t k = 0; k < log.rows(); ++k) {
    EXPECT_NEAR(after.value[2][k], before.value[2][k], 1e-9);
  }
}

TEST(ExternalTorques, AreWithinTheirBandsIn95Percent) {
  std::size_t within = 0, rows = 0;
  for (std::uint64_t sample = 1; sample <= 20; ++sample) {
    Robot robot = observed_arm();
    std::mt19937_64 random(sample);
    std::normal_distribution<double> normal;
    for (Joint& joint : robot.joints) joint.body.mass *= 1.0 + 0.1 * normal(random);
    const double load = 0.5 + 0.1 * static_cast<double>(sample);
    robot.payload = {load, {0.02, 0.0, 0.05}, {}};
    const Robot file = observed_arm();
    const Robot free = [&] {
      Robot unloaded = robot;
      unloaded.payload = {};
      return unloaded;
    }();
    const ObservedLog unloaded = log_of(free, 8.0, 0.3, sample),
                      log = log_of(robot, 4.0, 0.3, 99 + sample);
    ErrorRegressor regressor(file, slow);
    const LoadHistory arm = find_loads(regressor, unloaded, direct_residual(file, unloaded),
                                       {ArmErrors::Known::not_at_all, {}, {}}, false);
    const LoadHistory found =
        find_loads(regressor, log, direct_residual(file, log),
                   {ArmErrors::Known::by_prior, arm.arm, arm.arm_information});
    ASSERT_EQ(found.intervals.size(), 1U);
    EXPECT_NEAR(found.intervals[0].mass(), load, 4.0 * found.intervals[0].mass_error());
    const ExternalTorques torques = torques_of(file, log, found);
    ObservedLog exact = log;  // the torques of the load alone
    exact.tau = direct_residual(free, log_of(robot, 4.0, 0.0, 1));
    Columns between(3, std::vector<double>(log.rows() - 1));
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k + 1 < log.rows(); ++k) {
        between[j][k] = 0.5 * (exact.tau[j][k] + exact.tau[j][k + 1]);
      }
    }
    const Columns truth = filtered(log, between, filter_width(log));
    for (std::size_t k = 0; k < log.rows(); ++k) {
      for (std::size_t j = 0; j < 3; ++j, ++rows) {
        if (truth[j][k] >= torques.low[j][k] && truth[j][k] <= torques.high[j][k]) ++within;
      }
    }
  }
  EXPECT_GE(rows, 10'000U);
  const double share = static_cast<double>(within) / static_cast<double>(rows);
  EXPECT_GE(share, 0.93);
  EXPECT_LE(share, 0.97);
}

/// The log of a robot that holds a load from one row to another.
ObservedLog log_with_load(std::size_t from, std::size_t to) {
  Robot robot = observed_arm();
  ObservedLog log = log_of(robot, 12.0, 0.3, 7);
  robot.payload = {2.0, {0.01, 0.02, 0.05}, {}};
  const ObservedLog loaded = log_of(robot, 12.0, 0.3, 7);
  for (std::size_t j = 0; j < 3; ++j) {
    std::copy(loaded.tau[j].begin() + static_cast<std::ptrdiff_t>(from),
              loaded.tau[j].begin() + static_cast<std::ptrdiff_t>(to),
              log.tau[j].begin() + static_cast<std::ptrdiff_t>(from));
  }
  return log;
}

/// Adds the torques of a force at the tool center point in some rows.
void push(const Robot& robot, const Vec3& force, std::size_t from, std::size_t to,
          ObservedLog& log) {
  for (std::size_t row = from; row < to; ++row) {
    const Matrix J = jacobian(normalize(robot), row_of(log.q, row));
    for (std::size_t j = 0; j < log.tau.size(); ++j) {
      log.tau[j][row] += dot(Vec3{J(0, j), J(1, j), J(2, j)}, force);
    }
  }
}

TEST(LoadsOfALog, AreFoundToTheRow) {
  for (const auto known : {ArmErrors::Known::exact, ArmErrors::Known::not_at_all}) {
    const ObservedLog log = log_with_load(500, 1000);
    ErrorRegressor regressor(observed_arm(), slow);
    const LoadHistory found =
        find_loads(regressor, log, direct_residual(observed_arm(), log), {known, {}, {}});
    ASSERT_EQ(found.intervals.size(), 3U);
    EXPECT_EQ(found.intervals[1].from, 500U);
    EXPECT_EQ(found.intervals[1].to, 1000U);
    EXPECT_NEAR(found.intervals[1].mass(), 2.0, 4.0 * found.intervals[1].mass_error());
    EXPECT_LT(found.intervals[1].mass_error(), 0.05);
    EXPECT_TRUE(found.intervals[1].is_body());
    EXPECT_FALSE(found.intervals[0].is_body());
  }
}

// Rows of joints at rest are in no window; the torques step all the same.
TEST(LoadsOfALog, ComeWhereTheTorquesStepAtRest) {
  const Robot robot = observed_arm();
  Robot loaded = robot;
  loaded.payload = {2.0, {0.01, 0.02, 0.05}, {}};
  ObservedLog log = log_of(robot, 12.0, 0.0, 7);
  for (std::size_t j = 0; j < 3; ++j) {
    std::ranges::fill(log.tau[j], 0.0);
    for (std::size_t row = 500; row < 800; ++row) {
      log.q[j][row] = log.q[j][500];
      log.qd[j][row] = log.qdd[j][row] = 0.0;
    }
  }
  const Columns without = direct_residual(robot, log), with = direct_residual(loaded, log);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(0.0, 0.3);
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t row = 0; row < log.rows(); ++row) {
      log.tau[j][row] = normal(random) - (row < 690 ? without : with)[j][row];
    }
  }
  ErrorRegressor regressor(robot, slow);
  const LoadHistory found = find_loads(regressor, log, direct_residual(robot, log), {});
  ASSERT_EQ(found.intervals.size(), 2U);
  EXPECT_EQ(found.intervals[0].to, 690U);
  EXPECT_EQ(found.intervals[1].from, 690U);
  EXPECT_NEAR(found.intervals[1].mass(), 2.0, 4.0 * found.intervals[1].mass_error());
}

TEST(LoadsOfALog, AreNoneOfAContact) {
  for (const auto known : {ArmErrors::Known::exact, ArmErrors::Known::not_at_all}) {
    ObservedLog log = log_with_load(500, 1000);
    for (std::size_t row = 1150; row < 1180; ++row) {
      log.tau[0][row] += 6.0;
      log.tau[1][row] -= 8.0;
    }
    ErrorRegressor regressor(observed_arm(), slow);
    const LoadHistory found =
        find_loads(regressor, log, direct_residual(observed_arm(), log), {known, {}, {}});
    ASSERT_EQ(found.intervals.size(), 3U);
    EXPECT_NEAR(found.intervals[1].mass(), 2.0, 4.0 * found.intervals[1].mass_error());
    EXPECT_FALSE(found.intervals[2].is_body());
  }
}

TEST(LoadsOfALog, DoNotChangeByChance) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Robot robot = observed_arm();
    robot.payload = {1.0, {0.01, 0.02, 0.05}, {}};
    const ObservedLog log = log_of(robot, 8.0, 0.3, seed);
    ErrorRegressor regressor(observed_arm(), slow);
    EXPECT_EQ(find_loads(regressor, log, direct_residual(observed_arm(), log), {}).intervals.size(),
              1U);
  }
}

TEST(ContactsOfALog, AreThoseOfATapAndNoOthers) {
  const Robot robot = observed_arm();
  ObservedLog log = log_of(robot, 120.0, 0.3, 3);
  const LoadHistory none = no_load(log);
  EXPECT_TRUE(
      find_contacts(log, torques_of(robot, log, none), none, 1.0 / 3600.0, 0.0).events.empty());
  for (std::size_t k = 5000; k < 5025; ++k) log.tau[1][k] += 5.0;
  const ContactEvents found =
      find_contacts(log, torques_of(robot, log, none), none, 1.0 / 3600.0, 0.0);
  ASSERT_EQ(found.events.size(), 1U);
  EXPECT_NEAR(log.t[found.events[0].from], 40.0, 0.017);
  EXPECT_NEAR(log.t[found.events[0].to - 1], 40.2, 0.017);
  EXPECT_EQ(found.events[0].joints, std::vector<std::size_t>{1});
  EXPECT_NEAR(found.events[0].peak, 5.0, 0.5);
}

TEST(ContactsOfALog, AreNoneInAnHourOfFreeMotion) {
  const Robot robot = observed_arm();
  const ObservedLog log = log_of(robot, 3600.0, 0.3, 11);
  const LoadHistory none = no_load(log);
  EXPECT_TRUE(
      find_contacts(log, torques_of(robot, log, none), none, 1.0 / 3600.0, 0.0).events.empty());
}

// Noise of speeds beside dry friction at rest, whose range ends at what full friction leaves; motors
// that turn with two joints.
TEST(ContactsOfALog, AreNoneOfDryFriction) {
  Robot rubbing = observed_arm();
  for (Joint& joint : rubbing.joints) joint.friction.coulomb = {20.0, 20.0};
  for (const Robot& robot : {rubbing, shipped_robot("staubli-tx40")}) {
    ObservedLog log = log_of(robot, 120.0, 0.03, 3);
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    for (std::vector<double>& qd : log.qd) {
      for (double& x : qd) x += 1e-3 * normal(random);
    }
    const LoadHistory none = no_load(log);
    const ExternalTorques found = torques_of(robot, log, none, Residual::momentum);
    EXPECT_TRUE(find_contacts(log, found, none, 1.0 / 3600.0, 0.0).events.empty()) << robot.name;
  }
}

// Noise of speeds enters by the mass matrix, which depends on the posture.
TEST(ContactsOfALog, AreNoneOfNoiseOfSpeeds) {
  for (const std::string name : {"franka-panda", "ur5e"}) {
    const Robot robot = shipped_robot(name);
    ObservedLog log = log_of(robot, 300.0, 0.1, 3);
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    for (std::vector<double>& qd : log.qd) {
      for (double& x : qd) x += 8e-3 * normal(random);
    }
    log.derives_qdd = true;
    const LoadHistory none = no_load(log);
    const ExternalTorques found = torques_of(robot, log, none, Residual::momentum);
    EXPECT_TRUE(find_contacts(log, found, none, 1.0 / 3600.0, 0.0).events.empty()) << name;
    // Bands cover 95 % where the inertia about joint 1 is small and where it is large.
    std::vector<std::pair<double, bool>> covered;
    for (std::size_t row = 0; row < log.rows(); ++row) {
      if (std::abs(log.qd[0][row]) < 0.1) continue;  // dry friction at rest
      const double inertia = mass_matrix(normalize(robot), row_of(log.q, row))(0, 0);
      covered.emplace_back(inertia, found.low[0][row] <= 0.0 && found.high[0][row] >= 0.0);
    }
    std::ranges::sort(covered);
    const std::size_t tenth = covered.size() / 10;
    for (const std::size_t from : {std::size_t{0}, covered.size() - tenth}) {
      const auto first = covered.begin() + index(from);
      const auto within = std::count_if(first, first + index(tenth),
                                        [](const auto& of_row) { return of_row.second; });
      EXPECT_NEAR(static_cast<double>(within) / static_cast<double>(tenth), 0.95, 0.03)
          << name << ' ' << from;
    }
  }
}

// A fifth of the log's half seconds have one.
TEST(ContactsOfALog, AreTapsWhereTheNoiseIsNormal) {
  const Robot robot = observed_arm();
  ObservedLog log = log_of(robot, 20.0, 0.3, 3);
  const LoadHistory none = no_load(log);
  const auto found_in = [&](const ObservedLog& in) {
    return find_contacts(in, torques_of(robot, in, none), none, 1.0 / 3600.0, 0.0);
  };
  std::vector<std::size_t> taps;
  for (std::size_t k = 250; k + 250 < log.rows(); k += 280) {
    taps.push_back(k);
    for (std::size_t row = k; row < k + 3; ++row) log.tau[1][row] += 2.5;
  }
  ASSERT_EQ(taps.size(), 8U);
  const ContactEvents found = found_in(log);
  ASSERT_EQ(found.events.size(), taps.size());
  for (std::size_t k = 0; k < taps.size(); ++k) {
    EXPECT_NEAR(log.t[found.events[k].worst], log.t[taps[k] + 1], 0.017);
    EXPECT_EQ(found.events[k].joints, std::vector<std::size_t>{1});
  }
  EXPECT_LT(found.tap_thresholds[1], 2.5);
  EXPECT_GT(found.tap_thresholds[1], 0.6);
  // Where errors of the model are larger than the noise, a tap is no plain event.
  for (std::size_t row = 0; row < log.rows(); ++row) {
    log.tau[1][row] += 3.0 * std::pow(std::sin(2.0 * log.t[row]), 9);
  }
  EXPECT_TRUE(found_in(log).events.empty());
  EXPECT_TRUE(std::isinf(found_in(log).tap_thresholds[1]));
}

// Noise makes the flanks of some longer: 99 of 100 are found.
TEST(ContactsOfALog, AreTapsOfAllStrengths) {
  const Robot robot = observed_arm();
  ObservedLog log = log_of(robot, 240.0, 0.1, 6);
  std::size_t taps = 0;
  for (std::size_t k = 250; k + 250 < log.rows(); k += 280, ++taps) {
    const double size = 1.0 + 0.5 * static_cast<double>(taps % 5);
    for (std::size_t row = k; row < k + 3; ++row) {
      log.tau[0][row] += 0.4 * size;
      log.tau[1][row] -= size;
    }
  }
  const LoadHistory none = no_load(log);
  const ContactEvents found =
      find_contacts(log, torques_of(robot, log, none), none, 1.0 / 3600.0, 0.0);
  EXPECT_GE(100 * found.events.size(), 99 * taps);
  EXPECT_LE(found.events.size(), taps);
}

// All that friction at rest can be is less than the noise.
TEST(ContactsOfALog, AreNoneAtRest) {
  Robot robot = observed_arm();
  for (Joint& joint : robot.joints) joint.friction.coulomb = {0.1, 0.1};
  ObservedLog log = log_of(observed_arm(), 20.0, 0.0, 3);
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t row = 0; row < log.rows(); ++row) {
      log.q[j][row] = 0.4;
      log.qd[j][row] = log.qdd[j][row] = log.tau[j][row] = 0.0;
    }
  }
  log.tau = direct_residual(robot, log);
  for (std::vector<double>& tau : log.tau) {
    for (double& x : tau) x = 0.3 * normal(random) - x;
  }
  const LoadHistory none = no_load(log);
  const ContactEvents found =
      find_contacts(log, torques_of(robot, log, none), none, 1.0 / 3600.0, 0.0);
  EXPECT_TRUE(found.events.empty()) << found.events.size();
}

// Now and then the noise is five times as large for some seconds.
TEST(ContactsOfALog, AreNoneOfNoiseThatGrows) {
  const Robot robot = observed_arm();
  ObservedLog log = log_of(robot, 600.0, 0.3, 3);
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal;
  for (std::vector<double>& tau : log.tau) {
    for (std::size_t row = 0; row < log.rows(); ++row) {
      const double aside = std::fmod(log.t[row], 20.0) - 10.0;
      tau[row] += 1.5 * std::exp(-0.125 * aside * aside) * normal(random);
    }
  }
  const LoadHistory none = no_load(log);
  const ContactEvents found =
      find_contacts(log, torques_of(robot, log, none), none, 1.0 / 3600.0, 0.0);
  EXPECT_TRUE(found.events.empty()) << found.events.size();
}

/// Expects the force that a contact exerts at a row to be within 4.5 of its errors.
void expect_force(const Robot& robot, const ObservedLog& log, const ExternalTorques& torques,
                  std::size_t row, const Vec3& force) {
  const ContactWrench is =
      contact_wrench(robot, row_of(log.q, row), row_of(torques.beyond_load, row),
                     row_of(torques.error, row), ContactPart::force);
  const auto value = coordinates(is.force.value), error = coordinates(is.force.error);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(value[k], coordinates(force)[k], 4.5 * error[k]) << k;
  }
}

// The filter lowers torques near the ends of a contact.
TEST(ContactForces, OfLongContactsAreWithinTheirErrors) {
  const Robot robot = observed_arm();
  const Vec3 force{12.0, -18.0, 25.0};
  for (std::size_t from = 200; from < 1000; from += 80) {
    ObservedLog log = log_of(robot, 10.0, 0.1, from);
    push(robot, force, from, from + 50, log);
    const LoadHistory none = no_load(log);
    const ExternalTorques torques = torques_of(robot, log, none);
    const ContactEvents found = find_contacts(log, torques, none, 1.0 / 3600.0, 0.0);
    ASSERT_EQ(found.events.size(), 1U);
    SCOPED_TRACE(from);
    expect_force(robot, log, torques, found.events[0].worst, force);
  }
}

// A force may last as long as a load; it pulls no load toward itself, and no load takes part of it.
TEST(ContactForces, BesideALoadAreWithinTheirErrors) {
  const Robot robot = observed_arm();
  const Vec3 force{-13.3, 2.8, -19.6};
  for (const std::size_t rows : {70U, 130U, 200U, 280U}) {
    ObservedLog log = log_with_load(400, 900);
    push(robot, force, 1100, 1100 + rows, log);
    ErrorRegressor regressor(robot, slow);
    const Columns direct = direct_residual(robot, log);
    const LoadHistory loads = find_loads(regressor, log, direct, {});
    ASSERT_EQ(loads.intervals.size(), 3U) << rows;
    EXPECT_NEAR(log.t[loads.intervals[1].from], 3.2, 0.02) << rows;
    EXPECT_NEAR(log.t[loads.intervals[1].to], 7.2, 0.02) << rows;
    EXPECT_NEAR(loads.intervals[1].mass(), 2.0, 4.0 * loads.intervals[1].mass_error()) << rows;
    EXPECT_LT(loads.intervals[1].mass_error(), 0.05) << rows;
    const ExternalTorques torques =
        external_torques(robot, regressor, log, direct, Residual::direct, loads);
    const ContactEvents found = find_contacts(log, torques, loads, 1.0 / 3600.0, 0.0);
    ASSERT_EQ(found.events.size(), 1U) << rows;
    EXPECT_NEAR(log.t[found.events[0].from], log.t[1100], 0.02) << rows;
    EXPECT_NEAR(log.t[found.events[0].to], log.t[1100 + rows], 0.02) << rows;
    SCOPED_TRACE(rows);
    expect_force(robot, log, torques, found.events[0].worst, force);
  }
}

// No payload explains a push that lifts, or pushes to the side; one that presses down would be a load.
TEST(ContactForces, AreThoseOfPushesAsLongAsALoad) {
  for (const Vec3 force : {Vec3{5.0, -8.0, -25.0}, Vec3{0.0, 0.0, -20.0}, Vec3{-30.0, 0.0, 0.0}}) {
    for (const std::size_t rows : {130U, 250U}) {
      constexpr std::size_t from = 600;
      const Robot robot = observed_arm();
      ObservedLog log = log_of(robot, 20.0, 0.1, rows);
      push(robot, force, from, from + rows, log);
      ErrorRegressor regressor(robot, slow);
      const LoadHistory loads = find_loads(regressor, log, direct_residual(robot, log), {});
      EXPECT_TRUE(std::ranges::none_of(loads.intervals, &LoadInterval::is_body)) << rows;
      const ContactEvents found =
          find_contacts(log, torques_of(robot, log, loads), loads, 1.0 / 3600.0, 0.0);
      ASSERT_EQ(found.events.size(), 1U) << rows << ' ' << force.x;
      EXPECT_NEAR(static_cast<double>(found.events[0].from), static_cast<double>(from), 4.0);
      EXPECT_NEAR(static_cast<double>(found.events[0].to), static_cast<double>(from + rows), 4.0);
    }
  }
}

// A push of 3 s tells nothing of where the noise is: else taps are found in postures with less of it.
TEST(ExternalTorques, HaveTheNoiseOfALogWithoutItsPush) {
  const Robot robot = observed_arm();
  const ObservedLog free = log_of(robot, 20.0, 0.1, 3);
  const ExternalTorques expected = torques_of(robot, free, no_load(free));
  for (const double size : {1.0, 4.0}) {
    ObservedLog log = free;
    push(robot, {12.0 * size, -18.0 * size, 25.0 * size}, 1000, 1375, log);
    const ExternalTorques found = torques_of(robot, log, no_load(log));
    for (std::size_t j = 0; j < 3; ++j) {
      const auto ratios = each(in_order(log.rows()), [&](std::size_t row) {
        return found.error[j][row] / expected.error[j][row];
      });
      const auto [least, most] = std::ranges::minmax(ratios);
      EXPECT_LT(most, 1.03 * least) << size << ' ' << j;
    }
  }
}

// Where dry friction hides part of a torque, its deviation has the open range.
TEST(ExternalTorques, DeviateByTheFrictionThatRestLeavesOpen) {
  Robot robot = observed_arm();
  for (Joint& joint : robot.joints) joint.friction.coulomb = {20.0, 20.0};
  ObservedLog log = log_of(robot, 12.0, 0.03, 3);
  const Vec3 force{12.0, -18.0, 25.0};
  push(robot, force, 400, 1000, log);
  const ExternalTorques found = torques_of(robot, log, no_load(log));
  std::size_t at_rest = 0;
  for (std::size_t row = 410; row < 990; ++row) {
    const Matrix J = jacobian(normalize(robot), row_of(log.q, row));
    const std::vector<double> deviations = found.deviations(row);
    for (std::size_t j = 0; j < 3; ++j) {
      const double is = dot(Vec3{J(0, j), J(1, j), J(2, j)}, force);
      if (std::abs(found.value[j][row] - is) > 6.0 * found.error[j][row]) ++at_rest;
      EXPECT_NEAR(found.value[j][row], is, 6.0 * deviations[j]) << row << ' ' << j;
    }
  }
  EXPECT_GT(at_rest, 0U);
}

TEST(ContactForces, ExplainTheTorques) {
  Robot robot = observed_arm();
  robot.tool.xyz = {0.1, 0.0, 0.2};
  const std::vector<double> q{0.3, -0.5, 0.8}, zero(3);
  const Arm arm = normalize(robot);
  // The wrench of the tool on the environment is in its own axes.
  const Wrench wrench{{3.0, -1.0, 2.0}, {}};
  std::vector<double> torques = torque(arm, {q, zero, zero}, wrench);
  const std::vector<double> without = torque(arm, {q, zero, zero});
  for (std::size_t j = 0; j < 3; ++j) torques[j] -= without[j];
  const ContactWrench found =
      contact_wrench(robot, q, torques, std::vector<double>(3, 0.1), ContactPart::force);
  const double size = std::sqrt(14.0);
  EXPECT_NEAR(std::hypot(found.force.value.x, found.force.value.y, found.force.value.z), size,
              1e-9);
  EXPECT_TRUE(found.undetermined.empty());
  EXPECT_EQ(found.free, 0.0);
}

TEST(ContactForces, HaveMomentsWhereTheyAreNeeded) {
  RandomArm random(9);
  Robot robot = random.robot(7);
  for (Joint& joint : robot.joints) joint.type = JointType::revolute;
  robot.base = {};
  const std::vector<double> q{0.3, -0.5, 0.8, 1.1, -0.7, 0.4, 0.2}, zero(7), errors(7, 0.1);
  const Arm arm = normalize(robot);
  const Vec3 force{3.0, -1.0, 2.0}, moment{0.4, 0.8, -0.3};
  const std::vector<double> without = torque(arm, {q, zero, zero});
  const auto exerted = [&](const Wrench& wrench) {
    std::vector<double> torques = torque(arm, {q, zero, zero}, wrench);
    for (std::size_t j = 0; j < 7; ++j) torques[j] -= without[j];
    return torques;
  };
  const Mat3 R = pose(arm, q).tcp.R;
  const auto near = [](const Vec3& found, const Vec3& expected) {
    const Vec3 off = found - expected;
    EXPECT_LT(std::sqrt(dot(off, off)), 1e-9);
  };
  const ContactWrench whole =
      contact_wrench(robot, q, exerted({force, moment}), errors, ContactPart::wrench);
  near(whole.force.value, R * force);
  near(whole.moment.value, R * moment);
  EXPECT_LT(whole.left, 1e-9);
  EXPECT_EQ(whole.free, 1.0);
  EXPECT_GT(contact_wrench(robot, q, exerted({force, moment}), errors, ContactPart::force).left,
            1.0);
  EXPECT_LT(contact_wrench(robot, q, exerted({force, {}}), errors, ContactPart::force).left, 1e-9);
}

/// A trunk with the tool's arm and another, and a link that both move.
Robot observed_mechanism() {
  Robot robot = observed_arm();
  robot.joints[2].parent = robot.joints[0].name;
  Joint follower = robot.joints[1];
  follower.name = "level";
  follower.parent = robot.joints[1].name;
  follower.follows = {{{robot.joints[1].name, -1.0}, {robot.joints[2].name, 0.5}}, 0.2};
  robot.followers = {follower};
  robot.tool_link = "level";
  robot.tool.xyz = {0.1, 0.0, 0.2};
  return robot;
}

TEST(Mechanisms, CarryLoads) {
  const Robot robot = observed_mechanism();
  Robot loaded = robot;
  loaded.payload = {2.0, {0.02, 0.01, 0.1}, {}};
  ObservedLog log = log_of(robot, 12.0, 0.3, 7);
  const ObservedLog with_load = log_of(loaded, 12.0, 0.3, 7);
  for (std::size_t j = 0; j < 3; ++j) {
    std::copy_n(with_load.tau[j].begin() + 500, 500, log.tau[j].begin() + 500);
  }
  ErrorRegressor regressor(robot, slow);
  const LoadHistory found =
      find_loads(regressor, log, direct_residual(robot, log), {ArmErrors::Known::exact, {}, {}});
  ASSERT_EQ(found.intervals.size(), 3U);
  EXPECT_EQ(found.intervals[1].from, 500U);
  EXPECT_EQ(found.intervals[1].to, 1000U);
  EXPECT_NEAR(found.intervals[1].mass(), 2.0, 4.0 * found.intervals[1].mass_error());
  EXPECT_LT(found.intervals[1].mass_error(), 0.05);
}

TEST(Mechanisms, AreTouchedAtTheJointsThatMoveThePoint) {
  Robot robot = observed_mechanism();
  const std::vector<double> q{0.3, -0.5, 0.8}, zero(3), errors(3, 0.1);
  const auto torques = [&](const Wrench& wrench) {
    return torque(normalize(robot), {q, zero, zero}, wrench);
  };
  const auto exerted = [&](const Wrench& wrench) {
    std::vector<double> tau = torques(wrench);
    const std::vector<double> without = torques({});
    for (std::size_t j = 0; j < 3; ++j) tau[j] -= without[j];
    return tau;
  };
  const ContactWrench whole =
      contact_wrench(robot, q, exerted({{3.0, -1.0, 2.0}, {}}), errors, ContactPart::force);
  EXPECT_NEAR(std::sqrt(dot(whole.force.value, whole.force.value)), std::sqrt(14.0), 1e-9);
  EXPECT_EQ(whole.free, 0.0);

  robot.tool_link = robot.joints[2].name;  // which joint 2 does not move
  std::vector<double> tau = exerted({{3.0, 0.0, 2.0}, {}});
  EXPECT_EQ(tau[1], 0.0);
  tau[1] = 9.0;
  const ContactWrench beside = contact_wrench(robot, q, tau, errors, ContactPart::force);
  EXPECT_LT(beside.left, 1e-9);
  EXPECT_EQ(beside.axes.size(), 2U);
}

TEST(ArmErrors, AreThoseOfTheFile) {
  Robot file = observed_arm();
  const ObservedLog log = log_of(file, 8.0, 0.3, 2);
  ErrorRegressor regressor(file, slow);
  EXPECT_EQ(errors_of_file(file, regressor).known, ArmErrors::Known::exact);
  const LoadHistory arm = find_loads(regressor, log, direct_residual(file, log),
                                     {ArmErrors::Known::not_at_all, {}, {}}, false);
  IdentifiedParameters identified;
  const std::vector<std::string> names = regressor.names();
  for (std::size_t i = names.size(); i-- > 0;) {  // in another order
    identified.names.push_back(names[i]);
    identified.offsets.push_back(0.1 * static_cast<double>(i));
    for (std::size_t j = names.size(); j-- > i;) {
      identified.covariance.push_back(arm.arm_covariance(index(i), index(j)));
    }
  }
  const auto with = [&](IdentifiedParameters of) {
    FileAccuracy accuracy;
    accuracy.identified = std::move(of);
    file.file_accuracy = std::make_shared<const FileAccuracy>(std::move(accuracy));
    return errors_of_file(file, regressor);
  };
  const ArmErrors errors = with(identified);
  ASSERT_EQ(errors.known, ArmErrors::Known::by_prior);
  EXPECT_NEAR(errors.values[3], 0.3, 1e-12);
  const Eigen::MatrixXd one = errors.information * arm.arm_covariance;
  EXPECT_LT((one - Eigen::MatrixXd::Identity(one.rows(), one.cols())).norm(), 1e-4);
  identified.names[0] = "m9";
  EXPECT_EQ(with(identified).known, ArmErrors::Known::exact);
}

}  // namespace
}  // namespace armdyn::testing
