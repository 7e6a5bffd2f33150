import { createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import {
  addOriginator,
  addOriginatorKey,
  revokeOriginatorKey,
  permitAccountToSend,
} from '../originators/originators.acts.js';
import { keysOf } from '../originators/originator-key.store.js';
import { readPublicKey } from '../originators/public-key.js';
import { findDemoOriginator } from './demo.store.js';

export interface DemoOriginator {
  readonly clientId: string;
  readonly privateKeyPem: string;
}

const name = 'Financeira Demonstração';
const makePair = promisify(generateKeyPair);
/** The demo is loaded before the first request, so nothing is cached yet. */
const forgetNobody = () => undefined;

/** Links the originator with the demo's account. Credentials handed out before stay valid; if they are no longer known, the keys are revoked and it gets new ones. @param known the credentials handed out before */
export async function openDemoOriginator(
  context: Context,
  accountId: string,
  known: DemoOriginator | undefined,
): Promise<DemoOriginator> {
  const clientId = await findDemoOriginator(context, accountId, name);
  if (clientId === undefined) {
    const { privateKeyPem, publicKey } = await newPair();
    const { id } = await addOriginator(context, { name, publicKey, rateLimit: null, accountId });
    await permitAccountToSend(context, id, true);
    return { clientId: id, privateKeyPem };
  }
  const live = (await loaderOf(context, keysOf).load(clientId)).filter(({ revokedAt }) => revokedAt === null);
  const fingerprint = known?.clientId === clientId ? fingerprintOf(known.privateKeyPem) : undefined;
  if (known !== undefined && live.some((key) => fingerprint?.equals(key.fingerprint))) return known;
  for (const { id } of live) await revokeOriginatorKey(context, forgetNobody, id);
  const { privateKeyPem, publicKey } = await newPair();
  await addOriginatorKey(context, forgetNobody, clientId, publicKey);
  return { clientId, privateKeyPem };
}

async function newPair(): Promise<{ readonly privateKeyPem: string; readonly publicKey: string }> {
  const { privateKey, publicKey } = await makePair('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return { privateKeyPem: privateKey, publicKey };
}

function fingerprintOf(privateKeyPem: string): Buffer | undefined {
  try {
    return readPublicKey(createPublicKey(privateKeyPem).export({ type: 'spki', format: 'pem' }).toString()).fingerprint;
  } catch {
    return undefined;
  }
}
