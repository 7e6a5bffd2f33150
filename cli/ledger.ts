import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command } from './command.js';
import { correct, correctOptions, wallets, type CorrectValues } from './ledger-correct.js';
import { misused } from './misuse.js';
import { operate, shown } from './operate.js';

const options = {
  ...correctOptions,
  all: { type: 'boolean' },
  synthetic: { type: 'boolean' },
  reason: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const ledgerCommand: Command = {
  usage: `Usage: npm run lastro -- ledger reconcile
       npm run lastro -- ledger findings [--all]
       npm run lastro -- ledger resolve <finding id> --reason <cause>
       npm run lastro -- ledger halts
       npm run lastro -- ledger resume <currency> [--synthetic] --reason <cause>
       npm run lastro -- ledger hedges
       npm run lastro -- ledger wallets <company id> [--profile <profile id>]
       npm run lastro -- ledger correct --key <key> --reason <why> [--synthetic]
                                        (--postings <file> | --posting <posting> --posting <posting> …)

reconcile  checks the balances now, as the server does every minute, and lists the findings
findings   the newest 100 violated invariants of the ledger, and venues and custody whose balances differ from it (VENUE_BALANCE,
           CUSTODY_BALANCE); with --all the resolved ones too
resolve    resolves a finding; when the last finding that halts a currency is resolved, trading of the currency resumes
halts      the currencies whose trading is halted
resume     resumes trading of a currency, and resolves all of its findings
hedges     executed quotes that are not yet hedged at the venues, the oldest 500
wallets    the ids of the wallets of a company, or of a profile of it
correct    posts a journal of 2 to 50 postings that add up to zero in each currency; existing postings do not change. Repeating it with
           the same key changes nothing

  --synthetic  for synthetic funds
  --reason     cause and remedy, stored with the finding. The reason of a correction is visible to clients in their statements
  --key        idempotency key of a correction, such as the number of a ticket; visible to clients in their statements too
  --posting    <account>:<currency>:<amount>, such as AVAILABLE/<wallet id>:BRL:-10.00, VENUE/<venue>:BTC:0.5 or CAPITAL:BRL:10.00. The other
               accounts are FEES, SPREAD, ROUNDING, VENUE_FEES, PRINCIPAL, CUSTODY, DEPOSITS_IN_TRANSIT, WITHDRAWALS_IN_TRANSIT
  --postings   a JSON file of postings: [{"account": "VENUE", "venue": "aurora", "currency": "BTC", "amount": "0.5"}, …]; AVAILABLE needs "walletId"
  --json       prints the result as JSON

A violation that persists is found again, and halts its currency, unless it is a VENUE_BALANCE or a CUSTODY_BALANCE. reconcile requires the role trade; resolve, resume and correct
the role administer; the lists the role read. The server may be running. Exit code 0: done, with or without findings. 1: refused, with the reason on standard error.
2: wrong use.`,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    return (await actOf(positionals, values)) ?? misused(ledgerCommand.usage, args);
  },
};

interface Values extends CorrectValues {
  readonly all?: boolean;
}

const alone: Readonly<Record<string, (values: Values) => Promise<number | undefined>>> = {
  reconcile,
  findings,
  halts,
  hedges,
  correct,
};

function actOf(
  [verb = '', subject, ...more]: readonly string[],
  values: Values,
): Promise<number | undefined> | undefined {
  const { reason } = values;
  if (subject === undefined) return Object.hasOwn(alone, verb) ? alone[verb]?.(values) : undefined;
  if (more.length > 0) return undefined;
  if (verb === 'wallets') return wallets(subject, values);
  if (reason === undefined) return undefined;
  if (verb === 'resolve') return resolve(subject, reason, values);
  return verb === 'resume' ? resume(subject, reason, values) : undefined;
}

const findingFields =
  'id invariant currency synthetic subject expected actual foundAt lastSeenAt resolvedAt resolution';
const findingForm = z.object({
  id: z.string(),
  invariant: z.string(),
  currency: z.string().nullable(),
  synthetic: z.boolean().nullable(),
  subject: z.string(),
  expected: z.string(),
  actual: z.string(),
  foundAt: z.string(),
  lastSeenAt: z.string(),
  resolvedAt: z.string().nullable(),
  resolution: z.string().nullable(),
});
const findingsForm = z.object({ findings: z.array(findingForm) });

const linesOfFindings = ({ findings: found }: z.infer<typeof findingsForm>) =>
  found.length === 0 ? 'There are no findings.' : found.map(lineOfFinding).join('\n');

