// Whether columns of a log are what they seem: of a hundred logs that a seed spoils, or leaves as they
// are, what is wrong is named in 95 and nothing else in any.

#include "identification/log_hypotheses.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "math/columns.hpp"
#include "math/each.hpp"
#include "math/finite.hpp"
#include "model/motors.hpp"
#include "support/csv_test_tools.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn {
namespace {

using Measured = LogHypothesis::Measured;
using Effect = LogHypothesis::Effect;
using Source = LogHypothesis::Source;

/// What a log's columns are beside what they seem.
struct Fault {
  LogHypothesis reading;      ///< that is right
  std::vector<double> sizes;  ///< of effects
};

/// How a log was recorded.
struct Conditions {
  double duration = 10.0;                // s
  double friction = 0.05, noise = 0.01;  // of a joint's usual torque
  bool is_one_by_one = false;            // joints swing one after the other, not together
};

/// Log of an arm in a motion of harmonics, with friction, noise and masses that its file does not know.
class SpoiltLog {
 public:
  SpoiltLog(const std::string& name, unsigned seed, const Conditions& conditions = {})
      : SpoiltLog(testing::shipped_robot(name), seed, conditions) {}
  SpoiltLog(const Robot& robot, unsigned seed, const Conditions& conditions = {})
      : robot_(robot), conditions_(conditions), n_(robot.dof()), random_(seed) {
    fault.sizes.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) fault.reading.joints.push_back({i, i});
    Robot real = robot_;
    for (Joint& joint : real.joints) {
      const double factor = 1.0 + 0.03 * between(-1.0, 1.0);
      joint.body.mass *= factor;
    }
    t_ = each(in_order(rows), [&](std::size_t row) { return step() * static_cast<double>(row); });
    columns_.assign(4 * n_, std::vector<double>(rows));
    for (std::size_t i = 0; i < n_; ++i) move(i);
    torques(real);
  }

  double between(double a, double b) { return std::uniform_real_distribution(a, b)(random_); }
  std::size_t any(std::size_t from, std::size_t end) {
    return std::uniform_int_distribution(from, end - 1)(random_);
  }
  [[nodiscard]] std::size_t dof() const { return n_; }
  [[nodiscard]] const Robot& robot() const { return robot_; }
  std::vector<double>& q(std::size_t i) { return columns_[i]; }
  std::vector<double>& tau(std::size_t i) { return columns_[3 * n_ + i]; }

