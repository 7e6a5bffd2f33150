import type { Sealed } from '../../../shared/security/sealed.js';

export const sealedTotpSecret: Sealed = {
  purpose: 'accounts/totp-secret',
  table: 'accounts.totp_secrets',
  key: { owner_id: 'uuid' },
  columns: ['secret'],
  name: 'secrets of authenticator applications',
  whenLost: 'Their codes are rejected; their owners use a passkey or a recovery code, and add the application again.',
};
