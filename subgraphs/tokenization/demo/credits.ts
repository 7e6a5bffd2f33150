import { company, person } from '../../../shared/demo/people.js';
import type { Random } from '../../../shared/demo/random.js';
import type { AssetType } from '../assets/asset.js';
import { addMonths, dayOfMonth } from '../unit-price/months.js';
import type { Estate } from './estates.js';

export const assetColumns =
  'patrimonyTicker;externalId;type;status;debtorName;debtorDocument;originalValue;currentBalance;interestRate;installments;batchName';
export const installmentColumns = 'patrimonyTicker;assetExternalId;installmentNumber;dueDate;amount;paidAmount;paidOn';

/** A credit as a line of the one file, and its instalments as lines of the other. */
export interface DemoCredit {
  readonly asset: readonly string[];
  readonly installments: readonly (readonly string[])[];
}

export interface CreditsTask {
  readonly random: Random;
  readonly today: string;
  readonly estate: Estate;
}

interface Form {
  /** Whole reais. */
  readonly value: readonly [min: number, max: number];
  /** Hundredths of a percent a year. */
  readonly rate: readonly [min: number, max: number];
  readonly installments: readonly number[];
  readonly everyMonths: number;
  readonly ofCompanies: boolean;
}

const forms: Readonly<Record<AssetType, Form>> = {
  CCB: {
    value: [4000, 90_000],
    rate: [1500, 3200],
    installments: [6, 12, 18, 24],
    everyMonths: 1,
    ofCompanies: false,
  },
  CRI: { value: [200_000, 2_500_000], rate: [900, 1300], installments: [24, 36], everyMonths: 1, ofCompanies: true },
  CRA: { value: [80_000, 1_800_000], rate: [1100, 1700], installments: [4, 6, 8], everyMonths: 3, ofCompanies: true },
  DEBENTURE: {
    value: [500_000, 9_000_000],
    rate: [900, 1400],
    installments: [6, 10],
    everyMonths: 6,
    ofCompanies: true,
  },
  PRECATORIO: { value: [60_000, 1_400_000], rate: [0, 700], installments: [1], everyMonths: 1, ofCompanies: true },
};

/** How a debtor has paid so far. */
interface Conduct {
  /** Instalments that fell due and were not paid. */
  readonly missed: number;
  readonly status: '' | 'WRITTEN_OFF';
  readonly settled: boolean;
}

/** The credits of an estate: most of them punctual, some late, in default, settled or written off. */
export function makeCredits(task: CreditsTask): DemoCredit[] {
  return Array.from({ length: task.estate.credits.count }, (_, at) => makeCredit(task, at));
}

function makeCredit({ random, today, estate }: CreditsTask, at: number): DemoCredit {
  const { type } = estate.credits;
  const form = forms[type];
  const count = random.pick(form.installments);
  const conduct = conductOf(random, estate, form);
  const elapsed = elapsedOf(random, count, conduct, type);
  const debtor = form.ofCompanies || random.chance(12) ? company(random) : person(random);
  const value = BigInt(random.int(...form.value)) * 100n;
  const rate = BigInt(random.int(...form.rate));
  const patrimony = `PAT-${estate.ticker}`;
  const externalId = `${estate.ticker}-${type}-${String(at + 1).padStart(5, '0')}`;
  const paid = conduct.settled ? count : Math.max(0, elapsed - conduct.missed);
  // Interest over half of the time that the principal is out, spread over the instalments.
  const interest = (value * rate * BigInt(count * form.everyMonths)) / 240_000n;
  const amount = (value + interest) / BigInt(count);
  const firstMonth = addMonths(today.slice(0, 7), -elapsed * form.everyMonths);
  const dueDay = random.int(1, 28);
  // The last one that fell due did so this month, or the month before.
  const ahead = today.slice(8) > String(dueDay).padStart(2, '0') ? 1 : 0;
  const dueDates = Array.from({ length: count }, (_, index) =>
    dayOfMonth(addMonths(firstMonth, (index + ahead) * form.everyMonths), dueDay),
  );
  const partly = conduct.missed > 0 && random.chance(30);
  const part = partly ? amount / 3n : 0n;
  return {
    asset: [
      patrimony,
      externalId,
      type,
      conduct.status,
      debtor.name,
      debtor.document,
      reais(value),
      reais(openPrincipal(value, amount * BigInt(count), amount * BigInt(count - paid) - part)),
      `${rate / 100n},${String(rate % 100n).padStart(2, '0')}`,
      String(count),
      at % 7 === 0 ? '' : `Lote ${firstMonth}`,
    ],
    installments: dueDates.map((dueDate, index) => {
      const whole = index < paid;
      return [
        patrimony,
        externalId,
        String(index + 1),
        dueDate,
        reais(amount),
        index === paid && partly ? reais(part) : '',
        whole ? paidOn(random, dueDate, today) : '',
      ];
    }),
  };
}

/**
 * The part of the principal that is open, which is the balance of every credit of the demo. Principal is amortized in the
 * proportion in which the instalments are paid, parts of them included; acts that record payments keep to the same
 * (`assets/asset-payment.ts`). Rounded half up to a cent.
 */
function openPrincipal(value: bigint, due: bigint, open: bigint): bigint {
  return (2n * value * open + due) / (2n * due);
}

function conductOf(random: Random, { status }: Estate, { everyMonths, installments }: Form): Conduct {
  const inOrder = { missed: 0, status: '', settled: false } as const;
  if (status === 'CLOSED') return { ...inOrder, settled: true };
  if (status === 'DRAFT' || installments.length === 1) return inOrder;
  const draw = random.int(1, 100);
  if (draw <= 8) return { ...inOrder, settled: true };
  // Instalments that lie months apart are in default with the second one that is missed.
  const many = Math.ceil(5 / everyMonths) + (everyMonths > 3 ? 0 : 1);
  if (draw <= 15) return { ...inOrder, missed: Math.max(2, many) };
  if (draw <= 17) return { missed: Math.max(2, many), status: 'WRITTEN_OFF', settled: false };
  return draw <= 27 ? { ...inOrder, missed: 1 } : inOrder;
}

/** How many instalments have fallen due. */
function elapsedOf(random: Random, count: number, { missed, settled }: Conduct, type: AssetType): number {
  if (settled) return count;
  if (type === 'PRECATORIO') return -random.int(2, 30);
  return Math.min(count - 1, Math.max(missed + 1, random.int(1, Math.ceil(count * 0.6))));
}

/** Most pay on the day; some up to five days late, none in the future. */
function paidOn(random: Random, dueDate: string, today: string): string {
  if (random.chance(80) && dueDate < today) return dueDate;
  const later = new Date(Date.parse(dueDate) + random.int(-3, 5) * 86_400_000).toISOString().slice(0, 10);
  return later < today ? later : new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
}

/** Cents as a Brazilian amount: `1.234,56`. */
function reais(cents: bigint): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.')},${digits.slice(-2)}`;
}
