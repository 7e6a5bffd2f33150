import type { ErrorDetail } from '../../../shared/errors.js';
import { hasMoreCharacters } from '../../../shared/format/text-length.js';

/** Where an account comes from: `EMISSOES_USER` registered here, `AGENT_USER` belongs to the issuer's portal. */
export const ownerTypes = ['EMISSOES_USER', 'AGENT_USER'] as const;
export type OwnerType = (typeof ownerTypes)[number];

/** Longest name, company and key label, in characters. */
export const maxTextLength = 200;

/** Longest e-mail address that SMTP can carry (RFC 5321 §4.5.3.1.3, without the angle brackets). */
export const maxEmailLength = 254;

// Longer than any password that is accepted here; the portal's own rule may be another one.
const maxGivenPasswordLength = 1024;

// The form of the HTML standard (§4.10.5.1.5), with at least one dot in the domain: ASCII, so that upper and lower case
// are unambiguous. An internationalised domain comes in its `xn--` form.
const emailForm =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

// Control characters, and halves of surrogate pairs, which no encoding can carry.
const unprintable = /[\p{Cc}\p{Cs}]/u;

/** An e-mail without the spaces around it: how it is stored. */
export function trimEmail(email: string): string {
  return email.trim();
}

/** What is wrong with an e-mail address. */
export function emailErrors(email: string): ErrorDetail[] {
  const text = trimEmail(email);
  if (text.length <= maxEmailLength && emailForm.test(text)) return [];
  return [{ path: 'email', message: `must be an e-mail address of at most ${maxEmailLength} characters` }];
}

/** What is wrong with a new password: 8 to 128 characters, letters and numbers (docs/contract/accounts.md §1.5). Others may be among them. */
export function passwordErrors(password: string, path = 'password'): ErrorDetail[] {
  // Characters as a reader counts code points; the first check keeps huge input from being taken apart.
  const length = password.length > 256 ? password.length : Array.from(password).length;
  const right = length >= 8 && length <= 128 && /\p{L}/u.test(password) && /\p{N}/u.test(password);
  return right ? [] : [{ path, message: 'must have 8 to 128 characters, with letters and numbers among them' }];
}

/** What is wrong with a password that someone logs in with: only what could not be any password. */
export function givenPasswordErrors(password: string, path = 'password'): ErrorDetail[] {
  if (password.length > 0 && !hasMoreCharacters(password, maxGivenPasswordLength)) return [];
  return [{ path, message: `must have 1 to ${maxGivenPasswordLength} characters` }];
}

/** What is wrong with a short text of a person: a name, a company, the label of a key. */
export function textErrors(path: string, text: string): ErrorDetail[] {
  const trimmed = text.trim();
  if (trimmed.length > 0 && !hasMoreCharacters(trimmed, maxTextLength) && !unprintable.test(trimmed)) return [];
  return [{ path, message: `must have 1 to ${maxTextLength} characters, none of them a control character` }];
}

/** What someone registers with. */
export interface Registration {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly company: string;
}

/** Everything that is wrong with a registration, at once. */
export function registrationErrors({ name, email, password, company }: Registration): ErrorDetail[] {
  return [
    ...textErrors('name', name),
    ...emailErrors(email),
    ...passwordErrors(password),
    ...textErrors('company', company),
  ];
}
