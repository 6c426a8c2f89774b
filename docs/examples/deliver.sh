#!/usr/bin/env bash
# Uploads files for a user like a phone does, and exits when the data is processed: deliver.sh user_… watch.json ring.json
# Requires API (the URL of the service) and KEY (an API key), as set in the guides.
set -euo pipefail
: "${API:?}" "${KEY:?}"
user=$1
shift
field() { node -p "JSON.parse(fs.readFileSync(0)).$1"; }
post() { curl -sS --fail-with-body -X POST "$API$1" -H 'Content-Type: application/json' "${@:2}"; }

client_token=$(post "/v1/users/$user/sdk-sessions" -H "Authorization: Bearer $KEY" \
  -H "Idempotency-Key: $(node -p 'crypto.randomUUID()')" -d '{}' | field client_token)
access_token=$(post /v1/sdk/sessions/exchange -d "{\"client_token\":\"$client_token\"}" | field access_token)
for file in "$@"; do
  batch=$(post /v1/sdk/batches -H "Authorization: Bearer $access_token" --data-binary "@$file" | field batch_id)
  for ((tries = 0; ; tries++)); do
    receipt=$(curl -sS "$API/v1/sdk/batches/$batch" -H "Authorization: Bearer $access_token")
    case $receipt in
      *'"processed"'*'"rejected":[]'*) break ;;
      *'"processed"'* | *'"failed"'*) echo "$file: $receipt" >&2 && exit 1 ;;
    esac
    if ((tries > 100)); then echo "$file was not processed within 20 seconds: $receipt" >&2 && exit 1; fi
    sleep 0.2
  done
done
