import { sealedMail, sealedResponse, type Sealed } from '../shared/sealed.js';
import { sealedSigningKey } from '../subgraphs/accounts/sessions/sealed-signing-key.js';
import { sealedVenueCredentials } from '../subgraphs/trading/venues/configured/credentials.js';
import { sealedSecret } from '../subgraphs/webhooks/subscriptions/secret.js';

/** All values that are encrypted at rest. Add a new kind here; a test fails on an encrypted column that is missing. */
export const sealedColumns: readonly Sealed[] = [
  sealedSigningKey,
  sealedSecret,
  sealedVenueCredentials,
  sealedMail,
  sealedResponse,
];

/** Values that are derived from the master key and not stored, each with the effect of a rotation on it. */
export const derivedValues: readonly { readonly name: string; readonly afterRotation: string }[] = [
  {
    name: 'cursors of pages (`after`, `cursor`, `nextToken`)',
    afterRotation: 'Those handed out before get 400: begin at the first page again.',
  },
  { name: 'opaque ids of contracts in inventories, and their order', afterRotation: 'They are others.' },
  { name: 'counts of failed logins', afterRotation: 'They begin anew.' },
  {
    name: 'tokens between the parts',
    afterRotation: 'They live for seconds; parts with other keys refuse each other.',
  },
  {
    name: 'the key that signs access tokens of trading',
    afterRotation:
      'Those handed out before are good while the old key is MASTER_KEY_PREVIOUS, an hour at most; refresh tokens stay good.',
  },
  {
    name: 'the demo’s passwords and keys',
    afterRotation:
      'Its account keeps its password, which demo-credentials.json then no longer names; keys are made anew, the old ones stay good.',
  },
];
