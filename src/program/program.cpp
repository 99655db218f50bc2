#include "program/program.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

namespace armdyn {

namespace {

using Index = std::uint32_t;

/// The way in which a formula's value is had where another one needs it.
enum class Form : std::uint8_t {
  unused,
  constant,
  placed,  ///< in a place, put there once
  term,    ///< a product of two that are present, made within the one sum it is part of; one with a
           ///< constant within each such sum, since that takes no more than loading it would
  chain    ///< of one use: made in the accumulator, which that use goes on with
};

/// A value that is used later than so many formulas on is stored, not made late: what it is made of
/// need not be kept until then.
constexpr Index farthest = 100;

/// A step whose places are formulas still: the place of a formula is where its value is.
struct Draft {
  StepKind kind;
  std::optional<Index> a, b, c;
  double k = 0.0;
  std::optional<std::size_t> given = {};   ///< input that k is given by, times k
  std::optional<std::size_t> output = {};  ///< that is stored instead of c

  /// Tests whether it goes from place to place, beside the accumulator.
  [[nodiscard]] bool is_function() const { return kind == StepKind::sin_cos; }
  [[nodiscard]] std::array<std::optional<Index>, 2> reads() const {
    return {a, is_function() ? std::nullopt : b};
  }
};

/// The number of a step's kind, with or without a store.
int number_of(const Step& step) {
  return static_cast<int>(step.kind) / 2;
}
/// Tests whether it leaves nothing in the accumulator.
bool ends_value(const Step& step) {
  return step.kind == StepKind::sin_cos || static_cast<int>(step.kind) % 2 != 0;
}

/// The place in a list of each number of a kind; −1: none.
template <std::size_t count>
constexpr auto places_in(const StepKind (&list)[count]) {
  std::array<int, static_cast<std::size_t>(StepKind::sin_cos) / 2 + 1> places{};
  places.fill(-1);
  for (std::size_t i = 0; i < count; ++i) {
    places[static_cast<std::size_t>(list[i]) / 2] = static_cast<int>(i);
  }
  return places;
}

/// The code of a chain of three steps, if there is one.
std::optional<int> code_of(const Step& first, const Step& second, const Step& third) {
  static constexpr auto firsts = places_in(chain_firsts), seconds = places_in(chain_seconds),
                        thirds = places_in(chain_thirds);
  const auto number = [](const Step& step) { return static_cast<std::size_t>(number_of(step)); };
  const int a = firsts[number(first)], b = seconds[number(second)], c = thirds[number(third)];
  if (a < 0 || b < 0 || c < 0) return std::nullopt;
  return three_codes + (a * second_kinds + b) * third_kinds + c;
}

/// Ways to obtain the formulas' values that the outputs need.
class Forms {
 public:
  struct SineAndCosine {
    std::optional<Index> sine, cosine;
  };

  Forms(const Graph& graph, std::size_t inputs, std::span<const Expression> outputs)
      : formulas_(graph.formulas()),
        inputs_(inputs),
        uses_(formulas_.size()),
        users_(formulas_.size()),
        forms_(formulas_.size(), Form::unused),
        of_angle_(formulas_.size()) {
    count_uses(outputs);
    for (Index i = 0; i < formulas_.size(); ++i) {
      if (uses_[i] > 0) choose_form(i);
    }
  }

  [[nodiscard]] Form operator[](Index i) const { return forms_[i]; }
  /// Needed functions of an angle.
  [[nodiscard]] const SineAndCosine& of_angle(Index i) const { return of_angle_[i]; }

  [[nodiscard]] bool is_at_hand(Index i) const {
    return forms_[i] == Form::constant || forms_[i] == Form::placed;
  }

  /// The operand of a product that is a constant times a place, where the other one is placed.
  [[nodiscard]] std::optional<Index> scaled_factor(const Formula& product) const {
    const auto is_scaled = [&](Index i) {
      const Formula& f = formulas_[i];
      return forms_[i] == Form::term &&
             (forms_[f.left] == Form::constant) != (forms_[f.right] == Form::constant);
    };
    if (is_scaled(product.left) && forms_[product.right] == Form::placed) return product.left;
    if (is_scaled(product.right) && forms_[product.left] == Form::placed) return product.right;
    return std::nullopt;
  }

