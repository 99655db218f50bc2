#include "io/plot/plot.hpp"

#include <armdyn/error.hpp>

#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "io/file/output_file.hpp"
#include "io/plot/gnuplot.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

namespace fs = std::filesystem;

std::optional<PlotFormat> format_of(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (ending == ".svg") return PlotFormat::svg;
  if (ending == ".png") return PlotFormat::png;
  if (ending == ".pdf") return PlotFormat::pdf;
  return std::nullopt;
}

std::string_view end_mark(PlotFormat format) {
  return format == PlotFormat::svg ? "</svg>" : format == PlotFormat::png ? "IEND" : "%%EOF";
}

void check_folder(const std::string& path) {
  std::error_code ignored;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, ignored)) {
    throw FileError("cannot write " + in_one_line(path) + ": there is no folder " +
                    in_one_line(folder.string()) + "; create it first");
  }
  if (fs::is_directory(path, ignored)) {
    throw FileError("cannot write " + in_one_line(path) + ": it is a folder");
  }
}

}  // namespace

void check_plot_target(const std::string& path) {
  if (!format_of(path)) {
    throw Error("--plot: '" + in_one_line(path) + "' must end in .svg, .png or .pdf");
  }
  if (!gnuplot_is_installed()) {
    throw FileError(
        "gnuplot is needed for --plot; install it (apt install gnuplot-nox) or leave --plot out");
  }
  check_folder(path);
}

void write_figure(const Figure& figure, const std::string& path) {
  check_plot_target(path);
  const PlotFormat format = *format_of(path);
  const std::string script = plot_script(figure, format);
  const bool has_own_fonts = format == PlotFormat::svg;
  OutputFile file(path);
  file.write(
      run_gnuplot(has_own_fonts ? script : without_missing_glyphs(script), end_mark(format)));
  file.commit();
}

}  // namespace armdyn
