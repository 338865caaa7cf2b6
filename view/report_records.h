// The records of runs in a report's page: lines of data that its script draws.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/files.h"
#include "view/report_document.h"
#include "view/report_run.h"

namespace craft {

// A record as one line of JSON: ["trajectory",[[indent,spans],[indent,spans,beside],...]]. A span is its text where it is
// plain, else [number of its Tone, text]. The line holds no "<" and no line break, so that it can stand in a script element;
// control and direction marks are U+FFFD.
std::string record_line(const Json& record);

// Writes a script element of text for each file of records with at most `most` of its records (0: all). Lines that are no
// records are left out; a file that cannot be read to its end has what comes before. Returns a row a file: how many records
// are in the page and how many are not, and why.
ReportTable write_records(const std::vector<ReportRun>& runs, int64_t most, OutputFile& out);

}  // namespace craft
