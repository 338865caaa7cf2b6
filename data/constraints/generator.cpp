#include "data/constraints/generator.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <optional>
#include <set>

#include "core/signals.h"
#include "data/constraints/named_sentences.h"
#include "data/constraints/shape_plan.h"
#include "data/constraints/values.h"
#include "tools/craft/check.h"

namespace craft {

namespace {

constexpr int kRevisions = 12;  // revisions tried of a text before another text is taken
constexpr int kTexts = 60;      // texts of enough sentences, or times round the same few, tried before shapes are given up
constexpr int kChoice = 4;      // texts looked at for one that violates, unrevised, everything it can
constexpr int kOwnTries = 6;    // times that a text which has to be used is tried, instead of kTexts
constexpr const char* kNotRevised = "the text could not be revised";
constexpr int kHopeless = 2;  // times that all revisions of a text may fail in a row before it is left alone

// Sentences that a text needs for these shapes: one that is kept is not one that is changed, and a revision of ours changes
// at least one.
size_t sentences_needed(const std::vector<Shape>& shapes, bool revision_is_given) {
    size_t kept = 0, changed = 0;
    for (const Shape shape : shapes) (sub_type(shape) == SubType::keep_sentence ? kept : changed) += sentences_named(shape);
    if (kept > 0 && !revision_is_given) changed = std::max<size_t>(changed, 1);
    return std::max<size_t>(1, kept + changed);
}

// The shape that says "only change these sentences".
std::optional<Shape> modify_shape(const std::vector<Shape>& shapes) {
    const auto found =
        std::find_if(shapes.begin(), shapes.end(), [](Shape shape) { return sub_type(shape) == SubType::modify_sentence; });
    return found == shapes.end() ? std::nullopt : std::optional(*found);
}

// How many of the constraints an unrevised text can violate at best. One sentence that alone may change does not become
// none.
int64_t max_violated(const std::vector<Shape>& shapes) {
    const auto has = [&](Shape shape) { return std::find(shapes.begin(), shapes.end(), shape) != shapes.end(); };
    return std::count_if(shapes.begin(), shapes.end(), asks_for_change) -
           (has(Shape::modify_one) && has(Shape::sentences_less) ? 1 : 0);
}

class Generator {
public:
    Generator(const std::vector<SourceText>& texts, const FreeReviser& revise, const Wordings& wordings,
              const GeneratorOptions& options)
        : texts_(texts),
          revise_(revise),
          wordings_(wordings),
          options_(options),
          sentences_(texts.size()),
          unrevised_(texts.size(), 0) {}

    GeneratorReport run(const EmitInstruction& emit) {
        const auto start = std::chrono::steady_clock::now();
        ShapePlan plan(mix_of(options_.mix), options_.seed, options_.stage + ".plan");
        const auto domains = static_cast<int64_t>(options_.domains.size());
        const int64_t count = options_.every_text ? static_cast<int64_t>(texts_.size()) * domains : options_.count;
        for (int64_t i = 0; i < count; ++i) {
            const int domain = options_.domains[static_cast<size_t>(i % domains)];
            if (!make_planned(i, domain, plan, emit))
                ++report_.dropped["no text yields the requested constraints: " + refusal_];
        }
        report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return std::move(report_);
    }

private:
    // The shapes that come next in the plan or, where no text gives them, others. What was refused stays owed and is asked
    // for again of a later instruction: that is what keeps to the mix.
    bool make_planned(int64_t item, int domain, ShapePlan& plan, const EmitInstruction& emit) {
        std::set<Shape> refused = resting_.at(item);
        for (bool first = true;; first = false) {  // each time round, there is one shape less
            const std::vector<Shape> shapes = plan.next(domain, refused);
            if (static_cast<int>(shapes.size()) < domain) return false;
            if (!first) ++report_.redrawn["other shapes"];
            if (make(item, domain, shapes, emit)) {
                resting_.given(shapes);
                return true;
            }
            plan.put_back(shapes);
            const auto worst = std::max_element(refusals_.begin(), refusals_.end());
            if (*worst == 0) return false;  // the texts cannot be used at all
            const auto shape = static_cast<Shape>(worst - refusals_.begin());
            refused.insert(shape);
            // With every_text, the next instruction is another text's.
            if (!options_.every_text && resting_.refused(shape, item)) ++report_.redrawn["rests: " + shape_name(shape)];
        }
    }

