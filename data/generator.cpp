#include "data/generator.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "core/signals.h"
#include "data/values.h"
#include "tools/check.h"

namespace craft {

namespace {

constexpr int kRevisions = 12;  // revisions tried of a text before another text is taken
constexpr int kTexts = 60;      // texts, or times round the same few, tried before an instruction is given up
constexpr int kChoice = 4;      // texts looked at for one that violates, unrevised, everything it can
constexpr int kOwnTries = 6;    // times that a text which has to be used is tried, with kOtherShapes sets of shapes
constexpr int kOtherShapes = 12;

const std::array<std::vector<Shape>, kSubTypes>& shapes_of_sub_types() {
    static const auto table = [] {
        std::array<std::vector<Shape>, kSubTypes> shapes;
        for (int i = 0; i < kShapes; ++i)
            shapes[static_cast<size_t>(sub_type(static_cast<Shape>(i)))].push_back(static_cast<Shape>(i));
        return shapes;
    }();
    return table;
}

// How many sentences of the text a constraint of this shape names.
size_t sentences_named(Shape shape) {
    const bool names = sub_type(shape) == SubType::keep_sentence || sub_type(shape) == SubType::modify_sentence;
    return names ? static_cast<size_t>(shape) % 3 + 1 : 0;
}

// Which shapes each instruction gets, laid down before any text is looked at, so that the mix holds whatever the texts are.
class ShapePlan {
public:
    explicit ShapePlan(const GeneratorOptions& options) : options_(options), rng_(options.seed, options.stage + ".plan") {
        const double total = std::accumulate(options.mix.begin(), options.mix.end(), 0.0);
        for (size_t i = 0; i < kSubTypes; ++i) share_[i] = options.mix[i] / total;
    }

    std::vector<Shape> next(int constraints) {
        std::vector<Shape> shapes;
        std::array<bool, kSubTypes> used{};
        for (int i = 0; i < constraints; ++i) {
            const size_t type = most_owed(used);
            used[type] = true;
            shapes.push_back(next_shape(type));
        }
        rng_.shuffle(shapes);
        return shapes;
    }

    // Shapes that a text does not give: others come first, then these again.
    void put_back(const std::vector<Shape>& shapes) {
        for (const Shape shape : shapes) {
            const auto type = static_cast<size_t>(sub_type(shape));
            --drawn_;
            --made_[type];
            decks_[type].insert(decks_[type].begin(), shape);
        }
    }

private:
    // The sub-type furthest behind its share; chance decides among those within one of each other.
    size_t most_owed(const std::array<bool, kSubTypes>& used) {
        ++drawn_;
        size_t best = kSubTypes;
        double best_debt = 0;
        for (size_t i = 0; i < kSubTypes; ++i) {
            if (used[i] || share_[i] <= 0) continue;
            const double debt =
                share_[i] * static_cast<double>(drawn_) - static_cast<double>(made_[i]) + 0.9 * rng_.uniform();
            if (best == kSubTypes || debt > best_debt) {
                best = i;
                best_debt = debt;
            }
        }
        if (best == kSubTypes)
            throw Error("the mix of sub-types", "as many positive shares as constraints in an instruction", "fewer");
        ++made_[best];
        return best;
    }

    Shape next_shape(size_t type) {
        auto& deck = decks_[type];
        if (deck.empty()) {
            deck = shapes_of_sub_types()[type];
            rng_.shuffle(deck);
        }
        const Shape shape = deck.back();
        deck.pop_back();
        return shape;
    }

    const GeneratorOptions& options_;
    Rng rng_;
    std::array<double, kSubTypes> share_{};
    std::array<int64_t, kSubTypes> made_{};
    std::array<std::vector<Shape>, kSubTypes> decks_;
    int64_t drawn_ = 0;
};

class Generator {
public:
    Generator(const std::vector<SourceText>& texts, const FreeReviser& revise, const Wordings& wordings,
              const GeneratorOptions& options)
        : texts_(texts), revise_(revise), wordings_(wordings), options_(options) {}

