import { actAs, requireRole, type ActInput } from '../shared/audit/record.js';
import type { Context } from '../shared/context.js';
import { ApiError } from '../shared/errors.js';
import { findConfirmed } from '../subgraphs/accounts/developer-keys/developer-key.store.js';
import { requireEstateNamed } from '../subgraphs/credit-assignment/estates/require-estate.js';
import { addOriginatorKey } from '../subgraphs/credit-assignment/originators/add-originator-key.js';
import { addOriginator } from '../subgraphs/credit-assignment/originators/add-originator.js';
import { keysOf, type OriginatorKeyRow } from '../subgraphs/credit-assignment/originators/originator-key.store.js';
import { listOriginators, type OriginatorRow } from '../subgraphs/credit-assignment/originators/originator.store.js';
import { permitOriginator, withdrawPermit } from '../subgraphs/credit-assignment/originators/change-permits.js';
import { permitsOf } from '../subgraphs/credit-assignment/originators/permit.store.js';
import { revokeOriginatorKey } from '../subgraphs/credit-assignment/originators/revoke-originator-key.js';

/** Options of the command that onboards a client. */
export interface OriginatorInput {
  readonly name: string;
  /** Public key in PEM. */
  readonly publicKey: string;
  readonly rateLimit: number | null;
  /** E-mail of the account that may see the client's batches. */
  readonly account: string | undefined;
}

/** A command has no cache to invalidate; a running server reads a client anew within a second. */
const forgetNobody = () => undefined;

/** Onboards a client and returns its id. @throws {ApiError} */
export async function onboardOriginator(context: Context, { account, ...client }: OriginatorInput): Promise<string> {
  const accountId = account === undefined ? null : await findConfirmed(context, account);
  if (accountId === undefined)
    throw new ApiError('NOT_FOUND', { message: `No confirmed account has the e-mail ${account ?? ''}` });
  const { name, rateLimit } = client;
  const input: ActInput = { action: 'addOriginator', after: { name, rateLimit, accountId } };
  return actAs(context, 'originate', input, async (tx) => (await addOriginator(tx, { ...client, accountId })).id);
}

/** Adds a signing key to a client and returns the id of the key. @throws {ApiError} */
export async function giveOriginatorKey(context: Context, originatorId: string, publicKey: string): Promise<string> {
  const input: ActInput = { action: 'addOriginatorKey', subject: { type: 'originator', id: originatorId } };
  return actAs(
    context,
    'originate',
    input,
    async (tx) => (await addOriginatorKey(tx, forgetNobody, originatorId, publicKey)).id,
  );
}

/** Revokes a key of a client. @throws {ApiError} */
export function takeOriginatorKey(context: Context, keyId: string): Promise<void> {
  const input: ActInput = { action: 'revokeOriginatorKey', subject: { type: 'originatorKey', id: keyId } };
  return actAs(context, 'originate', input, (tx) => revokeOriginatorKey(tx, forgetNobody, keyId));
}

/** Permits a client to assign credits to the estate with the given id or ticker; returns the ticker. @throws {ApiError} NOT_FOUND */
export async function permitEstate(context: Context, originatorId: string, estate: string): Promise<string> {
  const subject = { type: 'originator', id: originatorId };
  return actAs(context, 'originate', { action: 'permitOriginator', subject, after: { estate } }, async (tx) => {
    const { id, ticker } = await requireEstateNamed(tx, estate);
    await permitOriginator(tx, originatorId, id);
    return ticker;
  });
}

/** Withdraws a client's permit for the estate with the given id or ticker. @throws {ApiError} NOT_FOUND */
export async function withdrawEstate(
  context: Context,
  originatorId: string,
  estate: string,
): Promise<{ readonly ticker: string; readonly wasPermitted: boolean }> {
  const subject = { type: 'originator', id: originatorId };
  return actAs(context, 'originate', { action: 'withdrawOriginatorPermit', subject, after: { estate } }, async (tx) => {
    const { id, ticker } = await requireEstateNamed(tx, estate);
    return { ticker, wasPermitted: await withdrawPermit(tx, originatorId, id) };
  });
}

export interface KnownOriginator extends OriginatorRow {
  readonly keys: readonly OriginatorKeyRow[];
  /** Tickers of the estates that it may assign credits to. */
  readonly permits: readonly string[];
}

/** Lists the newest 500 clients, with their keys and permits. */
export async function knownOriginators(context: Context): Promise<KnownOriginator[]> {
  requireRole(context, 'read', 'originators');
  const rows = await listOriginators(context, 500);
  const ids = rows.map(({ id }) => id);
  const [keys, permits] = [await keysOf(context, ids), await permitsOf(context, ids)];
  return rows.map((row, index) => ({
    ...row,
    keys: keys[index] ?? [],
    permits: (permits[index] ?? []).map(({ ticker }) => ticker),
  }));
}
