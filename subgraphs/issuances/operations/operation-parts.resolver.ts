import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { OperationAccount, PermittedInvestment } from '../cash/cash.type.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { Guarantee } from '../guarantees/guarantee.type.js';
import { Participant } from '../participants/participant.type.js';
import { accountsOf, guaranteesOf, participantsOf, permittedInvestmentsOf } from './operation-parts.store.js';
import { Operation } from './operation.type.js';

/** Resolves the short lists of an operation, which are not paginated: the deed limits their length. */
@Resolver(() => Operation)
export class OperationPartsResolver {
  @AsOf()
  @FieldResolver(() => [Guarantee], { description: 'Guarantees of the operation' })
  guarantees(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<Shape<Guarantee>[]> {
    return loaderOf(context, guaranteesOf).load(id);
  }

  @AsOf()
  @FieldResolver(() => [Participant], { description: 'Companies with a role in the operation' })
  participants(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<Shape<Participant>[]> {
    return loaderOf(context, participantsOf).load(id);
  }

  @AsOf()
  @FieldResolver(() => [OperationAccount], { description: 'Its bank accounts' })
  accounts(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<Shape<OperationAccount>[]> {
    return loaderOf(context, accountsOf).load(id);
  }

  @AsOf()
  @FieldResolver(() => [PermittedInvestment], { description: 'Permitted investments of its cash' })
  permittedInvestments(
    @Ctx() context: Context,
    @Root() { id }: Shape<Operation>,
  ): Promise<Shape<PermittedInvestment>[]> {
    return loaderOf(context, permittedInvestmentsOf).load(id);
  }
}
