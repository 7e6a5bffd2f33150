import { createRoute, redirect } from '@tanstack/react-router';
import { requestParameters, deliveryParameters } from './developer/request-filter.js';
import { insideRoute, outsideRoute } from './frame/root.js';
import { areaRoutes, lazyScreen } from './frame/routes.js';
import { knownSession } from './frame/session.js';
import { accountParameters, auditParameters, seriesParameters } from './operator/parameters.js';
import { batchParameters, receivableParameters } from './originator/batch-state.js';
import { accountTexts, developerTexts, homeTexts, operatorTexts, originatorTexts, tradingTexts } from './texts.js';
import { orderParameters } from './trading/order-state.js';

/** Where somebody goes on after the log-in, or after a factor that was due: an address of the panel, and none of another site. */
const nextOf = (search: Readonly<Record<string, unknown>>): { readonly next?: string } => {
  const { next } = search;
  return typeof next === 'string' && /^\/(?!\/)/.test(next) ? { next } : {};
};

const entry = { getParentRoute: () => outsideRoute, loader: () => accountTexts.load() };

/** Goes on at once where a session is there already, as after a log-in in another tab. */
async function whereLoggedIn({ search }: { readonly search: { readonly next?: string } }): Promise<void> {
  const session = await knownSession();
  if (session?.due === 'SECOND_FACTOR') throw redirect({ to: '/confirmar', search });
  if (session !== null) throw redirect({ href: search.next ?? '/' });
}

export const entryRoutes = [
  createRoute({
    ...entry,
    path: '/entrar',
    validateSearch: nextOf,
    beforeLoad: whereLoggedIn,
    component: lazyScreen(() => import('./account/log-in.js'), 'LogIn'),
  }),
  createRoute({
    ...entry,
    path: '/confirmar',
    validateSearch: nextOf,
    beforeLoad: async ({ search }) => {
      const session = await knownSession();
      if (session === null) throw redirect({ to: '/entrar', search });
      if (session.due !== 'SECOND_FACTOR') throw redirect({ href: search.next ?? '/' });
    },
    component: lazyScreen(() => import('./account/log-in.js'), 'SecondFactor'),
  }),
  createRoute({
    ...entry,
    path: '/cadastro',
    component: lazyScreen(() => import('./account/log-in.js'), 'Register'),
  }),
  createRoute({
    ...entry,
    path: '/esqueci-a-senha',
    component: lazyScreen(() => import('./account/log-in.js'), 'ForgottenPassword'),
  }),
];

export const insideRoutes = [
  createRoute({
    getParentRoute: () => insideRoute,
    path: '/',
    loader: () => homeTexts.load(),
    component: lazyScreen(() => import('./home/home.js'), 'Home'),
  }),
  areaRoutes('/conta', accountTexts, (screen) => [
    screen('/seguranca', () => import('./account/security.js'), 'Security', nextOf),
    screen('/sessoes', () => import('./account/sessions.js'), 'Sessions'),
    screen('/dados', () => import('./account/own-data.js'), 'OwnData'),
  ]),
  areaRoutes('/desenvolvedor', developerTexts, (screen) => [
    screen('/chaves', () => import('./developer/keys.js'), 'Keys'),
    screen('/chaves/$id', () => import('./developer/keys.js'), 'KeyPage'),
    screen('/requisicoes', () => import('./developer/requests.js'), 'Requests', requestParameters),
    screen('/webhooks', () => import('./developer/webhooks.js'), 'Webhooks'),
    screen('/webhooks/$id', () => import('./developer/webhooks.js'), 'WebhookPage', deliveryParameters),
    screen('/emissoes', () => import('./developer/followed.js'), 'Followed'),
    screen('/eventos', () => import('./developer/live-events.js'), 'LiveEvents'),
  ]),
  areaRoutes('/operacao', operatorTexts, (screen) => [
    screen('/originadores', () => import('./operator/originators.js'), 'Originators'),
    screen('/originadores/$id', () => import('./operator/originators.js'), 'OriginatorPage'),
    screen('/empresas', () => import('./operator/companies.js'), 'Companies'),
    screen('/empresas/$id', () => import('./operator/company.js'), 'CompanyPage'),
    screen('/mesa', () => import('./operator/desk.js'), 'Desk'),
    screen('/importacoes', () => import('./operator/imports.js'), 'Imports'),
    screen('/importacoes/enviar', () => import('./operator/import-files.js'), 'ImportFiles'),
    screen('/importacoes/$id', () => import('./operator/imports.js'), 'ImportPage'),
    screen('/indices', () => import('./operator/index-values.js'), 'IndexValues'),
    screen('/pagamentos', () => import('./operator/payments.js'), 'Payments', seriesParameters),
    screen('/relatorios', () => import('./operator/month-reports.js'), 'MonthReports', seriesParameters),
    screen('/auditoria', () => import('./operator/audit.js'), 'Audit', auditParameters),
    screen('/contas', () => import('./operator/accounts.js'), 'Accounts', accountParameters),
    screen('/operadores', () => import('./operator/operators.js'), 'Operators'),
    screen('/trabalhos', () => import('./operator/work.js'), 'Work'),
    screen('/webhooks', () => import('./operator/webhooks.js'), 'Webhooks'),
  ]),
  areaRoutes('/originador', originatorTexts, (screen) => [
    screen('/lotes', () => import('./originator/batch-lists.js'), 'CreditBatches', batchParameters),
    screen('/lotes/$id', () => import('./originator/batch.js'), 'CreditBatchPage'),
    screen('/liquidacoes', () => import('./originator/batch-lists.js'), 'SettlementBatches', batchParameters),
    screen('/liquidacoes/$id', () => import('./originator/batch.js'), 'SettlementBatchPage'),
    screen('/enviar', () => import('./originator/send.js'), 'Send'),
    screen('/recebiveis', () => import('./originator/receivables.js'), 'Receivables', receivableParameters),
    screen('/extrato', () => import('./originator/statement.js'), 'Statement'),
    screen('/patrimonios', () => import('./originator/estates.js'), 'Estates'),
    screen('/chaves', () => import('./originator/signing-keys.js'), 'SigningKeys'),
    screen('/atividade', () => import('./originator/activity.js'), 'Activity'),
  ]),
  areaRoutes('/negociacao', tradingTexts, (screen) => [
    screen('/mercados', () => import('./trading/markets.js'), 'Markets'),
    screen('/mercados/$base/$quote', () => import('./trading/market.js'), 'MarketPage'),
    screen('/ordens', () => import('./trading/orders.js'), 'Orders', orderParameters),
    screen('/saldos', () => import('./trading/balances.js'), 'Balances'),
    screen('/transferencias', () => import('./trading/transfers.js'), 'Transfers'),
  ]),
];
