import type { MailLanguage } from './compose-mail.js';
import { identifyingText, isName } from '../../../shared/kernel/identifying-text.js';
import { type ErrorDetail, unless, errorAt } from '../../../shared/kernel/errors.js';
import { hasMoreCharacters } from '../../../shared/kernel/echo.js';

/** Origin of an account: `EMISSOES_USER` registered here, `AGENT_USER` belongs to the issuer's portal. */
export type OwnerType = 'EMISSOES_USER' | 'AGENT_USER';

/** Maximum length of name, company and key label, in characters. */
export const maxTextLength = 200;

/** Maximum length of an e-mail address in SMTP (RFC 5321 §4.5.3.1.3, without the angle brackets). */
export const maxEmailLength = 254;

// Longer than any password accepted here; the portal may have another rule.
const maxGivenPasswordLength = 1024;

// The form of the HTML standard (§4.10.5.1.5), with at least one dot in the domain: ASCII, so that upper and lower case
// are unambiguous. An internationalised domain is given in its `xn--` form.
const emailForm =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

export function trimEmail(email: string): string {
  return identifyingText(email);
}

export function emailErrors(email: string): ErrorDetail[] {
  const text = trimEmail(email);
  if (text.length <= maxEmailLength && emailForm.test(text)) return [];
  return [errorAt('email', 'EMAIL_FORM', { max: maxEmailLength })];
}

/** A password has 8 to 128 characters, letters and numbers (docs/contract/accounts.md §1.5); other characters are allowed too. */
export function passwordErrors(password: string, path = 'password'): ErrorDetail[] {
  // Counts code points; the first check avoids splitting huge input.
  const length = password.length > 256 ? password.length : Array.from(password).length;
  const right = length >= 8 && length <= 128 && /\p{L}/u.test(password) && /\p{N}/u.test(password);
  return unless(right, errorAt(path, 'PASSWORD_FORM', { min: 8, max: 128 }));
}

/** Returns the errors of a password at login: only those that rule out any valid password. */
export function givenPasswordErrors(password: string, path = 'password'): ErrorDetail[] {
  if (password.length > 0 && !hasMoreCharacters(password, maxGivenPasswordLength)) return [];
  return [errorAt(path, 'TEXT_LENGTH', { min: 1, max: maxGivenPasswordLength })];
}

export function textErrors(path: string, text: string): ErrorDetail[] {
  return unless(isName(text, maxTextLength), errorAt(path, 'PRINTABLE_LENGTH', { min: 1, max: maxTextLength }));
}

export interface Registration {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly company: string;
  readonly mailLanguage: MailLanguage;
}

export function registrationErrors({ name, email, password, company }: Registration): ErrorDetail[] {
  return [
    ...textErrors('name', name),
    ...emailErrors(email),
    ...passwordErrors(password),
    ...textErrors('company', company),
  ];
}
