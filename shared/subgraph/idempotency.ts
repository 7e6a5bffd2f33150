import { GraphQLError, type ExecutionResult } from 'graphql';
import type { Context, Idempotency, IdempotencyName } from '../context.js';
import { SealError, sha256, type KeyRing } from '../crypto.js';
import { inTransaction } from '../database/transaction.js';
import { Fault } from '../errors.js';
import { sealedResponse } from '../sealed.js';
import type { Answer } from './execute.js';

/** How long an answer is kept for its key (document 2 §4). */
const retentionMs = 24 * 60 * 60 * 1000;

/** Carries an answer of 5xx out of the transaction that it undoes. */
class Undone extends Error {
  constructor(readonly answer: Answer) {
    super('The operation failed and was undone');
  }
}

/**
 * Runs an operation at most once for an owner's key, and gives the same answer each further time. The answer is stored
 * in the transaction that holds the work, so a crash leaves both or neither.
 * - 2xx and 4xx are stored; after 5xx all is undone, nothing is stored, and the key may be used again
 * - nor is 429 stored: after the wait that it asks for, the same request may be sent again
 * - a name that a request has also (its signature) leads to the answer as its key does, and comes first; where only one of
 *   them did, the answer is stored under the other, so that neither lets the request run again
 * - work that an act did commit stays although it answers 4xx, as it does without a key: counting a failed login, say
 * @throws {Fault} CONFLICT when the key was used for something else, or its first use is still under way.
 */
export async function once(
  context: Context,
  idempotency: Idempotency,
  keyRing: KeyRing,
  work: (tx: Context) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await inTransaction(context, async (tx) => {
      const names = namesOf(idempotency);
      for (const name of names) await lock(tx, name);
      const without: IdempotencyName[] = [];
      for (const name of names) {
        const stored = await storedAnswer(tx, name, idempotency, keyRing);
        if (stored === undefined) {
          without.push(name);
          continue;
        }
        idempotency.replayed = true;
        for (const further of without) await store(tx, further, idempotency, keyRing, stored);
        return stored;
      }
      const answer = await inSavepoint(tx, work);
      if (statusOf(answer) !== 429) {
        for (const name of names) await store(tx, name, idempotency, keyRing, answer);
      }
      return answer;
    });
  } catch (error) {
    if (error instanceof Undone) return error.answer;
    throw error;
  }
}

/** Everything that the answer is found by, in the order of the locks: what is signed before what the caller chose. */
function namesOf({ owner, key, also }: Idempotency): IdempotencyName[] {
  return also === undefined ? [{ owner, key }] : [also, { owner, key }];
}

async function lock({ manager }: Context, { owner, key }: IdempotencyName): Promise<void> {
  const id = sha256(`${owner}\n${key}`).readBigInt64BE(0).toString();
  const [row]: { free: boolean }[] = await manager.query('SELECT pg_try_advisory_xact_lock($1) AS free', [id]);
  if (row?.free === true) return;
  throw new Fault('CONFLICT', {
    message: 'The first request with this idempotency key is still running',
    retryAfterSeconds: 1,
  });
}

interface Row {
  readonly operation: string;
  readonly answer: Buffer;
}

/** What is sealed: the answer, and the digest of the body, which would tell who guesses right what the body was. */
interface Stored extends Pick<Answer, 'data' | 'errors'> {
  /** In Base64; missing where an earlier version wrote the row, whose digest depended on the master key. */
  readonly digest?: string;
}

async function storedAnswer(
  { manager, clock }: Context,
  { owner, key }: IdempotencyName,
  { operation, digest }: Idempotency,
  keyRing: KeyRing,
): Promise<Answer | undefined> {
  const [row]: Row[] = await manager.query(
    'SELECT operation, answer FROM shared.idempotent_answers WHERE owner = $1 AND key = $2 AND expires_at > $3',
    [owner, key, clock.now()],
  );
  if (row === undefined) return undefined;
  const { digest: known, data, errors } = openStored(keyRing, row);
  const sameBody = known === undefined || known === digest.toString('base64');
  const different = row.operation !== operation ? 'operation' : sameBody ? undefined : 'body';
  if (different !== undefined) {
    throw new Fault('CONFLICT', { message: `The idempotency key was already used with a different ${different}` });
  }
  return {
    ...(data === undefined ? {} : { data }),
    ...(errors === undefined
      ? {}
      : {
          errors: errors.map(
            ({ message, path, extensions }) => new GraphQLError(message, { path: path ?? null, extensions }),
          ),
        }),
  };
}

/** Deletes what is kept for the credentials of an owner: its requests run anew. */
export async function eraseAnswersOf({ manager }: Context, ownerId: string, kinds: readonly string[]): Promise<void> {
  await manager.query('DELETE FROM shared.idempotent_answers WHERE owner = ANY ($1)', [
    kinds.map((kind) => `${kind}:${ownerId}`),
  ]);
}

/** @throws {Fault} CONFLICT when no key of the house opens it: the request was run, and must not be again. */
function openStored(keyRing: KeyRing, { answer }: Row): Stored {
  try {
    // Sealed by `store` and by nobody else, so the shape inside is known.
    return JSON.parse(keyRing.open(sealedResponse, answer)) as Stored;
  } catch (cause) {
    if (!(cause instanceof SealError)) throw cause;
    throw new Fault('CONFLICT', {
      message:
        'The idempotency key was already used, and the response of then can no longer be read. ' +
        'Look what became of the request before you send it with another key',
      cause,
    });
  }
}

async function inSavepoint(tx: Context, work: (tx: Context) => Promise<Answer>): Promise<Answer> {
  await tx.manager.query('SAVEPOINT work');
  const answer = await work(tx);
  const status = statusOf(answer);
  if (status >= 500) throw new Undone(answer);
  try {
    await tx.manager.query('RELEASE SAVEPOINT work');
  } catch (error) {
    // A statement failed and the act turned that into its answer. With a refusal the answer still holds.
    if (status < 400) throw error;
    await tx.manager.query('ROLLBACK TO SAVEPOINT work');
  }
  return answer;
}

/** The worst HTTP status among the errors of an answer; 200 when there is none. */
function statusOf({ errors = [] }: ExecutionResult): number {
  return errors.reduce((worst, { extensions: { statusCode } }) => Math.max(worst, Number(statusCode)), 200);
}

async function store(
  { manager, clock }: Context,
  { owner, key }: IdempotencyName,
  { operation, digest }: Idempotency,
  keyRing: KeyRing,
  answer: Answer,
): Promise<void> {
  const now = clock.now();
  await manager.query(
    `INSERT INTO shared.idempotent_answers (owner, key, operation, digest, answer, created_at, expires_at)
     VALUES ($1, $2, $3, NULL, $4, $5, $6)
     ON CONFLICT (owner, key) DO UPDATE SET operation = excluded.operation, digest = excluded.digest,
       answer = excluded.answer, created_at = excluded.created_at, expires_at = excluded.expires_at`,
    [
      owner,
      key,
      operation,
      keyRing.seal(sealedResponse, JSON.stringify({ ...answer, digest: digest.toString('base64') })),
      now,
      new Date(now.getTime() + retentionMs),
    ],
  );
}
