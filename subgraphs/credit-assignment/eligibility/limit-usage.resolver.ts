import { Arg, Ctx, Directive, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { maskDocument } from '../../../shared/kernel/tax-id.js';
import { Access } from '../../../shared/graphql/access.js';
import { hasRole } from '../../../shared/graphql/roles.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { EligibilityLimit } from '../criteria/criteria.type.js';
import { limitsOf, type Limit } from '../criteria/criteria.js';
import { findCriteria } from '../criteria/criteria.store.js';
import { seesUse } from '../estates/assignment.js';
import { originatorsById } from '../originators/originator.store.js';
import { readScope, visibleOriginators } from '../originators/visible-originators.js';
import { usageOf } from './limits.js';
import { largestLoads, portfolioTotal, subjectsOf, type Load } from './portfolio.store.js';
import { decimal, fields, list, nullable, of, text } from '../../../shared/graphql/fields.js';

/** The subjects of a limit that are listed. */
const mostSubjects = 20;

@Resolver()
export class LimitUsageResolver {
  @Access('originator', readScope)
  @Directive('@cost(weight: 100)')
  @Directive('@listSize(assumedSize: 10)')
  @Query(() => [EligibilityLimitUsage], {
    description:
      'How far each limit of an estate on PORTFOLIO or NET_WORTH is used now, and the room that is left, in the order of the limits. For operators, and for originators with a permit for the estate; empty for others and for an estate without such limits. The portfolio is what is open of all receivables that were assigned to the estate, without those that were written off. Debtors and assignors of others are masked for originators, and all are for keys.',
  })
  async limitUsage(
    @Ctx() context: Context,
    @Arg('patrimonyId', () => ID, { description: 'Id of the estate (UUID)' }) patrimonyId: string,
  ): Promise<Shape<EligibilityLimitUsage>[]> {
    const criteria = isUuid(patrimonyId) ? await findCriteria(context, patrimonyId) : undefined;
    if (criteria === undefined || !(await seesUse(context, criteria.patrimonyId))) return [];
    const originators = hasRole(context.principal, 'read') ? [] : await visibleOriginators(context);
    const total = new Decimal(await portfolioTotal(context, criteria.patrimonyId));
    const usages: Shape<EligibilityLimitUsage>[] = [];
    const { patrimonyId: id, netWorth } = criteria;
    const today = civilDate(context.clock.now());
    for (const limit of limitsOf(criteria).filter(({ base }) => base !== 'BATCH')) {
      const { kind, type, base } = limit;
      const loads = await largestLoads(context, { patrimonyId: id, kind, today }, type, mostSubjects);
      const usage = usageOf(limit, base === 'NET_WORTH' ? new Decimal(netWorth ?? 0) : total, loads);
      const names = await namesOf(context, limit, { patrimonyId: id, originators }, loads);
      const subjects = usage.subjects.map((one, index) => ({ ...one, subject: names[index] ?? '' }));
      usages.push({ limit, ...usage, subjects });
    }
    return usages;
  }
}

async function namesOf(
  context: Context,
  { kind }: Limit,
  { patrimonyId, originators }: { readonly patrimonyId: string; readonly originators: readonly string[] },
  loads: readonly Load[],
): Promise<string[]> {
  const { principal } = context;
  const names = loads.map(({ subject }) => subject);
  if (kind === 'TYPE' || kind === 'UF') return names;
  const assignors = kind === 'ASSIGNOR' ? await originatorsById(context, names.filter(isUuid)) : [];
  const byId = new Map(assignors.map(({ id, name }) => [id, name]));
  const isWhole = principal.kind === 'CLIENT' || principal.kind === 'SESSION';
  const own = isWhole ? new Set(await subjectsOf(context, { patrimonyId, kind }, originators, names)) : new Set();
  const shown = (name: string) => hasRole(principal, 'read') || own.has(name);
  return names.map((name) => (shown(name) ? (byId.get(name) ?? name) : masked(name)));
}

function masked(name: string): string {
  if (isUuid(name)) return '***';
  // The root of a CNPJ says who it is.
  return name.length === 8 ? '**.***.***' : maskDocument(name);
}

@ObjectType({ simpleResolvers: true, description: 'What an estate has of one of those that a limit compares.' })
class EligibilityLimitSubject extends fields({
  subject: text(
    'Tax id of the debtor or assignor, root of the CNPJ of a group, name of an originator, type, or state, empty where none is known',
  ),
  amount: decimal('Its open balance, in BRL with 2 decimals'),
  share: decimal('Its share of the base, in percent with 4 decimals, rounded up'),
  room: nullable.decimal(
    'The open balance that a batch of it alone can add within this limit, in BRL with 2 decimals; null without an end',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'How far a limit of an estate is used.' })
class EligibilityLimitUsage extends fields({
  limit: of(() => EligibilityLimit, 'The limit'),
  base: decimal('What it is measured on now: the open balance of the estate, or its net worth, in BRL with 2 decimals'),
  averageDays: nullable.decimal(
    'Average term in days with 1 decimal, rounded up; null for other limits, and for an estate without credits',
  ),
  used: nullable.decimal('Open balance of the subject that has most, in BRL with 2 decimals; null for AVERAGE_TERM'),
  max: nullable.decimal(
    'The most that one subject may have of this base, in BRL with 2 decimals; null for AVERAGE_TERM',
  ),
  room: nullable.decimal('The room of the subject that has most; null for AVERAGE_TERM and without an end'),
  subjects: list(
    () => EligibilityLimitSubject,
    `The subjects that have most, at most ${mostSubjects}; none for AVERAGE_TERM`,
    { assumedSize: mostSubjects },
  ),
}) {}
