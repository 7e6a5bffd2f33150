import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { testContext, testKeyRing } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { until } from '../../../tests/kit/until.js';
import { fixedClock } from '../../../tests/kit/clock.js';
import type { Context } from '../../kernel/context.js';
import { inTransaction } from '../../database/transaction.js';
import { createMailQueue, readMailbox, type Mail } from './mail.js';
import { createMailer, type MailerOptions, failingMails } from './mailer.js';

let context: Context;
let clock: ReturnType<typeof fixedClock>;
let smtp: SMTPServer;
let received: string[];
let refuse: boolean;

const queue = createMailQueue(testKeyRing);
const mail: Mail = {
  to: 'ana@example.com',
  subject: 'Confirme seu e-mail',
  text: 'Abra http://localhost/x?token=segredo',
  html: '<a href="http://localhost/x?token=segredo">Abra</a>',
  links: ['http://localhost/x?token=segredo'],
};

const database = await openTestDatabase();
afterAll(() => database.close());
beforeEach(async () => {
  await database.asOwner('TRUNCATE shared.mails');
  clock = fixedClock('2026-11-20T15:00:00Z');
  context = testContext({ manager: database.dataSource.manager, clock });
  received = [];
  refuse = false;
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (!refuse) received.push(Buffer.concat(chunks).toString('utf8'));
        done(refuse ? new Error('mailbox is full') : null);
      });
    },
  });
  await new Promise<void>((resolve) => {
    smtp.listen(0, '127.0.0.1', resolve);
  });
});
afterEach(
  () =>
    new Promise<void>((resolve) => {
      smtp.close(resolve);
    }),
);

function mailer(smtpUrl: string | undefined, parts: Partial<MailerOptions> = {}) {
  return createMailer(context, testKeyRing, { smtpUrl, from: 'Lastro <no-reply@example.com>', ...parts });
}

