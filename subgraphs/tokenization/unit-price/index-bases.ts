/**
 * Starting points of the index factor of a series, by deed. On that day the updated value became the nominal value; from then
 * on events deduct amortization from the nominal value, and the factor continues. Each entry names its source.
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

/** The days over which the monthly variation of a price index is spread, from one anniversary to the next: dup/dut or dcp/dct of the deeds. */
export const indexProRatas = {
  BUSINESS_DAYS: 'Business days; it makes no difference whether anniversaries are moved',
  CALENDAR_DAYS: 'Calendar days, between anniversaries that stay on their day',
  CALENDAR_DAYS_FOLLOWING:
    'Calendar days, between anniversaries that are moved to the first business day from there on, as deeds say that take the day of the payment',
} as const;
export type IndexProRata = keyof typeof indexProRatas;
