import type { Company } from './company-fields.js';

/** What each part of the page of a company works with. */
export interface CompanyPart {
  readonly company: Company;
  readonly mayAct: boolean;
  /** Says what was done, and reads the company again. */
  readonly onDone: (said: string) => void;
}
