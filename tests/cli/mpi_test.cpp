// armdyn-mpi writes the bytes of armdyn, whatever the ranks and whatever happens to them.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

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
  void expect_same_bytes(const std::string& verb, int ranks,
                         const std::string& ending = ".npy") const {
    const Outcome alone = shell.run("$armdyn " + verb + " -o alone" + ending + " --json");
    const Outcome many = shell.run(on(ranks) + verb + " -o many" + ending + " --json");
    ASSERT_EQ(many.exit_code, alone.exit_code) << many.err;
    EXPECT_EQ(shell.read("many" + ending), shell.read("alone" + ending)) << verb << " " << ranks;
    EXPECT_FALSE(shell.exists("many" + ending + ".parts"));
    const json one = json::parse(alone.out);
    json other = json::parse(many.out);
    EXPECT_EQ(other["ranks"].size(), static_cast<std::size_t>(ranks));
    EXPECT_EQ(other["resumed_rows"], 0);
    EXPECT_EQ(other["damaged_parts"], 0);
    for (const char* const of_mpi : {"ranks", "resumed_rows", "damaged_parts"}) {
      other.erase(of_mpi);
    }
    EXPECT_EQ(one, other);
  }

  Shell shell;
  bool is_there_ = false;
};

const std::string batch_verb = "simulate craig-rr --duration 0.05 --step 0.01 --batch ";
const std::string torque_verb = "torque craig-rr motion.csv";
const std::string vary_verb =
    "vary craig-rr motion.csv --uncertainty mass=5%,com=5mm,inertia=20% --samples ";

TEST_F(Mpi, WritesTheBytesOfOneProcess) {
  for (const int ranks : {1, 2, 3, 7}) {
    expect_same_bytes(batch_verb + "runs.csv", ranks);
    expect_same_bytes(vary_verb + "601", ranks);
    expect_same_bytes(torque_verb, ranks);
  }
  expect_same_bytes(batch_verb + "runs.csv", 2, ".csv");
  expect_same_bytes(vary_verb + "601", 2, ".csv");
  for (const char* const more : {"", " --bounds", " --terms --keep-motion --reactions", " --derive",
                                 " --resample 333", " --gaps skip --from-time 0.05"}) {
    expect_same_bytes(torque_verb + more, 2, ".csv");
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

// What rows lack comes from the answers of parts.
TEST_F(Mpi, TellsStepsFailuresAndHeldTorquesOfAllParts) {
  shell.write("a.csv", "t,tau1,tau2\n0,1,0\n0.01,1,0\n");
  shell.write("long.csv", "t,tau1,tau2\n0,1,0\n1,1,0\n");
  std::string files = "torques,run\n", starts = "q1,q2,tau1,tau2\n";
  for (int k = 0; k < 70; ++k) {
    files += (k % 3 == 0 ? "a.csv," : "long.csv,") + std::to_string(500 - k) + "\n";
    starts += "0." + std::to_string(k) + (k % 9 == 5 ? ",0,0,1e13\n" : ",0,0,0\n");
  }
  shell.write("files.csv", files);
  shell.write("starts.csv", starts);
  expect_same_bytes("simulate craig-rr --duration 0.1 --batch files.csv", 2);
  expect_same_bytes("simulate craig-rr --duration 0.1 --step 0.05 --batch starts.csv", 2);
  expect_same_bytes("simulate craig-rr --duration 5 --step 0.2 --batch runs.csv", 2);
  expect_same_bytes("simulate craig-rr long.csv --integrator dopri5 --batch runs.csv", 2);
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
        "rm -rf many.npy*; " + run + " & m=$!; (sleep 60; kill -9 $m) >/dev/null 2>&1 & g=$!\n" +
        "until [ -e many.npy.parts ] || [ -e many.npy ]; do sleep 0.02; done; sleep " + wait +
        "; kill -9 $(cat /proc/$m/task/*/children | cut -d ' ' -f " +
        std::to_string(1 + k % (1 + k % 3)) + "); wait $m; c=$?; kill $g; exit $c");
    if (killed.exit_code != 0) {
      if (shell.exists("many.npy")) {
        EXPECT_EQ(shell.read("many.npy"), shell.read("alone.npy"));
      }
      const Outcome rest = shell.run(run + " --resume");
      ASSERT_EQ(rest.exit_code, 0) << rest.err;
      const json said = json::parse(rest.out), whole = json::parse(alone.out);
      resumed += said["resumed_rows"] > 0 ? 1 : 0;
      for (const char* const key : {"runs", "steps", "ends", "joints", "imbalance", "warnings"}) {
        EXPECT_EQ(said[key], whole[key]) << key;
      }
    }
    EXPECT_EQ(shell.read("many.npy"), shell.read("alone.npy")) << wait;
  }
  EXPECT_GT(resumed, 0);
}

