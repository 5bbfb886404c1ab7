#ifndef CKC_VERSION_H
#define CKC_VERSION_H

// Which CropKit this is.

/// The version, such as "1.2.3".
const char *ckc_version(void);

/// The commit that the program was built from, shortened, with "+" after it where files were changed;
/// empty where the build was not told.
const char *ckc_commit(void);

#endif
