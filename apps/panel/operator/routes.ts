import { createRoute } from '@tanstack/react-router';
import { toFirstPage } from '../frame/first-page.js';
import { lazyScreen } from '../frame/lazy-screen.js';
import { insideRoute } from '../frame/root.js';
import { operatorArea } from './area.js';
import { auditParameters } from './audit-filter.js';
import { operatorTexts } from './texts.js';

const parent = createRoute({
  getParentRoute: () => insideRoute,
  path: '/operacao',
  loader: () => operatorTexts.load(),
});

export const operatorRoutes = parent.addChildren([
  createRoute({ getParentRoute: () => parent, path: '/', beforeLoad: toFirstPage(operatorArea) }),
  createRoute({
    getParentRoute: () => parent,
    path: '/originadores',
    component: lazyScreen(() => import('./originators.js'), 'Originators'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/originadores/$id',
    component: lazyScreen(() => import('./originator.js'), 'OriginatorPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/empresas',
    component: lazyScreen(() => import('./companies.js'), 'Companies'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/empresas/$id',
    component: lazyScreen(() => import('./company.js'), 'CompanyPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/mesa',
    component: lazyScreen(() => import('./desk.js'), 'Desk'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/importacoes',
    component: lazyScreen(() => import('./imports.js'), 'Imports'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/importacoes/enviar',
    component: lazyScreen(() => import('./import-files.js'), 'ImportFiles'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/importacoes/$id',
    component: lazyScreen(() => import('./import.js'), 'ImportPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/indices',
    component: lazyScreen(() => import('./index-values.js'), 'IndexValues'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/pagamentos',
    component: lazyScreen(() => import('./payments.js'), 'Payments'),
  }),
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
  createRoute({
    getParentRoute: () => parent,
    path: '/operadores',
    component: lazyScreen(() => import('./operators.js'), 'Operators'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/trabalhos',
    component: lazyScreen(() => import('./work.js'), 'Work'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/webhooks',
    component: lazyScreen(() => import('./webhooks.js'), 'Webhooks'),
  }),
]);
