// gperftools, section 3.5: the text of the Java dialect, which gives names to ids.
#pragma once

#include "grammars/gperftools/line.hpp"
#include "grammars/gperftools/merge_buffer.hpp"

namespace tracelint::gperftools {

struct Profile;

class Locations {
  public:
    Locations(Budget& budget, WorkCounter& work) : named_(budget, work) {}

    void check_line(Profile& profile, const Line& line);
    // Call when the profile is over: compares ids and lines.
    void finish(Profile& profile);
    void release() { named_.release(); }
    void clear() { named_.clear(); }

  private:
    // An id with its location lines.
    struct Named {
        uint64_t key = 0;  // the id
        // The second line of the id; its only line while there is one.
        uint64_t offset = 0, length = 0, index = 0;
        uint64_t repetitions = 0;  // lines after the first one
        void absorb(const Named& later) {
            if (repetitions++ != 0) return;
            offset = later.offset;
            length = later.length;
            index = later.index;
        }
    };
    void check_ids(Profile& profile, std::span<const Named> named);

    MergeBuffer<Named> named_;
};

extern const RuleList kJavaRules;

}  // namespace tracelint::gperftools