 private:
  /// Counts what the outputs need, from the last formula to the first: by itself, not by uses_of,
  /// since an arm of `vary` is assembled in less time so.
  void count_uses(std::span<const Expression> outputs) {
    for (const Expression& output : outputs) {
      if (!output.is_known()) ++uses_[output.index()];
    }
    for (Index i = static_cast<Index>(formulas_.size()); i-- > 0;) {
      const Formula& f = formulas_[i];
      if (uses_[i] == 0 || is_leaf(f)) continue;
      use(f.left, i);
      if (is_binary(f)) use(f.right, i);
      const bool is_sine = f.operation == Operation::sine;
      if (!is_sine && f.operation != Operation::cosine) continue;
      SineAndCosine& of_angle = of_angle_[f.left];
      (is_sine ? of_angle.sine : of_angle.cosine) = i;
    }
  }

  void use(Index operand, Index user) {
    ++uses_[operand];
    users_[operand] = user;
  }

  /// Forms of the operands are known. Places those that the accumulator cannot hold beside others.
  void choose_form(Index i) {
    const Formula& f = formulas_[i];
    Form& form = forms_[i];
    switch (f.operation) {
      case Operation::constant:
        form = Form::constant;
        return;
      case Operation::input:
        form = f.left < inputs_ ? Form::placed : Form::constant;
        return;
      case Operation::sine:
      case Operation::cosine:
        forms_[f.left] = Form::placed;
        form = Form::placed;
        return;
      case Operation::exponential:
      case Operation::sign:
        throw std::invalid_argument("the machine has no exponential and no sign");
      case Operation::multiply:
        if (is_at_hand(f.left) && is_at_hand(f.right) &&
            (uses_[i] == 1 || forms_[f.left] == Form::constant ||
             forms_[f.right] == Form::constant)) {
          form = Form::term;
          return;
        }
        if (uses_[i] == 1 && scaled_factor(f)) {
          form = Form::term;
          return;
        }
        [[fallthrough]];
      case Operation::divide:
        if (!is_at_hand(f.left) && !is_at_hand(f.right)) forms_[f.right] = Form::placed;
        break;
      case Operation::add:
      case Operation::subtract:
        if (forms_[f.left] == Form::chain && forms_[f.right] == Form::chain) {
          forms_[f.right] = Form::placed;
        }
        break;
    }
    const bool is_far = users_[i] > i + farthest;
    form = uses_[i] == 1 && !is_far ? Form::chain : Form::placed;
  }

  const std::deque<Formula>& formulas_;
  std::size_t inputs_;
  std::vector<std::size_t> uses_;
  std::vector<Index> users_;  ///< the first one; 0: outputs alone
  std::vector<Form> forms_;
  std::vector<SineAndCosine> of_angle_;
};

/// Steps that make the outputs, in the order of the formulas.
class Drafting {
 public:
  Drafting(const Graph& graph, const Forms& forms, std::span<const Expression> outputs)
      : formulas_(graph.formulas()), forms_(forms), outputs_(outputs) {}

  std::vector<Draft> run() {
    std::multimap<Index, std::size_t> wanted;
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
      if (outputs_[k].is_known()) {
        write(k);
      } else {
        wanted.emplace(outputs_[k].index(), k);
      }
    }
    for (Index i = 0; i < formulas_.size(); ++i) {
      if (forms_[i] == Form::placed) place(i);
      const auto [begin, end] = wanted.equal_range(i);
      for (auto output = begin; output != end; ++output) write(output->second);
    }
    return std::move(drafts_);
  }

 private:
  void emit(StepKind kind) { drafts_.push_back({kind, {}, {}, {}, 0.0}); }
  void emit(StepKind kind, Index a) { drafts_.push_back({kind, a, {}, {}, 0.0}); }
  void emit_constant(StepKind kind, Index i, double sign = 1.0, std::optional<Index> a = {},
                     std::optional<Index> b = {}) {
    const Formula& f = formulas_[i];
    const bool is_given = f.operation == Operation::input;
    Draft& draft = drafts_.emplace_back(Draft{kind, a, b, {}, is_given ? sign : sign * f.value});
    if (is_given) draft.given = f.left;
  }

  /// The kind behind another one in machine.hpp; each has a second kind that stores.
  static StepKind behind(StepKind kind, int kinds) {
    return static_cast<StepKind>(static_cast<int>(kind) + 2 * kinds);
  }

  /// One step with a value that is placed, a term or a constant; `kind` is that of a place, behind
  /// which those of a product, of a multiple and, but for `subtract_place`, of a constant come.
  void emit_term(StepKind kind, Index i) {
    if (forms_[i] == Form::placed) return emit(kind, i);
    if (forms_[i] == Form::constant) return emit_constant(behind(kind, 4), i);
    emit_product(kind, formulas_[i]);
  }

