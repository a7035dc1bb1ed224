// libsonic, which changes the speed of speech and music and keeps the pitch.
#ifndef FIELDCORDER_CSONIC_SHIM_H
#define FIELDCORDER_CSONIC_SHIM_H

#include <sonic.h>

#endif
