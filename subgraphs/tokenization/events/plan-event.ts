import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal, sum, truncate } from '../../../shared/kernel/decimal.js';
import { hasMoreCharacters } from '../../../shared/kernel/echo.js';
import { refuse, type ErrorDetail, errorAt } from '../../../shared/kernel/errors.js';
import { entryName, type ScheduleEntryRow } from '../schedule/schedule.store.js';
import type { TrancheRow } from '../tranches/tranche.store.js';
import { paidOf } from '../schedule/payment.js';
import { policyOf } from '../price-runs/policy-of.js';
import { requirePolicy } from '../unit-price/policy.js';
import { unitsOn, waivedShares } from './entry-values.js';
import type { EventKind, EventTerms, PlannedInstalment, TrancheEventRow } from './event.store.js';

type KindTerm = Exclude<keyof EventTerms, 'kind' | 'day' | 'amount' | 'reason' | 'document'>;
/** The terms that each kind needs, and those that it may have. */
const termsOf: Readonly<Record<EventKind, readonly (readonly KindTerm[])[]>> = {
  EXTRA_AMORTIZATION: [['percent'], ['premiumRule', 'premiumPercent']],
  EARLY_REDEMPTION: [[], ['premiumRule', 'premiumPercent']],
  PARTIAL_REDEMPTION: [['quantity'], ['lot', 'premiumRule', 'premiumPercent']],
  INCORPORATION: [[], []],
  GRACE: [['through'], ['interestEvent']],
  LATE_PAYMENT: [['installmentNumber'], []],
  WAIVER: [['installmentNumber'], ['percent']],
};
export const kindTerms = [...new Set(Object.values(termsOf).flat(2))];

/** Whether events of a kind change the schedule; the others say something of an instalment. */
export const changesSchedule = (kind: EventKind) => kind !== 'LATE_PAYMENT' && kind !== 'WAIVER';

const unitForm = /^[1-9]\d{0,17}$/;
/** Planned while the percentage of an amount is not known. */
export const leastShare = '0.00000001';
const decimals: readonly string[] = ['percent', 'amount', 'premiumPercent'];

/** Returns the standing event that was declared with the same kind, day, terms and document; the reason may be another. */
export function sameEvent({ events }: Planned, given: EventTerms): TrancheEventRow | undefined {
  // The percentage of a stated amount depends on what is left.
  const terms = kindTerms.filter((term) => term !== 'percent' || given.amount === null);
  const equal = (one: TrancheEventRow, term: keyof EventTerms) =>
    one[term] === given[term] ||
    (decimals.includes(term) && one[term] !== null && given[term] !== null && new Decimal(one[term]).eq(given[term]));
  return events.find((one) =>
    (['kind', 'day', 'amount', 'document', ...terms] as const).every((term) => equal(one, term)),
  );
}

export interface Planned {
  readonly series: TrancheRow;
  readonly rows: readonly ScheduleEntryRow[];
  readonly events: readonly TrancheEventRow[];
}

export interface Plan {
  readonly replaced: readonly PlannedInstalment[];
  readonly ended: readonly number[];
  /** The rows that it adds and changes. */
  readonly put: readonly ScheduleEntryRow[];
  readonly after: readonly ScheduleEntryRow[];
  /** Instalments after its day, where its premium is made of them, with percentages of the balance. */
  readonly remaining: readonly PlannedInstalment[];
}

/** @param number of the event @throws {ApiError} UNPROCESSABLE with everything that is wrong with the terms */
export function planEvent(
  planned: Planned,
  terms: EventTerms,
  { number, calendar }: { readonly number: number; readonly calendar: Calendar },
): Plan {
  const { kind, day } = terms;
  const changesRows = changesSchedule(kind);
  const issuesOfKind = changesRows ? dayIssues : instalmentIssues;
  const issues = [...termIssues(terms), ...issuesOfKind(planned, terms, calendar)];
  const { changed = [], ended = [], added = [] } = changesRows ? changesOf(planned, terms, number, issues) : {};
  refuse('UNPROCESSABLE', issues);
  const touched = new Set([...changed, ...ended].map(({ installmentNumber }) => installmentNumber));
  const replaced = planned.rows.filter((row) => touched.has(row.installmentNumber));
  const after = [...planned.rows.filter((row) => !touched.has(row.installmentNumber)), ...changed, ...added].sort(
    byDay,
  );
  try {
    requirePolicy(policyOf(planned.series, after));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    refuse('UNPROCESSABLE', [{ path: 'kind', message: error.message }]);
  }
  return {
    replaced: replaced.map(plannedInstalment),
    ended: ended.map(({ installmentNumber }) => installmentNumber),
    put: [...changed, ...added],
    after,
    remaining: terms.premiumRule === 'YEARLY' || terms.premiumRule === 'MAKE_WHOLE' ? remainingOf(planned, day) : [],
  };
}

