import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command } from './command.js';
import { misused } from './misuse.js';
import { operate } from './operate.js';

export const contractCommand: Command = {
  usage: `Usage: npm run lastro -- contract register <ticker> <address> --block <number>
       npm run lastro -- contract reread <address>

register  registers the contract whose tokens are the units of the series, on the chain of CHAIN_ID; its events are read from the
          block of its deployment on. Repeating it changes nothing.
reread    deletes the stored events of a contract and reads all of them again: for a contract that differs from its events.

The server may be running. Exit code 0: done. 1: refused, with the reason on standard error. 2: wrong use.`,
  run: (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { block: { type: 'string' } },
    });
    const [act, first, second, ...more] = positionals;
    const { block } = values;
    if (more.length === 0 && first !== undefined) {
      if (act === 'register' && second !== undefined && block !== undefined) return register(first, second, block);
      if (act === 'reread' && second === undefined && block === undefined) return reread(first);
    }
    return Promise.resolve(misused(contractCommand.usage, args));
  },
};

const contractForm = z.object({ trancheTicker: z.string(), address: z.string(), deployedBlock: z.string() });

function register(ticker: string, address: string, block: string): Promise<number> {
  return operate(
    `mutation ($ticker: String!, $address: String!, $block: Int!) {
      registerCollection(trancheTicker: $ticker, address: $address, deployedBlock: $block) {
        trancheTicker address deployedBlock } }`,
    // A block that is not a number stays text; the graph then refuses it with an error that names the field.
    { ticker, address, block: /^\d{1,9}$/.test(block) ? Number(block) : block },
    z.object({ registerCollection: contractForm }),
    ({ registerCollection: made }) =>
      `The tokens of ${made.trancheTicker} are those of ${made.address}, from block ${made.deployedBlock} on.`,
  );
}

function reread(address: string): Promise<number> {
  return operate(
    `mutation ($address: String!) { rereadCollection(address: $address) { trancheTicker address deployedBlock } }`,
    { address },
    z.object({ rereadCollection: contractForm }),
    ({ rereadCollection: known }) => `${known.address} is read again from block ${known.deployedBlock} on.`,
  );
}
