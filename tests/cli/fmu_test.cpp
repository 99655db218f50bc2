// FMUs that armdyn convert writes, as a master program steps them: against armdyn simulate.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "fmu/fmi.hpp"
#include "support/csv_columns.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

using Values = std::vector<double>;
using Messages = std::vector<std::string>;

void note(void* messages, fmi2String /*instance*/, fmi2Status status, fmi2String category,
          fmi2String message, ...) {
  char text[1000];
  va_list arguments;
  va_start(arguments, message);
  std::vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  static_cast<Messages*>(messages)->push_back(std::to_string(status) + " " + category + ": " +
                                              text);
}
void note3(void* messages, fmi3Status status, fmi3String category, fmi3String message) {
  note(messages, "", static_cast<fmi2Status>(status), category, "%s", message);
}

/// An unpacked FMU, its shared object opened.
class Fmu {
 public:
  /// Writes and unpacks it as NAME.fmu into the folder NAME.
  Fmu(const Shell& shell, const std::string& name, const std::string& arguments) {
    const Outcome outcome =
        shell.run("$armdyn convert " + arguments + " -o " + name + ".fmu --quiet && rm -rf " +
                  name + " && (unzip -q " + name + ".fmu -d " + name +
                  " || python3 -m zipfile -e " + name + ".fmu " + name + ") && pwd");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const Outcome parsed = shell.run("python3 -c 'import xml.dom.minidom as x; x.parse(\"" + name +
                                     "/modelDescription.xml\")'");
    EXPECT_EQ(parsed.exit_code, 0) << parsed.err;
    folder = outcome.out.substr(0, outcome.out.find('\n')) + "/" + name;
    description = shell.read(name + "/modelDescription.xml");
    is_3_ = description.find("fmiVersion=\"3.0\"") != std::string::npos;
    const std::regex variable("name=\"([^\"]*)\" valueReference=\"([0-9]+)\"");
    for (std::sregex_iterator it(description.begin(), description.end(), variable), end; it != end;
         ++it) {
      references[(*it)[1]] = static_cast<unsigned int>(std::stoul((*it)[2]));
    }
    const std::string path = folder + "/binaries/" + (is_3_ ? "x86_64-linux/" : "linux64/") +
                             attribute("modelIdentifier") + ".so";
    library_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(library_, nullptr) << ::dlerror();
  }
  Fmu(const Fmu&) = delete;
  Fmu& operator=(const Fmu&) = delete;
  ~Fmu() {
    if (library_ != nullptr) ::dlclose(library_);
  }

  [[nodiscard]] std::string attribute(const std::string& name) const {
    std::smatch found;
    std::regex_search(description, found, std::regex(name + "=\"([^\"]*)\""));
    return found[1];
  }
  [[nodiscard]] std::string token() const {
    return attribute(is_3_ ? "instantiationToken" : "guid");
  }
  [[nodiscard]] bool is_3() const { return is_3_; }

  /// A function of the standard, by the name without its version.
  template <class F>
  [[nodiscard]] F* function(const std::string& name) const {
    return reinterpret_cast<F*>(::dlsym(library_, ((is_3_ ? "fmi3" : "fmi2") + name).c_str()));
  }

  std::string folder, description;
  std::map<std::string, unsigned int> references;

 private:
  bool is_3_ = false;
  void* library_ = nullptr;
};

/// An instance, in either version.
class Instance {
 public:
  explicit Instance(const Fmu& fmu, const std::string& token = "?", bool is_exchanged = false)
      : fmu_(fmu) {
    const std::string of = token == "?" ? fmu.token() : token;
    if (fmu.is_3() && is_exchanged) {
      me_ = fmu.function<void*(fmi3String, fmi3String, fmi3String, bool, bool, void*,
                               fmi3LogMessageCallback)>("InstantiateModelExchange")(
          "arm", of.c_str(), (fmu.folder + "/resources").c_str(), false, false, messages_.get(),
          note3);
      return;
    }
    if (fmu.is_3()) {
      me_ =
          fmu.function<void*(fmi3String, fmi3String, fmi3String, bool, bool, bool, bool,
                             const fmi3ValueReference*, std::size_t, void*, fmi3LogMessageCallback,
                             fmi3IntermediateUpdateCallback)>("InstantiateCoSimulation")(
              "arm", of.c_str(), (fmu.folder + "/resources").c_str(), false, false, false, false,
              nullptr, 0, messages_.get(), note3, nullptr);
      return;
    }
    callbacks_ = {note, nullptr, nullptr, nullptr, messages_.get()};
    me_ = fmu.function<void*(fmi2String, fmi2Type, fmi2String, fmi2String,
                             const fmi2CallbackFunctions*, int, int)>("Instantiate")(
        "arm", is_exchanged ? fmi2ModelExchange : fmi2CoSimulation, of.c_str(),
        ("file://" + fmu.folder + "/resources").c_str(), &callbacks_, 0, 0);
  }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  ~Instance() {
    if (me_ != nullptr) fmu_.function<void(void*)>("FreeInstance")(me_);
  }