    GeneratorReport run(const EmitInstruction& emit) {
        const auto start = std::chrono::steady_clock::now();
        ShapePlan plan(options_);
        const auto domains = static_cast<int64_t>(options_.domains.size());
        const int64_t count = options_.every_text ? static_cast<int64_t>(texts_.size()) * domains : options_.count;
        for (int64_t i = 0; i < count; ++i) {
            const int domain = options_.domains[static_cast<size_t>(i % domains)];
            std::vector<Shape> shapes = plan.next(domain);
            bool made = make(i, domain, shapes, emit);
            for (int k = 1; !made && options_.every_text && k < kOtherShapes; ++k) {
                ++report_.redrawn["other shapes"];
                plan.put_back(shapes);
                shapes = plan.next(domain);
                made = make(i, domain, shapes, emit);
            }
            if (!made) ++report_.dropped["no text gives the constraints asked for: " + refusal_];
        }
        report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return std::move(report_);
    }

private:
    // Texts in rounds, each round in an order of its own; or all in order, and then no other is tried.
    const SourceText& text_of(int64_t item, int attempt) {
        if (options_.every_text) return texts_[static_cast<size_t>(item) / options_.domains.size()];
        const int64_t size = static_cast<int64_t>(texts_.size());
        const int64_t round = item / size;
        if (round != round_ || order_.empty()) {
            order_.resize(texts_.size());
            std::iota(order_.begin(), order_.end(), size_t{0});
            Rng(options_.seed, options_.stage + ".texts", static_cast<uint64_t>(round)).shuffle(order_);
            round_ = round;
        }
        return texts_[order_[static_cast<size_t>((item + attempt) % size)]];
    }

    // Constraints of one text that its revision meets together.
    struct Draw {
        const SourceText* source = nullptr;
        std::string revision;
        std::vector<Constraint> constraints;
        std::vector<Shape> violated;  // by the unrevised text

        int64_t score() const { return source == nullptr ? -1 : static_cast<int64_t>(violated.size()); }
    };

    // False if no text gives these shapes.
    bool make(int64_t item, int domain, const std::vector<Shape>& shapes, const EmitInstruction& emit) {
        const auto violable = std::count_if(shapes.begin(), shapes.end(), asks_for_change);
        const int tries = options_.every_text ? kOwnTries : kTexts;
        Draw best;
        for (int attempt = 0; attempt < tries && best.score() < violable; ++attempt) {
            if (attempt >= kChoice && best.source != nullptr) break;
            throw_if_stopped();
            Rng rng(options_.seed, options_.stage, static_cast<uint64_t>(item), static_cast<uint64_t>(attempt));
            if (attempt > 0) ++report_.redrawn[options_.every_text ? "the text again" : "another text"];
            Draw drawn = draw(text_of(item, attempt), shapes, violable, rng);
            if (drawn.score() > best.score()) best = std::move(drawn);
        }
        if (best.source == nullptr) return false;
        report_.violable += violable;
        report_.violated_unrevised += best.score();
        for (const Shape shape : best.violated) ++report_.violated[shape_name(shape)];
        const std::string revision = std::move(best.revision);
        emit(instruction_of(item, domain, std::move(best)), revision);
        return true;
    }

    Instruction instruction_of(int64_t item, int domain, Draw&& draw) {
        Instruction instruction;
        instruction.id = "c" + std::to_string(domain) + "-" + std::to_string(item) + "-" + draw.source->id;
        instruction.domain = domain;
        instruction.text = draw.source->text;
        instruction.wording = "template";
        Rng rng(options_.seed, options_.stage + ".words", static_cast<uint64_t>(item));
        instruction.instruction = render_instruction(draw.constraints, wordings_, options_.split, rng);
        instruction.constraints = std::move(draw.constraints);
        for (const auto& constraint : instruction.constraints) {
            instruction.gold.push_back(constraint.calls());
            ++report_.shapes[shape_name(constraint.shape)];
            ++report_.constraints;
        }
        return instruction;
    }

