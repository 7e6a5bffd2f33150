import { Decimal } from '../../../shared/decimal.js';

/** The trades in a symbol over the last 24 hours, minute by minute. */
export interface RollingDay {
  /** Adds a trade, or all trades of a period that began then. One that is older than the last counts in the last one's minute. */
  add(ms: number, price: Decimal, volume: Decimal): void;
  /** In the base currency. */
  volume(nowMs: number): Decimal;
  /** Returns the first price of the last 24 hours; undefined where there is none. */
  open(nowMs: number): Decimal | undefined;
}

interface Minute {
  readonly ms: number;
  readonly open: Decimal;
  volume: Decimal;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

export function createRollingDay(): RollingDay {
  const minutes: Minute[] = [];
  let volume = new Decimal(0);
  const forget = (nowMs: number) => {
    const fresh = minutes.findIndex(({ ms }) => ms > nowMs - dayMs);
    for (const gone of minutes.splice(0, fresh < 0 ? minutes.length : fresh)) volume = volume.minus(gone.volume);
  };
  return {
    add: (ms, price, amount) => {
      const minute = Math.floor(ms / minuteMs) * minuteMs;
      const last = minutes.at(-1);
      volume = volume.plus(amount);
      if (last !== undefined && last.ms >= minute) last.volume = last.volume.plus(amount);
      else minutes.push({ ms: minute, open: price, volume: amount });
    },
    volume: (nowMs) => {
      forget(nowMs);
      return volume;
    },
    open: (nowMs) => {
      forget(nowMs);
      return minutes[0]?.open;
    },
  };
}