function lineOfFinding(finding: z.infer<typeof findingForm>): string {
  const { id, invariant, currency, synthetic, subject, expected, actual, foundAt, resolvedAt, resolution } = finding;
  const where = [currency ?? 'the whole ledger', ...(synthetic === true ? ['synthetic'] : []), subject]
    .join(' ')
    .trim();
  const end = resolvedAt === null ? '' : `  resolved ${resolvedAt}: ${resolution ?? ''}`;
  return `${id}  ${invariant}  ${where}: ${actual} instead of ${expected}  found ${foundAt}${end}`;
}

function reconcile(values: Values): Promise<number> {
  return operate(
    `mutation { findings: reconcileLedger { ${findingFields} } }`,
    {},
    findingsForm,
    shown(values, linesOfFindings),
  );
}

function findings(values: Values): Promise<number> {
  return operate(
    `query ($open: Boolean!) { findings: reconciliationFindings(open: $open, first: 100) { ${findingFields} } }`,
    { open: values.all !== true },
    findingsForm,
    shown(values, linesOfFindings),
  );
}

function resolve(id: string, reason: string, values: Values): Promise<number> {
  return operate(
    `mutation ($id: ID!, $reason: String!) {
      resolved: resolveReconciliationFinding(id: $id, reason: $reason) { ${findingFields} } }`,
    { id, reason },
    z.object({ resolved: findingForm }),
    shown(values, ({ resolved }) => `The finding ${resolved.id} is resolved.`),
  );
}

const haltForm = z.object({ currency: z.string(), synthetic: z.boolean(), reason: z.string(), haltedAt: z.string() });

function halts(values: Values): Promise<number> {
  return operate(
    '{ halts: currencyHalts { currency synthetic reason haltedAt } }',
    {},
    z.object({ halts: z.array(haltForm) }),
    shown(values, ({ halts: found }) =>
      found.length === 0
        ? 'No currency is halted.'
        : found
            .map(({ currency, synthetic, reason, haltedAt }) =>
              [currency, ...(synthetic ? ['synthetic'] : []), `since ${haltedAt}`, reason].join('  '),
            )
            .join('\n'),
    ),
  );
}

function resume(currency: string, reason: string, values: Values): Promise<number> {
  const { synthetic = false } = values;
  return operate(
    `mutation ($currency: String!, $synthetic: Boolean!, $reason: String!) {
      resolved: resumeCurrency(currency: $currency, synthetic: $synthetic, reason: $reason) }`,
    { currency, synthetic, reason },
    z.object({ resolved: z.number() }),
    shown(values, ({ resolved }) => `Trading of ${currency} is resumed; ${resolved} findings are resolved.`),
  );
}

const hedgeForm = z.object({
  quoteId: z.string(),
  symbol: z.string(),
  side: z.string(),
  synthetic: z.boolean(),
  amount: z.string(),
  hedgedAmount: z.string(),
  since: z.string(),
  overdueSince: z.string().nullable(),
  reason: z.string().nullable(),
  orders: z.array(
    z.object({
      id: z.string(),
      venue: z.string(),
      amount: z.string(),
      limitPrice: z.string(),
      filledAmount: z.string(),
      reason: z.string().nullable(),
      looks: z.number(),
    }),
  ),
});

function hedges(values: Values): Promise<number> {
  return operate(
    `{ hedges: openHedges { quoteId symbol side synthetic amount hedgedAmount since overdueSince reason
       orders { id venue amount limitPrice filledAmount reason looks } } }`,
    {},
    z.object({ hedges: z.array(hedgeForm) }),
    shown(values, ({ hedges: open }) =>
      open.length === 0 ? 'All quotes are hedged.' : open.map(lineOfHedge).join('\n'),
    ),
  );
}

function lineOfHedge(hedge: z.infer<typeof hedgeForm>): string {
  const { quoteId, symbol, side, synthetic, amount, hedgedAmount, since, overdueSince, reason, orders } = hedge;
  const late = overdueSince === null ? '' : '  OVERDUE';
  const world = synthetic ? '  synthetic' : '';
  const why = reason === null ? '' : `  ${reason}`;
  const sent = orders.map(
    (one) =>
      `  hedge order ${one.id}  ${one.venue}  ${one.amount} at ${one.limitPrice}, ${one.filledAmount} known to be filled  ${one.looks} looks  ${one.reason ?? ''}`,
  );
  return [
    `${quoteId}  ${side} ${hedgedAmount} of ${amount} ${symbol}  since ${since}${late}${world}${why}`,
    ...sent,
  ].join('\n');
}
