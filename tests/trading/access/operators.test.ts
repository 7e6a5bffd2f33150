import { afterAll, describe, expect, test } from '@jest/globals';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announce } from '../../../shared/events/outbox/outbox.js';
import { createRelay } from '../../../shared/events/outbox/relay.js';
import { anonymous, type Principal } from '../../../shared/kernel/context.js';
import { unlinkTradingAccounts } from '../../../subgraphs/trading/access/companies.acts.js';
import { openDemoCompany } from '../../../subgraphs/trading/access/demo-company.js';
import { createTrading } from '../../../subgraphs/trading/subgraph.js';
import { operator, testKeyRing } from '../../kit/context.js';
import { countQueries } from '../../kit/count-queries.js';
import { openTestDatabase } from '../../kit/database.js';
import { contextOn, partsOf, runOn, valueOf } from '../domain-kit.js';
import { newProfile, newTrader, noFunds } from '../kit.js';

const database = await openTestDatabase();
const context = contextOn(database);
const ask = runOn(createTrading(partsOf(database)).schema, context);
afterAll(() => database.close());

const run = (text: string, variables: object = {}, principal: Principal = operator) =>
  ask(text, { ...variables }, principal);
const done = <T>(text: string, variables: object) => valueOf<T>(run(text, variables));
const refused = async (...asked: Parameters<typeof run>) => (await run(...asked)).error;
const statusOf = async (...asked: Parameters<typeof run>) => (await refused(...asked))?.statusCode;

const terms = `terms { makerFee takerFee maxOrderValue maxOpenOrders maxDailyVolume profileMaxOpenOrders profileMaxDailyVolume }`;
const addText = `mutation ($name: String!, $rateLimit: Int, $accountId: ID, $terms: TradingTermsInput) {
  addTradingCompany(name: $name, rateLimit: $rateLimit, accountId: $accountId, terms: $terms) { id name status rateLimit accountId ${terms} } }`;
const changeText = `mutation ($id: ID!, $name: String, $rateLimit: Int, $status: TradingCompanyStatus, $terms: TradingTermsInput) {
  changeTradingCompany(id: $id, name: $name, rateLimit: $rateLimit, status: $status, terms: $terms) { name status rateLimit ${terms} } }`;
const credentialText = `mutation ($companyId: ID!, $scopes: [String!]!, $allowedNetworks: [String!], $expiresAt: DateTime) {
  addTradingCredential(companyId: $companyId, scopes: $scopes, allowedNetworks: $allowedNetworks, expiresAt: $expiresAt) {
    id apiKey secretKey scopes allowedNetworks expiresAt } }`;

const entries = (action: string, count = 1) =>
  context.manager.query<Record<string, unknown>[]>(
    'SELECT actor_kind, subject_type, outcome, "before", "after" FROM shared.audit_log WHERE action = $1 ORDER BY id DESC LIMIT $2',
    [action, count],
  );

