// Names that mean something else to those who read what is written: they come through, or are
// renamed where a language forbids them.

#include <gtest/gtest.h>
#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "io/robot/robot_text.hpp"
#include "io/robot/urdf.hpp"
#include "model/shown_text.hpp"
#include "support/program.hpp"
#include "text/quoted_word.hpp"

namespace armdyn::testing {
namespace {

using nlohmann::json;

constexpr std::size_t many = 10'000;
constexpr std::uint32_t seed = 34;

/// Words that YAML, or a language, takes for something else.
constexpr std::array words{
    "null",  "Null",     "NULL",  "true",     "True",     "TRUE",     "false",  "yes",    "Yes",
    "NO",    "no",       "on",    "Off",      "y",        "Y",        "n",      "N",      "e1",
    "E5",    "x1F",      "inf",   "nan",      "NaN",      "int",      "for",    "class",  "M_PI",
    "end",   "new",      "this",  "while",    "M_LN2",    "M_PI_4",   "NAN",    "NULL",   "EOF",
    "if",    "function", "linux", "INFINITY", "HUGE_VAL", "operator", "double", "return", "do",
    "union", "unix",     "in",    "lambda",   "None",     "def",      "elseif", "parfor", "global"};

/// Signs of YAML, XML, TeX, C, Python, shells and terminals.
constexpr std::array signs{
    "null",   "~",      "true",       "no",         "y",        "1e3",    "0x10",
    "0o17",   "1_000",  "1:30",       "12e03",      "-.inf",    ".nan",   "2001-01-01",
    "-",      "?",      ":",          ": ",         " #",       "#",      "- ",
    "? ",     "|",      ">",          "%",          "@",        "`",      "&a",
    "*a",     "!t",     "{",          "}",          "[",        "]",      ",",
    "'",      "\"",     "\\",         "\\n",        "\\x41",    "=",      "<<",
    "...",    "---",    "$(rm -r x)", "${x}",       "$$(x)",    "-->",    "--",
    "]]>",    "&amp;",  "&#0;",       "<",          "</robot>", "*/",     "//",
    "\"\"\"", "%{",     "^^M",        "\\input{x}", "{0}",      "%s",     " ",
    "  ",     "\u0085", "\u009B",     "\u00A0",     "\u2028",   "\u202E", "\u2066",
    "\uFEFF", "\uFFFE", "\U000E0001", "\U0001F600", "é",        "ü"};

class Names {
 public:
  /// A name that joints, poses and parameters may have.
  std::string word(const std::string& others) {
    std::string word = words[below(words.size())];
    if (below(2) == 0) word = std::string(1, static_cast<char>('a' + below(26)));
    for (std::size_t length = below(3) * below(4); length > 0; --length) {
      word += others[below(others.size())];
    }
    return word;
  }
  /// One line of anything.
  std::string text() {
    std::string text;
    for (std::size_t parts = 1 + below(6); parts > 0; --parts) {
      text += below(4) == 0 ? std::string(1, static_cast<char>(' ' + below(95)))
                            : signs[below(signs.size())];
    }
    return text;
  }

