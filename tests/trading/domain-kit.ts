import { parse, validate, type GraphQLSchema } from 'graphql';
import { createLocalBus } from '../../shared/events/bus.js';
import { systemClock, type Clock } from '../../shared/kernel/clock.js';
import { createContext, type Context, type Principal } from '../../shared/kernel/context.js';
import { inTransaction } from '../../shared/database/transaction.js';
import { Decimal } from '../../shared/kernel/decimal.js';
import type { ErrorExtensions } from '../../shared/kernel/errors.js';
import { newId } from '../../shared/kernel/ids.js';
import { createExecutor } from '../../shared/graphql/execute.js';
import { postJournal } from '../../subgraphs/trading/ledger/post-journals.js';
import type { OwnWallet } from '../../subgraphs/trading/profiles/profile.store.js';
import { quietLog, testKeyRing } from '../kit/context.js';
import type { TestDatabase } from '../kit/database.js';

export interface Outcome {
  readonly data: Record<string, unknown>;
  /** The extensions of the first error. */
  readonly error?: ErrorExtensions & { readonly message: string };
}

export type Run = (text: string, variables: Record<string, unknown>, principal: Principal) => Promise<Outcome>;

/** What a trading domain with real money and without the demo is created with. */
export const partsOf = ({ url }: Pick<TestDatabase, 'url'>, clock: Clock = systemClock) => ({
  config: {
    sandbox: false,
    demo: false,
    transfers: { approvalAbove: 100_000, travelRuleAbove: 5_000, coolingMs: 3_600_000 },
  },
  keyRing: testKeyRing,
  clock,
  log: quietLog,
  databaseUrl: url,
});

export const contextOn = ({ dataSource }: Pick<TestDatabase, 'dataSource'>, clock: Clock = systemClock): Context =>
  createContext({ clock, log: quietLog, manager: dataSource.manager, bus: createLocalBus() });

/** Runs valid documents on a schema. */
export function runOn(schema: GraphQLSchema, context: Context): Run {
  const executor = createExecutor(schema, testKeyRing);
  return async (text, variables, principal) => {
    const document = parse(text);
    const invalid = validate(schema, document);
    if (invalid.length > 0) throw new Error(invalid.map(({ message }) => message).join('\n'));
    const { data, errors } = await executor.execute(
      { document, variables },
      { ...context, principal, loaders: new Map() },
    );
    const [error] = errors ?? [];
    // Errors of the executor carry the extensions of an error of the house.
    const extensions = error?.extensions as unknown as ErrorExtensions;
    return { data: data ?? {}, ...(error && { error: { ...extensions, message: error.message } }) };
  };
}

/** The value of the first field of a document. @throws its error */
export async function valueOf<T>(asked: Promise<Outcome>): Promise<T> {
  const { data, error } = await asked;
  if (error !== undefined) throw new Error(error.message, { cause: error });
  return Object.values(data)[0] as T;
}

/** The HTTP status of the error; undefined for what was done. */
export const statusOf = async (asked: Promise<Outcome>): Promise<number | undefined> => (await asked).error?.statusCode;

/** Moves funds from custody into a wallet, or back. */
export async function credit(
  context: Context,
  { id: walletId, synthetic }: Pick<OwnWallet, 'id' | 'synthetic'>,
  funds: Readonly<Record<string, string>>,
): Promise<void> {
  const postings = Object.entries(funds).flatMap(([currency, amount]) => [
    { account: { kind: 'CUSTODY', currency } as const, amount: new Decimal(amount).negated() },
    { account: { kind: 'AVAILABLE', walletId, currency } as const, amount },
  ]);
  const journal = { key: newId(), cause: 'test', causeId: newId(), synthetic, postings };
  await inTransaction(context, (tx) => postJournal(tx, journal));
}
