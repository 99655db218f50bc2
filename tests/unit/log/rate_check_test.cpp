// Whether q, qd and qdd are of one motion: what is wrong is found, and what is right is left alone.

#include "log/rate_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace armdyn {
namespace {

constexpr double degrees = 180.0 / std::numbers::pi;

/// Three harmonics by chance.
class Harmonics {
 public:
  explicit Harmonics(std::mt19937_64& random) {
    std::uniform_real_distribution<double> share(-1.0, 1.0);
    slowest_ = 0.4 + std::abs(share(random));
    for (double& amplitude : amplitudes_) amplitude = share(random);
    for (double& phase : phases_) phase = 3.0 * share(random);
  }
  [[nodiscard]] double at(double t, int order) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double w = slowest_ * static_cast<double>(2 * k + 1);
      sum += amplitudes_[k] * std::pow(w, order) *
             std::sin(w * t + phases_[k] + order * std::numbers::pi / 2.0);
    }
    return sum;
  }

 private:
  double slowest_ = 1.0;
  double amplitudes_[3] = {}, phases_[3] = {};
};

TEST(SlopeComparison, FindsTheFactorOfNoisyRowsWithGaps) {
  for (const double factor : {1.0, -1.0, degrees, 1.0 / degrees, 53.7, 0.3}) {
    for (unsigned log = 0; log < 40; ++log) {
      std::mt19937_64 random(log);
      std::normal_distribution<double> normal(0.0, 1.0);
      const Harmonics motion(random);
      SlopeComparison comparison;
      for (int k = 0; k < 4000; ++k) {
        const double t = 0.004 * k + (k > 1500 ? 2.0 : 0.0) + 0.0005 * std::abs(normal(random));
        comparison.add(t, factor * (motion.at(t, 0) + 1e-3 * normal(random)),
                       motion.at(t, 1) + 0.05 * normal(random));
      }
      ASSERT_TRUE(comparison.factor()) << factor << " log " << log;
      EXPECT_NEAR(*comparison.factor() / factor, 1.0, 0.04) << "log " << log;
    }
  }
}

// Coarse or fine, few or many, noisy or not, with gaps or without order: never another factor than 1.
TEST(SlopeComparison, NeverFindsAnotherFactorOfAMotionThatIsRight) {
  int judged = 0;
  for (unsigned log = 0; log < 2000; ++log) {
    std::mt19937_64 random(log + 100);
    std::normal_distribution<double> normal(0.0, 1.0);
    std::uniform_real_distribution<double> share(0.0, 1.0);
    const Harmonics motion(random);
    const double step = std::pow(10.0, -3.0 + 3.5 * share(random));  // to 3 s
    const double position_noise = std::pow(10.0, -6.0 + 5.5 * share(random));
    const double velocity_noise = std::pow(10.0, -6.0 + 6.0 * share(random));
    const int rows = 3 + static_cast<int>(std::pow(10.0, 3.3 * share(random)));
    SlopeComparison comparison;
    double t = 0.0;
    for (int k = 0; k < rows; ++k) {
      t = log % 6 == 0 ? 50.0 * share(random) : t + step * (0.6 + 0.8 * share(random));
      if (log % 4 == 0 && k % 40 == 39) t += 3.0;
      const double stamp = log % 12 == 0 ? k : t;  // rows of a motion without order, counted
      comparison.add(stamp, motion.at(t, 0) + position_noise * normal(random),
                     motion.at(t, 1) + velocity_noise * normal(random));
    }
    const auto factor = comparison.factor();
    if (!factor) continue;
    ++judged;
    EXPECT_GT(*factor, 1.0 / 1.2) << "log " << log;
    EXPECT_LT(*factor, 1.2) << "log " << log;
  }
  EXPECT_GT(judged, 500);
}

// --- in words

Robot two_joints() {
  Robot robot;
  robot.joints.resize(2);
  robot.joints[0].name = "swing";
  robot.joints[1].name = "lift";
  robot.joints[1].type = JointType::prismatic;
  robot.joints[0].motor.gear_ratio = -81.0;
  return robot;
}

