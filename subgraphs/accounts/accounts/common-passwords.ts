import type { ErrorDetail } from '../../../shared/errors.js';
import { lazily } from '../../../shared/lazily.js';
import { canonicalPassword } from './password.js';

const loadList = lazily(load);

/**
 * What is wrong with a password that has the right form: whether it is one of the commonest ones, whatever the case of its letters.
 * The list (the 49,000 of zxcvbn, most of which the form refuses already) is loaded with the first question and kept.
 */
export async function commonPasswordErrors(password: string, path = 'password'): Promise<ErrorDetail[]> {
  if (!(await loadList()).has(canonicalPassword(password).toLowerCase())) return [];
  return [{ path, message: 'is one of the commonest passwords, which are guessed first: choose another' }];
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter((word) => word.length >= 8));
}
