// armdyn compare as a user runs it: a table or JSON on standard output, 1 where formulations
// disagree.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/csv_columns.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

using ::testing::TestWithParam;
using Json = nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

Json comparison(const std::string& arguments) {
  const Outcome outcome = Shell().run("$armdyn compare " + arguments + " --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return Json::parse(outcome.out);
}

TEST(Compare, GivesTheLargestErrorOfEachJoint) {
  const Json found = comparison("puma560 --samples 40");
  for (const Json& method : found.at("reference").at("methods")) {
    std::set<double> largest;
    for (const Json& joint : method.at("joints")) {
      largest.insert(joint.at("largest").at("value").get<double>());
      EXPECT_GE(joint.at("largest").at("value").get<double>(), joint.at("rms").get<double>());
    }
    EXPECT_GT(largest.size(), 3U) << method;
  }
  // And so does the text.
  const std::string text = Shell().run("$armdyn compare puma560 --samples 40 --all").out;
  const std::string errors = text.substr(text.find("Error against 50 digits"));
  for (const Json& joint : found["reference"]["methods"][0]["joints"]) {
    const std::size_t row = errors.find("\n  " + joint["name"].get<std::string>() + " ");
    ASSERT_NE(row, errors.npos) << errors;
    const std::string line = errors.substr(row + 1, errors.find('\n', row + 1) - row - 1);
    std::istringstream words(line);
    std::string name, rms, largest;
    words >> name >> rms >> largest;
    EXPECT_NEAR(std::stod(rms), joint["rms"].get<double>(), 0.0051) << line;
    EXPECT_NEAR(std::stod(largest), joint["largest"]["value"].get<double>(), 0.0051) << line;
  }
}

TEST(Compare, SaysAtOnceWhetherTheFormulationsAgree) {
  const Outcome outcome = Shell().run("$armdyn compare ur10e --samples 20 --seed 3");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(first_line(outcome.out), "ur10e: the formulations agree");
  EXPECT_TRUE(contains(outcome.out, "\n20 random states (seed 3); ")) << outcome.out;
  std::string words = outcome.out;
  std::ranges::replace(words, '\n', ' ');
  EXPECT_TRUE(contains(words, " of the row's scale, of 1e-09 allowed; ")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "agree within")) << outcome.out;
  for (const char* heading : {"\nLargest differences", "\nVerified digits of the largest torque",
                              "\nTime of one state"}) {
    EXPECT_TRUE(contains(outcome.out, heading)) << heading;
  }
  EXPECT_TRUE(contains(words, " verified digits of every joint's largest torque")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "\nError against 50 digits")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "multiplications")) << outcome.out;
}

TEST(Compare, ShowsCountsBesideThePapersFormulas) {
  const Outcome outcome = Shell().run("$armdyn compare puma560 --samples 2 --costs");
  for (const char* line :
       {"\npaper 001: Turney, Mudge, Lee 1980; paper 003: Lee, Chung, Mudge, Turney 1982\n",
        "\nCost of one state, n = 6", "\nM and C^i by strobing",
        "counted, as written                                        708        576\n",
        "paper 001: Table 1                                         636        591   108n − 12, "
        "100n − 9\n",
        "paper 001: corrected                                       720        582   124n − 24, "
        "101n − 24\n",
        "paper 001: Table 1                                        5916       4840   "
        "27/2 n³ + 165/2 n² + 5n, 40/3 n³ + 58n² − 64/3 n\n"}) {
    EXPECT_TRUE(contains(outcome.out, line)) << line << "\nin\n" << outcome.out;
  }
}

