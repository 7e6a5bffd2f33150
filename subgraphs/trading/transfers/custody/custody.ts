import type { Context } from '../../../../shared/context.js';
import { ApiError } from '../../../../shared/errors.js';

/** Where a wallet takes deposits in, in the network's canonical form. */
export interface CustodyAddress {
  readonly address: string;
  /** What has to stand in the transaction besides, on networks where addresses are shared; null on others. */
  readonly memo: string | null;
}

/** Which output of which transaction: what a deposit is known by. */
export interface OutputRef {
  readonly network: string;
  readonly transaction: string;
  readonly output: number;
}

/** What custody knows of a deposit. */
export interface DepositSighting extends OutputRef {
  readonly currency: string;
  readonly address: string;
  readonly memo: string | null;
  /** What arrived: decimal text, as exact as the network is. */
  readonly amount: string;
  /** Grows whenever anything but the confirmations changes. */
  readonly revision: bigint;
  readonly confirmations: number;
  /** Whether the transaction is in no block any more. */
  readonly reorganised: boolean;
}

/** Deposits that changed, and the position after which the next changes stand. */
export interface DepositChanges {
  readonly sightings: readonly DepositSighting[];
  readonly position: string;
}

/** What custody is asked to send. */
export interface CustodyOrder {
  /** Our own id (UUID). */
  readonly clientId: string;
  readonly currency: string;
  readonly network: string;
  readonly address: string;
  /** Decimal text: what is to arrive. */
  readonly amount: string;
}

/** What custody says to an order: it sends it, or never will. An order whose fate is unknown throws instead. */
export type SendResult =
  | { readonly accepted: true; readonly transaction: string | null }
  | { readonly accepted: false; readonly reason: string };

/** What became of an order. RETURNED: the funds are in custody again, and it is never sent. */
export type CustodyTransfer =
  | { readonly state: 'PENDING' | 'CONFIRMED'; readonly transaction: string | null }
  | { readonly state: 'RETURNED'; readonly transaction: string | null; readonly reason: string };

/**
 * Who keeps the house's funds, and knows the networks. Nothing of it is called inside a transaction, but `depositAddress`.
 *
 * Orders are known by their client id: whoever sends one a second time gets what became of the first, and nothing moves twice. Even so
 * the house sends again only what custody, when looked up, does not know.
 */
export interface Custody {
  /** The address of a wallet on a network: the same whenever it is asked for. */
  depositAddress(
    context: Context,
    wallet: { readonly walletId: string; readonly currency: string; readonly network: string },
  ): Promise<CustodyAddress>;
  /** Deposits that are new or changed after a position (empty: from the beginning), in the order of their changes. */
  readDeposits(context: Context, position: string, limit: number): Promise<DepositChanges>;
  /** How some deposits stand now; those that it does not know are missing. */
  lookUpDeposits(context: Context, outputs: readonly OutputRef[]): Promise<DepositSighting[]>;
  /** @throws where it is unknown whether the order was taken */
  send(context: Context, order: CustodyOrder): Promise<SendResult>;
  /** What became of an order; undefined where custody never had it. @throws where custody does not say */
  lookUp(context: Context, clientId: string): Promise<CustodyTransfer | undefined>;
}

/** Custody of each world. Nothing real ever goes through the synthetic one. */
export interface Custodies {
  /** Undefined where no custody is connected: real funds neither come nor go then. */
  readonly real: Custody | undefined;
  readonly synthetic: Custody;
}

/** The custody of a world. @throws {ApiError} UNAVAILABLE where none is connected */
export function custodyOf({ real, synthetic: simulated }: Custodies, synthetic: boolean): Custody {
  const custody = synthetic ? simulated : real;
  if (custody !== undefined) return custody;
  const message = 'No custody is connected: real funds can be neither deposited nor withdrawn. Synthetic funds can';
  throw new ApiError('UNAVAILABLE', { message, retryAfterSeconds: 60 });
}

/** The worlds, by `synthetic`, that custody is connected of. */
export function worldsOf({ real }: Custodies): readonly boolean[] {
  return real === undefined ? [true] : [true, false];
}
