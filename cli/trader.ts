import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command } from './command.js';
import { misused } from './misuse.js';
import { operate, shown } from './operate.js';
import {
  addCredential,
  changeCredential,
  credentialFields,
  credentialForm,
  lineOfCredential,
  revokeCredential,
} from './trader-credential.js';
import { options, tiersOf, type Values } from './trader-values.js';
import { orNone, said, whole } from './values.js';

export const traderCommand: Command = {
  usage: `Usage: npm run lastro -- trader add --name <name> [--rate-limit <n>] [--account <id>] [terms]
       npm run lastro -- trader list
       npm run lastro -- trader change <company id> [--name <name>] [--rate-limit <n>] [--account <id>] [terms]
       npm run lastro -- trader suspend <company id>
       npm run lastro -- trader activate <company id>
       npm run lastro -- trader credential add <company id> --scopes <scope>[,<scope>…] [--allow <network>[,<network>…]] [--expires <instant>]
       npm run lastro -- trader credential change <credential id> [--scopes <scope>[,<scope>…]] [--allow <network>[,<network>…]|anywhere]
       npm run lastro -- trader credential revoke <credential id>
       npm run lastro -- trader profile suspend <profile id>
       npm run lastro -- trader profile activate <profile id>

add                onboards a company that trades, and prints its id
list               the newest 500 companies with their credentials and the first 100 profiles of each
change             changes the terms of a company
suspend, activate  a suspended company can read and cancel, but place no new orders
credential add     creates a credential and prints its pair, which cannot be shown again; at most 10 valid ones
credential change  changes the scopes and networks of a credential, within a second
credential revoke  revokes a credential with all its tokens, within a second and permanently
profile suspend    suspends a profile; its company cannot activate it

  terms: --maker-fee, --taker-fee <percent>; --max-order-value, --max-daily-volume, --profile-max-daily-volume <reais>;
         --max-open-orders, --profile-max-open-orders <n>. none removes a limit. --max-quoted-value <reais> of open quotes in a market;
         --spread-tiers <from reais>:<percent>,… of quotes, such as 0:0.5,100000:0.35, or none for the configured default
  --rate-limit  requests a minute by REST and MCP, and mutations by GraphQL, or none for RATE_LIMIT_CLIENT
  --account     id of the account whose webhooks receive events of orders and funds, or none
  --scopes      read (all data of the company), trade (orders, quotes, profiles), withdraw
  --allow       addresses or CIDR blocks from which the credential can be used (default: anywhere)
  --expires     expiry of the credential, such as 2027-12-31T00:00:00Z (default: none)
  --json        prints the result as JSON

All commands require the role trade, list only the role read. The server may be running. Exit code 0: done. 1: refused, with the reason on
standard error. 2: wrong use.`,
  run: (args) => {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    return actOf(positionals, values) ?? Promise.resolve(misused(traderCommand.usage, args));
  },
};

function actOf([first, second, third, ...more]: readonly string[], values: Values): Promise<number> | undefined {
  if (more.length > 0) return undefined;
  if (second === undefined) {
    if (first === 'list') return list(values);
    return first === 'add' && values.name !== undefined ? add(values) : undefined;
  }
  if (third === undefined) {
    if (first === 'change') return change(second, values);
    if (first === 'suspend') return moveCompany(second, 'SUSPENDED', values);
    return first === 'activate' ? moveCompany(second, 'ACTIVE', values) : undefined;
  }
  if (first === 'profile') {
    if (second === 'suspend') return moveProfile('suspendTradingProfile', third, values);
    return second === 'activate' ? moveProfile('activateTradingProfile', third, values) : undefined;
  }
  if (first !== 'credential') return undefined;
  if (second === 'add' && values.scopes !== undefined) return addCredential(third, values);
  if (second === 'change') return changeCredential(third, values);
  return second === 'revoke' ? revokeCredential(third, values) : undefined;
}

const companyFields =
  'id name status rateLimit accountId terms { makerFee takerFee maxOrderValue maxOpenOrders maxDailyVolume profileMaxOpenOrders profileMaxDailyVolume maxQuotedValue spreadTiers { aboveBrl percent } } createdAt';
