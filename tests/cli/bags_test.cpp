// Bags as ROS 2 records them, written by others (data/bags/make_bags.py): wherever a log may stand
// they give what a table of their content gives.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

class Bag : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(shell.run("cp -r " + test_data() + "/bags/* " + test_data() + "/logs/plain.csv .")
                  .exit_code,
              0);
  }

  [[nodiscard]] std::string output_of(const std::string& command) const {
    const Outcome outcome = shell.run(command);
    EXPECT_EQ(outcome.exit_code, 0) << command << "\n" << outcome.err;
    EXPECT_NE(outcome.out, "") << command;
    return outcome.out;
  }

  void expect_refused(const std::string& command, int code, const std::string& text) const {
    const Outcome outcome = shell.run(command);
    EXPECT_EQ(outcome.exit_code, code) << command << "\n" << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << command << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << command;
  }

  void expect_said(const std::string& command, const std::string& text) const {
    const Outcome outcome = shell.run(command);
    EXPECT_EQ(outcome.exit_code, 0) << command << "\n" << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << command << "\n" << outcome.err;
  }

  Shell shell;
};

TEST_F(Bag, GivesTheBytesOfTheCsvOfItsContent) {
  const std::string derive = " --derive --quiet";
  const std::string expected = output_of("$armdyn torque ur5e content.csv" + derive);
  for (const std::string bag :
       {"states.db3", "split", "plain.mcap", "chunks.mcap", "lz4.mcap", "zstd.mcap"}) {
    EXPECT_EQ(output_of("$armdyn torque ur5e " + bag + derive), expected) << bag;
  }
  for (const std::string bag : {"plain.mcap", "chunks.mcap", "lz4.mcap", "zstd.mcap"}) {
    EXPECT_EQ(output_of("cat " + bag + " | $armdyn torque ur5e -" + derive), expected) << bag;
    EXPECT_EQ(output_of("$armdyn torque ur5e - <" + bag + derive), expected) << bag;
    EXPECT_EQ(output_of("mkfifo p.mcap; cat " + bag + " >p.mcap & $armdyn torque ur5e p.mcap" +
                        derive + "; rm p.mcap"),
              expected)
        << bag;
  }
  EXPECT_EQ(
      output_of("cp zstd.mcap named_otherwise; $armdyn torque ur5e ./named_otherwise" + derive),
      expected);
}

TEST_F(Bag, GivesTheAnswersOfTheCsvToEachVerbThatReadsLogs) {
  for (const std::string verb :
       {"identify ur5e BAG --friction viscous -o -",
        "compare ur5e BAG --derive --quiet >text; tr '\\n' ' ' <text | cut -d ' ' -f 1-20 #",
        "inspect ur5e BAG --derive --what G,tau",
        "vary ur5e BAG --derive --samples 3 --uncertainty mass=5%",
        "simulate ur5e BAG --duration 0.01 --json", "trajectory ur5e --via BAG --profile cubic"}) {
    const auto with = [&](const std::string& bag) {
      std::string command = "ln -sf " + bag + " bag." + bag.substr(bag.rfind('.') + 1) +
                            "; $armdyn " + verb + " --quiet";
      command.replace(command.find("BAG"), 3, bag);
      Outcome outcome = shell.run(command);
      for (std::string* const text : {&outcome.out, &outcome.err}) {
        for (auto at = text->find(bag); at != text->npos; at = text->find(bag)) {
          text->replace(at, bag.size(), "LOG");
        }
      }
      return outcome;
    };
    const Outcome csv = with("content.csv"), mcap = with("lz4.mcap"), db3 = with("states.db3");
    EXPECT_NE(csv.exit_code, 2) << verb << csv.err;
    EXPECT_EQ(mcap.exit_code, csv.exit_code) << verb << mcap.err;
    EXPECT_EQ(db3.exit_code, csv.exit_code) << verb << db3.err;
    EXPECT_EQ(mcap.out, csv.out) << verb;
    EXPECT_EQ(db3.out, csv.out) << verb;
    EXPECT_EQ(mcap.err, csv.err) << verb;
  }
}

TEST_F(Bag, HasTrajectoriesAsMotions) {
  const std::string expected = output_of("$armdyn torque ur5e plain.csv --quiet");
  EXPECT_EQ(output_of("$armdyn torque ur5e goal.mcap --quiet"), expected);
  EXPECT_EQ(output_of("$armdyn torque ur5e two.mcap --topic /goal --quiet"), expected);
  EXPECT_EQ(output_of("$armdyn track ur5e goal.mcap --quiet --step 0.005"),
            output_of("$armdyn track ur5e plain.csv --quiet --step 0.005"));
}

