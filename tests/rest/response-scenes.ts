import { importDomains } from '../../bootstrap/imports.js';
import { systemClock } from '../../shared/kernel/clock.js';
import { newId } from '../../shared/kernel/ids.js';
import { kinds as issuancesKinds } from '../../subgraphs/issuances/import/model/kinds.js';
import { kinds as tokenizationKinds } from '../../subgraphs/tokenization/import/model/kinds.js';
import { testContext } from '../kit/context.js';
import { exampleOf, importTextsInto, printed, type Json } from '../kit/import.js';
import { until } from '../kit/until.js';
import { openReceiver } from '../webhooks/receiver.js';
import type { Fields, Headers, ResponseKit } from './response-kit.js';

/* What the demo house is asked for, so that each property of a response is seen with a value and without. */

const listOf = (body: Fields, name: string) => body[name] as Fields[];
const textOf = (fields: Fields | undefined, name: string) => String(fields?.[name]);

/** A record with the fields that it must have and no others. */
function sparse(name: string, changes: Json = {}): Json {
  const kind = [...issuancesKinds, ...tokenizationKinds].find((one) => one.name === name);
  if (kind === undefined) throw new Error(`There is no kind ${name}`);
  return exampleOf({ ...kind, fields: kind.fields.filter(({ required }) => required) }, changes);
}

const one = (name: string, changes?: Json) => [sparse(name, changes)];

/** An operation of which every optional field is absent. */
function sparseOperation(): Json {
  const lists = [
    'guarantees',
    'documents',
    'obligations',
    'payments',
    'accounts',
    'permittedInvestments',
    'assemblies',
  ];
  return sparse('operations', {
    ticker: 'SPARSE',
    slug: 'sparse',
    href: '/emissoes/sparse',
    series: [
      sparse('series', { ticker: 'SPARSE1' }),
      sparse('series', { ticker: 'SPARSE2', number: 2, trusteeUnitPrices: one('trusteeUnitPrices') }),
    ],
    ...Object.fromEntries(lists.map((name) => [name, one(name)])),
    communications: one('communications'),
    participants: one('participants'),
    covenants: one('covenants', { metric: 'LTV' }),
    onchainContracts: one('onchainContracts', { address: `0x${'ab'.repeat(20)}`, events: one('onchainEvents') }),
  });
}

/** An operation of which no series is outstanding, with one debtor and a report that is final. */
function smallOperation(): Json {
  const position = {
    openingBalance: '1000.00',
    scheduledPrincipal: '1000.00',
    prepaidPrincipal: '0.00',
    closingBalance: '0.00',
  };
  return sparse('operations', {
    ticker: 'SMALL',
    slug: 'small',
    href: '/emissoes/small',
    summary: { description: 'Pequena' },
    series: [
      sparse('series', { ticker: 'SMALL1', issueDate: '2020-01-15', maturityDate: '2025-01-15' }),
      sparse('series', { ticker: 'SMALL2', number: 2, status: 'Resgatada' }),
    ],
    contracts: one('contracts', { positions: one('contractPositions', position) }),
    completeMonths: one('completeMonths'),
  });
}

/** An estate with a series whose index nobody has given the house, and whose schedule therefore has no values. */
function sparseEstate(): Json {
  const index = { indexer: 'IGPM', indexLagMonths: 2, indexAnniversaryDay: 15, indexProRata: 'BUSINESS_DAYS' };
  return sparse('patrimonies', {
    ticker: 'SPARSE',
    slug: 'sparse',
    tranches: [
      sparse('tranches', { ticker: 'SPARSE-TK1', indexer: 'NONE' }),
      sparse('tranches', {
        ticker: 'SPARSE-TK2',
        ...index,
        indexBase: 'LAST_EVENT',
        schedule: one('schedule', { dueDate: '2027-09-15' }),
      }),
    ],
  });
}

/** Operations and an estate with little more than what they must have. */
export async function importSparse({ platform, operate }: ResponseKit): Promise<void> {
  const { manager } = platform.infrastructure.context;
  const context = testContext({ manager, clock: systemClock });
  const load = async (files: Readonly<Record<string, object>>) => {
    const report = await importTextsInto(context, importDomains, files);
    if (report.errorCount > 0) throw new Error(printed(report).join('\n'));
  };
  await load({ 'sparse.json': sparseOperation(), 'small.json': smallOperation(), 'estate.json': sparseEstate() });
  const later = { externalId: 'CCB-2', positions: one('contractPositions') };
  await load({ 'later.json': { ...smallOperation(), contracts: one('contracts', later), completeMonths: undefined } });
  await operate('mutation { reissueReport(ticker: "SMALL", month: "2026-10", reason: "Teste") { version } }');
}

