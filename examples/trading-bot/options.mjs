// Options of both programs: server (LASTRO_URL) and credentials from the environment, the wallet from the command line.
import { parseArgs } from 'node:util';

/**
 * Reads the command line and the environment. The signal is aborted by Ctrl+C and SIGTERM.
 * @param {object} more options beside --profile and --synthetic, as `parseArgs` takes them
 */
export function readOptions(more) {
  const { values, positionals } = parseArgs({
    options: { profile: { type: 'string' }, synthetic: { type: 'boolean', default: false }, ...more },
    allowPositionals: true,
  });
  const {
    TRADING_API_KEY: apiKey,
    TRADING_SECRET_KEY: secretKey,
    LASTRO_URL: baseUrl = 'http://localhost:4000',
  } = process.env;
  if (apiKey === undefined || secretKey === undefined) {
    console.error(
      'TRADING_API_KEY and TRADING_SECRET_KEY are needed: the pair of a credential with the scopes read and trade',
    );
    process.exit(2);
  }
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
  const { profile: profileId, synthetic } = values;
  const connection = { baseUrl, trading: { apiKey, secretKey }, synthetic, profileId };
  return { values, positionals, connection, signal: stop.signal };
}

/** Says why there are no updates at the moment; the SDK tries again by itself. */
export function sayWaiting(state, error) {
  if (state === 'waiting' && error) console.error(`${error.message}; trying again`);
}
