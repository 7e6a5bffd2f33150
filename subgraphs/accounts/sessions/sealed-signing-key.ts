import type { Sealed } from '../../../shared/security/sealed.js';

export const sealedSigningKey: Sealed = {
  purpose: 'accounts/signing-key',
  table: 'accounts.signing_keys',
  key: { kid: 'text' },
  columns: ['private_jwk'],
  name: 'private keys that sign sessions',
  whenLost: 'The sessions that they signed have ended; users have to log in again.',
};
