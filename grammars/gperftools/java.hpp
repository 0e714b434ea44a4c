// gperftools, sections 3.5 and 5.3: the text of the Java dialect, which names ids.
#pragma once

#include "grammars/gperftools/java_rules.hpp"
#include "grammars/gperftools/line.hpp"
#include "grammars/gperftools/pile.hpp"

namespace tracelint::gperftools {

struct Profile;

class Locations {
  public:
    Locations(Budget& budget, WorkCounter& work) : named_(budget, work) {}

    // A line of the text.
    void take(Profile& profile, const Line& line);
    // Compares ids and lines when the profile is over.
    void finish(Profile& profile);
    void release() { named_.release(); }
    void clear() { named_.clear(); }

  private:
    // An id, and how many lines but the first one have it.
    struct Named {
        uint64_t key = 0;
        // The first of those lines; the only line while there is one.
        uint64_t offset = 0, length = 0, index = 0;
        uint64_t repetitions = 0;
        void absorb(const Named& later) {
            if (repetitions++ != 0) return;
            offset = later.offset;
            length = later.length;
            index = later.index;
        }
    };
    void check_ids(Profile& profile, std::span<const Named> named);

    Pile<Named> named_;
};

}  // namespace tracelint::gperftools
