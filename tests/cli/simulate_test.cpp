// The program as a user runs it to see what torques do.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>

#include "support/csv_columns.hpp"
#include "support/paths.hpp"
#include "support/simulate_verb.hpp"

namespace armdyn::testing {
namespace {

using nlohmann::json;

/// A cart of 2 kg on level rails: q̈ = τ/2.
const std::string cart_file =
    "armdyn: 1\n"
    "name: cart\n"
    "convention: modified\n"
    "joints:\n"
    "  - {name: rail, type: prismatic, dh: {a: 0, alpha: pi/2, d: 0, theta: 0}, mass: 2}\n";

/// The file with something more in the joint's braces.
std::string cart_with(const std::string& more) {
  return cart_file.substr(0, cart_file.rfind('}')) + ", " + more + "}\n";
}

class Simulate : public SimulateVerb {
 protected:
  Simulate() { shell.write("cart.yaml", cart_file); }

  /// The columns of a run that ends well.
  CsvColumns columns(const std::string& arguments) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << arguments << "\n" << outcome.err;
    return csv_columns(outcome.out);
  }
  /// With this as tau.csv, if it is given.
  json summary(const std::string& arguments, const std::string& torques = "") const {
    if (!torques.empty()) shell.write("tau.csv", torques);
    return json::parse(run(arguments + " --json -o out.csv").out);
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// --- columns
// --------------------------------------------------------------------------------------

TEST_F(Simulate, WritesTimePositionVelocityAccelerationAndTorque) {
  shell.write("tau.csv", "tau_elbow,t,tau1\n1,0,2\n3,0.5,4\n");
  const Outcome outcome = run("craig-rr tau.csv --step 0.25");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(header(outcome), "t,q1,q2,qd1,qd2,qdd1,qdd2,tau1,tau2");
  const CsvColumns found = csv_columns(outcome.out);
  EXPECT_EQ(found.at("t"), (std::vector<double>{0, 0.25, 0.5}));
  EXPECT_EQ(found.at("tau1"), (std::vector<double>{2, 3, 4}));
  EXPECT_EQ(found.at("tau2"), (std::vector<double>{1, 2, 3}));
}

TEST_F(Simulate, CarriesTheHandWrenchOn) {
  shell.write("tau.csv", "t,tau1,fx,fy,fz,nx,ny,nz\n0,1,0,0,3,0,0,7\n1,1,0,0,5,0,0,7\n");
  const Outcome outcome = run("cart.yaml tau.csv --step 0.5");
  EXPECT_EQ(header(outcome), "t,q1,qd1,qdd1,tau1,fx,fy,fz,nx,ny,nz");
  const CsvColumns found = csv_columns(outcome.out);
  EXPECT_EQ(found.at("fz"), (std::vector<double>{3, 4, 5}));
  EXPECT_EQ(found.at("nz"), (std::vector<double>{7, 7, 7}));
  // What the TCP exerts along the rail, the drive has to deliver.
  EXPECT_EQ(found.at("qdd1"), (std::vector<double>{-1, -1.5, -2}));
}

/// Torques that come as they are made are read as they come.
TEST_F(Simulate, KnowsADecimalCommaThatArrivesLate) {
  const Outcome whole = shell.run(
      "printf 't;tau1\\n0;1\\n1;1,5\\n2;2\\n' > tau.csv; $armdyn simulate cart.yaml tau.csv");
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const Outcome late = shell.run(
      "{ printf 't;tau1\\n0;1\\n'; sleep 0.3; printf '1;1,5\\n2;2\\n'; } | "
      "$armdyn simulate cart.yaml -");
  EXPECT_EQ(late.exit_code, 0) << late.err;
  EXPECT_EQ(late.out, whole.out);
}

TEST_F(Simulate, ConvertsTheUnitsOfItsColumns) {
  shell.write("si.csv", "t,tau1,q1\n0.5,1,0.25\n1,2,9\n");
  shell.write("other.csv", "t[ms],tau1,q1[mm]\n500,1,250\n1000,2,9000\n");
  EXPECT_EQ(run("cart.yaml other.csv --step 0.1").out, run("cart.yaml si.csv --step 0.1").out);
}

TEST_F(Simulate, ReadsColumnsByTheNamesThatItIsGiven) {
  shell.write("si.csv", "t,tau1\n0.5,1\n1,2\n");
  shell.write("other.csv", "clock,force\n0.5,1\n1,2\n");
  const std::string columns = " --columns t=clock,tau1=force";
  EXPECT_EQ(run("cart.yaml other.csv" + columns).out, run("cart.yaml si.csv").out);
  shell.write("starts.csv", "a\n0.1\n");
  const Outcome batch = run("cart.yaml --batch starts.csv --duration 1 --columns q1=a");
  EXPECT_EQ(batch.exit_code, 0) << batch.err;
}

// --- the motion that the torques were computed for
// ----------------------------------------------------------------

/// 2 N on 2 kg: after t the cart is t²/2 from where it stood.
TEST_F(Simulate, SaysHowFarItComesFromTheMotionOfItsTorques) {
  shell.write("tau.csv", "t,tau1,q1[mm]\n0,2,0\n1,2,0\n2,2,1800\n");
  const json joint = summary("cart.yaml tau.csv").at("joints")[0];
  EXPECT_NEAR(joint.at("departure"), 0.5, 1e-12);
  EXPECT_EQ(joint.at("departure_time"), 1.0);
  EXPECT_NEAR(joint.at("departure_last"), 0.2, 1e-12);
  const Outcome outcome = run("cart.yaml tau.csv -o out.csv");
  EXPECT_TRUE(
      has(outcome.out, "off the q of TORQUES: 0.2 m (rail) at the end, at most 0.5 m (rail), at t"))
      << outcome.out;
  EXPECT_TRUE(has(outcome.err, "armdyn track follows a motion with a controller")) << outcome.err;
}

TEST_F(Simulate, NamesTrackOnlyWhereTheMotionIsLeft) {
  shell.write("tau.csv", "t,tau1,q1\n0,2,0\n1,2,0.505\n");
  const Outcome outcome = run("cart.yaml tau.csv -o out.csv");
  EXPECT_TRUE(has(outcome.out, "off the q of TORQUES: 0.005 m (rail) at the end")) << outcome.out;
  EXPECT_FALSE(has(outcome.err, "armdyn track")) << outcome.err;
  shell.write("tau.csv", "t,tau1\n0,2\n1,2\n");
  EXPECT_FALSE(has(run("cart.yaml tau.csv -o out.csv").out, "off the q"));
  EXPECT_FALSE(summary("cart.yaml tau.csv").at("joints")[0].contains("departure"));
}

TEST_F(Simulate, SaysWhereTorquesAloneStartAtZero) {
  const std::string torque = "$armdyn torque puma560 puma560-pick-and-place --quiet ";
  const auto out = [&](const std::string& of_torque, const std::string& options) {
    return shell
        .run(torque + of_torque + "-o tau.csv; $armdyn simulate puma560 tau.csv --duration " +
             "0.01 -o out.csv " + options)
        .out;
  };
  const std::string remark =
      "\nTORQUES has no q, so the start is q = 0; --q0 gives another, and armdyn torque "
      "--keep-motion writes the motion beside its torques\n";
  EXPECT_TRUE(has(out("", ""), remark)) << out("", "");
  EXPECT_TRUE(has(out("", "--json"), "\"remarks\": [\n    \"TORQUES has no q"))
      << out("", "--json");
  EXPECT_FALSE(has(out("", "--q0 0,0,0,0,0,0"), "TORQUES has"));
  EXPECT_FALSE(has(out("--keep-motion ", ""), "TORQUES has"));
  EXPECT_FALSE(
      has(shell.run("$armdyn simulate puma560 --duration 0.01 -o out.csv").out, "TORQUES"));
}

/// A shipped arm that is fed with its own torques falls off its way until a joint meets a limit.
TEST_F(Simulate, OfAnArmThatFallsOffItsWayNamesTrack) {
  const Outcome outcome = shell.run(
      "$armdyn trajectory ur10 --from 0,-1,1,0,0,0 --to 1,-0.5,0.5,0,1,0 --duration 4 --rate 50 "
      "--quiet | $armdyn torque ur10 - --keep-motion --quiet | $armdyn simulate ur10 - -o out.csv");
  EXPECT_TRUE(has(outcome.out, "rad (")) << outcome.out;
  EXPECT_TRUE(has(outcome.err, "armdyn track follows a motion with a controller")) << outcome.err;
}

// --- Euler's method
// -----------------------------------------------------------------------------------------------

/// q_N = a h² N (N − 1)/2, which is ½ a h T short of a T²/2, as --estimate-error finds.
TEST_F(Simulate, ByEulerIsWrongByWhatItsSumSays) {
  const json found = summary("cart.yaml tau.csv --integrator euler --step 0.01 --estimate-error",
                             "t,tau1\n0,6\n2,6\n");
  const json joint = found.at("joints")[0];
  EXPECT_NEAR(joint.at("q_last"), 3 * 1e-4 * 200 * 199 / 2, 1e-12);
  EXPECT_NEAR(joint.at("error_q"), 0.5 * 3 * 0.01 * 2, 1e-12);
  EXPECT_EQ(found.at("options").at("integrator"), "euler");
  EXPECT_EQ(found.at("steps"), 200);
}

TEST_F(Simulate, ByEulerInABatchIsAsAlone) {
  shell.write("starts.csv", "q1,q2\n0.3,-1\n1,0.5\n");
  const Outcome alone =
      run("craig-rr --q0 1,0.5 --duration 0.5 --integrator euler --quiet | tail -n 1");
  const Outcome batch =
      run("craig-rr --batch starts.csv --duration 0.5 --integrator euler --quiet | tail -n 1");
  EXPECT_EQ(batch.out.substr(0, 8), "2,0,0,0.");
  EXPECT_TRUE(has(batch.out, alone.out.substr(0, alone.out.size() - 1))) << batch.out << alone.out;
}

// --- the start
// ------------------------------------------------------------------------------------

TEST_F(Simulate, StartsWhereItIsTold) {
  const auto first = [&](const std::string& options) {
    CsvColumns found = columns("puma560 --duration 0.001 --at-limit ignore " + options);
    std::vector<double> state;
    for (const std::string column : {"q1", "q2", "q3", "qd1", "qd2"}) {
      state.push_back(found.at(column).front());
    }
    return state;
  };
  const double pi = std::numbers::pi;
  EXPECT_EQ(first(""), (std::vector<double>{0, 0, 0, 0, 0}));
  EXPECT_EQ(first("--q0 0,-1.5,pi/2,0,0,0"), (std::vector<double>{0, -1.5, pi / 2, 0, 0}));
  EXPECT_EQ(first("--q0 '-45,90,-90,0,0,0 deg'"),
            (std::vector<double>{-pi / 4, pi / 2, -pi / 2, 0, 0}));
  EXPECT_EQ(first("--q0 qr"), (std::vector<double>{0, pi / 2, -pi / 2, 0, 0}));
  EXPECT_EQ(first("--qd0 -1,0.5,0,0,0,0"), (std::vector<double>{0, 0, 0, -1, 0.5}));
  EXPECT_EQ(first("--qd0 '-180,90,0,0,0,0 deg'"), (std::vector<double>{0, 0, 0, -pi, pi / 2}));
}

TEST_F(Simulate, StartsWithTheFirstRowWhereItHasAState) {
  shell.write("tau.csv", "t,tau1,q1,qd1\n2,0,0.5,3\n3,0,7,8\n");
  CsvColumns found = columns("cart.yaml tau.csv --step 0.5");
  EXPECT_EQ(found.at("t"), (std::vector<double>{2, 2.5, 3}));
  EXPECT_EQ(found.at("q1"), (std::vector<double>{0.5, 2, 3.5}));
  found = columns("cart.yaml tau.csv --step 0.5 --q0 1 --qd0 -1");
  EXPECT_EQ(found.at("q1"), (std::vector<double>{1, 0.5, 0}));
}

TEST_F(Simulate, OfNoDurationGivesTheAccelerationAtTheStart) {
  shell.write("tau.csv", "t,tau1\n0,6\n1,8\n");
  const Outcome outcome = run("cart.yaml tau.csv --duration 0");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "t,q1,qd1,qdd1,tau1\n0,0,0,3,6\n");
  EXPECT_TRUE(has(outcome.err, "cart: 1 row, t = 0 to 0 s, 0 steps")) << outcome.err;
  shell.write("one.csv", "t,tau1\n0.5,6\n");
  EXPECT_EQ(run("cart.yaml one.csv").out, "t,q1,qd1,qdd1,tau1\n0.5,0,0,3,6\n");
}

// --- steps and rows
// -------------------------------------------------------------------------------

TEST_F(Simulate, ShortensTheLastStep) {
  EXPECT_EQ(columns("cart.yaml --duration 0.5 --step 0.2").at("t"),
            (std::vector<double>{0, 0.2, 0.4, 0.5}));
  EXPECT_EQ(columns("cart.yaml --duration 0.5 --step 20").at("t"), (std::vector<double>{0, 0.5}));
}

TEST_F(Simulate, TakesStepsOfAMillisecondIfNotTold) {
  const std::vector<double> t = columns("cart.yaml --duration 1").at("t");
  EXPECT_EQ(t.size(), 1001U);
  EXPECT_EQ(t[500], 0.5);
}

TEST_F(Simulate, LandsOnTorqueRows) {
  shell.write("tau.csv", "t,tau1\n0,0\n0.15,1\n0.4,2\n");
  EXPECT_EQ(columns("cart.yaml tau.csv --step 0.1").at("t"),
            (std::vector<double>{0, 0.1, 0.15, 0.2, 0.3, 0.4}));
}

TEST_F(Simulate, WritesEachKthStepAndTheLast) {
  EXPECT_EQ(columns("cart.yaml --duration 0.7 --step 0.1 --every 3").at("t"),
            (std::vector<double>{0, 0.3, 0.6, 0.7}));
}

TEST_F(Simulate, HoldsTheLastTorqueWithAWarning) {
  shell.write("tau.csv", "t,tau1\n0,0\n1,4\n");
  const Outcome outcome = run("cart.yaml tau.csv --step 0.5 --duration 2");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(csv_columns(outcome.out).at("tau1"), (std::vector<double>{0, 2, 4, 4, 4}));
  EXPECT_TRUE(
      has(outcome.err, "armdyn: warning: the last torque, of t = 1 s, is held to t = 2 s\n"))
      << outcome.err;
  EXPECT_FALSE(has(run("cart.yaml tau.csv --duration 1").err, "warning"));
  EXPECT_FALSE(has(run("cart.yaml tau.csv --duration 0.3").err, "warning"));
  EXPECT_EQ(summary("cart.yaml tau.csv --duration 2")["warnings"],
            json({"the last torque, of t = 1 s, is held to t = 2 s"}));
}

TEST_F(Simulate, HoldsEachRowsTorqueFromItsTimeOnIfTold) {
  // q̈ = τ/2: 0 for a second, then 2 from rest.
  shell.write("tau.csv", "t,tau1\n0,0\n1,4\n2,-4\n");
  const CsvColumns found = columns("cart.yaml tau.csv --step 0.5 --interpolation hold");
  EXPECT_EQ(found.at("tau1"), (std::vector<double>{0, 0, 4, 4, -4}));
  EXPECT_EQ(found.at("qdd1"), (std::vector<double>{0, 0, 2, 2, -2}));
  EXPECT_EQ(found.at("qd1"), (std::vector<double>{0, 0, 0, 1, 2}));
  EXPECT_EQ(found.at("q1"), (std::vector<double>{0, 0, 0, 0.25, 1}));
  const CsvColumns linear = columns("cart.yaml tau.csv --step 0.5");
  EXPECT_EQ(linear.at("tau1"), (std::vector<double>{0, 2, 4, 0, -4}));
  EXPECT_EQ(linear.at("qdd1"), (std::vector<double>{0, 1, 2, 0, -2}));
  EXPECT_EQ(columns("cart.yaml tau.csv --step 0.5 --interpolation linear"), linear);
}

// --- methods
// --------------------------------------------------------------------------------------

TEST_F(Simulate, GivesTheSameMotionByEveryIntegrator) {
  const std::string fall = "craig-rr --q0 0.3,-0.8 --duration 1 --step 0.5 ";
  const auto error = [&](const std::string& options) {
    const CsvColumns exact = columns("craig-rr --q0 0.3,-0.8 --duration 1 --step 1e-4"),
                     found = columns(fall + options);
    return std::abs(found.at("q2").back() - exact.at("q2").back());
  };
  EXPECT_GT(error("--integrator rk4"), 1e-3);  // with steps of half a second
  EXPECT_LT(error("--integrator dopri5"), 1e-7);
  EXPECT_LT(error("--integrator dopri5 --tolerance 1e-12"), 1e-10);
  EXPECT_LT(error("--integrator rkf78 --tolerance 1e-12"), 1e-10);
  EXPECT_GT(error("--integrator dopri5 --tolerance 1e-3"), 1e-7);
  EXPECT_EQ(columns(fall + "--integrator dopri5").at("t"), (std::vector<double>{0, 0.5, 1}));
}

TEST_F(Simulate, GivesTheSameMotionByEveryForwardDynamics) {
  const std::string fall = "stanford --q0 0.3,-0.8,0.4,0,1,0 --at-limit ignore --duration 0.2 ";
  const Outcome composite = run(fall + "--method composite --quiet");
  const CsvColumns expected = csv_columns(composite.out);
  EXPECT_EQ(run(fall + "--quiet").out, composite.out);  // the default for six joints
  for (const std::string method : {"articulated", "strobe"}) {
    const Outcome outcome = run(fall + "--quiet --method " + method);
    EXPECT_NE(outcome.out, composite.out) << method;  // other roundings
    const CsvColumns found = csv_columns(outcome.out);
    for (const std::string column : {"q1", "q3", "qd2", "qdd6"}) {
      const double value = expected.at(column).back();
      EXPECT_NEAR(found.at(column).back(), value, 1e-10 * (1 + std::abs(value))) << method;
    }
  }
}

TEST_F(Simulate, EstimatesItsError) {
  // q̇ decays by 50/s; a step of RK4 of z = 50 h multiplies it by 1 − z + z²/2 − z³/6 + z⁴/24.
  shell.write("slow.yaml", cart_with("friction: {viscous: 100}"));
  const auto factor = [](double z) {
    return 1 - z + z * z / 2 - z * z * z / 6 + z * z * z * z / 24;
  };
  const std::string decay = "slow.yaml --qd0 1 --duration 0.01 --step 0.01 --estimate-error";
  const json joint = summary(decay)["joints"][0];
  EXPECT_NEAR(joint["error_qd"].get<double>(),
              16.0 / 15.0 * std::abs(factor(0.5) - factor(0.25) * factor(0.25)), 1e-15);
  EXPECT_GT(joint["error_q"].get<double>(), 0.0);
  EXPECT_TRUE(has(run(decay).err, "error of q")) << run(decay).err;
  EXPECT_FALSE(summary("slow.yaml --qd0 1 --duration 0.01")["joints"][0].contains("error_q"));
}

TEST_F(Simulate, WarnsOfAStepThatIsCoarseForTheArm) {
  shell.write("slow.yaml", cart_with("friction: {viscous: 100}"));
  const std::string expected =
      "the step of 0.01 s is coarse for this arm: at t = 0 s friction slows rail at a rate of "
      "50/s; take steps below 0.005 s, or --integrator dopri5";
  const std::string decay = "slow.yaml --qd0 1 --duration 0.1 ";
  EXPECT_TRUE(has(run(decay + "--step 0.01").err, "armdyn: warning: " + expected + "\n"));
  const json found = summary(decay + "--step 0.01");
  EXPECT_EQ(found["warnings"], json({expected}));
  EXPECT_EQ(found["coarse_step"]["joint"], "rail");
  EXPECT_EQ(found["coarse_step"]["rate"], 50);
  EXPECT_EQ(found["coarse_step"]["advised"], 0.005);
  EXPECT_FALSE(has(run(decay + "--step 0.004").err, "warning"));
  EXPECT_FALSE(has(run(decay + "--step 0.01 --integrator dopri5").err, "warning"));
}

TEST_F(Simulate, EstimatesTheErrorOfAnAdaptiveIntegratorWhoseStepsAreCapped) {
  // The tolerance allows far more than the torque rows, and than a radian of a joint's turn, do.
  shell.write("rows.csv", "t,tau1,tau2\n0,20,3\n0.05,-15,-4\n0.1,5,3\n0.15,20,-4\n0.2,-15,3\n");
  for (const std::string motion : {"craig-rr --duration 2", "craig-rr rows.csv"}) {
    const std::string fall = motion + " --q0 1,0.5 --step 0.01 --integrator ";
    const std::vector<double> exact = columns(fall + "rkf78 --tolerance 1e-13").at("q1");
    for (const std::string integrator : {"dopri5", "rkf78"}) {
      const std::string coarse = fall + integrator + " --tolerance 0.01";
      const json joint = summary(coarse + " --estimate-error")["joints"][0];
      const std::vector<double> q = columns(coarse).at("q1");
      double error = 0.0;  // the largest on the way
      for (std::size_t row = 0; row < exact.size(); ++row) {
        error = std::max(error, std::abs(q[row] - exact[row]));
      }
      EXPECT_GT(error, 1e-10);
      EXPECT_GT(joint["error_q"].get<double>(), 0.9 * error) << coarse;
      EXPECT_LT(joint["error_q"].get<double>(), 2.0 * error) << coarse;
    }
  }
}

TEST_F(Simulate, WarnsOfAStepThatLeapsOverStaticFriction) {
  const auto last_q = [&](const std::string& step) {
    return summary("sticky.yaml tau.csv --step " + step)["joints"][0]["q_last"].get<double>();
  };
  shell.write("sticky.yaml",
              cart_with("friction: {coulomb: 4, static: 5, stribeck_velocity: 0.01}"));
  shell.write("tau.csv", "t,tau1\n0,24\n1,-24\n2,24\n");
  const std::string warning =
      "the speed of rail changes by 2.6 times its stribeck_velocity; take "
      "steps below 0.00077 s";
  EXPECT_TRUE(has(run("sticky.yaml tau.csv --step 0.002").err, warning))
      << run("sticky.yaml tau.csv --step 0.002").err;
  EXPECT_FALSE(has(run("sticky.yaml tau.csv --step 0.0005").err, "coarse"));
  const double exact = last_q("2e-5");
  EXPECT_GT(std::abs(last_q("0.002") - exact), 1e-6);
  EXPECT_LT(std::abs(last_q("0.0005") - exact), 2e-7);
}

TEST_F(Simulate, SaysThatARippleIsTooFastForTheStep) {
  shell.write("rippled.yaml",
              cart_with("friction: {coulomb: 1, ripple: {amplitude: 0.1, harmonic: 1000}}"));
  const std::string found = run("rippled.yaml --qd0 2 --duration 0.1 --step 0.001").err;
  EXPECT_TRUE(has(found, "rail goes through the ripple of its friction at 2e+03 rad/s")) << found;
}

TEST_F(Simulate, GivesTheStepAsItWasGiven) {
  shell.write("slow.yaml", cart_with("friction: {viscous: 100}"));
  EXPECT_EQ(summary("slow.yaml --qd0 1 --duration 0.3 --step 0.02")["coarse_step"]["step"], 0.02);
  shell.write("swung.csv", "t,tau1\n0,0\n0.3,100\n1,-10\n");
  EXPECT_EQ(summary("slow.yaml swung.csv --step 0.02")["coarse_step"]["step"], 0.02);
}

TEST_F(Simulate, WarnsOfOneLongStepThatAnArmAtRestSetsOutWith) {
  // Level and at rest the arm gives no cause for alarm; only the step's end does.
  EXPECT_TRUE(has(run("craig-rr --duration 0.5 --step 2").err,
                  "the step of 2 s, here shortened to 0.5 s, is coarse"));
}

// --- how it ends
// ----------------------------------------------------------------------------------

TEST_F(Simulate, EndsAtAPositionLimit) {
  shell.write("short.yaml", cart_with("limits: {position: [-1, 0.5]}"));
  shell.write("tau.csv", "t,tau1\n0,2\n3,2\n");  // q = t²/2
  const Outcome stopped = run("short.yaml tau.csv --step 0.3");
  EXPECT_EQ(stopped.exit_code, 1);
  const CsvColumns found = csv_columns(stopped.out);
  ASSERT_EQ(found.at("t").size(), 5U);
  EXPECT_NEAR(found.at("t").back(), 1.0, 1e-12);
  EXPECT_EQ(found.at("q1").back(), 0.5);
  EXPECT_TRUE(has(stopped.err,
                  "armdyn: rail reaches its limit 0.5 m at t = 1 s; the 5 rows so far are kept\n"))
      << stopped.err;

  const Outcome to_file = run("short.yaml tau.csv --step 0.3 -o out.csv --json");
  EXPECT_EQ(to_file.exit_code, 1);
  EXPECT_EQ(shell.read("out.csv"), stopped.out);
  const json found_json = json::parse(to_file.out);
  EXPECT_EQ(found_json["end"], "limit");
  EXPECT_EQ(found_json["limit"]["joint"], "rail");
  EXPECT_EQ(found_json["limit"]["limit"], 0.5);
  EXPECT_NEAR(found_json["limit"]["time"].get<double>(), 1.0, 1e-12);
  EXPECT_EQ(found_json["message"],
            "rail reaches its limit 0.5 m at t = 1 s; the 5 rows so far are kept");

  const CsvColumns ignored = columns("short.yaml tau.csv --step 0.3 --at-limit ignore");
  EXPECT_EQ(ignored.at("t").back(), 3.0);
  EXPECT_NEAR(ignored.at("q1").back(), 4.5, 1e-14);
}

TEST_F(Simulate, DoesNotSetOutBeyondALimit) {
  shell.write("short.yaml", cart_with("limits: {position: [-1, 0.5]}"));
  const Outcome outcome = run("short.yaml --q0 0.75 --duration 1 --quiet");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out, "t,q1,qd1,qdd1,tau1\n0,0.75,0,0,0\n");
  EXPECT_EQ(outcome.err,
            "armdyn: rail starts at 0.75 m, beyond its limit 0.5 m; --at-limit ignore continues "
            "regardless\n");
}

TEST_F(Simulate, TakesAStartFarBeyondALimitForDegrees) {
  EXPECT_TRUE(
      has(run("ur5e --q0 0,-90,0,0,0,0 --duration 1").err,
          "armdyn: shoulder_lift starts at -90 rad, beyond its limit -6.283 rad; for degrees "
          "add ' deg' after the list, or name the column q1[deg]\n"));
}

TEST_F(Simulate, KeepsTheRowsOfAMotionThatDiverges) {
  shell.write("slow.yaml", cart_with("friction: {viscous: 200}"));
  const Outcome outcome = run("slow.yaml --qd0 1 --duration 100 --step 0.1 -o out.csv");
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_EQ(outcome.err,
            "armdyn: the simulation diverges: after t = 0.2 s the speed of rail grows to "
            "1.78e+06 m/s; take steps below 0.0025 s, or an adaptive integrator; the 3 rows so far "
            "are kept\n");
  const Outcome as_json = run("slow.yaml --qd0 1 --duration 100 --step 0.1 -o out.csv --json");
  EXPECT_EQ(as_json.exit_code, 5);
  const json found = json::parse(as_json.out);
  EXPECT_EQ(found["end"], "diverged");
  EXPECT_EQ(found["rows"], 3);
  EXPECT_EQ(found["t"], json({0, 0.2}));
  EXPECT_EQ("armdyn: " + found["message"].get<std::string>() + "\n", outcome.err);
  EXPECT_EQ(found["coarse_step"]["step"], 0.1);
  EXPECT_EQ(csv_columns(shell.read("out.csv")).at("t"), (std::vector<double>{0, 0.1, 0.2}));
}

TEST_F(Simulate, RefusesAMassMatrixThatIsSingular) {
  const std::string expected =
      "armdyn: at t = 0 s: the mass matrix is singular at q = 0.25: rail can move without "
      "moving any mass; give link 1 mass, or its motor a rotor_inertia; nothing is written\n";
  std::string weightless = cart_file;
  weightless.replace(weightless.find("mass: 2"), 7, "mass: 0");
  shell.write("weightless.yaml", weightless);
  const Outcome free = run("weightless.yaml --q0 0.25 --duration 1");
  EXPECT_EQ(free.exit_code, 5);
  EXPECT_EQ(free.err, expected);
  // Even where friction holds it.
  weightless.replace(weightless.find("mass: 0"), 7, "mass: 0, friction: {coulomb: 1}");
  shell.write("held.yaml", weightless);
  const Outcome held = run("held.yaml --q0 0.25 --duration 1");
  EXPECT_EQ(held.exit_code, 5);
  EXPECT_EQ(held.err, expected);
  const json found = json::parse(run("held.yaml --q0 0.25 --duration 1 --json").err);
  EXPECT_EQ(found["end"], "singular");
  EXPECT_EQ(found["rows"], 0);
  EXPECT_EQ("armdyn: " + found["message"].get<std::string>() + "\n", expected);
}

TEST_F(Simulate, WritesNoNumberThatIsNone) {
  shell.write("large.csv", "t,tau1\n0,1e15\n1,1e15\n");
  const std::string light = cart_file.substr(0, cart_file.rfind("mass: 2")) + "mass: 1.0e-300}\n";
  shell.write("light.yaml", light);
  const Outcome outcome = run("light.yaml large.csv");
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err,
            "armdyn: at t = 0 s the acceleration of rail is not a finite number: an input is "
            "too large; nothing is written\n");
  shell.write("sticky.yaml", light.substr(0, light.rfind('}')) + ", friction: {coulomb: 1}}\n");
  EXPECT_EQ(run("sticky.yaml large.csv").err, outcome.err);
  shell.write("later.csv", "t,tau1\n0,0\n1,0\n2,1e15\n");
  const Outcome later = run("light.yaml later.csv --step 1");
  EXPECT_EQ(later.exit_code, 5);
  EXPECT_EQ(later.out, "t,q1,qd1,qdd1,tau1\n0,0,0,0,0\n1,0,0,0,0\n");
  EXPECT_EQ(later.err,
            "armdyn: the simulation diverges: after t = 1 s the acceleration of rail grows beyond "
            "all numbers; look for a torque that nothing opposes, or take shorter steps; the 2 "
            "rows so far are kept\n");
}

