import { Decimal, round, sum } from '../../../shared/kernel/decimal.js';
import { fillBands, type BandStart, type Filled, type LatenessGroup } from './bands.js';

export interface ProvisioningBand extends BandStart {
  /** Risk class. */
  readonly label: string;
  /** Percent of the balance that is provisioned. */
  readonly rate: Decimal;
}

/**
 * The default matrix, for operations without their own: the risk classes of Resolução CMN (BCB) 2.682/1999 by days late
 * (article 4) with their minimum provisions (article 6). Article 4 defines no class below 15 days; here a credit without
 * delay counts as AA and one of up to 14 days as A.
 */
export const houseMatrix: readonly ProvisioningBand[] = (
  [
    [0, 'AA', '0'],
    [1, 'A', '0.5'],
    [15, 'B', '1'],
    [31, 'C', '3'],
    [61, 'D', '10'],
    [91, 'E', '30'],
    [121, 'F', '50'],
    [151, 'G', '70'],
    [181, 'H', '100'],
  ] as const
).map(([fromDays, label, rate]) => ({ fromDays, label, rate: new Decimal(rate) }));

export interface Provisioning {
  readonly matrix: 'HOUSE' | 'OPERATION';
  readonly bands: readonly (Filled<ProvisioningBand> & { readonly provision: Decimal })[];
  readonly total: Decimal;
}

/**
 * Provisions a portfolio: the balance of each band times its rate, rounded to the cent per band.
 * @param own the operation's own matrix in order of `fromDays`; empty for the default one. Balances less late than its
 *   first band are not provisioned.
 */
export function provision(groups: readonly LatenessGroup[], own: readonly ProvisioningBand[]): Provisioning {
  const bands = fillBands(own.length === 0 ? houseMatrix : fromZero(own), groups).map((band) => ({
    ...band,
    provision: round(band.balance.times(band.rate).div(100), 2),
  }));
  return {
    matrix: own.length === 0 ? 'HOUSE' : 'OPERATION',
    bands,
    total: sum(bands.map((band) => band.provision)),
  };
}

function fromZero(bands: readonly ProvisioningBand[]): readonly ProvisioningBand[] {
  const unprovisioned = { fromDays: 0, label: 'Sem provisão', rate: new Decimal(0) };
  return bands[0]?.fromDays === 0 ? bands : [unprovisioned, ...bands];
}
