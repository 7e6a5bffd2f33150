/**
 * Since when the index factor of a series runs, by deed. On that day the updated value became the nominal value; from there on
 * events take from the nominal value what they amortize, and the factor runs on. Each with what supports it.
 */
export const indexBases = {
  START:
    'The start, whatever is paid: what is left of the value of the issue stays in the money of the start. Published rows: PTMI11, CAET12',
  YEARLY:
    'The last yearly anniversary, in the month in which the series started, whatever is paid between two. Law 10.192/2001, art. 2, § 1; published row: CAET12',
  ANNIVERSARY: 'The last monthly anniversary, whatever is paid between two. Law 10.931/2004, art. 46',
  LAST_EVENT:
    'The last event: each one that pays or incorporates interest makes the updated value the nominal value. Published row: ITPE12',
} as const;
export type IndexBase = keyof typeof indexBases;

/** What the variation of a month of a price index is spread over, from one anniversary to the next: dup/dut or dcp/dct of the deeds. */
export const indexProRatas = {
  BUSINESS_DAYS: 'Business days; it makes no difference whether anniversaries are moved',
  CALENDAR_DAYS: 'Calendar days, between anniversaries that stay on their day',
  CALENDAR_DAYS_FOLLOWING:
    'Calendar days, between anniversaries that are moved to the first business day from there on, as deeds say that take the day of the payment',
} as const;
export type IndexProRata = keyof typeof indexProRatas;
