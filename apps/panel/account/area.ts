import type { Area } from '../frame/area.js';

/** What every owner of a session has: its security, and for accounts their data. */
export const accountArea: Area = {
  appliesTo: () => true,
  title: ({ account }) => account.title,
  pages: [
    { to: '/conta/seguranca', text: ({ account }) => account.security },
    { to: '/conta/sessoes', text: ({ account }) => account.sessions },
    { to: '/conta/dados', text: ({ account }) => account.profile, appliesTo: ({ kind }) => kind === 'ACCOUNT' },
  ],
};