  [[nodiscard]] bool exists() const { return me_ != nullptr; }
  [[nodiscard]] const Messages& messages() const { return *messages_; }

  int initialize() {
    const int entered = fmu_.is_3()
                            ? fmu_.function<int(void*, bool, double, double, bool, double)>(
                                  "EnterInitializationMode")(me_, false, 0.0, 0.0, false, 0.0)
                            : call("EnterInitializationMode");
    return std::max(entered, call("ExitInitializationMode"));
  }
  int call(const std::string& name) { return fmu_.function<int(void*)>(name)(me_); }

  int set(const std::string& name, const Values& values) {
    const auto references = places(name, values.size());
    return fmu_.is_3()
               ? fmu_.function<int(void*, const unsigned int*, std::size_t, const double*,
                                   std::size_t)>("SetFloat64")(
                     me_, references.data(), references.size(), values.data(), values.size())
               : fmu_.function<int(void*, const unsigned int*, std::size_t, const double*)>(
                     "SetReal")(me_, references.data(), references.size(), values.data());
  }
  Values get(const std::string& name, std::size_t count) {
    const auto references = places(name, count);
    Values values(count, std::nan(""));
    const int status =
        fmu_.is_3()
            ? fmu_.function<int(void*, const unsigned int*, std::size_t, double*, std::size_t)>(
                  "GetFloat64")(me_, references.data(), count, values.data(), count)
            : fmu_.function<int(void*, const unsigned int*, std::size_t, double*)>("GetReal")(
                  me_, references.data(), count, values.data());
    EXPECT_EQ(status, fmi2OK) << name;
    return values;
  }
  /// All outputs.
  Values outputs(std::size_t n) {
    Values all;
    for (const auto& [name, count] :
         std::vector<std::pair<std::string, std::size_t>>{{"time", 1},
                                                          {"q[1]", n},
                                                          {"qd[1]", n},
                                                          {"qdd[1]", n},
                                                          {"tcp_position[1]", 3},
                                                          {"tcp_rotation_x[1]", 9},
                                                          {"energy", 1}}) {
      const Values some = get(name, count);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }
  int step(double t, double h) {
    if (!fmu_.is_3()) {
      return fmu_.function<int(void*, double, double, int)>("DoStep")(me_, t, h, 1);
    }
    bool event = false, early = false;
    return fmu_.function<int(void*, double, double, bool, bool*, bool*, bool*, double*)>("DoStep")(
        me_, t, h, true, &event, &terminates, &early, &last_time);
  }

  void* state() {
    void* state = nullptr;
    EXPECT_EQ(
        fmu_.function<int(void*, void**)>(fmu_.is_3() ? "GetFMUState" : "GetFMUstate")(me_, &state),
        fmi2OK);
    return state;
  }
  void set_state(void* state) {
    EXPECT_EQ(
        fmu_.function<int(void*, void*)>(fmu_.is_3() ? "SetFMUState" : "SetFMUstate")(me_, state),
        fmi2OK);
  }
  void free_state(void* state) {
    EXPECT_EQ(fmu_.function<int(void*, void**)>(fmu_.is_3() ? "FreeFMUState" : "FreeFMUstate")(
                  me_, &state),
              fmi2OK);
    EXPECT_EQ(state, nullptr);
  }
  std::string serialized(void* state) {
    std::size_t size = 0;
    fmu_.function<int(void*, void*, std::size_t*)>(
        fmu_.is_3() ? "SerializedFMUStateSize" : "SerializedFMUstateSize")(me_, state, &size);
    std::string bytes(size, '\0');
    EXPECT_EQ(fmu_.function<int(void*, void*, char*, std::size_t)>(
                  fmu_.is_3() ? "SerializeFMUState" : "SerializeFMUstate")(me_, state, bytes.data(),
                                                                           size),
              fmi2OK);
    return bytes;
  }
  void* deserialized(const std::string& bytes) {
    void* state = nullptr;
    EXPECT_EQ(fmu_.function<int(void*, const char*, std::size_t, void**)>(
                  fmu_.is_3() ? "DeserializeFMUState" : "DeSerializeFMUstate")(
                  me_, bytes.data(), bytes.size(), &state),
              fmi2OK);
    return state;
  }
  /// ∂q̈/∂known, of a known input, times the seed.
  Values derivative(const std::string& known, std::size_t n, const double seed = 1.0) {
    const auto unknowns = places("qdd[1]", n), knowns = places(known, 1);
    Values result(n);
    const int status =
        fmu_.is_3()
            ? fmu_.function<int(void*, const unsigned int*, std::size_t, const unsigned int*,
                                std::size_t, const double*, std::size_t, double*, std::size_t)>(
                  "GetDirectionalDerivative")(me_, unknowns.data(), n, knowns.data(), 1, &seed, 1,
                                              result.data(), n)
            : fmu_.function<int(void*, const unsigned int*, std::size_t, const unsigned int*,
                                std::size_t, const double*, double*)>("GetDirectionalDerivative")(
                  me_, unknowns.data(), n, knowns.data(), 1, &seed, result.data());
    EXPECT_EQ(status, fmi2OK);
    return result;
  }

  // Model exchange.

  int set_time(double t) { return fmu_.function<int(void*, double)>("SetTime")(me_, t); }
  int set_states(const Values& x) {
    return fmu_.function<int(void*, const double*, std::size_t)>("SetContinuousStates")(
        me_, x.data(), x.size());
  }
  Values states(std::size_t count) { return continuous("GetContinuousStates", count); }
  /// ẋ at a time and state.
  Values slope(double t, const Values& x) {
    EXPECT_EQ(set_time(t), fmi2OK);
    EXPECT_EQ(set_states(x), fmi2OK);
    return continuous(fmu_.is_3() ? "GetContinuousStateDerivatives" : "GetDerivatives", x.size());
  }

  bool terminates = false;
  double last_time = 0.0;

 private:
  Values continuous(const std::string& function, std::size_t count) {
    Values values(count, std::nan(""));
    EXPECT_EQ(
        (fmu_.function<int(void*, double*, std::size_t)>(function)(me_, values.data(), count)),
        fmi2OK)
        << function;
    return values;
  }
  [[nodiscard]] std::vector<unsigned int> places(const std::string& name, std::size_t count) const {
    std::vector<unsigned int> found(count, 999999);
    const auto first = fmu_.references.find(name);
    for (std::size_t k = 0; first != fmu_.references.end() && k < count; ++k) {
      found[k] = first->second + static_cast<unsigned int>(k);
    }
    return found;
  }

  const Fmu& fmu_;
  fmi2CallbackFunctions callbacks_{};
  std::unique_ptr<Messages> messages_ = std::make_unique<Messages>();
  void* me_ = nullptr;
};

constexpr std::size_t steps = 40;
constexpr double step = 0.01;

/// Torques that make joints set out, slide and stop: of joint i at communication point k.
Values torques(std::size_t k, std::size_t n, double size) {
  Values tau(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double share = 1.0 / std::pow(1.0 + static_cast<double>(i), 3);
    tau[i] = share * size * std::sin(0.9 * static_cast<double>(k / 8) + static_cast<double>(i));
  }
  return tau;
}

bool makes_fmus(const Shell& shell) {
  return shell.run("$armdyn convert craig-rr -o try.fmu --quiet").exit_code == 0;
}

void expect_rows_of_simulate(const Shell& shell, const std::string& robot, std::size_t n,
                             double size, const std::string& fmi, const std::string& options,
                             const std::vector<std::pair<std::string, Values>>& parameters) {
  std::string rows = "t";
  for (std::size_t i = 1; i <= n; ++i) rows += ",tau" + std::to_string(i);
  rows += ",fx,fy,fz,nx,ny,nz\n";
  const auto wrench = [](std::size_t k) { return Values{0.1 * double(k % 3), 0, 1.5, 0, 0.2, 0}; };
  for (std::size_t k = 0; k <= steps; ++k) {
    rows += nlohmann::json(static_cast<double>(k) / 100.0).dump();
    for (const double tau : torques(k, n, size)) rows += "," + nlohmann::json(tau).dump();
    for (const double w : wrench(k)) rows += "," + nlohmann::json(w).dump();
    rows += "\n";
  }
  shell.write("tau.csv", rows);
  const Outcome simulated = shell.run(
      "$armdyn simulate " + robot + " tau.csv --interpolation hold --every 10 --quiet " + options);
  ASSERT_EQ(simulated.exit_code, 0) << simulated.err;
  const CsvColumns expected = csv_columns(simulated.out);

  const Fmu fmu(shell, "arm", robot + " --fmi " + fmi);
  Instance unit(fmu);
  ASSERT_TRUE(unit.exists());
  for (const auto& [name, values] : parameters) ASSERT_EQ(unit.set(name, values), fmi2OK) << name;
  ASSERT_EQ(unit.initialize(), fmi2OK);
  for (std::size_t k = 0; k <= steps; ++k) {
    ASSERT_EQ(unit.set("tau[1]", torques(k, n, size)), fmi2OK);
    ASSERT_EQ(unit.set("tcp_force[1]", wrench(k)), fmi2OK);
    const Values q = unit.get("q[1]", n), qd = unit.get("qd[1]", n), qdd = unit.get("qdd[1]", n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::string number = std::to_string(i + 1);
      ASSERT_EQ(q[i], expected.at("q" + number).at(k)) << robot << " row " << k;
      ASSERT_EQ(qd[i], expected.at("qd" + number).at(k)) << robot << " row " << k;
      ASSERT_EQ(qdd[i], expected.at("qdd" + number).at(k)) << robot << " row " << k;
    }
    // Sums, as many masters make times of.
    ASSERT_LE(unit.step(step * static_cast<double>(k), step), fmi2Warning);
  }
}

TEST(Fmu, HasTheBytesOfSimulate) {
  const Shell shell;
  if (!makes_fmus(shell)) GTEST_SKIP() << "this armdyn was built without FMUs";
  for (const std::string fmi : {"2", "3"}) {
    expect_rows_of_simulate(shell, "craig-rr", 2, 60.0, fmi, "", {});
    expect_rows_of_simulate(shell, "puma560", 6, 30.0, fmi, "--q0 0,1,0,0.5,0.2,0",
                            {{"q0[1]", {0, 1, 0, 0.5, 0.2, 0}}});
    expect_rows_of_simulate(
        shell, "puma560", 6, 30.0, fmi,
        "--qd0 0.3,0,0,0,0,1 --gravity 0,1,-8 --payload 1.5,0.1,0,0.2 --without friction",
        {{"qd0[1]", {0.3, 0, 0, 0, 0, 1}},
         {"gravity[1]", {0, 1, -8}},
         {"payload_mass", {1.5}},
         {"payload_com[1]", {0.1, 0, 0.2}},
         {"friction_scale", {0}}});
  }
}

/// x + h·Σ c·k.
Values along(Values x, double h, const std::vector<std::pair<double, Values>>& slopes) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (const auto& [c, k] : slopes) x[i] += h * c * k[i];
  }
  return x;
}