TEST_F(Simulate, SaysWhereEachJointBeganAndEnded) {
  const json joint = summary("cart.yaml --q0 0.25 --qd0 2 --duration 1 --step 0.5").at("joints")[0];
  EXPECT_EQ(joint.at("q_first"), 0.25);
  EXPECT_EQ(joint.at("q_last"), 2.25);
}

TEST_F(Simulate, TakesAFastStartForWhatItIs) {
  const CsvColumns found = columns("cart.yaml --qd0 1e6 --duration 0.01 --step 0.01");
  EXPECT_EQ(found.at("q1"), (std::vector<double>{0, 10000}));
}

TEST_F(Simulate, EndsAtOnceWhereItMovesOutOfALimitOnWhichItStarts) {
  shell.write("short.yaml", cart_with("limits: {position: [-1, 0.5]}"));
  const Outcome outcome = run("short.yaml --q0 0.5 --qd0 1 --duration 1 --quiet");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out, "t,q1,qd1,qdd1,tau1\n0,0.5,1,0,0\n");
  EXPECT_EQ(outcome.err,
            "armdyn: rail starts at its limit 0.5 m and moves out of it; the row so far is kept; "
            "--at-limit ignore continues regardless\n");
  EXPECT_EQ(run("short.yaml --q0 0.5 --qd0 -1 --duration 1").exit_code, 0);
}

