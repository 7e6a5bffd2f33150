import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inTransaction } from '../../../shared/database/transaction.js';
import { newId } from '../../../shared/kernel/ids.js';
import { openAccounts } from '../../../tests/accounts/kit.js';

const names = new Map([
  ['AURORA', { name: 'CRI Aurora', slug: 'cri-aurora' }],
  ['BREVE', { name: 'CRA Breve <1>', slug: 'cra-breve' }],
]);

const kit = await openAccounts(
  {},
  {
    nameOperations: (_context, tickers) =>
      Promise.resolve(new Map([...names].filter(([ticker]) => tickers.includes(ticker)))),
  },
);
afterAll(() => kit.close());

const runJob = () => kit.accounts.jobs.find(({ name }) => name === 'accounts.digests')?.run(kit.context);
const digestsOf = async (email: string) =>
  (await kit.mailbox(email)).filter(({ subject }) => /publicado|published/.test(subject)).reverse();

let lastSequence = 0;
/** An event about an operation, announced after those before it. */
const eventOf = (payload: object) => ({
  id: newId(kit.clock.now().getTime()),
  sequence: (lastSequence += 1),
  topic: 'operation.updated',
  key: 'k',
  createdAt: kit.clock.now().toISOString(),
  payload: { reference: '2026-11-20', occurredAt: kit.clock.now().toISOString(), ...payload },
});

const publish = (...contents: readonly object[]) => deliver(contents.map(eventOf));

/** Delivers events about operations, as a relay does: in a transaction, and once more. */
async function deliver(events: readonly ReturnType<typeof eventOf>[]): Promise<void> {
  for (let delivery = 0; delivery < 2; delivery += 1)
    await inTransaction(kit.context, async (tx) => {
      for (const consume of kit.accounts.consumers ?? []) await consume(tx, events);
    });
}

async function follower(email: string, settings: string, ...tickers: readonly string[]) {
  const { id, principal } = await kit.member(email);
  for (const ticker of tickers)
    await kit.database.dataSource.query('INSERT INTO accounts.follows VALUES ($1, $2, now())', [id, ticker]);
  const change = async (text: string) => {
    const { error } = await kit.run(`mutation { changeMailSettings(${text}) { digest } }`, {}, { principal });
    expect(error).toBeUndefined();
  };
  await change(settings);
  return { id, change };
}

test('what was published about followed operations is mailed on the next business day, once, with the latest price of each series', async () => {
  kit.clock.set('2026-11-20T15:00:00Z');
  const email = 'ana@casa.example';
  await publish({ ticker: 'Aurora', kind: 'DOCUMENT' });
  await follower(email, 'digest: DAILY', 'AURORA', 'BREVE', 'HIDDEN');
  await publish(
    { ticker: 'Aurora', kind: 'PU', seriesTicker: 'AURORA1S1', unitPrice: '1000.12', reference: '2026-11-19' },
    { ticker: 'Aurora', kind: 'PU', seriesTicker: 'AURORA1S1', unitPrice: '1001.5', reference: '2026-11-20' },
    { ticker: 'Breve', kind: 'PAYMENT', correction: true },
    { ticker: 'Hidden', kind: 'PAYMENT' },
    { ticker: 'Other', kind: 'PAYMENT' },
  );
  await runJob();
  expect(await digestsOf(email)).toHaveLength(0);
  // A Saturday, and the Monday after it.
  kit.clock.set('2026-11-21T15:00:00Z');
  await runJob();
  expect(await digestsOf(email)).toHaveLength(0);
  kit.clock.set('2026-11-23T11:11:00Z');
  await Promise.all([runJob(), runJob(), runJob()]);
  const [mail, ...others] = await digestsOf(email);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('O que foi publicado sobre as operações que você segue: 23/11/2026');
  expect(mail?.text).toContain(
    'CRI Aurora (AURORA)\npreço unitário de AURORA1S1: R$ 1.001,50000000, 20/11/2026, e mais 1\nhttps://lastro.test/emissoes/cri-aurora',
  );
  expect(mail?.text).toContain('CRA Breve <1> (BREVE)\n1 pagamento, com correção');
  expect(mail?.html).toContain('CRA Breve &lt;1&gt; (BREVE)');
  expect(mail?.text).not.toMatch(/HIDDEN|OTHER|documento/i);
  kit.clock.set('2026-11-24T11:11:00Z');
  await runJob();
  expect(await digestsOf(email)).toHaveLength(1);
});

test.each([
  ['one by one', (events: readonly ReturnType<typeof eventOf>[]) => events.map((event) => [event])],
  ['at once', (events: readonly ReturnType<typeof eventOf>[]) => [events]],
])(
  'the latest price of a day is the one that was published last, also where an earlier one arrives after it, %s',
  async (how, batchesOf) => {
    kit.clock.set('2026-11-25T15:00:00Z');
    const email = `late-${how.replaceAll(' ', '-')}@casa.example`;
    await follower(email, 'digest: DAILY', 'AURORA');
    const price = { ticker: 'AURORA', kind: 'PU', seriesTicker: 'AURORA1S1', correction: true };
    const events = ['1000', '1001.5', '1002.25'].map((unitPrice) => eventOf({ ...price, unitPrice }));
    for (const batch of batchesOf(events.toReversed())) await deliver(batch);
    kit.clock.set('2026-11-26T15:00:00Z');
    await runJob();
    const [mail] = await digestsOf(email);
    expect(mail?.text).toContain('AURORA1S1: R$ 1.002,25000000, 20/11/2026, e mais 2');
  },
);

