/** A client's account that callers post to. The funds set aside (`LOCKED`) change through holds only. */
export interface ClientAccount {
  readonly kind: 'AVAILABLE';
  readonly walletId: string;
  readonly currency: string;
}

/** The house's funds at one venue. */
export interface VenueAccount {
  readonly kind: 'VENUE';
  readonly venue: string;
  readonly currency: string;
}

/** An account of the house of which there is one per currency. The README lists their signs. */
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

/** An account, named by its purpose. Accounts are created with their first posting. */
export type Account = ClientAccount | VenueAccount | HouseAccount;

/** Returns the owner of an account in the ledger: the id of the wallet, the name of the venue, or an empty owner. */
export function ownerOf(account: Account): string {
  if (account.kind === 'AVAILABLE') return account.walletId;
  return account.kind === 'VENUE' ? account.venue : '';
}