/// A step of the classical Runge-Kutta method by the master.
Values rk4(Instance& unit, double t, const Values& x, double h) {
  const Values k1 = unit.slope(t, x), k2 = unit.slope(t + h / 2, along(x, h, {{0.5, k1}})),
               k3 = unit.slope(t + h / 2, along(x, h, {{0.5, k2}})),
               k4 = unit.slope(t + h, along(x, h, {{1.0, k3}}));
  return along(x, h / 6, {{1, k1}, {2, k2}, {2, k3}, {1, k4}});
}

constexpr const char* smooth_arm =
    "armdyn: 1\nname: smooth\nconvention: modified\njoints:\n"
    "  - {type: revolute, mass: 3, dh: {a: 0, alpha: 0, d: 0.1, theta: 0}, com: [0.2, 0, 0.1],\n"
    "     inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, friction: {viscous: 0.3}}\n"
    "  - {type: prismatic, mass: 2, dh: {a: 0.3, alpha: pi/2, d: 0, theta: 0}, com: [0, 0.1, 0],\n"
    "     inertia: {xx: 0.1, yy: 0.1, zz: 0.1}, motor: {rotor_inertia: 1.0e-4, gear_ratio: 50}}\n"
    "  - {type: revolute, mass: 1, dh: {a: 0.1, alpha: 0.4, d: 0, theta: 0}, com: [0.1, 0, 0.1],\n"
    "     inertia: {xx: 0.01, yy: 0.02, zz: 0.01}}\n";