ColumnPlan plan_of(const std::string& prefix, bool has_accelerations = true) {
  ColumnPlan plan;
  const auto add = [&](Quantity quantity, const std::string& name) {
    plan.groups.emplace_back(quantity, plan.columns.size());
    for (const std::string number : {"1", "2"}) {
      const std::string column = name + number;
      plan.columns.push_back({column, plan.header.size(), {}});
      plan.header.push_back(prefix + column);
    }
  };
  plan.groups.emplace_back(Quantity::time, 0);
  plan.columns.push_back({"t", 0, {}});
  plan.header.emplace_back("t");
  add(Quantity::position, "q");
  add(Quantity::velocity, "qd");
  if (has_accelerations) add(Quantity::acceleration, "qdd");
  return plan;
}

using Sentences = std::vector<std::string>;

/// Of rows with these factors of q, qd and qdd.
Sentences warnings(const std::vector<std::array<double, 3>>& factors) {
  const Robot robot = two_joints();
  RateCheck check(plan_of("the_"), robot, std::vector<ColumnChoice>{});
  std::mt19937_64 random(1);
  const Harmonics motion(random);
  for (int k = 0; k < 1000; ++k) {
    const double t = 0.01 * k;
    std::array<std::array<double, 2>, 3> row{};
    for (std::size_t j = 0; j < 2; ++j) {
      for (std::size_t order = 0; order < 3; ++order) {
        row[order][j] = factors[j][order] * motion.at(t, static_cast<int>(order));
      }
    }
    check.add(t, row[0], row[1], row[2]);
  }
  return check.doubts().sentences;
}

// Many turns are degrees, unless the joint is made for them.
TEST(RateCheck, TakesTurnsOfScrewsAndOfJointsWithoutRangeForWhatTheyAre) {
  const auto warnings_of = [](const Robot& robot) {
    RateCheck check(plan_of("the_"), robot, std::vector<ColumnChoice>{});
    const std::vector<double> far{60.0, -75.0};
    check.reach(0, far);
    return check.doubts().sentences;
  };
  Robot robot = two_joints();
  robot.joints[0].limits.position.reset();
  robot.joints[1].limits.position.reset();
  EXPECT_EQ(warnings_of(robot).size(), 1U);  // no joint has a range: nothing is known
  Robot screw = robot;
  screw.joints[0].pitch = 0.005;
  EXPECT_EQ(warnings_of(screw), Sentences());
  Robot wheel = robot;
  wheel.joints[1].limits.position = Range{0.0, 1.0};
  EXPECT_EQ(warnings_of(wheel), Sentences());
  Robot winch = robot;
  winch.joints[0].limits.position = Range{-80.0, 5.0};
  EXPECT_EQ(warnings_of(winch), Sentences());
  Robot arm = robot;
  arm.joints[0].limits.position = Range{-3.0, 3.0};
  EXPECT_EQ(warnings_of(arm).size(), 1U);
}

/// Of two joints that move apart, with noise, whose columns of q, qd and qdd are of these joints.
Sentences of_columns(const std::array<std::array<std::size_t, 2>, 3>& of, unsigned seed,
                     bool has_accelerations = true) {
  const Robot robot = two_joints();
  RateCheck check(plan_of("", has_accelerations), robot, std::vector<ColumnChoice>{});
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0.0, 1.0);
  const std::array motions{Harmonics(random), Harmonics(random)};
  for (int k = 0; k < 10000; ++k) {
    const double t = 0.01 * k;
    std::array<std::array<double, 2>, 3> row{};
    for (std::size_t order = 0; order < 3; ++order) {
      for (std::size_t j = 0; j < 2; ++j) {
        row[order][j] =
            motions[of[order][j]].at(t, static_cast<int>(order)) + 1e-3 * normal(random);
      }
    }
    check.add(t, row[0], row[1], row[2]);
  }
  return check.doubts().sentences;
}

