#!/bin/sh
# Sends one signed request, with openssl and curl, and prints the answer.
#
#   CLIENT_ID=… PRIVATE_KEY=private.pem sh examples/signed-client/client.sh GET /tidc/v1/credit-batches
#   CLIENT_ID=… PRIVATE_KEY=private.pem sh examples/signed-client/client.sh POST /tidc/v1/credit-batches batch.json
#   printf '%s' '{"a":1}' | CLIENT_ID=… PRIVATE_KEY=private.pem sh examples/signed-client/client.sh POST /tidc/v1/credit-batches -
#
# LASTRO_URL is http://localhost:4000 when not given. IDEMPOTENCY_KEY names a POST that is sent again because its answer was
# lost; without it each run is a request of its own. Exit code 22: the answer is a fault, which was printed.
set -eu

if [ $# -lt 2 ]; then
  echo "Usage: CLIENT_ID=… PRIVATE_KEY=private.pem sh client.sh <METHOD> <path and query> [file with the body, or -]" >&2
  exit 2
fi
: "${CLIENT_ID:?is the id that the house gave you}" "${PRIVATE_KEY:?is the file with your private key in PEM}"
method=$1
target=$2
timestamp=$(date +%s)

# The bytes that are signed are the bytes that are sent.
body=$(mktemp)
trap 'rm -f "$body"' EXIT
if [ $# -gt 2 ]; then cat -- "$3" >"$body"; fi

signature=$({ printf '%s\n%s\n%s\n' "$method" "$target" "$timestamp"; cat "$body"; } |
  openssl dgst -sha256 -sign "$PRIVATE_KEY" | openssl base64 -A)

set -- -H "X-Client-Id: $CLIENT_ID" -H "X-Timestamp: $timestamp" -H "X-Signature: $signature"
if [ "$method" != GET ]; then
  key=${IDEMPOTENCY_KEY:-$(openssl rand -hex 16)}
  set -- "$@" -H 'Content-Type: application/json' -H "X-Idempotency-Key: $key" --data-binary "@$body"
fi
# The address goes out as it is: curl would tidy it up, and another text than the signed one would arrive.
curl --silent --show-error --fail-with-body --path-as-is --globoff -X "$method" "$@" \
  "${LASTRO_URL:-http://localhost:4000}$target"
echo
