import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';
import type { PasskeyRequest, SessionOwner } from '../../../shared/security/browser-session.js';
import type { Context } from '../../../shared/kernel/context.js';
import { once } from '../../../shared/memo.js';
import {
  addChallenge,
  challengeMs,
  takeChallenge,
  type ChallengePurpose,
  findPasskey,
  listCredentialIds,
  usePasskey,
  type PasskeyKey,
} from './factor.store.js';
import type { RelyingParty } from './relying-party.js';

/** The library takes a tenth of a second to load, which the start of the program need not wait for. */
const webauthn = once(() => import('@simplewebauthn/server'));

/** For whom a challenge is: its purpose and the session; null before the log-in. */
export interface Ceremony {
  readonly purpose: ChallengePurpose;
  readonly sessionId: string | null;
}

export async function registrationOptions(
  context: Context,
  site: RelyingParty,
  owner: SessionOwner,
  { sessionId, userName }: { readonly sessionId: string; readonly userName: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webauthn();
  const known = await listCredentialIds(context, owner.id);
  const options = await generateRegistrationOptions({
    rpName: site.name,
    rpID: site.id,
    userName,
    userID: new TextEncoder().encode(owner.id),
    timeout: challengeMs,
    attestationType: 'none',
    excludeCredentials: known.map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await addChallenge(context, 'REGISTER', sessionId, options.challenge);
  return options;
}

export type CreatedPasskey = Pick<PasskeyKey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>;

/** Verifies the creation of a passkey. Its challenge is used up, whatever the result. Returns undefined, with the reason logged, when it is not valid. */
export async function verifyRegistration(
  context: Context,
  site: RelyingParty,
  sessionId: string,
  response: RegistrationResponseJSON,
): Promise<CreatedPasskey | undefined> {
  const { verifyRegistrationResponse } = await webauthn();
  const challenge = await takenChallenge(context, { purpose: 'REGISTER', sessionId }, response);
  if (challenge === undefined) return undefined;
  const verified = await validOf(context, () =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
    }),
  );
  if (verified?.verified !== true) return undefined;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    counter,
    transports: transports.filter((one) => knownTransports.has(one)),
  };
}

/** Returns the options with which a browser signs by a passkey: one of the owner's, or before the log-in any that it has for this site. */
export async function authenticationOptions(
  context: Context,
  site: RelyingParty,
  owner: SessionOwner | undefined,
  { purpose, sessionId }: Ceremony,
): Promise<PasskeyRequest> {
  const { generateAuthenticationOptions } = await webauthn();
  const known = owner === undefined ? [] : await listCredentialIds(context, owner.id);
  const options = await generateAuthenticationOptions({
    rpID: site.id,
    timeout: challengeMs,
    userVerification: 'required',
    allowCredentials: known.map(descriptorOf),
  });
  await addChallenge(context, purpose, sessionId, options.challenge);
  return options;
}

/** A signature that was verified; `counter` is to be recorded with `usePasskey` in the transaction that accepts it. */
export interface VerifiedPasskey {
  readonly passkey: PasskeyKey;
  readonly counter: number;
}

/** Uses up its challenge, whatever the result. Returns undefined, and logs the reason, when it is not valid. @param isOwner whether the owner's signature is accepted */
export async function verifyAssertion(
  context: Context,
  site: RelyingParty,
  ceremony: Ceremony,
  response: AuthenticationResponseJSON,
  isOwner: (owner: SessionOwner) => boolean,
): Promise<VerifiedPasskey | undefined> {
  const { verifyAuthenticationResponse } = await webauthn();
  const passkey = await findPasskey(context, Buffer.from(response.id, 'base64url'));
  const challenge = await takenChallenge(context, ceremony, response);
  if (passkey === undefined || challenge === undefined) return undefined;
  const { userHandle } = response.response;
  const isOfOwner = userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === passkey.ownerId;
  if (!isOfOwner || !isOwner({ kind: passkey.ownerKind, id: passkey.ownerId })) return undefined;
  const { credentialId, publicKey, counter } = passkey;
  const verified = await validOf(context, () =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      credential: { id: credentialId.toString('base64url'), publicKey: new Uint8Array(publicKey), counter },
    }),
  );
  if (verified?.verified !== true) return undefined;
  return { passkey, counter: verified.authenticationInfo.newCounter };
}

/** Accepts a verified signature in the current transaction; returns false if its counter was used meanwhile. */
export function acceptAssertion(tx: Context, { passkey, counter }: VerifiedPasskey): Promise<boolean> {
  return usePasskey(tx, passkey.id, counter);
}

const knownTransports: ReadonlySet<string> = new Set([
  'ble',
  'hybrid',
  'internal',
  'nfc',
  'usb',
] satisfies AuthenticatorTransport[]);

function isTransport(text: string): text is AuthenticatorTransport {
  return knownTransports.has(text);
}

function descriptorOf({ credentialId, transports }: Pick<PasskeyKey, 'credentialId' | 'transports'>) {
  return { id: credentialId.toString('base64url'), transports: transports.filter(isTransport) };
}

const clientData = z.object({ challenge: z.string().min(1).max(200) });

/** Takes away the challenge that a response signs, and returns it; undefined when it was not made for this ceremony, has expired, or was used. */
async function takenChallenge(
  context: Context,
  { purpose, sessionId }: Ceremony,
  { response }: { readonly response: { readonly clientDataJSON: string } },
): Promise<string | undefined> {
  const { challenge } = clientData.safeParse(jsonOf(response.clientDataJSON)).data ?? {};
  if (challenge === undefined) return undefined;
  return (await takeChallenge(context, purpose, sessionId, challenge)) ? challenge : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Returns the result of a verification; undefined when the library throws, as it does with many errors for responses that no authenticator makes. */
async function validOf<T>(context: Context, verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch (error) {
    context.log.info({ err: error }, 'A response of WebAuthn is not valid');
    return undefined;
  }
}
