#include "fmu/variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "dynamics/friction.hpp"
#include "model/joint_kind.hpp"

namespace armdyn {

namespace {

/// A variable per joint, with its unit for a revolute and for a prismatic one.
std::vector<FmuVariable> per_joint(const Robot& robot, const std::string& what,
                                   const std::string& turning, const std::string& sliding) {
  std::vector<FmuVariable> variables;
  for (const Joint& joint : robot.joints) {
    variables.push_back({"", by_kind(joint.type, turning, sliding), what + " of " + joint.name});
  }
  return variables;
}

std::vector<FmuVariable> vector_of(const Vec3& start, const std::string& unit,
                                   const std::string& what) {
  std::vector<FmuVariable> variables;
  for (const auto& [axis, value] : {std::pair("x", start.x), {"y", start.y}, {"z", start.z}}) {
    variables.push_back({"", unit, fmt::format("{}, {}", what, axis), {}, value});
  }
  return variables;
}

}  // namespace

bool has_smooth_law(const Robot& robot) {
  const auto has_stop = [](const Limits& limits) { return limits.position.has_value(); };
  return !has_dry_friction(normalize(robot)) && std::ranges::none_of(joint_limits(robot), has_stop);
}

FmuVariables::FmuVariables(const Robot& robot, bool is_controlled) {
  using enum Causality;
  time = add("time", independent, {{"", "s", "simulation time"}});
  q0 = add("q0[]", parameter, per_joint(robot, "position at the start", "rad", "m"));
  qd0 = add("qd0[]", parameter, per_joint(robot, "velocity at the start", "rad/s", "m/s"));
  gravity =
      add("gravity[]", parameter, vector_of(robot.gravity, "m/s2", "gravity in axes of the world"));
  payload_mass =
      add("payload_mass", parameter, {{"", "kg", "mass of the payload", {}, robot.payload.mass}});
  payload_com = add("payload_com[]", parameter,
                    vector_of(robot.payload.com, "m", "center of mass of the payload, tool frame"));
  friction_scale = add("friction_scale", parameter,
                       {{"", "1", "factor of all friction of joints and motors", {}, 1.0}});
  if (is_controlled) {
    std::vector<FmuVariable> gains = per_joint(robot, "gain of the position error", "1/s2", "1/s2");
    for (FmuVariable& gain : gains) gain.start = 100.0;  // paper 003, section 5
    kp = add("kp[]", parameter, gains);
    gains = per_joint(robot, "gain of the velocity error", "1/s", "1/s");
    for (FmuVariable& gain : gains) gain.start = 20.0;
    kv = add("kv[]", parameter, gains);
    inputs = add("q_desired[]", input, per_joint(robot, "desired position", "rad", "m"));
    add("qd_desired[]", input, per_joint(robot, "desired velocity", "rad/s", "m/s"));
    add("qdd_desired[]", input, per_joint(robot, "desired acceleration", "rad/s2", "m/s2"));
  } else {
    inputs = add("tau[]", input, per_joint(robot, "torque or force of the drive", "N.m", "N"));
  }
  force = add("tcp_force[]", input,
              vector_of({}, "N", "force of the tool on the environment, axes of the tool"));
  moment = add("tcp_moment[]", input,
               vector_of({}, "N.m", "moment of the tool on the environment about the TCP"));
  q = add("q[]", output, per_joint(robot, "position", "rad", "m"));
  qd = add("qd[]", output, per_joint(robot, "velocity", "rad/s", "m/s"));
  std::vector<FmuVariable> accelerations = per_joint(robot, "acceleration", "rad/s2", "m/s2");
  for (FmuVariable& one : accelerations) one.follows_inputs = true;
  qdd = add("qdd[]", output, accelerations);
  tcp_position = add("tcp_position[]", output, vector_of({}, "m", "TCP in the world"));
  tcp_rotation = all.size();
  for (const char* const row : {"x", "y", "z"}) {
    add(fmt::format("tcp_rotation_{}[]", row), output,
        vector_of({}, "1", fmt::format("axes of the tool in the world: {} of", row)));
  }
  energy = add("energy", output, {{"", "J", "kinetic and potential energy"}});
}

std::size_t FmuVariables::add(const std::string& name, Causality causality,
                              const std::vector<FmuVariable>& entries) {
  const std::size_t first = all.size();
  for (std::size_t k = 0; k < entries.size(); ++k) {
    FmuVariable& variable = all.emplace_back(entries[k]);
    variable.causality = causality;
    variable.name =
        name.ends_with("[]") ? fmt::format("{}[{}]", name.substr(0, name.size() - 2), k + 1) : name;
  }
  return first;
}

std::string fmu_token(const std::string& digest, const FmuKind& kind) {
  return fmt::format("{} {}{}", digest, kind.step, kind.is_controlled ? " controlled" : "");
}

// --- modelDescription.xml

namespace {

/// Text in an attribute; characters that XML lacks become "?".
std::string attribute(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20;
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += is_control ? '?' : c;
    }
  }
  return result;
}