TEST(RateCheck, SaysWhichJointWhichFactorAndWhatMendsIt) {
  EXPECT_EQ(warnings({{1, 1, 1}, {1, 1, 1}}), Sentences());
  EXPECT_EQ(
      warnings({{1, -1, 1}, {1, 1, 1}}),
      Sentences{"swing: the slope of q is about -1 times qd; one of the two has the opposite sign; "
                "the slope of qd is about -1 times qdd; one of the two has the opposite sign; "
                "--columns \"qd1=-the_qd1\" reads it so"});
  EXPECT_EQ(
      warnings({{degrees, 1, 1}, {1, 1, 1}}),
      Sentences{"swing: the slope of q is about 57.3 times qd, as if q were in degrees and qd were "
                "not; --columns \"q1=the_q1[deg]\" reads it so"});
  EXPECT_EQ(
      warnings({{1, degrees, degrees}, {1, 1, 1}}),
      Sentences{"swing: the slope of q is about 1/57.3 times qd, as if qd were in degrees and q "
                "were not; --columns \"qd1=the_qd1[deg/s],qdd1=the_qdd1[deg/s^2]\" reads it "
                "so"});
  EXPECT_EQ(
      warnings({{1, 1, 1}, {1000, 1000, 1}}),
      Sentences{"lift: the slope of qd is about 1000 times qdd, as if qd were in mm and qdd were "
                "not; --columns \"q2=the_q2[mm],qd2=the_qd2[mm/s]\" reads it so"});
  EXPECT_EQ(
      warnings({{-81, 1, 1}, {1, 1, 1}}),
      Sentences{
          "swing: the slope of q is about -81 times qd, as if q were of the motor, "
          "behind a gear of that ratio, and qd of the joint; --columns \"q1=-0.0123457*the_q1\" "
          "reads it so"});
  EXPECT_EQ(warnings({{1, 81, 81}, {1, 1, 1}}),
            Sentences{"swing: the slope of q is about 1/81 times qd, as if qd were of the motor, "
                      "behind a gear of that ratio, and q of the joint; one of the two has the "
                      "opposite sign; --columns "
                      "\"qd1=0.0123457*the_qd1,qdd1=0.0123457*the_qdd1\" reads it so"});
  const double rpm = 30.0 / std::numbers::pi;
  EXPECT_EQ(warnings({{1, rpm, 1}, {1, 1, 1}}),
            Sentences{"swing: the slope of q is about 0.105 times qd, as if qd were in rpm; the "
                      "slope of qd is about 9.55 times qdd, as if qd were in rpm; --columns "
                      "\"qd1=the_qd1[rpm]\" reads it so"});
  EXPECT_EQ(warnings({{1, 1, 1}, {1, 1, 4}}),
            Sentences{"lift: the slope of qd is about 0.25 times qdd; --columns "
                      "\"qdd2=0.25*the_qdd2\" reads it so"});
  EXPECT_EQ(warnings({{1.3, 1, 1}, {1, 1, 1}}),
            Sentences{"swing: the slope of q is about 1.3 times qd; --columns "
                      "\"q1=0.769231*the_q1\", or \"qd1=1.3*the_qd1,qdd1=1.3*the_qdd1\", reads it "
                      "so"});
  // Of a slide alone both slopes are 1/1000 where t is in ms, and one is where rates are in mm.
  EXPECT_EQ(warnings({{0, 0, 0}, {1, 1e3, 1e6}}),
            Sentences{"the slopes of q and qd are about 1/1000 of qd and qdd at all joints, as if "
                      "t were in ms; --columns \"t=t[ms]\" reads it so"});
  EXPECT_EQ(
      warnings({{0, 0, 0}, {1, 1e3, 1e3}}),
      Sentences{"lift: the slope of q is about 1/1000 times qd, as if qd were in mm and q were "
                "not; --columns \"qd2=the_qd2[mm/s],qdd2=the_qdd2[mm/s^2]\" reads it so"});
  EXPECT_EQ(warnings({{1, 1, -1}, {1, 1, -1}}),
            Sentences{"swing, lift: the slope of qd is about -1 times qdd; one of the two has the "
                      "opposite sign; --columns \"qdd=-the_qdd{1..2}\" reads it so"});
}

std::string unlike(const std::string& value, const std::string& rate) {
  return "swing, lift: the slope of " + value + " is like " + rate +
         " of lift, swing (correlation above 0.9) and not like their own (below 0.8), as if "
         "columns were exchanged";
}