const companyForm = z.looseObject({ id: z.string(), name: z.string(), status: z.string() });

const asText = (text: string) => text;

function companyVariables(values: Values): Record<string, unknown> {
  const terms = {
    makerFee: values['maker-fee'],
    takerFee: values['taker-fee'],
    maxOrderValue: orNone(values['max-order-value'], asText),
    maxOpenOrders: orNone(values['max-open-orders'], whole),
    maxDailyVolume: orNone(values['max-daily-volume'], asText),
    profileMaxOpenOrders: orNone(values['profile-max-open-orders'], whole),
    profileMaxDailyVolume: orNone(values['profile-max-daily-volume'], asText),
    maxQuotedValue: values['max-quoted-value'],
    spreadTiers: orNone(values['spread-tiers'], tiersOf),
  };
  const given = {
    name: values.name,
    rateLimit: orNone(values['rate-limit'], whole),
    accountId: orNone(values.account, asText),
    terms: said(terms),
  };
  return said(given);
}

const companyArguments = '$rateLimit: Int, $accountId: ID, $terms: TradingTermsInput';
const companyPassed = 'rateLimit: $rateLimit, accountId: $accountId, terms: $terms';

function add(values: Values): Promise<number> {
  return operate(
    `mutation ($name: String!, ${companyArguments}) {
      added: addTradingCompany(name: $name, ${companyPassed}) { ${companyFields} } }`,
    companyVariables(values),
    z.object({ added: companyForm }),
    shown(
      values,
      ({ added: { id, name } }) => `${id}

This is the id of ${name}. It can log in when it has a credential:
  npm run lastro -- trader credential add ${id} --scopes read,trade`,
    ),
  );
}

function change(id: string, values: Values): Promise<number> {
  return operate(
    `mutation ($id: ID!, $name: String, ${companyArguments}) {
      changed: changeTradingCompany(id: $id, name: $name, ${companyPassed}) { ${companyFields} } }`,
    { id, ...companyVariables(values) },
    z.object({ changed: companyForm }),
    shown(values, ({ changed: { name } }) => `${name} is changed.`),
  );
}

function moveCompany(id: string, status: string, values: Values): Promise<number> {
  return operate(
    `mutation ($id: ID!, $status: TradingCompanyStatus) { changed: changeTradingCompany(id: $id, status: $status) { ${companyFields} } }`,
    { id, status },
    z.object({ changed: companyForm }),
    shown(values, ({ changed }) => `${changed.name} is ${changed.status}.`),
  );
}

function moveProfile(mutation: string, id: string, values: Values): Promise<number> {
  return operate(
    `mutation ($id: ID!) { status: ${mutation}(id: $id) }`,
    { id },
    z.object({ status: z.string() }),
    shown(values, ({ status }) => `The profile ${id} is ${status}.`),
  );
}

const listForm = z.object({
  companies: z.array(
    companyForm.extend({
      credentials: z.array(credentialForm),
      profiles: z.object({ profiles: z.array(z.object({ id: z.string(), name: z.string(), status: z.string() })) }),
    }),
  ),
});

function list(values: Values): Promise<number> {
  return operate(
    `{ companies: tradingCompanies { ${companyFields} credentials { ${credentialFields} }
       profiles(limit: 100) { profiles { id name status } } } }`,
    {},
    listForm,
    shown(values, ({ companies }) =>
      companies.length === 0 ? 'There are no companies yet.' : companies.map(lineOfCompany).join('\n'),
    ),
  );
}

function lineOfCompany({
  id,
  name,
  status,
  credentials,
  profiles,
}: z.infer<typeof listForm>['companies'][number]): string {
  const clients = profiles.profiles.map((profile) => `  profile ${profile.id}  ${profile.status}  ${profile.name}`);
  return [`${id}  ${status}  ${name}`, ...credentials.map((one) => `  ${lineOfCredential(one)}`), ...clients].join(
    '\n',
  );
}
