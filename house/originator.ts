import type { Context } from '../shared/context.js';
import { Fault } from '../shared/errors.js';
import { findConfirmed } from '../subgraphs/accounts/developer-keys/developer-key.store.js';
import { addOriginatorKey } from '../subgraphs/credit-assignment/originators/add-originator-key.js';
import { addOriginator } from '../subgraphs/credit-assignment/originators/add-originator.js';
import { keysOf, type OriginatorKeyRow } from '../subgraphs/credit-assignment/originators/originator-key.store.js';
import { listOriginators, type OriginatorRow } from '../subgraphs/credit-assignment/originators/originator.store.js';
import { revokeOriginatorKey } from '../subgraphs/credit-assignment/originators/revoke-originator-key.js';

/** What the command line says of a client. */
export interface OriginatorWish {
  readonly name: string;
  /** In PEM. */
  readonly publicKey: string;
  readonly rateLimit: number | null;
  /** E-mail of the account that is to see its batches. */
  readonly account: string | undefined;
}

/** A running server believes what it read of a client for less than a second: there is nobody to tell here. */
const forgetNobody = () => undefined;

/** Onboards a client, and answers its id. @throws {Fault} */
export async function onboardOriginator(context: Context, { account, ...wish }: OriginatorWish): Promise<string> {
  const accountId = account === undefined ? null : await findConfirmed(context, account);
  if (accountId === undefined) {
    throw new Fault('NOT_FOUND', { message: `No confirmed account has the e-mail ${account ?? ''}` });
  }
  return (await addOriginator(context, { ...wish, accountId })).id;
}

/** Lets a client sign by a further key, and answers the id of the key. @throws {Fault} */
export async function giveOriginatorKey(context: Context, originatorId: string, publicKey: string): Promise<string> {
  return (await addOriginatorKey(context, forgetNobody, originatorId, publicKey)).id;
}

/** Revokes a key of a client. @throws {Fault} */
export function takeOriginatorKey(context: Context, keyId: string): Promise<void> {
  return revokeOriginatorKey(context, forgetNobody, keyId);
}

export type KnownOriginator = OriginatorRow & { readonly keys: readonly OriginatorKeyRow[] };

/** The newest 500 clients, with their keys. */
export async function knownOriginators(context: Context): Promise<KnownOriginator[]> {
  const rows = await listOriginators(context, 500);
  const keys = await keysOf(
    context,
    rows.map(({ id }) => id),
  );
  return rows.map((row, index) => ({ ...row, keys: keys[index] ?? [] }));
}
