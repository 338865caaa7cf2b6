// Configurations: files read in layers, and written with where each value came from.
#include <algorithm>
#include <cctype>
#include <set>

#include "core/options.h"
#include "core/run_manifest.h"
#include "core/utf8.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

std::string joined(const std::string& prefix, const std::string& key) {
    return prefix.empty() ? key : prefix + "." + key;
}

// "a.b" -> tree["a"]["b"].
void set_nested(Json& tree, const std::string& key, const Json& value) {
    const size_t dot = key.find('.');
    if (dot == std::string::npos)
        tree[key] = value;
    else
        set_nested(tree[key.substr(0, dot)], key.substr(dot + 1), value);
}

std::string twice(const std::string& file, const std::string& key) {
    return file + ": " + shortened(key, 80) + ": given twice; one of them would have no effect";
}

// Where the JSON token at or after `at` begins: white space and comments are passed over. text.size(): there is none.
size_t token_at(const std::string& text, size_t at) {
    while (at < text.size()) {
        if (std::isspace(static_cast<unsigned char>(text[at])) != 0)
            ++at;
        else if (text.compare(at, 2, "//") == 0)
            at = std::min(text.find('\n', at), text.size());
        else if (text.compare(at, 2, "/*") == 0)
            at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
        else
            break;
    }
    return at;
}

// After the token that begins at `at`: a string, or a sign. Of other values each sign is one.
size_t after_token(const std::string& text, size_t at) {
    if (text[at] != '"') return at + 1;
    for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
    return std::min(at + 1, text.size());
}

// A comma after the last value of an object or a list, where whoever adds a line will want it, becomes a blank; lines and
// columns stay. Of "[,]" and "[1,,]" commas remain, which are errors.
std::string without_last_commas(std::string text) {
    char before = '[';
    for (size_t at = token_at(text, 0); at < text.size();) {
        const size_t next = token_at(text, after_token(text, at));
        const bool closes = next < text.size() && (text[next] == '}' || text[next] == ']');
        const bool is_after_value = before != '[' && before != '{' && before != ',' && before != ':';
        if (text[at] == ',' && closes && is_after_value)
            text[at] = ' ';
        else
            before = text[at];
        at = next;
    }
    return text;
}

// Keys that occur twice in one object ("train.lr"): JSON keeps the last and says nothing.
std::vector<std::string> repeated_keys(const std::string& text) {
    struct Object {
        std::string name;
        std::set<std::string> keys;
    };
    std::vector<Object> around;
    std::vector<std::string> repeated;
    std::string last;  // full name of the key read last
    const auto note = [&](int, Json::parse_event_t event, Json& value) {
        if (event == Json::parse_event_t::object_start) around.push_back({last, {}});
        if (event == Json::parse_event_t::object_end) around.pop_back();
        if (event == Json::parse_event_t::key) {
            const auto key = value.get<std::string>();
            last = joined(around.back().name, key);
            if (!around.back().keys.insert(key).second) repeated.push_back(last);
        }
        return true;
    };
    [[maybe_unused]] const Json tree = Json::parse(text, note, /*allow_exceptions=*/true, /*ignore_comments=*/true);
    return repeated;
}

struct Printer {
    const std::vector<Option>& options;
    std::string text;

    std::string comment(const std::string& key) const {
        for (const Option& option : options) {
            if (option.key != key && !(option.assign_within && key.starts_with(option.key + "."))) continue;
            const auto within = option.sources_within.find(key);
            if (within != option.sources_within.end()) return "from " + within->second;
            return option.source == "default" ? "default" : "from " + option.source;
        }
        return "";
    }

    void print(const Json& tree, const std::string& prefix, const std::string& indent) {
        text += "{\n";
        size_t left = tree.size();
        for (const auto& [name, value] : tree.items()) {
            const std::string key = joined(prefix, name);
            text += indent + "  " + Json(name).dump() + ": ";
            if (value.is_object())
                print(value, key, indent + "  ");
            else
                text += dump_line(value);
            text += --left > 0 ? "," : "";
            text += value.is_object() ? "\n" : "  // " + comment(key) + "\n";
        }
        text += indent + "}";
    }
};

}  // namespace

