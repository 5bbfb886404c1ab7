#include <brotli/decode.h>
#include <zlib.h>
