#include "systems/hosted/report.h"

namespace craft {

Json HostedReport::to_json() const {
    return {{"items", items},
            {"requests", requests},
            {"retries", retries},
            {"failed_requests", failed_requests},
            {"failed_items", failed_items},
            {"over_budget", over_budget},
            {"unanswered", unanswered},
            {"prompt_tokens", prompt_tokens},
            {"new_tokens", new_tokens},
            {"cached_tokens", cached_tokens},
            {"without_usage", without_usage},
            {"usd", value_or_null(usd)},
            {"seconds", seconds},
            {"models", models},
            {"most_at_once", max_concurrent},
            {"highest_concurrency", highest_concurrency},
            {"refusals", refusals},
            {"set_aside", set_aside}};
}

}  // namespace craft
