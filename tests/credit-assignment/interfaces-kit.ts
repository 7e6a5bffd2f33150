import { readFileSync } from 'node:fs';
import type { Route } from '../../rest/route.js';
import { addOriginator } from '../../subgraphs/credit-assignment/originators/originators.acts.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { answerChecks, answerOf, type OpenApi } from '../rest/openapi-kit.js';
import { addEstate } from '../tokenization/series/kit.js';
import { addOpenEstate, permit } from './estates/kit.js';
import {
  newPair,
  pemOf,
  sendSigned,
  unsentSecond,
  type SignedResponse,
  type SignedInit,
  type Signer,
} from './signing-kit.js';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * A platform with an open estate, and two clients that are permitted it.
 * @param bankAccount returns the account that the bank is linked with
 */
export async function openInterfaces(
  config: Readonly<Record<string, string>> = {},
  bankAccount: (platform: TestPlatform) => Promise<string | null> = () => Promise.resolve(null),
) {
  const platform = await openTestPlatform({
    RATE_LIMIT_CLIENT: '100000',
    RATE_LIMIT_API_KEY: '100000',
    RATE_LIMIT_PUBLIC: '100000',
    ...config,
  });
  const { manager } = platform.infrastructure.dataSource;
  const patrimonyId = await addEstate(manager, 'DOORS');
  await addOpenEstate(manager, patrimonyId, 'DOORS');
  const onboard = async (name: string, accountId: string | null): Promise<Signer> => {
    const { privateKey, publicKey } = newPair();
    const given = { name, publicKey: pemOf(publicKey), rateLimit: null, accountId };
    const { id } = await addOriginator(platform.infrastructure.context, given);
    await permit(manager, id, patrimonyId);
    return { clientId: id, key: privateKey };
  };
  const bank = await onboard('Banco Exemplo', await bankAccount(platform));
  return {
    platform,
    patrimonyId,
    bank,
    other: await onboard('Outro Banco', null),
    /** Sends a request that the bank signed, or another client; the same request again is no replay. */
    sent: (method: Method, target: string, body?: unknown, signer = bank, init: SignedInit = {}) =>
      sendSigned(platform.url, signer, target, {
        timestamp: unsentSecond(`${method} ${target} ${JSON.stringify(body)}`),
        ...init,
        method,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
  };
}

export const codeOf = ({ status, body }: SignedResponse) => [status, body['code']];

const text = JSON.parse(readFileSync(new URL('../../rest/openapi.json', import.meta.url), 'utf8')) as OpenApi;
const checkOf = answerChecks(text);

/** What the documented schema of a row's answer finds wrong with a body; undefined for a row without a schema. */
export function schemaErrors({ method, path, status }: Route, body: unknown): unknown[] | undefined {
  const told = text.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const schema = told && answerOf(text, told, status).content?.['application/json']?.schema;
  if (schema === undefined) return undefined;
  const check = checkOf(schema);
  return check(body) ? [] : (check.errors ?? ['not as it says']);
}
