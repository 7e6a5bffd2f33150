import { createLocalBus, type Bus } from '../../../shared/events/bus.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { tellReaders } from '../../../subgraphs/trading/streams/tell-readers.js';
import type { WalletUpdate } from '../../../subgraphs/trading/streams/wallet-streams.js';
import { openTestDatabase } from '../../kit/database.js';
import { contextOn } from '../domain-kit.js';
import { addWallet, type Wallet } from '../ledger/kit.js';

export async function openStreams(bus: Bus = createLocalBus()) {
  const database = await openTestDatabase({ poolSize: 10 });
  const context = { ...contextOn(database), bus };
  const act = <T>(work: (tx: Context) => Promise<T>) => inTransaction(context, work);
  return {
    database,
    context,
    act,
    wallet: (synthetic?: boolean) => addWallet(context, synthetic),
    /** Tells of orders of a wallet, in a transaction of its own. */
    append: (wallet: Wallet, ...orders: readonly unknown[]) => act((tx) => tellReaders(tx, wallet, { orders })),
    close: () => database.close(),
  };
}

export async function take(stream: AsyncIterator<WalletUpdate>, count: number): Promise<WalletUpdate[]> {
  const taken: WalletUpdate[] = [];
  while (taken.length < count) {
    const next = await stream.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}

/** What an update says, as `UPDATE 3`. */
export const brief = ({ kind, eventId }: WalletUpdate): string => `${kind} ${eventId}`;

/** How a bus treats its messages. */
export type Mood = 'well' | 'loses' | 'doubles' | 'holds';

/** A bus that can be told to lose messages, to tell them twice, or to hold them back and tell them late and in the opposite order. */
export function moodyBus(): Bus & { mood: Mood; release(): Promise<void> } {
  const bus = createLocalBus();
  const held: Parameters<Bus['publishAll']>[0][] = [];
  const moody = {
    ...bus,
    mood: 'well' as Mood,
    publishAll: async (messages: Parameters<Bus['publishAll']>[0]) => {
      if (moody.mood === 'loses') return;
      if (moody.mood === 'holds') held.push(messages);
      else await bus.publishAll(messages);
      if (moody.mood === 'doubles') await bus.publishAll(messages);
    },
    release: async () => {
      for (const messages of held.splice(0).reverse()) await bus.publishAll(messages);
    },
  };
  return moody;
}
