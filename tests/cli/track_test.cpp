// The program as a user runs it to close a loop around a motion.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "support/csv_columns.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

/// Craig's two links on their way from 0, 0 to 1, 0.5 within a second, in motion.csv.
class Track : public ::testing::Test {
 protected:
  const Shell shell;

  void SetUp() override {
    const Outcome made = shell.run(
        "$armdyn trajectory craig-rr --from 0,0 --to 1,0.5 --duration 1 --rate 100 --quiet -o "
        "motion.csv");
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }

  [[nodiscard]] Outcome track(const std::string& options) const {
    return shell.run("$armdyn track craig-rr motion.csv " + options);
  }

  [[nodiscard]] CsvColumns columns(const std::string& options) const {
    const Outcome outcome = track(options);
    EXPECT_EQ(outcome.exit_code, 0) << options << "\n" << outcome.err;
    return csv_columns(outcome.out);
  }

  [[nodiscard]] CsvColumns desired() const { return csv_columns(shell.read("motion.csv")); }

  /// What `torque` says of a motion with these columns.
  [[nodiscard]] CsvColumns torques(const std::vector<std::vector<double>>& motion) const {
    std::string text = "q1,q2,qd1,qd2,qdd1,qdd2\n";
    for (std::size_t k = 0; k < motion[0].size(); ++k) {
      for (std::size_t i = 0; i < motion.size(); ++i) {
        char cell[32];
        std::snprintf(cell, sizeof cell, "%s%.17g", i > 0 ? "," : "", motion[i][k]);
        text += cell;
      }
      text += "\n";
    }
    shell.write("states.csv", text);
    const Outcome outcome = shell.run("$armdyn torque craig-rr states.csv --quiet");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return csv_columns(outcome.out);
  }
};

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

/// Every `step`-th value.
std::vector<double> each(const std::vector<double>& values, std::size_t step) {
  std::vector<double> chosen;
  for (std::size_t k = 0; k < values.size(); k += step) chosen.push_back(values[k]);
  return chosen;
}

TEST_F(Track, WritesTimeStateTorqueAndDesiredMinusActual) {
  const Outcome outcome = track("");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')), "t,q1,q2,qd1,qd2,tau1,tau2,e1,e2");
  const CsvColumns found = csv_columns(outcome.out), wanted = desired();
  ASSERT_EQ(found.at("t").size(), 1001U);
  EXPECT_EQ(found.at("t").back(), 1.0);
  for (const std::string joint : {"1", "2"}) {
    for (std::size_t k = 0; k <= 100; ++k) {  // a row of the motion for ten of the simulation
      EXPECT_NEAR(found.at("e" + joint)[10 * k],
                  wanted.at("q" + joint)[k] - found.at("q" + joint)[10 * k],
                  5e-16);  // roundings of numbers up to 1
    }
    EXPECT_GT(largest(found.at("e" + joint)), 1e-4);
    EXPECT_LT(largest(found.at("e" + joint)), 1e-2);
  }
}

TEST_F(Track, WritesEachKthRowAndTheLast) {
  const std::vector<double> t = columns("--every 300").at("t");
  EXPECT_EQ(t, (std::vector<double>{0, 0.3, 0.6, 0.9, 1}));
}

