#include "data/segment.h"

#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

namespace {

double number_or_nan(const std::optional<double>& value) {
    return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

std::optional<double> absent_if_nan(double value) {
    return std::isnan(value) ? std::nullopt : std::optional(value);
}

constexpr const char* kRawQuality = "raw_quality";

// What has no column of its own.
std::string details_of(const Trajectory& trajectory) {
    Json details = to_json(trajectory.instruction);
    for (const char* column : {"id", "domain", "instruction", "text"}) details.erase(column);
    Json quality = Json::array();
    bool any = false;
    for (const Step& step : trajectory.steps) {
        quality.push_back(to_json(step.scores.quality));
        any = any || !step.scores.quality.empty();
    }
    if (any) details[kRawQuality] = std::move(quality);
    return dump_line(details);
}

void add_quality(std::vector<Step>& steps, const Json& details, const std::string& where) {
    const auto quality = details.find(kRawQuality);
    if (quality == details.end()) return;
    const std::string place = where + ": field 'raw_quality'";
    if (!quality->is_array() || quality->size() != steps.size())
        throw Error(place, "a list of " + std::to_string(steps.size()) + " objects", shortened(dump_line(*quality), 80));
    for (size_t i = 0; i < steps.size(); ++i) steps[i].scores.quality = raw_quality_from_json((*quality)[i], place);
}

}  // namespace

void SegmentBuilder::add(const Trajectory& trajectory) {
    const Instruction& instruction = trajectory.instruction;
    const std::string where = "trajectory '" + instruction.id + "'";
    if (trajectory.steps.size() > kMaxSteps)
        throw Error(where, "at most " + std::to_string(kMaxSteps) + " steps", std::to_string(trajectory.steps.size()));
    const std::string details = details_of(trajectory);
    const std::array<std::string_view, kTrajectoryTexts.size()> texts = {instruction.id, instruction.instruction,
                                                                         instruction.text, details, trajectory.prompt};
    std::vector<std::string_view> all(texts.begin(), texts.end());
    for (const Step& step : trajectory.steps)
        all.insert(all.end(), {step.response, step.revision, step.feedback, step.observation});
    uint64_t bytes = 0;
    for (const std::string_view text : all) bytes += text.size();
    if (bytes > kMaxTextBytes)
        throw Error(where, "texts of at most " + std::to_string(kMaxTextBytes) + " bytes", std::to_string(bytes));
    text_bytes_ += bytes;

    for (size_t i = 0; i < texts.size(); ++i) texts_[i].add(texts[i]);
    for (size_t i = 0; i + texts.size() < all.size(); ++i) step_texts_[i % kStepTexts.size()].add(all[i + texts.size()]);
    for (const Step& step : trajectory.steps) {
        scores_[0].push_back(number_or_nan(step.scores.s_v));
        scores_[1].push_back(number_or_nan(step.scores.s_c));
        scores_[2].push_back(number_or_nan(step.scores.s_r));
        scores_[3].push_back(step.scores.s_a);
    }
    domains_.push_back(instruction.domain);
    first_step_.push_back(scores_[0].size());
}

std::string SegmentBuilder::image(const std::string& name, unsigned compression) const {
    Hdf5Image image(name);
    image.set_attribute("format", kStoreFormat);
    image.set_attribute("version", kStoreVersion);
    image.set_attribute("trajectories", trajectories());
    image.set_attribute("steps", steps());
    for (size_t i = 0; i < texts_.size(); ++i)
        texts_[i].write(image, std::string("trajectories/") + kTrajectoryTexts[i], compression);
    image.add_column<int64_t>("trajectories/domain", domains_, compression);
    image.add_column<uint64_t>("trajectories/first_step", first_step_, compression);
    for (size_t i = 0; i < step_texts_.size(); ++i)
        step_texts_[i].write(image, std::string("steps/") + kStepTexts[i], compression);
    for (size_t i = 0; i < scores_.size(); ++i)
        image.add_column<double>(std::string("steps/") + kStepScores[i], scores_[i], compression);
    return image.bytes();
}

SegmentReader::SegmentReader(const std::filesystem::path& path) : name_(path.string()) {
    const Hdf5File file(path);
    if (const std::string format = file.string_attribute("format"); format != kStoreFormat)
        throw Error(name_ + ": attribute 'format'", std::string("'") + kStoreFormat + "'", "'" + format + "'");
    if (const int64_t version = file.integer_attribute("version"); version != kStoreVersion)
        throw Error(name_, "format version " + std::to_string(kStoreVersion), std::to_string(version),
                    "read it with the program that wrote it and export it as JSON Lines");
    trajectories_ = file.integer_attribute("trajectories");
    steps_ = file.integer_attribute("steps");
    constexpr int64_t kMax = int64_t{1} << 40;
    if (trajectories_ < 0 || steps_ < 0 || trajectories_ > kMax || steps_ > kMax)
        throw Error(name_, "sensible numbers of trajectories and steps",
                    std::to_string(trajectories_) + " and " + std::to_string(steps_));
    const auto n = static_cast<uint64_t>(trajectories_), m = static_cast<uint64_t>(steps_);
    for (size_t i = 0; i < texts_.size(); ++i)
        texts_[i] = TextColumn(file, std::string("trajectories/") + kTrajectoryTexts[i], n);
    domains_ = open_column<int64_t>(file, "trajectories/domain", n);
    first_step_ = open_column<uint64_t>(file, "trajectories/first_step", n + 1);
    for (size_t i = 0; i < step_texts_.size(); ++i)
        step_texts_[i] = TextColumn(file, std::string("steps/") + kStepTexts[i], m);
    for (size_t i = 0; i < scores_.size(); ++i)
        scores_[i] = open_column<double>(file, std::string("steps/") + kStepScores[i], m);
}

Step SegmentReader::read_step(uint64_t index, TextBudget& budget) {
    Step step;
    step.response = step_texts_[0].read(index, budget);
    step.revision = step_texts_[1].read(index, budget);
    step.feedback = step_texts_[2].read(index, budget);
    step.observation = step_texts_[3].read(index, budget);
    step.scores.s_v = absent_if_nan(scores_[0].read(index, 1)[0]);
    step.scores.s_c = absent_if_nan(scores_[1].read(index, 1)[0]);
    step.scores.s_r = absent_if_nan(scores_[2].read(index, 1)[0]);
    step.scores.s_a = scores_[3].read(index, 1)[0];
    return step;
}

Trajectory SegmentReader::read(int64_t index) {
    const std::string where = name_ + ": trajectory " + std::to_string(index + 1);
    if (index < 0 || index >= trajectories_)
        throw Error(where, "one of " + std::to_string(trajectories_) + " trajectories", "none");
    const auto i = static_cast<uint64_t>(index);
    const auto range = first_step_.read(i, 2);
    const uint64_t begin = range[0], end = range[1];
    if (begin > end || end > static_cast<uint64_t>(steps_) || end - begin > kMaxSteps)
        throw Error(first_step_.name(), "ascending numbers up to " + std::to_string(steps_),
                    std::to_string(begin) + " and " + std::to_string(end));
    TextBudget budget{.of = "trajectories", .most = kMaxTextBytes};
    Json row{{"id", texts_[0].read(i, budget)},
             {"domain", static_cast<uint64_t>(domains_.read(i, 1)[0])},
             {"instruction", texts_[1].read(i, budget)},
             {"text", texts_[2].read(i, budget)}};
    const Json details = parse_json(texts_[3].read(i, budget), where + ": dataset 'details'");
    if (!details.is_object()) throw Error(where + ": dataset 'details'", "an object", details.type_name());
    for (const auto& [key, value] : details.items())
        if (!row.contains(key)) row[key] = value;
    Trajectory trajectory;
    trajectory.instruction = instruction_from_json(row, where);
    trajectory.prompt = texts_[4].read(i, budget);
    for (uint64_t step = begin; step < end; ++step) trajectory.steps.push_back(read_step(step, budget));
    add_quality(trajectory.steps, details, where + ": dataset 'details'");
    return trajectory;
}

}  // namespace craft
