import { counted, decimal, language, moment, money, percent } from '../frame/language.js';
import type { BrowserSession } from '../frame/session.js';
import { graph, type Data } from './graph.js';
import { failureNote, itemOf, pathOf, type View } from './item.js';
import { homeTexts } from './texts.js';

/** Work that is due for longer is late. */
const lateMs = 5 * 60_000;
/** Findings that are read. */
const mostFindings = 100;

export async function readOperator({ scopes }: BrowserSession, nowMs: number): Promise<View> {
  const data = await graph.query('operator', {
    publishes: scopes.includes('publish'),
    trades: scopes.includes('trade'),
  });
  const { operator: text, failing, rejected } = homeTexts.get();
  const { imports, transferWithdrawals } = data;
  const withdrawals = transferWithdrawals?.nodes.filter(({ approvalBar }) => approvalBar === null) ?? [];
  const moreWithdrawals = transferWithdrawals?.pageInfo.hasPreviousPage;
  const findings = data.reconciliationFindings;
  const moreFindings = findings.length === mostFindings;
  const withdrawal = withdrawals.at(-1);
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
        : [{ label: text.approvals, value: counted(withdrawals.length, moreWithdrawals) }]),
      { label: text.findings, value: counted(findings.length, moreFindings) },
      { label: text.lateWork, value: decimal(late.length) },
    ],
    items: [
      ...itemOf(findings.length, text.reconciliation, {
        hasMore: moreFindings,
        tone: 'bad',
        note: list(findings.map(({ invariant, currency }) => `${invariant} ${currency ?? ''}`.trim())),
        to: '/operacao/mesa',
      }),
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
        to: '/operacao/importacoes',
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

/** The first names of a list, each once. */
function list(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  return distinct.length > 3 ? `${distinct.slice(0, 3).join(', ')}…` : distinct.join(', ');
}

/** The series that have no price of the newest day, by the number that is missing or by their ticker. */
function pricesOf({ series, tranches }: Data['operator']) {
  const typed = series.nodes.filter(({ pricing }) => pricing === 'TYPED');
  const newest = [
    ...typed.map(({ currentUnitPrice }) => currentUnitPrice?.date ?? ''),
    ...tranches.nodes.map(({ pricedOn }) => pricedOn ?? ''),
  ].reduce((one, other) => (one > other ? one : other), '');
  return {
    all: typed.length + tranches.nodes.length,
    hasMore: series.pageInfo.hasNextPage || tranches.pageInfo.hasNextPage,
    missing: [
      ...tranches.nodes.filter(({ stale }) => stale).map(({ missingInput, ticker }) => missingInput ?? ticker),
      ...typed.filter(({ currentUnitPrice }) => (currentUnitPrice?.date ?? '') < newest).map(({ ticker }) => ticker),
    ],
  };
}

/** The names of queues and jobs whose last try failed or that are late. */
function lateWork(data: Data['operator'], nowMs: number): readonly string[] {
  const queues = [
    data.platformWorkQueues,
    data.creditAssignmentWorkQueues,
    data.tokenizationWorkQueues,
    data.tradingWorkQueues,
    data.webhookWorkQueues,
  ].flat();
  return [
    ...queues.filter(
      ({ failing, givenUp, oldestDueAt }) =>
        failing + givenUp > 0 || (oldestDueAt !== null && nowMs - Date.parse(oldestDueAt) > lateMs),
    ),
    ...data.scheduledJobs.filter(({ lastRun }) => lastRun?.outcome === 'FAILED' || lastRun?.outcome === 'CUT_OFF'),
  ].map(({ name }) => name);
}
