import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command } from './command.js';
import { misused } from './misuse.js';
import { operate } from './operate.js';

export const paymentCommand: Command = {
  usage: `Usage: npm run lastro -- payment record <ticker> <instalment> --on <YYYY-MM-DD> [--interest <BRL> --principal <BRL>]
       npm run lastro -- payment reverse <ticker> <instalment> --reason "<why>"

  --on          day of the payment
  --interest    interest that was paid, if it differs from the price of the day; requires --principal
  --principal   principal that was paid; requires --interest
  --reason      reason of the reversal of a recorded or imported payment; the instalment is owed again

A repeated payment changes nothing. The server may be running.
Exit code 0: recorded or reversed. 1: refused, with the reason on standard error. 2: wrong use.`,
  run: (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        on: { type: 'string' },
        interest: { type: 'string' },
        principal: { type: 'string' },
        reason: { type: 'string' },
      },
    });
    const [act, ticker, number, ...more] = positionals;
    const { on: paidOn, interest, principal, reason } = values;
    const isRecord = [paidOn, interest, principal].some((given) => given !== undefined);
    if (
      act === 'reverse' &&
      ticker !== undefined &&
      number !== undefined &&
      reason !== undefined &&
      !isRecord &&
      more.length === 0
    )
      return reverse(ticker, Number(number), reason);
    if (
      act !== 'record' ||
      reason !== undefined ||
      ticker === undefined ||
      number === undefined ||
      paidOn === undefined ||
      more.length > 0
    )
      return Promise.resolve(misused(paymentCommand.usage, args));
    return operate(
      `mutation ($ticker: String!, $number: Int!, $paidOn: Date!, $interest: Decimal, $principal: Decimal) {
        recordPayment(ticker: $ticker, installmentNumber: $number, paidOn: $paidOn, interestValue: $interest,
          principalValue: $principal) { installmentNumber paidOn totalValue } }`,
      { ticker, number: Number(number), paidOn, interest, principal },
      z.object({
        recordPayment: z.object({ installmentNumber: z.number(), paidOn: z.string(), totalValue: z.string() }),
      }),
      ({ recordPayment: paid }) =>
        `Instalment ${paid.installmentNumber} of ${ticker} was paid on ${paid.paidOn}: R$ ${paid.totalValue}.`,
    );
  },
};

function reverse(ticker: string, number: number, reason: string): Promise<number> {
  return operate(
    `mutation ($ticker: String!, $number: Int!, $reason: String!) {
      reversePayment(ticker: $ticker, installmentNumber: $number, reason: $reason) { installmentNumber status } }`,
    { ticker, number, reason },
    z.object({ reversePayment: z.object({ installmentNumber: z.number(), status: z.string() }) }),
    ({ reversePayment: { installmentNumber, status } }) =>
      `Instalment ${installmentNumber} of ${ticker} is ${status} again.`,
  );
}
