// armdyn join: puts the parts of an output together to the bytes of one run.

#include "cli/options/run.hpp"
#include "cli/options/part_file.hpp"
#include "cli/options/shared_options.hpp"
#include "text/number_text.hpp"

namespace armdyn {

struct JoinOptions {
  OutputOptions output;  ///< where the whole goes
};

void declare(OptionList& list, JoinOptions& options) {
  list.file("OUT", "", options.output.output,
            "the name of the whole, whose parts are OUT.part-1-of-N and so on")
      .required();
  declare_format(list, options.output);
  declare_quiet(list, options.output);
  declare_report(list, options.output);
}

namespace {

Answer join(const JoinOptions& options, Run& run) {
  const std::string& whole = table_target(options.output.output);
  const std::vector<PartFile> parts = parts_of(whole);
  join_parts(parts, run.rows("OUT"));
  Answer answer{run.document()};
  answer.document.add(Json{{"output", whole}, {"parts", parts.size()}, {"job", parts.front().job}});
  answer.document.add(fmt::format("{}: {} joined", whole, counted(parts.size(), "part")));
  answer.document.warnings.emplace();
  return answer;
}

}  // namespace

Verb join_verb() {
  return verb<JoinOptions>("join", "Merge the parts that --part wrote",
                           "  armdyn vary puma560 puma560-pick-and-place --uncertainty mass=5% "
                           "--samples 2000 --part 1/2 -o arms.npy\n"
                           "  armdyn vary puma560 puma560-pick-and-place --uncertainty mass=5% "
                           "--samples 2000 --part 2/2 -o arms.npy\n"
                           "  armdyn join arms.npy\n",
                           declare, join);
}

}  // namespace armdyn
