import type { DocumentNode, GraphQLSchema } from 'graphql';
import { Extensions } from 'type-graphql';
import type { Context, Idempotency, IdempotencyName } from '../kernel/context.js';
import type { KeyRing } from '../security/crypto.js';
import { inTransaction } from '../database/transaction.js';
import { ApiError } from '../kernel/errors.js';
import type { GraphResult } from './executor.js';
import {
  findStored,
  forget,
  isRefusedBefore,
  isUnfinished,
  lockName,
  lockStored,
  namesOf,
  replace,
  statusOf,
  stillRunning,
  store,
  type Kept,
  type Unfinished,
} from './idempotent-response.store.js';
import { rootNames } from './root-names.js';

/** How long a request in steps is presumed to be running: after that it has its result, or its process is gone. */
export const stepsLeaseMs = 15_000;

/**
 * Leaves a mutation without a transaction around it: it waits for an external party or a fixed time, or a row stays although it is refused, such as a
 * failed login. The transaction that must not run twice calls `bindSubject`; a repetition with its key continues from there.
 */
export function InSteps(): MethodDecorator {
  return Extensions({ inSteps: true });
}

/** Whether a mutation runs in steps, which cannot be rolled back with others. @throws {ApiError} BAD_REQUEST if the document has others beside it */
export function runsInSteps(schema: GraphQLSchema, document: DocumentNode): boolean {
  const mutations = schema.getMutationType()?.getFields() ?? {};
  const names = rootNames(document).filter((name) => name !== '__typename');
  const inSteps = names.find((name) => mutations[name]?.extensions['inSteps'] === true);
  if (inSteps === undefined || names.length === 1) return inSteps !== undefined;
  const message = `An idempotency key is for one operation: send ${inSteps} in a separate request`;
  throw new ApiError('BAD_REQUEST', { message });
}

/** Copies `@InSteps` declarations from type-graphql's schema to the executable one, in place. */
export function letStep(plain: GraphQLSchema, schema: GraphQLSchema): void {
  const fields = schema.getMutationType()?.getFields() ?? {};
  for (const { name, extensions } of Object.values(plain.getMutationType()?.getFields() ?? {})) {
    const field = fields[name];
    if (field !== undefined && extensions['inSteps'] === true)
      field.extensions = { ...field.extensions, inSteps: true };
  }
}

/** Returns the subject that the first step of this request created, if an earlier run of it was interrupted. */
export function subjectOf({ idempotency }: Context): string | undefined {
  return idempotency?.steps?.subject;
}

/** Binds the idempotency key of the request, if any, to the subject that the current transaction creates. */
export async function bindSubject(tx: Context, subject: string): Promise<void> {
  await tx.idempotency?.steps?.bind(tx, subject);
}

/**
 * The key is taken before the first step, bound to its subject in its own transaction, and gets the result after the last. During a run repetitions get
 * CONFLICT; after an interrupted one they continue with its subject. @throws {ApiError} CONFLICT as `once`, whose rules of storing hold
 */
export async function onceInSteps(
  context: Context,
  idempotency: Idempotency,
  keyRing: KeyRing,
  work: (context: Context) => Promise<GraphResult>,
): Promise<GraphResult> {
  const names = namesOf(idempotency);
  const begun = await inTransaction(context, async (tx) => {
    const stored = await findFirst(tx, names, idempotency, keyRing);
    if (stored !== undefined && !isUnfinished(stored)) {
      // A signed request that is repeated with another key.
      if (names.length > 1) for (const name of names) await store(tx, name, idempotency, keyRing, stored);
      return stored;
    }
    if (stored !== undefined && new Date(stored.until) > tx.clock.now()) throw stillRunning();
    const unfinished = { ...stored, until: leaseFrom(tx) };
    const own: Buffer[] = [];
    for (const name of names) own.push(await store(tx, name, idempotency, keyRing, { unfinished }));
    return { subject: stored?.subject, own };
  });
  if (!('own' in begun)) {
    idempotency.replayed = true;
    return begun;
  }
  const { subject, own } = begun;
  /** Writes the current state under all names. @returns false if another run has presumed this one dead and taken over */
  const replaceAll = async (tx: Context, kept: Kept): Promise<boolean> => {
    for (const name of names) {
      const sealed = await replace(tx, name, running, { keyRing, own, kept });
      if (sealed === undefined) return false;
      own.push(sealed);
    }
    return true;
  };
  const bind = async (tx: Context, bound: string) => {
    if (!(await replaceAll(tx, { unfinished: { subject: bound, until: leaseFrom(tx) } }))) throw stillRunning();
  };
  const running: Idempotency = { ...idempotency, steps: { bind, ...(subject === undefined ? {} : { subject }) } };
  const response = await work({ ...context, idempotency: running });
  const status = statusOf(response);
  await inTransaction(context, async (tx) => {
    if (status < 500 && !isRefusedBefore(response)) {
      await replaceAll(tx, response);
      return;
    }
    const committed = await findCommitted(tx, names, idempotency, keyRing);
    if (committed === undefined) for (const name of names) await forget(tx, name, own);
    else await replaceAll(tx, { unfinished: { subject: committed, until: tx.clock.now().toISOString() } });
  });
  return response;
}

/** The database decides whether the first step was committed: a failed one may have been, without confirmation. */
async function findCommitted(
  tx: Context,
  [name]: readonly IdempotencyName[],
  idempotency: Idempotency,
  keyRing: KeyRing,
): Promise<string | undefined> {
  if (name === undefined) return undefined;
  await lockStored(tx, name);
  const stored = await findStored(tx, name, idempotency, keyRing);
  return stored !== undefined && isUnfinished(stored) ? stored.subject : undefined;
}

/** Returns the response stored under any of the names; locks all names for the transaction. */
async function findFirst(
  tx: Context,
  names: readonly IdempotencyName[],
  idempotency: Idempotency,
  keyRing: KeyRing,
): Promise<GraphResult | Unfinished | undefined> {
  for (const name of names) await lockName(tx, name);
  for (const name of names) {
    // A run that was presumed dead may be about to commit.
    await lockStored(tx, name);
    const stored = await findStored(tx, name, idempotency, keyRing);
    if (stored !== undefined) return stored;
  }
  return undefined;
}

function leaseFrom({ clock }: Context): string {
  return new Date(clock.now().getTime() + stepsLeaseMs).toISOString();
}