/// In a run of short violent torques; --every chooses rows and nothing else.
TEST_F(Track, SumsUpAllStepsWhateverRowsAreWritten) {
  const auto summary = [&](const std::string& options) {
    const Outcome outcome = shell.run(
        "$armdyn track puma560 puma560-pick-and-place --kp 10000 --q0 qr --json -o out.csv " +
        options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  };
  const auto all = summary(""), few = summary("--every 333");
  EXPECT_EQ(all["rows"], 7001);
  EXPECT_EQ(few["rows"], 23);
  EXPECT_EQ(few["joints"], all["joints"]);
  EXPECT_EQ(few["warnings"], all["warnings"]);
  // Five torques beyond their limits, and z = -1 of kp 10000, kv 200 held for 0.01 s.
  EXPECT_EQ(few["warnings"].size(), 6U) << few["warnings"];
  EXPECT_EQ(few["t"], all["t"]);
}

TEST_F(Track, SimulatesByTheStepAndIntegratorThatAreAskedFor) {
  EXPECT_EQ(columns("--step 0.0025").at("t").size(), 401U);
  const CsvColumns rk4 = columns(""), adaptive = columns("--integrator rkf78 --tolerance 1e-12");
  ASSERT_EQ(adaptive.at("q1").size(), rk4.at("q1").size());
  for (std::size_t k = 0; k < rk4.at("q1").size(); ++k) {
    EXPECT_NEAR(adaptive.at("q1")[k], rk4.at("q1")[k], 1e-9);
  }
}

TEST_F(Track, TakesGainsAsANumberAListOrAMatrix) {
  shell.write("kp.csv", "# 1/s^2\n100, 0\n0, 100\n\n");
  shell.write("coupled.csv", "100,30\r\n30,100\r\n");
  const std::string papers = track("").out;
  EXPECT_EQ(track("--kp 100 --kv 20").out, papers);
  EXPECT_EQ(track("--kp 100").out, papers) << "--kv is critical damping";
  EXPECT_EQ(track("--kp 100,100 --kv 20,20").out, papers);
  EXPECT_EQ(track("--kp kp.csv --kv 20").out, papers);
  EXPECT_NE(track("--kp coupled.csv --kv 20").out, papers);
  EXPECT_NE(track("--kp 100,25 --kv 20,10").out, papers);
  EXPECT_EQ(track("--kp 100,25").out, track("--kp 100,25 --kv 20,10").out);
  EXPECT_EQ(track("--kp 0.25,0").out, track("--kp 0.25,0 --kv 1,0").out);
}

TEST_F(Track, EchoesGainsThatCoupleJointsAsRows) {
  shell.write("lower.csv", "100,0\n30,100\n");
  const auto gains = [&](const std::string& kp) {
    return nlohmann::json::parse(track("--json --kv 20 --kp " + kp).err)["options"]["kp"];
  };
  EXPECT_EQ(gains("100,25"), (nlohmann::json{100.0, 25.0}));
  EXPECT_EQ(gains("lower.csv"), (nlohmann::json{{100.0, 0.0}, {30.0, 100.0}}));
  EXPECT_EQ(gains("'100,0; 30,100'"), gains("lower.csv"));
}

TEST_F(Track, ByComputedTorqueWithTorqueAtAllTimesFollowsExactly) {
  for (const std::string zero : {"0", "0.0"}) {
    const CsvColumns found = columns("--sample-time " + zero);
    EXPECT_LT(largest(found.at("e1")), 1e-10);
    EXPECT_LT(largest(found.at("e2")), 1e-10);
  }
}

TEST_F(Track, ByComputedTorqueIsInverseDynamicsOfTheCorrectedAcceleration) {
  const CsvColumns found = columns("--q0 0.1,-0.1"), wanted = desired();
  std::vector<std::vector<double>> states;
  for (const std::string name : {"q1", "q2", "qd1", "qd2"}) {
    states.push_back(each(found.at(name), 10));
  }
  for (const std::string joint : {"1", "2"}) {
    std::vector<double> u = wanted.at("qdd" + joint);
    for (std::size_t k = 0; k < u.size(); ++k) {
      u[k] += 100 * (wanted.at("q" + joint)[k] - found.at("q" + joint)[10 * k]) +
              20 * (wanted.at("qd" + joint)[k] - found.at("qd" + joint)[10 * k]);
    }
    states.push_back(u);
  }
  const CsvColumns expected = torques(states);
  for (std::size_t k = 0; k < 100; ++k) {  // the last row still has the torque before it
    EXPECT_NEAR(found.at("tau1")[10 * k], expected.at("tau1")[k], 1e-9) << k;
    EXPECT_NEAR(found.at("tau2")[10 * k], expected.at("tau2")[k], 1e-9) << k;
  }
}

/// The other three controllers are K_p e + K_v ė and something of the model.
TEST_F(Track, ByTheOtherControllersAddsWhatTheirModelKnows) {
  const CsvColumns wanted = desired();
  const std::string gains = " --kp 100,20 --kv 15,3";
  for (const std::string controller : {"pd", "pd-gravity", "feedforward"}) {
    const CsvColumns found = columns("--controller " + controller + gains);
    const std::vector<double> q1 = each(found.at("q1"), 10), q2 = each(found.at("q2"), 10);
    const std::vector<double> zero(q1.size(), 0.0);
    const CsvColumns known =
        controller == "pd-gravity"
            ? torques({q1, q2, zero, zero, zero, zero})
            : torques({wanted.at("q1"), wanted.at("q2"), wanted.at("qd1"), wanted.at("qd2"),
                       wanted.at("qdd1"), wanted.at("qdd2")});
    for (const auto& [joint, kp, kv] : {std::tuple{"1", 100.0, 15.0}, {"2", 20.0, 3.0}}) {
      for (std::size_t k = 0; k < 100; ++k) {
        const auto error = [&, j = joint](const std::string& symbol) {
          return wanted.at(symbol + j)[k] - found.at(symbol + j)[10 * k];
        };
        const double model = controller == "pd" ? 0.0 : known.at(std::string("tau") + joint)[k];
        EXPECT_NEAR(found.at(std::string("tau") + joint)[10 * k],
                    kp * error("q") + kv * error("qd") + model, 1e-9)
            << controller << " " << k;
      }
    }
  }
}

TEST_F(Track, HoldsTheTorqueBetweenSamples) {
  const std::vector<double> tau = columns("--sample-time 0.02").at("tau1");
  for (std::size_t k = 1; k < 1000; ++k) {
    EXPECT_EQ(tau[k] != tau[k - 1], k % 20 == 0) << k;
  }
}

TEST_F(Track, IsReplayedBySimulateFromItsTorques) {
  const CsvColumns tracked = columns("-o loop.csv --quiet; cat loop.csv");
  const Outcome outcome =
      shell.run("$armdyn simulate craig-rr loop.csv --interpolation hold --quiet");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const CsvColumns replayed = csv_columns(outcome.out);
  ASSERT_EQ(replayed.at("t"), tracked.at("t"));
  for (const std::string name : {"q1", "q2", "qd1", "qd2"}) {
    for (std::size_t k = 0; k < tracked.at(name).size(); ++k) {
      EXPECT_NEAR(replayed.at(name)[k], tracked.at(name)[k], 1e-12) << name << " " << k;
    }
  }
}

TEST_F(Track, ActsLateByTheDelay) {
  EXPECT_EQ(track("--delay 0").out, track("").out);
  const std::vector<double> tau = columns("--delay 2 --q0 0.01,0").at("tau1");
  EXPECT_EQ(tau[29], tau[0]);  // before its first torque acts, that one stands for earlier ones
  EXPECT_NE(tau[30], tau[0]);
  EXPECT_GT(largest(columns("--delay 1").at("e1")), 2 * largest(columns("").at("e1")));
}

TEST_F(Track, IsTheSameByAnyFormulation) {
  const CsvColumns reference = columns("");
  for (const std::string method : {"newton-euler", "modified-newton-euler", "lagrange"}) {
    const CsvColumns found = columns("--method " + method);
    for (std::size_t k = 0; k < 1001; ++k) {
      EXPECT_NEAR(found.at("e1")[k], reference.at("e1")[k], 1e-13);
      EXPECT_NEAR(found.at("tau1")[k], reference.at("tau1")[k], 1e-10);
    }
  }
}

TEST_F(Track, LetsTheControllerKnowTheArmWithTheOptionsOfRobot) {
  for (const std::string edit :
       {"--payload 2,0.1,0,0", "--gravity 0,-1.62,0", "--without gravity"}) {
    EXPECT_LT(largest(columns("--sample-time 0 " + edit).at("e1")), 1e-10) << edit;
  }
}

TEST_F(Track, HidesFromTheControllerWhatItIsNotToKnow) {
  const std::string loaded = "--payload 2 ";
  const CsvColumns hidden = columns(loaded + "--model-without payload");
  EXPECT_GT(largest(hidden.at("e1")), 10 * largest(columns(loaded).at("e1")));
  EXPECT_EQ(track(loaded + "--model craig-rr").out, track(loaded + "--model-without payload").out)
      << "--payload does not change the model of --model";
  EXPECT_GT(largest(columns("--model-without gravity").at("e2")), 0.05);
}

TEST_F(Track, TakesTheModelOfTheControllerFromAFileOfItsOwn) {
  const Outcome made = shell.run(
      "$armdyn robots show craig-rr | sed 's/mass: .*/mass: 1/' >light.yaml; grep -c 'mass: 1$' "
      "light.yaml");
  EXPECT_EQ(made.out, "2\n");
  const Outcome wrong = track("--model light.yaml --json -o wrong.csv");
  EXPECT_EQ(wrong.exit_code, 0) << wrong.err;
  EXPECT_GT(largest(csv_columns(shell.read("wrong.csv")).at("e1")), 0.1);
  const auto model = nlohmann::json::parse(wrong.out)["options"]["model"];
  EXPECT_EQ(model["file"], "light.yaml");
  EXPECT_EQ(model["without"], nlohmann::json::array());
}

TEST_F(Track, SaysWhatTheControllerKnowsAndHowLateItIs) {
  const auto head = [&](const std::string& options) {
    const std::string out = track(options + " -o out.csv").out;
    EXPECT_TRUE(out.starts_with("craig-rr: largest |e| ")) << out;
    const std::size_t second = out.find('\n') + 1;
    return out.substr(second, out.find('\n', second) - second);
  };
  ASSERT_EQ(shell.run("$armdyn robots copy craig-rr mine.yaml").exit_code, 0);
  EXPECT_EQ(head(""), "computed-torque, torque held for 0.01 s, t = 0 to 1 s");
  EXPECT_EQ(head("--sample-time 0 --controller pd --kp 100 --kv 10"),
            "pd, torque at all times, t = 0 to 1 s");
  EXPECT_EQ(head("--delay 2 --model mine.yaml --model-without payload,gravity"),
            "computed-torque (model mine.yaml without payload,gravity), torque held for "
            "0.01 s, 2 samples late, t = 0 to 1 s");
  EXPECT_EQ(head("--delay 1 --model-without payload"),
            "computed-torque (model without payload), torque held for 0.01 s, 1 sample "
            "late, t = 0 to 1 s");
}

TEST_F(Track, MeasuresInStepsOfTheEncoder) {
  const CsvColumns coarse = columns("--encoder 0.002");
  EXPECT_GT(largest(coarse.at("e1")), 2 * largest(columns("").at("e1")));
  EXPECT_LT(largest(coarse.at("e1")), 0.05);
  EXPECT_EQ(track("--encoder '0.09 deg'").out, track("--encoder 0.0015707963267948967").out);
  EXPECT_EQ(track("--encoder 0.001,0.001").out, track("--encoder 0.001").out);
}

TEST_F(Track, StartsOnTheMotionOrWhereItIsTold) {
  const CsvColumns on = columns("");
  EXPECT_EQ(on.at("q1")[0], 0.0);
  EXPECT_EQ(on.at("e1")[0], 0.0);
  const CsvColumns off = columns("--q0 '0,90 deg' --qd0 -0.5,0.25");
  EXPECT_EQ(off.at("q2")[0], std::numbers::pi / 2);
  EXPECT_EQ(off.at("e2")[0], -std::numbers::pi / 2);
  EXPECT_EQ(off.at("qd1")[0], -0.5);
  EXPECT_LT(std::abs(off.at("e2").back()), 1e-2);
  EXPECT_EQ(columns("--q0 example").at("q1")[0], 0.3);
}

TEST_F(Track, BeginsWithTheTimeOfTheMotion) {
  const Outcome outcome = shell.run(
      "sed -E 's/^([01])(\\.|,)/3\\2/' motion.csv | grep -v '^1,' | head -n 101 | $armdyn track "
      "craig-rr --quiet");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const CsvColumns found = csv_columns(outcome.out);
  EXPECT_EQ(found.at("t").front(), 3.0);
  EXPECT_EQ(found.at("t").back(), 3.99);
  EXPECT_LT(largest(found.at("e1")), 1e-2);
}

TEST_F(Track, PassesOverColumnsThatItIsToldToIgnore) {
  const std::string more = "sed '1s/$/,color/;2,$s/$/,7/' motion.csv | $armdyn track craig-rr ";
  const Outcome refused = shell.run(more);
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_NE(refused.err.find("color"), std::string::npos) << refused.err;
  EXPECT_EQ(shell.run(more + "- --ignore-extra").out, track("").out);
}

TEST_F(Track, ReadsColumnsByTheNamesThatItIsGiven) {
  const std::string other = "sed '1s/.*/clock,a,b,c,d,e,f/' motion.csv | $armdyn track craig-rr - ";
  const Outcome refused = shell.run(other);
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_NE(refused.err.find("unknown column \"clock\""), std::string::npos) << refused.err;
  const Outcome named = shell.run(other + "--columns 't=clock,q={a,b},qd={c,d},qdd={e,f}'");
  EXPECT_EQ(named.exit_code, 0) << named.err;
  EXPECT_EQ(named.out, track("").out);
}

TEST(TrackPuma, FollowsAShippedMotionByName) {
  const Shell shell;
  const Outcome outcome = shell.run("$armdyn track puma560 puma560-pick-and-place");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("\ncomputed-torque, torque held for 0.01 s, t = 0 to 7 s; "),
            std::string::npos)
      << outcome.err;
}

