// armdyn-mpi writes the bytes of armdyn, whatever the ranks and whatever happens to them.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/program.hpp"

namespace armdyn::testing {
namespace {

using nlohmann::json;

class Mpi : public ::testing::Test {
 protected:
  Mpi() {
    // Where the machine lets no two ranks talk to each other, --version of both fails, too.
    if (shell.run("test -x ${armdyn}-mpi && " + on(2) + "--version").exit_code != 0) return;
    is_there_ = true;
    std::string batch = "q1,q2,qd1,qd2\n", motion = "t,q1,q2,qd1,qd2,qdd1,qdd2\n";
    for (int k = 0; k < 700; ++k) {
      batch += std::to_string(0.01 * k) + "," + std::to_string(-0.003 * k) + ",1,0\n";
    }
    for (int k = 0; k < 50; ++k) {
      const std::string x = std::to_string(0.1 * k);
      motion += std::to_string(0.01 * k) + "," + x + "," + x + ",1,0.5,0," + x + "\n";
    }
    shell.write("runs.csv", batch);
    shell.write("motion.csv", motion);
    shell.write("none.csv", "q1,q2\n");
    shell.write("one.csv", "q1,q2\n0.3,0.4\n");
  }
  void SetUp() override {
    if (!is_there_) GTEST_SKIP() << "armdyn-mpi is not there, or mpirun cannot start it";
  }

  [[nodiscard]] static std::string on(int ranks) {
    return "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -q "
           "-n " +
           std::to_string(ranks) + " ${armdyn}-mpi ";
  }
  void expect_same_bytes(const std::string& verb, int ranks) const {
    const Outcome alone = shell.run("$armdyn " + verb + " -o alone.npy --json");
    const Outcome many = shell.run(on(ranks) + verb + " -o many.npy --json");
    ASSERT_EQ(many.exit_code, alone.exit_code) << many.err;
    EXPECT_EQ(shell.read("many.npy"), shell.read("alone.npy")) << verb << " " << ranks;
    EXPECT_FALSE(shell.exists("many.npy.part"));
    EXPECT_FALSE(shell.exists("many.npy.manifest"));
    json one = json::parse(alone.err), other = json::parse(many.err);
    EXPECT_EQ(other["ranks"].size(), static_cast<std::size_t>(ranks));
    other.erase("ranks");
    other.erase("resumed_rows");
    EXPECT_EQ(other["damaged_chunks"], 0);
    other.erase("damaged_chunks");
    one.erase("interrupted");
    EXPECT_EQ(one, other);
  }