// Two of q, qd and qdd that fit one another outvote the third; the other line is said, too, where
// q is the one to change.
TEST(RateCheck, FindsColumnsThatAreExchanged) {
  constexpr std::array<std::size_t, 2> own{0, 1}, other{1, 0};
  int found = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    EXPECT_EQ(of_columns({own, own, own}, seed), Sentences()) << seed;
    const Sentences exchanged = of_columns({own, other, other}, seed);
    if (exchanged.empty()) continue;  // these two motions are a little alike
    ++found;
    EXPECT_EQ(exchanged, Sentences{unlike("q", "qd") +
                                   "; --columns \"q1=q2,q2=q1\", or "
                                   "\"qd1=qd2,qd2=qd1,qdd1=qdd2,qdd2=qdd1\", reads it so"});
    EXPECT_EQ(of_columns({other, own, own}, seed), exchanged) << seed;
    EXPECT_EQ(of_columns({own, other, own}, seed),
              Sentences{unlike("q", "qd") + "; " + unlike("qd", "qdd") +
                        "; --columns \"qd1=qd2,qd2=qd1\" reads it so"})
        << seed;
    const Sentences accelerations = of_columns({own, own, other}, seed);
    EXPECT_EQ(accelerations,
              Sentences{unlike("qd", "qdd") + "; --columns \"qdd1=qdd2,qdd2=qdd1\" reads it so"})
        << seed;
    if (seed > 10) continue;
    // Without accelerations in the file, either of q and qd.
    const Sentences either{unlike("q", "qd") +
                           "; --columns \"qd1=qd2,qd2=qd1\", or \"q1=q2,q2=q1\", reads it so"};
    EXPECT_EQ(of_columns({own, other, other}, seed, false), either) << seed;
    EXPECT_EQ(of_columns({other, own, own}, seed, false), either) << seed;
    EXPECT_EQ(of_columns({own, own, other}, seed, false), Sentences()) << seed;
  }
  EXPECT_GT(found, 30);
}

TEST(RateCheck, LooksAtRatesWithoutPositions) {
  const auto warnings_of = [](double qd_factor, double qdd_factor) {
    const Robot robot = two_joints();
    ColumnPlan plan = plan_of("the_");
    plan.groups.erase(plan.groups.begin() + 1);  // of q
    plan.columns.erase(plan.columns.begin() + 1, plan.columns.begin() + 3);
    for (auto& [quantity, first] : plan.groups) {
      if (quantity != Quantity::time) first -= 2;
    }
    RateCheck check(plan, robot, std::vector<ColumnChoice>{});
    std::mt19937_64 random(1);
    const Harmonics motion(random);
    for (int k = 0; k < 1000; ++k) {
      const double t = 0.01 * k, qd = motion.at(t, 1), qdd = motion.at(t, 2);
      const std::array q{5.0 * motion.at(t, 0), 0.0};  // whatever stands there
      check.add(t, q, std::array{qd_factor * qd, qd}, std::array{qdd_factor * qdd, qdd});
    }
    return check.doubts().sentences;
  };
  EXPECT_EQ(warnings_of(1.0, 1.0), Sentences{});
  EXPECT_EQ(warnings_of(1.0, degrees),
            Sentences{"swing: the slope of qd is about 1/57.3 times qdd, as if qdd were in degrees "
                      "and qd were not; --columns \"qdd1=the_qdd1[deg/s^2]\" reads it so"});
  EXPECT_EQ(
      warnings_of(degrees, 1.0),
      Sentences{"swing: the slope of qd is about 57.3 times qdd, as if qd were in degrees and "
                "qdd were not; --columns \"qd1=the_qd1[deg/s]\" reads it so"});
}

