#pragma once
#include <openssl/ssl.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/ec.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <openssl/pem.h>
#include <openssl/core_names.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

// Function-like macros and variadic functions that Swift cannot call.

static inline EVP_PKEY *fascia_p256_generate(void) { return EVP_EC_gen("P-256"); }

static inline long fascia_SSL_CTX_set_min_proto_version(SSL_CTX *ctx, int version) { return SSL_CTX_set_min_proto_version(ctx, version); }
static inline long fascia_SSL_CTX_set_max_proto_version(SSL_CTX *ctx, int version) { return SSL_CTX_set_max_proto_version(ctx, version); }
static inline long fascia_SSL_CTX_set_session_cache_mode(SSL_CTX *ctx, long mode) { return SSL_CTX_set_session_cache_mode(ctx, mode); }
static inline long fascia_SSL_CTX_set1_sigalgs_list(SSL_CTX *ctx, const char *list) { return SSL_CTX_set1_sigalgs_list(ctx, list); }
static inline long fascia_SSL_CTX_set1_groups_list(SSL_CTX *ctx, const char *list) { return SSL_CTX_set1_groups_list(ctx, list); }
static inline long fascia_SSL_CTX_set_read_ahead(SSL_CTX *ctx, long on) { return SSL_CTX_set_read_ahead(ctx, on); }

static inline long fascia_SSL_CTX_sess_set_cache_size(SSL_CTX *ctx, long sessions) { return SSL_CTX_sess_set_cache_size(ctx, sessions); }

static inline void fascia_BIO_set_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
static inline void fascia_BIO_clear_retry_flags(BIO *bio) { BIO_clear_retry_flags(bio); }

static inline int fascia_ERR_GET_REASON(unsigned long code) { return ERR_GET_REASON(code); }
static inline int fascia_ERR_GET_LIB(unsigned long code) { return ERR_GET_LIB(code); }

static inline const char *fascia_SSL_R_name(unsigned long code) { return ERR_reason_error_string(code); }