/// The papers' numbers at n = 6, as their tables print them, beside those of this program.
TEST(Compare, ShowsThePapersTablesTermByTerm) {
  const Outcome outcome = Shell().run("$armdyn compare puma560 --samples 2 --costs");
  for (const char* line :
       {"  counted, with principal axes                               519        459\n",
        "  paper 001: Table 1, principal axes                         513        504",
        "\npaper 001, Table 3, n = 6  ", "\npaper 003, Table 2, n = 6  ",
        "\npaper 001, Table 4, principal axes, n = 6  ", "\npaper 001, Table 2, n = 6  ",
        "\npaper 003, Table 1, n = 6  ",
        "  α_i                           54   54       66   54         66    54   9n, 9n\n",
        "    these: a_i, ā_i            198  198      270  216        270   216   33n, 33n\n",
        "  n_i                          111  129      111  111        111   111   21n − 15, 24n − "
        "15",
        "\npaper 003, Table 1 over Table 2: 149 times the multiplications, 126 times the "
        "additions; counted 120 and 113; its text gives about 100 for six joints\n"}) {
    EXPECT_TRUE(contains(outcome.out, line)) << line << "\nin\n" << outcome.out;
  }
  const Json costs = comparison("puma560 --samples 2")["costs"];
  EXPECT_EQ(costs[1]["principal"], (Json{{"multiplications", 519}, {"additions", 459}}));
  const Json& table_3 = costs[0]["tables"][0];
  EXPECT_EQ(table_3["source"], "paper 001");
  EXPECT_EQ(table_3["groups"][0]["printed"][0],
            (Json{{"term", "ω_i"},
                  {"multiplications", 54},
                  {"additions", 42},
                  {"formulas", {{"multiplications", "9n"}, {"additions", "7n"}}}}));
  EXPECT_EQ(table_3["groups"][0]["counted"]["as_written"],
            (Json{{"multiplications", 54}, {"additions", 42}}));
  EXPECT_TRUE(costs[0]["tables"][1]["groups"][8]["counted"].is_null());  // the controller's own
}

TEST(Compare, OfAMotionNamesRowsAndTimes) {
  const Json json = comparison("puma560 puma560-pick-and-place");
  EXPECT_EQ(json["rows"], 2801);
  EXPECT_EQ(json["options"]["motion"], "puma560-pick-and-place");
  EXPECT_FALSE(json["options"].contains("seed"));
  const Json& largest = json["differences"][1]["joints"][1]["absolute"];
  EXPECT_GT(largest["value"], 0.0);
  EXPECT_DOUBLE_EQ(largest["time"], 0.0025 * (largest["row"].get<double>() - 1.0));
}

TEST(Compare, AsJsonHasEverythingThatTheTableHas) {
  const Json json = comparison("puma560 --samples 50");
  EXPECT_EQ(json["robot"]["name"], "puma560");
  EXPECT_EQ(json["agree"], true);
  EXPECT_EQ(json["options"]["method"], (Json{"newton-euler", "modified-newton-euler", "lagrange"}));
  EXPECT_EQ(json["options"]["max_error"], 1e-9);
  EXPECT_EQ(json["options"]["samples"], 50);
  EXPECT_EQ(json["options"]["seed"], 1);

  ASSERT_EQ(json["differences"].size(), 3U);
  const Json& pair = json["differences"][2];
  EXPECT_EQ(pair["methods"], (Json{"modified-newton-euler", "lagrange"}));
  ASSERT_EQ(pair["joints"].size(), 6U);
  EXPECT_EQ(pair["joints"][0]["name"], "waist");
  EXPECT_EQ(pair["joints"][0]["unit"], "N·m");
  EXPECT_LT(pair["joints"][0]["relative"]["value"], 1e-14);

  EXPECT_EQ(json["reference"]["digits"], 50);
  EXPECT_EQ(json["reference"]["rows"], 50);
  ASSERT_EQ(json["reference"]["methods"].size(), 3U);
  for (const Json& method : json["reference"]["methods"]) {
    EXPECT_GT(method["rms"], 0.01);
    EXPECT_LT(method["rms"], 20.0);
  }

  ASSERT_EQ(json["costs"].size(), 3U);
  const Json& lagrange = json["costs"][2];
  EXPECT_EQ(lagrange["as_written"], (Json{{"multiplications", 6168}, {"additions", 5011}}));
  EXPECT_EQ(lagrange["published"][1]["multiplications"], 102740);
  EXPECT_GT(lagrange["seconds"], 0.0);
  EXPECT_GT(lagrange["ratio"], 1.0);
  EXPECT_FALSE(lagrange.contains("strobing"));
  EXPECT_EQ(json["costs"][0]["strobing"]["mass_matrix"]["as_written"]["multiplications"], 6 * 708);
}

