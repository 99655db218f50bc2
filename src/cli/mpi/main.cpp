// armdyn-mpi: vary and simulate --batch on the ranks of an MPI job.

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string_view>
#include <utility>

#include "cli/command_line.hpp"
#include "cli/failure.hpp"
#include "cli/mpi/ranks.hpp"
#include "cli/simulate/options.hpp"
#include "cli/vary/options.hpp"
#include "io/file/interrupt.hpp"
#include "io/table/npy_table.hpp"

namespace armdyn {

namespace {

void require_files(const OutputOptions& output, bool reads_standard_input, bool is_part) {
  if (&table_format(output.output) != &npy_format) {
    throw UsageError("armdyn-mpi writes arrays of NumPy's format: give -o FILE.npy");
  }
  if (reads_standard_input) {
    throw UsageError("armdyn-mpi reads files, which all ranks can open; name one instead of -");
  }
  if (is_part) throw UsageError("--part is for armdyn by itself; armdyn-mpi divides the rows");
}
void require_files(const VaryOptions& options) {
  require_files(options.output, options.motion == "-", options.part.has_value());
}
void require_files(const SimulateOptions& options) {
  if (options.batch.empty()) throw UsageError("armdyn-mpi simulate needs --batch FILE");
  require_files(options.output, options.batch == "-" || options.torques == "-",
                options.part.has_value());
}

/// The verb with its options, and --resume, on all ranks, with one thread each unless told
/// otherwise. The first rank speaks for all.
template <class Options>
Verb on_ranks(Verb verb, std::string examples) {
  verb.examples = std::move(examples);
  verb.declare = [](CLI::App& app) -> std::function<Command()> {
    const auto options = std::make_shared<Options>();
    const auto resume = std::make_shared<bool>(false);
    const auto list = std::make_shared<OptionList>(app);
    declare(*list, *options);
    list->flag("--resume", *resume, "go on where an earlier job with the same output was ended")
        .unechoed();
    return [options, resume, list]() -> Command {
      list->finish();
      claim(list->outputs());
      options->output.used = list->used();
      if (options->output.threads == 0) options->output.threads = 1;
      if (rank_of_this() != 0) options->output.json = options->output.quiet = true;
      return [options, resume] {
        return run_on_ranks(
            [&] {
              require_files(*options);
              return row_job(*options);
            },
            options->output, *resume);
      };
    };
  };
  return verb;
}

ProgramDescription program() {
  return {.name = "armdyn-mpi",
          .purpose =
              "Many arms and many simulations on the ranks of an MPI job: the same bytes as "
              "armdyn for any number of ranks.",
          .examples =
              "  mpirun armdyn-mpi vary puma560 puma560-pick-and-place --uncertainty mass=5% "
              "--samples 1000000 -o arms.npy\n"
              "  mpirun armdyn-mpi simulate puma560 --batch starts.npy --duration 2 -o ends.npy\n",
          .verbs = {on_ranks<VaryOptions>(
                        vary_verb(),
                        "  mpirun armdyn-mpi vary puma560 puma560-pick-and-place --uncertainty "
                        "mass=5%,com=5mm --samples 1000000 -o arms.npy\n"),
                    on_ranks<SimulateOptions>(
                        simulate_verb(),
                        "  mpirun armdyn-mpi simulate puma560 --batch starts.npy --duration 2 -o "
                        "ends.npy\n"
                        "  mpirun armdyn-mpi simulate puma560 --batch starts.npy --duration 2 -o "
                        "ends.npy --resume\n")}};
}

/// Before the static objects of libraries, which ask for memory.
[[gnu::constructor(101)]] void before_static_objects() {
  std::set_terminate(on_terminate);
}

/// What the command line asks for. Its errors, and help, are the same on all ranks, of which the
/// first says them.
Ending run_command_line(int argc, const char* const* argv) {
  const bool is_first = rank_of_this() == 0;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const bool asks = argument == "--help" || argument == "-h" || argument == "--version" ||
                      argument == "-V" || argument == "help" || argument == "version";
    if (asks && !is_first) return Ending::done;
  }
  try {
    return parse_command_line(argc, argv, program())();
  } catch (...) {
    const Failure failure = current_failure();
    if (is_first) complain(failure, asks_for_json(argc, argv));
    return failure.ending;
  }
}

}  // namespace

}  // namespace armdyn

int main(int argc, char** argv) {
  ::setenv("OMPI_MCA_io", "romio321", 0);  // OMPIO prints errors that it returns as well
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided != MPI_THREAD_MULTIPLE) {
    std::fputs("armdyn-mpi: this MPI does not let several threads use it\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 5);
  }
  armdyn::install_interrupt_handlers();
  const int code = armdyn::exit_code(armdyn::run_command_line(argc, argv));
  MPI_Finalize();
  return code;
}
