import { afterAll, describe, expect, test } from '@jest/globals';
import { openAccounts, password, verifyText } from '../../../tests/accounts/kit.js';
import { mailsPerHour } from './account.store.js';

const kit = await openAccounts();
afterAll(() => kit.close());

interface Counts {
  readonly accounts: string;
  readonly hashes: string;
}

const accountsOf = async (email: string) =>
  (
    await kit.database.dataSource.query<Counts[]>(
      `SELECT count(*) AS accounts, min(password_hash) AS hashes FROM accounts.accounts WHERE lower(email) = lower($1)`,
      [email],
    )
  )[0];

describe('register', () => {
  test('makes an unconfirmed account and mails a confirmation link', async () => {
    const { data } = await kit.register('ana@casa.example');
    expect(data).toEqual({ register: { message: expect.any(String) } });
    const [mail, ...others] = await kit.mailbox('ana@casa.example');
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Confirme seu e-mail');
    expect(mail?.links).toEqual([expect.stringMatching(/^https:\/\/lastro\.test\/verificar-email\?token=[\w-]{43}$/)]);
    expect(mail?.text).toContain(mail?.links[0]);
    expect(mail?.html).toContain(`href="${mail?.links[0] ?? ''}"`);
    const session = await kit.login('ana@casa.example');
    expect(session.data?.['login']).toMatchObject({
      user: { email: 'ana@casa.example', name: 'Ana Souza', company: 'Casa & Filhos', ownerType: 'EMISSOES_USER' },
    });
  });

  test('mails in the language of the registration, and so does a change of the password of its account', async () => {
    const email = 'eve@casa.example';
    await kit.register(email, { language: 'EN' });
    const [mail] = await kit.mailbox(email);
    expect(mail?.subject).toBe('Confirm your e-mail');
    expect(mail?.links).toEqual([expect.stringMatching(/^https:\/\/lastro\.test\/en\/verificar-email\?token=/)]);
    await kit.run(verifyText, { token: await kit.tokenFor(email) });
    const principal = await kit.session(email);
    const change = 'mutation ($old: String!) { changePassword(currentPassword: $old, newPassword: "another-1") }';
    await kit.run(change, { old: password }, { principal });
    expect((await kit.mailbox(email))[0]).toMatchObject({
      subject: 'Your password was changed',
      text: expect.stringMatching(/^Hello, Ana Souza\.\n\nThe password of your account was changed on 2026-/),
    });
  });

  test('keeps the password as Argon2id with 19 MiB, two passes and one lane', async () => {
    await kit.register('hash@casa.example');
    expect((await accountsOf('hash@casa.example'))?.hashes).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('tells the owner of a confirmed account at most twice an hour, and keeps nobody from a reset link or a log-in with a new password', async () => {
    await kit.member('locked-out@casa.example');
    kit.clock.advance(3_600_001);
    const before = (await kit.mailbox('locked-out@casa.example')).length;
    for (let round = 0; round < 10; round += 1) {
      await kit.register('locked-out@casa.example');
      await kit.login('locked-out@casa.example', 'wrong password 1');
    }
    const told = await kit.mailbox('locked-out@casa.example');
    expect(told).toHaveLength(before + mailsPerHour.EXISTING);
    expect(told[0]).toMatchObject({ subject: 'Você já tem uma conta', links: [] });
    expect((await kit.login('locked-out@casa.example')).error?.statusCode).toBe(429);
    const forgot = 'mutation ($email: String!) { forgotPassword(email: $email) { message } }';
    for (let round = 0; round < 5; round += 1) await kit.run(forgot, { email: 'locked-out@casa.example' });
    const mails = before + mailsPerHour.EXISTING + mailsPerHour.RESET;
    expect(await kit.mailbox('locked-out@casa.example')).toHaveLength(mails);
    const reset =
      'mutation ($token: String!) { resetPassword(token: $token, password: "another password 2") { message } }';
    await kit.run(reset, { token: await kit.tokenFor('locked-out@casa.example') });
    expect((await kit.login('locked-out@casa.example', 'another password 2')).error).toBeUndefined();
  });

  test('takes the same time whether or not the e-mail has an account', async () => {
    const timed = async (email: string) => {
      const begun = performance.now();
      await kit.register(email);
      return performance.now() - begun;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    await kit.member('timed@casa.example');
    for (let round = 0; round < 7; round += 1) {
      known.push(await timed('timed@casa.example'));
      unknown.push(await timed(`timed-${round}@casa.example`));
    }
    // The quickest of each: other processes only make a request longer.
    expect(Math.min(...known, ...unknown)).toBeGreaterThan(245);
    expect(Math.abs(Math.min(...known) - Math.min(...unknown))).toBeLessThan(50);
  });

  test('sends one e-mail at most 7 messages an hour about registrations, whoever asks, and keeps no registration beyond them', async () => {
    for (let round = 0; round < 12; round += 1) await kit.register('flood@casa.example');
    expect(await kit.mailbox('flood@casa.example')).toHaveLength(mailsPerHour.REGISTRATION);
    expect(await accountsOf('flood@casa.example')).toMatchObject({ accounts: '1' });
    kit.clock.advance(3_600_001);
    await kit.register('flood@casa.example');
    expect(await kit.mailbox('flood@casa.example')).toHaveLength(mailsPerHour.REGISTRATION + 1);
  });

  test('never shows a name in mail as markup, nor an address hidden in it', async () => {
    await kit.register('markup@casa.example', { name: '<b onload=x>Eva</b> "& http://evil.example' });
    const [mail] = await kit.mailbox('markup@casa.example');
    expect(mail?.html).not.toContain('<b ');
    expect(mail?.html).not.toContain('evil.example');
    expect(mail?.text).not.toContain('evil.example');
    expect(mail?.text).toContain('Eva');
  });

  test('stores neither the password nor the token in readable form', async () => {
    await kit.register('secret@casa.example');
    const token = await kit.tokenFor('secret@casa.example');
    const rows: unknown = await kit.database.dataSource.query(
      'SELECT a::text AS account, t::text AS token, m::text AS mail FROM accounts.accounts a JOIN accounts.one_time_tokens t ON t.account_id = a.id, shared.mails m WHERE a.email = $1 AND m.recipient = $1',
      ['secret@casa.example'],
    );
    const text = JSON.stringify(rows);
    expect(text).not.toContain(token);
    expect(text).not.toContain(password);
    expect(text).not.toContain(Buffer.from(token).toString('hex'));
  });
});

const verify = (token: string) => kit.run(verifyText, { token });
const resend = (email: string) =>
  kit.run('mutation ($email: String!) { resendVerification(email: $email) { message } }', { email });
const useless = { code: 'UNPROCESSABLE', statusCode: 422, details: [{ path: 'token' }] };

describe('verify-email', () => {
  test('confirms the account and returns a session that works', async () => {
    await kit.register('ana@verify.example');
    const { data } = await verify(await kit.tokenFor('ana@verify.example'));
    expect(data?.['verifyEmail']).toMatchObject({ user: { email: 'ana@verify.example', ownerType: 'EMISSOES_USER' } });
    const { accessToken, user } = data?.['verifyEmail'] as { accessToken: string; user: { id: string } };
    const principal = await kit.accounts.authenticator.authenticate({ bearer: accessToken });
    expect(principal).toMatchObject({ kind: 'SESSION', ownerId: user.id });
    const rows: unknown = await kit.database.dataSource.query(
      'SELECT confirmed_at FROM accounts.accounts WHERE id = $1',
      [user.id],
    );
    expect(rows).toEqual([{ confirmed_at: kit.clock.now() }]);
  });

  test('takes a token for 24 hours and not longer', async () => {
    await kit.register('early@verify.example');
    await kit.register('late@verify.example');
    const [early, late] = [await kit.tokenFor('early@verify.example'), await kit.tokenFor('late@verify.example')];
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
    await kit.register('reset@verify.example');
    await kit.run('mutation { forgotPassword(email: "reset@verify.example") { message } }');
    const [mail] = await kit.mailbox('reset@verify.example');
    expect(mail?.links[0]).toContain('/redefinir-senha?token=');
    expect((await verify(await kit.tokenFor('reset@verify.example'))).error).toMatchObject(useless);
  });

  test('lets two links of one account, opened at once, confirm it once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const email = `links-${round}@verify.example`;
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
    await kit.register('again@verify.example');
    const first = await kit.tokenFor('again@verify.example');
    await resend(' AGAIN@verify.example ');
    expect(await kit.mailbox('again@verify.example')).toHaveLength(2);
    expect((await verify(first)).error).toBeUndefined();
  });

  test('answers the same, in the same time, for a waiting, a confirmed and an unknown e-mail', async () => {
    await kit.register('waiting@verify.example');
    await kit.member('confirmed@verify.example');
    const timed = async (email: string) => {
      const begun = performance.now();
      const outcome = await resend(email);
      return { outcome, ms: performance.now() - begun };
    };
    const waiting = await timed('waiting@verify.example');
    const confirmed = await timed('confirmed@verify.example');
    const unknown = await timed('unknown@verify.example');
    expect(confirmed.outcome).toEqual(waiting.outcome);
    expect(unknown.outcome).toEqual(waiting.outcome);
    expect(waiting.outcome.error).toBeUndefined();
    for (const { ms } of [waiting, confirmed, unknown]) expect(ms).toBeGreaterThan(245);
    expect(await kit.mailbox('unknown@verify.example')).toEqual([]);
    const [mail] = await kit.mailbox('confirmed@verify.example');
    expect(mail).toMatchObject({ subject: 'Você já tem uma conta', links: [] });
  });
});
