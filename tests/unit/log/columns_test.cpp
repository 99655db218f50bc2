#include "log/columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <armdyn/error.hpp>
#include <ctime>
#include <numbers>

#include "log/log_reader.hpp"
#include "support/csv_test_tools.hpp"

namespace armdyn {
namespace {

using Names = std::vector<std::string>;

const std::vector<WantedGroup> motion{{Quantity::time, Need::optional},
                                      {Quantity::position},
                                      {Quantity::velocity},
                                      {Quantity::acceleration},
                                      {Quantity::contact_wrench, Need::optional}};

ColumnPlan plan_for(const Names& cells, const std::vector<WantedGroup>& wanted, const Robot& robot,
                    bool ignore_extra = false) {
  return plan_columns({"motion.csv", 1, cells}, robot, wanted, {ignore_extra});
}

std::string refusal_of(const Names& cells, const std::vector<WantedGroup>& wanted = motion,
                       const Robot& robot = revolute_robot(2), bool ignore_extra = false) {
  return message_of<InputError>([&] { (void)plan_for(cells, wanted, robot, ignore_extra); });
}

double si_of_one(const std::string& cell, Quantity quantity, JointType type = JointType::revolute) {
  return plan_for({cell}, {{quantity}}, robot_of({type})).columns.at(0).unit.to_si(1.0);
}

TEST(Columns, NamesAreThoseOfTheConventions) {
  EXPECT_EQ(column_names(Quantity::time, 2), Names{"t"});
  EXPECT_EQ(column_names(Quantity::position, 2), (Names{"q1", "q2"}));
  EXPECT_EQ(column_names(Quantity::acceleration, 2), (Names{"qdd1", "qdd2"}));
  EXPECT_EQ(column_names(Quantity::contact_wrench, 2), (Names{"fx", "fy", "fz", "nx", "ny", "nz"}));
  EXPECT_EQ(column_names(Quantity::run, 2), Names{"run"});
  EXPECT_EQ(column_names(Quantity::run_end, 2), (Names{"exit", "joint"}));
  EXPECT_EQ(column_names(Quantity::energy_audit, 2), (Names{"work", "losses", "imbalance"}));
  EXPECT_EQ(column_names(Quantity::friction_part, 2), (Names{"tau_friction1", "tau_friction2"}));
  EXPECT_EQ(column_names(Quantity::reaction, 2), (Names{"f1x", "f1y", "f1z", "n1x", "n1y", "n1z",
                                                        "f2x", "f2y", "f2z", "n2x", "n2y", "n2z"}));
  EXPECT_EQ(column_names(Quantity::tracking_error, 1), Names{"e1"});
}

TEST(Columns, ThatAUserNamesStandBesideThoseWithTheirOwnNames) {
  const Header header{"motion.csv", 1, {"q1", "enc", "q2"}};
  const auto cells = [&](const std::vector<ColumnChoice>& choices) {
    const ColumnPlan plan =
        plan_columns(header, revolute_robot(2), {{Quantity::position}}, {.choices = choices});
    return std::pair(plan.columns.at(0).cell, plan.columns.at(1).cell);
  };
  EXPECT_EQ(cells({{"q2", "enc"}}),
            std::pair(std::size_t{0}, std::size_t{1}));  // q2 of the file is another column
  EXPECT_EQ(cells({{"q1", "enc"}}), std::pair(std::size_t{1}, std::size_t{2}));
}

TEST(Columns, OfMatricesAreKnownByTheirNamesAlone) {
  std::size_t matrices = 0;
  for (const Quantity quantity : all_quantities()) {
    const Names names = column_names(quantity, 12);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto found = matrix_column(names[i], 12);
      ASSERT_EQ(found.has_value(), is_matrix(quantity)) << names[i];
      EXPECT_EQ(found.value_or(std::pair(quantity, i)), std::pair(quantity, i)) << names[i];
    }
    if (is_matrix(quantity)) ++matrices;
  }
  EXPECT_EQ(matrices, 8U);
  for (const char* const name :
       {"M", "M1", "M_1", "M0_1", "M1_0", "M13_1", "M1_13", "M01_1", "M1_1_1", "M1_1x", "J7_1",
        "R1_4", "M1__1", "M-1_1", "M99999999999999999999_1", "M1_18446744073709551617"}) {
    EXPECT_FALSE(matrix_column(name, 12)) << name;
  }
}

/// Fourfold joints take about four times as long, not sixteen times, and no list of their squares.
TEST(Columns, AreFoundForThousandsOfJointsInAboutLinearTime) {
  const auto ticks_for = [](std::size_t dof) {
    Names cells;
    for (const WantedGroup& group : motion) {
      const Names names = column_names(group.quantity, dof);
      cells.insert(cells.end(), names.begin(), names.end());
    }
    const Robot robot = revolute_robot(dof);
    const std::clock_t begin = std::clock();
    const ColumnPlan plan = plan_for(cells, motion, robot);
    const std::clock_t ticks = std::clock() - begin;
    EXPECT_EQ(plan.columns.size(), cells.size());
    EXPECT_EQ(plan.columns[3 * dof].cell, 3 * dof);
    return static_cast<double>(ticks);
  };
  // Pairs of columns would take 64 times as long for 8 times the joints.
  const double fewer = std::min(ticks_for(1000), ticks_for(1000));
  EXPECT_LT(std::min(ticks_for(8000), ticks_for(8000)), 30 * fewer);
}

TEST(Columns, AnyOrderInTheFileBecomesTheOrderWanted) {
  const ColumnPlan plan =
      plan_for({"qdd2", "t", "qd1", "q2", "qdd1", "q1", "qd2"}, motion, revolute_robot(2));
  Names names;
  std::vector<std::size_t> cells;
  for (const auto& column : plan.columns) {
    names.push_back(column.name);
    cells.push_back(column.cell);
  }
  EXPECT_EQ(names, (Names{"t", "q1", "q2", "qd1", "qd2", "qdd1", "qdd2"}));
  EXPECT_EQ(cells, (std::vector<std::size_t>{1, 5, 3, 2, 6, 4, 0}));
  EXPECT_EQ(plan.first(Quantity::time), 0U);
  EXPECT_EQ(plan.first(Quantity::velocity), 3U);
  EXPECT_FALSE(plan.has(Quantity::contact_wrench));
}

TEST(Columns, AnAbsentOptionalGroupTakesNoColumn) {
  const ColumnPlan plan = plan_for({"q1", "qd1", "qdd1"}, motion, revolute_robot(1));
  EXPECT_FALSE(plan.has(Quantity::time));
  EXPECT_EQ(plan.first(Quantity::position), 0U);
}

TEST(Columns, AJointNameServesForItsNumber) {
  Robot robot = revolute_robot(2);
  robot.joints[0].name = "waist";
  robot.joints[1].name = "shoulder";
  const ColumnPlan plan = plan_for({"q_shoulder[deg]", "q_waist"}, {{Quantity::position}}, robot);
  EXPECT_EQ(plan.columns[0].name, "q1");
  EXPECT_EQ(plan.columns[0].cell, 1U);
  EXPECT_EQ(plan.columns[1].cell, 0U);
  EXPECT_EQ(refusal_of({"q_waist", "q1", "q2"}, {{Quantity::position}}, robot),
            R"(motion.csv:1: column "q1" is there twice, first as "q_waist")");
  for (const std::string cell : {"waist", "waist_joint"}) {
    EXPECT_EQ(refusal_of({"q2", cell}, {{Quantity::position}}, robot),
              "motion.csv:1: unknown column \"" + cell +
                  "\"; the position of joint waist is q_waist, or what --columns \"q1=" + cell +
                  "\" names (--ignore-extra skips unknown columns)");
  }
  EXPECT_EQ(refusal_of({"q_waist", "q_sholder"}, {{Quantity::position}}, robot),
            "motion.csv:1: unknown column \"q_sholder\"; did you mean \"q_shoulder\"? "
            "(--ignore-extra skips unknown columns)");
}

TEST(Columns, ColumnsThatAnyVerbWritesAreKnownAndIgnored) {
  const ColumnPlan plan =
      plan_for({"t", "q1", "tau1", "tau_inertia1", "tau_velocity1", "tau_gravity1", "tau_friction1",
                "tau_rotor1", "tau_wrench1", "f1x", "n1z", "e1", "fx", "qd1[furlong]"},
               {{Quantity::position}}, revolute_robot(1));
  ASSERT_EQ(plan.columns.size(), 1U);
  EXPECT_EQ(plan.columns[0].cell, 1U);
  EXPECT_EQ(plan.header.size(), 14U);
}

TEST(Columns, UnitsBecomeSi) {
  constexpr double degree = std::numbers::pi / 180.0;
  EXPECT_EQ(si_of_one("t", Quantity::time), 1.0);
  EXPECT_EQ(si_of_one("t[s]", Quantity::time), 1.0);
  EXPECT_EQ(si_of_one("t[ms]", Quantity::time), 1e-3);
  EXPECT_EQ(si_of_one("t [us]", Quantity::time), 1e-6);
  EXPECT_EQ(si_of_one("t[µs]", Quantity::time), 1e-6);
  EXPECT_EQ(si_of_one("t[ ns ]", Quantity::time), 1e-9);
  EXPECT_EQ(si_of_one("q1[rad]", Quantity::position), 1.0);
  EXPECT_EQ(si_of_one("q1[deg]", Quantity::position), degree);
  EXPECT_EQ(si_of_one("q1[°]", Quantity::position), degree);
  EXPECT_EQ(si_of_one("q1[m]", Quantity::position, JointType::prismatic), 1.0);
  EXPECT_EQ(si_of_one("q1[mm]", Quantity::position, JointType::prismatic), 1e-3);
  EXPECT_EQ(si_of_one("qd1[rad/s]", Quantity::velocity), 1.0);
  EXPECT_EQ(si_of_one("qd1[deg/s]", Quantity::velocity), degree);
  EXPECT_EQ(si_of_one("qd1[rpm]", Quantity::velocity), std::numbers::pi / 30.0);
  EXPECT_EQ(si_of_one("qd1[mm/s]", Quantity::velocity, JointType::prismatic), 1e-3);
  for (const char* const unit : {"rad/s^2", "rad/s2", "rad/s²"}) {
    EXPECT_EQ(si_of_one("qdd1[" + std::string(unit) + "]", Quantity::acceleration), 1.0) << unit;
  }
  EXPECT_EQ(si_of_one("qdd1[deg/s^2]", Quantity::acceleration), degree);
  EXPECT_EQ(si_of_one("qdd1[m/s^2]", Quantity::acceleration, JointType::prismatic), 1.0);
  for (const char* const unit : {"N.m", "Nm", "N m", "N·m", "N⋅m", "N*m"}) {
    EXPECT_EQ(si_of_one("tau1[" + std::string(unit) + "]", Quantity::torque), 1.0) << unit;
    EXPECT_EQ(si_of_one("tau1[k" + std::string(unit) + "]", Quantity::torque), 1e3) << unit;
    EXPECT_EQ(si_of_one("tau1[m" + std::string(unit) + "]", Quantity::torque), 1e-3) << unit;
  }
  EXPECT_EQ(si_of_one("tau1[N]", Quantity::torque, JointType::prismatic), 1.0);
  EXPECT_EQ(si_of_one("tau1[kN]", Quantity::torque, JointType::prismatic), 1e3);
  EXPECT_EQ(si_of_one("tau_gravity1[Nm]", Quantity::gravity_part), 1.0);
  EXPECT_EQ(si_of_one("e1[deg]", Quantity::tracking_error), degree);
}

TEST(Columns, WrenchUnitsAreThoseOfForcesAndMoments) {
  const ColumnPlan plan = plan_for({"fx[N]", "fy[kN]", "fz", "nx[Nm]", "ny[mN.m]", "nz[N·m]"},
                                   {{Quantity::contact_wrench}}, revolute_robot(1));
  EXPECT_EQ(plan.columns[1].unit.to_si(2.0), 2000.0);
  EXPECT_EQ(plan.columns[4].unit.to_si(9.0), 0.009);
  EXPECT_EQ(refusal_of({"fx[Nm]", "fy", "fz", "nx", "ny", "nz"}, {{Quantity::contact_wrench}}),
            R"(motion.csv:1: column "fx[Nm]" cannot have the unit "Nm"; expected N, mN or kN)");
}

TEST(Columns, MillimetersAndMillisecondsLoseNoBit) {
  const Unit milli = plan_for({"t[ms]"}, {{Quantity::time}}, revolute_robot(1)).columns.at(0).unit;
  EXPECT_EQ(milli.to_si(9.0), 0.009);
  EXPECT_EQ(milli.to_si(1017.0), 1.017);
}

TEST(Columns, RightAnglesInDegreesAreExact) {
  const Unit degrees =
      plan_for({"q1[deg]"}, {{Quantity::position}}, revolute_robot(1)).columns.at(0).unit;
  EXPECT_EQ(degrees.to_si(90.0), std::numbers::pi / 2.0);
  EXPECT_EQ(degrees.to_si(-180.0), -std::numbers::pi);
}

TEST(Columns, AUnitThatDoesNotFitIsRefusedWithThoseThatDo) {
  const Robot lift = robot_of({JointType::prismatic});
  EXPECT_EQ(refusal_of({"q1[deg]"}, {{Quantity::position}}, lift),
            "motion.csv:1: column \"q1[deg]\" of a prismatic joint cannot have the unit \"deg\"; "
            "expected m or mm");
  EXPECT_EQ(refusal_of({"q1", "q2[mm]"}, {{Quantity::position}}),
            "motion.csv:1: column \"q2[mm]\" of a revolute joint cannot have the unit \"mm\"; "
            "expected rad or deg");
  EXPECT_EQ(refusal_of({"qd1[deg]", "qd2"}, {{Quantity::velocity}}),
            "motion.csv:1: column \"qd1[deg]\" of a revolute joint cannot have the unit \"deg\"; "
            "expected rad/s, deg/s or rpm");
  EXPECT_EQ(
      refusal_of({"t[min]"}, {{Quantity::time}}),
      R"(motion.csv:1: column "t[min]" cannot have the unit "min"; expected s, ms, us or ns)");
  EXPECT_EQ(refusal_of({"t[]"}, {{Quantity::time}}),
            R"(motion.csv:1: column "t[]" cannot have the unit ""; expected s, ms, us or ns)");
}

TEST(Columns, AllMissingColumnsAreNamedAtOnce) {
  EXPECT_EQ(refusal_of({"t", "q1", "q2", "qd1[deg/s]"}),
            "motion.csv:1: missing columns qd2, qdd1..qdd2; the file has t, q1, q2, qd1[deg/s]");
  EXPECT_EQ(refusal_of({"q1"}, {{Quantity::position}}),
            "motion.csv:1: missing column q2; the file has q1");
  EXPECT_EQ(refusal_of({"q1"}, {{Quantity::time}, {Quantity::position}}, revolute_robot(1)),
            "motion.csv:1: missing column t; the file has q1");
}

TEST(Columns, APartOfAnOptionalGroupIsRefused) {
  EXPECT_EQ(
      refusal_of({"q1", "fx", "fz", "nx", "ny"},
                 {{Quantity::position}, {Quantity::contact_wrench, Need::optional}},
                 revolute_robot(1)),
      "motion.csv:1: missing columns fy, nz; the file has q1, fx, fz, nx, ny; a contact wrench "
      "needs all of fx, fy, fz, nx, ny, nz or none (--ignore-extra leaves the others out)");
  EXPECT_EQ(refusal_of({"tau2"}, {{Quantity::torque, Need::optional}}, revolute_robot(3)),
            "motion.csv:1: missing columns tau1, tau3; the file has tau2; tau1..tau3 must all be "
            "there or none (--ignore-extra leaves the others out)");
}

TEST(Columns, APartOfAnOptionalGroupIsPassedOverWithTheExtraColumns) {
  const std::vector<WantedGroup> wanted{{Quantity::position},
                                        {Quantity::contact_wrench, Need::optional}};
  const ColumnPlan plan = plan_for({"q1", "fx", "fy", "fz"}, wanted, revolute_robot(1), true);
  EXPECT_FALSE(plan.has(Quantity::contact_wrench));
  EXPECT_EQ(plan.recognized, "fx, fy, fz are not read, since the log has no nx, ny, nz");
  const Names others{"q1", "fx", "fy", "fz", "mx", "my", "mz"};
  const std::string hint = "; perhaps --columns \"wrench={fx,fy,fz,mx,my,mz}\"";
  EXPECT_TRUE(plan_for(others, wanted, revolute_robot(1), true).recognized.ends_with(hint));
  EXPECT_NE(refusal_of(others, wanted, revolute_robot(1)).find("unknown column"),
            std::string::npos);
}

TEST(Columns, ALongListOfWhatIsMissingIsCut) {
  EXPECT_EQ(refusal_of({"q1", "q20"}, {{Quantity::position}}, revolute_robot(20)),
            "motion.csv:1: missing columns q2, q3, q4, q5, q6, q7, q8, 11 more of q1..q20; the "
            "file has q1, q20");
}

TEST(Columns, ALongListOfWhatTheFileHasIsCut) {
  Names cells;
  for (int i = 1; i <= 30; ++i) cells.push_back("q" + std::to_string(i));
  const std::string message = refusal_of(cells, {{Quantity::time}}, revolute_robot(30));
  EXPECT_TRUE(message.ends_with("q23, q24 and 6 more")) << message;
}

TEST(Columns, AnUnknownColumnIsRefusedUnlessExtrasAreIgnored) {
  const Names cells{"temperature", "q1", "mode[x"};
  EXPECT_EQ(refusal_of(cells, {{Quantity::position}}, revolute_robot(1)),
            "motion.csv:1: unknown column \"temperature\"; known are q1 and what armdyn writes "
            "(--ignore-extra skips unknown columns)");
  EXPECT_EQ(
      refusal_of({"q1", "q2", "position"}, waypoint_groups()),
      "motion.csv:1: unknown column \"position\"; known are t, q1..q2, x, y, z, roll, pitch, "
      "yaw, qx, qy, qz, qw, dwell, blend and what armdyn writes (--ignore-extra skips unknown "
      "columns)");
  const ColumnPlan plan = plan_for(cells, {{Quantity::position}}, revolute_robot(1), true);
  EXPECT_EQ(plan.columns.at(0).cell, 1U);
}

TEST(Columns, NumberedColumnsOfUnknownNamesAreOfferedAsTheirLikelyQuantities) {
  EXPECT_EQ(
      refusal_of({"Time (s)", "J0 raw angle", "J1 raw angle", "J0 speed", "J1 speed", "J0 Torque",
                  "J1 Torque"},
                 {{Quantity::position}}),
      "motion.csv:1: unknown column \"J0 raw angle\"; name the columns, perhaps --columns "
      "\"q=J{0..1} raw angle,qd=J{0..1} speed,tau=J{0..1} Torque\"; a unit that is not SI goes "
      "behind, as in q=...[deg] (--ignore-extra skips unknown columns)");
}

TEST(Columns, AreReadByTheLettersOfTextbooks) {
  for (const std::string rate : {"omega", "w"}) {
    const ColumnPlan plan =
        plan_for({"t", "theta1", "theta2", rate + "1", rate + "2", "alpha1", "alpha2"}, motion,
                 revolute_robot(2));
    EXPECT_EQ(plan.recognized, "columns named by joint: q1..q2 = theta1..theta2, qd1..qd2 = " +
                                   rate + "1.." + rate + "2, qdd1..qdd2 = alpha1..alpha2");
  }
}

// An arm with both kinds of joints has two units in a series of columns.
TEST(Columns, OfASeriesHaveTheUnitsOfTheirJoints) {
  const Robot robot = robot_of({JointType::revolute, JointType::prismatic});
  const ColumnPlan plan = plan_for({"J2 (mm)", "J1 (deg)", "J1 vel (deg/s)", "J2 vel (mm/s)"},
                                   {{Quantity::position}, {Quantity::velocity}}, robot);
  EXPECT_EQ(plan.recognized,
            "columns named by joint: q1..q2 = J1 (deg), J2 (mm), qd1..qd2 = J1 vel (deg/s)..J2 vel "
            "(mm/s)");
  EXPECT_EQ(plan.columns[1].unit.to_si(5.0), 0.005);
  EXPECT_EQ(plan.columns[3].unit.to_si(5.0), 0.005);
  EXPECT_NE(refusal_of({"t", "J1_cmd (deg)", "J2_cmd (mm)"}, {{Quantity::position}}, robot)
                .find("--columns \"q={J1_cmd (deg),J2_cmd (mm)}\""),
            std::string::npos);
  EXPECT_NE(refusal_of({"t", "J1 (deg)", "J2 (mm/s)"}, {{Quantity::position}}, robot), "");
  const ColumnPlan plain = plan_for({"q1_deg", "q2_mm"}, {{Quantity::position}}, robot);
  EXPECT_EQ(plain.columns[1].unit.to_si(5.0), 0.005);
}

TEST(Columns, AreOfferedInTheOrderMeasuredAskedForComputed) {
  const auto offered = [](const Names& words) {
    Names cells{"time", "qpos1", "qpos2", "qpos_raw1", "qpos_raw2"};
    for (const std::string& word : words) {
      for (const char* const number : {"1", "2"}) cells.push_back("tau" + word + number);
    }
    const std::string refusal = refusal_of(cells, {{Quantity::position}});
    const std::size_t begin = refusal.find(",tau=") + 5;
    return refusal.substr(begin, refusal.find('"', begin) - begin);
  };
  EXPECT_EQ(offered({"_con", "_fric", "_meas"}), "tau_meas{1..2}");
  EXPECT_EQ(offered({"_filtered", "_cmd"}), "tau_cmd{1..2}");
  EXPECT_EQ(offered({"Model", "Ref", "J"}), "tauJ{1..2}");
  EXPECT_EQ(offered({"_external", "_sensor_", "_x_"}), "tau_sensor_{1..2}");
  EXPECT_EQ(offered({"_J_d_", "_J_"}), "tau_J_{1..2}");
  for (const std::string part : {"_ext", "_fric", "_gravity_", "_error"}) {
    const std::string refusal =
        refusal_of({"t", "q1", "q2", "tau" + part + "1", "tau" + part + "2"});
    EXPECT_EQ(refusal.find("--columns"), refusal.npos) << refusal;
  }
}

TEST(Columns, NumberedThroughoutAreOfferedInThePlainOrder) {
  const auto offered = [](const Names& before, std::size_t count) {
    Names cells = before;
    for (std::size_t i = 1; i <= count; ++i) cells.push_back("Var" + std::to_string(i));
    const std::string refusal = refusal_of(cells);
    const std::size_t begin = refusal.find("--columns \"") + 11;
    return begin < 11 ? "" : refusal.substr(begin, refusal.find('"', begin) - begin);
  };
  EXPECT_EQ(offered({}, 3), "t=Var1,q=Var{2..3}");
  EXPECT_EQ(offered({}, 5), "t=Var1,q=Var{2..3},qd=Var{4..5}");
  EXPECT_EQ(offered({"Clock"}, 6), "t=Clock,q=Var{1..2},qd=Var{3..4},qdd=Var{5..6}");
}

// A series over all joints is no misspelling, where columns have names of another kind.
TEST(Columns, UnknownOnesStopNoLogWhoseColumnsAreRenamed) {
  const std::vector<WantedGroup> wanted{{Quantity::position}, {Quantity::torque, Need::optional}};
  EXPECT_EQ(plan_for({"q_0", "q_1", "tau_0", "tau_1", "tau_ext_0", "tau_ext_1", "mode"}, wanted,
                     revolute_robot(2))
                .recognized,
            "columns: q1..q2 = q_0..q_1, tau1..tau2 = tau_0..tau_1; 3 other columns are ignored");
  const std::string lost = plan_for({"q_0", "q_1", "tau_ext_0", "tau_ext_1", "tau_J_0", "tau_J_1"},
                                    wanted, revolute_robot(2))
                               .recognized;
  EXPECT_NE(lost.find("\"tau_J_{0..1}\" is not read; if it is tau, --columns "
                      "\"tau=tau_J_{0..1}\" reads it"),
            lost.npos)
      << lost;
}

// What other programs write beside the plain names stops no log; a misspelling does.
TEST(Columns, PartsOfTorquesStopNoLogOfPlainNames) {
  const std::vector<WantedGroup> wanted{{Quantity::position}, {Quantity::torque, Need::optional}};
  const auto recognized = [&](Names cells, const Names& others) {
    cells.insert(cells.end(), others.begin(), others.end());
    return plan_for(cells, wanted, revolute_robot(2)).recognized;
  };
  const Names plain{"q1", "q2", "tau1", "tau2"};
  EXPECT_EQ(recognized(plain, {"tau_ext_0", "tau_ext_1"}), "tau_ext_0..tau_ext_1 are not read");
  EXPECT_EQ(recognized(plain, {"O_F_ext_hat_K_0"}), "O_F_ext_hat_K_0 is not read");
  EXPECT_EQ(recognized(plain, {"gravity_torque_1"}), "gravity_torque_1 is not read");
  EXPECT_NE(refusal_of({"q1", "q2", "torqe1"}).find("unknown column \"torqe1\""),
            std::string::npos);
}

TEST(Columns, AreOfferedByTheirUnits) {
  const auto offered = [](const Names& cells) {
    const std::string refusal = refusal_of(cells);
    const std::size_t begin = refusal.find("--columns \"") + 11;
    return begin < 11 ? "" : refusal.substr(begin, refusal.find('"', begin) - begin);
  };
  EXPECT_EQ(offered({"time", "a0[deg]", "a1[deg]", "m0", "m1"}), "q=a{0..1}[deg]");
  EXPECT_EQ(offered({"a1 [deg]", "a2 [deg]", "b1 [deg/s]", "b2 [deg/s]", "c1 [Nm]", "c2 [Nm]"}),
            "q=a{1..2} [deg],qd=b{1..2} [deg/s],tau=c{1..2} [Nm]");
  EXPECT_EQ(offered({"time", "a0", "a1"}), "q=a{0..1}");
}

TEST(Columns, AreOfferedByTheShortWordsOfLogs) {
  EXPECT_EQ(
      refusal_of({"clock", "motor1_cur", "motor2_cur", "motor1_pos_raw", "motor2_pos_raw",
                  "motor1_spd", "motor2_spd", "motor1_trq", "motor2_trq"},
                 {{Quantity::position}}),
      "motion.csv:1: unknown column \"clock\"; name the columns, perhaps --columns "
      "\"t=clock,q=motor{1..2}_pos_raw,qd=motor{1..2}_spd,tau=motor{1..2}_trq\"; a unit that is "
      "not SI goes behind, as in q=...[deg] (--ignore-extra skips unknown columns)");
}

std::string line_for(const std::string& t, const std::string& q, const std::string& qd,
                     const std::string& qdd) {
  Names cells{t};
  for (const std::string& name : {q, qd, qdd}) {
    for (const std::string number : {"1", "2"}) {
      std::string cell = name;
      cells.push_back(cell.replace(cell.find('#'), 1, number));
    }
  }
  const std::string message =
      refusal_of(cells, {{Quantity::time}, {Quantity::position}, {Quantity::velocity}});
  const std::size_t begin = message.find("--columns \"") + 11;
  return message.substr(begin, message.find('"', begin) - begin);
}

// Velocities and accelerations by what their names add to that of the position.
TEST(Columns, AreOfferedByOneWholeLine) {
  EXPECT_EQ(line_for("clock", "p#", "v#", "a#"), "t=clock,q=p{1..2},qd=v{1..2},qdd=a{1..2}");
  EXPECT_EQ(line_for("time", "theta_raw#", "theta_dot#", "theta_ddot#"),
            "q=theta_raw{1..2},qd=theta_dot{1..2},qdd=theta_ddot{1..2}");
  EXPECT_EQ(line_for("t (s)", "p# (deg)", "v# (deg/s)", "a# (deg/s^2)"),
            "q=p{1..2} (deg),qd=v{1..2} (deg/s),qdd=a{1..2} (deg/s^2)");
  EXPECT_EQ(line_for("Zeit [s]", "p#", "v#", "a#"), "t=Zeit [s],q=p{1..2},qd=v{1..2},qdd=a{1..2}");
  EXPECT_EQ(line_for("TIME", "q_#", "dq_#", "ddq_#"), "t=TIME");
  EXPECT_EQ(line_for("T", "K#", "dK#", "ddK#"), "t=T,q=K{1..2},qd=dK{1..2},qdd=ddK{1..2}");
  EXPECT_EQ(line_for("t", "x#", "xp#", "xpp#"), "q=x{1..2},qd=xp{1..2},qdd=xpp{1..2}");
  EXPECT_EQ(line_for("time", "A#_rad", "A#_rad_per_s", "A#_rad_per_s2"),
            "q=A{1..2}_rad,qd=A{1..2}_rad_per_s,qdd=A{1..2}_rad_per_s2");
  EXPECT_EQ(line_for("t", "q#", "speed#", "accel#"), "qd=speed{1..2},qdd=accel{1..2}");
  EXPECT_EQ(line_for("t", "q_#", "q_#_dot", "q_#_ddot"), "qd=q_{1..2}_dot,qdd=q_{1..2}_ddot");
  EXPECT_EQ(line_for("t", "q#", "i_current#", "temp#").find("qd="), std::string::npos);
}

// A log whose dialect leaves unknown columns aside lacks the velocities of another one.
TEST(Columns, AreOfferedWhereAnotherDialectIsMissing) {
  const std::string line = line_for("time", "pos_#", "speed_of_#", "acceleration_of_#");
  EXPECT_EQ(line, "qd=speed_of_{1..2},qdd=acceleration_of_{1..2}");
}

TEST(Columns, UnitsOfDegreesMayFollowAnUnderscore) {
  const ColumnPlan plan = plan_for({"t", "q1_deg", "q2_deg", "qd1_deg_s", "qd2_deg_s"},
                                   {{Quantity::position}, {Quantity::velocity}}, revolute_robot(2));
  ASSERT_EQ(plan.columns.size(), 4U);
  const ColumnPlan bracketed =
      plan_for({"t", "q1[deg]", "q2[deg]", "qd1[deg/s]", "qd2[deg/s]"},
               {{Quantity::position}, {Quantity::velocity}}, revolute_robot(2));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(plan.columns[i].unit.to_si(1.0), bracketed.columns[i].unit.to_si(1.0)) << i;
  }
}

