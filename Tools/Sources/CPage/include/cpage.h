#ifndef CKC_PAGE_H
#define CKC_PAGE_H

// The web page, embedded: an archive (POSIX ustar) of the page's files.

#include <stddef.h>

/// The first byte of the archive; NULL if the program was built without the page.
const unsigned char *ckc_page_bytes(void);

/// The number of bytes of the archive; 0 if the program was built without the page.
size_t ckc_page_count(void);

#endif
