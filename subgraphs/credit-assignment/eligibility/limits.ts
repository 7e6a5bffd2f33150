import TinyQueue from 'tinyqueue';
import type { Context } from '../../../shared/kernel/context.js';
import { daysBetween } from '../../../shared/kernel/calendar/days.js';
import { Decimal, truncate } from '../../../shared/kernel/decimal.js';
import { eachInTurns, slicer } from '../../../shared/kernel/turns.js';
import { amountDue } from '../credit-batches/check-contracts.js';
import { limitExceeded } from '../credit-batches/contract-rules.js';
import { limitsOf, type EligibilityCriteria, type Limit } from '../criteria/criteria.js';
import type { LimitKind } from '../criteria/criteria.type.js';
import type { PlacedContract } from './checked-contracts.js';
import type { Findings, Placed } from './findings.js';
import { groupOf, loadsOf, portfolioTotal, type Load } from './portfolio.store.js';

/** Data of a contract for limits. Amounts are in cents: for 50,000 contracts of as many debtors Decimals hold 38 MB, these 7. */
export interface Measured extends Placed {
  readonly debtor: string;
  readonly assignor: string;
  readonly type: string;
  readonly uf: string;
  readonly faceValue: bigint;
  /** Amount that will be open after the purchase. */
  readonly due: bigint;
  readonly days: number;
}

/** @param amount in BRL, with at most 2 decimals */
function cents(amount: string): bigint {
  return BigInt(new Decimal(amount).times(100).toFixed(0));
}

/** @param originatorId who sends the contract: its assignor, where it names none */
export function measure(contract: PlacedContract, originatorId: string, today: string): Measured {
  const { position, externalId, debtorDocument, assignorDocument, type, debtorUf, faceValue, installments } = contract;
  const face = cents(faceValue);
  return {
    ...{ position, externalId, debtor: debtorDocument },
    assignor: assignorDocument ?? originatorId,
    type: type ?? 'CCB',
    uf: debtorUf ?? '',
    faceValue: face,
    due: installments == null ? face : cents(amountDue(contract)),
    days: Math.max(daysBetween(today, contract.dueDate), 0),
  };
}

const subjectOf: Readonly<Record<LimitKind, (contract: Measured) => string>> = {
  DEBTOR: ({ debtor }) => debtor,
  DEBTOR_GROUP: ({ debtor }) => groupOf(debtor),
  ASSIGNOR: ({ assignor }) => assignor,
  TYPE: ({ type }) => type,
  UF: ({ uf }) => uf,
  AVERAGE_TERM: () => '',
};

interface Gauge {
  readonly limit: Limit;
  /** Times 10,000: a share has at most 4 decimals. */
  readonly max: bigint;
  /** In cents. */
  base: bigint;
  /** Load of each subject, in percent times cents, or days times cents: within the limit while it is at most the maximum times the base. */
  readonly loads: ReadonlyMap<string, bigint>;
}

interface ListedGauge extends Gauge {
  /** With the contracts that add to what is above the limit, in their order. */
  readonly subjects: ReadonlyMap<string, { load: bigint; readonly contracts: Measured[] }>;
}

export interface LimitedBatch {
  readonly patrimonyId: string;
  /** Civil date in São Paulo. */
  readonly today: string;
  readonly criteria: EligibilityCriteria;
  readonly isPartial: boolean;
}

/**
 * Applies the limits of the criteria to contracts, and adds an error to each that they refuse. With `isPartial` the contracts are those without other
 * errors, and the last one of the subject that is farthest above a limit is refused until none is above: each refusal also lowers what the limits are
 * measured on. Otherwise every contract of a subject above a limit has the error.
 */