TEST_F(Simulate, TakesFrictionWhereTheJointIsNotWhereTheFirstOneIs) {
  // Slides along one line. At y = π the ripple halves what holds y, 6 to 3 N, and what brakes it, 4
  // to 2 N: 3.5 N set it free, and the reaction, 1.5 N, sets x free of its 1 N:
  // 3 a1 + 2 a2 = 1, 2 a1 + 2 a2 = 1.5.
  shell.write("slides.yaml",
              "armdyn: 1\nname: slides\nconvention: modified\ngravity: [0, 0, 0]\njoints:\n"
              "  - {name: x, type: prismatic, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 1, "
              "friction: {coulomb: 1}}\n"
              "  - {name: y, type: prismatic, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 2, "
              "friction: {coulomb: 4, static: 6, ripple: {amplitude: 0.5, harmonic: 1, phase: "
              "0}}}\n");
  shell.write("push.csv", "t,tau1,tau2\n0,0,3.5\n0.001,0,3.5\n");
  const CsvColumns found = columns("slides.yaml push.csv --q0 0,3.141592653589793 --step 0.001");
  EXPECT_NEAR(found.at("qdd1").front(), -0.5, 1e-12);
  EXPECT_NEAR(found.at("qdd2").front(), 1.25, 1e-12);
  // At y = 0 the ripple makes it 9 N, and nothing moves.
  const CsvColumns held = columns("slides.yaml push.csv --q0 3.141592653589793,0 --step 0.001");
  EXPECT_EQ(held.at("q2").back(), 0.0);
}

