import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import pg from 'pg';
import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { operator, quietLog, testContext, testKeyRing } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { anonymous, type Context, type Principal } from '../../kernel/context.js';
import { inTransaction } from '../../database/transaction.js';
import { ApiError } from '../../kernel/errors.js';
import { Access } from '../../graphql/access.js';
import { buildSubgraph } from '../../graphql/build.js';
import { createExecutor } from '../../graphql/execute.js';
import { recordAudit } from './record.js';
import { openAuditTrail } from './trail.js';

@Resolver()
class ShopResolver {
  @Access('anyone')
  @Query(() => String)
  shop(): string {
    return 'open';
  }

  @Access('operator', 'publish')
  @Mutation(() => String)
  async reprice(@Ctx() context: Context, @Arg('price', () => String) price: string): Promise<string> {
    await context.manager.query('INSERT INTO shop (price) VALUES ($1)', [price]);
    if (price === 'too much') throw new ApiError('UNPROCESSABLE', { message: 'Nobody pays that' });
    if (price === 'broken') throw new Error('inside');
    return price;
  }

  @Access('operator', 'publish')
  @Mutation(() => String)
  async changeMarket(@Ctx() context: Context, @Arg('name', () => String) name: string): Promise<string> {
    const subject = { type: 'shop', id: '1' };
    await recordAudit(context, { action: 'changeMarket', subject, before: { name: 'A' }, after: { name } });
    return name;
  }
}

const database = await openTestDatabase();
await database.asOwner('CREATE TABLE shop (price text)');
const trail = openAuditTrail(database.url, quietLog);
const executor = createExecutor(buildSubgraph({ name: 'shop', resolvers: [new ShopResolver()] }).schema, testKeyRing);
afterAll(async () => {
  await trail.close();
  await database.close();
});
let since = '';
beforeEach(async () => {
  await trail.flush();
  [{ since }] = await database.dataSource.query<[{ since: string }]>('SELECT clock_timestamp()::text AS since');
});

const run = (document: string, principal: Principal = operator, over: Partial<Context> = {}) => {
  const context = testContext({
    manager: database.dataSource.manager,
    principal,
    audit: trail,
    ip: '203.0.113.7',
    ...over,
  });
  return executor.execute({ document: parse(document) }, context);
};
const entries = async (): Promise<Record<string, unknown>[]> => {
  await trail.flush();
  return database.dataSource.query('SELECT * FROM shared.audit_log WHERE at >= $1 ORDER BY at, id', [since]);
};
const prices = () => database.dataSource.query<unknown[]>('SELECT FROM shop');