TEST(Fmu, GivesDerivativesWhoseIntegralIsThatOfSimulate) {
  const Shell shell;
  if (!makes_fmus(shell)) GTEST_SKIP() << "this armdyn was built without FMUs";
  shell.write("smooth.yaml", smooth_arm);
  shell.write("tau.csv", "t,tau1,tau2,tau3,fx,fy,fz,nx,ny,nz\n0,1,30,0.5,0.3,0,1,0,0.1,0\n");
  const Outcome simulated = shell.run(
      "$armdyn simulate smooth.yaml tau.csv --interpolation hold --duration 0.5 --step 0.005 "
      "--q0 0.3,-0.1,0.5 --qd0 0,0.2,1 --payload 0.5,0,0,0.1 --quiet");
  ASSERT_EQ(simulated.exit_code, 0) << simulated.err;
  const CsvColumns expected = csv_columns(simulated.out);
  ASSERT_EQ(expected.at("t").size(), 101U);
  for (const std::string fmi : {"2", "3"}) {
    const Fmu fmu(shell, "smooth", "smooth.yaml --fmi " + fmi);
    EXPECT_NE(fmu.description.find("<ModelExchange modelIdentifier=\"smooth\""), std::string::npos);
    Instance unit(fmu, "?", true);
    ASSERT_TRUE(unit.exists());
    EXPECT_EQ(unit.set("q0[1]", {0.3, -0.1, 0.5}), fmi2OK);
    EXPECT_EQ(unit.set("qd0[1]", {0, 0.2, 1}), fmi2OK);
    EXPECT_EQ(unit.set("payload_mass", {0.5}), fmi2OK);
    EXPECT_EQ(unit.set("payload_com[1]", {0, 0, 0.1}), fmi2OK);
    ASSERT_EQ(unit.initialize(), fmi2OK);
    EXPECT_EQ(unit.call("EnterContinuousTimeMode"), fmi2OK);
    EXPECT_EQ(unit.set("tau[1]", {1, 30, 0.5}), fmi2OK);
    EXPECT_EQ(unit.set("tcp_force[1]", {0.3, 0, 1, 0, 0.1, 0}), fmi2OK);
    Values x = unit.states(6), again;
    void* kept = nullptr;
    for (std::size_t k = 0; k <= 100; ++k) {
      for (std::size_t i = 0; i < 3; ++i) {
        const std::string number = std::to_string(i + 1);
        ASSERT_NEAR(x[i], expected.at("q" + number)[k], 1e-12) << k;
        ASSERT_NEAR(x[3 + i], expected.at("qd" + number)[k], 1e-12) << k;
      }
      const double t = 0.005 * static_cast<double>(k);
      if (k == 50) kept = unit.state();
      x = rk4(unit, t, x, 0.005);
      EXPECT_EQ(unit.set_time(t + 0.005), fmi2OK);
      EXPECT_EQ(unit.set_states(x), fmi2OK);
      if (k == 50) again = unit.outputs(3);
    }
    unit.set_state(kept);
    x = rk4(unit, unit.get("time", 1)[0], unit.states(6), 0.005);
    EXPECT_EQ(unit.set_time(0.255), fmi2OK);
    EXPECT_EQ(unit.set_states(x), fmi2OK);
    EXPECT_EQ(unit.outputs(3), again);
    unit.free_state(kept);
    EXPECT_EQ(unit.messages(), Messages());
    EXPECT_EQ(unit.step(0.0, 0.1), fmi2Error);
    EXPECT_NE(unit.messages().at(0).find("this instance is for model exchange"), std::string::npos);

    const Fmu rough(shell, "rough", "puma560 --fmi " + fmi);
    EXPECT_EQ(rough.description.find("ModelExchange"), std::string::npos);
    const Instance refused(rough, "?", true);
    EXPECT_FALSE(refused.exists());
    EXPECT_NE(refused.messages().at(0).find("this unit is for co-simulation: dry friction"),
              std::string::npos);
  }
}

