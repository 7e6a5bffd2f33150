import type { Context } from '../../../../../shared/context.js';
import { sha256 } from '../../../../../shared/crypto.js';
import { newId } from '../../../../../shared/ids.js';
import { findNetwork } from '../../networks.js';
import type { Custody, CustodyTransfer, DepositSighting } from '../custody.js';
import { deriveAddress } from './derive-address.js';
import { createCustodyFailures, type CustodyFailures } from './failures.js';
import * as store from './simulated.store.js';

export interface SimulatedCustodyOptions {
  readonly synthetic: boolean;
  /** Time between two blocks of every network: a second by default. */
  readonly blockMs?: number;
}

/** A deposit from outside to an address of the house. */
export interface IncomingDeposit {
  readonly currency: string;
  readonly network: string;
  readonly address: string;
  /** Decimal text, above zero. */
  readonly amount: string;
}

/** A provider within the program, whose networks exist in its tables only: it survives the end of a process, as a real one does. */
export interface SimulatedCustody extends Custody {
  readonly failures: CustodyFailures;
  /** Simulates an incoming deposit. Returns its transaction. */
  receive(tx: Context, deposit: IncomingDeposit): Promise<string>;
  /** Removes a transaction from its block. Returns whether the transaction exists. */
  reorganise(tx: Context, transaction: string): Promise<boolean>;
  /** Includes it in another block. Returns whether the transaction exists. */
  include(tx: Context, transaction: string): Promise<boolean>;
}

export function createSimulatedCustody({ synthetic, blockMs = 1_000 }: SimulatedCustodyOptions): SimulatedCustody {
  const failures = createCustodyFailures();
  const fail = (point: Parameters<typeof failures.takes>[0]) => {
    if (failures.takes(point)) throw new Error(`The simulated provider fails at ${point}`);
  };
  const confirmationsSince = ({ clock }: Context, includedAt: Date | null) =>
    includedAt === null ? 0 : 1 + Math.max(0, Math.floor((clock.now().getTime() - includedAt.getTime()) / blockMs));

  const sightingOf =
    (context: Context) =>
    ({ includedAt, revision, ...row }: store.SimulatedDepositRow): DepositSighting => ({
      ...row,
      memo: null,
      revision: BigInt(revision),
      confirmations: confirmationsSince(context, includedAt),
      reorganised: includedAt === null,
    });

  const lookUp: Custody['lookUp'] = async (context, clientId) => {
    fail('lookUp');
    const sent = await store.findSend(context, synthetic, clientId);
    return sent === undefined ? undefined : transferOf(sent, confirmationsSince(context, sent.includedAt));
  };

  return {
    failures,
    depositAddress: (_context, { walletId, currency, network }) => {
      const kind = findNetwork(currency, network)?.addressKind;
      if (kind === undefined) throw new Error(`${currency} has no network ${network}`);
      // The two worlds never share an address.
      return Promise.resolve({ address: deriveAddress(kind, `${String(synthetic)}/${walletId}`), memo: null });
    },
    readDeposits: async (context, position, limit) => {
      fail('deposits');
      const rows = await store.depositsAfter(context, synthetic, position, limit);
      return { sightings: rows.map(sightingOf(context)), position: rows.at(-1)?.revision ?? position };
    },
    lookUpDeposits: async (context, outputs) => {
      fail('deposits');
      return (await store.findDeposits(context, synthetic, outputs)).map(sightingOf(context));
    },
    balances: (context) => store.readBalances(context, synthetic),
    send: async (context, order) => {
      fail('send.before');
      if (failures.takes('send.refuse'))
        return { accepted: false, reason: 'The provider does not send to this address' };
      const returned = failures.takes('send.return') ? 'The network returned it' : null;
      // Derived from the id, so that sending again yields the same transaction.
      const transaction = sha256(`simulated-send/${order.clientId}`).toString('hex');
      await store.insertSend(context, synthetic, { ...order, transaction, returned });
      fail('send.after');
      return { accepted: true, transaction };
    },
    lookUp,
    receive: async (tx, deposit) => {
      const transaction = sha256(`simulated-deposit/${newId()}`).toString('hex');
      await store.insertDeposit(tx, synthetic, { ...deposit, transaction, output: 0 });
      return transaction;
    },
    reorganise: (tx, transaction) => store.moveDeposits(tx, synthetic, transaction, null),
    include: (tx, transaction) => store.moveDeposits(tx, synthetic, transaction, tx.clock.now()),
  };
}

function transferOf(sent: store.SimulatedSendRow, confirmations: number): CustodyTransfer {
  const { transaction, returned } = sent;
  const needed = findNetwork(sent.currency, sent.network)?.confirmations ?? 1;
  if (confirmations < needed) return { state: 'PENDING', transaction };
  return returned === null ? { state: 'CONFIRMED', transaction } : { state: 'RETURNED', transaction, reason: returned };
}
