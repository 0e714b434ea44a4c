// A library that a program loads and unloads while it is profiled.
#include "work.hpp"

extern "C" void plugin_work(int milliseconds) { work(milliseconds); }
