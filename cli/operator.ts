import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command } from './command.js';
import { misused } from './misuse.js';
import { operate } from './operate.js';

const options = {
  name: { type: 'string' },
  roles: { type: 'string' },
  days: { type: 'string' },
} as const;
type Values = Readonly<Partial<Record<keyof typeof options, string>>>;

export const operatorCommand: Command = {
  usage: `Usage: npm run lastro -- operator add <e-mail> --name <name> --roles <role>[,<role>…] [--days <n>]
       npm run lastro -- operator list
       npm run lastro -- operator roles <id or e-mail> --roles <role>[,<role>…]
       npm run lastro -- operator revoke <id or e-mail>
       npm run lastro -- operator key add <id or e-mail> [--days <n>]
       npm run lastro -- operator key revoke <key id>

add         adds an operator, and prints the key (svc_op_…): it cannot be shown again. The operator is told by mail
list        the operators with their roles and keys
roles       replaces the roles of another operator
revoke      revokes an operator with all keys, within a second and permanently
key add     adds a key, so that one can be replaced without interruption; at most 5 valid keys
key revoke  revokes one key, within a second and permanently

  --roles  read        read all data for operators, including personal data; every other role includes it
           publish     series, schedules, prices, payments, contracts, credits of debtors, imports and
                       their reversal, exports, reports of months
           originate   originators, their keys and permits, eligibility criteria of estates, files of credits
           trade       companies that trade: onboarding and limits; markets and currencies, halts,
                       orders in quarantine, transfers, reconciliation
           administer  operators and their keys, accounts, limits of keys, the audit log, jobs, the queues
                       of mail and events, exchanges, corrections and findings of the ledger, halted currencies
  --days   validity of the key in days, 1 to 365 (default 365)

The operator sends the key as X-API-Key to /graphql, and sets LASTRO_OPERATOR_KEY for these commands. All commands require the role
administer. If there is no operator with this role yet, add needs no key: a person with access to the database could write to
it anyway. All actions are recorded in the audit log. The server may be running.

Exit code 0: done. 1: refused, with the reason on standard error. 2: wrong use.`,
  run: (args) => {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    return actOf(positionals, values) ?? Promise.resolve(misused(operatorCommand.usage, args));
  },
};

function actOf([first, second, third, ...more]: readonly string[], values: Values): Promise<number> | undefined {
  const { name, roles } = values;
  if (more.length > 0) return undefined;
  if (first === 'list' && second === undefined) return list();
  if (first === 'key' && third !== undefined) {
    if (second === 'add') return addKey(third, values);
    return second === 'revoke' ? revokeKey(third) : undefined;
  }
  if (second === undefined || third !== undefined) return undefined;
  if (first === 'add' && name !== undefined && roles !== undefined) return add(second, name, roles, values);
  if (first === 'roles' && roles !== undefined) return changeRoles(second, roles);
  return first === 'revoke' ? revoke(second) : undefined;
}

const createdForm = z.object({
  id: z.string(),
  // A command is shown every key.
  key: z.string(),
  expiresAt: z.string(),
  operator: z.object({ id: z.string(), email: z.string(), roles: z.array(z.string()) }),
});
const createdFields = '{ id key expiresAt operator { id email roles } }';

function add(email: string, name: string, roles: string, values: Values): Promise<number> {
  return operate(
    `mutation ($email: String!, $name: String!, $roles: [String!]!, $days: Int) {
      added: addOperator(email: $email, name: $name, roles: $roles, days: $days) ${createdFields} }`,
    { email, name, roles: listOf(roles), ...daysOf(values) },
    z.object({ added: createdForm }),
    ({ added }) => formatKey(added),
    { bootstraps: true },
  );
}

function addKey(operator: string, values: Values): Promise<number> {
  return operate(
    `mutation ($operator: String!, $days: Int) { added: addOperatorKey(operator: $operator, days: $days) ${createdFields} }`,
    { operator, ...daysOf(values) },
    z.object({ added: createdForm }),
    ({ added }) => formatKey(added),
  );
}

/** Formats a new key. The key alone is on the first line, so that a script can read it. */
function formatKey({
  id,
  key,
  expiresAt,
  operator: { id: operatorId, email, roles },
}: z.infer<typeof createdForm>): string {
  return `${key}

This is the key ${id} of ${email} (${operatorId}): ${roles.join(', ')}. It is valid until ${expiresAt} and cannot be shown again.
Commands: export LASTRO_OPERATOR_KEY=<key>   GraphQL: X-API-Key: <key>`;
}

function changeRoles(operator: string, roles: string): Promise<number> {
  return operate(
    'mutation ($operator: String!, $roles: [String!]!) { changeOperatorRoles(operator: $operator, roles: $roles) { email roles } }',
    { operator, roles: listOf(roles) },
    z.object({ changeOperatorRoles: z.object({ email: z.string(), roles: z.array(z.string()) }) }),
    ({ changeOperatorRoles: changed }) => `${changed.email} has the roles ${changed.roles.join(', ')}.`,
  );
}

function revoke(operator: string): Promise<number> {
  return operate(
    'mutation ($operator: String!) { revokeOperator(operator: $operator) { email } }',
    { operator },
    z.object({ revokeOperator: z.object({ email: z.string() }) }),
    ({ revokeOperator: { email } }) => `The operator ${email} is revoked, with all keys.`,
  );
}

function revokeKey(id: string): Promise<number> {
  return operate(
    'mutation ($id: ID!) { revokeOperatorKey(id: $id) }',
    { id },
    z.object({ revokeOperatorKey: z.boolean() }),
    () => `The key ${id} is revoked.`,
  );
}

const keyForm = z.object({
  id: z.string(),
  prefix: z.string(),
  expiresAt: z.string(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});
const listForm = z.object({
  operators: z.array(
    z.object({
      id: z.string(),
      email: z.string(),
      name: z.string(),
      roles: z.array(z.string()),
      revokedAt: z.string().nullable(),
      keys: z.array(keyForm),
    }),
  ),
});

function list(): Promise<number> {
  return operate(
    '{ operators { id email name roles revokedAt keys { id prefix expiresAt lastUsedAt revokedAt } } }',
    {},
    listForm,
    ({ operators }) =>
      operators.length === 0 ? 'There are no operators yet.' : operators.map(formatOperator).join('\n'),
  );
}

function formatOperator({
  id,
  email,
  name,
  roles,
  revokedAt,
  keys,
}: z.infer<typeof listForm>['operators'][number]): string {
  const state = revokedAt === null ? roles.join(',') : `revoked ${revokedAt}`;
  const lines = keys.map((key) => {
    const standing = key.revokedAt === null ? `until ${key.expiresAt}` : `revoked ${key.revokedAt}`;
    return `  ${key.id}  ${key.prefix}…  ${standing}${key.lastUsedAt === null ? '' : `  used ${key.lastUsedAt}`}`;
  });
  return [`${id}  ${email}  ${name}  ${state}`, ...lines].join('\n');
}

function listOf(roles: string): string[] {
  return roles.split(',').map((role) => role.trim());
}

/** Parses the number of days; the graph refuses a value that is not a number. */
function daysOf({ days }: Values): { days?: number } {
  return days === undefined ? {} : { days: Number(days) };
}