// Section 12: what turning every tensor and lever arm to the base costs.
TEST(Compare, CountsTheRecursionSeenFromTheBase) {
  const Json json =
      comparison("ur10e --samples 50 --method newton-euler,newton-euler-in-base --max-error 1e-12");
  EXPECT_EQ(json["agree"], true);
  EXPECT_EQ(json["costs"][1]["as_written"],
            (Json{{"multiplications", 180 * 6 - 6}, {"additions", 140 * 6 - 12}}));
  EXPECT_EQ(json["costs"][1]["in_papers_frames"], json["costs"][1]["as_written"]);
}

TEST(Compare, RepeatsItsRandomStates) {
  const auto differences = [](const std::string& seed) {
    return comparison("stanford --samples 100 --seed " + seed)["differences"];
  };
  EXPECT_EQ(differences("5"), differences("5"));
  EXPECT_NE(differences("5"), differences("6"));
}

TEST(Compare, FindsTheSameInRandomStatesWithEveryNumberOfThreads) {
  const Shell shell;
  std::vector<std::string> rows;
  std::vector<Json> found;
  for (const std::string threads : {"1", "2", "7"}) {
    const Outcome outcome = shell.run(
        "$armdyn compare ur10e --samples 330 --differences d.csv --json "
        "--threads " +
        threads);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    rows.push_back(shell.read("d.csv"));
    found.push_back(Json::parse(outcome.out));
    for (const char* const key : {"costs", "options"}) found.back().erase(key);
    EXPECT_EQ(rows.back(), rows.front()) << threads;
    EXPECT_EQ(found.back(), found.front()) << threads;
  }
}

TEST(Compare, WritesEachOfManyStatesOnce) {
  const Shell shell;
  EXPECT_EQ(shell.run("$armdyn compare craig-rr --samples 5000 --differences d.csv").exit_code, 0);
  EXPECT_EQ(shell.run("grep -c . d.csv").out, "5001\n");
  EXPECT_EQ(shell.run("sort -u d.csv | grep -c .").out, "5001\n");
}

TEST(Compare, StaysWithinThePositionLimits) {
  const Shell shell;
  EXPECT_EQ(shell.run("$armdyn compare ur10e --samples 300 --differences d.csv").exit_code, 0);
  const Outcome torque = shell.run("$armdyn torque ur10e d.csv -o tau.csv --strict --json");
  EXPECT_EQ(torque.exit_code, 0) << torque.err;
  EXPECT_EQ(Json::parse(torque.out)["rows"], 300);
}

TEST(Compare, ThatDisagreesEndsWithOneAndSaysWhere) {
  const Outcome random = Shell().run("$armdyn compare ur10e --samples 20 --max-error 0");
  EXPECT_EQ(random.exit_code, 1);
  const std::regex in_a_row(
      "armdyn: [a-z-]+ and [a-z-]+ disagree at \\w+ \\(joint [1-6]\\), row \\d+: "
      "by \\d\\.\\de-1\\d N·m, \\d\\.\\de-1\\d of the row's scale; tolerance 0\n");
  EXPECT_TRUE(std::regex_match(random.err, in_a_row)) << random.err;
  EXPECT_TRUE(contains(random.out, random.err.substr(sizeof "armdyn: " - 1)));

  const Shell shell;
  shell.write("m.csv",
              "t,q1,q2,q3,q4,q5,q6,qd1,qd2,qd3,qd4,qd5,qd6,qdd1,qdd2,qdd3,qdd4,qdd5,qdd6\n"
              "0.25,.1,.2,.3,.4,.5,.6,.1,.2,.3,.4,.5,.6,.1,.2,.3,.4,.5,.6\n");
  const Outcome timed = shell.run("$armdyn compare ur10e m.csv --max-error 0");
  EXPECT_EQ(timed.exit_code, 1);
  EXPECT_TRUE(contains(timed.err, ", row 1, t = 0.25 s: ")) << timed.err;
}