// Whatever it meets: joining, too.
TEST_F(Mpi, ASignalLeavesTheWholeOrAllParts) {
  const std::string verb = batch_verb + "runs.csv ";
  ASSERT_EQ(shell.run("$armdyn " + verb + "-o whole.npy --quiet").exit_code, 0);
  ASSERT_EQ(shell
                .run("mkdir kept; for k in 1 2 3; do $armdyn " + verb +
                     "-o kept/a.npy --quiet --part $k/3 || exit; done")
                .exit_code,
            0);
  for (int k = 0; k < 15; ++k) {
    const Outcome ended = shell.run(
        "rm -rf a.npy* .a.npy*; cp -r kept a.npy.parts; " + on(1) + verb +
        "-o a.npy --quiet --resume & m=$!\n"
        "until [ -e a.npy ] || ls .a.npy.* >/dev/null 2>&1 || ! kill -0 $m; do :; done; sleep " +
        std::to_string(0.002 * k) +
        "; kill -TERM $(cat /proc/$m/task/*/children | cut -d ' ' -f 1) 2>/dev/null; wait $m");
    const std::string parts = shell.run("ls a.npy.parts").out;
    if (shell.exists("a.npy")) {
      EXPECT_EQ(shell.read("a.npy"), shell.read("whole.npy")) << k;
    } else {
      EXPECT_EQ(ended.exit_code, 130) << k << ended.err;
      EXPECT_EQ(parts, "a.npy.part-1-of-3\na.npy.part-2-of-3\na.npy.part-3-of-3\n") << k;
    }
  }
}

TEST_F(Mpi, ResumesOnlyTheSameJob) {
  ASSERT_EQ(shell
                .run("mkdir a.npy.parts; $armdyn " + vary_verb +
                     "40 --seed 2 --part 1/5 -o a.npy.parts/a.npy --quiet")
                .exit_code,
            0);
  const Outcome other = shell.run(on(2) + vary_verb + "40 -o a.npy --quiet --resume");
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_EQ(other.err,
            "a.npy.parts/a.npy.part-1-of-5: belongs to another job, which this command cannot "
            "resume: options.seed: 2 and 1\n");
  const Outcome anew = shell.run(on(2) + vary_verb + "40 -o a.npy --quiet");
  EXPECT_EQ(anew.exit_code, 4);
  EXPECT_EQ(anew.err,
            "armdyn: a.npy.parts exists: a job for a.npy has not ended; continue it with --resume, "
            "or remove the folder\n");
  EXPECT_FALSE(shell.exists("a.npy"));
}

