/** An account of a client that callers post to. What it has set aside (`LOCKED`) moves by holds alone. */
export interface ClientAccount {
  readonly kind: 'AVAILABLE';
  readonly walletId: string;
  readonly currency: string;
}

/** What the house holds at one venue. */
export interface VenueAccount {
  readonly kind: 'VENUE';
  readonly venue: string;
  readonly currency: string;
}

/** An account of the house that is there once a currency. The README says which sign each has. */
export interface HouseAccount {
  readonly kind:
    | 'FEES'
    | 'SPREAD'
    | 'ROUNDING'
    | 'VENUE_FEES'
    | 'CAPITAL'
    | 'PRINCIPAL'
    | 'CUSTODY'
    | 'DEPOSITS_IN_TRANSIT'
    | 'WITHDRAWALS_IN_TRANSIT';
  readonly currency: string;
}

/** An account by what it is for. Accounts are made when they are first posted to. */
export type Account = ClientAccount | VenueAccount | HouseAccount;

/** Whose an account is, as the ledger finds it: the id of the wallet, the name of the venue, or nobody's in particular. */
export function ownerOf(account: Account): string {
  if (account.kind === 'AVAILABLE') return account.walletId;
  return account.kind === 'VENUE' ? account.venue : '';
}