TEST(TrackPuma, FollowsUnderFrictionThatTheControllerKnows) {
  const Shell shell;
  const auto summary = [&](const std::string& options) {
    return nlohmann::json::parse(
        shell.run("$armdyn track puma560 puma560-pick-and-place --json -o out.csv " + options).out);
  };
  const auto desired = summary("");
  EXPECT_EQ(desired["warnings"], nlohmann::json::array());
  EXPECT_EQ(desired["options"]["friction_by"], "desired");
  for (const auto& joint : desired["joints"]) EXPECT_LT(joint["peak_error"], 3e-3);
  const auto measured = summary("--friction-by measured");
  EXPECT_GT(measured["joints"][2]["peak_error"], 0.05);
  EXPECT_EQ(measured["warnings"].size(), 4U) << measured["warnings"];
  EXPECT_EQ(measured["warnings"][1].get<std::string>().find("elbow sticks 0.05653 rad off"), 0U);
  EXPECT_NE(measured["warnings"][3].get<std::string>().find("; --friction-by desired"),
            std::string::npos);
}

/// A wheel of 1 kg·m² that friction holds up to 4 N·m, and slows by 2 N·m.
const std::string wheel =
    "armdyn: 1\nname: wheel\nconvention: modified\njoints:\n"
    "  - {name: hub, type: revolute, dh: {}, mass: 1, inertia: {xx: 1, yy: 1, zz: 1},\n"
    "     friction: {coulomb: 2, static: 4}}\n";

