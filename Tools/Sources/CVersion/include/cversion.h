#ifndef CKC_VERSION_H
#define CKC_VERSION_H

// The version of CropKit.

/// The version, such as "1.2.3".
const char *ckc_version(void);

/// The commit that the program was built from, abbreviated, with "+" appended if files were changed; empty if
/// the build did not set it.
const char *ckc_commit(void);

#endif
