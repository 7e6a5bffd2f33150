import { randomBytes } from 'node:crypto';
import type { Sealed } from '../../../shared/security/sealed.js';

const mark = 'whsec_';

export const sealedSecret: Sealed = {
  purpose: 'webhooks/secret',
  table: 'webhooks.subscriptions',
  key: { id: 'uuid' },
  columns: ['secret', 'previous_secret'],
  name: 'secrets of webhooks',
  whenLost:
    'Nothing is sent to these subscriptions until their owners rotate the secret; due deliveries wait until then.',
};

/** Generates a secret: 32 random bytes as `whsec_<Base64>`, the form of the Standard Webhooks. */
export function mintSecret(random: (size: number) => Buffer = randomBytes): string {
  return mark + random(32).toString('base64');
}

export function keyBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(mark.length), 'base64');
}
