import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { testMasterKey } from '../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';
import { build, killGroup, startProgram, type Program } from './program.js';

let database: TestDatabase;
let superuser: pg.Client;
/** A database without any schema of ours. */
const name = `lastro_test_${randomBytes(6).toString('hex')}`;
const programs: Program[] = [];

function at(url: string): string {
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}

function start(env: Readonly<Record<string, string>>): Program {
  const program = startProgram({
    env: { NODE_ENV: 'production', LOG_LEVEL: 'info', DATABASE_URL: at(database.url), ...env },
  });
  programs.push(program);
  return program;
}

beforeAll(async () => {
  await build();
  database = await openTestDatabase({ poolSize: 1 });
  superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  await superuser.query(`CREATE DATABASE ${name} OWNER lastro_owner`);
});
afterAll(async () => {
  await Promise.all(programs.map(killGroup));
  await superuser.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await superuser.end();
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
  while (!worker.output().includes('Waiting for them')) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(worker.output()).toMatch(/lacks the migrations shared\/0001-.*ROLE=migrate/);

  // The job needs the database alone, in production too.
  const job = start({ ROLE: 'migrate', DATABASE_ADMIN_URL: at(database.ownerUrl) });
  expect(await job.ended).toEqual({ code: 0, signal: null });
  expect(job.output()).toContain('All migrations are applied');
  expect((await fetch(`${await worker.ready}/readyz`)).status).toBe(200);

  const again = start({ ROLE: 'migrate', DATABASE_ADMIN_URL: at(database.ownerUrl) });
  expect(await again.ended).toEqual({ code: 0, signal: null });
  expect(again.output()).toContain('"migrations":0');
});

test('a part whose wait is stopped ends at once', async () => {
  await superuser.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await superuser.query(`CREATE DATABASE ${name} OWNER lastro_owner`);
  const worker = start({
    ROLE: 'worker',
    REDIS_URL: 'redis://127.0.0.1:1',
    MASTER_KEY: testMasterKey.toString('base64'),
    PUBLIC_URL: 'https://lastro.example.com',
    SMTP_URL: 'smtp://127.0.0.1:1',
  });
  while (!worker.output().includes('Waiting for them')) await new Promise((resolve) => setTimeout(resolve, 50));
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toEqual({ code: 0, signal: null });
});
