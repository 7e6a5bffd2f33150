import { Decimal as DecimalJs } from 'decimal.js';
import { eachInTurns } from './turns.js';

/** 50 significant digits: products of long factors stay exact until explicitly rounded. Money, prices and rates are never a `number`. */
export const Decimal = DecimalJs.clone({
  precision: 50,
  rounding: DecimalJs.ROUND_HALF_UP,
  toExpNeg: -40,
  toExpPos: 40,
});
export type Decimal = InstanceType<typeof Decimal>;

/** Rounds half away from zero to `places` decimals, as Brazilian contracts do. */
export function round(value: Decimal, places: number): Decimal {
  return value.toDecimalPlaces(places, Decimal.ROUND_HALF_UP);
}

/** Cuts off all digits after `places` decimals. */
export function truncate(value: Decimal, places: number): Decimal {
  return value.toDecimalPlaces(places, Decimal.ROUND_DOWN);
}

/** Adds decimals given as text or Decimal, exactly. */
export function sum(values: Iterable<Decimal | string>): Decimal {
  let total = new Decimal(0);
  for (const value of values) total = total.plus(value);
  return total;
}

/** Adds many decimals, exactly, and yields to other work in between. */
export async function sumInTurns(values: readonly (Decimal | string)[]): Promise<Decimal> {
  let total = new Decimal(0);
  await eachInTurns(values, (value) => {
    total = total.plus(value);
  });
  return total;
}
