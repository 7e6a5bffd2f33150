// Prints what happens as it happens, a line of JSON each: node examples/trading-bot/watch.mjs orders balance ticker:BTC/BRL
import { readOptions } from './options.mjs';
import { createClient } from './client.mjs';
import { follow } from './live.mjs';

const { connection, positionals: channels, signal } = readOptions({});
for await (const { channel, eventId, snapshot, data } of follow({
  ...connection,
  client: createClient(connection),
  channels: channels.length === 0 ? ['orders', 'balance'] : channels,
  signal,
})) {
  console.log(JSON.stringify({ channel, eventId, ...(snapshot ? { snapshot } : {}), data }));
}
