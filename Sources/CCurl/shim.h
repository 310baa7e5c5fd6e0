// libcurl, and what Swift cannot say itself: its variadic functions and its macros.

#include <stdbool.h>
#include <curl/curl.h>

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_writer(CURL *easy, size_t (*writer)(char *, size_t, size_t, void *), void *context) {
  const CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, writer);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_WRITEDATA, context) : code;
}

/// Nothing but http and https, so that an address given by a user never reads files or mail.
static inline CURLcode ccurl_allow_http_only(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/// Certificates in PEM to be trusted in place of the machine's; copied.
static inline CURLcode ccurl_trust(CURL *easy, const void *pem, size_t count) {
  struct curl_blob blob = {.data = (void *)pem, .len = count, .flags = CURL_BLOB_COPY};
  return curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &blob);
}

static inline long ccurl_status(CURL *easy) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

/// Whether a request went out.
static inline bool ccurl_has_sent(CURL *easy) {
  long size = 0;
  curl_easy_getinfo(easy, CURLINFO_REQUEST_SIZE, &size);
  return size > 0;
}

/// Where a redirection that was not followed leads to, NULL if there was none; lives as long as the handle is not reused.
static inline const char *ccurl_redirect(CURL *easy) {
  char *url = NULL;
  curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &url);
  return url;
}

/// The answer's Content-Type, NULL if there was none; lives as long as the handle is not reused.
static inline const char *ccurl_content_type(CURL *easy) {
  char *type = NULL;
  curl_easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &type);
  return type;
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/// The next transfer that has ended, NULL if there is none.
static inline CURL *ccurl_next_done(CURLM *multi, CURLcode *result) {
  int left = 0;
  struct CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}

static inline CURLcode ccurl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
