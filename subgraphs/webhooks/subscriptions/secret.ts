import { randomBytes } from 'node:crypto';

const mark = 'whsec_';

/** What secrets are sealed for at rest. */
export const secretPurpose = 'webhooks/secret';

/** A new secret: 32 random bytes as `whsec_<Base64>`, the form of the Standard Webhooks. */
export function mintSecret(random: (size: number) => Buffer = randomBytes): string {
  return mark + random(32).toString('base64');
}

/** The bytes that a secret stands for. */
export function keyBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(mark.length), 'base64');
}
