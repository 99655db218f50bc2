// What fails beneath the program, call by call, ends it with one message, and a target that is
// untouched or whole.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/sanitized.hpp"

namespace armdyn::testing {
namespace {

/// What compare measures is another time every time.
std::string without_times(const std::string& text) {
  return text.substr(0, text.find("Time of one state"));
}

class Faults : public ::testing::Test {
 protected:
  void SetUp() override {
    if (is_sanitized) GTEST_SKIP() << "a sanitizer brings its own malloc, which cannot fail here";
    ASSERT_EQ(shell
                  .run("$armdyn trajectory craig-rr --from 0,0 --to 1,1 --duration 1 --rate 1000 "
                       "--quiet -o motion.csv && $armdyn trajectory craig-rr --from 0,0 --to 1,1 "
                       "--duration 1 --rate 1000 --quiet -o motion.npy")
                  .exit_code,
              0);
    shell.write("gusts.csv", "t,tau1,tau2\n0,1,0\n0.1,0,1\n");
    shell.write("runs.csv", "q1,q2\n0,0.1\n0.2,0.3\n");
  }

  /// Lets the k-th call of that name fail; false where there are fewer calls.
  [[nodiscard]] bool fail(const std::string& verb, const std::string& call, long k) const {
    shell.write(out, "old");
    const Outcome outcome =
        shell.run("timeout -s KILL 100 env LD_PRELOAD=" ARMDYN_FAILING_CALLS
                  " ARMDYN_FAILED=$PWD.failed ARMDYN_FAILS=" +
                  call + ":" + std::to_string(k) + " $armdyn " + verb + " --quiet -o " + out +
                  "; code=$?; [ -e $PWD.failed ] && rm $PWD.failed && echo failed; "
                  "exit $code");
    if (outcome.out.empty()) return false;
    last = outcome;
    const std::string what = "armdyn " + verb + ", " + call + " " + std::to_string(k) + ": " +
                             std::to_string(outcome.exit_code) + " " + outcome.err;
    const std::string left = shell.read(out);
    EXPECT_TRUE(left == "old" || without_times(left) == without_times(shell.read("whole"))) << what;
    EXPECT_EQ(shell.list(), beside + "gusts.csv motion.csv motion.npy " + out + " runs.csv whole ")
        << what;
    if (outcome.exit_code == 0) {
      EXPECT_NE(left, "old") << what;
      return true;
    }
    EXPECT_TRUE(outcome.exit_code == 4 || outcome.exit_code == 5) << what;
    const auto said = outcome.err.find("armdyn: ");
    EXPECT_NE(said, std::string::npos) << what;
    EXPECT_EQ(outcome.err.find("armdyn: ", said + 1), std::string::npos) << what;
    EXPECT_EQ(outcome.err.find("internal"), std::string::npos) << what;
    return true;
  }