TEST_F(Simulate, EndsAtALimitThatItPassesAndLeavesWithinOneStep) {
  // Thrown up from -1 m at 5.6 m/s under 10 m/s², it would be back at -0.4 m after the step of 1 s:
  // -1 + 5.6 t - 5 t² = 0.5.
  shell.write("lift.yaml",
              "armdyn: 1\nname: lift\nconvention: modified\ngravity: [0, 0, -10]\njoints:\n"
              "  - {name: rail, type: prismatic, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 2, "
              "limits: {position: [-3, 0.5]}}\n");
  const Outcome outcome = run("lift.yaml --q0 -1 --qd0 5.6 --duration 1 --step 1 --quiet");
  EXPECT_EQ(outcome.exit_code, 1);
  const CsvColumns found = csv_columns(outcome.out);
  EXPECT_NEAR(found.at("t").back(), (5.6 - std::sqrt(5.6 * 5.6 - 30)) / 10, 1e-9);
  EXPECT_EQ(found.at("q1").back(), 0.5);
}

TEST_F(Simulate, SaysTheUsersStepWhereItIsCoarse) {
  shell.write("wheel.yaml",
              "armdyn: 1\nname: wheel\nconvention: modified\njoints:\n  - {name: turn, type: "
              "revolute, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 1, inertia: {zz: 0.1}}\n");
  const json found = summary("wheel.yaml tau.csv --step 0.01", "t,tau1\n0,300\n1,300\n");
  EXPECT_EQ(found.at("coarse_step").at("time"), 1.0);
  EXPECT_EQ(found.at("coarse_step").at("step"), 0.01);
}

