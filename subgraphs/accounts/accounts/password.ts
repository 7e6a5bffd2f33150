import { hash, verify } from '@node-rs/argon2';
import { type ErrorDetail, errorAt } from '../../../shared/kernel/errors.js';
import { once } from '../../../shared/memo.js';

// Argon2id, 19 MiB, two passes, one lane: the first choice of the OWASP Password Storage Cheat Sheet.
const work = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The same characters typed on two devices may be different code points: NFKC makes them equal (NIST SP 800-63B §5.1.1.2). */
const canonicalPassword = (password: string): string => password.normalize('NFKC');

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

const loadList = once(load);

/** The 49,000 of zxcvbn, ignoring case, most of which have an invalid form anyway; loaded on the first call and kept. */
export async function commonPasswordErrors(password: string, path = 'password'): Promise<ErrorDetail[]> {
  if (!(await loadList()).has(canonicalPassword(password).toLowerCase())) return [];
  return [errorAt(path, 'PASSWORD_COMMON')];
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter((word) => word.length >= 8));
}