TEST(TrackWheel, NamesAJointThatSticksWithTheTorqueThatIsMissing) {
  const Shell shell;
  shell.write("wheel.yaml", wheel);
  const std::string track =
      "$armdyn trajectory wheel.yaml --from 0 --to 0.015 --duration 1 --rate 100 --quiet | "
      "$armdyn track wheel.yaml - --hold 1 -o out.csv ";
  const Outcome outcome = shell.run(track);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  // K_p e + K_v ė stays below 1.8 N·m, which with the 2 N·m of sliding does not move it while q̇ᵈ > 0, and later less.
  EXPECT_NE(
      outcome.err.find("warning: hub sticks 0.015 rad off the motion at t = 1 s: friction holds "
                       "up to 4 N·m at rest, and the drive lacks 2.5 N·m to move it; "
                       "computed torque compensates the sliding friction of its model, not a "
                       "higher static level: raise --kp, or give --ki\n"),
      std::string::npos)
      << outcome.err;
  EXPECT_EQ(csv_columns(shell.read("out.csv")).at("q1").back(), 0.0);
  const std::string pd = shell.run(track + "--controller pd --kp 150 --kv 0").err;
  EXPECT_NE(pd.find("lacks 1.75 N·m to move it; raise the gains, or give --ki\n"),
            std::string::npos)
      << pd;
  ASSERT_EQ(shell.run("sed -i 's/static: 4/static: 2/' wheel.yaml").exit_code, 0);
  EXPECT_EQ(shell.run(track).err.find("hub sticks"), std::string::npos);
}

TEST(TrackPuma, CutsTorquesToTheLimitsOfTheDrives) {
  const Shell shell;
  const std::string far = "$armdyn track puma560 puma560-pick-and-place --kp 10000 --q0 qr ";
  const Outcome uncut = shell.run(far + "-o uncut.csv");
  EXPECT_EQ(uncut.exit_code, 0);
  EXPECT_NE(uncut.err.find("warning: elbow: |τ| reaches"), std::string::npos) << uncut.err;
  EXPECT_NE(uncut.err.find("its limit is 89.4 N·m; --saturate clips it\n"), std::string::npos);
  EXPECT_GT(largest(csv_columns(shell.read("uncut.csv")).at("tau3")), 89.4);

  const Outcome cut = shell.run(far + "--saturate -o cut.csv");
  EXPECT_EQ(cut.exit_code, 0);
  EXPECT_EQ(cut.err.find("--saturate"), std::string::npos) << cut.err;
  EXPECT_NE(cut.out.find("times saturated"), std::string::npos);
  EXPECT_EQ(largest(csv_columns(shell.read("cut.csv")).at("tau3")), 89.4);
}

/// The start of paper 003 has the elbow at 90 deg, which the shipped arm reaches at 45 deg only.
class TrackBeyondALimit : public ::testing::Test {
 protected:
  const Shell shell;
  const std::string papers_motion =
      "$armdyn trajectory puma560 --from '90,0,90,0,0,0 deg' --to '45,30,0,45,60,90 deg' "
      "--duration 3 --rate 100 --quiet 2>&1 -o motion.csv; ";
};

TEST_F(Track, AnswersNoWhereTheErrorIsLargerThanAllowed) {
  const std::string track =
      "$armdyn trajectory ur3e --from 0,-1,1,0,0,0 --to 0.5,-1.4,0.6,0.3,0.2,0 --duration 1 "
      "--quiet "
      "| $armdyn track ur3e - -o out.csv ";
  const auto joints = nlohmann::json::parse(shell.run(track + "--json").out)["joints"];
  double peak = 0.0;
  for (const auto& joint : joints) peak = std::max(peak, joint["peak_error"].get<double>());
  ASSERT_GT(peak, 0.0);
  const auto exit_code_at = [&](double allowed) {
    return shell.run(track + "--quiet --max-error " + std::to_string(allowed)).exit_code;
  };
  EXPECT_EQ(exit_code_at(1.01 * peak), 0);
  EXPECT_EQ(exit_code_at(0.99 * peak), 1);
  const Outcome far = shell.run(track + "--quiet --max-error '0.001,1,1,1,1,1 deg'");
  EXPECT_EQ(far.exit_code, 1);
  EXPECT_NE(far.err.find("shoulder_pan: |e| reaches "), std::string::npos) << far.err;
  EXPECT_NE(far.err.find(", --max-error allows 1.745e-05 rad\n"), std::string::npos) << far.err;
}

TEST_F(TrackBeyondALimit, StopsThereAndKeepsTheRow) {
  const Outcome outcome =
      shell.run(papers_motion + "$armdyn track puma560 motion.csv -o out.csv --quiet");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err,
            "puma560.yaml: 3 warnings about the model; armdyn check puma560 shows them\n"
            "armdyn: elbow starts at 1.571 rad, beyond its limit 0.7854 rad; --at-limit ignore "
            "continues regardless\n");
  EXPECT_EQ(csv_columns(shell.read("out.csv")).at("t"), std::vector<double>{0.0});
}

TEST_F(TrackBeyondALimit, GoesOnWhereLimitsAreIgnored) {
  const Outcome outcome = shell.run(
      papers_motion + "$armdyn track puma560 motion.csv -o out.csv --quiet --at-limit ignore");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(csv_columns(shell.read("out.csv")).at("t").back(), 3.0);
}

TEST_F(TrackBeyondALimit, ReachedOnTheWayKeepsTheRowsSoFar) {
  const Outcome outcome = shell.run(
      "$armdyn track puma560 puma560-pick-and-place --qd0 0,0,20,0,0,0 --kp 1 --json -o out.csv");
  EXPECT_EQ(outcome.exit_code, 1);
  const auto summary = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(summary["end"], "limit");
  EXPECT_EQ(summary["limit"]["joint"], "elbow");
  const CsvColumns found = csv_columns(shell.read("out.csv"));
  EXPECT_EQ(found.at("t").size(), summary["rows"]);
  EXPECT_EQ(found.at("t").back(), summary["limit"]["time"]);
}