TEST(Compare, WritesDifferencesRowByRowTheSameForAnyNumberOfThreads) {
  const Shell shell;
  for (const char* threads : {"1", "3"}) {
    const std::string file = std::string("d") + threads + ".csv";
    const Outcome outcome =
        shell.run("$armdyn compare puma560 puma560-pick-and-place --differences " + file +
                  " --threads " + threads + " > " + file + ".txt");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  const std::string one = shell.read("d1.csv");
  EXPECT_EQ(first_line(one).substr(0, 46), "t,modified_newton_euler_difference1,modified_n");
  EXPECT_TRUE(contains(first_line(one), ",lagrange_difference6"));
  EXPECT_EQ(std::count(one.begin(), one.end(), '\n'), 2802);
  EXPECT_EQ(one, shell.read("d3.csv"));
  const auto before_times = [&](const std::string& file) {
    const std::string text = shell.read(file);
    return text.substr(0, text.find("Time of one state"));
  };
  EXPECT_EQ(before_times("d1.csv.txt"), before_times("d3.csv.txt"));
}

TEST(Compare, ShowsNoDifferenceAsZeroAndTakesTwoMethodsForIt) {
  const Shell shell;
  shell.write("rest.csv", "q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0\n");
  const Outcome found = shell.run(
      "$armdyn compare craig-rr rest.csv --gravity 0,0,0 --method newton-euler,lagrange "
      "--differences d.csv");
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_TRUE(contains(found.out, "the formulations agree in every digit")) << found.out;
  EXPECT_FALSE(contains(found.out, "0.0e+00")) << found.out;
}

TEST(Compare, WritesDifferencesThatEveryVerbKnows) {
  const Shell shell;
  shell.write("m.csv",
              "q1,qd1,qdd1,q2,qd2,qdd2,lagrange_difference1,newton_euler_difference2\n"
              "1,2,3,4,5,6,0,0\n");
  EXPECT_EQ(shell.run("$armdyn torque craig-rr m.csv --quiet").exit_code, 0);
}

TEST(Compare, TakesTheHandWrenchOfAMotion) {
  const std::string folder = test_data() + "/cases/";
  const Json json =
      comparison(folder + "robots/puma560_standard.yaml " + folder + "puma560_standard_wrench.csv");
  EXPECT_EQ(json["agree"], true);
  EXPECT_GT(json["rows"], 5);
}

TEST(Compare, LeavesAnyMethodsOutThatAreNotAskedFor) {
  const Json one = comparison("craig-rr --samples 10 --method lagrange");
  EXPECT_EQ(one["differences"].size(), 0U);
  EXPECT_EQ(one["costs"].size(), 1U);
  EXPECT_EQ(one["verdict"], "nothing to compare");
}

// A link that spins fast carries a thousand million times what its drive delivers, which is wrong in
// the 6th digit by all formulations alike.
TEST(Compare, SaysHowManyDigitsAreCertainWhereLargeTermsCancel) {
  const Shell shell;
  shell.write("spin.yaml",
              "armdyn: 1\nname: spin\nconvention: modified\njoints:\n- name: wheel\n"
              "  type: revolute\n  dh: {alpha: 0.3, d: 0.1, theta: 0.2}\n  mass: 2.3\n"
              "  com: [0.2, 0.1, 0.3]\n"
              "  inertia: {xx: 0.1, yy: 0.2, zz: 0.15, xy: 0.01, yz: 0, xz: 0}\n");
  shell.write("spin.csv", "q1,qd1,qdd1\n0.3,1e6,0.5\n");
  const Outcome outcome = shell.run("$armdyn compare spin.yaml spin.csv --json --input-error none");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  // About a fixed axis nothing is felt of the speed: τ is that of the wheel at rest.
  const Outcome slow = shell.run("sed 's/1e6/0/' spin.csv | $armdyn torque spin.yaml - --quiet");
  const Outcome fast = shell.run("$armdyn torque spin.yaml spin.csv --quiet --bounds");
  const double exact = csv_columns(slow.out).at("tau1").front();
  const double found = csv_columns(fast.out).at("tau1").front();
  const double error = std::abs(found - exact);
  EXPECT_GT(error, 1e-7 * std::abs(exact));
  EXPECT_NEAR(csv_columns(fast.out).at("tau_error1").front(), error, 1e-9 * error + 1e-14);
  const int right = static_cast<int>(std::floor(-std::log10(error / std::abs(exact))));
  EXPECT_EQ(json["verified_digits"][0]["newton-euler"], right);
  EXPECT_TRUE(contains(json["verdict"].get<std::string>(),
                       "of wheel's largest torque, in which larger terms cancel"))
      << json["verdict"];
}

TEST(Compare, NotesThatThePapersCountRevoluteJoints) {
  const Outcome outcome = Shell().run("$armdyn compare stanford --samples 2 --costs");
  EXPECT_TRUE(
      contains(outcome.out,
               "The papers' formulas are for revolute joints alone; 1 of this arm's 6 joints is "
               "prismatic.\n"))
      << outcome.out;
}

TEST(Compare, OfAMotionWithoutRowsSaysSo) {
  const Shell shell;
  shell.write("m.csv", "q1,qd1,qdd1,q2,qd2,qdd2\n");
  const Outcome outcome = shell.run("$armdyn compare craig-rr m.csv");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "armdyn: warning: the motion has a header but no rows\n");
  EXPECT_EQ(outcome.out, "craig-rr: nothing to compare\n0 rows of m.csv\n");
}

