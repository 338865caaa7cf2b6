// A run as it stands at this moment, read while it goes on; nothing is written and no lock is taken.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/json.h"
#include "view/page.h"

namespace craft {

class RunWatch {
public:
    // Throws Error where there is no folder.
    explicit RunWatch(std::filesystem::path folder);

    // Reads what was added since the last time. A line that is not whole yet waits for the next time, one that is no JSON
    // object is counted.
    void look();
    // Whether the manifest says that the run is finished.
    bool finished() const { return finished_; }
    // What is trained now (loss, reward, rate, memory, time left), the figures of the stages that are done, and the last
    // sample. `now` is where the age of the last sign of life is counted to; curves take `columns`.
    DisplayPage page(std::filesystem::file_time_type now, size_t columns) const;
    // Of these the trainings and the stages alone.
    DisplayPage figures(size_t columns) const;

private:
    struct Series {  // a file of metrics
        int64_t read = 0, rows = 0, bad = 0;
        Json last;
        std::vector<Json> stages;  // the last rows without a loss
        std::vector<double> losses, rewards;
        double seconds_a_step = 0;  // of late
        std::filesystem::file_time_type changed;
    };
    void look_for_files();
    void read_more(const std::filesystem::path& file, Series& series);
    void read_manifest_again();
    void write_figures(PageWriter& page, size_t columns) const;
    void write_training(PageWriter& page, const std::string& name, const Series& series, size_t columns) const;
    void write_stages(PageWriter& page, const Series& series) const;
    void write_last_sample(PageWriter& page) const;

    std::filesystem::path folder_;
    std::map<std::string, Series> series_;  // by their files' names in the run
    std::filesystem::path samples_;         // the file of samples that changed last
    std::filesystem::file_time_type changed_;
    Json manifest_;
    bool finished_ = false;
};

}  // namespace craft
