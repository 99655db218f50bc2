#include "cli/verbs.hpp"

#include "cli/check/options.hpp"
#include "cli/compare/options.hpp"
#include "cli/inspect/options.hpp"
#include "cli/new/options.hpp"
#include "cli/robots/options.hpp"
#include "cli/simulate/options.hpp"
#include "cli/torque/options.hpp"
#include "cli/track/options.hpp"
#include "cli/trajectory/options.hpp"

namespace armdyn {

std::vector<VerbSyntax> all_verbs() {
  return {torque_syntax(),  simulate_syntax(),   compare_syntax(),
          inspect_syntax(), trajectory_syntax(), track_syntax(),
          check_syntax(),   robots_syntax(),     new_syntax()};
}

}  // namespace armdyn