// Parts of an MPI job are those of --part: there as after a kill, whole or damaged.
TEST_F(Mpi, MakesAgainWhatIsNotAsItWasWritten) {
  const std::string verb = batch_verb + "runs.csv ";
  ASSERT_EQ(shell.run("$armdyn " + verb + "-o whole.npy --quiet").exit_code, 0);
  const std::string whole = shell.read("whole.npy");
  const Outcome made = shell.run("mkdir kept; for k in 1 2 4 5; do $armdyn " + verb +
                                 "-o kept/a.npy --quiet --part $k/5 || exit; done");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const auto resumes = [&](const std::string& damage, int damaged, int resumed) {
    const Outcome said =
        shell.run("rm -rf a.npy*; cp -r kept a.npy.parts; cd a.npy.parts; (" + damage +
                  ") 2>damage; rm damage; cd ..; " + on(2) + verb + "-o a.npy --json --resume");
    ASSERT_EQ(said.exit_code, 0) << damage << said.err;
    EXPECT_EQ(shell.read("a.npy"), whole) << damage;
    EXPECT_FALSE(shell.exists("a.npy.parts")) << damage;
    const json found = json::parse(said.out);
    EXPECT_EQ(found["damaged_parts"], damaged) << damage;
    EXPECT_EQ(found["resumed_rows"], resumed) << damage;
    EXPECT_EQ(found["runs"], 700) << damage;
    EXPECT_EQ(found["steps"], 3500) << damage;
    int rows = 0, parts = 0;
    for (const json& rank : found["ranks"]) {
      rows += rank["rows"].get<int>();
      parts += rank["parts"].get<int>();
    }
    EXPECT_EQ(rows, 700 - resumed) << damage;
    EXPECT_EQ(parts, 1 + damaged) << damage;
  };
  resumes("true", 0, 560);
  resumes("touch .a.npy.part-3-of-5.armdyn-abcdef", 0, 560);
  resumes("printf x | dd of=a.npy.part-1-of-5 bs=1 seek=3000 conv=notrunc", 1, 420);
  resumes("truncate -s 6000 a.npy.part-2-of-5", 1, 420);
  resumes("truncate -s -100 a.npy.part-2-of-5", 1, 420);
  resumes("truncate -s 10 a.npy.part-2-of-5; truncate -s 0 a.npy.part-4-of-5", 2, 280);
  resumes("head -c 100 /dev/zero | dd of=a.npy.part-5-of-5 conv=notrunc", 1, 420);
  resumes("cp a.npy.part-1-of-5 a.npy.part-2-of-5", 1, 420);
  resumes("cp ../whole.npy a.npy.part-1-of-5", 1, 420);
  resumes("sed -i 's/\"digest\":\"fnv/\"digest\":\"fnx/' a.npy.part-1-of-5", 1, 420);
  resumes("sed -i 's/\"steps\":700/\"steps\":77/' a.npy.part-1-of-5", 1, 420);
  resumes("sed -i 's/\"notes\":{[^}]*}/\"notes\":{}/' a.npy.part-1-of-5", 1, 420);
  resumes("sed -i 's/# armdyn part .*/# armdyn part [1]/' a.npy.part-1-of-5", 1, 420);
  resumes("sed -i 's/# armdyn part .*/# armdyn part no JSON/' a.npy.part-1-of-5", 1, 420);
  resumes("rm a.npy.part-1-of-5; mkdir a.npy.part-1-of-5", 1, 420);
  resumes("mv a.npy.part-1-of-5 ../x; ln -s ../x a.npy.part-1-of-5", 1, 420);

  const Outcome told =
      shell.run("cp -r kept a.npy.parts; truncate -s 10 a.npy.parts/a.npy.part-1*; " + on(2) +
                verb + "-o a.npy --quiet --resume");
  EXPECT_EQ(told.err, "armdyn: a.npy.parts: 1 part changed, computed again\n");
}

TEST_F(Mpi, MakesManyPartsAndKeepsTheirNumberWhenItGoesOn) {
  const std::string verb = vary_verb + "2111 -o a.npy ";
  ASSERT_EQ(shell.run("$armdyn " + vary_verb + "2111 -o whole.npy --quiet").exit_code, 0);
  const auto parts_of = [&](const Outcome& run) {
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(shell.read("a.npy"), shell.read("whole.npy"));
    const json said = json::parse(run.out);
    int parts = 0, rows = said["resumed_rows"];
    for (const json& rank : said["ranks"]) {
      parts += rank["parts"].get<int>();
      rows += rank["rows"].get<int>();
    }
    EXPECT_EQ(rows, 2111);
    EXPECT_EQ(said["samples"], 2111);
    return parts;
  };
  EXPECT_EQ(parts_of(shell.run(on(1) + verb + "--json")), 8);
  EXPECT_EQ(parts_of(shell.run(on(3) + verb + "--json")), 24);
  EXPECT_EQ(parts_of(shell.run("mkdir a.npy.parts; $armdyn " + vary_verb +
                               "2111 --part 7/20 -o a.npy.parts/a.npy --quiet 2>said; " + on(3) +
                               verb + "--json --resume")),
            19);
  EXPECT_EQ(parts_of(shell.run("mkdir a.npy.parts; " + on(1) + verb + "--json --resume")), 8);
}

