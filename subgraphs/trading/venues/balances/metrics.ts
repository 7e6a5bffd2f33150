import { Gauge } from 'prom-client';
import type { Clock } from '../../../../shared/kernel/clock.js';

interface Looks {
  readonly clock: Clock;
  readonly lastMs: number;
}

const looks = new Map<string, Looks>();

/** Grows while no look at a venue counts: then `VENUE_BALANCE` cannot find anything there. Exposed at `/metrics`. */
export const lookAge = new Gauge({
  name: 'trading_venue_balance_look_age_seconds',
  help: 'Seconds since the balances at a venue were last compared with the ledger, or since the process started to compare them.',
  labelNames: ['venue'],
  registers: [],
  collect() {
    this.reset();
    for (const [venue, { clock, lastMs }] of looks) this.set({ venue }, (clock.now().getTime() - lastMs) / 1_000);
  },
});

/** Notes a look at a venue that counted, or the start of the looks. */
export function noteLook(venue: string, clock: Clock): void {
  looks.set(venue, { clock, lastMs: clock.now().getTime() });
}

export function forgetLooks(venue: string): void {
  looks.delete(venue);
}