  void emit_product(StepKind kind, const Formula& f) {
    const std::optional<Index> scaled = forms_.scaled_factor(f);
    const Formula& inner = scaled ? formulas_[*scaled] : f;
    const bool left_is_constant = forms_[inner.left] == Form::constant;
    const Index k = left_is_constant ? inner.left : inner.right;
    if (forms_[k] != Form::constant) {
      drafts_.push_back({behind(kind, 1), f.left, f.right, {}, 0.0});
      return;
    }
    const bool subtracts = kind == StepKind::subtract_place;
    if (subtracts) kind = StepKind::add_place;
    const Index a = left_is_constant ? inner.right : inner.left;
    std::optional<Index> b;
    if (scaled) b = *scaled == f.left ? f.right : f.left;
    emit_constant(behind(kind, scaled ? 3 : 2), k, subtracts ? -1.0 : 1.0, a, b);
  }

  /// Puts a value into the accumulator.
  void accumulate(Index i) {
    if (forms_[i] == Form::chain) return compute(i);
    emit_term(StepKind::load_place, i);
  }
  /// Accumulates it and does a step with another one: of `kind` with a place, of the kind behind it
  /// with a constant.
  void accumulate(Index first, StepKind kind, Index second) {
    accumulate(first);
    if (forms_[second] == Form::placed) return emit(kind, second);
    emit_constant(behind(kind, 1), second);
  }

  /// Accumulates by its operation, even where it is to be placed.
  void compute(Index i) {
    const Formula& f = formulas_[i];
    if (f.operation == Operation::multiply) return compute_product(f);
    if (f.operation == Operation::divide) return compute_quotient(f);
    if (is_binary(f)) compute_sum(f);  // the others have steps of their own
  }

  void compute_sum(const Formula& f) {
    const bool adds = f.operation == Operation::add;
    if (forms_[f.right] == Form::chain || forms_[f.left] == Form::constant) {
      accumulate(f.right);
      return emit_term(adds ? StepKind::add_place : StepKind::from_place, f.left);
    }
    accumulate(f.left);
    if (!adds && forms_[f.right] == Form::constant) {
      return emit_constant(StepKind::add_constant, f.right, -1.0);
    }
    emit_term(adds ? StepKind::add_place : StepKind::subtract_place, f.right);
  }

  void compute_product(const Formula& f) {
    if ((forms_.is_at_hand(f.left) && forms_.is_at_hand(f.right)) || forms_.scaled_factor(f)) {
      return emit_product(StepKind::load_place, f);
    }
    const bool left_first = forms_.is_at_hand(f.right);
    accumulate(left_first ? f.left : f.right, StepKind::times_place, left_first ? f.right : f.left);
  }

  void compute_quotient(const Formula& f) {
    if (forms_[f.left] != Form::constant && forms_.is_at_hand(f.right)) {
      return accumulate(f.left, StepKind::divide_by_place, f.right);
    }
    accumulate(f.right, StepKind::divide_place, f.left);
  }

  /// Puts a value into its place.
  void place(Index i) {
    const Formula& f = formulas_[i];
    if (f.operation == Operation::input) return;
    if (f.operation == Operation::sine || f.operation == Operation::cosine) {
      const auto& [sine, cosine] = forms_.of_angle(f.left);  // both at once, with the first
      if (i > std::min(sine.value_or(i), cosine.value_or(i))) return;
      drafts_.push_back({StepKind::sin_cos, f.left, sine, cosine, 0.0});
      return;
    }
    compute(i);
    and_store().c = i;
  }

  /// Turns the last step into the kind that stores.
  Draft& and_store() {
    Draft& last = drafts_.back();
    last.kind = static_cast<StepKind>(static_cast<std::uint16_t>(last.kind) + 1);
    return last;
  }

  void write(std::size_t output) {
    const Expression& value = outputs_[output];
    if (value.is_known()) {
      drafts_.push_back({StepKind::load_constant, {}, {}, {}, value.known()});
    } else {
      const Formula& f = formulas_[value.index()];
      const bool is_difference =
          forms_[value.index()] == Form::chain && f.operation == Operation::subtract;
      if (value.is_negative() && is_difference) {
        compute_sum({f.operation, f.right, f.left, 0.0});
      } else {
        accumulate(value.index());
        if (value.is_negative()) emit(StepKind::negate);
      }
    }
    and_store().output = output;
  }