TEST_F(Mpi, RemovesNothingButItsParts) {
  const std::string run = on(2) + vary_verb + "40 -o a.npy --quiet --resume";
  ASSERT_EQ(shell.run("mkdir a.npy.parts; touch a.npy.parts/mine; " + run).exit_code, 0);
  EXPECT_EQ(shell.run("ls a.npy.parts").out, "mine\n");
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
  for (const std::string state : {"", "touch precious; ", "mkdir precious; "}) {
    (void)shell.run("rm -rf precious; " + state + "ln -s precious a.npy.parts");
    for (const std::string how : {"", " --resume"}) {
      const Outcome outcome = shell.run(run + how);
      EXPECT_EQ(outcome.exit_code, 4) << state << how;
      EXPECT_EQ(outcome.err.find("armdyn: "), 0U) << outcome.err;
      EXPECT_EQ(shell.run("ls -A precious").out, state == "touch precious; " ? "precious\n" : "");
    }
    (void)shell.run("rm a.npy*");
  }
  shell.write("old", "old");
  (void)shell.run(
      "mkdir a.npy.parts; ln -s ../old a.npy.parts/a.npy.part-1-of-5; ln -s ../new "
      "a.npy.parts/a.npy.part-2-of-5");
  EXPECT_EQ(shell.run(run + " --resume").exit_code, 0);
  EXPECT_EQ(shell.read("old"), "old");
  EXPECT_FALSE(shell.exists("new"));
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
            "bad.csv:3: column \"q2\": found \"x\", expected a number; complete parts stay in "
            "a.npy.parts, --resume continues\n");
  EXPECT_FALSE(shell.exists("a.npy"));
  EXPECT_EQ(
      run("simulate craig-rr --duration 1 -o a.npy").err,
      "armdyn: armdyn-mpi is for --batch: the rows of one simulation follow from one another\n");
  EXPECT_EQ(run("inspect craig-rr").err,
            "armdyn: there is no verb 'inspect' (armdyn-mpi --help shows examples)\n");
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
      "armdyn: armdyn-mpi cannot read standard input, since all ranks open the file; name a file "
      "instead of -\n";
  EXPECT_EQ(refusal("vary craig-rr - --uncertainty mass=5% -o a.npy"), standard_input);
  EXPECT_EQ(refusal(batch_verb + "- -o a.npy"), standard_input);
  EXPECT_EQ(refusal("simulate craig-rr - --batch runs.csv -o a.npy"), standard_input);
  const std::string part = "armdyn: --part is for armdyn by itself; armdyn-mpi divides the rows\n";
  EXPECT_EQ(refusal(vary_verb + "9 --part 1/2 -o a.npy"), part);
  EXPECT_EQ(refusal(batch_verb + "runs.csv --part 1/2 -o a.npy"), part);
  const std::string whole =
      "armdyn: armdyn-mpi needs -o OUT, the name of the whole, which is a file\n";
  EXPECT_EQ(refusal(vary_verb + "9"), whole);
  EXPECT_EQ(refusal(torque_verb), whole);
  EXPECT_EQ(refusal(torque_verb + " -o /dev/null"), whole);
  EXPECT_EQ(refusal(torque_verb + " -o a.csv.part-1-of-2"),
            "armdyn: -o: found \"a.csv.part-1-of-2\", the name of a part; armdyn-mpi needs that of "
            "the whole\n");
  (void)shell.run(
      "for of in t=1 q=2,3 qd=4,5 qdd=6,7; do cut -d , -f ${of#*=} motion.csv >${of%=*}.csv; done");
  const std::string beside = "torque craig-rr t=t.csv,q=q.csv,qd=qd.csv,qdd=qdd.csv -o a.csv";
  const Outcome in_parts = shell.run("$armdyn " + beside + " --part 1/2");
  EXPECT_NE(in_parts.err.find("cannot be read in parts"), std::string::npos) << in_parts.err;
  EXPECT_EQ(refusal(beside), in_parts.err);
  EXPECT_FALSE(shell.exists("a.csv.parts"));
  EXPECT_EQ(refusal(torque_verb + " --slow-down -o a.csv"),
            "armdyn: torque: --slow-down needs the whole motion; leave out armdyn-mpi\n");
  (void)shell.run("mkdir folder.npy a.npy.parts; touch b.npy.parts");
  EXPECT_EQ(refusal(vary_verb + "9 -o folder.npy"),
            "armdyn: cannot write folder.npy: it is a folder; add the name of a file\n");
  EXPECT_EQ(refusal(vary_verb + "9 -o none/a.npy"),
            "armdyn: cannot write none/a.npy: there is no folder none; create it first\n");
  EXPECT_EQ(refusal(vary_verb + "9 -o b.npy --resume"),
            "armdyn: cannot write b.npy.parts: Not a directory\n");
  const Outcome locked =
      shell.run("flock a.npy.parts env " + on(2) + vary_verb + "9 -o a.npy --resume");
  EXPECT_EQ(locked.exit_code, 4);
  EXPECT_EQ(locked.err, "armdyn: cannot write a.npy: another job is writing it\n");
}

