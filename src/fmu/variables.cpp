#include "fmu/variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace armdyn {

namespace {

bool turns(const Joint& joint) {
  return joint.type == JointType::revolute;
}

/// A variable per joint, with its unit for a revolute and for a prismatic one.
std::vector<FmuVariable> per_joint(const Robot& robot, const std::string& what,
                                   const std::string& turning, const std::string& sliding) {
  std::vector<FmuVariable> variables;
  for (const Joint& joint : robot.joints) {
    variables.push_back({"", turns(joint) ? turning : sliding, what + " of " + joint.name});
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

FmuVariables::FmuVariables(const Robot& robot) {
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
  tau = add("tau[]", input, per_joint(robot, "torque or force of the drive", "N.m", "N"));
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

std::string fmu_token(const std::string& digest, double step) {
  return fmt::format("{} {}", digest, step);
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

std::string variable_text(const FmuVariable& variable, std::size_t reference, FmiVersion version) {
  const bool is_parameter = variable.causality == Causality::parameter;
  const bool has_start = is_parameter || variable.causality == Causality::input;
  const std::string common = fmt::format(
      "name=\"{}\" valueReference=\"{}\" causality=\"{}\" variability=\"{}\" description=\"{}\"",
      attribute(variable.name), reference,
      causalities.at(static_cast<std::size_t>(variable.causality)),
      is_parameter ? "fixed" : "continuous", attribute(variable.description));
  const std::string real = fmt::format("unit=\"{}\"", variable.unit) +
                           (has_start ? fmt::format(" start=\"{}\"", variable.start) : "");
  return version == FmiVersion::fmi2
             ? fmt::format("    <ScalarVariable {}><Real {}/></ScalarVariable>\n", common, real)
             : fmt::format("    <Float64 {} {}/>\n", common, real);
}

/// Outputs; in step mode only q̈ depends on the inputs.
std::string structure_text(const FmuVariables& variables, FmiVersion version) {
  std::string outputs, initial, inputs;
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
    outputs += fmt::format("    <{} {} dependencies=\"{}\"/>\n", is_2 ? "Unknown" : "Output", of,
                           variables.all[k].follows_inputs ? inputs : "");
    initial += fmt::format("    <{} {}/>\n", is_2 ? "Unknown" : "InitialUnknown", of);
  }
  return is_2 ? "    <Outputs>\n" + outputs + "    </Outputs>\n    <InitialUnknowns>\n" + initial +
                    "    </InitialUnknowns>\n"
              : outputs + initial;
}

}  // namespace

std::string model_description(const Robot& robot, FmiVersion version, const std::string& identifier,
                              const std::string& token, double step, const std::string& tool) {
  const FmuVariables variables(robot);
  const bool is_2 = version == FmiVersion::fmi2;
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<fmiModelDescription fmiVersion=\"{}\" modelName=\"{}\" {}=\"{}\"\n"
      "    description=\"{}\" generationTool=\"{}\" variableNamingConvention=\"structured\">\n"
      "  <CoSimulation modelIdentifier=\"{}\" canHandleVariableCommunicationStepSize=\"true\"\n"
      "      {}/>\n  <UnitDefinitions>\n",
      is_2 ? "2.0" : "3.0", attribute(robot.name), is_2 ? "guid" : "instantiationToken", token,
      attribute(robot.description), tool, identifier,
      is_2 ? "canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\"\n"
             "      canSerializeFMUstate=\"true\" providesDirectionalDerivative=\"true\""
           : fmt::format(
                 "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"\n"
                 "      providesDirectionalDerivatives=\"true\" fixedInternalStepSize=\"{}\"",
                 step));
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
      step);
  for (std::size_t k = 0; k < variables.all.size(); ++k) {
    text += variable_text(variables.all[k], k, version);
  }
  return text + "  </ModelVariables>\n  <ModelStructure>\n" + structure_text(variables, version) +
         "  </ModelStructure>\n</fmiModelDescription>\n";
}

}  // namespace armdyn
