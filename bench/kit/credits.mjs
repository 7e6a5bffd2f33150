import { cpfCheckDigits } from '../../dist/shared/kernel/tax-id.js';

/** Creates contracts as an originator sends them, which meet the wide criteria of the demo's estates. */
export function contractsOf(count, prefix) {
  return Array.from({ length: count }, (_, index) => {
    const base = String(100_000_000 + index);
    return {
      externalId: `${prefix}-${index}`,
      debtorDocument: `${base}${cpfCheckDigits(base)}`,
      faceValue: (100_000 + index) / 100,
      dueDate: '2050-01-31',
    };
  });
}

/** Returns the id of the first estate of the demo. */
export async function firstEstate(url) {
  const { items } = await (await fetch(`${url}/public/patrimonies?limit=1`)).json();
  return items[0].id;
}