TEST(Fmu, FollowsDesiredMotionsAsItsGainsSay) {
  const Shell shell;
  if (!makes_fmus(shell)) GTEST_SKIP() << "this armdyn was built without FMUs";
  shell.write("smooth.yaml", smooth_arm);
  for (const std::string fmi : {"2", "3"}) {
    const Fmu fmu(shell, "held", "smooth.yaml --controlled --fmi " + fmi);
    Instance unit(fmu), exchanged(fmu, "?", true);
    for (Instance* one : {&unit, &exchanged}) {
      ASSERT_TRUE(one->exists());
      EXPECT_EQ(one->set("kp[2]", {400}), fmi2OK);
      EXPECT_EQ(one->set("kv[2]", {40}), fmi2OK);
      EXPECT_EQ(one->set("q0[1]", {0.1, 0.2, 0.3}), fmi2OK);
      ASSERT_EQ(one->initialize(), fmi2OK);
      EXPECT_EQ(one->set("q_desired[1]", {0.5, 0.1, -0.4}), fmi2OK);
    }
    const Values gap{0.4, -0.1, -0.7}, rate{10, 20, 10};
    Values x = exchanged.states(6);
    for (std::size_t k = 0; k < 30; ++k) {
      const double t = step * static_cast<double>(k);
      ASSERT_EQ(unit.step(t, step), fmi2OK);
      for (double part = 0; part < 10; ++part) x = rk4(exchanged, t + part * 1e-3, x, 1e-3);
      const Values q = unit.get("q[1]", 3);
      for (std::size_t i = 0; i < 3; ++i) {  // ë + 2 ω ė + ω² e = 0 from rest
        const double phase = rate[i] * (t + step), e = gap[i] * (1 + phase) * std::exp(-phase);
        EXPECT_NEAR(q[i], Values({0.5, 0.1, -0.4})[i] - e, 1e-8) << k;
        EXPECT_NEAR(x[i], q[i], 1e-12) << k;
      }
    }
    const Values slopes = unit.derivative("q_desired[2]", 3),
                 rates = unit.derivative("qd_desired[3]", 3);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(slopes[i], i == 1 ? 400.0 : 0.0, 1e-9);
      EXPECT_NEAR(rates[i], i == 2 ? 20.0 : 0.0, 1e-9);
    }
  }
  // Dry friction is compensated by the desired direction, which a short step keeps.
  const Fmu rubbing(shell, "rubbing", "puma560 --controlled");
  Instance moving(rubbing);
  ASSERT_EQ(moving.initialize(), fmi2OK);
  ASSERT_EQ(moving.set("qd_desired[1]", {0.3, 0.3, 0.3, 0.3, 0.3, 0.3}), fmi2OK);
  for (std::size_t k = 0; k < 5; ++k) ASSERT_LE(moving.step(0.02 * double(k), 0.02), fmi2Warning);
  EXPECT_NEAR(moving.derivative("qd_desired[1]", 6, -1.0)[0], -20.0, 1e-6);
  // With dry friction and a limit, as `track` has them.
  shell.write("still.csv",
              "t,q1,q2,q3,q4,q5,q6,qd1,qd2,qd3,qd4,qd5,qd6,qdd1,qdd2,qdd3,qdd4,qdd5,qdd6\n"
              "0,0.3,0.2,-0.1,0.5,0.1,0.2,0,0,0,0,0,0,0,0,0,0,0,0\n"
              "0.2,0.3,0.2,-0.1,0.5,0.1,0.2,0,0,0,0,0,0,0,0,0,0,0,0\n");
  const Outcome tracked = shell.run(
      "$armdyn track puma560 still.csv --sample-time 0 --q0 0,0,0,0,0,0 --step 0.001 "
      "--quiet");
  ASSERT_EQ(tracked.exit_code, 0) << tracked.err;
  const CsvColumns expected = csv_columns(tracked.out);
  const Fmu fmu(shell, "puma", "puma560 --controlled");
  Instance unit(fmu);
  ASSERT_EQ(unit.set("q_desired[1]", {0.3, 0.2, -0.1, 0.5, 0.1, 0.2}), fmi2OK);
  ASSERT_EQ(unit.initialize(), fmi2OK);
  const double every = expected.at("t")[1];
  for (std::size_t k = 0; k < expected.at("t").size(); ++k) {
    const Values q = unit.get("q[1]", 6);
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(q[i], expected.at("q" + std::to_string(i + 1))[k], 1e-12) << k;
    }
    ASSERT_LE(unit.step(every * static_cast<double>(k), every), fmi2Warning);
  }
}

