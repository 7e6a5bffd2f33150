import { addDays } from '../../../shared/kernel/calendar/days.js';
import { startOfDay } from '../../../shared/kernel/clock.js';
import { asDay, asText, oneOf, parametersIn } from '../frame/parameters.js';

type Search = Readonly<Record<string, unknown>>;

export const accountParameters = (search: Search) => parametersIn(search, { conta: asText });

export const seriesParameters = (search: Search) => parametersIn(search, { ticker: asText });

const asLoggedDay = (text: string) => (/^(19|20)/.test(text) ? asDay(text) : undefined);

export const auditParameters = (search: Search) =>
  parametersIn(search, {
    actor: asText,
    action: asText,
    subject: asText,
    outcome: oneOf(['DONE', 'REFUSED', 'FAILED'] as const),
    from: asLoggedDay,
    to: asLoggedDay,
  });

/** Returns the filter of the graph: days are in São Paulo, and the last day is included. */
export function auditFilter({ from, to, ...parameters }: ReturnType<typeof auditParameters>) {
  return {
    ...parameters,
    from: from === undefined ? null : startOfDay(from).toISOString(),
    to: to === undefined ? null : startOfDay(addDays(to, 1)).toISOString(),
  };
}
