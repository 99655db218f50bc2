#include "cli/verbs.hpp"

#include "cli/check/options.hpp"
#include "cli/compare/options.hpp"
#include "cli/convert/options.hpp"
#include "cli/equations/options.hpp"
#include "cli/identify/options.hpp"
#include "cli/inspect/options.hpp"
#include "cli/join/options.hpp"
#include "cli/new/options.hpp"
#include "cli/robots/options.hpp"
#include "cli/simulate/options.hpp"
#include "cli/torque/options.hpp"
#include "cli/track/options.hpp"
#include "cli/trajectory/options.hpp"
#include "cli/vary/options.hpp"

namespace armdyn {

std::vector<Verb> all_verbs() {
  return {torque_verb(),    simulate_verb(), compare_verb(), inspect_verb(), trajectory_verb(),
          track_verb(),     vary_verb(),     join_verb(),    check_verb(),   convert_verb(),
          equations_verb(), identify_verb(), robots_verb(),  new_verb()};
}

}  // namespace armdyn
