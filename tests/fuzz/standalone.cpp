// Drives a fuzz target without libFuzzer: FOLDER ROUNDS. Gives it every file of the folder, and as
// many changes of each: bytes replaced, cut out and doubled by chance, always the same.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"

namespace {

void give(const std::string& bytes) {
  const std::vector<std::uint8_t> data(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(data.data(), data.size());
}

std::string changed(std::string bytes, std::mt19937& random) {
  const auto below = [&random](std::size_t bound) { return random() % (bound + 1); };
  for (std::size_t change = 1 + below(3); change > 0 && !bytes.empty(); --change) {
    const std::size_t at = below(bytes.size() - 1);
    const std::size_t length = below(std::min(bytes.size() - at, std::size_t{20}));
    switch (below(2)) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes.erase(at, length);
        break;
      default:
        bytes.insert(below(bytes.size() - 1), bytes.substr(at, length));
    }
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: " << argv[0] << " FOLDER ROUNDS\n";
    return 2;
  }
  std::mt19937 random(1);
  std::size_t given = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string seed{std::istreambuf_iterator<char>(file), {}};
    give(seed);
    for (int round = std::stoi(argv[2]); round > 0; --round, ++given) give(changed(seed, random));
  }
  std::cout << given << " changed seeds\n";
  return given > 0 ? 0 : 1;
}
