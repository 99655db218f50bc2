#pragma once

#include <armdyn/robot_file.hpp>

#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "cli/options/shared_options.hpp"
#include "log/motion_rows.hpp"
#include "report/document.hpp"
#include "report/say.hpp"
#include "sizing/sizing.hpp"

namespace armdyn {

struct SizeOptions : VerbOptions {
  std::string motion = "-";
  double hold = 0.0;    ///< s
  double safety = 1.0;  ///< factor
  UncertaintyOptions uncertainty;
  std::string catalog;  ///< empty: none
  PlotOptions plot;
  LogOptions log{.finds_rest = true};
};

void declare(OptionList& list, SizeOptions& options);

struct SizeAnswer {
  Sections sections;  ///< docs/commands/size.md
  std::vector<std::string> warnings;
  bool passes = true;
  Sizing sizing{};
  Cycle cycle{};  ///< with its dwell; if kept
};

/// A cycle that was sized as it was read.
struct ReadCycle {
  CycleSizer sizer;
  bool keeps_rows;
  Cycle ends;  ///< its first row, with the largest speeds of all, and its last
  Cycle all;   ///< if kept
  std::size_t rows = 0;

  void add(const Cycle& block);
};

/// Sizes drives and supply for a cycle, to which it adds the dwell.
[[nodiscard]] SizeAnswer size_answer(Run& run, ReadCycle cycle, const SizeOptions& options);

struct Choice {
  Sections sections;   ///< catalog
  bool passes = true;  ///< for each joint whose motor is its own there is a drive
};
/// Tries the motors and gears of a CSV file. Throws InputError for errors in it.
[[nodiscard]] Choice choose_drives(Run& run, const Cycle& cycle, const SizeOptions& options);

/// Draws each joint's torque by speed within its curves, and over time; temperatures; power of the
/// bus.
[[nodiscard]] Figure size_figure(const Robot& robot, const SizeAnswer& answer,
                                 const SizeOptions& options);

}  // namespace armdyn
