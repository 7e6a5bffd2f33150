import type { BrowserSessions } from '../shared/browser-session.js';
import type { Pool } from 'pg';
import { createMailQueue } from '../shared/mail/mail.js';
import { houseLinks } from '../subgraphs/accounts/accounts/account.mails.js';
import { createLoginGuard } from '../subgraphs/accounts/accounts/login-guard.js';
import type { VerifyPortalUser } from '../subgraphs/accounts/accounts/portal.js';
import type { Authenticator } from '../subgraphs/accounts/authenticate.js';
import { createBrowserSessions } from '../subgraphs/accounts/browser-sessions/browser-sessions.js';
import { createDevices } from '../subgraphs/accounts/browser-sessions/devices.js';
import { sitesOf } from '../subgraphs/accounts/second-factors/relying-party.js';
import { requireCredential } from '../subgraphs/trading/access/login.js';
import type { Infrastructure } from './infrastructure.js';

export interface BrowserSessionParts {
  readonly authenticator: Authenticator;
  /** The accounts' own connections. */
  readonly pool: Pool;
  readonly verifyPortalUser: VerifyPortalUser | undefined;
}

/** Wires the sessions of browsers: they are opened where cookies are set, which may be another process than that of the accounts. */
export function openBrowserSessions(
  { config, keyRing, clock }: Pick<Infrastructure, 'config' | 'keyRing' | 'clock'>,
  { authenticator, pool, verifyPortalUser }: BrowserSessionParts,
): BrowserSessions {
  const guardParts = { pool, keyRing, clock };
  return createBrowserSessions({
    keyRing,
    devices: createDevices(keyRing),
    siteOf: sitesOf(config),
    desk: { queueMail: createMailQueue(keyRing), links: houseLinks(config.publicUrl) },
    guard: createLoginGuard(guardParts),
    factorGuard: createLoginGuard(guardParts, 'secondFactor'),
    verifyPortalUser,
    forgetSessions: authenticator.forgetSessions,
    authenticateOperator: (apiKey, origin) => authenticator.authenticate({ apiKey }, origin),
    proveTrader: requireCredential,
  });
}
