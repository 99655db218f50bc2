// What a header of somebody's log becomes, and what is said when it does not fit.

#include "log/header_meaning.hpp"
#include "log/columns.hpp"

#include <gtest/gtest.h>

#include <armdyn/error.hpp>

#include <numbers>
#include <utility>

#include "support/csv_test_tools.hpp"

namespace armdyn {
namespace {

using Names = std::vector<std::string>;

const std::vector<WantedGroup> position{{Quantity::time, Need::optional}, {Quantity::position}};

Robot waist_and_elbow() {
  Robot robot = revolute_robot(2);
  robot.joints[0].name = "waist";
  robot.joints[1].name = "elbow";
  return robot;
}

ColumnPlan plan_of_line(const Names& cells, const Names& first_row = {},
                        const std::vector<ColumnChoice>& choices = {}) {
  return plan_columns({"log.csv", 1, cells, first_row}, waist_and_elbow(), position,
                      {.choices = choices});
}

std::string refusal_of_line(const Names& cells, const Names& first_row = {},
                            const std::vector<ColumnChoice>& choices = {}) {
  return message_of<InputError>([&] { (void)plan_of_line(cells, first_row, choices); });
}

std::size_t cell_of_q1(const ColumnPlan& plan) {
  return plan.columns[*plan.first(Quantity::position)].cell;
}

TEST(HeaderMeaning, SaysWhichColumnsBecameWhat) {
  EXPECT_EQ(plan_of_line({"t", "q1", "q2"}).recognized, "");
  EXPECT_EQ(plan_of_line({"time", "q0", "q1"}).recognized, "columns: t = time, q1..q2 = q0..q1");
  EXPECT_EQ(plan_of_line({"timestamp", "actual_q_0", "actual_q_1", "actual_current_0",
                          "actual_current_1", "x"})
                .recognized,
            "a UR RTDE log: t = timestamp, q1..q2 = actual_q_0..actual_q_1; 1 other column is "
            "ignored; actual_current_0 is a current, not a torque");
  EXPECT_EQ(plan_of_line({"time", "A1", "A2"}).recognized,
            "a KUKA axis log: t = time, q1..q2 = A1..A2 in deg");
  EXPECT_EQ(plan_of_line({"time", "A1[rad]", "A2[rad]"}).recognized,
            "a KUKA axis log: t = time, q1..q2 = A1[rad]..A2[rad]");
}

TEST(HeaderMeaning, NamesOrderTheJoints) {
  EXPECT_EQ(cell_of_q1(plan_of_line({"time", "position_elbow", "position_waist"})), 2U);
  EXPECT_EQ(cell_of_q1(plan_of_line({"__time", "/js/elbow_joint/position", "/js/gripper/position",
                                     "/js/waist_joint/position"})),
            3U);
  const Names header{"%time", "field.name0", "field.name1", "field.position0", "field.position1"};
  const ColumnPlan plan = plan_of_line(header, {"1", "elbow", "waist", "0", "0"});
  EXPECT_EQ(cell_of_q1(plan), 4U);
  ASSERT_EQ(plan.constant_texts.size(), 2U);
  EXPECT_EQ(plan.constant_texts[1].text, "waist");
}

TEST(HeaderMeaning, NamesThatAreNotTheRobotsAreRefused) {
  EXPECT_EQ(
      refusal_of_line({"%time", "field.name0", "field.name1", "field.position0", "field.position1"},
                      {"1", "a", "b", "0", "0"}),
      "log.csv:1: this looks like a ROS log (rostopic echo -p), but of 2 columns like "
      "\"field.position0\" not each of the robot's joints (waist, elbow) names one; "
      "--columns \"q={field.position0,field.position1}\" selects them, in the order of the joints, "
      "perhaps --columns \"t=%time,q=field.position{0..1}\"; a unit "
      "that is not SI goes behind, as in q=...[deg]");
}

TEST(HeaderMeaning, OffersTheColumnThatIsATime) {
  for (const Names& header : {Names{"runtime_state", "pc_ts", "Motor 1 value", "Motor 2 value"},
                              {"Motor 1 value", "Motor 2 value", "wall_time", "runtime"}}) {
    const std::string refusal = refusal_of_line(header);
    EXPECT_NE(refusal.find(header.front() == "Motor 1 value" ? "t=wall_time" : "t=pc_ts"),
              refusal.npos)
        << refusal;
  }
  for (const std::string name : {"sec", "Seconds", "Elapsed [s]", "t_s"}) {
    const std::string refusal = message_of<InputError>([&] {
      (void)plan_columns({"log.csv", 1, {name, "position_0", "position_1"}, {}}, waist_and_elbow(),
                         {{Quantity::time}, {Quantity::position}}, {});
    });
    EXPECT_NE(refusal.find("perhaps --columns \"t=" + name + "\""), refusal.npos) << refusal;
  }
}

TEST(HeaderMeaning, AnotherNumberOfJointsIsRefused) {
  EXPECT_EQ(refusal_of_line({"timestamp", "actual_q_0", "actual_q_1", "actual_q_2"}),
            "log.csv:1: this looks like a UR RTDE log, but of 3 columns like \"actual_q_0\" the "
            "robot with its 2 joints cannot take one each; --columns selects one");
}

TEST(HeaderMeaning, TwoSetsOfTheSameColumnsAreRefused) {
  EXPECT_EQ(refusal_of_line({"__time", "/a/waist/position", "/a/elbow/position",
                             "/b/waist/position", "/b/elbow/position"}),
            "log.csv:1: this looks like a PlotJuggler export, but several columns match "
            "\"{*}/{joint}/position\"; --columns selects one, perhaps --columns "
            "\"t=__time,q=/a/{waist,elbow}/position\"; a unit that is not SI goes behind, as in "
            "q=...[deg]");
}

TEST(HeaderMeaning, WhatTheUserSaysOverrulesTheRest) {
  const Names header{"timestamp", "actual_q_0", "actual_q_1", "target_q_0", "target_q_1"};
  EXPECT_EQ(cell_of_q1(plan_of_line(header)), 1U);
  EXPECT_EQ(cell_of_q1(plan_of_line(header, {}, {{"q", "target_q_{0..1}"}})), 3U);
  EXPECT_EQ(cell_of_q1(plan_of_line(header, {}, {{"q", "{actual_q_1,actual_q_0}"}})), 2U);
  EXPECT_EQ(plan_of_line({"clock", "a", "b"}, {}, {{"t", "clock[ms]"}, {"q1", "b"}, {"q2", "a"}})
                .columns[0]
                .unit.to_si(9.0),
            0.009);
}

// Words for a position, or the joints' own names, with one prefix or suffix for all.
TEST(HeaderMeaning, PlainNamesOfJointsAreTakenAndSaid) {
  const auto taken = [](const std::string& first, const std::string& second) {
    return plan_of_line({"t", second, first, "state"}).recognized;
  };
  const auto expect_taken = [&](const std::string& first, const std::string& second) {
    EXPECT_EQ(taken(first, second), "columns named by joint: q1..q2 = " + first + ", " + second +
                                        "; 1 other column is ignored");
  };
  expect_taken("theta1", "theta2");
  expect_taken("joint_0", "joint_1");
  expect_taken("fer_joint01", "fer_joint02");
  expect_taken("J1 (deg)", "J2 (deg)");
  expect_taken("left_j1_pos", "left_j2_pos");
  expect_taken("position_panda_joint1", "position_panda_joint2");
  expect_taken("waist", "elbow");
  expect_taken("arm_waist_angle[deg]", "arm_elbow_angle[deg]");
  EXPECT_EQ(plan_of_line({"Time (ms)", "J1 (deg)", "J2 (deg)"}).columns[1].unit.to_si(180.0),
            std::numbers::pi);
  EXPECT_EQ(plan_of_line({"t", "l_j1_pos", "l_j2_pos", "l_j1_vel", "l_j2_vel"}).recognized,
            "columns named by joint: q1..q2 = l_j1_pos..l_j2_pos");
  // Beside columns of another kind of log, which has no positions.
  for (const std::string torque : {"torque", "effort", "tau"}) {
    EXPECT_EQ(plan_of_line({"Time", "theta1", "theta2", torque + "1", torque + "2"}).recognized,
              "columns named by joint: t = Time, q1..q2 = theta1..theta2")
        << torque;
  }
}

// Of several columns, of those a controller asks for, and by words that say another thing.
TEST(HeaderMeaning, DoubtfulNamesOfJointsAreOfferedAlone) {
  const std::string offer = "perhaps --columns \"q=";
  for (const auto& [first, second] :
       {std::pair<std::string, std::string>{"joint1_cmd", "joint2_cmd"},
        {"joint1_error", "joint2_error"},
        {"joint1_flux", "joint2_flux"},
        {"x1", "x2"}}) {
    const std::string refusal = refusal_of_line({"t", first, second});
    EXPECT_NE(refusal.find(offer), refusal.npos) << first << refusal;
  }
  const std::string refusal =
      refusal_of_line({"t", "j1_pos", "j2_pos", "j1_pos_raw", "j2_pos_raw"});
  EXPECT_NE(refusal.find(offer + "j{1..2}_pos\""), refusal.npos) << refusal;
}

TEST(HeaderMeaning, ANameOfAnotherJointIsSaid) {
  const std::string said =
      "q1 is \"elbow_pos\", named like elbow, q2 is \"waist_pos\", named like waist";
  EXPECT_NE(plan_of_line({"elbow_pos", "waist_pos"}, {}, {{"q", "{elbow_pos,waist_pos}"}})
                .recognized.find(said),
            std::string::npos);
  EXPECT_EQ(plan_of_line({"elbow_pos", "waist_pos"}, {}, {{"q", "{waist_pos,elbow_pos}"}})
                .recognized.find("named like"),
            std::string::npos);
}

// A number in brackets is part of a name, wherever a unit may stand.
TEST(HeaderMeaning, ANumberInBracketsIsNoUnit) {
  const Robot robot = waist_and_elbow();
  const auto position_in_si = [](const ColumnPlan& plan) {
    const TablePlan::Column& q2 = plan.columns[*plan.first(Quantity::position) + 1];
    return std::pair(q2.cell, q2.unit.to_si(180.0));
  };
  using Found = std::pair<std::size_t, double>;
  const Found in_rad(2, 180.0), in_deg(2, std::numbers::pi);
  for (const std::string name : {"q", "state.q", "pos", "position", "x"}) {
    const Names numbered{"t", name + "[0]", name + "[1]"};
    const Names in_degrees{"t", name + "[0][deg]", name + "[1] [deg]"};
    const std::string choice = name + "[{0..1}]";
    const ColumnPlan plain = plan_of_line(numbered, {}, {{"q", choice}});
    EXPECT_EQ(position_in_si(plain), in_rad) << name;
    EXPECT_EQ(column_reading(plain, robot, Quantity::position, 1).text(), name + "[1]");
    const ColumnPlan turned = plan_of_line(numbered, {}, {{"q", choice + "[deg]"}});
    EXPECT_EQ(position_in_si(turned), in_deg) << name;
    EXPECT_EQ(column_reading(turned, robot, Quantity::position, 1).text(), name + "[1][deg]");
    EXPECT_EQ(position_in_si(plan_of_line(in_degrees, {}, {{"q", choice}})), in_deg) << name;
    EXPECT_EQ(position_in_si(plan_of_line(in_degrees, {}, {{"q", choice + "[rad]"}})), in_rad)
        << name;
    EXPECT_EQ(position_in_si(plan_of_line(numbered, {}, {{"q", "-" + choice}})), Found(2, -180.0));
    EXPECT_EQ(position_in_si(plan_of_line(numbered, {}, {{"q", choice + "[deg]-90deg"}})),
              Found(2, std::numbers::pi / 2.0));
  }
  for (const std::string name : {"q", "state.q", "position"}) {
    EXPECT_EQ(position_in_si(plan_of_line({"time", name + "[0][deg]", name + "[1] [deg]"})),
              in_deg);
  }
  EXPECT_EQ(refusal_of_line({"t", "y[0]", "y[1]"}),
            "log.csv:1: unknown column \"y[0]\"; name the columns, perhaps --columns "
            "\"q=y[{0..1}]\"; a unit that is not SI goes behind, as in q=...[deg] (--ignore-extra "
            "skips unknown columns)");
}

// A joint's name serves for its number, as in headers.
TEST(HeaderMeaning, WhatTheUserSaysMayNameJoints) {
  const Names header{"t", "a", "b"};
  EXPECT_EQ(plan_of_line(header, {}, {{"q_waist", "b"}, {"q_elbow", "a[deg]"}}).recognized,
            plan_of_line(header, {}, {{"q1", "b"}, {"q2", "a[deg]"}}).recognized);
  EXPECT_EQ(cell_of_q1(plan_of_line(header, {}, {{"q_waist", "b"}, {"q_elbow", "a"}})), 2U);
}

TEST(HeaderMeaning, WhatTheUserSaysMustFit) {
  const Names header{"t", "a", "b"};
  EXPECT_EQ(refusal_of_line(header, {}, {{"q", "c_{0..1}"}}),
            "log.csv:1: --columns: there is no column \"c_0\"; arithmetic is -NAME, 2*NAME, "
            "NAME-90deg, NAME+NAME, unwrap(NAME), NAME@50ms");
  EXPECT_EQ(refusal_of_line(header, {}, {{"q", "a"}}),
            "log.csv:1: --columns: q needs 2 columns, \"a\" stands for 1");
  EXPECT_EQ(refusal_of_line(header, {}, {{"x", "a"}}),
            "log.csv:1: --columns: \"x\" is none of t, q, qd, qdd, tau, i, wrench, q1, qd1, qdd1, "
            "tau1, i1, fx.., or with a joint's name for its number");
  EXPECT_EQ(refusal_of_line(header, {}, {{"q", "a{1.2}"}}),
            "log.csv:1: --columns: q needs 2 columns, \"a{1.2}\" stands for 1");
}

TEST(HeaderMeaning, AFileWithoutHeaderIsReadByItsNumberOfColumns) {
  const auto plan = [](const Names& cells) {
    return plan_columns({"log.csv", 1, cells, {}, false}, waist_and_elbow(), position, {});
  };
  EXPECT_EQ(cell_of_q1(plan({"1", "2", "3"})), 1U);
  EXPECT_EQ(cell_of_q1(plan({"1", "2", "3", "4", "5"})), 1U);
  EXPECT_EQ(message_of<InputError>([&] {
              (void)plan({"1", "2", "3", "4"});
            }),
            "log.csv:1: found a file without a header of 4 columns; for the robot's 2 joints "
            "expected 3 (t,q), 5 (t,q,qd), 7 (t,q,qd,qdd), or --columns, which names them");
}

TEST(HeaderMeaning, StampsSince1970CountFromTheFirst) {
  const ColumnPlan plan = plan_of_line({"time", "q1", "q2"}, {"1600000000.25", "0", "0"});
  ASSERT_TRUE(plan.stamp);
  EXPECT_EQ(plan.stamp->origin, 1600000000250000000);
  EXPECT_EQ(plan.recognized, "columns: t = time; t counts from the first stamp");
  EXPECT_EQ(plan_of_line({"t", "q1", "q2"}, {"1600000000", "0", "0"}).recognized,
            "t counts from the first stamp");
  EXPECT_FALSE(plan_of_line({"time", "q1", "q2"}, {"4711.25", "0", "0"}).stamp);
  // As numpy.savetxt writes them.
  for (const std::string text : {"1.600000000250000000e+09", "1.600000000250000000e+18"}) {
    const ColumnPlan written = plan_of_line({"time", "q1", "q2"}, {text, "0", "0"});
    ASSERT_TRUE(written.stamp) << text;
    EXPECT_EQ(written.stamp->origin, 1600000000250000000) << text;
  }
}

}  // namespace
}  // namespace armdyn
