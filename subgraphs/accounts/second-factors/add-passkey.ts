import { identifyingText, isName } from '../../../shared/identifying-text.js';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { sessionIdOf, sessionOwnerOf } from '../../../shared/browser-session.js';
import type { Context } from '../../../shared/context.js';
import { ApiError, refuse } from '../../../shared/errors.js';
import { newId } from '../../../shared/ids.js';
import { byRule, errorAt } from '../../../shared/rule-error.js';
import { unless } from '../../../shared/unless.js';
import { addFactor, type ChangeParts, type FactorChange } from './change-factors.js';
import { passkeyAddedMail } from './factor.mails.js';
import { verifyRegistration, type CreatedPasskey } from './passkey-ceremonies.js';
import { insertPasskey, listPasskeys, maxPasskeys } from './passkey.store.js';
import type { SiteOf } from './relying-party.js';

const encoded = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[A-Za-z0-9_-]+$/);
const registration = z.object({
  id: encoded(1_400),
  rawId: encoded(1_400),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: encoded(4_000),
    attestationObject: encoded(16_000),
    transports: z.array(z.string().max(50)).max(10).exactOptional(),
  }),
  clientExtensionResults: z.object({}).default({}),
});

function registrationOf(text: string): RegistrationResponseJSON | undefined {
  try {
    const { response, ...rest } = registration.parse(JSON.parse(text));
    const { transports, ...signed } = response;
    // Transports that the library does not know are left out when the passkey is stored.
    return { ...rest, response: { ...signed, ...(transports && { transports: transports }) } };
  } catch {
    return undefined;
  }
}

/**
 * Adds a passkey that the browser has created for the calling session, and returns recovery codes if it is the first factor.
 * @param credential the browser's `PublicKeyCredential` as JSON
 * @throws {ApiError} BAD_REQUEST for the name or a text that is no such JSON; UNPROCESSABLE for one that is not valid, or whose challenge has expired or was
 *   used; CONFLICT for a passkey that is registered already, and for the 21st
 */
export async function addPasskey(
  context: Context,
  parts: ChangeParts & { readonly siteOf: SiteOf },
  { name, credential }: { readonly name: string; readonly credential: string },
): Promise<readonly string[]> {
  const response = registrationOf(credential);
  refuse('BAD_REQUEST', [
    ...unless(isName(name, 100), errorAt('name', 'PRINTABLE_LENGTH', { min: 1, max: 100 })),
    ...unless(response !== undefined, errorAt('credential', 'PASSKEY_FORM')),
  ]);
  if (response === undefined) throw new ApiError('BAD_REQUEST');
  const site = parts.siteOf(sessionOwnerOf(context.principal).kind);
  const created = await verifyRegistration(context, site, sessionIdOf(context.principal), response);
  if (created === undefined)
    throw new ApiError('UNPROCESSABLE', {
      details: [errorAt('credential', 'PASSKEY_WRONG')],
    });
  const change: FactorChange = { action: 'addPasskey', mail: passkeyAddedMail };
  return addFactor(context, parts, change, async (tx, owner) => {
    await requireRoom(tx, owner.id);
    const shown = identifyingText(name);
    await insert(tx, owner, created, shown);
    return { name: shown };
  });
}

async function requireRoom(tx: Context, ownerId: string): Promise<void> {
  if ((await listPasskeys(tx, ownerId)).length >= maxPasskeys)
    throw new ApiError('CONFLICT', byRule('PASSKEYS_FULL', { max: maxPasskeys }));
}

async function insert(
  tx: Context,
  owner: Parameters<typeof insertPasskey>[1],
  created: CreatedPasskey,
  name: string,
): Promise<void> {
  const id = newId(tx.clock.now().getTime());
  if (!(await insertPasskey(tx, owner, { ...created, id, name })))
    throw new ApiError('CONFLICT', byRule('PASSKEY_EXISTS'));
}