TEST_F(Track, ThatDivergesKeepsTheRowsSoFarAndSaysWhatToDo) {
  const Outcome outcome = shell.run(
      "$armdyn trajectory craig-rr --from 0,0 --to 1,1 --duration 10 --rate 100 --quiet | $armdyn "
      "track craig-rr --sample-time 0.3 -o out.csv");
  EXPECT_EQ(outcome.exit_code, 5);
  const std::string warning =
      "armdyn: warning: even with a perfect model the sampled loop is unstable, errors grow "
      "as "
      "exp(7.16 t); shorten --sample-time or --delay, or lower the gains\n";
  EXPECT_EQ(outcome.err.find(warning + "armdyn: the simulation diverges: after t = "), 0U)
      << outcome.err;
  const std::string advice =
      "; the closed loop is unstable: shorten --sample-time or --delay, or lower the gains; the ";
  const std::size_t at = outcome.err.find(advice);
  ASSERT_NE(at, std::string::npos) << outcome.err;
  const nlohmann::json summary = nlohmann::json::parse(
      shell
          .run("$armdyn trajectory craig-rr --from 0,0 --to 1,1 --duration 10 --rate 100 --quiet | "
               "$armdyn track craig-rr --sample-time 0.3 --json -o /dev/null")
          .out);
  EXPECT_EQ(summary["end"], "diverged");
  EXPECT_EQ(warning + "armdyn: " + summary["message"].get<std::string>() + "\n", outcome.err);
  const std::size_t rows = std::stoul(outcome.err.substr(at + advice.size()));
  EXPECT_EQ(summary["rows"], rows);
  EXPECT_EQ(outcome.err.substr(outcome.err.find(" rows", at)), " rows so far are kept\n");
  EXPECT_EQ(csv_columns(shell.read("out.csv")).at("t").size(), rows);
}

