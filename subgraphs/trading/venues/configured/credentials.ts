import { z } from 'zod';
import type { KeyRing } from '../../../../shared/security/crypto.js';
import type { Sealed } from '../../../../shared/security/sealed.js';

export const sealedVenueCredentials: Sealed = {
  purpose: 'trading/venue-credentials',
  table: 'trading.venues',
  key: { id: 'uuid' },
  columns: ['credentials'],
  name: 'credentials of exchanges',
  whenLost:
    'These exchanges are not connected: create new keys at the exchanges, retire the venues, and add them again under other names.',
};

const credentialsForm = z.object({ apiKey: z.string(), secret: z.string(), password: z.string().optional() });

/** The keys of the house's account on an exchange, under ccxt's names. */
export type VenueCredentials = z.infer<typeof credentialsForm>;

export function sealCredentials(keyRing: KeyRing, credentials: VenueCredentials): Buffer {
  return keyRing.seal(sealedVenueCredentials, JSON.stringify(credentials));
}

/** @throws {SealError} if no key of this process decrypts them */
export function openCredentials(keyRing: KeyRing, sealed: Buffer): VenueCredentials {
  return credentialsForm.parse(JSON.parse(keyRing.open(sealedVenueCredentials, sealed)));
}
