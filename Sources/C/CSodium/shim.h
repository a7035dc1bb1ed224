#pragma once

#include <sodium/core.h>
#include <sodium/crypto_hash_sha512.h>
#include <sodium/crypto_sign.h>