  void scale(std::size_t i, double factor) {
    times(tau(i), factor);
    fault.reading.joints[i].effect = Effect::scale;
    fault.sizes[i] = factor;
  }
  void turn(std::size_t i) {
    for (std::size_t k = 0; k < 3; ++k) times(columns_[k * n_ + i], -1.0);
  }
  /// Motion of joint i less (or plus) that of the joint before.
  void set_beside(std::size_t i, int beside) {
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t row = 0; row < rows; ++row) {
        columns_[k * n_ + i][row] -= beside * columns_[k * n_ + i - 1][row];
      }
    }
    fault.reading.joints[i].beside = beside;
  }
  /// Columns of joint order[i], or its torque alone, in place of those of joint i.
  void reorder(const std::vector<std::size_t>& order, bool only_torque) {
    const Columns before = columns_;
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t k = only_torque ? 3 : 0; k < 4; ++k) {
        columns_[k * n_ + order[i]] = before[k * n_ + i];
      }
      fault.reading.joints[i].torque_column = order[i];
      if (!only_torque) fault.reading.joints[i].column = order[i];
    }
  }
  void exchange_motion(std::size_t a, std::size_t b) {
    for (std::size_t k = 0; k < 3; ++k) std::swap(columns_[k * n_ + a], columns_[k * n_ + b]);
    fault.reading.joints[a].column = b;
    fault.reading.joints[b].column = a;
  }
  void delay(double later) {
    const auto steps = static_cast<std::ptrdiff_t>(std::lround(later / step()));
    const auto cut = [](std::vector<double>& values, std::ptrdiff_t first, std::ptrdiff_t last) {
      values.erase(values.end() - last, values.end());
      values.erase(values.begin(), values.begin() + first);
    };
    const std::ptrdiff_t before = std::max<std::ptrdiff_t>(steps, 0), after = before - steps;
    cut(t_, before, after);
    for (std::size_t k = 0; k < 3 * n_; ++k) cut(columns_[k], before, after);
    for (std::size_t i = 0; i < n_; ++i) cut(tau(i), after, before);
    fault.reading.later = step() * static_cast<double>(steps);
  }
  void set_gravity(const Vec3& gravity) {
    Robot other = robot_;
    other.gravity = gravity;
    torques(other);
    fault.reading.gravity = gravity;
  }
  void hold(double mass, const Vec3& com) {
    Robot other = robot_;
    other.payload = {mass, com, {}};
    torques(other);
    fault.reading.payload = {mass, com};
  }
  void take_to_motors(bool with_motion) {
    const MotorSide motors(robot_);
    for (std::size_t i = 0; i < n_; ++i) {
      const double ratio = robot_.joints[i].motor.gear_ratio;
      times(tau(i), 1.0 / ratio);
      for (std::size_t k = 0; with_motion && k < 3; ++k) times(columns_[k * n_ + i], ratio);
    }
    fault.reading.measured = with_motion ? Measured::motor_side : Measured::motor_torques;
  }
  static void times(std::vector<double>& values, double factor) {
    for (double& value : values) value *= factor;
  }

  [[nodiscard]] std::optional<LogFinding> found() const {
    LogHypotheses hypotheses(robot_, BlockInverseDynamics(normalize(robot_)));
    const std::vector<const double*> at = places(columns_);
    const std::span<const Column> all(at);
    const std::vector<std::span<const double>> tau(columns_.begin() + 3 * std::ptrdiff_t(n_),
                                                   columns_.end());
    hypotheses.add(
        {t_.size(), all.subspan(0, n_), all.subspan(n_, n_), all.subspan(2 * n_, n_), {}}, t_, tau);
    return hypotheses.find();
  }

  Fault fault;

 private:
  static constexpr std::size_t rows = 1000;

  [[nodiscard]] double step() const { return conditions_.duration / rows; }

  void move(std::size_t i) {
    if (conditions_.is_one_by_one) return swing(i);
    const double center = between(-0.5, 0.5);
    std::array<double, 3> amplitudes{}, phases{};
    for (std::size_t k = 0; k < 3; ++k) {
      amplitudes[k] = between(0.2, 0.8) / static_cast<double>(k + 1);
      phases[k] = between(-3.0, 3.0);
    }
    const double slowest = between(0.5, 1.0);
    for (std::size_t row = 0; row < rows; ++row) {
      double values[3] = {center, 0.0, 0.0};
      for (std::size_t k = 0; k < 3; ++k) {
        const double w = slowest * static_cast<double>(k + 1), angle = w * t_[row] + phases[k];
        values[0] += amplitudes[k] * std::sin(angle);
        values[1] += amplitudes[k] * w * std::cos(angle);
        values[2] -= amplitudes[k] * w * w * std::sin(angle);
      }
      const bool slides = robot_.joints[i].type == JointType::prismatic;
      for (std::size_t k = 0; k < 3; ++k)
        columns_[k * n_ + i][row] = values[k] * (slides ? 0.2 : 1.0);
    }
  }

  /// Moves joint i there and back in its share of the time.
  void swing(std::size_t i) {
    const double center = between(-0.5, 0.5), amplitude = between(0.4, 1.2);
    const std::size_t each_joint = rows / n_, from = i * each_joint;
    const double w = 2.0 * std::numbers::pi * static_cast<double>(any(1, 4)) /
                     (step() * static_cast<double>(each_joint));
    for (std::size_t row = 0; row < rows; ++row) {
      const double angle = row / each_joint == i ? w * (t_[row] - t_[from]) : 0.0;
      const double moves = angle == 0.0 ? 0.0 : amplitude;
      columns_[i][row] = center + moves * (1.0 - std::cos(angle));
      columns_[n_ + i][row] = moves * w * std::sin(angle);
      columns_[2 * n_ + i][row] = moves * w * w * std::cos(angle);
    }
  }

  void torques(const Robot& real) {
    BlockInverseDynamics dynamics(normalize(real));
    const std::vector<const double*> at = places(std::as_const(columns_));
    const std::span<const Column> all(at);
    Columns tau(n_, std::vector<double>(rows));
    dynamics.torque({rows, all.subspan(0, n_), all.subspan(n_, n_), all.subspan(2 * n_, n_), {}},
                    places(tau));
    std::normal_distribution<double> normal(0.0, 1.0);
    for (std::size_t i = 0; i < n_; ++i) {
      double squares = 0.0;
      for (const double torque : tau[i]) squares += torque * torque;
      const double usual = std::sqrt(squares / rows) + 1e-3;
      for (std::size_t row = 0; row < rows; ++row) {
        const double qd = columns_[n_ + i][row];
        tau[i][row] += usual * (conditions_.friction * ((qd > 0.0) - (qd < 0.0) + qd) +
                                conditions_.noise * normal(random_));
      }
      columns_[3 * n_ + i] = tau[i];
    }
  }

  Robot robot_;
  Conditions conditions_;
  std::size_t n_;
  std::mt19937_64 random_;
  std::vector<double> t_;
  Columns columns_;  // q, qd, qdd, tau
};

