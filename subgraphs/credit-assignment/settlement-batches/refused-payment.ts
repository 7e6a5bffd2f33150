import { loadCalendar, type Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { daysBetween } from '../../../shared/kernel/calendar/days.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal, round, sum } from '../../../shared/kernel/decimal.js';
import { formatCurrency, formatDate } from '../../../shared/kernel/format/format.js';
import { slicer } from '../../../shared/kernel/turns.js';
import { dayCounts, type DayCount } from '../../securities/day-count.js';
import { brokenRule, type BrokenRule } from '../batches/broken-rule.js';
import type { SettlementKind } from './check-settlements.js';
import {
  discountedReceivables,
  refusedByBalances,
  type DiscountedReceivable,
  type Entries,
  type RefusedSettlement,
  type Refusal,
} from './settlement.store.js';

/** Returns the payments that cannot be accepted with the present receivables, at most `limit` of them: by balances, and where these allow all, by the rates of discounts. */
export async function refusalOf(
  context: Context,
  creditBatchId: string,
  entries: Entries,
  limit: number,
): Promise<Refusal> {
  const refusal = await refusedByBalances(context, creditBatchId, entries, limit);
  if (refusal.total > 0 || !entries.anyDiscount) return refusal;
  const growthOf = memoizedGrowth(await loadCalendar(context.manager));
  const receivables = await discountedReceivables(context, creditBatchId, entries);
  const refused: RefusedSettlement[] = [];
  const slice = slicer();
  for (const one of receivables) {
    if (slice.isOver()) await slice.next();
    refused.push(...discountsAbove(one, growthOf));
  }
  refused.sort((one, other) => one.position - other.position);
  return { refused: refused.slice(0, limit), total: refused.length, anySettled: false };
}

/**
 * Returns the discounts of a receivable that exceed its rate. Amounts paid and discounted on one day are an early payment; it covers the instalments due
 * first, after the other payments of the batch and the early payments of days before. Their discount is at most the difference to their present value on
 * that day, Σ amount / (1 + rate)^(days / days of the year), rounded half up to cents.
 */
function discountsAbove(
  { lines, externalId, ...receivable }: DiscountedReceivable,
  growthOf: GrowthOf,
): RefusedSettlement[] {
  const isEarly = ({ kind }: (typeof lines)[number]) => kind !== 'ABATEMENT' && kind !== 'SUBSTITUTION';
  const days = [...new Set(lines.flatMap(({ kind, day }) => (kind === 'DISCOUNT' ? day : [])))].sort();
  const others = lines.filter((line) => !isEarly(line) || !days.includes(line.day));
  let covered = sum(others.map(({ amount }) => amount));
  return days.flatMap((day) => {
    const early = lines.filter((line) => isEarly(line) && line.day === day);
    const through = covered.plus(sum(early.map(({ amount }) => amount)));
    const most = largestDiscount(receivable, { covered, through, day }, growthOf);
    covered = through;
    const discounts = early.filter(({ kind }) => kind === 'DISCOUNT');
    const given = sum(discounts.map(({ amount }) => amount));
    const position = discounts.at(-1)?.position;
    if (given.lessThanOrEqualTo(most) || position === undefined) return [];
    const known = { paymentReference: null, settledAmount: null, settledDate: null, kind: null, surplus: null };
    const figures = { openBalance: null, paid: given.toFixed(2), most: most.toFixed(2), successor: null, known };
    return { position, kind: 'DISCOUNT' as const, externalId, ...figures };
  });
}

/** Returns how much less what is open between two sums of the earliest due instalments is worth on a day, in BRL. */
function largestDiscount(
  { unpaid, interestRate, dayCount }: Omit<DiscountedReceivable, 'lines' | 'externalId'>,
  { covered, through, day }: { readonly covered: Decimal; readonly through: Decimal; readonly day: string },
  growthOf: GrowthOf,
): Decimal {
  if (interestRate === null || dayCount === null) return new Decimal(0);
  let [reached, nominal, present] = [new Decimal(0), new Decimal(0), new Decimal(0)];
  for (const one of unpaid) {
    const before = reached;
    reached = reached.plus(one.unpaid);
    const part = Decimal.min(reached, through).minus(Decimal.max(before, covered));
    if (!part.isPositive() || part.isZero()) continue;
    nominal = nominal.plus(part);
    present = present.plus(one.due > day ? part.div(growthOf(interestRate, dayCount, day, one.due)) : part);
  }
  return nominal.minus(round(present, 2));
}

/** Returns the growth of an amount from a day to a later one at a rate in percent a year. */
type GrowthOf = (rate: string, dayCount: DayCount, day: string, due: string) => Decimal;

/** A power of decimals takes about a millisecond, and the contracts of a batch share rates and days. */
function memoizedGrowth(calendar: Calendar): GrowthOf {
  const known = new Map<string, Decimal>();
  return (rate, dayCount, day, due) => {
    const key = [rate, dayCount, day, due].join(' ');
    const growth =
      known.get(key) ??
      new Decimal(rate)
        .div(100)
        .plus(1)
        .pow(yearsBetween(day, due, dayCount, calendar));
    known.set(key, growth);
    return growth;
  };
}

/** Returns none beyond the table of holidays, whose business days cannot be counted. */
function yearsBetween(day: string, due: string, dayCount: DayCount, calendar: Calendar): Decimal {
  const { basis, yearDays } = dayCounts[dayCount];
  try {
    const days = basis === 'BUS252' ? calendar.businessDaysBetween(day, due) : daysBetween(day, due);
    return new Decimal(days).div(yearDays);
  } catch (error) {
    if (error instanceof RangeError) return new Decimal(0);
    throw error;
  }
}

/** Returns the field of a payment that the present balances and payments refuse, and the rule that it breaks. */
export function refusedBy({
  kind,
  openBalance,
  paid,
  most,
  successor,
  known,
}: RefusedSettlement): readonly [
  field: 'contractId' | 'settledAmount' | 'paymentReference' | 'substituteId',
  rule: BrokenRule,
] {
  if (kind === 'UNKNOWN') return ['contractId', unknownReceivable];
  if (kind === 'CHANGED' || kind === 'REVERSED') return ['paymentReference', usedReference(kind, known)];
  if (kind === 'REPLACED') return ['contractId', replacedReceivable(successor ?? '')];
  if (kind === 'SETTLED') return ['contractId', settledReceivable];
  if (kind === 'UNFIT') return ['substituteId', unfitSubstitute];
  if (kind === 'UNCLOSED') return ['settledAmount', leftOpen(paid, openBalance ?? '0')];
  if (kind === 'DISCOUNT') return ['settledAmount', aboveRate(paid, most ?? '0')];
  return ['settledAmount', aboveBalance(paid, openBalance ?? '0')];
}

const unknownReceivable = brokenRule(
  'CONTRACT_UNKNOWN',
  'is not the id of a receivable of the credit batch',
  'não é o id de um recebível do lote de cessão',
);

const settledReceivable = brokenRule(
  'RECEIVABLE_SETTLED',
  'is a receivable that is already settled',
  'é um recebível que já foi liquidado',
);

function replacedReceivable(successor: string): BrokenRule {
  return brokenRule(
    'RECEIVABLE_REPLACED',
    `is a receivable that was written off, and its contract is assigned again as ${successor}: pay that one`,
    `é um recebível que foi baixado, e seu contrato foi cedido de novo como ${successor}: informe o pagamento dele`,
  );
}

function aboveBalance(paid: string, openBalance: string): BrokenRule {
  return brokenRule(
    'AMOUNT_ABOVE_BALANCE',
    `brings the payments of this batch to ${paid}, but the open balance of the receivable is ${openBalance}. Late interest and fines of a payment go into surplus`,
    `eleva os pagamentos deste lote a ${formatCurrency(paid)}, mas o saldo em aberto do recebível é ${formatCurrency(openBalance)}. Juros de mora e multa de um pagamento vão em surplus`,
  );
}

const unfitSubstitute = brokenRule(
  'SUBSTITUTE_UNFIT',
  'must be another open receivable of the same client and estate that owes at least as much, is not in this batch, and takes the place of no other',
  'deve ser outro recebível em aberto do mesmo cliente e patrimônio que deva pelo menos o mesmo valor, não esteja neste lote e não substitua outro',
);

function leftOpen(paid: string, openBalance: string): BrokenRule {
  return brokenRule(
    'RECEIVABLE_LEFT_OPEN',
    `closes the receivable, but this batch takes ${paid} off an open balance of ${openBalance}`,
    `encerra o recebível, mas este lote abate ${formatCurrency(paid)} de um saldo em aberto de ${formatCurrency(openBalance)}`,
  );
}

function aboveRate(given: string, most: string): BrokenRule {
  return brokenRule(
    'DISCOUNT_ABOVE_RATE',
    `brings the discounts of this day to ${given}, but by the rate of the contract what is paid early allows at most ${most}`,
    `eleva os descontos deste dia a ${formatCurrency(given)}, mas pela taxa do contrato o que se antecipa permite no máximo ${formatCurrency(most)}`,
  );
}

const kindNames: Readonly<Record<SettlementKind, readonly [noun: string, nounPt: string]>> = {
  PAYMENT: ['payment', 'o pagamento'],
  ABATEMENT: ['abatement', 'o abatimento'],
  DISCOUNT: ['discount', 'o desconto'],
  REPURCHASE: ['repurchase', 'a recompra'],
  SUBSTITUTION: ['substitution', 'a substituição'],
};

function usedReference(kind: 'CHANGED' | 'REVERSED', known: RefusedSettlement['known']): BrokenRule {
  const { paymentReference, settledAmount, settledDate, surplus } = known;
  const [noun, nounPt] = kindNames[known.kind ?? 'PAYMENT'];
  const amounts = [settledAmount ?? '0', ...(surplus === null || new Decimal(surplus).isZero() ? [] : [surplus])];
  const [reference, day] = [paymentReference ?? '', settledDate ?? ''];
  const payment = `the ${noun} ${reference} of ${amounts.join(' + ')} on ${day}`;
  const amountsPt = amounts.map((amount) => formatCurrency(amount)).join(' + ');
  const paymentPt = `${nounPt} ${reference} de ${amountsPt} em ${formatDate(day)}`;
  return kind === 'CHANGED'
    ? brokenRule(
        'PAYMENT_REFERENCE_CHANGED',
        `identifies ${payment}: send that payment unchanged, or use another reference for another payment`,
        `identifica ${paymentPt}: envie esse pagamento sem mudança, ou use outra referência para outro pagamento`,
      )
    : brokenRule(
        'PAYMENT_REFERENCE_REVERSED',
        `identifies ${payment} and was reversed: use another reference for the payment that replaces it`,
        `identifica ${paymentPt}, com estorno: use outra referência para o que entra em seu lugar`,
      );
}
