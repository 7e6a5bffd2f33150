import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openAccounts, password, verifyText } from '../../../tests/accounts/kit.js';
import type { Outcome } from '../../../tests/kit/run-on.js';
import { newId } from '../../../shared/kernel/ids.js';
import { stepsLeaseMs } from '../../../shared/graphql/in-steps.js';
import { until } from '../../../tests/kit/until.js';

const kit = await openAccounts();
// A request is cut off at an update of what is stored for its key: the first belongs to the act itself, the second stores the response.
await kit.database.asOwner(`
    CREATE TABLE public.cut (at integer);
    CREATE SEQUENCE shared.updates;
    GRANT USAGE ON SEQUENCE shared.updates TO lastro_app;
    CREATE FUNCTION shared.cut() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF nextval('shared.updates') = (SELECT at FROM public.cut) THEN RAISE EXCEPTION 'cut off'; END IF; RETURN NEW; END $$;
    CREATE TRIGGER cut BEFORE UPDATE ON shared.idempotent_answers FOR EACH ROW EXECUTE FUNCTION shared.cut()`);
afterAll(() => kit.close());
beforeEach(() => kit.database.asOwner('TRUNCATE shared.idempotent_answers'));
afterEach(() => kit.database.asOwner('TRUNCATE public.cut'));

const cutAt = (update: number) =>
  kit.database.asOwner(`INSERT INTO public.cut VALUES (${update}); ALTER SEQUENCE shared.updates RESTART`);
const mend = () => kit.database.asOwner('TRUNCATE public.cut');

type Ask = () => Promise<Outcome>;

function keyed(text: string, variables: Record<string, unknown>): Ask {
  const named = { key: newId(), owner: 'network', operation: 'POST /graphql', digest: Buffer.from(text) };
  return () => kit.run(text, variables, { idempotency: { ...named, replayed: false } });
}

const fields = { name: 'Ana Souza', password, company: 'Casa' };
const args = 'name: $name, email: $email, password: $password, company: $company';
const declared = '($name: String!, $email: String!, $password: String!, $company: String!)';
const byMail: Readonly<Record<string, (email: string) => Ask>> = {
  register: (email) => keyed(`mutation ${declared} { register(${args}) { message } }`, { ...fields, email }),
  forgotPassword: (email) =>
    keyed('mutation ($email: String!) { forgotPassword(email: $email) { message } }', { email }),
  resendVerification: (email) =>
    keyed('mutation ($email: String!) { resendVerification(email: $email) { message } }', { email }),
};
const unique = () => `${newId()}@casa.example`;

const accountsOf = async (email: string) =>
  (await kit.database.dataSource.query<object[]>('SELECT FROM accounts.accounts WHERE email = $1', [email])).length;
const sizes = () =>
  kit.database.dataSource.query<{ size: number }[]>('SELECT length(answer) AS size FROM shared.idempotent_answers');

async function left(email: string, before: number) {
  return { mails: (await kit.mailbox(email)).length - before, accounts: await accountsOf(email) };
}

/** An address without an account where the act makes one, else with one. */
async function addressFor(name: string): Promise<{ readonly email: string; readonly before: number }> {
  const email = unique();
  if (!name.startsWith('register')) await kit.register(email);
  return { email, before: (await kit.mailbox(email)).length };
}

describe.each(Object.keys(byMail))('%s with an idempotency key', (name) => {
  const requestOf = byMail[name] ?? (() => keyed('', {}));

  test('happens once, and the same request gets the same response', async () => {
    const { email, before } = await addressFor(name);
    const ask = requestOf(email);
    const first = await ask();
    expect(first.error).toBeUndefined();
    expect(await ask()).toEqual(first);
    expect(await left(email, before)).toEqual({ mails: 1, accounts: 1 });
  });

  test.each([
    ['before it was committed', 1, 0],
    ['before its response was stored', 2, 1],
  ])('happens once where it was cut off %s: the same request gets its response later', async (_when, update, mails) => {
    const { email, before } = await addressFor(name);
    const ask = requestOf(email);
    await cutAt(update);
    expect((await ask()).error?.statusCode).toBe(500);
    await mend();
    expect((await left(email, before)).mails).toBe(mails);
    kit.clock.advance(stepsLeaseMs);
    const response = await ask();
    expect(response).toEqual(await requestOf(unique())());
    expect(await ask()).toEqual(response);
    expect(await left(email, before)).toEqual({ mails: 1, accounts: 1 });
  });

  test('keeps no transaction open while it waits', async () => {
    const { email } = await addressFor(name);
    const state = { pending: true };
    const asked = requestOf(email)().finally(() => {
      state.pending = false;
    });
    const stands = async () => {
      const [found] = await kit.database.dataSource.query<{ kept: boolean; open: boolean }[]>(
        `SELECT EXISTS (SELECT FROM shared.idempotent_answers) AS kept, EXISTS (SELECT FROM pg_stat_activity
           WHERE datname = current_database() AND state = 'idle in transaction') AS open`,
      );
      return found?.kept === true && !found.open;
    };
    await until('the response to be kept and no transaction open', async () => (await stands()) || !state.pending);
    expect(state.pending).toBe(true);
    await asked;
  });

  test('stores the same for an e-mail with an account and without one', async () => {
    const known = unique();
    await kit.register(known);
    const responses = [await requestOf(known)(), await requestOf(unique())()];
    expect(responses[1]).toEqual(responses[0]);
    const [first, second] = await sizes();
    expect(second).toEqual(first);
  });
});

describe('verifyEmail with an idempotency key', () => {
  const sessionsOf = async (email: string) =>
    (
      await kit.database.dataSource.query<object[]>(
        'SELECT FROM accounts.sessions s JOIN accounts.accounts a ON a.id = s.account_id WHERE a.email = $1',
        [email],
      )
    ).length;
  const tokenOf = (outcome: Outcome) => (outcome.data?.['verifyEmail'] as { accessToken: string }).accessToken;

  async function linkOf(email: string): Promise<Ask> {
    await kit.register(email);
    return keyed(verifyText, { token: await kit.tokenFor(email) });
  }

  test('opens one session, and the same request gets the same response', async () => {
    const email = unique();
    const ask = await linkOf(email);
    const first = await ask();
    expect(await ask()).toEqual(first);
    expect(await sessionsOf(email)).toBe(1);
  });

  test.each([
    ['before it was committed', 1, 0],
    ['before its response was stored', 2, 1],
  ])('opens one session where it was cut off %s, and its token works', async (_when, update, sessions) => {
    const email = unique();
    const ask = await linkOf(email);
    await cutAt(update);
    expect((await ask()).error?.statusCode).toBe(500);
    await mend();
    expect(await sessionsOf(email)).toBe(sessions);
    kit.clock.advance(stepsLeaseMs);
    const response = await ask();
    expect(response.data?.['verifyEmail']).toMatchObject({ user: { email } });
    expect(await kit.accounts.authenticator.authenticate({ bearer: tokenOf(response) })).toMatchObject({
      kind: 'SESSION',
    });
    expect(await ask()).toEqual(response);
    expect(await sessionsOf(email)).toBe(1);
  });

  test('says that the link is of no use where the account was deleted before the request came again', async () => {
    const email = unique();
    const ask = await linkOf(email);
    await cutAt(2);
    await ask();
    await mend();
    await kit.database.asOwner(
      `DELETE FROM accounts.sessions USING accounts.accounts a WHERE a.id = account_id AND a.email = '${email}'`,
    );
    kit.clock.advance(stepsLeaseMs);
    expect((await ask()).error).toMatchObject({ statusCode: 422, details: [{ path: 'token' }] });
  });
});
