#include "cpage.h"

// `make page` writes the archive. A fresh clone builds without it.
#define ARCHIVE "../../Page/page.tar"

#if __has_embed(ARCHIVE)

static const unsigned char archive[] = {
#embed ARCHIVE
};

const unsigned char *ckc_page_bytes(void) { return archive; }
size_t ckc_page_count(void) { return sizeof archive; }

#else

const unsigned char *ckc_page_bytes(void) { return NULL; }
size_t ckc_page_count(void) { return 0; }

#endif