    // Texts in rounds, each round in an order of its own; or all in order, and then no other is tried.
    size_t text_of(int64_t item, int64_t attempt) {
        if (options_.every_text) return static_cast<size_t>(item) / options_.domains.size();
        const int64_t size = static_cast<int64_t>(texts_.size());
        const int64_t place = item / options_.per_text, round = place / size;
        if (round != round_ || order_.empty()) {
            order_.resize(texts_.size());
            std::iota(order_.begin(), order_.end(), size_t{0});
            Rng(options_.seed, options_.stage + ".texts", static_cast<uint64_t>(round)).shuffle(order_);
            round_ = round;
        }
        return order_[static_cast<size_t>((place + attempt) % size)];
    }

    size_t sentences_of(size_t text) {
        if (!sentences_[text]) sentences_[text] = sentence_views(texts_[text].text, options_.sentences).size();
        return *sentences_[text];
    }

    // Whether the split may name one sentence of the text: of few sentences it may have none, of pairs and triples hardly.
    bool can_name(const std::vector<Shape>& shapes, size_t text) {
        if (std::find(shapes.begin(), shapes.end(), Shape::modify_one) == shapes.end()) return true;
        for (size_t id = 1; id <= sentences_of(text); ++id)
            if (in_split({Shape::modify_one, {static_cast<int64_t>(id)}, 0, 0, ""}, options_.split)) return true;
        return false;
    }

    // Such as one of bare marks ("Stop! ! !"): it would be asked again for each instruction that needs its many sentences.
    bool is_hopeless(size_t text) const { return !options_.every_text && unrevised_[text] >= kHopeless; }

    void note_revised(size_t text, bool any) {
        unrevised_[text] = any ? 0 : unrevised_[text] + 1;
        if (is_hopeless(text)) max_sentences_.reset();
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
        refusals_ = {};
        if (domain > 0 && max_sentences_ && !any_text_has_room(shapes)) {
            refuse_for_sentences(shapes);
            return false;
        }
        const int64_t most = max_violated(shapes);
        const int64_t tries = options_.every_text ? kOwnTries : kTexts;
        // Texts with enough sentences may be rare: all are looked at for those.
        const int64_t places = options_.every_text ? tries : std::max(tries, static_cast<int64_t>(texts_.size()));
        Draw best;
        int64_t tried = 0;
        for (int64_t attempt = 0; attempt < places && tried < tries && best.score() < most; ++attempt) {
            if (tried >= kChoice && best.source != nullptr) break;
            throw_if_stopped();
            const size_t text = text_of(item, attempt);
            if ((domain > 0 && is_hopeless(text)) ||
                sentences_of(text) < sentences_needed(shapes, !texts_[text].revision.empty()) || !can_name(shapes, text))
                continue;
            if (attempt > 0) ++report_.redrawn[options_.every_text ? "the text again" : "another text"];
            ++tried;
            Rng rng(options_.seed, options_.stage, static_cast<uint64_t>(item), static_cast<uint64_t>(attempt));
            Draw drawn = draw(text, shapes, most, rng);
            if (drawn.score() > best.score()) best = std::move(drawn);
        }
        if (tried == 0) {
            refuse_for_sentences(shapes);
            if (!options_.every_text) remember_max_sentences();
        }
        if (best.source == nullptr) {
            // The texts with room for these shapes cannot be revised: other texts may serve others.
            if (const auto shape = naming_most(shapes); shape && refusals_ == std::array<int64_t, kShapes>{})
                ++refusals_[static_cast<size_t>(*shape)];
            return false;
        }
        report_.violable += std::count_if(shapes.begin(), shapes.end(), asks_for_change);
        report_.violated_unrevised += best.score();
        for (const Shape shape : best.violated) ++report_.violated[shape_name(shape)];
        const std::string revision = std::move(best.revision);
        emit(instruction_of(item, domain, std::move(best)), revision);
        return true;
    }

