import type { ExecutionResult } from 'graphql';
import type { Context, Idempotency, IdempotencyName } from '../kernel/context.js';
import { SealError, sha256, type KeyRing } from '../security/crypto.js';
import { ApiError, byRule } from '../kernel/errors.js';
import { sealedResponse } from '../security/sealed.js';
import type { GraphResult } from './executor.js';
import { resultFromJson } from './result-from-json.js';

/** How long a result is stored for its key (docs/contract/common.md §7.4). */
const retentionMs = 24 * 60 * 60 * 1000;

/** The stored state of an operation in steps that has no result yet. */
export interface Unfinished {
  /** The subject that its first step created; missing before that. */
  readonly subject?: string;
  /** The moment until which its process is presumed alive. */
  readonly until: string;
}

/** Returns all names under which the result is stored, in the order of locking: the signature before the key that the caller chose. */
export function namesOf({ owner, key, also }: Idempotency): IdempotencyName[] {
  return also === undefined ? [{ owner, key }] : [also, { owner, key }];
}

/** Locks a name for the transaction. @throws {ApiError} CONFLICT while another request holds the same name */
export async function lockName({ manager }: Context, { owner, key }: IdempotencyName): Promise<void> {
  const id = sha256(`${owner}\n${key}`).readBigInt64BE(0).toString();
  const row = await manager.row<{ free: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS free', [id]);
  if (row?.free === true) return;
  throw stillRunning();
}

export function stillRunning(): ApiError {
  return new ApiError('CONFLICT', {
    ...byRule('IDEMPOTENCY_RUNNING'),
    retryAfterSeconds: 1,
  });
}

interface Row {
  readonly operation: string;
  readonly answer: Buffer;
}

/** The sealed content: the result, and the digest of the body, which unsealed would allow a guess at the body to be confirmed. */
interface Stored extends Pick<GraphResult, 'data' | 'errors'> {
  readonly unfinished?: Unfinished;
  /** In Base64. */
  readonly digest: string;
  readonly only?: string;
}

/** Returns the result stored under a name, or the progress in steps. @throws {ApiError} CONFLICT when the name was used for something else */
export async function findStored(
  { manager, clock }: Context,
  { owner, key }: IdempotencyName,
  { operation, digest, only }: Idempotency,
  keyRing: KeyRing,
): Promise<GraphResult | Unfinished | undefined> {
  const row = await manager.row<Row>(
    'SELECT operation, answer FROM shared.idempotent_answers WHERE owner = $1 AND key = $2 AND expires_at > $3',
    [owner, key, clock.now()],
  );
  if (row === undefined) return undefined;
  const { digest: known, unfinished, only: maker, ...result } = openStored(keyRing, row);
  const sameBody = known === digest.toString('base64');
  const different = row.operation !== operation ? 'operation' : sameBody ? undefined : 'body';
  if (different !== undefined)
    throw new ApiError('CONFLICT', {
      message: `The idempotency key was already used with a different ${different}: send a new key`,
    });
  if (maker !== only)
    throw new ApiError('CONFLICT', {
      message:
        'The idempotency key was already used by another credential, which alone gets the secret again: send a new key',
    });
  if (unfinished !== undefined) return unfinished;
  return resultFromJson(result);
}

/** @throws {ApiError} CONFLICT when no key of the ring opens it: the request was run, and must not run again */
function openStored(keyRing: KeyRing, { answer }: Row): Stored {
  try {
    // Only `store` and `replace` seal this, so the shape of the content is known.
    return JSON.parse(keyRing.open(sealedResponse, answer)) as Stored;
  } catch (cause) {
    if (!(cause instanceof SealError)) throw cause;
    throw new ApiError('CONFLICT', {
      message:
        'The idempotency key was already used, and its stored response can no longer be read. ' +
        'Check the outcome of that request before you send it with another key',
      cause,
    });
  }
}

/** Deletes the results stored for the credentials of an owner, and those that are about the owner: these requests run again. */
export async function eraseResponsesOf({ manager }: Context, ownerId: string, kinds: readonly string[]): Promise<void> {
  await manager.execute('DELETE FROM shared.idempotent_answers WHERE owner = ANY ($1) OR about = $2', [
    kinds.map((kind) => `${kind}:${ownerId}`),
    ownerId,
  ]);
}

/** Returns the highest HTTP status among the errors of a result; 200 when there are none. */
export function statusOf({ errors = [] }: ExecutionResult): number {
  return errors.reduce((worst, { extensions: { statusCode } }) => Math.max(worst, Number(statusCode)), 200);
}

/** Statuses of a refusal that comes before the act: what they ask for (a credential, a proof, patience) can be brought, and the same request sent again. */
const refusals: ReadonlySet<unknown> = new Set([401, 403, 429, 503]);

/** Whether a mutation was refused before it did anything. Such a result is stored for no key. */
export function isRefusedBefore({ data, errors = [] }: ExecutionResult): boolean {
  if (!errors.some(({ extensions }) => refusals.has(extensions['statusCode']))) return false;
  const refused = new Set(errors.map(({ path }) => (path?.length === 1 ? path[0] : undefined)));
  // A document may have several mutations, of which one has run.
  return Object.entries(data ?? {}).every(([name, value]) => refused.has(name) || value === 'Mutation');
}

export type Kept = GraphResult | { readonly unfinished: Unfinished };

/** Stores the state of a request under a name. @returns the sealed value, which is unique */
export async function store(
  { manager, clock }: Context,
  { owner, key }: IdempotencyName,
  { operation, about, ...bound }: Idempotency,
  keyRing: KeyRing,
  kept: Kept,
): Promise<Buffer> {
  const now = clock.now();
  const sealed = seal(keyRing, kept, bound);
  await manager.execute(
    `INSERT INTO shared.idempotent_answers (owner, key, operation, answer, created_at, expires_at, about)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (owner, key) DO UPDATE SET operation = excluded.operation, answer = excluded.answer,
       created_at = excluded.created_at, expires_at = excluded.expires_at, about = excluded.about`,
    [owner, key, operation, sealed, now, new Date(now.getTime() + retentionMs), about ?? null],
  );
  return sealed;
}

/** Replaces the value stored under a name if it is one that the caller stored. @returns the new sealed value; undefined if another process has written since */
export async function replace(
  { manager, clock }: Context,
  { owner, key }: IdempotencyName,
  { about, ...bound }: Idempotency,
  { keyRing, own, kept }: { readonly keyRing: KeyRing; readonly own: readonly Buffer[]; readonly kept: Kept },
): Promise<Buffer | undefined> {
  const now = clock.now();
  const sealed = seal(keyRing, kept, bound);
  const count = await manager.execute(
    `UPDATE shared.idempotent_answers SET answer = $3, created_at = $4, expires_at = $5, about = $7
     WHERE owner = $1 AND key = $2 AND answer = ANY ($6::bytea[])`,
    [owner, key, sealed, now, new Date(now.getTime() + retentionMs), own, about ?? null],
  );
  return count === 1 ? sealed : undefined;
}

function seal(keyRing: KeyRing, kept: Kept, { digest, only }: Pick<Idempotency, 'digest' | 'only'>): Buffer {
  return keyRing.seal(sealedResponse, JSON.stringify({ ...kept, only, digest: digest.toString('base64') }));
}

/** Locks the row of a name: waits for a transaction that is writing it, even one whose connection was lost, and blocks others. */
export async function lockStored({ manager }: Context, { owner, key }: IdempotencyName): Promise<void> {
  await manager.execute('SELECT FROM shared.idempotent_answers WHERE owner = $1 AND key = $2 FOR UPDATE', [owner, key]);
}

/** Deletes a name if its value is one that the caller stored: its request runs again. */
export async function forget(
  { manager }: Context,
  { owner, key }: IdempotencyName,
  own: readonly Buffer[],
): Promise<void> {
  await manager.execute(
    'DELETE FROM shared.idempotent_answers WHERE owner = $1 AND key = $2 AND answer = ANY ($3::bytea[])',
    [owner, key, own],
  );
}

export function isUnfinished(stored: GraphResult | Unfinished): stored is Unfinished {
  return 'until' in stored;
}
