import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  giveOriginatorKey,
  knownOriginators,
  onboardOriginator,
  permitEstate,
  takeOriginatorKey,
  withdrawEstate,
  type KnownOriginator,
} from '../bootstrap/originator.js';
import { loadConfig } from '../shared/config.js';
import type { Context } from '../shared/context.js';
import { ApiError } from '../shared/errors.js';
import { saying, withOperator } from './acting.js';
import type { Command } from './command.js';
import { misused } from './misuse.js';

const options = {
  name: { type: 'string' },
  'public-key': { type: 'string' },
  'rate-limit': { type: 'string' },
  account: { type: 'string' },
} as const;

export const originatorCommand: Command = {
  usage: `Usage: npm run lastro -- originator add --name <name> --public-key <file> [--rate-limit <n>] [--account <e-mail>]
       npm run lastro -- originator key add <client id> --public-key <file>
       npm run lastro -- originator key revoke <key id>
       npm run lastro -- originator permit <client id> <estate>
       npm run lastro -- originator withdraw <client id> <estate>
       npm run lastro -- originator list

add         onboards a client, which signs its requests, and prints its id
key add     adds a key of a client, so that one can be replaced without interruption; at most 10 at a time
key revoke  revokes a key; within a second no server accepts its signatures
permit      permits a client to assign credits to an estate
withdraw    withdraws the permit; batches of the client for the estate that are not processed yet are rejected
list        the newest 500 clients with their keys and permitted estates

  <estate>      its id or ticker
  --public-key  RSA public key in PEM, of 2048 to 8192 bits; the private key stays with the client
  --rate-limit  requests a minute (default: RATE_LIMIT_CLIENT)
  --account     the account whose sessions and keys can read the client's batches, and whose webhooks receive their events

The server may be running. Exit code 0: done. 1: refused, with the reason on standard error. 2: wrong use.`,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const act = actOf(positionals, values);
    if (act === undefined) return misused(originatorCommand.usage, args);
    return saying(() => withOperator(loadConfig(), act));
  },
};

type Values = Readonly<Partial<Record<keyof typeof options, string>>>;
/** Carries out an act and returns the text to print. */
type Act = (context: Context) => Promise<string>;

function actOf(positionals: readonly string[], values: Values): Act | undefined {
  const [first, second, third, ...more] = positionals;
  const { name, 'public-key': file, account } = values;
  if (more.length > 0) return undefined;
  if (first === 'list' && second === undefined) return list;
  if (first === 'add' && second === undefined && name !== undefined && file !== undefined) {
    return (context) => add(context, { name, file, account, rateLimit: values['rate-limit'] });
  }
  if (third === undefined) return undefined;
  if (first === 'permit' && second !== undefined) return (context) => permit(context, second, third);
  if (first === 'withdraw' && second !== undefined) return (context) => withdraw(context, second, third);
  if (first !== 'key') return undefined;
  if (second === 'add' && file !== undefined) return (context) => addKey(context, third, file);
  return second === 'revoke' ? (context) => revokeKey(context, third) : undefined;
}

interface NewClient {
  readonly name: string;
  readonly file: string;
  readonly account: string | undefined;
  readonly rateLimit: string | undefined;
}

async function add(context: Context, { name, file, account, rateLimit }: NewClient): Promise<string> {
  const publicKey = await readKey(file);
  // A value that is not a number becomes NaN, which is then refused with an error that names the field.
  const id = await onboardOriginator(context, {
    name,
    publicKey,
    account,
    rateLimit: rateLimit === undefined ? null : Number(rateLimit),
  });
  return `${id}

This is the client id. Permit the estates to which it may assign credits:
  npm run lastro -- originator permit ${id} <estate>
Give the id to the client, who sends it as X-Client-Id with X-Timestamp and X-Signature.
How to sign: examples/signed-client/README.md. To try it there, with the private key:
  CLIENT_ID=${id} PRIVATE_KEY=<file> sh examples/signed-client/client.sh GET /tidc/v1/credit-batches`;
}

async function addKey(context: Context, originatorId: string, file: string): Promise<string> {
  return `The client can sign with the key ${await giveOriginatorKey(context, originatorId, await readKey(file))}.`;
}

async function revokeKey(context: Context, keyId: string): Promise<string> {
  await takeOriginatorKey(context, keyId);
  return `The key ${keyId} is revoked.`;
}

async function permit(context: Context, originatorId: string, estate: string): Promise<string> {
  return `The client may assign credits to ${await permitEstate(context, originatorId, estate)}.`;
}

async function withdraw(context: Context, originatorId: string, estate: string): Promise<string> {
  const { ticker, wasPermitted } = await withdrawEstate(context, originatorId, estate);
  return wasPermitted
    ? `The client may no longer assign credits to ${ticker}.`
    : `The client had no permit for ${ticker}; nothing has changed.`;
}

async function list(context: Context): Promise<string> {
  const known = await knownOriginators(context);
  return known.length === 0 ? 'There are no clients yet.' : known.map(lineOf).join('\n');
}

function lineOf({ id, name, status, rateLimit, keys, permits }: KnownOriginator): string {
  const limit = rateLimit === null ? '' : `  ${rateLimit} a minute`;
  const lines = keys.map(({ id: key, bits, fingerprint, revokedAt }) => {
    const state = revokedAt === null ? '' : `  revoked ${revokedAt.toISOString()}`;
    return `  ${key}  RSA ${bits}  ${fingerprint.toString('hex')}${state}`;
  });
  const estates = permits.length === 0 ? '  no estate is permitted' : `  may assign to ${permits.join(', ')}`;
  return [`${id}  ${status}  ${name}${limit}`, ...lines, estates].join('\n');
}

async function readKey(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new ApiError('BAD_REQUEST', { message: `The file ${file} cannot be read`, cause });
  }
}
