import type { ErrorDetail } from '../shared/errors.js';

/** What the operator types for an argument of the graph that has another name, or is an option. */
const typed: ReadonlyMap<string, string> = new Map([
  ['accountId', '--account'],
  ['accrueUntil', '--accrue-until'],
  ['allowedNetworks', '--allow'],
  ['amountDecimals', '--amount-decimals'],
  ['anniversaryDay', '--day'],
  ['block', '--block'],
  ['collarPercent', '--collar'],
  ['creditBatchId', '--credit-batch'],
  ['deployedBlock', '--block'],
  ['everyMonths', '--every'],
  ['expiresAt', '--expires'],
  ['firstMonth', '--first-month'],
  ['graceInterest', '--grace-interest'],
  ['installmentNumber', '<instalment>'],
  ['interest', '--interest'],
  ['interestGrace', '--interest-grace'],
  ['interestValue', '--interest'],
  ['makerFee', '--maker-fee'],
  ['maxDailyVolume', '--max-daily-volume'],
  ['maxDebtorShare', '--max-debtor-share'],
  ['maxFaceValue', '--max'],
  ['maxOpenOrders', '--max-open-orders'],
  ['maxOrderValue', '--max-order-value'],
  ['maxQuotedValue', '--max-quoted-value'],
  ['maxTermDays', '--max-term'],
  ['minFaceValue', '--min'],
  ['minOrderSize', '--min-order-size'],
  ['number', '<instalment>'],
  ['originatorId', '--originator'],
  ['paid', '--paid'],
  ['paidAmount', '--paid'],
  ['paidOn', '--on'],
  ['percentageDecimals', '--decimals'],
  ['priceDecimals', '--price-decimals'],
  ['principal', '--principal'],
  ['principalGrace', '--principal-grace'],
  ['principalValue', '--principal'],
  ['profileId', '--profile'],
  ['profileMaxDailyVolume', '--profile-max-daily-volume'],
  ['profileMaxOpenOrders', '--profile-max-open-orders'],
  ['publicKey', '--public-key'],
  ['rateLimit', '--rate-limit'],
  ['reason', '--reason'],
  ['spreadTiers', '--spread-tiers'],
  ['takerFee', '--taker-fee'],
]);

/**
 * Returns the line for one error of an input, with the word that the operator typed: `paidOn must …` as `--on must …`, `terms.makerFee must …` as
 * `--maker-fee must …`.
 * @param own the words of a command that differ from those of the others
 */
export function lineOfDetail({ path, message }: ErrorDetail, own: Readonly<Record<string, string>> = {}): string {
  const steps = path.split('.');
  for (const [index, step] of steps.entries()) {
    const [name = ''] = step.split('[', 1);
    const word = own[name] ?? typed.get(name);
    if (word === undefined) continue;
    const rest = [word + step.slice(name.length), ...steps.slice(index + 1)].join('.');
    return `${rest} ${message}`;
  }
  return `${path} ${message}`;
}
