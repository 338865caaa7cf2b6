#include "tools/craft/check.h"

#include <algorithm>
#include <cstdlib>

#include "text/utf8.h"
#include "text/words.h"
#include "tools/craft/craft_tools.h"

namespace craft {

namespace {

std::string joined(const std::vector<int64_t>& numbers) {
    std::string out;
    for (int64_t number : numbers) out += (out.empty() ? "" : ", ") + std::to_string(number);
    return out;
}

CheckResult bounded(int64_t value, Relation relation, int64_t bound, const std::string& unit) {
    CheckResult result;
    result.measured = value;
    result.met = holds(value, relation, bound);
    if (!result.met)
        result.detail =
            std::to_string(value) + " " + unit + ", not " + relation_name(relation) + " " + std::to_string(bound);
    return result;
}

bool occurs(const std::string& sentence, const MeasuredText& revision) {
    return revision.text().find(bare_sentence(sentence)) != std::string::npos;
}

// What the paper's `keep` counted: not what stands directly after an apostrophe.
int64_t count_not_after_apostrophe(const std::string& text, const std::string& keyword) {
    if (keyword.empty()) return 0;
    int64_t count = 0;
    size_t at = text.find(keyword);
    while (at != std::string::npos) {
        const bool counts = at == 0 || text[at - 1] != '\'';
        if (counts) ++count;
        at = text.find(keyword, at + (counts ? keyword.size() : 1));
    }
    return count;
}

struct Checker {
    const MeasuredText& original;
    const MeasuredText& revision;
    Scoring scoring;

    CheckResult operator()(const TextEval&) const { return {true, std::nullopt, ""}; }
    CheckResult operator()(const DetectKeyword&) const { return {true, std::nullopt, ""}; }

    CheckResult operator()(const BoundCall& call) const {
        const ToolResult result = craft_tools().run(call, {original, revision});
        return {result.met.value_or(true), result.value, ""};
    }

    CheckResult operator()(const WordCountCheck& call) const {
        CheckResult result = bounded(revision.word_count(), call.relation, call.count, "words");
        if (scoring == Scoring::published) result.met = true;
        return result;
    }

    CheckResult operator()(const SentenceCountCheck& call) const {
        return bounded(static_cast<int64_t>(revision.sentences().size()), call.relation, call.count, "sentences");
    }

    CheckResult operator()(const SentenceLengthCheck& call) const {
        const auto& lengths = revision.sentence_lengths();
        if (lengths.empty()) return {true, std::nullopt, ""};
        // How far a length is from what is asked; the worst sentence is the farthest, or the nearest to failing.
        const auto excess = [&](int64_t length) {
            if (call.relation == Relation::less_than) return static_cast<double>(length) - static_cast<double>(call.length);
            if (call.relation == Relation::more_than) return static_cast<double>(call.length) - static_cast<double>(length);
            return std::abs(static_cast<double>(length) - static_cast<double>(call.length));
        };
        const auto worst =
            std::max_element(lengths.begin(), lengths.end(), [&](auto a, auto b) { return excess(a) < excess(b); });
        std::vector<int64_t> failing;
        for (size_t i = 0; i < lengths.size(); ++i) {
            if (!holds(lengths[i], call.relation, call.length)) failing.push_back(static_cast<int64_t>(i) + 1);
        }
        CheckResult result{failing.empty(), *worst, ""};
        if (!result.met) {
            result.detail = "sentence" + std::string(failing.size() > 1 ? "s " : " ") + joined(failing) + " not " +
                            relation_name(call.relation) + " " + std::to_string(call.length) + " words";
        }
        return result;
    }

    CheckResult operator()(const KeywordKeepRemovalCheck& call) const {
        const std::string lower = lowercase(call.keyword);
        const bool published = scoring == Scoring::published;
        const auto count = [&](const MeasuredText& text) {
            return published && call.keep ? count_not_after_apostrophe(text.lower(), lower)
                                          : count_occurrences(text.lower(), lower);
        };
        CheckResult result;
        const int64_t found = count(revision);
        result.measured = found;
        if (call.keep) {
            const int64_t before = count(original);
            result.met = found == before;
            if (!result.met)
                result.detail =
                    "\"" + call.keyword + "\" occurs " + std::to_string(found) + " times, not " + std::to_string(before);
            return result;
        }
        result.met = published ? count_occurrences(revision.text(), call.keyword) == 0 : found == 0;
        if (!result.met) result.detail = "\"" + call.keyword + "\" still occurs " + std::to_string(found) + " times";
        return result;
    }

    CheckResult operator()(const KeywordFrequencyCheck& call) const {
        return bounded(count_occurrences(revision.lower(), lowercase(call.keyword)), call.relation, call.frequency,
                       "occurrences of \"" + call.keyword + "\"");
    }

    CheckResult operator()(const SentenceModificationCheck& call) const {
        std::vector<int64_t> beyond, wrong;
        const auto sentences = static_cast<int64_t>(original.sentences().size());
        for (int64_t id : call.sentence_ids) {
            if (id < 1 || id > sentences) {
                beyond.push_back(id);
            } else if (occurs(original.sentences()[static_cast<size_t>(id - 1)], revision) == call.change) {
                wrong.push_back(id);
            }
        }
        CheckResult result;
        result.met = beyond.empty() && wrong.empty() && !(call.short_name && scoring == Scoring::published);
        if (!wrong.empty()) {
            result.detail = "sentence" + std::string(wrong.size() > 1 ? "s " : " ") + joined(wrong) +
                            (call.change ? " still as before" : " changed");
        }
        if (!beyond.empty()) {
            result.detail += (result.detail.empty() ? "" : "; ") + ("the text has no sentence " + joined(beyond));
        }
        return result;
    }
};

}  // namespace

CheckResult check(const ToolCall& call, const MeasuredText& original, const MeasuredText& revision, Scoring scoring) {
    return std::visit(Checker{original, revision, scoring}, call);
}

std::vector<int64_t> sentences_touched_besides(const std::vector<int64_t>& ids, const MeasuredText& original,
                                               const MeasuredText& revision) {
    std::vector<int64_t> touched;
    for (size_t i = 0; i < original.sentences().size(); ++i) {
        const auto id = static_cast<int64_t>(i) + 1;
        const bool asked_for = std::find(ids.begin(), ids.end(), id) != ids.end();
        if (!asked_for && !occurs(original.sentences()[i], revision)) touched.push_back(id);
    }
    return touched;
}

}  // namespace craft
