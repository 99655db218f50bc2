// Robot files: an error with a place or a robot that can be set up.

#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>

#include "fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace armdyn;
  const std::string path = fuzz::file_of(fuzz::bytes_of(data, size), ".yaml");
  const RobotFileReport report = examine_robot_file(path);
  fuzz::require(report.robot.has_value() != has_error(report.findings),
                "a file has errors or a robot");
  for (const Finding& finding : report.findings) {
    fuzz::require(finding.message.size() + finding.path.size() < 10000, "findings are short");
  }
  if (report.robot) fuzz::require(normalize(*report.robot).dof() > 0, "a robot has joints");
  return 0;
}
