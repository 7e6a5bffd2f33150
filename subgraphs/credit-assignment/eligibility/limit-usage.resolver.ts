import { Arg, Ctx, Directive, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal, truncate } from '../../../shared/kernel/decimal.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { maskDocument } from '../../../shared/kernel/tax-id.js';
import { Access } from '../../../shared/graphql/access.js';
import { hasRole } from '../../../shared/graphql/roles.js';
import { DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { EligibilityLimit } from '../criteria/criteria.resolver.js';
import { limitsOf, type Limit } from '../criteria/criteria.js';
import { findCriteria, type CriteriaRow } from '../criteria/criteria.store.js';
import { isPermitted } from '../estates/assignment.js';
import { originatorsById } from '../originators/originator.store.js';
import { readScope, visibleOriginators } from '../originators/visible-originators.js';
import { largestLoads, portfolioTotal, subjectsOf, type Load } from './portfolio.store.js';

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
    if (criteria === undefined) return [];
    const isOperator = hasRole(context.principal, 'read');
    const originators = isOperator ? [] : await visibleOriginators(context);
    if (!isOperator && !(await isPermitted(context, originators, criteria.patrimonyId))) return [];
    const total = new Decimal(await portfolioTotal(context, criteria.patrimonyId));
    const usages: Shape<EligibilityLimitUsage>[] = [];
    for (const limit of limitsOf(criteria)) {
      if (limit.base !== 'BATCH') usages.push(await usageOf(context, criteria, limit, { total, originators }));
    }
    return usages;
  }
}

async function usageOf(
  context: Context,
  { patrimonyId, netWorth }: CriteriaRow,
  limit: Limit,
  { total, originators }: { readonly total: Decimal; readonly originators: readonly string[] },
): Promise<Shape<EligibilityLimitUsage>> {
  const { kind } = limit;
  const portfolio = { patrimonyId, kind, today: civilDate(context.clock.now()) };
  const loads = await largestLoads(context, portfolio, limit.type, mostSubjects);
  const base = limit.base === 'NET_WORTH' ? new Decimal(netWorth ?? 0) : total;
  const shared = { limit, base: base.toFixed(2) };
  if (limit.maxShare === null) {
    const days = base.isZero() ? null : new Decimal(loads[0]?.load ?? 0).dividedBy(base).toFixed(1, Decimal.ROUND_UP);
    return { ...shared, averageDays: days, used: null, max: null, room: null, subjects: [] };
  }
  const share = new Decimal(limit.maxShare).dividedBy(100);
  const names = await namesOf(context, limit, { patrimonyId, originators }, loads);
  const subjects = loads.map(({ load }, index) => ({
    subject: names[index] ?? '',
    amount: new Decimal(load).toFixed(2),
    share: base.isZero() ? '0.0000' : new Decimal(load).times(100).dividedBy(base).toFixed(4, Decimal.ROUND_UP),
    room: roomOf(limit, share, base, load),
  }));
  const used = loads[0]?.load ?? '0';
  return {
    ...{
      ...shared,
      averageDays: null,
      used: new Decimal(used).toFixed(2),
      max: truncate(share.times(base), 2).toFixed(2),
    },
    ...{ room: roomOf(limit, share, base, used), subjects },
  };
}

/** Returns what can still be bought of one subject: of a portfolio, what is bought is a part of it afterwards. Null without an end. */
function roomOf({ base: on }: Limit, share: Decimal, base: Decimal, used: string): string | null {
  const room = share.times(base).minus(used);
  if (room.isNegative()) return '0.00';
  if (on === 'NET_WORTH') return truncate(room, 2).toFixed(2);
  return share.equals(1) ? null : truncate(room.dividedBy(new Decimal(1).minus(share)), 2).toFixed(2);
}

/** Returns the names of subjects as the caller may read them. */
async function namesOf(
  context: Context,
  { kind }: Limit,
  { patrimonyId, originators }: { readonly patrimonyId: string; readonly originators: readonly string[] },
  loads: readonly Load[],
): Promise<string[]> {
  const { principal } = context;
  const names = loads.map(({ subject }) => subject);
  if (kind === 'TYPE') return names;
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
class EligibilityLimitSubject {
  @Field(() => String, {
    description: 'Tax id of the debtor or assignor, root of the CNPJ of a group, name of an originator, or type',
  })
  subject!: string;

  @Field(() => DecimalScalar, { description: 'Its open balance, in BRL with 2 decimals' })
  amount!: string;

  @Field(() => DecimalScalar, { description: 'Its share of the base, in percent with 4 decimals, rounded up' })
  share!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The open balance that a batch of it alone can add within this limit, in BRL with 2 decimals; null without an end',
  })
  room!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'How far a limit of an estate is used.' })
class EligibilityLimitUsage {
  @Field(() => EligibilityLimit, { description: 'The limit' })
  limit!: EligibilityLimit;

  @Field(() => DecimalScalar, {
    description: 'What it is measured on now: the open balance of the estate, or its net worth, in BRL with 2 decimals',
  })
  base!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Average term in days with 1 decimal, rounded up; null for other limits, and for an estate without credits',
  })
  averageDays!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Open balance of the subject that has most, in BRL with 2 decimals; null for AVERAGE_TERM',
  })
  used!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The most that one subject may have of this base, in BRL with 2 decimals; null for AVERAGE_TERM',
  })
  max!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The room of the subject that has most; null for AVERAGE_TERM and without an end',
  })
  room!: string | null;

  @Directive(`@listSize(assumedSize: ${mostSubjects})`)
  @Field(() => [EligibilityLimitSubject], {
    description: `The subjects that have most, at most ${mostSubjects}; none for AVERAGE_TERM`,
  })
  subjects!: readonly EligibilityLimitSubject[];
}
