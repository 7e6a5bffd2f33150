import type { Clock } from '../../shared/clock.js';
import type { Config } from '../../shared/config.js';
import type { Context } from '../../shared/context.js';
import type { KeyRing } from '../../shared/crypto.js';
import { inTransaction } from '../../shared/database/transaction.js';
import { Decimal } from '../../shared/decimal.js';
import { newId } from '../../shared/ids.js';
import type { Logger } from '../../shared/log.js';
import { openMarkets, type Markets } from './markets/open-markets.js';
import { createDesk } from './orders/create-desk.js';
import type { Desk } from './orders/desk.js';
import { createOrderEngine } from './orders/engine.js';
import type { ExecutionRow } from './orders/execution.store.js';
import { createHedger } from './quotes/hedge.js';
import { settleLateHedgeFills } from './quotes/settle-late-hedge-fills.js';
import { createBalanceWatch } from './venues/balances/watch-balances.js';
import { bookCapital } from './venues/capital.js';
import { openConfiguredVenues } from './venues/configured/open-configured.js';
import type { Venue } from './venues/venue.js';

/** What the folders of trading share: the venues, their market data, and the desk that sends orders. One per process that serves this module. */
export interface TradingServices {
  readonly desk: Desk;
  readonly markets: Markets;
  open(context: Context): Promise<RunningServices>;
}

export interface RunningServices {
  /** Lets the work under way end, and disconnects from the venues. */
  close(): Promise<void>;
}

export interface TradingServicesParts {
  readonly config: Pick<Config, 'demo' | 'sandbox'>;
  /** Decrypts the credentials of real exchanges. */
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly log: Logger;
  /** Exchanges besides the simulated ones. */
  readonly exchanges?: readonly Venue[];
  /** How often their balances are compared with the ledger; every 15 seconds by default. */
  readonly balanceLooksMs?: number;
}

/** Wires the services. Nothing connects before they are opened. */
export function createTradingServices({
  config,
  keyRing,
  clock,
  log,
  exchanges = [],
  balanceLooksMs,
}: TradingServicesParts): TradingServices {
  const markets = openMarkets({ clock, log, demo: config.demo, history: config.demo || config.sandbox });
  for (const exchange of exchanges) markets.add(exchange);
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
      for (const venue of [...venues.simulated, ...exchanges]) {
        const balances = await venue.balances();
        await inTransaction(context, (tx) => bookCapital(tx, venue, balances));
      }
      if (isReal(config)) for (const venue of await openConfiguredVenues(context, keyRing)) markets.add(venue);
      const engine = createOrderEngine(context, { desk, restore, settleOthers: settleLateHedgeFills });
      await engine.start();
      await markets.start(context);
      const hedger = createHedger(context, { desk, catalogue: markets.catalogue });
      hedger.start();
      const simulated = new Set(venues.simulated.map(({ name }) => name));
      const lasting = venues.all.filter(({ name }) => !simulated.has(name));
      const watch = createBalanceWatch(context, lasting, balanceLooksMs);
      watch.start();
      return {
        close: async () => {
          await watch.stop();
          await hedger.stop();
          await engine.stop();
          await markets.stop();
        },
      };
    },
  };
}

/** Whether real money is involved: nothing in the demo, whose funds are invented, or the sandbox goes to a real exchange or custody. */
export function isReal({ demo, sandbox }: TradingServicesParts['config']): boolean {
  return !demo && !sandbox;
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
