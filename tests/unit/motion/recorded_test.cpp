#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "support/motion_row.hpp"

namespace armdyn::testing {
namespace {

RecordedRows rows_of(const Trajectory& motion, const std::vector<double>& times) {
  RecordedRows rows;
  for (const double t : times) {
    const MotionRow row = row_at(motion, t);
    rows.t.push_back(t);
    rows.q.insert(rows.q.end(), row.q.begin(), row.q.end());
    rows.qd.insert(rows.qd.end(), row.qd.begin(), row.qd.end());
    rows.qdd.insert(rows.qdd.end(), row.qdd.begin(), row.qdd.end());
  }
  return rows;
}

TEST(Recorded, RowsOfAQuinticGiveItBack) {
  const Trajectory quintic =
      point_to_point(std::vector{0.1, -1.0}, std::vector{0.9, 2.0}, Profile::quintic, {2.0, {}});
  const Trajectory again = recorded(rows_of(quintic, {0.0, 0.1, 0.15, 0.9, 1.8, 2.0}));
  for (double t = 0.0; t <= 2.0; t += 0.01) {
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(row_at(again, t).q[i], row_at(quintic, t).q[i], 1e-14);
      EXPECT_NEAR(row_at(again, t).qd[i], row_at(quintic, t).qd[i], 1e-13);
      EXPECT_NEAR(row_at(again, t).qdd[i], row_at(quintic, t).qdd[i], 1e-11);
    }
  }
}

TEST(Recorded, MotionHasItsOwnNumbersAtItsRows) {
  const RecordedRows rows{{1.0, 1.5, 2.5}, {0.1, 0.3, 0.2}, {7.0, -1.0, 0.0}, {0.0, 9.0, 1.0}};
  const Trajectory motion = recorded(rows);
  EXPECT_EQ(motion.begin(), 1.0);
  EXPECT_EQ(motion.end(), 2.5);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(row_at(motion, rows.t[k]).q[0], rows.q[k]);
    EXPECT_EQ(row_at(motion, rows.t[k]).qd[0], rows.qd[k]);
    EXPECT_EQ(row_at(motion, rows.t[k]).qdd[0], rows.qdd[k]);
  }
}

TEST(Recorded, RowsThatAreNoMotionAreRefused) {
  EXPECT_THROW((void)recorded({{0.0}, {0.0}, {0.0}, {0.0}}), std::invalid_argument);
  EXPECT_THROW((void)recorded({{0.0, 0.0}, {0, 0}, {0, 0}, {0, 0}}), std::invalid_argument);
  EXPECT_THROW((void)recorded({{0.0, 1.0}, {0, 0}, {0, 0}, {0}}), std::invalid_argument);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THROW((void)recorded({{0.0, infinity}, {0, 0}, {0, 0}, {0, 0}}), std::invalid_argument);
  EXPECT_THROW((void)recorded({{-infinity, 0.0}, {0, 0}, {0, 0}, {0, 0}}), std::invalid_argument);
}

TEST(Held, MotionRestsWhereItEnds) {
  const Trajectory moving = recorded({{1.0, 2.0}, {0.0, 0.5}, {0.0, 3.0}, {0.0, -4.0}});
  const Trajectory motion = held(moving, 0.75);
  EXPECT_EQ(motion.begin(), 1.0);
  EXPECT_EQ(motion.end(), 2.75);
  EXPECT_EQ(motion.knots(), (std::vector<double>{1.0, 2.0, 2.75}));
  for (const double t : {1.0, 1.3, 1.999}) {
    EXPECT_EQ(row_at(motion, t).q[0], row_at(moving, t).q[0]);
    EXPECT_EQ(row_at(motion, t).qdd[0], row_at(moving, t).qdd[0]);
  }
  for (const double t : {2.0, 2.1, 2.75}) {
    EXPECT_EQ(row_at(motion, t).q[0], 0.5);
    EXPECT_EQ(row_at(motion, t).qd[0], 0.0);
    EXPECT_EQ(row_at(motion, t).qdd[0], 0.0);
  }
  EXPECT_THROW((void)held(moving, 0.0), std::invalid_argument);
}

}  // namespace
}  // namespace armdyn::testing
