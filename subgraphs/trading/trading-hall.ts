import type { Clock } from '../../shared/clock.js';
import type { Config } from '../../shared/config.js';
import type { Context } from '../../shared/context.js';
import { inTransaction } from '../../shared/database/transaction.js';
import { Decimal } from '../../shared/decimal.js';
import { newId } from '../../shared/ids.js';
import type { Logger } from '../../shared/log.js';
import { findPosted } from './ledger/journal.store.js';
import { postJournals, type Journal } from './ledger/post-journals.js';
import { openMarkets, type Markets } from './markets/open-markets.js';
import { createDesk, type Desk } from './orders/desk.js';
import { createOrderEngine } from './orders/engine.js';
import type { ExecutionRow } from './orders/execution.store.js';
import { createHedger } from './quotes/hedge.js';
import type { SupervisedVenue } from './venues/supervise-venue.js';
import type { Venue } from './venues/venue.js';

/** What trades: the venues, what is known of the markets, and the desk that sends orders. One for each process that serves the domain. */
export interface TradingHall {
  readonly desk: Desk;
  readonly markets: Markets;
  open(context: Context): Promise<RunningHall>;
}

export interface RunningHall {
  /** Lets what is under way end, and disconnects from the venues. */
  close(): Promise<void>;
}

export interface HallParts {
  readonly config: Pick<Config, 'demo' | 'sandbox'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Exchanges beside the simulated ones. */
  readonly exchanges?: readonly Venue[];
}

/** Puts a hall together. Nothing connects before it is opened. */
export function createTradingHall({ config, clock, log, exchanges = [] }: HallParts): TradingHall {
  const history = config.demo || config.sandbox;
  const markets = openMarkets({ clock, log, demo: config.demo, history, exchanges });
  const { venues } = markets;
  const desk = createDesk(newId(), markets.data);
  const restore = (executions: readonly ExecutionRow[]) => {
    for (const exchange of venues.simulated) {
      exchange.restore(executions.filter(({ venue }) => venue === exchange.name).map(toRestored));
    }
  };
  return {
    desk,
    markets,
    open: async (context) => {
      for (const venue of venues.all) await putIn(context, venue);
      const engine = createOrderEngine(context, desk, { restore });
      await engine.start();
      await markets.start(context);
      const hedger = createHedger(context, { desk, catalogue: markets.catalogue });
      hedger.start();
      return {
        close: async () => {
          await hedger.stop();
          await engine.stop();
          await markets.stop();
        },
      };
    },
  };
}

function toRestored({ id, symbol, side, limitPrice, amount, filledAmount }: ExecutionRow) {
  return {
    clientOrderId: id,
    symbol,
    side,
    price: new Decimal(limitPrice),
    amount: new Decimal(amount),
    filled: new Decimal(filledAmount),
  };
}

/** Puts what the house has at a venue into the books, once: its own capital. What it trades there since is posted with each fill. */
async function putIn(context: Context, venue: SupervisedVenue): Promise<void> {
  const balances = await venue.balances();
  const journals: Journal[] = balances.map(({ currency, available, locked }) => {
    const amount = available.plus(locked);
    return {
      key: `venue.capital:${venue.name}:${currency}`,
      cause: 'venue.capital',
      causeId: venue.name,
      synthetic: venue.synthetic,
      postings: [
        { account: { kind: 'CAPITAL', currency }, amount },
        { account: { kind: 'VENUE', venue: venue.name, currency }, amount: amount.negated() },
      ],
    };
  });
  const posted = await findPosted(
    context,
    journals.map(({ key }) => key),
  );
  const fresh = journals.filter(({ key }) => !posted.has(key));
  await inTransaction(context, (tx) => postJournals(tx, fresh));
}