 private:
  std::size_t below(std::size_t count) { return random_() % count; }
  std::mt19937 random_{seed};
};

const std::string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

Robot robot_called(const std::string& name, const std::vector<std::string>& joints) {
  Robot robot;
  robot.name = name;
  for (const std::string& joint_name : joints) {
    Joint joint;
    joint.name = joint_name;
    joint.dh.a = 0.5;
    joint.body = {1.0, {0.1, 0.0, 0.0}, {0.1, 0.2, 0.2, 0.0, 0.0, 0.0}};
    robot.joints.push_back(joint);
  }
  return robot;
}

/// Python with that module, or nothing, which is said.
std::string python_with(const Shell& shell, const std::string& module) {
  for (const std::string python : {"python3", "/usr/bin/python3"}) {
    if (shell.run(python + " -c 'import " + module + "'").exit_code == 0) return python;
  }
  return "";
}

TEST(HostileNames, GoThroughYaml) {
  Names names;
  for (std::size_t i = 0; i < many; ++i) {
    const std::string name = names.text(), joint = names.word(letters + "-");
    Robot robot = robot_called(name, {joint});
    robot.description = names.text() + "\n\t" + names.text();
    robot.poses.push_back({names.word(letters + "-"), {0.5}});
    const std::string text = robot_yaml(robot, "test");
    const Robot read = parse_robot_file(text, "r.yaml").robot;
    ASSERT_EQ(read.name, name);
    ASSERT_EQ(read.description, robot.description);
    ASSERT_EQ(read.joints[0].name, joint);
    ASSERT_EQ(read.poses[0].name, robot.poses[0].name);
  }
}

TEST(HostileNames, AreTextsToPyYaml) {
  const Shell shell;
  const std::string python = python_with(shell, "yaml");
  if (python.empty()) GTEST_SKIP() << "PyYAML (python3-yaml) is not installed";
  Names names;
  std::string texts, robots;
  json expected = json::array(), expected_robots = json::array();
  for (std::size_t i = 0; i < many; ++i) {
    const std::string name = i % 2 == 0 ? names.text() : names.word(letters + "-");
    texts += "- " + yaml_text(name) + ": " + yaml_text(name) + "\n";
    expected.push_back({{name, name}});
    if (i % 100 != 0) continue;
    Robot robot = robot_called(name, {names.word(letters + "-")});
    robot.poses.push_back({names.word(letters + "-"), {0.5}});
    std::istringstream lines(robot_yaml(robot, "test"));
    for (std::string line, start = "- "; std::getline(lines, line); start = "  ") {
      robots += start + line + "\n";
    }
    expected_robots.push_back({name, robot.joints[0].name, robot.poses[0].name});
  }
  shell.write("texts.yaml", texts);
  shell.write("robots.yaml", robots);
  shell.write("expected.json", json{expected, expected_robots}.dump());
  shell.write("read.py", R"(
import json, yaml
loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
def read(file):
    return yaml.load(open(file, encoding="utf-8"), loader)
texts, robots = json.load(open("expected.json", encoding="utf-8"))
assert read("texts.yaml") == texts
found = [[r["name"], r["joints"][0]["name"], list(r["poses"])[0]] for r in read("robots.yaml")]
assert found == robots
)");
  const Outcome outcome = shell.run(python + " read.py");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST(HostileNames, GoThroughUrdfAndMjcf) {
  const Shell shell;
  Names names;
  std::string documents;
  json joints = json::array();
  for (std::size_t i = 0; i < many; ++i) {
    const std::string joint = names.word(letters + "-");
    const SerialChain chain = chain_of(robot_called(names.text(), {joint}));
    const std::string comment = "From " + in_one_line(chain.name);
    const std::string urdf = urdf_text(chain, comment);
    const UrdfReport read =
        examine_urdf(urdf, {.base = chain.base_link, .tip = chain.tip_link}, "r.urdf");
    ASSERT_TRUE(read.chain) << urdf << error_lines(read.findings, "r.urdf");
    ASSERT_EQ(read.chain->chain.joints[0].joint.name, joint);
    const std::string mjcf = mjcf_text(chain, {0.0}, comment);
    const UrdfReport of_mjcf = examine_urdf(mjcf, {.tip = chain.tip_link}, "r.xml");
    ASSERT_TRUE(of_mjcf.chain) << mjcf << error_lines(of_mjcf.findings, "r.xml");
    documents += urdf + '\0' + mjcf + '\0';
    joints.push_back(joint);
  }
  const std::string python = python_with(shell, "xml.etree");
  if (python.empty()) GTEST_SKIP() << "Python is not installed";
  shell.write("all.xml", documents);
  shell.write("joints.json", joints.dump());
  shell.write("read.py", R"(
import json, xml.etree.ElementTree as xml
documents = open("all.xml", "rb").read().split(b"\0")[:-1]
for i, joint in enumerate(json.load(open("joints.json"))):
    for text in documents[2 * i : 2 * i + 2]:
        root = xml.fromstring(text)
        assert joint in [j.get("name") for j in root.iter("joint")], text
        name = root.get("name") or root.get("model")
        assert name and "$(" not in name and "${" not in name, text
)");
  const Outcome outcome = shell.run(python + " read.py");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST(HostileNames, AreThoseOfEveryFileThatAVerbWrites) {
  const Shell shell;
  Names names;
  std::set<std::string> joints{"null", "true", "no", "y", "on", "e1", "int", "NULL"};
  while (joints.size() < 20) joints.insert(names.word(letters + "-"));
  const std::vector<std::string> in_order(joints.begin(), joints.end());
  const std::string name = "$(reboot) null: # \u009B*/ --> \"";
  const Robot robot = robot_called(name, in_order);
  shell.write("arm.yaml", robot_yaml(robot, "test"));
  std::string head, plain, row;
  for (const char* const quantity : {"q", "qd", "qdd"}) {
    for (std::size_t i = 0; i < in_order.size(); ++i) {
      head += std::string(quantity) + "_" + in_order[i] + ",";
      plain += quantity + std::to_string(i + 1) + ",";
      row += "0.1,";
    }
  }
  for (std::string* line : {&head, &plain, &row}) line->back() = '\n';
  shell.write("named.csv", head + row);
  shell.write("plain.csv", plain + row);
  const Outcome named = shell.run("$armdyn torque arm.yaml named.csv --quiet");
  EXPECT_EQ(named.out, shell.run("$armdyn torque arm.yaml plain.csv --quiet").out);
  EXPECT_EQ(named.exit_code, 0) << named.err;

  shell.write("a-->\nb.yaml", shell.read("arm.yaml"));
  const Outcome outcome = shell.run(
      "file=$(printf 'a-->\\nb.yaml'); set -e\n"
      "$armdyn vary arm.yaml plain.csv --uncertainty mass=10% --samples 3 --worst worst.yaml "
      "--quiet -o rows.csv\n"
      "$armdyn convert \"$file\" -o table.yaml --quiet\n"
      "$armdyn convert \"$file\" -o arm.urdf --quiet\n"
      "$armdyn convert arm.urdf -o back.yaml --quiet\n"
      "$armdyn convert \"$file\" -o arm.xml --quiet\n"
      "$armdyn new null -o new.yaml --quiet\n");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* const file : {"worst.yaml", "table.yaml", "back.yaml"}) {
    const Robot read = parse_robot_file(shell.read(file), file).robot;
    for (std::size_t i = 0; i < in_order.size(); ++i) {
      EXPECT_EQ(read.joints.at(i).name, in_order[i]) << file;
    }
    EXPECT_EQ(read.name,
              file == std::string("back.yaml") ? "j__reboot__null_____u009b___--___" : name)
        << file;
  }
  EXPECT_NE(shell.read("new.yaml").find("name: \"null\""), std::string::npos);
  const Outcome answer = shell.run("$armdyn check arm.yaml --json");
  EXPECT_EQ(json::parse(answer.out)["robot"]["name"], name) << answer.err;
  for (const std::string form :
       {"listing", "latex", "text", "c", "python", "matlab", "javascript", "cpp"}) {
    const Outcome code = shell.run("$armdyn equations arm.yaml --what jacobian --format " + form);
    EXPECT_EQ(code.out.find("\u009B"), std::string::npos) << form;
  }
}

/// A robot whose numbers are sums of parameters of these names.
std::string robot_of(const std::vector<std::string>& parameters) {
  std::string text =
      "armdyn: 1\nname: arm\nconvention: modified\ngravity: [0, -9.81, 0]\nparameters:\n";
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    text += "  \"" + parameters[i] + "\": " + std::to_string(1.0 + 0.001 * double(i)) + "\n";
  }
  std::vector<std::string> sums(8);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::string& sum = sums[i % sums.size()];
    sum += (sum.empty() ? "" : "+") + parameters[i];
  }
  text += "joints:\n";
  for (std::size_t i = 0; i < 2; ++i) {
    text += "  - {type: revolute, dh: {a: " + sums[4 * i] +
            ", alpha: 0, d: 0, theta: 0}, mass: " + sums[4 * i + 1] + ",\n     com: [" +
            sums[4 * i + 2] + ", 0, 0], inertia: {xx: 0, yy: " + sums[4 * i + 3] +
            ", zz: " + sums[4 * i + 3] + "}}\n";
  }
  return text;
}

bool is_of_formulas(const std::string& name) {
  constexpr std::array of_formulas{"sqrt", "sin", "cos", "tan", "pi"};
  return std::ranges::find(of_formulas, name) != of_formulas.end();
}

/// All macros of the compiler and its headers that stand for something, and the words above.
std::set<std::string> forbidden_names(const Shell& shell) {
  std::set<std::string> names(words.begin(), words.end());
  shell.write("headers.c", "#include <math.h>\n#include <stdio.h>\n");
  std::istringstream macros(
      shell.run("${CC:-cc} -dM -E headers.c; ${CXX:-c++} -x c++ -dM -E headers.c").out);
  for (std::string define, name, rest; macros >> define >> name && std::getline(macros, rest);) {
    if (std::isalpha(static_cast<unsigned char>(name[0])) != 0 && name.find('(') == name.npos) {
      names.insert(name);
    }
  }
  std::istringstream keywords(
      "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t "
      "char32_t "
      "char8_t class co_await co_return co_yield compl concept const const_cast consteval "
      "constexpr "
      "constinit continue decltype default delete do double dynamic_cast else enum explicit export "
      "extern false float for friend goto if inline int long mutable namespace new noexcept not "
      "not_eq nullptr operator or or_eq private protected public register reinterpret_cast "
      "requires "
      "restrict return short signed sizeof static static_assert static_cast struct switch template "
      "this thread_local throw true try typedef typeid typename typeof typeof_unqual union "
      "unsigned "
      "using virtual void volatile wchar_t while xor xor_eq");
  for (std::string word; keywords >> word;) names.insert(word);
  return names;
}

TEST(HostileNames, OfParametersAreRenamedWhereALanguageForbidsThem) {
  const Shell shell;
  Names names;
  std::set<std::string> all = forbidden_names(shell);
  for (const std::string taken : {"int_", "q1", "qd1", "s1", "c2", "t1", "t2", "F1x", "n1y", "G1"})
    all.insert(taken);
  EXPECT_GT(all.size(), 200U);  // with C's headers
  while (all.size() < many / 10) all.insert(names.word(letters));
  std::vector<std::string> parameters;
  std::ranges::copy_if(all, std::back_inserter(parameters),
                       [](const std::string& name) { return !is_of_formulas(name); });
  std::string symbols;
  for (const std::string& name : parameters) symbols += (symbols.empty() ? "" : ",") + name;
  shell.write("arm.yaml", robot_of(parameters));
  shell.write("symbols", symbols);
  const std::string equations = "$armdyn equations arm.yaml --symbols \"$(cat symbols)\" --quiet ";
  const Outcome compiled = shell.run(
      "set -e\n" + equations +
      "--format c --check -o x.c\n"
      "${CC:-cc} -std=c99 -Wall -Wextra -pedantic -Werror -O0 x.c x_check.c -lm -o x && ./x\n"
      "${CC:-cc} -O0 x.c x_check.c -lm -o x && ./x\n"
      "${CXX:-c++} -x c++ -std=c++20 -O0 x.c x_check.c -lm -o x && ./x\n" +
      equations +
      "--format cpp --check -o x.hpp\n"
      "${CXX:-c++} -std=c++20 -O0 x_check.cpp -o x && ./x\n");
  EXPECT_EQ(compiled.exit_code, 0) << compiled.err.substr(0, 2000);
  EXPECT_NE(shell.read("x.c").find("  double int__; /* "), std::string::npos);
  EXPECT_NE(shell.read("x.c").find(": int, parameter of the robot file */"), std::string::npos);

  const std::string matlab = shell.run(equations + "--format matlab").out;
  // MATLAB's iskeyword.
  for (const std::string keyword :
       {"break",      "case",   "catch",    "classdef", "continue", "else",      "elseif",
        "end",        "for",    "function", "global",   "if",       "otherwise", "parfor",
        "persistent", "return", "spmd",     "switch",   "try",      "while"}) {
    EXPECT_EQ(matlab.find("p." + keyword + " "), std::string::npos) << keyword;
  }
  EXPECT_NE(matlab.find("p.end_ = "), std::string::npos);
  EXPECT_NE(matlab.find("p.int = "), std::string::npos);
  EXPECT_EQ(shell.run(equations + "--format matlab -o end.m").exit_code, 2);

  std::istringstream listing(shell.run(equations + "--format listing --what G").out);
  std::set<std::string> explained, assigned;
  for (std::string line; std::getline(listing, line);) {
    const bool is_comment = line.starts_with("# ");
    (is_comment ? explained : assigned)
        .insert(line.substr(is_comment ? 2 : 0, line.find(" = ") - (is_comment ? 2 : 0)));
  }
  for (const std::string& name : assigned) EXPECT_FALSE(explained.contains(name)) << name;
  EXPECT_GT(assigned.size(), 2U);
  for (const char* const name : {"q1_", "t1_", "s1_", "G1_", "int"}) {
    EXPECT_TRUE(explained.contains(name)) << name;
  }

  const std::string python = python_with(shell, "numpy");
  if (python.empty()) GTEST_SKIP() << "NumPy is not installed";
  const Outcome outcome =
      shell.run(equations + "--format python --check -o x.py && " + python + " x_check.py");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

/// TeX has letters, indices and Greek of these.
TEST(HostileNames, OfParametersAreSymbolsOfLatex) {
  const Shell shell;
  Names names;
  std::set<std::string> all;
  while (all.size() < 200) all.insert(names.word(letters));
  std::vector<std::string> parameters;
  const auto is_state = [](const std::string& name) {
    return std::string("scq").find(name[0]) != std::string::npos &&
           name.find_first_not_of("0123456789", 1) == std::string::npos;
  };
  std::ranges::copy_if(all, std::back_inserter(parameters), [&](const std::string& name) {
    return !is_of_formulas(name) && !is_state(name);
  });
  shell.write("arm.yaml", robot_of(parameters));
  const Outcome outcome = shell.run("$armdyn equations arm.yaml --format latex --what G");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  int depth = 0;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('%')) continue;
    EXPECT_EQ(line.find_first_of("#$%~"), std::string::npos) << line;
    for (const char c : line) {
      depth += (c == '{') - (c == '}');
      ASSERT_GE(depth, 0) << line;
    }
  }
  EXPECT_EQ(depth, 0);
}

}  // namespace
}  // namespace armdyn::testing