TEST(Compare, ThinsOutWhatWouldTakeMinutes) {
  const Json json = comparison("craig-rr --samples 20000 --method newton-euler,lagrange");
  EXPECT_EQ(json["rows"], 20000);
  EXPECT_EQ(json["reference"]["rows"], 10000);
  EXPECT_EQ(
      json["notes"][0],
      "50-digit reference on 10000 of 20000 rows, fewer toward the end, to keep the run short");
}

struct RefusedCall {
  std::string arguments, message;
};
void PrintTo(const RefusedCall& mistake, std::ostream* out) {
  *out << mistake.arguments;
}
/// A log of positions alone, as a UR writes it, in log.csv.
class CompareLog : public ::testing::Test {
 protected:
  const Shell shell;

  void SetUp() override {
    const Outcome made = shell.run(
        "$armdyn trajectory ur5e --from 0,-1,1,0,0,0 --to 1,-1.5,0.5,0.3,0.2,0.1 --duration 2 "
        "--rate 100 --quiet -o motion.csv; cut -d, -f1-7 motion.csv | sed "
        "'1s/.*/timestamp,actual_q_0,actual_q_1,actual_q_2,actual_q_3,actual_q_4,actual_q_5/' "
        ">log.csv");
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }

  [[nodiscard]] Json comparison(const std::string& arguments) const {
    const Outcome outcome = shell.run("$armdyn compare ur5e --json " + arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return Json::parse(outcome.out);
  }
};

TEST_F(CompareLog, DerivesWhatIsMissingAndSaysSo) {
  const Outcome refused = shell.run("$armdyn compare ur5e log.csv");
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_TRUE(contains(refused.err, "; --derive computes qd and qdd from q\n")) << refused.err;

  const Outcome outcome = shell.run("$armdyn compare ur5e log.csv --derive");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(outcome.out.starts_with("ur5e: the formulations agree\n201 rows of log.csv; "))
      << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "\nqd and qdd by numerical differentiation of q: "))
      << outcome.out;
  EXPECT_EQ(first_line(outcome.err),
            "log.csv: a UR RTDE log: t = timestamp, q1..q6 = actual_q_0..actual_q_5");
  EXPECT_EQ(shell.run("$armdyn compare ur5e log.csv --derive --quiet").err, "");
}

