/** Introduction of the reference, in Markdown. The rules are in docs/contract. */
export const introduction = `
Public data of the securitization operations of one issuer: receivables certificates (CR), real-estate receivables (CRI),
agribusiness receivables (CRA) and debentures (DEB); and of the estates behind them, their tokenized series and
their assets. Originators assign their credits to these estates, and report the payments of their debtors, by signed requests.
Companies let their clients trade crypto-assets on several exchanges.

## First call
1. Register, confirm your e-mail with the link that you receive by mail, and log in.
2. Create an API key with the session token. The complete key is shown once.
3. Send the key as \`X-API-Key\` with every request for operation data.

The paths under \`/public/\` need neither account nor key. Requests to the paths under \`/tidc/\` are signed by a client that the issuer has
onboarded: see the scheme \`signature\`.

Companies that trade receive a pair of \`apiKey\` and \`secretKey\` at onboarding. They log in with \`POST /v1/auth/login\` and send the access
token as \`Authorization: Bearer\`. \`X-Profile-Id\` names the client for whom a call acts; \`X-Synthetic: true\` makes the call simulated.

## Bodies
- Requests and responses are JSON in UTF-8, except on the paths that name a second type. A body of another type gets
  415, one over 1 MiB 413, unless the path states another size. JSON may be nested at most 64 levels deep and have at most 500,000 values: otherwise 400.
- Fields of a body, at any depth, and query parameters that are not described here are ignored. Such parameters are listed in
  \`X-Ignored-Parameters\` of the response, also of errors, so that typing errors are noticed.
- The fields of a response are always present; a field without a value is \`null\`. The few fields that can be absent are not \`required\`.
- Money, dates and percentages of operation data are Brazilian display text (\`R$ 1.234.567,89\`, \`31/12/2026\`,
  \`CDI + 3,50% a.a.\`), unless the name of the field ends with \`Raw\` (\`YYYY-MM-DD\`). Elsewhere
  money, prices and rates are decimal text (\`1234.50\`). Two places use JSON numbers: the amounts in the request bodies of credit assignment
  (\`faceValue\`, \`settledAmount\`), and the decimals of the summary of assets. Dates are \`YYYY-MM-DD\`.

## Lists
- Estates, series, and the orders and profiles of trading are paged by cursor: send \`nextToken\` of one page to get the next one. It is valid for the same
  filter only; with another filter the response is 400. No item is skipped or repeated when items are added meanwhile. \`count\`, of estates and series, is the
  number of matches on all pages.
- Assets are paged by \`page\` and \`limit\`. They are in the order in which they were registered, so new ones come last. A page
  after the last one is empty.
- Batches of credits and of settlements are paged in the same way, newest first; the receivables of a batch are paged by cursor, in the order in which they were sent.
- Statements, deposits and withdrawals of trading are paged by \`pageInfo.endCursor\`: send it as \`after\`.
- A list whose response has the type \`text/csv\` too returns it for \`Accept: text/csv\`: all items that match the filters, whatever page is requested, streamed. Cells are
  separated by \`;\`, or by \`,\` with \`?separator=,\` (or \`?separador=,\`). A list that is read in pages costs a request for every 100 lines; when half of the caller's
  limit is used, by files or by other requests, the next page waits for the next window. A caller can receive two files at once, and a file that is not received within 10 minutes is aborted: the connection closes before the
  response is complete, so that an incomplete file can be recognized.
- All other responses are JSON whatever \`Accept\` says, also where it names only other types: 406 is sent only by the inventory that has no CSV, and by the agent endpoint.
- \`search\` ignores case and accents. The result of a search with more than 1,000 matching assets is cached for five minutes:
  assets that match only since then are not in its pages yet, and an asset that no longer matches makes its page shorter.

## Errors
- Every error has the same form: \`statusCode\`, \`message\`, \`error\` and \`requestId\`, with \`details\` for an invalid input: all of its
  errors, by path. If there are more than 100, the first 100 are listed and the message states the total.
- A caller without access to a path gets 401 or 403 before the request is checked any further.
- 400: malformed, or of the wrong type or form. 422: well formed, but not acceptable, such as a token that was already used.
- An unknown path is 404. A known path with another method is 405, and \`Allow\` lists the methods of the path.
- A resource that you may not see gets the same response as one that does not exist.
- Quote the \`requestId\` when you report an error. Send \`X-Request-Id\` (1 to 64 letters, digits or \`._:-\`) to choose it.

## Limits
- These are the default limits; \`X-RateLimit-Limit\` is the limit of the server that you call.
- Operation data, the agent endpoint and the developer paths: 60 requests a minute for each API key, or the number that an operator has set (\`rateLimit\`);
  on the agent endpoint with an access token: the limit of the company.
- Signed paths: 600 requests a minute for each client, or the number agreed with it, whichever of its keys signs. Trading paths: the
  same for each company, whichever of its credentials calls.
- Account paths without a session, and login and refresh of trading: 20 a minute for each source address. \`me\`, \`logout\` and the key paths: 120 a minute for each
  session. Public paths: 100 a minute for each source address. The source of an IPv6 address is its /64 network.
- A request with an invalid credential, or for an unknown path, counts for its source address.
- A window begins with its first request and lasts a minute. Every response has \`X-RateLimit-Limit\`,
  \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`; a 429 also has \`Retry-After\`. A request that gets 429 does not count.
- A long body counts as several requests: one for every 64 KiB or part of it, at most half of the limit. A response that has all lines of a batch counts one for every MiB or part of it.
- The bodies that are being received or processed have a size limit for each caller and for all callers: send large ones one after the other. Beyond that limit,
  and when the server is overloaded, a request gets 429 or 503 with \`Retry-After\`; nothing was done: send it again after that time.

## Conditional reads
- Public paths send \`ETag\`. With the tag in \`If-None-Match\` a request whose response has not changed gets 304 without a body; it counts like any other.
- Caches may keep these responses for the time in \`Cache-Control\`. All other responses have \`no-store\`.

## Idempotency
- POST, PUT and PATCH requests accept \`X-Idempotency-Key\`, 1 to 64 letters, digits, \`-\` or \`_\`, for example a UUID v4. \`Idempotency-Key\` means the same; both with different keys: 400.
- A request with the same key and the same body within 24 hours gets the stored response with \`X-Idempotent-Replayed: true\`, and is
  not executed again. With another body or on another path: 409. While the first request is still running: 409 with \`Retry-After: 1\`.
- A key belongs to the account, not to the session; without an account, to the source address. On signed paths it belongs to the client, on trading paths to
  the company; there the key is bound to \`X-Profile-Id\` and \`X-Synthetic\` as well as to the body.
- On GET and DELETE the header is ignored.
- A signed POST, PUT, PATCH or DELETE that is repeated with the same signature gets its stored response, whatever key it has: see the scheme \`signature\`.
- Responses of 2xx and 4xx are stored, including a 400 that names fields of the body: correct the body, and send it with a new key. Not stored are responses of 5xx
  and 429, and rejections before the body is read as JSON: of a credential (401, or 403 for a scope), 413, 415, and 400 for a body that
  is not JSON. The key can then be used again.

## Webhooks
Each delivery is a POST of \`{type, id, createdAt, data}\` in JSON. Respond with 200 within 5 seconds, including the last byte: any other
status, also a redirect, is a failed attempt. Retries follow after 1 min, 5 min, 30 min, 2 h and 12 h, each up to 10 % later, or as late
as your \`Retry-After\` requests, up to 12 h. Events can be delivered more than once and out of order: remember the \`id\`.

- \`X-Webhook-Signature\` is the HMAC-SHA256, in hexadecimal, of \`{X-Webhook-Id}.{X-Webhook-Timestamp}.{raw body}\`. The key is the
  text of the secret as it was shown, including \`whsec_\`. \`X-Webhook-Id\` is the \`id\` of the event, and
  \`X-Webhook-Timestamp\` is in Unix seconds: reject requests older than 5 minutes. Compare in constant time, and respond with 401 to a wrong signature.
- \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` (\`v1,<Base64>\`) carry the same for verifiers of Standard
  Webhooks, whose key is the bytes that the Base64 after \`whsec_\` encodes.
- For 24 hours after a rotation \`webhook-signature\` has two signatures, the new one first. \`X-Webhook-Signature\` is made with the new secret; when you
  respond with 401 (or 400, or 403) the same delivery is sent again immediately, signed with the old one. A receiver therefore works with either secret, and can change
  to the new one at any time within these 24 hours.
- When the last attempt of a delivery fails, and no other delivery has succeeded since its first attempt, the webhook is deactivated and its owner
  gets an e-mail; the response 410 does the same immediately. Later events are kept as skipped for 30 days, until you activate the webhook and request a replay.
- \`examples/webhook-receiver\` in the source is a complete receiver.

## Transport
HTTPS with TLS 1.2 or later. Plain HTTP gets 301.

## Terms
The data is the data that the issuer publishes on its website. This document and the service are proprietary to the issuer; the holder of an
account may generate a client from this document.
`.trim();

export const tags = [
  { name: 'Account', description: 'Accounts and sessions of the developer panel.' },
  { name: 'API keys', description: 'Keys for operation data. These paths need a session.' },
  { name: 'Operation data', description: 'Public data of the operations. These paths need an API key.' },
  {
    name: 'Tokenization',
    description: 'Public data of estates, their tokenized series and their assets. These paths need no credential.',
  },
  {
    name: 'Developer',
    description:
      'Token contracts on chain, and webhooks. These paths need a developer key (`svc_dev_…`) with the scope that the path names; create one by GraphQL (`createDeveloperKey`) with a session.',
  },
  {
    name: 'Credit assignment',
    description:
      'Credits that originators assign to estates, in batches. Each request is signed by the client; a client sees only its own data.',
  },
  {
    name: 'Trading',
    description:
      'Trading of crypto-assets, for companies and their clients. These paths need an access token of a credential with the scope that the path names.',
  },
  { name: 'Agents', description: 'Queries of this API as tools for AI agents, over the Model Context Protocol.' },
];
