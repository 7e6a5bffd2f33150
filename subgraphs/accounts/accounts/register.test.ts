import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openAccounts, password, type AccountsKit } from '../../../tests/accounts/kit.js';
import { mailsPerHour } from './account.store.js';

let kit: AccountsKit;

beforeAll(async () => {
  kit = await openAccounts();
});

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

  test('keeps the password as Argon2id with 19 MiB, two passes and one lane', async () => {
    await kit.register('hash@casa.example');
    expect((await accountsOf('hash@casa.example'))?.hashes).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('answers a known e-mail, in any case, like a new one and informs the owner by mail', async () => {
    const first = await kit.register('twice@casa.example');
    const again = await kit.register('  TWICE@Casa.Example ', { password: 'another password 1', name: 'Mallory' });
    expect(again).toEqual(first);
    const mails = await kit.mailbox('twice@casa.example');
    expect(mails).toHaveLength(2);
    expect(mails[0]?.text).toContain('já tinha um cadastro');
    // The second registration holds: its password, its name.
    expect((await kit.login('twice@casa.example')).error?.statusCode).toBe(401);
    expect((await kit.login('twice@casa.example', 'another password 1')).error).toBeUndefined();
  });

  test('informs the owner of a confirmed account, with no link that could open it', async () => {
    await kit.member('owner@casa.example');
    await kit.register('owner@casa.example');
    const [mail] = await kit.mailbox('owner@casa.example');
    expect(mail?.subject).toBe('Você já tem uma conta');
    expect(mail?.links).toEqual([]);
  });

  test('tells the owner of a confirmed account at most twice an hour, and keeps nobody from a reset link or a log-in with a new password', async () => {
    await kit.member('locked-out@casa.example');
    kit.clock.advance(3_600_001);
    const before = (await kit.mailbox('locked-out@casa.example')).length;
    for (let round = 0; round < 10; round += 1) {
      await kit.register('locked-out@casa.example');
      await kit.login('locked-out@casa.example', 'wrong password 1');
    }
    expect(await kit.mailbox('locked-out@casa.example')).toHaveLength(before + mailsPerHour.EXISTING);
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

  test('answers twenty registrations of one e-mail at once alike', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        kit.register(index % 2 === 0 ? 'race@casa.example' : 'Race@Casa.example'),
      ),
    );
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(await kit.mailbox('race@casa.example')).toHaveLength(mailsPerHour.REGISTRATION);
  });

  test('takes the same time whether or not the e-mail has an account', async () => {
    const timed = async (email: string) => {
      const begun = performance.now();
      await kit.register(email);
      return performance.now() - begun;
    };
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
    const known: number[] = [];
    const unknown: number[] = [];
    await kit.member('timed@casa.example');
    for (let round = 0; round < 7; round += 1) {
      known.push(await timed('timed@casa.example'));
      unknown.push(await timed(`timed-${round}@casa.example`));
    }
    expect(Math.min(...known, ...unknown)).toBeGreaterThan(245);
    expect(Math.abs(median(known) - median(unknown))).toBeLessThan(50);
  });

  test('sends one e-mail at most 7 messages an hour about registrations, whoever asks, and keeps no registration beyond them', async () => {
    for (let round = 0; round < 12; round += 1) await kit.register('flood@casa.example');
    expect(await kit.mailbox('flood@casa.example')).toHaveLength(mailsPerHour.REGISTRATION);
    expect(await accountsOf('flood@casa.example')).toMatchObject({ accounts: '1' });
    kit.clock.advance(3_600_001);
    await kit.register('flood@casa.example');
    expect(await kit.mailbox('flood@casa.example')).toHaveLength(mailsPerHour.REGISTRATION + 1);
  });

  test('names every error of the input at once, with 400', async () => {
    const { error } = await kit.register('not an e-mail', { name: ' ', password: 'short', company: '\u0000' });
    expect(error).toMatchObject({ code: 'BAD_REQUEST', statusCode: 400 });
    expect(error?.details?.map((detail) => detail.path)).toEqual(['name', 'email', 'password', 'company']);
  });

  test('refuses a missing or wrongly typed field with 400 and its path', async () => {
    expect((await kit.register('x@casa.example', { name: undefined })).error).toMatchObject({
      statusCode: 400,
      details: [{ path: 'name' }],
    });
    expect((await kit.register('x@casa.example', { company: 7 })).error).toMatchObject({
      statusCode: 400,
      details: [{ path: 'company' }],
    });
  });

  test.each([
    ['a name', { name: 'n'.repeat(201) }, 'name'],
    ['a company', { company: 'c'.repeat(201) }, 'company'],
    [
      'an e-mail',
      { email: `${'e'.repeat(60)}@${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(60)}.example` },
      'email',
    ],
    ['a password', { password: `1${'p'.repeat(128)}` }, 'password'],
  ])('refuses %s that is too long with 400', async (_what, over, path) => {
    const { error } = await kit.register('long@casa.example', over);
    expect(error).toMatchObject({ statusCode: 400, details: [{ path }] });
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