TEST_F(CompareLog, TakesItsColumnsItsTimesAndItsRate) {
  shell.write("odd.csv", "0,1,2,3,4,5,6\n0.1,2,3,4,5,6,7\n0.2,3,4,5,6,7,8\n");
  const Outcome odd = shell.run(
      "$armdyn compare craig-rr odd.csv --no-header --columns "
      "'t=1,qdd={2,3},qd={4,5},q={6,7}' --json");
  EXPECT_EQ(odd.exit_code, 0) << odd.err;
  EXPECT_EQ(Json::parse(odd.out)["rows"], 3);

  const Json part =
      comparison("log.csv --derive --from-time 0.5 --to-time 1 --resample 50 --differences d.csv");
  EXPECT_EQ(part["rows"], 26);
  EXPECT_EQ(part["input"]["outside"], 150);
  EXPECT_EQ(part["input"]["derived"]["qdd"], true);
  EXPECT_EQ(part["options"]["derive"], true);
  const CsvColumns differences = csv_columns(shell.read("d.csv"));
  ASSERT_EQ(differences.at("t").size(), 26U);
  EXPECT_EQ(differences.at("t")[1], 0.52);
}

TEST_F(CompareLog, LeavesOutRowsThatCannotBeRead) {
  const Outcome made = shell.run("sed '5s/,/,nan/' log.csv >bad.csv");
  ASSERT_EQ(made.exit_code, 0);
  const Outcome refused = shell.run("$armdyn compare ur5e bad.csv --derive");
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_TRUE(contains(refused.err, "bad.csv:5: ")) << refused.err;
  const Json skipped = comparison("bad.csv --derive --gaps skip");
  EXPECT_EQ(skipped["rows"], 200);
  EXPECT_EQ(skipped["warnings"].size(), 2U) << skipped["warnings"];
}

TEST_F(CompareLog, CountsRowsAndNotLines) {
  const Outcome made = shell.run("sed '1a # a comment' motion.csv >commented.csv");
  ASSERT_EQ(made.exit_code, 0);
  const Json plain = comparison("motion.csv"), commented = comparison("commented.csv");
  EXPECT_EQ(commented["differences"], plain["differences"]);
  EXPECT_EQ(commented["reference"], plain["reference"]);
  EXPECT_EQ(plain["input"]["rows_in"], 201);
}

class CompareMistake : public TestWithParam<RefusedCall> {};

TEST_P(CompareMistake, IsExplained) {
  const Outcome outcome = Shell().run("$armdyn compare " + GetParam().arguments);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "armdyn: " + GetParam().message + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    OfTheCommandLine, CompareMistake,
    ::testing::Values(
        RefusedCall{
            "craig-rr --method newton-euler,lagranje",
            "--method: found \"lagranje\", expected one of newton-euler, "
            "modified-newton-euler, lagrange, newton-euler-in-base; did you mean 'lagrange'?"},
        RefusedCall{"craig-rr --method lagrange,lagrange",
                    "--method: lagrange is given twice in \"lagrange,lagrange\""},
        RefusedCall{"craig-rr --method lagrange --differences d.csv",
                    "--method: found \"lagrange\", expected at least two of newton-euler, "
                    "modified-newton-euler, lagrange, newton-euler-in-base"},
        RefusedCall{"craig-rr m.csv --samples 5",
                    "compare: --samples generates random states; leave out MOTION 'm.csv'"},
        RefusedCall{"craig-rr m.csv --seed 5",
                    "compare: --seed generates random states; leave out MOTION 'm.csv'"},
        RefusedCall{"craig-rr --derive",
                    "compare: without MOTION there is no log to read; name one, or leave out "
                    "--columns, --derive and the other options of logs"},
        RefusedCall{"craig-rr m.csv --window 1", "--window needs --derive; give both"},
        RefusedCall{"craig-rr --samples 0",
                    "--samples: found \"0\", expected a whole number of 1 or more"},
        RefusedCall{"craig-rr --seed 1.5",
                    "--seed: found \"1.5\", expected a whole number of 0 or more"},
        RefusedCall{"craig-rr --max-error -1",
                    "--max-error: found \"-1\", expected a number of 0 or more"},
        RefusedCall{"craig-rr --differences d.csv -o d.csv",
                    "-o and --differences both name 'd.csv'; give one of them another file"},
        RefusedCall{"craig-rr --differences -",
                    "-o and --differences both name '-'; give one of them another file"}));

