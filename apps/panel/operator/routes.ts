import { createRoute } from '@tanstack/react-router';
import { toFirstPage } from '../frame/first-page.js';
import { lazyScreen, type Screen } from '../frame/lazy-screen.js';
import { insideRoute } from '../frame/root.js';
import { operatorArea } from './area.js';
import { auditParameters } from './audit-filter.js';
import { operatorTexts } from './texts.js';

const parent = createRoute({
  getParentRoute: () => insideRoute,
  path: '/operacao',
  loader: () => operatorTexts.load(),
});

const screen = <Path extends string, Name extends string>(path: Path, ...loaded: Screen<Name>) =>
  createRoute({ getParentRoute: () => parent, path, component: lazyScreen(...loaded) });

export const operatorRoutes = parent.addChildren([
  createRoute({ getParentRoute: () => parent, path: '/', beforeLoad: toFirstPage(operatorArea) }),
  screen('/originadores', () => import('./originators.js'), 'Originators'),
  screen('/originadores/$id', () => import('./originator.js'), 'OriginatorPage'),
  screen('/empresas', () => import('./companies.js'), 'Companies'),
  screen('/empresas/$id', () => import('./company.js'), 'CompanyPage'),
  screen('/mesa', () => import('./desk.js'), 'Desk'),
  screen('/importacoes', () => import('./imports.js'), 'Imports'),
  screen('/importacoes/enviar', () => import('./import-files.js'), 'ImportFiles'),
  screen('/importacoes/$id', () => import('./import.js'), 'ImportPage'),
  screen('/indices', () => import('./index-values.js'), 'IndexValues'),
  screen('/pagamentos', () => import('./payments.js'), 'Payments'),
  createRoute({
    getParentRoute: () => parent,
    path: '/auditoria',
    validateSearch: auditParameters,
    component: lazyScreen(() => import('./audit.js'), 'Audit'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/contas',
    validateSearch: ({ conta }: Readonly<Record<string, unknown>>) => {
      const text = typeof conta === 'number' ? String(conta) : conta;
      return typeof text === 'string' && text !== '' ? { conta: text } : {};
    },
    component: lazyScreen(() => import('./accounts.js'), 'Accounts'),
  }),
  screen('/operadores', () => import('./operators.js'), 'Operators'),
  screen('/trabalhos', () => import('./work.js'), 'Work'),
  screen('/webhooks', () => import('./webhooks.js'), 'Webhooks'),
]);
