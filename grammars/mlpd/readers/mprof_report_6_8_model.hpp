// mprof-report 6.8, followed through the bytes of a log (section 8): it judges nothing that it reads, so once it is out
// of step, what becomes of it depends on the bytes that it meets.
#pragma once

#include "validator/readers/reader.hpp"

namespace tracelint::mlpd {

extern const Rule kStrayType, kStrayHang, kStrayCrash, kStrayRisk;

Followed follow_mprof_report(FollowContext& context);

}  // namespace tracelint::mlpd