function remainingOf({ series, rows }: Planned, day: string): PlannedInstalment[] {
  let left = series.amortizationOf === 'BALANCE' ? undefined : leftOn(rows.filter((row) => row.calculationDate <= day));
  return rows
    .filter(({ calculationDate }) => calculationDate > day)
    .map((row) => {
      const share = new Decimal(row.amortizationPercentage);
      const own = left === undefined ? share : left.isZero() ? left : share.div(left).times(100);
      left = left?.minus(share);
      return { ...plannedInstalment(row), amortizationPercentage: own.toFixed() };
    });
}

function plannedInstalment(row: ScheduleEntryRow): PlannedInstalment {
  const { installmentNumber, calculationDate, dueDate, interestEvent, amortizationPercentage } = row;
  const { interestPercentage, principalPercentage, status } = row;
  return {
    ...{ installmentNumber, calculationDate, dueDate, interestEvent, amortizationPercentage },
    ...{ interestPercentage, principalPercentage, status },
  };
}

/** Returns the rest of 100 percent that some rows leave. */
const leftOn = (rows: readonly PlannedInstalment[]) =>
  new Decimal(100).minus(sum(rows.map(({ amortizationPercentage }) => amortizationPercentage)));

const byDay = (one: PlannedInstalment, other: PlannedInstalment) =>
  one.calculationDate < other.calculationDate
    ? -1
    : one.calculationDate > other.calculationDate
      ? 1
      : other.installmentNumber - one.installmentNumber;

function termIssues(terms: EventTerms): ErrorDetail[] {
  const { kind, amount, percent, premiumRule, premiumPercent } = terms;
  const [needed = [], possible = []] = termsOf[kind];
  const issues: ErrorDetail[] = [];
  for (const field of needed)
    if (terms[field] === null && (field !== 'percent' || amount === null)) issues.push(errorAt(field, 'EVENT_NEEDS'));
  const value = new Decimal(amount ?? 1);
  if (value.lte(0) || value.dp() > 2 || (amount !== null && (percent !== null || kind !== 'EXTRA_AMORTIZATION')))
    issues.push(errorAt('amount', 'EVENT_AMOUNT'));
  for (const field of kindTerms)
    if (terms[field] !== null && !needed.includes(field) && !possible.includes(field))
      issues.push(errorAt(field, 'EVENT_WITHOUT'));
  if (possible.includes('premiumRule') && (premiumRule === null) !== (premiumPercent === null))
    issues.push(errorAt(premiumRule === null ? 'premiumRule' : 'premiumPercent', 'EVENT_NEEDS'));
  const isWithin = (value: string | null, above: number, most: number) =>
    value === null || (new Decimal(value).gt(above) && new Decimal(value).lte(most) && new Decimal(value).dp() <= 8);
  if (!isWithin(percent, 0, 100)) issues.push(errorAt('percent', 'EVENT_PERCENT', { above: 0, most: 100 }));
  // A rate that discounts may be below zero.
  const above = premiumRule === 'MAKE_WHOLE' ? -1 : 0;
  if (!isWithin(premiumPercent, above, 1000))
    issues.push(errorAt('premiumPercent', 'EVENT_PERCENT', { above, most: 1000 }));
  for (const field of ['lot', 'document'] as const)
    if (hasMoreCharacters(terms[field] ?? '', 500)) issues.push(errorAt(field, 'TEXT_TOO_LONG', { max: 500 }));
    else if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(terms[field] ?? '')) issues.push(errorAt(field, 'ONE_LINE'));
  if (terms.quantity !== null && !unitForm.test(terms.quantity)) issues.push(errorAt('quantity', 'EVENT_UNITS'));
  return issues;
}

const isPaid = (row: ScheduleEntryRow) => new Decimal(paidOf(row).totalValue).gt(0);
/** One that pays nothing is marked as paid on its day, and its interest was used then. */
const isEnded = (row: ScheduleEntryRow) => row.status === 'PAID' || isPaid(row);