  Shell shell;
  std::string out = "out";
  std::string beside;    ///< what else is in the folder
  mutable Outcome last;  ///< of a call that failed
};

/// The static objects of libraries ask for some twenty pieces.
TEST_F(Faults, OfMemoryBeforeMainEndWithAMessage) {
  ASSERT_EQ(shell.run("$armdyn robots --quiet -o whole").exit_code, 0);
  for (long k = 1; k < 60; ++k) {
    ASSERT_TRUE(fail("robots", "malloc", k));
  }
}

TEST_F(Faults, OfEveryKindOnTheWayOfEveryVerbLoseNothing) {
  for (const std::string verb :
       {"torque craig-rr motion.csv", "torque craig-rr motion.npy --threads 2",
        "simulate craig-rr gusts.csv --step 0.01",
        "simulate craig-rr --batch runs.csv --duration 0.1",
        "track craig-rr motion.csv --step 0.01", "compare craig-rr motion.csv --threads 2",
        "compare craig-rr --samples 20", "inspect craig-rr", "check craig-rr", "robots",
        "trajectory craig-rr --from 0,0 --to 1,1 --duration 1"}) {
    ASSERT_EQ(shell.run("$armdyn " + verb + " --quiet -o whole").exit_code, 0) << verb;
    for (const std::string call : {"open", "read", "pread", "write", "pwrite", "mmap", "fsync",
                                   "rename", "close", "pthread_create"}) {
      for (long k = 1; fail(verb, call, k) && k < 100; ++k) {
      }
    }
    // Of memory, which is asked for some ten thousand times, the first few and then ever fewer.
    for (long k = 1; fail(verb, "malloc", k); k += 1 + k / 4) {
    }
  }
}

// Each row asks for the same pieces, whichever row it is.
TEST_F(Faults, OfMemoryWithinADecompositionLoseNothing) {
  const std::string verb = "inspect craig-rr motion.csv --what condition";
  ASSERT_EQ(shell.run("$armdyn " + verb + " --quiet -o whole").exit_code, 0);
  for (long k = 5000; k < 5100; ++k) ASSERT_TRUE(fail(verb, "malloc", k));
}

/// The head of an array is written again when its rows are there.
TEST_F(Faults, OnTheWayToAnArrayLoseNothing) {
  out = "out.npy";
  for (const std::string verb :
       {"torque craig-rr motion.csv", "torque craig-rr motion.csv --terms --threads 2",
        "simulate craig-rr gusts.csv --step 0.01",
        "simulate craig-rr --batch runs.csv --duration 0.1",
        "trajectory craig-rr --from 0,0 --to 1,1 --duration 1"}) {
    ASSERT_EQ(shell.run("$armdyn " + verb + " --quiet -o whole.npy; mv whole.npy whole").exit_code,
              0)
        << verb;
    for (const std::string call : {"write", "pwrite", "fsync", "rename"}) {
      long k = 1;
      for (; fail(verb, call, k) && k < 100; ++k) {
        EXPECT_EQ(last.exit_code, 4) << verb << call << k;
        EXPECT_EQ(last.err.find("armdyn: cannot write out.npy: "), 0U) << last.err;
      }
      EXPECT_GT(k, 1) << verb << call;
    }
  }
}

/// SQLite opens and reads a database by itself.
TEST_F(Faults, OnTheWayFromABagAreOfTheSystem) {
  ASSERT_EQ(shell
                .run("mkdir bags && cp " + test_data() + "/bags/states.db3 bags/s.db3 && cp " +
                     test_data() + "/bags/zstd.mcap bags/z.mcap")
                .exit_code,
            0);
  beside = "bags ";
  for (const std::string bag : {"s.db3", "z.mcap"}) {
    const std::string verb = "torque ur5e bags/" + bag + " --derive";
    ASSERT_EQ(shell.run("$armdyn " + verb + " --quiet -o whole").exit_code, 0) << verb;
    for (const std::string call : {"open", "read", "pread", "fstat", "stat", "mmap"}) {
      for (long k = 1; fail(verb, call, k) && k < 100; ++k) {
      }
    }
    for (long k = 1; fail(verb, "malloc", k); k += 1 + k / 3) {
    }
  }
}

TEST_F(Faults, OfEveryLookAtATemporaryEndTheRun) {
  ASSERT_EQ(shell.run("$armdyn robots --quiet -o whole").exit_code, 0);
  for (long k = 1; k < 12; ++k) {
    for (const char* const call : {"fstat", "stat"}) {
      shell.write(out, "old");
      const Outcome outcome = shell.run(
          "timeout -s KILL 20 env LD_PRELOAD=" ARMDYN_FAILING_CALLS " ARMDYN_FAILS=" +
          std::string(call) + ":" + std::to_string(k) + "+ $armdyn robots --quiet -o out");
      EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 4) << call << k << outcome.err;
      EXPECT_EQ(shell.read(out), outcome.exit_code == 0 ? shell.read("whole") : "old") << call << k;
      EXPECT_EQ(shell.list(), "gusts.csv motion.csv motion.npy out runs.csv whole ") << call << k;
    }
  }
}

TEST_F(Faults, InAFolderLeaveNoListShort) {
  ASSERT_EQ(shell.run("$armdyn robots --quiet -o whole").exit_code, 0);
  for (long k = 1; fail("robots", "readdir", k) && k < 100; ++k) {
  }
}

TEST_F(Faults, OfNewAndJoinAreToldAsWhatTheyAre) {
  for (const char* const part : {"1/2", "2/2"}) {
    ASSERT_EQ(
        shell.run("$armdyn torque craig-rr motion.csv --quiet -o a.csv --part " + std::string(part))
            .exit_code,
        0);
  }
  for (const std::string verb : {"new --joints 2 --force -o a.yaml", "join a.csv"}) {
    for (const std::string call :
         {"open", "read", "pread", "write", "lstat", "readdir", "rename"}) {
      for (long k = 1; k < 100; ++k) {
        const Outcome outcome = shell.run("rm -f failed a.csv; LD_PRELOAD=" ARMDYN_FAILING_CALLS
                                          " ARMDYN_FAILED=failed ARMDYN_FAILS=" +
                                          call + ":" + std::to_string(k) + " $armdyn " + verb);
        if (!shell.exists("failed")) break;
        EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 4) << call << k << outcome.err;
        EXPECT_EQ(outcome.err.find("internal"), std::string::npos) << call << k << outcome.err;
      }
    }
  }
  // libstdc++ would end the program where memory for the names in a folder runs out.
  std::size_t failed = 0;
  for (long k = 1; k < 2000; k += k < 900 ? 10 : 1) {
    const Outcome outcome = shell.run("rm -f failed a.csv; LD_PRELOAD=" ARMDYN_FAILING_CALLS
                                      " ARMDYN_FAILED=failed ARMDYN_FAILS=malloc:" +
                                      std::to_string(k) + " $armdyn join a.csv");
    if (!shell.exists("failed")) break;
    ++failed;
    EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 4 || outcome.exit_code == 5)
        << k << outcome.err;
  }
  EXPECT_GT(failed, 100U);
}

}  // namespace
}  // namespace armdyn::testing