TEST_F(Simulate, StaysAtALimitWhereNothingPushes) {
  shell.write("short.yaml", cart_with("limits: {position: [-1, 0.5]}"));
  for (const std::string q0 : {"0.5", "-1"}) {
    EXPECT_EQ(run("short.yaml --q0 " + q0 + " --duration 0.01 --quiet").exit_code, 0) << q0;
  }
}

TEST_F(Simulate, MovesMasslessLinksThatCarryMass) {
  // An x-y table whose x slide weighs nothing: everything is the y slide's 2 kg.
  shell.write("table.yaml",
              "armdyn: 1\nname: table\nconvention: modified\ngravity: [0, 0, 0]\njoints:\n"
              "  - {name: x, type: prismatic, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 0}\n"
              "  - {name: y, type: prismatic, dh: {a: 0, alpha: pi/2, d: 0, theta: 0}, mass: 2}\n");
  shell.write("tau.csv", "t,tau1,tau2\n0,4,-6\n1,4,-6\n");
  const CsvColumns found = columns("table.yaml tau.csv --step 0.5");
  EXPECT_EQ(found.at("qdd1"), (std::vector<double>{2, 2, 2}));
  EXPECT_EQ(found.at("q2").back(), -1.5);
}

TEST_F(Simulate, ClosesCleanlyWhenInterrupted) {
  const Outcome outcome = shell.run(
      "timeout --preserve-status -s INT 0.5 \"$armdyn\" simulate craig-rr --duration 9e4 -o "
      "out.csv");
  EXPECT_EQ(outcome.exit_code, 130);
  const std::string rows = shell.read("out.csv");
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.back(), '\n');
  const CsvColumns found = csv_columns(rows);
  const std::size_t count = found.at("t").size();
  EXPECT_GT(count, 1U);
  EXPECT_EQ(found.at("tau2").size(), count);
  EXPECT_TRUE(has(outcome.err, "armdyn: interrupted at t = ")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "; the " + std::to_string(count) + " rows so far are kept\n"))
      << outcome.err;
  EXPECT_EQ(shell.list(), "cart.yaml out.csv ");
}

TEST_F(Simulate, SaysWhichJointIsFarthestOffTheMotionOfItsTorques) {
  const std::string arm = test_data() + "/arms/three.yaml ";  // whose drives hold it by friction
  ASSERT_EQ(shell
                .run("$armdyn trajectory " + arm +
                     "--from 0.5,0.3,-0.4 --to 0.5,0.3,0.4 --duration 1 --rate 100 --quiet | "
                     "$armdyn torque " +
                     arm + "- --keep-motion --quiet -o tau.csv")
                .exit_code,
            0);
  for (const auto& [q0, farthest] : {std::pair{"0.7,0.3,-0.4", "0.2 rad (turn)"},
                                     {"0.5,0.35,-0.4", "0.05 m (reach)"},
                                     {"0.501,0.3,-0.3", "0.1 rad (tip)"}}) {
    const Outcome outcome =
        shell.run("$armdyn simulate " + arm + "tau.csv -o out.csv --duration 0.01 --q0 " + q0);
    EXPECT_TRUE(has(outcome.out, std::string(", at most ") + farthest + ", at t = "))
        << outcome.out;
  }
}

TEST_F(Simulate, TakesTwoSignalsAtOnceForOne) {
  // timeout(1) signals its child, and then the group of both.
  const Outcome outcome = shell.run(
      "$armdyn simulate craig-rr --duration 9e4 -o out.csv & sleep 1; kill -TERM $!; "
      "kill -TERM $!; wait $!");
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_TRUE(has(outcome.err, "armdyn: interrupted at t = ")) << outcome.err;
  EXPECT_GT(csv_columns(shell.read("out.csv")).at("t").size(), 1U);
}

