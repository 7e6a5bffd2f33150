import { afterAll, describe, expect, test } from '@jest/globals';
import { openAccounts } from '../../../tests/accounts/kit.js';
import { operator } from '../../../tests/kit/context.js';
import { newOperator } from '../../../tests/kit/operator.js';
import { system, type Principal } from '../../../shared/kernel/context.js';
import { readAll, type Page } from '../../../tests/kit/pages.js';

const added: string[] = [];
const kit = await openAccounts();
for (let count = 0; count < 5; count += 1) added.push((await newOperator(kit.context)).id);
afterAll(() => kit.close());

const text = `query ($filter: AuditLogFilter, $first: Int!, $after: String) {
  auditLog(filter: $filter, first: $first, after: $after) {
    edges { cursor node { id subjectId } } nodes { id action subjectId before after reason occurrences }
    totalCount pageInfo { hasNextPage endCursor } } }`;

const ask = (variables: object) => kit.run(text, { ...variables }, { principal: operator });
const list = async (variables: object) =>
  (await ask(variables)).data?.['auditLog'] as Page<{ readonly id: string; readonly subjectId: string }>;

describe('a page of the audit log', () => {
  test('of nothing has no end', async () => {
    const { nodes, pageInfo, totalCount } = await list({ first: 50, filter: { subject: 'nothing' } });
    expect([nodes, pageInfo, totalCount]).toEqual([[], { hasNextPage: false, endCursor: null }, 0]);
  });

  test('has the number of all entries that the filter selects', async () => {
    const whole = await list({ first: 50 });
    expect((await list({ first: 1 })).totalCount).toBe(whole.nodes.length);
    expect((await list({ first: 1, filter: { subject: added[0] ?? '' } })).totalCount).toBe(
      whole.nodes.filter(({ subjectId }) => subjectId === added[0]).length,
    );
  });

  test.each(['actor', 'action', 'subject', 'outcome', 'from', 'to'])('takes %s: null for no filter', async (name) => {
    const all = await list({ first: 50 });
    expect((await list({ first: 50, filter: { [name]: null } })).nodes).toEqual(all.nodes);
    const { pageInfo } = await list({ first: 1, filter: { [name]: null } });
    expect((await list({ first: 50, after: pageInfo.endCursor })).nodes).toEqual(all.nodes.slice(1));
  });
});

const run = (text: string, variables: Record<string, unknown> = {}, principal: Principal = operator) =>
  kit.run(text, variables, { principal });
const addText = `mutation ($email: String!, $roles: [String!]!) { addOperator(email: $email, name: "Olga", roles: $roles) {
  id key expiresAt operator { id email name roles revokedAt } } }`;
const add = (email: string, roles: string[] = ['read']) => run(addText, { email, roles });
const authenticate = (apiKey: string) => kit.accounts.authenticator.authenticate({ apiKey });