void OptionTable::apply_file(const fs::path& file) {
    std::vector<fs::path> chain;
    read_file_chain(file, chain);
}

void OptionTable::read_file_chain(const fs::path& file, std::vector<fs::path>& chain) {
    const fs::path real = fs::weakly_canonical(file);
    const bool seen = std::find(chain.begin(), chain.end(), real) != chain.end();
    chain.push_back(real);
    if (seen) {
        std::string way;
        for (const auto& step : chain) way += (way.empty() ? "" : " -> ") + step.filename().string();
        return add_problem(file.string() + ": \"base\" is circular: " + way);
    }
    files_.push_back(file);
    Json tree;
    try {
        const std::string text = without_last_commas(read_file(file));
        tree = parse_json(text, file.string());
        for (const std::string& key : repeated_keys(text)) add_problem(twice(file.string(), key));
    } catch (const Error& error) {
        return add_problem(error.what());
    }
    if (!tree.is_object()) return add_problem(file.string() + ": expected an object, got " + tree.type_name());
    if (const auto base = tree.find("base"); base != tree.end()) {
        if (base->is_string())
            read_file_chain(file.parent_path() / base->get<std::string>(), chain);
        else
            add_problem(file.string() + ": \"base\": expected the path of a file, got " + dump_line(*base));
        tree.erase(base);
    }
    apply_json(tree, file.string());
}

void OptionTable::apply_json(const Json& tree, const std::string& source) {
    std::set<std::string> given;
    assign_json("", tree, source, given);
}

void OptionTable::assign_json(const std::string& prefix, const Json& value, const std::string& source,
                              std::set<std::string>& given) {
    for (const auto& [name, item] : value.items()) {
        const std::string key = joined(prefix, name);
        if (Option* option = find(key)) {
            if (option->assign_within) {
                note_leaves(key, item, source, given);
                note_sources(*option, key, item, source);
            } else if (!given.insert(key).second) {
                add_problem(twice(source, key));  // once nested, once dotted
            }
            note_result(*option, option->assign(item), source + ": " + key, source);
            // What --dump-config or a manifest wrote holds every option: it gives those that it changes.
            option->is_given = item != option->initial;
        } else if (find_around(key) != nullptr) {
            note_leaves(key, item, source, given);
            assign_within(key, item, source + ": " + key, source);
        } else if (item.is_object() && !item.empty()) {
            assign_json(key, item, source, given);
        } else {
            unknown_key(key, source);
        }
    }
}

// The keys of an object's values, however deep: a dotted key may give one of them once more.
void OptionTable::note_leaves(const std::string& key, const Json& value, const std::string& source,
                              std::set<std::string>& given) {
    if (value.is_object()) {
        for (const auto& [name, item] : value.items()) note_leaves(joined(key, name), item, source, given);
    } else if (!given.insert(key).second) {
        add_problem(twice(source, key));
    }
}

Json OptionTable::resolved() const {
    Json tree = Json::object();
    for (const Option& option : options_) set_nested(tree, option.key, option.current());
    return tree;
}

Json OptionTable::identity() const {
    Json values = Json::object();
    for (const Option& option : options_) {
        // Where results go to changes none of them. What lies in a folder was made as the run continued: with it or without.
        if (!option.is_identity || option.file == FileRole::output || option.file == FileRole::managed) continue;
        Json& value = values[option.shown_name()] = option.current();
        if (option.file == FileRole::input) value = {{kContentOf, value}};
        if (option.file == FileRole::output_folder)
            value = !(value.is_string() && value.get_ref<const std::string&>().empty());
    }
    return values;
}

std::string OptionTable::provenance() const {
    std::string missing;  // left out, so that the file can be read back
    Json tree = Json::object();
    for (const Option& option : options_) {
        if (option.source == "default" && is_required(option))
            missing += "// " + option.key + ": required, not given\n";
        else
            set_nested(tree, option.key, option.current());
    }
    Printer printer{options_, missing};
    printer.print(tree, "", "");
    return printer.text + "\n";
}

}  // namespace craft