describe('an act of an operator', () => {
  test('has an entry that says who did what, from where and by which request', async () => {
    await run('mutation { reprice(price: "12") }', operator, { requestId: 'req-1' });
    expect(await entries()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        at: expect.any(Date),
        actor_kind: 'OPERATOR',
        actor_id: operator.ownerId,
        actor_name: 'olga@casa.example',
        credential_id: operator.id,
        source: '203.0.113.7',
        request_id: 'req-1',
        action: 'reprice',
        subject_type: null,
        subject_id: null,
        outcome: 'DONE',
        occurrences: 1,
        before: null,
        after: { price: '12' },
        reason: null,
      },
    ]);
  });

  test('that says itself what was before and after has that entry and no other', async () => {
    await run('mutation { changeMarket(name: "B") }');
    expect(await entries()).toMatchObject([
      { action: 'changeMarket', subject_type: 'shop', subject_id: '1', before: { name: 'A' }, after: { name: 'B' } },
    ]);
  });

  test('and its entry are there together or not at all', async () => {
    const before = (await prices()).length;
    await run('mutation { reprice(price: "too much") }');
    await run('mutation { reprice(price: "broken") }');
    expect(await prices()).toHaveLength(before);
    expect(await entries()).toMatchObject([
      { outcome: 'REFUSED', after: { price: 'too much' }, reason: 'UNPROCESSABLE: Nobody pays that' },
      { outcome: 'FAILED', after: { price: 'broken' } },
    ]);
    await database.asOwner('ALTER TABLE shared.audit_log RENAME TO away');
    await run('mutation { reprice(price: "7") }');
    await database.asOwner('ALTER TABLE shared.away RENAME TO audit_log');
    expect(await prices()).toHaveLength(before);
  });

  test('that was refused is noted also where the answer is kept for its key', async () => {
    const idempotency = { key: 'k', owner: 'o', operation: 'POST /', digest: Buffer.from('d'), replayed: false };
    await run('mutation { reprice(price: "too much") }', operator, { idempotency });
    await run('mutation { reprice(price: "too much") }', operator, { idempotency });
    expect(await entries()).toMatchObject([{ action: 'reprice', outcome: 'REFUSED' }]);
  });

  test('without its role is refused by the name of the role, and noted', async () => {
    const reader: Principal = { ...operator, scopes: ['read', 'originate', 'administer'] };
    const answer = await run('mutation { reprice(price: "1") }', reader);
    expect(answer.errors?.[0]).toMatchObject({
      message: 'This key lacks the role publish: use the key of an operator who has it',
      extensions: { code: 'FORBIDDEN' },
    });
    expect(await entries()).toMatchObject([
      {
        action: 'reprice',
        outcome: 'REFUSED',
        actor_id: operator.ownerId,
        reason: expect.stringContaining('publish'),
      },
    ]);
  });

  test('that someone else tries is refused and noted', async () => {
    await run('mutation { reprice(price: "1") }', anonymous('198.51.100.9'));
    await run('mutation { reprice(price: "1") }', { kind: 'SESSION', id: 's', ownerId: 'a', scopes: ['confirmed'] });
    expect(await entries()).toMatchObject([
      { actor_kind: 'ANONYMOUS', actor_id: '198.51.100.9', outcome: 'REFUSED' },
      { actor_kind: 'SESSION', actor_id: 'a', credential_id: 's', outcome: 'REFUSED' },
    ]);
  });
});

describe('the audit log', () => {
  test('takes no change, no deletion and no truncation, also in a session that replays a replica', async () => {
    await run('mutation { reprice(price: "3") }');
    const statements = [
      "UPDATE shared.audit_log SET actor_name = 'nobody'",
      'DELETE FROM shared.audit_log',
      'TRUNCATE shared.audit_log',
      'TRUNCATE shared.audit_log CASCADE',
    ];
    const superuser = new pg.Client(database.superuserUrl);
    await superuser.connect();
    for (const statement of statements) {
      await expect(database.dataSource.query(statement)).rejects.toThrow('permission denied');
      await expect(database.asOwner(statement)).rejects.toThrow('neither changed nor deleted');
      const replaying = superuser.query(`SET session_replication_role = replica; ${statement}`);
      await expect(replaying).rejects.toThrow('neither changed nor deleted');
    }
    await superuser.end();
    expect(await entries()).toHaveLength(1);
  });

  test('has the moment of the database, whatever the program says', async () => {
    const id = '0190b1a0-0000-7000-8000-000000000001';
    await database.dataSource.query(
      `INSERT INTO shared.audit_log (id, at, actor_kind, actor_id, credential_id, source, request_id, action, outcome)
       VALUES ($1, '2001-01-01', 'SYSTEM', 'a', 'a', 's', 'r', 'act', 'DONE')`,
      [id],
    );
    const [row] = await database.dataSource.query<[{ recent: boolean }]>(
      `SELECT at > now() - interval '1 minute' AS recent FROM shared.audit_log WHERE id = $1`,
      [id],
    );
    expect(row.recent).toBe(true);
  });

  test('takes an entry of an act in the transaction of the act alone', async () => {
    const context = testContext({ manager: database.dataSource.manager });
    await expect(recordAudit(context, { action: 'runJob' })).rejects.toThrow('inTransaction');
    const undone = inTransaction(context, async (tx) => {
      await recordAudit(tx, { action: 'runJob' });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await entries()).toEqual([]);
  });

  test('keeps what was noted while the database was away', async () => {
    await database.asOwner('ALTER TABLE shared.audit_log RENAME TO away');
    await run('mutation { reprice(price: "1") }', anonymous('198.51.100.10'));
    await trail.flush();
    await database.asOwner('ALTER TABLE shared.away RENAME TO audit_log');
    expect(await entries()).toMatchObject([{ actor_id: '198.51.100.10', outcome: 'REFUSED' }]);
  });
});
