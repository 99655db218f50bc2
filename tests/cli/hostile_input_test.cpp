// Files, names and options that nobody means well with: errors with a place, in bounded memory, and
// nothing of theirs reaches a terminal raw.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/program.hpp"
#include "support/sanitized.hpp"

namespace armdyn::testing {
namespace {

class HostileInput : public ::testing::Test {
 protected:
  Shell shell;
};

/// An array of NumPy's format.
std::string npy(const std::string& descr, const std::string& shape, const std::string& numbers) {
  const std::string head =
      "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }\n";
  std::string bytes("\x93NUMPY\x02\x00", 8);
  for (unsigned i = 0; i < 4; ++i) bytes += static_cast<char>(head.size() >> (8 * i) & 0xFFU);
  return bytes + head + numbers;
}

template <class Number>
void append(std::string& bytes, Number number) {
  bytes.append(sizeof number, '\0');
  std::memcpy(bytes.data() + bytes.size() - sizeof number, &number, sizeof number);
}

bool is_plain(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; });
}

/// A reader that takes one line, has the input shortened, and takes the rest.
std::string shortened_while_read(const std::string& input, const std::string& arguments) {
  return "{ $armdyn torque craig-rr " + input + " --quiet " + arguments +
         "; echo $? >code; } | { head -n 1 >first; truncate -s 1000000 " + input +
         "; cat >/dev/null; }; exit $(cat code)";
}

TEST_F(HostileInput, ThatShrinksWhileItIsReadIsAnError) {
  const std::string make =
      "$armdyn trajectory craig-rr --from 0,0 --to 1,1 --duration 100 --rate 2000 --quiet -o ";
  for (const std::string input : {"motion.csv", "motion.npy"}) {
    for (const std::string threads : {"--threads 1", "--threads 2"}) {
      ASSERT_EQ(shell.run(make + input).exit_code, 0);
      const Outcome outcome = shell.run(shortened_while_read(input, threads));
      EXPECT_EQ(outcome.exit_code, 4) << input;
      EXPECT_EQ(outcome.err, "armdyn: " + input + " has become shorter while it was read\n");
    }
  }
}

TEST_F(HostileInput, SaysTheSameWithEveryNumberOfThreads) {
  std::string rows = "t,q1,qd1,qdd1,q2,qd2,qdd2\n";
  for (int i = 0; i < 30000; ++i) {
    const std::string bad = i % 7 == 3 ? "x" : "0";
    rows += std::to_string(i) + ",1," + bad + ",0,0,0,0\n";
  }
  shell.write("long.csv", rows);
  shell.write("short.csv",
              "t,q1,qd1,qdd1,q2,qd2,qdd2\n0,0,0,0,0,0,0\n1,x,0,0,0,0,0\n"
              "2,0,0,0,0,0,0\n3,0,0,0,0,0,0\n");
  for (const std::string verb :
       {"torque craig-rr ", "compare craig-rr ", "inspect craig-rr --what tau "}) {
    for (const std::string log : {"short.csv", "long.csv"}) {
      for (const std::string form : {"", " --json"}) {
        const std::string command =
            "$armdyn " + verb + log + " --gaps skip" + form + " -o out.csv --threads ";
        const bool has_times = verb.starts_with("compare");  // which are measured
        const std::string filter =
            has_times
                ? " 2>&1; sed -e '/^Time of one state/,$d' -e '/seconds/d' -e '/ratio/d' out.csv"
                : " 2>&1";
        const auto with = [&](const std::string& threads) {
          Outcome outcome = shell.run(command + threads + filter);
          const std::string echo = "\"threads\": " + threads;
          if (const auto at = outcome.out.find(echo); at != std::string::npos) {
            outcome.out.replace(at, echo.size(), "");
          }
          return outcome.out;
        };
        const std::string alone = with("1");
        for (const std::string threads : {"2", "3", "8"}) {
          EXPECT_EQ(alone, with(threads)) << verb << log << form << " --threads " << threads;
        }
      }
    }
  }
  const Outcome one = shell.run("$armdyn torque craig-rr short.csv --gaps skip --json -o out.csv");
  EXPECT_NE(one.out.find("1 row left out"), std::string::npos) << one.out;
}

