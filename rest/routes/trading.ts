import type { Parameter, Route } from '../route.js';

export const trading = { tag: 'Trading', credential: 'trader', bucket: 'client' } as const satisfies Partial<Route>;

/** Parameters of paths whose result depends on no wallet. */
export const modeParameters: Readonly<Record<string, Parameter>> = {
  synthetic: {
    header: 'X-Synthetic',
    trueInSandbox: true,
    description:
      '`true`: the call is simulated, with synthetic funds, which are separate from real ones. `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.',
  },
};

export const walletParameters: Readonly<Record<string, Parameter>> = {
  profileId: {
    header: 'X-Profile-Id',
    description: "Id of the profile whose wallet the call uses. Omitted: the company's own wallet.",
  },
  ...modeParameters,
};

export const symbol: Parameter = {
  description: 'The market, such as `BTC/BRL`.',
  schema: { minLength: 1, maxLength: 30 },
  rule: 'must be a symbol, such as BTC/BRL',
};

/** A currency of a balance: operators can add currencies. */
export const currency: Parameter = {
  description: 'The code of a currency that fetchBalance lists, such as `BTC`.',
  schema: { pattern: '^[A-Z0-9]{2,12}$' },
  rule: 'must be a currency, such as BTC',
};

/** A currency of a deposit or withdrawal: limited to the networks that the program knows. */
export const transferCurrency: Parameter = {
  ...currency,
  description:
    'The code of a currency that can be deposited and withdrawn: BRL, BTC, ETH or USDT. Other currencies that fetchBalance lists can only be traded and held.',
};

/** Condition of `404` on paths that take `X-Profile-Id` and name nothing else. */
export const noProfile = 'The company has no such profile.';
