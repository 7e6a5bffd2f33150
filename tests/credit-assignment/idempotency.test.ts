import { randomUUID } from 'node:crypto';
import { afterAll, expect, jest, test } from '@jest/globals';
import { addOriginator } from '../../subgraphs/credit-assignment/originators/add-originator.js';
import { testContext, testMasterKey } from '../kit/context.js';
import { openTestDatabase } from '../kit/database.js';
import { randomInt } from '../kit/random.js';
import { until } from '../kit/until.js';
import { build, killGroup, startProgram, type Program } from '../start/program.js';
import { addOpenEstate, permit } from './estates/kit.js';
import { contract } from './kit.js';
import { newPair, pemOf, signedHeaders, type Signer } from './signing-kit.js';

// The whole promise is 10,000 requests over 500 keys: FIRE_REQUESTS=10000 FIRE_KEYS=500 FIRE_KILLS=3.
const requests = Number(process.env['FIRE_REQUESTS'] ?? 1_000);
const keys = Number(process.env['FIRE_KEYS'] ?? 50);
const kills = Number(process.env['FIRE_KILLS'] ?? 1);
const inFlight = 64;
const target = '/tidc/v1/credit-batches';
jest.setTimeout(3_600_000);
let program: Program;
const patrimonyId = randomUUID();
/** Where the house answers now: each start has a port of its own. */
let url: string;

async function start(): Promise<void> {
  program = startProgram({
    env: {
      DATABASE_URL: database.url,
      DATABASE_POOL: '10',
      MASTER_KEY: testMasterKey.toString('base64'),
      LOG_LEVEL: 'warn',
      RATE_LIMIT_CLIENT: '10000000',
      RATE_LIMIT_PUBLIC: '10000000',
    },
  });
  url = await program.ready;
}

await build();
const database = await openTestDatabase({ poolSize: 2 });
afterAll(async () => {
  await killGroup(program);
  await database.close();
});
const context = testContext({ manager: database.dataSource.manager });
const { privateKey, publicKey } = newPair();
const wish = { name: 'Banco', publicKey: pemOf(publicKey), rateLimit: null, accountId: null };
const signer: Signer = { clientId: (await addOriginator(context, wish)).id, key: privateKey };
await addOpenEstate(database.dataSource, patrimonyId, 'FIRE');
await permit(database.dataSource, signer.clientId, patrimonyId);
await start();

