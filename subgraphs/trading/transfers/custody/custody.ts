import type { Context } from '../../../../shared/kernel/context.js';
import { ApiError } from '../../../../shared/kernel/errors.js';

/** The address for a wallet's deposits, in the network's canonical form. */
export interface CustodyAddress {
  readonly address: string;
  /** The memo that the transaction must carry on networks with shared addresses; null on others. */
  readonly memo: string | null;
}

/** An output of a transaction, which identifies a deposit. */
export interface OutputRef {
  readonly network: string;
  readonly transaction: string;
  readonly output: number;
}

export interface DepositSighting extends OutputRef {
  readonly currency: string;
  readonly address: string;
  readonly memo: string | null;
  /** The amount received: decimal text, with the network's precision. */
  readonly amount: string;
  /** Increases whenever anything but the confirmations changes. */
  readonly revision: bigint;
  readonly confirmations: number;
  /** Whether the transaction has left its block and is in no other. */
  readonly reorganised: boolean;
}

/** Changed deposits, and the position after which the next changes follow. */
export interface DepositChanges {
  readonly sightings: readonly DepositSighting[];
  readonly position: string;
}

export interface CustodyOrder {
  readonly clientId: string;
  readonly currency: string;
  readonly network: string;
  readonly address: string;
  /** Decimal text: the amount that the recipient receives. */
  readonly amount: string;
}

/** Custody's response to an order: it sends it, or never will. An order whose outcome is unknown throws instead. */
export type SendResult =
  | { readonly accepted: true; readonly transaction: string | null }
  | { readonly accepted: false; readonly reason: string };

/** The outcome of an order. RETURNED: the funds are in custody again, and it is never sent. */
export type CustodyTransfer =
  | { readonly state: 'PENDING' | 'CONFIRMED'; readonly transaction: string | null }
  | { readonly state: 'RETURNED'; readonly transaction: string | null; readonly reason: string };

/**
 * Keeps the house's funds, and knows the networks. No method except `depositAddress` is called in a transaction (`reconcileLedger` with an idempotency key is one).
 *
 * Orders are identified by their client id: sending one again returns the outcome of the first, and nothing moves twice. Even so,
 * an order is sent again only if custody does not find it in a look-up.
 */
export interface Custody {
  /** Returns the address of a wallet on a network, the same on every call. */
  depositAddress(
    context: Context,
    wallet: { readonly walletId: string; readonly currency: string; readonly network: string },
  ): Promise<CustodyAddress>;
  /** Returns deposits that are new or changed after a position (empty: from the beginning), in the order of their changes. */
  readDeposits(context: Context, position: string, limit: number): Promise<DepositChanges>;
  /** Returns the current data of deposits; unknown ones are missing. */
  lookUpDeposits(context: Context, outputs: readonly OutputRef[]): Promise<DepositSighting[]>;
  /** Returns its holdings by currency, as decimal text: without accepted orders that were not returned, with deposits in a block. */
  balances(context: Context): Promise<ReadonlyMap<string, string>>;
  /** @throws if it is unknown whether the order was accepted */
  send(context: Context, order: CustodyOrder): Promise<SendResult>;
  /** Returns the outcome of an order; undefined if custody never had it. @throws if custody does not respond */
  lookUp(context: Context, clientId: string): Promise<CustodyTransfer | undefined>;
}

/** The live custody and the synthetic one. No real funds ever pass through the synthetic custody. */
export interface Custodies {
  /** Undefined where no custody is connected: real deposits and withdrawals are then impossible. */
  readonly real: Custody | undefined;
  readonly synthetic: Custody;
}

/** Returns the live or the synthetic custody. @throws {ApiError} UNAVAILABLE if it is not connected */
export function custodyOf({ real, synthetic: simulated }: Custodies, synthetic: boolean): Custody {
  const custody = synthetic ? simulated : real;
  if (custody !== undefined) return custody;
  const message =
    'No custody is connected: real funds can neither be deposited nor withdrawn, only synthetic funds can';
  throw new ApiError('UNAVAILABLE', { message, retryAfterSeconds: 60 });
}

/** Returns the values of `synthetic` with a connected custody. */
export function worldsOf({ real }: Custodies): readonly boolean[] {
  return real === undefined ? [true] : [true, false];
}