// As ROS 2 writes efforts that nobody measures.
TEST(Columns, OptionalGroupsWithoutNumbersInTheFirstRowAreLeftOut) {
  const std::vector<WantedGroup> wanted{{Quantity::position},
                                        {Quantity::velocity, Need::optional},
                                        {Quantity::torque, Need::optional}};
  Header header{"log.csv", 1, {"t", "q1", "q2", "qd1", "qd2", "tau1", "tau2"}};
  const auto plan = [&](const Names& row, bool leaves_out = true) {
    header.first_row = row;
    return plan_columns(header, revolute_robot(2), wanted, {.leaves_out_unmeasured = leaves_out});
  };
  const ColumnPlan without = plan({"0", "1", "2", "", "", "nan", "NaN"});
  EXPECT_FALSE(without.has(Quantity::velocity) || without.has(Quantity::torque));
  EXPECT_EQ(
      without.recognized,
      "qd1..qd2 are not read, since they have no numbers in the first row; tau1..tau2 are not "
      "read, since they have no numbers in the first row");
  EXPECT_TRUE(plan({"0", "1", "2", "", "3", "nan", "4"}).has(Quantity::torque));
  EXPECT_TRUE(plan({"0", "nan", "", "", "", "", ""}).has(Quantity::torque));  // a broken row
  EXPECT_TRUE(plan({"0", "1", "2", "", "", "", ""}, false).has(Quantity::torque));
}

