// A recording that lasts as long as an object of this class does.
#pragma once
#include <xray/xray_interface.h>
#include <xray/xray_log_interface.h>

class Recording {
  public:
    [[clang::xray_never_instrument]] Recording(const char* mode, const char* options) {
        __xray_log_select_mode(mode);
        __xray_log_init_mode(mode, options);
        __xray_patch();
    }
    [[clang::xray_never_instrument]] ~Recording() {
        __xray_log_finalize();
        __xray_log_flushLog();
    }
};