using Spoil = std::function<void(SpoiltLog&)>;

std::vector<std::size_t> exchanged(std::size_t n, std::size_t i, std::size_t j) {
  std::vector<std::size_t> order = in_order(n);
  std::swap(order[i], order[j]);
  return order;
}

const std::vector<std::pair<std::string, Spoil>> ways{
    {"as it is", [](SpoiltLog&) {}},
    {"torques of the other sign",
     [](SpoiltLog& log) {
       for (std::size_t i = 0; i < log.dof(); ++i) SpoiltLog::times(log.tau(i), -1.0);
       log.fault.reading.measured = Measured::opposite;
     }},
    {"without gravity", [](SpoiltLog& log) { log.set_gravity({}); }},
    {"on a wall",
     [](SpoiltLog& log) {
       log.set_gravity({0.0, -9.81, 0.0});
     }},
    {"one joint 1.3 times", [](SpoiltLog& log) { log.scale(log.any(1, 4), 1.3); }},
    {"all twice",
     [](SpoiltLog& log) {
       for (std::size_t i = 0; i < log.dof(); ++i) log.scale(i, 2.0);
     }},
    {"per cent of ratings",
     [](SpoiltLog& log) {
       for (std::size_t i = 0; i < log.dof(); ++i) log.scale(i, 100.0 / (i < 3 ? 150.0 : 28.0));
     }},
    {"currents of some joints",
     [](SpoiltLog& log) {
       for (std::size_t i = 1; i < 3; ++i) log.scale(i, log.between(0.05, 0.2));
     }},
    {"mixed units",
     [](SpoiltLog& log) {
       for (std::size_t i = 1; i < log.dof(); i += 2) log.scale(i, 1000.0);
     }},
    {"a joint of the other sign",
     [](SpoiltLog& log) {
       const std::size_t i = log.any(1, 3);
       log.turn(i);
       SpoiltLog::times(log.tau(i), -1.0);
       log.fault.reading.joints[i].is_turned = true;
     }},
    {"a torque of the other sign",
     [](SpoiltLog& log) {
       const std::size_t i = log.any(1, 3);
       SpoiltLog::times(log.tau(i), -1.0);
       log.fault.reading.joints[i].is_torque_turned = true;
     }},
    {"a motion of the other sign",
     [](SpoiltLog& log) {
       const std::size_t i = log.any(1, 3);
       log.turn(i);
       log.fault.reading.joints[i].is_turned = log.fault.reading.joints[i].is_torque_turned = true;
     }},
    {"a quarter turn",
     [](SpoiltLog& log) {
       const std::size_t i = log.any(1, 3);
       for (double& q : log.q(i)) q -= std::numbers::pi / 2.0;
       log.fault.reading.joints[i].zero = 90.0;
     }},
    {"any zero",
     [](SpoiltLog& log) {
       const std::size_t i = log.any(1, 3);
       const double zero = std::round(log.between(20.0, 160.0));
       for (double& q : log.q(i)) q += zero * std::numbers::pi / 180.0;
       log.fault.reading.joints[i].zero = -zero;
     }},
    {"two joints exchanged",
     [](SpoiltLog& log) {
       const std::size_t i = log.any(1, 3);
       log.reorder(exchanged(log.dof(), i, i + 1), false);
     }},
    {"two torques exchanged",
     [](SpoiltLog& log) { log.reorder(exchanged(log.dof(), log.any(0, 2), log.any(2, 4)), true); }},
    {"columns one further",
     [](SpoiltLog& log) {
       std::vector<std::size_t> order = in_order(log.dof());
       std::rotate(order.begin(), order.begin() + 1, order.end());
       log.reorder(order, false);
     }},
    {"later", [](SpoiltLog& log) { log.delay(log.between(0.03, 0.5)); }},
    {"earlier", [](SpoiltLog& log) { log.delay(-log.between(0.03, 0.5)); }},
    {"third axis against the horizon", [](SpoiltLog& log) { log.set_beside(2, 1); }},
    {"third axis the other way", [](SpoiltLog& log) { log.set_beside(2, -1); }},
    {"torques of motors", [](SpoiltLog& log) { log.take_to_motors(false); }},
    {"motors", [](SpoiltLog& log) { log.take_to_motors(true); }},
    {"spring",
     [](SpoiltLog& log) {
       const double stiffness = largest_magnitude(log.tau(1)) * log.between(0.5, 2.0);
       for (std::size_t row = 0; row < log.q(1).size(); ++row) {
         log.tau(1)[row] += stiffness * (log.q(1)[row] - 0.3);
       }
       log.fault.reading.joints[1].effect = Effect::spring;
       log.fault.sizes[1] = stiffness;
     }},
    {"counterweight",
     [](SpoiltLog& log) {
       const double moment = largest_magnitude(log.tau(1)) * log.between(0.5, 1.5);
       const double phase = log.between(-3.0, 3.0);
       for (std::size_t row = 0; row < log.q(1).size(); ++row) {
         log.tau(1)[row] += moment * std::sin(log.q(1)[row] + phase);
       }
       log.fault.reading.joints[1].effect = Effect::counterweight;
       log.fault.sizes[1] = moment;
     }},
    {"offset of a torque",
     [](SpoiltLog& log) {
       const std::size_t i = log.any(1, 3);
       const double offset = largest_magnitude(log.tau(i)) * (log.any(0, 2) == 0 ? 0.6 : -1.2);
       for (double& tau : log.tau(i)) tau += offset;
       log.fault.reading.joints[i].effect = Effect::offset;
       log.fault.sizes[i] = offset;
     }},
    {"as it is, again", [](SpoiltLog&) {}},
};

