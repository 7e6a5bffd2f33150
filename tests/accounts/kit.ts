import { readMailbox } from '../../shared/work/mail/mail.js';
import { anonymous, type Context, type Principal } from '../../shared/kernel/context.js';
import { fixedClock } from '../kit/clock.js';
import { accountsEntities } from '../../subgraphs/accounts/rows.js';
import { createAccounts, type AccountsParts } from '../../subgraphs/accounts/subgraph.js';
import { quietLog, testContext, testKeyRing } from '../kit/context.js';
import { openTestDatabase } from '../kit/database.js';
import { defaultRateLimits } from '../kit/rate-limits.js';
import { runOn } from '../kit/run-on.js';

export const password = 'correct horse 9';

export type AccountsKit = Awaited<ReturnType<typeof openAccounts>>;

export const accountsConfig: AccountsParts['config'] = {
  publicUrl: 'https://lastro.test',
  operatorUrl: undefined,
  portalAuthUrl: undefined,
  demo: false,
  production: false,
  rateLimits: defaultRateLimits,
  requestLogDays: 0,
  importSettledPriceDays: 5,
};

const registerText = `mutation ($name: String!, $email: String!, $password: String!, $company: String!, $language: MailLanguage) {
  register(name: $name, email: $email, password: $password, company: $company, language: $language) { message }
}`;
const sessionFields = 'accessToken user { id email name company ownerType }';
export const loginText = `mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { ${sessionFields} } }`;
export const verifyText = `mutation ($token: String!) { verifyEmail(token: $token) { ${sessionFields} } }`;

/** The same object, and how often methods of some names were called on it. */
export function counted<T extends object>(
  target: T,
  names: RegExp,
): { readonly target: T; readonly calls: () => number } {
  let calls = 0;
  const proxy: T = new Proxy(target, {
    get: (object, name) => {
      if (typeof name === 'string' && names.test(name)) calls += 1;
      const value: unknown = Reflect.get(object, name);
      // What names itself names what is counted.
      if (value === object) return proxy;
      return typeof value === 'function' ? (value.bind(object) as unknown) : value;
    },
  });
  return { target: proxy, calls: () => calls };
}

/** The domain of accounts on a database of its own; without `importDomains` nothing can be imported or taken back in it. */
export async function openAccounts(
  config: Partial<AccountsParts['config']> = {},
  { importDomains = [] }: Pick<AccountsParts, 'importDomains'> = {},
) {
  const database = await openTestDatabase({ entities: accountsEntities });
  const clock = fixedClock('2026-11-20T15:00:00Z');
  const parts = { keyRing: testKeyRing, clock, log: quietLog, databaseUrl: database.url, importDomains };
  const accounts = await createAccounts({ ...parts, config: { ...accountsConfig, ...config } });
  const context = testContext({ manager: database.dataSource.manager, clock });
  const ask = runOn(accounts.schema, context);
  const run = (text: string, variables: Record<string, unknown> = {}, over: Partial<Context> = {}) =>
    ask(text, variables, { principal: anonymous('203.0.113.7'), ...over });

  const mailbox = (to: string) => readMailbox(context, testKeyRing, to);
  const tokenFor = async (to: string) => {
    const link = (await mailbox(to)).flatMap((mail) => mail.links)[0];
    if (link === undefined) throw new Error(`No link was mailed to ${to}`);
    return new URL(link).searchParams.get('token') ?? '';
  };
  const principalOf = async (bearer: string): Promise<Principal> => {
    const principal = await accounts.authenticator.authenticate({ bearer });
    if (principal === undefined) throw new Error('The session does not work');
    return principal;
  };
  const register = (email: string, over: Record<string, unknown> = {}) =>
    run(registerText, { name: 'Ana Souza', email, password, company: 'Casa & Filhos', ...over });

  return {
    database,
    accounts,
    clock,
    context,
    /** Runs one operation on the subgraph's schema, as a caller from the network unless a principal is given. */
    run,
    mailbox,
    /** The token in the newest message that has a link. */
    tokenFor,
    /** Registers an e-mail, without looking whether that worked. */
    register,
    login: (email: string, given: string = password) => run(loginText, { email, password: given }),
    session: async (email: string, given: string = password, parts: Partial<Context> = {}) => {
      const { data, error: apiError } = await run(loginText, { email, password: given }, parts);
      if (apiError !== undefined) throw new Error(apiError.message);
      return principalOf((data?.['login'] as { accessToken: string }).accessToken);
    },
    /** A confirmed account and the principal of its session. */
    member: async (email: string) => {
      await register(email);
      const { data } = await run(verifyText, { token: await tokenFor(email) });
      const session = data?.['verifyEmail'] as { accessToken: string; user: { id: string } };
      return {
        id: session.user.id,
        accessToken: session.accessToken,
        principal: await principalOf(session.accessToken),
      };
    },
    newKeys: async (principal: Principal) => {
      const text = `mutation { api: createApiKey(name: "k") { key }
        developer: createDeveloperKey(name: "k", scopes: ["webhooks:read"]) { key } }`;
      const { data } = await run(text, {}, { principal });
      return Object.values(data as Record<string, { key: string }>).map(({ key }) => key);
    },
    forget: async () => {
      await accounts.jobs.find(({ name }) => name === 'accounts.retention')?.run(context);
    },
    close: async () => {
      await accounts.close();
      await database.close();
    },
  };
}
