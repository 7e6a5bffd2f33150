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

export interface Measured extends Placed {
  readonly subjects: Readonly<Record<LimitKind, string>>;
  readonly faceValue: Decimal;
  /** What will be open of it. */
  readonly due: Decimal;
  readonly days: number;
}

/** @param originatorId who sends the contract: its assignor, where it names none */
export function measure(contract: PlacedContract, originatorId: string, today: string): Measured {
  const { position, externalId, debtorDocument, assignorDocument, type, debtorUf } = contract;
  return {
    ...{ position, externalId },
    subjects: {
      DEBTOR: debtorDocument,
      DEBTOR_GROUP: groupOf(debtorDocument),
      ASSIGNOR: assignorDocument ?? originatorId,
      TYPE: type ?? 'CCB',
      UF: debtorUf ?? '',
      AVERAGE_TERM: '',
    },
    faceValue: new Decimal(contract.faceValue),
    due: new Decimal(amountDue(contract)),
    days: Math.max(daysBetween(today, contract.dueDate), 0),
  };
}

interface Subject {
  /** In percent times BRL, or days times BRL: within the limit while it is at most the maximum times the base. */
  load: Decimal;
  /** The contracts that add to what is above the limit, in their order. */
  readonly contracts: Measured[];
}

interface Gauge {
  readonly limit: Limit;
  readonly max: Decimal;
  /** In BRL. */
  base: Decimal;
  readonly subjects: ReadonlyMap<string, Subject>;
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
  const total = new Decimal(isPurchase ? await portfolioTotal(context, batch.patrimonyId) : 0);
  const gauges: Gauge[] = [];
  for (const limit of limits) gauges.push(await gaugeOf(context, batch, limit, total, contracts));
  if (batch.isPartial) await refuseUntilWithin(gauges, findings);
  else
    for (const gauge of gauges)
      for (const subject of gauge.subjects.values())
        if (isAbove(gauge, subject))
          for (const contract of subject.contracts) await refuse(findings, gauge, subject, contract);
  await findings.flush();
}

async function gaugeOf(
  context: Context,
  { patrimonyId, today, criteria }: LimitedBatch,
  limit: Limit,
  total: Decimal,
  contracts: readonly Measured[],
): Promise<Gauge> {
  const { kind, base: on } = limit;
  const max = new Decimal(limit.maxShare ?? limit.maxDays ?? 0);
  let base = on === 'NET_WORTH' ? new Decimal(criteria.netWorth ?? 0) : on === 'PORTFOLIO' ? total : new Decimal(0);
  const subjects = new Map<string, Subject>();
  await eachInTurns(contracts, (contract) => {
    if (on !== 'NET_WORTH') base = base.plus(amountIn(limit, contract));
    if (!isCompared(limit, contract)) return;
    const name = contract.subjects[kind];
    const subject = subjects.get(name) ?? { load: new Decimal(0), contracts: [] };
    subjects.set(name, subject);
    subject.load = subject.load.plus(loadOf(limit, contract));
    if (kind !== 'AVERAGE_TERM' || max.lessThan(contract.days)) subject.contracts.push(contract);
  });
  const held = on === 'BATCH' ? [] : await loadsOf(context, { patrimonyId, today, kind }, [...subjects.keys()]);
  for (const { subject: name, load } of held) {
    const subject = subjects.get(name);
    if (subject !== undefined)
      subject.load = subject.load.plus(new Decimal(load).times(kind === 'AVERAGE_TERM' ? 1 : 100));
  }
  return { limit, max, base, subjects };
}

/** Whether a limit compares a contract; one that it does not compare is still a part of the base. */
function isCompared({ type }: Limit, { subjects }: Measured): boolean {
  return type === null || type === subjects.TYPE;
}

function amountIn({ base }: Limit, { faceValue, due }: Measured): Decimal {
  return base === 'BATCH' ? faceValue : due;
}

function loadOf(limit: Limit, contract: Measured): Decimal {
  return amountIn(limit, contract).times(limit.kind === 'AVERAGE_TERM' ? contract.days : 100);
}

function isAbove({ max, base }: Gauge, { load }: Subject): boolean {
  return load.greaterThan(max.times(base));
}

/** Refuses contracts until no limit is exceeded by any that remain. */
async function refuseUntilWithin(gauges: readonly Gauge[], findings: Findings): Promise<void> {
  const queues = gauges.map((gauge) => {
    const entries = [...gauge.subjects.values()].map((subject) => ({ subject, load: subject.load }));
    // Loads only fall: one that has fallen since it was queued is queued anew when its turn comes.
    return { gauge, queue: new TinyQueue(entries, (one, other) => other.load.comparedTo(one.load)) };
  });
  const refused = new Set<Measured>();
  const slice = slicer();
  for (let before = -1; before < refused.size;) {
    before = refused.size;
    for (const { gauge, queue } of queues)
      for (let top = queue.pop(); top !== undefined; top = queue.pop()) {
        if (slice.isOver()) await slice.next();
        const { subject } = top;
        if (!top.load.equals(subject.load)) {
          queue.push({ subject, load: subject.load });
          continue;
        }
        if (!isAbove(gauge, subject)) {
          queue.push(top);
          break;
        }
        const last = subject.contracts.pop();
        // What is left was in the portfolio before, and no purchase of others adds to it.
        if (last === undefined) continue;
        if (!refused.has(last)) {
          await refuse(findings, gauge, subject, last);
          refused.add(last);
          for (const each of gauges) release(each, last);
        }
        queue.push({ subject, load: subject.load });
      }
  }
}

function release(gauge: Gauge, contract: Measured): void {
  const { limit, subjects } = gauge;
  if (limit.base !== 'NET_WORTH') gauge.base = gauge.base.minus(amountIn(limit, contract));
  const subject = isCompared(limit, contract) ? subjects.get(contract.subjects[limit.kind]) : undefined;
  if (subject !== undefined) subject.load = subject.load.minus(loadOf(limit, contract));
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

async function refuse(
  findings: Findings,
  { limit, max, base }: Gauge,
  { load }: Subject,
  contract: Measured,
): Promise<void> {
  // Rounded up, so that what is above a limit also reads so.
  const reached = load.dividedBy(base).toFixed(limit.kind === 'AVERAGE_TERM' ? 1 : 4, Decimal.ROUND_UP);
  findings.add('CRITERIA', contract, [[fields[limit.kind], limitExceeded(limit, reached, max.toString())]]);
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

/** Returns what can still be bought of one subject: of a portfolio, what is bought is a part of it afterwards. */
function roomOf({ base: on }: Limit, share: Decimal, base: Decimal, used: Decimal | string): string | null {
  const room = share.times(base).minus(used);
  if (room.isNegative()) return '0.00';
  if (on === 'NET_WORTH') return truncate(room, 2).toFixed(2);
  return share.equals(1) ? null : truncate(room.dividedBy(new Decimal(1).minus(share)), 2).toFixed(2);
}
