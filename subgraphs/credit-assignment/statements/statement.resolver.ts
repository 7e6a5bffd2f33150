import { Arg, Ctx, Directive, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { lastDayOf } from '../../../shared/kernel/calendar/days.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { sum } from '../../../shared/kernel/decimal.js';
import { refuse, requireFound, type ErrorDetail, errorAt } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { Access } from '../../../shared/graphql/access.js';
import { hasRole } from '../../../shared/graphql/roles.js';
import { MonthScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { agingBands, fillBands } from '../../securities/aging.js';
import { asOriginator } from '../originators/acting-originator.js';
import { originatorsById } from '../originators/originator.store.js';
import { readScope } from '../originators/visible-originators.js';
import { readStatement } from './statement.store.js';
import { day, decimal, fields, id, int, list, month, nullable, text } from '../../../shared/graphql/fields.js';

@Resolver()
export class ReceivableStatementResolver {
  @Access('originator', readScope)
  @Directive('@cost(weight: 1000)')
  @Query(() => ReceivableStatement, {
    description:
      'What became of the receivables of a client in a month, by the time at which it was recorded: a month that is over does not change. A reversal counts in its own month, against what it reverses. openBefore + assigned + renegotiated − (received − surplus) − abated − writtenOff = openBalance. REST: GET /tidc/v1/receivable-statements/{month}. Errors: 400 for a month in the future, and for a caller who sees several clients and names none; 404 for a client that the caller may not see.',
  })
  async receivableStatement(
    @Ctx() context: Context,
    @Arg('month', () => MonthScalar, { description: 'Month in São Paulo' }) month: string,
    @Arg('originatorId', () => ID, {
      nullable: true,
      description: 'Id of the client (UUID); may be omitted by who sees only one',
    })
    originatorId?: string | null,
    @Arg('patrimonyId', () => ID, {
      nullable: true,
      description: 'Only receivables of the estate with this id (UUID); all estates when it is omitted',
    })
    patrimonyId?: string | null,
  ): Promise<Shape<ReceivableStatement>> {
    const today = civilDate(context.clock.now());
    const errors: ErrorDetail[] = [];
    if (month > today.slice(0, 7)) errors.push(errorAt('month', 'NOT_IN_FUTURE'));
    if (patrimonyId != null && !isUuid(patrimonyId)) errors.push(errorAt('patrimonyId', 'UUID_FORM'));
    refuse('BAD_REQUEST', errors);
    const query = { originatorId: await readable(context, originatorId), patrimonyId: patrimonyId ?? null, month };
    const last = lastDayOf(month);
    const position = last < today ? last : today;
    const { groups, ...sums } = await readStatement(context, query, position);
    const aging = fillBands(agingBands, groups).map(({ balance, ...band }) => {
      const own = groups.filter(({ daysLate }) => daysLate >= band.fromDays && daysLate <= (band.toDays ?? Infinity));
      return { ...band, balance: balance.toFixed(2), overdue: sum(own.map(({ overdue }) => overdue)).toFixed(2) };
    });
    return { ...query, position, ...sums, aging };
  }
}

/** Returns the id of a client whose receivables the caller may read. */
async function readable(context: Context, originatorId: string | null | undefined): Promise<string> {
  if (originatorId == null || !hasRole(context.principal, 'read'))
    return (await asOriginator(context, originatorId ?? null)).principal.ownerId;
  const [found] = isUuid(originatorId) ? await originatorsById(context, [originatorId.toLowerCase()]) : [];
  return requireFound(found, 'There is no such client').id;
}

const money = 'in BRL with 2 decimals';

@ObjectType({
  simpleResolvers: true,
  description: 'Receivables by the days that their oldest unpaid instalment is late.',
})
class ReceivableAgingBand extends fields({
  label: text('Name of the band, as in the aging of a report'),
  fromDays: int('First number of days late'),
  toDays: nullable.int('Last number of days late; null for the open end'),
  contracts: int('Number of receivables'),
  balance: decimal(`Their open balance, ${money}; all bands add up to \`openBalance\``),
  overdue: decimal(`What of it was due before \`position\`, ${money}`),
}) {}

@ObjectType({ simpleResolvers: true, description: 'What became of the receivables of a client in a month.' })
class ReceivableStatement extends fields({
  originatorId: id('Id of the client'),
  patrimonyId: nullable.id('Id of the estate; null for all estates'),
  month: month('Month'),
  position: day('Day on which lateness is counted: the last of the month, or today'),
  openBefore: decimal(`Open balance before the month, ${money}`),
  assignedCount: int('Number of contracts that became receivables'),
  assigned: decimal(`What was due of them, with the interest of instalments, ${money}`),
  refusedCount: int('Number of contracts that were not assigned: refused by themselves, or with their whole batch'),
  refused: decimal(`Their face value, ${money}`),
  renegotiated: decimal(`By how much renegotiations raised what is due, less what they lowered, ${money}`),
  received: decimal(`What was received: payments, surplus and repurchases, ${money}`),
  surplus: decimal(`Part of \`received\`: late interest and fines, ${money}`),
  repurchased: decimal(`Part of \`received\`: repurchases, without their surplus, ${money}`),
  abated: decimal(`By how much balances fell without a receipt: abatements, discounts and substitutions, ${money}`),
  discounted: decimal(`Part of \`abated\`: discounts of early payments, ${money}`),
  substituted: decimal(`Part of \`abated\`: receivables that others took the place of, ${money}`),
  writtenOff: decimal(`What was open of receivables as they were written off, less what came in since, ${money}`),
  openBalance: decimal(`Open balance at the end of the month, or now, ${money}`),
  aging: list(
    () => ReceivableAgingBand,
    'Open receivables by lateness; what a balance fell by covers the earliest due instalments first',
    { assumedSize: agingBands.length },
  ),
}) {}
