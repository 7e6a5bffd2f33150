import type { Area } from '../frame/area.js';

/** Batches, files and receivables of the originators that an account is linked with. */
export const originatorArea: Area = {
  appliesTo: ({ kind, scopes }) => kind === 'ACCOUNT' && scopes.includes('originator'),
  title: ({ originator }) => originator.title,
  pages: [
    { to: '/originador/lotes', text: ({ originator }) => originator.batches },
    { to: '/originador/liquidacoes', text: ({ originator }) => originator.settlements },
    { to: '/originador/enviar', text: ({ originator }) => originator.send },
    { to: '/originador/recebiveis', text: ({ originator }) => originator.receivables },
    { to: '/originador/extrato', text: ({ originator }) => originator.statement },
    { to: '/originador/patrimonios', text: ({ originator }) => originator.estates },
    { to: '/originador/chaves', text: ({ originator }) => originator.keys },
    { to: '/originador/atividade', text: ({ originator }) => originator.activity },
  ],
};