  Shell shell;
  bool is_there_ = false;
};

const std::string batch_verb = "simulate craig-rr --duration 0.05 --step 0.01 --batch ";
const std::string vary_verb =
    "vary craig-rr motion.csv --uncertainty mass=5%,com=5mm,inertia=20% --samples ";

TEST_F(Mpi, WritesTheBytesOfOneProcess) {
  for (const int ranks : {1, 2, 3, 7}) {
    expect_same_bytes(batch_verb + "runs.csv", ranks);
    expect_same_bytes(vary_verb + "601", ranks);
  }
  for (const char* const batch : {"none.csv", "one.csv"}) {
    expect_same_bytes(batch_verb + batch, 1);
    expect_same_bytes(batch_verb + batch, 3);
  }
}

TEST_F(Mpi, RunsThatFailOrEndAtALimitAreRows) {
  shell.write(
      "cart.yaml",
      "armdyn: 1\nname: cart\nconvention: modified\njoints:\n"
      "  - {name: rail, type: prismatic, dh: {a: 0, alpha: pi/2, d: 0, theta: 0}, mass: 1.0e-300,\n"
      "     limits: {position: [-1, 1]}}\n");
  shell.write("starts.csv", "q1,qd1,tau1\n0,0,0\n0.99,10,0\n0,0.1,0\n0,0,1e15\n0.5,0,0\n");
  expect_same_bytes("simulate cart.yaml --duration 0.2 --batch starts.csv", 2);
}

// Ranks that left at such a word let the others wait for ever.
TEST_F(Mpi, TakesARobotThatIsNamedAsAWordOfTheProgram) {
  ASSERT_EQ(shell.run("$armdyn robots show craig-rr > version").exit_code, 0);
  const Outcome outcome =
      shell.run("timeout -s KILL 60 env " + on(2) +
                "vary version motion.csv --uncertainty mass=5% --samples 9 -o many.npy --quiet");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(Mpi, GoesOnAfterARankWasKilled) {
  // Some seconds of work.
  const std::string verb = "simulate craig-rr --duration 3 --batch runs.csv";
  const Outcome alone = shell.run("$armdyn " + verb + " -o alone.npy --json");
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  std::mt19937 random(20);
  int resumed = 0;
  for (int k = 0; k < 20; ++k) {
    const std::string wait = std::to_string(0.05 * static_cast<double>(random() % 30));
    const std::string run = on(1 + k % 3) + verb + " -o many.npy --json";
    // mpirun itself hangs where a rank ends before it has joined the others: not before the work
    // has begun, and no longer than a minute.
    const Outcome killed = shell.run(
        "rm -f many.npy*; " + run + " & m=$!; (sleep 60; kill -9 $m) >/dev/null 2>&1 & g=$!\n" +
        "until [ -e many.npy.part ] || [ -e many.npy ]; do sleep 0.02; done; sleep " + wait +
        "; kill -9 $(cat /proc/$m/task/*/children | cut -d ' ' -f " +
        std::to_string(1 + k % (1 + k % 3)) + "); wait $m; c=$?; kill $g; exit $c");
    if (killed.exit_code != 0) {
      if (shell.exists("many.npy")) {
        EXPECT_EQ(shell.read("many.npy"), shell.read("alone.npy"));
      }
      const Outcome rest = shell.run(run + " --resume");
      ASSERT_EQ(rest.exit_code, 0) << rest.err;
      const json said = json::parse(rest.err), whole = json::parse(alone.err);
      resumed += said["resumed_rows"] > 0 ? 1 : 0;
      for (const char* const key : {"runs", "steps", "ends", "joints", "imbalance", "warnings"}) {
        EXPECT_EQ(said[key], whole[key]) << key;
      }
    }
    EXPECT_EQ(shell.read("many.npy"), shell.read("alone.npy")) << wait;
  }
  EXPECT_GT(resumed, 0);
}

TEST_F(Mpi, ResumesOnlyTheSameJob) {
  ASSERT_EQ(shell.run(on(2) + vary_verb + "40 -o a.npy --quiet").exit_code, 0);
  // As a kill would leave it: the manifest says that the first rows are there, and then breaks off.
  const std::string head = "mv a.npy a.npy.part; ";
  shell.write("a.npy.manifest", "{\"grain\":1,\"job\":{},\"rows\":40}\n{\"first\":0,\"ro");
  const Outcome other = shell.run(head + on(2) + vary_verb + "40 -o a.npy --quiet --resume");
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_EQ(other.err.find("a.npy.manifest: it is of another job, and cannot be resumed with this "
                           "one: "),
            0U)
      << other.err;
  const Outcome anew = shell.run(on(2) + vary_verb + "40 -o a.npy --quiet");
  EXPECT_EQ(anew.exit_code, 4);
  EXPECT_EQ(anew.err,
            "armdyn: a.npy.manifest is there: a job for a.npy has not ended; go on with --resume, "
            "or remove it and a.npy.part\n");
}

TEST_F(Mpi, ComputesAgainWhatIsNotThereAsRecorded) {
  const std::string run = on(2) + "simulate craig-rr --duration 3 --batch runs.csv -o a.npy ";
  // Links keep what a job removes at its end.
  ASSERT_EQ(shell
                .run(run + "--quiet & m=$!; until [ -s a.npy.manifest ]; do sleep 0.01; done; ln "
                           "a.npy.manifest manifest; ln a.npy.part part; wait $m")
                .exit_code,
            0);
  const std::string whole = shell.read("a.npy");
  ASSERT_EQ(shell.read("part"), whole);
  const auto resumes = [&](const std::string& damage, bool is_seen, bool is_all) {
    const Outcome said = shell.run("rm a.npy; cp part a.npy.part; cp manifest a.npy.manifest; (" +
                                   damage + ") 2>damage; " + run + "--json --resume");
    ASSERT_EQ(said.exit_code, 0) << damage << said.err;
    EXPECT_EQ(shell.read("a.npy"), whole) << damage;
    const json found = json::parse(said.err);
    EXPECT_EQ(found["damaged_chunks"] > 0, is_seen) << damage;
    EXPECT_EQ(found["resumed_rows"] == 700, !is_seen) << damage;
    EXPECT_EQ(found["resumed_rows"] == 0, is_all) << damage;
    EXPECT_EQ(found["runs"], 700) << damage;
  };
  resumes("true", false, false);
  resumes("tail -n +2 manifest >>a.npy.manifest", false, false);
  resumes("printf x | dd of=a.npy.part bs=1 seek=30000 conv=notrunc", true, false);
  resumes("truncate -s 60000 a.npy.part", true, false);
  resumes("truncate -s 390 a.npy.part", true, true);
  resumes("truncate -s 10 a.npy.part", true, true);
  resumes("head -c 100 /dev/zero | dd of=a.npy.part conv=notrunc", true, true);
  resumes("echo more >>a.npy.part", true, true);
  resumes("sed -i '2s/\"rows\":/\"rows\":99/' a.npy.manifest", true, false);
  resumes("sed -i '2s/\"rows\":/\"rows\":-/' a.npy.manifest", true, false);
  resumes("sed -i '2s/\"first\":/\"first\":18446744073709551615,\"x\":/' a.npy.manifest", true,
          false);
  resumes("sed -i '2s/\"steps\":/\"steps\":1/' a.npy.manifest", true, false);
  resumes("sed -i '2s/\"failures\":.*,\"steps\"/\"steps\"/' a.npy.manifest", true, false);
  resumes("sed -i '2s/.*/[1]/' a.npy.manifest", true, false);
  resumes("sed -i '2s/.*/no JSON/' a.npy.manifest", true, false);

  const Outcome told = shell.run(
      "rm a.npy; cp part a.npy.part; cp manifest a.npy.manifest; truncate -s 390 a.npy.part; " +
      run + "--quiet --resume");
  EXPECT_EQ(told.err.find("armdyn: a.npy.part has not the rows of "), 0U) << told.err;
  EXPECT_NE(told.err.find(" that a.npy.manifest records; they are computed again\n"),
            std::string::npos)
      << told.err;
}

// A manifest that was cut off within its first line, or before it.
TEST_F(Mpi, BeginsTheManifestAnewWhoseFirstLineIsNotWhole) {
  const std::string job = vary_verb + "40 -o a.npy --quiet";
  ASSERT_EQ(shell.run("$armdyn " + vary_verb + "40 -o whole.npy --quiet").exit_code, 0);
  const std::string whole = shell.read("whole.npy");
  for (const std::string manifest : {"", "{", "{\"grain\":1,\"job\":{},\"rows\":40}"}) {
    for (const bool has_rows : {true, false}) {
      (void)shell.run(has_rows ? "cp whole.npy a.npy.part" : "printf x > a.npy.part");
      shell.write("a.npy.manifest", manifest);
      // A link keeps what a job removes at its end.
      (void)shell.run("rm -f a.npy; ln a.npy.manifest kept");
      const Outcome resumed = shell.run(on(2) + job + " --resume");
      EXPECT_EQ(resumed.exit_code, 0) << manifest << resumed.err;
      EXPECT_EQ(shell.read("a.npy"), whole) << manifest;
      const std::string lines = shell.read("kept");
      const json first = json::parse(lines.substr(0, lines.find('\n')));
      EXPECT_EQ(first["rows"], 40) << lines;
      EXPECT_EQ(first["job"]["robot"]["name"], "craig-rr") << lines;
      (void)shell.run("rm a.npy kept");
    }
  }
}

// Help and the version are said once, before any work, wherever the word stands.
TEST_F(Mpi, HelpIsSaidByOneRank) {
  for (const std::string asked :
       {"--help", "-h", "help", "--version", "version", "vary --help", "help simulate",
        "vary craig-rr motion.csv --help", "simulate craig-rr --batch runs.csv -o a.npy -h"}) {
    const Outcome alone = shell.run("timeout -s KILL 60 env " + on(1) + asked);
    const Outcome many = shell.run("timeout -s KILL 60 env " + on(3) + asked);
    EXPECT_EQ(alone.exit_code, 0) << asked << alone.err;
    EXPECT_NE(alone.out, "") << asked;
    EXPECT_EQ(many.exit_code, 0) << asked << many.err;
    EXPECT_EQ(many.out, alone.out) << asked;
    EXPECT_EQ(many.err, alone.err) << asked;
  }
  EXPECT_FALSE(shell.exists("a.npy"));
}

TEST_F(Mpi, WritesThroughNoLink) {
  const std::string run = on(2) + vary_verb + "40 -o a.npy --quiet";
  for (const std::string state : {"", "touch precious; "}) {
    (void)shell.run("rm -f precious; " + state + "ln -s precious a.npy.part");
    EXPECT_EQ(shell.run(run).exit_code, 0) << state;
    EXPECT_EQ(shell.run("test -L a.npy").exit_code, 1);
    EXPECT_EQ(shell.read("precious"), "");
    (void)shell.run("ln -s precious a.npy.manifest");
    for (const std::string how : {"", " --resume"}) {
      const Outcome manifest = shell.run(run + how);
      EXPECT_EQ(manifest.exit_code, 4) << state << how;
      EXPECT_EQ(manifest.err.find("armdyn: "), 0U) << manifest.err;
      EXPECT_EQ(shell.read("precious"), "");
    }
    (void)shell.run("rm a.npy*");
  }
  shell.write("precious", "old");
  (void)shell.run("ln -s precious a.npy.part");
  shell.write("a.npy.manifest", "{}\n");
  EXPECT_EQ(shell.run(run + " --resume").exit_code, 0);  // nothing is there to go on with
  EXPECT_EQ(shell.read("precious"), "old");
}

TEST_F(Mpi, OneMessageAndOneExitCodeForAllRanks) {
  const auto run = [&](const std::string& arguments) { return shell.run(on(3) + arguments); };
  const Outcome missing = run(batch_verb + "no.csv -o a.npy");
  EXPECT_EQ(missing.exit_code, 4);
  EXPECT_EQ(missing.err, "armdyn: cannot read no.csv: No such file or directory\n");
  shell.write("bad.csv", "q1,q2\n0,0\n1,x\n2,2\n");
  const Outcome bad = run(batch_verb + "bad.csv -o a.npy");
  EXPECT_EQ(bad.exit_code, 3);
  EXPECT_EQ(bad.err,
            "bad.csv:3: column \"q2\": found \"x\", expected a number; the rows that are finished "
            "stay in a.npy.part, --resume goes on\n");
  EXPECT_FALSE(shell.exists("a.npy"));
  EXPECT_EQ(run(batch_verb + "runs.csv -o a.csv").err,
            "armdyn: armdyn-mpi writes arrays of NumPy's format: give -o FILE.npy\n");
  EXPECT_EQ(run("simulate craig-rr --duration 1 -o a.npy").err,
            "armdyn: armdyn-mpi simulate needs --batch FILE\n");
  EXPECT_EQ(run("torque craig-rr motion.csv").err,
            "armdyn: there is no verb 'torque' (armdyn-mpi --help shows examples)\n");
  const std::string help = run("vary --help").out;
  EXPECT_EQ(help.find("Examples:\n  mpirun armdyn-mpi vary"), 0U);
  EXPECT_NE(help.find("threads of each rank (default: 1)\n"), std::string::npos) << help;
}

TEST_F(Mpi, RefusesWhatItCannotDivideOrWrite) {
  const auto refusal = [&](const std::string& arguments) {
    const Outcome outcome = shell.run(on(2) + arguments);
    EXPECT_NE(outcome.exit_code, 0) << arguments;
    return outcome.err;
  };
  const std::string standard_input =
      "armdyn: armdyn-mpi reads files, which all ranks can open; name one instead of -\n";
  EXPECT_EQ(refusal("vary craig-rr - --uncertainty mass=5% -o a.npy"), standard_input);
  EXPECT_EQ(refusal(batch_verb + "- -o a.npy"), standard_input);
  EXPECT_EQ(refusal("simulate craig-rr - --batch runs.csv -o a.npy"), standard_input);
  const std::string part = "armdyn: --part is for armdyn by itself; armdyn-mpi divides the rows\n";
  EXPECT_EQ(refusal(vary_verb + "9 --part 1/2 -o a.npy"), part);
  EXPECT_EQ(refusal(batch_verb + "runs.csv --part 1/2 -o a.npy"), part);
  EXPECT_EQ(refusal(vary_verb + "9"),
            "armdyn: armdyn-mpi writes arrays of NumPy's format: give -o FILE.npy\n");
  (void)shell.run("mkdir folder.npy; touch a.npy.manifest; mkdir b.npy.part");
  EXPECT_EQ(refusal(vary_verb + "9 -o folder.npy"),
            "armdyn: cannot write folder.npy: it is a folder; add the name of a file\n");
  EXPECT_EQ(refusal(vary_verb + "9 -o none/a.npy"),
            "armdyn: cannot write none/a.npy.manifest: No such file or directory\n");
  EXPECT_EQ(refusal(vary_verb + "9 -o b.npy"), "armdyn: cannot write b.npy.part: File exists\n");
  const Outcome locked =
      shell.run("flock a.npy.manifest env " + on(2) + vary_verb + "9 -o a.npy --resume");
  EXPECT_EQ(locked.exit_code, 4);
  EXPECT_EQ(locked.err, "armdyn: cannot write a.npy: another job is writing it\n");
}

TEST_F(Mpi, SaysInWordsWhatArmdynSays) {
  for (const std::string& verb : {vary_verb + "30", batch_verb + "runs.csv"}) {
    const Outcome alone = shell.run("$armdyn " + verb + " -o a.npy");
    const Outcome many = shell.run("rm a.npy; " + on(3) + verb + " -o a.npy");
    EXPECT_EQ(many.exit_code, 0) << many.err;
    EXPECT_EQ(many.out, alone.out);
    EXPECT_EQ(many.err.substr(0, many.err.find("ranks")),
              alone.err.substr(0, many.err.find("ranks")));
  }
}

// A hard link keeps the manifest of a job, which lists all rows once.
TEST_F(Mpi, ListsChunksOfWholeUnitsThatResumeInAnyOrder) {
  shell.write("still.csv", "q1,q2,qd1,qd2,qdd1,qdd2\n0.1,0.2,0,0,0,0\n");
  const std::string verb =
      "vary craig-rr still.csv --uncertainty mass=5%,com=5mm --samples 2111 -o a.npy ";
  std::vector<std::string> manifests;
  for (const int ranks : {1, 3}) {
    const std::string name = "kept" + std::to_string(ranks);
    const Outcome run =
        shell.run(on(ranks) + verb +
                  "--json & m=$!; until [ -s a.npy.manifest ]; do sleep 0.002; done; ln "
                  "a.npy.manifest " +
                  name + " || kill $m; wait $m && mv a.npy a" + std::to_string(ranks) + ".npy");
    ASSERT_EQ(run.exit_code, 0) << run.err;
    manifests.push_back(shell.read(name));
    const json said = json::parse(run.err);
    std::istringstream lines(manifests.back());
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(json::parse(line)["grain"], 4) << line;  // 2111/512
    EXPECT_EQ(json::parse(line)["rows"], 2111) << line;
    std::map<int, int> chunks;
    while (std::getline(lines, line)) {
      const json chunk = json::parse(line);
      EXPECT_TRUE(chunks.emplace(chunk["first"], chunk["rows"]).second) << line;
    }
    int next = 0;
    for (const auto& [first, rows] : chunks) {
      EXPECT_EQ(first, next);
      EXPECT_EQ(first % 4, 0);
      next = first + rows;
    }
    EXPECT_EQ(next, 2111);
    std::size_t count = 0;
    int rows = 0;
    for (const json& rank : said["ranks"]) {
      count += rank["chunks"].get<std::size_t>();
      rows += rank["rows"].get<int>();
    }
    EXPECT_EQ(count, chunks.size());
    EXPECT_EQ(rows, 2111);
  }
  // The second manifest's chunks begin and end elsewhere: rows of both count once.
  const std::string reversed = "head -1 kept1; tail -n +2 kept1 | tac", more = "tail -n +2 kept3";
  const std::string last = "tail -n +3 kept3 | tac";
  for (const auto& [lines, is_all] : {std::pair{reversed, true},
                                      {"head -1 kept1; " + more + "; tail -n +2 kept1", true},
                                      {reversed + "; " + more, true},
                                      {"head -1 kept1; " + last, false}}) {
    const Outcome resumed = shell.run("rm -f a.npy; cp a1.npy a.npy.part; (" + lines +
                                      ") > a.npy.manifest; " + on(2) + verb + "--json --resume");
    ASSERT_EQ(resumed.exit_code, 0) << lines << resumed.err;
    const json said = json::parse(resumed.err);
    EXPECT_EQ(said["resumed_rows"] == 2111, is_all) << lines;
    EXPECT_EQ(said["damaged_chunks"], 0) << lines;
    EXPECT_EQ(said["samples"], 2111) << lines;
    EXPECT_EQ(shell.read("a.npy"), shell.read("a1.npy")) << lines;
    EXPECT_EQ(shell.read("a.npy"), shell.read("a3.npy")) << lines;
  }
  const Outcome damaged = shell.run(
      "rm a.npy; cp a1.npy a.npy.part; (head -1 kept1; sed -n 2p kept1 | sed 's/\"rows\":/"
      "\"rows\":9/') > a.npy.manifest; " +
      on(1) + verb + "--resume --quiet");
  EXPECT_EQ(damaged.err,
            "armdyn: a.npy.part has not the rows of 1 chunk that a.npy.manifest records; they are "
            "computed again\n");
  EXPECT_EQ(shell.read("a.npy"), shell.read("a1.npy"));
}

TEST_F(Mpi, AFullDiskEndsAllRanksWithOneMessageAndIsResumed) {
  if (shell.run("unshare -m mount -t tmpfs none /mnt").exit_code != 0) {
    GTEST_SKIP() << "no file system can be mounted for a full disk";
  }
  const std::string run = on(2) + batch_verb + "runs.csv -o disk/a.npy --quiet";
  shell.write("run.sh",
              "mkdir disk; mount -t tmpfs -o size=64k none disk\n" + run +
                  " 2>said; echo $? >code; ls disk >left; mount -o remount,size=8m disk\n" + run +
                  " --resume; cp disk/a.npy .\n");
  const Outcome resumed = shell.run("unshare -m bash run.sh");  // the array has 84 kB
  const std::string said = shell.read("said");
  EXPECT_EQ(shell.read("code"), "4\n") << said;
  EXPECT_EQ(said.find("armdyn: cannot write disk/a.npy."), 0U) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_EQ(shell.read("left"), "a.npy.manifest\na.npy.part\n");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  ASSERT_EQ(shell.run("$armdyn " + batch_verb + "runs.csv -o alone.npy").exit_code, 0);
  EXPECT_EQ(shell.read("a.npy"), shell.read("alone.npy"));
}

}  // namespace
}  // namespace armdyn::testing