describe('an operator', () => {
  test('onboards a company with fees and limits, and its own wallets come with it', async () => {
    const given = { makerFee: '0.15', maxOrderValue: '100000.00', profileMaxOpenOrders: 20 };
    const added = await done<{ id: string }>(addText, { name: ' Casa de Câmbio ', rateLimit: 900, terms: given });
    expect(added).toMatchObject({
      name: 'Casa de Câmbio',
      status: 'ACTIVE',
      rateLimit: 900,
      accountId: null,
      terms: {
        ...{ ...given, takerFee: '0.3', maxOpenOrders: null },
        ...{ maxDailyVolume: null, profileMaxDailyVolume: null },
      },
    });
    expect(
      await context.manager.query(
        'SELECT synthetic FROM trading.wallets WHERE company_id = $1 AND profile_id IS NULL ORDER BY synthetic',
        [added.id],
      ),
    ).toEqual([{ synthetic: false }, { synthetic: true }]);
    expect(await entries('addTradingCompany')).toMatchObject([
      { actor_kind: 'OPERATOR', outcome: 'DONE', after: { name: 'Casa de Câmbio', makerFee: '0.15' } },
    ]);
  });

  test('changes what is said and nothing else; null lifts a limit; what was before is on record', async () => {
    const { companyId: id } = await newTrader(context, { name: 'Antes', terms: { maxOpenOrders: 5, takerFee: '0.5' } });
    const first = await done(changeText, { id, terms: { maxOpenOrders: null, makerFee: '0' } });
    expect(first).toMatchObject({ name: 'Antes', terms: { makerFee: '0', takerFee: '0.5', maxOpenOrders: null } });
    expect(await done(changeText, { id, status: 'SUSPENDED' })).toMatchObject({
      status: 'SUSPENDED',
      terms: { takerFee: '0.5' },
    });
    expect(await entries('changeTradingCompany')).toMatchObject([
      { before: { status: 'ACTIVE' }, after: { status: 'SUSPENDED', makerFee: '0' } },
    ]);
    await Promise.all([
      ...Array.from({ length: 10 }, () => done(changeText, { id, name: 'Depois' })),
      ...Array.from({ length: 10 }, () => done(changeText, { id, terms: { maxOpenOrders: 9 } })),
    ]);
    expect(await done(changeText, { id })).toMatchObject({ name: 'Depois', terms: { maxOpenOrders: 9 } });
  });

  test('gets everything that is wrong at once', async () => {
    const wrong = {
      makerFee: '10.000001',
      takerFee: '-1',
      maxOrderValue: '0',
      maxOpenOrders: 0,
      maxDailyVolume: '1.005',
      profileMaxDailyVolume: '1000000000000000',
    };
    const first = await refused(addText, { name: ' ', rateLimit: 0, terms: wrong });
    expect(first).toMatchObject({ statusCode: 400 });
    const paths = ['name', 'rateLimit', ...Object.keys(wrong).map((name) => `terms.${name}`)];
    expect(first?.details?.map(({ path }) => path)).toEqual(paths);
    const { companyId } = await newTrader(context);
    const bad = {
      companyId,
      scopes: ['read', 'all'],
      allowedNetworks: ['10.0.0.0/33', 'localhost', '::ffff:10.0.0.1'],
      expiresAt: '2020-01-01T00:00:00Z',
    };
    expect((await refused(credentialText, bad))?.details?.map(({ path }) => path)).toEqual([
      'scopes[1]',
      'allowedNetworks[0]',
      'allowedNetworks[1]',
      'allowedNetworks[2]',
      'expiresAt',
    ]);
    for (const over of [{ scopes: [] }, { allowedNetworks: [] }])
      expect(await statusOf(credentialText, { companyId, scopes: ['read'], ...over })).toBe(400);
  });

  test('gives a company ten credentials that work, also when asked for many at once, and one more for each that is revoked', async () => {
    const { companyId } = await newTrader(context);
    const give = () => run(credentialText, { companyId, scopes: ['read'] });
    const outcomes = await Promise.all(Array.from({ length: 20 }, give));
    const made = outcomes.flatMap(({ data }) => (data['addTradingCredential'] as { id: string } | null) ?? []);
    expect(made).toHaveLength(9);
    expect((await give()).error?.statusCode).toBe(409);
    const revoke = () => run('mutation ($id: ID!) { revokeTradingCredential(id: $id) }', { id: made[0]?.id });
    expect([(await revoke()).data, (await revoke()).data]).toEqual([
      { revokeTradingCredential: true },
      { revokeTradingCredential: true },
    ]);
    expect((await give()).error).toBeUndefined();
    expect(await entries('revokeTradingCredential', 2)).toMatchObject([
      { before: { revokedAt: expect.any(String) } },
      { before: { revokedAt: null }, after: { revokedAt: expect.any(String) } },
    ]);
    expect(JSON.stringify(await entries('addTradingCredential'))).not.toContain('svc_trd_');
  });

  test('sees networks without host bits, each once, and a secret never again', async () => {
    const { companyId } = await newTrader(context, { name: 'Rede' });
    const networks = ['10.1.2.3/8', '10.9.9.9/8', '203.0.113.7', '2001:db8::/32'];
    const made = await done<Record<string, unknown>>(credentialText, {
      companyId,
      scopes: ['withdraw', 'read', 'read'],
      allowedNetworks: networks,
    });
    expect(made).toMatchObject({
      scopes: ['read', 'withdraw'],
      allowedNetworks: ['10.0.0.0/8', '203.0.113.7/32', '2001:db8::/32'],
      expiresAt: null,
    });
    const listed = await run(
      '{ tradingCompanies { id credentials { id apiKey scopes } profiles { profiles { id } } } }',
    );
    expect(JSON.stringify(listed)).toContain(String(made['apiKey']));
    expect(JSON.stringify(listed)).not.toContain('svc_trd_secret_');
  });

  test('gets 404 for what is not there, and 409 for a credential that was revoked', async () => {
    const change = 'mutation ($id: ID!) { changeTradingCredential(id: $id, scopes: ["read"]) { id } }';
    const revoke = 'mutation ($id: ID!) { revokeTradingCredential(id: $id) }';
    for (const id of ['x', crypto.randomUUID()]) {
      for (const text of [change, revoke, changeText]) expect(await statusOf(text, { id })).toBe(404);
      expect(await statusOf(credentialText, { companyId: id, scopes: ['read'] })).toBe(404);
    }
    const { credential } = await newTrader(context);
    await run(revoke, { id: credential.id });
    expect(await statusOf(change, { id: credential.id })).toBe(409);
  });

  test('without the role trade, a company, and who is nobody change nothing; the role read sees the companies', async () => {
    const reader: Principal = { ...operator, scopes: ['read'] };
    const { principal: trader } = await newTrader(context);
    for (const [principal, status] of [
      [reader, 403],
      [trader, 403],
      [anonymous('203.0.113.7'), 401],
    ] as const) {
      for (const [text, variables] of [
        [addText, { name: 'X' }],
        [credentialText, { companyId: 'x', scopes: ['read'] }],
        ['mutation { revokeTradingCredential(id: "x") }', {}],
        ['mutation { suspendTradingProfile(id: "x") }', {}],
      ] as const)
        expect(await statusOf(text, variables, principal)).toBe(status);
    }
    expect(await statusOf('{ tradingCompanies { id } }', {}, reader)).toBeUndefined();
    expect(await statusOf('{ tradingCompanies { id } }', {}, trader)).toBe(403);
  });

  test('reads one company with what limits its withdrawals; what is none is null', async () => {
    const { companyId: id } = await newTrader(context, { name: 'Limitada' });
    const limit = `mutation ($id: ID!, $currency: String!, $daily: Decimal) { setWithdrawalLimit(companyId: $id, currency: $currency, daily: $daily) }`;
    await done(limit, { id, currency: 'BTC', daily: '0.50' });
    await done(limit, { id, currency: 'BRL', daily: '5000.50' });
    await done('mutation ($id: ID!) { requireWithdrawalList(companyId: $id, required: true) }', { id });
    const fields = 'name requiresWithdrawalList withdrawalLimits { currency daily }';
    const one = (given: string) => run(`query ($id: ID!) { tradingCompany(id: $id) { ${fields} } }`, { id: given });
    expect((await one(id)).data).toEqual({
      tradingCompany: {
        name: 'Limitada',
        requiresWithdrawalList: true,
        withdrawalLimits: [
          { currency: 'BRL', daily: '5000.50' },
          { currency: 'BTC', daily: '0.50000000' },
        ],
      },
    });
    for (const other of ['x', crypto.randomUUID()]) expect((await one(other)).data).toEqual({ tradingCompany: null });
    const { principal } = await newTrader(context);
    expect(await statusOf(`{ tradingCompany(id: "${id}") { name } }`, {}, principal)).toBe(403);
  });

  test('reads companies, credentials, profiles and limits by one statement each, however many there are', async () => {
    for (let round = 0; round < 3; round += 1) await newProfile(await newTrader(context));
    const limits = 'requiresWithdrawalList withdrawalLimits { currency }';
    const text = `{ tradingCompanies { id credentials { id } profiles(limit: 5) { profiles { id } } ${limits} } }`;
    expect(await countQueries(database.dataSource, () => run(text))).toBe(5);
  });
});

