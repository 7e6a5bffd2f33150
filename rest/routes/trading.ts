import type { Parameter, Route } from '../route.js';

/** What every path of trading is but login and refresh. */
export const trading = { tag: 'Trading', credential: 'trader', bucket: 'client' } as const satisfies Partial<Route>;

/** For paths whose result depends on no wallet. */
export const modeParameters: Readonly<Record<string, Parameter>> = {
  synthetic: {
    header: 'X-Synthetic',
    description:
      '`true` makes the call simulated: with synthetic funds, which never meet real ones. `false`, or not sent: real. In the sandbox it must be `true`, else 400.',
  },
};

/** For paths that act on a wallet. */
export const walletParameters: Readonly<Record<string, Parameter>> = {
  profileId: {
    header: 'X-Profile-Id',
    description: "Id of the profile whose wallet the call acts on. Not sent: the company's own wallet.",
  },
  ...modeParameters,
};

/** What `404` says on paths that take `X-Profile-Id` and name nothing else. */
export const noProfile = 'The company has no such profile.';
