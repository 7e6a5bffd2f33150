import { date, decimal, language, moment, money } from '../frame/language.js';
import { graph, type Data } from './graph.js';
import { failureNote, itemOf, pathOf, type View } from './item.js';
import { homeTexts } from './texts.js';

const keysPage = '/desenvolvedor/chaves';
const followedPage = '/desenvolvedor/emissoes';
const dayMs = 86_400_000;
/** Keys whose usage one query returns. */
const keysPerQuery = 25;

export async function readDeveloper(nowMs: number): Promise<View> {
  const data = await graph.query('developer', { since: new Date(nowMs - dayMs).toISOString() });
  const { developer: text, failing } = homeTexts.get();
  const keys = [...data.apiKeys, ...data.developerKeys].filter(
    ({ status, expiresAt }) => status === 'ACTIVE' && Date.parse(expiresAt) > nowMs,
  );
  const used = await usageOf(keys.map(({ id }) => id));
  const expiring = keys
    .filter(({ expiresAt, replacedBy }) => replacedBy === null && Date.parse(expiresAt) < nowMs + 30 * dayMs)
    .sort((one, other) => one.expiresAt.localeCompare(other.expiresAt));
  const [next] = expiring;
  const [error] = data.requestErrors;
  const errors = data.requestErrors.reduce((sum, { count }) => sum + count, 0);
  const webhooks = (state: ReturnType<typeof stateOf>, forms: typeof failing) => {
    const rows = data.webhooks.items.filter((one) => stateOf(one) === state);
    const [first] = rows;
    return itemOf(rows.length, forms, {
      tone: 'bad',
      note: first && failureNote(first.url, first.health.lastFailure),
      to: pathOf('/desenvolvedor/webhooks', rows),
    });
  };
  return {
    figures: [
      { label: text.requests, value: decimal(used.requests) },
      { label: text.refused, value: decimal(used.refused) },
      { label: text.keys, value: decimal(keys.length) },
    ],
    items: [
      ...webhooks('FAILING', failing),
      ...webhooks('DEACTIVATED', text.deactivated),
      ...itemOf(errors, text.errors, {
        tone: 'warn',
        note: error && text.error(`${error.method} ${error.path}`, String(error.status)),
        to: '/desenvolvedor/requisicoes',
        search: error === undefined ? {} : { status: String(error.status)[0] ?? '' },
        page: undefined,
      }),
      ...itemOf(expiring.length, text.expiring, {
        tone: 'warn',
        note: next && text.expires(next.name, date(next.expiresAt)),
        to: pathOf(keysPage, expiring),
      }),
    ],
    ...(keys.length > 0
      ? {}
      : { empty: { text: text.noKeys, note: text.noKeysText, count: 0, tone: 'plain' as const, to: keysPage } }),
  };
}

function stateOf({ status, health }: Data['developer']['webhooks']['items'][number]) {
  if (status === 'DEACTIVATED') return 'DEACTIVATED';
  const { lastFailure, lastSuccessAt } = health;
  return lastFailure !== null && lastFailure.at > (lastSuccessAt ?? '') ? 'FAILING' : 'HEALTHY';
}

/** Sums what was requested today with some keys. */
async function usageOf(ids: readonly string[]) {
  const starts = [...ids.keys()].filter((at) => at % keysPerQuery === 0);
  const parts = await Promise.all(starts.map((at) => graph.query('usage', { ids: ids.slice(at, at + keysPerQuery) })));
  const today = parts.flatMap(({ keyUsage }) => keyUsage).flatMap(({ days }) => days.at(-1) ?? []);
  return {
    requests: today.reduce((sum, { requests }) => sum + requests, 0),
    refused: today.reduce((sum, { refused }) => sum + refused, 0),
  };
}

/** The followed operations, those that changed last first. One that is not published has no address and is left out. */
export async function readFollowed(): Promise<View> {
  const { followedOperations } = await graph.query('followed', {});
  const { reader: text } = homeTexts.get();
  const operations = followedOperations
    .flatMap((one) => one ?? [])
    .sort((one, other) => other.updatedAt.localeCompare(one.updatedAt));
  return {
    figures: [],
    items: operations.map(({ name, href, alertKinds, updatedAt, series: [series] }) => {
      const price = series?.currentUnitPrice;
      return {
        text: name,
        note: [
          ...alertKinds.map((kind) => text.alerts[kind]),
          ...(price == null ? [] : [text.price(series?.ticker ?? '', money(price.value, 8), date(price.date))]),
          text.changed(moment(updatedAt)),
        ].join(' · '),
        count: alertKinds.length,
        tone: alertKinds.length > 0 ? ('bad' as const) : ('plain' as const),
        href: `${language.prefix}${href}`,
        page: followedPage,
      };
    }),
    empty: { text: text.follow, note: text.none, count: 0, tone: 'plain', to: followedPage },
  };
}
