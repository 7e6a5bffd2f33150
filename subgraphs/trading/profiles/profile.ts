import { isCnpj, isCpf, taxIdForms } from '../../../shared/kernel/tax-id.js';
import { type ErrorDetail, unless, errorAt } from '../../../shared/kernel/errors.js';
import { nameIssues } from '../access/company.js';

export type ProfileStatus = 'ACTIVE' | 'SUSPENDED';
export type TaxIdType = 'CPF' | 'CNPJ';

/** Who suspended a profile; null while it is ACTIVE. */
export type SuspendedBy = 'COMPANY' | 'OPERATOR' | 'BOTH' | null;
export type SuspensionEvent = 'companySuspends' | 'companyActivates' | 'operatorSuspends' | 'operatorActivates';

const maxEmailLength = 254;

type State = 'NOBODY' | Exclude<SuspendedBy, null>;

/** The transitions between suspensions. The company cannot activate a profile that the operator suspended. */
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

/** Returns who has suspended a profile after an event; `REFUSED` if the event is not allowed. */
export function transition(state: SuspendedBy, event: SuspensionEvent): SuspendedBy | 'REFUSED' {
  const next = transitions[state ?? 'NOBODY'][event];
  return next === 'NOBODY' ? null : next;
}

/** The fields of a client that can be corrected. */
export interface PersonInput {
  readonly name: string;
  readonly email: string;
}

export interface ProfileInput extends PersonInput {
  /** CPF or CNPJ, without punctuation. */
  readonly taxId: string;
  readonly taxIdType: TaxIdType;
}

export function formIssues({ name, taxId, taxIdType, email }: ProfileInput): ErrorDetail[] {
  return [
    ...personIssues({ name }),
    ...unless(taxIdForms[taxIdType].test(taxId), errorAt('document', `${taxIdType}_FORM`)),
    ...personIssues({ email }),
  ];
}

export function personIssues({ name, email }: Partial<PersonInput>): ErrorDetail[] {
  return [
    ...nameIssues(name),
    ...unless(email === undefined || isEmail(email), errorAt('email', 'EMAIL_FORM', { max: maxEmailLength })),
  ];
}

export function taxIdIssues({ taxId, taxIdType }: Pick<ProfileInput, 'taxId' | 'taxIdType'>): ErrorDetail[] {
  const isRight = taxIdType === 'CPF' ? isCpf(taxId) : isCnpj(taxId);
  return unless(isRight, errorAt('document', `${taxIdType}_CHECK_DIGITS`));
}

function isEmail(text: string): boolean {
  return text.length <= maxEmailLength && /^[!-?A-~]+@[!-?A-~]+\.[!-?A-~]+$/.test(text);
}