TEST_F(HostileInput, IsRefusedInBoundedMemory) {
  std::string fields, brackets, unknown, named = "armdyn: 1\nposes:\n  ";
  for (int i = 0; i < 60; ++i) fields += "('f" + std::to_string(i) + "', '<f8', (99999,)), ";
  shell.write("lists.npy", npy("[" + fields + "]", "(1,)", ""));
  shell.write("type.npy",
              npy("[('q', '<M8[" + std::string(50000, 'x') + "]', (99999,))]", "(1,)", ""));
  for (int i = 0; i < 300000; ++i) brackets += "[],";
  shell.write("brackets.npy", npy("[" + brackets + "]", "(1,)", ""));
  named += std::string(200000, 'k') + ": [";
  for (int i = 0; i < 70000; ++i) named += "x,";
  shell.write("key.yaml", named + "0]\n");
  for (int i = 0; i < 90000; ++i) unknown += "k" + std::to_string(i) + ": 0\n";
  shell.write("keys.yaml", unknown);
  shell.write("deep.yaml", "joints: " + std::string(500000, '[') + "\n");
  shell.write("cells.csv", std::string(500000, ','));
  shell.write("wide.csv", std::string(500000, ',') + "\n" + std::string(500000, ','));
  std::string classes = "<mujoco><default><joint user='" + std::string(1000000, '1') + "'/>";
  for (int i = 0; i < 1500; ++i) classes += fmt::format("<default class='c{}'/>", i);
  shell.write("classes.xml", classes + "</default><worldbody/></mujoco>");
  std::string joints = "<mujoco><worldbody><body>";
  for (int i = 0; i < 200000; ++i) joints += "<joint/>";
  shell.write("joints.xml", joints + "</body></worldbody></mujoco>");
  std::string elements = "<robot name='r'>";
  for (int i = 0; i < 1000000; ++i) elements += "<a/>";
  shell.write("elements.urdf", elements + "</robot>");
  for (const std::string input :
       {"lists.npy", "type.npy", "brackets.npy", "key.yaml", "keys.yaml", "deep.yaml",
        "classes.xml", "joints.xml", "elements.urdf", "cells.csv", "wide.csv"}) {
    const bool is_robot = !input.ends_with(".npy") && !input.ends_with(".csv");
    const std::string verb = is_robot ? "check " : "torque craig-rr ";
    long kilobytes = 0;
    const Outcome outcome =
        shell.run("$armdyn " + verb + input + (is_robot ? " >answer" : ""), kilobytes);
    const auto size = static_cast<long>(shell.read(input).size());
    EXPECT_NE(outcome.exit_code, 0) << input;
    const long sanitizers = 200 * 1024;  // keep shadows of the memory in use
    const long plain = 64 * 1024 + 20 * size / 1024;
    const long allowed = is_sanitized ? 3 * plain + sanitizers : plain;
    EXPECT_LE(kilobytes, allowed) << input << " of " << size << " bytes";
    EXPECT_LT(outcome.err.size() + shell.read("answer").size(), 40000U) << input;
  }
}

