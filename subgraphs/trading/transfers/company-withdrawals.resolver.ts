import { Ctx, Directive, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { TradingCompany, type CompanyShape } from '../access/company.type.js';
import { haveAllowLists } from './allow-list/allow-list.store.js';
import { limitsOf } from './withdrawals/withdrawal.store.js';

@ObjectType({ simpleResolvers: true, description: 'The limit of a company for withdrawals of a currency.' })
export class WithdrawalLimit {
  @Field(() => String, { description: 'Code of the currency.' })
  currency!: string;

  @Field(() => DecimalScalar, {
    description: 'Maximum amount that the company and its profiles may withdraw in 24 hours, in that currency.',
  })
  daily!: string;
}

/** What operators have set for the withdrawals of a company. */
@Resolver(() => TradingCompany)
export class CompanyWithdrawalsResolver {
  @Directive('@listSize(assumedSize: 20)')
  @FieldResolver(() => [WithdrawalLimit], {
    description:
      'Its limits for withdrawals in 24 hours, sorted by currency; a currency that is absent has none (`setWithdrawalLimit`).',
  })
  withdrawalLimits(@Root() { id }: CompanyShape, @Ctx() context: Context): Promise<Shape<WithdrawalLimit>[]> {
    return loaderOf(context, limitsOf).load(id);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether it may withdraw only to addresses of its list (`requireWithdrawalList`).',
  })
  requiresWithdrawalList(@Root() { id }: CompanyShape, @Ctx() context: Context): Promise<boolean> {
    return loaderOf(context, haveAllowLists).load(id);
  }
}
