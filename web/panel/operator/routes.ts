import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute } from '../frame/root.js';
import { auditParameters } from './audit-filter.js';
import { operatorTexts } from './texts.js';

const parent = createRoute({
  getParentRoute: () => insideRoute,
  path: '/operacao',
  loader: () => operatorTexts.load(),
});

export const operatorRoutes = parent.addChildren([
  createRoute({
    getParentRoute: () => parent,
    path: '/originadores',
    component: lazyRouteComponent(() => import('./originators.js'), 'Originators'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/mesa',
    component: lazyRouteComponent(() => import('./desk.js'), 'Desk'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/importacoes',
    component: lazyRouteComponent(() => import('./imports.js'), 'Imports'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/importacoes/enviar',
    component: lazyRouteComponent(() => import('./import-files.js'), 'ImportFiles'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/importacoes/$id',
    component: lazyRouteComponent(() => import('./import.js'), 'ImportPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/auditoria',
    validateSearch: auditParameters,
    component: lazyRouteComponent(() => import('./audit.js'), 'Audit'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/contas',
    validateSearch: ({ conta }: Readonly<Record<string, unknown>>) => {
      const text = typeof conta === 'number' ? String(conta) : conta;
      return typeof text === 'string' && text !== '' ? { conta: text } : {};
    },
    component: lazyRouteComponent(() => import('./accounts.js'), 'Accounts'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/operadores',
    component: lazyRouteComponent(() => import('./operators.js'), 'Operators'),
  }),
]);