    // So that all texts are looked at once in vain, not for each instruction.
    void remember_max_sentences() {
        max_sentences_ = {0, 0};
        for (size_t text = 0; text < texts_.size(); ++text) {
            if (is_hopeless(text)) continue;
            size_t& most = (*max_sentences_)[texts_[text].revision.empty() ? 0 : 1];
            most = std::max(most, sentences_of(text));
        }
    }

    bool any_text_has_room(const std::vector<Shape>& shapes) const {
        return (*max_sentences_)[0] >= sentences_needed(shapes, false) ||
               (*max_sentences_)[1] >= sentences_needed(shapes, true);
    }

    Instruction instruction_of(int64_t item, int domain, Draw&& draw) {
        Instruction instruction;
        instruction.id = "c" + std::to_string(domain) + "-" + std::to_string(item) + "-" + draw.source->id;
        instruction.domain = domain;
        instruction.text = draw.source->text;
        instruction.wording = "template";
        Rng rng(options_.seed, options_.stage + ".words", static_cast<uint64_t>(item));
        Rendering rendering = render_instruction(draw.constraints, split_sentences(draw.source->text, options_.sentences),
                                                 wordings_, options_.split, rng);
        instruction.instruction = std::move(rendering.instruction);
        instruction.phrases = std::move(rendering.phrases);
        instruction.constraints = std::move(draw.constraints);
        for (const auto& constraint : instruction.constraints) {
            instruction.gold.push_back(constraint.calls());
            ++report_.shapes[shape_name(constraint.shape)];
            ++report_.constraints;
        }
        return instruction;
    }

    // The best of a few revisions: one is enough under which the unrevised text violates as many as it can. Without source
    // if none allows the shapes.
    Draw draw(size_t text, const std::vector<Shape>& shapes, int64_t most, Rng& rng) {
        const SourceText& source = texts_[text];
        if (shapes.empty()) return {&source, {}, {}, {}};
        const MeasuredText original(source.text, options_.sentences);
        const auto modify = modify_shape(shapes);
        const bool same = !source.revision.empty() && !modify;  // it is the revision of every try
        bool any_revision = same;
        std::string whole;  // serves two tries where a few of its sentences are taken
        std::optional<MeasuredText> revision;
        if (same) revision.emplace(source.revision, options_.sentences);
        Draw best;
        for (int i = 0; i < kRevisions && best.score() < most; ++i) {
            throw_if_stopped();
            if (!same) {
                if (!modify || i % 2 == 0 || whole.empty())
                    whole = source.revision.empty() ? revise_(source.text, rng) : source.revision;
                if (whole.empty()) {
                    refuse(kNotRevised);
                    continue;
                }
                any_revision = true;
                std::string revised =
                    modify ? narrowed(*modify, shapes, original, whole, !source.revision.empty(), rng) : whole;
                if (revised.empty()) {
                    whole.clear();
                    continue;
                }
                revision.emplace(std::move(revised), options_.sentences);
            }
            auto drawn = draw_from(original, *revision, shapes, rng);
            if (!drawn) continue;
            std::vector<Shape> violated = violations(*drawn, original);
            if (static_cast<int64_t>(violated.size()) > best.score())
                best = {&source, revision->text(), std::move(*drawn), std::move(violated)};
        }
        note_revised(text, any_revision);
        return best;
    }

