#include "tools/grammar/sentence_parser.h"

#include "core/error.h"

namespace craft {

namespace {

class LocalSentenceParser : public SentenceParser {
public:
    explicit LocalSentenceParser(double seconds) : parser_(seconds) {}
    std::vector<ConstituentParse> parse(const std::vector<ParseRequest>& requests) override {
        std::vector<ConstituentParse> parses;
        for (const ParseRequest& request : requests) parses.push_back(parser_.parse(request.sentence, request.max_left_out));
        return parses;
    }

private:
    ConstituentParser parser_;
};

int64_t whole_number_field(const Json& row, const char* name, const std::string& where) {
    const auto found = row.find(name);
    if (found == row.end() || !found->is_number_integer() || found->get<int64_t>() < 0)
        throw Error(where + ": field '" + name + "'", "a whole number from 0", found == row.end() ? "none" : found->dump());
    return found->get<int64_t>();
}

}  // namespace

std::unique_ptr<SentenceParser> local_sentence_parser(double seconds_a_sentence) {
    return std::make_unique<LocalSentenceParser>(seconds_a_sentence);
}

Json to_json(const ParseRequest& request, const std::string& id) {
    return {{"id", id}, {"sentence", request.sentence}, {"most_left_out", request.max_left_out}};
}

ParseRequest parse_request_of(const Json& row, const std::string& where) {
    return {string_field(row, "sentence", where), whole_number_field(row, "most_left_out", where)};
}

Json to_json(const ConstituentParse& parse, const std::string& id) {
    Json left_out = Json::array();
    for (const LeftOutWord& word : parse.left_out_words) left_out.push_back({word.begin, word.end});
    return {{"id", id},
            {"tree", parse.bracketed},
            {"words", parse.words},
            {"lacks", parse.left_out},
            {"left_out", left_out},
            {"cost", parse.cost},
            {"timed_out", parse.timed_out},
            {"problem", parse.problem}};
}

ConstituentParse constituent_parse_of(const Json& row, const std::string& where) {
    ConstituentParse parse;
    parse.bracketed = string_field(row, "tree", where);
    parse.problem = string_field(row, "problem", where);
    parse.words = whole_number_field(row, "words", where);
    parse.left_out = whole_number_field(row, "lacks", where);
    const auto cost = row.find("cost"), left_out = row.find("left_out"), timed_out = row.find("timed_out");
    if (cost == row.end() || !cost->is_number()) throw Error(where + ": field 'cost'", "a number");
    if (timed_out == row.end() || !timed_out->is_boolean()) throw Error(where + ": field 'timed_out'", "true or false");
    if (left_out == row.end() || !left_out->is_array()) throw Error(where + ": field 'left_out'", "a list");
    parse.cost = cost->get<double>();
    parse.timed_out = timed_out->get<bool>();
    for (const Json& place : *left_out) {
        if (!place.is_array() || place.size() != 2 || !place[0].is_number_unsigned() || !place[1].is_number_unsigned())
            throw Error(where + ": field 'left_out'", "pairs of whole numbers", place.dump());
        parse.left_out_words.push_back({place[0].get<size_t>(), place[1].get<size_t>()});
    }
    return parse;
}

void answer_parse_requests(std::istream& in, std::ostream& out, SentenceParser& parser) {
    size_t number = 0;
    for (std::string line; std::getline(in, line);) {
        const std::string where = "request " + std::to_string(++number);
        const Json row = parse_json(line, where);
        const ConstituentParse parse = parser.parse({parse_request_of(row, where)}).front();
        out << dump_line(to_json(parse, id_text(row, where))) << '\n' << std::flush;
    }
}

}  // namespace craft
