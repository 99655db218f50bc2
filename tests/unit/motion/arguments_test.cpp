// What functions that make motions say of each argument that does not fit the others.

#include <gtest/gtest.h>
#include <armdyn/kinematics.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "motion/joint_path.hpp"
#include "motion/spline.hpp"
#include "support/refused_argument.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

const std::string one_entry_per_joint = "both ends of a motion need one entry per joint";

/// Positions of so many joints, all different.
std::vector<double> of(std::size_t count, double first = 0.3) {
  std::vector<double> q(count);
  for (std::size_t i = 0; i < count; ++i) q[i] = first + 0.1 * static_cast<double>(i);
  return q;
}

Arm two_joints() {
  return normalize(shipped_robot("craig-rr"));
}

/// Each way to go between two places of two joints by a Timing.
std::vector<std::function<void(const Timing&)>> timed_motions() {
  return {
      [](const Timing& timing) {
        (void)point_to_point(of(2), of(2, 0.7), Profile::quintic, timing);
      },
      [](const Timing& timing) {
        (void)point_to_point(of(2), of(2, 0.7), Profile::monotone, timing);
      },
      [](const Timing& timing) {
        (void)through({{}, {of(2), of(2, 0.7)}}, Profile::cubic, timing);
      },
      [](const Timing& timing) {
        (void)through({{}, {of(2), of(2, 0.7)}}, Profile::monotone, timing);
      },
      [](const Timing& timing) {
        (void)straight_line(two_joints(), of(2), of(2, 0.7), Profile::quintic, timing,
                            TcpOrientation::free);
      },
      [](const Timing& timing) {
        (void)straight_line(two_joints(), of(2), {pose(two_joints(), of(2, 0.7)).tcp},
                            Profile::quintic, timing, TcpOrientation::free);
      },
  };
}

TEST(Motions, NeedADurationOrLimitsThatArePositive) {
  const std::vector<RateLimit> limits(2, {1.0, 2.0});
  for (const auto& motion : timed_motions()) {
    const auto said = [&motion](const Timing& timing) {
      return refused_argument([&] { motion(timing); });
    };
    EXPECT_EQ(said({2.0, {}}), "");
    EXPECT_EQ(said({{}, limits}), "");
    EXPECT_EQ(said({{}, {}}), "a motion needs a duration or limits");
    for (const double wrong : {0.0, -1.0, infinity, no_number}) {
      EXPECT_EQ(said({wrong, {}}), "a duration must be positive") << wrong;
    }
    for (const std::size_t count : {1U, 3U}) {
      const std::vector<RateLimit> others(count, {1.0, 2.0});
      EXPECT_EQ(said({{}, others}), "limits need one entry per joint");
      EXPECT_EQ(said({100.0, others}), "limits need one entry per joint");
    }
    for (double RateLimit::*rate :
         {&RateLimit::velocity, &RateLimit::acceleration, &RateLimit::jerk}) {
      for (const std::size_t joint : {0U, 1U}) {
        for (const double wrong : {0.0, -1.0, no_number}) {
          std::vector<RateLimit> one_wrong = limits;
          one_wrong[joint].*rate = wrong;
          EXPECT_EQ(said({100.0, one_wrong}),
                    "limits of velocity, acceleration and jerk must be positive")
              << joint << ": " << wrong;
        }
      }
    }
  }
}

TEST(Motions, NeedOneEntryPerJointAtBothEnds) {
  const Arm arm = two_joints();
  const Timing timing{1.0, {}};
  const auto line = [&](const std::vector<double>& from, const std::vector<double>& to) {
    return refused_argument(
        [&] { (void)straight_line(arm, from, to, Profile::cubic, timing, TcpOrientation::free); });
  };
  const auto joints = [&](const std::vector<double>& from, const std::vector<double>& to) {
    return refused_argument([&] { (void)point_to_point(from, to, Profile::cubic, timing); });
  };
  EXPECT_EQ(joints({}, {}), one_entry_per_joint);
  for (const std::size_t count : {0U, 1U, 3U}) {
    EXPECT_EQ(line(of(count), of(2)), one_entry_per_joint) << count;
    EXPECT_EQ(line(of(2), of(count)), one_entry_per_joint) << count;
    EXPECT_EQ(joints(of(count), of(2)), one_entry_per_joint) << count;
    EXPECT_EQ(joints(of(2), of(count)), one_entry_per_joint) << count;
    EXPECT_EQ(refused_argument([&] {
                (void)straight_line(arm, of(count), TcpGoal{pose(arm, of(2)).tcp}, Profile::cubic,
                                    timing, TcpOrientation::free);
              }),
              one_entry_per_joint)
        << count;
    const std::vector<Range> ranges(count);
    EXPECT_EQ(refused_argument(
                  [&] { (void)inverse_kinematics(arm, of(2), {pose(arm, of(2)).tcp}, ranges); }),
              "a posture and its ranges need one entry per joint")
        << count;
    EXPECT_EQ(refused_argument([&] {
                (void)inverse_kinematics(arm, of(count), {pose(arm, of(2)).tcp},
                                         std::vector<Range>(2));
              }),
              "a posture and its ranges need one entry per joint")
        << count;
  }
}

