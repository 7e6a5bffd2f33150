import type { Registry } from '../../shared/registry.js';

export const securities = {
  importRules: {
    TICKER_FORM: 'must be a ticker: up to 40 letters, digits, points, hyphens and underscores, and {value} is not',
    SLUG_FORM: 'must be a slug: up to 120 letters, digits and hyphens, and {value} is not',
    ZERO_WHERE_SETTLED: 'must be 0 where status is SETTLED, but is {value}',
    CONTRACT_UNKNOWN: 'is "{value}", and the operation has no such contract',
  },
  lookUps: { ticker: 'VISIBLE', tickers: 'VISIBLE' },
} as const satisfies Registry;

declare module '../../shared/registry.js' {
  interface Registries {
    readonly securities: typeof securities;
  }
}