function smtpUrl(): string {
  return `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
}

describe('mail', () => {
  test('a message of a committed transaction reaches the SMTP server once, and its body is emptied', async () => {
    await inTransaction(context, (tx) => queue(tx, mail));
    const sender = mailer(smtpUrl());
    expect(await sender.sendDue()).toBe(1);
    expect(await sender.sendDue()).toBe(0);
    await sender.stop();
    expect(received).toHaveLength(1);
    expect(received[0]).toContain('To: ana@example.com');
    expect(received[0]).toContain('token=segredo');
    expect(await database.dataSource.query('SELECT body, sent_at IS NOT NULL AS sent FROM shared.mails')).toEqual([
      { body: null, sent: true },
    ]);
  });

  test('a message of a transaction that rolled back is not sent', async () => {
    await expect(
      inTransaction(context, async (tx) => {
        await queue(tx, mail);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    const sender = mailer(smtpUrl());
    expect(await sender.sendDue()).toBe(0);
    await sender.stop();
  });

  test('a message that the server refuses for a day is sent afterwards; the metric shows its age until then', async () => {
    const failing = async () => Math.round((await failingMails.read(context)) / 3_600);
    await inTransaction(context, (tx) => queue(tx, mail));
    expect(await failing()).toBe(0);
    refuse = true;
    const sender = mailer(smtpUrl());
    for (let hour = 0; hour < 24; hour++) {
      await sender.sendDue();
      clock.advance(3_600_000);
    }
    expect(await failing()).toBe(24);
    refuse = false;
    clock.advance(12 * 3_600_000);
    expect(await sender.sendDue()).toBe(1);
    await sender.stop();
    expect(await failing()).toBe(0);
  });

  test('a refused message waits and is tried again, and after the last try given up', async () => {
    await inTransaction(context, (tx) => queue(tx, mail));
    refuse = true;
    const sender = mailer(smtpUrl());
    expect(await sender.sendDue()).toBe(0);
    expect(await sender.sendDue()).toBe(0);
    clock.advance(61_000);
    refuse = false;
    expect(await sender.sendDue()).toBe(1);

    await inTransaction(context, (tx) => queue(tx, mail));
    refuse = true;
    for (let attempt = 0; attempt < 10; attempt++) {
      await sender.sendDue();
      clock.advance(12 * 3_600_000);
    }
    await sender.stop();
    const rows: unknown[] = await database.dataSource.query(
      'SELECT attempts, last_error FROM shared.mails WHERE failed_at IS NOT NULL',
    );
    expect(rows).toEqual([{ attempts: 8, last_error: 'Message failed: 450 mailbox is full' }]);
  });

  test('a message that cannot be opened holds up no other, and is given up like one that is refused', async () => {
    await inTransaction(context, (tx) => queue(tx, mail));
    await database.dataSource.query(
      `UPDATE shared.mails SET body = '\\x00', next_attempt_at = next_attempt_at - interval '1 s'`,
    );
    await inTransaction(context, (tx) => queue(tx, mail));
    const sender = mailer(smtpUrl());
    expect(await sender.sendDue()).toBe(1);
    for (let attempt = 0; attempt < 8; attempt++) {
      clock.advance(12 * 3_600_000);
      await sender.sendDue();
    }
    await sender.stop();
    const rows: unknown[] = await database.dataSource.query(
      'SELECT attempts FROM shared.mails WHERE failed_at IS NOT NULL',
    );
    expect(rows).toEqual([{ attempts: 8 }]);
  });

  test('stop waits for the message under way, and for no other', async () => {
    for (let count = 0; count < 20; count++) await inTransaction(context, (tx) => queue(tx, mail));
    let taken: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (taken = resolve));
    smtp.onMailFrom = (_address, _session, done) => {
      taken();
      setTimeout(done, 50);
    };
    const sender = mailer(smtpUrl());
    await sender.start();
    await first;
    await sender.stop();
    expect(received).toHaveLength(1);
  });

  test('two mailers at once send a message once', async () => {
    for (let count = 0; count < 20; count++) await inTransaction(context, (tx) => queue(tx, mail));
    const senders = [mailer(smtpUrl()), mailer(smtpUrl())];
    const counts = await Promise.all(senders.map((sender) => sender.sendDue()));
    await Promise.all(senders.map((sender) => sender.stop()));
    expect(counts.reduce((a, b) => a + b, 0)).toBe(20);
    expect(received).toHaveLength(20);
  });

  test('a send that outlived its lease changes nothing of what another process has written', async () => {
    await inTransaction(context, (tx) => queue(tx, mail));
    const [slow, quick] = [mailer(smtpUrl()), mailer(smtpUrl())];
    let refuseSlow: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      smtp.onMailFrom = (_address, _session, done) => {
        smtp.onMailFrom = (_next, _session2, accept) => {
          accept();
        };
        refuseSlow = () => {
          done(new Error('no'));
        };
        resolve();
      };
    });
    const sending = slow.sendDue();
    await held;
    clock.advance(3 * 60_000);
    expect(await quick.sendDue()).toBe(1);
    refuseSlow();
    expect(await sending).toBe(0);
    await Promise.all([slow.stop(), quick.stop()]);
    expect(received).toHaveLength(1);
    expect(
      await database.dataSource.query(
        'SELECT sent_at = $1 AS sent, failed_at, last_error, next_attempt_at <= $1 AS over FROM shared.mails',
        [clock.now()],
      ),
    ).toEqual([{ sent: true, failed_at: null, last_error: null, over: true }]);
  });

  test('a server that never responds is given up at the deadline of the lease, and the connection is closed', async () => {
    await inTransaction(context, (tx) => queue(tx, mail));
    const closed = new Promise<void>((resolve) => {
      smtp.onClose = () => {
        resolve();
      };
    });
    smtp.onMailFrom = () => undefined;
    const sender = mailer(smtpUrl(), { leaseMs: 1_000 });
    expect(await sender.sendDue()).toBe(0);
    await closed;
    await sender.stop();
    const rows: unknown[] = await database.dataSource.query(
      'SELECT sent_at, failed_at, lease, last_error FROM shared.mails',
    );
    // Not of the socket, whose own limit is longer than this lease.
    const reason = expect.stringMatching(/abort/i) as unknown;
    expect(rows).toEqual([{ sent_at: null, failed_at: null, lease: null, last_error: reason }]);
    expect(received).toEqual([]);
  });

  test('a started mailer learns of a message when its transaction commits', async () => {
    const sender = mailer(smtpUrl(), { pollMs: 60_000 });
    await sender.start();
    await inTransaction(context, (tx) => queue(tx, mail));
    await until('the mail', () => received.length > 0);
    await sender.stop();
    expect(received).toHaveLength(1);
  });

  test('without a server it stays in the development mailbox, newest first, and is not readable in the database', async () => {
    await inTransaction(context, (tx) => queue(tx, mail));
    clock.advance(1000);
    await inTransaction(context, (tx) => queue(tx, { ...mail, to: 'ANA@example.com', subject: 'Segunda' }));
    const sender = mailer(undefined);
    expect(await sender.sendDue()).toBe(2);
    await sender.stop();
    const box = await readMailbox(context, testKeyRing, 'ana@example.com');
    expect(box.map(({ subject }) => subject)).toEqual(['Segunda', 'Confirme seu e-mail']);
    expect(box[1]).toMatchObject({ ...mail, sentAt: '2026-11-20T15:00:01.000Z' });
    const [row]: { body: Buffer }[] = await database.dataSource.query('SELECT body FROM shared.mails LIMIT 1');
    expect(row?.body.includes('segredo')).toBe(false);
  });
});
