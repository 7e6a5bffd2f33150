import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command } from './command.js';
import { misused } from './misuse.js';
import { operate, shown } from './operate.js';
import { said } from './values.js';

const options = {
  amount: { type: 'string' },
  price: { type: 'string' },
  reason: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const orderCommand: Command = {
  usage: `Usage: npm run lastro -- order quarantine
       npm run lastro -- order resolve <execution id> filled --amount <amount> --price <price> --reason <why>
       npm run lastro -- order resolve <execution id> cancelled [--amount <amount> --price <price>] --reason <why>
       npm run lastro -- order resolve <execution id> rejected --reason <why>
       npm run lastro -- order resolve-hedge <hedge order id> filled|cancelled|rejected [--amount <amount> --price <price>] --reason <why>

quarantine  orders whose outcome at a venue could not be determined, with their unknown executions; their funds stay on hold
resolve     settles an execution according to the venue's own records: filled, cancelled (partly filled, with amount and
            price), or rejected, if the venue never accepted the order
resolve-hedge  the same for a hedge order that was looked up 12 times without result: "ledger hedges" lists it

  --amount  filled amount, in the base currency
  --price   average price of the filled amount, in the quote currency
  --reason  source of the information, for the audit log
  --json    prints the result as JSON

quarantine requires the role read, resolve and resolve-hedge the role trade. The server may be running. Exit code 0: done. 1: refused, with the reason on
standard error. 2: wrong use.`,
  run: (args) => {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    return actOf(positionals, values) ?? Promise.resolve(misused(orderCommand.usage, args));
  },
};

type Values = Readonly<Partial<Record<'amount' | 'price' | 'reason', string>>> & { readonly json?: boolean };

const outcomes: Readonly<Record<string, string>> = { filled: 'FILLED', cancelled: 'CANCELLED', rejected: 'REJECTED' };

function actOf([verb, id, word, ...more]: readonly string[], values: Values): Promise<number> | undefined {
  if (verb === 'quarantine') return id === undefined ? quarantine(values) : undefined;
  const outcome = word === undefined || !Object.hasOwn(outcomes, word) ? undefined : outcomes[word];
  if (id === undefined || outcome === undefined || values.reason === undefined || more.length > 0) return undefined;
  if (verb === 'resolve') return resolve(id, outcome, values);
  return verb === 'resolve-hedge' ? resolveHedge(id, outcome, values) : undefined;
}

const quarantinedForm = z.object({
  orderId: z.string(),
  companyId: z.string(),
  symbol: z.string(),
  side: z.string(),
  synthetic: z.boolean(),
  quarantinedAt: z.string(),
  executions: z.array(
    z.object({
      id: z.string(),
      venue: z.string(),
      amount: z.string(),
      limitPrice: z.string(),
      filledAmount: z.string(),
      reason: z.string().nullable(),
    }),
  ),
});

function quarantine(values: Values): Promise<number> {
  return operate(
    `{ orders: quarantinedOrders { orderId companyId symbol side synthetic quarantinedAt
       executions { id venue amount limitPrice filledAmount reason } } }`,
    {},
    z.object({ orders: z.array(quarantinedForm) }),
    shown(values, ({ orders }) =>
      orders.length === 0 ? 'No orders are in quarantine.' : orders.map(linesOf).join('\n'),
    ),
  );
}

function linesOf(order: z.infer<typeof quarantinedForm>): string {
  const { orderId, companyId, symbol, side, synthetic, quarantinedAt, executions } = order;
  const world = synthetic ? '  synthetic' : '';
  const parts = executions.map(
    ({ id, venue, amount, limitPrice, filledAmount, reason }) =>
      `  execution ${id}  ${venue}  ${amount} at ${limitPrice}, ${filledAmount} known to be filled  ${reason ?? ''}`,
  );
  return [`${orderId}  ${side} ${symbol}  company ${companyId}  since ${quarantinedAt}${world}`, ...parts].join('\n');
}

function resolve(id: string, outcome: string, { amount, price, reason, json = false }: Values): Promise<number> {
  return operate(
    `mutation ($id: ID!, $outcome: ExecutionOutcome!, $amount: Decimal, $price: Decimal, $reason: String!) {
      resolved: resolveExecution(id: $id, outcome: $outcome, amount: $amount, price: $price, reason: $reason) { orderId status filledAmount } }`,
    said({ id, outcome, amount, price, reason }),
    z.object({ resolved: z.object({ orderId: z.string(), status: z.string(), filledAmount: z.string() }) }),
    shown(
      { json },
      ({ resolved: { orderId, status, filledAmount } }) =>
        `The order ${orderId} is ${status}, with ${filledAmount} filled.`,
    ),
  );
}

function resolveHedge(id: string, outcome: string, { amount, price, reason, json = false }: Values): Promise<number> {
  return operate(
    `mutation ($id: ID!, $outcome: ExecutionOutcome!, $amount: Decimal, $price: Decimal, $reason: String!) {
      quoteId: resolveHedgeOrder(id: $id, outcome: $outcome, amount: $amount, price: $price, reason: $reason) }`,
    said({ id, outcome, amount, price, reason }),
    z.object({ quoteId: z.string() }),
    shown({ json }, ({ quoteId }) => `The hedge order of the quote ${quoteId} is ${outcome}.`),
  );
}