std::string text(const LogHypothesis& reading, const std::vector<double>& sizes) {
  std::string said =
      fmt::format("measured {} later {:.4f}", static_cast<int>(reading.measured), reading.later);
  for (std::size_t i = 0; i < reading.joints.size(); ++i) {
    const Source& of = reading.joints[i];
    if (of == Source{i, i}) continue;
    said += fmt::format("; {}: of {} {}, turned {} {}, zero {:.4g}, beside {}, effect {} {:.4g}", i,
                        of.column, of.torque_column, of.is_turned, of.is_torque_turned, of.zero,
                        of.beside, static_cast<int>(of.effect), i < sizes.size() ? sizes[i] : 0.0);
  }
  return said;
}

/// Tells whether what was found is the fault, of joints whose torque shows it, or one of two.
bool is_right(const LogFinding& found, const Fault& fault) {
  for (const LogFinding& other : found.others) {
    if (is_right(other, fault)) return true;
  }
  const LogHypothesis &is = found.hypothesis, &wanted = fault.reading;
  if (is.gravity.has_value() != wanted.gravity.has_value()) return false;
  if (is.gravity && length(*is.gravity - *wanted.gravity) > 0.5) return false;
  if (is.measured != wanted.measured ||
      std::abs(is.later - wanted.later) > 0.005 + 0.05 * std::abs(wanted.later))
    return false;
  std::size_t seen = 0, there = 0;
  for (std::size_t i = 0; i < is.joints.size(); ++i) {
    Source of = is.joints[i], expected = wanted.joints[i];
    if (expected.effect != Effect::none) ++there;
    if (of.effect == expected.effect && of.effect != Effect::none) {
      ++seen;
      if (std::abs(found.sizes[i] / fault.sizes[i] - 1.0) > 0.1) return false;
    }
    if (of.effect == Effect::none) expected.effect = Effect::none;
    const double away = std::remainder(of.zero - expected.zero, 360.0);
    if (std::abs(away) > 3.0) return false;
    of.zero = expected.zero;
    if (of != expected) return false;
  }
  return seen > 0 || there == 0;
}