TEST(Waypoints, HaveAsManyEntriesOfEachKindAsThereAre) {
  const Waypoints good{{}, {of(2), of(2, 0.7), of(2, 0.1)}};
  const auto said = [](const Waypoints& waypoints, std::optional<double> duration = {}) {
    return refused_argument([&] {
      const Timing timing{waypoints.t.empty() ? 9.0 : duration, {}};
      (void)through(waypoints, Profile::monotone, timing);
    });
  };
  EXPECT_EQ(said(good), "");
  for (const std::size_t count : {0U, 1U}) {
    Waypoints few = good;
    few.q.resize(count);
    EXPECT_EQ(said(few), "a motion needs two waypoints");
  }
  for (std::vector<double> Waypoints::*entries :
       {&Waypoints::t, &Waypoints::dwell, &Waypoints::blend}) {
    for (const std::size_t count : {2U, 4U}) {
      Waypoints others = good;
      others.*entries = of(count);
      EXPECT_EQ(said(others), "each waypoint has a time, dwell or blend, or none has") << count;
    }
  }
  for (const std::size_t count : {2U, 4U}) {
    Waypoints others = good;
    others.paths.resize(count);
    EXPECT_EQ(said(others), "each waypoint has an entry of paths and no time, or none has a path");
  }
  Waypoints timed = good;
  timed.t = {0.0, 1.0, 2.0};
  EXPECT_EQ(said(timed), "");
  EXPECT_EQ(said(timed, 2.0), "waypoints with times need no duration");
  timed.paths.resize(3);
  EXPECT_EQ(said(timed), "each waypoint has an entry of paths and no time, or none has a path");
  for (const std::size_t row : {0U, 1U, 2U}) {
    for (const std::size_t count : {0U, 1U, 3U}) {
      Waypoints others = good;
      others.q[row] = of(count);
      EXPECT_EQ(said(others), "each waypoint needs one entry per joint") << row << ": " << count;
    }
  }
  for (const std::vector<double>& t :
       {std::vector{0.0, 0.0, 1.0}, {0.0, 1.0, 1.0}, {0.0, 1.0, 0.5}, {0.0, no_number, 1.0}}) {
    Waypoints others = good;
    others.t = t;
    EXPECT_EQ(said(others), "the times of waypoints must increase") << t[1] << ", " << t[2];
  }
}

TEST(PathThroughPoints, NeedsTwoPointsOfAsManyJoints) {
  const auto said = [](const std::vector<PathPoint>& points) {
    return refused_argument([&] { (void)path_through(points); });
  };
  EXPECT_EQ(said({{of(2)}, {of(2, 0.7)}}), "");
  EXPECT_EQ(said({}), "a path needs two points");
  EXPECT_EQ(said({{of(2)}}), "a path needs two points");
  for (const std::size_t count : {0U, 1U, 3U}) {
    EXPECT_EQ(said({{of(2)}, {of(count)}}), "each point needs one entry per joint") << count;
    EXPECT_EQ(said({{of(count)}, {of(2)}, {of(2, 0.7)}}), "each point needs one entry per joint")
        << count;
  }
}

TEST(Splines, AreOfThreeDegrees) {
  const Waypoints two{{}, {of(2), of(2, 0.7)}};
  for (const Profile profile : {Profile::trapezoid, Profile::lspb, Profile::monotone}) {
    EXPECT_EQ(refused_argument([&] {
                (void)spline_motion(two, profile, {1.0, {}});
              }),
              "a spline is cubic, quintic or septic");
  }
}