TEST(RateCheck, SaysHowFarApartRowsAreWhereTimeIsWrong) {
  // Stamped by --log-rate: t is behind the columns of the file.
  const auto warnings_of = [](double pace, double factor, bool has_accelerations) {
    const Robot robot = two_joints();
    ColumnPlan plan = plan_of("", has_accelerations);
    for (auto& [quantity, first] : plan.groups) {
      first = quantity == Quantity::time ? plan.columns.size() - 1 : first - 1;
    }
    plan.columns.erase(plan.columns.begin());
    RateCheck check(plan, robot, std::vector<ColumnChoice>{});
    std::mt19937_64 random(1);
    const std::array motions{Harmonics(random), Harmonics(random)};
    for (int k = 0; k < 1000; ++k) {
      const double t = 0.01 * k;
      std::array<std::array<double, 2>, 3> row{};
      for (int order = 0; order < 3; ++order) {
        const double unit = order == 1 ? factor : 1.0;
        for (std::size_t j = 0; j < 2; ++j) {
          row[static_cast<std::size_t>(order)][j] = unit * motions[j].at(t, order);
        }
      }
      check.add(t / pace, row[0], row[1], row[2]);
    }
    return check.doubts().sentences;
  };
  EXPECT_EQ(warnings_of(1.0, 1.0, true), Sentences());
  EXPECT_EQ(warnings_of(1.05, 1.0, true), Sentences());
  EXPECT_EQ(warnings_of(1.25, 1.0, true),
            Sentences{"the slopes of q and qd are about 1.25 times qd and qdd at all joints, as "
                      "if rows were 0.01 s apart, not 0.008; --log-rate 100 reads them so"});
  EXPECT_EQ(
      warnings_of(0.16, 1.0, false),
      Sentences{"the slope of q is about 0.16 times qd at all joints, as if rows were 0.01 "
                "s apart, not 0.0625, or qd is in another unit; --log-rate 100 reads them so"});
  EXPECT_EQ(warnings_of(1e-3, 1.0, true),
            Sentences{"the slopes of q and qd are about 0.001 times qd and qdd at all joints, as "
                      "if rows were 0.01 s apart, not 10; --log-rate 100 reads them so"});
  // A wrong sign beside it does not hide it.
  const Sentences both = warnings({{1, -2, 4}, {1, 2, 4}});
  ASSERT_EQ(both.size(), 2U);
  EXPECT_NE(both[0].find("about 0.5 times qd and qdd at all joints"), std::string::npos) << both[0];
  EXPECT_NE(both[1].find("swing: the slope of q is about -1 times qd"), std::string::npos)
      << both[1];
  // A unit of qd alone is none of time.
  EXPECT_FALSE(warnings_of(1.0, 2.0, true).empty());
  for (const std::string& warning : warnings_of(1.0, 2.0, true)) {
    EXPECT_EQ(warning.find("--log-rate"), std::string::npos) << warning;
  }
}

TEST(SlopeComparison, PassesOverWhatIsNoNumber) {
  SlopeComparison comparison;
  for (int k = 0; k < 400; ++k) {
    const double t = 0.01 * k;
    comparison.add(t, std::sin(t), k % 50 == 7 ? std::nan("") : std::cos(t));
  }
  ASSERT_TRUE(comparison.factor());
  EXPECT_NEAR(*comparison.factor(), 1.0, 1e-3);
}

TEST(RateCheck, SeesAnglesThatAreKeptWithinATurn) {
  const Robot robot = two_joints();
  const auto said = [&](std::size_t joint, std::initializer_list<double> q) {
    RateCheck check(plan_of(""), robot, std::vector<ColumnChoice>{});
    check.reach(joint, std::vector(q));
    return check.doubts().sentences;
  };
  EXPECT_EQ(said(0, {3.0, 3.1, -3.08, -3.0}),
            Sentences{"swing: q jumps by a turn from row to row, as if angles were kept within one "
                      "turn; --columns \"q1=unwrap(q1)\" reads it so"});
  EXPECT_EQ(said(0, {3.1, -3.08, -3.0}).size(), 1U);         // in the first step
  EXPECT_EQ(said(0, {3.1, -3.08}), Sentences{});             // beside no other
  EXPECT_EQ(said(1, {3.0, 3.1, -3.08, -3.0}), Sentences{});  // a slide
  EXPECT_EQ(said(0, {0.0, 6.2, 12.4}), Sentences{});         // fast, or in degrees
}

// Steps in a turn by the slope over qd, or else the power of 2 that has them; zero in the middle.
TEST(RateCheck, TakesStepsOfAnEncoderToRadians) {
  Robot robot = two_joints();
  robot.joints[1].type = JointType::revolute;
  const auto said = [&](double steps, double zero, double rate, bool has_rates) {
    ColumnPlan plan = plan_of("", false);
    if (!has_rates) plan.leave_out(Quantity::velocity);
    RateCheck check(plan, robot, std::vector<ColumnChoice>{});
    for (int k = 0; k < 1000; ++k) {
      const double t = 0.01 * k, turn = 2.0 * std::numbers::pi;
      std::array<double, 2> q{}, qd{};
      for (std::size_t i = 0; i < 2; ++i) {
        const double w = 1.0 + 0.3 * static_cast<double>(i);
        q[i] = std::round(zero + steps / turn * 2.4 * std::sin(w * t));
        qd[i] = rate * 2.4 * w * std::cos(w * t);
        check.reach(i, {&q[i], 1});
      }
      check.add(t, q, qd, {});
    }
    const Sentences found = check.doubts().sentences;
    EXPECT_EQ(found.size(), 1U);
    return found.empty() ? "" : found.front();
  };
  const std::string middle =
      ", 4096 in a turn and zero at 2048; --columns "
      "\"q=0.00153398*q{1..2}-180deg";
  for (const std::string& found : {said(4096, 2048, 1, false), said(4096, 2048, 1, true)}) {
    EXPECT_NE(found.find(middle + "\" reads it so"), std::string::npos) << found;
  }
  const std::string in_degrees = said(4096, 2048, degrees, true);
  EXPECT_NE(in_degrees.find(middle + ",qd=qd{1..2}[deg/s]\""), std::string::npos) << in_degrees;
  const std::string in_steps = said(4096, 2048, 4096 / 2.0 / std::numbers::pi, true);
  EXPECT_NE(in_steps.find(middle + ",qd=0.00153398*qd{1..2}"), std::string::npos) << in_steps;
  const std::string signed_steps = said(4000, 0, 1, true);
  EXPECT_NE(signed_steps.find(", 4000 in a turn and zero at 0; --columns "
                              "\"q=0.0015708*q{1..2}\""),
            std::string::npos)
      << signed_steps;
}

