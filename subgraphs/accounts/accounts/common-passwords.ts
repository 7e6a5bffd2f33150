import { type ErrorDetail, errorAt } from '../../../shared/kernel/errors.js';
import { once } from '../../../shared/memo.js';
import { canonicalPassword } from './password.js';

const loadList = once(load);

/**
 * Returns an error if a password of valid form is one of the most common ones, ignoring case. The list (the 49,000 of zxcvbn, most
 * of which have an invalid form anyway) is loaded on the first call and kept.
 */
export async function commonPasswordErrors(password: string, path = 'password'): Promise<ErrorDetail[]> {
  if (!(await loadList()).has(canonicalPassword(password).toLowerCase())) return [];
  return [errorAt(path, 'PASSWORD_COMMON')];
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter((word) => word.length >= 8));
}
