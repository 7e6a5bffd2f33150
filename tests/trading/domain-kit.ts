import type { GraphQLSchema } from 'graphql';
import { createLocalBus } from '../../shared/events/bus.js';
import { systemClock, type Clock } from '../../shared/kernel/clock.js';
import { createContext, type Context, type Principal } from '../../shared/kernel/context.js';
import { inTransaction } from '../../shared/database/transaction.js';
import { Decimal } from '../../shared/kernel/decimal.js';
import { newId } from '../../shared/kernel/ids.js';
import { postJournal } from '../../subgraphs/trading/ledger/post-journals.js';
import type { OwnWallet } from '../../subgraphs/trading/profiles/profile.store.js';
import { quietLog, testKeyRing } from '../kit/context.js';
import type { TestDatabase } from '../kit/database.js';
import { runOn as runAs, type Outcome as Ran } from '../kit/run-on.js';

export interface Outcome extends Ran {
  readonly data: Record<string, unknown>;
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

export function runOn(schema: GraphQLSchema, context: Context): Run {
  const ask = runAs(schema, context);
  return async (text, variables, principal) => {
    const { data, ...error } = await ask(text, variables, { principal });
    return { data: data ?? {}, ...error };
  };
}

export async function valueOf<T>(asked: Promise<Outcome>): Promise<T> {
  const { data, error } = await asked;
  if (error !== undefined) throw new Error(error.message, { cause: error });
  return Object.values(data)[0] as T;
}

export const statusOf = async (asked: Promise<Outcome>): Promise<number | undefined> => (await asked).error?.statusCode;

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
