/** Introduction of the reference, in Markdown. The rules are in docs/contract. */
export const introduction = `
Public data of the securitization operations of one issuer: credit notes (CR), real-estate receivables (CRI),
agribusiness receivables (CRA) and debentures (DEB); and of the estates that stand behind them, their tokenized series and
the assets in them. Originators assign their credits to these estates, and say what was paid for them, by signed requests.
Companies let their clients trade crypto-assets over several exchanges.

## First call
1. Register, confirm your e-mail by the link that comes by mail, and log in.
2. Create an API key with the session token. The whole key is shown once.
3. Send the key as \`X-API-Key\` with every request for operation data.

The paths under \`/public/\` need neither account nor key. Those under \`/tidc/\` are signed by a client that the house has onboarded: see the scheme
\`signature\`.

Companies that trade get a pair of \`apiKey\` and \`secretKey\` at onboarding. They log in by \`POST /v1/auth/login\` and send the access
token as \`Authorization: Bearer\`. \`X-Profile-Id\` says for which client a call acts, \`X-Synthetic: true\` that it is simulated.

## Bodies
- Requests and answers are JSON in UTF-8, but for the paths that name a second type. A body of another type is answered
  with 415, one over 1 MiB with 413, unless the path says another size. JSON is at most 64 levels deep and has at most 500,000 values: else 400.
- Fields of a body, at any depth, and query parameters that are not described here are ignored. Such parameters are named in
  \`X-Ignored-Parameters\` of the response, errors included, so that a slip shows.
- Fields of an answer are always there; one that has no value is \`null\`. A few may be absent instead: they are not \`required\`.
- Money, dates and percentages of operation data are Brazilian display text (\`R$ 1.234.567,89\`, \`31/12/2026\`,
  \`CDI + 3,50% a.a.\`), unless a field is named \`…Raw\` (\`YYYY-MM-DD\`). Elsewhere
  money, prices and rates are decimal text (\`1234.50\`), but for the summary of assets, whose decimals are JSON numbers; dates
  are \`YYYY-MM-DD\`.

## Lists
- Estates, series, and the orders and profiles of trading go on by cursor: send \`nextToken\` of one page for the next. It is good for the same filter only; another one
  is 400. Nothing is skipped or repeated while others come. \`count\`, of estates and series, is how many match, on all pages.
- Assets have pages: \`page\` and \`limit\`. They stand in the order in which they were registered, so that new ones come last. A page
  after the last one is empty.
- Batches of credits and of settlements have pages too, the newest first; receivables of a batch go on by cursor, in the order in which they came.
- Statements, deposits and withdrawals of trading go on by \`pageInfo.endCursor\`: send it as \`after\`.
- A list whose response has \`text/csv\` too answers it to \`Accept: text/csv\`: the whole list that the filters find, whatever page is asked for, streamed; cells are
  separated by \`;\`, or by \`,\` with \`?separator=,\` (or \`?separador=,\`). Each 100 lines count as a request. A file that has used half of the limit of a window waits for the next
  one; a caller receives two files at once, and one that is not read whole in 10 minutes is cut off: the connection ends before the response does, so that half a file
  never looks whole.
- Case and accents make no difference to \`search\`. What a search for more than 1,000 assets found is kept for five minutes:
  assets that match only since then are not in its pages yet, and one that matches no more leaves its page shorter.

## Errors
- Every error is one envelope: \`statusCode\`, \`message\`, \`error\` and \`requestId\`, with \`details\` where an input is at
  fault: each of its faults, by path. Of more than 100 the first are told, and the message says how many there are.
- Who may not use a path hears 401 or 403 before anything is said of the request.
- 400: malformed, of the wrong type or form. 422: well formed, but without meaning, such as a token that was used.
- An unknown path is 404. A known path with another method is 405, and \`Allow\` names the methods that it has.
- What you may not see answers exactly like what does not exist.
- Quote the \`requestId\` when you report a fault. Send \`X-Request-Id\` (1 to 64 letters, digits or \`._:-\`) to choose it.

## Limits
- The numbers here are those of a house that sets no others; \`X-RateLimit-Limit\` says which hold where you call.
- Operation data, the agent endpoint and the developer paths: 60 requests a minute for each API key, or the number that an operator gave it (\`rateLimit\`);
  of the agent endpoint by an access token: those of the company.
- Signed paths: 600 requests a minute for each client, or the number agreed with it, whichever of its keys signs. Paths of trading: the
  same for each company, whichever of its credentials calls.
- Account paths without a session, and login and refresh of trading: 20 a minute for each source address. \`me\`, \`logout\` and the key paths: 120 a minute for each
  session. Public paths: 100 a minute for each source address. An IPv6 source is its /64.
- A request whose credential is no good, or whose path does not exist, counts for its source address.
- A window begins with its first request and lasts a minute. Every answer says how you stand in \`X-RateLimit-Limit\`,
  \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`; a 429 also in \`Retry-After\`. A refused request costs nothing.
- A long body counts as several requests: one for each 64 KiB begun, never more than half of the limit.
- Bodies that are received or worked on hold so many bytes at once, of one caller and in all: send large ones one after the other. Beyond that,
  and when more requests come than can be served, a request gets 429 or 503 with \`Retry-After\`; nothing was done, send it again then.

## Idempotency
- POST, PUT and PATCH requests take \`X-Idempotency-Key\`, 1 to 64 letters, digits, \`-\` or \`_\`; a UUID v4 is a good one.
- The same key with the same body, within 24 hours, gets the stored answer with \`X-Idempotent-Replayed: true\`, and nothing
  runs again. With another body or on another path: 409. While the first is still running: 409 with \`Retry-After: 1\`.
- A key belongs to the account, not to the session; without one, to the source address. On signed paths it belongs to the client, on paths of trading to
  the company; there \`X-Profile-Id\` and \`X-Synthetic\` are bound to it beside the body.
- A signed POST that comes again to the byte gets its stored answer whatever key it brings: see the scheme \`signature\`.
- Responses of 2xx and 4xx are kept, a 400 that names fields of the body too: correct the body, and send it with a new key. Not kept are responses of 5xx
  and 429, and what is refused before the body is read as JSON: a credential (401, or 403 for a scope), 413, 415, and a 400 for a body that
  is no JSON. The key may then be used again.

## Webhooks
Each delivery is a POST of \`{type, id, createdAt, data}\` in JSON. Answer 200 within 5 seconds, the last byte included: any other
status, a redirect too, is a failed attempt. Attempts follow after 1 min, 5 min, 30 min, 2 h and 12 h, each up to 10 % later, or as late
as your \`Retry-After\` asks, up to 12 h. Events can come more than once and out of order: remember the \`id\`.

- \`X-Webhook-Signature\` is the HMAC-SHA256, in hexadecimal, of \`{X-Webhook-Id}.{X-Webhook-Timestamp}.{raw body}\`. The key is the
  text of the secret as it was shown, \`whsec_\` included. \`X-Webhook-Id\` is the \`id\` of the event, and
  \`X-Webhook-Timestamp\` is in Unix seconds: refuse what is older than 5 minutes. Compare in constant time, and answer 401 to what does not fit.
- \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` (\`v1,<Base64>\`) are the same for verifiers of the Standard
  Webhooks, whose key is the bytes that the Base64 behind \`whsec_\` stands for.
- For 24 hours after a rotation \`webhook-signature\` holds two signatures, the new one first. \`X-Webhook-Signature\` is by the new secret; when you
  answer 401 (or 400, or 403) the same delivery comes at once again, signed by the old one. So a receiver works with either secret, and may change
  it whenever it likes.
- When the last attempt of a delivery fails, and no other one succeeded since its first, the webhook is deactivated and its owner
  gets an e-mail; so does 410, at once. What comes then is kept as skipped for 30 days, until you activate the webhook and ask for a replay.
- \`examples/webhook-receiver\` in the source is a receiver that does all this.

## Transport
HTTPS with TLS 1.2 or later. Plain HTTP is answered with 301.

## Terms
The data is what the issuer publishes on its website. The text and the service are the issuer's own (proprietary); a
client may be generated from this text by whoever holds an account.
`.trim();

export const tags = [
  { name: 'Account', description: 'Accounts and sessions of the developer panel.' },
  { name: 'API keys', description: 'Keys for operation data. They need a session.' },
  { name: 'Operation data', description: 'What is public about the operations. It needs an API key.' },
  {
    name: 'Tokenization',
    description: 'What is public about estates, their tokenized series and their assets. It needs no credential.',
  },
  {
    name: 'Developer',
    description:
      'Contracts on chain, and webhooks. It needs a key of a developer (`svc_dev_…`) with the scope that the path names; create one by GraphQL (`createDeveloperKey`) with a session.',
  },
  {
    name: 'Credit assignment',
    description:
      'Credits that originators assign to estates, in batches. Each request is signed by the client; a client sees only what is its own.',
  },
  {
    name: 'Trading',
    description:
      'Crypto-assets, for companies and their clients. It needs an access token of a credential with the scope that the path names.',
  },
  { name: 'Agents', description: 'The same queries as tools for AI agents, by the Model Context Protocol.' },
];