/// An arm that swings up into its limit while its motion rests: the steps are not to blame.
TEST_F(Track, ThatIsUnstableAndMeetsALimitSaysWhatToDo) {
  ASSERT_EQ(shell
                .run("$armdyn trajectory ur5e --from 0,-1,1,0,0,1 --to 0.2,-1.1,1.2,0,0.3,1 "
                     "--duration 2 --rate 100 --quiet -o ur.csv")
                .exit_code,
            0);
  const Outcome outcome = shell.run(
      "$armdyn track ur5e ur.csv --controller pd --kp 4000 --kv 200 --delay 3 --step 0.005 -o "
      "out.csv");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  const double away = std::abs(csv_columns(shell.read("out.csv")).at("e6").back());
  EXPECT_NE(outcome.err.find(
                fmt::format("wrist_3 runs into its limit {:.3g} rad away from the motion", away)),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("the closed loop is unstable: shorten --sample-time or --delay, or "
                             "lower the gains"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(outcome.err.find("take steps below"), std::string::npos) << outcome.err;
}

TEST_F(Track, HoldsTheArmWhereTheMotionEnds) {
  const CsvColumns found = columns("--hold 1.5 --q0 0.2,0");
  EXPECT_EQ(found.at("t").back(), 2.5);
  // (11.5) from 0.2 at t = 0, as it is sampled: a thousandth of it is left.
  EXPECT_LT(std::abs(found.at("e1").back()), 1e-5);
  EXPECT_NEAR(found.at("q1").back(), 1.0, 1e-5);
  EXPECT_EQ(columns("--q0 0.2,0").at("t").back(), 1.0);
}

TEST_F(Track, WarnsWhereTheMotionThatItHoldsDoesNotEndAtRest) {
  shell.write("run.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,1,0,0,0\n1,1,0,1,0,0,0\n");
  const Outcome outcome = shell.run("$armdyn track craig-rr run.csv --hold 1 -o out.csv --quiet");
  EXPECT_EQ(
      outcome.err,
      "armdyn: warning: shoulder: the motion ends at 1 rad/s and not at rest; --hold stops it "
      "there at once\n");
}

TEST_F(Track, WritesWhatIsDesiredWhereAsked) {
  const Outcome outcome = track("--desired --hold 0.5");
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')),
            "t,q1,q2,qd1,qd2,tau1,tau2,e1,e2,q_desired1,q_desired2,qd_desired1,qd_desired2,"
            "qdd_desired1,qdd_desired2");
  const CsvColumns found = csv_columns(outcome.out), wanted = desired();
  for (std::size_t k = 0; k <= 100; ++k) {
    EXPECT_EQ(found.at("t")[10 * k], wanted.at("t")[k]);  // samples are 35/100, not 35·0.01
    EXPECT_NEAR(found.at("q_desired1")[10 * k], wanted.at("q1")[k], 1e-12);
    EXPECT_NEAR(found.at("qd_desired2")[10 * k], wanted.at("qd2")[k], 1e-11);
    EXPECT_NEAR(found.at("qdd_desired1")[10 * k], k < 100 ? wanted.at("qdd1")[k] : 0.0, 1e-9);
  }
  EXPECT_EQ(found.at("q_desired1").back(), 1.0);
  EXPECT_EQ(found.at("qd_desired1").back(), 0.0);
  // Other verbs know the columns.
  shell.write("track.csv", outcome.out);
  EXPECT_EQ(shell.run("$armdyn simulate craig-rr track.csv -o out.csv").exit_code, 0);
}

/// A load that the controller does not know sags by Δτ/(M K_p); K_i takes it away.
TEST_F(Track, TakesASteadyErrorAwayByAnIntegralTerm) {
  const std::string load = "--payload 2 --model-without payload --hold 9 ";
  const double sag = columns(load).at("e1").back();
  EXPECT_GT(std::abs(sag), 0.01);
  EXPECT_LT(std::abs(columns(load + "--ki 300").at("e1").back()), 1e-4 * std::abs(sag));
  EXPECT_EQ(track("--ki 0 --quiet").out, track("--quiet").out);
  const auto summary = nlohmann::json::parse(track("--ki 300,0 --hold 0.5 --json -o out.csv").out);
  EXPECT_EQ(summary["options"]["ki"], (std::vector<double>{300, 0}));
  EXPECT_EQ(summary["options"]["hold"], 0.5);
  EXPECT_EQ(summary["options"]["desired"], false);
  EXPECT_EQ(summary["closed_loop"]["continuous"]["eigenvalues"].size(), 5U);
}

TEST_F(Track, WarnsOfAnIntegralTermThatMakesTheLoopUnstable) {
  const Outcome outcome = track("--kp 100 --kv 20 --ki 4000 -o out.csv --quiet");
  EXPECT_NE(outcome.err.find("is unstable, errors grow as exp("), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("; change --kp, --kv or --ki\n"), std::string::npos) << outcome.err;
  EXPECT_EQ(track("--ki 10 --sample-time 0").err,
            "armdyn: --ki integrates from sample to sample; give --sample-time above 0\n");
}

// (11.8) at a joint of constant inertia: between samples its acceleration is constant.
TEST_F(Track, IntegratesErrorsAtTheSamples) {
  shell.write("table.yaml",
              "armdyn: 1\nname: table\nconvention: modified\n"
              "joints: [{name: a, type: revolute, dh: {}, mass: 2, inertia: {zz: 0.3}}]\n");
  shell.write("still.csv", "t,q1,qd1,qdd1\n0,0,0,0\n1,0,0,0\n");
  const Outcome outcome = shell.run(
      "$armdyn track table.yaml still.csv --q0 0.2 --kp 50 --kv 10 --ki 120 --sample-time 0.02 "
      "--step 0.02 -o out.csv --quiet");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const CsvColumns rows = csv_columns(shell.read("out.csv"));
  ASSERT_EQ(rows.at("q1").size(), 51U);
  double q = 0.2, v = 0.0, z = 0.0;
  for (std::size_t k = 0; k < 51; ++k) {
    EXPECT_NEAR(rows.at("q1")[k], q, 1e-13) << k;
    z -= 0.02 * q;
    const double u = -50.0 * q - 10.0 * v + 120.0 * z;
    q += 0.02 * v + 0.0002 * u;
    v += 0.02 * u;
  }
}

TEST_F(Track, ThatDivergesIsSummedUpInJson) {
  const Outcome outcome = shell.run(
      "$armdyn trajectory craig-rr --from 0,0 --to 1,1 --duration 10 --rate 100 --quiet | $armdyn "
      "track craig-rr --sample-time 0.3 --json -o out.csv --plot out.svg");
  EXPECT_EQ(outcome.exit_code, 5);
  const auto summary = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(summary["end"], "diverged");
  const std::string message = summary["message"];
  EXPECT_NE(message.find("the closed loop is unstable: shorten --sample-time"), std::string::npos);
  const std::vector<double> t = csv_columns(shell.read("out.csv")).at("t");
  EXPECT_EQ(summary["rows"], t.size());
  EXPECT_EQ(summary["t"][1], t.back());
  EXPECT_GT(summary["joints"][0]["peak_error"], 1.0);
  EXPECT_EQ(summary["joints"][0]["name"], "shoulder");
  EXPECT_FALSE(shell.exists("out.svg"));
}

/// A loop that is stable but for the steps by which it is simulated.
TEST_F(Track, BlamesNoLoopForStepsThatAreTooLong) {
  const Outcome outcome =
      track("--sample-time 0 --kp 1e8 --kv 2e4 --step 0.01 --q0 0.1,0.1 -o out.csv");
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("step"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("unstable"), std::string::npos) << outcome.err;
}

TEST(TrackSingular, IsNotTheFaultOfTheLoop) {
  const Shell shell;
  shell.write(
      "rod.yaml",
      "armdyn: 1\nname: rod\nconvention: modified\njoints:\n"
      "  - {type: revolute, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 1, com: [1, 0, 0]}\n"
      "  - {type: revolute, dh: {a: 1, alpha: 0, d: 0, theta: 0}, mass: 0}\n");
  shell.write("rest.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n1,0,0,0,0,0,0\n");
  const Outcome outcome = shell.run("$armdyn track rod.yaml rest.csv -o out.csv");
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_NE(outcome.err.find("the mass matrix is singular at q = 0, 0"), std::string::npos);
  EXPECT_EQ(outcome.err.find("--sample-time"), std::string::npos) << outcome.err;

  const Outcome json = shell.run("$armdyn track rod.yaml rest.csv -o out.csv --json");
  EXPECT_EQ(json.exit_code, 5);
  const auto summary = nlohmann::json::parse(json.out);
  EXPECT_EQ(summary["end"], "singular");
  EXPECT_EQ(summary["rows"], 0);
}

TEST_F(Track, ThatIsInterruptedKeepsTheRowsSoFar) {
  const Outcome outcome = shell.run(
      "$armdyn trajectory craig-rr --from 0,0 --to 1,1 --duration 100000 --rate 1 --quiet -o "
      "long.csv; timeout --preserve-status -s INT 2 $armdyn track craig-rr long.csv -o out.csv");
  EXPECT_EQ(outcome.exit_code, 130);
  const std::size_t at = outcome.err.find("armdyn: interrupted at t = ");
  ASSERT_NE(at, std::string::npos) << outcome.err;
  const std::string rows = shell.read("out.csv");
  ASSERT_GT(rows.size(), 1000U);
  EXPECT_EQ(rows.back(), '\n');
  const std::string last = rows.substr(rows.rfind('\n', rows.size() - 2));
  EXPECT_EQ(std::count(last.begin(), last.end(), ','), 8) << last;
}

TEST_F(Track, SumsUpInJson) {
  const Outcome outcome = track(
      "--json -o out.csv --kp 100,25 --kv 20 --encoder 0.001 --delay 1 --model-without gravity "
      "--every 10");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto summary = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(summary["robot"]["name"], "craig-rr");
  const auto& used = summary["options"];
  EXPECT_EQ(used["motion"], "motion.csv");
  EXPECT_EQ(used["controller"], "computed-torque");
  EXPECT_EQ(used["kp"], nlohmann::json({100, 25}));
  EXPECT_EQ(used["kv"], nlohmann::json({20, 20}));
  EXPECT_FALSE(used.contains("ki"));
  EXPECT_EQ(used["sample_time"], 0.01);
  EXPECT_EQ(used["delay"], 1);
  EXPECT_EQ(used["method"], "newton-euler");
  EXPECT_EQ(used["model"]["name"], "craig-rr");
  EXPECT_EQ(used["model"]["without"], nlohmann::json({"gravity"}));
  EXPECT_EQ(used["encoder"], nlohmann::json({0.001, 0.001}));
  EXPECT_EQ(used["saturate"], false);
  EXPECT_EQ(used["integrator"], "rk4");
  EXPECT_EQ(used["step"], 0.001);
  EXPECT_EQ(used["every"], 10);
  EXPECT_EQ(used["at_limit"], "stop");
  EXPECT_EQ(used["ignore_extra"], false);
  const CsvColumns motion = desired();
  EXPECT_EQ(used["q0"], nlohmann::json({motion.at("q1")[0], motion.at("q2")[0]}));
  EXPECT_EQ(used["qd0"], nlohmann::json({motion.at("qd1")[0], motion.at("qd2")[0]}));
  EXPECT_EQ(summary["rows"], 101);
  EXPECT_EQ(summary["t"], nlohmann::json({0, 1}));
  EXPECT_EQ(summary["end"], "complete");
  ASSERT_EQ(summary["joints"].size(), 2U);
  const auto& elbow = summary["joints"][1];
  const std::vector<double> e = columns(
                                    "--kp 100,25 --kv 20 --encoder 0.001 --delay 1 "
                                    "--model-without gravity --quiet")
                                    .at("e2");
  EXPECT_EQ(elbow["name"], "elbow");
  EXPECT_EQ(elbow["unit"], "rad");
  EXPECT_EQ(elbow["peak_error"], largest(e));
  EXPECT_EQ(elbow["last_error"], e.back());
  EXPECT_LT(elbow["rms_error"], largest(e));
  EXPECT_EQ(elbow["torque_unit"], "N·m");
  EXPECT_GT(elbow["peak_torque"], 0.0);
  EXPECT_EQ(elbow["saturated"], 0);
  EXPECT_EQ(summary["warnings"], nlohmann::json::array());

  shell.write("coupled.csv", "100,30\n30,100\n");
  const auto coupled =
      nlohmann::json::parse(track("--json -o out.csv --kp coupled.csv --kv 20").out);
  EXPECT_EQ(coupled["options"]["kp"], nlohmann::json::parse("[[100,30],[30,100]]"));

  const auto started = nlohmann::json::parse(
      track("--json -o out.csv --ignore-extra --q0 '0,180 deg' --qd0 0.1,-0.2").out)["options"];
  EXPECT_EQ(started["q0"], nlohmann::json({0.0, std::numbers::pi}));
  EXPECT_EQ(started["qd0"], nlohmann::json({0.1, -0.2}));
  EXPECT_EQ(started["ignore_extra"], true);
}

TEST_F(Track, DrawsErrorsAndTorques) {
  if (shell.run("command -v gnuplot").exit_code != 0) GTEST_SKIP() << "no gnuplot";
  const Outcome outcome = track("--plot track.svg -o out.csv --model-without rotors");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("picture: track.svg\n"), std::string::npos);
  const std::string picture = shell.read("track.svg");
  for (const std::string text :
       {"craig-rr: position, error (desired − actual) and torque (model without rotors), ",
        "shoulder", "elbow", "q1", "e1", "τ2", "N·m", ">desired<", ">actual<"}) {
    EXPECT_NE(picture.find(text), std::string::npos) << text;
  }
}