  const std::deque<Formula>& formulas_;
  const Forms& forms_;
  std::span<const Expression> outputs_;
  std::vector<Draft> drafts_;
};

/// Slots for values, the one that was free last first: it is the nearest in the cache.
class Slots {
 public:
  std::size_t take() {
    if (free_.empty()) return count_++;
    const std::size_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void give_back(std::size_t slot) { free_.push_back(slot); }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  std::vector<std::size_t> free_;
  std::size_t count_ = 0;
};

/// Slots for the places of drafts, and the chains that their steps make.
class Placing {
 public:
  Placing(const Graph& graph, std::size_t inputs, std::size_t outputs)
      : formulas_(graph.formulas()), inputs_(inputs), outputs_(outputs) {}

  /// Gives each placed formula a slot from where it is stored to where it is read last.
  Program run(const std::vector<Draft>& drafts) {
    std::vector<std::size_t> last_read(formulas_.size());
    for (std::size_t at = 0; at < drafts.size(); ++at) {
      for (const auto& read : drafts[at].reads()) {
        if (read) last_read[*read] = at;
      }
    }
    Slots slots;
    std::vector<std::size_t> slot_of(formulas_.size());
    const std::size_t spare = inputs_ + outputs_, first_slot = spare + 1;
    // The spare place is for results that nobody reads, and for what the next chain goes on with.
    const auto place_of = [&](const std::optional<Index>& i) {
      const bool is_input = i && formulas_[*i].operation == Operation::input;
      const std::size_t place = !i         ? spare
                                : is_input ? formulas_[*i].left
                                           : first_slot + slot_of[*i];
      return static_cast<std::uint16_t>(place);
    };

    for (std::size_t at = 0; at < drafts.size(); ++at) {
      const Draft& draft = drafts[at];
      const auto write = [&](const std::optional<Index>& i) {
        if (i) slot_of[*i] = slots.take();
        return place_of(i);
      };
      const std::uint16_t b = draft.is_function() ? write(draft.b) : place_of(draft.b);
      const std::uint16_t c =
          draft.output ? static_cast<std::uint16_t>(inputs_ + *draft.output) : write(draft.c);
      add({draft.kind, place_of(draft.a), b, c, draft.k});
      for (const auto& read : draft.reads()) {
        if (!read || place_of(read) < first_slot || last_read[*read] != at) continue;
        slots.give_back(slot_of[*read]);
        last_read[*read] = drafts.size();  // x·x gives one slot back
      }
      if (draft.given) {
        program_.given.push_back({program_.steps.size() - 1, *draft.given - inputs_, draft.k});
      }
    }
    program_.inputs = inputs_;
    program_.outputs = outputs_;
    program_.slots = slots.count();
    if (program_.places() > std::numeric_limits<std::uint16_t>::max()) {
      throw std::length_error("a straight-line program with more places than the machine has");
    }
    return std::move(program_);
  }

 private:
  /// Adds a step, and the codes of the chains that end before it and with it. A value that no chain
  /// holds goes on through the spare place.
  void add(const Step& step) {
    std::vector<Step>& steps = program_.steps;
    const auto open = [&] { return std::span(steps).subspan(begin_); };
    const auto end_chain = [&](int code) {
      program_.chains.push_back(static_cast<std::uint16_t>(code));
      begin_ = steps.size();
    };
    const auto end_pair = [&] {
      end_chain(pair_codes + number_of(open()[0]) * other_kinds + number_of(open()[1]) -
                load_kinds);
    };
    std::optional<int> three;
    if (open().size() == 2) {
      three = code_of(open()[0], open()[1], step);
      if (!three) end_pair();
    }
    if (open().empty() && !steps.empty() && !ends_value(steps.back())) {
      steps.push_back({StepKind::load_place, steps.back().c, 0, 0, 0.0});
    }
    steps.push_back(step);
    if (three) return end_chain(*three);
    if (!ends_value(step)) return;
    if (open().size() == 2) return end_pair();
    end_chain(step.kind == StepKind::sin_cos ? sin_cos_code : number_of(step));
  }

  const std::deque<Formula>& formulas_;
  std::size_t inputs_, outputs_;
  Program program_;
  std::size_t begin_ = 0;  ///< the step with which the chain begins that has not ended
};

}  // namespace

Program assemble(const Graph& graph, std::size_t inputs, std::span<const Expression> outputs) {
  const Forms forms(graph, inputs, outputs);
  return Placing(graph, inputs, outputs.size()).run(Drafting(graph, forms, outputs).run());
}

}  // namespace armdyn
