import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { Kind } from 'graphql';
import { Extensions } from 'type-graphql';
import type { Context, Idempotency, IdempotencyName } from '../context.js';
import type { KeyRing } from '../crypto.js';
import { inTransaction } from '../database/transaction.js';
import type { Answer } from './execute.js';
import {
  findStored,
  forget,
  isUnfinished,
  lockName,
  lockStored,
  namesOf,
  statusOf,
  stillRunning,
  store,
  type Unfinished,
} from './idempotent-answer.store.js';

/** For how long a request in steps is taken to be running: by then it has its answer, or its process is gone. */
export const stepsLeaseMs = 15_000;

/**
 * Declares that a mutation commits more than one transaction, because it waits for somebody else in between: a venue, say. With an
 * idempotency key its first transaction calls `bindSubject`, and a request that comes again after a crash goes on from there.
 */
export function InSteps(): MethodDecorator {
  return Extensions({ inSteps: true });
}

/** Whether an operation is a mutation of one field that runs in steps. */
export function runsInSteps(schema: GraphQLSchema, { selectionSet }: OperationDefinitionNode): boolean {
  const [field, ...others] = selectionSet.selections;
  if (field?.kind !== Kind.FIELD || others.length > 0) return false;
  return schema.getMutationType()?.getFields()[field.name.value]?.extensions['inSteps'] === true;
}

/** Carries what `@InSteps` declared from the schema of type-graphql to the one that runs, in place. */
export function letStep(plain: GraphQLSchema, schema: GraphQLSchema): void {
  const fields = schema.getMutationType()?.getFields() ?? {};
  for (const { name, extensions } of Object.values(plain.getMutationType()?.getFields() ?? {})) {
    const field = fields[name];
    if (field !== undefined && extensions['inSteps'] === true)
      field.extensions = { ...field.extensions, inSteps: true };
  }
}

/** What the first step of this request made, where the request came before and was cut short. */
export function subjectOf({ idempotency }: Context): string | undefined {
  return idempotency?.steps?.subject;
}

/** Binds the idempotency key of the request, where it has one, to what the transaction under way makes. */
export async function bindSubject(tx: Context, subject: string): Promise<void> {
  await tx.idempotency?.steps?.bind(tx, subject);
}

/**
 * Runs an operation in steps at most once for an owner's key. The key is taken before the first step, bound to what that step makes
 * in its own transaction, and gets the answer after the last. A request that comes meanwhile gets CONFLICT; one that comes when
 * the first was cut short goes on with what it had made. What is stored is as with `once`.
 * @throws {Fault} CONFLICT when the key was used for something else, or its first use is still under way.
 */
export async function onceInSteps(
  context: Context,
  idempotency: Idempotency,
  keyRing: KeyRing,
  work: (context: Context) => Promise<Answer>,
): Promise<Answer> {
  const names = namesOf(idempotency);
  const keep = async (tx: Context, kept: Answer | { readonly unfinished: Unfinished }) => {
    for (const name of names) await store(tx, name, idempotency, keyRing, kept);
  };
  const begun = await inTransaction(context, async (tx) => {
    const stored = await findFirst(tx, names, idempotency, keyRing);
    if (stored !== undefined && !isUnfinished(stored)) {
      // A signed request that comes with another key.
      if (names.length > 1) await keep(tx, stored);
      return stored;
    }
    if (stored !== undefined && new Date(stored.until) > tx.clock.now()) throw stillRunning();
    const unfinished = { ...stored, until: leaseFrom(tx) };
    await keep(tx, { unfinished });
    return unfinished;
  });
  if (!isUnfinished(begun)) {
    idempotency.replayed = true;
    return begun;
  }
  const { subject } = begun;
  const bind = (tx: Context, bound: string) => keep(tx, { unfinished: { subject: bound, until: leaseFrom(tx) } });
  const steps = { bind, ...(subject === undefined ? {} : { subject }) };
  const answer = await work({ ...context, idempotency: { ...idempotency, steps } });
  const status = statusOf(answer);
  await inTransaction(context, async (tx) => {
    if (status < 500 && status !== 429) return keep(tx, answer);
    const committed = await findCommitted(tx, names, idempotency, keyRing);
    if (committed === undefined) for (const name of names) await forget(tx, name);
    else await keep(tx, { unfinished: { subject: committed, until: tx.clock.now().toISOString() } });
  });
  return answer;
}

/**
 * What the first step made, where it was committed. The database says so, not the process: a step that failed may have been undone, or
 * committed without a word when the connection was lost at its commit.
 */
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

/** What is stored under any of the names; all of them are locked for the transaction. */
async function findFirst(
  tx: Context,
  names: readonly IdempotencyName[],
  idempotency: Idempotency,
  keyRing: KeyRing,
): Promise<Answer | Unfinished | undefined> {
  for (const name of names) await lockName(tx, name);
  for (const name of names) {
    const stored = await findStored(tx, name, idempotency, keyRing);
    if (stored !== undefined) return stored;
  }
  return undefined;
}

function leaseFrom({ clock }: Context): string {
  return new Date(clock.now().getTime() + stepsLeaseMs).toISOString();
}
