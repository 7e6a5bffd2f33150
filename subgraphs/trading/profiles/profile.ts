import { isCnpj, isCpf, taxIdForms } from '../../../shared/tax-id.js';
import type { ErrorDetail } from '../../../shared/errors.js';
import { isName } from '../access/company.js';

export type ProfileStatus = 'ACTIVE' | 'SUSPENDED';
export type TaxIdType = 'CPF' | 'CNPJ';

/** Who suspended a profile; null while nobody has, and it is ACTIVE. */
export type SuspendedBy = 'COMPANY' | 'OPERATOR' | 'BOTH' | null;
export type SuspensionEvent = 'companySuspends' | 'companyActivates' | 'operatorSuspends' | 'operatorActivates';

type State = 'NOBODY' | Exclude<SuspendedBy, null>;

/** By whom a profile is suspended, and what becomes of that. What the operator suspended the company cannot activate. */
const transitions: Readonly<Record<State, Readonly<Record<SuspensionEvent, State | 'REFUSED'>>>> = {
  NOBODY: {
    companySuspends: 'COMPANY',
    companyActivates: 'NOBODY',
    operatorSuspends: 'OPERATOR',
    operatorActivates: 'NOBODY',
  },
  COMPANY: {
    companySuspends: 'COMPANY',
    companyActivates: 'NOBODY',
    operatorSuspends: 'BOTH',
    operatorActivates: 'COMPANY',
  },
  OPERATOR: {
    companySuspends: 'BOTH',
    companyActivates: 'REFUSED',
    operatorSuspends: 'OPERATOR',
    operatorActivates: 'NOBODY',
  },
  BOTH: {
    companySuspends: 'BOTH',
    companyActivates: 'REFUSED',
    operatorSuspends: 'BOTH',
    operatorActivates: 'COMPANY',
  },
};

/** Who has a profile suspended after an event; `REFUSED` where the event may not happen. */
export function transition(state: SuspendedBy, event: SuspensionEvent): SuspendedBy | 'REFUSED' {
  const next = transitions[state ?? 'NOBODY'][event];
  return next === 'NOBODY' ? null : next;
}

/** What may be corrected of a client. */
export interface PersonInput {
  readonly name: string;
  readonly email: string;
}

/** What a company says of a client. */
export interface ProfileInput extends PersonInput {
  /** CPF or CNPJ, without punctuation. */
  readonly taxId: string;
  readonly taxIdType: TaxIdType;
}

const formRules: Readonly<Record<TaxIdType, string>> = {
  CPF: 'must be the 11 digits of a CPF, without punctuation',
  CNPJ: 'must be the 14 characters of a CNPJ, digits or capital letters without punctuation',
};

/** Everything about a profile that is not of its form. */
export function formIssues({ name, taxId, taxIdType, email }: ProfileInput): ErrorDetail[] {
  return [
    ...personIssues({ name }),
    ...(taxIdForms[taxIdType].test(taxId) ? [] : [{ path: 'document', message: formRules[taxIdType] }]),
    ...personIssues({ email }),
  ];
}

/** Everything about a name and an e-mail, where they are given, that is not of its form. */
export function personIssues({ name, email }: Partial<PersonInput>): ErrorDetail[] {
  return [
    ...(name === undefined || isName(name)
      ? []
      : [{ path: 'name', message: 'must have 1 to 200 characters, none of them a control character' }]),
    ...(email === undefined || isEmail(email)
      ? []
      : [{ path: 'email', message: 'must be an e-mail address of at most 254 characters' }]),
  ];
}

/** What is wrong with a tax id that is of its form. */
export function taxIdIssues({ taxId, taxIdType }: Pick<ProfileInput, 'taxId' | 'taxIdType'>): ErrorDetail[] {
  const right = taxIdType === 'CPF' ? isCpf(taxId) : isCnpj(taxId);
  return right ? [] : [{ path: 'document', message: `is not a ${taxIdType}: its check digits are wrong` }];
}

function isEmail(text: string): boolean {
  return text.length <= 254 && /^[!-?A-~]+@[!-?A-~]+\.[!-?A-~]+$/.test(text);
}
