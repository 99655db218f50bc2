// Parts of an output, made by themselves and joined, are the output of one run.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/program.hpp"
#include "support/sanitized.hpp"

namespace armdyn::testing {
namespace {

class Parts : public ::testing::Test {
 protected:
  Parts() {
    std::string batch = "# starts\nrun,q1,q2\n\n", motion = "t,q1,q2,qd1,qd2,qdd1,qdd2\n";
    for (int k = 0; k < 23; ++k) {
      const std::string x = std::to_string(0.1 * k);
      batch += std::to_string(100 + k) + "," + x + ",-" + x + "\n";
      if (k % 5 == 0) batch += "# between\n\n";
      motion += std::to_string(0.01 * k) + "," + x + "," + x + ",1,0.5,0," + x + "\n";
    }
    shell.write("runs.csv", batch);
    shell.write("motion.csv", motion);
    shell.write("none.csv", "q1,q2\n");
    shell.write("one.csv", "q1,q2\n0.3,0.4\n");
  }

  /// Of `verb` with -o OUT, in one run and in so many parts that are joined.
  void expect_same_bytes(const std::string& verb, const std::string& out, int parts) const {
    const Outcome whole = shell.run("$armdyn " + verb + " -o whole_" + out + " --quiet");
    ASSERT_EQ(whole.exit_code, 0) << whole.err;
    const std::string of = std::to_string(parts);
    for (int k = parts; k >= 1; --k) {  // in any order
      const Outcome part =
          shell.run("$armdyn " + verb + " --threads " + std::to_string(k) + " -o " + out +
                    " --quiet --part " + std::to_string(k) + "/" + of);
      ASSERT_EQ(part.exit_code, 0) << part.err;
    }
    EXPECT_FALSE(shell.exists(out));
    const Outcome joined = shell.run("$armdyn join " + out);
    EXPECT_EQ(joined.exit_code, 0);
    EXPECT_EQ(joined.out, out + ": " + of + (parts == 1 ? " part" : " parts") + " joined\n");
    EXPECT_EQ(shell.read(out), shell.read("whole_" + out)) << verb << " " << out << " " << parts;
    ASSERT_EQ(shell.run("rm " + out + "*").exit_code, 0);
  }

