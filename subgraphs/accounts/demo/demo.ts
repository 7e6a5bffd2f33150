import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Context } from '../../../shared/kernel/context.js';
import { sameSecret, type KeyRing } from '../../../shared/security/crypto.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import type { LoginInput } from '../accounts/login.js';
import {
  addRegistered,
  findRegistered,
  hasAccounts,
  savePortalAccount,
  type PortalUser,
} from '../accounts/account.store.js';
import { hashPassword } from '../accounts/password.js';
import { mintAccountKey } from '../api-keys/api-keys.acts.js';
import { mintKey } from '../api-keys/key-form.js';
import { apiKeys, developerKeys } from '../api-keys/key-kind.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { newId } from '../../../shared/kernel/ids.js';
import { roles } from '../../../shared/graphql/roles.js';
import { addGivenKey, auditedKey } from '../operators/mint-operator-key.js';
import { keyDays } from '../operators/operator.js';
import {
  findOperator,
  insertOperator,
  lockOperator,
  readOperatorStanding,
  type OperatorRow,
} from '../operators/operator.store.js';

export interface DemoCredentials {
  readonly account: LoginInput;
  readonly portalAccount: LoginInput;
  readonly publicApiKey: string;
  readonly developerApiKey: string;
  readonly operatorKey: string;
}

const person = { email: 'ana@demo.lastro.example', name: 'Ana Demonstração', company: 'Lastro Demonstração Ltda.' };

const portalUser: PortalUser = { id: 'demo-portal-1', email: 'bruno@portal.lastro.example', name: 'Bruno do Portal' };

/** Demo secrets are derived from the master key: nobody else knows them, and they are the same after a restart. */
function demoSecret(keyRing: KeyRing, name: string): Buffer {
  return keyRing.hmac('accounts/demo', name);
}

// Prepends a letter and a digit, which the random part might lack.
const demoPassword = (keyRing: KeyRing, name: string): string =>
  `Demo1${demoSecret(keyRing, name).toString('hex').slice(0, 24)}`;

/** Leaves existing ones. Returns their credentials, always the same; undefined if there are only accounts of others: a database in use gets no account that its operator did not request. */
export async function createDemo(
  context: Context,
  keyRing: KeyRing,
  rateLimit: number | null = null,
): Promise<DemoCredentials | undefined> {
  if ((await hasAccounts(context)) && (await findRegistered(context, person.email)) === undefined) return undefined;
  const account = { email: person.email, password: demoPassword(keyRing, 'account') };
  const key = mintKey('svcpub_', (size) => demoSecret(keyRing, `key ${size}`).subarray(0, size));
  const developerKey = mintKey('svc_dev_', (size) => demoSecret(keyRing, `developer key ${size}`).subarray(0, size));
  const passwordHash = await hashPassword(account.password);
  const operatorKey = await inTransaction(context, async (tx) => {
    await savePortalAccount(tx, portalUser);
    await addRegistered(tx, { ...person, mailLanguage: 'PT_BR', passwordHash, confirmedAt: tx.clock.now() });
    const owner = await findRegistered(tx, person.email);
    if (owner === undefined) throw new Error('The account of the demo does not exist');
    const granted = { accountId: owner.id, name: 'Demonstração', scopes: developerKeys.scopes, rateLimit };
    await mintAccountKey(tx, developerKeys, granted, developerKey);
    await mintAccountKey(tx, apiKeys, granted, key);
    return addDemoOperator(tx, (size) => demoSecret(keyRing, `operator key ${size}`).subarray(0, size));
  });
  return {
    account,
    portalAccount: { email: portalUser.email, password: demoPassword(keyRing, 'portal') },
    publicApiKey: key.text,
    developerApiKey: developerKey.text,
    operatorKey,
  };
}

export interface DemoPortal {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts an issuer's portal with one user on loopback, as a target of `PORTAL_AUTH_URL`. */
export async function startDemoPortal(keyRing: KeyRing): Promise<DemoPortal> {
  const expected = JSON.stringify([portalUser.email, demoPassword(keyRing, 'portal')]);
  const server = createServer((request, response) => {
    void isUser(request, expected).then((right) => {
      response.writeHead(right ? 200 : 401, { 'content-type': 'application/json' });
      response.end(right ? JSON.stringify(portalUser) : '{}');
    });
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The demo portal has no port');
  return {
    url: `http://127.0.0.1:${address.port}/authenticate`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function isUser(request: IncomingMessage, expected: string): Promise<boolean> {
  try {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) {
      body += String(chunk);
      if (body.length > 10_000) return false;
    }
    const { email, password } = JSON.parse(body) as Partial<LoginInput>;
    return sameSecret(JSON.stringify([email?.toLowerCase(), password]), expected);
  } catch {
    return false;
  }
}

const email = 'olga@demo.lastro.example';
const name = 'Olga Operadora';

/** Adds none if there is an operator; the key is derived from the master key. Existing or revoked ones stay. @param random source of the key @returns the key */
async function addDemoOperator(tx: Context, random: (size: number) => Uint8Array): Promise<string> {
  const minted = mintKey('svc_op_', random);
  const operator = await demoOperator(tx);
  if (operator === undefined) return minted.text;
  const key = await addGivenKey(tx, operator.id, keyDays.usual, minted);
  if (key.added) {
    const subject = { type: 'operator', id: operator.id };
    await recordAudit(tx, { action: 'addOperatorKey', subject, after: { email, name, roles, ...auditedKey(key) } });
  }
  return minted.text;
}

/** Returns the operator of the demo; undefined if there are only others, or it was revoked. */
async function demoOperator(tx: Context): Promise<OperatorRow | undefined> {
  const known = await findOperator(tx, email);
  if (known !== undefined) {
    const operator = await lockOperator(tx, known);
    return operator?.revokedAt === null ? operator : undefined;
  }
  if ((await readOperatorStanding(tx)).any) return undefined;
  const createdAt = tx.clock.now();
  const id = newId(createdAt.getTime());
  return insertOperator(tx, { id, email, name, roles, mailLanguage: 'PT_BR', createdAt, revokedAt: null });
}
