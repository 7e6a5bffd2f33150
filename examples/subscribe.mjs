// Prints the events of operations live, after the events since its last run: node examples/subscribe.mjs <ticker> [<ticker> …]
// The address comes from LASTRO_URL, the key from LASTRO_KEY or the demo. The cursor of the last event is kept in the file CURSOR_FILE.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const tickers = process.argv.slice(2);
const url = process.env.LASTRO_URL ?? 'http://localhost:4000';
const dataDir = process.env.DATA_DIR ?? '.data';
const key = process.env.LASTRO_KEY ?? JSON.parse(readFileSync(`${dataDir}/demo-credentials.json`, 'utf8')).publicApiKey;
const cursorFile = process.env.CURSOR_FILE ?? `${dataDir}/subscribe-${tickers.join('-')}.cursor`;

const query = `subscription ($tickers: [String!], $since: String) {
  operationUpdated(tickers: $tickers, since: $since) {
    cursor kind reference occurredAt correction seriesTicker unitPrice entityIds operation { ticker name followedByMe } } }`;

/** Returns the cursor for the first start. A program that reads data after this call misses no later change. */
async function cursorOfNow() {
  const body = JSON.stringify({ query: '{ eventCursor }' });
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
  return (await response.json()).data.eventCursor;
}

/** Prints events until the connection or the subscription ends, and keeps the cursor of each when it is dealt with. */
async function follow() {
  // The client does not retry by itself: it would ask again for what was received since it began.
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { 'X-API-Key': key },
    retryAttempts: 0,
  });
  const since = existsSync(cursorFile) ? readFileSync(cursorFile, 'utf8') : await cursorOfNow();
  writeFileSync(cursorFile, since);
  // Whatever happens from here on is received, at once or after the cursor.
  console.error(`Waiting for news of ${tickers.join(', ')} (end with Ctrl+C)`);
  for await (const { data, errors } of client.iterate({ query, variables: { tickers, since } })) {
    console.log(JSON.stringify(errors ?? data, null, 2));
    if (errors === undefined) writeFileSync(cursorFile, data.operationUpdated.cursor);
    // Too old: a program that keeps a state reads it anew here.
    else if (errors[0].extensions.code === 'CURSOR_EXPIRED') rmSync(cursorFile);
    else if (errors[0].extensions.statusCode < 500) return false;
  }
  return true;
}

/** Says why the connection ended, before the next try. */
function again(error) {
  // A WebSocket closes with an event, which has a code and a reason; fetch says what the network did in the cause.
  const reason = error.cause?.message || error.reason || error.message || error.code;
  console.error(`${url}: ${reason}; trying again`);
  return true;
}

while (await follow().catch(again)) await sleep(1_000);