/** Returns the errors in the day of an event that changes the schedule, such as a later instalment that is paid. */
function dayIssues(
  { series, rows, events }: Planned,
  { kind, day, through, premiumRule }: EventTerms,
  calendar: Calendar,
): ErrorDetail[] {
  const last = rows.at(-1)?.calculationDate ?? '';
  const issues: ErrorDetail[] = [];
  if (day <= series.remunerationStartDate || day > last)
    issues.push(errorAt('day', 'EVENT_DAY', { first: series.remunerationStartDate, last: last || '—' }));
  else if (kind !== 'GRACE' && !calendar.isBusinessDay(day)) issues.push(errorAt('day', 'EVENT_BUSINESS_DAY'));
  // On the day of an instalment an event follows it, so that it may be paid; a grace and an incorporation change it.
  const changesRow = ({ calculationDate }: ScheduleEntryRow) =>
    (kind === 'GRACE' || kind === 'INCORPORATION') && calculationDate >= day && calculationDate <= (through ?? day);
  const paid = rows.find((row) => (row.calculationDate > day && isPaid(row)) || (changesRow(row) && isEnded(row)));
  if (paid !== undefined) issues.push(errorAt('day', 'EVENT_PAID', { number: entryName(paid.installmentNumber) }));
  const later = events.find((event) => event.day > day && changesSchedule(event.kind));
  if (later !== undefined) issues.push(errorAt('day', 'EVENT_LATER', { number: entryName(-later.number) }));
  const other = rows.find(
    ({ calculationDate, installmentNumber, interestEvent }) =>
      calculationDate === day &&
      ((kind === 'INCORPORATION' && installmentNumber < 0) ||
        (kind === 'EARLY_REDEMPTION' &&
          (interestEvent === 'INCORPORATED' || (installmentNumber < 0 && interestEvent === 'ACCRUED')))),
  );
  if (other !== undefined) issues.push(errorAt('day', 'EVENT_BESIDE', { number: entryName(other.installmentNumber) }));
  if (through !== null && through < day) issues.push(errorAt('through', 'EVENT_THROUGH'));
  if (premiumRule === 'MAKE_WHOLE' && series.indexer === 'DI') issues.push(errorAt('premiumRule', 'EVENT_MAKE_WHOLE'));
  return issues;
}

function instalmentIssues(
  { series, rows, events }: Planned,
  { kind, day, installmentNumber, percent }: EventTerms,
  calendar: Calendar,
): ErrorDetail[] {
  const row = rows.find((one) => one.installmentNumber > 0 && one.installmentNumber === installmentNumber);
  const number = String(installmentNumber);
  const issues: ErrorDetail[] = [];
  if (day <= series.remunerationStartDate)
    issues.push(errorAt('day', 'EVENT_DAY_AFTER', { first: series.remunerationStartDate }));
  else if (kind === 'LATE_PAYMENT' && row !== undefined && day <= calendar.following(row.dueDate))
    issues.push(errorAt('day', 'EVENT_NOT_LATE', { due: row.dueDate }));
  if (installmentNumber !== null && row === undefined)
    issues.push(errorAt('installmentNumber', 'EVENT_INSTALMENT', { number }));
  else if (row?.status === 'PAID') issues.push(errorAt('installmentNumber', 'EVENT_PAID', { number }));
  const left = new Decimal(100).minus(sum(row === undefined ? [] : waivedShares(row, events)));
  if (kind === 'WAIVER' && left.lt(percent ?? 100) && left.lt(100))
    issues.push(errorAt('percent', 'EVENT_WAIVED', { left: left.toFixed() }));
  // Throws for a day that the calendar does not cover.
  if (issues.length === 0) calendar.following(day);
  return issues;
}

interface Changes {
  readonly changed?: readonly ScheduleEntryRow[];
  readonly ended?: readonly ScheduleEntryRow[];
  readonly added?: readonly ScheduleEntryRow[];
}