    // The best of a few revisions: one is enough under which the unrevised text violates everything it can. Without source
    // if none allows the shapes.
    Draw draw(const SourceText& source, const std::vector<Shape>& shapes, int64_t violable, Rng& rng) {
        const MeasuredText original(source.text, options_.sentences);
        Draw best;
        if (!suits(original, shapes)) return best;
        if (shapes.empty()) return {&source, {}, {}, {}};
        for (int i = 0; i < kRevisions && best.score() < violable; ++i) {
            const std::string text = source.revision.empty() ? revise_(source.text, rng) : source.revision;
            if (text.empty()) {
                refuse("the text could not be revised");
                continue;
            }
            const MeasuredText revision(text, options_.sentences);
            auto drawn = draw_from(original, revision, shapes, rng);
            if (!drawn) continue;
            std::vector<Shape> violated = violations(*drawn, original);
            if (static_cast<int64_t>(violated.size()) > best.score())
                best = {&source, text, std::move(*drawn), std::move(violated)};
        }
        return best;
    }

    // Seen before any revision is made.
    bool suits(const MeasuredText& original, const std::vector<Shape>& shapes) {
        if (original.sentences().empty()) refuse("empty text");
        const auto named = std::find_if(shapes.begin(), shapes.end(),
                                        [&](Shape shape) { return original.sentences().size() < sentences_named(shape); });
        if (named != shapes.end()) refuse("too few sentences for " + shape_name(*named));
        return !original.sentences().empty() && named == shapes.end();
    }

    std::optional<std::vector<Constraint>> draw_from(const MeasuredText& original, const MeasuredText& revision,
                                                     const std::vector<Shape>& shapes, Rng& rng) {
        ValueSource source{original, revision, options_.split, {}};
        std::vector<Constraint> constraints;
        for (const Shape shape : shapes) {
            auto constraint = draw_constraint(shape, source, rng);
            if (!constraint) return refuse(shape_name(shape));
            // The proof: the revision that the values came from meets every gold call.
            for (const ToolCall& call : constraint->calls())
                if (!check(call, original, revision).met) return refuse("not met by its own revision: " + shape_name(shape));
            if (!constraint->keyword.empty()) source.keywords_in_use.push_back(constraint->keyword);
            constraints.push_back(std::move(*constraint));
        }
        return constraints;
    }

    static std::vector<Shape> violations(const std::vector<Constraint>& constraints, const MeasuredText& original) {
        std::vector<Shape> violated;
        for (const Constraint& c : constraints) {
            const auto calls = c.calls();
            const bool met = std::all_of(calls.begin(), calls.end(),
                                         [&](const ToolCall& call) { return check(call, original, original).met; });
            if (asks_for_change(c.shape) && !met) violated.push_back(c.shape);
        }
        return violated;
    }

    std::nullopt_t refuse(const std::string& reason) {
        ++report_.redrawn[reason];
        refusal_ = reason;
        return std::nullopt;
    }

    const std::vector<SourceText>& texts_;
    const FreeReviser& revise_;
    const Wordings& wordings_;
    const GeneratorOptions& options_;
    GeneratorReport report_;
    std::string refusal_;  // why the latest draw was given up
    std::vector<size_t> order_;
    int64_t round_ = -1;
};

}  // namespace

std::array<double, kSubTypes> mix_even_over_shapes() {
    std::array<double, kSubTypes> mix{};
    for (size_t i = 0; i < kSubTypes; ++i) mix[i] = static_cast<double>(shapes_of_sub_types()[i].size());
    return mix;
}

GeneratorReport generate_instructions(const std::vector<SourceText>& texts, const FreeReviser& revise,
                                      const Wordings& wordings, const GeneratorOptions& options,
                                      const EmitInstruction& emit) {
    if (texts.empty()) throw Error("texts", "at least one text", "none");
    for (const int domain : options.domains)
        if (domain < 0 || domain > 4) throw UsageError("--domain: expected c0 to c4, got c" + std::to_string(domain));
    if (options.domains.empty()) throw UsageError("--domain: expected at least one of c0 to c4, got none");
    return Generator(texts, revise, wordings, options).run(emit);
}

}  // namespace craft