// Waypoints by the most cells that a piece of a path has; a long motion for drives, which is read once.
TEST_F(HostileInput, OfManyRowsIsPlannedAndSizedInBoundedMemory) {
  if (is_sanitized) GTEST_SKIP() << "keeps shadows of the memory in use";
  std::string points = "q1,q2\n";
  for (int k = 0; k < 20000; ++k)
    points += fmt::format("{:.3f},{:.3f}\n", std::sin(k), std::cos(2 * k));
  shell.write("points.csv", points);
  ASSERT_LE(
      shell
          .run("$armdyn trajectory puma560 --from 0,0,0,0,0,0 --to 1,1,1,1,1,1 --duration 100 "
               "--rate 2000 --profile quintic --quiet -o long.npy")
          .exit_code,
      1);  // beyond a limit of position
  const auto peak = [&](const std::string& command) {
    long kilobytes = 0;
    const Outcome outcome = shell.run("$armdyn " + command, kilobytes);
    EXPECT_LE(outcome.exit_code, 1) << outcome.err;
    return kilobytes / 1024;
  };
  EXPECT_LT(peak("trajectory craig-rr --via points.csv --limits 3,30 --rate 1 -o m.csv"), 100);
  EXPECT_LT(peak("size puma560 long.npy -o s.txt"), 50);
}

TEST_F(HostileInput, InOtherEncodingsIsCalledByThem) {
  const auto wide = [](const std::string& text, int bytes, bool is_big, bool is_marked) {
    std::string result;
    const auto add = [&](unsigned code) {
      for (int k = 0; k < bytes; ++k) {
        result += static_cast<char>(code >> (8 * (is_big ? bytes - 1 - k : k)) & 0xFFU);
      }
    };
    if (is_marked) add(0xFEFF);
    for (const char c : text) add(static_cast<unsigned char>(c));
    return result;
  };
  const std::string motion = "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n1,0,0,0,0,0,0\n";
  shell.write("cycle.csv", motion);
  const std::vector<std::pair<std::string, std::string>> doors{
      {motion, "torque craig-rr FILE"},
      {"q1,q2\n0,0\n1,1\n", "trajectory craig-rr --via FILE"},
      {"part,name,mass\nmotor,m,1\n", "size craig-rr cycle.csv --catalog FILE"},
      {"M11 = l1", "equations craig-rr --verify FILE"},
      {"1,0\n0,1\n", "track craig-rr cycle.csv --kp FILE --kv 1"},
      {"armdyn: 1\n", "check FILE.yaml"}};
  for (const auto& [text, command] : doors) {
    for (const bool is_marked : {true, false}) {
      for (const bool is_big : {true, false}) {
        for (const int bytes : {2, 4}) {
          shell.write("wide.csv", wide(text, bytes, is_big, is_marked));
          shell.write("wide.csv.yaml", wide(text, bytes, is_big, is_marked));
          std::string line = command;
          line.replace(line.find("FILE"), 4, "wide.csv");
          const Outcome outcome = shell.run("$armdyn " + line + " 2>&1");
          EXPECT_EQ(outcome.exit_code, line.starts_with("check") ? 1 : 3) << line << outcome.out;
          EXPECT_NE(outcome.out.find(bytes == 2 ? "UTF-16; save" : "UTF-32; save"),
                    std::string::npos)
              << line << outcome.out;
        }
      }
    }
  }
}