/// Units as products of powers of those of SI.
constexpr std::array units{
    std::pair{"1", ""},
    std::pair{"s", "s=\"1\""},
    std::pair{"1/s", "s=\"-1\""},
    std::pair{"1/s2", "s=\"-2\""},
    std::pair{"kg", "kg=\"1\""},
    std::pair{"m", "m=\"1\""},
    std::pair{"m/s", "m=\"1\" s=\"-1\""},
    std::pair{"m/s2", "m=\"1\" s=\"-2\""},
    std::pair{"rad", "rad=\"1\""},
    std::pair{"rad/s", "rad=\"1\" s=\"-1\""},
    std::pair{"rad/s2", "rad=\"1\" s=\"-2\""},
    std::pair{"N", "kg=\"1\" m=\"1\" s=\"-2\""},
    std::pair{"N.m", "kg=\"1\" m=\"2\" s=\"-2\""},
    std::pair{"J", "kg=\"1\" m=\"2\" s=\"-2\""},
};

constexpr std::array causalities{"independent", "parameter", "input", "output"};

/// `integral`: the place in the file of the variable whose derivative it is.
std::string variable_text(const FmuVariable& variable, std::size_t reference, FmiVersion version,
                          std::optional<std::size_t> integral) {
  const bool is_parameter = variable.causality == Causality::parameter;
  const bool has_start = is_parameter || variable.causality == Causality::input;
  const std::string common = fmt::format(
      "name=\"{}\" valueReference=\"{}\" causality=\"{}\" variability=\"{}\" description=\"{}\"",
      attribute(variable.name), reference,
      causalities.at(static_cast<std::size_t>(variable.causality)),
      is_parameter ? "fixed" : "continuous", attribute(variable.description));
  const std::string real = fmt::format("unit=\"{}\"", variable.unit) +
                           (has_start ? fmt::format(" start=\"{}\"", variable.start) : "") +
                           (integral ? fmt::format(" derivative=\"{}\"", *integral) : "");
  return version == FmiVersion::fmi2
             ? fmt::format("    <ScalarVariable {}><Real {}/></ScalarVariable>\n", common, real)
             : fmt::format("    <Float64 {} {}/>\n", common, real);
}

