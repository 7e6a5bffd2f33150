import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openAccounts, verifyText, type AccountsKit } from '../../../tests/accounts/kit.js';

let kit: AccountsKit;

beforeAll(async () => {
  kit = await openAccounts();
});

afterAll(() => kit.close());

const verify = (token: string) => kit.run(verifyText, { token });
const resend = (email: string) =>
  kit.run('mutation ($email: String!) { resendVerification(email: $email) { message } }', { email });
const useless = { code: 'UNPROCESSABLE', statusCode: 422, details: [{ path: 'token' }] };

describe('verify-email', () => {
  test('confirms the account and returns a session that works', async () => {
    await kit.register('ana@casa.example');
    const { data } = await verify(await kit.tokenFor('ana@casa.example'));
    expect(data?.['verifyEmail']).toMatchObject({ user: { email: 'ana@casa.example', ownerType: 'EMISSOES_USER' } });
    const { accessToken, user } = data?.['verifyEmail'] as { accessToken: string; user: { id: string } };
    const principal = await kit.accounts.authenticator.authenticate({ bearer: accessToken });
    expect(principal).toMatchObject({ kind: 'SESSION', ownerId: user.id });
    const rows: unknown = await kit.database.dataSource.query(
      'SELECT confirmed_at FROM accounts.accounts WHERE id = $1',
      [user.id],
    );
    expect(rows).toEqual([{ confirmed_at: kit.clock.now() }]);
  });

  test('takes a token once', async () => {
    await kit.register('once@casa.example');
    const token = await kit.tokenFor('once@casa.example');
    expect((await verify(token)).error).toBeUndefined();
    expect((await verify(token)).error).toMatchObject(useless);
  });

  test('takes a token once, of twenty times at the same moment', async () => {
    await kit.register('race@casa.example');
    const token = await kit.tokenFor('race@casa.example');
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => verify(token)));
    expect(outcomes.filter((outcome) => outcome.error === undefined)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.error?.statusCode === 422)).toHaveLength(19);
  });

  test('takes a token for 24 hours and not longer', async () => {
    await kit.register('early@casa.example');
    await kit.register('late@casa.example');
    const [early, late] = [await kit.tokenFor('early@casa.example'), await kit.tokenFor('late@casa.example')];
    kit.clock.advance(24 * 3_600_000 - 1);
    expect((await verify(early)).error).toBeUndefined();
    kit.clock.advance(1);
    expect((await verify(late)).error).toMatchObject(useless);
  });

  test.each(['', 'nonsense', 'x'.repeat(100_000), "' OR 1=1 --", '\u0000'])(
    'refuses what is no token of ours (%#) with 422',
    async (token) => {
      expect((await verify(token)).error).toMatchObject(useless);
    },
  );

  test('does not take the token of a reset link', async () => {
    await kit.register('reset@casa.example');
    await kit.run('mutation { forgotPassword(email: "reset@casa.example") { message } }');
    const [mail] = await kit.mailbox('reset@casa.example');
    expect(mail?.links[0]).toContain('/redefinir-senha?token=');
    expect((await verify(await kit.tokenFor('reset@casa.example'))).error).toMatchObject(useless);
  });

  test('uses up the other confirmation links of the account', async () => {
    await kit.register('links@casa.example');
    const first = await kit.tokenFor('links@casa.example');
    await resend('links@casa.example');
    const second = await kit.tokenFor('links@casa.example');
    expect(second).not.toBe(first);
    expect((await verify(second)).error).toBeUndefined();
    expect((await verify(first)).error).toMatchObject(useless);
  });

  test('lets two links of one account, opened at once, confirm it once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const email = `links-${round}@casa.example`;
      await kit.register(email);
      const first = await kit.tokenFor(email);
      await resend(email);
      const second = await kit.tokenFor(email);
      const outcomes = await Promise.all([first, second, first, second].map(verify));
      expect(outcomes.map((outcome) => outcome.error?.statusCode ?? 200).toSorted()).toEqual([200, 422, 422, 422]);
    }
  });
});

describe('resend-verification', () => {
  test('mails an unconfirmed account a new link, and earlier ones stay good', async () => {
    await kit.register('again@casa.example');
    const first = await kit.tokenFor('again@casa.example');
    await resend(' AGAIN@casa.example ');
    expect(await kit.mailbox('again@casa.example')).toHaveLength(2);
    expect((await verify(first)).error).toBeUndefined();
  });

  test('answers the same, in the same time, for a waiting, a confirmed and an unknown e-mail', async () => {
    await kit.register('waiting@casa.example');
    await kit.member('confirmed@casa.example');
    const timed = async (email: string) => {
      const begun = performance.now();
      const outcome = await resend(email);
      return { outcome, ms: performance.now() - begun };
    };
    const waiting = await timed('waiting@casa.example');
    const confirmed = await timed('confirmed@casa.example');
    const unknown = await timed('unknown@casa.example');
    expect(confirmed.outcome).toEqual(waiting.outcome);
    expect(unknown.outcome).toEqual(waiting.outcome);
    expect(waiting.outcome.error).toBeUndefined();
    for (const { ms } of [waiting, confirmed, unknown]) expect(ms).toBeGreaterThan(245);
    expect(await kit.mailbox('unknown@casa.example')).toEqual([]);
    const [mail] = await kit.mailbox('confirmed@casa.example');
    expect(mail).toMatchObject({ subject: 'Você já tem uma conta', links: [] });
  });

  test('refuses what is no e-mail with 400', async () => {
    expect((await resend('nobody')).error).toMatchObject({ statusCode: 400, details: [{ path: 'email' }] });
  });
});
