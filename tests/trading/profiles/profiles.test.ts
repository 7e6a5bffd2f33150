import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '../../../shared/kernel/ids.js';
import { cnpjCheckDigits } from '../../../shared/kernel/tax-id.js';
import { changeCompany } from '../../../subgraphs/trading/access/companies.acts.js';
import { changeSuspension } from '../../../subgraphs/trading/profiles/profiles.acts.js';
import { requireActive, requireWallet } from '../../../subgraphs/trading/profiles/require-wallet.js';
import {
  formIssues,
  taxIdIssues,
  transition,
  type SuspendedBy,
  type SuspensionEvent,
} from '../../../subgraphs/trading/profiles/profile.js';
import { openTestPlatform } from '../../kit/platform.js';
import { newOperator } from '../../kit/operator.js';
import { newCpf, newProfile, newTrader, plenty, tradingCallerOf, walletOf } from '../kit.js';

const platform = await openTestPlatform(plenty, { background: false });
const caller = tradingCallerOf(platform);
const context = platform.infrastructure.context;
const trader = await newTrader(context);
const headers = (await caller.session(trader)).headers;
afterAll(() => platform.close());

interface Shown {
  readonly id: string;
  readonly document: string;
  readonly walletId: string;
}

const path = '/v1/account/createProfile';
const person = (over: Record<string, unknown> = {}) => ({
  name: 'Maria Oliveira',
  document: newCpf(),
  documentType: 'CPF',
  email: 'maria@cliente.example',
  ...over,
});
const create = (over: Record<string, unknown> = {}, sent: Record<string, string> = headers) =>
  caller.post(path, person(over), sent);
const list = (sent: Record<string, string>, query = '', from = '/v1/account/fetchProfiles') =>
  caller.send('GET', `${from}${query}`, undefined, sent);

async function rowsOf(table: string, profileId: string): Promise<number> {
  const key = table === 'profiles' ? 'id' : 'profile_id';
  const [row] = await context.manager.query<{ count: number }[]>(
    `SELECT count(*)::integer AS count FROM trading.${table} WHERE ${key} = $1`,
    [profileId],
  );
  return row?.count ?? 0;
}

describe('POST /v1/account/createProfile', () => {
  const numeric = '112223330001';
  const letters = '12ABC34501DE';
  test.each([
    ['CPF', '52998224725', 201],
    ['CNPJ', letters + cnpjCheckDigits(letters), 201],
    ['CPF', '52998224724', 422],
    ['CNPJ', `${letters}00`, 422],
    ['CPF', '529.982.247-25', 400],
    ['CPF', '٥2998224725', 400],
    ['CPF', numeric + cnpjCheckDigits(numeric), 400],
    ['CNPJ', '52998224725', 400],
    ['CNPJ', letters.toLowerCase() + cnpjCheckDigits(letters), 400],
    ['cpf', '52998224725', 400],
    ['PASSPORT', '52998224725', 400],
  ])('takes a %s %s: %i', async (documentType, document, status) => {
    const fresh = (await caller.session(await newTrader(context))).headers;
    const reply = await create({ document, documentType }, fresh);
    expect(reply.status).toBe(status);
    if (status === 201) expect(reply.body).toMatchObject({ document });
    else
      expect(reply.body).toMatchObject({
        details: expect.arrayContaining([{ path: expect.stringMatching(/^document/), message: expect.any(String) }]),
      });
  });

  test('answers 409 CAAS_PROF_001 for a person whom the company serves; another company may serve the same', async () => {
    const body = person();
    expect((await caller.post(path, body, headers)).status).toBe(201);
    const again = await caller.post(path, { ...body, name: 'Outra', email: 'outra@cliente.example' }, headers);
    expect(again).toMatchObject({ status: 409, body: { code: 'CAAS_PROF_001', error: 'Conflict' } });
    const other = await caller.session(await newTrader(context));
    expect((await caller.post(path, body, other.headers)).status).toBe(201);
  });

  test('fifty times at once with one document opens one profile, with its two wallets', async () => {
    const body = person();
    const replies = await Promise.all(Array.from({ length: 50 }, () => caller.post(path, body, headers)));
    const made = replies.filter(({ status }) => status === 201);
    const refused = replies.filter(
      ({ status, body: told }) => status === 409 && (told as { code: string }).code === 'CAAS_PROF_001',
    );
    expect([made.length, refused.length]).toEqual([1, 49]);
    const { id } = made[0]?.body as Shown;
    expect([await rowsOf('profiles', id), await rowsOf('wallets', id)]).toEqual([1, 2]);
  });

  test('with an idempotency key gives one result, which is bound to X-Synthetic beside the body', async () => {
    const body = person();
    const send = (synthetic: string) =>
      caller.post(path, body, { ...headers, 'x-idempotency-key': 'profile-1', 'x-synthetic': synthetic });
    const first = await send('false');
    expect(first.status).toBe(201);
    const again = await send('false');
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await send('true')).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('different body') },
    });
  });

  test('by a company that is suspended is 403 from the next request on', async () => {
    const suspended = await newTrader(context);
    const session = await caller.session(suspended);
    await changeCompany(context, suspended.companyId, { status: 'SUSPENDED' });
    const reply = await create({}, session.headers);
    expect(reply).toMatchObject({ status: 403, body: { message: expect.stringContaining('company is suspended') } });
    await changeCompany(context, suspended.companyId, { status: 'ACTIVE' });
    expect((await create({}, session.headers)).status).toBe(201);
  });

  test('takes synthetic from the header alone', async () => {
    const reply = await create({ synthetic: true });
    expect(reply.status).toBe(201);
    const { id, walletId } = reply.body as Shown;
    expect(await walletOf(trader, id)).toMatchObject({ id: walletId });
  });
});