TEST(Fmu, InstancesKeepApartAndStatesRepeat) {
  const Shell shell;
  if (!makes_fmus(shell)) GTEST_SKIP() << "this armdyn was built without FMUs";
  for (const std::string fmi : {"2", "3"}) {
    const Fmu fmu(shell, "puma", "puma560 --fmi " + fmi);
    const auto advance = [](Instance& unit, std::size_t k, double size) {
      EXPECT_EQ(unit.set("tau[1]", torques(k, 6, size)), fmi2OK);
      EXPECT_LE(unit.step(step * double(k), step), fmi2Warning);
      return unit.outputs(6);
    };
    const auto alone = [&](double size) {
      Instance unit(fmu);
      EXPECT_EQ(unit.initialize(), fmi2OK);
      std::vector<Values> rows;
      for (std::size_t k = 0; k < steps; ++k) rows.push_back(advance(unit, k, size));
      return rows;
    };
    const std::vector<Values> one = alone(20.0), other = alone(55.0);
    EXPECT_NE(one, other);
    Instance first(fmu), second(fmu);
    EXPECT_EQ(first.initialize(), fmi2OK);
    EXPECT_EQ(second.initialize(), fmi2OK);
    std::string bytes;
    void* kept = nullptr;
    for (std::size_t k = 0; k < steps; ++k) {
      if (k == steps / 2) {
        kept = first.state();
        bytes = first.serialized(kept);
      }
      EXPECT_EQ(advance(first, k, 20.0), one[k]) << k;
      EXPECT_EQ(advance(second, k, 55.0), other[k]) << k;
    }
    Instance third(fmu);  // which gets the state as bytes, before it was initialized
    void* const read = third.deserialized(bytes);
    for (Instance* unit : {&first, &second, &third}) {
      unit->set_state(unit == &third ? read : kept);
      for (std::size_t k = steps / 2; k < steps; ++k) EXPECT_EQ(advance(*unit, k, 20.0), one[k]);
    }
    third.free_state(read);
    first.free_state(kept);
    EXPECT_EQ(first.call("Reset"), fmi2OK);
    EXPECT_EQ(first.initialize(), fmi2OK);
    EXPECT_EQ(advance(first, 0, 20.0), one[0]);
    EXPECT_EQ(first.messages(), Messages());
  }
}