TEST(Excitations, NeedOneEntryOfEachKindPerJoint) {
  const Excitation good{.center = of(2),
                        .position = std::vector<Range>(2, {-1.0, 1.0}),
                        .limits = std::vector<RateLimit>(2, {1.0, 2.0}),
                        .harmonics = 3};
  const auto said = [&good](const auto& change) {
    Excitation wanted = good;
    change(wanted);
    return refused_argument([&] { (void)excite(wanted); });
  };
  EXPECT_EQ(said([](Excitation& /*wanted*/) {}), "");
  const std::string per_joint = "an excitation needs one center, range and limit per joint";
  for (const std::size_t count : {0U, 1U, 3U}) {
    EXPECT_EQ(said([&](Excitation& wanted) { wanted.center = of(count); }), per_joint) << count;
    EXPECT_EQ(said([&](Excitation& wanted) { wanted.position.resize(count); }), per_joint);
    EXPECT_EQ(said([&](Excitation& wanted) { wanted.limits.resize(count); }), per_joint);
    if (count == 0) continue;
    const std::string of_all = "an excitation needs names and units of all joints or none";
    EXPECT_EQ(said([&](Excitation& wanted) { wanted.names.resize(count); }), of_all) << count;
    EXPECT_EQ(said([&](Excitation& wanted) { wanted.units.resize(count); }), of_all) << count;
  }
  for (const double wrong : {0.0, -1.0, infinity, no_number}) {
    EXPECT_EQ(said([&](Excitation& wanted) { wanted.period = wrong; }),
              "the period must be positive");
  }
  EXPECT_EQ(said([](Excitation& wanted) { wanted.harmonics = 2; }),
            "rest without acceleration at the ends takes three harmonics");
}

TEST(Recorded, NeedsRowsOfEachKindInOrderOfTime) {
  const RecordedRows good{{0.0, 1.0}, of(4), of(4), of(4)};
  const auto said = [&good](const auto& change) {
    RecordedRows rows = good;
    change(rows);
    return refused_argument([&] { (void)recorded(rows); });
  };
  EXPECT_EQ(said([](RecordedRows& /*rows*/) {}), "");
  for (const std::size_t count : {0U, 1U}) {
    EXPECT_EQ(said([&](RecordedRows& rows) { rows.t.resize(count); }), "a motion needs two rows");
  }
  for (std::vector<double> RecordedRows::*numbers :
       {&RecordedRows::q, &RecordedRows::qd, &RecordedRows::qdd}) {
    for (const std::size_t count : {0U, 3U, 5U, 6U}) {
      EXPECT_EQ(said([&](RecordedRows& rows) { rows.*numbers = of(count); }),
                "each row needs q, qd and qdd of all joints")
          << count;
    }
  }
  EXPECT_EQ(said([](RecordedRows& rows) { rows.q = rows.qd = rows.qdd = of(3); }),
            "each row needs q, qd and qdd of all joints");
  for (const double wrong : {0.0, -1.0, no_number}) {
    EXPECT_EQ(said([&](RecordedRows& rows) { rows.t[1] = wrong; }),
              "the times of rows must increase");
  }
  EXPECT_EQ(said([](RecordedRows& rows) {
              rows.t = {-1e308, 1e308};
            }),
            "the times of rows must be finite");
}

TEST(Motions, AreReadAtATimeIntoRoomForAllJoints) {
  const Trajectory motion = point_to_point(of(2), of(2, 0.7), Profile::cubic, {1.0, {}});
  const auto said = [&motion](double t, std::size_t q, std::size_t qd, std::size_t qdd) {
    std::vector<double> room[] = {of(q), of(qd), of(qdd)};
    return refused_argument([&] { motion.at(t, room[0], room[1], room[2]); });
  };
  EXPECT_EQ(said(0.5, 2, 2, 2), "");
  const std::string needed = "a trajectory needs a time, and room for one entry per joint";
  EXPECT_EQ(said(no_number, 2, 2, 2), needed);
  for (const std::size_t count : {0U, 1U, 3U}) {
    EXPECT_EQ(said(0.5, count, 2, 2), needed) << count;
    EXPECT_EQ(said(0.5, 2, count, 2), needed) << count;
    EXPECT_EQ(said(0.5, 2, 2, count), needed) << count;
  }
  for (const double wrong : {0.0, -1.0, infinity, no_number}) {
    EXPECT_EQ(refused_argument([&] { (void)sample_times(motion, wrong); }),
              "the rate must be positive");
    EXPECT_EQ(refused_argument([&] { (void)held(motion, wrong); }),
              "a motion is held for a time above 0");
    EXPECT_EQ(refused_argument([&] { (void)slowed(motion, wrong); }),
              "the slow-down of a motion is a factor above 0");
  }
}

}  // namespace
}  // namespace armdyn::testing
