// The decision of the bot, without any input or output. Amounts are decimal text outside, and whole units of 10^-18 inside: money is no
// binary fraction.
const places = 18;
const one = 10n ** BigInt(places);

/** Decimal text as units. */
export function toUnits(text) {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > places)
    throw new Error(`${text} is no decimal number of at most ${places} places`);
  return BigInt(whole) * one + BigInt(fraction.padEnd(places, '0'));
}

/** Units as decimal text, cut to a number of decimals: never more than there is. */
export function toText(units, decimals = places) {
  const digits = units.toString().padStart(places + 1, '0');
  const fraction = digits.slice(-places).slice(0, decimals);
  const text = decimals === 0 ? digits.slice(0, -places) : `${digits.slice(0, -places)}.${fraction}`;
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

const times = (left, right) => (left * right) / one;
const over = (left, right) => (left * one) / right;
const least = (left, right) => (left < right ? left : right);

/** Percentage of the available funds that the bot spends at most: fee and slippage come on top of the price. */
const spendablePercent = 98n;

/**
 * Decides what brings the weight of the base currency back to the target.
 * @param {{ base: { available: string, total: string }, quote: { available: string, total: string }, ticker: { bid: string, ask: string },
 *   market: { amountDecimals: number, minOrderSize: string }, targetPercent: string, bandPercent: string }} state
 * @returns {{ weightPercent: string, order?: { side: 'BUY' | 'SELL', amount: string } }} no order while the weight is within the band,
 *   and where what is missing is less than the market takes
 */
export function rebalance({ base, quote, ticker, market, targetPercent, bandPercent }) {
  const [bid, ask] = [toUnits(ticker.bid), toUnits(ticker.ask)];
  const held = times(toUnits(base.total), (bid + ask) / 2n);
  const worth = held + toUnits(quote.total);
  if (worth === 0n) return { weightPercent: '0' };
  const weight = over(held, worth);
  const weightPercent = toText(weight * 100n, 2);
  const target = toUnits(targetPercent) / 100n;
  const distance = weight > target ? weight - target : target - weight;
  if (distance <= toUnits(bandPercent) / 100n) return { weightPercent };
  const missing = times(distance, worth);
  const isBuy = weight < target;
  const funds = (toUnits(quote.available) * spendablePercent) / 100n;
  const amount = isBuy ? over(least(missing, funds), ask) : least(over(missing, bid), toUnits(base.available));
  const text = toText(amount, market.amountDecimals);
  if (toUnits(text) < toUnits(market.minOrderSize)) return { weightPercent };
  return { weightPercent, order: { side: isBuy ? 'BUY' : 'SELL', amount: text } };
}
