// Prints what happens to an operation, as it happens: node examples/subscribe.mjs <ticker>
// The address is that of LASTRO_URL, the key that of LASTRO_KEY or of the demo.
import { readFileSync } from 'node:fs';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const [ticker] = process.argv.slice(2);
const url = process.env.LASTRO_URL ?? 'http://localhost:4000';
const key =
  process.env.LASTRO_KEY ??
  JSON.parse(readFileSync(`${process.env.DATA_DIR ?? '.data'}/demo-credentials.json`, 'utf8')).publicApiKey;

const client = createClient({
  url: `${url.replace(/^http/, 'ws')}/graphql`,
  webSocketImpl: WebSocket,
  connectionParams: { 'X-API-Key': key },
});

const query = `subscription ($ticker: String!) {
  operationUpdated(ticker: $ticker) { kind reference occurredAt operation { ticker name followedByMe } }
}`;

console.error(`Waiting for news of ${ticker} (end with Ctrl+C)`);
for await (const { data, errors } of client.iterate({ query, variables: { ticker } })) {
  console.log(JSON.stringify(errors ?? data, null, 2));
}
