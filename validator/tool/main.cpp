// The program.
#include "validator/tool/run/commands.hpp"

int main(int count, char** words) { return tracelint::run({words + (count > 0 ? 1 : 0), words + count}); }
