import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { fromWindows1252 } from '../shared/format/windows-1252.js';
import type { Command } from './command.js';
import { misused } from './misuse.js';
import { operate } from './operate.js';

/** More than 50,000 details take in any encoding. */
const maxBytes = 48 * 1_048_576;
const form = z.object({ id: z.string(), count: z.number(), total: z.string() });

export const cnab444Command: Command = {
  usage: `Usage: npm run lastro -- cnab444 <file> --originator <client id> --patrimony <id or ticker>
       npm run lastro -- cnab444 <file> --originator <client id> --credit-batch <id>

  --originator    the client for whom the batch is created
  --patrimony     the estate that receives the credits of an assignment file (occurrence 01)
  --credit-batch  the credit batch whose contracts a settlement file (occurrences 04, 14, 75, 77) reports as paid

The batch is a DRAFT, which the client has to submit. The layout: subgraphs/credit-assignment/cnab444/README.md. The server may be running.
Exit code 0: created. 1: refused, with all errors by line and column on standard error; nothing was written. 2: wrong use.`,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        originator: { type: 'string' },
        patrimony: { type: 'string' },
        'credit-batch': { type: 'string' },
      },
    });
    const [path, ...more] = positionals;
    const { originator, patrimony, 'credit-batch': creditBatchId } = values;
    const isOne = (patrimony === undefined) !== (creditBatchId === undefined);
    if (path === undefined || originator === undefined || !isOne || more.length > 0)
      return misused(cnab444Command.usage, args);
    const file = await readText(path);
    if (file === undefined) return 1;
    if (patrimony !== undefined) return assign(originator, patrimony, file);
    return settle(originator, creditBatchId ?? '', file);
  },
};

/** Decodes a file as UTF-8 where it is valid as such, else as Windows-1252. Returns undefined and prints the reason when it cannot be read. */
async function readText(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) throw new RangeError('it is larger than a file of 50,000 details');
    const bytes = await readFile(path);
    return isUtf8(bytes) ? bytes.toString('utf8') : fromWindows1252(bytes.toString('latin1'));
  } catch (error) {
    process.stderr.write(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}

function assign(originatorId: string, patrimony: string, file: string): Promise<number> {
  return operate(
    `mutation ($originatorId: ID!, $patrimony: String!, $file: String!) {
      takeInAssignmentFile(originatorId: $originatorId, patrimony: $patrimony, file: $file) { id count total } }`,
    { originatorId, patrimony, file },
    z.object({ takeInAssignmentFile: form }),
    ({ takeInAssignmentFile: { id, count, total } }) =>
      `The credit batch ${id} has ${count} contracts with a total of R$ ${total}. It is a DRAFT.`,
  );
}

function settle(originatorId: string, creditBatchId: string, file: string): Promise<number> {
  return operate(
    `mutation ($originatorId: ID!, $creditBatchId: ID!, $file: String!) {
      takeInSettlementFile(originatorId: $originatorId, creditBatchId: $creditBatchId, file: $file) { id count total } }`,
    { originatorId, creditBatchId, file },
    z.object({ takeInSettlementFile: form }),
    ({ takeInSettlementFile: { id, count, total } }) =>
      `The settlement batch ${id} has ${count} payments with a total of R$ ${total}. It is a DRAFT.`,
  );
}
