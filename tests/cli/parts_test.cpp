// Parts of an output, made by themselves and joined, are the output of one run.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/program.hpp"

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
    EXPECT_EQ(joined.err, out + ": " + of + (parts == 1 ? " part" : " parts") + " joined\n");
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

TEST_F(Parts, ThatDoNotBelongTogetherAreRefused) {
  const std::string vary =
      "$armdyn vary craig-rr motion.csv --uncertainty mass=5% -o a.csv --quiet ";
  const auto error = [&](const std::string& command) { return shell.run(command).err; };
  EXPECT_EQ(error("$armdyn join a.csv"),
            "armdyn: there are no parts of a.csv: no file a.csv.part-1-of-N\n");
  ASSERT_EQ(shell.run(vary + "--samples 9 --part 1/2").exit_code, 0);
  EXPECT_EQ(error("$armdyn join a.csv"),
            "armdyn: cannot read a.csv.part-2-of-2: No such file or directory\n");
  ASSERT_EQ(shell.run(vary + "--samples 9 --seed 2 --part 2/2").exit_code, 0);
  EXPECT_EQ(error("$armdyn join a.csv"),
            "a.csv.part-1-of-2 and a.csv.part-2-of-2 do not belong together: options.seed: 1 and "
            "2\n");
  shell.write("a.csv.part-2-of-2", "sample\n1\n");
  EXPECT_EQ(error("$armdyn join a.csv"),
            "a.csv.part-2-of-2: its end does not say that it is part 2 of 2; make it anew\n");
  ASSERT_EQ(shell.run(vary + "--samples 9 --part 1/3").exit_code, 0);
  EXPECT_EQ(error("$armdyn join a.csv"),
            "armdyn: there are parts of a.csv from several divisions, into 2 and 3; remove those "
            "that do not count\n");
  EXPECT_FALSE(shell.exists("a.csv"));
}

TEST_F(Parts, SayWhatTheyNeed) {
  const auto error = [&](const std::string& command) { return shell.run(command).err; };
  EXPECT_EQ(error("$armdyn torque craig-rr motion.csv --part 1/2"),
            "armdyn: --part needs -o OUT, the name of the whole, which is a file\n");
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
