/**
 * Starting points of the index factor of a series, by deed. On that day the updated value became the nominal value; from then
 * on events deduct amortization from the nominal value, and the factor continues. Interest that is incorporated makes the updated value
 * the nominal value with every base (published row: CAET12). Each entry names its source.
 */
export const indexBases = {
  START:
    'The start of the series, or the last incorporation of interest, whatever is paid: the rest of the nominal value is kept at the price level of that day. Published rows: PTMI11, CAET12',
  YEARLY:
    'The last yearly anniversary, in the month in which the series started, or the last incorporation of interest, whatever is paid in between. Law 10.192/2001, art. 2, § 1',
  ANNIVERSARY:
    'The last monthly anniversary or incorporation of interest, whatever is paid in between. Law 10.931/2004, art. 46',
  LAST_EVENT:
    'The last event: each event that pays or incorporates interest makes the updated value the nominal value. Published row: ITPE12',
} as const;
export type IndexBase = keyof typeof indexBases;

/** The days over which the monthly variation of a price index is distributed, from one anniversary to the next: dup/dut or dcp/dct of the deeds. */
export const indexProRatas = {
  BUSINESS_DAYS: 'Business days; the result is the same whether or not anniversaries are moved to a business day',
  CALENDAR_DAYS: 'Calendar days between anniversaries, which are not moved',
  CALENDAR_DAYS_FOLLOWING:
    'Calendar days between anniversaries, which are moved to the next business day unless they are one, as in deeds that use the day of the payment',
} as const;
export type IndexProRata = keyof typeof indexProRatas;

/**
 * Clauses of deeds about the days before an index number is published. Deeds: "número-índice projetado … utilizado provisoriamente … não sendo devidas
 * quaisquer compensações"; ANBIMA publishes the projections.
 */
export const projectionClauses = {
  PROVISIONAL:
    'The newest projection that was published by the day is used provisionally; once the number is published, days from then on use it, and earlier days keep their prices, without compensation',
  NONE: 'There is no price until the number is published',
  SETTLED_BY_DIFFERENCE: 'The projection is used, and once the number is published the earlier days are corrected',
} as const;
export type ProjectionClause = keyof typeof projectionClauses;