/** Every operation with its reports and its inventory. */
export async function readOperations({ read, ask }: ResponseKit): Promise<void> {
  const base = '/v1/emissoes/operacoes';
  const { cards } = (await read('GET', base, { as: 'apiKey' })) as { cards: Fields[] };
  for (const href of cards.map((card) => textOf(card, 'href'))) {
    const path = `${base}/${href.split('/').at(-1) ?? ''}`;
    const get = (rest = '') => read('GET', `${path}${rest}`, { as: 'apiKey' });
    await get();
    const { months, details } = (await get('/relatorio-mensal/meses')) as { months: string[]; details: Fields[] };
    await get('/relatorio-mensal');
    for (const month of new Set([months.at(0), months.at(-1)])) {
      if (month !== undefined) await get(`/relatorio-mensal?month=${month}`);
    }
    for (const { month } of details.filter(({ versao }) => versao === 2)) {
      await get(`/relatorio-mensal?month=${String(month)}&versao=1`);
    }
    const { available } = await get('/estoque?limit=100');
    if (available === false) await ask('GET', `${path}/estoque`, { as: 'apiKey', headers: { accept: 'text/csv' } });
  }
}

export async function readTokenization({ read }: ResponseKit): Promise<void> {
  const get = (path: string) => read('GET', `/public/${path}`);
  await get('tranches?limit=1');
  for (const series of listOf(await get('tranches?limit=100'), 'items')) {
    const path = `tranches/${textOf(series, 'ticker')}`;
    await get(`${path}/details`);
    await get(`${path}/unit-prices?limit=3`);
    await get(`${path}/unit-prices?limit=100&from=${new Date().toISOString().slice(0, 10)}`);
    await get(`${path}/payment-schedule`);
  }
  await get('patrimonies?limit=1');
  const estates = listOf(await get('patrimonies?limit=100'), 'items');
  await get('assets/summary');
  await get(`assets/summary?patrimonyId=${textOf(estates[0], 'id')}`);
  await get('assets');
  for (const filter of ['status=SETTLED', 'status=ACTIVE', 'status=DEFAULTED', 'search=cessao-1']) {
    for (const asset of listOf(await get(`assets?limit=3&${filter}`), 'data'))
      await get(`assets/${textOf(asset, 'id')}`);
  }
}

/** Token contracts, one of which nobody has read from its chain yet. */
export async function readContracts({ read, platform }: ResponseKit): Promise<void> {
  const get = (path: string) => read('GET', `/developer/contracts${path}`, { as: 'developerKey' });
  const unread = `0x${'cd'.repeat(20)}`;
  await platform.infrastructure.context.manager.query(
    `INSERT INTO tokenization.collections (id, tranche_id, chain_id, network, address, deployed_block, scanned_block, created_at)
     SELECT $1, id, 137, 'Polygon', $2, 1, 0, now() FROM tokenization.tranches WHERE ticker = 'SPARSE-TK1'`,
    [newId(), unread],
  );
  await get('?limit=1');
  for (const contract of listOf(await get(''), 'items')) {
    await get(`/${textOf(contract, 'address')}`);
    await get(`/${textOf(contract, 'address')}?limit=1`);
  }
}

