import { addDays, addMonths, lastDayOf } from '../../../shared/kernel/calendar/days.js';
import { reais } from '../../securities/demo/credits.js';
import type { Indexer } from '../../securities/indexer.js';
import type { Random } from '../../../shared/kernel/random.js';
import { company, person, type Debtor } from '../../securities/demo/people.js';
import type { Project } from './projects.js';

/** A credit as a line of the contracts file, and its month ends as lines of the positions file. */
export interface CreditLines {
  readonly contract: readonly string[];
  readonly positions: readonly (readonly string[])[];
}

export const contractColumns =
  'operationTicker;externalId;debtorName;debtorDocument;type;status;originalValue;outstandingBalance;indexer;rate;issueDate;maturityDate;installments;paidInstallments;daysLate;overdueValue;uf;collateralValue;positionDate;writtenOffDate';
export const positionColumns =
  'operationTicker;contractExternalId;month;openingBalance;scheduledPrincipal;prepaidPrincipal;closingBalance;daysLate;overdueValue';

export interface CreditsTask {
  readonly random: Random;
  readonly project: Project;
  /** The day of the position; earlier month ends are included too. */
  readonly today: string;
  readonly months: readonly MonthEnd[];
  /** Total outstanding balance of all credits, in cents. */
  readonly balance: bigint;
}

export interface MonthEnd {
  /** `YYYY-MM`. */
  readonly month: string;
  /** Calendar days from its end to the day of the position. */
  readonly daysAgo: number;
}

/** Returns the months before a day, latest first. */
export function monthsBefore(today: string, count: number): MonthEnd[] {
  return Array.from({ length: count }, (_, at) => {
    const month = addMonths(today.slice(0, 7), -1 - at);
    return { month, daysAgo: Math.round((Date.parse(today) - Date.parse(lastDayOf(month))) / 86_400_000) };
  });
}

/** Generates the portfolio of an operation: a few large debtors and many small ones, most of them punctual. Amounts are whole cents. */
export function makeCredits({ random, project, today, months, balance }: CreditsTask): CreditLines[] {
  const debtors = makeDebtors(random, project);
  const weights = Array.from(
    { length: project.contracts },
    () => 40 + Math.floor(random.int(1, 1000) ** 3 / 2_000_000),
  );
  const whole = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
  return weights.map((weight, at) =>
    makeCredit({
      random,
      project,
      today,
      months,
      debtor: random.pick(debtors),
      at,
      share: (balance * BigInt(weight)) / whole,
    }),
  );
}

function makeDebtors(random: Random, { type, contracts }: Project): Debtor[] {
  const companies = type === 'DEB' || type === 'CRA' ? 70 : 12;
  return Array.from({ length: Math.ceil(contracts * 0.85) }, () =>
    random.chance(companies) ? company(random) : person(random),
  );
}

interface CreditTask extends Omit<CreditsTask, 'balance'> {
  readonly debtor: Debtor;
  readonly at: number;
  readonly share: bigint;
}

const terms: Readonly<Record<Project['type'], readonly number[]>> = {
  CRI: [60, 120, 180, 240],
  CRA: [12, 24, 36],
  CR: [12, 24, 36, 48],
  DEB: [36, 60, 84],
};
export const kindOf: Readonly<Record<Project['type'], readonly string[]>> = {
  CRI: ['CCI', 'CCB'],
  CRA: ['CPR', 'CDCA'],
  CR: ['CCB'],
  DEB: ['Contrato', 'CCB'],
};
const indexersOf: Readonly<Record<Project['type'], readonly Indexer[]>> = {
  CRI: ['IPCA', 'IPCA', 'IGPM', 'TR', 'PREFIXED'],
  CRA: ['PREFIXED', 'CDI', 'USD'],
  CR: ['PREFIXED'],
  DEB: ['IPCA', 'CDI'],
};

function makeCredit(task: CreditTask): CreditLines {
  const { random, project, today, debtor, at, share } = task;
  const term = random.pick(terms[project.type]);
  const paid = random.int(Math.min(9, term - 3), Math.max(10, Math.floor(term * 0.7)));
  const issued = `${addMonths(today.slice(0, 7), -paid)}-${String(random.int(1, 28)).padStart(2, '0')}`;
  const issueDate = issued > today ? today : issued;
  const settled = random.chance(3);
  const daysLate = settled ? 0 : lateness(random, project);
  const missed = Math.min(paid, Math.ceil(daysLate / 30));
  const externalId = `${project.ticker}-${String(at + 1).padStart(6, '0')}`;
  const quota = share / BigInt(term - paid + missed) + 1n;
  const past = pastOf({ ...task, settled, daysLate, quota, issueDate });
  const original = past.opening + quota * BigInt(Math.max(1, paid - task.months.length));
  const collateral =
    project.type !== 'CR' && random.chance(85) ? (original * BigInt(random.int(75, 210))) / 100n : null;
  const contract = {
    externalId,
    debtor,
    type: random.pick(kindOf[project.type]),
    status: statusOf(settled, daysLate),
    value: original,
    balance: settled ? 0n : share,
    indexer: random.pick(indexersOf[project.type]),
    rate: BigInt(random.int(600, 2200)),
    issueDate,
    maturityDate: `${addMonths(issueDate.slice(0, 7), term)}-${issueDate.slice(8)}`,
    installments: term,
    paidInstallments: settled ? term : paid - missed,
    daysLate,
    overdue: overdueOf(daysLate, quota, settled ? 0n : share),
    collateral,
    positionDate: today,
  };
  return toLines(project, contract, past.positions);
}