export async function applyLimits(
  context: Context,
  batch: LimitedBatch,
  contracts: readonly Measured[],
  findings: Findings,
): Promise<void> {
  const limits = limitsOf(batch.criteria);
  const isPurchase = limits.some(({ base }) => base === 'PORTFOLIO');
  const total = isPurchase ? await portfolioTotal(context, batch.patrimonyId) : '0';
  const measured: Gauge[] = [];
  for (const limit of limits) measured.push(await gaugeOf(context, batch, limit, total, contracts));
  if (!measured.some((gauge) => [...gauge.loads.values()].some((load) => isAbove(gauge, load)))) return;
  const gauges: ListedGauge[] = [];
  for (const gauge of measured) gauges.push(await listSubjects(gauge, contracts));
  if (batch.isPartial) await refuseUntilWithin(gauges, findings);
  else
    for (const gauge of gauges)
      for (const { load, contracts: listed } of gauge.subjects.values())
        if (isAbove(gauge, load)) for (const contract of listed) await refuse(findings, gauge, load, contract);
  await findings.flush();
}

async function gaugeOf(
  context: Context,
  { patrimonyId, today, criteria }: LimitedBatch,
  limit: Limit,
  total: string,
  contracts: readonly Measured[],
): Promise<Gauge> {
  const { kind, base: on } = limit;
  let base = cents(on === 'NET_WORTH' ? (criteria.netWorth ?? '0') : on === 'PORTFOLIO' ? total : '0');
  const loads = new Map<string, bigint>();
  await eachInTurns(contracts, (contract) => {
    if (on !== 'NET_WORTH') base += amountIn(limit, contract);
    if (!isCompared(limit, contract)) return;
    const name = subjectOf[kind](contract);
    loads.set(name, (loads.get(name) ?? 0n) + loadOf(limit, contract));
  });
  const held = on === 'BATCH' ? [] : await loadsOf(context, { patrimonyId, today, kind }, [...loads.keys()]);
  for (const { subject: name, load } of held) {
    const own = loads.get(name);
    if (own !== undefined) loads.set(name, own + cents(load) * (kind === 'AVERAGE_TERM' ? 1n : 100n));
  }
  return { limit, max: BigInt(maxOf(limit).times(10_000).toFixed(0)), base, loads };
}

async function listSubjects(gauge: Gauge, contracts: readonly Measured[]): Promise<ListedGauge> {
  const { limit, max, loads } = gauge;
  const subjects = new Map(Array.from(loads, ([name, load]) => [name, { load, contracts: Array<Measured>() }]));
  await eachInTurns(contracts, (contract) => {
    if (isCompared(limit, contract) && (limit.kind !== 'AVERAGE_TERM' || max < BigInt(contract.days) * 10_000n))
      subjects.get(subjectOf[limit.kind](contract))?.contracts.push(contract);
  });
  return { ...gauge, subjects };
}

/** Whether a limit compares a contract; one that it does not compare is still a part of the base. */
function isCompared({ type }: Limit, contract: Measured): boolean {
  return type === null || type === contract.type;
}

function amountIn({ base }: Limit, { faceValue, due }: Measured): bigint {
  return base === 'BATCH' ? faceValue : due;
}

function loadOf(limit: Limit, contract: Measured): bigint {
  return amountIn(limit, contract) * (limit.kind === 'AVERAGE_TERM' ? BigInt(contract.days) : 100n);
}

function maxOf({ maxShare, maxDays }: Limit): Decimal {
  return new Decimal(maxShare ?? maxDays ?? 0);
}

function isAbove({ max, base }: Gauge, load: bigint): boolean {
  return load * 10_000n > max * base;
}

