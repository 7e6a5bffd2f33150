import { bech32 } from '@scure/base';
import type { Context } from '../../../../../shared/kernel/context.js';
import { sha256 } from '../../../../../shared/security/crypto.js';
import { newId } from '../../../../../shared/kernel/ids.js';
import { type AddressKind, withChecksum } from '../../addresses/check-address.js';
import { findNetwork } from '../../networks.js';
import type { Custody, CustodyTransfer, DepositSighting } from '../custody.js';
import * as store from './simulated.store.js';

export interface SimulatedCustodyOptions {
  readonly synthetic: boolean;
  /** Time between two blocks of every network: a second by default. */
  readonly blockMs?: number;
}

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
  /** Includes a transaction in another block. Returns whether it exists. */
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
      // Live and synthetic wallets never share an address.
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

/**
 * Points at which the simulated provider can fail.
 * - `send.before`: the order never reaches it, and nobody knows
 * - `send.after`: it accepts the order, and its response is lost
 * - `send.refuse`: it rejects the order
 * - `send.return`: it accepts the order, and the network returns it
 * - `lookUp`, `deposits`: it does not respond
 */
export type FailurePoint = 'send.before' | 'send.after' | 'send.refuse' | 'send.return' | 'lookUp' | 'deposits';

interface CustodyFailures {
  failNext(point: FailurePoint, times?: number): void;
  /** Whether this call fails at a point; the call is counted. */
  takes(point: FailurePoint): boolean;
}

function createCustodyFailures(): CustodyFailures {
  const left = new Map<FailurePoint, number>();
  return {
    failNext: (point, times = 1) => left.set(point, (left.get(point) ?? 0) + times),
    takes: (point) => {
      const count = left.get(point) ?? 0;
      if (count > 0) left.set(point, count - 1);
      return count > 0;
    },
  };
}

/** Derives one in the form of its kind, with a valid checksum; no key exists for it: nothing real may ever be sent there. @param id the same one gives the same address on all networks of a kind */
export function deriveAddress(kind: AddressKind, id: string): string {
  const digest = sha256(`lastro/simulated-custody/${kind}/${id}`);
  return derivations[kind](digest);
}

const derivations: Readonly<Record<AddressKind, (digest: Buffer) => string>> = {
  EVM: (digest) => withChecksum(digest.toString('hex', 0, 20)),
  BITCOIN: (digest) => bech32.encode('bc', [0, ...bech32.toWords(digest.subarray(0, 20))]),
  PIX: randomKeyOf,
  BANK_ACCOUNT: (digest) => {
    const digits = 10_000_000 + (digest.readUIntBE(0, 6) % 90_000_000);
    return `999/0001/${digits}-${digest.readUInt8(6) % 10}`;
  },
};

/** Builds a UUID of version 4 from the given bytes, in the form of random PIX keys. */
function randomKeyOf(digest: Buffer): string {
  const bytes = Buffer.from(digest.subarray(0, 16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