TEST(Compare, SchedulesOperationsOnProcessors) {
  const Shell shell;
  const auto json = nlohmann::json::parse(
      shell.run("$armdyn compare puma560 --samples 2 --processors 4 --json").out);
  const auto& schedule = json["schedule"];
  EXPECT_EQ(schedule["methods"][0]["as_written"]["levels"], 10 * 6 + 4);
  EXPECT_EQ(schedule["methods"][1]["as_written"]["levels"], 9 * 6 + 5);
  EXPECT_EQ(schedule["methods"][1]["as_written"]["operations"], 591 + 531);
  EXPECT_EQ(schedule["methods"][1]["as_written"]["steps"], 281);
  EXPECT_EQ(schedule["methods"][0]["balanced"]["levels"], 6 * 6 + 11);
  EXPECT_EQ(schedule["methods"][1]["balanced"]["levels"], 6 * 6 + 12);
  EXPECT_EQ(schedule["table_5"]["rows"].size(), 7U);
  EXPECT_EQ(schedule["table_5"]["rows"][0]["multiplications"], 9);
  EXPECT_EQ(schedule["table_5"]["printed"]["multiplications"], 27 * 6 + 42);
  EXPECT_EQ(schedule["table_5"]["longest_chain"]["multiplications"], 27 * 6 + 6);
  EXPECT_EQ(schedule["table_5"]["longest_chain"]["additions"], 36 * 6 + 9);

  const std::string on_all =
      "$armdyn compare puma560 --samples 2 --processors all --method newton-euler";
  const Outcome all = shell.run(on_all);
  EXPECT_NE(all.out.find("as written                               1284      64     21          "
                         "21     64     20.06   4 %"),
            std::string::npos)
      << all.out;
  const auto fewest = nlohmann::json::parse(
      shell.run("$armdyn compare puma560 --samples 2 --processors all --json").out);
  const std::size_t folded[] = {13, 12, 46}, peaks[] = {73, 53, 1276};
  for (std::size_t m = 0; m < 3; ++m) {
    const auto& method = fewest["schedule"]["methods"][m];
    EXPECT_EQ(method["needed"]["processors"], folded[m]);
    EXPECT_EQ(method["needed"]["steps"], method["needed"]["levels"]);
    EXPECT_LT(method["as_written"]["processors"], peaks[m]);
    EXPECT_LE(method["as_written"]["bound"], method["as_written"]["processors"]);
    EXPECT_FALSE(method["needed"].contains("timetable"));
  }
  if (shell.run("gnuplot --version").exit_code == 0) {
    EXPECT_EQ(shell.run(on_all + " --plot s.svg").exit_code, 0);
    EXPECT_NE(shell.read("s.svg").find("processors at work"), std::string::npos);
  }
  EXPECT_NE(
      shell.run("$armdyn compare puma560 --processors 0")
          .err.find("--processors: found \"0\", expected a whole number from 1 to 1024, or all"),
      std::string::npos);
}

TEST(Compare, NamesForEveryStepWhatRunsWhere) {
  const Shell shell;
  const auto json = nlohmann::json::parse(
      shell.run("$armdyn compare puma560 --samples 2 --processors 5 --json").out);
  for (const auto& method : json["schedule"]["methods"]) {
    for (const char* reading : {"as_written", "balanced", "needed", "needed_balanced"}) {
      const auto& plan = method[reading]["timetable"];
      const std::vector<std::string> operations = plan["operations"];
      const std::vector<std::size_t> begins = plan["begins"], processors = plan["processors"];
      const std::vector<std::vector<std::size_t>> needs = plan["needs"];
      ASSERT_EQ(operations.size(), method[reading]["operations"]);
      ASSERT_EQ(needs.size(), operations.size());
      std::set<std::pair<std::size_t, std::size_t>> taken;
      for (std::size_t i = 0; i < operations.size(); ++i) {
        EXPECT_TRUE(taken.emplace(begins.at(i), processors.at(i)).second);
        EXPECT_LT(processors[i], 5U);
        EXPECT_LT(begins[i], method[reading]["steps"]);
        for (const std::size_t before : needs[i]) EXPECT_LT(begins.at(before), begins[i]);
      }
    }
  }
  EXPECT_EQ(json["schedule"]["methods"][0]["as_written"]["timetable"]["operations"][0], "ω_i *");
}

}  // namespace
}  // namespace armdyn::testing
