import { date, decimal, moment } from '../frame/language.js';
import { graph, type Data } from './graph.js';
import { itemOf, type View } from './item.js';
import { homeTexts } from './texts.js';

const keysPage = '/desenvolvedor/chaves';
const webhooksPage = '/desenvolvedor/webhooks';
const dayMs = 86_400_000;
/** Keys whose usage one query returns. */
const keysPerQuery = 25;

export async function readDeveloper(nowMs: number): Promise<View> {
  const data = await graph.query('developer', { since: new Date(nowMs - dayMs).toISOString() });
  const { developer: text, since } = homeTexts.get();
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
  const webhooks = (state: ReturnType<typeof stateOf>) => {
    const rows = data.webhooks.items.filter((one) => stateOf(one) === state);
    const [first] = rows;
    const failure = first?.health.lastFailure;
    return {
      count: rows.length,
      rest: {
        tone: 'bad' as const,
        note:
          first &&
          failure &&
          since(`${first.url}: ${failure.responseStatus ?? failure.error ?? ''}`, moment(failure.at)),
        to: first !== undefined && rows.length === 1 ? `${webhooksPage}/${first.id}` : webhooksPage,
        page: webhooksPage,
      },
    };
  };
  const [failing, deactivated] = [webhooks('FAILING'), webhooks('DEACTIVATED')];
  return {
    figures: [
      { label: text.requests, value: decimal(used.requests) },
      { label: text.refused, value: decimal(used.refused) },
      { label: text.keys, value: decimal(keys.length) },
    ],
    items: [
      ...itemOf(failing.count, text.webhooks, failing.rest),
      ...itemOf(deactivated.count, text.deactivated, deactivated.rest),
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
        to: next !== undefined && expiring.length === 1 ? `${keysPage}/${next.id}` : keysPage,
        page: keysPage,
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