/** Refuses contracts until no limit is exceeded by any that remain. */
async function refuseUntilWithin(gauges: readonly ListedGauge[], findings: Findings): Promise<void> {
  const queues = gauges.map((gauge) => {
    const entries = [...gauge.subjects.values()].map((subject) => ({ subject, load: subject.load }));
    // Loads only fall: one that has fallen since it was queued is queued anew when its turn comes.
    return { gauge, queue: new TinyQueue(entries, (one, other) => Number(other.load - one.load)) };
  });
  const refused = new Set<Measured>();
  const slice = slicer();
  for (let before = -1; before < refused.size;) {
    before = refused.size;
    for (const { gauge, queue } of queues)
      for (let top = queue.pop(); top !== undefined; top = queue.pop()) {
        if (slice.isOver()) await slice.next();
        const { subject } = top;
        if (top.load !== subject.load) {
          queue.push({ subject, load: subject.load });
          continue;
        }
        if (!isAbove(gauge, subject.load)) {
          queue.push(top);
          break;
        }
        const last = subject.contracts.pop();
        // The rest of the load was in the portfolio before, and purchases from others do not add to it.
        if (last === undefined) continue;
        if (!refused.has(last)) {
          await refuse(findings, gauge, subject.load, last);
          refused.add(last);
          for (const each of gauges) release(each, last);
        }
        queue.push({ subject, load: subject.load });
      }
  }
}

function release(gauge: ListedGauge, contract: Measured): void {
  const { limit, subjects } = gauge;
  if (limit.base !== 'NET_WORTH') gauge.base -= amountIn(limit, contract);
  const subject = isCompared(limit, contract) ? subjects.get(subjectOf[limit.kind](contract)) : undefined;
  if (subject !== undefined) subject.load -= loadOf(limit, contract);
}

const fields = {
  DEBTOR: 'debtorDocument',
  DEBTOR_GROUP: 'debtorDocument',
  ASSIGNOR: 'assignorDocument',
  TYPE: 'type',
  UF: 'debtorUf',
  AVERAGE_TERM: 'dueDate',
} as const satisfies Record<LimitKind, keyof PlacedContract>;

/** Errors of so many contracts are handed on at once. */
const contractsPerFlush = 1_000;

async function refuse(findings: Findings, { limit, base }: Gauge, load: bigint, contract: Measured): Promise<void> {
  // Rounded up, so that what is above a limit also reads so.
  const reached = new Decimal(load.toString())
    .dividedBy(base.toString())
    .toFixed(limit.kind === 'AVERAGE_TERM' ? 1 : 4, Decimal.ROUND_UP);
  findings.add('CRITERIA', contract, [[fields[limit.kind], limitExceeded(limit, reached, maxOf(limit).toString())]]);
  await findings.flush(contractsPerFlush);
}

/** Returns how far a limit is used, in BRL with 2 decimals, by what its largest subjects have; room is null without an end. */
export function usageOf(limit: Limit, base: Decimal, loads: readonly Load[]) {
  const used = new Decimal(loads[0]?.load ?? 0);
  const none = { base: base.toFixed(2), averageDays: null, used: null, max: null, room: null, subjects: [] };
  if (limit.maxShare === null)
    return { ...none, averageDays: base.isZero() ? null : used.dividedBy(base).toFixed(1, Decimal.ROUND_UP) };
  const share = new Decimal(limit.maxShare).dividedBy(100);
  return {
    ...{ ...none, used: used.toFixed(2), max: truncate(share.times(base), 2).toFixed(2) },
    room: roomOf(limit, share, base, used),
    subjects: loads.map(({ load }) => ({
      amount: new Decimal(load).toFixed(2),
      share: base.isZero() ? '0.0000' : new Decimal(load).times(100).dividedBy(base).toFixed(4, Decimal.ROUND_UP),
      room: roomOf(limit, share, base, load),
    })),
  };
}

/** Returns the amount that can still be bought of one subject; a purchase also raises the base, if that is the portfolio. */
function roomOf({ base: on }: Limit, share: Decimal, base: Decimal, used: Decimal | string): string | null {
  const room = share.times(base).minus(used);
  if (room.isNegative()) return '0.00';
  if (on === 'NET_WORTH') return truncate(room, 2).toFixed(2);
  return share.equals(1) ? null : truncate(room.dividedBy(new Decimal(1).minus(share)), 2).toFixed(2);
}
