import { Decimal } from '../../../shared/decimal.js';
import type { Random } from '../../../shared/demo/random.js';
import type { Indexer } from '../../../shared/format/format.js';
import type { RiskClass } from '../../../shared/securities/risk-class.js';
import { isinCheckDigit } from '../import/model/isin.js';

/** Remuneration of a series. */
export interface Remuneration {
  readonly indexer: Indexer;
  readonly indexerPercent: string;
  readonly rate: string;
}

// Percent per year from a month on. Roughly historical; the last level applies to all later months.
const interbankRate: readonly (readonly [from: string, percent: string])[] = [
  ['2023-08', '13.15'],
  ['2024-02', '11.15'],
  ['2024-09', '10.65'],
  ['2025-01', '13.15'],
  ['2025-06', '14.90'],
  ['2026-06', '14.15'],
];
const yearlyPercent: Readonly<Record<Exclude<Indexer, 'CDI' | 'SELIC'>, string>> = {
  PREFIXED: '0',
  IPCA: '4.6',
  IGPM: '3.9',
  TR: '1.7',
  USD: '2.1',
};

const perDay = new Decimal(1).div(252);
const kept = new Map<string, Decimal>();

/** Returns the growth factor of a quota on a business day: the return of `percent` of the index times the rate, each compounded over 252 days. */
export function dailyFactor({ indexer, indexerPercent, rate }: Remuneration, day: string): Decimal {
  const level = levelOf(indexer, day);
  const key = `${level} ${indexerPercent} ${rate}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const index = daily(level).minus(1).times(indexerPercent).div(100).plus(1);
  const factor = index.times(daily(rate)).toDecimalPlaces(16);
  kept.set(key, factor);
  return factor;
}

function daily(percent: string): Decimal {
  return new Decimal(percent).div(100).plus(1).pow(perDay);
}

function levelOf(indexer: Indexer, day: string): string {
  if (indexer !== 'CDI' && indexer !== 'SELIC') return yearlyPercent[indexer];
  const month = day.slice(0, 7);
  return interbankRate.findLast(([from]) => from <= month)?.[1] ?? '13.65';
}

const hundred = '100';

/** Returns remunerations in the market's notation, in turn, so that every index occurs. Subordinated series earn more. */
export function remunerationFor(random: Random, turn: number, seniority: RiskClass): Remuneration {
  const extra = { SENIOR: 0, UNIQUE: 50, MEZZANINE: 250, JUNIOR: 500 }[seniority];
  const spread = (from: number, to: number) => new Decimal(random.int(from, to) + extra).div(100).toFixed(2);
  const forms: readonly (() => Remuneration)[] = [
    () => ({ indexer: 'CDI', indexerPercent: hundred, rate: spread(150, 420) }),
    () => ({ indexer: 'IPCA', indexerPercent: hundred, rate: spread(650, 920) }),
    () => ({ indexer: 'PREFIXED', indexerPercent: hundred, rate: spread(1280, 1550) }),
    () => ({ indexer: 'IPCA', indexerPercent: hundred, rate: spread(680, 980) }),
    () => ({ indexer: 'CDI', indexerPercent: String(random.int(104, 122)), rate: '0' }),
    () => ({ indexer: 'IGPM', indexerPercent: hundred, rate: spread(700, 950) }),
    () => ({ indexer: 'CDI', indexerPercent: hundred, rate: spread(180, 450) }),
    () => ({ indexer: 'USD', indexerPercent: hundred, rate: spread(550, 780) }),
    () => ({ indexer: 'TR', indexerPercent: hundred, rate: spread(900, 1150) }),
    () => ({ indexer: 'SELIC', indexerPercent: hundred, rate: spread(120, 300) }),
  ];
  const form = forms[turn % forms.length];
  if (form === undefined) throw new RangeError('There is no form for this turn');
  return form();
}

/** Returns an ISIN of the invented issuer, with its check digit. */
export function isinFor(type: 'CR' | 'CRI' | 'CRA' | 'DEB', turn: number): string {
  const base = `BRLSTR${{ CR: 'CRX', CRI: 'CRI', CRA: 'CRA', DEB: 'DBS' }[type]}${turn.toString(36).toUpperCase().padStart(2, '0')}`;
  return base + isinCheckDigit(base);
}

/** Returns a registrar's code for the series; its form depends on the type. */
export function ifCodeFor(random: Random, type: 'CR' | 'CRI' | 'CRA' | 'DEB', issueDate: string): string {
  const [year, month] = [issueDate.slice(2, 4), 'ABCDEFGHIJKL'.charAt(Number(issueDate.slice(5, 7)) - 1)];
  if (type === 'CRI') return `${year}${month}${random.digits(7)}`;
  if (type === 'CRA') return `CRA0${year}${random.digits(3)}${random.pick(['A', 'B', 'K', 'X'])}`;
  return type === 'DEB' ? `LSTR${random.digits(2)}` : `CR${year}${month}${random.digits(6)}`;
}