/// The message of a command that must end with this exit code and leave nothing behind.
std::string mistake(const Shell& shell, const std::string& options, int exit_code) {
  const Outcome outcome = shell.run("$armdyn track craig-rr " + options);
  EXPECT_EQ(outcome.exit_code, exit_code) << options << "\n" << outcome.err;
  EXPECT_EQ(outcome.out, "") << options;
  return outcome.err;
}

TEST_F(Track, AnswersMistakesOnTheCommandLineByWhatToDo) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"--controller pid",
       "--controller: found \"pid\", expected one of computed-torque, pd, pd-gravity, feedforward; "
       "did you mean 'pd'?"},
      {"--controller pd",
       "--controller pd needs --kp and --kv, in torque per position and velocity"},
      {"--controller feedforward --kp 3",
       "--controller feedforward needs --kp and --kv, in torque per position and velocity"},
      {"--controller pd --kp 1 --kv 1 --model craig-rr",
       "--controller pd has no model; leave out --model and --model-without"},
      {"--controller pd --kp 1 --kv 1 --model-without gravity",
       "--controller pd has no model; leave out --model and --model-without"},
      {"--kp 1,2,3", "--kp: found 3 numbers in \"1,2,3\", expected 1 or 2"},
      {"--kv gains",
       "--kv: found \"gains\", expected a number for all joints, 2 numbers, or a 2×2 matrix, by "
       "rows as in \"4,1;1,3\" or in a file"},
      {"--kp '100,30;30' --kv 1",
       "--kp: found \"100,30;30\", expected a number for all joints, 2 numbers, or a 2×2 matrix, "
       "by "
       "rows as in \"4,1;1,3\" or in a file"},
      {"--kp 10,1.5x",
       "--kp: found \"10,1.5x\", expected a number for all joints, 2 numbers, or a 2×2 matrix, by "
       "rows as in \"4,1;1,3\" or in a file"},
      {"--kp 1,-4", "--kp: found -4, expected a positive gain, so that errors decay"},
      {"--kp coupled.csv", "--kp couples joints, so that --kv has no default; give --kv as well"},
      {"--kp coupled.csv --kv 2 -o coupled.csv",
       "the output 'coupled.csv' is an input; name another file"},
      {"--kp 100 --kv coupled.csv -o out.csv --plot ./coupled.svg",
       "the output './coupled.svg' is an input; name another file"},
      {"--sample-time -1", "--sample-time: found \"-1\", expected seconds, 0 or more"},
      {"--sample-time 0 --delay 1", "--delay counts samples; give --sample-time above 0"},
      {"--sample-time 0 --encoder 0.001",
       "--encoder applies at samples; give --sample-time above 0"},
      {"--delay 0.5", "--delay: found \"0.5\", expected a whole number of 0 or more, in samples"},
      {"--every 0", "--every: found \"0\", expected a whole number of 1 or more"},
      {"--encoder 0", "--encoder: found \"0\", expected numbers greater than 0"},
      {"--encoder 4096",
       "--encoder: found \"4096\", expected a step in rad or ' deg'; 4096 counts per turn have "
       "steps of \"0.088 deg\""},
      {"--max-error 0.5deg",
       "--max-error: found \"0.5deg\", expected a number; ' deg', with its blank, stands once, "
       "after the whole list"},
      {"--dt 0.1", "track has no option --dt; its name is --step (armdyn track --help lists them)"},
      {"--uncertainty mass=5%",
       "track has no option --uncertainty; size, vary have it (armdyn track --help lists them)"},
      {"--json=out.json", "track: --json takes no value; > FILE keeps what it prints"},
      {"--saturate", "--saturate: craig-rr has no torque limits"},
      {"--q0 home", "--q0: craig-rr has no pose 'home', it has example"},
      {"--q0 1", "--q0: found 1 number in \"1\", expected 2, one per joint of craig-rr"},
      {"--method lagrangian",
       "--method: found \"lagrangian\", expected one of newton-euler, modified-newton-euler, "
       "lagrange, newton-euler-in-base; did you mean 'lagrange'?"},
      {"--model puma560", "--model: puma560 has joints RRRRRR, but craig-rr has RR"},
      {"--model-without mass",
       "--model-without: found \"mass\", expected one of friction, rotors, payload, gravity"},
      {"--at-limit off", "--at-limit: found \"off\", expected one of stop, ignore"},
      {"--tolerance 1e-6",
       "--tolerance is for --integrator dopri5 and rkf78; the accuracy of rk4 follows from --step"},
      {"--plot track.bmp", "--plot: 'track.bmp' must end in .svg, .png or .pdf"},
      {"--sampletime 1",
       "track has no option --sampletime; did you mean '--sample-time'? (armdyn track --help lists "
       "them)"},
      {"-o motion.csv", "the output 'motion.csv' is an input; name another file"},
      {"--model mine.yaml -o mine.csv", "the output 'mine.csv' is an input; name another file"},
      {"--plot ./motion.svg -o ./motion.csv",
       "the output './motion.csv' is an input; name another file"},
  };
  ASSERT_EQ(shell.run("$armdyn robots copy craig-rr mine.yaml").exit_code, 0);
  shell.write("coupled.csv", "100,30\n30,100\n");
  ASSERT_EQ(shell.run("ln mine.yaml mine.csv").exit_code, 0);
  ASSERT_EQ(shell.run("ln coupled.csv coupled.svg").exit_code, 0);
  for (const auto& [options, expected] : cases) {
    EXPECT_EQ(mistake(shell, "motion.csv " + options, 2), "armdyn: " + expected + "\n");
  }
}

