import { company, person, type Debtor } from './people.js';
import { addDays, addMonths } from '../../../shared/kernel/calendar/days.js';
import { createRandom, type Random } from '../../../shared/kernel/random.js';

/** An invented credit, the same in every part of the demo. Amounts are in cents. */
export interface DemoCredit {
  readonly externalId: string;
  readonly type: CreditType;
  readonly debtor: Debtor;
  readonly value: bigint;
  /** The outstanding part of the value, amortized in proportion to the instalments paid, including partial payments. */
  readonly balance: bigint;
  /** Hundredths of a percent a year. */
  readonly rate: bigint;
  readonly everyMonths: number;
  /** The month of the first instalment, `YYYY-MM`, before due dates move on by one interval if their day of this month has passed. */
  readonly batchMonth: string;
  readonly isWrittenOff: boolean;
  readonly installments: readonly DemoInstallment[];
}

export interface DemoInstallment {
  /** A day, `YYYY-MM-DD`. */
  readonly dueDate: string;
  readonly amount: bigint;
  /** The amount paid so far, if only part of it was. */
  readonly part: bigint;
  /** The day of full payment; null until then. */
  readonly paidOn: string | null;
}

export type CreditType = keyof typeof forms;

export interface DemoPortfolio {
  readonly type: CreditType;
  readonly count: number;
}

/** Portfolios that are shown twice: as the contracts of an operation, without debtors, and as the public assets of the estate behind it; generated from here, so that they are the same. */
export const sharedPortfolios = {
  AURORA: { type: 'CCB', count: 640 },
  VALEVERDE: { type: 'CCB', count: 560 },
  MOGIANA: { type: 'CRA', count: 320 },
  CONSIGNA: { type: 'CCB', count: 820 },
  EDUCA: { type: 'CCB', count: 300 },
  CITRUS: { type: 'CRA', count: 140 },
  RODOVIA: { type: 'DEBENTURE', count: 70 },
} as const satisfies Readonly<Record<SharedPortfolio, DemoPortfolio>>;
export const portfolioNames = ['AURORA', 'VALEVERDE', 'MOGIANA', 'CONSIGNA', 'EDUCA', 'CITRUS', 'RODOVIA'] as const;
export type SharedPortfolio = (typeof portfolioNames)[number];

export interface CreditsTask extends DemoPortfolio {
  readonly seed: string;
  readonly today: string;
  /** The prefix of the external ids; another name yields other credits. */
  readonly name: string;
  /** Whether the debtors have paid everything (`CLOSED`) or start without arrears (`DRAFT`). */
  readonly status: 'DRAFT' | 'ACTIVE' | 'CLOSED';
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

const forms = {
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
} as const satisfies Readonly<Record<string, Form>>;

interface Conduct {
  readonly missed: number;
  readonly isWrittenOff: boolean;
  readonly settled: boolean;
}

/** Generates the credits of a portfolio: most of them punctual, some late, in default, settled or written off. Deterministic for a given task. */
export function makeDemoCredits(task: CreditsTask): DemoCredit[] {
  const random = createRandom(`${task.seed} credits ${task.name}`);
  return Array.from({ length: task.count }, (_, at) => makeCredit(task, random, at));
}

function makeCredit({ today, name, type, status }: CreditsTask, random: Random, at: number): DemoCredit {
  const form: Form = forms[type];
  const count = random.pick(form.installments);
  const conduct = conductOf(random, status, form);
  const elapsed = elapsedOf(random, count, conduct, type);
  const debtor = form.ofCompanies || random.chance(12) ? company(random) : person(random);
  const value = BigInt(random.int(...form.value)) * 100n;
  const rate = BigInt(random.int(...form.rate));
  const paid = conduct.settled ? count : Math.max(0, elapsed - conduct.missed);
  // Interest over half of the term of the principal, spread over the instalments.
  const interest = (value * rate * BigInt(count * form.everyMonths)) / 240_000n;
  const amount = (value + interest) / BigInt(count);
  const firstMonth = addMonths(today.slice(0, 7), -elapsed * form.everyMonths);
  const dueDay = String(random.int(1, 28)).padStart(2, '0');
  // The latest instalment fell due this month or last month.
  const ahead = today.slice(8) > dueDay ? 1 : 0;
  const partly = conduct.missed > 0 && random.chance(30);
  const part = partly ? amount / 3n : 0n;
  return {
    externalId: `${name}-${type}-${String(at + 1).padStart(5, '0')}`,
    type,
    debtor,
    value,
    balance: openPrincipal(value, amount * BigInt(count), amount * BigInt(count - paid) - part),
    rate,
    everyMonths: form.everyMonths,
    batchMonth: firstMonth,
    isWrittenOff: conduct.isWrittenOff,
    installments: Array.from({ length: count }, (_, index) => {
      const dueDate = `${addMonths(firstMonth, (index + ahead) * form.everyMonths)}-${dueDay}`;
      return {
        dueDate,
        amount,
        part: index === paid ? part : 0n,
        paidOn: index < paid ? paidOn(random, dueDate, today) : null,
      };
    }),
  };
}

/** Returns the outstanding principal, amortized in proportion to the instalments paid, including partial payments. Rounded half up to a cent. */
function openPrincipal(value: bigint, due: bigint, open: bigint): bigint {
  return (2n * value * open + due) / (2n * due);
}

function conductOf(random: Random, status: CreditsTask['status'], { everyMonths, installments }: Form): Conduct {
  const inOrder = { missed: 0, isWrittenOff: false, settled: false };
  if (status === 'CLOSED') return { ...inOrder, settled: true };
  if (status === 'DRAFT' || installments.length === 1) return inOrder;
  const draw = random.int(1, 100);
  if (draw <= 8) return { ...inOrder, settled: true };
  // With instalments months apart, the second missed one already means default.
  const many = Math.ceil(5 / everyMonths) + (everyMonths > 3 ? 0 : 1);
  if (draw <= 15) return { ...inOrder, missed: Math.max(2, many) };
  if (draw <= 17) return { missed: Math.max(2, many), isWrittenOff: true, settled: false };
  return draw <= 27 ? { ...inOrder, missed: 1 } : inOrder;
}

function elapsedOf(random: Random, count: number, { missed, settled }: Conduct, type: CreditType): number {
  if (settled) return count;
  if (type === 'PRECATORIO') return -random.int(2, 30);
  return Math.min(count - 1, Math.max(missed + 1, random.int(1, Math.ceil(count * 0.6))));
}

/** Returns the day of a payment: mostly the due date, sometimes up to five days late, never in the future. */
function paidOn(random: Random, dueDate: string, today: string): string {
  if (random.chance(80) && dueDate < today) return dueDate;
  const later = addDays(dueDate, random.int(-3, 5));
  return later < today ? later : addDays(today, -1);
}

/** Formats cents as a Brazilian amount, `1.234,56`; also formats hundredths of a percent. */
export function reais(cents: bigint): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.')},${digits.slice(-2)}`;
}
