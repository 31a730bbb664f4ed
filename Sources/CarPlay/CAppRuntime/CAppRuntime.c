#include "CAppRuntime.h"
