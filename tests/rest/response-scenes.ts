import { expect } from '@jest/globals';
import { importDomains } from '../../bootstrap/imports.js';
import { systemClock } from '../../shared/kernel/clock.js';
import { kinds as issuancesKinds } from '../../subgraphs/issuances/import/model/kinds.js';
import { kinds as tokenizationKinds } from '../../subgraphs/tokenization/import/model/kinds.js';
import { testContext } from '../kit/context.js';
import { exampleOf, importTextsInto, printed, type Json } from '../kit/import.js';
import { until } from '../kit/until.js';
import { openReceiver } from '../webhooks/receiver.js';
import type { Fields, Headers, ResponseKit, Sent } from './response-kit.js';

/* What the demo house is asked for beside the examples of the text: things in all their states, and some with no more than they must have. */

const listOf = (body: Fields, name: string) => body[name] as Fields[];
const textOf = (fields: Fields | undefined, name: string) => String(fields?.[name]);

/** A record with the fields that it must have and no others. */
function sparse(name: string, changes: Json = {}): Json {
  const kind = [...issuancesKinds, ...tokenizationKinds].find((one) => one.name === name);
  if (kind === undefined) throw new Error(`There is no kind ${name}`);
  return exampleOf({ ...kind, fields: kind.fields.filter(({ required }) => required) }, changes);
}

const one = (name: string, changes?: Json) => [sparse(name, changes)];

/** Imports an operation and an estate of which every optional field is absent. */
export async function importSparse({ platform }: ResponseKit): Promise<void> {
  const { manager } = platform.infrastructure.context;
  const lists = ['guarantees', 'documents', 'obligations', 'payments', 'accounts', 'permittedInvestments'];
  const operation = sparse('operations', {
    ticker: 'SPARSE',
    slug: 'sparse',
    href: '/emissoes/sparse',
    series: one('series', { ticker: 'SPARSE1', trusteeUnitPrices: one('trusteeUnitPrices') }),
    ...Object.fromEntries([...lists, 'assemblies', 'communications', 'participants'].map((name) => [name, one(name)])),
    covenants: one('covenants', { metric: 'LTV' }),
    onchainContracts: one('onchainContracts', { address: `0x${'ab'.repeat(20)}`, events: one('onchainEvents') }),
  });
  const tranches = one('tranches', { ticker: 'SPARSE-TK1', indexer: 'NONE' });
  const estate = sparse('patrimonies', { ticker: 'SPARSE', slug: 'sparse', tranches });
  const files = { 'sparse.json': operation, 'estate.json': estate };
  const report = await importTextsInto(testContext({ manager, clock: systemClock }), importDomains, files);
  expect(printed(report)).toEqual([]);
}

/** Every operation with its reports and its inventory. */
export async function readOperations({ read, ask }: ResponseKit): Promise<void> {
  const base = '/v1/emissoes/operacoes';
  const { cards } = (await read('GET', base, { as: 'apiKey' })) as { cards: Fields[] };
  for (const href of cards.map((card) => textOf(card, 'href'))) {
    const path = `${base}/${href.split('/').at(-1) ?? ''}`;
    const get = (rest = '') => read('GET', `${path}${rest}`, { as: 'apiKey' });
    await get();
    const { months } = (await get('/relatorio-mensal/meses')) as { months: string[] };
    await get('/relatorio-mensal');
    for (const month of new Set([months.at(0), months.at(-1)])) {
      if (month !== undefined) await get(`/relatorio-mensal?month=${month}`);
    }
    const { available } = await get('/estoque?limit=100');
    if (available === false) await ask('GET', `${path}/estoque`, { as: 'apiKey', headers: { accept: 'text/csv' } });
  }
}

export async function readTokenization({ read }: ResponseKit): Promise<void> {
  const get = (path: string) => read('GET', `/public/${path}`);
  for (const series of listOf(await get('tranches?limit=100'), 'items')) {
    const path = `tranches/${textOf(series, 'ticker')}`;
    await get(`${path}/details`);
    await get(`${path}/unit-prices?limit=3`);
    await get(`${path}/payment-schedule`);
  }
  const estates = listOf(await get('patrimonies?limit=100'), 'items');
  await get('assets/summary');
  await get(`assets/summary?patrimonyId=${textOf(estates[0], 'id')}`);
  for (const filter of ['status=SETTLED', 'status=ACTIVE', 'status=DEFAULTED', 'search=cessao-1']) {
    for (const asset of listOf(await get(`assets?limit=3&${filter}`), 'data'))
      await get(`assets/${textOf(asset, 'id')}`);
  }
}

export async function readContracts({ read }: ResponseKit): Promise<void> {
  const get = (path: string) => read('GET', `/developer/contracts${path}`, { as: 'developerKey' });
  for (const contract of listOf(await get(''), 'items')) await get(`/${textOf(contract, 'address')}`);
}

/** Webhooks with a receiver that responds, and with none, with the attempts of each. */
export async function useWebhooks({ read }: ResponseKit): Promise<void> {
  const path = '/developer/webhooks';
  const as = 'developerKey';
  const receiver = await openReceiver();
  for (const url of [receiver.url, 'http://127.0.0.1:9/']) {
    const body = { url, events: ['payment.completed'] };
    const id = textOf(await read('POST', path, { as, body }), 'id');
    await read('POST', `${path}/${id}/test`, { as });
    await until('the attempt', async () => {
      const [delivery] = listOf(await read('GET', `${path}/${id}/deliveries`, { as }), 'items');
      return ((delivery?.['attempts'] ?? []) as Fields[]).some(({ responseStatus, error }) => responseStatus ?? error);
    });
    await read('GET', `${path}/${id}`, { as });
    await read('DELETE', `${path}/${id}`, { as });
  }
  await receiver.close();
}

/** Sessions of an account with all that there is to say of it, and of one with little. */
export async function useAccounts({ read, logins }: ResponseKit): Promise<void> {
  for (const body of [logins.portalAccount, logins.account]) {
    const session = await read('POST', '/v1/emissoes/auth/login', { body });
    const as: Headers = { authorization: `Bearer ${textOf(session, 'accessToken')}` };
    await read('GET', '/v1/emissoes/auth/me', { as });
    await read('GET', '/v1/emissoes/keys', { as });
  }
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
  const good: Sent = { as: 'apiKey', headers, body: list(1) };
  const refused: Sent[] = [
    { headers, body: list(1) },
    { ...good, as: 'trader' },
    { ...good, headers: { ...headers, 'mcp-protocol-version': 'x' } },
    { ...good, headers: { accept: 'text/html' } },
    { ...good, headers: { ...headers, 'content-type': 'text/plain' } },
    { ...good, headers: { ...headers, origin: 'https://elsewhere.example' } },
    { ...good, body: ' '.repeat(1_100_000) },
  ];
  for (const sent of refused) expect((await ask('POST', path, sent)).status).toBeGreaterThan(299);
  await ask('POST', `${path}?structured=maybe`, good);
}
