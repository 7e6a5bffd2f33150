import type { FactorProof, SessionOwner } from '../../../shared/security/browser-session.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { KeyRing } from '../../../shared/security/crypto.js';
import { findTotp, useCode, useTotpStep } from './factor.store.js';
import { acceptAssertion, verifyAssertion } from './passkey-ceremonies.js';
import { recoveryCodeHash } from './recovery-code.js';
import type { SiteOf } from './relying-party.js';
import { sealedTotpSecret } from './sealed-totp-secret.js';
import { matchTotp } from './totp.js';

/** A proof by a second factor. */
export type SecondFactorProof = Exclude<FactorProof, { password: string }>;

export interface FactorParts {
  readonly keyRing: KeyRing;
  readonly siteOf: SiteOf;
}

/** Accepts a proof in the transaction of the act that it permits, and uses it up; returns false when it is not right, or was used meanwhile. */
export type Accept = (tx: Context) => Promise<boolean>;

/** Prepares the acceptance of a proof by a second factor of an owner, for a session. What takes long, or must not be undone, happens here. */
export async function prepareProof(
  context: Context,
  { keyRing, siteOf }: FactorParts,
  owner: SessionOwner,
  { proof, sessionId }: { readonly proof: SecondFactorProof; readonly sessionId: string },
): Promise<Accept> {
  if ('passkey' in proof) {
    const ceremony = { purpose: 'PROVE', sessionId } as const;
    const verified = await verifyAssertion(
      context,
      siteOf(owner.kind),
      ceremony,
      proof.passkey,
      ({ id }) => id === owner.id,
    );
    return (tx) => (verified === undefined ? Promise.resolve(false) : acceptAssertion(tx, verified));
  }
  if ('totp' in proof) return (tx) => acceptTotp(tx, keyRing, owner.id, proof.totp);
  const hash = recoveryCodeHash(proof.recoveryCode);
  return (tx) => (hash === undefined ? Promise.resolve(false) : useCode(tx, owner.id, hash));
}

async function acceptTotp(tx: Context, keyRing: KeyRing, ownerId: string, code: string): Promise<boolean> {
  const row = await findTotp(tx, ownerId);
  if (row?.confirmedAt == null) return false;
  const secret = Buffer.from(keyRing.open(sealedTotpSecret, row.secret), 'base64url');
  const step = matchTotp(secret, code, tx.clock.now(), row.lastStep);
  // The row decides: of two requests with one code, one finds its step used.
  return step !== undefined && useTotpStep(tx, ownerId, step);
}
