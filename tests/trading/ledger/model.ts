/** The ledger as a page of arithmetic: wallets and holds by number, amounts in cents. */
export class LedgerModel {
  readonly available: number[];
  readonly locked: number[];
  readonly holds = new Map<string, { readonly wallet: number; remaining: number }>();
  readonly posted = new Set<string>();

  constructor(opening: readonly number[]) {
    this.available = [...opening];
    this.locked = opening.map(() => 0);
  }

  /** Does what an act says, and returns whether it was done, had been done before, or is refused. */
  apply({ key, ...act }: Act): Outcome {
    if (this.posted.has(key)) return 'repeated';
    const outcome = this.#do(act);
    if (outcome === 'done') this.posted.add(key);
    return outcome;
  }

  #do(act: Omit<Act, 'key'>): Outcome {
    const { wallet, other, amount, hold } = act;
    if (act.kind === 'move') {
      // Between one wallet and itself nothing moves.
      if (wallet !== other && this.#of(this.available, wallet) < amount) return 'poor';
      this.#add(this.available, wallet, -amount);
      this.#add(this.available, other, amount);
      return 'done';
    }
    if (act.kind === 'open') {
      if (this.holds.has(hold)) return 'refused';
      if (this.#of(this.available, wallet) < amount) return 'poor';
      this.#add(this.available, wallet, -amount);
      this.#add(this.locked, wallet, amount);
      this.holds.set(hold, { wallet, remaining: amount });
      return 'done';
    }
    const held = this.holds.get(hold);
    if (held === undefined) return 'refused';
    if (act.kind !== 'release') {
      if (held.remaining < amount) return 'refused';
      held.remaining -= amount;
      this.#add(this.locked, held.wallet, -amount);
      this.#add(this.available, other, amount);
    }
    if (act.kind !== 'spend') {
      this.#add(this.available, held.wallet, held.remaining);
      this.#add(this.locked, held.wallet, -held.remaining);
      held.remaining = 0;
    }
    return 'done';
  }

  #of(side: readonly number[], wallet: number): number {
    return side[wallet] ?? 0;
  }

  #add(side: number[], wallet: number, amount: number): void {
    side[wallet] = this.#of(side, wallet) + amount;
  }
}

export type Outcome = 'done' | 'repeated' | 'poor' | 'refused';

/** What is asked of the ledger. An act uses what it needs. */
export interface Act {
  readonly kind: 'move' | 'open' | 'spend' | 'spend and release' | 'release';
  readonly key: string;
  readonly wallet: number;
  /** Who gets what is moved or spent. */
  readonly other: number;
  /** Cents, above zero. */
  readonly amount: number;
  readonly hold: string;
}
