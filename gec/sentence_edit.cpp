#include "gec/sentence_edit.h"

#include <array>
#include <utility>

#include "gec/common_words.h"
#include "gec/sentence_words.h"
#include "text/code_points.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr std::array<const char*, 4> kOperations = {"insert", "delete", "transform", "rearrange"};

// An edit by bytes of both texts.
struct ByteEdit {
    size_t start, end, to_start, to_end;
    EditOperation operation;
};

EditOperation operation_of(bool has_from, bool has_to) {
    if (!has_from) return EditOperation::insert;
    return has_to ? EditOperation::transform : EditOperation::remove;
}

class EditList {
public:
    EditList(const WordedText& source, const WordedText& target) : a_(source), b_(target) {}

    // The gap in front of a word of each, unless an edit has taken it.
    void add_gap(size_t of_a, size_t of_b) {
        if (std::exchange(gap_is_done_, false) || a_.gap(of_a) == b_.gap(of_b)) return;
        const ByteEdit edit{a_.gap_begin(of_a), a_.gap_end(of_a), b_.gap_begin(of_b), b_.gap_end(of_b), {}};
        add(edit, operation_of(edit.end > edit.start, edit.to_end > edit.to_start));
    }
    void add_words(const ChangedWords& one) {
        const bool has_from = one.a_end > one.a_begin, has_to = one.b_end > one.b_begin;
        if (has_from && has_to) {
            add_gap(one.a_begin, one.b_begin);
            add({a_.begin(one.a_begin), a_.end(one.a_end - 1), b_.begin(one.b_begin), b_.end(one.b_end - 1), {}},
                one.reordered ? EditOperation::rearrange : EditOperation::transform);
            return;
        }
        // Words without a counterpart take the gap of one of their sides with them, and the other side's stays.
        ByteEdit edit{
            a_.gap_begin(one.a_begin), a_.gap_end(one.a_end), b_.gap_begin(one.b_begin), b_.gap_end(one.b_end), {}};
        const std::string_view kept = has_from ? b_.gap(one.b_begin) : a_.gap(one.a_begin);
        const std::string_view whole = has_from ? a_.part(edit.start, edit.end) : b_.part(edit.to_start, edit.to_end);
        if (whole.starts_with(kept)) {
            edit.start += kept.size();
            edit.to_start += kept.size();
        } else if (whole.ends_with(kept)) {
            edit.end -= kept.size();
            edit.to_end -= kept.size();
        }
        add(edit, has_from ? EditOperation::remove : EditOperation::insert);
        gap_is_done_ = true;
    }
    const std::vector<ByteEdit>& edits() const { return edits_; }

private:
    void add(ByteEdit edit, EditOperation operation) {
        edit.operation = operation;
        edits_.push_back(edit);
    }

    const WordedText& a_;
    const WordedText& b_;
    std::vector<ByteEdit> edits_;
    bool gap_is_done_ = false;
};

}  // namespace

const char* operation_name(EditOperation operation) {
    return kOperations.at(static_cast<size_t>(operation));
}

std::vector<SentenceEdit> edits_between(std::string_view source, std::string_view target) {
    if (source == target) return {};
    const WordedText a(source), b(target);
    EditList list(a, b);
    size_t i = 0, j = 0;
    for (const ChangedWords& one : changed_words(a.words, b.words)) {
        for (; i < one.a_begin; ++i, ++j) list.add_gap(i, j);
        list.add_words(one);
        i = one.a_end;
        j = one.b_end;
    }
    for (; i < a.words.size(); ++i, ++j) list.add_gap(i, j);
    list.add_gap(a.words.size(), b.words.size());

    std::vector<SentenceEdit> edits;
    size_t at = 0;
    int64_t place = 0;  // of the byte `at`, in code points
    for (const ByteEdit& edit : list.edits()) {
        const std::string_view from = source.substr(edit.start, edit.end - edit.start);
        place += static_cast<int64_t>(count_code_points(source.substr(at, edit.start - at)));
        const int64_t end = place + static_cast<int64_t>(count_code_points(from));
        edits.push_back({place, end, edit.operation, std::string(from),
                         std::string(target.substr(edit.to_start, edit.to_end - edit.to_start))});
        at = edit.start;
    }
    return edits;
}

Json to_json(const SentenceEdit& edit) {
    return {{"start", edit.start},
            {"end", edit.end},
            {"operation", operation_name(edit.operation)},
            {"from", edit.from},
            {"to", edit.to}};
}

Json to_json(const std::vector<SentenceEdit>& edits) {
    Json list = Json::array();
    for (const SentenceEdit& edit : edits) list.push_back(to_json(edit));
    return list;
}

}  // namespace craft
