// docs/robot-file.schema.json says of a robot file what the loader says of it, as far as a schema
// can. Files are read by the loader's own YAML reader: others take 2e-4 for a text.

#include <gtest/gtest.h>
#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "io/robot/yaml_tree.hpp"
#include "math/each.hpp"
#include "schema/generated_schema.hpp"
#include "support/paths.hpp"
#include "text/number_text.hpp"

namespace armdyn {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<fs::path> yaml_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

json to_json(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return nullptr;
    case YamlNode::Kind::scalar: {
      const auto number = node.quoted ? std::nullopt : parse_number(node.text);
      return number ? json(*number) : json(node.text);
    }
    case YamlNode::Kind::sequence: {
      json list = json::array();
      for (const YamlNode& item : node.items) list.push_back(to_json(item));
      return list;
    }
    case YamlNode::Kind::map:
      break;
  }
  json map = json::object();
  for (const YamlEntry& entry : node.entries) map[entry.key] = to_json(entry.value);
  return map;
}

class RobotFileSchema : public ::testing::Test {
 protected:
  RobotFileSchema() {
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema);
  }

  /// What the schema has against a document, empty if nothing.
  [[nodiscard]] std::string objections(const json& document) const {
    valijson::Validator validator;
    valijson::ValidationResults results;
    const valijson::adapters::NlohmannJsonAdapter target(document);
    if (validator.validate(schema, target, &results)) return "";
    std::string lines;
    for (const auto& error : results) {
      for (const std::string& part : error.context) lines += part;
      lines += ": " + error.description + "\n";
    }
    return lines.empty() ? "refused" : lines;
  }

  const json text = json::parse(content(docs_folder() + "/robot-file.schema.json"));
  valijson::Schema schema;
};

TEST_F(RobotFileSchema, AcceptsEveryShippedRobot) {
  std::vector<fs::path> files = yaml_files(shipped_robots_folder());
  EXPECT_GE(files.size(), 25U);
  append(files, yaml_files(shipped_robots_folder() + "/mechanisms"));
  for (const fs::path& file : files) {
    EXPECT_EQ(objections(to_json(*parse_yaml(content(file)).root)), "") << file;
  }
}

TEST_F(RobotFileSchema, RefusesWhatTheLoaderRefuses) {
  // What a schema does not see: tags, that names are there twice, and whether motors can be coupled.
  const std::set<std::string> beyond{"couplings", "duplicate_keys", "duplicate_names", "tags"};
  int refused = 0;
  for (const fs::path& file : yaml_files(bad_input_folder() + "/robots")) {
    const YamlTree tree = parse_yaml(content(file));
    if (!tree.root || beyond.contains(file.stem())) continue;
    const bool is_usable = examine_robot_file(file).robot.has_value();
    EXPECT_EQ(objections(to_json(*tree.root)).empty(), is_usable) << file;
    refused += is_usable ? 0 : 1;
  }
  EXPECT_GE(refused, 15);
}

json plain_robot() {
  return json::parse(R"({
    "armdyn": 1, "name": "arm", "convention": "standard",
    "joints": [{"type": "revolute", "dh": {"a": 1}, "mass": 2}]
  })");
}

TEST_F(RobotFileSchema, TakesAnglesAsTheLoaderDoes) {
  json robot = plain_robot();
  json& alpha = robot["joints"][0]["dh"]["alpha"];
  for (const std::string angle :
       {"pi", "-pi/2", "3*pi/4", "0.5*pi", "+pi", "1e-1*pi/.5", "5.*pi/2.", "pi/0.1e1"}) {
    alpha = angle;
    EXPECT_EQ(objections(robot), "") << angle;
  }
  for (const std::string angle :
       {"90", "2pi", "pi/", "90deg", "pi/-2", "*pi", "pi/0", "pi/0.0", "pi/.0e3", ".*pi"}) {
    alpha = angle;
    EXPECT_NE(objections(robot), "") << angle;
  }
}

TEST_F(RobotFileSchema, TakesMagnitudesAsTheLoaderDoes) {
  const auto accepts = [&](const std::string& part, const json& value) {
    json robot = plain_robot();
    robot["joints"][0].merge_patch({{part, value}});
    return objections(robot).empty();
  };
  EXPECT_TRUE(accepts("friction", {{"coulomb", 2}, {"static", {2, 2.5}}}));
  EXPECT_FALSE(accepts("friction", {{"coulomb", {0.4, -0.4}}}));
  EXPECT_TRUE(accepts("motor", {{"gear_ratio", -62.6}}));
  EXPECT_FALSE(accepts("motor", {{"gear_ratio", 0}}));
  EXPECT_TRUE(accepts("limits", {{"velocity", "pi/2"}}));
  EXPECT_FALSE(accepts("limits", {{"velocity", 0}}));
  EXPECT_FALSE(accepts("mass", -1));
}

/// The keys that the loader knows where a robot file has an unknown one: "(known: a, alpha, d)".
std::set<std::string> loader_keys(const std::string& file_with_key_x) {
  const fs::path path = fs::path(::testing::TempDir()) / "robot_file_schema_test.yaml";
  std::ofstream(path) << file_with_key_x;
  std::string known;
  for (const Finding& finding : examine_robot_file(path).findings) {
    const std::string& message = finding.message;
    const std::size_t at = message.find("(known: ");
    if (at != message.npos) known = message.substr(at + 8, message.size() - at - 9);
  }
  fs::remove(path);
  std::set<std::string> keys;
  std::istringstream list(known);
  for (std::string key; std::getline(list >> std::ws, key, ',');) keys.insert(key);
  return keys;
}