TEST_F(Mpi, SaysInWordsWhatArmdynSays) {
  for (const std::string& verb : {vary_verb + "30", batch_verb + "runs.csv", torque_verb}) {
    const Outcome alone = shell.run("$armdyn " + verb + " -o a.npy");
    const Outcome many = shell.run("rm a.npy; " + on(3) + verb + " -o a.npy");
    EXPECT_EQ(many.exit_code, 0) << many.err;
    EXPECT_EQ(many.err, alone.err);
    EXPECT_EQ(many.out.substr(0, many.out.find("ranks")),
              alone.out.substr(0, many.out.find("ranks")));
  }
}

TEST_F(Mpi, AFullDiskEndsAllRanksWithOneMessageAndIsResumed) {
  if (shell.run("unshare -m mount -t tmpfs none /mnt").exit_code != 0) {
    GTEST_SKIP() << "no file system can be mounted for a full disk";
  }
  const std::string run = on(2) + batch_verb + "runs.csv -o disk/a.npy --quiet";
  shell.write("run.sh",
              "mkdir disk; mount -t tmpfs -o size=64k none disk\n" + run +
                  " 2>said; echo $? >code; ls disk >left; mount -o remount,size=160k disk\n" + run +
                  " --resume 2>joining; mount -o remount,size=8m disk\n" + run +
                  " --resume; cp disk/a.npy .\n");
  const Outcome resumed = shell.run("unshare -m bash run.sh");  // the array has 84 kB
  const std::string said = shell.read("said");
  EXPECT_EQ(shell.read("code"), "4\n") << said;
  EXPECT_EQ(said.find("armdyn: cannot write disk/a.npy.parts/a.npy.part-"), 0U) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_EQ(shell.read("left"), "a.npy.parts\n");
  EXPECT_EQ(shell.read("joining"),  // the parts take two pages each
            "armdyn: cannot write disk/a.npy: No space left on device; complete parts stay in "
            "disk/a.npy.parts, --resume continues\n");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  ASSERT_EQ(shell.run("$armdyn " + batch_verb + "runs.csv -o alone.npy").exit_code, 0);
  EXPECT_EQ(shell.read("a.npy"), shell.read("alone.npy"));
}

}  // namespace
}  // namespace armdyn::testing
