// An answer that came by a batch's files, judged by the rules of those that come at once.
#pragma once

#include <string>

#include "systems/system.h"

namespace craft {

struct FileReply {
    Reply reply;
    // What becomes of the item.
    enum class Next {
        end,           // it has this reply, an answer or none
        again,         // another request may bring what this one did not
        learn,         // likewise, with the other name of the limit of new tokens; a second time it ends the run
        end_run,       // the server takes no request of this kind: the run ends with `ending`
        end_run_again  // likewise, until the key or the credit is another one: then the same request may be answered
    };
    Next next = Next::end;
    int64_t limit = 0;    // of new tokens, that was asked for; 0: not known
    std::string ending;   // the line of an Error; empty where nothing can end the run
    std::string warning;  // what is to be said beside; empty: nothing
};

}  // namespace craft