test('an account that is deleted is unlinked from its company', async () => {
  const accountId = crypto.randomUUID();
  const { companyId } = await newTrader(context, { accountId });
  await inTransaction(context, (tx) =>
    announce(tx, { topic: 'account.deleted', key: accountId, payload: { accountId }, internal: true }),
  );
  await createRelay(context, { consumers: [unlinkTradingAccounts] }).drain();
  expect(await context.manager.query('SELECT account_id FROM trading.companies WHERE id = $1', [companyId])).toEqual([
    { account_id: null },
  ]);
});

test('the demo’s company logs in by the same pair after a restart, and has its two profiles once', async () => {
  const open = () => openDemoCompany(context, testKeyRing, { accountId: 'demo', fund: noFunds });
  const pair = await open();
  expect(await open()).toEqual(pair);
  const login = `mutation ($apiKey: String!, $secretKey: String!) {
    tradingLogin(apiKey: $apiKey, secretKey: $secretKey) { expiresIn } }`;
  expect(await done(login, pair)).toEqual({ expiresIn: 3600 });
  const { profiles } = (
    await done<{ credentials: { apiKey: string }[]; profiles: { profiles: object[] } }[]>(
      '{ tradingCompanies { credentials { apiKey } profiles { profiles { id } } } }',
      {},
    )
  ).find(({ credentials }) => credentials.some(({ apiKey }) => apiKey === pair.apiKey)) ?? { profiles: undefined };
  expect(profiles?.profiles).toHaveLength(2);
});