// pandas writes the numbers of rows before the columns, without a name.
TEST(Columns, AFirstColumnWithoutANameIsPassedOver) {
  const ColumnPlan plan = plan_for({"", "q1", "q2"}, {{Quantity::position}}, revolute_robot(2));
  EXPECT_EQ(plan.columns.at(0).cell, 1U);
  EXPECT_EQ(refusal_of({"q1", "", "q2"}, {{Quantity::position}}),
            "motion.csv:1: a column has no name (--ignore-extra skips unknown columns)");
}

TEST(Columns, NamesAreComparedLiterally) {
  EXPECT_EQ(refusal_of({"Tau1", "tau2"}, {{Quantity::torque}}),
            "motion.csv:1: unknown column \"Tau1\"; did you mean \"tau1\"? "
            "(--ignore-extra skips unknown columns)");
}

TEST(Columns, AColumnBeyondTheJointsSaysHowManyThereAre) {
  EXPECT_EQ(refusal_of({"q7"}, {{Quantity::position}}, revolute_robot(6)),
            "motion.csv:1: column \"q7\": the robot has 6 joints, so the last is q6 "
            "(--ignore-extra skips unknown columns)");
  EXPECT_EQ(refusal_of({"n2z"}, {{Quantity::position}}, revolute_robot(1)),
            "motion.csv:1: column \"n2z\": the robot has 1 joint, so there is only n1z "
            "(--ignore-extra skips unknown columns)");
  EXPECT_EQ(refusal_of({"q0", "q1", "q2"}, {{Quantity::position}}),
            "motion.csv:1: column \"q0\": joints are counted from 1 "
            "(--ignore-extra skips unknown columns)");
}