TEST(Fmu, TellsTheLoggerWhatIsWrong) {
  const Shell shell;
  if (!makes_fmus(shell)) GTEST_SKIP() << "this armdyn was built without FMUs";
  const Fmu fmu(shell, "rr", "craig-rr");
  const Instance of_another(fmu, "fnv1a64:0123456789abcdef 0.001");
  EXPECT_FALSE(of_another.exists());
  ASSERT_EQ(of_another.messages().size(), 1U);
  EXPECT_NE(of_another.messages()[0].find("3 logStatusError: "), std::string::npos);
  EXPECT_NE(of_another.messages()[0].find("is not the robot file that this unit was made of"),
            std::string::npos);

  Instance unit(fmu);
  const auto expect_error = [&unit](int status, const std::string& text) {
    EXPECT_EQ(status, fmi2Error) << text;
    ASSERT_FALSE(unit.messages().empty());
    EXPECT_NE(unit.messages().back().find(text), std::string::npos) << unit.messages().back();
  };
  expect_error(unit.step(0.0, 0.1), "a step needs a unit that is initialized");
  expect_error(unit.set("q[1]", {1.0}), "q[1] is no input and no parameter");
  expect_error(unit.set("nothing", {1.0}), "found value reference 999999, expected less than");
  expect_error(unit.set("tau[2]", {std::nan("")}), "tau[2]: found nan, expected a finite number");
  EXPECT_EQ(unit.set("payload_mass", {-1.0}), fmi2OK);
  expect_error(unit.initialize(), "payload");
  EXPECT_EQ(unit.set("payload_mass", {0.0}), fmi2OK);
  EXPECT_EQ(unit.initialize(), fmi2OK);
  expect_error(unit.set("friction_scale", {1.0}), "friction_scale is a fixed parameter");
  expect_error(unit.step(5.0, 0.1), "found a step from 5 s by 0.1 s, expected one from 0 s on");
  EXPECT_EQ(unit.set("tau[1]", {1e300, 0.0}), fmi2OK);
  expect_error(unit.step(0.0, 0.1), "diverges");
}