TEST_F(Bag, HasTopicsOfWhichOneIsNamedOrTheOnlyOne) {
  const std::string list =
      "/joint_states (sensor_msgs/msg/JointState, 61 messages, 100 Hz), /other/joint_states "
      "(sensor_msgs/msg/JointState, 61 messages, 100 Hz), /wrench "
      "(geometry_msgs/msg/WrenchStamped, "
      "15 messages, 25 Hz)";
  const std::string torque = "$armdyn torque ur5e two.mcap --derive --quiet";
  expect_refused(torque, 3, list);
  expect_refused(torque, 3, "--topic NAME selects one");
  expect_refused("cat two.mcap | $armdyn torque ur5e - --derive", 3, "--topic NAME");
  expect_refused(torque + " --topic /joint_states,/other/joint_states", 3, "--topic NAME");
  expect_refused(torque + " --topic /none", 3, "no rows on /none; the bag has /goal");
  expect_refused("$armdyn torque ur5e states.db3 --topic /none", 3,
                 "no rows on /none; the bag has /");
  expect_refused("$armdyn torque ur5e states.db3 --topic /rosout", 3,
                 "states.db3: has on the topic \"/rosout\" messages of \"rcl_interfaces/msg/Log\"");
  expect_refused("$armdyn torque ur5e plain.csv --topic /joint_states", 2,
                 "--topic is for bags, and plain.csv is none");
  EXPECT_EQ(output_of(torque + " --topic /other/joint_states"),
            output_of("$armdyn torque ur5e content.csv --derive --quiet"));
}

TEST_F(Bag, HasTopicsThatAreNamedToEachVerb) {
  shell.write("starts.csv", "q1,q2,q3,q4,q5,q6\n0,-1,1,0,0,0\n0,0,0,0,0,0\n");
  for (const std::string verb :
       {"size ur5e BAG --derive", "trajectory ur5e --via BAG --profile cubic",
        "trajectory ur5e --time-optimal --limits 3,30 --via BAG",
        "simulate ur5e BAG --batch starts.csv --duration 0.01"}) {
    const auto with = [&](const std::string& log) {
      std::string command = "$armdyn " + verb + " --ignore-extra";
      return shell.run(command.replace(command.find("BAG"), 3, log));
    };
    EXPECT_NE(with("two.mcap").err.find("--topic NAME selects one"), std::string::npos) << verb;
    const Outcome named = with("two.mcap --topic /joint_states"), csv = with("content.csv");
    EXPECT_EQ(named.exit_code, csv.exit_code) << verb << named.err;
    EXPECT_EQ(named.out, csv.out) << verb;
  }
  EXPECT_EQ(
      output_of("$armdyn trajectory ur5e --along two.mcap --topic /goal --torque-share 1 --quiet"),
      output_of("$armdyn trajectory ur5e --along plain.csv --torque-share 1 --quiet"));
}

TEST_F(Bag, HasHandWrenchesThatHoldUntilTheNext) {
  const Outcome outcome = shell.run(
      "$armdyn torque ur5e two.mcap --derive --keep-motion --topic /joint_states,/wrench");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("2 rows left out, before the first contact wrench"), std::string::npos)
      << outcome.err;
  // Wrenches came with rows 2, 6, 10.., each named after its row.
  const std::string out = outcome.out;
  std::size_t line = 0;
  for (std::size_t at = out.find('\n') + 1; at < out.size(); at = out.find('\n', at) + 1, ++line) {
    const std::string first = std::to_string(2 + line / 4 * 4);
    const std::string row = out.substr(at, out.find('\n', at) - at);
    EXPECT_NE(row.find("," + first + "," + first + ".1," + first + ".2,"), std::string::npos)
        << row;
  }
  EXPECT_EQ(line, 59U);
}

TEST_F(Bag, SaysWhereStampsAreAbsentOrWrong) {
  const std::string torque = "$armdyn torque ur5e ";
  expect_said(torque + "unstamped.mcap --derive",
              "the messages have no stamps; t is when they were received");
  expect_said(torque + "late.mcap --derive",
              "stamps and times of receipt differ by up to 2.5 s; t is that of the stamps");
  EXPECT_EQ(shell.run(torque + "states.db3 --derive").err.find("stamps and times"),
            std::string::npos);
}

TEST_F(Bag, ThatIsCutOffIsReadAsFarAsItIsWhole) {
  const std::string torque =
      "$armdyn torque ur5e cut.mcap --columns 'qdd=effort_{shoulder_pan,"
      "shoulder_lift,elbow,wrist_1,wrist_2,wrist_3}_joint' --quiet";
  for (const std::string bag : {"plain", "zstd", "chunks"}) {
    ASSERT_EQ(shell.run("cp " + bag + ".mcap cut.mcap").exit_code, 0);
    const std::string whole = output_of(torque);
    ASSERT_EQ(shell.run("head -c 9000 " + bag + ".mcap >cut.mcap").exit_code, 0);
    const Outcome cut = shell.run(torque);
    EXPECT_EQ(cut.exit_code, 0) << cut.err;
    EXPECT_NE(cut.err.find("cut.mcap is cut off in the record at byte "), std::string::npos)
        << cut.err;
    EXPECT_GT(cut.out.size(), 1000U) << bag;
    EXPECT_LT(cut.out.size(), whole.size()) << bag;
    EXPECT_TRUE(whole.starts_with(cut.out)) << bag;
  }
}