TEST(Columns, AColumnTwiceIsRefused) {
  EXPECT_EQ(refusal_of({"q1", "q2", "q1[deg]"}),
            R"(motion.csv:1: column "q1[deg]" is there twice, first as "q1")");
}

TEST(Columns, AColumnWithoutNameIsRefusedUnlessExtrasAreIgnored) {
  EXPECT_EQ(refusal_of({"q1", ""}, {{Quantity::position}}, revolute_robot(1)),
            "motion.csv:1: a column has no name (--ignore-extra skips unknown columns)");
  EXPECT_NO_THROW((void)plan_for({"q1", ""}, {{Quantity::position}}, revolute_robot(1), true));
}

TEST(Columns, WhatHasNoUnitIsRefusedOne) {
  EXPECT_EQ(refusal_of({"run[ms]"}, {{Quantity::run}}),
            "motion.csv:1: column \"run[ms]\" cannot have a unit");
  EXPECT_EQ(plan_for({"losses[J]", "q1"}, {{Quantity::position}}, revolute_robot(1)).columns.size(),
            1U);  // known, and not needed
}

TEST(Columns, OneMayHoldWords) {
  const auto plan = [](const Names& cells) {
    return plan_columns({"motion.csv", 1, cells}, revolute_robot(1), {{Quantity::position}},
                        {.text_column = "torques"});
  };
  EXPECT_EQ(plan({"q1", "torques"}).text_cell, 1U);
  EXPECT_EQ(plan({"q1"}).text_cell, std::nullopt);
  EXPECT_EQ(message_of<InputError>([&] {
              (void)plan({"torques", "q1", "torques"});
            }),
            "motion.csv:1: column \"torques\" is there twice");
}

TEST(Columns, NumbersAreNoHeader) {
  EXPECT_EQ(refusal_of({"0.0", "1e-3", "-2"}),
            "motion.csv:1: the first line must be a header with the names of the columns, such as "
            "t,q1,qd1,qdd1; found the number \"0.0\" (lines that start with # are comments)");
  const std::string of_a_log = message_of<InputError>([] {
    (void)plan_columns({"motion.csv", 1, {"0.0"}}, revolute_robot(2), motion,
                       {.may_have_no_header = true});
  });
  EXPECT_NE(of_a_log.find("\"0.0\"; --no-header reads a file without one"), of_a_log.npos);
}

}  // namespace
}  // namespace armdyn