describe('an operator', () => {
  test('is added with a key that is shown once, kept as its SHA-256, and makes the caller with the roles', async () => {
    const { data } = await run(addText, { email: 'ana@casa.example', roles: ['publish', 'read', 'read'] }, system);
    const { id, key, operator: added } = data?.['addOperator'] as { id: string; key: string; operator: { id: string } };
    expect(added).toEqual({
      id: expect.any(String),
      email: 'ana@casa.example',
      name: 'Olga',
      roles: ['read', 'publish'],
      revokedAt: null,
    });
    expect(await authenticate(key)).toEqual({
      kind: 'OPERATOR',
      id,
      ownerId: added.id,
      name: 'ana@casa.example',
      scopes: ['read', 'publish'],
      expiresAt: new Date('2027-11-20T15:00:00Z'),
    });
    const rows = await kit.database.dataSource.query<object[]>(
      'SELECT k::text, l::text FROM accounts.operator_keys k, shared.audit_log l',
    );
    expect(JSON.stringify(rows)).not.toContain(key.slice(18));
  });

  test('by a key carries who issued it, also to the keys that it issues to itself; other administrators hear of it', async () => {
    const ana = await newOperator(kit.context);
    const rui = await newOperator(kit.context);
    const bia = await newOperator(kit.context, ['administer']);
    const admin = await authenticate(ana.key);
    const text = 'mutation ($id: String!) { addOperatorKey(operator: $id) { key } }';
    await run(text, { id: rui.id }, admin);
    expect((await kit.mailbox(bia.email)).filter(({ text: body }) => body.includes(rui.email))).toHaveLength(1);
    const token = await kit.tokenFor(rui.email);
    const fetched = await run('mutation ($token: String!) { fetchOperatorKey(token: $token) }', { token });
    const caller = await authenticate(String(fetched.data?.['fetchOperatorKey']));
    expect(caller).toMatchObject({ ownerId: rui.id, keyIssuedBy: ana.id });
    const own = (await run(text, { id: rui.id }, caller)).data?.['addOperatorKey'] as { key: string };
    expect(await authenticate(own.key)).toMatchObject({ ownerId: rui.id, keyIssuedBy: ana.id });
    expect(await authenticate(rui.key)).not.toHaveProperty('keyIssuedBy');
  });

  test('by a key carries the confirmed account with the same e-mail', async () => {
    const { email, key } = await newOperator(kit.context);
    const { id } = await kit.member(email.toUpperCase());
    expect(await authenticate(key)).toMatchObject({ accountId: id });
  });

  test('is added once for an e-mail, however many ask at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => add('Once@casa.example')));
    expect(outcomes.filter(({ error }) => error === undefined)).toHaveLength(1);
    expect(outcomes.filter(({ error }) => error?.statusCode === 409)).toHaveLength(7);
  });

  test('has at most five keys that work, however many are asked for at once', async () => {
    const { id } = await newOperator(kit.context);
    const addKey = () => run('mutation ($id: String!) { addOperatorKey(operator: $id, days: 1) { key } }', { id });
    const outcomes = await Promise.all(Array.from({ length: 8 }, addKey));
    expect(outcomes.filter(({ error }) => error === undefined)).toHaveLength(4);
    expect(outcomes.filter(({ error }) => error?.statusCode === 409)).toHaveLength(4);
  });

  test.each([0, 366])('has a key for 1 to 365 days: %d is refused', async (days) => {
    const { id } = await newOperator(kit.context);
    const text = 'mutation ($id: String!, $days: Int!) { addOperatorKey(operator: $id, days: $days) { key } }';
    expect((await run(text, { id, days })).error).toMatchObject({ statusCode: 400, details: [{ path: 'days' }] });
  });

  test('that was revoked is refused at once', async () => {
    const { id, key } = await newOperator(kit.context);
    expect(await authenticate(key)).toBeDefined();
    await run('mutation ($id: String!) { revokeOperator(operator: $id) { revokedAt } }', { id });
    expect(await authenticate(key)).toBeUndefined();
  });

  test('that was revoked and is added again is the same person, with no key and no second factor of before', async () => {
    const { id, key, email } = await newOperator(kit.context);
    const { manager } = kit.context;
    await manager.execute(
      'INSERT INTO accounts.recovery_codes (owner_id, code_hash, created_at) VALUES ($1, $2, now())',
      [id, Buffer.alloc(32)],
    );
    await run('mutation ($id: String!) { revokeOperator(operator: $id) { revokedAt } }', { id });
    const again = `mutation ($email: String!) { addOperator(email: $email, name: "Olga B.", roles: ["trade"], days: 1) {
      operator { id name roles revokedAt } } }`;
    const both = await Promise.all([0, 1].map(() => run(again, { email: email.toUpperCase() })));
    expect(both.map(({ error }) => error?.statusCode).sort()).toEqual([409, undefined]);
    expect(both.find(({ error }) => error === undefined)?.data).toEqual({
      addOperator: { operator: { id, name: 'Olga B.', roles: ['trade'], revokedAt: null } },
    });
    expect(await authenticate(key)).toBeUndefined();
    expect(
      await manager.countRows('SELECT count(*)::integer AS count FROM accounts.recovery_codes WHERE owner_id = $1', [
        id,
      ]),
    ).toBe(0);
  });

  test('loses a role here at once, and a key when it has expired', async () => {
    const { id, key } = await newOperator(kit.context);
    expect((await authenticate(key))?.scopes).toContain('administer');
    await run('mutation ($id: String!) { changeOperatorRoles(operator: $id, roles: ["read"]) { roles } }', { id });
    expect((await authenticate(key))?.scopes).toEqual(['read']);
    kit.clock.set('2026-12-21T15:00:00Z');
    expect(await authenticate(key)).toBeUndefined();
    kit.clock.set('2026-11-20T15:00:00Z');
  });

  test('without the role administer sees and changes none of it', async () => {
    const publisher: Principal = { ...operator, scopes: ['read', 'publish', 'originate'] };
    const developer: Principal = { kind: 'DEVELOPER_KEY', id: 'k', ownerId: 'a', scopes: ['webhooks:write'] };
    for (const principal of [publisher, developer]) {
      for (const text of [
        '{ operators { id } }',
        '{ auditLog { nodes { id } } }',
        'mutation { revokeOperator(operator: "x") { id } }',
      ]) {
        expect((await run(text, {}, principal)).error).toMatchObject({
          statusCode: 403,
          message: 'This key lacks the role administer: use the key of an operator who has it',
        });
      }
    }
  });
});

describe('the audit log in the graph', () => {
  const listText = `query ($filter: AuditLogFilter, $first: Int!, $after: String) {
    auditLog(filter: $filter, first: $first, after: $after) {
      nodes { action actorName subjectId outcome before after source requestId at } pageInfo { hasNextPage endCursor } } }`;
  const list = async (filter: object, first = 50, after: string | null = null) =>
    (await run(listText, { filter, first, after })).data?.['auditLog'] as Page<Record<string, string | null>>;

  test('says who did what to whom, what was before and what is after', async () => {
    const { id } = await newOperator(kit.context);
    await run('mutation ($id: String!) { changeOperatorRoles(operator: $id, roles: ["read"]) { roles } }', { id });
    const { nodes } = await list({ subject: id });
    expect(nodes.map(({ action }) => action)).toEqual(['changeOperatorRoles', 'addOperator']);
    expect(nodes[0]).toMatchObject({ actorName: 'olga@casa.example', subjectId: id, outcome: 'DONE' });
    expect(JSON.parse(nodes[0]?.['before'] ?? '')).toMatchObject({ roles: expect.arrayContaining(['administer']) });
    expect(JSON.parse(nodes[0]?.['after'] ?? '')).toMatchObject({ roles: ['read'] });
  });

  test('is paged without a gap and narrowed by each filter', async () => {
    const all = (await list({}, 200)).nodes;
    expect(await readAll((after) => list({}, 3, after))).toEqual(all);
    const moment = all[2]?.['at'] ?? '';
    expect((await list({ to: moment }, 200)).nodes).toEqual(all.filter(({ at }) => (at ?? '') < moment));
    expect((await list({ from: moment }, 200)).nodes).toEqual(all.filter(({ at }) => (at ?? '') >= moment));
    expect((await list({ actor: 'OLGA@casa.example', action: 'revokeOperator', outcome: 'DONE' })).nodes).toEqual(
      all.filter(({ action }) => action === 'revokeOperator'),
    );
    expect((await list({ actor: 'nobody' })).nodes).toEqual([]);
  });
});