/// Outputs; in step mode only q̈ depends on the inputs. For model exchange any may depend on the state,
/// and the derivatives of the state are those from q̇ on.
std::string structure_text(const FmuVariables& variables, FmiVersion version, bool is_exchanged) {
  std::string outputs, derivatives, initial, inputs;
  const bool is_2 = version == FmiVersion::fmi2;
  const auto place = [is_2](std::size_t k) { return is_2 ? k + 1 : k; };
  for (std::size_t k = 0; k < variables.all.size(); ++k) {
    if (variables.all[k].causality == Causality::input) {
      inputs += fmt::format("{}{}", inputs.empty() ? "" : " ", place(k));
    }
  }
  for (std::size_t k = 0; k < variables.all.size(); ++k) {
    if (variables.all[k].causality != Causality::output) continue;
    const std::string of = fmt::format("{}=\"{}\"", is_2 ? "index" : "valueReference", place(k));
    const std::string dependencies =
        fmt::format(" dependencies=\"{}\"", variables.all[k].follows_inputs ? inputs : "");
    outputs += fmt::format("    <{} {}{}/>\n", is_2 ? "Unknown" : "Output", of,
                           is_exchanged ? "" : dependencies);
    if (is_exchanged && variables.is_rate(k)) {
      derivatives +=
          fmt::format("    <{} {}/>\n", is_2 ? "Unknown" : "ContinuousStateDerivative", of);
    }
    initial += fmt::format("    <{} {}/>\n", is_2 ? "Unknown" : "InitialUnknown", of);
  }
  if (!is_2) return outputs + derivatives + initial;
  const auto list = [](const std::string& name, const std::string& entries) {
    return entries.empty() ? "" : fmt::format("    <{0}>\n{1}    </{0}>\n", name, entries);
  };
  return list("Outputs", outputs) + list("Derivatives", derivatives) +
         list("InitialUnknowns", initial);
}

}  // namespace

std::string model_description(const Robot& robot, const FmuKind& kind,
                              const std::string& identifier, const std::string& token,
                              const std::string& tool) {
  const FmuVariables variables(robot, kind.is_controlled);
  const bool is_2 = kind.version == FmiVersion::fmi2, is_exchanged = has_smooth_law(robot);
  const char* const states = is_2 ? "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\""
                                  : "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"";
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<fmiModelDescription fmiVersion=\"{}\" modelName=\"{}\" {}=\"{}\"\n"
      "    description=\"{}\" generationTool=\"{}\" variableNamingConvention=\"structured\">\n{}"
      "  <CoSimulation modelIdentifier=\"{}\" canHandleVariableCommunicationStepSize=\"true\"\n"
      "      {}\n      {}/>\n  <UnitDefinitions>\n",
      is_2 ? "2.0" : "3.0", attribute(robot.name), is_2 ? "guid" : "instantiationToken", token,
      attribute(robot.description), tool,
      is_exchanged ? fmt::format("  <ModelExchange modelIdentifier=\"{}\" {}{}/>\n", identifier,
                                 is_2 ? "canNotUseMemoryManagementFunctions=\"true\" " : "", states)
                   : "",
      identifier, states,
      is_2 ? "canNotUseMemoryManagementFunctions=\"true\" providesDirectionalDerivative=\"true\""
           : fmt::format("providesDirectionalDerivatives=\"true\" fixedInternalStepSize=\"{}\"",
                         kind.step));
  for (const auto& [name, powers] : units) {
    text += fmt::format("    <Unit name=\"{}\"><BaseUnit {}/></Unit>\n", name, powers);
  }
  text += "  </UnitDefinitions>\n  <LogCategories>\n";
  for (const char* const category : {"logStatusWarning", "logStatusDiscard", "logStatusError"}) {
    text += fmt::format("    <Category name=\"{}\"/>\n", category);
  }
  text += fmt::format(
      "  </LogCategories>\n  <DefaultExperiment startTime=\"0\" stopTime=\"1\" stepSize=\"{}\"/>\n"
      "  <ModelVariables>\n",
      kind.step);
  for (std::size_t k = 0; k < variables.all.size(); ++k) {
    std::optional<std::size_t> integral;
    if (is_exchanged && variables.is_rate(k)) {
      integral = k - robot.dof() + (is_2 ? 1 : 0);
    }
    text += variable_text(variables.all[k], k, kind.version, integral);
  }
  return text + "  </ModelVariables>\n  <ModelStructure>\n" +
         structure_text(variables, kind.version, is_exchanged) +
         "  </ModelStructure>\n</fmiModelDescription>\n";
}

}  // namespace armdyn