// Of two joints that move apart, with noise: what is wrong is named in 95 of a hundred, and nothing
// else in any.
TEST(RateCheck, NamesWhatIsWrongOfAHundredMotions) {
  struct Way {
    std::array<std::array<double, 3>, 2> factors;  ///< of q, qd and qdd, by joint
    double slower;                                 ///< t
    const char* line;                              ///< in --columns; none: nothing is wrong
  };
  constexpr double rpm = 30.0 / std::numbers::pi;
  const std::vector<Way> ways{
      {{{{1, 1, 1}, {1, 1, 1}}}, 1, nullptr},
      {{{{degrees, 1, 1}, {1, 1, 1}}}, 1, "\"q1=q1[deg]\""},
      {{{{1, degrees, degrees}, {1, 1, 1}}}, 1, "\"qd1=qd1[deg/s],qdd1=qdd1[deg/s^2]\""},
      {{{{1, rpm, 1}, {1, 1, 1}}}, 1, "\"qd1=qd1[rpm]\""},
      {{{{1, -1, 1}, {1, 1, 1}}}, 1, "\"qd1=-qd1\""},
      {{{{1, 1, 1}, {1, -1, 1}}}, 1, "\"qd2=-qd2\""},
      {{{{1, 1, 1}, {1, 1, 2}}}, 1, "\"qdd2=0.5*qdd2\""},
      {{{{-81, 1, 1}, {1, 1, 1}}}, 1, "\"q1=-0.0123457*q1\""},
      {{{{1, 1, 1}, {1000, 1, 1}}}, 1, "\"q2=q2[mm]\""},
      {{{{1, 1, 1}, {1, 1, 1}}}, 2.5, "\"t=2.5*t\""},
  };
  std::size_t named = 0, falsely = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const Way& way = ways[seed % ways.size()];
    const Robot robot = two_joints();
    RateCheck check(plan_of(""), robot, std::vector<ColumnChoice>{});
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal(0.0, 1e-3);
    const std::array motions{Harmonics(random), Harmonics(random)};
    for (int k = 0; k < 2000; ++k) {
      const double t = 0.01 * k;
      std::array<std::array<double, 2>, 3> row{};
      for (std::size_t order = 0; order < 3; ++order) {
        for (std::size_t j = 0; j < 2; ++j) {
          const double value = motions[j].at(t, static_cast<int>(order));
          row[order][j] = way.factors[j][order] * (value + normal(random));
        }
      }
      check.add(t / way.slower, row[0], row[1], row[2]);
    }
    const Sentences found = check.doubts(0.01 / way.slower).sentences;
    const auto is_it = [&](const std::string& said) {
      return way.line != nullptr && said.find(way.line) != said.npos;
    };
    if (found.empty() ? way.line == nullptr : std::ranges::all_of(found, is_it)) ++named;
    if (!std::ranges::all_of(found, is_it)) {
      ++falsely;
      ADD_FAILURE() << seed << " " << (way.line == nullptr ? "" : way.line) << found.front();
    }
  }
  EXPECT_GE(named, 95U);
  EXPECT_EQ(falsely, 0U);
}

TEST(RateCheck, LooksAtNothingWithoutTime) {
  ColumnPlan plan = plan_of("");
  plan.groups.erase(plan.groups.begin());
  const Robot robot = two_joints();
  EXPECT_FALSE(RateCheck(plan, robot, std::vector<ColumnChoice>{}).looks());
}

}  // namespace
}  // namespace armdyn