interface Sent {
  readonly key: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

interface Reply {
  readonly status: number;
  readonly replayed: boolean;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** What was answered under each key, but for what told the sender to come back. */
const answers = new Map<string, Reply[]>();
/** The bytes of a request that was answered, for its replay. */
const answered = new Map<string, Sent>();
/** The statuses of the answers that ask to come back. */
const asked = new Set<number>();
const counts = { lost: 0, twins: 0, conflicts: 0, replays: 0 };

function bodyOf(key: string, faceValue = 100.5): string {
  return JSON.stringify({ patrimonyId, contracts: [{ ...contract(key), faceValue }] });
}

function signed(key: string, body = bodyOf(key)): Sent {
  const headers = { ...signedHeaders(signer, target, { method: 'POST', body }), 'x-idempotency-key': key };
  return { key, body, headers };
}

/** One attempt; undefined when no answer came, because of a deadline that is short at times, or of the kill. */
async function attempt({ headers, body }: Sent): Promise<Reply | undefined> {
  const deadlineMs = randomInt(10) === 0 ? 5 + randomInt(55) : 20_000;
  try {
    const response = await fetch(url + target, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(deadlineMs),
    });
    return {
      status: response.status,
      replayed: response.headers.get('x-idempotent-replayed') === 'true',
      retryAfter: response.headers.get('retry-after'),
      text: await response.text(),
    };
  } catch {
    counts.lost += 1;
    return undefined;
  }
}

/** Sends until there is an answer that does not ask to come back, each time what `make` then makes. */
async function insist(make: () => Sent): Promise<Reply> {
  const again = async () => {
    const sent = make();
    const answer = await attempt(sent);
    if (answer === undefined) return undefined;
    if (answer.retryAfter !== null) {
      counts.twins += Number(answer.status === 409);
      asked.add(answer.status);
      return undefined;
    }
    if (answer.status === 201) answered.set(sent.key, sent);
    return answer;
  };
  return until('an answer that does not ask to come back', again, { within: 240_000 });
}

/** A request for a key: mostly what the key is for; once that was answered also another body, or a replay of its bytes. */
async function one(key: string): Promise<void> {
  const known = answered.get(key);
  const kind = known === undefined ? 'same' : (['same', 'same', 'other', 'replay'] as const)[randomInt(4)];
  if (kind === 'other') {
    const answer = await insist(() => signed(key, bodyOf(key, 7)));
    expect([answer.status, answer.replayed]).toEqual([409, false]);
    expect(answer.text).toContain('different body');
    counts.conflicts += 1;
    return;
  }
  const answer = await insist(() => {
    if (kind !== 'replay' || known === undefined) return signed(key);
    // Signed as it was; its key is another one, or none.
    const bare = Object.entries(known.headers).filter(([name]) => name !== 'x-idempotency-key');
    const another: [string, string][] = randomInt(2) === 0 ? [] : [['x-idempotency-key', randomUUID()]];
    return { ...known, headers: Object.fromEntries([...bare, ...another]) };
  });
  if (kind === 'replay') {
    expect(answer).toMatchObject({ status: 201, replayed: true });
    counts.replays += 1;
  }
  const all = answers.get(key) ?? [];
  all.push(answer);
  answers.set(key, all);
}

test('a house that is killed under fire does what each key is for exactly once, and answers alike ever after', async () => {
  const names = Array.from({ length: keys }, (_, index) => `key-${String(index)}`);
  // Neighbours in the queue are of few keys, so that many of one key are under way at once.
  const queue = Array.from({ length: requests }, (_, index) => names[Math.floor((index * keys) / requests)] ?? '');
  for (let index = 0; index < queue.length; index += 1) {
    const other = Math.min(queue.length - 1, index + randomInt(40));
    [queue[index], queue[other]] = [queue[other] ?? '', queue[index] ?? ''];
  }
  let next = 0;
  const killing = async () => {
    for (let kill = 1; kill <= kills; kill += 1) {
      await until(`the share of requests before kill ${kill}`, () => next >= (requests * kill) / (kills + 1), {
        within: 240_000,
      });
      await killGroup(program);
      await start();
    }
  };
  const sending = Array.from({ length: inFlight }, async () => {
    while (next < queue.length) await one(queue[next++] ?? '');
  });
  await Promise.all([...sending, killing()]);

  expect([...answers.keys()].sort()).toEqual([...names].sort());
  for (const name of names) {
    const given = answers.get(name) ?? [];
    expect(new Set(given.map(({ status, text }) => `${String(status)} ${text}`)).size).toBe(1);
    expect(given[0]?.status).toBe(201);
    // The answer of the one that ran may have been lost; no two ran.
    expect(given.filter(({ replayed }) => !replayed).length).toBeLessThanOrEqual(1);
  }
  const rows: { name: string; id: string }[] = await database.dataSource.query(
    `SELECT r.external_id AS name, b.id FROM credit_assignment.credit_batches b
     LEFT JOIN credit_assignment.receivables r ON r.batch_id = b.id ORDER BY b.id`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual([...names].sort());
  for (const { name, id } of rows) expect(answers.get(name)?.[0]?.text).toContain(id);
  // That there was fire.
  expect([409, 503]).toEqual(expect.arrayContaining([...asked]));
  expect(Math.min(counts.lost, counts.conflicts, counts.replays)).toBeGreaterThan(0);
  if (process.env['FIRE_REQUESTS'] !== undefined) console.log(counts);
});
