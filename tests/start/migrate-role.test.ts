import { afterAll, expect, test } from '@jest/globals';
import { testMasterKey } from '../kit/context.js';
import { openBareDatabase } from '../kit/database.js';
import { until } from '../kit/until.js';
import { build, killGroup, startProgram, type Program } from './program.js';

const programs: Program[] = [];

function start(env: Readonly<Record<string, string>>): Program {
  const program = startProgram({
    env: { NODE_ENV: 'production', LOG_LEVEL: 'info', DATABASE_URL: database.url, ...env },
  });
  programs.push(program);
  return program;
}

await build();
const database = await openBareDatabase();
afterAll(async () => {
  await Promise.all(programs.map(killGroup));
  await database.close();
});

test('a part that starts before the migrations says what it waits for, and serves once the job is done', async () => {
  const worker = start({
    ROLE: 'worker',
    // Nobody is there; the program works without.
    REDIS_URL: 'redis://127.0.0.1:1',
    MASTER_KEY: testMasterKey.toString('base64'),
    PUBLIC_URL: 'https://lastro.example.com',
    SMTP_URL: 'smtp://127.0.0.1:1',
  });
  await until('the word that migrations are waited for', () => worker.output().includes('Waiting for them'));
  expect(worker.output()).toMatch(/lacks the migrations shared\/0001-.*ROLE=migrate/);

  // The job needs only the database, in production too.
  const job = start({ ROLE: 'migrate', DATABASE_ADMIN_URL: database.ownerUrl });
  expect(await job.ended).toEqual({ code: 0, signal: null });
  expect(job.output()).toContain('All migrations are applied');
  expect((await fetch(`${await worker.ready}/readyz`)).status).toBe(200);

  const again = start({ ROLE: 'migrate', DATABASE_ADMIN_URL: database.ownerUrl });
  expect(await again.ended).toEqual({ code: 0, signal: null });
  expect(again.output()).toContain('"migrations":0');
});

test('a part whose wait is stopped ends at once', async () => {
  await database.empty();
  const worker = start({
    ROLE: 'worker',
    REDIS_URL: 'redis://127.0.0.1:1',
    MASTER_KEY: testMasterKey.toString('base64'),
    PUBLIC_URL: 'https://lastro.example.com',
    SMTP_URL: 'smtp://127.0.0.1:1',
  });
  await until('the word that migrations are waited for', () => worker.output().includes('Waiting for them'));
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toEqual({ code: 0, signal: null });
});