TEST_F(Simulate, SaysAsJsonThatItWasInterrupted) {
  const Outcome outcome = shell.run(
      "timeout --preserve-status -s INT 0.5 \"$armdyn\" simulate craig-rr --duration 9e4 --every "
      "1000 --json -o out.csv");
  EXPECT_EQ(outcome.exit_code, 130);
  const json found = json::parse(outcome.out);
  EXPECT_EQ(found["end"], "interrupted");
  EXPECT_EQ(found["rows"], csv_columns(shell.read("out.csv")).at("t").size());
  EXPECT_TRUE(found["message"].get<std::string>().starts_with("interrupted at t = "));
}

TEST_F(Simulate, ClosesCleanlyWhenInterruptedWhileItWaitsForTorques) {
  const Outcome outcome = shell.run(
      "mkfifo pipe; { awk 'BEGIN { print \"t,tau1\"; for (k = 0; k < 20000; ++k) print k \",0\" "
      "}'; sleep 4; } >pipe & "
      "timeout --preserve-status -s INT 2 \"$armdyn\" simulate cart.yaml pipe --step 1 -o out.csv");
  EXPECT_EQ(outcome.exit_code, 130);
  const std::size_t count = csv_columns(shell.read("out.csv")).at("t").size();
  EXPECT_GT(count, 1U);
  EXPECT_EQ(count, 20000U);
  EXPECT_TRUE(has(outcome.err,
                  "armdyn: interrupted at t = 19999 s; the 20000 rows so far are kept"
                  "\n"))
      << outcome.err;
}

TEST_F(Simulate, SaysThatItWasInterruptedBeforeAnyTorqueCame) {
  const std::string wait = "sleep 3 | timeout --preserve-status -s INT 0.5 ";
  const Outcome outcome = shell.run(wait + "$armdyn simulate cart.yaml - -o out.csv");
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_EQ(outcome.err, "armdyn: interrupted before the first torque came; nothing is written\n");
  EXPECT_FALSE(shell.exists("out.csv"));
  const Outcome as_json = shell.run(
      "{ echo t,tau1; sleep 3; } | timeout --preserve-status -s INT "
      "0.5 $armdyn simulate cart.yaml - --json");
  EXPECT_EQ(as_json.exit_code, 130);
  EXPECT_EQ(json::parse(as_json.err)["end"], "interrupted");
  EXPECT_EQ(json::parse(as_json.err)["options"]["torques"], "-");
}

TEST_F(Simulate, EndsQuietlyWhenNobodyReadsOn) {
  const Outcome outcome =
      shell.run("{ $armdyn simulate craig-rr --duration 9e4; echo $? >code; } | head -n 2");
  EXPECT_EQ(shell.read("code"), "0\n");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 2);
}

// --- pipes
// ----------------------------------------------------------------------------------------

TEST_F(Simulate, FollowsAMotionWhoseTorquesComeThroughAPipe) {
  const Outcome outcome = shell.run(
      "$armdyn trajectory puma560 --from 0.1,0.2,-0.3,0,0.4,0 --to 1,1.2,-1.3,0.7,-0.6,0.9 "
      "--duration 2 --quiet >motion.csv && "
      "$armdyn torque puma560 motion.csv --keep-motion --quiet | $armdyn simulate puma560 - "
      "--quiet -o out.csv");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const CsvColumns desired = csv_columns(shell.read("motion.csv")),
                   found = csv_columns(shell.read("out.csv"));
  ASSERT_EQ(found.at("t"), desired.at("t"));
  for (const std::string joint : {"1", "2", "3", "4", "5", "6"}) {
    EXPECT_EQ(found.at("q" + joint).front(), desired.at("q" + joint).front());
    for (std::size_t row = 0; row < found.at("t").size(); ++row) {
      ASSERT_NEAR(found.at("q" + joint)[row], desired.at("q" + joint)[row], 5e-5) << row;
    }
  }
}

TEST_F(Simulate, FollowsTorquesAsTheyCome) {
  // The second row is written, and the third is not there yet, when the reader looks.
  const Outcome outcome = shell.run(
      "mkfifo seen; { printf 't,tau1\\n0,2\\n1,2\\n2,2\\n'; cat seen >/dev/null; "
      "printf '3,2\\n'; } | $armdyn simulate cart.yaml - --step 1 --quiet >out.csv & "
      "for k in 1 2 3 4 5 6 7 8 9 10; do sleep 0.3; test -s out.csv && break; done; "
      "cat out.csv; : >seen; wait; echo; cat out.csv");
  EXPECT_EQ(outcome.out,
            "t,q1,qd1,qdd1,tau1\n0,0,0,1,2\n1,0.5,1,1,2\n\n"
            "t,q1,qd1,qdd1,tau1\n0,0,0,1,2\n1,0.5,1,1,2\n2,2,2,1,2\n3,4.5,3,1,2\n");
}

TEST_F(Simulate, SaysThatTorquesPipedInAreNotReadWhereItIsNotToldTo) {
  const std::string warning =
      "armdyn: warning: the torques on standard input are not read, and the drives are without "
      "torque; to use them, name - as TORQUES\n";
  shell.write("tau.csv", "t,tau1\n0,2\n1,2\n");
  const std::string simulate = "$armdyn simulate cart.yaml --duration 1 --quiet -o out.csv";
  EXPECT_EQ(shell.run("{ cat tau.csv; sleep 1; } | { sleep 0.5; " + simulate + "; }").err, warning);
  EXPECT_EQ(shell.run(simulate + " <tau.csv").err, warning);
  for (const std::string other : {" </dev/null", " <cart.yaml", " <&-"}) {
    EXPECT_EQ(shell.run(simulate + other).err, "") << other;
  }
  EXPECT_EQ(shell.run("sleep 1 | " + simulate).err, "");
  EXPECT_EQ(
      shell.run("seq 1000 | while read line; do test $line = 3 && " + simulate + "; done; true")
          .err,
      "");
}

TEST_F(Simulate, IsUndoneByTorque) {
  shell.write("tau.csv",
              "t,tau1,tau2,tau3,tau4,tau5,tau6,fx,fy,fz,nx,ny,nz\n"
              "0,4,-9,60,1,2,3,1,2,3,0.1,0.2,0.3\n"
              "0.2,-7,20,-50,-1,-2,-3,5,-4,2,0.3,0,-0.1\n");
  const Outcome outcome = shell.run(
      "$armdyn simulate stanford tau.csv --q0 0.3,-0.8,0.4,0,1,0 --at-limit ignore --quiet "
      ">out.csv "
      "&& $armdyn torque stanford out.csv --terms --quiet");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const CsvColumns given = csv_columns(shell.read("out.csv")), found = csv_columns(outcome.out);
  ASSERT_EQ(found.at("t").size(), 201U);
  for (std::size_t row = 0; row < 201; ++row) {
    double scale = 0.0;
    for (const std::string joint : {"1", "2", "3", "4", "5", "6"}) {
      for (const std::string term : {"tau_inertia", "tau_velocity", "tau_gravity"}) {
        scale = std::max(scale, std::abs(found.at(term + joint)[row]));
      }
    }
    for (const std::string joint : {"1", "2", "3", "4", "5", "6"}) {
      EXPECT_NEAR(found.at("tau" + joint)[row], given.at("tau" + joint)[row], 1e-12 * scale) << row;
    }
  }
}

TEST_F(Simulate, ReadsItsOwnOutput) {
  EXPECT_EQ(run("craig-rr --q0 1,1 --duration 1 --step 0.01 -o first.csv").exit_code, 0);
  EXPECT_EQ(run("craig-rr first.csv --step 0.01").out, shell.read("first.csv"));
  EXPECT_EQ(shell.run("$armdyn simulate craig-rr --step 0.01 - <first.csv").out,
            shell.read("first.csv"));
}

// --- the summary
// ----------------------------------------------------------------------------------

