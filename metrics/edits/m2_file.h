// Files of the M2 format (Dahlmeier and Ng 2012): a sentence's tokens in an S line, an A line for each edit of an annotator,
// a blank line after each sentence.
//
//     S She see the cat .
//     A 1 2|||R:VERB:SVA|||sees||saw|||REQUIRED|||-NONE-|||0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "metrics/edits/m2_text.h"

namespace craft {

// One A line. Spans count tokens of the S line from 0; `start` == `end` inserts before that token. Both are -1 where nothing
// is edited: of a `noop`, the line of an annotator who found nothing wrong.
struct M2Edit {
    int64_t start = 0, end = 0;
    M2Text type;
    M2Text correction;   // as written: "a||b" are alternatives, "-NONE-" and "" delete
    M2Text unread = {};  // two fields that no tool reads, where they are not "REQUIRED|||-NONE-"
    int64_t annotator = 0;
    // Span and annotator as they were written, with ||| between them, where they have blanks beyond the usual ones.
    M2Text numbers = {};

    bool noop() const { return type == "noop" || start < 0; }
    // What the span may become: the correction cut at "||", white space at both ends left out, "" for -NONE-.
    std::vector<std::string> alternatives() const;
};

struct M2Sentence {
    M2Text source;  // as written after "S "
    std::vector<M2Edit> edits;
    int64_t blank_lines = 1;  // that follow it; the last sentence may have none
    int64_t line = 0;         // where its S line stands; 0: made here
    bool bare = false;        // an empty sentence whose line is "S", without a blank

    std::vector<std::string> tokens() const;  // cut at white space, as Python's str.split()
};

// Stands before the edit of that number, or after the last one.
struct M2PassedLine {
    size_t sentence = 0, edit = 0;  // from 0
    M2Text text;
};

struct M2File {
    std::string name;  // for messages
    std::vector<M2Sentence> sentences;
    int64_t leading_blank_lines = 0;
    bool crlf = false;
    bool last_newline = true;
    bool byte_order_mark = false;
    // Lines of edits that reach beyond their sentence's last token. Published files have some (JFLEG's own), so they are no
    // error: m2scorer leaves them out, ERRANT compares them as they are.
    std::vector<int64_t> outside;
    // Lines "I ..." among the edits of a sentence, which m2scorer passes over.
    std::vector<M2PassedLine> passed;
    std::shared_ptr<const std::string> bytes = nullptr;  // what the texts of sentences that were read are views of
};

// Reads what m2scorer reads. Throws Error with `name`:line on what is not M2: a line that is neither S, A, I nor blank, an
// edit before any sentence, two S lines without a blank line between them, an A line without its six fields, a span that is
// no two numbers, runs backwards or leaves the sentence, an annotator that is no number, line ends of both kinds, NUL, and
// what is not UTF-8. A file without sentences is one with none. A sentence may be copied out of the file, but not moved
// where it outlives it.
M2File parse_m2(std::string bytes, const std::string& name);
M2File read_m2(const std::string& path);  // `-` is stdin

// The bytes of the file; those that parse_m2() read, where nothing was changed.
std::string to_m2(const M2File& file);

}  // namespace craft
