// NumPy arrays in and out, as users have them: NumPy itself writes and reads them here.

#include <gtest/gtest.h>

#include "support/program.hpp"

namespace armdyn::testing {
namespace {

class NumPy : public ::testing::Test {
 protected:
  void SetUp() override {
    if (shell.run(python("import numpy")).exit_code != 0) {
      GTEST_SKIP() << "there is no python3-numpy; .ci/packages --test installs it";
    }
    ASSERT_EQ(shell
                  .run("$armdyn trajectory ur5e --from 0,0,0,0,0,0 --to 1,-1,1,0.5,-0.5,2 "
                       "--duration 2 --rate 1000 -o motion.csv --quiet")
                  .exit_code,
              0);
    ASSERT_EQ(shell.run("$armdyn torque ur5e motion.csv -o torques.csv --quiet").exit_code, 0);
  }

  /// The distribution's Python, which has the distribution's NumPy.
  static std::string python(const std::string& script) {
    return "PATH=/usr/bin:$PATH python3 -W error - <<'END'\n" + script + "\nEND";
  }

  /// Runs a script that knows the motion and its torques as plain arrays.
  [[nodiscard]] Outcome numpy(const std::string& script) const {
    return shell.run(
        python("import numpy as np\n"
               "motion, torques = [np.loadtxt(f, delimiter=',', skiprows=1)\n"
               "                   for f in ('motion.csv', 'torques.csv')]\n"
               "names = open('motion.csv').readline().strip().split(',')\n" +
               script));
  }

  void expect(const std::string& script) const {
    const Outcome outcome = numpy(script);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }

  void expect_torques_of(const std::string& file, const std::string& options = "") const {
    const Outcome outcome =
        shell.run("$armdyn torque ur5e " + file + " -o out.csv --quiet " + options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(shell.read("out.csv") == shell.read("torques.csv")) << file;
  }

  Shell shell;
};

TEST_F(NumPy, WritesWhatTorqueReads) {
  expect(R"(
np.save('plain.npy', motion)
np.save('fortran.npy', np.asfortranarray(motion))
np.save('named.npy', np.rec.fromarrays(motion.T[::-1], names=names[::-1]))
lists = np.zeros(len(motion), [('q', 'f8', 6), ('t', 'f8'), ('qd', 'f8', 6), ('qdd', 'f8', 6)])
lists['t'] = motion[:, 0]
for i, name in enumerate(['q', 'qd', 'qdd']): lists[name] = motion[:, 6 * i + 1 : 6 * i + 7]
np.save('lists.npy', lists)
aligned = np.zeros(len(motion), np.dtype([('b', 'i1')] + [(n, 'f8') for n in names], align=True))
for n, column in zip(names, motion.T): aligned[n] = column
np.save('aligned.npy', aligned)
for version in (1, 2, 3):
    np.lib.format.write_array(open(f'version{version}.npy', 'wb'), motion, (version, 0))
)");
  for (const std::string file : {"plain.npy", "fortran.npy", "named.npy", "lists.npy",
                                 "version1.npy", "version2.npy", "version3.npy"}) {
    expect_torques_of(file);
  }
  expect_torques_of("aligned.npy", "--ignore-extra");
}

TEST_F(NumPy, SingleNumbersAreReadAsTheyAre) {
  expect(R"(
np.save('single.npy', motion.astype('f4'))
np.save('double.npy', motion.astype('f4').astype('f8'))
)");
  EXPECT_EQ(shell
                .run("$armdyn torque ur5e single.npy -o 1.npy --quiet; "
                     "$armdyn torque ur5e double.npy -o 2.npy --quiet; cmp 1.npy 2.npy")
                .exit_code,
            0);
}

TEST_F(NumPy, ReadsWhatTorqueWrites) {
  EXPECT_EQ(shell
                .run("$armdyn torque ur5e motion.csv -o plain.npy --quiet; "
                     "$armdyn torque ur5e motion.csv -o kept.npy --keep-motion --quiet; "
                     "$armdyn torque ur5e motion.csv -o parts.npy --terms --reactions --quiet; "
                     "$armdyn torque ur5e motion.csv -o parts.csv --terms --reactions --quiet")
                .exit_code,
            0);
  expect(R"(
plain, kept, parts = np.load('plain.npy'), np.load('kept.npy'), np.load('parts.npy')
assert plain.dtype == 'f8' and np.array_equal(plain, torques)
tau = [f'tau{i}' for i in range(1, 7)]
assert list(kept.dtype.names) == names + tau
assert np.array_equal(kept.view('f8').reshape(len(kept), -1), np.hstack([motion, torques[:, 1:]]))
assert list(parts.dtype.names) == open('parts.csv').readline().strip().split(',')
text = np.loadtxt('parts.csv', delimiter=',', skiprows=1)
assert np.array_equal(parts.view('f8').reshape(len(parts), -1), text)
assert np.load('plain.npy', mmap_mode='r')[2000, 0] == 2.0
)");
}

TEST_F(NumPy, EveryVerbTakesAndGivesWhatTextHas) {
  const Outcome outcome = shell.run(
      "set -e; exec >&2\n"
      "from='--from 0,0 --to 1,1 --duration 1 --rate 100 --quiet'\n"
      "for e in csv npy; do\n"
      "  $armdyn trajectory craig-rr $from -o motion.$e\n"
      "  $armdyn torque craig-rr motion.$e -o torques.$e --quiet\n"
      "  $armdyn compare craig-rr motion.$e --differences differences.$e -o report.txt\n"
      "  $armdyn simulate craig-rr torques.$e -o simulated.$e --quiet\n"
      "  $armdyn torque craig-rr simulated.$e -o again.$e --quiet\n"
      "  $armdyn track craig-rr motion.$e -o tracked.$e --quiet\n"
      "done");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(numpy(R"(
for name in ['motion', 'torques', 'differences', 'simulated', 'again', 'tracked']:
    array, header = np.load(name + '.npy'), open(name + '.csv').readline().strip().split(',')
    if array.dtype.names:
        assert list(array.dtype.names) == header, name
        array = array.view('f8').reshape(len(array), -1)
    assert np.array_equal(array, np.loadtxt(name + '.csv', delimiter=',', skiprows=1)), name
print('same')
)")
                .out,
            "same\n");
}

TEST_F(NumPy, GivesWaypointsWithAndWithoutTimes) {
  expect(
      "np.save('q.npy', [[0.0, 0], [0.5, 1], [1, 1]])\n"
      "np.save('tq.npy', [[0.0, 0, 0], [0.5, 0.5, 1], [2, 1, 1]])\n"
      "open('q.csv', 'w').write('q1,q2\\n0,0\\n0.5,1\\n1,1\\n')\n"
      "open('tq.csv', 'w').write('t,q1,q2\\n0,0,0\\n0.5,0.5,1\\n2,1,1\\n')\n");
  for (const std::string via : {"--duration 2 --via q", "--via tq"}) {
    const std::string trajectory = "$armdyn trajectory craig-rr --quiet --rate 50 " + via;
    const Outcome array = shell.run(trajectory + ".npy");
    EXPECT_EQ(array.exit_code, 0) << array.err;
    EXPECT_EQ(array.out, shell.run(trajectory + ".csv").out);
  }
}

TEST_F(NumPy, BigEndianNumbersAreRefusedWithWhatToDo) {
  expect("np.save('big.npy', motion.astype('>f8'))");
  const Outcome outcome = shell.run("$armdyn torque ur5e big.npy --quiet");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err,
            "big.npy: found dtype \">f8\", expected little-endian numbers: '<f8' or '<f4', or "
            "integers; np.save(file, a.astype('<f8')) writes such\n");
}

// --- without NumPy

TEST(NpyFiles, AppearWhollyOrNotAtAll) {
  const Shell shell;
  shell.write("bad.csv", "q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0\n0,0,0,0,0,x\n");
  shell.write("out.npy", "mine");
  EXPECT_EQ(shell.run("$armdyn torque craig-rr bad.csv -o out.npy").exit_code, 3);
  EXPECT_EQ(shell.read("out.npy"), "mine");
  EXPECT_EQ(shell.list(), "bad.csv out.npy ");
}

TEST(NpyFiles, AreNotWrittenIntoAPipe) {
  const Shell shell;
  const Outcome outcome = shell.run(  // nobody reads the pipe
      "mkfifo pipe.npy; timeout 20 $armdyn simulate craig-rr --duration 1 -o pipe.npy");
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_EQ(outcome.err,
            "armdyn: cannot write pipe.npy: it is a pipe, device or descriptor, and a NumPy array "
            "begins with "
            "the number of its rows, which is known at the end; name a regular file, or one that "
            "does not end in .npy\n");
}

TEST(NpyFiles, HaveTheSameBytesForAnyNumberOfThreadsAndFormatOfTheInput) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "m=puma560-pick-and-place; exec 2>/dev/null\n"
      "$armdyn torque puma560 $m --threads 1 -o 1.npy && "
      "$armdyn torque puma560 $m --threads 5 -o 5.npy && "
      "$armdyn torque puma560 $m --keep-motion -o kept.npy && "
      "$armdyn torque puma560 kept.npy --threads 3 -o again.npy && "
      "cmp 1.npy 5.npy && cmp 1.npy again.npy");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
}

TEST(NpyFiles, AreKeptWithTheirRowsWhereASimulationEndsEarly) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "$armdyn simulate ur5e --without gravity --qd0 3,0,0,0,0,0 --duration 9 -o end.npy --quiet; "
      "echo $?; $armdyn torque ur5e end.npy --without gravity -o /dev/null --json 2>&1");
  EXPECT_EQ(outcome.out.substr(0, 2), "1\n") << outcome.err;
  EXPECT_NE(outcome.out.find("\"rows\": "), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace armdyn::testing
