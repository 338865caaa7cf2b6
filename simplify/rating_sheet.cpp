#include "simplify/rating_sheet.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/error.h"
#include "core/file_hash.h"
#include "core/rng.h"
#include "text/csv.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr const char* kKind = "rating key";

using TextsById = std::unordered_map<std::string, std::string>;

std::vector<TextsById> texts_by_id(const std::vector<RevisedText>& sources, const std::vector<SystemOutputs>& systems) {
    std::set<std::string> known, names;
    for (const RevisedText& source : sources) known.insert(source.id);
    std::vector<TextsById> all;
    for (const SystemOutputs& one : systems) {
        if (!names.insert(one.system).second) throw Error("systems of a sheet", "each once", one.system + " again");
        TextsById& texts = all.emplace_back();
        for (const RevisedText& output : one.outputs) {
            if (!known.contains(output.id)) throw Error(output.where, "the id of a source", "'" + output.id + "'");
            texts.emplace(output.id, output.text);
        }
    }
    return all;
}

// Why a sentence cannot be rated; "": it can. No table holds NUL.
std::string lacking(const RevisedText& source, const std::vector<SystemOutputs>& systems,
                    const std::vector<TextsById>& texts) {
    const auto has_nul = [](const std::string& text) { return text.find('\0') != std::string::npos; };
    if (is_empty_text(source.text)) return "empty source";
    if (has_nul(source.text)) return "NUL in the source";
    for (size_t i = 0; i < systems.size(); ++i) {
        const auto found = texts[i].find(source.id);
        if (found == texts[i].end()) return "no output of " + systems[i].system;
        if (is_empty_text(found->second)) return "empty output of " + systems[i].system;
        if (has_nul(found->second)) return "NUL in the output of " + systems[i].system;
    }
    return "";
}

// Sorted by what is drawn for each by its name.
template <class T, class Name>
void sort_by_draw(std::vector<T>& items, uint64_t seed, const std::string& stage, const Name& name) {
    std::vector<std::pair<uint64_t, size_t>> draws;
    for (size_t i = 0; i < items.size(); ++i) draws.emplace_back(Rng(seed, stage, std::string(name(items[i]))).next(), i);
    std::sort(draws.begin(), draws.end());
    std::vector<T> sorted;
    for (const auto& [draw, i] : draws) sorted.push_back(std::move(items[i]));
    items = std::move(sorted);
}

std::vector<const RevisedText*> drawn_sentences(const std::vector<RevisedText>& sources,
                                                const std::vector<SystemOutputs>& systems,
                                                const std::vector<TextsById>& texts, RatingSheet& sheet) {
    std::vector<const RevisedText*> taken;
    for (const RevisedText& source : sources) {
        ++sheet.sentences;
        const std::string reason = lacking(source, systems, texts);
        if (reason.empty())
            taken.push_back(&source);
        else
            ++sheet.dropped[reason];
    }
    const auto wanted = static_cast<size_t>(sheet.options.sample);
    if (taken.empty() || taken.size() < wanted)
        throw Error("sentences with a text of every system",
                    wanted == 0 ? "at least one" : "at least " + std::to_string(wanted),
                    std::to_string(taken.size()) + dropped_note(sheet.dropped), "--sample says how many are rated");
    sort_by_draw(taken, sheet.options.seed, "ratings.sample", [](const RevisedText* source) { return source->id; });
    if (wanted > 0) {
        sheet.left = static_cast<int64_t>(taken.size() - wanted);
        taken.resize(wanted);
    }
    return taken;
}

}  // namespace

RatingSheet make_rating_sheet(const std::vector<RevisedText>& sources, const std::vector<SystemOutputs>& systems,
                              const RatingSheetOptions& options) {
    if (systems.size() < 2) throw Error("systems of a sheet", "two or more", std::to_string(systems.size()));
    const std::vector<TextsById> texts = texts_by_id(sources, systems);
    RatingSheet sheet;
    sheet.options = options;
    for (const RevisedText* source : drawn_sentences(sources, systems, texts, sheet)) {
        std::set<std::string> different;
        for (size_t i = 0; i < systems.size(); ++i) {
            const std::string& text = texts[i].at(source->id);
            different.insert(text);
            sheet.items.push_back({0, source->id, systems[i].system, source->text, text, rating_hash(source->text, text)});
        }
        sheet.same_text += different.size() < systems.size() ? 1 : 0;
    }
    sort_by_draw(sheet.items, options.seed, "ratings.order",
                 [](const RatingItem& one) { return one.id + "\n" + one.system; });
    for (size_t i = 0; i < sheet.items.size(); ++i) sheet.items[i].item = static_cast<int64_t>(i + 1);
    return sheet;
}

std::string rating_sheet_csv(const RatingSheet& sheet) {
    std::string csv = "\xef\xbb\xbf" + csv_row({"item", "source", "simplification", "rating"});
    for (const RatingItem& one : sheet.items)
        csv += csv_row({std::to_string(one.item), without_formula(one.source), without_formula(one.text), ""});
    return csv;
}

Json rating_key(const RatingSheet& sheet) {
    std::set<std::string> systems;
    Json items = Json::array();
    for (const RatingItem& one : sheet.items) {
        systems.insert(one.system);
        items.push_back({{"item", one.item}, {"id", one.id}, {"system", one.system}, {"hash", one.hash}});
    }
    return {{"kind", kKind},
            {"version", 1},
            {"policy", sheet.options.policy},
            {"seed", sheet.options.seed},
            {"sample", sheet.options.sample},
            {"scale", {RatingSheet::kLowest, RatingSheet::kHighest}},
            {"systems", systems},
            {"sentences",
             {{"given", sheet.sentences},
              {"dropped", sheet.dropped},
              {"not_drawn", sheet.left},
              {"same_text", sheet.same_text}}},
            {"items", items}};
}

RatingKey rating_key_from_json(const Json& key, const std::string& where) {
    if (!key.is_object() || key.value("kind", Json()) != kKind)
        throw Error(where, "a key of `simplify sheet`", "something else");
    RatingKey read{string_field(key, "policy", where), {}, {}};
    const auto items = key.find("items");
    if (items == key.end() || !items->is_array() || items->empty()) throw Error(where + ": field 'items'", "a list", "none");
    std::set<std::string> systems;
    for (const Json& object : *items) {
        const std::string here = where + ": item " + std::to_string(read.items.size() + 1);
        if (!object.is_object() || object.value("item", Json()) != Json(read.items.size() + 1))
            throw Error(here, "an object with this number", object.dump().substr(0, 60));
        read.items.push_back({static_cast<int64_t>(read.items.size() + 1), id_text(object, here),
                              string_field(object, "system", here), "", "", string_field(object, "hash", here)});
        systems.insert(read.items.back().system);
    }
    read.systems.assign(systems.begin(), systems.end());
    return read;
}

std::string rating_hash(const std::string& source, const std::string& text) {
    std::string words;
    for (const std::string& one : {source, text}) {
        for (const std::string& word : whitespace_words(one)) words += word + " ";
        words += "\n";
    }
    return hash_text(words);
}

}  // namespace craft
