#include "cli/convert/answer.hpp"

#include <fmt/format.h>
#include <armdyn/robot_file.hpp>

#include "io/robot/urdf_file.hpp"
#include "io/text/number_text.hpp"
#include "report/document.hpp"

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

}  // namespace

Sections convert_sections(const ConvertAnswer& answer) {
  Document found;
  for (const Finding& warning : answer.warnings) found.add(to_text(warning, answer.input));
  found.add(Json{{"input", answer.input}, {"output", answer.output}, {"what", answer.what}});
  const bool agrees = answer.proof.agrees;
  if (agrees) found.add(fmt::format("{}: {} from {}", answer.output, answer.what, answer.input));
  found.add("notes", Paragraphs{"  ", answer.notes});
  Json snapped = Json::list();
  const bool snapped_any = !answer.table.snapped.empty();
  if (snapped_any) found.add("snapped: " + hand_text(answer.table));
  for (const Snapped& one : answer.table.snapped) {
    found.add("  " + one.what + ": " + amount_text(one) + " off");
    snapped.push_back({{"what", one.what}, {"angle", one.angle}, {"length", one.length}});
  }
  found.add("snapped", snapped);
  found.add("differences", FieldTable{deviation_rows(answer.proof)});
  found.add(Json{{"states", answer.proof.states}, {"agree", agrees}});
  found.add(fmt::format("{} random states: {}", answer.proof.states,
                        agrees ? "input and output are the same arm"
                               : "not the same arm to that accuracy; nothing is written. Axes of a "
                                 "URDF that are nearly parallel put frames far away: try another "
                                 "--snap"));
  found.add("not_in_output", Paragraphs{"not in the output: ", answer.lost});
  if (snapped_any) {
    found.add("hand_moves", Json{{"place", Json{{"value", answer.table.hand_place}}},
                                 {"turn", Json{{"value", answer.table.hand_turn}}}});
  }
  return found.sections;
}

}  // namespace armdyn
