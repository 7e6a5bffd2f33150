import {
  sessionOwnerOf,
  type BrowserSessions,
  type BrowserSessionState,
  type SessionOwner,
} from '../../../shared/security/browser-session.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { logout } from '../sessions/end-session.js';
import { stepUpMs } from '../../../shared/graphql/access.js';
import { isEnrolled, readHeldFactors } from '../second-factors/factor.store.js';
import { authenticationOptions } from '../second-factors/passkey-ceremonies.js';
import { findBrowserSession } from './browser-session.store.js';
import { logIn, type BrowserLoginParts } from './log-in.js';
import { stepUp, type StepUpParts } from './step-up.js';

export interface BrowserSessionsParts extends BrowserLoginParts, StepUpParts {
  /** Returns the name of a company that trades. */
  readonly nameCompany: (context: Context, id: string) => Promise<string | undefined>;
}

export function createBrowserSessions(parts: BrowserSessionsParts): BrowserSessions {
  return {
    logIn: (context, first, held) => logIn(context, parts, first, held),
    passkeyRequest: (context) => {
      const { browser } = context.principal;
      if (browser === undefined)
        return authenticationOptions(context, parts.siteOf('ACCOUNT'), undefined, {
          purpose: 'LOGIN',
          sessionId: null,
        });
      const ceremony = { purpose: 'PROVE', sessionId: browser.id } as const;
      const owner = sessionOwnerOf(context.principal);
      return authenticationOptions(context, parts.siteOf(owner.kind), owner, ceremony);
    },
    stepUp: (context, held, proof) => stepUp(context, parts, held, proof),
    read: (context) => readState(context, parts),
    logOut: (context) => logout(context, parts.forgetSessions),
  };
}

async function readState(context: Context, { nameCompany }: BrowserSessionsParts): Promise<BrowserSessionState> {
  const { principal } = context;
  const row = principal.browser && (await findBrowserSession(context, principal.browser.id));
  if (row === undefined) throw new ApiError('UNAUTHORIZED');
  const idleEndsAt = new Date(row.lastSeenAt.getTime() + row.idleSeconds * 1000);
  return {
    id: row.id,
    kind: row.kind,
    ownerId: principal.ownerId,
    name: row.kind === 'TRADER' ? ((await nameCompany(context, principal.ownerId)) ?? null) : row.name,
    email: row.email,
    scopes: principal.scopes,
    due: principal.browser?.due ?? null,
    accepts: await acceptedProofs(context, sessionOwnerOf(principal)),
    createdAt: row.createdAt,
    steppedUpUntil: new Date(row.provedAt.getTime() + stepUpMs),
    idleEndsAt: idleEndsAt < row.expiresAt ? idleEndsAt : row.expiresAt,
    endsAt: row.expiresAt,
    now: context.clock.now(),
  };
}

async function acceptedProofs(context: Context, owner: SessionOwner): Promise<BrowserSessionState['accepts']> {
  const held = await readHeldFactors(context, owner.id);
  if (!isEnrolled(held)) return owner.kind === 'ACCOUNT' ? ['PASSWORD'] : [];
  return [
    ...(held.passkeys > 0 ? (['PASSKEY'] as const) : []),
    ...(held.totp ? (['TOTP'] as const) : []),
    ...(held.codes > 0 ? (['RECOVERY_CODE'] as const) : []),
  ];
}
