#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "cli/options/option_list.hpp"
#include "report/say.hpp"

namespace armdyn {

/// What the user asked for, ready to be done.
using Command = std::function<Ending()>;

struct Verb {
  std::string name;
  std::string purpose;
  std::string examples;
  /// Declares the options to CLI11. What it returns is to be called when they have been parsed, and
  /// throws UsageError where their values are wrong.
  std::function<std::function<Command()>(CLI::App&)> declare;
};

/// A verb whose options `declare` lists, and which `run(options)` does.
template <class Options>
Verb verb(std::string name, std::string purpose, std::string examples,
          void (*declare)(OptionList&, Options&)) {
  return {std::move(name), std::move(purpose), std::move(examples),
          [declare](CLI::App& app) -> std::function<Command()> {
            const auto options = std::make_shared<Options>();
            const auto list = std::make_shared<OptionList>(app);
            declare(*list, *options);
            return [options, list]() -> Command {
              list->finish();
              claim(list->outputs());
              options->output.used = list->used();
              return [options] { return run(std::as_const(*options)); };
            };
          }};
}

}  // namespace armdyn
