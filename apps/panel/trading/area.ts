import type { Area } from '../frame/area.js';

/** Markets, orders, quotes and balances of a company that trades. */
export const tradingArea: Area = {
  appliesTo: ({ kind }) => kind === 'TRADER',
  title: ({ trading }) => trading.title,
  pages: [
    { to: '/negociacao/mercados', text: ({ trading }) => trading.markets },
    { to: '/negociacao/ordens', text: ({ trading }) => trading.orders },
    { to: '/negociacao/saldos', text: ({ trading }) => trading.balances },
    { to: '/negociacao/transferencias', text: ({ trading }) => trading.transfers },
  ],
};
