import type { Context } from '../../../shared/kernel/context.js';
import { keyset, type OpenPage } from '../../../shared/graphql/list-page.js';
import type { PaymentWindow } from '../../securities/payments.js';
import type { PaymentFacts, PaymentSums, PaymentsOfOperation } from './operation-payment.type.js';

/** Selects payments of public operations; null fields do not narrow the list. */
export interface PaymentQuery extends PaymentWindow {
  readonly operationIds: readonly string[] | null;
  /** The day as of which statuses are. */
  readonly today: string;
  /** The last due date of which an unpaid payment is overdue. */
  readonly overdueUntil: string;
}

const source = `issuances.payments AS payment
  JOIN issuances.operations AS operation ON operation.id = payment.operation_id AND operation.is_public
  LEFT JOIN issuances.series AS series ON series.id = payment.series_id`;

const { status } = paymentStatusSql('$4', '$5');

/** The rule of `amountsOf` as SQL; what was expected in the past is not kept. */
function amounts({ asOf }: Context) {
  const projected =
    asOf === undefined ? '(payment.total_value IS NULL AND payment.projected_total IS NOT NULL)' : 'false';
  const amount = (name: string) =>
    `CASE WHEN ${projected} THEN payment.projected_${name} ELSE payment.${name}_value END`;
  const total = amount('total');
  const open = `CASE WHEN payment.paid_date <= $4 THEN payment.total_value * 0 ELSE coalesce(payment.open_value, ${total}) END::numeric(24, 2)`;
  return { projected, interest: amount('interest'), principal: amount('principal'), total, open };
}

const matches = `($1::uuid[] IS NULL OR operation.id = ANY ($1)) AND ($2::date IS NULL OR payment.due_date >= $2)
  AND ($3::date IS NULL OR payment.due_date <= $3) AND ($6::text IS NULL OR ${status} = $6)`;

function valuesOf({ operationIds, from, to, today, overdueUntil, status: wanted }: PaymentQuery): unknown[] {
  return [operationIds, from, to, today, overdueUntil, wanted];
}

/** Returns payments in the order in which the page is read: by due date and id, one more than it holds if there are more. */
export function listPayments(
  context: Context,
  query: PaymentQuery,
  { limit, backward, position: [dueDate, id] }: Pick<OpenPage, 'limit' | 'backward' | 'position'>,
): Promise<PaymentFacts[]> {
  const { beyond, direction } = keyset('ASC', { backward });
  const { projected, interest, principal, total, open } = amounts(context);
  return context.manager.rows<PaymentFacts>(
    `SELECT payment.id, operation.ticker AS "operationTicker", operation.name AS "operationName",
       series.ticker AS "seriesTicker", payment.installment_number AS "installmentNumber", payment.event,
       payment.due_date::text AS "dueDate", payment.paid_date::text AS "paidDate", ${status} AS status,
       ${interest} AS "interestValue", ${principal} AS "principalValue", ${total} AS "totalValue", ${open} AS "openValue",
       ${projected} AS projected
     FROM ${source} WHERE ${matches} AND ($7::date IS NULL OR (payment.due_date, payment.id) ${beyond} ($7, $8::uuid))
     ORDER BY payment.due_date ${direction}, payment.id ${direction} LIMIT $9`,
    [...valuesOf(query), dueDate ?? null, id ?? null, limit + 1],
  );
}

/** A sum over no payments is 0; one over payments of which none has a known amount is not known. */
const sumOf = (known: string) => `CASE WHEN count(*) = 0 THEN '0.00' ELSE (${known})::text END`;

// A payment without a total is in no sum: its principal may be known, but principal and total would then be sums of different payments.
function sums(context: Context): string {
  const { projected, interest, principal, total, open } = amounts(context);
  const known = `FILTER (WHERE ${total} IS NOT NULL)`;
  return `count(*)::int AS count, (count(*) FILTER (WHERE ${projected}))::int AS "projectedCount",
    (count(*) - count(${total}))::int AS "withoutValue", ${sumOf(`sum(${interest}) ${known}`)} AS "interestValue",
    ${sumOf(`sum(${principal}) ${known}`)} AS "principalValue", ${sumOf(`sum(${total})`)} AS "totalValue", ${sumOf(`sum(${open})`)} AS "openValue"`;
}

export function addUpPayments(context: Context, query: PaymentQuery): Promise<PaymentSums> {
  return context.manager.one<PaymentSums>(`SELECT ${sums(context)} FROM ${source} WHERE ${matches}`, valuesOf(query));
}

/** Returns the sums of the operations that have payments in the list, the largest total first. */
export function addUpPaymentsByOperation(
  context: Context,
  query: PaymentQuery,
  most: number,
): Promise<PaymentsOfOperation[]> {
  return context.manager.rows<PaymentsOfOperation>(
    `SELECT operation.ticker AS "operationTicker", operation.name AS "operationName", ${sums(context)}
     FROM ${source} WHERE ${matches} GROUP BY operation.id, operation.ticker, operation.name
     ORDER BY coalesce(sum(${amounts(context).total}), 0) DESC, operation.id LIMIT $7`,
    [...valuesOf(query), most],
  );
}

/** Writes the rule of `paymentStatus` as SQL over `payment`, as a test compares; OVERDUE is a condition of its own, for which an index by the due date can be used. Parameters are placeholders. */
export function paymentStatusSql(today: string, overdueUntil: string) {
  const [paid, late] = [`payment.paid_date <= ${today}`, `payment.due_date <= ${overdueUntil}`];
  return {
    status: `CASE WHEN ${paid} THEN 'PAID' WHEN ${late} THEN 'OVERDUE' ELSE 'PENDING' END`,
    isOverdue: `((${paid}) IS NOT TRUE AND ${late})`,
  };
}