TEST_F(Bag, OfAnotherKindIsRefusedByName) {
  const std::string torque = "$armdyn torque ur5e ";
  expect_refused(torque + "ros1.mcap", 3, "encoded as ros1");
  expect_refused(torque + "ros1.mcap --topic /joint_states", 3, "encoded as \"ros1\"");
  expect_refused("printf '#ROSBAG V2.0\\n' >old.bag; " + torque + "old.bag", 3, "a bag of ROS 1");
  expect_refused("printf '\\050\\265\\057\\375rest' >a.db3.zstd; " + torque + "a.db3.zstd", 3,
                 "compressed as a whole");
  expect_refused("cat states.db3 | " + torque + "-", 3, "not read from standard input");
  expect_refused(torque + "endless.db3", 3,
                 "endless.db3: has the view messages; a bag of ROS 2 has");
  expect_refused("mkdir empty; touch empty/metadata.yaml; " + torque + "empty", 3,
                 "has no .db3 or .mcap file");
  expect_refused(torque + "absent.mcap", 4, "absent.mcap");
  expect_refused("printf 'a,b\\n' >text.mcap; " + torque + "text.mcap", 3, "this is no MCAP file");
  expect_refused(torque + "lz4.mcap --derive --part 1/2 -o part", 4, "cannot be read in parts");
}

TEST_F(Bag, OfWhichCheckSaysWhatIsInIt) {
  const std::string text = output_of("$armdyn check states.db3");
  EXPECT_NE(text.find("states.db3: 2 topics, 63 messages"), std::string::npos) << text;
  EXPECT_NE(text.find("joint states"), std::string::npos) << text;
  const auto json = nlohmann::json::parse(output_of("cat two.mcap | $armdyn check - --json"));
  ASSERT_EQ(json["topics"].size(), 4U);
  EXPECT_EQ(json["topics"][1]["name"], "/joint_states");
  EXPECT_EQ(json["topics"][1]["type"], "sensor_msgs/msg/JointState");
  EXPECT_EQ(json["topics"][1]["messages"], 61);
  EXPECT_NEAR(json["topics"][1]["rate"], 100.0, 1e-9);
  EXPECT_EQ(json["topics"][3]["rows"], "contact wrench");
  ASSERT_EQ(shell.run("head -c 9000 two.mcap >cut.mcap").exit_code, 0);
  EXPECT_EQ(shell.run("$armdyn check cut.mcap").exit_code, 0);
  EXPECT_EQ(shell.run("$armdyn check cut.mcap --strict").exit_code, 1);
  for (const std::string option : {"--frame 0,0,0", "--line 0,0,0,0,0,1", "--against ur5e",
                                   "--set a=1", "--payload 1", "--without gravity"}) {
    expect_refused("$armdyn check states.db3 " + option, 2, " needs a robot, not a bag");
  }
}

TEST_F(Bag, EchoedAsTextWithoutAHeaderIsRecognized) {
  const std::string options = " --derive --keep-motion --quiet";
  const std::string echoed = output_of("$armdyn torque ur5e echo.csv" + options);
  const std::string bag = output_of("$armdyn torque ur5e content.csv" + options);
  const auto q_of_first_row = [](const std::string& out) {
    const std::size_t row = out.find('\n') + 1;
    return out.substr(out.find(',', row), 100);
  };
  EXPECT_EQ(q_of_first_row(echoed), q_of_first_row(bag));
  EXPECT_EQ(std::count(echoed.begin(), echoed.end(), '\n'), 62);
  expect_said("$armdyn torque ur5e echo.csv --derive", "a ROS 2 log (ros2 topic echo --csv)");
  expect_refused("$armdyn torque puma560 echo.csv", 3, "selects them, in the order of the joints");
  expect_refused(
      "sed '5s/elbow/wrist_9/' echo.csv >mixed.csv; $armdyn torque ur5e mixed.csv --derive", 3,
      "mixed.csv:5: ");
  // Without velocities and efforts, as joint states may be.
  EXPECT_NE(output_of("cut -d, -f1-15 echo.csv | sed 's/$/,,/' | $armdyn torque ur5e - --derive"),
            "");
}

}  // namespace
}  // namespace armdyn::testing
