// Swift can't call variadic functions, so there is one wrapper for each type of option value.
#include <curl/curl.h>

static inline CURLcode ckc_curl_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ckc_curl_size(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ckc_curl_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ckc_curl_lines(CURL *handle, struct curl_slist *value) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, value);
}

typedef size_t (*ckc_curl_mover)(char *bytes, size_t size, size_t count, void *context);

static inline void ckc_curl_move(
    CURL *handle, ckc_curl_mover body, ckc_curl_mover header, ckc_curl_mover upload, void *context) {
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, header);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
  curl_easy_setopt(handle, CURLOPT_READFUNCTION, upload);
  curl_easy_setopt(handle, CURLOPT_READDATA, context);
}

static inline void ckc_curl_watch(
    CURL *handle,
    int (*progress)(void *context, curl_off_t, curl_off_t, curl_off_t, curl_off_t),
    curl_socket_t (*connect)(void *context, curlsocktype, struct curl_sockaddr *address),
    void *context) {
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
  curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, connect);
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
}

static inline long ckc_curl_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}