TEST_F(Track, AnswersMistakesInFilesByTheirPlace) {
  shell.write("q.csv", "t,q1,q2\n0,0,0\n1,1,1\n");
  shell.write("one.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n");
  shell.write("back.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n0,0,0,0,0,0,0\n");
  shell.write("cell.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n1,0,zero,0,0,0,0\n");
  shell.write("short.csv", "100,0\n");
  shell.write("wide.csv", "100,0\n0,100,0\n");
  shell.write("kp.npy", "\x93NUMPY\n");
  const std::vector<std::tuple<std::string, int, std::string>> cases{
      {"q.csv", 3,
       "q.csv:1: missing columns qd1..qd2, qdd1..qdd2; the file has t, q1, q2; armdyn torque "
       "--derive --keep-motion computes qd and qdd from q"},
      {"one.csv", 3, "one.csv: found 1 row, a motion has at least 2"},
      {"back.csv", 3, "back.csv:3: t is 0 after 0, it must increase from row to row"},
      {"cell.csv", 3, "cell.csv:3: column \"q2\": found \"zero\", expected a number"},
      {"none.csv", 4, "armdyn: cannot read none.csv: No such file or directory"},
      {"motion.csv --kp nofile.csv", 4,
       "armdyn: cannot read nofile.csv: No such file or directory"},
      {"motion.csv --kv folder/gains", 4,
       "armdyn: cannot read folder/gains: No such file or directory"},
      {"motion.csv --kp short.csv --kv 1", 3,
       "short.csv: found 1 row, expected a matrix of 2 rows"},
      {"motion.csv --kp kp.npy --kv 1", 3,
       "kp.npy: this is an array in NumPy's format, but a matrix of gains is text, one line per "
       "row; np.savetxt(\"kp.csv\", K, delimiter=\",\") writes that"},
      {"motion.csv --kp wide.csv --kv 1", 3,
       "wide.csv:2: found \"0,100,0\", expected a matrix of 2 rows with 2 numbers each, separated "
       "by commas"},
      {"motion.csv --model none.yaml", 4,
       "armdyn: cannot read none.yaml: No such file or directory"},
      {"motion.csv -o none/out.csv", 4,
       "armdyn: cannot write none/out.csv: there is no folder none; create it first"},
  };
  for (const auto& [options, exit_code, expected] : cases) {
    EXPECT_EQ(mistake(shell, options, exit_code), expected + "\n");
  }
}

TEST_F(Track, WarnsOfGainsThatDoNotLetErrorsDieOut) {
  const Outcome outcome = track("--kp -4 --kv 1 -o out.csv --quiet");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err,
            "armdyn: warning: even with a perfect model the sampled loop is unstable, errors "
            "grow as exp(1.56 t); change --kp or --kv\n");
}

TEST_F(Track, SaysBeforeItFailsThatGainsMakeTheLoopUnstable) {
  shell.write("skew.csv", "100,3000\n-3000,100\n");
  const Outcome outcome = track("--kp skew.csv --kv 20 --sample-time 0 --q0 0.01,0 -o out.csv");
  EXPECT_EQ(outcome.err.find("armdyn: warning: even with a perfect model the closed loop is "
                             "unstable, errors grow as exp(28.7 t); change --kp or --kv\n"),
            0U)
      << outcome.err;
}

TEST_F(Track, DoesNotBlameADamperForAllJoints) {
  shell.write("kp.csv", "100,0\n0,150\n");
  shell.write("kv.csv", "20,10\n10,5\n");  // one eigenvalue is 0
  const Outcome outcome = track("--kp kp.csv --kv kv.csv --sample-time 0 -o out.csv --json");
  const auto summary = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(summary["warnings"], nlohmann::json::array());
  const auto& loop = summary["closed_loop"];
  EXPECT_EQ(loop["conditions"]["hold"], true);
  EXPECT_EQ(loop["conditions"]["rank"], 2);
  EXPECT_EQ(loop["continuous"]["stability"], "stable");
  EXPECT_EQ(loop["continuous"]["eigenvalues"].size(), 4U);
  EXPECT_FALSE(loop.contains("sampled"));
}

TEST_F(Track, GivesTheClosedLoopOfComputedTorqueAlone) {
  EXPECT_NE(
      track("-o out.csv")
          .out.find("closed loop  torque at all times: errors die out, the slowest as exp(-10 t); "
                    "sampled: errors die\n             out, the slowest as exp(-8.34 t)."),
      std::string::npos);
  const Outcome pd = track("--controller pd --kp 100 --kv 20 -o out.csv --json");
  EXPECT_FALSE(nlohmann::json::parse(pd.out).contains("closed_loop"));
}

TEST_F(Track, LeavesNothingBehindWhereItsInputIsWrong) {
  shell.write("out.csv", "precious\n");
  EXPECT_EQ(track("--kp 1,2,3 -o out.csv").exit_code, 2);
  EXPECT_EQ(shell.read("out.csv"), "precious\n");
}

TEST_F(Track, SaysThatTimesCountFromTheFirst) {
  shell.write("since1970.csv",
              "t,q1,q2,qd1,qd2,qdd1,qdd2\n1700000000,0,0,0,0,0,0\n1700000000.01,0,0,0,0,0,0\n");
  const auto err = [&](const std::string& options) {
    return shell.run("$armdyn track craig-rr since1970.csv -o out.csv " + options).err;
  };
  EXPECT_EQ(err("").find("since1970.csv: t counts from the first stamp\n"), 0U) << err("");
  EXPECT_EQ(err("--quiet").find("stamp"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(
                shell.run("$armdyn track craig-rr since1970.csv -o out.csv --json").out)["end"],
            "complete");
}

}  // namespace
}  // namespace armdyn::testing