  Shell shell;
};

TEST_F(Parts, OfVaryAreOneRun) {
  const std::string verb = "vary craig-rr motion.csv --uncertainty mass=5%,com=5mm --samples 17";
  for (const int parts : {1, 2, 5, 20}) {
    expect_same_bytes(verb, "arms.csv", parts);
    expect_same_bytes(verb, "arms.npy", parts);
  }
}

TEST_F(Parts, OfABatchAreOneRun) {
  for (const char* const batch : {"runs.csv", "none.csv", "one.csv"}) {
    const std::string verb =
        std::string("simulate craig-rr --duration 0.05 --step 0.01 --batch ") + batch;
    for (const int parts : {1, 2, 5}) {
      expect_same_bytes(verb, "ends.csv", parts);
      expect_same_bytes(verb, "ends.npy", parts);
    }
  }
  // An array of the ends is a batch again, whose runs are counted where it has no numbers.
  const Outcome made =
      shell.run("$armdyn simulate craig-rr --batch runs.csv --duration 0.01 -o again.npy --quiet");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  expect_same_bytes("simulate craig-rr --duration 0.05 --batch again.npy", "ends.npy", 5);
  shell.write("plain.csv", "q1,q2\n0,0\n1,1\n2,2\n3,3\n4,4\n");
  expect_same_bytes("simulate craig-rr --duration 0.05 --batch plain.csv", "ends.csv", 2);
}

TEST_F(Parts, OfTorqueAreOneRun) {
  for (const char* const more : {"", " --bounds", " --terms --keep-motion", " --resample 333",
                                 " --derive", " --gaps skip --from-time 0.05"}) {
    for (const int parts : {1, 2, 5}) {
      expect_same_bytes("torque craig-rr motion.csv" + std::string(more), "tau.csv", parts);
    }
    expect_same_bytes("torque craig-rr motion.csv" + std::string(more), "tau.npy", 3);
  }
}

TEST_F(Parts, WithoutRowsSaySo) {
  for (const std::string verb :
       {"torque craig-rr motion.csv", "simulate craig-rr --batch runs.csv --duration 0.01",
        "vary craig-rr motion.csv --uncertainty mass=5% --samples 23"}) {
    const Outcome outcome = shell.run("$armdyn " + verb + " --part 24/24 -o out.csv");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("warning: part 24 of 24 has no rows; there are fewer than parts\n"),
              std::string::npos)
        << verb << outcome.err;
  }
}

TEST_F(Parts, ThatDoNotBelongTogetherAreRefused) {
  const std::string vary =
      "$armdyn vary craig-rr motion.csv --uncertainty mass=5% -o a.csv --quiet ";
  const auto error = [&](const std::string& command) { return shell.run(command).err; };
  EXPECT_EQ(error("$armdyn join a.csv"),
            "armdyn: there are no parts of a.csv: no file a.csv.part-1-of-N\n");
  EXPECT_EQ(error("$armdyn join none/a.csv"),
            "armdyn: cannot read folder none: No such file or directory\n");
  ASSERT_EQ(shell.run(vary + "--samples 9 --part 1/2").exit_code, 0);
  EXPECT_EQ(error("$armdyn join a.csv"),
            "armdyn: cannot read a.csv.part-2-of-2: No such file or directory\n");
  ASSERT_EQ(shell.run(vary + "--samples 9 --seed 2 --part 2/2").exit_code, 0);
  EXPECT_EQ(error("$armdyn join a.csv"),
            "a.csv.part-1-of-2 and a.csv.part-2-of-2 do not belong together: options.seed: 1 and "
            "2\n");
  shell.write("a.csv.part-2-of-2", "sample\n1\n");
  EXPECT_EQ(error("$armdyn join a.csv"),
            "a.csv.part-2-of-2: its end lacks that it is part 2 of 2; compute it again with --part "
            "2/2\n");
  ASSERT_EQ(shell.run(vary + "--samples 9 --part 1/3").exit_code, 0);
  EXPECT_EQ(error("$armdyn join a.csv"),
            "armdyn: there are parts of a.csv from several divisions, into 2 and 3; remove those "
            "of one division\n");
  EXPECT_FALSE(shell.exists("a.csv"));
}

// Of a long motion the first blocks are in memory, the others in a file; a number of any column, of
// the first, a later, the last row of a block in memory or in the file counts.
TEST_F(Parts, OfMotionsThatDifferInOneNumberAreRefused) {
  const auto write_motion = [&](int row, int column) {
    const Outcome written = shell.run(
        "awk 'BEGIN { print \"q1,q2,qd1,qd2,qdd1,qdd2\"; for (k = 0; k < 90000; ++k) { for "
        "(j = 0; j < 6; ++j) printf \"%s%s\", k == " +
        std::to_string(row) + " && j == " + std::to_string(column) +
        " ? 0.5 : 0.25, j < 5 ? \",\" : \"\\n\" } }' > long.csv");
    ASSERT_EQ(written.exit_code, 0) << written.err;
  };
  const std::string vary =
      "$armdyn vary craig-rr long.csv --uncertainty mass=5% --samples 2 -o a.csv --quiet --part ";
  write_motion(-1, 0);
  ASSERT_EQ(shell.run(vary + "1/2").exit_code, 0);
  ASSERT_EQ(shell.run(vary + "2/2").exit_code, 0);
  EXPECT_EQ(shell.run("$armdyn join a.csv").exit_code, 0);
  for (const int row : {0, 8191, 8192, 65535, 65536, 73728, 81919, 89999}) {
    for (const int column : {0, 5}) {
      write_motion(row, column);
      ASSERT_EQ(shell.run(vary + "2/2").exit_code, 0);
      const Outcome joined = shell.run("$armdyn join a.csv");
      EXPECT_EQ(joined.exit_code, 3) << row << " " << column;
      EXPECT_NE(joined.err.find(" do not belong together: input: "), std::string::npos)
          << joined.err;
    }
  }
}

TEST_F(Parts, WhoseTorqueFilesDifferAreRefused) {
  const std::string torques = "t,tau1,tau2\n0,1,0\n1,1,0\n", others = "t,tau1,tau2\n0,2,0\n1,1,0\n";
  shell.write("rows.csv", "q1,q2,torques\n0,0,a.csv\n1,1,b.csv\n2,2,a.csv\n");
  shell.write("b.csv", torques);
  shell.write("plain.csv", "q1,q2\n0,0\n1,1\n");
  for (const char* const verb :
       {"simulate craig-rr --batch rows.csv", "simulate craig-rr a.csv --batch plain.csv"}) {
    const std::string run = "$armdyn " + std::string(verb) + " -o ends.csv --quiet --part ";
    shell.write("a.csv", torques);
    ASSERT_EQ(shell.run(run + "1/2").exit_code, 0);
    ASSERT_EQ(shell.run(run + "2/2 && $armdyn join ends.csv && rm ends.csv").exit_code, 0);
    shell.write("a.csv", others);
    ASSERT_EQ(shell.run(run + "2/2").exit_code, 0);
    const Outcome joined = shell.run("$armdyn join ends.csv");
    EXPECT_EQ(joined.exit_code, 3);
    EXPECT_EQ(joined.err.find("ends.csv.part-1-of-2 and ends.csv.part-2-of-2 do not belong "
                              "together: input.torques: \"fnv1a64:"),
              0U)
        << joined.err;
    EXPECT_FALSE(shell.exists("ends.csv"));
  }
  const Outcome pipe = shell.run(
      "bash -c '$armdyn simulate craig-rr <(cat a.csv) --batch plain.csv -o p.csv --part 1/2'");
  EXPECT_EQ(pipe.exit_code, 4);
  EXPECT_NE(pipe.err.find("is a pipe, which cannot be read twice"), pipe.err.npos) << pipe.err;
}

TEST_F(Parts, WhoseRowsAreNotThoseThatWereWrittenAreRefused) {
  const std::string verb = "$armdyn vary craig-rr motion.csv --uncertainty mass=5% --samples 9 ";
  const auto make = [&](const std::string& out) {
    for (const char* const part : {"1/2", "2/2"}) {
      ASSERT_EQ(shell.run(verb + "--quiet -o " + out + " --part " + part).exit_code, 0);
    }
  };
  const auto refuses = [&](const std::string& out, const std::string& edit,
                           const std::string& message) {
    make(out);
    ASSERT_EQ(shell.run(edit).exit_code, 0) << edit;
    const Outcome joined = shell.run("$armdyn join " + out);
    EXPECT_EQ(joined.exit_code, 3) << edit;
    EXPECT_EQ(joined.err.find(out + ".part-"), 0U) << joined.err;
    EXPECT_NE(joined.err.find(message), std::string::npos) << edit << ": " << joined.err;
    EXPECT_NE(joined.err.find("; compute it again with --part "), std::string::npos) << joined.err;
    EXPECT_FALSE(shell.exists(out)) << edit;
  };
  const std::string changed =
      "its head, rows or notes are not as they were written: found fnv1a64:";
  refuses("a.csv", "sed -i 2s/1/7/ a.csv.part-1-of-2", changed);
  refuses("a.csv", "sed -i 3d a.csv.part-2-of-2", "found 3 rows, its end gives 4");
  refuses("a.csv", "sed -i 1d a.csv.part-2-of-2", "found 3 rows, its end gives 4");
  refuses("a.csv", "sed -i 1s/sample/symbol/ a.csv.part-2-of-2", changed);
  refuses("a.csv", "sed -i 1s/sample/symbol/ a.csv.part-*", changed);
  refuses("a.csv",
          "(head -n 5 a.csv.part-1-of-2; tail -n 2 a.csv.part-2-of-2) >x; mv x a.csv.part-2-of-2",
          changed);
  refuses("a.npy", "printf x | dd of=a.npy.part-1-of-2 bs=1 seek=400 conv=notrunc", changed);
  refuses("a.npy", "sed -i 's/<f8/<i8/' a.npy.part-2-of-2", changed);
  refuses("a.npy", "sed -i 's/False/ True/' a.npy.part-2-of-2", changed);
  refuses("a.npy", "sed -i 's/\"notes\":null/\"notes\":7/' a.npy.part-2-of-2", changed);
}

TEST_F(Parts, HaveShortEndsForManyJoints) {
  std::string robot = "armdyn: 1\nname: long\nconvention: modified\njoints:\n";
  std::string names = "t", numbers;
  for (int k = 1; k <= 300; ++k) {
    robot += "  - {name: j" + std::to_string(k) +
             ", type: revolute, dh: {a: 0.001, alpha: 0, d: 0, theta: 0}, mass: 0.001}\n";
    for (const char* const quantity : {",q", ",qd", ",qdd"}) {
      names += quantity + std::to_string(k);
      numbers += ",0";
    }
  }
  shell.write("long.yaml", robot);
  shell.write("long.csv", names + "\n0" + numbers + "\n1" + numbers + "\n");
  for (const char* const part : {"1/2", "2/2"}) {
    const Outcome made =
        shell.run("$armdyn torque long.yaml long.csv --quiet -o a.csv --part " + std::string(part));
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  EXPECT_EQ(shell.run("test $(tail -n 1 a.csv.part-1-of-2 | wc -c) -lt 4000").exit_code, 0);
  EXPECT_EQ(shell.run("$armdyn join a.csv").exit_code, 0);
}

TEST_F(Parts, WhoseEndsAreBrokenAreRefused) {
  const std::string limit = is_sanitized ? "" : "ulimit -v 500000; ";  // shadows take terabytes
  const auto refuses = [&](const std::string& end, const std::string& what) {
    shell.write("a.csv.part-1-of-1", "sample\n1\n\n# armdyn part " + end + "\n");
    for (const char* const json : {"", " --json"}) {
      const Outcome joined = shell.run(limit + "$armdyn join a.csv" + json);
      EXPECT_EQ(joined.exit_code, 3) << joined.err;
      EXPECT_NE(joined.err.find("a.csv.part-1-of-1: its end lacks "), std::string::npos);
      EXPECT_NE(joined.err.find(what), std::string::npos) << joined.err;
    }
  };
  refuses("", "that it is part 1 of 1;");
  refuses("[1]", "that it is part 1 of 1;");
  refuses(R"({"part":"1","of":1})", "that it is part 1 of 1;");
  refuses(R"({"part":-1.5e300,"of":1})", "that it is part 1 of 1;");
  refuses(R"({"part":1,"of":1,"job":3})", "job");
  refuses(R"({"part":1,"of":1,"job":{},"rows":"1"})", "how many it has");
  refuses(R"({"part":1,"of":1,"job":{},"rows":1,"digest":5})", "that of its rows");
  for (const std::size_t levels : {std::size_t{101}, std::size_t{20'000}, std::size_t{400'000}}) {
    const std::string open(levels, '['), close(levels, ']');
    refuses(R"({"part":1,"of":1,"rows":1,"digest":"","job":)" + open + close + "}",
            "that it is part 1 of 1;");
  }
}

TEST_F(Parts, MayBeMoreThanTheFilesThatMayBeOpen) {
  const Outcome made = shell.run(
      "for k in $(seq 40); do $armdyn vary craig-rr motion.csv --uncertainty mass=5% --samples 40 "
      "-o a.csv --quiet --part $k/40 || exit; done");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(shell.run("ulimit -n 12; $armdyn join a.csv").out, "a.csv: 40 parts joined\n");
}

TEST_F(Parts, ThatWereInterruptedAreRefused) {
  const Outcome part = shell.run(
      "$armdyn simulate craig-rr --batch runs.csv --duration 100 --step 0.0001 --threads 1 --part "
      "1/2 -o a.csv --quiet & m=$!; sleep 1; kill -TERM $m; wait $m");
  ASSERT_EQ(part.exit_code, 130) << part.err;
  if (!shell.exists("a.csv.part-1-of-2")) return;  // no run had ended
  const Outcome joined = shell.run("cp a.csv.part-1-of-2 a.csv.part-2-of-2; $armdyn join a.csv");
  EXPECT_EQ(joined.exit_code, 3);
  EXPECT_EQ(joined.err.find("a.csv.part-1-of-2: its end lacks"), 0U) << joined.err;
}

TEST_F(Parts, SayWhatTheyNeed) {
  const auto error = [&](const std::string& command) { return shell.run(command).err; };
  EXPECT_EQ(error("$armdyn torque craig-rr motion.csv --part 1/2"),
            "armdyn: --part needs -o OUT, the name of the whole, which is a file\n");
  EXPECT_EQ(error("$armdyn torque craig-rr motion.csv -o /dev/null --part 1/2"),
            "armdyn: --part needs -o OUT, the name of the whole, which is a file\n");
  EXPECT_EQ(error("$armdyn torque craig-rr motion.csv -o a.csv.part-1-of-2 --part 1/2"),
            "armdyn: -o: found \"a.csv.part-1-of-2\", the name of a part; --part needs that of the "
            "whole\n");
  EXPECT_EQ(error("$armdyn torque craig-rr motion.csv -o a.csv --part 3/2"),
            "armdyn: --part: found \"3/2\", expected K/N, the K-th of N parts, e.g. 1/4\n");
  EXPECT_EQ(error("$armdyn simulate craig-rr --duration 1 -o a.csv --part 1/2"),
            "armdyn: --part is for --batch: the rows of one simulation follow from one another\n");
  EXPECT_EQ(error("cat motion.csv | $armdyn torque craig-rr -o a.csv --part 1/2"),
            "armdyn: standard input: is a pipe or several files, which cannot be read in parts; "
            "write it into one file first\n");
}

}  // namespace
}  // namespace armdyn::testing
