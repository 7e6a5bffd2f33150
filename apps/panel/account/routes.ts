import { createRoute, redirect } from '@tanstack/react-router';
import { outsideRoute } from '../frame/root.js';
import { areaRoutes, lazyScreen } from '../frame/routes.js';
import { knownSession } from '../frame/session.js';
import { accountTexts } from '../texts.js';

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
    component: lazyScreen(() => import('./log-in.js'), 'LogIn'),
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
    component: lazyScreen(() => import('./log-in.js'), 'SecondFactor'),
  }),
  createRoute({
    ...entry,
    path: '/cadastro',
    component: lazyScreen(() => import('./register.js'), 'Register'),
  }),
  createRoute({
    ...entry,
    path: '/esqueci-a-senha',
    component: lazyScreen(() => import('./log-in.js'), 'ForgottenPassword'),
  }),
];

const { parent, home, screen } = areaRoutes('/conta', accountTexts);

export const accountRoutes = parent.addChildren([
  home,
  screen('/seguranca', () => import('./security.js'), 'Security', nextOf),
  screen('/sessoes', () => import('./sessions.js'), 'Sessions'),
  screen('/dados', () => import('./own-data.js'), 'OwnData'),
]);