TEST_F(Simulate, AccountsForEnergy) {
  // Sliding at 3 m/s under 4 N against 10 N of friction: stops after 1 s and 1.5 m, held by 4
  // of 10.
  shell.write("rough.yaml", cart_with("friction: {coulomb: 10, static: 12}"));
  shell.write("tau.csv", "t,tau1\n0,4\n2,4\n");
  const json found = summary("rough.yaml tau.csv --qd0 3 --step 0.1 --every 7");
  const json& energy = found["energy"];
  EXPECT_NEAR(energy["start"].get<double>(), 9.0, 1e-12);
  EXPECT_NEAR(energy["end"].get<double>(), 0.0, 1e-12);
  EXPECT_NEAR(energy["work"].get<double>(), 6.0, 1e-12);
  EXPECT_NEAR(energy["losses"].get<double>(), 15.0, 1e-12);
  EXPECT_EQ(energy["contact_work"], 0.0);
  EXPECT_NEAR(energy["imbalance"].get<double>(), 0.0, 1e-12);
  const json& joint = found["joints"][0];
  EXPECT_NEAR(joint["q_last"].get<double>(), 1.5, 1e-12);
  EXPECT_EQ(joint["qd_last"], 0.0);
  EXPECT_EQ(joint["stops"], 1);
  EXPECT_EQ(joint["at_rest"], true);
  EXPECT_NEAR(joint["at_rest_since"].get<double>(), 1.0, 1e-12);
  EXPECT_EQ(joint["peak_velocity"], 3.0);
}

TEST_F(Simulate, HasNoNegativeZeroInItsSummary) {
  const Outcome outcome = run("cart.yaml --qd0 -0 --duration 1 -o out.csv");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_FALSE(has(outcome.out, "-0 ")) << outcome.out;
  EXPECT_FALSE(has(run("cart.yaml --qd0 -0 --duration 1 --json -o out.csv").out, "-0"));
}

TEST_F(Simulate, KnowsThePeakSpeedOfStepsThatItDoesNotWrite) {
  // Thrown back by a constant force: the speeds at the ends are the largest but for the pause.
  shell.write("tau.csv", "t,tau1\n0,8\n1,-8\n2,-8\n");
  const json every = summary("cart.yaml tau.csv --step 0.125");
  const json few = summary("cart.yaml tau.csv --step 0.125 --every 100");
  EXPECT_EQ(few["rows"], 2);
  EXPECT_EQ(every["joints"][0]["peak_velocity"], few["joints"][0]["peak_velocity"]);
  EXPECT_EQ(every["joints"][0]["peak_velocity_time"], few["joints"][0]["peak_velocity_time"]);
}

TEST_F(Simulate, AsJsonHasTheKeysOfItsDescription) {
  shell.write("tau.csv", "t,tau1,tau2\n0,1,1\n1,1,1\n");
  const json found = summary("craig-rr tau.csv --estimate-error --payload 1 --integrator rkf78");
  const auto keys = [](const json& object) {
    std::vector<std::string> names;
    for (const auto& item : object.items()) names.push_back(item.key());
    return names;
  };
  EXPECT_EQ(keys(found), (std::vector<std::string>{"end", "energy", "joints", "model_warnings",
                                                   "options", "remarks", "robot", "rows", "steps",
                                                   "t", "version", "warnings"}));
  EXPECT_EQ(keys(found["energy"]), (std::vector<std::string>{"contact_work", "end", "imbalance",
                                                             "losses", "start", "work"}));
  EXPECT_EQ(keys(found["joints"][0]),
            (std::vector<std::string>{"at_rest", "error_q", "error_qd", "name", "peak_velocity",
                                      "peak_velocity_time", "q_first", "q_last", "qd_last", "stops",
                                      "unit"}));
  EXPECT_EQ(found["version"], ARMDYN_VERSION);
  EXPECT_EQ(found["robot"]["name"], "craig-rr");
  EXPECT_EQ(found["end"], "complete");
  EXPECT_EQ(found["rows"], 1001);
  EXPECT_GT(found["steps"], 10);  // of the integrator, which rows do not shorten
  EXPECT_LT(found["steps"], 100);
  EXPECT_EQ(found["t"], json({0, 1}));
  const json& options = found["options"];
  EXPECT_EQ(options["torques"], "tau.csv");
  EXPECT_EQ(options["interpolation"], "linear");
  EXPECT_EQ(options["integrator"], "rkf78");
  EXPECT_EQ(options["tolerance"], 1e-9);
  EXPECT_EQ(options["step"], 0.001);
  EXPECT_EQ(options["every"], 1);
  EXPECT_EQ(options["method"], "composite");
  EXPECT_EQ(options["at_limit"], "stop");
  EXPECT_EQ(options["estimate_error"], true);
  EXPECT_EQ(options["q0"], json({0, 0}));
  EXPECT_EQ(options["qd0"], json({0, 0}));
  EXPECT_EQ(options["ignore_extra"], false);
  EXPECT_TRUE(options.contains("payload"));
}

TEST_F(Simulate, AsJsonSaysWhereItStarted) {
  shell.write("tau.csv", "t,q1,q2,qd1,qd2,tau1,tau2,note\n0,1,2,3,4,1,1,7\n1,0,0,0,0,1,1,7\n");
  const json of_the_file = summary("craig-rr tau.csv --ignore-extra")["options"];
  EXPECT_EQ(of_the_file["q0"], json({1, 2}));
  EXPECT_EQ(of_the_file["qd0"], json({3, 4}));
  EXPECT_EQ(of_the_file["ignore_extra"], true);
  const json given = summary("craig-rr --duration 0.1 --q0 '0,180 deg' --qd0 0.1,-0.2")["options"];
  EXPECT_EQ(given["q0"], json({0.0, std::numbers::pi}));
  EXPECT_EQ(given["qd0"], json({0.1, -0.2}));
}

TEST_F(Simulate, IsQuietWhenAsked) {
  const Outcome outcome = run("cart.yaml --duration 1 --quiet");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Simulate, DrawsTheMotion) {
  if (shell.run("command -v gnuplot").exit_code != 0) GTEST_SKIP() << "no gnuplot";
  shell.write("short.yaml", cart_with("limits: {position: [-1, 2], velocity: 5}"));
  shell.write("tau.csv", "t,tau1\n0,2\n3,2\n");
  EXPECT_EQ(run("short.yaml tau.csv -o out.csv --plot motion.svg").exit_code, 1);
  const std::string picture = shell.read("motion.svg");
  for (const std::string text :
       {"cart: simulated motion", "rail", "q1 [m]", "qd1 [m/s]", "τ1 [N]", "limits −1 to 2 m",
        "limit ±5 m/s", "t [s]", "energy of the arm", "E [J]", ">kinetic<", "tau.csv"}) {
    EXPECT_TRUE(has(picture, text)) << text;
  }
  EXPECT_TRUE(
      has(run("cart.yaml --duration 1 -o out.csv --plot motion.png").err, "picture: motion.png\n"));
}

// --- mistakes
// -------------------------------------------------------------------------------------

TEST_F(Simulate, SaysWhatIsWrongWithItsOptions) {
  expect_refusal(
      "cart.yaml", 2,
      "armdyn: simulate: without TORQUES it needs --duration, e.g. --duration 2; to read "
      "torques from a pipe, name - as TORQUES\n");
  expect_refusal("cart.yaml --duration -1", 2,
                 "armdyn: --duration: found \"-1\", expected seconds, 0 or more\n");
  expect_refusal("cart.yaml --duration 1 --step 0", 2,
                 "armdyn: --step: found \"0\", expected seconds greater than 0\n");
  expect_refusal("cart.yaml --duration 1 --every 0", 2,
                 "armdyn: --every: found \"0\", expected a whole number of 1 or more\n");
  expect_refusal(
      "cart.yaml --duration 1 --integrator rk5", 2,
      "armdyn: --integrator: found \"rk5\", expected one of rk4, euler, dopri5, rkf78; did you "
      "mean 'rk4'?\n");
  expect_refusal("cart.yaml --duration 1 --tolerance 1e-6", 2,
                 "armdyn: --tolerance is for --integrator dopri5 and rkf78; the accuracy of rk4 "
                 "follows from --step\n");
  expect_refusal("craig-rr --duration 1 --q0 1", 2,
                 "armdyn: --q0: found 1 number in \"1\", expected 2, one per joint of craig-rr\n");
  expect_refusal("craig-rr --duration 1 --q0 '0 0'", 2,
                 "armdyn: --q0: found \"0 0\", expected 2 numbers separated by commas\n");
  expect_refusal("cart.yaml -d 1", 2,
                 "armdyn: simulate has no option -d (armdyn simulate --help lists them)\n");
  expect_refusal("cart.yaml --duration 1 --qd0 side", 2,
                 "armdyn: --qd0: found \"side\", expected a number\n");
  expect_refusal("craig-rr --duration 1 --qd0 example", 2,
                 "armdyn: --qd0: the pose 'example' is a position; give one number per joint\n");
  expect_refusal("cart.yaml --duration 1 --at-limit hit", 2,
                 "armdyn: --at-limit: found \"hit\", expected one of stop, ignore\n");
}