TEST(Fmu, EndsWhereAJointReachesItsLimit) {
  const Shell shell;
  if (!makes_fmus(shell)) GTEST_SKIP() << "this armdyn was built without FMUs";
  shell.write(
      "falls.yaml",
      "armdyn: 1\nname: falls & \"more\"\nconvention: modified\ngravity: [0, -9.81, 0]\n"
      "joints:\n  - {name: a, type: revolute, mass: 1, dh: {a: 0, alpha: 0, d: 0, theta: 0}, "
      "com: [0.5, 0, 0], limits: {position: [-0.5, 0.5]}}\n");
  const Outcome simulated = shell.run("$armdyn simulate falls.yaml --duration 1 --quiet");
  const Values times = csv_columns(simulated.out).at("t");
  for (const std::string fmi : {"2", "3"}) {
    const Fmu fmu(shell, "falls", "falls.yaml --fmi " + fmi);
    Instance unit(fmu);
    ASSERT_TRUE(unit.exists());
    ASSERT_EQ(unit.initialize(), fmi2OK);
    const int status = unit.step(0.0, 1.0);
    EXPECT_EQ(status, fmi == "2" ? int{fmi2Discard} : int{fmi3Warning});
    EXPECT_EQ(unit.get("time", 1)[0], times.back());
    EXPECT_EQ(unit.get("q[1]", 1)[0], -0.5);
    ASSERT_EQ(unit.messages().size(), 1U);
    EXPECT_NE(unit.messages()[0].find("a reached its limit -0.5"), std::string::npos);
    if (fmi == "3") {
      EXPECT_TRUE(unit.terminates);
      EXPECT_EQ(unit.last_time, times.back());
    }
  }
}

TEST(Fmu, HasTheInverseOfTheMassMatrixAsDerivative) {
  const Shell shell;
  if (!makes_fmus(shell)) GTEST_SKIP() << "this armdyn was built without FMUs";
  const std::string q = "0.3,-0.4,0.5,0.6,0.7,0.8";
  const auto state = nlohmann::json::parse(
      shell.run("$armdyn inspect ur5e --q=" + q + " --what M,J --axes tool --json").out);
  const Fmu fmu(shell, "ur", "ur5e");
  Instance unit(fmu);
  ASSERT_EQ(unit.set("q0[1]", {0.3, -0.4, 0.5, 0.6, 0.7, 0.8}), fmi2OK);
  ASSERT_EQ(unit.set("qd0[1]", Values(6, 0.1)), fmi2OK);  // nothing sticks
  ASSERT_EQ(unit.initialize(), fmi2OK);
  const Values before = unit.outputs(6);
  for (std::size_t input = 0; input < 9; ++input) {
    const bool is_torque = input < 6;
    const std::string name = (is_torque ? "tau[" : "tcp_force[") +
                             std::to_string(is_torque ? input + 1 : input - 5) + "]";
    const Values qdd = unit.derivative(name, 6);
    for (std::size_t i = 0; i < 6; ++i) {  // M q̈ = e, or −Jᵀ e
      double product = 0.0;
      for (std::size_t j = 0; j < 6; ++j) product += state["M"][i][j].get<double>() * qdd[j];
      const double expected =
          is_torque ? (i == input ? 1.0 : 0.0) : -state["J"][input - 6][i].get<double>();
      EXPECT_NEAR(product, expected, 1e-9) << name << i;
    }
  }
  EXPECT_EQ(unit.outputs(6), before);
}

}  // namespace
}  // namespace armdyn::testing
