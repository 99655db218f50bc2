#include "fmu/fmu_file.hpp"

#include <fmt/format.h>
#include <armdyn/robot_file.hpp>

#include <array>

#include "fmu/zip_file.hpp"
#include "io/file/input_file.hpp"
#include "io/robot/robot_text.hpp"
#include "text/identifier.hpp"

namespace armdyn {

std::string fmu_of(const std::string& robot_yaml, const std::string& file, const FmuKind& kind,
                   const std::string& generator) {
  const Robot robot = parse_robot_file(robot_yaml, file).robot;
  const std::string name = identifier(robot.name);
  const std::string description =
      model_description(robot, kind, name, fmu_token(digest_of(robot_yaml), kind), generator);
  std::string binary;
  try {
    binary = InputFile(shared_folder() + "/../../lib/armdyn/fmu/armdyn_fmu.so").read();
  } catch (const FileError& error) {
    throw FileError(
        fmt::format("{}; this armdyn was built or installed without FMUs", error.what()));
  }
  const char* const folder = kind.version == FmiVersion::fmi2 ? "linux64" : "x86_64-linux";
  return zip_of(std::array{ZipMember{"modelDescription.xml", description},
                           ZipMember{fmt::format("binaries/{}/{}.so", folder, name), binary},
                           ZipMember{"resources/robot.yaml", robot_yaml}});
}

}  // namespace armdyn