TEST_F(Simulate, SaysWhatIsWrongWithItsTorques) {
  shell.write("positions.csv", "t,q1,q2\n0,1,2\n");
  expect_refusal(
      "craig-rr positions.csv", 3,
      "positions.csv:1: missing columns tau1..tau2; the file has t, q1, q2; armdyn torque "
      "--keep-motion computes torques from a motion\n");
  shell.write("few.csv", "t,tau1\n0,1\n");
  expect_refusal("craig-rr few.csv", 3, "few.csv:1: missing column tau2; the file has t, tau1\n");
  shell.write("no_time.csv", "tau1\n0\n");
  expect_refusal("cart.yaml no_time.csv", 3,
                 "no_time.csv:1: missing column t; the file has tau1\n");
  shell.write("back.csv", "t,tau1\n0,1\n1,1\n0.5,1\n");
  expect_refusal("cart.yaml back.csv -o out.csv", 3,
                 "back.csv:4: t is 0.5 after 1, it must increase from row to row\n");
  EXPECT_FALSE(shell.exists("out.csv"));
  shell.write("empty.csv", "");
  const Outcome empty = run("cart.yaml empty.csv");
  EXPECT_EQ(empty.exit_code, 3);
  EXPECT_EQ(empty.err, "empty.csv: the input is empty; expected a header line such as t,tau1\n");
  shell.write("header.csv", "t,tau1\n");
  expect_refusal("cart.yaml header.csv", 3, "header.csv: has a header but no row of torques\n");
  shell.write("cell.csv", "t,tau1\n0,1\n1,1;5\n");
  EXPECT_EQ(run("cart.yaml cell.csv").exit_code, 3);
  expect_refusal("cart.yaml none.csv", 4,
                 "armdyn: cannot read none.csv: No such file or directory\n");
  shell.write("extra.csv", "t,tau1,note\n0,1,5\n1,1,5\n");
  const Outcome extra = run("cart.yaml extra.csv");
  EXPECT_EQ(extra.exit_code, 3);
  EXPECT_TRUE(has(extra.err, "unknown column \"note\"")) << extra.err;
  EXPECT_EQ(run("cart.yaml extra.csv --ignore-extra").exit_code, 0);
  expect_refusal("cart.yaml extra.csv --ignore-extra -o extra.csv", 2,
                 "armdyn: the output 'extra.csv' is an input; name another file\n");
}

// --- long runs
// ------------------------------------------------------------------------------------

TEST_F(Simulate, TakesTheSameMemoryForLongRunsAsForShortOnes) {
  const auto peak = [&](const std::string& duration) {
    long kilobytes = 0;
    const Outcome outcome = shell.run(
        "\"$armdyn\" simulate craig-rr --step 0.01 --duration " + duration + " -o /dev/null",
        kilobytes);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return kilobytes;
  };
  const long minutes = peak("1000");  // 100 000 rows
  const long hours = peak("10000");
  EXPECT_GT(minutes, 1000);
  EXPECT_LT(hours, minutes + 5000) << "kB";
}

TEST_F(Simulate, SaysThatTimesCountFromTheFirst) {
  shell.write("since1970.csv", "t,tau1\n1700000000,0\n1700000000.01,1\n");
  const std::string said = "since1970.csv: t counts from the first stamp\n";
  EXPECT_TRUE(run("cart.yaml since1970.csv -o out.csv").err.starts_with(said));
  EXPECT_EQ(run("cart.yaml since1970.csv --quiet -o out.csv").err, "");
  EXPECT_EQ(summary("cart.yaml since1970.csv")["end"], "complete");
  const Outcome torque = shell.run(
      "printf 't,q1,qd1,qdd1\\n1700000000,0,0,0\\n1700000000.01,0,0,0\\n' > motion.csv; "
      "$armdyn torque cart.yaml motion.csv -o out.csv");
  EXPECT_TRUE(has(torque.err, "motion.csv: t counts from the first stamp\n")) << torque.err;
}

TEST_F(Simulate, DoesNotAskForDegreesWhereTheyAreGiven) {
  const std::string said =
      "shoulder_lift starts at -12.57 rad, beyond its limit -6.283 rad; --at-limit ignore "
      "continues regardless\n";
  const Outcome list = run("ur5e --q0 '0,-720.1,0,0,0,0 deg' --duration 1");
  EXPECT_TRUE(has(list.err, said)) << list.err;
  shell.write("deg.csv",
              "t,q1,q2[deg],q3,q4,q5,q6,tau1,tau2,tau3,tau4,tau5,tau6\n0,0,-720.1,0,0,0,0,0,0,0,0,"
              "0,0\n1,0,0,0,0,0,0,0,0,0,0,0,0\n");
  const Outcome column = run("ur5e deg.csv");
  EXPECT_TRUE(has(column.err, said)) << column.err;
}

// Two slides that do not feel one another, of which the second alone has friction.
TEST(SimulatedJoints, HaveStopsAndLimitsOfTheirOwn) {
  const Shell shell;
  shell.write("slides.yaml", R"(
armdyn: 1
name: slides
convention: modified
gravity: [0, 0, 0]
joints:
  - {type: prismatic, dh: {}, mass: 1}
  - {type: prismatic, dh: {alpha: 1.5707963267948966}, mass: 1, friction: {coulomb: 1},
     limits: {position: [-0.5, 0.25]}}
)");
  const auto told = [&](const std::string& options) {
    return nlohmann::json::parse(
        shell.run("$armdyn simulate slides.yaml --duration 1 -o s.csv --json " + options).out);
  };
  const auto stopped = told("--qd0 0.2,0.2");
  EXPECT_EQ(stopped["joints"][0]["stops"], 0);
  EXPECT_EQ(stopped["joints"][1]["stops"], 1);
  EXPECT_FALSE(stopped["joints"][0]["at_rest"].get<bool>());
  EXPECT_TRUE(stopped["joints"][1]["at_rest"].get<bool>());
  EXPECT_NEAR(stopped["joints"][1]["at_rest_since"], 0.2, 1e-9);  // v = v0 - c/m t
  const auto at_limit = told("--q0 0.1,0.25 --qd0 0,0.2");
  EXPECT_EQ(at_limit["limit"]["joint"], at_limit["joints"][1]["name"]);
  EXPECT_EQ(at_limit["limit"]["time"], 0);
  EXPECT_EQ(at_limit["limit"]["q"], 0.25);
  EXPECT_EQ(at_limit["limit"]["limit"], 0.25);
}

TEST(SimulateTolerance, MayBeWhatDoublesHold) {
  const Shell shell;
  const std::string simulate =
      "$armdyn simulate craig-rr --duration 0.01 --integrator rkf78 -o s.csv --tolerance ";
  EXPECT_EQ(shell.run(simulate + "1e-14").exit_code, 0);
  EXPECT_EQ(shell.run(simulate + "9e-15").exit_code, 2);
}

}  // namespace
}  // namespace armdyn::testing
