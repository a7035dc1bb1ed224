// libsonic, which makes speech and music faster or slower and keeps the pitch.
#ifndef FIELDCORDER_CSONIC_SHIM_H
#define FIELDCORDER_CSONIC_SHIM_H

#include <sonic.h>

#endif
