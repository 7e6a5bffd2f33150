import type { Operations } from './graph/operations.js';

export type Market = Operations['markets']['data']['markets'][number];
export type MarketOrder = Operations['marketOrders']['data']['latest']['orders'][number];
export type Terms = Operations['depositAddress']['data']['withdrawalTerms'];
export type Recipients = Operations['withdrawalAddresses']['data'];
export type Balances = Operations['balances']['data']['balances'];
