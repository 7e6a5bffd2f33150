import { hash, verify } from '@node-rs/argon2';

// Argon2id, 19 MiB, two passes, one lane: the first choice of the OWASP Password Storage Cheat Sheet.
const work = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * A password as it is hashed and compared. The same characters typed on two devices may come as different code points: NFKC
 * makes them one (NIST SP 800-63B §5.1.1.2).
 */
export const canonicalPassword = (password: string): string => password.normalize('NFKC');

/** The Argon2id hash of a password, in PHC form. */
export function hashPassword(password: string): Promise<string> {
  return hash(canonicalPassword(password), work);
}

const decoy = hashPassword('decoy');

/**
 * Whether a password has this hash. Where there is no hash the same work is done for nothing, so that the time of the
 * answer does not tell whether there is an account.
 */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const right = await verify(passwordHash ?? (await decoy), canonicalPassword(password));
  return right && passwordHash !== null;
}
