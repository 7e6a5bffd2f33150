import { hash, verify } from '@node-rs/argon2';

// Argon2id, 19 MiB, two passes, one lane: the first choice of the OWASP Password Storage Cheat Sheet.
const work = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The same characters typed on two devices may be different code points: NFKC makes them equal (NIST SP 800-63B §5.1.1.2). */
export const canonicalPassword = (password: string): string => password.normalize('NFKC');

/** Returns the Argon2id hash of a password, in PHC form. */
export function hashPassword(password: string): Promise<string> {
  return hash(canonicalPassword(password), work);
}

const decoy = hashPassword('decoy');

/** Does, without a hash, the same work, so that the response time does not reveal whether there is an account. */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const right = await verify(passwordHash ?? (await decoy), canonicalPassword(password));
  return right && passwordHash !== null;
}