/** The life of webhooks: one with a receiver that takes its time, one that nobody listens at, and one without a description. */
export async function useWebhooks({ read }: ResponseKit): Promise<void> {
  const path = '/developer/webhooks';
  const as = 'developerKey';
  let respond = (): void => undefined;
  const receiver = await openReceiver((response) => (respond = () => response.end('ok')));
  const make = async (url: string, more: Fields = {}) =>
    textOf(await read('POST', path, { as, body: { url, events: ['payment.completed'], ...more } }), 'id');
  const slow = await make(receiver.url, { description: 'Conciliação' });
  const deaf = await make('http://127.0.0.1:9/');
  const delivery = await read('POST', `${path}/${slow}/test`, { as });
  await read('POST', `${path}/${deaf}/test`, { as });
  const newest = async (id: string) =>
    listOf(await read('GET', `${path}/${id}/deliveries?limit=1`, { as }), 'items')[0];
  const attempts = async (id: string) => ((await newest(id))?.['attempts'] ?? []) as Fields[];
  await receiver.until(1);
  await until('the first attempt', async () => (await attempts(slow)).length > 0);
  respond();
  await until('the response to the attempt', async () =>
    (await attempts(slow)).some((one) => one['responseStatus'] !== null),
  );
  await until('the delivery to be over', async () => (await newest(slow))?.['nextAttemptAt'] === null);
  await until('the error of the attempt', async () => (await attempts(deaf)).some((one) => one['error'] !== null));
  await read('POST', `${path}/${slow}/test`, { as });
  await read('GET', `${path}/${slow}/deliveries?limit=1`, { as });
  for (const id of [slow, deaf]) {
    for (const act of ['rotate-secret', 'activate']) await read('POST', `${path}/${id}/${act}`, { as });
    await read('PATCH', `${path}/${id}`, { as, body: { events: ['order.filled'] } });
    await read('GET', `${path}/${id}`, { as });
  }
  await read('POST', `${path}/${slow}/deliveries/${textOf(delivery, 'id')}/redeliver`, { as });
  await read('POST', `${path}/${slow}/replay`, { as, body: { since: new Date(Date.now() - 60_000).toISOString() } });
  await read('GET', path, { as });
  for (const id of [slow, deaf]) await read('DELETE', `${path}/${id}`, { as });
  respond();
  await receiver.close();
}

export async function useAccounts({ read, caller, logins, platform }: ResponseKit): Promise<void> {
  const auth = (act: string, body: Fields = {}) => read('POST', `/v1/emissoes/auth/${act}`, { body });
  const email = 'vida@example.com';
  const password = 'ponte-velha-1965';
  await auth('register', { name: 'Ana', email, password, company: 'Casa' });
  await auth('resend-verification', { email });
  const sessions = [
    await auth('verify-email', { token: await caller.tokenFor(email) }),
    await auth('login', logins.portalAccount),
    await auth('login', logins.account),
  ];
  await platform.infrastructure.context.manager.query('UPDATE accounts.api_keys SET last_used_at = now()');
  for (const session of sessions) {
    const as: Headers = { authorization: `Bearer ${textOf(session, 'accessToken')}` };
    await read('GET', '/v1/emissoes/auth/me', { as });
    const { id } = await read('POST', '/v1/emissoes/keys', { as, body: { name: 'planilha' } });
    await read('GET', '/v1/emissoes/keys', { as });
    await read('DELETE', `/v1/emissoes/keys/${String(id)}`, { as });
    await read('GET', '/v1/emissoes/keys', { as });
    await read('POST', '/v1/emissoes/auth/logout', { as });
  }
  await auth('forgot-password', { email });
  await auth('reset-password', { token: await caller.tokenFor(email), password: 'ponte-nova-1966' });
}

/** The agent endpoint: requests, notifications, and what is none of these. The text describes batches in words. */
export async function useAgents({ ask }: ResponseKit): Promise<void> {
  await ask('GET', '/v1/emissoes/mcp/tools');
  const path = '/v1/emissoes/mcp';
  const headers = { accept: 'application/json, text/event-stream' };
  const list = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'tools/list' });
  const bodies = [
    list(1),
    { jsonrpc: '2.0', id: 2, method: 'none' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'listar_operacoes', arguments: {} } },
    '{',
    [],
    { one: 1 },
  ];
  for (const body of bodies) await ask('POST', path, { as: 'apiKey', headers, body });
  for (const version of ['2025-06-18', 'x']) {
    await ask('POST', path, {
      as: 'apiKey',
      headers: { ...headers, 'mcp-protocol-version': version },
      body: [list(1)],
    });
  }
  await ask('POST', `${path}?structured=maybe`, { as: 'apiKey', headers, body: list(1) });
  await ask('POST', path, { headers, body: list(1) });
  await ask('POST', path, { as: 'trader', headers, body: list(1) });
  await ask('POST', path, { as: 'apiKey', headers: { accept: 'text/html' }, body: list(1) });
  await ask('POST', path, { as: 'apiKey', headers: { ...headers, 'content-type': 'text/plain' }, body: 'x' });
  await ask('POST', path, {
    as: 'apiKey',
    headers: { ...headers, origin: 'https://elsewhere.example' },
    body: list(1),
  });
  await ask('POST', path, { as: 'apiKey', headers, body: ' '.repeat(1_100_000) });
}