/** A contract in its current state. Amounts in cents. */
export interface Contract {
  readonly externalId: string;
  readonly debtor: Debtor;
  readonly type: string;
  readonly status: string;
  readonly value: bigint;
  readonly balance: bigint;
  readonly indexer: Indexer;
  /** Hundredths of a percent a year. */
  readonly rate: bigint;
  readonly issueDate: string;
  readonly maturityDate: string;
  readonly installments: number;
  readonly paidInstallments: number;
  readonly daysLate: number;
  /** Due and unpaid. */
  readonly overdue: bigint;
  readonly collateral: bigint | null;
  readonly positionDate: string;
}

export function toLines(
  { ticker }: Project,
  contract: Contract,
  positions: readonly (readonly string[])[],
): CreditLines {
  // One operation does not say what of its credits is overdue.
  const knowsOverdue = ticker !== 'CR-SAUDE';
  return {
    contract: [
      ticker,
      contract.externalId,
      contract.debtor.name,
      contract.debtor.document,
      contract.type,
      contract.status,
      reais(contract.value),
      reais(contract.balance),
      contract.indexer,
      reais(contract.rate),
      day(contract.issueDate),
      day(contract.maturityDate),
      String(contract.installments),
      String(contract.paidInstallments),
      String(contract.daysLate),
      knowsOverdue ? reais(contract.overdue) : '',
      contract.debtor.uf ?? '',
      contract.collateral === null ? '' : reais(contract.collateral),
      day(contract.positionDate),
      contract.status === 'WRITTEN_OFF' ? day(writtenOffOn(contract)) : '',
    ],
    positions: positions.map((position) => [
      ticker,
      contract.externalId,
      ...(knowsOverdue ? position : [...position.slice(0, -1), '']),
    ]),
  };
}

/** Draws the number of days late: higher for the operation that is in default. */
function lateness(random: Random, { status }: Project): number {
  const draw = random.int(1, 1000) - (status === 'Inadimplente' ? 250 : 0);
  if (draw > 110) return 0;
  if (draw > 55) return random.int(1, 30);
  if (draw > 32) return random.int(31, 60);
  if (draw > 20) return random.int(61, 120);
  return draw > 6 ? random.int(121, 360) : random.int(361, 700);
}

/** Returns the instalments that are due and unpaid: one a month, at most the whole balance. */
export function overdueOf(daysLate: number, quota: bigint, balance: bigint): bigint {
  const due = quota * BigInt(Math.ceil(daysLate / 30));
  return due < balance ? due : balance;
}

const writeOffAfter = 540;

/** Returns the first day on which a contract was more than `writeOffAfter` days late, or the day of its position if it never was. */
function writtenOffOn({ positionDate, daysLate, issueDate }: Contract): string {
  const date = addDays(positionDate, Math.min(0, writeOffAfter + 1 - daysLate));
  return date > issueDate ? date : issueDate;
}

export function statusOf(settled: boolean, daysLate: number): string {
  if (settled) return 'SETTLED';
  if (daysLate > writeOffAfter) return 'WRITTEN_OFF';
  return daysLate > 90 ? 'DEFAULTED' : 'ACTIVE';
}

interface Past extends Pick<CreditTask, 'random' | 'months' | 'share'> {
  readonly settled: boolean;
  readonly daysLate: number;
  readonly quota: bigint;
  readonly issueDate: string;
}

/** Computes positions backwards month by month from the current balance, so that each month opens with the closing balance of the previous one. */
export function pastOf({ random, months, share, settled, daysLate, quota, issueDate }: Past) {
  const positions: string[][] = [];
  let owed = settled ? 0n : share;
  const settledIn = settled ? random.int(0, months.length - 1) : -1;
  for (const [at, { month, daysAgo }] of months.entries()) {
    if (month < issueDate.slice(0, 7)) break;
    if (at < settledIn) continue;
    const late = Math.max(0, daysLate - daysAgo);
    const closing = owed;
    // Late debtors pay nothing; a settled credit is paid in full; a few of the others prepay.
    let prepaid = 0n;
    if (at === settledIn) prepaid = share;
    else if (late === 0 && random.chance(2)) prepaid = (closing * BigInt(random.int(2, 40))) / 100n;
    owed = late > 0 ? closing : closing + quota + prepaid;
    const overdue = overdueOf(late, quota, closing);
    positions.unshift([monthOf(month), ...[owed, quota, prepaid, closing].map(reais), String(late), reais(overdue)]);
  }
  return { positions, opening: owed };
}

function day(date: string): string {
  return `${date.slice(8)}/${date.slice(5, 7)}/${date.slice(0, 4)}`;
}

/** Formats `2026-12` as `12/2026`. */
export function monthOf(month: string): string {
  return `${month.slice(5)}/${month.slice(0, 4)}`;
}
