#include "cversion.h"

// The version is only written here; Scripts/version.sh reads it.
#define VERSION "0.1.0"

// `make build` writes the commit; a fresh clone builds without it.
#if __has_include("../../Page/commit.h")
#include "../../Page/commit.h"
#else
#define COMMIT ""
#endif

const char *ckc_version(void) { return VERSION; }
const char *ckc_commit(void) { return COMMIT; }
