import { afterAll, expect, test } from '@jest/globals';
import { newId } from '../../../shared/kernel/ids.js';
import { changeSuspension } from '../../../subgraphs/trading/profiles/profiles.acts.js';
import { statusOf } from '../domain-kit.js';
import { newProfile, newTrader } from '../kit.js';
import { openLedger } from '../ledger/kit.js';

const kit = await openLedger(4);
const trader = await newTrader(kit.context);
afterAll(() => kit.close());

const text = `mutation ($profileId: ID!, $name: String, $email: String, $synthetic: Boolean! = false) {
  updated: updateProfile(profileId: $profileId, name: $name, email: $email, synthetic: $synthetic) {
    id name document status walletId createdAt } }`;
const update = (variables: Record<string, unknown>, by = trader.principal) => kit.run(text, variables, by);

const rowOf = async (id: string) =>
  (await kit.rows('SELECT name, email, tax_id AS "taxId" FROM trading.profiles WHERE id = $1', [id]))[0];
const entriesOf = (id: string) =>
  kit.rows<{ after: unknown }>(
    `SELECT "after" FROM shared.audit_log WHERE action = 'updateProfile' AND subject_id = $1 ORDER BY id`,
    [id],
  );

test('what was mistyped of a profile is corrected, one or both, and the audit log says what without saying who', async () => {
  const { id, walletId, taxId } = await newProfile(trader);
  const { data } = await update({ profileId: id, name: ' Maria de Oliveira ' });
  expect(data['updated']).toMatchObject({ id, name: 'Maria de Oliveira', document: taxId, walletId });
  await update({ profileId: id, email: 'm@cliente.example', name: null });
  await update({ profileId: id, email: 'm@cliente.example' });
  expect(await rowOf(id)).toEqual({ name: 'Maria de Oliveira', email: 'm@cliente.example', taxId });
  const { companyId } = trader;
  expect(await entriesOf(id)).toEqual([
    { after: { companyId, changed: ['name'] } },
    { after: { companyId, changed: ['email'] } },
    { after: { companyId, changed: [] } },
  ]);
  const synthetic = (await update({ profileId: id, name: 'Maria', synthetic: true })).data['updated'];
  expect(synthetic).toMatchObject({ id, walletId: expect.not.stringMatching(walletId) });
});

test('both at once by two callers are both kept', async () => {
  const { id } = await newProfile(trader);
  for (let round = 0; round < 5; round += 1) {
    const [name, email] = [`Maria ${round}`, `maria${round}@cliente.example`];
    await Promise.all([update({ profileId: id, name }), update({ profileId: id, email })]);
    expect(await rowOf(id)).toMatchObject({ name, email });
  }
});

test('everything that is wrong is reported at once, as at creation, and nothing is changed', async () => {
  const { id } = await newProfile(trader);
  const before = await rowOf(id);
  const { error } = await update({ profileId: id, name: '\u0000', email: 'maria' });
  expect(error).toMatchObject({ statusCode: 400, details: [{ path: 'name' }, { path: 'email' }] });
  expect(await statusOf(update({ profileId: id }))).toBe(400);
  expect((await update({ profileId: id, name: 'x'.repeat(201) })).error).toMatchObject({ details: [{ path: 'name' }] });
  expect(await rowOf(id)).toEqual(before);
});

test('a profile of another company does not exist, and one that is suspended can be corrected', async () => {
  const { id } = await newProfile(await newTrader(kit.context));
  for (const profileId of [id, newId(), 'x', ''])
    expect((await update({ profileId, name: 'Ana' })).error).toMatchObject({ code: 'NOT_FOUND', statusCode: 404 });
  expect(await rowOf(id)).toMatchObject({ name: 'Maria Oliveira' });
  const own = await newProfile(trader);
  await changeSuspension(kit.context, own.id, 'operatorSuspends');
  expect((await update({ profileId: own.id, name: 'Ana' })).data['updated']).toMatchObject({ status: 'SUSPENDED' });
  const reader = { ...trader.principal, scopes: ['read'] };
  expect(await statusOf(update({ profileId: own.id, name: 'Eva' }, reader))).toBe(403);
});
