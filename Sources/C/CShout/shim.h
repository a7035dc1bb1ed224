// libshout, as Swift sees it.
#ifndef FIELDCORDER_CSHOUT_SHIM_H
#define FIELDCORDER_CSHOUT_SHIM_H

#include <shout/shout.h>

#endif