struct Count {
  std::size_t logs = 0, named = 0, falsely = 0;
};

/// What is said of logs of these seeds under conditions by seed.
Count count_named(unsigned first_seed, unsigned logs,
                  const std::function<Conditions(unsigned)>& by) {
  const std::array robots{"ur5e",          "puma560", "kuka-iiwa14",     "puma560-akb",
                          "staubli-tx40",  "ur10e",   "franka-panda",    "barrett-wam7",
                          "motoman-sia10", "ur3e",    "mitsubishi-pa10", "six-link-jaeri"};
  Count count;
  for (unsigned seed = first_seed; seed < first_seed + logs; ++seed) {
    const auto& [way, spoil] = ways[seed % ways.size()];
    const bool needs_motors = way.find("motors") != way.npos;
    const std::string robot = needs_motors ? "puma560-akb" : robots[seed * 7 / 5 % robots.size()];
    const Conditions conditions = by(seed);
    SpoiltLog log(robot, seed, conditions);
    spoil(log);
    const auto found = log.found();
    const bool is_as_it_is = log.fault.reading == SpoiltLog(robot, seed).fault.reading;
    const bool right = found ? is_right(*found, log.fault) : is_as_it_is;
    count.logs += 1;
    if (right) count.named += 1;
    if (found && !right) count.falsely += 1;
    if (!right) {
      fmt::print("{} {} {} ({} s, friction {}, noise {}{}): {}\n   expected {}\n", seed, robot, way,
                 conditions.duration, conditions.friction, conditions.noise,
                 conditions.is_one_by_one ? ", one by one" : "",
                 found
                     ? text(found->hypothesis, found->sizes) +
                           fmt::format(" left {:.3g} of {:.3g}", found->left, found->left_as_given)
                     : "nothing",
                 text(log.fault.reading, log.fault.sizes));
    }
  }
  fmt::print("{} of {} named, {} falsely\n", count.named, count.logs, count.falsely);
  return count;
}

TEST(LogHypotheses, NamesWhatIsWrongOfAHundredLogs) {
  const Count count =
      count_named(0, 4 * static_cast<unsigned>(ways.size()), [](unsigned) { return Conditions{}; });
  EXPECT_GE(count.logs, 100U);
  EXPECT_GE(100 * count.named, 95 * count.logs);
  EXPECT_EQ(count.falsely, 0U);
}

// Short and long, with noise and without, with much friction, joint by joint: less is seen, and
// nothing that is false.
TEST(LogHypotheses, NamesNothingFalselyUnderHardConditions) {
  const Count count = count_named(1000, 4 * static_cast<unsigned>(ways.size()), [](unsigned seed) {
    return Conditions{std::array{3.0, 6.0, 20.0, 40.0}[seed % 4],
                      std::array{0.0, 0.15, 0.4}[seed % 3],
                      std::array{0.0, 0.02, 0.05, 0.15}[seed / 4 % 4], seed % 5 == 0};
  });
  EXPECT_GE(100 * count.named, 65 * count.logs);
  EXPECT_EQ(count.falsely, 0U);
}

