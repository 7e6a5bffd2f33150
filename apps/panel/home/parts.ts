import { developerArea, operatorArea, originatorArea, tradingArea, type Area } from '../areas.js';
import { thrownFailure, type Failure } from '../frame/failure.js';
import { serverNow, type BrowserSession } from '../frame/session.js';
import { site } from '../frame/site.js';
import { type View, itemOf, pathOf, failureNote, webhookState } from './item.js';
import { homeTexts } from '../texts.js';
import { decimal, money, plural, counted, language, moment, percent, date, wordOf } from '../frame/language.js';
import { exact, product, sumOf } from '../trading/price.js';
import { currentWallet } from '../trading/wallet.js';
import { graph, type Operations } from './graph/operations.js';

const keysPage = '/desenvolvedor/chaves';
const followedPage = '/desenvolvedor/emissoes';
const keysPerQuery = 25;

async function readDeveloper(nowMs: number): Promise<View> {
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
  const webhooks = (state: ReturnType<typeof webhookState>, forms: typeof failing) => {
    const rows = data.webhooks.items.filter((one) => webhookState(one) === state);
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
async function readFollowed(): Promise<View> {
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

const lateMs = 5 * 60_000;
const mostFindings = 100;

async function readOperator({ scopes }: BrowserSession, nowMs: number): Promise<View> {
  const data = await graph.query('operator', {
    publishes: scopes.includes('publish'),
    trades: scopes.includes('trade'),
  });
  const { operator: text, failing, rejected } = homeTexts.get();
  const { imports, transferWithdrawals } = data;
  const withdrawals = transferWithdrawals?.nodes ?? [];
  const byOthers = withdrawals.filter(({ approvalBar }) => approvalBar !== null).length;
  const moreWithdrawals = transferWithdrawals?.pageInfo.hasPreviousPage;
  const findings = data.reconciliationFindings;
  const moreFindings = findings.length === mostFindings;
  const withdrawal = withdrawals.findLast(({ approvalBar }) => approvalBar === null) ?? withdrawals.at(-1);
  const quarantined = data.quarantinedDeposits ?? [];
  const unresolved = [data.unknown, data.unconfirmed, data.returned].map((one) => one?.totalCount ?? 0);
  const held = data.approved?.nodes.filter(({ waitsFor }) => waitsFor !== null) ?? [];
  const stuck = unresolved.reduce((sum, count) => sum + count, held.length);
  const [breach] = data.operationAlerts.nodes;
  const covenant = breach?.covenant;
  const [webhook] = data.managedWebhooks.nodes;
  const rejecting = data.originators.filter(({ recentRejections }) => recentRejections > 0);
  const rejections = rejecting.reduce((sum, { recentRejections }) => sum + recentRejections, 0);
  const prices = pricesOf(data);
  const late = lateWork(data, nowMs);
  const lastImport = imports?.nodes[0]?.recordedAt;
  return {
    figures: [
      {
        label: text.prices,
        value: text.of(decimal(prices.all - prices.missing.length), counted(prices.all, prices.hasMore)),
        ...(lastImport === undefined ? {} : { note: text.lastImport(moment(lastImport)) }),
      },
      ...(transferWithdrawals === undefined
        ? []
        : [
            {
              label: text.approvals,
              value: counted(withdrawals.length, moreWithdrawals),
              ...(byOthers === 0 ? {} : { note: plural(byOthers, text.byOthers) }),
            },
          ]),
      { label: text.findings, value: counted(findings.length, moreFindings) },
      { label: text.lateWork, value: decimal(late.length) },
    ],
    items: [
      ...itemOf(findings.length, text.reconciliation, {
        hasMore: moreFindings,
        tone: 'bad',
        note: list(findings.flatMap(({ currency }) => currency ?? [])),
        to: '/operacao/mesa',
      }),
      ...itemOf(quarantined.length, text.quarantined, {
        tone: 'bad',
        note: list(
          quarantined.map(
            ({ missing, deposit: { asset }, owner }) => `${exact(missing ?? '0')} ${asset} (${owner.companyName})`,
          ),
        ),
        to: '/operacao/mesa',
      }),
      ...itemOf(stuck, text.stuck, { tone: 'bad', to: '/operacao/mesa' }),
      ...itemOf(data.operationAlerts.totalCount, text.covenants, {
        tone: 'bad',
        note:
          breach &&
          covenant &&
          text.covenant(breach.operationName, breach.title, percent(covenant.value), percent(covenant.threshold)),
        // Of several operations, the list of all that have an alert.
        href: `${language.prefix}/emissoes${breach && data.operationAlerts.totals.operations === 1 ? `/${breach.operationTicker}` : '?alert=yes'}`,
      }),
      ...itemOf(data.managedWebhooks.totalCount, failing, {
        tone: 'bad',
        note: webhook && failureNote(webhook.host, webhook.health.lastFailure),
        to: '/operacao/webhooks',
      }),
      ...itemOf(withdrawals.length, text.withdrawals, {
        hasMore: moreWithdrawals,
        tone: 'warn',
        note:
          withdrawal &&
          text.withdrawal(
            withdrawal.valueBrl === null
              ? `${decimal(withdrawal.withdrawal.amount)} ${withdrawal.withdrawal.asset}`
              : money(withdrawal.valueBrl),
            withdrawal.beneficiaryName ?? withdrawal.withdrawal.address,
            decimal(withdrawal.approvals),
            decimal(withdrawal.approvalsNeeded),
          ),
        to: '/operacao/mesa',
      }),
      ...itemOf(imports === undefined ? 0 : prices.missing.length, text.missing, {
        hasMore: prices.hasMore,
        tone: 'warn',
        note: list(prices.missing),
        page: '/operacao/importacoes',
        // The status lists them all; a site of operators has none.
        ...(site === 'operators' ? { to: '/operacao/importacoes' } : { href: `${language.prefix}/status#prices` }),
      }),
      ...itemOf(rejections, rejected, {
        tone: 'warn',
        note: list(rejecting.map(({ name }) => name)),
        to: pathOf('/operacao/originadores', rejecting),
      }),
      ...itemOf(late.length, text.work, { tone: 'warn', note: list(late), to: '/operacao/trabalhos' }),
    ],
  };
}

function list(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  return distinct.length > 3 ? `${distinct.slice(0, 3).join(', ')}…` : distinct.join(', ');
}

function pricesOf({ series, tranches }: Operations['operator']['data']) {
  const typed = series.nodes.filter(({ pricing }) => pricing === 'TYPED');
  return {
    all: typed.length + tranches.nodes.length,
    hasMore: series.pageInfo.hasNextPage || tranches.pageInfo.hasNextPage,
    missing: [
      ...tranches.nodes.filter(({ stale }) => stale).map(({ missingInput, ticker }) => missingInput ?? ticker),
      ...typed.filter(({ stale }) => stale).map(({ ticker }) => ticker),
    ],
  };
}

function lateWork(data: Operations['operator']['data'], nowMs: number): readonly string[] {
  const queues = [
    data.platformWorkQueues,
    data.creditAssignmentWorkQueues,
    data.tokenizationWorkQueues,
    data.tradingWorkQueues,
    data.webhookWorkQueues,
  ].flat();
  const { queueNames } = homeTexts.get().operator;
  return [
    ...queues.filter(
      ({ failing, givenUp, oldestDueAt }) =>
        failing + givenUp > 0 || (oldestDueAt !== null && nowMs - Date.parse(oldestDueAt) > lateMs),
    ),
    ...data.scheduledJobs.filter(({ lastRun }) => lastRun?.outcome === 'FAILED' || lastRun?.outcome === 'CUT_OFF'),
  ].map(({ name }) => wordOf(queueNames, name));
}

async function readCompany(nowMs: number): Promise<View> {
  const wallet = currentWallet();
  const data = await graph.query('company', wallet);
  const worth = worthOf(data);
  const { company: text } = homeTexts.get();
  const { orders, nextToken } = data.fetchOrders;
  const halted = data.markets.filter(({ status }) => status === 'HALTED').map(({ symbol }) => symbol);
  const [order] = orders;
  const brl = data.balances.find(({ currency }) => currency === 'BRL');
  const failed = data.failed.nodes.filter(({ createdAt }) => Date.parse(createdAt) > nowMs - 7 * dayMs);
  const others = data.balances.filter(({ currency, total }) => currency !== 'BRL' && Number(total) > 0);
  const transfer = (
    { nodes, totalCount }: Operations['company']['data']['deposits'],
    forms: typeof text.orders,
    tone: 'bad' | 'warn' | 'plain',
  ) => {
    const note = nodes.map(({ amount, asset }) => `${exact(amount)} ${asset}`).join(', ');
    return itemOf(totalCount, forms, { tone, note, to: '/negociacao/transferencias' });
  };
  return {
    figures: [
      {
        label: wallet.synthetic ? text.synthetic : text.total,
        value: money(worth.value),
        note: worth.without.length === 0 ? text.totalNote : text.without(worth.without.join(', ')),
      },
      { label: text.available, value: money(brl?.available ?? null) },
      ...others.slice(0, 4).map(({ currency, total }) => ({ label: currency, value: decimal(total) })),
    ],
    items: [
      ...transfer(data.blocked, text.blocked, 'bad'),
      ...itemOf(halted.length, text.halted, {
        tone: 'bad',
        note: halted.join(', '),
        to: '/negociacao/mercados',
        page: undefined,
      }),
      ...transfer({ nodes: failed, totalCount: failed.length }, text.failed, 'bad'),
      ...transfer(data.waiting, text.waiting, 'warn'),
      ...itemOf(orders.length, text.orders, {
        hasMore: nextToken !== null,
        tone: 'plain',
        note:
          order &&
          `${order.symbol}: ${text.sides[order.side]} ${decimal(order.amount)} ${order.price === null ? '' : `@ ${decimal(order.price)}`}`,
        to: '/negociacao/ordens',
        search: { status: 'OPEN' },
      }),
      ...transfer(data.sent, text.sent, 'plain'),
      ...transfer(data.deposits, text.deposits, 'plain'),
    ],
  };
}

/** Returns the value of the balances in BRL at the best bids, and the currencies that have no bid in BRL. */
function worthOf({ balances, markets }: Operations['company']['data']) {
  const bids = new Map(markets.map(({ symbol, bid }) => [symbol, bid]));
  const values = balances
    .filter(({ total }) => Number(total) > 0)
    .map(({ currency, total }) => {
      const bid = currency === 'BRL' ? '1' : bids.get(`${currency}/BRL`);
      return { currency, value: bid == null ? undefined : product(total, bid) };
    });
  return {
    value: sumOf(values.flatMap(({ value }) => value ?? [])),
    without: values.flatMap(({ currency, value }) => (value === undefined ? [currency] : [])),
  };
}

/** One role's part of the home: reads one document of the graph and makes a view of it. */
interface Part extends Pick<Area, 'appliesTo' | 'title'> {
  readonly read: (session: BrowserSession, nowMs: number) => Promise<View>;
}

/** Where an area is for sessions that may not read what its part shows, the part is only for those that may. */
const having =
  (area: Area, scope: string): Area['appliesTo'] =>
  (session) =>
    area.appliesTo(session) && session.scopes.includes(scope);
const ofDeveloper = { ...developerArea, appliesTo: having(developerArea, 'confirmed') };

const parts: readonly Part[] = [
  { ...operatorArea, read: readOperator },
  { ...tradingArea, appliesTo: having(tradingArea, 'read'), read: (_session, nowMs) => readCompany(nowMs) },
  { ...originatorArea, read: (_session, nowMs) => readOriginator(nowMs) },
  { ...ofDeveloper, read: (_session, nowMs) => readDeveloper(nowMs) },
  { ...ofDeveloper, title: ({ developer }) => developer.followed, read: readFollowed },
];

export interface Found extends Pick<Area, 'title'> {
  readonly view?: View;
  readonly failure?: Failure;
}

export async function readParts(session: BrowserSession): Promise<readonly Found[]> {
  await homeTexts.load();
  return Promise.all(
    parts
      .filter(({ appliesTo }) => appliesTo(session))
      .map(({ title, read }) =>
        read(session, serverNow()).then(
          (view) => ({ title, view }),
          (error: unknown) => ({ title, failure: thrownFailure(error) }),
        ),
      ),
  );
}

const batches = '/originador/lotes';
const dayMs = 86_400_000;
const days = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' });

async function readOriginator(nowMs: number): Promise<View> {
  const dayAfter = (count: number) => days.format(nowMs + count * dayMs);
  const [week, yesterday, today, soon] = [dayAfter(-7), dayAfter(-1), dayAfter(0), dayAfter(7)];
  const data = await graph.query('originator', { week, yesterday, today, soon });
  const { originator: text, rejected } = homeTexts.get();
  const refused = data.decided.nodes.filter(({ refusedCount }) => (refusedCount ?? 0) > 0);
  const [first] = refused;
  const [draft] = data.drafts.nodes;
  const toBatches = (rows: readonly { readonly id: string }[], status: string) => {
    const to = pathOf(batches, rows);
    return to === batches ? { to, search: { status } } : { to };
  };
  const rejections = data.myOriginators.reduce((sum, { recentRejections }) => sum + recentRejections, 0);
  return {
    figures: (['open', 'due', 'overdue'] as const).map((name) => ({
      label: text[name],
      value: money(data[name].openBalance),
      note: plural(data[name].count, text.contracts),
    })),
    items: [
      ...itemOf(rejections, rejected, { tone: 'bad', to: batches, search: { status: 'REJECTED', from: week } }),
      ...itemOf(data.settlements.totalCount, text.settlements, {
        tone: 'bad',
        to: '/originador/liquidacoes',
        search: { status: 'REJECTED', from: week },
      }),
      ...itemOf(refused.length, text.refused, {
        tone: 'warn',
        hasMore: data.decided.pageInfo.hasNextPage,
        note: first && text.refusedBatch(first.name, decimal(first.refusedCount), decimal(first.receivableCount)),
        ...toBatches(refused, 'PROCESSED'),
      }),
      ...itemOf(data.overdue.count, text.overdueContracts, {
        tone: 'warn',
        note: money(data.overdue.openBalance),
        to: '/originador/recebiveis',
        search: { status: 'OPEN', ate: yesterday },
      }),
      ...itemOf(data.drafts.totalCount, text.drafts, {
        tone: 'plain',
        note: draft?.name,
        ...toBatches(data.drafts.nodes, 'DRAFT'),
      }),
      ...itemOf(data.due.count, text.dueContracts, {
        tone: 'plain',
        note: money(data.due.openBalance),
        to: '/originador/recebiveis',
        search: { status: 'OPEN', de: today, ate: soon },
        page: undefined,
      }),
    ],
  };
}
