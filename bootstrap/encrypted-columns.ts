import { sealedMail, sealedResponse, type Sealed } from '../shared/security/sealed.js';
import { sealedSigningKey } from '../subgraphs/accounts/sessions/signing-key.store.js';
import { sealedTotpSecret } from '../subgraphs/accounts/second-factors/totp.js';
import { sealedVenueCredentials } from '../subgraphs/trading/venues/configured/venue.store.js';
import { sealedSecret } from '../subgraphs/webhooks/subscriptions/secret.js';

/** All values that are encrypted at rest. Add a new kind here; a test fails on an encrypted column that is missing. */
export const sealedColumns: readonly Sealed[] = [
  sealedSigningKey,
  sealedTotpSecret,
  sealedSecret,
  sealedVenueCredentials,
  sealedMail,
  sealedResponse,
];

/** Values that are derived from the master key and not stored, each with the effect of a rotation on it. */
export const derivedValues: readonly { readonly name: string; readonly afterRotation: string }[] = [
  {
    name: 'cursors of pages (`after`, `cursor`, `nextToken`) and of events (`since`)',
    afterRotation: 'Those issued before are valid while the old key is MASTER_KEY_PREVIOUS; then they get 400.',
  },
  { name: 'opaque ids of contracts in inventories, and their order', afterRotation: 'They change.' },
  { name: 'counts of failed logins', afterRotation: 'They restart at zero.' },
  {
    name: 'tokens for calls between processes',
    afterRotation:
      'They are valid for seconds. A process accepts the calls of those whose MASTER_KEY is one of its two keys.',
  },
  {
    name: 'the key that signs access tokens of trading',
    afterRotation:
      'Tokens issued before are valid while the old key is MASTER_KEY_PREVIOUS, at most an hour; refresh tokens stay valid.',
  },
  {
    name: 'the demo’s passwords and keys',
    afterRotation:
      'The account keeps its password, which is then no longer in demo-credentials.json; new keys are created, and the old ones stay valid.',
  },
];