// Of a vertical rail that alone bears weight, gravity upside down makes the same torques but for
// friction, which then drives.
TEST(LogHypotheses, TellsATurnedTorqueOfARailFromGravityUpsideDown) {
  Robot scara = robot_of({JointType::revolute, JointType::revolute, JointType::prismatic});
  scara.gravity = {0.0, 0.0, -9.81};
  for (Joint& joint : scara.joints) {
    joint.dh.a = joint.type == JointType::prismatic ? 0.0 : 0.4;
    joint.body = {4.0, {-joint.dh.a / 2.0, 0.01, 0.0}, {0.02, 0.05, 0.05, 0.0, 0.0, 0.0}};
  }
  for (unsigned seed = 400; seed < 408; ++seed) {
    SpoiltLog log(scara, seed);
    SpoiltLog::times(log.tau(2), -1.0);
    log.fault.reading.joints[2].is_torque_turned = true;
    const auto found = log.found();
    ASSERT_TRUE(found) << seed;
    EXPECT_TRUE(is_right(*found, log.fault)) << seed << text(found->hypothesis, found->sizes);
  }
}

TEST(LogHypotheses, NamesAPayloadThatNobodyToldOf) {
  unsigned seed = 300;
  for (const std::string robot : {"ur5e", "kuka-iiwa14", "staubli-tx40", "franka-panda"}) {
    for (const double mass : {3.0, 6.0}) {
      SpoiltLog log(robot, seed++);
      log.hold(mass, {0.02, -0.03, 0.1});
      const auto found = log.found();
      ASSERT_TRUE(found && found->hypothesis.payload)
          << robot << " " << mass << (found ? text(found->hypothesis, found->sizes) : "");
      EXPECT_NEAR(found->hypothesis.payload->mass, mass, 0.1 * mass) << robot;
      EXPECT_LT(length(found->hypothesis.payload->com - log.fault.reading.payload->com), 0.03)
          << robot;
    }
  }
}

TEST(LogHypotheses, NamesMotionsOfAnotherOrder) {
  std::size_t named = 0;
  for (unsigned seed = 450; seed < 460; ++seed) {
    SpoiltLog log(seed % 2 == 0 ? "ur5e" : "kuka-iiwa14", seed);
    log.exchange_motion(1, 2 + seed % 2);
    const auto found = log.found();
    if (!found) continue;
    EXPECT_TRUE(is_right(*found, log.fault)) << seed << text(found->hypothesis, found->sizes);
    ++named;
  }
  EXPECT_GE(named, 9U);
}

// A payload explains one factor of all torques nearly as well in some motions, and four numbers are
// more to assume.
TEST(LogHypotheses, NamesAFactorOfAllTorquesAndNoPayload) {
  for (const double factor : {2.0, 1000.0}) {
    for (unsigned seed = 500; seed < 520; ++seed) {
      SpoiltLog log("puma560", seed);
      for (std::size_t i = 0; i < log.dof(); ++i) log.scale(i, factor);
      const auto found = log.found();
      ASSERT_TRUE(found) << seed;
      EXPECT_FALSE(found->hypothesis.payload) << seed << ' ' << factor;
    }
  }
}

// Noise hides what the load is at the wrist, whose torques then look like the file's times a factor.
TEST(LogHypotheses, TakesNoFactorsOfJointsWhereAPayloadExplainsAsMuch) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> noise(0.0, 0.25);
  for (const std::string robot : {"ur5e", "ur10", "staubli-tx40"}) {
    for (unsigned seed = 0; seed < 5; ++seed) {
      SpoiltLog log(robot, seed);
      log.hold(0.5, {});
      for (std::size_t i = 0; i < log.dof(); ++i) {
        for (double& torque : log.tau(i)) torque += noise(random);
      }
      const auto found = log.found();
      EXPECT_FALSE(found && found->hypothesis.has_effects())
          << robot << " " << seed << (found ? text(found->hypothesis, found->sizes) : "");
    }
  }
}

// The last joint of such arms has next to no torque of its own.
TEST(LogHypotheses, NamesWhatIsWrongBesideAJointOfNoise) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal(0.0, 0.05);
  int named = 0;
  for (const auto& [name, spoil] : ways) {
    SpoiltLog log("ur10e", 3);
    spoil(log);
    if (log.fault.reading.joints[5].torque_column != 5) continue;
    const bool is_named = log.found().has_value();
    for (double& torque : log.tau(5)) torque = normal(random);
    EXPECT_EQ(log.found().has_value(), is_named) << name;
    named += is_named ? 1 : 0;
  }
  EXPECT_GT(named, 10);
}

}  // namespace
}  // namespace armdyn
