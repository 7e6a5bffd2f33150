import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { accountRoutes, entryRoutes } from './account/routes.js';
import { areas } from './areas.js';
import { developerRoutes } from './developer/routes.js';
import { Crashed } from './frame/crashed.js';
import { language } from './frame/language.js';
import { insideRoute, outsideRoute, rootRoute } from './frame/root.js';
import { operatorRoutes } from './operator/routes.js';
import { originatorRoutes } from './originator/routes.js';
import { tradingRoutes } from './trading/routes.js';

const startRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/',
  beforeLoad: ({ context: { session } }) => {
    const page = areas.find(({ appliesTo }) => appliesTo(session))?.pages[0];
    throw redirect({ to: page?.to ?? '/conta/seguranca' });
  },
});

export const router = createRouter({
  basepath: language.base,
  routeTree: rootRoute.addChildren([
    outsideRoute.addChildren(entryRoutes),
    insideRoute.addChildren([
      startRoute,
      accountRoutes,
      developerRoutes,
      operatorRoutes,
      originatorRoutes,
      tradingRoutes,
    ]),
  ]),
  // Of each screen; the routes of the frame have one for the whole page.
  defaultErrorComponent: Crashed,
  scrollRestoration: true,
  defaultPreload: false,
  defaultPendingMs: 300,
});