TEST_F(HostileInput, WithStampsThat64BitsDoNotHoldIsRefusedWithItsRow) {
  const std::string rest = ",0,0,0,0,0,0\n";
  shell.write("micro.csv", "t[us],q1,qd1,qdd1,q2,qd2,qdd2\n1700000000000000" + rest +
                               "9223372036854775807" + rest);
  const Outcome micro = shell.run("$armdyn torque craig-rr micro.csv -o out.csv");
  EXPECT_EQ(micro.exit_code, 3);
  EXPECT_EQ(micro.err,
            "micro.csv: t counts from the first stamp\n"
            "micro.csv:3: column \"t[us]\": found \"9223372036854775807\", expected a stamp "
            "within 292 years of 1970\n");
  std::string rows;
  for (const std::int64_t t : {std::int64_t{1'700'000'000'000'000}, std::int64_t{1} << 62U}) {
    append(rows, t);
    for (int i = 0; i < 6; ++i) append(rows, 0.0);
  }
  shell.write("micro.npy", npy("[('t[us]', '<i8'), ('q', '<f8', (2,)), ('qd', '<f8', (2,)), "
                               "('qdd', '<f8', (2,))]",
                               "(2,)", rows));
  const Outcome array = shell.run("$armdyn torque craig-rr micro.npy -o out.csv");
  EXPECT_EQ(array.exit_code, 3);
  EXPECT_TRUE(array.err.find("micro.npy:2: column \"t[us]\": ") != std::string::npos) << array.err;
  EXPECT_EQ(shell.list(), "micro.csv micro.npy ");

  // Too large for nanoseconds since 1970, it can only be seconds.
  shell.write("late.csv", "t,q1,qd1,qdd1,q2,qd2,qdd2\n1e308" + rest);
  const Outcome late = shell.run("$armdyn torque craig-rr late.csv --quiet");
  EXPECT_EQ(late.out.substr(0, late.out.find(',', 12)), "t,tau1,tau2\n1e+308") << late.err;
}

TEST_F(HostileInput, ThatIsNotUtf8IsShownEscapedAndReplacedInJson) {
  const std::string motion = "t,q1,qd1,qdd1,q2,qd2,qdd2\n0,0,0,0,0,0,0\n";
  for (const std::string name : {"a\xff\xfe.csv", "b\xc2\x9b\xe2\x80\xae.csv", "c\x1b[31m.csv"}) {
    shell.write(name, motion);
    for (const std::string verb :
         {"torque craig-rr", "compare craig-rr", "inspect craig-rr --what tau"}) {
      const Outcome outcome = shell.run("$armdyn " + verb + " '" + name + "' --json -o out.csv");
      EXPECT_EQ(outcome.exit_code, 0) << verb << outcome.err;
      const std::string answer = verb.starts_with("compare") ? shell.read("out.csv") : outcome.out;
      EXPECT_FALSE(nlohmann::json::parse(answer).empty()) << verb;
      EXPECT_EQ(answer.find('\x1b'), std::string::npos);
      EXPECT_EQ(answer.find('\x9b'), std::string::npos);
    }
    shell.write(name, "t,q1\n0\x1b[31m,1\n");
    const Outcome cell = shell.run("$armdyn torque craig-rr '" + name + "'");
    EXPECT_EQ(cell.exit_code, 3);
    EXPECT_TRUE(is_plain(cell.err)) << cell.err;
  }
  shell.write("cell.csv",
              "t,q1,qd1,qdd1,q2,qd2,qdd2\n0,\xff\xc2\x9b,0,0,0,0,0\n1,0,0,0,0,0,0\n"
              "2,0,0,0,0,0,0\n");
  const Outcome skipped =
      shell.run("$armdyn torque craig-rr cell.csv --gaps skip --json -o out.csv");
  EXPECT_EQ(skipped.exit_code, 0) << skipped.err;
  EXPECT_FALSE(nlohmann::json::parse(skipped.out).empty());
}

TEST_F(HostileInput, InNamesAndKeysReachesNoTerminalRaw) {
  shell.write("r\x1b[2J\xe2\x80\xae.yaml",
              "armdyn: 1\nname: \"a\\e[2Jb\\x9b\\u202E\"\nconvention: standard\n\"k\\e[31m\": 1\n"
              "joints:\n  - {type: \"\\e[0m\", dh: {a: 1, alpha: 0, d: 0, theta: 0}, mass: 1}\n");
  for (const std::string line :
       {"$armdyn check r*.yaml", "$armdyn torque r*.yaml puma560-pick-and-place",
        "$armdyn check $(printf 'no\\033[2J\\nsuch.yaml')", "$armdyn $(printf 'verb\\033[2J')",
        "$armdyn torque puma560 $(printf 'no\\302\\233')",
        "$armdyn robots -o $(printf 'no\\033[2J/x')",
        "$armdyn torque puma560 puma560-pick-and-place --method $(printf 'x\\033[2J')",
        "$armdyn torque puma560 --$(printf 'x\\033[2J')"}) {
    const Outcome outcome = shell.run(line);
    EXPECT_NE(outcome.exit_code, 0) << line;
    EXPECT_TRUE(is_plain(outcome.out + outcome.err)) << line << "\n" << outcome.out << outcome.err;
  }
}

/// What turns the direction of writing, and controls above ASCII, in what may be a terminal.
TEST_F(HostileInput, InTheNameOfARobotIsWrittenEscaped) {
  shell.write("r.yaml",
              "armdyn: 1\nname: \"a\\x9b\\x85\\u202E\\u2066z\\\\x9b\"\ndescription: \"d\\u202e\"\n"
              "convention: standard\njoints:\n  - {type: revolute, dh: {a: 1}, mass: 1, com: "
              "[0, 0, 0], inertia: {xx: 1, yy: 1, zz: 1}}\n");
  shell.write("m.csv", "q1,qd1,qdd1\n0,0,0\n");
  for (const std::string line :
       {"equations r.yaml", "equations r.yaml --format latex", "equations r.yaml --prove",
        "equations r.yaml --format c", "equations r.yaml --format python",
        "equations r.yaml --format "
        "matlab",
        "equations r.yaml --format javascript", "equations r.yaml --format cpp",
        "equations r.yaml --format listing", "convert r.yaml", "check r.yaml", "inspect r.yaml",
        "torque r.yaml m.csv"}) {
    const Outcome outcome = shell.run("$armdyn " + line);
    EXPECT_EQ(outcome.exit_code, 0) << line << outcome.err;
    for (const char* const raw : {"\xc2\x9b", "\xc2\x85", "\xe2\x80\xae", "\xe2\x81\xa6"}) {
      EXPECT_EQ((outcome.out + outcome.err).find(raw), std::string::npos) << line << outcome.out;
    }
  }
}

TEST_F(HostileInput, LongNamesAreRefusedAndShownShort) {
  const auto file = [&](const std::string& robot, const std::string& joint) {
    shell.write("r.yaml", "armdyn: 1\nname: " + robot +
                              "\nconvention: standard\njoints:\n  - {name: " + joint +
                              ", type: revolute, dh: {a: 1}, mass: 1}\n");
    return shell.run("$armdyn equations r.yaml");
  };
  const std::string most(200, 'n'), more(900000, 'n'), shown(60, 'n');
  EXPECT_EQ(file(most, most).exit_code, 0);
  const std::string expected = "; expected a name of at most 200 bytes\n";
  EXPECT_EQ(file(more, "j").err, "r.yaml:2:7: error: name: found \"" + shown + "...\"" + expected);
  EXPECT_EQ(file("r", more).err,
            "r.yaml:5:12: error: joints[0].name: found \"" + shown + "...\"" + expected);
  EXPECT_EQ(file(most + "n", "j").exit_code, 3);
}

TEST_F(HostileInput, OfManyAttributesIsRefusedBeforeItIsParsed) {
  const auto link = [](int attributes) {
    std::string text = "<robot name='x'>\n<!-- a=\"'= -->\n<link name='base'/>\n<link name='tip'";
    for (int i = 1; i < attributes; ++i) text += fmt::format(" x{}='a > b = c'", i);
    return text +
           "/>\n<joint name='j' type='revolute'><parent link='base'/><child link='tip'/>"
           "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>\n</robot>\n";
  };
  shell.write("many.urdf", link(60000));
  const Outcome many = shell.run("timeout 1 $armdyn check many.urdf");
  EXPECT_EQ(many.exit_code, 1);
  EXPECT_EQ(many.out + many.err,
            "many.urdf: 1 error; the file cannot be used\n"
            "many.urdf:4: error: an element has more than 100 attributes; is this a robot file?\n");
  shell.write("most.urdf", link(100));
  EXPECT_EQ(shell.run("$armdyn convert most.urdf").exit_code, 0);
  shell.write("more.urdf", link(101));
  EXPECT_EQ(shell.run("$armdyn convert more.urdf").exit_code, 3);
}

/// Few words that ask for more than anybody waits for, before anything of it is done.
TEST_F(HostileInput, OfRowsWithoutEndIsRefused) {
  ASSERT_EQ(shell
                .run("$armdyn trajectory craig-rr --from 0,0 --to 1,1 --duration 1 --rate 10 "
                     "--quiet -o m.csv && $armdyn torque craig-rr m.csv --quiet -o t.csv")
                .exit_code,
            0);
  shell.write("starts.csv", "q1,q2\n0,0\n1,1\n");
  const std::vector<std::pair<std::string, std::string>> wishes{
      {"simulate craig-rr --duration 1 --step 1e-300",
       "1 s in steps of 1e-300 s are 1e+300 steps; lengthen --step, or raise --max-rows above "
       "1e+08"},
      {"simulate craig-rr --duration 1e300",
       "1e+300 s in steps of 0.001 s are 1e+303 steps; lengthen --step, or"},
      {"simulate craig-rr --duration 1e300 --integrator dopri5", "are 1e+303 steps; lengthen"},
      {"simulate craig-rr --duration 1e300 --step 1e-300", "are 1.8e+308 steps; lengthen"},
      {"simulate craig-rr t.csv --step 1e-300", "0.1 s in steps of 1e-300 s are 1e+299 steps"},
      {"simulate craig-rr --batch starts.csv --duration 1e300", "are 1e+303 steps"},
      {"simulate craig-rr t.csv --batch starts.csv --step 1e-300", "are 1e+299 steps"},
      {"track craig-rr m.csv --step 1e-300", "1 s in steps of 1e-300 s are 1e+300 steps"},
      {"track craig-rr m.csv --sample-time 1e-300",
       "1 s in samples of 1e-300 s are 1e+300 samples; lengthen --sample-time, or raise "
       "--max-rows"},
      {"track craig-rr m.csv --hold 1e12", "are 1e+14 samples"},
      {"track craig-rr m.csv --sample-time 0 --hold 1e12", "are 1e+15 steps"},
      {"trajectory craig-rr --from 0,0 --to 1,1 --duration 1 --rate 1e300",
       "1 s at 1e+300 Hz are 1e+300 rows; lower --rate, or raise --max-rows above 1e+08"},
      {"simulate craig-rr --duration 1 --max-rows 999",
       "are 1e+03 steps; lengthen --step, or raise "
       "--max-rows above 999"},
      {"torque craig-rr m.csv --resample 1e10 --max-rows 10",
       "m.csv:3: 1e+09 rows at 1e+10 Hz would come before this row and after the one before; lower "
       "--resample, or raise --max-rows above 10"}};
  for (const auto& [arguments, message] : wishes) {
    shell.write("out", "old");
    const Outcome outcome = shell.run("timeout 10 $armdyn " + arguments + " --quiet -o out");
    EXPECT_EQ(outcome.exit_code, arguments.starts_with("torque") ? 3 : 2) << arguments;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << arguments << "\n" << outcome.err;
    EXPECT_EQ(shell.read("out"), "old") << arguments;
  }
  EXPECT_EQ(shell.run("$armdyn simulate craig-rr --duration 1 --max-rows 1000 -o out").exit_code,
            0);
  EXPECT_EQ(
      shell.run("$armdyn torque craig-rr m.csv --resample 1e4 --max-rows 1001 -o out").exit_code,
      0);
}

TEST_F(HostileInput, InNamesOfMotionsIsDrawn) {
  if (shell.run("gnuplot --version").exit_code != 0) GTEST_SKIP() << "there is no gnuplot";
  for (const std::string name : {"'a.csv", "''.csv", "a''b.csv", "]]>.csv", "\xef\xbf\xbe.csv",
                                 "a\"b`date`$x@y\\n%s{_.csv", "\x1b[2J\xff.csv"}) {
    shell.write("motion.csv", "t,q1,qd1,qdd1,q2,qd2,qdd2\n0,0,0,0,0,0,0\n1,1,1,1,1,1,1\n");
    shell.write("name", name);
    const Outcome outcome = shell.run(
        "n=$(cat name); mv motion.csv \"$n\"; $armdyn torque craig-rr \"./$n\" -o out.csv --plot "
        "out.svg --quiet; code=$?; rm \"./$n\"; exit $code");
    EXPECT_EQ(outcome.exit_code, 0) << name << outcome.err;
    const std::string svg = shell.read("out.svg");
    EXPECT_NE(svg.find("</svg>"), std::string::npos) << name;
    EXPECT_EQ(svg.find("\xef\xbf\xbe"), std::string::npos);
    for (std::size_t at = 0; (at = svg.find("<![CDATA[", at)) != std::string::npos; ++at) {
      const std::size_t end = svg.find("]]>", at);
      ASSERT_NE(end, std::string::npos);
      EXPECT_EQ(svg.compare(end + 3, 7, "</text>") == 0 || svg.compare(end + 3, 8, "</tspan>") == 0,
                true)
          << svg.substr(at, 80);
    }
  }
}

TEST_F(HostileInput, OfALoopOfLinksIsNotReplaced) {
  const Outcome outcome =
      shell.run("ln -s a b; ln -s b a; $armdyn robots -o a; code=$?; readlink a b; exit $code");
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_EQ(outcome.out, "b\na\n");
  EXPECT_EQ(outcome.err, "armdyn: cannot write a: Too many levels of symbolic links\n");
}

TEST_F(HostileInput, OfOptionsSaysWhatTheyMayBe) {
  const Outcome threads =
      shell.run("$armdyn torque puma560 puma560-pick-and-place --threads 99999999999");
  EXPECT_EQ(threads.exit_code, 2);
  EXPECT_NE(threads.err.find("expected a whole number from 1 to 1024"), std::string::npos)
      << threads.err;
  const Outcome harmonics = shell.run("$armdyn trajectory puma560 --excite --harmonics 100000000");
  EXPECT_EQ(harmonics.exit_code, 2);
  EXPECT_NE(harmonics.err.find("expected a whole number from 3 to 1000"), std::string::npos)
      << harmonics.err;
}

TEST_F(HostileInput, WithMoreJointsThanAnAnswerInAMinuteIsRefused) {
  std::string robot = "armdyn: 1\nname: snake\nconvention: modified\njoints:\n";
  for (int i = 0; i < 201; ++i) {
    robot += "  - {type: revolute, dh: {a: 0.1, alpha: 0, d: 0, theta: 0}, mass: 1}\n";
  }
  shell.write("snake.yaml", robot);
  shell.write("motion.csv", "t,q1\n0,0\n");
  for (const auto& [verb, most] : {std::pair<std::string, std::string>{"check", "100"},
                                   {"compare", "60"},
                                   {"inspect", "100"},
                                   {"observe", "20"}}) {
    const std::string motion = verb == "observe" ? " motion.csv" : "";
    const Outcome outcome = shell.run("$armdyn " + verb + " snake.yaml" + motion);
    EXPECT_EQ(outcome.exit_code, 2) << verb;
    EXPECT_NE(outcome.err.find(verb +
                               ": snake has 201 joints, and an answer would take more "
                               "than a minute or 0.5 GB; expected at most " +
                               most),
              std::string::npos)
        << outcome.err;
  }
}

TEST_F(HostileInput, ChainsOfParametersEndWhereNobodyWouldReadThem) {
  const auto chain = [&](int count) {
    std::string file = "armdyn: 1\nname: chain\nconvention: standard\nparameters:\n  m0: 1\n";
    for (int i = 1; i < count; ++i) file += fmt::format("  m{}: 1*m{}\n", i, i - 1);
    shell.write("c.yaml", file + fmt::format("joints:\n  - {{type: revolute, dh: {{a: 1}}, "
                                             "mass: m{}, com: [0, 0, 0]}}\n",
                                             count - 1));
    return shell.run("$armdyn equations c.yaml");
  };
  EXPECT_EQ(chain(500).exit_code, 0);
  const Outcome deep = chain(900), many = chain(20000);
  EXPECT_EQ(deep.exit_code, 3);
  EXPECT_NE(deep.err.find("the formulas that it follows from have 40"), std::string::npos)
      << deep.err;
  EXPECT_EQ(many.exit_code, 3);
  EXPECT_NE(many.err.find("found 20000 parameters; expected at most 1000"), std::string::npos);
}

TEST_F(HostileInput, WhatWouldTakeLongerThanAMinuteIsRefused) {
  std::string robot = "armdyn: 1\nname: many\nconvention: standard\njoints:\n";
  for (int i = 0; i < 101; ++i) robot += "  - {type: revolute, dh: {a: 0.1}, mass: 1}\n";
  shell.write("many.yaml", robot);
  const std::vector<std::pair<std::string, std::string>> limits{
      {"compare many.yaml --samples 1 --costs", "compare"},
      {"identify many.yaml log.csv", "identify"},
      {"inspect many.yaml --what base_parameters", "inspect"}};
  for (const auto& [command, verb] : limits) {
    const Outcome outcome = shell.run("$armdyn " + command);
    EXPECT_EQ(outcome.exit_code, 2) << command;
    EXPECT_NE(outcome.err.find("armdyn: " + verb + ": many has 101 joints, and an answer"),
              std::string::npos)
        << outcome.err;
  }
}

TEST_F(HostileInput, AFolderIsCalledAFolder) {
  (void)shell.run("mkdir d");
  EXPECT_EQ(shell.run("$armdyn check d").err, "armdyn: d: is a folder; expected a file\n");
}

TEST_F(HostileInput, ALostSummaryIsAnErrorWhereAProgramAskedForIt) {
  const std::string verb = "$armdyn torque puma560 puma560-pick-and-place ";
  EXPECT_EQ(shell.run(verb + "--json >tau.csv 2>/dev/full").exit_code, 4);
  EXPECT_EQ(shell.run(verb + ">tau.csv 2>/dev/full").exit_code, 0);
  EXPECT_EQ(shell.run(verb + "--json -o tau.csv >/dev/full").exit_code, 4);
  EXPECT_EQ(shell.run(verb + "-o tau.csv >/dev/full").exit_code, 4);
}

TEST_F(HostileInput, NoFileIsMadeBesideADevice) {
  const Outcome outcome = shell.run("$armdyn equations craig-rr --format c --check -o /dev/null");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_NE(shell.run("ls /dev/null_check").exit_code, 0);
}

TEST_F(HostileInput, ExtremeControllersAreNoReasonForNaN) {
  const std::string verb = "$armdyn track puma560 puma560-pick-and-place -o /dev/null --json ";
  const Outcome rare = shell.run(verb + "--sample-time 1e300");
  EXPECT_EQ(rare.out.find("nan"), std::string::npos) << rare.out;
  const Outcome fine = shell.run(verb + "--encoder 1e-308");
  EXPECT_EQ(fine.out.find("nan"), std::string::npos) << fine.out;
  // Longer than the motion: the first torque for ever, in no more memory than that.
  const std::string limit = is_sanitized ? "" : "ulimit -v 2000000; ";  // shadows take terabytes
  EXPECT_EQ(shell.run(limit + verb + "--delay 1000000000").exit_code,
            shell.run(verb + "--delay 1000000").exit_code);
}

}  // namespace
}  // namespace armdyn::testing
