#include "io/robot/urdf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "io/robot/xml_tree.hpp"
#include "io/text/number_text.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

UrdfReport examine_urdf(std::string_view bytes, const ChainChoice& choice,
                        const std::string& file) {
  UrdfReport report;
  const XmlTree xml = parse_xml(bytes);
  report.findings = xml.problems;
  if (!xml.root) return report;
  if (auto urdf = read_urdf(*xml.root, report.findings)) {
    const auto tree = std::make_shared<const Urdf>(*std::move(urdf));
    if (!has_error(report.findings)) {
      find_faults(*tree, report.findings);
      report.chain = choose_chain(*tree, choice, file, report.findings);
    }
    report.tree = tree;
  }
  if (has_error(report.findings)) {
    report.chain.reset();
    std::erase_if(report.findings,
                  [](const Finding& finding) { return finding.severity == Severity::warning; });
  }
  if (report.chain) {
    report.chain->chain.source = "URDF " + std::filesystem::path(file).filename().string();
  }
  std::ranges::stable_sort(report.findings, {}, &Finding::line);
  return report;
}

bool is_urdf(const std::string& file, std::string_view bytes) {
  if (file.ends_with(".urdf") || file.ends_with(".xacro")) return true;
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != bytes.npos && bytes[first] == '<';
}

std::string amount_text(const Snapped& one) {
  return one.angle > 0.0 ? micro(one.angle, "rad") : micro(one.length, "m");
}

std::string hand_text(const ChainTable& table) {
  constexpr double up = 1.0005;  // so that four digits are a bound, too
  return fmt::format("the hand moves by at most {} and {}", micro(up * table.hand_place, "m"),
                     micro(up * table.hand_turn, "rad"));
}

std::string snapped_text(const ChainTable& table) {
  const Snapped& most = *std::ranges::max_element(table.snapped, {}, &Snapped::angle);
  const std::size_t others = table.snapped.size() - 1;
  return in_one_line(fmt::format(
      "taken as exact: {} ({} off){}; by that {}", most.what, amount_text(most),
      others == 0 ? "" : fmt::format(" and {} more, which armdyn convert lists", others),
      hand_text(table)));
}

void locate_in(const UrdfChain& chain, const Urdf& tree, Finding& finding) {
  const std::string_view path = finding.path;
  if (!path.starts_with("joints[")) return;
  const auto index = parse_number(path.substr(7, path.find(']') - 7));
  if (!index || *index >= static_cast<double>(chain.joints.size())) return;
  const UrdfJoint& joint = *chain.joints[static_cast<std::size_t>(*index)];
  const std::string_view value = path.substr(path.find(']') + 1);
  const bool is_body =
      value.starts_with(".mass") || value.starts_with(".com") || value.starts_with(".inertia");
  const bool is_limit = value.starts_with(".limits") && joint.limit_line > 0;
  finding.line = is_limit ? joint.limit_line : joint.line;
  if (is_body) {
    const auto link = std::ranges::find(tree.links, joint.child, &UrdfLink::name);
    finding.line = link->inertial_line > 0 ? link->inertial_line : link->line;
  }
  finding.path = is_body ? "link " + joint.child : "joint " + joint.name;
}

}  // namespace armdyn
