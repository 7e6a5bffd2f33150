import type { Area } from '../frame/area.js';

/** Keys, webhooks and followed operations of an account. */
export const developerArea: Area = {
  appliesTo: ({ kind }) => kind === 'ACCOUNT',
  title: ({ developer }) => developer.title,
  pages: [
    { to: '/desenvolvedor/chaves', text: ({ developer }) => developer.keys },
    { to: '/desenvolvedor/requisicoes', text: ({ developer }) => developer.requests },
    { to: '/desenvolvedor/webhooks', text: ({ developer }) => developer.webhooks },
    { to: '/desenvolvedor/emissoes', text: ({ developer }) => developer.followed },
    { to: '/desenvolvedor/eventos', text: ({ developer }) => developer.live },
  ],
};
