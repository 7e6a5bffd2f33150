import { Decimal, round, sum } from '../../../shared/kernel/decimal.js';
import { fillBands, type BandStart, type Filled, type LatenessGroup } from '../../securities/aging.js';

export interface ProvisioningBand extends BandStart {
  /** Stage, or the name of the operation's own band. */
  readonly label: string;
  /** Percent of the balance that is provisioned. */
  readonly rate: Decimal;
}

const band = (fromDays: number, label: string, rate: Decimal | string): ProvisioningBand => ({
  fromDays,
  label,
  rate: new Decimal(rate),
});

/** Months of default from which the whole balance of a credit is provisioned. */
const wholeAfterMonths = 15;

/**
 * The default matrix, for operations without their own: the three stages of Resolução CMN 4.966/2021 (articles 37 and 38: the second from 31 days late, the
 * third from 91) at the levels of Resolução BCB 352/2023 for credits without collateral (portfolio C5, article 81): the levels of Annex II by days late
 * before default, of Annex I by months of default after it (50 %, 3.4 more in each month, all from the 15th on). Default begins after 90 days (article 76,
 * § 2); a month of it is counted as 30 days.
 */
export const houseMatrix: readonly ProvisioningBand[] = [
  band(0, 'Estágio 1', '1.9'),
  band(15, 'Estágio 1', '7.5'),
  band(31, 'Estágio 2', '15'),
  band(61, 'Estágio 2', '38'),
  ...Array.from({ length: wholeAfterMonths }, (_, months) =>
    band(91 + 30 * months, 'Estágio 3', new Decimal('3.4').times(months).plus(50)),
  ),
  band(91 + 30 * wholeAfterMonths, 'Estágio 3', '100'),
];

export interface Provisioning {
  readonly matrix: 'HOUSE' | 'OPERATION';
  readonly bands: readonly (Filled<ProvisioningBand> & { readonly provision: Decimal })[];
  readonly total: Decimal;
}

/** Adds up the balance of each band times its rate, rounded to the cent per band. @param own matrix in order of `fromDays`, empty for the default; balances before its first band are not provisioned */
export function provision(groups: readonly LatenessGroup[], own: readonly ProvisioningBand[]): Provisioning {
  const bands = fillBands(own.length === 0 ? houseMatrix : fromZero(own), groups).map((band) => ({
    ...band,
    provision: round(band.balance.times(band.rate).div(100), 2),
  }));
  return { matrix: own.length === 0 ? 'HOUSE' : 'OPERATION', bands, total: sum(bands.map((band) => band.provision)) };
}

function fromZero(bands: readonly ProvisioningBand[]): readonly ProvisioningBand[] {
  const unprovisioned = { fromDays: 0, label: 'Sem provisão', rate: new Decimal(0) };
  return bands[0]?.fromDays === 0 ? bands : [unprovisioned, ...bands];
}
