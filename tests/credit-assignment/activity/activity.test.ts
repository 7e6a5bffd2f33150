import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../shared/kernel/context.js';
import { operator } from '../../kit/context.js';
import { readAll, type Page } from '../../kit/pages.js';
import { formatCnab444 } from '../cnab444/files.js';
import { assigned, fileOf } from '../cnab444/kit.js';
import { addOpenEstate } from '../estates/kit.js';
import { apiKey, contracts, developer, openCredit, person, stranger } from '../kit.js';
import { newPair, pemOf } from '../signing-kit.js';
import { newId } from '../../../shared/kernel/ids.js';

const account = 'account-1';
const formerAccount = 'account-0';
const browserOf = (ownerId: string): Principal => ({
  ...person(ownerId),
  browser: { id: newId(), provedAtMs: new Date('2026-11-20T15:00:00Z').getTime() },
});

interface Act {
  readonly kind: string;
  readonly actor: string;
  readonly creditBatchId: string | null;
  readonly keyFingerprint: string | null;
  readonly patrimony: { readonly id: string } | null;
}
const text = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  originatorActivity(originatorId: $id, first: $first, after: $after, last: $last, before: $before) {
    nodes { id at kind actor creditBatchId settlementBatchId keyFingerprint patrimony { id } }
    totalCount pageInfo { hasNextPage endCursor startCursor } } }`;
const ask = (by: Principal, variables: Record<string, unknown> = {}) =>
  kit.run(text, { id: client.ownerId, first: 100, ...variables }, by);
const page = async (variables: Record<string, unknown> = {}): Promise<Page<Act>> => {
  const all = { id: client.ownerId, first: 100, ...variables };
  return (await kit.data<{ originatorActivity: Page<Act> }>(text, all, person(account))).originatorActivity;
};
const act = async (mutation: string, variables: Record<string, unknown>, by: Principal = operator) =>
  Object.values(await kit.data(mutation, variables, by))[0];

const kit = await openCredit();
afterAll(() => kit.close());
const [client, other] = [await kit.client(formerAccount), await kit.client('account-2')];
const id = client.ownerId;
const permitSending = `mutation ($id: ID!) { permitAccountToSend(originatorId: $id, permitted: true) { id } }`;
const change = `mutation ($id: ID!, $accountId: ID, $status: OriginatorStatus) { changeOriginator(id: $id, accountId: $accountId, status: $status) { id } }`;
const [first, second, third] = [
  await kit.create(client, contracts(1, 'A')),
  await kit.create(client, contracts(1, 'B')),
  await kit.create(client, contracts(1, 'C')),
];
await act(
  `mutation ($id: ID!, $p: String!, $file: String!) { takeInAssignmentFile(originatorId: $id, patrimony: $p, file: $file) { id } }`,
  { id, p: kit.patrimonyId, file: formatCnab444(fileOf(assigned('E-1'))) },
);
await kit.create(other, contracts(1, 'D'));
await kit.submit(client, first.id);
await act(permitSending, { id });
await kit.submit(browserOf(formerAccount), second.id);
await act(change, { id, accountId: account });
await act(permitSending, { id });
await kit.cancel(browserOf(account), third.id);
await act(change, { id, status: 'SUSPENDED' });
await act(change, { id, status: 'ACTIVE' });
const key = (await act(
  `mutation ($id: ID!, $key: String!) { addOriginatorKey(originatorId: $id, publicKey: $key) { id } }`,
  { id, key: pemOf(newPair().publicKey) },
)) as { readonly id: string };
await act('mutation ($id: ID!) { revokeOriginatorKey(id: $id) }', { id: key.id });
const estate = newId();
await addOpenEstate(kit.context.manager, estate, 'PAT-2');
const criteria = `mutation ($p: ID!) { setEligibilityCriteria(patrimonyId: $p, criteria: { maxTermDays: 365 }) { patrimonyId } }`;
await act(criteria, { p: estate });
// Permits have the time of the program in milliseconds, entries of the audit log that of the database in microseconds.
kit.clock.set(new Date(Date.now() + 1));
await sleep(5);
const pair = { id: id.toUpperCase(), p: estate.toUpperCase() };
await act(`mutation ($id: ID!, $p: ID!) { permitOriginator(originatorId: $id, patrimonyId: $p) { id } }`, pair);
await act(criteria, { p: estate });
await act(`mutation ($p: ID!) { removeEligibilityCriteria(patrimonyId: $p) }`, { p: kit.patrimonyId });
// Acts about another client, and refused ones, are nobody else's.
await act(change, { id: other.ownerId, status: 'SUSPENDED' });
await kit.run(change, { id, accountId: '' }, operator);

describe('what was done in the name of an originator', () => {
  test('is listed for its account with who did it, newest first', async () => {
    const { nodes, totalCount } = await page();
    expect(nodes.map(({ kind, actor }) => `${kind} ${actor}`)).toEqual([
      'CRITERIA_REMOVED OPERATOR',
      // Criteria from before the permit are not the originator's.
      'CRITERIA_SET OPERATOR',
      'ESTATE_PERMITTED OPERATOR',
      'KEY_REVOKED OPERATOR',
      'KEY_ADDED OPERATOR',
      'REACTIVATED OPERATOR',
      'SUSPENDED OPERATOR',
      'SENDING_PERMITTED OPERATOR',
      'CHANGED OPERATOR',
      'SENDING_PERMITTED OPERATOR',
      'CREDIT_BATCH_CREATED OPERATOR',
      'CREDIT_BATCH_CANCELLED ACCOUNT',
      'CREDIT_BATCH_CREATED CLIENT',
      'CREDIT_BATCH_SUBMITTED FORMER_ACCOUNT',
      'CREDIT_BATCH_CREATED CLIENT',
      'CREDIT_BATCH_SUBMITTED CLIENT',
      'CREDIT_BATCH_CREATED CLIENT',
    ]);
    expect(totalCount).toBe(nodes.length);
    const of = (kind: string) => nodes.find((one) => one.kind === kind);
    expect(of('KEY_REVOKED')?.keyFingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(of('KEY_REVOKED')?.keyFingerprint).toBe(of('KEY_ADDED')?.keyFingerprint);
    expect(of('CRITERIA_SET')?.patrimony).toEqual(of('ESTATE_PERMITTED')?.patrimony);
    expect(of('CRITERIA_SET')?.patrimony?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(of('CRITERIA_REMOVED')?.patrimony).toEqual({ id: kit.patrimonyId });
    expect(of('CREDIT_BATCH_CREATED')?.creditBatchId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('names no operator, no address and no other account', async () => {
    const written = JSON.stringify(await page());
    for (const secret of [operator.name ?? '', operator.ownerId, operator.id, account, formerAccount, other.ownerId])
      expect(written).not.toContain(secret);
  });

  test('is read in pages in both directions, without a gap and without a repetition', async () => {
    const whole = await page();
    expect(await readAll((after) => page({ first: 3, after }))).toEqual(whole.nodes);
    const last = await page({ first: null, last: 4 });
    expect(last.nodes).toEqual(whole.nodes.slice(-4));
    const before = await page({ first: null, last: 4, before: last.pageInfo.startCursor });
    expect(before.nodes).toEqual(whole.nodes.slice(-8, -4));
  });

  test('takes the same number of statements for one act as for many', async () => {
    const statements = (first: number) => kit.countQueries(() => page({ first }));
    expect(await statements(17)).toBe(await statements(1));
  });

  test('is for those who may see its batches: for others it does not exist', async () => {
    for (const by of [client, apiKey(account), developer(account, 'credit:read')])
      expect((await ask(by)).error).toBeUndefined();
    for (const by of [other, person(formerAccount), person('account-2'), operator])
      expect((await ask(by)).error).toMatchObject({ statusCode: 404 });
    expect((await ask(developer(account))).error).toMatchObject({ statusCode: 403 });
    expect((await ask(stranger)).error).toMatchObject({ statusCode: 401 });
    expect((await ask(person(account), { id: 'x' })).error).toMatchObject({ statusCode: 404 });
    expect((await ask(person(account), { after: 'x' })).error).toMatchObject({ statusCode: 400 });
  });
});
