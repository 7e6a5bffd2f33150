import { areas } from '../areas.js';
import { developerArea } from '../developer/area.js';
import { pagesOf, type Area } from '../frame/area.js';
import { language, moment } from '../frame/language.js';
import type { BrowserSession } from '../frame/session.js';
import { site } from '../frame/site.js';
import { frameTexts } from '../frame/texts.js';
import { operatorArea } from '../operator/area.js';
import { originatorArea } from '../originator/area.js';
import { tradingArea } from '../trading/area.js';
import { graph } from './graph.js';

/** Something that the search leads to: a screen, or an address of the public pages. */
export type Target = { readonly name: string; readonly note: string } & (
  { readonly to: string } | { readonly href: string }
);

/** Returns the screens that a session may see. */
export function pageTargets(session: BrowserSession): readonly Target[] {
  const { areas: texts, start } = frameTexts.get();
  const pages = areas
    .filter(({ appliesTo }) => appliesTo(session))
    .flatMap((area) =>
      pagesOf(area, session).map(({ to, text }) => ({ to, name: text(texts), note: area.title(texts) })),
    );
  return [{ to: '/', name: start, note: '' }, ...pages];
}

/** What each role finds beside screens. */
const rowsOf: readonly (readonly [Area, (text: string) => Promise<readonly Target[]>])[] = [
  [originatorArea, batchesWith],
  [developerArea, webhooksWith],
  [operatorArea, companiesWith],
  [tradingArea, marketsWith],
];

/** Returns the rows of the graph that a text finds: operations by name, code or CNPJ, which companies that trade may not read, batches by number, others by a part of their names. */
export async function findRows(session: BrowserSession, text: string): Promise<readonly Target[]> {
  const found = rowsOf.filter(([{ appliesTo }]) => appliesTo(session)).map(([, read]) => read(text));
  if (!tradingArea.appliesTo(session)) found.unshift(operationsWith(text));
  return (await Promise.all(found)).flat();
}

/** Whether a text has all of the words, without regard to case and accents. */
export function hasWords(text: string, words: string): boolean {
  const plain = (one: string) => one.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain(words)
    .split(/\s+/)
    .every((word) => plain(text).includes(word));
}

async function operationsWith(text: string): Promise<readonly Target[]> {
  // Where operators have a site of their own, it has no public pages.
  if (site === 'operators') return [];
  const { operations } = await graph.query('findOperations', { text });
  return operations.nodes.map(({ ticker, name, slug }) => ({
    name,
    note: ticker,
    href: `${language.prefix}/emissoes/${slug}`,
  }));
}

async function batchesWith(text: string): Promise<readonly Target[]> {
  const number = /(?<!\d)0*(\d{1,6})\s*$/.exec(text)?.[1];
  if (number === undefined) return [];
  const { creditBatches, settlementBatches } = await graph.query('findBatches', { number: Number(number) });
  const { originator } = frameTexts.get().areas;
  return [
    ...creditBatches.nodes.map((batch) => ({
      name: `${originator.batches} ${batch.number}`,
      note: batch.name,
      to: `/originador/lotes/${batch.id}`,
    })),
    ...settlementBatches.nodes.map((batch) => ({
      name: `${originator.settlements} ${batch.number}`,
      note: moment(batch.createdAt),
      to: `/originador/liquidacoes/${batch.id}`,
    })),
  ];
}

async function webhooksWith(text: string): Promise<readonly Target[]> {
  const { webhooks } = await graph.query('findWebhooks', {});
  return webhooks.items
    .filter(({ url, description }) => hasWords(`${url} ${description ?? ''}`, text))
    .map(({ id, url }) => ({ name: url, note: 'Webhook', to: `/desenvolvedor/webhooks/${id}` }));
}

async function companiesWith(text: string): Promise<readonly Target[]> {
  const { tradingCompanies, originators } = await graph.query('findCompanies', {});
  const { operator } = frameTexts.get().areas;
  const named = (rows: readonly { readonly id: string; readonly name: string }[], note: string, path: string) =>
    rows.filter(({ name }) => hasWords(name, text)).map(({ id, name }) => ({ name, note, to: `${path}/${id}` }));
  return [
    ...named(tradingCompanies, operator.companies, '/operacao/empresas'),
    ...named(originators, operator.originators, '/operacao/originadores'),
  ];
}

async function marketsWith(text: string): Promise<readonly Target[]> {
  const { markets } = await graph.query('findMarkets', {});
  return markets
    .filter(({ symbol }) => hasWords(symbol, text))
    .map(({ symbol }) => ({
      name: symbol,
      note: frameTexts.get().areas.trading.markets,
      to: `/negociacao/mercados/${symbol}`,
    }));
}
