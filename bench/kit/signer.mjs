import { generateKeyPairSync } from 'node:crypto';
import { createLocalBus } from '../../dist/shared/events/bus.js';
import { systemClock } from '../../dist/shared/kernel/clock.js';
import { createContext } from '../../dist/shared/kernel/context.js';
import { openDatabase } from '../../dist/shared/database/database.js';
import { createLog } from '../../dist/shared/kernel/log.js';
import {
  addOriginator,
  permitOriginator,
} from '../../dist/subgraphs/credit-assignment/originators/originators.acts.js';

/**
 * Onboards a client of signed requests. With an estate, it may assign to it and has practically no rate limit.
 * @returns {Promise<{clientId: string, privateKey: string}>} the key in PEM
 */
export async function onboardClient(databaseUrl, patrimonyId) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const source = await openDatabase({ url: databaseUrl, poolSize: 1, applicationName: 'bench' });
  const log = createLog('error', process.stderr);
  const context = createContext({ clock: systemClock, log, manager: source.manager, bus: createLocalBus() });
  const rateLimit = patrimonyId === undefined ? null : 1_000_000;
  const { id } = await addOriginator(context, { name: 'Bench', publicKey, rateLimit, accountId: null });
  if (patrimonyId !== undefined) await permitOriginator(context, id, patrimonyId);
  await source.destroy();
  return { clientId: id, privateKey };
}
