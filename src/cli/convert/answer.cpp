#include "cli/convert/answer.hpp"

#include <fmt/format.h>
#include <armdyn/robot_file.hpp>

#include <nlohmann/json.hpp>

#include "io/text/number_text.hpp"
#include "report/answer.hpp"
#include "report/text_table.hpp"

namespace armdyn {

namespace {

/// Largest difference of one quantity, what is allowed, and both over their scale.
Fields deviation_row(const std::string& key, const std::string& label, double found, double allowed,
                     const std::string& unit) {
  return {{"quantity", "input against output", {key, label}},
          {"largest", "largest difference", Value::magnitude(found)},
          {"allowed", "allowed", Value::magnitude(allowed)},
          {"unit", "", Value::word(unit)}};
}

std::vector<Fields> deviation_rows(const Proof& proof) {
  const Deviation& found = proof.found;
  const Allowed& allowed = proof.allowed;
  return {deviation_row("hand", "hand, its place", found.hand, allowed.hand, "of the arm's size"),
          deviation_row("turn", "hand, its direction", found.turn, allowed.turn, "rad"),
          deviation_row("jacobian", "Jacobian", found.jacobian, allowed.jacobian,
                        "of its largest entry"),
          deviation_row("gravity", "gravity torque", found.gravity, allowed.gravity,
                        fmt::format("N·m, of {}", short_number(found.gravity_scale))),
          deviation_row("torque", "torque", found.torque, allowed.torque,
                        fmt::format("N·m, of {}", short_number(found.torque_scale)))};
}

std::string micro(double value, const char* unit) {
  return fmt::format("{} µ{}", short_number(value * 1e6), unit);
}

std::string amount(const Snapped& one) {
  return one.angle > 0.0 ? micro(one.angle, "rad") : micro(one.length, "m");
}

std::string snapped_text(const ConvertAnswer& answer) {
  if (answer.snapped.empty()) return "";
  std::string text = fmt::format(
      "snapped: the hand moves by at most {} and {} over the joint ranges, as a search finds it\n",
      micro(answer.moves->place.value, "m"), micro(answer.moves->turn.value, "rad"));
  for (const Snapped& one : answer.snapped) text += "  " + one.what + ": " + amount(one) + " off\n";
  return text;
}

}  // namespace

std::string convert_text(const ConvertAnswer& answer) {
  std::string text;
  for (const Finding& warning : answer.warnings) text += to_text(warning, answer.input) + "\n";
  if (answer.proof.agrees) {
    text += fmt::format("{}: {} from {}\n", answer.output, answer.what, answer.input);
  }
  for (const std::string& note : answer.notes) text += wrapped("  ", note);
  text += snapped_text(answer);
  text += table(deviation_rows(answer.proof));
  text += fmt::format("{} random states: ", answer.proof.states);
  text += answer.proof.agrees
              ? "input and output are the same arm\n"
              : "not the same arm to that accuracy; nothing is written. Axes of a URDF "
                "that are nearly parallel put frames far away: try another --snap\n";
  for (const std::string& lost : answer.lost) text += wrapped("not in the output: ", lost);
  return text;
}

nlohmann::json convert_json(const ConvertAnswer& answer) {
  nlohmann::json snapped = nlohmann::json::array(), warnings = nlohmann::json::array();
  for (const Snapped& one : answer.snapped) {
    snapped.push_back({{"what", one.what}, {"angle", one.angle}, {"length", one.length}});
  }
  for (const Finding& warning : answer.warnings) {
    warnings.push_back(to_text(warning, answer.input));
  }
  nlohmann::json json{{"input", answer.input},
                      {"output", answer.output},
                      {"what", answer.what},
                      {"notes", answer.notes},
                      {"not_in_output", answer.lost},
                      {"snapped", snapped},
                      {"states", answer.proof.states},
                      {"agree", answer.proof.agrees},
                      {"differences", objects(deviation_rows(answer.proof))},
                      {"model_warnings", warnings}};
  if (answer.moves) {
    const auto at = [](const AtPosition& found) {
      return nlohmann::json{{"value", found.value}, {"q", found.q}};
    };
    json["hand_moves"] = {{"place", at(answer.moves->place)}, {"turn", at(answer.moves->turn)}};
  }
  return json;
}

}  // namespace armdyn