test('GET /v1/account/fetchProfiles lists the profiles of the company alone, page by page, under both paths', async () => {
  const [one, other] = [await newTrader(context), await newTrader(context)];
  const mine = [];
  for (let round = 0; round < 5; round += 1) mine.push((await newProfile(one)).id);
  await newProfile(other);
  const session = (await caller.session(one)).headers;
  for (const from of ['/v1/account/fetchProfiles', '/account/fetchProfiles']) {
    const seen: string[] = [];
    let query = '?limit=2';
    for (;;) {
      const { status, body } = await list(session, query, from);
      expect(status).toBe(200);
      const { profiles, nextToken, ...more } = body as { profiles: Shown[]; nextToken?: string };
      expect(more).toEqual({});
      seen.push(...profiles.map(({ id }) => id));
      if (nextToken === undefined) break;
      query = `?limit=2&nextToken=${nextToken}`;
    }
    expect(seen).toEqual(mine);
  }
  const page = (await list(session, '?limit=2')).body as { nextToken: string };
  const theirs = (await caller.session(other)).headers;
  expect(await list(theirs, `?nextToken=${page.nextToken}`)).toMatchObject({
    status: 400,
    body: { details: [{ path: 'nextToken' }] },
  });
});

describe('the rules of a profile', () => {
  const events: SuspensionEvent[] = ['companySuspends', 'companyActivates', 'operatorSuspends', 'operatorActivates'];

  test('it is, after any acts, suspended by who suspended it last without taking that back; the company takes nothing back of the operator', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 30 }), (acts) => {
        const model = { company: false, operator: false };
        let state: SuspendedBy = null;
        for (const event of acts) {
          const next = transition(state, event);
          const refused = event === 'companyActivates' && model.operator;
          expect(next === 'REFUSED').toBe(refused);
          if (next === 'REFUSED') continue;
          state = next;
          if (event.startsWith('company')) model.company = event === 'companySuspends';
          else model.operator = event === 'operatorSuspends';
          const { company, operator } = model;
          expect(state).toBe(company && operator ? 'BOTH' : company ? 'COMPANY' : operator ? 'OPERATOR' : null);
        }
      }),
    );
  });

  test('with any text for a tax id that has not the form is reported as an error of form, and nothing throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('CPF' as const, 'CNPJ' as const),
        (taxId, taxIdType) => {
          const right = taxIdType === 'CPF' ? /^\d{11}$/.test(taxId) : /^[0-9A-Z]{12}\d{2}$/.test(taxId);
          expect(formIssues({ name: 'Maria', email: 'maria@cliente.example', taxId, taxIdType })).toHaveLength(
            right ? 0 : 1,
          );
          expect(taxIdIssues({ taxId, taxIdType }).length).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

describe('whose wallet', () => {
  test('is the company’s own without a profile, and that of its profile with one; real and synthetic are two', async () => {
    const profile = await newProfile(trader);
    const wallets = await Promise.all([
      walletOf(trader),
      walletOf(trader, undefined, true),
      walletOf(trader, profile.id),
      walletOf(trader, profile.id.toUpperCase(), true),
    ]);
    expect(new Set(wallets.map(({ id }) => id)).size).toBe(4);
    expect(wallets.map(({ profileId }) => profileId)).toEqual([null, null, profile.id, profile.id]);
    expect(wallets.map(({ synthetic }) => synthetic)).toEqual([false, true, false, true]);
  });

  test('of somebody else’s profile, of one that is not there and of what is no id is 404, all the same', async () => {
    const foreign = await newProfile(await newTrader(context));
    for (const profileId of [foreign.id, crypto.randomUUID(), trader.companyId, '', 'x', "' OR true --"]) {
      await expect(walletOf(trader, profileId)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: 'The company has no such profile',
      });
    }
  });
});

describe('a profile', () => {
  const status = async (id: string) => (await walletOf(trader, id)).profileStatus;
  const act = async (mutation: string, id: string, sent: Record<string, string>) => {
    const { body } = await caller.graphql(`mutation ($id: ID!) { ${mutation}(id: $id) }`, { id }, sent);
    const { data, errors } = body as {
      data?: Record<string, unknown>;
      errors?: { message: string; extensions: object }[];
    };
    return errors?.[0] ?? data?.[mutation];
  };

  test('that its company suspended opens nothing new, until the company activates it', async () => {
    const { id } = await newProfile(trader);
    expect(await act('suspendProfile', id, headers)).toBe('SUSPENDED');
    expect(await act('suspendProfile', id, headers)).toBe('SUSPENDED');
    const wallet = await requireWallet(trader.context, { profileId: id });
    expect(() => {
      requireActive(wallet);
    }).toThrow('The profile is suspended');
    expect(await act('activateProfile', id, headers)).toBe('ACTIVE');
    requireActive(await requireWallet(trader.context, { profileId: id }));
  });

  test('that the operator suspended cannot be activated by its company, and stays suspended where both did', async () => {
    const olga = (await newOperator(context, ['trade'])).headers;
    const { id } = await newProfile(trader);
    expect(await act('suspendTradingProfile', id, olga)).toBe('SUSPENDED');
    expect(await act('activateProfile', id, headers)).toMatchObject({ extensions: { statusCode: 403 } });
    expect(await act('suspendProfile', id, headers)).toBe('SUSPENDED');
    expect(await act('activateTradingProfile', id, olga)).toBe('SUSPENDED');
    expect(await act('activateProfile', id, headers)).toBe('ACTIVE');
    expect(await status(id)).toBe('ACTIVE');
    const trail = await context.manager.query<object[]>(
      `SELECT action, actor_kind AS kind, "before", "after" FROM shared.audit_log
       WHERE subject_id = $1 AND outcome = 'DONE' ORDER BY id`,
      [id],
    );
    expect(trail).toMatchObject([
      { action: 'createProfile', kind: 'TRADER' },
      { action: 'suspendTradingProfile', kind: 'OPERATOR', before: { suspendedBy: null } },
      { action: 'suspendProfile', kind: 'TRADER', before: { suspendedBy: 'OPERATOR' } },
      { action: 'activateTradingProfile', before: { suspendedBy: 'BOTH' } },
      { action: 'activateProfile', before: { suspendedBy: 'COMPANY' }, after: { suspendedBy: null } },
    ]);
    expect(JSON.stringify(trail)).not.toMatch(/\d{11}/);
  });

  test('of another company can be neither suspended nor activated', async () => {
    const { id } = await newProfile(await newTrader(context));
    for (const mutation of ['suspendProfile', 'activateProfile'])
      for (const other of [id, 'x'])
        expect(await act(mutation, other, headers)).toMatchObject({ extensions: { statusCode: 404 } });
  });

  test('that company and operator move at once ends as their acts, one after the other, say', async () => {
    const olga = (await newOperator(context, ['trade'])).headers;
    const { id } = await newProfile(trader);
    await Promise.all([
      ...Array.from({ length: 5 }, () => act('suspendProfile', id, headers)),
      ...Array.from({ length: 5 }, () => act('suspendTradingProfile', id, olga)),
    ]);
    const [row] = await context.manager.query<object[]>(
      'SELECT suspended_by, status FROM trading.profiles WHERE id = $1',
      [id],
    );
    expect(row).toEqual({ suspended_by: 'BOTH', status: 'SUSPENDED' });
  });
});

describe('a change of a profile', () => {
  const text = `mutation ($profileId: ID!, $name: String, $email: String, $synthetic: Boolean! = false) {
    updated: updateProfile(profileId: $profileId, name: $name, email: $email, synthetic: $synthetic) {
      id name document status walletId createdAt } }`;
  const update = async (variables: Record<string, unknown>, sent: Record<string, string> = headers) => {
    const { body } = await caller.graphql(text, variables, sent);
    const { data, errors } = body as { data?: { updated: Shown } | null; errors?: { extensions: object }[] };
    return { updated: data?.updated, error: errors?.[0]?.extensions };
  };
  const rowOf = async (id: string) =>
    (
      await context.manager.query<object[]>(
        'SELECT name, email, tax_id AS "taxId" FROM trading.profiles WHERE id = $1',
        [id],
      )
    )[0];
  const entriesOf = (id: string) =>
    context.manager.query<object[]>(
      `SELECT "after" FROM shared.audit_log WHERE action = 'updateProfile' AND subject_id = $1 ORDER BY id`,
      [id],
    );

  test('corrects what was mistyped, one or both, and the audit log says what without saying who', async () => {
    const { id, walletId, taxId } = await newProfile(trader);
    const { updated } = await update({ profileId: id, name: ' Maria de Oliveira ' });
    expect(updated).toMatchObject({ id, name: 'Maria de Oliveira', document: taxId, walletId });
    await update({ profileId: id, email: 'm@cliente.example', name: null });
    await update({ profileId: id, email: 'm@cliente.example' });
    expect(await rowOf(id)).toEqual({ name: 'Maria de Oliveira', email: 'm@cliente.example', taxId });
    const { companyId } = trader;
    expect(await entriesOf(id)).toEqual([
      { after: { companyId, changed: ['name'] } },
      { after: { companyId, changed: ['email'] } },
      { after: { companyId, changed: [] } },
    ]);
    const other = await update({ profileId: id, name: 'Maria', synthetic: true });
    expect(other.updated).toMatchObject({ id, walletId: expect.not.stringMatching(walletId) });
  });

  test('and another one at the same time are both kept', async () => {
    const { id } = await newProfile(trader);
    for (let round = 0; round < 5; round += 1) {
      const [name, email] = [`Maria ${round}`, `maria${round}@cliente.example`];
      await Promise.all([update({ profileId: id, name }), update({ profileId: id, email })]);
      expect(await rowOf(id)).toMatchObject({ name, email });
    }
  });

  test('reports everything that is wrong at once, as a creation does, and changes nothing then', async () => {
    const { id } = await newProfile(trader);
    const before = await rowOf(id);
    const { error } = await update({ profileId: id, name: '\u0000', email: 'maria' });
    expect(error).toMatchObject({ statusCode: 400, details: [{ path: 'name' }, { path: 'email' }] });
    expect((await update({ profileId: id })).error).toMatchObject({ statusCode: 400 });
    expect((await update({ profileId: id, name: 'x'.repeat(201) })).error).toMatchObject({
      details: [{ path: 'name' }],
    });
    expect(await rowOf(id)).toEqual(before);
  });

  test('finds none of another company, and corrects one that is suspended', async () => {
    const { id } = await newProfile(await newTrader(context));
    for (const profileId of [id, newId(), 'x', ''])
      expect((await update({ profileId, name: 'Ana' })).error).toMatchObject({ code: 'NOT_FOUND', statusCode: 404 });
    expect(await rowOf(id)).toMatchObject({ name: 'Maria Oliveira' });
    const own = await newProfile(trader);
    await changeSuspension(context, own.id, 'operatorSuspends');
    expect((await update({ profileId: own.id, name: 'Ana' })).updated).toMatchObject({ status: 'SUSPENDED' });
    const reader = await caller.session(await newTrader(context, { scopes: ['read'] }));
    expect((await update({ profileId: own.id, name: 'Eva' }, reader.headers)).error).toMatchObject({ statusCode: 403 });
  });
});

test.each([
  ['fetchProfiles { profiles { id } }', 20],
  ['fetchOrders { orders { orderId } }', 50],
  ['statement(currency: "BRL", from: "2026-01-01T00:00:00Z") { movements { journalId } }', 20],
  ['deposits { nodes { id } }', 20],
  ['withdrawals { nodes { id } }', 20],
])('on the graph %s costs what its page may hold, though nobody says how many: %d', async (field, items) => {
  const { body } = await caller.graphql(`{ ${field} }`, {}, { ...headers, 'x-query-cost': 'true' });
  expect(body).toMatchObject({ extensions: { cost: { requestedQueryCost: 1 + items } } });
});
