import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command } from './command.js';
import { misused } from './misuse.js';
import { operate } from './operate.js';

const form = z.object({ externalId: z.string(), status: z.string(), currentBalance: z.string() });
const fields = '{ externalId status currentBalance }';

export const assetCommand: Command = {
  usage: `Usage: npm run lastro -- asset pay <id> <instalment> --on <YYYY-MM-DD>
       npm run lastro -- asset reverse <id> <instalment> --reason "<why>" [--paid <amount>]
       npm run lastro -- asset write-off <id>

pay        records that the open amount of an instalment was paid, and updates balance and status. A repeated payment changes nothing.
reverse    reverses a recorded or imported payment that did not take place, and restores all that it changed, also the receivable of an originator.
           Reverse the last of several payments first; payments that were recorded together are reversed together. --paid is the
           amount that was really paid of the instalment, if any.
write-off  marks the credit as unrecoverable, permanently; its balance stays on record.

The server may be running. Exit code 0: done. 1: refused, with the reason on standard error. 2: wrong use.`,
  run: (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { on: { type: 'string' }, reason: { type: 'string' }, paid: { type: 'string' } },
    });
    const [act, id, number, ...more] = positionals;
    const { on, reason, paid } = values;
    if (
      act === 'reverse' &&
      id !== undefined &&
      number !== undefined &&
      reason !== undefined &&
      on === undefined &&
      more.length === 0
    )
      return reverse(id, Number(number), reason, paid);
    if (reason !== undefined || paid !== undefined) return Promise.resolve(misused(assetCommand.usage, args));
    if (act === 'pay' && id !== undefined && number !== undefined && on !== undefined && more.length === 0)
      return pay(id, Number(number), on);
    if (act === 'write-off' && id !== undefined && number === undefined && on === undefined) return writeOff(id);
    return Promise.resolve(misused(assetCommand.usage, args));
  },
};

function pay(id: string, number: number, paidOn: string): Promise<number> {
  return operate(
    `mutation ($id: ID!, $number: Int!, $paidOn: Date!) {
      recordAssetPayment(assetId: $id, installmentNumber: $number, paidOn: $paidOn) ${fields} }`,
    { id, number, paidOn },
    z.object({ recordAssetPayment: form }),
    ({ recordAssetPayment: asset }) => describe(asset),
  );
}

function reverse(id: string, number: number, reason: string, paid: string | undefined): Promise<number> {
  return operate(
    `mutation ($id: ID!, $number: Int!, $reason: String!, $paid: Decimal) {
      reverseAssetPayment(assetId: $id, installmentNumber: $number, reason: $reason, paidAmount: $paid) ${fields} }`,
    { id, number, reason, paid },
    z.object({ reverseAssetPayment: form }),
    ({ reverseAssetPayment: asset }) => describe(asset),
  );
}

function writeOff(id: string): Promise<number> {
  return operate(
    `mutation ($id: ID!) { writeOffAsset(assetId: $id) ${fields} }`,
    { id },
    z.object({ writeOffAsset: form }),
    ({ writeOffAsset: asset }) => describe(asset),
  );
}

function describe({ externalId, status, currentBalance }: z.infer<typeof form>): string {
  return `${externalId} is ${status}, with a balance of R$ ${currentBalance}.`;
}
