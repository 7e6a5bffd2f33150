import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command } from './command.js';
import { misused } from './misuse.js';
import { operate } from './operate.js';
import { said, whole } from './values.js';

export const trancheCommand: Command = {
  usage: `Usage: npm run lastro -- tranche status <ticker> <status>
       npm run lastro -- tranche schedule <ticker> --first-month <YYYY-MM> --day <1-31> --installments <n>
         --system BULLET|SAC|PRICE|TABLE [--rate <percent>] [--percentages <p,p,…>] [--every <months>]
         [--principal-grace <n>] [--interest-grace <n>] [--grace-interest INCORPORATED|ACCRUED]
         [--accrue-until ANNIVERSARY|DUE_DATE] [--decimals <0-8>]

status    DRAFT to FUNDRAISING, FUNDRAISING to ACTIVE, ACTIVE to CLOSED when all instalments are paid; a series without
          investments can be CLOSED earlier. If the series already has the status, nothing changes.
schedule  creates the instalments of a DRAFT, and replaces existing ones. PRICE needs --rate, TABLE needs --percentages: of the balance, the last one
          100, or of the issue value, 100 together, as the series amortizes. Interest accrues until the anniversary; with DUE_DATE, until the
          day of payment.

The server may be running. Exit code 0: done. 1: refused, with the reason on standard error. 2: wrong use.`,
  run: (args) => {
    const [act, ticker, ...rest] = args;
    const [status, ...more] = rest;
    if (act === 'status' && ticker !== undefined && status !== undefined && more.length === 0)
      return changeStatus(ticker, status);
    if (act === 'schedule' && ticker !== undefined) return makeSchedule(ticker, rest);
    return Promise.resolve(misused(trancheCommand.usage, args));
  },
};

function changeStatus(ticker: string, status: string): Promise<number> {
  return operate(
    `mutation ($ticker: String!, $status: TrancheStatus!) {
      changeTrancheStatus(ticker: $ticker, status: $status) { ticker status } }`,
    { ticker, status: status.toUpperCase() },
    z.object({ changeTrancheStatus: z.object({ ticker: z.string(), status: z.string() }) }),
    ({ changeTrancheStatus: tranche }) => `${tranche.ticker} is ${tranche.status}.`,
  );
}

function makeSchedule(ticker: string, rest: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...rest],
    options: {
      'first-month': { type: 'string' },
      day: { type: 'string' },
      installments: { type: 'string' },
      system: { type: 'string' },
      rate: { type: 'string' },
      percentages: { type: 'string' },
      every: { type: 'string' },
      'principal-grace': { type: 'string' },
      'interest-grace': { type: 'string' },
      'grace-interest': { type: 'string' },
      'accrue-until': { type: 'string' },
      decimals: { type: 'string' },
    },
  });
  const schedule = said({
    firstMonth: values['first-month'],
    anniversaryDay: whole(values.day),
    installments: whole(values.installments),
    everyMonths: whole(values.every),
    principalGrace: whole(values['principal-grace']),
    interestGrace: whole(values['interest-grace']),
    graceInterest: values['grace-interest'],
    accrueUntil: values['accrue-until'],
    percentageDecimals: whole(values.decimals),
    amortization: said({
      system: values.system,
      rate: values.rate,
      percentages: values.percentages?.split(',').map((each) => each.trim()),
    }),
  });
  return operate(
    `mutation ($ticker: String!, $schedule: ScheduleInput!) {
      generateSchedule(ticker: $ticker, schedule: $schedule) { ticker schedule(first: 1200) { nodes { dueDate } } } }`,
    { ticker, schedule },
    z.object({
      generateSchedule: z.object({
        ticker: z.string(),
        schedule: z.object({ nodes: z.array(z.object({ dueDate: z.string() })) }),
      }),
    }),
    ({ generateSchedule: made }) => {
      const { nodes } = made.schedule;
      const [first, last] = [nodes[0]?.dueDate ?? '', nodes.at(-1)?.dueDate ?? ''];
      return `${made.ticker} has ${nodes.length} instalments, from ${first} to ${last}.`;
    },
  );
}