test('a weekly digest comes on the first business day of the week, in the language that was chosen', async () => {
  kit.clock.set('2026-11-25T15:00:00Z');
  const email = 'week@casa.example';
  await follower(email, 'digest: WEEKLY, language: EN', 'AURORA');
  await publish({ ticker: 'AURORA', kind: 'REPORT' }, { ticker: 'AURORA', kind: 'REPORT' });
  const sent: number[] = [];
  for (const day of ['2026-11-26', '2026-11-27', '2026-11-29', '2026-11-30', '2026-12-01', '2026-12-07']) {
    kit.clock.set(`${day}T12:11:00Z`);
    await runJob();
    sent.push((await digestsOf(email)).length);
  }
  expect(sent).toEqual([0, 0, 0, 1, 1, 1]);
  const [mail] = await digestsOf(email);
  expect(mail?.text).toContain('2 management reports\nhttps://lastro.test/en/emissoes/cri-aurora');
});

test('an account that chose none, or is disabled, gets none', async () => {
  kit.clock.set('2026-12-08T15:00:00Z');
  const none = await follower('none@casa.example', 'digest: DAILY', 'AURORA');
  const disabled = await follower('disabled@casa.example', 'digest: DAILY', 'AURORA');
  await none.change('digest: NONE');
  await kit.database.dataSource.query(
    `UPDATE accounts.accounts SET disabled_at = now(), disabled_reason = 'x' WHERE id = $1`,
    [disabled.id],
  );
  await publish({ ticker: 'AURORA', kind: 'PAYMENT' });
  kit.clock.set('2026-12-09T15:00:00Z');
  await runJob();
  for (const email of ['none@casa.example', 'disabled@casa.example']) expect(await digestsOf(email)).toHaveLength(0);
});

test('the link of a digest ends digests without a session, any number of times, and no other link does', async () => {
  kit.clock.set('2026-12-10T15:00:00Z');
  const email = 'end@casa.example';
  const { id } = await follower(email, 'digest: DAILY', 'AURORA');
  await publish({ ticker: 'AURORA', kind: 'PAYMENT' });
  kit.clock.set('2026-12-11T15:00:00Z');
  await runJob();
  const [mail] = await digestsOf(email);
  const link = new URL(mail?.unsubscribe ?? '');
  expect(link.pathname).toBe('/encerrar-resumos');
  expect(mail?.text).toContain(link.href);
  const token = link.searchParams.get('token') ?? '';
  const end = (given: string) => kit.run('mutation ($given: String!) { endDigests(token: $given) }', { given });
  const frequency = () => kit.database.dataSource.query('SELECT digest FROM accounts.accounts WHERE id = $1', [id]);

  const bytes = Buffer.from(token, 'base64url');
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect((await end(changed.toString('base64url'))).error).toMatchObject({ code: 'UNPROCESSABLE' });
  }
  for (const wrong of ['', 'x', id, `${token}AA`]) expect((await end(wrong)).error).toBeDefined();
  expect(await frequency()).toEqual([{ digest: 'DAILY' }]);

  await publish({ ticker: 'AURORA', kind: 'PAYMENT' });
  expect(await Promise.all([end(token), end(token)])).toMatchObject([
    { data: { endDigests: true } },
    { data: { endDigests: true } },
  ]);
  expect(await frequency()).toEqual([{ digest: 'NONE' }]);
  kit.clock.set('2026-12-14T15:00:00Z');
  await runJob();
  expect(await digestsOf(email)).toHaveLength(1);
  expect((await end(token)).error).toBeUndefined();
});

test('every event is in exactly one digest, however events, runs and days follow each other', async () => {
  let turn = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constantFrom('run', 'day')), { maxLength: 12 }),
      async (steps) => {
        turn += 1;
        const email = `every${turn}@casa.example`;
        let day = Date.parse('2027-01-04T15:00:00Z');
        kit.clock.set(new Date(day));
        await follower(email, 'digest: DAILY', 'AURORA');
        let published = 0;
        const nextDay = () => {
          day += 86_400_000;
          kit.clock.set(new Date(day));
        };
        for (const step of steps) {
          if (step === 'day') nextDay();
          else if (step === 'run') await Promise.all([runJob(), runJob()]);
          else {
            published += step;
            const one = { ticker: 'AURORA', kind: 'PAYMENT' };
            await Promise.all(Array.from({ length: step }, () => publish(one)));
          }
        }
        // Past any weekend, to a day on which what is left is mailed.
        for (let left = 0; left < 4; left += 1) {
          nextDay();
          await runJob();
        }
        const told = (await digestsOf(email)).map(({ text }) => Number(/(\d+) pagamento/.exec(text)?.[1]));
        expect(told.reduce((sum, count) => sum + count, 0)).toBe(published);
      },
    ),
    { numRuns: 8 },
  );
});
