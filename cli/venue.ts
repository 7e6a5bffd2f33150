import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command } from './command.js';
import { misused } from './misuse.js';
import { operate, shown } from './operate.js';
import { listOf, said } from './values.js';

const options = {
  exchange: { type: 'string' },
  symbols: { type: 'string' },
  sandbox: { type: 'boolean' },
  'maker-fee': { type: 'string' },
  'taker-fee': { type: 'string' },
  settings: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const venueCommand: Command = {
  usage: `Usage: npm run lastro -- venue add <name> --exchange <id> --symbols <symbol>[,<symbol>…] [--sandbox]
                                [--maker-fee <percent> --taker-fee <percent>] [--settings <file>] < keys
       npm run lastro -- venue list
       npm run lastro -- venue retire <name>

add     adds an exchange to which real orders are routed, with the operator's account there. The server connects to it at its next
        start. The keys are read from standard input, never from arguments: the API key, the secret and, if the exchange has one, the
        passphrase, one per line. They are encrypted with the master key
list    the exchanges that were added
retire  stops sending orders to an exchange, within 10 seconds and permanently; orders that were sent before are still looked up there

  <name>       name of the venue: lower-case letters, digits and hyphens; cannot be reused
  --exchange   id of the exchange in ccxt, such as binance (npm install ccxt)
  --symbols    the markets that are traded there, such as BTC/BRL,ETH/BRL; "market add" adds a market
  --sandbox    uses the exchange's own test system; not allowed with real funds
  --maker-fee, --taker-fee  fees in percent, if they differ from those that the exchange reports
  --settings   a JSON file with further settings of ccxt: hostname, urls.api, has, options
  --json       prints the result as JSON

add and retire require the role administer, list the role read. The server may be running. Exit code 0: done. 1: refused, with the reason on
standard error. 2: wrong use.`,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    return (await actOf(positionals, values)) ?? misused(venueCommand.usage, args);
  },
};

type TextName = Exclude<keyof typeof options, 'sandbox' | 'json'>;
type Values = Readonly<Partial<Record<TextName, string>>> & { readonly sandbox?: boolean; readonly json?: boolean };

function actOf([verb, name, ...more]: readonly string[], values: Values): Promise<number | undefined> {
  const none = Promise.resolve(undefined);
  if (more.length > 0) return none;
  if (name === undefined) return verb === 'list' ? list(values) : none;
  if (verb === 'add') return add(name, values);
  return verb === 'retire' ? retire(name, values) : none;
}

const venueFields = 'name exchange symbols sandbox makerFee takerFee createdAt retiredAt';
const venueForm = z.object({
  name: z.string(),
  exchange: z.string(),
  symbols: z.array(z.string()),
  sandbox: z.boolean(),
  makerFee: z.string().nullable(),
  takerFee: z.string().nullable(),
  createdAt: z.string(),
  retiredAt: z.string().nullable(),
});

async function add(name: string, values: Values): Promise<number | undefined> {
  const { exchange, symbols, sandbox = false, settings } = values;
  if (exchange === undefined || symbols === undefined || process.stdin.isTTY) return undefined;
  const [apiKey = '', secret = '', password = ''] = (await text(process.stdin)).split(/\r?\n/);
  return operate(
    `mutation ($venue: TradingVenueInput!) { added: addTradingVenue(venue: $venue) { ${venueFields} } }`,
    {
      venue: said({
        name,
        exchange,
        symbols: listOf(symbols),
        sandbox,
        apiKey,
        secret,
        password: password === '' ? undefined : password,
        makerFee: values['maker-fee'],
        takerFee: values['taker-fee'],
        settings: settings === undefined ? undefined : await readFile(settings, 'utf8'),
      }),
    },
    z.object({ added: venueForm }),
    shown(values, ({ added }) => `${added.name} is added. The server connects to it at its next start.`),
  );
}

function list(values: Values): Promise<number> {
  return operate(
    `{ venues: configuredVenues { ${venueFields} } }`,
    {},
    z.object({ venues: z.array(venueForm) }),
    shown(values, ({ venues }) => (venues.length === 0 ? 'There are no venues yet.' : venues.map(lineOf).join('\n'))),
  );
}

function lineOf({
  name,
  exchange,
  symbols,
  sandbox,
  makerFee,
  takerFee,
  retiredAt,
}: z.infer<typeof venueForm>): string {
  const fees = makerFee === null ? '' : `  fees ${makerFee}% and ${takerFee ?? makerFee}%`;
  const state = retiredAt === null ? 'in use' : `retired ${retiredAt}`;
  return `${name}  ${exchange}${sandbox ? ' (sandbox)' : ''}  ${symbols.join(',')}${fees}  ${state}`;
}

function retire(name: string, values: Values): Promise<number> {
  return operate(
    `mutation ($name: String!) { retired: retireTradingVenue(name: $name) { ${venueFields} } }`,
    { name },
    z.object({ retired: venueForm }),
    shown(values, ({ retired }) => `${retired.name} is retired: it receives no more orders.`),
  );
}
