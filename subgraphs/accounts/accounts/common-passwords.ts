import { type ErrorDetail, errorAt } from '../../../shared/kernel/errors.js';
import { once } from '../../../shared/memo.js';
import { canonicalPassword } from './password.js';

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