/** @param issues gets what would leave nothing of the series, or change nothing, unless its field has an issue already */
function changesOf(planned: Planned, terms: EventTerms, number: number, issues: ErrorDetail[]): Changes {
  const impossible = (issue: ErrorDetail) => {
    if (issues.every(({ path }) => path !== issue.path)) issues.push(issue);
    return {};
  };
  const { series, rows, events } = planned;
  const { kind, day, percent, quantity } = terms;
  const onDay = rows.filter(({ calculationDate }) => calculationDate === day);
  const later = rows.filter(({ calculationDate }) => calculationDate > day);
  const until = series.amortizationOf === 'BALANCE' ? onDay : rows.filter((row) => row.calculationDate <= day);
  const left = leftOn(until);
  const own = (interestEvent: ScheduleEntryRow['interestEvent'], share: Decimal | string) =>
    entryOf(series.id, number, day, interestEvent, new Decimal(share).toFixed());
  if (kind === 'GRACE') return graceOf(planned, terms) ?? impossible(errorAt('through', 'EVENT_GRACE'));
  if (left.lte(0)) return impossible(errorAt('day', 'EVENT_NOTHING_LEFT'));
  if (kind === 'INCORPORATION') {
    const [instalment] = onDay.filter(({ installmentNumber }) => installmentNumber > 0);
    return instalment === undefined
      ? { added: [own('INCORPORATED', '0')] }
      : { changed: [{ ...instalment, interestEvent: 'INCORPORATED', interestPercentage: '0' }] };
  }
  if (kind === 'EARLY_REDEMPTION') return { ended: later, added: [own('PAID', left)] };
  if (kind === 'PARTIAL_REDEMPTION') {
    const most = new Decimal(unitsOn(series.tokenQuantity, events, day, number)).minus(1);
    if (unitForm.test(quantity ?? '') && most.lt(quantity ?? 0))
      return impossible(errorAt('quantity', 'EVENT_ALL_UNITS', { most: most.toFixed() }));
    return { added: [own('ACCRUED', '0')] };
  }
  const share = new Decimal(percent ?? leastShare);
  if (share.gte(left)) return impossible(errorAt('percent', 'EVENT_WHOLE', { left: left.toFixed() }));
  const added = [own('PAID', share)];
  // Parts of the issue value add up to all of it: what is left of them shrinks in proportion.
  return series.amortizationOf === 'BALANCE' ? { added } : { added, changed: shrunk(later, left, left.minus(share)) };
}

function shrunk(later: readonly ScheduleEntryRow[], from: Decimal, to: Decimal): ScheduleEntryRow[] {
  const amortizing = later.filter(({ amortizationPercentage }) => !new Decimal(amortizationPercentage).isZero());
  const reduced = (share: Decimal | string) => truncate(new Decimal(share).times(to).div(from), 8);
  let unassigned = reduced(sum(amortizing.map((row) => row.amortizationPercentage)));
  return amortizing.map((row, index) => {
    const share = index === amortizing.length - 1 ? unassigned : reduced(row.amortizationPercentage);
    unassigned = unassigned.minus(share);
    return { ...row, amortizationPercentage: share.toFixed(8) };
  });
}

/** Returns the instalments of a grace. Their amortization stays in the balance, or is added to the last instalment's. */
function graceOf({ series, rows }: Planned, { day, through, interestEvent }: EventTerms): Changes | undefined {
  const instalments = rows.filter(({ installmentNumber }) => installmentNumber > 0);
  const spared = instalments.filter(
    ({ calculationDate }) => calculationDate >= day && calculationDate <= (through ?? day),
  );
  const last = instalments.at(-1);
  if (last === undefined || spared.length === 0 || spared.includes(last)) return undefined;
  const changed = spared.map((row): ScheduleEntryRow => {
    const event = interestEvent ?? row.interestEvent;
    const pays = event === 'PAID' ? '100' : '0';
    const [interestPercentage, principalPercentage] = [row.interestPercentage && pays, row.principalPercentage && '0'];
    return { ...row, amortizationPercentage: '0', interestEvent: event, interestPercentage, principalPercentage };
  });
  const moved = sum(spared.map(({ amortizationPercentage }) => amortizationPercentage));
  if (series.amortizationOf === 'BALANCE' || moved.isZero()) return { changed };
  const amortizationPercentage = moved.plus(last.amortizationPercentage).toFixed(8);
  return { changed: [...changed, { ...last, amortizationPercentage }] };
}

/** Returns the row of what an event pays, before it has a price. */
function entryOf(
  trancheId: string,
  number: number,
  day: string,
  interestEvent: ScheduleEntryRow['interestEvent'],
  amortizationPercentage: string,
): ScheduleEntryRow {
  return {
    ...{ trancheId, installmentNumber: -number, calculationDate: day, dueDate: day },
    ...{ interestEvent, amortizationPercentage },
    ...{ interestPercentage: null, principalPercentage: null, status: 'PENDING', paidOn: null },
    ...{ interestValue: null, principalValue: null, premiumValue: '0.00', totalValue: null },
    ...{ recordedInterest: '0.00', recordedPrincipal: '0.00', recordedPremium: '0.00' },
  };
}
