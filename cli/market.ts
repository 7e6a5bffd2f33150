import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command } from './command.js';
import { misused } from './misuse.js';
import { operate, shown } from './operate.js';
import { said, whole } from './values.js';

const options = {
  all: { type: 'boolean' },
  reason: { type: 'string' },
  'min-order-size': { type: 'string' },
  collar: { type: 'string' },
  'price-decimals': { type: 'string' },
  'amount-decimals': { type: 'string' },
  decimals: { type: 'string' },
  fiat: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

export const marketCommand: Command = {
  usage: `Usage: npm run lastro -- market list
       npm run lastro -- market halt <symbol>|--all --reason <why>
       npm run lastro -- market resume <symbol>|--all
       npm run lastro -- market change <symbol> [--min-order-size <amount>] [--collar <percent>]
       npm run lastro -- market add <symbol> --price-decimals <n> --amount-decimals <n> --min-order-size <amount> [--collar <percent>]
       npm run lastro -- market add-currency <code> --decimals <n> [--fiat]

list    the status of trading as a whole, and all markets
halt    stops new orders in a market, or with --all in all markets (the kill switch); open orders can be cancelled. Traders see the reason
resume  accepts orders again; with --all in all markets, except those that were halted individually
change  changes the rules for new orders
add     adds a market of two known currencies, halted: resume it when a venue trades it
add-currency  adds a currency for markets, and for fees of exchanges; its decimals cannot be changed

  <symbol>           such as BTC/BRL
  --min-order-size   minimum amount of an order, in the base currency
  --collar           maximum distance of a market order from the mid price, in percent: above 0, at most 50 (5 for a new market)
  --price-decimals, --amount-decimals  maximum decimals of a price and of an amount
  --json             prints the result as JSON

All commands require the role trade, list only the role read. Changes take effect within a second. The server may be running. Exit code 0: done.
1: refused, with the reason on standard error. 2: wrong use.`,
  run: (args) => {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    return actOf(positionals, values) ?? Promise.resolve(misused(marketCommand.usage, args));
  },
};

type FlagName = 'all' | 'fiat' | 'json';
type Values = Readonly<Partial<Record<Exclude<keyof typeof options, FlagName>, string>>> &
  Readonly<Partial<Record<FlagName, boolean>>>;

function actOf([verb, symbol, ...more]: readonly string[], values: Values): Promise<number> | undefined {
  const { all = false, reason } = values;
  if (more.length > 0 || all !== (symbol === undefined)) {
    return verb === 'list' && symbol === undefined ? list(values) : undefined;
  }
  if (verb === 'halt' && reason !== undefined)
    return symbol === undefined ? haltAll(reason, values) : halt(symbol, reason, values);
  if (verb === 'resume') return symbol === undefined ? resumeAll(values) : resume(symbol, values);
  if (symbol === undefined) return undefined;
  if (verb === 'change') return change(symbol, values);
  if (verb === 'add-currency' && values.decimals !== undefined) return addCurrency(symbol, values.decimals, values);
  return verb === 'add' ? add(symbol, values) : undefined;
}

const marketFields = 'symbol status haltReason minOrderSize collarPercent priceDecimals amountDecimals';
const marketForm = z.object({
  symbol: z.string(),
  status: z.string(),
  haltReason: z.string().nullable(),
  minOrderSize: z.string(),
  collarPercent: z.string(),
  priceDecimals: z.number(),
  amountDecimals: z.number(),
});
const statusForm = z.object({ halted: z.boolean(), reason: z.string().nullable(), changedAt: z.string() });

function list(values: Values): Promise<number> {
  return operate(
    `{ status: tradingStatus { halted reason changedAt } markets: tradingMarkets { ${marketFields} } }`,
    {},
    z.object({ status: statusForm, markets: z.array(marketForm) }).transform((listed) => ({ listed })),
    shown(values, ({ listed: { status, markets } }) => [lineOfStatus(status), ...markets.map(lineOf)].join('\n')),
  );
}

function lineOfStatus({ halted, reason, changedAt }: z.infer<typeof statusForm>): string {
  return halted ? `Trading is HALTED since ${changedAt}: ${reason ?? ''}` : 'Trading is ACTIVE.';
}

function lineOf({ symbol, status, haltReason, minOrderSize, collarPercent, ...market }: z.infer<typeof marketForm>) {
  const rules = `from ${minOrderSize}, collar ${collarPercent}%, decimals ${market.priceDecimals} and ${market.amountDecimals}`;
  return `${symbol}  ${status}  ${rules}${haltReason === null ? '' : `  ${haltReason}`}`;
}

const changedForm = z.object({ market: marketForm });

function halt(symbol: string, reason: string, values: Values): Promise<number> {
  return operate(
    `mutation ($symbol: String!, $reason: String!) { market: haltMarket(symbol: $symbol, reason: $reason) { ${marketFields} } }`,
    { symbol, reason },
    changedForm,
    shown(values, ({ market }) => `${market.symbol} is ${market.status}.`),
  );
}

function resume(symbol: string, values: Values): Promise<number> {
  return operate(
    `mutation ($symbol: String!) { market: resumeMarket(symbol: $symbol) { ${marketFields} } }`,
    { symbol },
    changedForm,
    shown(values, ({ market }) => `${market.symbol} is ${market.status}.`),
  );
}

function haltAll(reason: string, values: Values): Promise<number> {
  return operate(
    'mutation ($reason: String!) { status: haltTrading(reason: $reason) { halted reason changedAt } }',
    { reason },
    z.object({ status: statusForm }),
    shown(values, ({ status }) => lineOfStatus(status)),
  );
}

function resumeAll(values: Values): Promise<number> {
  return operate(
    'mutation { status: resumeTrading { halted reason changedAt } }',
    {},
    z.object({ status: statusForm }),
    shown(values, ({ status }) => lineOfStatus(status)),
  );
}

function change(symbol: string, values: Values): Promise<number> {
  return operate(
    `mutation ($symbol: String!, $change: MarketChangeInput!) { market: changeMarket(symbol: $symbol, change: $change) { ${marketFields} } }`,
    { symbol, change: said({ minOrderSize: values['min-order-size'], collarPercent: values.collar }) },
    changedForm,
    shown(values, ({ market }) => lineOf(market)),
  );
}

function add(symbol: string, values: Values): Promise<number> | undefined {
  const { collar, 'min-order-size': minOrderSize } = values;
  const { 'price-decimals': priceDecimals, 'amount-decimals': amountDecimals } = values;
  if (minOrderSize === undefined || priceDecimals === undefined || amountDecimals === undefined) return undefined;
  const decimals = { priceDecimals: whole(priceDecimals), amountDecimals: whole(amountDecimals) };
  return operate(
    `mutation ($market: MarketInput!) { market: addMarket(market: $market) { ${marketFields} } }`,
    { market: said({ symbol, minOrderSize, collarPercent: collar, ...decimals }) },
    changedForm,
    shown(
      values,
      ({ market }) => `${market.symbol} is added, and halted until it is resumed:
  npm run lastro -- market resume ${market.symbol}`,
    ),
  );
}

function addCurrency(code: string, decimals: string, { fiat = false, json = false }: Values): Promise<number> {
  return operate(
    `mutation ($code: String!, $decimals: Int!, $fiat: Boolean!) {
      currency: addCurrency(code: $code, decimals: $decimals, fiat: $fiat) { code decimals fiat } }`,
    { code, decimals: whole(decimals), fiat },
    z.object({ currency: z.object({ code: z.string(), decimals: z.number(), fiat: z.boolean() }) }),
    shown({ json }, ({ currency }) => `${currency.code} is added, with ${currency.decimals} decimals.`),
  );
}
