/** A rule that a value breaks. Both texts complete a sentence that begins with the place of the value. */
export interface BrokenRule {
  /** Stable name of the rule, for programs: `CHECK_DIGITS`. */
  readonly code: string;
  readonly message: string;
  /** The same in Brazilian Portuguese. */
  readonly messagePt: string;
}

export function brokenRule(code: string, message: string, messagePt: string): BrokenRule {
  return { code, message, messagePt };
}

export const dateForm = brokenRule(
  'DATE_FORM',
  'must be a date that exists, as YYYY-MM-DD (in CSV also DD/MM/YYYY)',
  'deve ser uma data que existe, como AAAA-MM-DD (em CSV também DD/MM/AAAA)',
);
