import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { createMailer } from '../../../shared/work/mail/mailer.js';
import { openAccounts } from '../../../tests/accounts/kit.js';
import { testKeyRing } from '../../../tests/kit/context.js';

const kit = await openAccounts();
afterAll(() => kit.close());

const start = '2026-11-20T15:00:00Z';
const dayMs = 86_400_000;
beforeEach(() => {
  kit.clock.set(start);
});

async function runJob(): Promise<void> {
  await kit.accounts.jobs.find(({ name }) => name === 'accounts.key-expiry')?.run(kit.context);
}

/** An account with an API key and a developer key, which end in a year. */
async function memberWithKeys(email: string) {
  const member = await kit.member(email);
  const { principal } = member;
  const { data } = await kit.run(
    `mutation { createApiKey(name: "k") { id prefix } createDeveloperKey(name: "k", scopes: ["webhooks:read"]) { id prefix } }`,
    {},
    { principal },
  );
  const made = data as Record<'createApiKey' | 'createDeveloperKey', { id: string; prefix: string }>;
  return { ...member, apiKey: made.createApiKey, developerKey: made.createDeveloperKey };
}

const notices = async (email: string) =>
  (await kit.mailbox(email)).filter(({ subject }) => /venc|expire/.test(subject)).reverse();
const daysBefore = (days: number) => new Date(Date.parse(start) + (365 - days) * dayMs);

describe('the notice of keys that expire', () => {
  test('is mailed 30, 10 and 1 days ahead, once each, for all keys together', async () => {
    const email = 'ana@casa.example';
    const { apiKey, developerKey } = await memberWithKeys(email);
    const sent: number[] = [];
    for (const days of [31, 30, 29, 11, 10, 9, 2, 1, 0.5, 0]) {
      kit.clock.set(daysBefore(days));
      await runJob();
      await runJob();
      sent.push((await notices(email)).length);
    }
    expect(sent).toEqual([0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
    const [first] = await notices(email);
    expect(first?.subject).toBe('Chaves suas vencem em breve');
    for (const { prefix } of [apiKey, developerKey]) expect(first?.text).toContain(prefix);
    expect(first?.text).toContain('20/11/2027, às 12:00 (horário de Brasília)');
  });

  test('is mailed once when two processes run the job at the same time', async () => {
    const email = 'two@casa.example';
    await memberWithKeys(email);
    kit.clock.set(daysBefore(30));
    await Promise.all([runJob(), runJob(), runJob()]);
    expect(await notices(email)).toHaveLength(1);
  });

  test('leaves out periods that passed while nothing ran', async () => {
    const email = 'late@casa.example';
    await memberWithKeys(email);
    kit.clock.set(daysBefore(1));
    await runJob();
    await runJob();
    expect(await notices(email)).toHaveLength(1);
  });

  test('leaves out keys that were revoked or rotated, and disabled accounts', async () => {
    const email = 'rotated@casa.example';
    const { apiKey, developerKey } = await memberWithKeys(email);
    kit.clock.set(daysBefore(40));
    const principal = await kit.session(email);
    await kit.run(
      'mutation ($a: ID!, $b: ID!) { rotateApiKey(id: $a, graceDays: 30) { oldKey { id } } revokeDeveloperKey(id: $b) }',
      { a: apiKey.id, b: developerKey.id },
      { principal },
    );
    kit.clock.set(daysBefore(11));
    await runJob();
    expect(await notices(email)).toEqual([]);

    const disabled = 'disabled@casa.example';
    kit.clock.set(start);
    const { id } = await memberWithKeys(disabled);
    await kit.database.dataSource.query(
      `UPDATE accounts.accounts SET disabled_at = $2, disabled_reason = 'test' WHERE id = $1`,
      [id, kit.clock.now()],
    );
    kit.clock.set(daysBefore(30));
    await runJob();
    expect(await notices(disabled)).toEqual([]);
  });

  test('that the limit of notices holds back is mailed by a later run', async () => {
    const email = 'limit@casa.example';
    const { id } = await memberWithKeys(email);
    kit.clock.set(daysBefore(30));
    const now = kit.clock.now();
    await kit.database.dataSource.query(
      `UPDATE accounts.accounts SET noticed_at = array_fill($2::timestamptz, ARRAY[5]) WHERE id = $1`,
      [id, now],
    );
    await runJob();
    expect(await notices(email)).toEqual([]);
    kit.clock.set(new Date(now.getTime() + 3_600_001));
    await runJob();
    expect(await notices(email)).toHaveLength(1);
  });

  test('is in the language of the account, and arrives over SMTP', async () => {
    const email = 'english@casa.example';
    const { principal, apiKey } = await memberWithKeys(email);
    const { data } = await kit.run('mutation { changeMailSettings(language: EN) { language } }', {}, { principal });
    expect(data?.['changeMailSettings']).toEqual({ language: 'EN' });
    expect((await kit.run('{ mailSettings { language } }', {}, { principal })).data?.['mailSettings']).toEqual({
      language: 'EN',
    });
    const arrived: string[] = [];
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, _session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          arrived.push(Buffer.concat(chunks).toString('utf8'));
          done();
        });
      },
    });
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
    const { port } = smtp.server.address() as AddressInfo;
    kit.clock.set(daysBefore(10));
    await runJob();
    const mailer = createMailer(kit.context, testKeyRing, {
      smtpUrl: `smtp://127.0.0.1:${port}`,
      from: 'Lastro <no-reply@lastro.test>',
    });
    await mailer.sendDue();
    await mailer.stop();
    await new Promise<void>((resolve) => {
      smtp.close(resolve);
    });
    const mail = arrived.find((text) => text.includes(`To: ${email}`) && text.includes('about to expire'));
    expect(mail).toContain(apiKey.prefix);
    expect(mail).toContain('Hello, Ana Souza.');
  });
});
