// Prints what happens as it happens, a line of JSON each: node examples/trading-bot/watch.mjs orders balance ticker:BTC/BRL
import { createClient, liveUpdates } from '@lastro/sdk';
import { WebSocket } from 'ws';
import { readOptions, sayWaiting } from './options.mjs';

const { connection, positionals, signal } = readOptions({});
const onState = sayWaiting;
const channels = positionals.length === 0 ? ['orders', 'balance'] : positionals;
for await (const update of liveUpdates(createClient(connection), { channels, signal, onState, webSocket: WebSocket }))
  console.log(JSON.stringify(update));
