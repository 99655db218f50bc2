#pragma once

#include <string>

#include "cli/options/common_options.hpp"
#include "cli/options/verb.hpp"
#include "report/say.hpp"

namespace armdyn {

/// What `robots` does with the shipped robots and motions.
struct RobotsOptions {
  enum class Action { list, show, copy };
  OutputOptions output;
  Action action = Action::list;
  std::string name;
  std::string target;  ///< of a copy; empty: the same name here
};

[[nodiscard]] Ending run(const RobotsOptions& options);

[[nodiscard]] Verb robots_verb();

}  // namespace armdyn