    // The revision of the sentences alone that a constraint of the shape names. Where none of a given revision can be
    // matched, the reviser changes them. Empty, and refused, if neither does.
    std::string narrowed(Shape modify, const std::vector<Shape>& shapes, const MeasuredText& original,
                         const std::string& revision, bool is_given, Rng& rng) {
        const auto narrow = [&](const std::string& text) {
            return narrowed_revision(modify, shapes, original, text, options_.sentences, options_.split, rng);
        };
        std::optional<std::string> proof = narrow(revision);
        if (!proof && is_given) proof = narrow(revise_(original.text(), rng));
        if (!proof) refuse(shape_name(modify), modify);
        return proof.value_or("");
    }

    // Where no text has enough sentences, it is the shape that names most of them that another may replace.
    static std::optional<Shape> naming_most(const std::vector<Shape>& shapes) {
        const auto most = std::max_element(shapes.begin(), shapes.end(),
                                           [](Shape a, Shape b) { return sentences_named(a) < sentences_named(b); });
        return most == shapes.end() || sentences_named(*most) == 0 ? std::nullopt : std::optional(*most);
    }

    void refuse_for_sentences(const std::vector<Shape>& shapes) {
        if (const auto shape = naming_most(shapes))
            refuse("too few sentences for " + shape_name(*shape), shape);
        else
            refuse(std::any_of(unrevised_.begin(), unrevised_.end(), [](int times) { return times > 0; }) ? kNotRevised
                                                                                                          : "empty text");
    }

    std::optional<std::vector<Constraint>> draw_from(const MeasuredText& original, const MeasuredText& revision,
                                                     const std::vector<Shape>& shapes, Rng& rng) {
        ValueSource source{original, revision, options_.split, {}};
        std::vector<Constraint> constraints;
        for (const Shape shape : shapes) {
            auto constraint = draw_constraint(shape, source, rng);
            if (!constraint) return refuse(shape_name(shape), shape);
            // The proof: the revision that the values came from meets every gold call.
            for (const ToolCall& call : constraint->calls())
                if (!check(call, original, revision).met)
                    return refuse("not met by its own revision: " + shape_name(shape), shape);
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

    std::nullopt_t refuse(const std::string& reason, std::optional<Shape> shape = std::nullopt) {
        ++report_.redrawn[reason];
        if (shape) ++refusals_[static_cast<size_t>(*shape)];
        refusal_ = reason;
        return std::nullopt;
    }

    const std::vector<SourceText>& texts_;
    const FreeReviser& revise_;
    const Wordings& wordings_;
    const GeneratorOptions& options_;
    GeneratorReport report_;
    std::string refusal_;                      // why the latest draw was given up
    std::array<int64_t, kShapes> refusals_{};  // of the shapes asked for last
    RestingShapes resting_;
    std::vector<std::optional<size_t>> sentences_;  // of each text, once counted
    std::vector<int> unrevised_;                    // how often in a row none of a text's revisions came to anything
    // Of any text without and with a given revision; absent until one was looked for in vain.
    std::optional<std::array<size_t, 2>> max_sentences_;
    std::vector<size_t> order_;
    int64_t round_ = -1;
};

}  // namespace

GeneratorReport generate_instructions(const std::vector<SourceText>& texts, const FreeReviser& revise,
                                      const Wordings& wordings, const GeneratorOptions& options,
                                      const EmitInstruction& emit) {
    if (texts.empty()) throw Error("texts", "at least one text", "none");
    for (const int domain : options.domains)
        if (domain < 0 || domain > 4) throw UsageError("--domain: expected c0 to c4, got c" + std::to_string(domain));
    if (options.domains.empty()) throw UsageError("--domain: expected at least one of c0 to c4, got none");
    if (const auto problem = mix_problem(options.mix, options.domains); !problem.empty())
        throw UsageError("mix of sub-types: " + problem);
    return Generator(texts, revise, wordings, options).run(emit);
}

}  // namespace craft