// With ARMDYN_WRITE_SCHEMA=docs/robot-file.schema.json it is written first.
TEST_F(RobotFileSchema, IsWhatTheListOfFieldsGives) {
  const std::string generated = testing::generated_schema().dump(2) + "\n";
  if (const char* const path = std::getenv("ARMDYN_WRITE_SCHEMA")) {
    std::ofstream(path, std::ios::binary) << generated;
  }
  EXPECT_EQ(content(docs_folder() + "/robot-file.schema.json"), generated);
}

std::set<std::string> schema_keys(const json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object["properties"].items()) keys.insert(key);
  return keys;
}

TEST_F(RobotFileSchema, HasTheKeysOfTheLoader) {
  const std::string head = "armdyn: 1\nname: a\nconvention: standard\n";
  const std::string joint = "joints:\n  - type: revolute\n    mass: 1\n    dh: {}\n";
  const json& parts = text["definitions"];
  EXPECT_EQ(schema_keys(text), loader_keys(head + joint + "x: 1\n"));
  EXPECT_EQ(schema_keys(parts["joint"]), loader_keys(head + joint + "    x: 1\n"));
  for (const std::string key : {"friction", "motor", "limits", "inertia", "shape"}) {
    EXPECT_EQ(schema_keys(parts[key]), loader_keys(head + joint + "    " + key + ": {x: 1}\n"));
  }
  EXPECT_EQ(schema_keys(parts["joint"]["properties"]["dh"]),
            loader_keys(head + "joints: [{type: revolute, mass: 1, dh: {x: 1}}]\n"));
  EXPECT_EQ(schema_keys(parts["friction"]["properties"]["ripple"]),
            loader_keys(head + joint + "    friction: {ripple: {x: 1}}\n"));
  EXPECT_EQ(
      schema_keys(parts["friction"]["properties"]["sigmoid"]),
      loader_keys(head + joint + "    friction: {sigmoid: {amplitude: 1, slope: 1, x: 1}}\n"));
  EXPECT_EQ(schema_keys(parts["motor"]["properties"]["thermal"]),
            loader_keys(head + joint +
                        "    motor: {thermal: {winding_to_housing: 1, housing_to_ambient: 1, "
                        "winding_capacity: 1, housing_capacity: 1, x: 1}}\n"));
  EXPECT_EQ(schema_keys(parts["joint"]["properties"]["gear"]),
            loader_keys(head + joint + "    gear: {x: 1}\n"));
  EXPECT_EQ(schema_keys(text["properties"]["supply"]),
            loader_keys(head + joint + "supply: {x: 1}\n"));
  EXPECT_EQ(schema_keys(parts["placement"]["anyOf"][0]),
            loader_keys(head + joint + "base: {x: 1}\n"));
  EXPECT_EQ(schema_keys(text["properties"]["tool"]["anyOf"][0]),
            loader_keys(head + joint + "tool: {x: 1}\n"));
  EXPECT_EQ(schema_keys(parts["joint"]["properties"]["bodies"]["items"]),
            loader_keys(head + "joints: [{type: revolute, dh: {}, bodies: [{mass: 1, x: 1}]}]\n"));
  EXPECT_EQ(schema_keys(parts["joint"]["properties"]["follows"]),
            loader_keys(head + joint +
                        "  - {type: revolute, mass: 1, dh: {}, follows: {row: {j1: 1}, "
                        "x: 1}}\n"));
  EXPECT_EQ(schema_keys(text["properties"]["springs"]["items"]),
            loader_keys(head + joint + "springs: [{row: {j1: 1}, stiffness: 1, x: 1}]\n"));
  EXPECT_EQ(schema_keys(text["properties"]["payload"]),
            loader_keys(head + joint + "payload: {mass: 1, x: 1}\n"));
}

/// The keys in the tables of a page, between two of its headings: "`a`" in "| `a`, `b` | …".
std::set<std::string> keys_in_tables(const std::string& page) {
  std::set<std::string> keys;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| `")) continue;
    std::istringstream cell(line.substr(2, line.find(" |", 2) - 2));
    for (std::string key; std::getline(cell >> std::ws, key, ',');) {
      keys.insert(key.substr(1, key.size() - 2));
    }
  }
  return keys;
}

TEST_F(RobotFileSchema, AndItsPageHaveTheSameKeys) {
  const std::string page = content(docs_folder() + "/robot-file.md");
  const std::size_t begin = page.find("## Keys"), end = page.find("## Conventions");
  std::set<std::string> keys = schema_keys(text);
  for (const char* part : {"joint", "shape", "friction", "motor", "limits"}) {
    keys.merge(schema_keys(text["definitions"][part]));
  }
  keys.merge(schema_keys(text["definitions"]["motor"]["properties"]["thermal"]));
  keys.merge(schema_keys(text["definitions"]["joint"]["properties"]["gear"]));
  keys.merge(schema_keys(text["properties"]["supply"]));
  keys.merge(schema_keys(text["properties"]["springs"]["items"]));
  EXPECT_EQ(keys_in_tables(page.substr(begin, end - begin)), keys);
}

}  // namespace
}  // namespace armdyn
